"""Geometric means: whether comparisons of them survive rescalings, with 0.00001 in place of lower scores.

What stands in for scores of 0 does not know their unit. So scores are rescaled first and lifted afterwards, and those
rescalings count that take no score from above 0.00001 to below it: otherwise a unit that is small enough would make all
geometric means equal. Whatever is shown can be applied to the scores and looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain
from math import exp, fsum, inf, log

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.exact import rational
from measurand.scale import Scale
from measurand.scales.averages import (
    EXACT,
    SAME,
    Claimed,
    decide_shifts,
    decided,
    of_same_scores,
    product_of,
    search,
    shifts,
)
from measurand.scales.reach import ROUNDED, STRENGTHS, Path, Reach, along, crossing
from measurand.scales.robustness import Answer, Decision, robust
from measurand.scales.transformations import Affine, Gaps, Increasing, PerTopic, Relabelling, Transformation, through
from measurand.scales.weighted_sums import ANY, signs_of
from measurand.scores.scores import GEOMETRIC_FLOOR

ALONE = 12
"""So many topics are rescaled alone."""

LABELS = 20

UNITLESS = f"what stands in for lower scores, {GEOMETRIC_FLOOR:.5f}, does not change with the unit"


@frozen(eq=False)
class Shared:
    """Scores that share a unit, and what they add to a sum of logarithms.

    Parameters
    ----------
    logs : array of float
        The logarithms of the scores, of which each is divided by the floor first; that of 0 is not finite.
    shares : tuple of Fraction
        How much each counts.
    """

    logs: FloatArray
    shares: tuple[Fraction, ...]

    @property
    def least(self) -> float:
        """The logarithm of the smallest unit that leaves scores above the floor where they are; it is not reached."""
        above = self.logs[self.logs > 0]
        return -float(above.min()) if len(above) else -inf

    def added(self, unit: float) -> float:
        """Return what the scores add, given the logarithm of their unit."""
        return fsum(
            float(share) * max(each + unit, 0.0) for share, each in zip(self.shares, self.logs.tolist(), strict=True)
        )

    def reach(self) -> Reach:
        """Return what the scores add in any unit.

        Examples
        --------
        >>> Shared(np.array([2.0, -inf]), (Fraction(1), Fraction(-1))).reach()
        Reach(low=0.0, high=inf, low_reached=False, high_reached=False)
        """
        logs = self.logs.tolist()
        # straight lines, which bend where a score comes out of the floor
        reached = [self.added(-each) for each in logs if -inf < each <= 0]
        limits = list[float]()
        if self.least == -inf:
            reached.append(0.0)
        else:
            flat = not sum(share for share, each in zip(self.shares, logs, strict=True) if each > 0)
            (reached if flat else limits).append(self.added(self.least))
        last = sum(share for share, each in zip(self.shares, logs, strict=True) if each > -inf)
        if last:
            limits.append(inf if last > 0 else -inf)
        low, high = min(*reached, *limits, inf), max(*reached, *limits, -inf)
        return Reach(low, high, low in reached, high in reached)

    def smaller(self, strength: float) -> float:
        """Return a unit that is smaller the larger the strength, and leaves scores above the floor there."""
        least = exp(self.least)
        return least + (1 - least) / strength


def shared_units(rows: FloatArray, shares: Iterable[Fraction], *, one_scale: bool) -> list[Shared]:
    """Return the scores that share a unit: all of them, or those of each topic.

    Parameters
    ----------
    rows : array of float
        The scores, systems × topics.
    shares : iterable of Fraction
        How much the scores of each system count.
    """
    logs = np.log(rows / GEOMETRIC_FLOOR, where=rows > 0, out=np.full(rows.shape, -inf))
    every = np.broadcast_to(np.array(list(shares), dtype=object)[:, None], rows.shape)
    there = ~np.isnan(rows)
    masks = [there] if one_scale else [there & (np.arange(rows.shape[1]) == topic) for topic in range(rows.shape[1])]
    return [Shared(logs[mask], tuple(every[mask])) for mask in masks]


def reach_of_geometric(row: FloatArray, scale: Scale, *, one_scale: bool) -> Reach:
    """Return what the geometric mean of a system can be, on a scale that has an order.

    Examples
    --------
    >>> reach_of_geometric(np.array([0.0, 0.0]), Scale.RATIO, one_scale=True).high
    Fraction(1, 100000)
    >>> round(float(reach_of_geometric(np.array([0.1, 0.4]), Scale.RATIO, one_scale=True).low), 9)
    2e-05
    """
    floor, there = rational(GEOMETRIC_FLOOR), row[~np.isnan(row)]
    if scale < Scale.RATIO:
        return Reach(floor, inf, low_reached=bool((there <= GEOMETRIC_FLOOR).all()))
    logs = _total(shared_units(there[None], [Fraction(1, len(there))], one_scale=one_scale))
    low, high = (inf if end == inf else floor * Fraction(exp(end)) for end in (logs.low, logs.high))
    return evolve(logs, low=low, high=high)


def _total(units: list[Shared]) -> Reach:
    return sum((unit.reach() for unit in units), Reach(0.0, 0.0, low_reached=True, high_reached=True))


def decide_geometric(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether a comparison of geometric means survives every permissible rescaling."""
    statement, rows = claimed.statement, claimed.rows
    if statement.factor == 1 and of_same_scores(claimed, one_scale=one_scale):
        return robust(statement.relation.admits(0), SAME)
    if scale is Scale.NOMINAL:
        return search(claimed, scale, one_scale=one_scale, kind=True, first=_labels(rows))
    if scale is Scale.RATIO:
        return _units(claimed, one_scale=one_scale)
    if statement.factor != 1:
        first = chain(shifts(rows), *(map(path, STRENGTHS) for path in _common_paths(rows)))
        return search(claimed, scale, one_scale=one_scale, kind=True, first=first)
    if one_scale and scale is Scale.INTERVAL:
        maps = chain(_shifts(rows), *(map(path, STRENGTHS) for path in _common_paths(rows)))
        found = decide_shifts(claimed, shift_proof(rows), "multiplied out, the two products differ", maps)
        if found.answer is not Answer.UNDECIDED:
            return found
        # every affine map is an increasing one
        wider = _gaps(claimed, Scale.ORDINAL)
        return wider if wider.answer is Answer.ROBUST else found
    return (_gaps if one_scale else _topics)(claimed, scale)


