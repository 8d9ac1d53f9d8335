"""Statements about two systems: `Averages`, `Differences`, `Significant`; how sides stand, and numbers as written.

A statement is a value with a sentence, which is true or false of any scores. `language` reads sentences.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import fsum
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import rational, spell
from measurand.scores.scores import GEOMETRIC_FLOOR
from measurand.statistics.multiple_comparisons import level

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""Sides closer than this, relative to the largest score, are equal: rounding could have told them apart."""

LARGEST_FACTOR = 1000
"""Factors beyond this, and their inverses, are refused: weights must fit whole numbers of 64 bits."""


class Relation(StrEnum):
    """How the two sides of a statement stand."""

    ABOVE = "exceeds"
    AT_LEAST = "is at least"
    EQUAL = "equals"
    AT_MOST = "is at most"
    BELOW = "is below"

    @classmethod
    def better(cls, lower_is_better: bool) -> Relation:
        """Return how the better side stands to the other.

        Parameters
        ----------
        lower_is_better : bool
            Whether lower values are better.

        Examples
        --------
        >>> str(Relation.better(False)), str(Relation.better(True))
        ('exceeds', 'is below')
        """
        return cls.BELOW if lower_is_better else cls.ABOVE

    def admits(self, sign: int) -> bool:
        """Return whether the relation holds, given the sign of left minus right.

        Parameters
        ----------
        sign : int
            The sign of the first side less the second: -1, 0 or 1.
        """
        allowed = {
            Relation.ABOVE: (1,),
            Relation.AT_LEAST: (0, 1),
            Relation.EQUAL: (0,),
            Relation.AT_MOST: (-1, 0),
            Relation.BELOW: (-1,),
        }
        return sign in allowed[self]


class Average(StrEnum):
    """What sums up the scores of a system over its topics."""

    MEAN = "mean"
    MEDIAN = "median"
    GEOMETRIC = "geometric mean"
    HARMONIC = "harmonic mean"
    LOWER = "lower quartile"
    UPPER = "upper quartile"
    MODE = "mode"


def positive(value: object) -> Fraction:
    """Return a positive number, read as written, to nine digits.

    Examples
    --------
    >>> positive("1.2"), positive(1 / 3)
    (Fraction(6, 5), Fraction(1, 3))
    """
    number = rational(value)
    if number <= 0:
        raise ParameterError(f"a factor must be positive, not {number}")
    if not 1 <= number * LARGEST_FACTOR <= LARGEST_FACTOR**2:
        raise ParameterError(f"a factor must lie between {1 / LARGEST_FACTOR:g} and {LARGEST_FACTOR:g}, not {value}")
    plain = number.limit_denominator(10**5)
    return plain if float(plain) == float(number) else Fraction(f"{float(number):.9g}")


def times(factor: Fraction) -> str:
    """Return a factor in words that go before what is multiplied, nothing for 1.

    Examples
    --------
    >>> times(Fraction(6, 5)), times(Fraction(1))
    ('1.2 times ', '')
    """
    return "" if factor == 1 else f"{spell(factor).strip(chr(39))} times "


@frozen
class Averages:
    """One system's average against another's, or against a multiple of it.

    Parameters
    ----------
    average : Average
        Quartiles are values that occur: the first that a quarter (three quarters) of the scores do not exceed. The
        median of an even number of scores is half way between the two in the middle. The geometric mean takes at
        least 0.00001 of every score.
    a, b : str
        The systems of the two sides.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(Averages("mean", "bm25", "neural"))
    'mean of bm25 exceeds mean of neural'
    >>> str(Averages("mean", "bm25", "neural", "is at least", factor="1.2"))
    'mean of bm25 is at least 1.2 times mean of neural'
    """

    average: Average = field(converter=Average)
    a: str
    b: str
    relation: Relation = field(converter=Relation, default=Relation.ABOVE)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.average is Average.MODE and (self.relation is not Relation.EQUAL or self.factor != 1):
            raise ParameterError("modes can be said to be equal, nothing else: there may be several")

    def __str__(self) -> str:
        return self.worded(str(self.average))

    def worded(self, noun: str) -> str:
        """Return the sentence with another noun for the average.

        Parameters
        ----------
        noun : str
            The noun, such as "score" on a single topic.
        """
        return f"{noun} of {self.a} {self.relation} {times(self.factor)}{noun} of {self.b}"

    @property
    def of_means(self) -> bool:
        """Whether it is about means."""
        return self.average is Average.MEAN

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)

    def sides(self, rows: FloatArray) -> tuple[float, float]:
        """Return what stands on the left and on the right, of scores with a row for each of its systems.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        return average_of(rows[0], self.average), float(self.factor) * average_of(rows[1], self.average)

    def weights(self, rows: FloatArray) -> IntArray:
        """Return whole weights, systems × topics, whose sum of scores has the sign of left minus right.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        shares = [_shares(row, self.average) for row in rows]
        ratio = self.factor * Fraction(shares[0][1], shares[1][1])
        return np.array([shares[0][0] * ratio.denominator, -shares[1][0] * ratio.numerator], dtype=np.int64)


