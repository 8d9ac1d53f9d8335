r"""Weights of topics: how unevenly the topics would have to count for a conclusion to fall.

A weight multiplies the difference on its topic, which is also what a rescaling of each topic of its own does: one
whose slopes are between 1 and κ multiplies every difference by something between 1 and κ. So the margin is a bound
from below of the margin of scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isinf, sqrt
from typing import Any, overload

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.scale import Scale
from measurand.statistics import find_test, need_of
from measurand.study.margins.margin import UNTRUE, How, Margin, Number
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.scale import times
from measurand.study.margins.steps import (
    Stretch,
    first_that_overturns,
    order_ratio,
    short_enough,
    stretch_by_trial,
)
from measurand.study.margins.student import critical_sum, first_ratios, first_roots

LIKE_T = ("paired_t", "two_way_anova")
"""Tests that are Student's t test where there are two systems."""

BY_TOPIC = ("signed_rank", "randomisation", "randomised_tukey", "bootstrap")
"""Other tests of the differences by topic."""

AT_ONCE = 2**22
"""So many differences are weighed at a time."""

CLOSE = 1e-6
"""Ratios of running sums that are closer to the smallest, as a share of it, are computed again without."""

TRIED_WON = 6
"""Besides the topics lost, a search stretches so many numbers of topics won."""


@frozen(eq=False)
class TopicWeights:
    """Weights of topics under which a conclusion falls.

    Parameters
    ----------
    topics : tuple of str
        The topics.
    by_topic : tuple of Fraction or float
        The weight of each; the largest is 1.

    Examples
    --------
    >>> weights = TopicWeights(("1", "2"), (Fraction(1, 3), Fraction(1)))
    >>> weights.ratio, weights.apply([Fraction(3, 4), Fraction(-1, 4)]), weights.apply(np.array([0.75, -0.25])).tolist()
    (Fraction(3, 1), (Fraction(1, 4), Fraction(-1, 4)), [0.25, -0.25])
    """

    topics: tuple[str, ...]
    by_topic: tuple[Number, ...]

    @property
    def weights(self) -> dict[str, Number]:
        """The weight of each topic by its name."""
        return dict(zip(self.topics, self.by_topic, strict=True))

    @property
    def exact(self) -> bool:
        """Whether the weights are exact fractions."""
        return all(isinstance(weight, Fraction) for weight in self.by_topic)

    @property
    def ratio(self) -> Number:
        """The largest weight over the smallest."""
        return max(self.by_topic) / min(self.by_topic)

    @overload
    def apply(self, values: FloatArray) -> FloatArray: ...

    @overload
    def apply(self, values: Sequence[Fraction]) -> tuple[Fraction, ...]: ...

    def apply(self, values: FloatArray | Sequence[Fraction]) -> FloatArray | tuple[Fraction, ...]:
        """Return differences, or the goodness of both systems, each topic times its weight.

        Parameters
        ----------
        values
            An array whose last axis are the topics, or an exact fraction for each topic.
        """
        if isinstance(values, np.ndarray):
            return np.asarray(values * np.array([float(weight) for weight in self.by_topic]))
        return tuple(Fraction(weight) * value for weight, value in zip(self.by_topic, values, strict=True))


