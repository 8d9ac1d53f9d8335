"""Spread: standard deviation, coefficient of variation, range and interquartile range of a system's scores.

`Spreads` compares those of two systems. Ranges are differences of two scores, so that all rescalings of them are known
(`weighted_sums`). Affine maps multiply standard deviations; multiples leave coefficients of variation as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from math import fsum, sqrt

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.reach import Path
from measurand.scales.robustness import Decision, fragile, robust, undecided
from measurand.scales.statements import Average, Relation, average_of, places_of, positive, sign_of, times
from measurand.scales.transformations import Affine, PerTopic, Transformation, fractions_of, keeps_order
from measurand.scales.weighted_sums import ANY, Form, candidate_rescalings, random_rescalings

TRIED = 300
"""So many random rescalings are tried at most."""


class Spread(StrEnum):
    """How far the scores of a system are apart."""

    DEVIATION = "standard deviation"
    VARIATION = "coefficient of variation"
    RANGE = "range"
    QUARTILES = "interquartile range"


@frozen
class Spreads:
    """The spread of one system's scores against that of another's, or a multiple of it.

    Parameters
    ----------
    spread : Spread
        The standard deviation divides by the number of topics less one; a system with one topic has 0. The
        coefficient of variation is the standard deviation divided by the mean, which must be positive. The
        interquartile range is the upper quartile less the lower one, both scores that occur.
    a, b : str
        The systems of the two sides.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(Spreads("standard deviation", "bm25", "neural", "is at least", factor=2))
    'standard deviation of bm25 is at least 2 times standard deviation of neural'
    """

    spread: Spread = field(converter=Spread)
    a: str
    b: str
    relation: Relation = field(converter=Relation, default=Relation.ABOVE)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)

    def __str__(self) -> str:
        return f"{self.spread} of {self.a} {self.relation} {times(self.factor)}{self.spread} of {self.b}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)


def spread_of(row: FloatArray, spread: Spread) -> float:
    """Return how far scores are apart, topics without a score left out; NaN where it is not defined.

    Examples
    --------
    >>> wine = np.array([6.0, 6, 12, 17, 32])
    >>> spread_of(wine, Spread.RANGE), spread_of(wine, Spread.QUARTILES), round(spread_of(wine, Spread.DEVIATION), 4)
    (26.0, 11.0, 10.761)
    """
    there = row[~np.isnan(row)]
    if spread is Spread.RANGE:
        return float(there.max() - there.min())
    if spread is Spread.QUARTILES:
        return average_of(there, Average.UPPER) - average_of(there, Average.LOWER)
    mean = average_of(there, Average.MEAN)
    size = float(np.abs(there).max())
    squares = fsum(((there - mean) ** 2).tolist())
    # what only rounding tells from the mean does not differ from it
    same = bool((there == there[0]).all()) or squares <= len(there) * (8 * np.finfo(np.float64).eps * size) ** 2
    deviation = 0.0 if same or len(there) < 2 else sqrt(squares / (len(there) - 1))
    if spread is Spread.DEVIATION:
        return deviation
    return deviation / mean if mean > 0 else float("nan")


@frozen(eq=False)
class Spreading:
    """A statement about spreads, and the scores of its two systems."""

    statement: Spreads
    rows: FloatArray
    topics: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        if np.isnan(self.rows).all(axis=1).any():
            raise ParameterError("a system without a score on any topic has no spread")
        if any(np.isnan(self.sides())):
            raise ParameterError("a coefficient of variation needs scores whose mean is positive")

    def sides(self, transformation: Transformation | None = None) -> tuple[float, float]:
        """Return both sides, of the scores as they are or rescaled; NaN where one is not defined."""
        rows = self.rows if transformation is None else transformation(self.rows)
        left, right = (spread_of(row, self.statement.spread) for row in rows)
        return left, float(self.statement.factor) * right

    def holds(self, transformation: Transformation | None = None) -> bool | None:
        """Return whether it is true; None where a side is not defined."""
        left, right = self.sides(transformation)
        if np.isnan(left + right):
            return None
        rows = self.rows if transformation is None else transformation(self.rows)
        # spreads are rounded by what the largest score is; where they are divided by means, by its share of them
        size = float(np.nanmax(np.abs(rows)))
        if self.statement.spread is Spread.VARIATION:
            size /= float(min(np.nanmean(rows, axis=1)))
        return self.statement.relation.admits(sign_of(left, right, size))

    def weights(self) -> IntArray:
        """Return whole weights whose sum of scores has the sign of left minus right, of ranges."""
        found = np.zeros(self.rows.shape, dtype=np.int64)
        signs = (self.statement.factor.denominator, -self.statement.factor.numerator)
        for row, (values, sign) in enumerate(zip(self.rows, signs, strict=True)):
            low, high = _ends(values, self.statement.spread)
            found[row, high] += sign
            found[row, low] -= sign
        return found


LINEAR = (Spread.RANGE, Spread.QUARTILES)


def decide_spread(asked: Spreading, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether a statement about spreads survives every permissible rescaling."""
    spread, true = asked.statement.spread, bool(asked.holds())
    if asked.statement.factor == 1 and _same(asked.rows, one_scale=one_scale):
        return robust(asked.statement.relation.admits(0), "both sides are made of the same scores")
    if one_scale and scale > Scale.NOMINAL and (reason := _without_spread(asked)):
        return robust(true, reason)
    if one_scale and scale is Scale.RATIO:
        kept = "leaves both sides as they are" if spread is Spread.VARIATION else "multiplies both sides alike"
        return robust(true, f"a positive multiple of all scores {kept}")
    if one_scale and scale is Scale.INTERVAL and spread is not Spread.VARIATION:
        return robust(true, "a positive affine map of all scores multiplies both sides alike")
    if one_scale and scale is Scale.INTERVAL:
        return _decide_shifted(asked, true)
    if one_scale and scale is Scale.ORDINAL and spread in LINEAR:
        return _decide_range(asked)
    return _searched(asked, true, scale, one_scale=one_scale)


