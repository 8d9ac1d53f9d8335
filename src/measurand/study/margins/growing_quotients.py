"""The largest and the smallest quotient of a growing sum and a growing number of relevant documents.

With m relevant ones among the unjudged documents of a run, average precision is at most S(m)/(R + m) and at least
s(m)/(R + m): the sums of precisions where these documents come first and where they come last, both of which grow with
m, and R known relevant documents. Between two numbers that were looked at, a quotient is bounded by the sum of one and
the divisor of the other; numbers in between are looked at only as long as that bound leaves something open.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray

Sums = Callable[[IntArray, IntArray], FloatArray]
"""Returns the sums of some rows for some numbers, one for each row."""

NEAR = 1e-12
"""Quotients that are relatively so close are taken for equal."""


@frozen(eq=False)
class Quotients:
    """The largest or the smallest quotient of each row.

    Parameters
    ----------
    bounds
        The quotients, or what bounds them.
    exact
        Where they are reached.
    """

    bounds: FloatArray
    exact: BoolArray


@frozen(eq=False)
class _Gaps:
    """Numbers between which others were not looked at, with their sums; several for a row."""

    row: IntArray
    first: IntArray
    last: IntArray
    low: FloatArray
    high: FloatArray

    def where(self, keep: BoolArray) -> _Gaps:
        return _Gaps(self.row[keep], self.first[keep], self.last[keep], self.low[keep], self.high[keep])


def extreme_quotients(sums: Sums, base: IntArray, number: IntArray, *, largest: bool, budget: int) -> Quotients:
    """Return the largest or the smallest sum(m) / (base + m) of each row over m from 0 to the row's number.

    Parameters
    ----------
    sums
        The sums, not negative, which never fall with m.
    base
        What the divisor of each row is at least; a divisor of 0 counts as 1.
    number
        The largest m of each row.
    largest
        Whether the largest quotients are wanted.
    budget
        So many sums are looked at, or a few more.

    Examples
    --------
    >>> found = extreme_quotients(lambda rows, m: m * 1.0, np.array([1]), np.array([9]), largest=True, budget=100)
    >>> found.bounds.tolist(), found.exact.tolist()
    ([0.9], [True])
    """
    rows = np.arange(len(base))
    ends = [sums(rows, np.zeros_like(number)), sums(rows, number)]
    quotients = [ends[0] / np.maximum(1, base), ends[1] / np.maximum(1, base + number)]
    best = np.maximum(*quotients) if largest else np.minimum(*quotients)
    gaps = _Gaps(rows, np.zeros_like(number), number, *ends).where(number > 1)
    while True:
        limit = _limits(gaps, base, largest=largest)
        keep = _is_beyond(limit, best[gaps.row], largest=largest) & (gaps.last - gaps.first > 1)
        gaps, limit = gaps.where(keep), limit[keep]
        if not len(gaps.row) or budget <= 0:
            break
        budget -= len(gaps.row)
        middle = (gaps.first + gaps.last) // 2
        found = sums(gaps.row, middle)
        (np.maximum if largest else np.minimum).at(best, gaps.row, found / np.maximum(1, base[gaps.row] + middle))
        halves = zip(_halves(gaps, middle, found, upper=False), _halves(gaps, middle, found, upper=True), strict=True)
        gaps = _Gaps(*(np.concatenate(pair) for pair in halves))
    bounds, exact = best.copy(), np.ones(len(base), dtype=bool)
    (np.maximum if largest else np.minimum).at(bounds, gaps.row, limit)
    exact[gaps.row] = False
    return Quotients(bounds, exact)


def _limits(gaps: _Gaps, base: IntArray, *, largest: bool) -> FloatArray:
    """Return what bounds the quotients between two numbers."""
    known = base[gaps.row]
    if largest:
        return np.asarray(gaps.high / np.maximum(1, known + gaps.first + 1))
    return np.asarray(gaps.low / np.maximum(1, known + gaps.last - 1))


def _is_beyond(limit: FloatArray, best: FloatArray, *, largest: bool) -> BoolArray:
    """Return whether bounds leave room for other quotients than the best that were found."""
    room = limit - best if largest else best - limit
    return np.asarray(room > NEAR * np.maximum(np.abs(best), NEAR))


def _halves(
    gaps: _Gaps, middle: IntArray, found: FloatArray, *, upper: bool
) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray]:
    """Return one half of each gap."""
    if upper:
        return gaps.row, middle, gaps.last, found, gaps.high
    return gaps.row, gaps.first, middle, gaps.low, found
