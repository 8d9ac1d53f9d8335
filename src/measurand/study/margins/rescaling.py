"""The margin of scale of two systems: how unevenly the values of the measure would have to be spaced.

`scale_margin` returns it with a rescaling that was applied; `known_maps` says how uneven some well-known maps are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import inf, isinf
from typing import Any, overload

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import MeasurandError
from measurand.scale import Scale
from measurand.scores.scores import GEOMETRIC_FLOOR
from measurand.statistics import find_test, need_of
from measurand.study.margins.margin import UNTRUE, How, Margin, Number
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.scale import on_interval_scale, times
from measurand.study.margins.steps import (
    Stretch,
    first_that_overturns,
    order_ratio,
    short_enough,
    smallest_stretch,
    stretch_by_trial,
)
from measurand.study.margins.student import critical_sum
from measurand.study.margins.weights import LIKE_T, WeightsMargin, weights_margin

NEAR = 1e-12
"""Values that are not exact and closer than this, relative to the largest, are one value."""

MOST_STEPS = 200
"""Where more values occur, a search stretches neighbouring steps together."""

THRESHOLDS = 6
"""A search by p-values stretches what is below and what is above so many values."""

SECONDS = 2
"""What the measure's own interval scale may cost, for comparison."""


@frozen(eq=False)
class Rescaling:
    """An increasing map of the values of a measure, in the scores as they are printed, linear between knots.

    Where lower scores are better, they are lower scores still. The range of the measure, or else that of the values
    that occur, is mapped onto itself.

    Parameters
    ----------
    knots : tuple of Fraction or float
        Values that occur, and the ends of the measure's range where it has them, ascending.
    values : tuple of Fraction or float
        What each becomes, ascending.

    Examples
    --------
    >>> rescaling = Rescaling((Fraction(0), Fraction(1, 2), Fraction(1)), (Fraction(0), Fraction(1, 4), Fraction(1)))
    >>> rescaling.ratio, rescaling.apply([Fraction(3, 4)]), rescaling.apply(np.array([0.25, 1.0])).tolist()
    (Fraction(3, 1), (Fraction(5, 8),), [0.125, 1.0])
    """

    knots: tuple[Number, ...]
    values: tuple[Number, ...]

    @property
    def slopes(self) -> tuple[Number, ...]:
        """How much each step between two knots is stretched."""
        runs = (high - low for low, high in pairwise(self.knots))
        rises = (high - low for low, high in pairwise(self.values))
        return tuple(rise / run for rise, run in zip(rises, runs, strict=True))

    @property
    def ratio(self) -> Number:
        """The largest slope over the smallest."""
        return max(self.slopes, default=1) / min(self.slopes, default=1)

    @overload
    def apply(self, scores: FloatArray) -> FloatArray: ...

    @overload
    def apply(self, scores: Sequence[Fraction]) -> tuple[Fraction, ...]: ...

    def apply(self, scores: FloatArray | Sequence[Fraction]) -> FloatArray | tuple[Fraction, ...]:
        """Return scores on the other scale; those beyond the knots become what the nearest knot does.

        Parameters
        ----------
        scores
            Scores as the measure has them: an array of any shape, or exact fractions.
        """
        if isinstance(scores, np.ndarray):
            knots, values = (np.array([float(each) for each in line]) for line in (self.knots, self.values))
            return np.asarray(np.interp(scores, knots, values))
        slopes = self.slopes
        return tuple(self._exactly(score, slopes) for score in scores)

    def _exactly(self, score: Fraction, slopes: tuple[Number, ...]) -> Fraction:
        place = bisect_left(self.knots, score)
        if place < len(self.knots) and self.knots[place] == score:
            return Fraction(self.values[place])
        if place in (0, len(self.knots)):
            return Fraction(self.values[min(place, len(self.knots) - 1)])
        return Fraction(self.values[place - 1]) + Fraction(slopes[place - 1]) * (
            score - Fraction(self.knots[place - 1])
        )

    def goodness(self, pair: ComparedPair) -> FloatArray:
        """Return the goodness of two systems on the other scale: 2 × topics, higher is better.

        Parameters
        ----------
        pair
            The systems.
        """
        scores = self.apply(np.asarray(pair.scores.values))
        return 0.0 - scores if pair.scores.lower_is_better else scores

    def overturns(self, pair: ComparedPair) -> bool:
        """Return whether a claim is untrue on the other scale, decided exactly where values are exact.

        Parameters
        ----------
        pair
            The systems, and what is claimed of them.
        """
        if pair.exact is None or not all(isinstance(value, Fraction | int) for value in self.values):
            return pair.overturned(self.goodness(pair))
        sign = -1 if pair.scores.lower_is_better else 1
        first, second = ([sign * each for each in self.apply([sign * one for one in line])] for line in pair.exact)
        return pair.overturned_exactly(first, second)


