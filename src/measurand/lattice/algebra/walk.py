"""A walk through all runs between two runs in the order "swap", without a dead end."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from measurand.arrays import IntArray
from measurand.lattice.algebra.base import Run


def walk(lower: IntArray, upper: IntArray) -> Iterator[Run]:
    r"""Return every run whose paths are between those of two runs, as in the dictionary.

    A run begins like one between exactly if, for all grades v < w, its first k grades hold at most

    .. math:: \min_{i \ge k} \left( S^v_i(\text{upper}) - S^w_i(\text{lower}) \right)

    that are v or more and below w. They cannot hold more: the documents of w or more that the lower run asks for
    are yet to be added to them, and the upper run has no room. Conversely, if two such bounds that overlap
    or touch are reached, so is that of the grades of both, since the paths of the two runs are nested. All grades
    together have a bound, k, that k - 1 grades do not reach; so some grade is always left to go on with.

    Parameters
    ----------
    lower, upper
        The paths of two runs, a row a grade, from rank 0; the lower ones nowhere higher.

    Examples
    --------
    >>> list(walk(np.array([[0, 0, 1]]), np.array([[0, 1, 2]])))
    [(0, 1), (1, 0), (1, 1)]
    """
    bounds, touched = _bounds(lower, upper)
    counts = [0] * len(bounds[0])
    run: list[int] = []
    grade = 0
    while True:
        if len(run) == len(bounds):
            yield tuple(run)
            grade = len(touched)
        else:
            bound = bounds[len(run)]
            while grade < len(touched) and any(counts[pair] == bound[pair] for pair in touched[grade]):
                grade += 1
        if grade < len(touched):
            run.append(grade)
            step, grade_next = 1, 0
        elif run:
            grade = run.pop()
            step, grade_next = -1, grade + 1
        else:
            return
        for pair in touched[grade]:
            counts[pair] += step
        grade = grade_next


def _bounds(lower: IntArray, upper: IntArray) -> tuple[list[array[int]], list[list[int]]]:
    """Return how many grades of each span there may be down to each rank, and in which spans each grade is."""
    levels, ranks = len(lower), np.arange(lower.shape[1])
    low, high = (np.vstack([ranks, paths, np.zeros_like(ranks)]).astype(np.int32) for paths in (lower, upper))
    spans = list(combinations(range(levels + 2), 2))
    first, end = np.array(spans).T
    # from the last rank back, a row a rank
    room = (high[first] - low[end]).T[:0:-1]
    bounds = np.minimum.accumulate(room, axis=0)[::-1]
    touched = [
        [place for place, (first, end) in enumerate(spans) if first <= grade < end] for grade in range(levels + 1)
    ]
    # with very many grades there are millions of bounds, so they are kept as machine words
    return [array("i", row.tobytes()) for row in bounds], touched
