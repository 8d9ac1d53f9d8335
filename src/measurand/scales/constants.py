"""Constants: statistics against a number, or against those of another measure, and whether that survives rescalings.

A number such as 0.3 is not rescaled with the scores. So the values that a statistic takes under all permissible
rescalings are worked out (`Reach`): if they lie on one side of the number, the statement survives.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from math import inf, isnan, sqrt

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.geometric_means import geometric_paths, reach_of_geometric
from measurand.scales.questions import AS_THEY_ARE, Maps, Measured, Question, Readings, on_topics, rescalings, searched
from measurand.scales.reach import (
    NEGATIVE,
    NOT_NEGATIVE,
    POSITIVE,
    REAL,
    ZERO,
    Path,
    Reach,
    along,
    crossing,
    of_sign,
)
from measurand.scales.robustness import Decision, robust
from measurand.scales.spreads import Spread, levelled, multiples_apart, spread_of
from measurand.scales.statements import (
    Average,
    Averages,
    Number,
    Relation,
    as_number,
    average_of,
    has_average,
    lifted,
    places_of,
    positive,
    sign_of,
    times,
)
from measurand.scales.transformations import Affine, Transformation, fractions_of, small
from measurand.scales.weighted_sums import Form
from measurand.scores.scores import GEOMETRIC_FLOOR

MOST = 400
"""So many rescalings are tried at most."""

POSITIVE_ALONE = (Average.GEOMETRIC, Average.HARMONIC)
"""Averages that are taken of positive scores alone."""

Statistic = Average | Spread


def as_statistic(name: str) -> Statistic:
    """Return an average or a spread by its name.

    Examples
    --------
    >>> as_statistic("mean"), as_statistic("range")
    (<Average.MEAN: 'mean'>, <Spread.RANGE: 'range'>)
    """
    return Spread(name) if name in list(Spread) else Average(name)


@frozen
class Constant:
    """A statistic of one system's scores, or the difference of two means, against a number.

    Parameters
    ----------
    statistic : Average or Spread
        What is taken of the scores; the mean for differences.
    a : str
        The system.
    relation : Relation
        How the statistic stands to the number.
    number : Number
        The number, which holds to the digits that are written: what rounds to 0.3 is 0.3.
    b : str, optional
        The system whose mean is taken from that of the first.

    Examples
    --------
    >>> str(Constant("mean", "bm25", "exceeds", "0.3")), str(Constant("mean", "bm25", "exceeds", "0.05", b="neural"))
    ('mean of bm25 exceeds 0.3', 'mean of bm25 minus mean of neural exceeds 0.05')
    """

    statistic: Statistic = field(converter=as_statistic)
    a: str
    relation: Relation = field(converter=Relation)
    number: Number = field(converter=as_number)
    b: str | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.statistic is Average.MODE:
            raise ParameterError("a mode is a label, which is not compared with a number: there may be several")
        if self.b is not None and self.statistic is not Average.MEAN:
            raise ParameterError("differences are those of means")

    def __str__(self) -> str:
        return self.worded(str(self.statistic))

    def worded(self, noun: str) -> str:
        """Return the sentence with another noun for the statistic.

        Parameters
        ----------
        noun : str
            The noun, such as "score" on a single topic.
        """
        less = "" if self.b is None else f" minus {noun} of {self.b}"
        return f"{noun} of {self.a}{less} {self.relation} {self.number}"

    @property
    def of_means(self) -> bool:
        """Whether it is about means."""
        return self.statistic is Average.MEAN

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a,) if self.b is None else (self.a, self.b)


@frozen
class AcrossMeasures:
    """One system's average under one measure against one under another measure.

    Parameters
    ----------
    average : Average
        What sums up the scores.
    a, x : str
        The system of the first side, and its measure.
    b, y : str
        The system of the second side, and its measure.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(AcrossMeasures("mean", "bm25", "AP", "neural", "P@10", "exceeds"))
    'mean AP of bm25 exceeds mean P@10 of neural'
    """

    average: Average = field(converter=Average)
    a: str
    x: str
    b: str
    y: str
    relation: Relation = field(converter=Relation, default=Relation.ABOVE)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.average is Average.MODE:
            raise ParameterError("modes of two measures are labels of two kinds, which cannot be compared")

    def __str__(self) -> str:
        right = f"{times(self.factor)}{self.average} {self.y} of {self.b}"
        return f"{self.average} {self.x} of {self.a} {self.relation} {right}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)


def reach(statistic: Statistic, row: FloatArray, scale: Scale, *, one_scale: bool) -> Reach | None:
    """Return the values that a statistic of one system takes under all permissible rescalings; None if not known.

    Examples
    --------
    >>> scores = np.array([0.2, 0.4])
    >>> reach(Average.MEAN, scores, Scale.INTERVAL, one_scale=True) == REAL
    True
    >>> reach(Average.MEAN, scores, Scale.RATIO, one_scale=True) == POSITIVE
    True
    """
    there = row[~np.isnan(row)]
    if isinstance(statistic, Spread):
        return _reach_of_spread(statistic, there, scale, one_scale=one_scale)
    if statistic in POSITIVE_ALONE:
        if scale is Scale.NOMINAL:
            return None
        return POSITIVE if statistic is Average.HARMONIC else reach_of_geometric(there, scale, one_scale=one_scale)
    if scale < Scale.RATIO:
        return REAL
    ordered = np.sort(there)
    if statistic is Average.MEAN:
        # multiples of topics keep the sign of each score, and nothing else
        parts = [float(fractions_of(there).sum())] if one_scale else there.tolist()
    else:
        parts = ordered[list(places_of(statistic, len(there)))].tolist()
        parts = [float(sum(fractions_of(np.array(parts)).tolist()))] if one_scale else parts
    signs = {(part > 0) - (part < 0) for part in parts} - {0}
    return REAL if len(signs) > 1 else of_sign(next(iter(signs), 0))


def _reach_of_spread(spread: Spread, there: FloatArray, scale: Scale, *, one_scale: bool) -> Reach | None:
    if len(there) < 2 and scale > Scale.NOMINAL:
        return ZERO
    none = spread_of(there, spread) == 0
    if one_scale and scale > Scale.NOMINAL:
        if spread is Spread.VARIATION and scale is Scale.RATIO and not none:
            return None
        return ZERO if none else POSITIVE
    if scale is Scale.NOMINAL:
        return None
    return NOT_NEGATIVE if scale < Scale.RATIO else _reach_of_multiples(spread, there)


def _reach_of_multiples(spread: Spread, there: FloatArray) -> Reach | None:
    """Return what the spread of scores can be that are multiplied each by itself: 0 stays 0."""
    n, other = len(there), int((there > 0).sum())
    if (there < 0).any():
        return None
    if other == 0:
        return ZERO
    if spread is Spread.VARIATION:
        # least where the others are equal, largest where one of them is all that there is
        least = sqrt(n * (n / other - 1) / (n - 1))
        return Reach(least, sqrt(n), low_reached=True, high_reached=other == 1)
    if other == n:
        return NOT_NEGATIVE
    return None if spread is Spread.QUARTILES else POSITIVE


def value_of(rows: FloatArray, statistic: Statistic, transformation: Transformation | None = None) -> float:
    """Return a statistic of one row of scores, or the difference of the means of two; NaN where it is not defined.

    Parameters
    ----------
    rows
        The scores of one system, or of two.
    transformation
        What rescales them first.

    Examples
    --------
    >>> value_of(np.array([[1.0, 2.0]]), Average.MEAN), value_of(np.array([[3.0], [1.0]]), Average.MEAN)
    (1.5, 2.0)
    """
    after = rows if transformation is None else transformation(rows)
    if len(rows) == 2:
        return average_of(after[0], Average.MEAN) - average_of(after[1], Average.MEAN)
    if isinstance(statistic, Spread):
        return spread_of(after[0], statistic)
    if not has_average(rows, after, statistic):
        return float("nan")
    return average_of(lifted(after[0], statistic), statistic)


@frozen(eq=False)
class ConstantQuestion(Question):
    """A statement about a number, put to the scores of a measure."""

    statement: Constant
    measured: Measured
    measure: str
    rows: FloatArray = field(init=False)

    def __attrs_post_init__(self) -> None:
        rows = self.measured.rows(self.measure, self.statement.systems)
        if np.isnan(rows).all(axis=1).any():
            raise ParameterError("a system without a score on any topic has no average")
        statistic = self.statement.statistic
        object.__setattr__(self, "rows", rows)
        if isnan(value_of(rows, statistic)):
            raise ParameterError(f"the {statistic} needs {_needed(statistic)}, and {self.statement.a} has others")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measure."""
        return (self.measure,)

    @property
    def _scale(self) -> Scale:
        return self.measured.scale_of(self.measure)

    def _value(self, maps: Maps = AS_THEY_ARE) -> float:
        return value_of(self.rows, self.statement.statistic, self._map(maps))

    def _map(self, maps: Maps) -> Transformation | None:
        return on_topics(maps, self._topics).get(self.measure)

    @property
    def _topics(self) -> tuple[str, ...]:
        return self.measured.scores(self.measure).topics

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled; None where the statistic is not defined."""
        value = self._value(maps)
        if isnan(value):
            return None
        relation = self.statement.relation
        return relation.admits(self._sign(value, maps))

    def _sign(self, value: float, maps: Maps) -> int:
        """Return the sign of the value less the number; sums are rounded by what the largest score is."""
        sign = self.statement.number.sign_of(value, self.statement.relation)
        map_ = self._map(maps)
        summed = self.statement.statistic not in POSITIVE_ALONE
        size = float(np.nanmax(np.abs(self.rows if map_ is None else map_(self.rows)))) if summed else 0.0
        return sign and sign * abs(sign_of(value, float(self.statement.number.value), size))

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the value of the statistic and the number."""
        return self._value(maps), float(self.statement.number.value)

    def reached(self, readings: Readings) -> Reach | None:
        """Return the values that the statistic takes under all permissible rescalings."""
        scale, one_scale = self._scale, readings[self.measure]
        if self.statement.b is None:
            return reach(self.statement.statistic, self.rows[0], scale, one_scale=one_scale)
        if scale is Scale.NOMINAL:
            return None
        weights = Averages(Average.MEAN, self.statement.a, self.statement.b).weights(self.rows)
        signs = Form(self.rows, weights, self._topics, scale, one_scale).signs()
        return REAL if len(signs) > 1 else of_sign(next(iter(signs)))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling."""
        number, relation = self.statement.number, self.statement.relation
        true, statistic = bool(self.holds()), self.statement.statistic
        within = number.tolerance if relation is Relation.EQUAL else Fraction(0)
        known = self.reached(readings)
        if statistic is Spread.VARIATION and self._scale is Scale.RATIO and readings[self.measure]:
            return robust(true, "a positive multiple of all scores leaves the coefficient of variation as it is")
        # no spread is below 0, whatever else is known of it
        bounds = NOT_NEGATIVE if known is None and isinstance(statistic, Spread) else known
        if bounds is not None and len({relation.admits(sign) for sign in bounds.signs(number.value, within)}) == 1:
            floor = f", with {GEOMETRIC_FLOOR:.5f} in place of lower scores" if statistic is Average.GEOMETRIC else ""
            return robust(true, _why(bounds) + floor)
        kind = self.statement.b is None or number.value != 0
        found = searched(self, self.measured, readings, most=MOST, kind=kind)
        if found.transformation is None:
            why = "" if known is None else ", though some rescaling does"
            return evolve(found, certificate=found.certificate + why)
        return evolve(found, certificate="a number is not rescaled with the scores") if kind else found

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that may change it: other units and zeros, those that aim at the number, likely ones."""
        scores, one_scale = self.measured.scores(self.measure), readings[self.measure]
        plain = rescalings(scores, self._scale, self._pair, one_scale=one_scale)
        for map_ in chain(self._aimed(one_scale=one_scale), plain):
            yield {self.measure: map_}

    @property
    def _pair(self) -> FloatArray:
        return self.rows if len(self.rows) == 2 else np.concatenate([self.rows, self.rows])

    def _aimed(self, *, one_scale: bool) -> Iterator[Transformation]:
        """Yield shifts and multiples that take the statistic above the number, below it and onto it."""
        value, statistic = self._exactly(), self.statement.statistic
        if self._scale is Scale.NOMINAL:
            return
        yield from (Affine(slope) for slope in (2, Fraction(1, 2), 10, Fraction(1, 10)))
        shiftable = self._scale < Scale.RATIO
        for goal in () if statistic is Average.GEOMETRIC else _goals(self.statement.number):
            if shiftable and statistic is Spread.VARIATION and goal > 0 and value > 0:
                mean = float(np.nanmean(self.rows[0]))
                yield Affine(1, float(value) * mean / float(goal) - mean)
            elif shiftable and small(goal - value):
                yield Affine(1, goal - value)
            if value and goal / value > 0 and small(goal / value):
                yield Affine(goal / value)
        if not one_scale and shiftable:
            yield levelled(self.rows[:1], self._topics, 0)
        for path in self._paths(one_scale=one_scale):
            yield from along(path)
            yield from crossing(path, self._above)

    def _above(self, map_: Transformation) -> float:
        """Return how far the statistic of rescaled scores is above the number."""
        return self._value({self.measure: map_}) - float(self.statement.number.value)

    def _paths(self, *, one_scale: bool) -> Iterator[Path]:
        """Yield paths on which the statistic takes the values that it can, where multiples of all scores do not."""
        statistic = self.statement.statistic
        if statistic is Average.GEOMETRIC:
            yield from geometric_paths(self.rows, self._topics, self._scale, one_scale=one_scale)
        elif isinstance(statistic, Spread) and not one_scale and self._scale is Scale.RATIO:
            yield from multiples_apart(self.rows[0], self._topics)

    def _exactly(self) -> Fraction:
        """Return the value of the statistic as a fraction, exactly for means."""
        if self.statement.statistic is not Average.MEAN:
            return Fraction(self._value()).limit_denominator(10**9)
        means = []
        for row in self.rows:
            values = fractions_of(row[~np.isnan(row)]).tolist()
            means.append(sum(values, Fraction(0)) / len(values))
        return means[0] - (means[1] if len(means) > 1 else 0)