@frozen(kw_only=True, eq=False, repr=False)
class ScaleMargin(Margin):
    """How unevenly the values of a measure must be spaced for a conclusion to fall.

    Parameters
    ----------
    value, how, certificate, at_least
        Those of `shared`.
    sentence
        That of `shared` where all topics share a scale, and of both otherwise.
    shared : Margin
        κ, of one rescaling for all topics; the certificate is a `Rescaling`.
    own : WeightsMargin
        The same where every topic may have a rescaling of its own, which is that of weights of topics.
    interval : bool
        Whether the scores are on an interval scale that all topics share.
    one_scale : bool
        Whether all topics share a scale. Otherwise each may be rescaled on its own.
    """

    shared: Margin
    own: WeightsMargin
    interval: bool = False
    one_scale: bool = True

    @property
    def at_most(self) -> Number | None:
        """How uneven it is enough to be where every topic has a scale of its own; None otherwise, or if nothing is."""
        if self.one_scale or self.own.value is None or isinf(self.own.value):
            return None
        return self.own.value

    def to_dict(self) -> dict[str, Any]:
        """Return both margins, ready for JSON."""
        return {
            **Margin.to_dict(self),
            "interval": self.interval,
            "one_scale": self.one_scale,
            "own": self.own.to_dict(),
        }


@frozen(eq=False)
class Spacing:
    """The values that two systems reach, by goodness, and what each step between two of them adds to the difference.

    Parameters
    ----------
    values : tuple of Fraction or float
        The different values, ascending.
    totals : tuple of Fraction or float
        For each step, how many topics more the better system has above it, times its size.
    """

    values: tuple[Number, ...]
    totals: tuple[Number, ...]


def spacing_of(pair: ComparedPair) -> Spacing:
    """Return the values that two systems reach, and what each step between two of them adds to the difference.

    They are exact fractions where the measure has such values, unless these are too long to compute with.

    Parameters
    ----------
    pair
        The systems.
    """
    known = pair.exact
    exact = known is not None and short_enough([*known[0], *known[1]])
    first, second = (sorted(line) for line in (known if known is not None and exact else pair.goodness.tolist()))
    values = sorted({*first, *second})
    if not exact:
        values = _apart(values)
    above = [
        (len(first) - bisect_left(first, low)) - (len(second) - bisect_left(second, low))
        for low in _cuts(values, exact=exact)
    ]
    totals = ((high - low) * more for (low, high), more in zip(pairwise(values), above, strict=True))
    return Spacing(tuple(values), tuple(totals))


def _apart(values: list[Any]) -> list[Number]:
    """Return values without those that rounding alone keeps from the one before."""
    near = NEAR * max(map(abs, values), default=0.0)
    kept: list[Number] = []
    for value in values:
        if not kept or value - kept[-1] > near:
            kept.append(value)
    return kept


def _cuts(values: list[Number], *, exact: bool) -> list[Any]:
    """Return a number for each step such that whatever is not below it is above the step."""
    return list(values[1:]) if exact else [(low + high) / 2 for low, high in pairwise(values)]


def rescaling_of(pair: ComparedPair, spacing: Spacing, stretched: Sequence[bool], ratio: Number) -> Rescaling:
    """Return the rescaling that stretches some steps by a ratio, and maps the range of the measure onto itself.

    Parameters
    ----------
    pair
        The systems, under a measure with a range.
    spacing
        The values that they reach.
    stretched
        For each step between two values whether it is stretched.
    ratio
        By how much.
    """
    low, high = pair.measure.bounds
    if pair.scores.lower_is_better:
        low, high = None if high is None else -high, None if low is None else -low
    knots, slopes = list(spacing.values), [ratio if each else 1 for each in stretched]
    # a function of a user may leave the range that it declares
    if low is not None and low < knots[0]:
        knots, slopes = [low, *knots], [1, *slopes]
    if high is not None and high > knots[-1]:
        knots, slopes = [*knots, high], [*slopes, 1]
    rises = ((high - low) * slope for (low, high), slope in zip(pairwise(knots), slopes, strict=True))
    raised = list(accumulate(rises, initial=knots[0] * 0))
    whole = (knots[-1] - knots[0]) / raised[-1] if raised[-1] else 1
    values = [knots[0] + each * whole for each in raised]
    values[-1] = knots[-1]
    if pair.scores.lower_is_better:
        knots, values = [-each for each in reversed(knots)], [-each for each in reversed(values)]
    return Rescaling(tuple(knots), tuple(values))


