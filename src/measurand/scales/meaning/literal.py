"""Scores as the fractions that they stand for, so that sides can be made equal literally and not up to rounding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.arrays import FloatArray
from measurand.exact import rational, spell
from measurand.scales.meaning.digits import told_apart

Fractions = NDArray[np.object_]
"""Fractions in an array."""

PLAIN = 1000
"""A score that is the float of a fraction with a denominator up to this stands for it …"""

COMMON = 10**6
"""… if the denominators of all scores have a common multiple up to this; else every score is what it spells."""

LARGEST = 10**15
"""Larger whole numbers are not shown: floats would not tell them from their neighbours."""


def fractions_of(scores: FloatArray) -> Fractions:
    """Return scores as fractions, 0 for topics without a score.

    Examples
    --------
    >>> [str(score) for score in fractions_of(np.array([1 / 3, 0.25, np.nan]))]
    ['1/3', '1/4', '0']
    """
    flat = np.nan_to_num(scores).ravel().tolist()
    plain = [_plain(score) for score in flat]
    whole = is_plain(plain)
    found: Fractions = np.empty(len(flat), dtype=object)
    found[:] = plain if whole else [rational(score) for score in flat]
    return found.reshape(scores.shape)


def is_plain(values: Iterable[Fraction]) -> bool:
    """Say whether fractions have a common denominator that is not large.

    Examples
    --------
    >>> is_plain([Fraction(1, 3), Fraction(1, 4)]), is_plain([Fraction(1, 10**7)])
    (True, False)
    """
    return lcm(*{value.denominator for value in values}) <= COMMON


def weighted(weights: NDArray[Any], scores: Fractions) -> Fractions:
    """Return weights, which are whole numbers, times scores."""
    return np.asarray(weights.astype(object) * scores, dtype=object)


def small(*values: Fraction) -> bool:
    """Say whether floats have room for the numerators and denominators."""
    return all(max(abs(value.numerator), value.denominator) <= LARGEST for value in values)


def text(value: Fraction) -> str:
    """Return a number as text: a short decimal fraction, or a quotient.

    Examples
    --------
    >>> text(Fraction(-7)), text(Fraction(7, 3)), text(Fraction(1, 4))
    ('-7', '7/3', '0.25')
    """
    return spell(value).strip("'")


def number(value: float | Fraction) -> float | Fraction:
    """Return a fraction as it is, and any other number as a float."""
    return value if isinstance(value, Fraction) else float(value)


def numbers(values: Sequence[float | Fraction] | FloatArray) -> tuple[float | Fraction, ...]:
    """Return fractions as they are, and other numbers as floats."""
    return tuple(map(number, values))


def floats(values: Sequence[float | Fraction] | FloatArray) -> tuple[float, ...]:
    """Return numbers as floats."""
    return tuple(map(float, values))


def shown(value: float | Fraction) -> str:
    """Return a number as text: a fraction as it is, another to six digits."""
    return text(value) if isinstance(value, Fraction) else f"{value:.6g}"


def written(values: Sequence[float | Fraction]) -> list[str]:
    """Return numbers as text: fractions as they are, others with the digits that tell them apart.

    Examples
    --------
    >>> written([Fraction(1, 3), Fraction(2)]), written([0.1234567, 0.1234568])
    (['1/3', '2'], ['0.1234567', '0.1234568'])
    """
    if all(isinstance(value, Fraction) for value in values):
        return [shown(value) for value in values]
    return told_apart(floats(values), 6)


def _plain(score: float) -> Fraction:
    near = Fraction(score).limit_denominator(PLAIN)
    return near if float(near) == score else rational(score)
