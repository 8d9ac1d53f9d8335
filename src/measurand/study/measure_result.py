"""The result of a comparison under one measure: numbers that its scale admits, tests of all pairs, claims on pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.deprecated import moved
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Document
from measurand.exact import decimals
from measurand.execution import Rng
from measurand.scale import Scale
from measurand.scales.meaning import (
    Answer,
    Averages,
    Meaning,
    MeanRobustness,
    Relation,
    Significant,
    TopicScales,
    check,
)
from measurand.scales.transformations import distinct_digits
from measurand.scores import Need, Scores, Summary
from measurand.scores.scores import rounding
from measurand.statistics import AllPairs, Effect, Effects, find_test, need_of
from measurand.statistics.all_pairs import TUKEY
from measurand.study.dominance import Dominance, DominanceMatrix


@frozen(kw_only=True, eq=False, repr=False)
class Claim(Result):
    """What is commonly said of two systems, one having the better mean, and what it is worth.

    Parameters
    ----------
    ahead, behind
        The systems, the one with the better mean first.
    means
        Their means over topics.
    test, adjusted
        The test that was made, in words, and how its p-values are corrected.
    pvalue, significant
        The p-value of the two, corrected, and whether it is below alpha.
    contrary
        Whether the test puts the other system ahead: one can win more topics and have the worse mean.
    meaning
        Whether "the mean of the first exceeds that of the second" (or "is below" it, where lower is better) survives
        every permissible rescaling.
    decision
        Whether what the test decided does, where the scale is too weak for the test and that was checked.
    dominance
        Which of them every measure that respects replacement and swap puts first, topic by topic.
    lower_is_better
        Whether the lower mean is the better one.
    """

    measure: str
    ahead: str
    behind: str
    means: tuple[float, float]
    test: str
    adjusted: str
    pvalue: float
    significant: bool
    contrary: bool
    effect: Effect
    meaning: Meaning
    decision: Meaning | None
    dominance: Dominance
    lower_is_better: bool = False

    @property
    def apart(self) -> bool:
        """Whether the means differ at all."""
        return self.means[0] != self.means[1]

    @property
    def headline(self) -> str:
        """Who is ahead of whom, by how much, and whether that is significant."""
        differ = "" if self.significant else "not "
        how = f"{differ}significant, p = {self.pvalue:.3g}"
        if not self.apart:
            return f"{self.ahead} and {self.behind}: mean {decimals(self.means[0], 4)} both; {how}"
        contrary = f", but in favour of {self.behind}" if self.contrary and self.significant else ""
        means = " against ".join(distinct_digits(self.means, form="f"))
        better = ", lower is better" if self.lower_is_better else ""
        return f"{self.ahead} over {self.behind}: mean {means}{better}; {how}{contrary}"

    @property
    def sentence(self) -> str:
        """What the comparison of the means is worth, in one plain sentence."""
        return " ".join(self._said())

    @property
    def decided(self) -> str:
        """What the decision of a test is worth that the scale does not admit; empty if that was not checked."""
        if self.decision is None:
            return ""
        return _decided(self.test, self.decision, uncorrected=self.adjusted not in ("none", TUKEY))

    def __str__(self) -> str:
        return f"{self.headline}. {self.sentence}"

    def to_dict(self) -> dict[str, Any]:
        """Return the claim and what it is worth, ready for JSON."""
        return {
            "ahead": self.ahead,
            "behind": self.behind,
            "means": [finite(mean) for mean in self.means],
            "p": self.pvalue,
            "significant": self.significant,
            "contrary": self.contrary,
            "headline": self.headline,
            "sentence": self.sentence,
            "meaning": self.meaning.to_dict(),
            "decision": None if self.decision is None else self.decision.to_dict(),
            "dominance": str(self.dominance),
        }

    def _said(self) -> Iterator[str]:
        meaning = self.meaning
        yield in_short(meaning)
        other = meaning.other
        if other is not None and other.answer is not meaning.answer and other.reading is TopicScales.ONE:
            yield f"If all topics shared one scale, it would be {other.answer}."
        if self.decision is not None:
            yield self.decided


def claim(
    scores: Scores,
    effect: Callable[[str, str], Effect],
    pairs: AllPairs,
    dominance: DominanceMatrix,
    a: str,
    b: str,
    alpha: float,
    *,
    decide: bool = True,
    rng: Rng = 0,
) -> Claim:
    """Return what is commonly said of two systems under a measure, and what it is worth.

    Parameters
    ----------
    decide
        Whether to check the decision of a test that the scale does not admit, which can take seconds.
    rng
        Where chance comes from, for tests that draw lots.
    """
    means = scores.mean()
    gap = means.goodness[pairs.place(b)] - means.goodness[pairs.place(a)]
    # a mean of nothing is not equal to anything
    apart = not abs(gap) <= rounding(scores)
    if apart and gap > 0:
        a, b = b, a
    places = pairs.place(a), pairs.place(b)
    doubtful = decide and not pairs.needs.met_by(scores)
    return Claim(
        measure=scores.measure,
        ahead=a,
        behind=b,
        means=(means[a], means[b if apart else a]),
        test=pairs.needs.statistic,
        adjusted=pairs.adjusted,
        pvalue=pairs.of(a, b),
        significant=bool(pairs.significant(alpha)[places]),
        contrary=bool(pairs.statistic[places] < 0),
        effect=effect(a, b),
        meaning=check(Averages("mean", a, b, Relation.better(scores.lower_is_better)), scores),
        decision=check(Significant(a, b, pairs.test, alpha), scores, rng=rng) if doubtful else None,
        dominance=dominance.of(a, b),
        lower_is_better=scores.lower_is_better,
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
        return f"{meaning.certificate[:1].upper()}{meaning.certificate[1:]}."
    after = " and ".join(distinct_digits(meaning.after, form="f"))
    return f"What flips it: {meaning.transformation}, which {scale} permits. The means become {after}."


def _decided(test: str, decision: Meaning, *, uncorrected: bool) -> str:
    """Return what the decision of a test that the scale does not admit is worth."""
    before = "Before correction, what" if uncorrected else "What"
    opening = f"{before} the {test} says (p = {decision.before[0]:.3g}) is {decision.answer}"
    if decision.after:
        return f"{opening}: a permissible rescaling makes it p = {decision.after[0]:.3g}."
    return f"{opening}: {decision.certificate}."


@frozen(kw_only=True, eq=False, repr=False)
class MeasureResult(Result):
    """The comparison of the systems under one measure.

    Parameters
    ----------
    summary
        What systems are ordered by: what the scale admits (the mean on an interval scale, the median on an ordinal
        one, the mean rank within topics where every topic has its own scale), or the mean if the test needs an
        interval scale.
    means
        The means in any case, with their caveats.
    order
        The places of the systems, best first.
    robustness
        Which comparisons of means survive every permissible rescaling, of all pairs.
    letters
        The letters of each system: two that share one do not differ significantly. With a baseline there are none,
        because other pairs are not tested.
    claims
        What is commonly said of the best (or the baseline) and others.
    baseline
        The system of which all counted pairs are, if one was named; pairs without it are not tested.
    """

    scores: Scores
    summary: Summary
    means: Summary
    order: tuple[int, ...]
    pairs: AllPairs
    alpha: float
    effects: Effects
    robustness: MeanRobustness
    letters: Mapping[str, str]
    claims: tuple[Claim, ...]
    baseline: str | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[place] for place in self.order)

    @property
    def places(self) -> dict[str, int]:
        """The place of every system that has a number, 1 the best; those that tie in it and in the mean share one."""
        numbers = np.column_stack([self.summary.settled, self.means.settled])[list(self.order)]
        found: dict[str, int] = {}
        for place, system in enumerate(self.systems):
            if not np.isnan(numbers[place, 0]):
                tied = place > 0 and np.array_equal(numbers[place], numbers[place - 1])
                found[system] = found[self.systems[place - 1]] if tied else place + 1
        return found

    def document(self) -> Document:
        """Return how the systems are ordered: a number for each, best first."""
        return self.summary.document()

    def __repr__(self) -> str:
        return f"<MeasureResult under {self.scores.measure}: {self.systems[0]} first of {len(self.order)} systems>"

    @property
    def fragile(self) -> int:
        """How many comparisons of means a permissible rescaling can turn round."""
        return int((self._counted & self.robustness.fragile).sum())

    @property
    def robust(self) -> int:
        """How many comparisons of means survive every permissible rescaling."""
        return int(self._counted.sum()) - self.fragile

    @property
    def significant(self) -> int:
        """How many pairs differ significantly."""
        return int(self._differing.sum())

    @property
    def significant_and_robust(self) -> int:
        """How many pairs differ significantly and survive every permissible rescaling."""
        return int((self._differing & ~self.robustness.fragile).sum())

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
    def robustly(self) -> str:
        """How many comparisons mean something, in a sentence."""
        pairs = f"{self.robust:,} of {self.robust + self.fragile:,} comparisons of means"
        found = f"Robust: {pairs}, {self.significant_and_robust:,} of {self.significant:,} significant ones"
        if self.robustness.reading is TopicScales.ONE:
            return f"{found}."
        shared = self._counted & ~self.robustness.fragile_on_one
        return f"{found}; if all topics shared one scale, {shared.sum():,} and {(shared & self._differing).sum():,}."


def fitting_test(scores: Scores) -> str:
    """Return the name of the test that fits the scale of scores.

    Examples
    --------
    >>> fitting_test(Scores(measure="RR", values=[[1.0]], systems=("a",), topics=("1",), scale=Scale.ORDINAL))
    'sign'
    """
    return "paired_t" if need_of(find_test("paired_t")).met_by(scores) else "sign"


def fitting_summary(scores: Scores, need: Need, *, strict: bool = False) -> Summary:
    """Return the number per system that goes with a test: the mean if it needs means, else what the scale admits.

    Examples
    --------
    >>> scores = Scores(measure="AP", values=[[0.9], [0.1]], systems="ab", topics="1", one_scale=False)
    >>> fitting_summary(scores, need_of(find_test("sign")))
    <mean rank of a: 1.0000, b: 2.0000>
    """
    return scores.mean(strict=strict) if need.scale >= Scale.INTERVAL else scores.admitted(strict=strict)


__getattr__ = moved(__name__, {"Standing": "measurand.study.measure_result.MeasureResult"})
