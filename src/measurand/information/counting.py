"""Counting outscorers: how many documents are at least as high as a document in every signal.

`count_outscorers` first leaves out rows and columns that repeat others, and the row at the minimum of every column,
which all rows outscore. The algorithm for the rest depends on its shape, and all return the same numbers: one
column is sorted (`by_sorting`); of two columns, one with few levels takes a cumulative sum for each (`by_grade`), any
other a merge sort (`by_merging`). With more columns, a few hundred rows are compared with each other outright
(`by_pairs`). Of many (`by_prefix`) only rows that are as high where a row stands best can outscore it; these are
compared one by one, or as bits. `count_outscorers_without` leaves out each column in turn, in one comparison of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray, Keys
from measurand.native import accelerated

_LARGEST = 2**62

WORD = 64

BLOCK = 2048
"""So many candidates at a time: their bits fit into the cache."""

TOGETHER = 65536
"""So many rows at a time: what is known of a block fits into memory."""

FEW = 512
"""So many rows are compared with a block one by one before its bits are drawn up."""

FEW_LEVELS = 12
"""Up to so many levels, as grades have them, a cumulative sum for each is quicker than merging."""

FEW_PAIRS = 600
"""Up to so many rows, comparing each with all others is quicker than looking for those that could outscore it."""

COMPARISONS = 1 << 20
"""So many numbers are compared at a time where each row is compared with all others."""

Count = Callable[[IntArray, IntArray], IntArray]


@frozen(eq=False)
class Distinct:
    """The different rows of some levels.

    Parameters
    ----------
    levels
        The different rows, in lexicographic order, without columns that repeat others or never change. Each column
        takes every level from 0 up to its highest.
    weights
        How often each row occurs.
    place
        For each of the original rows, which of these it is.

    Examples
    --------
    >>> distinct = Distinct.of(np.array([[7, 1, 2], [3, 1, 0], [7, 1, 2]]))
    >>> distinct.levels.tolist(), distinct.weights.tolist(), distinct.place.tolist()
    ([[0], [1]], [1, 2], [1, 0, 1])
    """

    levels: IntArray
    weights: IntArray
    place: IntArray

    @classmethod
    def of(cls, levels: IntArray) -> Distinct:
        """Return the different rows of these levels, of which there is at least one."""
        columns = _different([_dense(column) for column in levels.T])
        key, size = np.zeros(len(levels), dtype=np.int64), 1
        for column in columns:
            height = int(column.max()) + 1
            if size > _LARGEST // height:
                key = _dense(key)
                size = int(key.max()) + 1
            key, size = key * height + column, size * height
        _, first, place, weights = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        kept = np.stack(columns, axis=1)[first] if columns else np.zeros((1, 0), dtype=np.int64)
        # small numbers are compared faster, several at once
        return cls(kept.astype(np.min_scalar_type(int(kept.max(initial=0)))), weights, place)


def _dense(column: IntArray) -> IntArray:
    """Return numbers with the same order, from 0 up without gaps."""
    low, high = int(column.min()), int(column.max())
    if high - low > 8 * len(column):
        return np.unique(column, return_inverse=True)[1]
    shifted = column - low
    occurs = np.zeros(high - low + 1, dtype=np.int64)
    occurs[shifted] = 1
    return (np.cumsum(occurs) - 1)[shifted]


def _different(columns: list[IntArray]) -> list[IntArray]:
    """Return the columns that change, each once."""
    return list({column.tobytes(): column for column in columns if column.any()}.values())


def by_sorting(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for one column.

    Parameters
    ----------
    levels
        Different rows.
    weights
        How often each occurs.

    Examples
    --------
    >>> by_sorting(np.array([[0], [2], [1]]), np.array([1, 1, 5])).tolist()
    [7, 1, 6]
    """
    order = np.argsort(levels[:, 0])[::-1]
    counts = np.empty(len(levels), dtype=np.int64)
    counts[order] = np.cumsum(weights[order])
    return counts


def by_grade(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for two columns; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_grade(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]), np.array([1, 1, 1, 1])).tolist()
    [1, 2, 1, 3]
    """
    ranking, grades = np.argsort(-levels.max(axis=0).astype(np.int64), kind="stable")
    # rows are different: of those that are equal in the ranking, the outscorers come first
    order = np.lexsort((levels[:, grades], levels[:, ranking]))[::-1]
    grade, weight = levels[order, grades], weights[order]
    counts = np.empty(len(levels), dtype=np.int64)
    for level in range(int(grade.max()) + 1):
        reached = np.cumsum(np.where(grade >= level, weight, 0))
        mine = grade == level
        counts[order[mine]] = reached[mine]
    return counts


def by_merging(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for two columns; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_merging(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]), np.array([1, 1, 1, 1])).tolist()
    [1, 2, 1, 3]
    """
    # rows are different: in this order outscorers come first, and they are those that are as high in the other column
    order = np.lexsort((levels[:, 1], levels[:, 0]))[::-1]
    counts = np.empty(len(levels), dtype=np.int64)
    counts[order] = _earlier_and_higher(levels[order, 1], weights[order])
    return counts


