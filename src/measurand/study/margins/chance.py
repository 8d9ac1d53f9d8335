"""The margin of chance: what a test says of two systems, and what it could have seen on these topics."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
from attrs import frozen

from measurand.display.data import finite
from measurand.display.wording import counted, equals
from measurand.statistics import find_test, need_of, sign_pvalues
from measurand.statistics.pairs import FEWEST
from measurand.study.certainty import OF_INTERVAL, floored, intervals, power_of, widest_difference
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
        The p-value of the test, two-sided, not corrected for other pairs, and never below 2 · 2^−k on k topics that
        differ: no flip of signs reaches less.
    sign_p : float
        That of the sign test, which no rescaling touches.
    difference, low, high : float
        The mean difference, with the ends of its 95 % interval, by the t distribution. There is none, from minus
        infinity to infinity, for other tests than the t test, on one topic, where all differences are the same, and
        where it would exclude 0 although no test of so few topics could.
    detectable : float
        The smallest true mean difference that a paired t test at this level sees on these topics with a power of 80 %,
        for this pair alone; infinite where they are too few to show any, NaN where that is not known.
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
    p = 0.250 (paired t test, 4 topics) 0.25 9

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
    known = pair.scores.by_goodness()
    tested = floored(find_test(pair.test)(scores), known)
    p, drawn = tested.of(pair.ahead, pair.behind), next((name for name in DRAWN if name in tested.details), None)
    sampled = drawn is not None and not tested.details.get("exact pairs", 0)
    draws = f", {int(tested.details[str(drawn)]):,} draws" if sampled else ""
    mean, low, high = (float(each[0, 1]) for each in intervals(known, CONFIDENCE))
    seen, needed = power_of(pair.differences, mean, pair.alpha, widest_difference(pair.scores))
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
        low=low if pair.test == OF_INTERVAL else -inf,
        high=high if pair.test == OF_INTERVAL else inf,
        detectable=nan if seen is None else seen,
        topics_needed=needed,
    )


def _sign_p(pair: ComparedPair) -> float:
    first, second = pair.goodness
    return float(sign_pvalues(np.array([(first > second).sum()]), np.array([(first < second).sum()]))[0])
