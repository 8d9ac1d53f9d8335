"""The result of a comparison under one measure: means, tests of all pairs, margins of scale, claims on pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.deprecated import moved
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.display.wording import capitalised, counted, equals
from measurand.errors import about_data
from measurand.exact import decimals
from measurand.scale import Scale
from measurand.scales.meaning import Answer, Averages, Meaning, Relation, TopicScales, check
from measurand.scales.transformations import distinct_digits
from measurand.scores import Scores, Summary
from measurand.scores.scores import rounding
from measurand.scores.summary import written
from measurand.statistics import AllPairs, Effect, Effects, find_test, need_of
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.multiple_comparisons import WHOSE, after_correction
from measurand.study.comparison_view import MeasureResultView
from measurand.study.dominance import Dominance, DominanceMatrix
from measurand.study.level_classes import Level
from measurand.study.levels_matrix import LevelsMatrix, PairLevel
from measurand.study.levels_view import pair_sentence, recall_sentence
from measurand.study.margins import ScaleMargins, margin_words, on_interval_scale
from measurand.study.scale_paragraphs import admitted_paragraph, scales_paragraph


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
    """

    measure: str
    system: str
    against: str
    means: tuple[float, float]
    statistic: str
    numbers: tuple[float, float]
    effect: Effect
    test: str
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
        return f"{self._who()}: {' against '.join(distinct_digits(self.means, form='f'))}, {self._how_much()}."

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
        said = pair_sentence(self.level, self.levels, measure=self.measure, favoured=self.first)
        if self.first is None or self.level.level is Level.TOPICS:
            return said
        _, other = self.in_order
        also = recall_sentence(self.levels, measure=self.measure, first=self.first, other=other)
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
            "scale": margin_words(self.kappa, interval=on_interval_scale(self.scores)),
            "headline": self.headline,
            "sentence": self.sentence,
            "meaning": self.meaning.to_dict(),
            "level": self.level.to_dict(),
            "dominance": str(self.dominance),
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
        return f"{decimals(effect.mean_difference, 4, '+')}{shared} ({'; '.join(inside)})"

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
        if effect.topics:
            yield self.level_sentence
        if self.statistic == "mean" and self.apart and self.kappa > 1 and effect.topics:
            yield f"The order of the means is {margin_words(self.kappa, interval=on_interval_scale(self.scores))}."

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
    )


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


