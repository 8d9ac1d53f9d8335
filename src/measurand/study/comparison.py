"""Comparison: who is better, by how much, and whether saying so means anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray
from measurand.chance import Rng
from measurand.dominances import DominanceMatrix, dominance_matrix
from measurand.errors import Caveat, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.scale import Scale
from measurand.scales.meaning import MeanRobustness, Reading, mean_robustness
from measurand.scores import Scores, Summary
from measurand.statistics import ALPHA, AllPairs, Effects, effects, find_test, letters, need_of
from measurand.study.claims import Claim, claim
from measurand.study.evaluation import asked_for, read_measures, tabulate

AUTO = "auto"
"""The test that fits the scale: paired t where it admits means, the sign test elsewhere."""

TOP = 3
"""How many systems the best is compared with, in sentences."""

RESAMPLED = ("randomisation", "randomised_tukey", "bootstrap")
"""The tests that draw lots."""


@frozen(kw_only=True, eq=False)
class Standing:
    """How the systems stand under one measure.

    Parameters
    ----------
    summary
        The number per system that the scale admits: the mean on an interval scale, the median on an ordinal one.
    means
        The means in any case, with their caveats.
    order
        The places of the systems, best first.
    robustness
        Which comparisons of means survive every permissible rescaling, of all pairs.
    letters
        A system's letters, in the order of `scores.systems`: two that share one do not differ significantly. With
        a baseline there are none, because other pairs are not tested.
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
    letters: tuple[str, ...]
    claims: tuple[Claim, ...]
    baseline: str | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[place] for place in self.order)

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
        if self.robustness.reading is Reading.ONE:
            return f"{found}."
        shared = self._counted & ~self.robustness.fragile_on_one
        return f"{found}; if all topics shared one scale, {shared.sum():,} and {(shared & self._differing).sum():,}."


@frozen(kw_only=True, eq=False)
class SystemComparison:
    """Systems compared under some measures, and without any.

    Parameters
    ----------
    standings
        One for each measure, in the order in which they were asked for.
    dominance
        What holds under every measure that respects replacement and swap.
    baseline
        The system that all others are compared with, if one was named.
    strict
        Whether numbers that a scale does not admit are to be left out of what is shown.
    """

    standings: tuple[Standing, ...]
    dominance: DominanceMatrix
    alpha: float
    adjusted: str
    baseline: str | None
    caveats: tuple[Caveat, ...]
    strict: bool = False

    def of(self, measure: Measure | str) -> Standing:
        """Return how the systems stand under a measure that was asked for."""
        wanted = {repr(each) for each in read_measures(measure).values()}
        for standing in self.standings:
            if standing.scores.measure in wanted:
                return standing
        known = ", ".join(standing.scores.measure for standing in self.standings)
        raise ParameterError(f"{measure} was not compared; there is {known}")


def compare(
    *inputs: Any,
    test: str = AUTO,
    adjust: str = "holm",
    alpha: float = ALPHA,
    baseline: str | None = None,
    top: int = TOP,
    strict: bool = False,
    rng: Rng = 0,
    progress: Progress = silent,
    **reading: Any,
) -> SystemComparison:
    """Return who is better under each measure, whether that is significant, and whether it means anything.

    Call it as `compare(judged, measures)` or as `compare(qrels, runs, measures)`, like `evaluate`, with the same
    options for reading and judging.

    Parameters
    ----------
    test
        A test of `measurand.statistics`, such as "t" or "friedman"; "auto" takes the paired t test where the scale
        admits means over topics, and the sign test elsewhere.
    adjust
        How p-values are corrected for the number of pairs: "holm", "bonferroni", "bh" or "none". Tests with Tukey's
        correction are left as they are.
    baseline
        The system that all others are compared with, and p-values corrected for these comparisons alone; by
        default the best is compared with the next `top`.
    top
        For how many pairs to look into what a test decided that the scale does not admit; and, without a baseline,
        how many pairs to speak of.
    strict
        Refuse averages and tests that are not meaningful, and leave other such numbers out of reports.
    rng
        Where chance comes from, for tests that draw lots.

    Examples
    --------
    >>> import measurand as md
    >>> comparison = compare(md.sample.qrels(), md.sample.runs(), "P@10")
    >>> comparison.of("P@10").systems[0], str(comparison.of("P@10").claims[0].meaning.answer)
    ('dense-3', 'robust')

    References
    ----------
    [FerranteFerroFuhr2021]_
    """
    judged, wanted = asked_for("compare", inputs, reading, progress)
    if baseline is not None and baseline not in judged.systems:
        raise ParameterError(f"there is no system {baseline!r}; there is {', '.join(judged.systems)}")
    table = tabulate(judged, wanted, progress)
    dominance = dominance_matrix(judged, depth=_depth(judged, wanted.values()), progress=progress)
    asked = _Asked(test=test, adjust=adjust, alpha=alpha, baseline=baseline, top=top, strict=strict, rng=rng)
    standings = [
        _standing(scores, dominance, asked) for scores in progress(list(table), len(table), "comparing systems")
    ]
    return SystemComparison(
        standings=tuple(standings),
        dominance=dominance,
        alpha=alpha,
        adjusted=adjust,
        baseline=baseline,
        caveats=table.caveats,
        strict=strict,
    )


