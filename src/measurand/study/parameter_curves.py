"""Parameter curves: the mean difference of two systems as a function of one parameter of an additive measure.

With additive measures it depends on the counts alone: at each rank, on how many more topics one system has a document
of a grade there than the other. Signs are exact; floats are for drawings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from math import lcm
from typing import Any, Protocol

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import Certified, Exact, InverseLogs, enclosure_of, quotient, rational, weighted_sum, whole_number
from measurand.exact.certified import natural_log
from measurand.exact.roots import Root, between, roots_between_0_and_1, sign_at

DIGITS = 40
"""With so many decimals signs are looked for before they are computed exactly."""

UNIT = 10**DIGITS


@frozen(eq=False, repr=False)
class ParameterValue:
    """A value of a parameter: exact, or between two fractions that are as close as one likes.

    Parameters
    ----------
    low, high : Fraction
        The value is between them; both are the value where it is a fraction.

    Examples
    --------
    >>> ParameterValue.of(Fraction(1, 2))
    ParameterValue(0.5)
    """

    low: Fraction
    high: Fraction
    _number: Any = field(alias="number")

    @classmethod
    def of(cls, number: Fraction | int | Root | Exact) -> ParameterValue:
        """Return an exact number as the value of a parameter.

        Parameters
        ----------
        number : Fraction, int, Root or Exact
            The number.
        """
        if isinstance(number, Root):
            return cls(number.low, number.high, number)
        if isinstance(number, Certified):
            low, high = number.enclosure(DIGITS)
            return cls(Fraction(low), Fraction(high), number)
        return cls(Fraction(number), Fraction(number), number)

    @property
    def exact(self) -> Fraction | None:
        """The value, where it is a fraction."""
        return self.low if self.low == self.high else None

    def narrowed(self, width: object) -> ParameterValue:
        """Return the same value between two fractions that are closer to each other.

        Parameters
        ----------
        width : number or str
            How far apart they are at most; above 0.

        Examples
        --------
        >>> half, = roots_between_0_and_1([-1, 0, 2])
        >>> value = ParameterValue.of(half).narrowed("1e-30")
        >>> value.high - value.low <= Fraction("1e-30")
        True
        """
        wanted = rational(width)
        if wanted <= 0:
            raise ParameterError(f"width must be above 0, not {width!r}; write it like '1e-30'")
        if isinstance(self._number, Root):
            return ParameterValue.of(self._number.narrowed(wanted))
        low, high, digits = self.low, self.high, DIGITS
        while high - low > wanted:
            digits *= 2
            low, high = map(Fraction, self._number.enclosure(digits))
        return evolve(self, low=low, high=high)

    def __float__(self) -> float:
        return float(self._number)

    def __repr__(self) -> str:
        return f"ParameterValue({float(self):.6g})"


class Curve(Protocol):
    """The mean difference of two systems as a function of a parameter that can be any number between two ends."""

    @property
    def ends(self) -> tuple[Fraction, Fraction | None]:
        """The least and the greatest value of the parameter, None where there is no greatest."""

    def roots(self) -> tuple[tuple[ParameterValue, bool], ...]:
        """Return the values, apart from ends that are left out, at which the systems are level and not all around.

        With each stands whether the lead changes there.
        """

    def signs(self) -> tuple[int, ...]:
        """Return who leads between two neighbouring roots or ends: 1 the first system, -1 the second, 0 neither."""

    def sign(self, value: Fraction) -> int:
        """Return who leads at a value of the parameter, exactly.

        Parameters
        ----------
        value
            The value.
        """

    def differences(self, values: FloatArray) -> FloatArray:
        """Return the mean difference at some values of the parameter, for drawings.

        Parameters
        ----------
        values
            The values.
        """


@frozen(eq=False)
class PersistenceCurve:
    r"""The mean difference under RBP as a function of p: :math:`(1 - p) \sum_i d_i p^{i - 1} / n`.

    Parameters
    ----------
    leads
        :math:`d_i`: by how much the gains of the first system at a rank exceed those of the second, over all topics.
    topics
        How many topics there are.

    Examples
    --------
    >>> curve = PersistenceCurve((1, -2), 1)
    >>> curve.roots()[0][0].exact, curve.signs(), curve.sign(Fraction(3, 4))
    (Fraction(1, 2), (1, -1), -1)
    """

    leads: Sequence[Fraction]
    topics: int

    @property
    def ends(self) -> tuple[Fraction, Fraction | None]:
        """0 and 1, neither of which p can be."""
        return Fraction(0), Fraction(1)

    @cached_property
    def _whole(self) -> list[int]:
        return _whole(self.leads)

    @cached_property
    def _roots(self) -> tuple[Root, ...]:
        return roots_between_0_and_1(self.leads)

    def roots(self) -> tuple[tuple[ParameterValue, bool], ...]:
        """Return the roots of the polynomial in p, and whether its sign changes there."""
        return tuple((ParameterValue.of(root), root.crosses) for root in self._roots)

    def signs(self) -> tuple[int, ...]:
        """Return the signs between the roots."""
        return tuple(sign_at(self._whole, point) for point in between(self._roots))

    def sign(self, value: Fraction) -> int:
        """Return the exact sign for a p."""
        return sign_at(self._whole, value)

    def differences(self, values: FloatArray) -> FloatArray:
        """Return the mean differences for some p."""
        total = np.zeros_like(values)
        for lead in reversed(self.leads):
            total = total * values + float(lead)
        return (1 - values) * total / max(self.topics, 1)


@frozen(eq=False)
class GainCurve:
    """The mean difference as a function of what a grade is worth.

    Parameters
    ----------
    fixed
        The difference that the other grades make, over all topics.
    slope
        The difference that the grade makes where it is worth 1.
    low, high
        What the grades beside it are worth; None where there is none above.
    scale
        What sums are divided by, as a function of the gain.

    Examples
    --------
    >>> curve = GainCurve(Fraction(3), Fraction(-2), Fraction(1), None, lambda gains: gains * 0 + 1)
    >>> curve.roots()[0][0].exact, curve.signs(), curve.sign(Fraction(1))
    (Fraction(3, 2), (1, -1), 1)
    """

    fixed: Fraction | InverseLogs
    slope: Fraction | InverseLogs
    low: Fraction
    high: Fraction | None
    scale: Callable[[FloatArray], FloatArray]

    @property
    def ends(self) -> tuple[Fraction, Fraction | None]:
        """What the grades beside it are worth."""
        return self.low, self.high

    def _root(self) -> Any:
        """Return where the systems are level, if that is at one value of the parameter."""
        root = quotient(self.fixed * -1, self.slope) if self.slope != 0 else None
        inside = root is not None and root >= self.low and (self.high is None or root <= self.high)
        return root if inside and self.low != self.high else None

    def roots(self) -> tuple[tuple[ParameterValue, bool], ...]:
        """Return where the systems are level, and whether the lead changes there, which it does not at an end."""
        root = self._root()
        return () if root is None else ((ParameterValue.of(root), root not in self.ends),)

    def signs(self) -> tuple[int, ...]:
        """Return the signs below and above the root, or the one that there is."""
        root = self._root()
        if root is None:
            return (self.sign(self.low),)
        above = exact_sign(self.slope)
        return (-above, above) if root not in self.ends else (above if root == self.low else -above,)

    def sign(self, value: Fraction) -> int:
        """Return the exact sign where the grade is worth so much."""
        return exact_sign(self.fixed + self.slope * value)

    def differences(self, values: FloatArray) -> FloatArray:
        """Return the mean differences for some gains."""
        return (float(self.fixed) + float(self.slope) * values) / self.scale(values)


@frozen(eq=False)
class Steps:
    """The mean difference at every value of a parameter that is a whole number.

    Parameters
    ----------
    first
        The first value.
    signs
        Who leads at each value: 1 the first system, -1 the second, 0 neither.
    differences
        The mean differences, for drawings.
    """

    first: int
    signs: tuple[int, ...]
    differences: FloatArray

    @property
    def last(self) -> int:
        """The last value."""
        return self.first + len(self.signs) - 1

    def read(self, name: str, value: object, *, endless: bool) -> int:
        """Return a value of the parameter, or complain that it is none.

        Parameters
        ----------
        name
            What the parameter is called.
        value
            The value.
        endless
            Whether nothing changes above the last value, so that larger ones are allowed.
        """
        number = whole_number(name, value, self.first)
        if number > self.last and not endless:
            raise ParameterError(f"{name} must be from {self.first} to {self.last}, not {number}")
        return min(number, self.last)


def exact_sign(number: Exact) -> int:
    """Return the sign of an exact number: -1, 0 or 1.

    Parameters
    ----------
    number
        The number.

    Examples
    --------
    >>> exact_sign(Fraction(-1, 2)), exact_sign(Fraction(0))
    (-1, 0)
    """
    return 0 if number == 0 else 1 if number > 0 else -1


def cutoff_signs(weights: Sequence[Fraction | InverseLogs], leads: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the signs of sums of weight times lead down to every rank, exactly.

    Parameters
    ----------
    weights
        The weight of every rank.
    leads
        By how much the gains of one system exceed those of another at every rank.

    Examples
    --------
    >>> cutoff_signs([Fraction(1)] * 4, [Fraction(lead) for lead in (0, 1, -1, -1)])
    (0, 1, 0, -1)
    """
    if not any(isinstance(weight, Certified) for weight in weights):
        shares = (lead * weight for weight, lead in zip(weights, leads, strict=True))
        return tuple(map(exact_sign, accumulate(shares)))
    whole, low, high = _whole(leads), 0, 0
    signs: list[int] = []
    for place, (weight, lead) in enumerate(zip(weights, whole, strict=True)):
        if lead:
            ends = sorted(lead * end for end in _units(*enclosure_of(weight, DIGITS)))
            low, high = low + ends[0], high + ends[1]
        down_to = partial(_paired, weights[: place + 1], whole)
        signs.append(signs[-1] if signs and not lead else _certain(low, high, down_to))
    return tuple(signs)