def _ends(row: FloatArray, spread: Spread) -> tuple[int, int]:
    """Return the topics whose scores are the ends of a range."""
    order = np.argsort(row, kind="stable")
    n = int((~np.isnan(row)).sum())
    if spread is Spread.RANGE:
        return int(order[0]), int(order[n - 1])
    return tuple(int(order[places_of(each, n)[0]]) for each in (Average.LOWER, Average.UPPER))  # type: ignore[return-value]


def _same(rows: FloatArray, *, one_scale: bool) -> bool:
    first, second = (np.sort(row) if one_scale else row for row in rows)
    return np.array_equal(first, second, equal_nan=True)


def _without_spread(asked: Spreading) -> str:
    """Return why no increasing map changes how a spread of 0 compares, if one is 0."""
    zero = [side == 0 for side in asked.sides()]
    if not any(zero):
        return ""
    names = [name for name, none in zip(asked.statement.systems, zero, strict=True) if none]
    which = "between the quartiles of" if asked.statement.spread is Spread.QUARTILES else "among"
    return f"there are no two different scores {which} those of {' and of '.join(dict.fromkeys(names))}, on any scale"


def _decide_range(asked: Spreading) -> Decision:
    """Decide ranges under increasing maps, which are sums of the same scores with the same weights."""
    form = Form(asked.rows, asked.weights(), asked.topics, Scale.ORDINAL, True)
    signs, relation = form.signs(), asked.statement.relation
    left, right = asked.sides()
    present = sign_of(left, right, float(np.nanmax(np.abs(asked.rows))))
    if present not in signs:
        present = min(signs, key=lambda sign: abs(sign - present))
    true = relation.admits(present)
    targets = sorted((sign for sign in signs if relation.admits(sign) != true), key=lambda sign: sign == 0)
    if not targets:
        return robust(
            true, "whichever gap between two scores is stretched, the difference of both sides keeps its sign"
        )
    maps = chain.from_iterable(form.rescalings(target, present) for target in targets)
    found = _changed(asked, maps, true, one_scale=True)
    if found is None:
        return undecided(true, "some rescaling changes it, but none of those that were tried")
    return fragile(true, found)


def variances(rows: FloatArray) -> list[tuple[Fraction, Fraction]]:
    """Return the mean and the variance of every system, as fractions.

    Examples
    --------
    >>> [(str(mean), str(variance)) for mean, variance in variances(np.array([[1.0, 2.0, 6.0]]))]
    [('3', '7')]
    """
    found = []
    for row in rows:
        values = fractions_of(row[~np.isnan(row)]).tolist()
        mean = sum(values, Fraction(0)) / len(values)
        squares = sum(((value - mean) ** 2 for value in values), Fraction(0))
        found.append((mean, squares / (len(values) - 1) if len(values) > 1 else Fraction(0)))
    return found


def _decide_shifted(asked: Spreading, true: bool) -> Decision:
    r"""Decide coefficients of variation under shifts `s` that leave both means positive.

    The sign is that of :math:`\sigma_a (m_b + s) - f \sigma_b (m_a + s)`, a straight line: its signs are those at both
    ends and in between.
    """
    (mean_a, var_a), (mean_b, var_b) = variances(asked.rows)
    factor = asked.statement.factor
    slope = _compared(var_a, factor**2 * var_b)
    if mean_a == mean_b:
        signs = frozenset((slope,))
    else:
        # where the smaller mean is just above 0 its coefficient has no bounds
        start = 1 if mean_a < mean_b else -1
        signs = frozenset((1,)) if start == slope == 1 else frozenset((-1,)) if start == slope == -1 else ANY
        signs = frozenset((start,)) if slope == 0 else signs
    if len({asked.statement.relation.admits(sign) for sign in signs}) == 1:
        return robust(true, "however all scores are shifted, with both means positive, the order of both sides stays")
    found = _changed(asked, _shifts(asked.rows, float(min(mean_a, mean_b)), _crossing(asked)), true, one_scale=True)
    if found is None:
        return undecided(true, "some shift changes it, but none of those that were tried")
    return fragile(true, found, "a coefficient of variation needs a ratio scale", kind=True)