def scale_margin(pair: ComparedPair) -> ScaleMargin:
    """Return how unevenly the values of a measure must be spaced for a conclusion about two systems to fall.

    κ is the smallest ratio between the largest and the smallest slope of an increasing rescaling, one for all topics,
    that makes the claim untrue. For the order of means it is a closed form. For Student's t test it is exact where
    few values occur, and otherwise the smallest distortion that a search finds; the weights of topics are a bound
    from below. Tests of the order of values alone, such as the sign test, do not change: for these the margin is that
    of the test, infinite, and says for which κ the order of the means falls.

    Parameters
    ----------
    pair
        Two systems, and what is claimed of them.

    Examples
    --------
    On two topics a has its first relevant document at ranks 1 and 3, b at rank 2: below 1/2, b is ahead.

    >>> from measurand import judge, read_qrels, read_run
    >>> from measurand.study.margins.pair import compared_pair
    >>> qrels = read_qrels({"1": {"x": 1}, "2": {"x": 1}})
    >>> a = read_run({"1": {"x": 3, "u": 2, "v": 1}, "2": {"u": 3, "v": 2, "x": 1}}, name="a")
    >>> b = read_run({"1": {"u": 3, "x": 2, "v": 1}, "2": {"u": 3, "x": 2, "v": 1}}, name="b")
    >>> found = scale_margin(compared_pair(judge([a, b], qrels), "RR", "a", "b"))
    >>> found.value, found.own.value
    (Fraction(3, 1), Fraction(3, 1))
    >>> print(found)
    holds unless some differences count 3.0 times as much as others
    >>> found.certificate.knots, found.certificate.ratio
    ((0, Fraction(1, 3), Fraction(1, 2), Fraction(1, 1)), Fraction(3, 1))

    References
    ----------
    [LeshnoLevy2002]_; [DelBarrioCuestaMatran2018]_
    """
    own = weights_margin(pair)
    interval = on_interval_scale(pair.scores)
    if not pair.holds:
        shared = Margin(value=1, how=How.EXACT, sentence=UNTRUE, at_least=1)
    elif pair.claim is Claimed.ORDER:
        shared = _of_order(pair, interval=interval)
    else:
        shared = _of_significance(pair, own, interval=interval)
    return ScaleMargin(
        value=shared.value,
        how=shared.how,
        sentence=shared.sentence if pair.scores.one_scale or not pair.holds else _alike_or_apart(shared, own),
        certificate=shared.certificate,
        at_least=shared.at_least,
        shared=shared,
        own=own,
        interval=interval,
        one_scale=pair.scores.one_scale,
    )


def _alike_or_apart(shared: Margin, own: WeightsMargin) -> str:
    """Return what both margins say where every topic has a scale of its own."""
    alike, apart = (
        f"it {said}" if said.startswith(("holds", "stays")) else said
        for said in (shared.sentence, own.sentence.partition(" (")[0])
    )
    alike = f"with all topics rescaled alike, {alike}"
    return alike if own.value is None else f"{alike}; with each on a scale of its own, {apart}"


def _of_order(pair: ComparedPair, *, interval: bool) -> Margin:
    spacing = spacing_of(pair)
    kappa = order_ratio(spacing.totals)
    if isinf(kappa):
        proof = "its order is scale-proof: no increasing rescaling changes it"
        sentence, rescaling = proof if pair.scores.one_scale else "no increasing rescaling changes its order", None
    else:
        rescaling = order_rescaling(pair, spacing, kappa)
        sentence = f"holds unless some differences count {times(kappa)} times as much as others"
    if interval:
        sentence = f"the order of the means is meaningful on its interval scale (κ = {times(kappa)})"
    confirmed = rescaling is not None or isinf(kappa)
    how, at_least = (How.EXACT, kappa) if confirmed else (How.FOUND, 1)
    return Margin(value=kappa, how=how, sentence=sentence, certificate=rescaling, at_least=at_least)