def base_signs(leads: Sequence[Fraction], weights_of: Callable[[int], Sequence[Any]]) -> tuple[int, ...]:
    r"""Return the signs of :math:`\sum_{i \le b} d_i + \ln b \sum_{i > b} d_i / \ln i` for b = 2, 3, …, exactly.

    From the number of leads on they are all the same, so that is the last b (or 2, if there are fewer).

    Parameters
    ----------
    leads
        By how much the gains of one system exceed those of another at every rank.
    weights_of
        The exact weights of all ranks for a b.

    Examples
    --------
    >>> from measurand.measures import DCG
    >>> base_signs([1, 0, 0, 0, -2], lambda b: [DCG(b=b).weight(rank) for rank in range(1, 6)])
    (1, -1, -1, -1)
    """
    whole = _whole(leads)
    last = max(2, len(whole))
    head, tails = sum(whole[:last]), (0, 0)
    signs: list[int] = []
    for base in range(last, 1, -1):
        # ranks up to the base count in full, those below it by their logarithms
        low_log, high_log = _units(*_log(base))
        low, high = (
            pick(log * tail for log in (low_log, high_log)) for pick, tail in zip((min, max), tails, strict=True)
        )
        full = head * UNIT * UNIT
        signs.append(_certain(full + low, full + high, partial(_for_base, weights_of, base, whole)))
        lead = whole[base - 1] if base <= len(whole) else 0
        ends = sorted(lead * end for end in _units(*_inverse_log(base)))
        head, tails = head - lead, (tails[0] + ends[0], tails[1] + ends[1])
    return tuple(reversed(signs))