def _depth(judged: JudgedRuns, measures: Iterable[Measure]) -> int:
    """Return how many ranks matter: what the measures look at."""
    cutoffs = [getattr(measure, "measure", measure).cutoff or judged.depth for measure in measures]
    return min(judged.depth, max(cutoffs))


@frozen(kw_only=True)
class _Asked:
    """How a comparison is to be made."""

    test: str
    adjust: str
    alpha: float
    baseline: str | None
    top: int
    strict: bool
    rng: Rng

    def pairs(self, scores: Scores) -> AllPairs:
        """Return what the test says of all pairs, corrected."""
        test = find_test(fitting_test(scores) if self.test == AUTO else self.test)
        options: dict[str, Any] = {"rng": self.rng} if test.__name__ in RESAMPLED else {}
        found = test(scores, strict=self.strict, **options)
        return found.adjust(self.adjust, baseline=self.baseline)


def fitting_test(scores: Scores) -> str:
    """Return the name of the test that fits the scale of scores.

    Examples
    --------
    >>> fitting_test(Scores(measure="RR", values=[[1.0]], systems=("a",), topics=("1",), scale=Scale.ORDINAL))
    'sign'
    """
    return "paired_t" if need_of(find_test("paired_t")).met_by(scores) else "sign"


def _standing(scores: Scores, dominance: DominanceMatrix, asked: _Asked) -> Standing:
    means = scores.mean()
    summary = scores.mean(strict=asked.strict) if scores.scale >= Scale.INTERVAL else scores.median(strict=asked.strict)
    # averages that differ in the last bits alone are equal
    keys = np.round(np.column_stack([summary.values, means.values]), 12)
    order = sorted(range(len(scores.systems)), key=lambda place: (*(-keys[place]).tolist(), scores.systems[place]))
    pairs = asked.pairs(scores)
    found = effects(scores)
    differing = pairs.significant(asked.alpha)
    standing = Standing(
        scores=scores,
        summary=summary,
        means=means,
        order=tuple(order),
        pairs=pairs,
        alpha=asked.alpha,
        effects=found,
        robustness=mean_robustness(scores),
        letters=letters(differing, order) if asked.baseline is None else ("",) * len(order),
        claims=(),
        baseline=asked.baseline,
    )
    chosen = _chosen([scores.systems[place] for place in order], asked)
    claims = tuple(
        claim(scores, found.of, pairs, dominance, a, b, asked.alpha, decide=place < asked.top, rng=asked.rng)
        for place, (a, b) in enumerate(chosen)
    )
    return evolve(standing, claims=claims)


def _chosen(systems: Sequence[str], asked: _Asked) -> list[tuple[str, str]]:
    """Return the pairs to speak of: the baseline and every other system, or the best and the next ones."""
    if asked.baseline is None:
        return [(systems[0], other) for other in systems[1 : 1 + asked.top]]
    return [(other, asked.baseline) for other in systems if other != asked.baseline]
