"""A claim: what is said of two systems under a measure, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.display.data import finite
from measurand.display.numerals import MOST_PLACES, places_that_subtract
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.display.wording import capitalised, counted, equals
from measurand.exact import decimals
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.scale import Scale
from measurand.scales.meaning import Answer, Averages, Meaning, Relation, TopicScales, check
from measurand.scales.transformations import distinct_digits
from measurand.scores import Scores
from measurand.scores.scores import rounding
from measurand.scores.summary import written
from measurand.statistics import Effect
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.multiple_comparisons import after_correction
from measurand.study.dominance import Dominance
from measurand.study.level_classes import Level
from measurand.study.levels_matrix import LevelsMatrix, PairLevel
from measurand.study.levels_view import pair_sentence, recall_sentence
from measurand.study.margins import margin_words, on_interval_scale, weights_of

if TYPE_CHECKING:
    from measurand.study.margins.margins import Margins
    from measurand.study.measure_result import MeasureResult


@frozen(kw_only=True, eq=False, repr=False)
class Claim(Result):
    """What is said of two systems under a measure, and what it is worth.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    system, against : str
        The two systems: a candidate and the baseline, or the leader and another.
    means : tuple of float
        Their means over topics.
    statistic, numbers : str and tuple of float
        What systems are ordered by and its value for both: the mean, or what the scale admits if the comparison is
        strict.
    effect : Effect
        How far they are apart, `system` minus `against`.
    test : str
        The test, in words.
    tested_by : str
        Its name.
    pvalue : float
        Its p-value of this pair alone.
    corrected : float
        The p-value, corrected for the number of pairs.
    adjusted : str
        How it is corrected.
    significant : bool
        Whether the corrected p-value is at most alpha.
    favoured : str or None
        The system that the test puts ahead, significantly or not; None if it puts neither.
    contrary : bool
        Whether the test puts the system with the worse mean ahead: one can win more topics and have the worse mean.
    alone : bool
        Whether this is the only pair, so that there is nothing to correct for.
    sign : float
        The p-value of the sign test of this pair alone, which no rescaling changes.
    alpha : float
        The level of significance.
    kappa : float
        The margin of scale: how uneven a rescaling must be to change the order of the means.
    level : PairLevel
        For which measures one of them is ahead of the other.
    levels : LevelsMatrix
        The levels of all pairs, with the runs that they are of.
    dominance : Dominance
        Which of them every measure that respects replacement and swap puts first, topic by topic.
    scores : Scores
        The scores that the claim is about.
    judged : JudgedRuns
        The judged runs that were scored.
    scored_by : Measure
        The measure that scored them.
    """

    measure: str
    system: str
    against: str
    means: tuple[float, float]
    statistic: str
    numbers: tuple[float, float]
    effect: Effect
    test: str
    tested_by: str
    pvalue: float
    corrected: float
    adjusted: str
    significant: bool
    favoured: str | None
    contrary: bool
    alone: bool
    sign: float
    alpha: float
    kappa: float
    level: PairLevel
    levels: LevelsMatrix
    dominance: Dominance
    scores: Scores
    judged: JudgedRuns
    scored_by: Measure

    @property
    def lower_is_better(self) -> bool:
        """Whether the lower mean is the better one."""
        return self.scores.lower_is_better

    @property
    def apart(self) -> bool:
        """Whether the means differ at all."""
        return self.means[0] != self.means[1]

    @property
    def better(self) -> bool:
        """Whether `system` has the better mean of the two."""
        return self.apart and (self.means[0] > self.means[1]) is not self.lower_is_better

    @property
    def ahead(self) -> str:
        """The system with the better mean, the first where the means are level."""
        return self.against if self.apart and not self.better else self.system

    @property
    def behind(self) -> str:
        """The other system."""
        return self.system if self.ahead == self.against else self.against

    @cached_property
    def meaning(self) -> Meaning:
        """Whether the order of the two means survives every rescaling that the scale of the measure permits."""
        return check(Averages("mean", self.ahead, self.behind, Relation.better(self.lower_is_better)), self.scores)

    @cached_property
    def margins(self) -> Margins | None:
        """What would overturn that one has the better mean; None where the means are level or not looked at.

        Each margin is computed when it is first asked for.
        """
        return self._margins_of("order") if self.apart else None

    @cached_property
    def margins_of_significance(self) -> Margins | None:
        """What would take its significance from this pair alone; None where it has none, or by a test of all systems.

        No correction is made for other pairs.
        """
        significant = self.apart and not self.contrary and self.pvalue <= self.alpha
        return self._margins_of("significant") if significant and self.tested_by in OF_PAIRS else None

    def _margins_of(self, claimed: str) -> Margins | None:
        if not self.share_topics or self.statistic != "mean":
            return None
        from measurand.study.margins.margins import margins  # loaded when something asks

        test = self.tested_by if self.tested_by in OF_PAIRS else "paired_t"
        pair = self.system, self.against
        return margins(self.judged, self.scored_by, *pair, claim=claimed, test=test, alpha=self.alpha)

    @property
    def headline(self) -> str:
        """Who is ahead of whom, whether that could be chance, and by how much."""
        if self.statistic != "mean":
            return self._without_means()
        if not self.effect.topics:
            return f"{self._who()}."
        if not self.apart:
            found = f"; {self._how_much()}" if self._partly else ""
            other = f", but the {self.test} favours {self.favoured} ({self._tested()})" if self.significant else ""
            return f"{self._who()}, {decimals(self.means[0], 4)}{found}{other}."
        return f"{self._who()}: {' against '.join(self._means())}, {self._how_much()}."

    @property
    def sentence(self) -> str:
        """What else is to be known: topics won and lost, and what other spacings of the scale could change."""
        return " ".join(self._more())

    @property
    def first(self) -> str | None:
        """The system that the claim puts first, by means or, in a strict comparison, by the test; None if neither."""
        return (self.ahead if self.apart else None) if self.statistic == "mean" else self.favoured

    @property
    def in_order(self) -> tuple[str, str]:
        """The two systems, the one that the claim puts first in front."""
        return (self.against, self.system) if self.first == self.against else (self.system, self.against)

    @property
    def share_topics(self) -> bool:
        """Whether the two have a topic in common."""
        return self.effect.topics > 0

    @property
    def level_sentence(self) -> str:
        """For which other measures it holds that one of them is ahead, and whether that is significant."""
        said = pair_sentence(
            self.level, self.levels, measure=self.measure, scored_by=self.scored_by, favoured=self.first
        )
        if self.first is None or self.level.level is Level.TOPICS:
            return said
        _, other = self.in_order
        also = recall_sentence(self.levels, scored_by=self.scored_by, first=self.first, other=other)
        return f"{said} {also}" if also else said

    def __str__(self) -> str:
        return f"{self.headline} {self.sentence}"

    def __repr__(self) -> str:
        return f"<Claim under {self.measure}: {self._who()}>"

    def document(self) -> Document:
        """Return what the claim says, in two sentences."""
        return Document([self.headline, self.sentence])

    def _main(self) -> TableView:
        row = {name: value for name, value in self.to_dict().items() if name not in ("means", "meaning")}
        row |= {"level": str(self.level.level), "level_ahead": self.level.ahead}
        kinds = {name: str if value is None else type(value) for name, value in row.items()}
        return TableView([], [row], fields={**kinds, **dict.fromkeys(("low", "high", "kappa"), float)})

    def to_dict(self) -> dict[str, Any]:
        """Return the claim and what it is worth, ready for JSON; a strict one has no numbers of means."""
        found = {
            "system": self.system,
            "against": self.against,
            "ahead": self.ahead,
            "behind": self.behind,
            "means": [finite(mean) for mean in self.means],
            "difference": finite(self.effect.mean_difference),
            "low": finite(self.effect.low),
            "high": finite(self.effect.high),
            "test": self.test,
            "p": self.pvalue,
            "p_corrected": self.corrected,
            "adjusted": self.adjusted,
            "significant": self.significant,
            "contrary": self.contrary,
            "p_sign": self.sign,
            "kappa": finite(self.kappa),
            "scale": self.scale_words,
            "headline": self.headline,
            "sentence": self.sentence,
            "meaning": self.meaning.to_dict(),
            "level": self.level.to_dict(),
            "dominance": self.dominance.sentence,
        }
        return found if self.statistic == "mean" else {name: found[name] for name in found if name not in OF_MEANS}

    def _who(self) -> str:
        if not self.effect.topics:
            return f"{self.system} and {self.against} have no topic in common"
        if not self.apart:
            return f"{self.system} and {self.against} have the same mean"
        if self.significant and not self.contrary:
            verb = "beats" if self.better else "is beaten by"
            return f"{self.system} {verb} {self.against}"
        verb = ("scores lower than" if self.lower_is_better else "scores higher than") if self.better else "is behind"
        if self.significant:
            return f"{self.system} {verb} {self.against}, but the {self.test} favours {self.behind}"
        return f"{self.system} {verb} {self.against}, which could be chance"

    def _without_means(self) -> str:
        """Return who is ahead by what the scale admits, for a strict comparison."""
        named = dict(zip((self.system, self.against), self.numbers, strict=True))
        ahead = self.favoured or self.system
        behind = self.against if ahead == self.system else self.system
        if self.favoured is None:
            who = f"The {self.test} puts neither {ahead} nor {behind} ahead"
        elif self.significant:
            who = f"{ahead} beats {behind}"
        else:
            who = f"{ahead} is ahead of {behind} by the {self.test}, which could be chance"
        lower = self.lower_is_better or self.statistic == "mean rank"
        worse = named[ahead] > named[behind] if lower else named[ahead] < named[behind]
        but = f", although its {self.statistic} is worse" if worse and self.favoured else ""
        numbers = " against ".join(written(named[each], self.statistic) for each in (ahead, behind))
        return f"{who}{but}: {self.statistic} {numbers} ({self._tested()})."

    def _tested(self) -> str:
        """Return the p-value with its test, and what it is after correction."""
        return f"p {equals(self.pvalue)}, {self.test}{self.after_correction}"

    def _how_much(self) -> str:
        effect = self.effect
        inside = []
        if self.test == TEST_OF_INTERVAL and isfinite(effect.low):
            ends = " to ".join(decimals(end, 4, "+") for end in (effect.low, effect.high))
            inside.append(f"{100 * effect.confidence:.3g} % interval {ends}")
        inside.append(self._tested())
        shared = f" on the {counted(effect.topics, 'topic')} that both have" if self._partly else ""
        return f"{decimals(effect.mean_difference, self._places, '+')}{shared} ({'; '.join(inside)})"

    @property
    def _places(self) -> int:
        """How many decimals means and their difference have, so that they subtract."""
        if self._partly or not self.apart:
            return 4
        return places_that_subtract(*self.means, self.effect.mean_difference, 4, fixed=True)

    def _means(self) -> list[str]:
        if self._partly or self._places > MOST_PLACES:
            return distinct_digits(self.means, form="f")
        return [f"{mean:.{self._places}f}" for mean in self.means]

    @property
    def _partly(self) -> bool:
        """Whether one of the two left out topics that the other has, so that differences are over fewer topics."""
        return bool(np.isnan(self.scores.values).any()) and self.effect.topics < len(self.scores.topics)

    @property
    def after_correction(self) -> str:
        """The corrected p-value in words, wherever there was more than one pair to correct for."""
        if self.adjusted in ("none", TUKEY) or self.alone:
            return ""
        return after_correction(self.corrected, self.adjusted)

    def _more(self) -> Iterator[str]:
        effect = self.effect
        won = f"{self.system} wins {counted(effect.wins, 'topic')}, ties {effect.ties}, loses {effect.losses}"
        alone = "" if self.test == SIGN else f" (p {equals(self.sign)}, sign test)"
        yield f"{won}{alone}."
        yield from self._disagreements()
        yield from self._beyond()

    @property
    def beyond(self) -> str:
        """What other measures and other spacings of the scale say, which no test of this measure does."""
        return " ".join(self._beyond())

    @property
    def scale_words(self) -> str:
        """What the order of the means is worth against other spacings of the scale, in a few words."""
        places = [self.scores.systems.index(name) for name in (self.system, self.against)]
        weights = None if self.scores.one_scale else float(weights_of(self.scores.goodness[places]))
        return margin_words(self.kappa, interval=on_interval_scale(self.scores), weights=weights)

    def _beyond(self) -> Iterator[str]:
        if self.effect.topics:
            yield self.level_sentence
        if self.statistic == "mean" and self.apart and self.kappa > 1 and self.effect.topics:
            yield f"The order of the means is {self.scale_words}."

    def _disagreements(self) -> Iterator[str]:
        """Return that means and topics won, or the two tests, point different ways, where they do."""
        wins, losses = self.effect.wins, self.effect.losses
        if self.statistic == "mean" and self.apart and wins != losses and (wins > losses) is not self.better:
            yield f"{self.behind} wins more topics, {self.ahead} has the better mean."
        if self.test != SIGN and (self.pvalue <= self.alpha) is not (self.sign <= self.alpha):
            found, other = (self.test, SIGN) if self.pvalue <= self.alpha else (SIGN, self.test)
            yield f"Taken alone, the two tests disagree: the {found} is significant, the {other} is not."


SIGN = "sign test"

OF_MEANS = ("ahead", "behind", "means", "difference", "low", "high", "contrary", "kappa", "scale", "meaning")
"""What of a claim is about means."""

OF_PAIRS = ("paired_t", "sign", "signed_rank", "rank_sum", "randomisation", "bootstrap")
"""The tests that look at the two systems of a pair alone."""

TEST_OF_INTERVAL = "paired t test"
"""The test that goes with the interval of a mean difference."""


def claim(result: MeasureResult, system: str, against: str) -> Claim:
    """Return what is said of two systems under a measure, and what it is worth.

    Parameters
    ----------
    result
        The comparison under the measure.
    system, against
        A candidate and the baseline, or the leader and another system.
    """
    scores, means, pairs = result.scores, result.means, result.pairs
    places = pairs.place(system), pairs.place(against)
    gap = means.goodness[places[0]] - means.goodness[places[1]]
    # a mean of nothing is not equal to anything
    apart = not abs(gap) <= rounding(scores)
    return Claim(
        measure=scores.measure,
        system=system,
        against=against,
        means=(means[system], means[against if apart else system]),
        statistic=result.summary.statistic,
        numbers=(result.summary[system], result.summary[against]),
        effect=result.effects.of(system, against),
        test=pairs.needs.statistic,
        tested_by=pairs.test,
        pvalue=result.uncorrected.of(system, against),
        corrected=pairs.of(system, against),
        adjusted=pairs.adjusted,
        significant=bool(pairs.significant(result.alpha)[places]),
        favoured=system if pairs.statistic[places] > 0 else against if pairs.statistic[places] < 0 else None,
        contrary=bool(apart and pairs.statistic[places] * gap < 0),
        alone=result.compared < 2,
        sign=result.sign.of(system, against),
        alpha=result.alpha,
        kappa=result.scale.of(system, against),
        level=result.levels.pair(system, against),
        levels=result.levels,
        dominance=result.dominance.of(system, against),
        scores=scores,
        judged=result.judged,
        scored_by=result.scored_by,
    )


def claims_of(result: MeasureResult, top: int) -> tuple[Claim, ...]:
    """Return the claims that are made under a measure: on every system and the baseline, or the leader and the next.

    Parameters
    ----------
    result
        The comparison under the measure.
    top
        With how many others the leader is compared.
    """
    systems, baseline = result.systems, result.baseline
    if baseline is None:
        return tuple(claim(result, systems[0], other) for other in systems[1 : 1 + top])
    return tuple(claim(result, other, baseline) for other in systems if other != baseline)


def in_short(meaning: Meaning) -> str:
    """Return why a comparison of means is robust or not, in a sentence.

    Examples
    --------
    >>> values = [[0.2, 0.6], [0.4, 0.5]]
    >>> scores = Scores(measure="RR", values=values, systems=("a", "b"), topics=("1", "2"))
    >>> print(in_short(check("mean of b exceeds mean of a", scores)))  # doctest: +NORMALIZE_WHITESPACE
    What flips it: 0.2 → 0.2, 0.4 → 0.325, 0.6 → 0.6, straight in between, which an ordinal scale permits.
    The means become 0.3938 and 0.4000.
    """
    where = "" if meaning.reading is TopicScales.ONE else " on every topic"
    scale = f"{'a' if meaning.scale in (Scale.NOMINAL, Scale.RATIO) else 'an'} {meaning.scale} scale{where}"
    if meaning.answer is Answer.ROBUST:
        # what holds on interval scales holds of all means alike
        why = (
            "" if meaning.scale >= Scale.INTERVAL and meaning.reading is TopicScales.ONE else f": {meaning.certificate}"
        )
        return f"No rescaling that {scale} permits changes it{why}."
    if meaning.transformation is None:
        return f"{capitalised(meaning.certificate)}."
    after = " and ".join(distinct_digits(meaning.after, form="f"))
    return f"What flips it: {meaning.transformation}, which {scale} permits. The means become {after}."
