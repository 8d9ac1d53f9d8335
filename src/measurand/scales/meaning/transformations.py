"""Permissible transformations as values: they can be shown, applied to scores, and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scales.meaning.literal import floats, number, numbers, shown, written

SHOWN = 7
"""So many knots, or topics, are written out."""

STEEPEST = 1e140
"""The steepest slope that is shown; the flattest is its inverse. Tests take numbers up to 1e300."""

FEW = 8
"""So many systems at most are compared two by two."""


@runtime_checkable
class Transformation(Protocol):
    """What takes scores (systems × topics, or any array) to scores on an equally good scale."""

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores on the other scale."""


@frozen
class Affine:
    """A positive multiple and a shift: what an interval scale permits (a ratio scale if nothing is added).

    Parameters
    ----------
    slope, shift
        Fractions are shown as they are, other numbers to six digits.

    Examples
    --------
    >>> fahrenheit = Affine(1.8, 32)
    >>> fahrenheit(np.array([10.0, 20.0])).tolist(), str(fahrenheit)
    ([50.0, 68.0], 'x → 1.8 x + 32')
    >>> str(Affine(1, Fraction(-7, 3)))
    'x → x − 7/3'
    """

    slope: float | Fraction = field(converter=number)
    shift: float | Fraction = field(converter=number, default=0.0)

    @slope.validator
    def _check(self, _: object, slope: float | Fraction) -> None:
        if not 0 < slope < np.inf:
            raise ParameterError(f"the slope of a rescaling must be positive, not {slope}")

    @classmethod
    def near(cls, slope: float, shift: float = 0.0) -> Affine:
        """Return the map with a slope, or with the nearest slope that leaves floats room.

        Examples
        --------
        >>> Affine.near(2.0), Affine.near(float("inf"))
        (Affine(slope=2.0, shift=0.0), Affine(slope=1e+140, shift=0.0))
        """
        return cls(float(np.clip(slope, 1 / STEEPEST, STEEPEST)), shift)

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores on the other scale."""
        return np.asarray(values * float(self.slope) + float(self.shift))

    def __str__(self) -> str:
        scaled = "x" if self.slope == 1 else f"{shown(self.slope)} x"
        size = self.shift if self.shift > 0 else -self.shift
        return f"x → {scaled}" + (f" {'+' if self.shift > 0 else '−'} {shown(size)}" if size else "")


@frozen
class Power:
    """A power of the scores, which leaves the lowest and the highest where they are; mirrored below the lowest.

    Examples
    --------
    >>> Power(2)(np.array([0.0, 0.5, 1.0])).tolist(), str(Power(2))
    ([0.0, 0.25, 1.0], 'x → x^2')
    """

    exponent: float = field(converter=float)
    low: float = field(converter=float, default=0.0)
    high: float = field(converter=float, default=1.0)

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores on the other scale."""
        span = self.high - self.low
        share = (values - self.low) / span
        return np.asarray(self.low + span * np.sign(share) * np.abs(share) ** self.exponent)

    def __str__(self) -> str:
        if (self.low, self.high) == (0, 1):
            return f"x → x^{self.exponent:.4g}"
        return f"x → x^{self.exponent:.4g} of the way from {self.low:.4g} to {self.high:.4g}"


@frozen
class Increasing:
    """A strictly increasing map, straight between its knots and beyond them.

    Examples
    --------
    >>> stretch = Increasing((0, 1, 2), (0, 3, 4))
    >>> stretch(np.array([0.5, 1.5, 3.0])).tolist(), str(stretch)
    ([1.5, 3.5, 5.0], '0 → 0, 1 → 3, 2 → 4, straight in between')
    """

    before: tuple[float | Fraction, ...] = field(converter=numbers)
    after: tuple[float | Fraction, ...] = field(converter=numbers)

    def __attrs_post_init__(self) -> None:
        if len(self.before) != len(self.after) or not self.before:
            raise ParameterError("an increasing map needs as many values after as before, and one at least")
        if not (strictly(self.before) and strictly(self.after)):
            raise ParameterError("the knots of an increasing map must increase, before and after")

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores on the other scale."""
        x, y = (np.array(floats(knots), dtype=np.float64) for knots in (self.before, self.after))
        inside = np.interp(values, x, y)
        if len(x) == 1:
            return np.asarray(values - x[0] + y[0])
        first, last = (y[1] - y[0]) / (x[1] - x[0]), (y[-1] - y[-2]) / (x[-1] - x[-2])
        below, above = y[0] + (values - x[0]) * first, y[-1] + (values - x[-1]) * last
        return np.asarray(np.where(values < x[0], below, np.where(values > x[-1], above, inside)))

    def __str__(self) -> str:
        knots = [f"{x} → {y}" for x, y in zip(written(self.before), written(self.after), strict=True)]
        if len(knots) > SHOWN:
            knots = [*knots[: SHOWN - 2], f"… ({len(knots)} knots)", knots[-1]]
        return ", ".join(knots) + ", straight in between"


@frozen
class Relabelling:
    """A one-to-one map of the values that occur: all that a nominal scale asks for.

    Examples
    --------
    >>> swap = Relabelling((1, 2), (2, 1))
    >>> swap(np.array([1.0, 2.0, 1.0])).tolist(), str(swap)
    ([2.0, 1.0, 2.0], '1 → 2, 2 → 1')
    """

    before: tuple[float, ...] = field(converter=floats)
    after: tuple[float, ...] = field(converter=floats)

    def __attrs_post_init__(self) -> None:
        sizes = {len(self.before), len(self.after), len(set(self.before)), len(set(self.after))}
        if len(sizes) > 1:
            raise ParameterError("a relabelling is one-to-one: different values, as many after as before")

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores with their other labels; values that are not named keep theirs."""
        result = np.array(values, dtype=np.float64)
        for old, new in zip(self.before, self.after, strict=True):
            result[np.asarray(values) == old] = new
        return result

    def __str__(self) -> str:
        moved = [f"{x:.6g} → {y:.6g}" for x, y in zip(self.before, self.after, strict=True) if x != y]
        return ", ".join([*moved[:SHOWN], *(["…"] if len(moved) > SHOWN else [])]) or "nothing changes"