def order_rescaling(pair: ComparedPair, spacing: Spacing, kappa: Number) -> Rescaling | None:
    """Return the rescaling that makes two means level, after it was applied; None where there is none.

    Parameters
    ----------
    pair
        The systems.
    spacing
        The values that they reach.
    kappa
        The margin of scale of their order.
    """
    against = [total < 0 for total in spacing.totals]
    return None if isinf(kappa) else _confirmed(pair, spacing, against, kappa)


def _confirmed(pair: ComparedPair, spacing: Spacing, stretched: Sequence[bool], ratio: Number) -> Rescaling | None:
    """Return a rescaling that overturns a claim, if one does."""
    return first_that_overturns(
        lambda ratio: rescaling_of(pair, spacing, stretched, ratio), ratio, lambda found: found.overturns(pair)
    )


def _of_significance(pair: ComparedPair, own: WeightsMargin, *, interval: bool) -> Margin:
    need = need_of(find_test(pair.test))
    if need.scale <= Scale.ORDINAL:
        sentence = f"the significance of the {need.statistic} is scale-proof: no increasing rescaling changes it"
        if not pair.scores.one_scale:
            sentence = f"no increasing rescaling changes the significance of the {need.statistic}"
        order = order_ratio(spacing_of(pair).totals)
        if not isinf(order):
            sentence += f" (the order of the means falls at κ = {times(order)})"
        return Margin(value=inf, how=How.EXACT, sentence=sentence, at_least=inf)
    spacing = spacing_of(pair)
    bound = order_ratio(spacing.totals)
    groups = _groups(len(spacing.totals))
    found = (_by_t if pair.test in LIKE_T else _by_trial)(pair, spacing, groups, float(bound))
    rescaling = None if isinf(found.ratio) else _confirmed(pair, spacing, found.stretched[groups].tolist(), found.ratio)
    unconfirmed = rescaling is None and not isinf(found.ratio)
    if unconfirmed or (found.ratio > bound and not found.complete):
        # what makes the means level takes significance, too
        rescaling, found = order_rescaling(pair, spacing, bound), Stretch(float(bound), found.stretched, complete=False)
    at_least = own.value if own.how is How.EXACT and pair.test in LIKE_T else 1
    exact = found.complete and pair.test in LIKE_T
    return Margin(
        value=found.ratio,
        how=How.EXACT if exact else How.FOUND,
        sentence=("meaningful on its interval scale; " if interval else "")
        + _words(pair, found.ratio, None if exact else at_least),
        certificate=rescaling,
        at_least=found.ratio if exact else at_least,
    )


def _words(pair: ComparedPair, ratio: float, at_least: Number | None) -> str:
    """Return what a margin of significance says; `at_least` is None where it is exact."""
    name = need_of(find_test(pair.test)).statistic
    below = f"; nothing below {times(at_least)} does" if at_least is not None and at_least > 1 else ""
    if isinf(ratio):
        return (
            f"no rescaling of the values that occur makes the {name} insignificant"
            if at_least is None
            else f"no rescaling was found that makes the {name} insignificant{below}"
        )
    if at_least is None:
        return f"stays significant unless some differences count {times(ratio)} times as much as others"
    return f"its significance falls if some differences count {times(ratio)} times as much as others{below}"


