"""Averages: whether comparisons of them survive every permissible rescaling.

Means are weighted sums (`weighted_sums`). Medians and quartiles are different when every topic is rescaled in its own
way, because any topic can then be put in the middle. `geometric_means` are decided by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import rational
from measurand.scale import Scale
from measurand.scales.robustness import Decision, fragile, robust, undecided
from measurand.scales.statements import (
    Average,
    Averages,
    Differences,
    Relation,
    has_average,
    lifted,
    modes_of,
    places_of,
    sign_of,
)
from measurand.scales.transformations import (
    Affine,
    Gaps,
    PerTopic,
    Transformation,
    fractions_of,
    keeps_order,
    small,
    through,
)
from measurand.scales.weighted_sums import ANY, Form, candidate_rescalings, random_rescalings, signs_of

EXACT = 200
"""Up to so many scores the products are multiplied out."""

RELABELLINGS = 200

ORDER_STATISTICS = (Average.MEDIAN, Average.LOWER, Average.UPPER)

SAME = "both sides are made of the same scores"


@frozen(eq=False)
class Claimed:
    """A statement about averages, and the scores of its systems (systems × topics)."""

    statement: Averages | Differences
    rows: FloatArray
    topics: tuple[str, ...]

    def _taken(self, transformation: Transformation | None) -> FloatArray:
        """Return the scores as they are or rescaled, as the average takes them."""
        rows = self.rows if transformation is None else transformation(self.rows)
        return lifted(rows, self.statement.average)

    def sides(self, transformation: Transformation | None = None) -> tuple[float, float]:
        """Return both sides, of the scores as they are or rescaled."""
        return self.statement.sides(self._taken(transformation))

    def sign(self, transformation: Transformation | None = None) -> int:
        """Return the sign of left minus right."""
        rows = self._taken(transformation)
        if self.statement.average is Average.MODE:
            return int(modes_of(rows[0]) != modes_of(rows[1]))
        # sums are rounded by what the largest score is; the other averages by what they are themselves
        size = float(np.nanmax(np.abs(rows))) if self.statement.average is Average.MEAN else 0.0
        return sign_of(*self.statement.sides(rows), size)

    def defined(self, transformation: Transformation) -> bool:
        """Return whether the averages of rescaled scores are defined."""
        return has_average(self.rows, transformation(self.rows), self.statement.average)

    def reversed_by(
        self, maps: Iterable[Transformation], true: bool, *, one_scale: bool, order: bool = True
    ) -> Transformation | None:
        """Return the first rescaling that makes the statement true if it is false, false if it is true."""
        for map_ in maps:
            kept = not order or keeps_order(map_, self.rows, one_scale=one_scale)
            if self.defined(map_) and kept and self.statement.relation.admits(self.sign(map_)) != true:
                return map_
        return None


def decide_average(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether a statement about averages, but geometric means, survives every permissible rescaling."""
    average, factor = claimed.statement.average, claimed.statement.factor
    if factor == 1 and of_same_scores(claimed, one_scale=one_scale):
        return robust(claimed.statement.relation.admits(0), SAME)
    if average is Average.MODE:
        return _decide_mode(claimed, scale, one_scale=one_scale)
    if scale is Scale.NOMINAL:
        return search(claimed, scale, one_scale=one_scale, kind=True)
    if average is Average.HARMONIC:
        return _decide_harmonic(claimed, scale, one_scale=one_scale)
    # where a shift of all topics alike changes everything, it does not matter that topics may be shifted separately
    alike = one_scale or (average in ORDER_STATISTICS and factor != 1 and scale < Scale.RATIO)
    if average in ORDER_STATISTICS and not alike:
        return _decide_middle(claimed, scale)
    rows, weights = claimed.rows, claimed.statement.weights(claimed.rows)
    form = Form(rows, weights, claimed.topics, scale, alike)
    multiple = isinstance(claimed.statement, Averages) and factor != 1 and form.shiftable
    return decided(claimed, form.signs(), form.rescalings, scale, one_scale=one_scale, kind=multiple)


