"""Reach: the values that a quantity takes under all permissible rescalings, and rescalings on which it takes them.

A `Reach` is everything between two ends. A *path* leads from the rescaling that changes nothing to ever stronger ones;
`along` tries those of a path, and `crossing` finds where on it a quantity becomes 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf
from typing import TypeVar

from attrs import evolve, frozen

from measurand.scales.transformations import Affine, PerTopic, Transformation
from measurand.scales.weighted_sums import short

STRENGTHS = (1.5, 2.0, 5.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e9, 1e12, 1e25, 1e50, 1e100, 1e140)
"""How far rescalings go that are tried, the gentlest first."""

HALVINGS = 200
"""How often an interval is halved in which a quantity becomes 0: until floats have no number in between."""

NEAR = 1e-9
"""Slopes that differ by less than this share are taken for a simple fraction."""

ROUNDED = 1e-12
"""Ends closer to 0 than this are so by rounding."""

T = TypeVar("T")

Path = Callable[[float], Transformation]
"""Rescalings by their strength, from the one that changes nothing, at 1, to ever stronger ones."""

Quantity = Callable[[Transformation], float]
"""A number that depends on the rescaling."""


@frozen
class Reach:
    """The values that a quantity takes under all permissible rescalings: everything between two ends.

    Parameters
    ----------
    low, high : Fraction or float
        The ends.
    low_reached, high_reached : bool
        Whether the ends belong to it.

    Examples
    --------
    >>> sorted(Reach(0, inf).signs(Fraction(1, 3))), sorted(Reach(0, inf).signs(Fraction(0)))
    ([-1, 0, 1], [1])
    """

    low: Fraction | float
    high: Fraction | float
    low_reached: bool = False
    high_reached: bool = False

    def signs(self, number: Fraction, within: Fraction = Fraction(0)) -> frozenset[int]:
        """Return the signs of the values less a number; 0 where they are no further from it than `within`."""
        found = set()
        if self.high > number + within:
            found.add(1)
        if self.low < number - within:
            found.add(-1)
        # an end that is not reached does not count, but everything beside it does
        above = self.low < number + within or (self.low_reached and self.low == number + within)
        below = self.high > number - within or (self.high_reached and self.high == number - within)
        if above and below:
            found.add(0)
        return frozenset(found)

    def __add__(self, other: Reach) -> Reach:
        """Return what the sum of two quantities can be that are rescaled each by itself."""
        return Reach(
            self.low + other.low,
            self.high + other.high,
            self.low_reached and other.low_reached,
            self.high_reached and other.high_reached,
        )

    def less(self, other: Reach, factor: Fraction) -> Reach:
        """Return the values of this less a multiple of another that is rescaled by itself."""
        return self + Reach(-factor * other.high, -factor * other.low, other.high_reached, other.low_reached)

    def rounded(self) -> Reach:
        """Return the same with an end of 0 in place of one that only rounding keeps from it."""
        low, high = (0.0 if abs(end) <= ROUNDED else end for end in (float(self.low), float(self.high)))
        return evolve(self, low=low, high=high)


REAL = Reach(-inf, inf)
POSITIVE = Reach(Fraction(0), inf)
NEGATIVE = Reach(-inf, Fraction(0))
NOT_NEGATIVE = Reach(Fraction(0), inf, low_reached=True)
ZERO = Reach(Fraction(0), Fraction(0), low_reached=True, high_reached=True)


def of_sign(value: Fraction | float) -> Reach:
    """Return all numbers of the sign of one: what its positive multiples are.

    Examples
    --------
    >>> of_sign(-2) == NEGATIVE, of_sign(0) == ZERO
    (True, True)
    """
    return POSITIVE if value > 0 else NEGATIVE if value < 0 else ZERO


def along(path: Path) -> Iterator[Transformation]:
    """Yield the rescalings of a path, the gentlest first, each with few digits and then with all of them.

    Examples
    --------
    >>> [str(map_) for map_, _ in zip(along(lambda strength: Affine(strength / 7 + 6 / 7)), range(2))]
    ['x → 1.08 x', 'x → 1.07143 x']
    """
    for strength in STRENGTHS:
        map_ = path(strength)
        yield from (_sloped(map_, short), map_)


def crossing(path: Path, quantity: Quantity) -> Iterator[Transformation]:
    """Yield where on a path a quantity is 0, if it changes its sign there: by a simple fraction if one is near.

    Examples
    --------
    >>> print(next(crossing(Affine, lambda map_: map_(2.0) - 7)))
    x → 3.5 x
    """
    low, at_low = 1.0, quantity(path(1.0))
    for high in STRENGTHS:
        at_high = quantity(path(high))
        if at_low * at_high <= 0:
            break
        low, at_low = high, at_high
    else:
        return
    for _ in range(HALVINGS):
        middle = (low * high) ** 0.5
        if at_low * quantity(path(middle)) <= 0:
            high = middle
        else:
            low = middle
    yield from (_sloped(path(high), _simple), path(high), path(low))


def _simple(slope: float) -> Fraction | float:
    near = Fraction(slope).limit_denominator(1000)
    return near if near and abs(float(near) - slope) <= NEAR * slope else slope


def _sloped(map_: Transformation, change: Callable[[float], float | Fraction]) -> Transformation:
    """Return a rescaling with other slopes where it is a multiple."""

    def sloped(each: T) -> T | Affine:
        return Affine(change(float(each.slope))) if isinstance(each, Affine) and not each.shift else each

    if isinstance(map_, PerTopic):
        return evolve(map_, maps={topic: sloped(each) for topic, each in map_.maps.items()})
    return sloped(map_)
