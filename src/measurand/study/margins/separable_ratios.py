"""The largest quotient of two sums each of whose terms depends on one number, where the numbers never rise.

Normalised discounted cumulated gain is such a quotient once it is asked how many documents have each grade: with m_g
unjudged documents of grade g and above, both the gain of the run and that of the ideal ranking are sums over g of terms
that depend on m_g alone, and m_1 ≥ m_2 ≥ … . The largest quotient is found by Dinkelbach's method: for a quotient λ
that is reached, the numbers that maximise numerator − λ · denominator, term by term, reach a larger one, or none does.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray

STEPS = 100
"""The method ends after a few steps, whose quotients rise; rounding must not keep it going."""


@frozen(eq=False, repr=False)
class Extremes:
    """The largest quotient of each row, and the numbers that reach it.

    Parameters
    ----------
    ratios
        The quotients.
    numbers
        The numbers, rows × terms.
    """

    ratios: FloatArray
    numbers: IntArray


def largest_ratios(constant: FloatArray, added: FloatArray, below: FloatArray, allowed: BoolArray) -> Extremes:
    """Return the largest (constant + Σ added[k, m_k]) / Σ below[k, m_k] over whole numbers m_1 ≥ m_2 ≥ … ≥ 0.

    A quotient whose denominator is 0 counts as 0.

    Parameters
    ----------
    constant
        What is added to the numerator of each row.
    added
        The terms of the numerator, terms × rows × numbers from 0.
    below
        The terms of the denominator, which are not negative, terms × rows (or 1) × numbers.
    allowed
        Which numbers the largest of them, m_1, may be, rows × numbers; 0 always.

    Examples
    --------
    >>> added, below = np.array([[[0.0, 1.0, 1.5]]]), np.array([[[1.0, 1.5, 3.0]]])
    >>> best = largest_ratios(np.array([0.5]), added, below, np.ones((1, 3), dtype=bool))
    >>> best.ratios.tolist(), best.numbers.tolist()
    ([1.0], [[1]])
    """
    terms, rows, _ = added.shape
    below = np.broadcast_to(below, added.shape)
    numbers = np.zeros((rows, terms), dtype=np.int64)
    ratios = _ratios(constant, added, below, numbers)
    for _ in range(STEPS):
        tried = _best_numbers(added - ratios[None, :, None] * below, allowed)
        reached = _ratios(constant, added, below, tried)
        better = reached > ratios
        if not better.any():
            break
        ratios, numbers = np.where(better, reached, ratios), np.where(better[:, None], tried, numbers)
    return Extremes(ratios, numbers)


def _ratios(constant: FloatArray, added: FloatArray, below: FloatArray, numbers: IntArray) -> FloatArray:
    """Return the quotients of some numbers."""
    terms, rows = np.arange(added.shape[0])[:, None], np.arange(added.shape[1])[None, :]
    above = constant + added[terms, rows, numbers.T].sum(axis=0)
    under = below[terms, rows, numbers.T].sum(axis=0)
    return np.asarray(np.divide(above, under, out=np.zeros(len(above)), where=under > 0))


def _best_numbers(worth: FloatArray, allowed: BoolArray) -> IntArray:
    """Return the numbers that never rise and are worth most in sum, rows × terms."""
    terms, rows, size = worth.shape
    places, chosen = np.arange(size), []
    below = np.zeros((rows, size))
    for term in range(terms - 1, 0, -1):
        sums = worth[term] + below
        below = np.maximum.accumulate(sums, axis=1)
        # where the sum is as large as any before it, its number is the best so far
        chosen.append(np.maximum.accumulate(np.where(sums >= below, places, 0), axis=1))
    first = np.where(allowed, worth[0] + below, -np.inf).argmax(axis=1)
    found = [first]
    for best in reversed(chosen):
        found.append(best[np.arange(rows), found[-1]])
    return np.stack(found, axis=1)