@frozen(eq=False)
class Middle:
    """Two systems' scores on the same topics, and the place of a median or quartile.

    If one system is never behind, each of its ordered scores is at least the other's. So its median is not
    below the other's, and equals it exactly when tied topics can fill the middle.

    Parameters
    ----------
    rows
        The scores of two systems, without gaps.
    average
        Median, lower quartile or upper quartile.

    Examples
    --------
    >>> tied = Middle(np.array([[1.0, 2.0, 5.0], [1.0, 1.0, 4.0]]), ("1", "2", "3"), Average.MEDIAN)
    >>> sorted(tied.signs())
    [0, 1]
    """

    rows: FloatArray
    topics: tuple[str, ...]
    average: Average

    @property
    def directions(self) -> IntArray:
        """Which system is ahead on each topic."""
        return np.asarray(np.sign(self.rows[0] - self.rows[1]).astype(np.int64))

    @property
    def places(self) -> tuple[int, ...]:
        """The places, from 0, in ascending order that are averaged: one or two."""
        return tuple(sorted(set(places_of(self.average, len(self.topics)))))

    def signs(self) -> frozenset[int]:
        """Return every sign that the difference takes when topics are rescaled separately."""
        ahead, behind, tied = ((self.directions == sign).sum() for sign in (1, -1, 0))
        if ahead and behind:
            return ANY
        found = {1} if ahead else {-1} if behind else {0}
        return frozenset(found | ({0} if tied >= len(self.places) else set()))

    def rescalings(self, target: int) -> Iterator[Transformation]:
        """Yield a rescaling of every topic that gives the difference a sign (or 0, by tied topics)."""
        wanted = np.flatnonzero(self.directions == target)[: len(self.places)].tolist()
        if target == 0 and len(wanted) < len(self.places):
            yield from self._crossed()
        elif wanted:
            others = [place for place in range(len(self.topics)) if place not in wanted]
            middle = wanted + [others.pop() for _ in range(len(self.places) - len(wanted))]
            order = [*others[: self.places[0]], *middle, *others[self.places[0] :]]
            # a topic of the middle that is not wanted hardly differs, so that the wanted one decides
            sizes = {place: 0.5 if place in wanted else 0.125 for place in order}
            maps = {self.topics[p]: self._onto(p, level, sizes[p]) for level, p in enumerate(order)}
            yield PerTopic(self.topics, maps)

    def _crossed(self) -> Iterator[Transformation]:
        """Yield a rescaling that puts a topic won and a topic lost, as if mirrored, in the middle."""
        ahead, behind = (np.flatnonzero(self.directions == sign) for sign in (1, -1))
        if len(ahead) == 0 or len(behind) == 0:
            return
        both = [int(ahead[0]), int(behind[0])]
        others = [place for place in range(len(self.topics)) if place not in both]
        start = min(self.places[0], len(self.topics) - 2)
        maps = {place: self._onto(place, level, 0.5) for level, place in enumerate(others[:start])}
        maps |= {place: self._literally_onto(place, start) for place in both}
        maps |= {place: self._onto(place, start + 1 + level, 0.5) for level, place in enumerate(others[start:])}
        yield PerTopic(self.topics, {self.topics[place]: map_ for place, map_ in maps.items()})

    def _onto(self, place: int, level: int, size: float) -> Affine:
        """Return the map that puts the lower score of a topic at a level and the other so much above."""
        low, high = float(self.rows[:, place].min()), float(self.rows[:, place].max())
        slope = size / (high - low) if high > low else 1.0
        return Affine.near(slope, level - slope * low)

    def _literally_onto(self, place: int, level: int) -> Affine:
        """Return the map, in fractions, that puts the lower score of a topic at a level and the other a half above."""
        low, high = sorted(fractions_of(self.rows[:, place]).tolist())
        slope = 1 / (2 * (high - low))
        shift = level - slope * low
        return Affine(slope, shift) if small(slope, shift) else self._onto(place, level, 0.5)


def shifts(rows: FloatArray) -> Iterator[Affine]:
    """Yield shifts of all scores that leave them positive, from small to large and close to zero."""
    lowest, size = float(np.nanmin(rows)), float(np.nanmax(rows) - np.nanmin(rows)) or 1.0
    unit = float(f"{size:.1g}")
    for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000):
        yield Affine(1, factor * unit)
    for power in range(13):
        for digit in (5, 2, 1):
            above = size * digit * 10.0 ** -(power + 1)
            if above < lowest:
                yield Affine(1, above - lowest)


def product_of(values: list[Fraction], lowest: Fraction) -> list[Fraction]:
    """Return the coefficients of the product of (value − lowest + s), the constant first.

    Examples
    --------
    >>> [str(each) for each in product_of([Fraction(2), Fraction(5)], Fraction(2))]
    ['0', '3', '1']
    """
    result = [Fraction(1)]
    for value in values:
        root = value - lowest
        result = [root * a + b for a, b in zip([*result, Fraction(0)], [Fraction(0), *result], strict=True)]
    return result


