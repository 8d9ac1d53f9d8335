"""Candidates as bits: those as high as a row in one column are a row of a table, and those so in all are an AND."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray, Keys

WORD = 64


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
