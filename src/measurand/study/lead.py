"""The lead of one system over another under a measure: how large it is, and how sure."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict, frozen

from measurand.display.data import finite
from measurand.display.result import Result
from measurand.scores.scores import rounding
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.multiple_comparisons import SHORT as CORRECTIONS
from measurand.statistics.pairs import FEWEST
from measurand.study.certainty import (
    OF_INTERVAL,
    SEEN,
    least_pvalue,
    power_of,
    why_no_interval,
    widest_difference,
)

if TYPE_CHECKING:
    from measurand.study.measure_result import MeasureResult, ScoresResult

TESTS = {
    "paired_t": "t test",
    "signed_rank": "Wilcoxon test",
    "one_way_anova": "one-way ANOVA",
    "two_way_anova": "two-way ANOVA",
    "bootstrap": "bootstrap test",
}
"""What tests are called in sentences, where it is not what they are called elsewhere."""

NOT_CORRECTED = "not corrected"
"""What is said of p-values of several pairs that are not corrected."""

OF_MEANS = ("paired_t", "randomisation", "bootstrap", "two_way_anova", "randomised_tukey")
"""Tests of paired means: beside what they do not call significant stands what a t test could have seen."""


class Outcome(StrEnum):
    """What a test says of two systems."""

    SIGNIFICANT = "significant"
    """They differ significantly, and the one with the better number is ahead."""

    CONTRARY = "contrary"
    """They differ significantly, but the test puts the one with the worse number ahead, or the numbers are level."""

    UNSEPARATED = "not separated"
    """The test does not separate them: after correction, if p-values are corrected."""

    CLOSE = UNSEPARATED
    """The same, by its former name."""

    UNTESTED = "untested"
    """They share too few topics to be tested."""


@frozen(kw_only=True)
class Lead(Result):
    """How far one system is ahead of another under a measure, and how sure that is.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    system, against : str
        The two systems: the leader and the next, or a candidate and the baseline.
    statistic : str
        What systems are ordered by: "mean"; if the comparison is strict, what the scale admits.
    values : tuple of float
        Its value for both.
    level : bool
        Whether both have the same value.
    ahead : str or None
        The system with the better value, or with the better mean on the topics that both have; where a strict
        comparison finds the values level, the one that the test puts ahead. None if neither is.
    lower_is_better : bool
        Whether the lower value is the better one.
    topics : int
        How many topics both have.
    topics_tested : int
        On how many of them the two are tested: fewer where a test takes the topics alone that all systems have.
    partly : bool
        Whether some topics are left out because one of the two lacks them.
    difference, low, high : float or None
        The mean difference on these topics, `system` minus `against`, with its 95 % t interval where the test is the
        t test; None where there is none, or where the comparison is strict and the scale admits no means. The interval
        is `simultaneous` where `system` is the best of several against a baseline.
    no_interval : str
        Why the t test has no interval, in words; empty where it has one, and for other tests.
    wins, ties, losses : int
        On how many topics `system` is ahead, level, behind.
    test : str
        The test, in words.
    tested_by : str
        The name of the test.
    p : float
        Its p-value for this pair alone, never below what flips of signs can reach: 2 · 2^−k on k topics that differ.
    least : bool
        Whether it is that least one, and large enough to be seen.
    p_corrected : float
        The p-value, corrected for the number of pairs.
    correction : str
        Whose correction that is: "Holm", "Bonferroni", "BH", "Tukey"; "not corrected", or "" where there is one pair.
    pairs : int
        The number of pairs that p is corrected for.
    p_sign : float
        The p-value of the sign test for this pair alone.
    favoured : str or None
        The system that the test puts ahead, significantly or not.
    alpha : float
        The level of significance.
    outcome : Outcome
        Whether the difference is significant, the two are not separated, or not tested.
    detectable : float or None
        The smallest true difference that a t test shows on so many topics with a power of 80 %, infinite where they are
        too few to show any that the measure's range allows; None where something else than that the two are too close
        is said of them, where as many topics as differ here would not differ four times of five, and for tests that
        are not about means.
    topics_needed : int or None
        On how many topics it would show a true difference as large as this one; None where no number is known.
    deciding_alpha : float or None
        The level of significance that both are reckoned with: what p before correction has to reach; None where the
        two were not tested.
    simultaneous : str
        After whom the interval is called that holds for all systems at once, "Dunnett" or "Bonferroni"; "" where the
        interval is that of this pair alone.
    together : int
        For how many systems it holds at once.
    """

    measure: str
    system: str
    against: str
    statistic: str
    values: tuple[float, float]
    level: bool
    ahead: str | None
    lower_is_better: bool
    topics: int
    topics_tested: int
    partly: bool
    difference: float | None
    low: float | None
    high: float | None
    no_interval: str
    wins: int
    ties: int
    losses: int
    test: str
    tested_by: str
    p: float
    least: bool
    p_corrected: float
    correction: str
    pairs: int
    p_sign: float
    favoured: str | None
    alpha: float
    outcome: Outcome
    detectable: float | None
    topics_needed: int | None
    deciding_alpha: float | None
    simultaneous: str = ""
    together: int = 1

    @property
    def significant(self) -> bool:
        """Whether the two differ significantly after correction, whichever of them the test puts ahead."""
        return self.outcome in (Outcome.SIGNIFICANT, Outcome.CONTRARY)

    @property
    def behind(self) -> str | None:
        """The system that is not ahead; None if neither is."""
        if self.ahead is None:
            return None
        return self.against if self.ahead == self.system else self.system

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON; numbers that are not finite are None."""
        found = asdict(self)
        numbers = {name: finite(value) for name, value in found.items() if isinstance(value, float)}
        rest = {"values": [finite(value) for value in self.values], "outcome": str(self.outcome)}
        return {**found, **numbers, **rest, "significant": self.significant}


