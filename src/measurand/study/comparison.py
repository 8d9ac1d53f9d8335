"""Comparison: who is better, by how much, and whether saying so means anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from measurand.deprecated import deprecate
from measurand.display.charts import Figure
from measurand.display.result import Result
from measurand.display.tables import Document, Legend, Paragraph, Part, TableView
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, ParameterError, about_data
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.campaigns import on_judged
from measurand.scores import Scores
from measurand.statistics import AllPairs
from measurand.study.claim import Claim, claims_of
from measurand.study.comparison_plot import comparison_chart
from measurand.study.comparison_settings import TOP, Settings
from measurand.study.comparison_view import PAIR_FIELDS, MeasureResultView
from measurand.study.conclusion import Conclusion, conclude
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.evaluation import known_as
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.levels_view import arrows, section, square
from measurand.study.margins.card import margins_parts
from measurand.study.measure_result import MeasureResult
from measurand.study.parameter_map import ParameterMap, map_parts, parameter_map
from measurand.study.reversing import ReversingMeasure, reversing_data, reversing_measures, reversing_parts
from measurand.study.scale_paragraphs import admitted_paragraph, scales_paragraph
from measurand.study.score_comparison import fields_of_scores
from measurand.study.scores_view import legend

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from measurand.study.margins.margins import Margins


@frozen(kw_only=True, eq=False, repr=False)
class SystemComparison(Result):
    """Systems compared under some measures, and without any.

    Parameters
    ----------
    results : tuple of MeasureResult
        One for each measure, the primary one first.
    described : tuple of Scores
        The scores of measures that say how much was judged (Judged, Unjudged): shown, never tested or ranked by.
    levels : LevelsMatrix
        For which measures each system is at least as good as each other.
    alpha : float
        The level of significance.
    baseline : str or None
        The system that all others are compared with, if one was named.
    caveats : tuple of Caveat
        What is to be known of the scores of all measures.
    strict : bool, default False
        Whether numbers that a scale does not admit are to be left out of what is shown.
    """

    results: tuple[MeasureResult, ...]
    levels: LevelsMatrix
    alpha: float
    baseline: str | None
    caveats: tuple[Caveat, ...]
    strict: bool = False
    described: tuple[Scores, ...] = ()

    def __repr__(self) -> str:
        measures = ", ".join(result.scores.measure for result in self.results)
        return f"<SystemComparison: {counted(len(self.dominance.systems), 'system')} under {measures}>"

    def __iter__(self) -> Iterator[MeasureResult]:
        return iter(self.results)

    def __getitem__(self, measure: Measure | str) -> MeasureResult:
        return self.of(measure)

    def __contains__(self, measure: Measure | str) -> bool:
        try:
            return self.of(measure) in self.results
        except ParameterError:
            return False

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for every pair of systems and measure: system, against, difference, p_corrected.

        There are more columns; `of(measure).to_polars()` has a row for every system.

        Examples
        --------
        >>> import measurand as md
        >>> frame = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").to_polars()
        >>> len(frame), frame["significant"].sum(), frame["system", "against"].rows()[0]
        (66, 32, ('rerank-2', 'rerank-1'))
        """
        return super().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for every pair of systems and measure: system, against, difference, p_corrected.

        There are more columns; `of(measure).to_pandas()` has a row for every system.
        """
        return super().to_pandas()

    def _main(self) -> TableView:
        return TableView([], [row for each in self.results for row in each.view.pair_rows()], fields=PAIR_FIELDS)

    @property
    def pairs(self) -> AllPairs:
        """The test of all pairs under the primary measure; `of(measure).pairs` has those of the others."""
        return self.primary.pairs

    @cached_property
    def conclusion(self) -> Conclusion:
        """What the comparison says: a headline, a few lines, and the numbers behind them."""
        return conclude(self)

    @property
    def dominance(self) -> DominanceMatrix:
        """How the runs compare topic by topic: on how many topics no two measures disagree."""
        return self.levels.dominance

    @property
    def primary(self) -> MeasureResult:
        """The result under the primary measure, the one that claims are made for."""
        return self.results[0]

    def of(self, measure: Measure | str) -> MeasureResult:
        """Return the result under a measure that was compared.

        Parameters
        ----------
        measure : Measure or str
            A measure that was compared, or its spelling.
        """
        by_measure = {result.scores.measure: result for result in self.results}
        # a measure of one's own is known by name alone
        wanted = [str(measure)] if str(measure) in by_measure else known_as(measure)
        for spelling in wanted:
            if spelling in by_measure:
                return by_measure[spelling]
        known = ", ".join(by_measure)
        if str(measure) in self.dominance.systems:
            raise ParameterError(f"{measure} is a system; its pairs are among those of to_pandas(), or of .pairs")
        raise ParameterError(f"{measure} was not compared; there is {known}")

    @property
    def standings(self) -> tuple[MeasureResult, ...]:
        """The results, by their former name."""
        deprecate("SystemComparison.standings", "SystemComparison.results")
        return self.results

    def plot(self) -> Figure:
        """Return a drawing: on how many topics each system is ahead of the best, or of the baseline, or behind it.

        Examples
        --------
        >>> import measurand as md
        >>> md.compare(md.sample.qrels(), md.sample.runs(), "P@10").plot()
        Figure('On how many topics 12 systems are ahead or behind, under P@10.')
        """
        return Figure(comparison_chart(self.results, self.dominance, self.baseline))

    def view(self, result: MeasureResult) -> MeasureResultView:
        """Return how systems are shown under one of the measures: as rows, as a table, in sentences.

        Parameters
        ----------
        result : MeasureResult
            How they stand under the measure.
        """
        return result.view

    def reversing(self) -> tuple[tuple[Claim, tuple[ReversingMeasure, ...]], ...]:
        """Return for each claim the measures that put the other system first, none where no measure does.

        Examples
        --------
        >>> import measurand as md
        >>> claim, (simplest, strongest) = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").reversing()[0]
        >>> claim.system, simplest.first, simplest.measure
        ('rerank-2', 'rerank-1', P(rel=3)@1)
        """
        return tuple(
            (each, reversing_measures(self.levels.of(*each.in_order)))
            for each in self.primary.claims
            if each.share_topics
        )

    def margins(self) -> tuple[Margins, ...]:
        """Return what would overturn the leading claims under the primary measure: the order, and the significance.

        There are those of the first three claims whose means differ, and of their significance where that is left after
        correction; every claim has its own as `margins` and `margins_of_significance`.

        Examples
        --------
        >>> import measurand as md
        >>> found = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").margins()[0]
        >>> found.ahead, found.claim, found.topics.value
        ('rerank-2', 'order', 7)
        """
        leading = self.primary.claims[:TOP]
        each = ((claim.margins, claim.margins_of_significance if claim.significant else None) for claim in leading)
        return tuple(found for both in each for found in both if found is not None)

    def maps(self, *measures: Measure | str) -> tuple[ParameterMap, ...]:
        """Return for each claim and measure which system is ahead for which value of the parameter of the measure.

        Parameters
        ----------
        *measures : Measure or str
            Additive measures: RBP and gRBP are mapped over p, others over the cutoff.

        Examples
        --------
        >>> import measurand as md
        >>> print(md.compare(md.sample.qrels(), md.sample.runs(), "P@10").maps("RBP")[0].sentence)
        rerank-2 is ahead for every p
        """
        judged, depth = self.levels.judged, self.levels.depth
        return tuple(
            parameter_map(judged, *each.in_order, measure, depth=depth)
            for each in self.primary.claims
            if each.share_topics
            for measure in measures
        )

    def document(
        self,
        *,
        matrix: bool = False,
        admitted: bool = False,
        levels: bool = False,
        reversing: bool = False,
        maps: Iterable[Measure | str] = (),
    ) -> Document:
        """Return what the comparison shows: its conclusion, and a table of systems for each measure.

        Parameters
        ----------
        matrix : bool, default False
            Whether the p-values of all pairs are shown as well.
        admitted : bool, default False
            Whether tables have a column of what the scale admits as well: the median, or the mean rank within topics.
        levels : bool, default False
            Whether the level of every pair is shown as well, and who is ahead of whom at each level.
        reversing : bool, default False
            Whether for each claim the measures are shown that put the other system first.
        maps : iterable of Measure or str
            The measures of which it is shown for each claim who is ahead for which value of their parameter.

        Examples
        --------
        >>> import measurand as md
        >>> print(md.compare(md.sample.qrels(), md.sample.runs(), "P@10").document().tables[0].title)
        P@10 · 50 topics
        """
        parts: list[Part] = [*self.conclusion.parts(), ""]
        for place, result in enumerate(self.results):
            parts += self.view(result).parts(matrix=matrix, admitted=admitted, claims=place == 0, concluded=True)
            if place == 0:
                parts += margins_parts(self.margins(), len(result.claims) - TOP, alone=result.compared > 1)
        lower = any(each.scores.lower_is_better for each in self.results)
        lines = partial(legend, alpha=self.alpha, lower_is_better=lower, levels=self.levels)
        if len(self.dominance.systems) > 1:
            measures = {each.scores.measure: each.scored_by for each in self.results}
            parts += [*self._about_measures(), *section(self.levels, measures, self.primary.systems[0])]
            if levels:
                parts += ["", square(self.levels, self.primary.order), *arrows(self.levels, self.primary.order)]
            parts += [*(reversing_parts(self.reversing()) if reversing else ()), *map_parts(self.maps(*maps))]
            parts += ["", Legend(lines)]
        every = [*self.caveats, *self.dominance.caveats]
        for result in self.results:
            every += [*result.summary.caveats, *result.means.caveats, *result.pairs.caveats]
        return Document(parts, about_data(every))

    def _about_measures(self) -> Iterator[Part]:
        """Return what holds for all measures: what their scales admit."""
        gains = any(caveat.kind is CaveatKind.GAINS for caveat in self.caveats)
        if self.strict:
            yield Paragraph(f"Strict: {admitted_paragraph(self.results)}", indent=1)
        else:
            several = [result.scores for result in self.results]
            yield Paragraph(f"Scales: {scales_paragraph(several, for_these_gains=gains)}", indent=1)
        yield ""

    def to_dict(
        self, *, reversing: bool = False, maps: Iterable[Measure | str] = (), margins: bool = True
    ) -> dict[str, Any]:
        """Return the comparison as nested dictionaries and lists; numbers that are not finite are None.

        Parameters
        ----------
        reversing : bool, default False
            Whether there are the measures, too, that put the other system of a claim first.
        maps : iterable of Measure or str
            The measures of which there is a map for each claim.
        margins : bool, default True
            Whether it is looked at what would overturn the leading claims.

        Examples
        --------
        >>> import measurand as md
        >>> data = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").to_dict()
        >>> data["measures"]["P@10"]["test"]["name"], data["measures"]["P@10"]["systems"][0]["system"]
        ('paired_t', 'rerank-2')
        """
        matrix = self.dominance
        more: dict[str, Any] = {"reversing": reversing_data(self.reversing())} if reversing else {}
        if found := self.maps(*maps):
            more["maps"] = [each.to_dict() for each in found]
        counts = {"wins": matrix.wins, "ties": matrix.ties, "losses": matrix.losses, "undecided": matrix.incomparable}
        return {
            "systems": list(matrix.systems),
            "topics": list(matrix.topics),
            "alpha": self.alpha,
            "baseline": self.baseline,
            "primary": self.primary.scores.measure,
            "conclusion": self.conclusion.to_dict(),
            "measures": {each.scores.measure: self.view(each).to_dict() for each in self.results},
            "described": {each.measure: each.mean().to_dict() for each in self.described},
            "levels": self.levels.to_dict(),
            "margins": [each.to_dict() for each in self.margins()] if margins else [],
            "dominance": {"depth": matrix.depth, "undominated": list(matrix.undominated())}
            | {name: each.tolist() for name, each in counts.items()},
            **more,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def compare_scores(
    judged: JudgedRuns,
    measures: Iterable[Measure],
    scores: Iterable[Scores],
    settings: Settings,
    caveats: tuple[Caveat, ...] = (),
    known: LevelsMatrix | None = None,
) -> SystemComparison:
    """Return systems compared by scores that are known already.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs that were scored.
    measures : iterable of Measure
        The measures that they were scored by.
    scores : iterable of Scores
        The scores under each measure.
    settings : Settings
        How to compare.
    caveats : tuple of Caveat
        What is to be known of the scores.
    known : LevelsMatrix, optional
        The levels of the systems, where they are known; they are computed anew if they are of other runs.
    """
    wanted = list(measures)
    described = {repr(measure) for measure in wanted if measure.about_judgments}
    # levels keep to trec_eval's order, which is noted beside measures that do not
    ranked = judged.weak if any(measure.on_weak_orders for measure in wanted) else judged
    levels = known if known is not None and known.judged is ranked else settings.levels(ranked)
    several = list(zip(wanted, scores, strict=True))
    shown = tuple(each for _, each in several if each.measure in described)
    compared = [(measure, each) for measure, each in several if each.measure not in described]
    return SystemComparison(
        # what was judged stands beside the primary measure alone
        results=tuple(
            result_under(judged, measure, each, levels, settings, () if place else shown)
            for place, (measure, each) in enumerate(compared)
        ),
        levels=levels,
        alpha=settings.alpha,
        baseline=settings.baseline,
        caveats=caveats,
        strict=settings.strict,
        described=shown,
    )


def result_under(
    judged: JudgedRuns,
    measure: Measure,
    scores: Scores,
    levels: LevelsMatrix,
    settings: Settings,
    described: tuple[Scores, ...] = (),
) -> MeasureResult:
    """Return the comparison of the systems under one measure.

    Parameters
    ----------
    judged
        The judged runs that were scored.
    measure
        The measure.
    scores
        The scores under the measure.
    levels
        For which measures each system is at least as good as each other, which claims quote.
    settings
        How to compare.
    described
        The scores of measures that say how much was judged, which are shown beside.
    """
    compared, measure = fields_of_scores(scores, settings), on_judged(measure, judged)
    result = MeasureResult(**compared, levels=levels, claims=(), judged=judged, scored_by=measure, described=described)
    return evolve(result, claims=claims_of(result, settings.top))
