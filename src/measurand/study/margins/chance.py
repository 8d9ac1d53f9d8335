"""The margin of chance: what a test says of two systems, and what it could have seen on these topics."""

from __future__ import annotations

from math import inf, isfinite, nan
from typing import Any

import numpy as np
from attrs import frozen

from measurand.display.data import finite
from measurand.display.wording import counted, equals
from measurand.errors import ParameterError
from measurand.scores import Scores
from measurand.statistics import detectable, find_test, need_of, sign_pvalues, topics_needed
from measurand.statistics.effects import mean_differences
from measurand.statistics.pairs import FEWEST
from measurand.statistics.power import POWER
from measurand.study.margins.margin import How, Margin
from measurand.study.margins.pair import ComparedPair

CONFIDENCE = 0.95
"""How sure the interval is to hold the mean difference."""

DRAWN = ("permutations", "resamples")
"""What a test of random draws says how many it made of."""


@frozen(kw_only=True, eq=False, repr=False)
class ChanceMargin(Margin):
    """What chance could do to a conclusion: `value` is the p-value of the pair alone.

    Differences are those of the system that is ahead less the other, turned round where lower is better.

    Parameters
    ----------
    test : str
        The name of the test.
    topics : int
        How many topics both systems have.
    p : float
        The p-value of the test, two-sided, not corrected for other pairs.
    sign_p : float
        That of the sign test, which no rescaling touches.
    difference, low, high : float
        The mean difference, with the ends of its 95 % interval, by the t distribution; infinite on one topic.
    detectable : float
        The smallest true mean difference that a paired t test at this level sees on these topics with a power of 80 %.
    topics_needed : int or None
        On how many topics it would see the difference at hand with that power; None where no number is enough.
    """

    test: str = ""
    topics: int = 0
    p: float = 1.0
    sign_p: float = 1.0
    difference: float = nan
    low: float = -inf
    high: float = inf
    detectable: float = inf
    topics_needed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON; None stands for what is infinite or unknown."""
        numbers = ("p", "sign_p", "difference", "low", "high", "detectable")
        return {
            **super().to_dict(),
            "test": self.test,
            "topics": self.topics,
            **{name: finite(getattr(self, name)) for name in numbers},
            "topics_needed": self.topics_needed,
        }


def chance_margin(pair: ComparedPair) -> ChanceMargin:
    """Return what a test says of two systems, the interval of their difference, and what could have been seen.

    Parameters
    ----------
    pair : ComparedPair
        The two systems; its test is used, whatever is claimed.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.pair import compared_pair
    >>> cells = np.array([[[1, 1], [1, 0], [1, 1], [0, 1]], [[0, 0], [0, 0], [0, 1], [0, 1]]], dtype=np.int8)
    >>> counts, lengths = np.array([[5, 3]] * 4), np.full((2, 4), 2)
    >>> judged = JudgedRuns(systems="ab", topics="1234", cells=cells, lengths=lengths, grade_counts=counts)
    >>> found = chance_margin(compared_pair(judged, "P@2", "a", "b"))
    >>> print(found, found.sign_p, found.topics_needed)
    p = 0.092 (paired t test, 4 topics) 0.25 8

    References
    ----------
    [Student1908]_; [DixonMood1946]_; [Sakai2016]_
    """
    topics, scores = len(pair.topics), pair.scores_of(pair.goodness)
    named = need_of(find_test(pair.test)).statistic
    if topics < FEWEST:
        return ChanceMargin(
            value=None,
            how=How.NONE,
            sentence=f"on {counted(topics, 'topic') if topics else 'no topic'} nothing can be tested",
            test=pair.test,
            topics=topics,
            difference=float(pair.differences.mean()) if topics else nan,
        )
    tested = find_test(pair.test)(scores)
    p, drawn = tested.of(pair.ahead, pair.behind), next((name for name in DRAWN if name in tested.details), None)
    sampled = drawn is not None and not tested.details.get("exact pairs", 0)
    draws = f", {int(tested.details[str(drawn)]):,} draws" if sampled else ""
    mean, low, high = (float(each[0, 1]) for each in mean_differences(scores, CONFIDENCE))
    return ChanceMargin(
        value=p,
        how=How.FOUND if sampled else How.EXACT,
        sentence=f"p {equals(p)} ({named}, {counted(topics, 'topic')}{draws})",
        at_least=None if sampled else p,
        test=pair.test,
        topics=topics,
        p=p,
        sign_p=_sign_p(pair),
        difference=mean,
        low=low,
        high=high,
        detectable=float(detectable(scores, pair.alpha)[0, 1]) if pair.alpha < POWER else nan,
        topics_needed=_needed(scores, mean, pair.alpha),
    )


def _sign_p(pair: ComparedPair) -> float:
    first, second = pair.goodness
    return float(sign_pvalues(np.array([(first > second).sum()]), np.array([(first < second).sum()]))[0])


def _needed(scores: Scores, mean: float, alpha: float) -> int | None:
    """Return on how many topics a t test would see a mean difference; None where no number is enough."""
    spread = float(np.std(scores.values[0] - scores.values[1], ddof=1))
    if mean == 0 or not isfinite(spread):
        return None
    try:
        return topics_needed(mean, spread, alpha)
    except ParameterError:
        return None