@frozen(kw_only=True, eq=False, repr=False)
class WeightsMargin(Margin):
    """How many times as much some topics must count as others for a conclusion to fall.

    Parameters
    ----------
    value, how, sentence, certificate, at_least
        As every margin has them; the certificate is `TopicWeights`.
    floor : float or None
        What the margin of the order is at least wherever the t test is significant, for so many topics; None where a
        single topic is there.
    """

    floor: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON."""
        return {**Margin.to_dict(self), "floor": self.floor}


def floor(topics: int, alpha: float = 0.05) -> float:
    r"""Return what the weights margin of an order is at least wherever Student's t test is significant.

    It is :math:`(\sqrt n + c) / (\sqrt n - c)`, with c as in `critical_sum`: significance means that the sum of the
    differences exceeds c times the root of their squares, which is at least the sum of their sizes over
    :math:`\sqrt n`.

    Parameters
    ----------
    topics
        The number of topics, from 2 up.
    alpha
        The level of significance.

    Examples
    --------
    >>> round(floor(50), 2), round(floor(25), 2)
    (1.76, 2.27)
    """
    root, c = sqrt(topics), critical_sum(topics, alpha)
    return (root + c) / (root - c) if root > c else inf


def weights_margin(pair: ComparedPair) -> WeightsMargin:
    """Return how many times as much some topics must count as others for a conclusion to fall.

    For the order of means it is the sum of what was won over the sum of what was lost. For Student's t test the
    largest and the smallest weight go to all topics lost and to some of those won by most, and the smallest ratio
    over all numbers of these is exact. Other tests are searched.

    Parameters
    ----------
    pair
        Two systems, and what is claimed of them.

    Examples
    --------
    a wins a topic by 1/2 and loses another by 1/6:

    >>> from measurand import judge, read_qrels, read_run
    >>> from measurand.study.margins.pair import compared_pair
    >>> qrels = read_qrels({"1": {"x": 1}, "2": {"x": 1}})
    >>> a = read_run({"1": {"x": 3, "u": 2, "v": 1}, "2": {"u": 3, "v": 2, "x": 1}}, name="a")
    >>> b = read_run({"1": {"u": 3, "x": 2, "v": 1}, "2": {"u": 3, "x": 2, "v": 1}}, name="b")
    >>> found = weights_margin(compared_pair(judge([a, b], qrels), "RR", "a", "b"))
    >>> found.value, found.certificate.weights
    (Fraction(3, 1), {'1': Fraction(1, 3), '2': Fraction(1, 1)})

    References
    ----------
    [BernardoLedoit2000]_
    """
    return evolve(_margin(pair), floor=_floor(pair))


def _floor(pair: ComparedPair) -> float | None:
    return floor(len(pair.topics), pair.alpha) if len(pair.topics) > 1 else None


def _margin(pair: ComparedPair) -> WeightsMargin:
    """Return the margin without its floor."""
    if not pair.holds:
        sentence = UNTRUE
        return WeightsMargin(value=1, how=How.EXACT, sentence=sentence, at_least=1)
    if pair.claim is Claimed.ORDER:
        return _of_order(pair)
    need = need_of(find_test(pair.test))
    if need.scale <= Scale.ORDINAL and not need.across:
        sentence = f"no weights of topics change the {need.statistic}, which counts topics won and lost"
        order = order_ratio(_differences(pair))
        if not isinf(order):
            sentence += f" (the means are level if some count {times(order)} times as much as others)"
        return _proof(sentence)
    if pair.test in LIKE_T:
        return _by_t(pair)
    if pair.test in BY_TOPIC:
        return _by_trial(pair)
    sentence = f"weights of topics play no part: the {need.statistic} does not compare topic by topic"
    return WeightsMargin(value=None, how=How.NONE, sentence=sentence)


def _proof(sentence: str) -> WeightsMargin:
    return WeightsMargin(value=inf, how=How.EXACT, sentence=sentence, at_least=inf)


def _of_order(pair: ComparedPair) -> WeightsMargin:
    differences, beside = _differences(pair), _floor(pair)
    ratio = order_ratio(differences)
    if isinf(ratio):
        return _proof("holds whatever the topics count: none is lost")
    sentence = f"holds unless some topics count {times(ratio)} times as much as others"
    if beside is not None:
        sentence += f" (a t test with p < {pair.alpha:g} on {len(pair.topics)} topics means at least {times(beside)})"
    return _confirmed(pair, [each <= 0 for each in differences], ratio, sentence)


def _confirmed(pair: ComparedPair, heavy: Sequence[bool], ratio: Number, sentence: str) -> WeightsMargin:
    """Return a margin that is exact, if weights confirm it."""
    weights = first_that_overturns(
        lambda ratio: _weights(pair, heavy, ratio), ratio, lambda weights: _overturns(pair, weights)
    )
    how, at_least = (How.EXACT, ratio) if weights is not None else (How.FOUND, 1)
    return WeightsMargin(value=ratio, how=how, sentence=sentence, certificate=weights, at_least=at_least)


def _differences(pair: ComparedPair) -> Sequence[Number]:
    """Return the differences by topic, exactly where they are fractions that can be computed with."""
    exact = pair.exact_differences
    if exact is not None and short_enough(exact):
        return exact
    # what rounding alone keeps from 0 is neither won nor lost
    least = pair.tolerance
    return [0.0 if abs(each) <= least else each for each in pair.differences.tolist()]


def _overturns(pair: ComparedPair, weights: TopicWeights) -> bool:
    """Return whether a claim is untrue of weighted values."""
    if pair.claim is Claimed.ORDER and pair.exact_differences is not None and weights.exact:
        return sum(weights.apply(pair.exact_differences), Fraction(0)) <= 0
    return pair.overturned(weights.apply(pair.goodness))


def smallest_weights(differences: FloatArray, c: float) -> Stretch:
    """Return which topics must count how many times as much as the others for t to be insignificant.

    For factors from 1 to κ, the sum minus c times the root of the squares is least where all topics lost and some of
    those won by most count κ times: were a topic won by less stretched and one won by more not, exchanging what they
    contribute would change neither sum, and leave factors inside the range, where a concave function is not least.

    Parameters
    ----------
    differences
        The differences by topic, significant as they are.
    c
        As `critical_sum` returns it.

    Examples
    --------
    >>> found = smallest_weights(np.array([1.0, 1.0, 1.0, -1.0]), 0.8)
    >>> round(found.ratio, 6), found.stretched.tolist()
    (1.277997, [False, False, False, True])
    """
    places = np.empty(len(differences), dtype=np.int64)
    places[np.argsort(-differences, kind="stable")] = np.arange(len(differences))
    numbers = _numbers_of_won(differences, c)

    def chosen(some: IntArray) -> BoolArray:
        return np.asarray((places < some[:, None]) | (differences < 0))

    def ratios(some: IntArray) -> FloatArray:
        which = chosen(some)
        return first_ratios(np.where(which, 0.0, differences), np.where(which, differences, 0.0), c)

    rows = max(1, AT_ONCE // max(1, len(differences)))
    found = np.concatenate([ratios(numbers[start : start + rows]) for start in range(0, len(numbers), rows)])
    best = int(found.argmin())
    return Stretch(float(found[best]), chosen(numbers[best : best + 1])[0], complete=True)


def _numbers_of_won(differences: FloatArray, c: float) -> IntArray:
    """Return how many of the topics won by most may count more: any number, or those that running sums leave."""
    won = np.sort(differences[differences > 0])[::-1]
    if (len(won) + 1) * len(differences) <= AT_ONCE:
        return np.arange(len(won) + 1)
    lost = differences[differences < 0]
    sums, squares = (np.append(0.0, np.cumsum(each)) for each in (won, won**2))
    more, rest = sums + lost.sum(), sums[-1] - sums
    ratios = first_roots(
        more**2 - c**2 * (squares + (lost**2).sum()), rest * more, rest**2 - c**2 * (squares[-1] - squares)
    )
    return np.flatnonzero(ratios <= ratios.min() * (1 + CLOSE)) if np.isfinite(ratios.min()) else np.array([0])


def _by_t(pair: ComparedPair) -> WeightsMargin:
    found = smallest_weights(pair.differences, critical_sum(len(pair.topics), pair.alpha))
    if isinf(found.ratio):
        return _proof(f"no weights of topics make p more than {pair.alpha:g}")
    sentence = f"stays significant unless some topics count {times(found.ratio)} times as much as others"
    return _confirmed(pair, found.stretched.tolist(), found.ratio, sentence)


def _weights(pair: ComparedPair, heavy: Sequence[bool], ratio: Number) -> TopicWeights:
    """Return weight 1 for some topics, and so many times less for the others."""
    light = 1 / ratio
    one = type(light)(1)
    return TopicWeights(pair.topics, tuple(one if each else light for each in heavy))


def _by_trial(pair: ComparedPair) -> WeightsMargin:
    differences = pair.differences
    bound = float(order_ratio(_differences(pair)))
    order, won = np.argsort(-differences, kind="stable"), int((differences > 0).sum())
    choices = []
    for count in sorted({0, 1, *np.geomspace(1, max(won, 1), TRIED_WON).astype(int).tolist()}):
        chosen = differences < 0
        chosen[order[:count]] = True
        choices.append(chosen)

    def overturned(chosen: BoolArray, ratio: float) -> bool:
        return _overturns(pair, _weights(pair, chosen.tolist(), ratio))

    found = stretch_by_trial(choices, overturned, bound)
    if isinf(found.ratio):
        name = need_of(find_test(pair.test)).statistic
        sentence = f"no weights of topics were found that make p of the {name} more than {pair.alpha:g}"
        return WeightsMargin(value=inf, how=How.FOUND, sentence=sentence, at_least=1)
    return WeightsMargin(
        value=found.ratio,
        how=How.FOUND,
        sentence=f"its significance falls if some topics count {times(found.ratio)} times as much as others",
        certificate=_weights(pair, found.stretched.tolist(), found.ratio),
        at_least=1,
    )