def _units(claimed: Claimed, *, one_scale: bool) -> Decision:
    """Decide under multiples, of all scores or of each topic's."""
    low = bool((claimed.rows <= GEOMETRIC_FLOOR).any())
    counts = (~np.isnan(claimed.rows)).sum(axis=1).tolist()
    units = shared_units(claimed.rows, (Fraction(1, counts[0]), Fraction(-1, counts[1])), one_scale=one_scale)
    factor = -log(claimed.statement.factor)
    signs = (_total(units) + Reach(factor, factor, True, True)).rounded().signs(Fraction(0))
    topics = None if one_scale else claimed.topics

    def rescalings(target: int, present: int) -> Iterator[Transformation]:
        for path in _unit_paths(units, topics, target or -present):
            yield from along(path) if target else crossing(path, partial(_difference, claimed))

    found = decided(claimed, signs, rescalings, Scale.RATIO, one_scale=one_scale)
    if found.answer is Answer.FRAGILE:
        return evolve(found, certificate=UNITLESS if low else "")
    if found.answer is not Answer.ROBUST:
        return found
    which = "" if one_scale else " of a topic"
    alike = f"a positive multiple of all scores{which} multiplies both sides alike"
    kept = f"with {GEOMETRIC_FLOOR:.5f} in place of lower scores no unit changes how both sides compare"
    return evolve(found, certificate=kept if low else alike)


def _difference(claimed: Claimed, map_: Transformation) -> float:
    left, right = claimed.sides(map_)
    return log(left) - log(right) if 0 < left < inf and 0 < right < inf else float("nan")