def name_of_test(result: ScoresResult) -> str:
    """Return what the test of a comparison is called in sentences.

    Parameters
    ----------
    result
        The comparison under a measure.
    """
    return TESTS.get(result.pairs.test, result.pairs.needs.statistic)


def name_of_correction(result: MeasureResult) -> str:
    """Return whose correction p-values have, that there is none, or nothing if there is nothing to correct for.

    Parameters
    ----------
    result
        The comparison under a measure.
    """
    if result.compared < 2:
        return ""
    return "Tukey" if result.pairs.adjusted == TUKEY else CORRECTIONS.get(result.pairs.adjusted, NOT_CORRECTED)


def lead_of(result: MeasureResult, system: str, against: str) -> Lead:
    """Return how far one system is ahead of another under a measure.

    Parameters
    ----------
    result : MeasureResult
        The comparison under the measure.
    system, against : str
        The two systems.

    Examples
    --------
    >>> import measurand as md
    >>> result = md.compare(md.sample.qrels(), md.sample.runs()[:2], "P@10").primary
    >>> found = lead_of(result, "dense-1", "dense-2")
    >>> found.ahead, round(found.difference, 3), str(found.outcome)
    ('dense-1', 0.01, 'not separated')
    """
    summary, pairs, scores = result.summary, result.pairs, result.scores
    places = summary.systems.index(system), summary.systems.index(against)
    effect, goodness = result.effects.of(system, against), summary.settled
    by_means, partly = result.by_means and effect.topics > 0, effect.topics < len(scores.topics)
    difference = effect.mean_difference if abs(effect.mean_difference) > rounding(scores) else 0.0
    gap = float(goodness[places[0]] - goodness[places[1]])
    level = gap == 0
    if by_means and partly:
        # means are over different topics
        gap = -difference if scores.lower_is_better else difference
    favoured = _first(system, against, float(pairs.statistic[places]))
    ahead = _first(system, against, gap) if gap or result.by_means else favoured
    tested = _tested(result, places)
    outcome = _outcome(tested["topics_tested"], tested["p_corrected"] <= result.alpha, ahead, favoured)
    unsure = outcome is Outcome.UNSEPARATED and by_means and pairs.test in OF_MEANS
    seen, needed = pair_power(result, places, difference) if unsure else (None, None)
    interval = by_means and pairs.test == OF_INTERVAL and isfinite(effect.low) and isfinite(effect.high)
    return Lead(
        measure=scores.measure,
        system=system,
        against=against,
        statistic=summary.statistic,
        values=(summary[system], summary[against]),
        level=level,
        ahead=ahead,
        lower_is_better=summary.lower_is_better,
        topics=effect.topics,
        partly=partly,
        difference=difference if by_means else None,
        low=effect.low if interval else None,
        high=effect.high if interval else None,
        no_interval="" if interval or not by_means or pairs.test != OF_INTERVAL else _why_none(result, places),
        **{name: getattr(effect, name) for name in ("wins", "ties", "losses")},
        **tested,
        favoured=favoured,
        outcome=outcome,
        detectable=seen,
        topics_needed=needed,
        deciding_alpha=finite(float(result.deciding_alphas[places])),
    )