def _goals(number: Number) -> Iterator[Fraction]:
    """Yield numbers around a number, beyond its digits, and the number itself."""
    step = max(abs(number.value) / 10, Fraction(1, 10))
    for size in (step, 10 * step, number.tolerance * 3):
        yield from (number.value + size, number.value - size)
    yield number.value


def _needed(statistic: Statistic) -> str:
    if statistic is Average.GEOMETRIC:
        return "scores of 0 or more"
    return "scores whose mean is positive" if statistic is Spread.VARIATION else "scores above 0"


SIDES = {POSITIVE: "above 0", NEGATIVE: "below 0", NOT_NEGATIVE: "not below 0"}


def _why(known: Reach) -> str:
    """Return in a clause what values a statistic keeps to."""
    if known == ZERO:
        return "it is 0 on every scale"
    if known in SIDES:
        return f"on every scale it is {SIDES[known]}"
    if known.low == known.high:
        return f"on every scale it is {float(known.low):g}"
    least = f"{'at least' if known.low_reached else 'above'} {float(known.low):.6g}"
    most = "" if known.high == inf else f" and {'at most' if known.high_reached else 'below'} {float(known.high):.6g}"
    return f"on every scale it is {least}{most}"


@frozen(eq=False)
class AcrossQuestion(Question):
    """A statement about two measures, put to the scores of both."""

    statement: AcrossMeasures
    measured: Measured

    @property
    def measures(self) -> tuple[str, ...]:
        """Both measures."""
        return self.statement.x, self.statement.y

    @property
    def times(self) -> Fraction:
        """By what the second side is multiplied."""
        return self.statement.factor

    def _side(self, measure: str, system: str, maps: Maps) -> float:
        rows = self.measured.rows(measure, [system])
        if np.isnan(rows).all():
            raise ParameterError("a system without a score on any topic has no average")
        map_ = on_topics(maps, self.measured.scores(measure).topics).get(measure)
        return value_of(rows, self.statement.average, map_)

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return both sides."""
        left = self._side(self.statement.x, self.statement.a, maps)
        return left, float(self.statement.factor) * self._side(self.statement.y, self.statement.b, maps)

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled; None where an average is not defined."""
        left, right = self.numbers(maps)
        return None if isnan(left + right) else self.statement.relation.admits(sign_of(left, right, 0.0))

    def _constants(self) -> Iterator[ConstantQuestion]:
        """Yield the statement about each side, with the other for a number."""
        left, right = self.numbers()
        if isnan(left + right):
            raise ParameterError(f"the {self.statement.average} needs {_needed(self.statement.average)}")
        said, average = self.statement, self.statement.average
        turned = {Relation.ABOVE: Relation.BELOW, Relation.AT_LEAST: Relation.AT_MOST}
        turned |= {other: one for one, other in turned.items()}
        for system, relation, measure, number in (
            (said.a, said.relation, said.x, Fraction(right)),
            (said.b, turned.get(said.relation, said.relation), said.y, Fraction(left) / said.factor),
        ):
            near = number.limit_denominator(10**9)
            claim = Constant(average, system, relation, Number(f"{near.numerator}/{near.denominator}"))
            yield ConstantQuestion(claim, self.measured, measure)

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling of both measures, each by itself."""
        true, sides = bool(self.holds()), [each.reached(readings) for each in self._constants()]
        if None not in sides:
            apart = sides[0].less(sides[1], self.statement.factor)  # type: ignore[union-attr, arg-type]
            if len({self.statement.relation.admits(sign) for sign in apart.signs(Fraction(0))}) == 1:
                return robust(true, "however each measure is rescaled, both sides keep to where they are")
        found = searched(self, self.measured, readings, most=MOST, kind=True)
        return evolve(found, certificate=found.certificate or "two measures are on two scales, rescaled each by itself")

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings of one measure or the other."""
        for question in self._constants():
            yield from question.candidates(readings)
