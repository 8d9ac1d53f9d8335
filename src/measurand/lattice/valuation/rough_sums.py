"""Sums of floats over the terms of runs, with how far off they may be."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

import numpy as np

from measurand.arrays import BoolArray, FloatArray
from measurand.lattice.algebra.base import Terms
from measurand.lattice.valuation.recovery import by_row

OFF = 4 * 2.0**-52
"""Floats of single values are taken to be right to this, relative to themselves …"""

EXACT = 2.0**53
"""Whole numbers below this are floats, and so are their sums."""

CLOSE = 1e-10
"""… and a sum of them should be right to this, relative to itself; else it is better computed exactly."""


def rough_sums(
    terms: Terms, rows: int, values: Mapping[int, float] | list[float], bottom: float
) -> tuple[FloatArray, FloatArray]:
    """Return the values of runs from those of the join-irreducible runs, and how far off they may be.

    Parameters
    ----------
    values
        The values by place.
    bottom
        The value of the worst run.

    Examples
    --------
    >>> terms = Terms(np.array([0, 0]), np.array([1, 3]), np.array([1, 1]))
    >>> rough_sums(terms, 1, {1: 0.5, 3: 0.25}, 0.0)[0].tolist()
    [0.75]
    """
    sums, doubt = np.empty(rows), np.empty(rows)
    for row, (places, signs) in enumerate(by_row(terms, rows)):
        parts = [sign * values[place] for place, sign in zip(places, signs, strict=True)]
        parts.append(bottom * (1 - sum(signs)))
        sums[row], doubt[row] = fsum(parts), OFF * fsum(map(abs, parts))
    return sums, doubt


def whole_sums(terms: Terms, rows: int, values: FloatArray) -> FloatArray | None:
    """Return sums of whole numbers, that of the worst run last, or None if some are too large to be exact as floats.

    Examples
    --------
    >>> terms = Terms(np.array([0, 0]), np.array([0, 1]), np.array([1, 1]))
    >>> whole_sums(terms, 2, np.array([4.0, 1.0, 0.0])).tolist()
    [5.0, 0.0]
    """
    parts = terms.sign * values[terms.place]
    rest = values[-1] * (1 - np.bincount(terms.row, terms.sign, rows))
    largest = np.bincount(terms.row, np.abs(parts), rows) + np.abs(rest)
    return None if largest.max(initial=0) >= EXACT else np.asarray(np.bincount(terms.row, parts, rows) + rest)


def too_close(values: FloatArray, doubt: FloatArray, *, together: bool) -> BoolArray:
    """Say which scores, systems × topics, may be equal to others of their topic, or of any if they go `together`.

    Examples
    --------
    >>> too_close(np.array([[0.5], [0.7], [0.6]]), np.array([[0.1], [0.0], [0.1]]), together=True).tolist()
    [[True], [True], [True]]
    """
    columns, off = (part.reshape(-1, 1) if together else part for part in (values, doubt))
    order = np.argsort(columns, axis=0, kind="stable")
    sorted_values, sorted_off = (np.take_along_axis(part, order, axis=0) for part in (columns, off))
    gaps = np.diff(sorted_values, axis=0)
    near = (gaps > 0) & (gaps <= sorted_off[1:] + sorted_off[:-1])
    either = np.zeros(columns.shape, dtype=bool)
    either[1:] |= near
    either[:-1] |= near
    found = np.zeros(columns.shape, dtype=bool)
    np.put_along_axis(found, order, either, axis=0)
    return found.reshape(values.shape)