@frozen
class Differences:
    """The difference of two means against a multiple of that of two others.

    Parameters
    ----------
    a, b : str
        The systems of the first difference.
    c, d : str
        The systems of the second difference.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(Differences("A", "B", "C", "D", factor=2))
    'the difference between A and B is 2 times that between C and D'
    """

    a: str
    b: str
    c: str
    d: str
    relation: Relation = field(converter=Relation, default=Relation.EQUAL)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)
    average: ClassVar[Average] = Average.MEAN

    def __str__(self) -> str:
        equal = "is as large as" if self.factor == 1 else "is"
        words = {Relation.EQUAL: equal, Relation.ABOVE: "is more than", Relation.BELOW: "is less than"}
        relation = words.get(self.relation, str(self.relation))
        of_others = f"{times(self.factor)}that between {self.c} and {self.d}"
        return f"the difference between {self.a} and {self.b} {relation} {of_others}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b, self.c, self.d)

    def sides(self, rows: FloatArray) -> tuple[float, float]:
        """Return what stands on the left and on the right, of scores with a row for each of its systems.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        a, b, c, d = (average_of(row, Average.MEAN) for row in rows)
        return a - b, float(self.factor) * (c - d)

    def weights(self, rows: FloatArray) -> IntArray:
        """Return whole weights, systems × topics, whose sum of scores has the sign of left minus right.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        there = (~np.isnan(rows)).astype(np.int64)
        counts = there.sum(axis=1)
        common = int(np.lcm.reduce(counts))
        below, above = self.factor.denominator, self.factor.numerator
        signed = np.array([below, -below, -above, above]) * (common // counts)
        return np.asarray(signed[:, None] * there)


@frozen
class Significant:
    """Two systems differ significantly by a test, or one of them is significantly better or worse.

    Parameters
    ----------
    a, b : str
        The two systems.
    test : str
        Its name, as in `measurand.statistics`, or another name of it.
    alpha : float, optional
        The level of significance; by default that of `check`.
    way : {"", "better", "worse"}
        What the first system is said to be; nothing if it is not said which is better.

    Examples
    --------
    >>> str(Significant("bm25", "neural", "t")), str(Significant("bm25", "neural", "sign", alpha=0.01))
    ('bm25 and neural differ significantly by t', 'bm25 and neural differ significantly by sign at 0.01')
    >>> str(Significant("bm25", "neural", "t", way="worse"))
    'bm25 is significantly worse than neural by t'
    """

    a: str
    b: str
    test: str
    alpha: float | None = None
    way: str = ""

    def __attrs_post_init__(self) -> None:
        if self.alpha is not None:
            level(self.alpha)
        if self.way not in ("", "better", "worse"):
            raise ParameterError(f"a system is better or worse than another, not {self.way!r}")

    def __str__(self) -> str:
        at = by_test(self.test, self.alpha)
        if self.way:
            return f"{self.a} is significantly {self.way} than {self.b} {at}"
        return f"{self.a} and {self.b} differ significantly {at}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)


def by_test(test: str, alpha: float | None) -> str:
    """Return the test and the level of a statement, in words.

    Examples
    --------
    >>> by_test("sign", 0.01), by_test("t", None)
    ('by sign at 0.01', 'by t')
    """
    return f"by {test}" + ("" if alpha is None else f" at {alpha:g}")


def _typed(given: object) -> str:
    return str(given).strip().replace("−", "-")


@frozen
class Number:
    """A number as it is written, which holds to its digits: what rounds to 0.31 is 0.31; whole numbers hold exactly.

    Parameters
    ----------
    text : str
        The number: 0.31, .7858, -2, 1/3.

    Examples
    --------
    >>> Number(".7858").value, Number(".7858").tolerance
    (Fraction(3929, 5000), Fraction(1, 20000))
    >>> [Number(text).tolerance for text in ("3", "1/3")]
    [Fraction(0, 1), Fraction(0, 1)]
    """

    text: str = field(converter=_typed)
    value: Fraction = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "value", rational(self.text))

    def __str__(self) -> str:
        return self.text

    @property
    def tolerance(self) -> Fraction:
        """How far from the number a value may be that is written so: half a unit of the last digit."""
        _, point, digits = self.text.partition(".")
        return Fraction(1, 2 * 10 ** len(digits)) if point and digits.isdecimal() else Fraction(0)

    def sign_of(self, value: float, relation: Relation) -> int:
        """Return the sign of a value less the number; 0 within its digits, if they are said to be equal.

        Parameters
        ----------
        value : float
            What is compared with the number.
        relation : Relation
            What is said.
        """
        within = float(self.tolerance) if relation is Relation.EQUAL else 0.0
        near = abs(value - float(self.value)) <= within * (1 + ROUNDING)
        return 0 if within and near else sign_of(value, float(self.value), abs(value))


