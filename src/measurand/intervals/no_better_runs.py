"""How many runs score no more than a run, by exact values.

Comparing every run with every other exactly would take long, and floats part what is equal. So floats are sorted first,
and runs whose floats are further apart than rounding explains are in order. Where a run stands too close to others, the
exact values of that group decide.
"""

from __future__ import annotations

import numpy as np

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.execution import Progress, silent
from measurand.judged import distinct_runs
from measurand.measures.valued import Valuer, far_apart

PART = 1 << 9
"""So many runs are valued by a function between two steps of the progress bar."""


def numbers_at_most(valuer: Valuer, runs: Cells, others: Cells, progress: Progress = silent) -> IntArray:
    """Return how many of the others score no more than each of some runs; exact values decide.

    Floats order what is far apart. Where a run and others are too close for floats, their exact values are compared.

    Parameters
    ----------
    valuer
        The measure on the topic.
    runs, others
        Runs of one length, one a row.
    progress
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.judged import Pool
    >>> from measurand.measures import AP
    >>> runs = np.array([[0, 1], [1, 0]], dtype=np.int8)
    >>> numbers_at_most(Valuer.of(AP, Pool.plain(2, 2)), runs, runs).tolist()
    [1, 2]
    """
    every, which = distinct_runs(np.concatenate([runs, others]))
    asked, weights = np.zeros(len(every), dtype=bool), np.bincount(which[len(runs) :], minlength=len(every))
    asked[which[: len(runs)]] = True
    places = _places(valuer, every, asked, weights > 0, progress)
    upto = np.cumsum(np.bincount(places, weights=weights, minlength=len(every))).astype(np.int64)
    return np.asarray(upto[places[which[: len(runs)]]])


def _places(valuer: Valuer, runs: Cells, asked: BoolArray, there: BoolArray, progress: Progress) -> IntArray:
    """Return whole numbers that order the runs, as exactly as a comparison of those asked with those there needs."""
    rough = valuer.roughly(runs)
    if rough is None or not np.isfinite(rough).all():
        return _exact_places(valuer, runs, progress)
    order = np.argsort(rough, kind="stable")
    ascending = rough[order]
    starts = np.flatnonzero(np.concatenate([[True], far_apart(ascending[1:], ascending[:-1])]))
    group = np.searchsorted(starts, np.arange(len(runs)), side="right") - 1
    places = np.empty(len(runs), dtype=np.int64)
    places[order] = starts[group]
    mixed = np.bincount(group, weights=asked[order]).astype(bool) & np.bincount(group, weights=there[order]).astype(
        bool
    )
    ends = np.append(starts[1:], len(runs))
    several = np.flatnonzero(mixed & (ends - starts > 1))
    for one in progress(several, len(several), "comparing exact values"):
        rows = order[starts[one] : ends[one]]
        places[rows] = starts[one] + valuer.all(runs[rows]).places
    return places


def _exact_places(valuer: Valuer, runs: Cells, progress: Progress) -> IntArray:
    """Return the places of runs in the order of their exact values, valued one by one."""
    parts = range(0, len(runs), PART)
    for start in progress(parts, len(parts), f"valuing {len(runs):,} runs"):
        valuer.all(runs[start : start + PART])
    return valuer.all(runs).places