def _paired(weights: Sequence[Any], leads: Sequence[int]) -> list[tuple[Any, int]]:
    return [(weight, lead) for weight, lead in zip(weights, leads, strict=False) if lead]


def _for_base(weights_of: Callable[[int], Sequence[Any]], base: int, leads: Sequence[int]) -> list[tuple[Any, int]]:
    return _paired(weights_of(base), leads)


def _certain(low: int, high: int, pairs: Callable[[], list[tuple[Any, int]]]) -> int:
    """Return the sign of a sum between two numbers, computed exactly where these do not show it."""
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    return exact_sign(weighted_sum(pairs()))


def _whole(leads: Sequence[Fraction]) -> list[int]:
    """Return fractions as whole numbers, all multiplied by one number."""
    scale = lcm(*(lead.denominator for lead in leads))
    return [int(lead * scale) for lead in leads]


def _units(low: Decimal, high: Decimal) -> tuple[int, int]:
    """Return whole numbers of 10**-DIGITS around two decimals."""
    with localcontext(prec=2 * DIGITS):
        return int(low * UNIT) - 1, int(high * UNIT) + 1


def _log(number: int) -> tuple[Decimal, Decimal]:
    # it has ten digits more than are looked at
    value = natural_log(number, DIGITS + 10)
    return value, value


def _inverse_log(number: int) -> tuple[Decimal, Decimal]:
    with localcontext(prec=DIGITS + 10):
        value = 1 / natural_log(number, DIGITS + 10)
    return value, value


def leads_of(counts: IntArray, gains: Sequence[Fraction]) -> list[Fraction]:
    """Return by how much the gains of one system exceed those of another at every rank, over all topics.

    Parameters
    ----------
    counts
        Grades × ranks: on how many more topics it has a document of the grade there.
    gains
        What each grade is worth.

    Examples
    --------
    >>> leads_of(np.array([[0, 0], [1, -1], [0, 2]]), [Fraction(0), Fraction(1, 2), Fraction(1)])
    [Fraction(1, 2), Fraction(3, 2)]
    """
    columns = counts.T.tolist()
    return [sum((gain * count for gain, count in zip(gains, each, strict=True)), Fraction(0)) for each in columns]
