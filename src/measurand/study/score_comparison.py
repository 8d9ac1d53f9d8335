"""Comparison of scores that another tool computed: means, tests, κ; what needs rankings and judgments is left out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from attrs import frozen

from measurand.display.result import Result
from measurand.display.tables import Document, Legend, Paragraph, Part, TableView
from measurand.display.wording import counted
from measurand.errors import Caveat, about_data
from measurand.scores import Scores, Table
from measurand.scores.score_table import places_best_first
from measurand.scores.scores import rounding
from measurand.statistics import AllPairs, effects, sign
from measurand.statistics.multiple_comparisons import letters
from measurand.statistics.pairs import check_pairs
from measurand.study.certainty import with_sound_intervals
from measurand.study.comparison_settings import Settings
from measurand.study.lead import name_of_test
from measurand.study.margins import scale_margins
from measurand.study.measure_result import ScoresResult
from measurand.study.scale_paragraphs import scales_paragraph
from measurand.study.scores_view import OF_SCORES, legend, pair_fields

LEFT_OUT = (
    "Only scores are known here: levels, and what unjudged documents or wrong judgments could change, need the rankings"
    " and the judgments (compare QRELS RUN...)."
)
"""What a comparison of scores cannot say."""


@frozen(kw_only=True, eq=False, repr=False)
class ScoreComparison(Result):
    """Systems compared by scores that are known already.

    Parameters
    ----------
    results : tuple of ScoresResult
        One for each measure, the primary one first.
    alpha : float
        The level of significance.
    baseline : str or None
        The system that all others are compared with, if one was named.
    caveats : tuple of Caveat
        What is to be known of the scores.

    Examples
    --------
    >>> import measurand as md
    >>> table = md.evaluate(md.sample.qrels(), md.sample.runs()[:3], "P@10")
    >>> md.compare(table)
    <ScoreComparison: 3 systems under P@10>
    """

    results: tuple[ScoresResult, ...]
    alpha: float
    baseline: str | None = None
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        measures = ", ".join(result.scores.measure for result in self.results)
        return f"<ScoreComparison: {counted(len(self.primary.order), 'system')} under {measures}>"

    def __iter__(self) -> Iterator[ScoresResult]:
        return iter(self.results)

    def __getitem__(self, measure: object) -> ScoresResult:
        return self.of(measure)

    @property
    def primary(self) -> ScoresResult:
        """The result under the primary measure."""
        return self.results[0]

    @property
    def pairs(self) -> AllPairs:
        """The test of all pairs under the primary measure; `of(measure).pairs` has those of the others."""
        return self.primary.pairs

    def of(self, measure: object) -> ScoresResult:
        """Return the result under a measure that was compared.

        Parameters
        ----------
        measure : Measure or str
            The measure, or its spelling.
        """
        wanted = Table(by_measure={each.scores.measure: each.scores for each in self.results}).scores(measure)
        return next(each for each in self.results if each.scores is wanted)

    def document(self) -> Document:
        """Return what the comparison shows: a table of systems for each measure, and what may be said of them."""
        parts: list[Part] = []
        for result in self.results:
            parts += [_headline(result), "", *result.view.parts()]
        if len(self.primary.order) > 1:
            scales = scales_paragraph([each.scores for each in self.results], for_these_gains=False)
            lower = any(each.scores.lower_is_better for each in self.results)
            parts += [Paragraph(f"Scales: {scales}", indent=1), "", Paragraph(LEFT_OUT, indent=1), ""]
            parts.append(Legend(partial(legend, alpha=self.alpha, lower_is_better=lower)))
        every = [*self.caveats]
        for result in self.results:
            every += [*result.summary.caveats, *result.means.caveats, *result.pairs.caveats]
        return Document(parts, about_data(every))

    def _main(self) -> TableView:
        rows = [row for each in self.results for row in each.view.pair_rows()]
        return TableView([], rows, fields=pair_fields(OF_SCORES))

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as nested dictionaries and lists; numbers that are not finite are None.

        Examples
        --------
        >>> import measurand as md
        >>> table = md.evaluate(md.sample.qrels(), md.sample.runs()[:3], "P@10")
        >>> md.compare(table).to_dict()["measures"]["P@10"]["test"]["name"]
        'paired_t'
        """
        first = self.primary.scores
        return {
            "systems": list(first.systems),
            "topics": list(first.topics),
            "alpha": self.alpha,
            "baseline": self.baseline,
            "primary": first.measure,
            "measures": {each.scores.measure: each.view.to_dict() for each in self.results},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def _headline(result: ScoresResult) -> str:
    """Return who is ahead under a measure, and of whom for sure, in a sentence."""
    scores, systems = result.scores, result.systems
    if len(systems) < 2:
        return f"Under {scores.measure} there is nothing to compare {systems[0]} with."
    first, second = systems[:2] if result.baseline is None else (_other(result), result.baseline)
    at = scores.systems.index(first), scores.systems.index(second)
    shared = int(result.effects.topics[at])
    if not shared:
        return f"Under {scores.measure} {first} and {second} share no topic, so that they cannot be compared."
    places, difference = result.places, float(result.effects.mean_difference[at])
    if shared < len(scores.topics):  # their means are over different topics
        better = -difference if scores.lower_is_better else difference
        places = {first: -1 if better > 0 else 1, second: 0} if abs(better) > rounding(scores) else {}
    if places.get(first) == places.get(second):
        same = result.summary.statistic if shared == len(scores.topics) else f"mean on {counted(shared, 'topic')}"
        return f"Under {scores.measure} {first} and {second} have the same {same}."
    ahead, behind = sorted((first, second), key=places.__getitem__)
    apart = f"{behind} by {abs(difference):.4f} on {counted(shared, 'topic')}"
    if result.pairs.pvalues[at] > result.alpha:
        return f"Under {scores.measure} {ahead} is ahead of {apart}, which could be chance."
    if (result.pairs.statistic[at] > 0) == (ahead == first):
        return f"Under {scores.measure} {ahead} beats {apart}."
    return f"Under {scores.measure} {ahead} is ahead of {apart}, but the {name_of_test(result)} favours {behind}."


def _other(result: ScoresResult) -> str:
    """Return the best system that is not the baseline."""
    return next(system for system in result.systems if system != result.baseline)


def fields_of_scores(scores: Scores, settings: Settings) -> dict[str, Any]:
    """Return what the scores of systems under one measure tell, as the fields of a `ScoresResult`.

    Parameters
    ----------
    scores
        The scores under the measure.
    settings
        How to compare.
    """
    means, uncorrected = scores.mean(), settings.tested(scores)
    pairs = uncorrected.adjust(settings.adjust, baseline=settings.baseline)
    summary = scores.admitted(strict=True) if settings.strict else means
    order = places_best_first(summary, scores)
    alike = letters(pairs.significant(settings.alpha), order) if settings.baseline is None else [""] * len(order)
    return {
        "scores": scores,
        "summary": summary,
        "means": means,
        "order": tuple(order),
        "pairs": pairs,
        "uncorrected": uncorrected,
        "sign": uncorrected if uncorrected.test == sign.__name__ else sign(scores),
        "alpha": settings.alpha,
        "effects": with_sound_intervals(effects(scores), scores, pairs.test),
        "scale": scale_margins(scores),
        "letters": dict(zip(scores.systems, alike, strict=True)),
        "baseline": settings.baseline,
        "strict": settings.strict,
    }


def compare_table(table: Table, settings: Settings) -> ScoreComparison:
    """Return systems compared by their scores.

    Parameters
    ----------
    table
        The scores under each measure, the primary one first.
    settings
        How to compare.
    """
    check_pairs(len(table.systems), 0, len(table))
    return ScoreComparison(
        results=tuple(ScoresResult(**fields_of_scores(scores, settings)) for scores in table),
        alpha=settings.alpha,
        baseline=settings.baseline,
        caveats=table.caveats,
    )