def _crossing(asked: Spreading) -> float:
    """Return the shift at which both sides are equal, as near as floats come."""
    (mean_a, var_a), (mean_b, var_b) = variances(asked.rows)
    a, b = sqrt(var_a), float(asked.statement.factor) * sqrt(var_b)
    return (b * float(mean_a) - a * float(mean_b)) / (a - b) if a != b else 0.0


def _shifts(rows: FloatArray, smaller: float, crossing: float) -> Iterator[Transformation]:
    """Yield shifts of all scores that leave both means positive, from small to large and close to zero."""
    size = float(np.nanmax(rows) - np.nanmin(rows)) or 1.0
    unit = float(f"{size:.1g}")
    for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000):
        yield Affine(1, factor * unit)
    for share in (0.5, 0.8, 0.9, 0.99, 0.999, 0.99999):
        yield Affine(1, -float(f"{share * smaller:.6g}"))
    if crossing > -smaller:
        yield Affine(1, crossing)
        for factor in (0.5, 0.9, 1.1, 2.0):
            yield Affine(1, float(f"{(crossing + smaller) * factor - smaller:.6g}"))


def _compared(a: Fraction, b: Fraction) -> int:
    return (a > b) - (a < b)


def levelled(rows: FloatArray, topics: tuple[str, ...], row: int) -> Transformation:
    """Return shifts of topics that give one system the same score everywhere.

    Examples
    --------
    >>> levelled(np.array([[1.0, 4.0]]), ("1", "2"), 0)(np.array([[1.0, 4.0]])).tolist()
    [[1.0, 1.0]]
    """
    values = rows[row]
    low = float(np.nanmin(values))
    return PerTopic(topics, {t: Affine(1, low - float(v)) for t, v in zip(topics, values, strict=True) if v > low})


def multiples_apart(row: FloatArray, topics: tuple[str, ...]) -> Iterator[Path]:
    """Yield multiples of topics on which positive scores become equal, and others on which one of them grows.

    Parameters
    ----------
    row : array of float
        The scores of one system.
    topics : tuple of str
        The topics.

    Examples
    --------
    >>> equal, apart = multiples_apart(np.array([1.0, 4.0]), ("1", "2"))
    >>> equal(1e300)(np.array([[1.0, 4.0]])).tolist(), str(apart(10))
    ([[1.0, 1.0]], 'topic 2: x → 10 x')
    """
    above = {topic: float(value) for topic, value in zip(topics, row, strict=True) if value > 0}
    if not above:
        return
    low, top = min(above.values()), max(above, key=lambda topic: above[topic])
    yield lambda strength: PerTopic(
        topics, {topic: Affine((low / value) ** (1 - 1 / strength)) for topic, value in above.items()}
    )
    yield lambda strength: PerTopic(topics, {top: Affine(strength)})


def _searched(asked: Spreading, true: bool, scale: Scale, *, one_scale: bool) -> Decision:
    rows, topics = asked.rows, asked.topics
    first: list[Transformation] = []
    if not one_scale and scale in (Scale.ORDINAL, Scale.INTERVAL):
        first = [levelled(rows, topics, 0), levelled(rows, topics, 1)]
    if one_scale and scale is Scale.ORDINAL:
        first = list(_shifts(rows, float(min(np.nanmean(rows, axis=1))), 0.0))
    some = candidate_rescalings(rows, topics, scale, rows, one_scale=one_scale)
    more = random_rescalings(rows, topics, scale, one_scale=one_scale, many=TRIED, rng=0)
    found = _changed(asked, chain(first, some, more), true, one_scale=one_scale, order=scale > Scale.NOMINAL)
    if found is None:
        return undecided(true, f"no rescaling that was tried changes it, {TRIED} random ones included")
    return fragile(true, found)


def _changed(
    asked: Spreading, maps: Iterable[Transformation], true: bool, *, one_scale: bool, order: bool = True
) -> Transformation | None:
    """Return the first rescaling after which the statement is defined and has the other truth."""
    for map_ in maps:
        if order and not keeps_order(map_, asked.rows, one_scale=one_scale):
            continue
        holds = asked.holds(map_)
        if holds is not None and holds != true:
            return map_
    return None
