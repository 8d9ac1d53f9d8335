"""Permissible transformations of scores as values: they can be shown, applied to scores, and compared.

`Affine`, `Power`, `Increasing` and `Relabelling` change all scores alike, `PerTopic` those of each topic in its own
way. `Gaps` finds piecewise-linear maps that turn a weighted sum of scores round by stretching one run of gaps. Scores
are taken as the fractions that they stand for, so that two sides can be made equal exactly and not up to rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import rational, spell

Fractions = NDArray[np.object_]
"""Fractions in an array."""

PLAIN = 1000
"""A score that is the float of a fraction with a denominator up to this stands for it …"""

COMMON = 10**6
"""… if the denominators of all scores have a common multiple up to this; else every score is what it spells."""

LARGEST = 10**15
"""Larger whole numbers are not shown: floats would not tell them from their neighbours."""

SHOWN = 7
"""So many knots, or topics, are written out."""

STEEPEST = 1e140
"""The steepest slope that is shown; the flattest is its inverse. Tests take numbers up to 1e300."""

FEW = 8
"""So many systems at most are compared two by two."""

MARGINS = (1.1, 1.5, 3.0, 10.0, 1000.0)
"""How far beyond what is needed a stretch goes, the gentlest first."""

LIKE = 1e-9
"""Stretches that differ by less than this share are the same."""


def number(value: float | Fraction) -> float | Fraction:
    """Return a fraction as it is, and any other number as a float."""
    return value if isinstance(value, Fraction) else float(value)


def numbers(values: Sequence[float | Fraction] | FloatArray) -> tuple[float | Fraction, ...]:
    """Return fractions as they are, and other numbers as floats."""
    return tuple(map(number, values))


def floats(values: Sequence[float | Fraction] | FloatArray) -> tuple[float, ...]:
    """Return numbers as floats."""
    return tuple(map(float, values))


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
    slope, shift : float or Fraction
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

        Parameters
        ----------
        slope : float
            The slope, about.
        shift : float, default 0.0
            The shift, about.

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

    Parameters
    ----------
    exponent : float
        The power to which values are raised, between `low` and `high`.
    low : float, default 0.0
        The value that becomes 0 before it is raised.
    high : float, default 1.0
        The value that becomes 1 before it is raised.

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

    Parameters
    ----------
    before : tuple of float or Fraction
        Values in ascending order.
    after : tuple of float or Fraction
        What each of them becomes.

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
    """A one-to-one map of the values that occur: all that a nominal scale needs.

    Parameters
    ----------
    before : tuple of float
        Different values.
    after : tuple of float
        What each of them becomes.

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
    topics : tuple of str
        All topics, as the scores have them.
    maps : mapping of str to Plain
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
    """Return whether numbers increase strictly.

    Examples
    --------
    >>> strictly([1, 2, 2]), strictly([1, 2, 3])
    (False, True)
    """
    return bool((np.diff(np.asarray(values, dtype=np.float64)) > 0).all())


