"""How a property is decided: by proof, by looking at every run, or by looking at some."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.axioms.families import proofs
from measurand.axioms.pairs import MakePairs, Pairs
from measurand.axioms.space import Space
from measurand.errors import FunctionFailed
from measurand.measures import Measure, as_measure
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict, Witness

MOST = 20_000
"""How many pairs are looked at where not all can be."""

Asked = ParamSpec("Asked")


@frozen
class Axiom:
    """A property that says which of two runs is better.

    Parameters
    ----------
    name
        What the property is called.
    pairs
        The pairs of runs that it speaks about.
    strict
        Whether the better run must be better, or may be as good.
    breach
        What a pair that breaks it shows, in words.
    """

    name: str
    pairs: MakePairs
    strict: bool
    breach: str


def decide(axiom: Axiom, valuer: Valuer, space: Space, rng: int | np.random.Generator = 0) -> Verdict:
    """Return whether a measure has a property, with the smallest pair of runs that breaks it if not."""
    argument = proofs(valuer.measure, space).get(axiom.name)
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for pairs in _pairs(axiom, space, rng):
        found = breaches(pairs, valuer, strict=axiom.strict)
        if len(found):
            broken = smallest(pairs, found)
            values = tuple(map(valuer.value, broken))
            return Verdict(False, Witness(broken, values, axiom.breach), space.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, space.checked, space.how)


def _pairs(axiom: Axiom, space: Space, rng: int | np.random.Generator) -> Iterator[Pairs]:
    if space.fits:
        yield axiom.pairs(space.all(), space.grades)
    else:
        yield axiom.pairs(space.telling(), space.grades).smallest(MOST)
        yield axiom.pairs(space.drawn(rng), space.grades, MOST // 4)


def breaches(pairs: Pairs, valuer: Valuer, *, strict: bool) -> IntArray:
    """Return which pairs a measure puts the wrong way round (or, if `strict`, makes equal)."""
    if not len(pairs):
        return np.empty(0, dtype=np.int64)
    runs, which = np.unique(np.concatenate([pairs.worse, pairs.better]), axis=0, return_inverse=True)
    worse, better = valuer.places(runs)[which.reshape(2, -1)]
    return np.flatnonzero(better <= worse if strict else better < worse)


def smallest(pairs: Pairs, found: IntArray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pair with the lowest grades; among those, with the highest ranks."""
    worse, better = pairs.worse[found], pairs.better[found]
    total = worse.sum(axis=1, dtype=np.int64) + better.sum(axis=1, dtype=np.int64)
    both = (worse > 0) | (better > 0)
    deepest = np.where(both.any(axis=1), worse.shape[1] - np.argmax(both[:, ::-1], axis=1), 0)
    columns = [*better.T[::-1], *worse.T[::-1], deepest, total]
    first = np.lexsort(columns)[0]
    return tuple(worse[first].tolist()), tuple(better[first].tolist())


def answering(question: Callable[Concatenate[Measure, Asked], Verdict]) -> Callable[..., Verdict]:
    """Return a question about a measure that also takes spellings and functions, and always has an answer.

    A function that fails on a run is no measure, so it has no property of one: the verdict says so, with
    the run.
    """

    @wraps(question)
    def ask(measure: Measure | str | Callable[..., Any], *args: Asked.args, **options: Asked.kwargs) -> Verdict:
        try:
            return question(as_measure(measure), *args, **options)
        except FunctionFailed as failure:
            return unusable(failure)

    return ask


def unusable(failure: FunctionFailed) -> Verdict:
    """Return the verdict on a function that is no measure."""
    return Verdict(False, Witness((failure.run,), (), str(failure)), "down to the run it failed on", How.COUNTEREXAMPLE)