def as_number(given: Number | str | float | Fraction) -> Number:
    """Return a number as it is written.

    Examples
    --------
    >>> str(as_number(0.25)), str(as_number(".3"))
    ('0.25', '.3')
    """
    return given if isinstance(given, Number) else Number(str(given))


def lifted(rows: FloatArray, average: Average) -> FloatArray:
    """Return scores as an average takes them: a geometric mean takes 0.00001 at least.

    Examples
    --------
    >>> lifted(np.array([0.0, 0.5]), Average.GEOMETRIC).tolist()
    [1e-05, 0.5]
    """
    return np.maximum(rows, GEOMETRIC_FLOOR) if average is Average.GEOMETRIC else rows


def has_average(before: FloatArray, after: FloatArray, average: Average) -> bool:
    """Return whether rescaled scores have an average.

    A harmonic mean needs scores above 0, a geometric mean none below 0. Its 0.00001 stands in for what is lower as it
    is, whatever the unit: where a rescaling takes a score from above it to below, nothing is said.

    Examples
    --------
    >>> scores = np.array([0.0, 0.5])
    >>> [has_average(scores, slope * scores, Average.GEOMETRIC) for slope in (1000, 0.001, 0.00001)]
    [True, True, False]
    """
    if average is Average.HARMONIC:
        return float(np.nanmin(after)) > 0
    if average is Average.GEOMETRIC:
        return float(np.nanmin(after)) >= 0 and bool((after[before > GEOMETRIC_FLOOR] > GEOMETRIC_FLOOR).all())
    return True


def average_of(row: FloatArray, average: Average) -> float:
    """Return an average of scores, topics without a score left out.

    Examples
    --------
    >>> average_of(np.array([2.0, 2.0, 4.0, 8.0, 36.0]), Average.MEAN)
    10.4
    >>> average_of(np.array([1.0, 2.0, 3.0, 4.0]), Average.LOWER)
    1.0
    """
    there = row[~np.isnan(row)]
    if average is Average.MEAN:
        return fsum(there.tolist()) / len(there)
    if average is Average.GEOMETRIC:
        return float(np.exp(fsum(np.log(there).tolist()) / len(there)))
    if average is Average.HARMONIC:
        return len(there) / fsum((1 / there).tolist())
    if average is Average.MODE:
        return min(modes_of(there))
    shares, common = _shares(there, average)
    return float(np.dot(shares, there)) / common


def modes_of(row: FloatArray) -> frozenset[float]:
    """Return the most frequent scores.

    Examples
    --------
    >>> sorted(modes_of(np.array([1.0, 1.0, 4.0, 4.0, 3.0])))
    [1.0, 4.0]
    """
    values, counts = np.unique(row[~np.isnan(row)], return_counts=True)
    return frozenset(values[counts == counts.max()].tolist())


def sign_of(left: float, right: float, size: float) -> int:
    """Return the sign of left minus right, and 0 where only rounding tells them apart.

    Examples
    --------
    >>> sign_of(0.1 + 0.2, 0.3, 0.3), sign_of(0.31, 0.3, 0.3)
    (0, 1)
    """
    difference = left - right
    return 0 if abs(difference) <= ROUNDING * max(size, abs(left), abs(right)) else (1 if difference > 0 else -1)


def _shares(row: FloatArray, average: Average) -> tuple[IntArray, int]:
    """Return how often each score counts in an average, and of how many in all."""
    there = ~np.isnan(row)
    n = int(there.sum())
    if average in (Average.MEAN, Average.GEOMETRIC, Average.HARMONIC):
        return there.astype(np.int64), n
    order = np.argsort(row, kind="stable")
    shares = np.zeros(len(row), dtype=np.int64)
    places = places_of(average, n)
    for place in places:
        shares[order[place]] += 1
    return shares, len(places)


def places_of(average: Average, n: int) -> tuple[int, ...]:
    """Return which of `n` ordered scores, from 0, a median or a quartile is the mean of: two for a median.

    Examples
    --------
    >>> places_of(Average.MEDIAN, 4), places_of(Average.MEDIAN, 5), places_of(Average.LOWER, 5)
    ((1, 2), (2, 2), (1,))
    """
    if average is Average.MEDIAN:
        return (n - 1) // 2, n // 2
    return (-(-(1 if average is Average.LOWER else 3) * n // 4) - 1,)