def keeps_order(transformation: Transformation, values: FloatArray, *, one_scale: bool) -> bool:
    """Return whether a transformation of systems × topics keeps every order, in floats as they are.

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


@frozen(eq=False)
class Gaps:
    r"""The gaps between the scores that occur, with what stretching each of them does to a weighted sum.

    .. math:: \sum_i c_i f(x_i) = C f(v_1) + \sum_j (f(v_{j+1}) - f(v_j))\, w_j, \quad w_j = \sum_{x_i > v_j} c_i

    Parameters
    ----------
    values
        The different scores, ascending.
    weights
        For every gap, the weights of all scores above it: what the sum gains when the gap grows.
    total
        All weights: what the sum gains when all scores are shifted.
    """

    values: FloatArray
    weights: IntArray
    total: int

    @classmethod
    def of(cls, scores: FloatArray, weights: IntArray) -> Gaps:
        """Return the gaps between some scores that are summed with weights.

        Examples
        --------
        >>> gaps = Gaps.of(np.array([[1.0, 4.0], [2.0, 2.0]]), np.array([[1, 1], [-1, -1]]))
        >>> gaps.values.tolist(), gaps.weights.tolist(), gaps.total
        ([1.0, 2.0, 4.0], [-1, 1], 0)
        """
        there = ~np.isnan(scores)
        values, place = np.unique(scores[there], return_inverse=True)
        each = np.zeros(len(values), dtype=np.int64)
        np.add.at(each, place.ravel(), weights[there])
        total = int(each.sum())
        return cls(values, total - each.cumsum()[:-1], total)

    def stretches(self, target: int, *, exactly: bool = False, rest: float = 0.0) -> Iterator[FloatArray]:
        """Yield the values after stretching one run of gaps so that the sum gets a sign, the gentlest first.

        The lowest and the highest value stay where they are.

        Parameters
        ----------
        target
            The sign that the sum is to have; with `exactly`, that of the gaps to be stretched until it is 0.
        rest
            What the sum holds beside these scores.
        """
        lengths = np.diff(self.values)
        gains = target * self.weights * lengths
        start, end = _best_run(gains)
        gain, lack = gains[start:end].sum(), -(gains.sum() + target * rest)
        if gain <= 0:
            return
        for margin in (1.0,) if exactly else MARGINS:
            factor = 1 + margin * max(lack, 0.0) / gain + (0.0 if exactly else 0.1 * margin)
            scaled = lengths.copy()
            scaled[start:end] *= factor
            if rest == 0:
                scaled *= lengths.sum() / scaled.sum()
            yield self.values[0] + np.concatenate([[0.0], scaled.cumsum()])

    def levelled(self, way: int, values: Sequence[Fraction], rest: Fraction | int = 0) -> list[Fraction] | None:
        """Return what the values become when one run of gaps is stretched until the sum is exactly 0.

        Parameters
        ----------
        way
            The sign that the sum has not got: that of the gaps to be stretched.
        values
            The values as fractions, or any others in the same order.
        rest
            What the sum holds beside these scores. Where there is nothing, the lowest and the highest value stay.
        """
        lengths = [high - low for low, high in pairwise(values)]
        gains = [way * weight * length for weight, length in zip(self.weights.tolist(), lengths, strict=True)]
        start, end = _best_run(np.array([float(gain) for gain in gains]))
        gain, lack = sum(gains[start:end], Fraction(0)), -(sum(gains, Fraction(0)) + way * rest)
        if gain <= 0 or lack <= 0:
            return None
        scaled = [*lengths[:start], *(length * (1 + lack / gain) for length in lengths[start:end]), *lengths[end:]]
        if rest == 0:
            shrunk = sum(lengths, Fraction(0)) / sum(scaled, Fraction(0))
            scaled = [length * shrunk for length in scaled]
        return list(accumulate(scaled, initial=values[0]))

    def evened(self) -> Gaps:
        """Return the same with values an equal step apart."""
        return Gaps(np.arange(len(self.values), dtype=np.float64), self.weights, self.total)


def _best_run(gains: FloatArray) -> tuple[int, int]:
    """Return the start and the end of the run with the largest sum."""
    sums = np.concatenate([[0.0], gains.cumsum()])
    lowest = np.minimum.accumulate(sums[:-1])
    end = int(np.argmax(sums[1:] - lowest)) + 1
    return int(np.argmin(sums[:end])), end


def literally_through(before: Sequence[Fraction], after: Sequence[Fraction]) -> Increasing:
    """Return the map that takes fractions to fractions, with as few knots as it has bends.

    Examples
    --------
    >>> print(literally_through([Fraction(v) for v in (0, 1, 2, 4)], [Fraction(v, 3) for v in (0, 1, 2, 9)]))
    0 → 0, 2 → 2/3, 4 → 3, straight in between
    """
    points = list(zip(before, after, strict=True))
    slopes = [(high[1] - low[1]) / (high[0] - low[0]) for low, high in pairwise(points)]
    bends = [one != other for one, other in pairwise(slopes)]
    kept = [point for point, knot in zip(points, [True, *bends, True], strict=True) if knot]
    return Increasing(*zip(*kept, strict=True))


def through(before: FloatArray, after: FloatArray, *, short: bool = True) -> Iterator[Increasing]:
    """Yield the map that takes values to values, with few knots: if `short`, nearly so first, and then exactly.

    Examples
    --------
    >>> print(next(through(np.array([0, 1, 2, 4.0]), np.array([0, 1 / 3, 2 / 3, 3.0]))))
    0 → 0, 2 → 0.67, 4 → 3, straight in between
    """
    if len(before) < 2 or not strictly(after) or not np.isfinite(after).all():
        return
    slopes = np.diff(after) / np.diff(before)
    bends = np.abs(np.diff(slopes)) > LIKE * np.maximum(slopes[1:], slopes[:-1])
    knots = np.concatenate([[True], bends, [True]])
    x, y = before[knots], after[knots]
    span = np.abs(y).max()
    for digits in (2, 3, 5) if short else ():
        rounded = np.round(y, digits - int(np.floor(np.log10(span))) if span else 0)
        if strictly(rounded):
            yield Increasing(x, rounded)
    yield Increasing(x, y)


def distinct_digits(numbers: Sequence[float], least: int = 4, form: str = "g", most: int = 16) -> list[str]:
    """Return numbers as text: different ones look different, unless they are the same up to rounding.

    Parameters
    ----------
    least, most
        How many digits at least and at most.
    form
        "g" counts all digits, "f" those after the point.

    Examples
    --------
    >>> distinct_digits([0.5, 0.25], form="f"), distinct_digits([0.12341, 0.12342])
    (['0.5000', '0.2500'], ['0.12341', '0.12342'])
    """
    different = len(set(numbers))
    for digits in range(least, most + 1):
        texts = [f"{number:.{digits}{form}}" for number in numbers]
        if len(set(texts)) == different:
            return texts
    return [f"{number:.{least}{form}}" for number in numbers]


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
    """Return whether fractions have a common denominator that is not large.

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
    """Return whether floats have room for the numerators and denominators."""
    return all(max(abs(value.numerator), value.denominator) <= LARGEST for value in values)


def text(value: Fraction) -> str:
    """Return a number as text: a short decimal fraction, or a quotient.

    Examples
    --------
    >>> text(Fraction(-7)), text(Fraction(7, 3)), text(Fraction(1, 4))
    ('-7', '7/3', '0.25')
    """
    return spell(value).strip("'")


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
    return distinct_digits(floats(values), 6)


def _plain(score: float) -> Fraction:
    near = Fraction(score).limit_denominator(PLAIN)
    return near if float(near) == score else rational(score)
