"""Comparison: who is better, by how much, and whether saying so means anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.deprecated import deprecate
from measurand.display.charts import Figure
from measurand.display.markup import html_text
from measurand.display.tables import Document, Legend
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.execution import Progress, Rng, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.around import innermost
from measurand.scales.meaning import mean_robustness
from measurand.scores import Scores, Summary, place_of
from measurand.statistics import ALPHA, AllPairs, effects, find_test
from measurand.statistics.multiple_comparisons import letters, level
from measurand.study.comparison_plot import comparison_chart
from measurand.study.comparison_view import MeasureResultView, legend, unanimous
from measurand.study.dominance import DominanceMatrix, dominance_matrix
from measurand.study.evaluation import given_inputs, read_inputs, read_measures, tabulate
from measurand.study.measure_result import MeasureResult, claim, fitting_summary, fitting_test

AUTO = "auto"
"""The test that fits the scale: paired t where it admits means, the sign test elsewhere."""

TOP = 3
"""How many systems the best is compared with, in sentences."""

DRAWN = {"randomisation": "permutations", "randomised_tukey": "permutations", "bootstrap": "resamples"}
"""The tests that draw lots, and what they call these."""

LEAST, MOST = 10_000, 1_000_000
"""How many lots are drawn by default, at least and at most."""


@frozen(kw_only=True, eq=False, repr=False)
class SystemComparison:
    """Systems compared under some measures, and without any.

    Parameters
    ----------
    results : tuple of MeasureResult
        One for each measure, in the order in which they were given.
    dominance : DominanceMatrix
        What holds under every measure that respects replacement and swap.
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
    dominance: DominanceMatrix
    alpha: float
    baseline: str | None
    caveats: tuple[Caveat, ...]
    strict: bool = False

    def __repr__(self) -> str:
        measures = ", ".join(result.scores.measure for result in self.results)
        return f"<SystemComparison: {len(self.dominance.systems)} systems under {measures}>"

    def of(self, measure: Measure | str) -> MeasureResult:
        """Return the result under a measure that was compared.

        Parameters
        ----------
        measure : Measure or str
            A measure that was compared, or its spelling.
        """
        by_measure = {result.scores.measure: result for result in self.results}
        # a measure of one's own is known by name alone
        wanted = [str(measure)] if str(measure) in by_measure else map(repr, read_measures(measure).values())
        for spelling in wanted:
            if spelling in by_measure:
                return by_measure[spelling]
        known = ", ".join(by_measure)
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
        return MeasureResultView(result, self.dominance, self.baseline, self.strict)

    def document(self, *, matrix: bool = False) -> Document:
        """Return what the comparison shows: for every measure a table of systems, and what may be said of them.

        Parameters
        ----------
        matrix : bool, default False
            Whether the p-values of all pairs are shown as well.

        Examples
        --------
        >>> import measurand as md
        >>> print(md.compare(md.sample.qrels(), md.sample.runs(), "P@10").document().tables[0].title)
        P@10 · interval scale
        """
        parts = [part for result in self.results for part in self.view(result).parts(matrix=matrix)]
        lower = any(result.scores.lower_is_better for result in self.results)
        gains = any(caveat.kind is CaveatKind.GAINS for caveat in self.caveats)
        lines = partial(legend, alpha=self.alpha, lower_is_better=lower, for_these_gains=gains)
        if len(self.dominance.systems) > 1:
            parts += [*unanimous(self.dominance), "", Legend(lines)]
        every = [*self.caveats, *self.dominance.caveats]
        for result in self.results:
            every += [*result.summary.caveats, *result.means.caveats, *result.pairs.caveats]
        return Document(parts, every)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as nested dictionaries and lists; numbers that are not finite are None.

        Examples
        --------
        >>> import measurand as md
        >>> data = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").to_dict()
        >>> data["measures"]["P@10"]["test"]["name"], data["measures"]["P@10"]["systems"][0]["system"]
        ('paired_t', 'dense-3')
        """
        matrix = self.dominance
        counts = {"wins": matrix.wins, "ties": matrix.ties, "losses": matrix.losses, "undecided": matrix.incomparable}
        return {
            "systems": list(matrix.systems),
            "topics": list(matrix.topics),
            "alpha": self.alpha,
            "baseline": self.baseline,
            "measures": {each.scores.measure: self.view(each).to_dict() for each in self.results},
            "dominance": {"depth": matrix.depth, "undominated": list(matrix.undominated())}
            | {name: each.tolist() for name, each in counts.items()},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _repr_html_(self) -> str:
        return html_text(self.document())


def compare(
    qrels: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    test: str = AUTO,
    adjust: str = "holm",
    alpha: float = ALPHA,
    baseline: str | None = None,
    top: int = TOP,
    strict: bool = False,
    draws: int | None = None,
    rng: Rng = 0,
    names: str = "tag",
    depth: int | None = None,
    ties: str | None = None,
    precision: str = "double",
    missing_topics: str = "zero",
    grade_scale: str | None = None,
    progress: Progress = silent,
) -> SystemComparison:
    """Return who is better under each measure, whether that is significant, and whether it means anything.

    Call it as `compare(judged, measures)` or as `compare(qrels, runs, measures)`, like `evaluate`, with the same
    options for reading and judging.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures.
    test : str, default "auto"
        A test of `measurand.statistics`, such as "t" or "friedman"; "auto" takes the paired t test where the scale
        admits means over topics, and the sign test elsewhere.
    adjust : {"holm", "bonferroni", "bh", "none"}
        How p-values are corrected for the number of pairs: "holm", "bonferroni", "bh" or "none". Tests with Tukey's
        correction are left as they are.
    alpha : float, default 0.05
        The level of significance.
    baseline : str, optional
        The system that all others are compared with, and p-values corrected for these comparisons alone; by
        default the best is compared with the next `top`.
    top : int, default 3
        For how many pairs to check the decision of a test that the scale does not admit; and, without a baseline,
        for how many pairs there are claims.
    strict : bool, default False
        Refuse averages and tests that are not meaningful, and leave other such numbers out of tables.
    draws : int, optional
        How many permutations or resamples, for tests that draw lots; by default 10,000, and more where many pairs
        are to be corrected for.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers, for tests that draw lots.
    names : {"tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

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
    level(alpha)
    if top < 0:
        raise ParameterError(f"top must be 0 or more, not {top}")
    inputs, reading = given_inputs(
        qrels,
        runs,
        measures,
        names=names,
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
    )
    judged, wanted = read_inputs("compare", inputs, reading, progress)
    if baseline is not None:
        place_of(baseline, judged.systems)
    table = tabulate(judged, wanted, progress)
    settings = Settings(
        test=test,
        adjust=adjust,
        alpha=alpha,
        baseline=baseline,
        top=top,
        strict=strict,
        draws=draws,
        rng=rng,
        progress=progress,
    )
    return compare_scores(judged, wanted.values(), tuple(table), settings, table.caveats)


def compare_scores(
    judged: JudgedRuns,
    measures: Iterable[Measure],
    scores: Iterable[Scores],
    settings: Settings,
    caveats: tuple[Caveat, ...] = (),
    dominance: DominanceMatrix | None = None,
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
    dominance : DominanceMatrix, optional
        The dominance of the systems, where it is known; it is computed if it is of other runs or of another depth.
    """
    wanted = list(measures)
    # dominance keeps to trec_eval's order, which is noted beside measures that do not
    ranked = judged.weak if any(measure.on_weak_orders for measure in wanted) else judged
    depth = _depth(judged, wanted)
    if dominance is None or dominance.judged is not ranked or dominance.depth != depth:
        dominance = dominance_matrix(ranked, depth=depth, progress=settings.progress)
    return SystemComparison(
        results=tuple(_result(each, dominance, settings) for each in scores),
        dominance=dominance,
        alpha=settings.alpha,
        baseline=settings.baseline,
        caveats=caveats,
        strict=settings.strict,
    )


def _depth(judged: JudgedRuns, measures: Iterable[Measure]) -> int:
    """Return how many ranks matter: the largest cutoff of the measures."""
    cutoffs = [innermost(measure).cutoff or judged.depth for measure in measures]
    return min(judged.depth, max(cutoffs))


@frozen(kw_only=True)
class Settings:
    """How systems are compared: the options of `compare`."""

    test: str = AUTO
    adjust: str = "holm"
    alpha: float = ALPHA
    baseline: str | None = None
    top: int = TOP
    strict: bool = False
    draws: int | None = None
    rng: Rng = 0
    progress: Progress = silent

    def pairs(self, scores: Scores) -> AllPairs:
        """Return the test of all pairs, corrected."""
        test = find_test(fitting_test(scores) if self.test == AUTO else self.test)
        options: dict[str, Any] = {}
        if test.__name__ in DRAWN:
            lots = self._lots(test.__name__, len(scores.systems))
            options = {"rng": self.rng, "progress": self.progress, DRAWN[test.__name__]: lots}
        found = test(scores, strict=self.strict, **options)
        return found.adjust(self.adjust, baseline=self.baseline)

    def _lots(self, test: str, systems: int) -> int:
        """Return how many lots to draw: enough that a corrected p-value can be small."""
        if self.draws is not None:
            return self.draws
        pairs = systems * (systems - 1) // 2 if self.baseline is None else systems - 1
        counts = self.adjust in ("holm", "bonferroni") and test != "randomised_tukey"
        return min(MOST, max(LEAST, ceil(2 * pairs / self.alpha))) if counts else LEAST


def _best_first(summary: Summary, means: Summary) -> list[int]:
    """Return the places of systems, best first; those that tie by their means, then by name."""
    keys = np.column_stack([-summary.settled, -means.settled]).tolist()
    return sorted(range(len(keys)), key=lambda place: (*keys[place], summary.systems[place]))


def _lettered(pairs: AllPairs, order: Sequence[int], settings: Settings) -> Sequence[str]:
    return letters(pairs.significant(settings.alpha), order) if settings.baseline is None else [""] * len(order)


def _result(scores: Scores, dominance: DominanceMatrix, settings: Settings) -> MeasureResult:
    pairs, means, found = settings.pairs(scores), scores.mean(), effects(scores)
    summary = fitting_summary(scores, pairs.needs, strict=settings.strict)
    order = _best_first(summary, means)
    result = MeasureResult(
        scores=scores,
        summary=summary,
        means=means,
        order=tuple(order),
        pairs=pairs,
        alpha=settings.alpha,
        effects=found,
        robustness=mean_robustness(scores),
        letters=dict(zip(scores.systems, _lettered(pairs, order, settings), strict=True)),
        claims=(),
        baseline=settings.baseline,
    )
    chosen = _chosen([scores.systems[place] for place in order], settings)
    claims = tuple(
        claim(scores, found.of, pairs, dominance, a, b, settings.alpha, decide=place < settings.top, rng=settings.rng)
        for place, (a, b) in enumerate(chosen)
    )
    return evolve(result, claims=claims)


def _chosen(systems: Sequence[str], settings: Settings) -> list[tuple[str, str]]:
    """Return the pairs that claims are made of: the baseline and every other system, or the best and the next ones."""
    if settings.baseline is None:
        return [(systems[0], other) for other in systems[1 : 1 + settings.top]]
    return [(other, settings.baseline) for other in systems if other != settings.baseline]