def _why_none(result: MeasureResult, places: tuple[int, int]) -> str:
    """Return why two systems have no t interval; nothing where they share one topic."""
    topics = int(result.effects.topics[places])
    if topics < FEWEST:
        return ""
    return why_no_interval(topics, alike=bool(result.alike[places]))


def _tested(result: MeasureResult, places: tuple[int, int]) -> dict[str, Any]:
    """Return what the tests of two systems give, and how it is corrected."""
    p, effects = float(result.uncorrected.pvalues[places]), result.effects
    differing = min(int(effects.topics[places] - effects.ties[places]), int(result.pairs.topics[places]))
    return {
        "test": name_of_test(result),
        "tested_by": result.pairs.test,
        "topics_tested": int(result.pairs.topics[places]),
        "p": p,
        "least": result.pairs.test != "sign" and SEEN < p <= float(least_pvalue(differing)) < 1,
        "p_corrected": float(result.pairs.pvalues[places]),
        "correction": name_of_correction(result),
        "pairs": result.corrected_for,
        "p_sign": float(result.sign.pvalues[places]),
        "alpha": result.alpha,
    }


def _first(system: str, against: str, lead: float) -> str | None:
    """Return which of two systems is ahead, by how far the first one is."""
    return system if lead > 0 else against if lead < 0 else None


def _outcome(topics: int, significant: bool, ahead: str | None, favoured: str | None) -> Outcome:
    if topics < FEWEST:
        return Outcome.UNTESTED
    if not significant:
        return Outcome.UNSEPARATED
    return Outcome.SIGNIFICANT if favoured is not None and favoured == ahead else Outcome.CONTRARY


def pair_power(result: MeasureResult, places: tuple[int, int], difference: float) -> tuple[float | None, int | None]:
    """Return which true difference a t test of two systems shows, and how many topics it takes for one of some size.

    Parameters
    ----------
    result
        The comparison under the measure, whose correction says at which level of significance.
    places
        The places of the two systems.
    difference
        The size that topics are needed for.
    """
    scores = result.scores
    apart = scores.values[places[0]] - scores.values[places[1]]
    alpha = float(result.deciding_alphas[places])
    return power_of(apart[~np.isnan(apart)], difference, alpha, widest_difference(scores))


LOST = 3
"""So many topics are named that a system loses."""


def most_lost(result: MeasureResult, lead: Lead) -> tuple[tuple[str, float, float], ...]:
    """Return the topics on which the system of a lead loses most: topic, score of the other, and its own.

    Parameters
    ----------
    result
        The comparison under the measure.
    lead
        The lead.

    Examples
    --------
    >>> import measurand as md
    >>> pair = [path for path in md.sample.runs() if path.name.startswith(("lexical-3", "dense-3"))]
    >>> found = md.compare(md.sample.qrels(), pair, "P@10")
    >>> most_lost(found.primary, found.conclusion.lead)[0]
    ('323', 0.7, 0.3)
    """
    scores = result.scores
    own, other = (scores.values[scores.systems.index(name)] for name in (lead.system, lead.against))
    leads = own - other if not scores.lower_is_better else other - own
    # differences of rounding alone are none, and a topic that one of the two lacks has none
    leads = np.round(leads, SAME)
    lost = [place for place in np.argsort(leads, kind="stable").tolist() if leads[place] < 0]
    return tuple((scores.topics[place], float(other[place]), float(own[place])) for place in lost[:LOST])


SAME = 12
"""Differences that agree in so many decimals are one."""