@frozen(kw_only=True, eq=False, repr=False)
class MeasureResult(Result):
    """The comparison of the systems under one measure.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    summary : Summary
        What systems are ordered by: the mean; if the comparison is strict, what the scale admits (the mean on an
        interval scale, the median on an ordinal one, the mean rank within topics where every topic has its own
        scale).
    means : Summary
        The means in any case, with their caveats.
    order : tuple of int
        The places of the systems, best first.
    pairs : AllPairs
        The test of all pairs, corrected for their number.
    uncorrected : AllPairs
        The same test before any correction.
    sign : AllPairs
        The sign test of all pairs, before any correction.
    alpha : float
        The level of significance.
    effects : Effects
        How far every two systems are apart.
    scale : ScaleMargins
        How uneven a rescaling must be to change the order of two means, for all pairs.
    levels : LevelsMatrix
        For which measures each system is at least as good as each other.
    letters : mapping of str to str
        The letters of each system: two that share one do not differ significantly. With a baseline there are none,
        because other pairs are not tested.
    claims : tuple of Claim
        What is said of the leader and the next, or of every system and the baseline.
    baseline : str or None
        The system of which all counted pairs are, if one was named; pairs without it are not tested.
    strict : bool
        Whether numbers that the scale does not admit are left out of what is shown.
    described : tuple of Scores
        The scores of measures that say how much was judged, which are shown beside.
    """

    scores: Scores
    summary: Summary
    means: Summary
    order: tuple[int, ...]
    pairs: AllPairs
    uncorrected: AllPairs
    sign: AllPairs
    alpha: float
    effects: Effects
    scale: ScaleMargins
    levels: LevelsMatrix
    letters: Mapping[str, str]
    claims: tuple[Claim, ...]
    baseline: str | None = None
    strict: bool = False
    described: tuple[Scores, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[place] for place in self.order)

    @property
    def reference(self) -> str:
        """The system that the others are compared with: the baseline, the leader, or of two systems the second."""
        if self.baseline is not None:
            return self.baseline
        return self.systems[1] if len(self.order) == 2 else self.systems[0]

    @property
    def ranked_pairs(self) -> list[tuple[int, int]]:
        """The pairs that were tested, by the places of both: the better first, or every other before the baseline."""
        if self.baseline is None:
            return list(combinations(self.order, 2))
        baseline = self.pairs.place(self.baseline)
        return [(place, baseline) for place in self.order if place != baseline]

    @property
    def by_means(self) -> bool:
        """Whether systems are ordered by their means: not if the comparison is strict and the scale admits none."""
        return self.summary.statistic == "mean"

    @property
    def places(self) -> dict[str, int]:
        """The place of every system that has a number to be ordered by, 1 the best; those that tie in it share one."""
        numbers = self.summary.settled[list(self.order)]
        found: dict[str, int] = {}
        for place, system in enumerate(self.systems):
            if not np.isnan(numbers[place]):
                tied = place > 0 and numbers[place] == numbers[place - 1]
                found[system] = found[self.systems[place - 1]] if tied else place + 1
        return found

    def document(self) -> Document:
        """Return the table of systems, best first, and what may be said of some pairs."""
        gains = self.scores.scale_label.for_these_gains
        scale = f"Scale: {scales_paragraph([self.scores], for_these_gains=gains)}"
        said = f"Strict: {admitted_paragraph([self])}" if self.strict else scale
        parts = [*self.view.parts(), said] if len(self.order) > 1 else self.view.parts()
        return Document(parts, about_data(self.pairs.caveats))

    @property
    def view(self) -> MeasureResultView:
        """How the systems are shown: as rows, as a table, in sentences."""
        return MeasureResultView(self, self.dominance, self.strict, self.described)

    def _main(self) -> TableView:
        return self.view.table()

    def __repr__(self) -> str:
        return f"<MeasureResult under {self.scores.measure}: {self.systems[0]} first of {len(self.order)} systems>"

    @property
    def dominance(self) -> DominanceMatrix:
        """How the runs compare topic by topic: on how many topics no two measures disagree."""
        return self.levels.dominance

    @property
    def compared(self) -> int:
        """How many pairs are compared: all, or those with the baseline."""
        return int(self._counted.sum())

    @property
    def scale_proof(self) -> int:
        """How many pairs have an order of means that no increasing rescaling changes."""
        return int((self._counted & self.scale.proof).sum())

    @property
    def significant(self) -> int:
        """How many pairs differ significantly."""
        return int(self._differing.sum())

    @property
    def significant_and_scale_proof(self) -> int:
        """How many pairs differ significantly and have a scale-proof order."""
        return int((self._differing & self.scale.proof).sum())

    @property
    def _counted(self) -> BoolArray:
        """The pairs that are compared, each once: all, or those with the baseline."""
        n = len(self.order)
        every = np.triu(np.ones((n, n), dtype=bool), 1)
        if self.baseline is None:
            return every
        among = np.array([system == self.baseline for system in self.scores.systems])
        return np.asarray(every & (among[:, None] | among))

    @property
    def _differing(self) -> BoolArray:
        return self._counted & self.pairs.significant(self.alpha)

    @property
    def in_numbers(self) -> str:
        """How many pairs differ significantly, and how many orders are scale-proof, in a sentence."""
        whose = WHOSE.get(self.pairs.adjusted, "")
        after = f", after {whose} correction" if whose and self.compared > 1 else ""
        found = f"{self.significant:,} of {counted(self.compared, 'pair')} "
        found += (
            f"{'differs' if self.significant == 1 else 'differ'} significantly"
            f" (p ≤ {self.alpha:g}, {self.pairs.needs.statistic}{after})"
        )
        if self.scale.interval or not self.by_means:
            return f"{found}."
        proof = f"The order of {self.scale_proof:,} of {counted(self.compared, 'pair')} is scale-proof"
        sure = counted(self.significant, "significant pair")
        among = f"; so is that of {self.significant_and_scale_proof:,} of the {sure}" if self.significant else ""
        return f"{found}. {proof}{among}."


def fitting_test(scores: Scores) -> str:
    """Return the name of the test that fits the scale of scores.

    Parameters
    ----------
    scores
        The scores.

    Examples
    --------
    >>> fitting_test(Scores(measure="RR", values=[[1.0]], systems=("a",), topics=("1",), scale=Scale.ORDINAL))
    'sign'
    """
    return "paired_t" if need_of(find_test("paired_t")).met_by(scores) else "sign"


__getattr__ = moved(__name__, {"Standing": "measurand.study.measure_result.MeasureResult"})