def _earlier_and_higher(heights: IntArray, weights: IntArray) -> IntArray:
    """Return for each place the weight of the places up to it that are at least as high."""
    number = len(heights)
    size = 1 << (number - 1).bit_length()
    found = np.zeros(size, dtype=np.int64)
    found[:number] = weights
    weight = found.copy()
    # places from the highest down, equal heights in their order, then places that weigh nothing
    places = np.arange(size)
    places[:number] = np.argsort(int(heights.max()) - heights.astype(np.int64), kind="stable")
    half = size // 2
    while half:
        late = (places & half).astype(bool)
        before = np.cumsum(np.where(late, 0, weight[places]))
        # each pair of halves begins anew
        total = before[2 * half - 1 :: 2 * half]
        start = np.repeat(np.concatenate(([0], total[:-1])), half)
        rear = places[late]
        found[rear] += before[late] - start
        # a pair of halves has as many early as late places
        parts = places[~late].reshape(-1, half), rear.reshape(-1, half)
        places = np.stack(parts, axis=1).reshape(-1)
        half //= 2
    return found[:number]


def count_by_comparing(candidates: IntArray, rows: IntArray) -> IntArray:
    """Return for each row how many candidates are at least as high in every column.

    Examples
    --------
    >>> count_by_comparing(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0], [2, 0]])).tolist()
    [1, 2, 0]
    """
    above = np.ones((len(rows), len(candidates)), dtype=bool)
    for theirs, mine in zip(np.ascontiguousarray(candidates.T), rows.T, strict=True):
        # most rows are at the minimum of most columns, where all candidates are as high
        open_rows = np.flatnonzero(mine > theirs.min())
        if len(open_rows):
            above[open_rows] &= theirs >= mine[open_rows, None]
    return np.asarray(np.count_nonzero(above, axis=1))


def count_by_bits(candidates: IntArray, rows: IntArray) -> IntArray:
    """Return for each row how many candidates are at least as high in every column.

    Examples
    --------
    >>> count_by_bits(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0], [2, 0]])).tolist()
    [1, 2, 0]
    """
    number = len(candidates)
    above = np.repeat(_tops(np.arange(number))[-1:], len(rows), axis=0)
    for theirs, mine in zip(candidates.T, rows.T, strict=True):
        order = np.argsort(theirs, kind="stable")
        height = number - np.searchsorted(theirs[order], mine)
        closed = height == number
        if not closed.any():
            above &= _tops(order[::-1])[height]
        elif not closed.all():
            above[~closed] &= _tops(order[::-1])[height[~closed]]
    return np.asarray(np.bitwise_count(above).sum(axis=1, dtype=np.int64))