def _unit_paths(units: list[Shared], topics: tuple[str, ...] | None, way: int) -> Iterator[Path]:
    """Yield other units: of single topics, and of all that move the sum the wanted way."""

    def larger(strength: float) -> float:
        return strength

    chosen: dict[int, Callable[[float], float]] = {}
    for place, unit in enumerate(units):
        gains = {larger: unit.added(log(1e6)), unit.smaller: unit.added(log(unit.smaller(1e6)))}
        best = max(gains, key=lambda each: way * gains[each])
        if way * (gains[best] - unit.added(0.0)) > ROUNDED:
            chosen[place] = best

    def path(some: list[int]) -> Path:
        return lambda strength: _units_of({place: chosen[place](strength) for place in some}, topics)

    yield from map(path, [*([place] for place in list(chosen)[:ALONE] if len(chosen) > 1), list(chosen)])


def _units_of(slopes: dict[int, float], topics: tuple[str, ...] | None) -> Transformation:
    maps = {place: Affine.near(slope) for place, slope in slopes.items()}
    if topics is None:
        return maps.get(0, Affine(1))
    return PerTopic(topics, {topics[place]: map_ for place, map_ in maps.items()})


def geometric_paths(rows: FloatArray, topics: tuple[str, ...], scale: Scale, *, one_scale: bool) -> Iterator[Path]:
    """Yield paths on which a geometric mean falls as far as it can, and rises.

    Examples
    --------
    >>> fall, rise = geometric_paths(np.array([[0.2, 0.5]]), ("1", "2"), Scale.RATIO, one_scale=True)
    >>> str(rise(10)), str(fall(4)), bool((fall(1e12)(np.array([0.2, 0.5])) > GEOMETRIC_FLOOR).all())
    ('x → 10 x', 'x → 0.250038 x', True)
    """
    if scale < Scale.RATIO:
        yield from _common_paths(rows)
        return
    units = shared_units(rows, [Fraction(1)] * len(rows), one_scale=one_scale)
    every = range(len(units))
    own = None if one_scale else topics
    yield lambda strength: _units_of({place: units[place].smaller(strength) for place in every}, own)
    yield lambda strength: _units_of(dict.fromkeys(every, strength), own)


def _common_paths(rows: FloatArray) -> Iterator[Path]:
    """Yield affine maps of all scores: towards the floor, away from it, and with a higher zero."""
    size = float(np.nanmax(rows)) or 1.0
    yield lambda strength: Affine(1 / strength, GEOMETRIC_FLOOR * (1 - 1 / strength))
    yield lambda strength: Affine(strength, size * (strength - 1))
    yield lambda strength: Affine(strength)


def _labels(rows: FloatArray) -> Iterator[Transformation]:
    """Yield labels above the floor for all scores."""
    distinct = np.unique(rows[~np.isnan(rows)])
    steps = np.arange(1, len(distinct) + 1, dtype=np.float64)
    yield Relabelling(distinct, steps[::-1])
    generate = np.random.default_rng(0)
    for _ in range(LABELS):
        yield Relabelling(distinct, generate.permutation(steps))


def _lows(rows: FloatArray) -> list[FloatArray]:
    """Return for every system the scores that are not above the floor."""
    return [row[row <= GEOMETRIC_FLOOR] for row in rows]


def shift_proof(rows: FloatArray) -> int | None:
    r"""Return the sign of the difference of two geometric means if no affine map changes it, None if that is unknown.

    With the lowest score shifted to :math:`s > 0`, the difference of the products is a polynomial in `s`. If its
    coefficients have one sign, so has the difference. If as many scores of both systems are 0, that of the others
    counts, also where :math:`s = 0`.

    Examples
    --------
    >>> shift_proof(np.array([[2.0, 5.0], [2.0, 4.0]])), shift_proof(np.array([[2.0, 8.0], [3.0, 4.0]]))
    (1, None)
    >>> shift_proof(np.array([[0.0, 5.0], [0.0, 4.0]])), shift_proof(np.array([[0.0, 5.0], [1.0, 1.0]]))
    (1, None)
    """
    lows = _lows(rows)
    if len(lows[0]) != len(lows[1]) or len(np.unique(np.concatenate(lows))) > 1:
        return None
    one, other = ([rational(float(value)) for value in row[row > GEOMETRIC_FLOOR]] for row in rows)
    if len(one) != len(other) or len(one) > EXACT:
        return None
    # without scores under the floor, nothing is shifted below the lowest
    lowest = rational(float(np.nanmin(rows)))
    coefficients = [a - b for a, b in zip(product_of(one, lowest), product_of(other, lowest), strict=True)]
    signs = {(c > 0) - (c < 0) for c in coefficients} - {0}
    if len(signs) > 1 or (signs and len(lows[0]) and not coefficients[0]):
        return None
    return next(iter(signs), 0)