def decided(
    claimed: Claimed,
    signs: frozenset[int],
    rescalings: Callable[[int, int], Iterator[Transformation]],
    scale: Scale,
    *,
    one_scale: bool,
    kind: bool = False,
) -> Decision:
    """Return the decision, given every sign that the difference of the sides can take."""
    relation = claimed.statement.relation
    present = claimed.sign()
    if present not in signs:
        # rounding cannot tell the sides apart, but order can
        present = min(signs, key=lambda sign: abs(sign - present))
    true = relation.admits(present)
    targets = sorted((sign for sign in signs if relation.admits(sign) != true), key=lambda sign: sign == 0)
    if not targets:
        return robust(true, certificate(claimed, signs, scale, one_scale=one_scale))
    maps = chain.from_iterable(rescalings(target, present) for target in targets)
    found = claimed.reversed_by(maps, true, one_scale=one_scale)
    if found is None:
        return undecided(true, "some rescaling changes it, but none of those that were tried")
    return fragile(true, found, "a multiple of an average needs a ratio scale" if kind else "", kind=kind)


def certificate(claimed: Claimed, signs: frozenset[int], scale: Scale, *, one_scale: bool) -> str:
    """Return why no rescaling changes a statement, in a clause."""
    if one_scale and scale > Scale.ORDINAL:
        map_ = "a positive multiple" if scale is Scale.RATIO else "a positive affine map"
        return f"{map_} of all scores multiplies the difference of both sides by a positive number"
    if signs == {0}:
        return SAME if one_scale else "both sides are the same on every topic"
    if isinstance(claimed.statement, Differences) or claimed.statement.factor != 1:
        each = "whichever gap between two scores is stretched" if one_scale else "whichever topic is rescaled"
        return f"{each}, the difference of both sides keeps its sign"
    return _ahead_at_every_level(claimed, signs, one_scale=one_scale)


def _ahead_at_every_level(claimed: Claimed, signs: frozenset[int], *, one_scale: bool) -> str:
    """Return how one system is ahead of the other at every level, in a clause."""
    statement, gaps = claimed.statement, np.isnan(claimed.rows).any()
    first, second = (statement.a, statement.b) if 1 in signs else (statement.b, statement.a)
    if len(claimed.topics) == 1:
        return f"{first} scores no less than {second} there"
    if not one_scale:
        return f"{first} is never below {second} on any topic"
    if statement.average is Average.MEDIAN:
        return f"the scores in the middle of {first} are not below those of {second}, in order"
    if statement.average in ORDER_STATISTICS:
        return f"each is a single score, and that of {first} is above that of {second}"
    amount = "as large a share of its topics" if gaps else "as many topics"
    return f"above every score {first} has at least {amount} as {second}"


def _decide_middle(claimed: Claimed, scale: Scale) -> Decision:
    rows, statement = claimed.rows, claimed.statement
    if statement.factor != 1 or np.isnan(rows).any():
        return search(claimed, scale, one_scale=False)
    middle = Middle(rows, claimed.topics, statement.average)
    signs = middle.signs()
    if scale is Scale.RATIO and len({statement.relation.admits(sign) for sign in signs}) > 1:
        # multiples cannot put every topic in the middle: a score of 0 stays where it is
        return search(claimed, scale, one_scale=False)

    def rescalings(target: int, _: int) -> Iterator[Transformation]:
        return middle.rescalings(target)

    return decided(claimed, signs, rescalings, scale, one_scale=False)


def decide_shifts(
    claimed: Claimed, proof: int | None, differ: str, maps: Iterable[Transformation] | None = None
) -> Decision:
    """Return whether a statement survives all shifts: as a proof has it, or as those maps do that are tried.

    Parameters
    ----------
    proof
        The sign of left minus right that no shift changes; None if none is known.
    differ
        What differs by terms of one sign, in a clause.
    maps
        What is tried without a proof; by default shifts that leave scores positive.
    """
    true = claimed.statement.relation.admits(claimed.sign())
    if proof is not None:
        why = f"{differ} by terms of one sign, however scores are shifted"
        return robust(claimed.statement.relation.admits(proof), why)
    found = claimed.reversed_by(shifts(claimed.rows) if maps is None else maps, true, one_scale=True)
    if found is not None:
        return fragile(true, found)
    return undecided(true, "no rescaling that was tried changes it")