def _tops(order: IntArray) -> Keys:
    """Return the bits of the first 0, 1, 2, … candidates of this order."""
    number = len(order)
    bits = np.zeros((number + 1, -(-number // WORD)), dtype=np.uint64)
    bits[np.arange(1, number + 1), order // WORD] = np.uint64(1) << (order % WORD).astype(np.uint64)
    return np.bitwise_or.accumulate(bits, axis=0, out=bits)


def by_pairs(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_pairs(np.array([[3, 2, 0], [2, 1, 1], [0, 3, 0], [1, 0, 0]]), np.array([1, 1, 1, 4])).tolist()
    [1, 1, 1, 6]
    """
    above = np.ones((len(levels), len(levels)), dtype=bool)
    for column in np.ascontiguousarray(levels.T):
        above &= column >= column[:, None]
    return np.asarray(above @ weights)


def by_prefix(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_prefix(np.array([[3, 2, 0], [2, 1, 1], [0, 3, 0], [1, 0, 0]]), np.array([1, 1, 1, 4])).tolist()
    [1, 1, 1, 6]
    """
    counts = np.zeros(len(levels), dtype=np.int64)
    for power in range(int(weights.max()).bit_length()):
        # bits are counted, not weighed: so weights are taken digit by digit
        some = (weights >> power) & 1 == 1
        if some.any():
            counts += count_above(levels[some], levels) << power
    return counts


def count_above(candidates: IntArray, rows: IntArray) -> IntArray:
    """Return for each row how many candidates are at least as high in every column.

    Examples
    --------
    >>> count_above(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0], [2, 0]])).tolist()
    [1, 2, 0]
    """
    counts = np.zeros(len(rows), dtype=np.int64)
    column, depth = _best_columns(candidates, rows)
    for place in np.unique(column[depth > 0]).tolist():
        mine = np.flatnonzero((column == place) & (depth > 0))
        mine = mine[np.argsort(depth[mine], kind="stable")]
        best = np.argsort(candidates[:, place], kind="stable")[::-1][: int(depth[mine[-1]])]
        for block, several, columns in _blocks(candidates[best], depth[mine], place):
            those = mine[several]
            count = count_by_comparing if len(those) < FEW else count_by_bits
            counts[those] += count(block[:, columns], rows[those][:, columns])
    return counts


def _best_columns(candidates: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the column where each row has the fewest candidates, and how many these are."""
    column = np.zeros(len(rows), dtype=np.int64)
    depth = np.full(len(rows), len(candidates) + 1)
    for place in range(rows.shape[1]):
        highest = int(max(candidates[:, place].max(), rows[:, place].max()))
        occurs = np.bincount(candidates[:, place], minlength=highest + 1)
        standing = np.cumsum(occurs[::-1])[::-1][rows[:, place]]
        better = standing < depth
        column[better] = place
        depth = np.where(better, standing, depth)
    return column, depth


def _blocks(candidates: IntArray, depth: IntArray, place: int) -> Iterator[tuple[IntArray, slice, IntArray]]:
    """Return blocks of candidates, the rows that look at them, and the columns that are still open.

    Parameters
    ----------
    candidates
        From the top of a column down.
    depth
        How many of these each row is compared with, increasing.
    place
        That column. A block that a row is compared with as a whole needs no comparison there.
    """
    every = np.arange(candidates.shape[1])
    others = np.delete(every, place)
    for start in range(0, len(candidates), BLOCK):
        block = candidates[start : start + BLOCK]
        first, whole = np.searchsorted(depth, [start + 1, start + len(block)]).tolist()
        for begin, end, columns in ((first, whole, every), (whole, len(depth), others)):
            for some in range(begin, end, TOGETHER):
                yield block, slice(some, min(some + TOGETHER, end)), columns


def count_outscorers(levels: IntArray) -> IntArray:
    r"""Return for each row how many rows are at least as high in every column, itself included.

    .. math:: c(d) = \#\{d' : \gamma(d') \ge \gamma(d)\ \text{for all}\ \gamma \in \Gamma\}

    Examples
    --------
    >>> count_outscorers(np.array([[3, 2], [2, 1], [0, 3], [1, 0]])).tolist()
    [1, 2, 1, 3]

    References
    ----------
    [Amigo2018]_, equation 1
    """
    if not len(levels):
        return np.zeros(0, dtype=np.int64)
    distinct = Distinct.of(levels)
    counts = np.full(len(distinct.levels), len(levels), dtype=np.int64)
    above = distinct.levels.any(axis=1)
    if above.any():
        count = quickest(distinct.levels)
        counts[above] = count(distinct.levels[above], distinct.weights[above])
    return counts[distinct.place]


def quickest(levels: IntArray) -> Count:
    """Return the way of counting that suits the shape of these levels.

    Examples
    --------
    >>> quickest(np.array([[1], [0]])).__name__, quickest(np.array([[1, 5], [2, 4]])).__name__
    ('by_sorting', 'by_grade')
    """
    columns = levels.shape[1]
    if columns == 1:
        return by_sorting
    if columns > 2:
        return by_pairs if len(levels) <= FEW_PAIRS else by_prefix
    return by_grade if int(levels.max(axis=0).min()) < FEW_LEVELS else by_merging


def count_outscorers_without(levels: IntArray) -> tuple[IntArray, IntArray]:
    """Return for each row how many rows are at least as high in every column, and in every column but one.

    Without a column, a row has the outscorers that it has with all of them, and those that are lower there alone. So
    all columns are left out in one comparison of pairs, which ends where the second lower column is found.

    Parameters
    ----------
    levels
        Rows × columns, 0 at the minimum of a column.

    Returns
    -------
    tuple of array of int
        By row the number with all columns; by row and column how many more there are without that column.

    Examples
    --------
    >>> every, more = count_outscorers_without(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]))
    >>> every.tolist(), (every[:, None] + more).tolist()
    ([1, 2, 1, 3], [[2, 1], [3, 2], [1, 4], [4, 3]])
    """
    small: Any = np.ascontiguousarray(levels, dtype=np.int32)
    # where a row stands highest most others are lower
    order: Any = np.argsort(-small, axis=1, kind="stable").astype(np.int32)
    every, alone = np.zeros(len(small), dtype=np.int64), np.zeros(small.shape, dtype=np.int64)
    _lower_once(small, order, every, alone)
    return every, alone


@accelerated
def _lower_once(levels: IntArray, order: IntArray, every: IntArray, alone: IntArray) -> None:  # noqa: ARG001
    """Add for each row how many are lower nowhere, and by column how many are lower there alone.

    `order` has the columns of each row that come first where a comparison may end early, as it does in C.
    """
    together = max(1, COMPARISONS // max(levels.size, 1))
    for first in range(0, len(levels), together):
        some = slice(first, first + together)
        lower = levels[None, :, :] < levels[some, None, :]
        failed = lower.sum(axis=2)
        every[some] += (failed == 0).sum(axis=1)
        alone[some] += (lower & (failed == 1)[:, :, None]).sum(axis=1)