def _shifts(rows: FloatArray) -> Iterator[Transformation]:
    """Yield shifts; where they come close to the floor, in a unit that leaves room above it."""
    lowest = float(np.nanmin(rows))
    for map_ in shifts(rows):
        after = lowest + float(map_.shift)
        slope = 1.0 if after > GEOMETRIC_FLOOR else 2 * GEOMETRIC_FLOOR / after
        yield map_ if slope == 1 else Affine(slope, slope * float(map_.shift))


def _gaps(claimed: Claimed, scale: Scale) -> Decision:
    """Decide under increasing maps of all scores, which may stretch each gap between two logarithms."""
    gaps = Gaps.of(claimed.rows, claimed.statement.weights(claimed.rows))
    signs = signs_of(gaps.weights)
    if not gaps.weights[gaps.values[1:] > GEOMETRIC_FLOOR].any():
        # scores under the floor may all stay there
        signs |= {0}
    above = gaps.values > GEOMETRIC_FLOOR
    start = np.log(gaps.values, where=above, out=np.zeros(len(above)))
    first, under = float(start[above][0]) if above.any() else 0.0, int((~above).sum())
    floor = log(GEOMETRIC_FLOOR)
    start[~above] = floor + (first - floor) * np.arange(under) / max(under, 1)
    logs = Gaps(start, gaps.weights, gaps.total)

    def rescalings(target: int, present: int) -> Iterator[Transformation]:
        for after in logs.stretches(target or -present, exactly=target == 0):
            yield from through(gaps.values, np.exp(after))

    return decided(claimed, signs, rescalings, scale, one_scale=True)


def _topics(claimed: Claimed, scale: Scale) -> Decision:
    """Decide under increasing or affine maps of each topic."""
    rows, weights = claimed.rows, claimed.statement.weights(claimed.rows)
    unbalanced = weights.sum(axis=0)
    ahead = np.nan_to_num(np.sign(rows[0] - rows[1]))
    if unbalanced.any():
        signs = ANY
    else:
        signs = signs_of(ahead) | (set() if (ahead[(rows > GEOMETRIC_FLOOR).any(axis=0)] != 0).any() else {0})

    def rescalings(target: int, present: int) -> Iterator[Transformation]:
        way = target or -present
        paths = _raised(claimed, np.sign(unbalanced) == way) if unbalanced.any() else ()
        for path in chain(paths, _apart(claimed, ahead == way, scale)):
            yield from along(path) if target else crossing(path, partial(_difference, claimed))

    return decided(claimed, signs, rescalings, scale, one_scale=False)


def _raised(claimed: Claimed, chosen: BoolArray) -> Iterator[Path]:
    """Yield paths on which single topics rise, which one system has and the other has not."""

    def path(topic: int) -> Path:
        name, lift = claimed.topics[topic], float((claimed.rows[:, topic] <= GEOMETRIC_FLOOR).any())
        return lambda strength: PerTopic(claimed.topics, {name: Affine(strength, lift * (strength - 1))})

    yield from map(path, np.flatnonzero(chosen)[:ALONE].tolist())


def _apart(claimed: Claimed, chosen: BoolArray, scale: Scale) -> Iterator[Path]:
    """Yield paths on which the higher of two scores rises and the lower one stays: of single topics, and of all."""
    places = np.flatnonzero(chosen).tolist()

    def moved(place: int, strength: float) -> Affine | Increasing:
        low, high = np.sort(claimed.rows[:, place]).tolist()
        top = max(high, GEOMETRIC_FLOOR) * strength
        if scale is Scale.ORDINAL:
            return Increasing((low, high), (low, top))
        map_ = Affine.near((top - low) / (high - low))
        return evolve(map_, shift=low - float(map_.slope) * low)

    def path(some: list[int]) -> Path:
        return lambda strength: PerTopic(
            claimed.topics, {claimed.topics[place]: moved(place, strength) for place in some}
        )

    yield from map(path, [*([place] for place in places[:ALONE] if len(places) > 1), places])
