"""A study: everything that a campaign and some measures have to say, gathered once and frozen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from measurand.display.charts import Figure
from measurand.display.markup import html_text
from measurand.display.tables import Document
from measurand.errors import Caveat
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.scores import Scores
from measurand.scores.summary import summaries_document
from measurand.study.agreement import Agreement, agreement
from measurand.study.comparison import SystemComparison
from measurand.study.coverage import Coverage, coverage
from measurand.study.fusions import Fusions
from measurand.study.pair_tests import PairTests, pair_tests
from measurand.study.places_chart import places_chart
from measurand.study.plan import Plan
from measurand.study.profile import Profile
from measurand.study.sources import Source
from measurand.study.stages import Stages, of_measures, read
from measurand.study.standing import Standing
from measurand.study.tie_effect import TieEffects
from measurand.study.unanimity import UnanimityTable


@frozen(kw_only=True, eq=False, repr=False)
class Study:
    """Everything that a campaign and some measures have to say.

    Parameters
    ----------
    plan
        What was asked for, and how.
    sources
        The files that were read, with their digests.
    judged
        The judged runs, by default with ties in trec_eval's order, and in groups for measures that are defined on weak
        orders.
    measures
        By spelling.
    raw, ranked
        The systems compared under the measures as they are, and on their interval scales; None if none has one.
    scaled
        By a measure's spelling: that of its interval-scaled self, where that can be had.
    tests
        What the tests say of all pairs, on either scale, before any correction.
    ties
        What the order of documents of equal score does to scores.
    unanimity
        How often measures tie where all agree; None for a single system.
    fusions
        What combining the runs gives; None for a single system, or if it was not asked for.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), "P@10", fuse=False)
    >>> study
    <Study: 12 systems × 50 topics under P@10>
    >>> study.standing("P@10").systems[0]
    'dense-3'
    """

    plan: Plan
    sources: tuple[Source, ...]
    judged: JudgedRuns
    measures: Mapping[str, Measure]
    raw: SystemComparison
    ranked: SystemComparison | None
    scaled: Mapping[str, str]
    tests: PairTests
    agreement: Agreement
    coverage: Coverage
    ties: TieEffects
    profiles: Mapping[str, Profile]
    unanimity: UnanimityTable | None
    fusions: Fusions | None
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        size = f"{len(self.systems)} systems × {len(self.topics)} topics"
        return f"<Study: {size} under {', '.join(self.measures)}>"

    @classmethod
    def from_files(
        cls,
        qrels: Any,
        runs: Any,
        measures: Measure | str | Iterable[Measure | str] | None = None,
        *,
        progress: Progress = silent,
        **plan: Any,
    ) -> Study:
        """Return the study of a campaign.

        Parameters
        ----------
        qrels, runs
            Anything that `read_qrels` and `read_runs` accept.
        measures
            The eight of `measurand.study.plan.MEASURES` if nothing is said.
        plan
            The options of `Plan`: `title`, `depth`, `topics`, `baseline`, `alpha`, `test`, `adjust`, `seed`, …
        """
        asked = Plan.of(measures, **plan)
        data = read(qrels, runs, asked, progress)
        stages = Stages(asked, data, progress)
        raw = stages.compared("comparing systems", asked.measures.values())
        scaled, unscaled = stages.interval_scales()
        ranked = stages.compared("comparing on interval scales", scaled.values()) if scaled else None
        own = {name: raw.of(name).scores for name in asked.measures}
        placed = {} if ranked is None else {name: ranked.of(repr(each)).scores for name, each in scaled.items()}
        return cls(
            plan=asked,
            sources=data.sources,
            judged=data.judged,
            measures=asked.measures,
            raw=raw,
            ranked=ranked,
            scaled={name: repr(each) for name, each in scaled.items()},
            tests=pair_tests(own, placed, progress),
            agreement=agreement(own, placed),
            coverage=coverage(data.judged),
            ties=stages.ties(),
            profiles=stages.profiles(),
            unanimity=stages.unanimity(),
            fusions=stages.fusions(raw),
            caveats=tuple(
                dict.fromkeys((*data.judged.caveats, *raw.caveats, *of_measures(own, data.judged), *unscaled))
            ),
        )

    def plot(self) -> Figure:
        """Return the drawing of the places of all systems under all measures."""
        return Figure(places_chart({name: self.standing(name).places for name in self.measures}))

    def document(self) -> Document:
        """Return what the study shows first: a number for every system and measure."""
        summaries = [(name, self.standing(name).summary) for name in self.measures]
        title = f"{repr(self)[1:-1]}, best first under {summaries[0][0]}"
        return summaries_document(title, summaries, caveats=self.caveats)

    def _repr_html_(self) -> str:
        return html_text(self.document())

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order in which they were read."""
        return self.judged.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the judgments."""
        return self.judged.topics

    def standing(self, measure: str) -> Standing:
        """Return how the systems stand under a measure as it is."""
        return self.raw.of(measure)

    def standing_on_interval(self, measure: str) -> Standing | None:
        """Return how the systems stand under a measure on its interval scale, if that can be had."""
        if self.ranked is None or measure not in self.scaled:
            return None
        return self.ranked.of(self.scaled[measure])

    def scores(self, measure: str) -> Scores:
        """Return the scores under a measure as it is."""
        return self.standing(measure).scores
