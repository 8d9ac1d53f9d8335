"""What is fused: runs as they come, their names and their weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import evolve

from measurand.arrays import IntArray
from measurand.errors import InputError, ParameterError
from measurand.exact import rational
from measurand.judged import Results
from measurand.scores.summary import unlike
from measurand.trec import read_run, read_runs
from measurand.trec.files import is_file
from measurand.trec.read import is_one

LIGHTEST, HEAVIEST = Fraction(1, 10**20), Fraction(10**20)
"""Weights beyond these are a slip of the pen."""


def runs_of(sources: Any) -> list[Results]:
    """Return runs from files, directories, patterns, frames, dictionaries and runs, in their order.

    Names matter for weights alone, so files are called by their names, not by run tags that may be alike; runs in
    memory that have no name are called by their place, and a second one of a name gets a number.

    Examples
    --------
    >>> [run.name for run in runs_of([{"1": {"x": 2.0}}, {"1": {"y": 1.0}}])]
    ['run 1', 'run 2']
    >>> [run.name for run in runs_of({"bm25": {"1": {"x": 2.0}}, "dense": {"1": {"y": 1.0}}})]
    ['bm25', 'dense']
    """
    if _by_name(sources):
        return [read_run(source, name=str(name)) for name, source in sources.items()]
    several = [sources] if is_one(sources) else list(sources)
    prepared = [part for place, source in enumerate(several, 1) for part in _in_memory(source, place)]
    if not prepared:
        raise InputError("there is no run to fuse; give at least one")
    if not any(isinstance(part, Results) for part in prepared):
        return list(read_runs(prepared, names="file"))
    runs: dict[str, Results] = {}
    for part in prepared:
        for run in [part] if isinstance(part, Results) else read_runs(part, names="file"):
            name = unlike(run.name, runs)
            runs[name] = run if name == run.name else evolve(run, name=name)
    return list(runs.values())


def _by_name(sources: Any) -> bool:
    """Say whether sources are `{name: run}`, and not one run, `{topic: {document: score}}`."""
    if not isinstance(sources, Mapping) or not sources:
        return False
    first = next(iter(sources.values()))
    return not isinstance(first, Mapping) or any(isinstance(inner, Mapping) for inner in first.values())


def _in_memory(source: Any, place: int) -> Sequence[Any]:
    """Return a source that is in memory as runs with names, and any other as it is."""
    if is_file(source) or isinstance(source, Results):
        return [source]
    if isinstance(source, Mapping):
        return [read_run(source, name=f"run {place}")]
    found = read_runs([source])
    # a frame without a column of names
    return [evolve(found[0], name=f"run {place}")] if len(found) == 1 and found[0].name == "run" else found


def weights_of(weights: Any, names: Sequence[str]) -> tuple[Fraction, ...]:
    """Return the weight of each run, by its name or by its place; 1 where none is given.

    Examples
    --------
    >>> weights_of({"b": 0.5}, ["a", "b"]), weights_of([2, "1/3"], ["a", "b"])
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(2, 1), Fraction(1, 3)))
    """
    if weights is None:
        return (Fraction(1),) * len(names)
    if isinstance(weights, Mapping):
        strange = [name for name in weights if name not in names]
        if strange:
            raise ParameterError(f"weights: there is no run {strange[0]!r}; there is {', '.join(names)}")
        weights = [weights.get(name, 1) for name in names]
    elif isinstance(weights, str | Set) or not isinstance(weights, Iterable):
        raise ParameterError(f"weights must be one number a run, or {{name: number}}, not {weights!r}")
    found = tuple(rational(weight) for weight in weights)
    if len(found) != len(names):
        raise ParameterError(f"there are {len(names)} runs and {len(found)} weights; give one weight a run")
    for weight in found:
        if weight and not LIGHTEST <= weight <= HEAVIEST:
            raise ParameterError(f"weight {weight} must be 0 or a moderate number above it")
    if not any(found):
        raise ParameterError("all weights are 0; give at least one run a weight above it")
    return found


def by_content(runs: Sequence[Results], weights: Sequence[Fraction]) -> list[int]:
    """Return an order of runs that only depends on what they hold and weigh, so that sums round the same way."""
    keys = [
        (weight, run.topics, run.bounds.tobytes(), run.scores.tobytes())
        for run, weight in zip(runs, weights, strict=True)
    ]
    order = sorted(range(len(runs)), key=lambda i: keys[i])
    doubtful = {keys[i] for i, j in pairwise(order) if keys[i] == keys[j]}
    if not doubtful:
        return order
    names = [list(run.documents) if key in doubtful else [] for run, key in zip(runs, keys, strict=True)]
    return sorted(order, key=lambda i: (keys[i], names[i]))


def topics_of(runs: Sequence[Results]) -> tuple[str, ...]:
    """Return the topics for which some run retrieves something, in the order of their first appearance."""
    several = (np.asarray(run.topics, dtype=object)[_retrieved(run)] for run in runs)
    found = tuple(dict.fromkeys(topic for topics in several for topic in topics))
    if not found:
        raise InputError("the runs retrieve nothing for any topic, so there is nothing to fuse")
    return found


def lacking(runs: Sequence[Results], topics: tuple[str, ...]) -> list[str]:
    """Return the names of the runs that retrieve nothing for some topic."""
    return [run.name for run in runs if int(_retrieved(run).sum()) < len(topics)]


def _retrieved(run: Results) -> Any:
    sizes: IntArray = np.diff(run.bounds)
    return sizes > 0
