"""The result of a comparison under one measure: means, tests of all pairs, margins of scale, claims on pairs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.deprecated import moved
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.display.wording import counted
from measurand.errors import about_data
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.scores import Scores, Summary
from measurand.statistics import AllPairs, Effects, find_test, need_of
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.statistics.simultaneous import SimultaneousInterval, to_best, to_reference
from measurand.study.certainty import all_alike, deciding_alphas
from measurand.study.claim import Claim
from measurand.study.comparison_view import MeasureResultView
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.margins import ScaleMargins
from measurand.study.scale_paragraphs import admitted_paragraph, scales_paragraph
from measurand.study.scores_view import ScoresView
from measurand.study.summary_interval import range_of

if TYPE_CHECKING:
    from measurand.study.margins.matrix import MarginsMatrix


@frozen(kw_only=True, eq=False, repr=False)
class ScoresResult(Result):
    """The comparison of the systems by their scores under one measure.

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
    letters : mapping of str to str
        The letters of each system: two that share one do not differ significantly. With a baseline there are none,
        because other pairs are not tested.
    baseline : str or None
        The system of which all counted pairs are, if one was named; pairs without it are not tested.
    strict : bool
        Whether numbers that the scale does not admit are left out of what is shown.
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
    letters: Mapping[str, str]
    baseline: str | None = None
    strict: bool = False

    @property
    def view(self) -> ScoresView:
        """How the systems are shown: as rows, as a table, in sentences."""
        return ScoresView(self, self.strict)

    @cached_property
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

    @cached_property
    def simultaneous(self) -> SimultaneousInterval | None:
        """The intervals of the differences to the baseline or to the best that all hold at once.

        There are none of fewer than three systems, where systems are not ordered by their means, and beside another
        test than the t test, because they are t intervals but for their factor.
        """
        if len(self.order) < 3 or not self.by_means or self.pairs.test != "paired_t":
            return None
        found = to_best(self.scores, self.systems[0]) if self.baseline is None else None
        found = found or to_reference(self.scores, str(self.baseline))
        low, high = range_of(self.scores)
        return evolve(found, low=np.maximum(found.low, low - high), high=np.minimum(found.high, high - low))

    @cached_property
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

    def _main(self) -> TableView:
        return self.view.table()

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} under {self.scores.measure}: {self.systems[0]} first of {len(self.order)} systems>"
        )

    @cached_property
    def alike(self) -> BoolArray:
        """Which two systems differ by the same amount on all topics that both have, of two at least."""
        return all_alike(self.scores)

    @cached_property
    def deciding_alphas(self) -> FloatArray:
        """The level of significance that p before correction had to reach, or would have to; NaN for untested pairs."""
        return deciding_alphas(self.pairs, self.alpha)

    @property
    def compared(self) -> int:
        """How many pairs are compared: all, or those with the baseline."""
        return int(self._counted.sum())

    @property
    def corrected_for(self) -> int:
        """For how many pairs p-values are corrected: Tukey's method corrects for all, whatever is compared."""
        n = len(self.order)
        return n * (n - 1) // 2 if self.pairs.adjusted == TUKEY else self.compared

    @property
    def scale_proof(self) -> int:
        """How many pairs have an order of means that no increasing rescaling, one for all topics, changes."""
        return int((self._counted & self.scale.proof).sum())

    @property
    def significant(self) -> int:
        """How many pairs differ significantly."""
        return int(self._differing.sum())

    @property
    def significant_and_scale_proof(self) -> int:
        """How many pairs differ significantly and have such an order."""
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
        """How many pairs differ significantly, and how many orders are scale-proof, in a sentence.

        Where every topic has a scale of its own, it is said how many orders are the same however much each counts.
        """
        whose = WHOSE.get(self.pairs.adjusted, "")
        after = f", after {whose} correction" if whose and self.compared > 1 else ""
        found = f"{self.significant:,} of {counted(self.compared, 'pair')} "
        found += (
            f"{'differs' if self.significant == 1 else 'differ'} significantly"
            f" (p ≤ {self.alpha:g}, {self.pairs.needs.statistic}{after})"
        )
        if self.scale.interval or not self.by_means:
            return f"{found}."
        number, significant, what = self.scale_proof, self.significant_and_scale_proof, "scale-proof"
        if self.scale.weights is not None:
            same = np.isinf(self.scale.weights)
            number, significant = int((self._counted & same).sum()), int((self._differing & same).sum())
            what = "the same however much each topic counts"
            if not number:
                return f"{found}. The order of no pair is {what}."
        proof = f"The order of {number:,} of {counted(self.compared, 'pair')} is {what}"
        sure = counted(self.significant, "significant pair")
        among = f"; so is that of {significant:,} of the {sure}" if self.significant else ""
        return f"{found}. {proof}{among}."


@frozen(kw_only=True, eq=False, repr=False)
class MeasureResult(ScoresResult):
    """The comparison of the systems under one measure.

    Parameters
    ----------
    scores, summary, means, order, pairs, uncorrected, sign, alpha, effects, scale, letters, baseline, strict
        As in `ScoresResult`.
    levels : LevelsMatrix
        For which measures each system is at least as good as each other.
    claims : tuple of Claim
        What is said of the leader and the next, or of every system and the baseline.
    judged : JudgedRuns
        The judged runs that were scored.
    scored_by : Measure
        The measure that scored them.
    described : tuple of Scores
        The scores of measures that say how much was judged, which are shown beside.
    """

    levels: LevelsMatrix
    claims: tuple[Claim, ...]
    judged: JudgedRuns
    scored_by: Measure
    described: tuple[Scores, ...] = ()

    @property
    def view(self) -> MeasureResultView:
        """How the systems are shown: as rows, as a table, in sentences."""
        return MeasureResultView(result=self, dominance=self.dominance, strict=self.strict, described=self.described)

    @property
    def dominance(self) -> DominanceMatrix:
        """How the runs compare topic by topic: on how many topics no two measures disagree."""
        return self.levels.dominance

    @cached_property
    def margins_matrix(self) -> MarginsMatrix:
        """What would overturn the order of every two means: the margins that are quick for many pairs at once.

        p-values are those of the test of the comparison, each pair taken alone.
        """
        from measurand.study.margins.matrix import matrix_of_scores  # loaded when something asks

        # margins of scale are on the topics that both have
        kappa = None if np.isnan(self.scores.values).any() else self.scale.kappa
        return matrix_of_scores(
            self.judged, self.scored_by, self.scores, self.uncorrected, alpha=self.alpha, kappa=kappa
        )


def fitting_test(scores: Scores) -> str:
    """Return the name of the test that fits the scale of scores.

    Parameters
    ----------
    scores
        The scores.

    Examples
    --------
    >>> fitting_test(Scores(measure="RR", values=[[1.0]], systems=("a",), topics=("1",), scale="ordinal"))
    'sign'
    """
    return "paired_t" if need_of(find_test("paired_t")).met_by(scores) else "sign"


__getattr__ = moved(__name__, {"Standing": "measurand.study.measure_result.MeasureResult"})
