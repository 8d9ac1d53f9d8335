"""Comparison: who is better, by how much, and whether saying so means anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.display.charts import Figure
from measurand.display.markup import html_text
from measurand.display.tables import Document, Legend
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.execution import Progress, Rng, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.around import innermost
from measurand.scales.meaning import mean_robustness
from measurand.scores import Scores, Summary, place_of
from measurand.statistics import ALPHA, AllPairs, effects, find_test, letters
from measurand.statistics.levels import level
from measurand.study.claims import claim
from measurand.study.comparison_plot import comparison_chart
from measurand.study.comparison_view import StandingView, legend, unanimous
from measurand.study.dominance import DominanceMatrix, dominance_matrix
from measurand.study.evaluation import asked_for, read_measures, tabulate
from measurand.study.standing import Standing, fitting_summary, fitting_test

AUTO = "auto"
"""The test that fits the scale: paired t where it admits means, the sign test elsewhere."""

TOP = 3
"""How many systems the best is compared with, in sentences."""

DRAWN = {"randomisation": "permutations", "randomised_tukey": "permutations", "bootstrap": "resamples"}
"""The tests that draw lots, and what they call these."""

LEAST, MOST = 10_000, 1_000_000
"""How many lots are drawn if nothing is said."""


@frozen(kw_only=True, eq=False, repr=False)
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
    baseline: str | None
    caveats: tuple[Caveat, ...]
    strict: bool = False

    def __repr__(self) -> str:
        measures = ", ".join(standing.scores.measure for standing in self.standings)
        return f"<SystemComparison: {len(self.dominance.systems)} systems under {measures}>"

    def of(self, measure: Measure | str) -> Standing:
        """Return how the systems stand under a measure that was asked for."""
        by_measure = {standing.scores.measure: standing for standing in self.standings}
        # a measure of one's own is known by name alone
        wanted = [str(measure)] if str(measure) in by_measure else map(repr, read_measures(measure).values())
        for spelling in wanted:
            if spelling in by_measure:
                return by_measure[spelling]
        known = ", ".join(by_measure)
        raise ParameterError(f"{measure} was not compared; there is {known}")

    def plot(self) -> Figure:
        """Return a drawing: on how many topics each system is ahead of the best, or of the baseline, or behind it.

        Examples
        --------
        >>> import measurand as md
        >>> md.compare(md.sample.qrels(), md.sample.runs(), "P@10").plot()
        Figure('On how many topics 12 systems are ahead or behind, under P@10.')
        """
        return Figure(comparison_chart(self.standings, self.dominance, self.baseline))

    def view(self, standing: Standing) -> StandingView:
        """Return how systems are shown under one of the measures: as rows, as a table, in sentences.

        Parameters
        ----------
        standing
            How they stand under the measure.
        """
        return StandingView(standing, self.dominance, self.baseline, self.strict)

    def document(self, *, matrix: bool = False) -> Document:
        """Return what the comparison shows: for every measure a table of systems, and what may be said of them.

        Parameters
        ----------
        matrix
            Whether the p-values of all pairs are shown as well.

        Examples
        --------
        >>> import measurand as md
        >>> print(md.compare(md.sample.qrels(), md.sample.runs(), "P@10").document().tables[0].title)
        P@10 · interval scale
        """
        parts = [part for standing in self.standings for part in self.view(standing).parts(matrix=matrix)]
        lower = any(standing.scores.lower_is_better for standing in self.standings)
        gains = any(caveat.doubt is Doubt.GAINS for caveat in self.caveats)
        lines = partial(legend, alpha=self.alpha, lower_is_better=lower, for_these_gains=gains)
        if len(self.dominance.systems) > 1:
            parts += [*unanimous(self.dominance), "", Legend(lines)]
        every = [*self.caveats, *self.dominance.caveats]
        for standing in self.standings:
            every += [*standing.summary.caveats, *standing.means.caveats, *standing.pairs.caveats]
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
            "measures": {each.scores.measure: self.view(each).to_dict() for each in self.standings},
            "dominance": {"depth": matrix.depth, "undominated": list(matrix.undominated())}
            | {name: each.tolist() for name, each in counts.items()},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _repr_html_(self) -> str:
        return html_text(self.document())


def compare(
    *inputs: Any,
    test: str = AUTO,
    adjust: str = "holm",
    alpha: float = ALPHA,
    baseline: str | None = None,
    top: int = TOP,
    strict: bool = False,
    draws: int | None = None,
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
        Refuse averages and tests that are not meaningful, and leave other such numbers out of tables.
    draws
        How many permutations or resamples, for tests that draw lots; by default 10,000, and more where many pairs
        are to be corrected for.
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
    level(alpha)
    if top < 0:
        raise ParameterError(f"top must be 0 or more, not {top}")
    judged, wanted = asked_for("compare", inputs, reading, progress)
    if baseline is not None:
        place_of(baseline, judged.systems)
    table = tabulate(judged, wanted, progress)
    # dominance keeps to trec_eval's order, and says so beside measures that do not
    ranked = judged.weak if any(measure.on_weak_orders for measure in wanted.values()) else judged
    dominance = dominance_matrix(ranked, depth=_depth(judged, wanted.values()), progress=progress)
    asked = _Asked(
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
    standings = [_standing(scores, dominance, asked) for scores in table]
    return SystemComparison(
        standings=tuple(standings),
        dominance=dominance,
        alpha=alpha,
        baseline=baseline,
        caveats=table.caveats,
        strict=strict,
    )


def _depth(judged: JudgedRuns, measures: Iterable[Measure]) -> int:
    """Return how many ranks matter: what the measures look at."""
    cutoffs = [innermost(measure).cutoff or judged.depth for measure in measures]
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
    draws: int | None
    rng: Rng
    progress: Progress

    def pairs(self, scores: Scores) -> AllPairs:
        """Return what the test says of all pairs, corrected."""
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


def _lettered(pairs: AllPairs, order: Sequence[int], asked: _Asked) -> Sequence[str]:
    return letters(pairs.significant(asked.alpha), order) if asked.baseline is None else [""] * len(order)


def _standing(scores: Scores, dominance: DominanceMatrix, asked: _Asked) -> Standing:
    pairs, means, found = asked.pairs(scores), scores.mean(), effects(scores)
    summary = fitting_summary(scores, pairs.needs, strict=asked.strict)
    order = _best_first(summary, means)
    standing = Standing(
        scores=scores,
        summary=summary,
        means=means,
        order=tuple(order),
        pairs=pairs,
        alpha=asked.alpha,
        effects=found,
        robustness=mean_robustness(scores),
        letters=dict(zip(scores.systems, _lettered(pairs, order, asked), strict=True)),
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
