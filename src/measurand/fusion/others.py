"""Fusion of the others: for each of several runs the fusion of all runs but this one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from measurand.calls import explains_calls
from measurand.errors import InputError
from measurand.exact import whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.fusion.fuse import CONSTANT, fused_run, method_of, norm_of
from measurand.fusion.methods import FUSED, Fused, Setting, levels_by_topic
from measurand.fusion.pool import Pool, by_content, runs_of, topics_of
from measurand.information.counting import count_outscorers_without
from measurand.trec import Run, RunsLike
from measurand.trec.sources import check_runs


@explains_calls
def fuse_others(
    runs: RunsLike,
    method: str = "rrf",
    *,
    norm: str | None = None,
    depth: int | None = 1000,
    progress: Progress = silent,
) -> dict[str, Run]:
    """Return for each run the fusion of all the other runs, as `fuse` makes it of them.

    The runs are read, and their documents looked up, once. A fused run has the topics for which one of the
    others retrieves something.

    Parameters
    ----------
    runs : path, frame, dict, Run, or a list or dict of these
        At least two runs, in any form that `fuse` accepts.
    method : str, default "rrf"
        One of `METHODS`, as for `fuse`.
    norm : str, optional
        One of `NORMALISATIONS`, for the methods that combine scores.
    depth : int or None, default 1000
        How many documents of each topic are kept; None for all.
    progress : callable, optional
        A function of an iterable, its length and a word for its items, which returns the iterable and may show how far
        it is; called with the runs.

    Returns
    -------
    dict of Run
        By the name of the run that was left out.

    Examples
    --------
    >>> runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}, "c": {"1": {"y": 5.0}}}
    >>> {name: fused.documents for name, fused in fuse_others(runs, depth=2).items()}
    {'a': ['y', 'z'], 'b': ['y', 'x'], 'c': ['y', 'x']}
    """
    check_progress(progress)
    called = method_of(method)
    norm = norm_of(called, norm)
    check_runs(runs, 'call fuse_others(["bm25.run", "dense.run", "sparse.run"], "rrf")')
    depth = None if depth is None else whole_number("depth, the number of documents kept,", depth)
    found = runs_of(runs)
    if len(found) < 2:
        raise InputError("the fusion of the others needs at least two runs, and there is one")
    order = by_content(found, (Fraction(1),) * len(found))
    pool = Pool.of([found[i] for i in order], topics_of(found))
    values = _information(pool, progress) if called == "information" else _anew(pool, called, norm)
    fused: dict[str, Run] = {}
    for place in progress(range(len(order)), len(order), "fusing the other runs"):
        rest, name = pool.without(place), found[order[place]].name
        if not len(rest):
            raise InputError(f"without {name}, the runs retrieve nothing for any topic, so there is nothing to fuse")
        fused[name] = fused_run(rest, values(place, rest), depth, called)
    return {run.name: fused[run.name] for run in found}


LeftOut = Callable[[int, Pool], Fused]
"""The values of documents without a run, given its place and the pool of the others."""


def _anew(pool: Pool, method: str, norm: str | None) -> LeftOut:
    """Return the way to leave runs out of any method: the others are fused, with the ranks that they have."""
    ranks = pool.ranks(shared=True)
    weights = (Fraction(1),) * (len(pool.runs) - 1)

    def values(place: int, rest: Pool) -> Fused:
        known = np.delete(ranks, pool.span(place))
        return FUSED[method](Setting(rest, norm, weights, CONSTANT, True, None, silent, known))

    return values


def _information(pool: Pool, progress: Progress) -> LeftOut:
    """Return the way to leave runs out of the information of all: the outscorers without each are counted at once."""
    every, more = np.empty(len(pool), dtype=np.int64), np.empty(len(pool.document), dtype=np.int64)
    for topic, entries, levels in levels_by_topic(pool, pool.ranks(shared=True), progress):
        start, stop = pool.bounds[topic : topic + 2].tolist()
        every[start:stop], alone = count_outscorers_without(levels)
        more[entries] = alone[pool.document[entries] - start, pool.run[entries]]

    def values(place: int, rest: Pool) -> Fused:
        span, counts = pool.span(place), every.copy()
        counts[pool.document[span]] += more[span]
        kept = pool.number > np.bincount(pool.document[span], minlength=len(pool))
        return Fused(np.log(np.diff(rest.bounds)[rest.topic] / counts[kept]))

    return values
