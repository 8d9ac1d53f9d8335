"""Two systems under a measure, the better first, and what is claimed of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np
from attrs import evolve, fields, frozen

from measurand.arrays import FloatArray
from measurand.calls import option
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.judged.runs import check_judged
from measurand.measures import Measure
from measurand.measures.campaigns import with_campaign
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.parse import parse
from measurand.scores import Scores, place_of
from measurand.scores.scores import rounding
from measurand.statistics import ALPHA, find_test
from measurand.statistics.multiple_comparisons import level as significance_level
from measurand.study.certainty import least_pvalue


class Claimed(StrEnum):
    """What is claimed of two systems."""

    ORDER = "order"
    """The mean of one is better."""

    SIGNIFICANT = "significant"
    """… and a test says so."""


@frozen(kw_only=True, eq=False, slots=False)
class ComparedPair:
    """Two systems under a measure on the topics that both have, the one with the better mean first.

    Parameters
    ----------
    measure : Measure
        The measure, with all that the campaign shows of it.
    judged : JudgedRuns
        The judged runs of the two systems, the better first, on the topics that both have.
    scores : Scores
        Their scores.
    claim : Claimed
        What is claimed.
    test : str
        The name of the test, for a claim of significance.
    alpha : float
        The level of significance.
    """

    measure: Measure
    judged: JudgedRuns
    scores: Scores
    claim: Claimed = Claimed.ORDER
    test: str = "paired_t"
    alpha: float = ALPHA

    def __getstate__(self) -> dict[str, Any]:
        # other processes get no values of the measure, from which it is computed
        return {**{each.name: getattr(self, each.name) for each in fields(type(self))}, "exact": self.exact}

    @property
    def ahead(self) -> str:
        """The system with the better mean; the first that was named where the means are level."""
        return self.judged.systems[0]

    @property
    def behind(self) -> str:
        """The other system."""
        return self.judged.systems[1]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that both have."""
        return self.judged.topics

    @property
    def goodness(self) -> FloatArray:
        """The scores, turned round where lower is better: 2 × topics, the better system first."""
        return self.scores.goodness

    @property
    def differences(self) -> FloatArray:
        """The better system minus the other, by topic."""
        return np.asarray(self.goodness[0] - self.goodness[1])

    @cached_property
    def exact(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None:
        """The goodness of both by topic as exact fractions; None where a measure has irrational values."""
        known = self.scores.exact
        if known is None or self.measure.exactness != "rational":
            return None
        sign = -1 if self.scores.lower_is_better else 1
        values = [sign * cast(Fraction, value) for value in known.exactly()]
        if not all(isinstance(value, Fraction) for value in values):
            return None
        return tuple(values[: len(self.topics)]), tuple(values[len(self.topics) :])

    @cached_property
    def exact_differences(self) -> tuple[Fraction, ...] | None:
        """The better system minus the other, by topic, as exact fractions where they are rational."""
        if self.exact is None:
            return None
        return tuple(one - other for one, other in zip(*self.exact, strict=True))

    @property
    def tolerance(self) -> float:
        """The difference up to which two means may be the same number, for values that are not exact."""
        return rounding(self.scores)

    @cached_property
    def holds(self) -> bool:
        """Whether what is claimed is true of the scores as they are."""
        if self.exact is not None:
            return not self.overturned_exactly(*self.exact)
        return not self.overturned(self.goodness)

    def overturned_exactly(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
        """Return whether the claim is untrue of other exact values: level or reversed, or not significant.

        Parameters
        ----------
        first, second
            The goodness by topic of the system that is ahead, and of the other.
        """
        if sum(first) <= sum(second):
            return True
        if self.claim is Claimed.ORDER:
            return False
        return self.overturned(np.array([[float(value) for value in each] for each in (first, second)]))

    def overturned(self, goodness: FloatArray) -> bool:
        """Return whether the claim is untrue of other values, up to rounding: level or reversed, or not significant.

        Parameters
        ----------
        goodness
            2 × topics, for the system that is ahead and for the other.
        """
        if not goodness.shape[1]:
            return True
        lead = float(goodness[0].mean() - goodness[1].mean())
        if lead <= self.tolerance:
            return True
        return self.claim is Claimed.SIGNIFICANT and self.pvalue_of(goodness) > self.alpha

    def pvalue_of(self, goodness: FloatArray) -> float:
        """Return the p-value of the test for other values; 1 where the test favours the other system.

        Parameters
        ----------
        goodness
            2 × topics, for the system that is ahead and for the other.
        """
        found = find_test(self.test)(self.scores_of(goodness))
        # more topics can be won by the system with the worse mean
        favoured = found.statistic[found.place(self.ahead), found.place(self.behind)] > 0
        if not favoured:
            return 1.0
        return max(found.of(self.ahead, self.behind), float(least_pvalue(differing(goodness))))

    def scores_of(self, goodness: FloatArray) -> Scores:
        """Return other values as scores, where higher is better.

        Parameters
        ----------
        goodness
            2 × some topics.
        """
        topics = self.topics if goodness.shape[1] == len(self.topics) else tuple(map(str, range(goodness.shape[1])))
        return evolve(self.scores, values=goodness, topics=topics, lower_is_better=False, exact=None, caveats=())


def differing(goodness: FloatArray) -> int:
    """Return on how many topics two systems differ by more than rounding explains.

    Parameters
    ----------
    goodness
        2 × topics.

    Examples
    --------
    >>> differing(np.array([[0.5, 0.5, 1.0], [0.5, 0.25, 0.5]]))
    2
    """
    first, second = goodness
    return int((np.abs(first - second) > np.spacing(np.abs(first)) + np.spacing(np.abs(second))).sum())


def measure_on(measure: Measure | str, judged: JudgedRuns) -> tuple[Measure, JudgedRuns]:
    """Return a measure with all that a campaign shows of it, and the judged runs as it looks at them.

    Parameters
    ----------
    measure
        The measure, or its spelling; it must be one of relevance.
    judged
        The judged runs of the campaign.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0)], (5, 2))
    >>> measure, seen = measure_on("P@2", judged)
    >>> measure, seen is judged
    (P@2, True)
    """
    # the measures of ir_measures spell themselves
    wanted = parse(measure if isinstance(measure, Measure | str | list | tuple) else str(measure))
    while isinstance(wanted, GeometricMean):
        wanted = wanted.measure  # margins are of plain means, under the name of what is averaged
    if wanted.about_judgments:
        raise ParameterError(f"{wanted!r} says how much was judged; take a measure of relevance, such as nDCG@10")
    seen = judged.weak if wanted.on_weak_orders else judged
    return with_campaign(wanted, seen), seen


def compared_pair(
    judged: JudgedRuns,
    measure: Measure | str,
    a: str,
    b: str,
    *,
    claim: str = "order",
    test: str = "t",
    alpha: float = ALPHA,
) -> ComparedPair:
    """Return two systems under a measure, the one with the better mean first.

    Parameters
    ----------
    judged
        Judged runs.
    measure
        The measure, or its spelling.
    a, b
        The names of the two systems; they are exchanged if `b` has the better mean.
    claim
        What is claimed: "order" or "significant".
    test
        The test, for a claim of significance.
    alpha
        The level of significance.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    >>> pair = compared_pair(judged, "RR", "s1", "s0")
    >>> pair.ahead, pair.exact_differences, pair.holds
    ('s0', (Fraction(1, 2),), True)
    """
    check_judged(judged)
    claimed = Claimed(option("claim", claim, Claimed))
    significance_level(alpha)
    name = find_test(test).__name__
    for system in (a, b):
        place_of(system, judged.systems)
    if a == b:
        raise ParameterError(f"two systems are compared, not {a} with itself; there is {', '.join(judged.systems[:8])}")
    known, seen = measure_on(measure, judged)
    places = [judged.systems.index(a), judged.systems.index(b)]
    shared = np.flatnonzero(judged.counted[places].all(axis=0))
    if not len(shared):
        raise ParameterError(f"{a} and {b} have no topic in common: there is no conclusion about them to overturn")
    part = evolve(seen.part([a, b], shared), skip_missing=False)
    pair = ComparedPair(measure=known, judged=part, scores=known.scores(part), claim=claimed, test=name, alpha=alpha)
    return _turned(pair) if _is_behind(pair) else pair


def _is_behind(pair: ComparedPair) -> bool:
    """Return whether the system that was named first has the worse mean."""
    if not pair.topics:
        return False
    if pair.exact is not None:
        return sum(pair.exact[0]) < sum(pair.exact[1])
    return float(pair.differences.mean()) < -pair.tolerance


def _turned(pair: ComparedPair) -> ComparedPair:
    judged = pair.judged.part([pair.behind, pair.ahead])
    return evolve(pair, judged=judged, scores=pair.measure.scores(judged))
