"""Claims: what is commonly said of two systems, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from measurand.display.data import finite
from measurand.exact import decimals
from measurand.execution import Rng
from measurand.scale import Scale
from measurand.scales.meaning import Answer, Averages, Meaning, Reading, Relation, Significant, check
from measurand.scales.meaning.digits import told_apart
from measurand.scores import Scores
from measurand.scores.rounding import rounding
from measurand.statistics import AllPairs, Effect
from measurand.statistics.all_pairs import TUKEY
from measurand.study.dominance import Dominance, DominanceMatrix


@frozen(kw_only=True, eq=False)
class Claim:
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
        What it says of the two, corrected.
    contrary
        Whether the test puts the other system ahead: one can win more topics and have the worse mean.
    meaning
        Whether "the mean of the first exceeds that of the second" (or "is below" it, where lower is better) survives
        every permissible rescaling.
    decision
        Whether what the test decided does, where the scale is too weak for the test and it was looked into.
    dominance
        What every measure that respects replacement and swap says of them, topic by topic.
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
        means = " against ".join(told_apart(self.means, form="f"))
        better = ", lower is better" if self.lower_is_better else ""
        return f"{self.ahead} over {self.behind}: mean {means}{better}; {how}{contrary}"

    @property
    def sentence(self) -> str:
        """What the comparison of the means is worth, in one plain sentence."""
        return " ".join(self._said())

    @property
    def decided(self) -> str:
        """What the decision of a test is worth that the scale does not admit; nothing if that was not looked into."""
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
        if other is not None and other.answer is not meaning.answer and other.reading is Reading.ONE:
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
        Whether to look into the decision of a test that the scale does not admit, which can take seconds.
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
    where = "" if meaning.reading is Reading.ONE else " on every topic"
    scale = f"{'a' if meaning.scale in (Scale.NOMINAL, Scale.RATIO) else 'an'} {meaning.scale} scale{where}"
    if meaning.answer is Answer.ROBUST:
        # what holds on interval scales holds of all means alike
        why = "" if meaning.scale >= Scale.INTERVAL and meaning.reading is Reading.ONE else f": {meaning.certificate}"
        return f"No rescaling that {scale} permits changes it{why}."
    if meaning.transformation is None:
        return f"{meaning.certificate[:1].upper()}{meaning.certificate[1:]}."
    after = " and ".join(told_apart(meaning.after, form="f"))
    return f"What flips it: {meaning.transformation}, which {scale} permits. The means become {after}."


def _decided(test: str, decision: Meaning, *, uncorrected: bool) -> str:
    """Return what the decision of a test that the scale does not admit is worth."""
    before = "Before correction, what" if uncorrected else "What"
    opening = f"{before} the {test} says (p = {decision.before[0]:.3g}) is {decision.answer}"
    if decision.after:
        return f"{opening}: a permissible rescaling makes it p = {decision.after[0]:.3g}."
    return f"{opening}: {decision.certificate}."