def _decide_harmonic(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    """Decide harmonic means: they rise with every score, and are means of -1/x to increasing maps."""
    statement, rows = claimed.statement, claimed.rows
    true = statement.relation.admits(claimed.sign())
    if scale is Scale.RATIO and one_scale:
        return robust(true, "a positive multiple of all scores multiplies both sides alike")
    if statement.factor != 1:
        first = shifts(rows) if scale < Scale.RATIO else ()
        return search(claimed, scale, one_scale=one_scale, kind=scale < Scale.RATIO, first=first)
    if one_scale and scale is Scale.INTERVAL:
        return decide_shifts(claimed, harmonic_proof(rows), "written as one fraction, the two means differ")
    if one_scale:
        gaps = Gaps.of(rows, statement.weights(rows))

        def rescalings(target: int, present: int) -> Iterator[Transformation]:
            inverse = Gaps(-1 / gaps.values, gaps.weights, gaps.total)
            for after in inverse.stretches(target or -present, exactly=target == 0):
                yield from through(gaps.values, -1 / after, short=target != 0)

        return decided(claimed, signs_of(gaps.weights), rescalings, scale, one_scale=True)
    ahead = np.sign(rows[0] - rows[1])
    if not np.isnan(ahead).any() and len(signs_of(ahead)) == 1:
        front, behind = (statement.a, statement.b) if (ahead > 0).any() else (statement.b, statement.a)
        return robust(true, f"{front} is never below {behind} on any topic")
    return search(claimed, scale, one_scale=False, first=_close_to_zero(claimed, scale))


def _close_to_zero(claimed: Claimed, scale: Scale) -> Iterator[Transformation]:
    """Yield rescalings that bring single topics close to 0, where harmonic means look."""
    rows, topics = claimed.rows, claimed.topics
    for place, topic in enumerate(topics):
        low = float(np.nanmin(rows[:, place]))
        for share in (0.1, 0.01, 1e-4, 1e-8):
            yield PerTopic(topics, {topic: Affine(share)})
            if scale < Scale.RATIO:
                yield PerTopic(topics, {topic: Affine(1, share * low - low)})


def harmonic_proof(rows: FloatArray) -> int | None:
    r"""Return the sign of the difference of two harmonic means if no shift changes it, or None if that is unknown.

    With :math:`P` the product of all :math:`x_i + s`, the harmonic mean is :math:`n P / P'`. If the coefficients of
    :math:`P_a P_b' - P_b P_a'` have one sign, so has the difference.

    Examples
    --------
    >>> harmonic_proof(np.array([[2.0, 5.0], [2.0, 4.0]])), harmonic_proof(np.array([[2.0, 9.0], [3.0, 4.0]]))
    (1, None)
    """
    one, other = ([rational(float(value)) for value in row[~np.isnan(row)]] for row in rows)
    if len(one) != len(other) or len(one) > EXACT // 4:
        return None
    lowest = min(*one, *other)
    first, second = product_of(one, lowest), product_of(other, lowest)
    left, right = _times(first, _derived(second)), _times(second, _derived(first))
    signs = {(a > b) - (a < b) for a, b in zip(left, right, strict=True)} - {0}
    return None if len(signs) > 1 else next(iter(signs), 0)


def _derived(polynomial: list[Fraction]) -> list[Fraction]:
    return [power * each for power, each in enumerate(polynomial)][1:]


def _times(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    result = [Fraction(0)] * (len(one) + len(other) - 1)
    for place, each in enumerate(one):
        for further, factor in enumerate(other):
            result[place + further] += each * factor
    return result


def _decide_mode(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    true = Relation.EQUAL.admits(claimed.sign())
    if one_scale:
        return robust(true, "a one-to-one map takes the most frequent scores to the most frequent scores")
    return search(claimed, scale, one_scale=False)


def of_same_scores(claimed: Claimed, *, one_scale: bool) -> bool:
    """Return whether both sides average the same scores: of the same topics, unless all topics share a scale."""
    if isinstance(claimed.statement, Differences):
        return False
    first, second = (np.sort(row) if one_scale else row for row in claimed.rows)
    return np.array_equal(first, second, equal_nan=True)


def search(
    claimed: Claimed, scale: Scale, *, one_scale: bool, kind: bool = False, first: Iterable[Transformation] = ()
) -> Decision:
    """Return a rescaling that changes the statement if one is found, and no decision otherwise."""
    true = claimed.statement.relation.admits(claimed.sign())
    some = candidate_rescalings(claimed.rows, claimed.topics, scale, claimed.rows[:2], one_scale=one_scale)
    more = random_rescalings(claimed.rows, claimed.topics, scale, one_scale=one_scale, many=RELABELLINGS, rng=0)
    order = scale > Scale.NOMINAL
    found = claimed.reversed_by(chain(first, some, more), true, one_scale=one_scale, order=order)
    if found is None:
        return undecided(true, f"no rescaling that was tried changes it, {RELABELLINGS} random ones included")
    return fragile(true, found, kind=kind)