Plain = Affine | Power | Increasing | Relabelling


def _by_topic(maps: Mapping[str, Plain]) -> Mapping[str, Plain]:
    return MappingProxyType({topic: map_ for topic, map_ in maps.items() if _moves(map_)})


def _moves(map_: Plain) -> bool:
    return map_.before != map_.after if isinstance(map_, Relabelling) else map_ != Affine(1)


@frozen
class PerTopic:
    """A transformation of its own for some topics; the other topics stay as they are.

    Parameters
    ----------
    topics
        All topics, as the scores have them.
    maps
        The transformations by topic.

    Examples
    --------
    >>> double = PerTopic(("301", "302"), {"302": Affine(2)})
    >>> double(np.array([[0.1, 0.2], [0.3, 0.4]])).tolist(), str(double)
    ([[0.1, 0.4], [0.3, 0.8]], 'topic 302: x → 2 x')
    """

    topics: tuple[str, ...]
    maps: Mapping[str, Plain] = field(converter=_by_topic)

    def __reduce__(self) -> tuple[type[PerTopic], tuple[tuple[str, ...], dict[str, Plain]]]:
        # a read-only mapping does not travel between processes by itself
        return PerTopic, (self.topics, dict(self.maps))

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores, systems × topics, on the other scales."""
        result = np.array(values, dtype=np.float64)
        for place, topic in enumerate(self.topics):
            if topic in self.maps:
                result[..., place] = self.maps[topic](result[..., place])
        return result

    def __str__(self) -> str:
        groups: dict[str, list[str]] = {}
        for topic in self.topics:
            if topic in self.maps:
                groups.setdefault(str(self.maps[topic]), []).append(topic)
        parts = [f"{_named(topics)}: {text}" for text, topics in groups.items()]
        rest = "; and so on" if len(parts) > SHOWN // 2 else ""
        return "; ".join(parts[: SHOWN // 2]) + rest


def _named(topics: Sequence[str]) -> str:
    if len(topics) == 1:
        return f"topic {topics[0]}"
    more = f", … ({len(topics)} topics)" if len(topics) > SHOWN else ""
    return f"topics {', '.join(topics[: SHOWN - 1] if more else topics)}{more}"


def strictly(values: Sequence[float | Fraction] | FloatArray) -> bool:
    """Say whether numbers increase strictly.

    Examples
    --------
    >>> strictly([1, 2, 2]), strictly([1, 2, 3])
    (False, True)
    """
    return bool((np.diff(np.asarray(values, dtype=np.float64)) > 0).all())


def keeps_order(transformation: Transformation, values: FloatArray, *, one_scale: bool) -> bool:
    """Say whether a transformation of systems × topics keeps every order, in floats as they are.

    Parameters
    ----------
    one_scale
        Whether scores of different topics are compared too.

    Examples
    --------
    >>> scores = np.array([[0.1, 0.2], [0.3, 0.4]])
    >>> reorder = PerTopic(("301", "302"), {"302": Affine(1, -1)})
    >>> keeps_order(reorder, scores, one_scale=True), keeps_order(reorder, scores, one_scale=False)
    (False, True)
    """
    after = transformation(values)
    if one_scale:
        return _order_kept(values.ravel(), after.ravel())
    if len(values) <= FEW:
        pairs = np.triu_indices(len(values), 1)
        old, new = (np.sign(array[pairs[0]] - array[pairs[1]]) for array in (values, after))
        there = ~np.isnan(values)
        return bool(np.array_equal(old, new, equal_nan=True) and np.isfinite(after[there]).all())
    return all(_order_kept(values[:, place], after[:, place]) for place in range(values.shape[1]))


def _order_kept(before: FloatArray, after: FloatArray) -> bool:
    there = ~np.isnan(before)
    old, place = np.unique(before[there], return_inverse=True)
    new = after[there]
    first = np.full(len(old), np.nan)
    first[place] = new
    return bool(np.isfinite(first).all() and (first[place] == new).all() and strictly(first))