def _groups(steps: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return which group each step is in: its own, or one with its neighbours where there are many."""
    return np.asarray(np.arange(steps) * min(steps, MOST_STEPS) // max(1, steps), dtype=np.int64)


def parts_of(pair: ComparedPair, spacing: Spacing, groups: Any) -> FloatArray:
    """Return what groups of neighbouring steps add to the difference of each topic, topics × groups.

    Parameters
    ----------
    pair
        The systems.
    spacing
        The values that they reach.
    groups
        The group of each step, ascending from 0.
    """
    values = np.array([float(value) for value in spacing.values])
    starts = np.searchsorted(groups, np.arange(groups[-1] + 1)) if len(groups) else np.zeros(0, dtype=np.int64)
    low, high = values[starts], values[np.append(starts[1:], len(values) - 1)] if len(groups) else values[:0]
    first, second = (np.clip(line[:, None], low, high) for line in pair.goodness)
    return np.asarray(first - second)


def _by_t(pair: ComparedPair, spacing: Spacing, groups: Any, bound: float) -> Stretch:
    found = smallest_stretch(parts_of(pair, spacing, groups), critical_sum(len(pair.topics), pair.alpha))
    # that the means are level is one of the choices, unless steps were put together
    return found if len(spacing.totals) <= MOST_STEPS or found.ratio <= bound else Stretch(inf, found.stretched, False)


def _by_trial(pair: ComparedPair, spacing: Spacing, groups: Any, bound: float) -> Stretch:
    parts = parts_of(pair, spacing, groups)
    steps = parts.shape[1]
    if steps < 2:
        return Stretch(inf, np.zeros(steps, dtype=bool), complete=False)
    cuts = np.unique(np.linspace(0, steps, THRESHOLDS + 2).astype(int))[1:-1]
    below = np.arange(steps)[None, :] < cuts[:, None]
    near = smallest_stretch(parts, critical_sum(len(pair.topics), pair.alpha)).stretched
    against = parts.sum(axis=0) < 0
    choices = [each for each in (near, against, *below, *~below) if each.any() and not each.all()]

    def overturned(chosen: BoolArray, ratio: float) -> bool:
        return rescaling_of(pair, spacing, chosen[groups].tolist(), ratio).overturns(pair)

    return stretch_by_trial(choices, overturned, bound)


@frozen
class KnownMap:
    """A well-known rescaling, how uneven it is over the values that occur, and whether a conclusion falls under it.

    Parameters
    ----------
    name : str
        What it is.
    kappa : float or None
        The largest slope over the smallest between neighbouring values that occur; infinite where it is flat
        somewhere, None where it is not one map for all topics.
    overturns : bool
        Whether the claim is untrue after it.
    """

    name: str
    kappa: float | None
    overturns: bool


def known_maps(pair: ComparedPair, *, interval: bool = True) -> tuple[KnownMap, ...]:
    """Return how uneven some well-known rescalings are over the values that occur, and whether the claim survives them.

    They give a feel for κ; whether the claim survives is computed, since a κ above the margin need not overturn it.
    Squares, roots and logarithms are left out where a value is negative.

    Parameters
    ----------
    pair
        Two systems, and what is claimed of them.
    interval
        Whether the interval scale of the measure is one of them, where it has a cutoff and costs little.
    """
    scores = np.asarray(pair.scores.values)
    found = []
    if scores.size and scores.min() >= 0:
        for name, change in _MAPS:
            found.append(_known(pair, name, change(scores)))
    if interval:
        on_interval = _interval_scores(pair)
        if on_interval is not None:
            found.append(_known(pair, "its interval scale", on_interval))
    return tuple(found)


_MAPS: tuple[tuple[str, Callable[[FloatArray], FloatArray]], ...] = (
    ("squares", np.square),
    ("square roots", np.sqrt),
    (
        f"logarithms (of {GEOMETRIC_FLOOR:.5f} and more)",
        lambda scores: np.asarray(np.log(np.maximum(scores, GEOMETRIC_FLOOR))),
    ),
)


def _known(pair: ComparedPair, name: str, changed: FloatArray) -> KnownMap:
    scores = np.asarray(pair.scores.values)
    goodness = 0.0 - changed if pair.scores.lower_is_better else changed
    return KnownMap(name, _unevenness(scores.reshape(-1), changed.reshape(-1)), pair.overturned(goodness))


def _unevenness(before: FloatArray, after: FloatArray) -> float | None:
    """Return the largest slope over the smallest between neighbouring values; None where this is not one map."""
    order = np.lexsort((after, before))
    before, after = before[order], after[order]
    runs, rises = np.diff(before), np.diff(after)
    near = NEAR * max(float(np.abs(before).max(initial=0.0)), 1e-300)
    if (np.abs(rises[runs <= near]) > 1e-9).any() or (rises < -1e-9).any():
        return None
    slopes = rises[runs > near] / runs[runs > near]
    if not len(slopes):
        return 1.0
    return float(slopes.max() / slopes.min()) if slopes.min() > 0 else inf


def _interval_scores(pair: ComparedPair) -> FloatArray | None:
    """Return the scores on the measure's own interval scale; None where it has none that is cheap."""
    from measurand.intervals import IntervalScaled, interval

    if pair.measure.cutoff is None or isinstance(pair.measure, IntervalScaled):
        return None
    grades = int(pair.judged.grade_counts.shape[1]) if pair.measure.graded else 2
    try:
        scale = interval(pair.measure, grades=max(2, grades), max_seconds=SECONDS)
        return np.asarray(scale.scores(pair.judged).values)
    except MeasurandError:
        return None
