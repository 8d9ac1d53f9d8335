"""A study: all results of a campaign under some measures, computed stage by stage and frozen.

The stages are reading and comparing; testing, profiling, fusing follow when something asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

from attrs import evolve, field, frozen

from measurand.calls import explains_calls
from measurand.deprecated import deprecate
from measurand.display.charts import Figure
from measurand.display.result import Result
from measurand.display.tables import Document
from measurand.display.wording import capitalised, counted, listed
from measurand.display.writing import PathLike
from measurand.errors import Caveat, CaveatKind, about_data
from measurand.execution import Progress, check_progress, silent
from measurand.judged import JudgedRuns
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike
from measurand.scale import GradeScale
from measurand.scores import Scores, Table
from measurand.statistics import ALPHA, AllPairs
from measurand.study.both_scales import (
    RANKED,
    RAW,
    Agreement,
    Kind,
    OnIntervalScale,
    PairTests,
    agreement,
    on_interval_scales,
    pair_tests,
)
from measurand.study.campaign_data import CampaignData, read_campaign, reading_of, stored_campaign
from measurand.study.compare import compare
from measurand.study.comparison import SystemComparison, compare_scores
from measurand.study.comparison_settings import TEST, TOP, Adjust, Settings
from measurand.study.conclusion import Conclusion
from measurand.study.coverage import Coverage, coverage
from measurand.study.evaluation import averaging_caveats, gains_caveats, read_measures
from measurand.study.fusions import Fusions, fusions
from measurand.study.measure_result import MeasureResult
from measurand.study.places_chart import places_chart
from measurand.study.plan import Plan, Source
from measurand.study.profile import Profile, profile
from measurand.study.scale_paragraphs import admitted_paragraph, ordered_by, scales_paragraph
from measurand.study.store.score_store import ScoreStore, open_scores
from measurand.study.tie_effect import TieEffects, tie_effect
from measurand.study.unanimity import unanimity
from measurand.study.unanimity_table import UnanimityTable
from measurand.trec import Names, QrelsLike, Queries, QueriesLike, RunsLike

if TYPE_CHECKING:
    from measurand.study.margins.matrix import MarginsMatrix

Found = TypeVar("Found")

PROFILED = 10
"""On runs of how many ranks measures are profiled, at most."""


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class Study(Result):
    """All results of a campaign under some measures.

    Parameters
    ----------
    plan : Plan
        The measures and options.
    sources : tuple of Source
        The files that were read, with their digests.
    judged : JudgedRuns
        The judged runs, by default with ties in trec_eval's order, and in groups for measures that are defined on weak
        orders.
    measures : mapping of str to Measure
        By spelling.
    raw, ranked : SystemComparison, and SystemComparison or None
        The systems compared under the measures as they are, and on their interval scales; None if these were not
        wanted or none has one.
    scaled : mapping of str to str
        By a measure's spelling: that of its interval-scaled self, where that can be had.
    caveats : tuple of Caveat
        What is to be known of the data and the measures.
    queries : Queries
        The texts of topics, by topic; empty if none were given.
    stages : Stages
        What computes the rest, each part when it is first asked for.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), "P@10", fuse=False)
    >>> study
    <Study: 12 systems × 50 topics under P@10>
    >>> study.result("P@10").systems[0]
    'rerank-2'
    """

    plan: Plan
    sources: tuple[Source, ...]
    judged: JudgedRuns
    measures: Mapping[str, Measure]
    raw: SystemComparison
    ranked: SystemComparison | None
    scaled: Mapping[str, str]
    caveats: tuple[Caveat, ...]
    _stages: Stages
    queries: Queries = field(factory=Queries)

    def __repr__(self) -> str:
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        return f"<Study: {size} under {listed(list(self.measures), 4)}>"

    @classmethod
    @explains_calls
    def from_files(
        cls,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike | None = None,
        *,
        primary: Measure | str | None = None,
        title: str | None = None,
        depth: int | None = None,
        topics: str | Sequence[str] | None = None,
        queries: QueriesLike | None = None,
        baseline: str | None = None,
        test: str = TEST,
        adjust: Adjust = "holm",
        alpha: float = ALPHA,
        strict: bool = False,
        names: Names = "auto",
        precision: PrecisionLike = "double",
        ties: TiesLike | None = None,
        missing_topics: MissingTopicsLike = "zero",
        grade_scale: GradeScale | None = None,
        top: int = TOP,
        interval: bool = False,
        fuse: bool = True,
        seed: int = 0,
        progress: Progress = silent,
    ) -> Study:
        """Return the study of a campaign.

        Parameters
        ----------
        qrels, runs : path, frame, dict, or several
            Anything that `read_qrels` and `read_runs` accept.
        measures : Measure or str, or an iterable of these, optional
            By default nDCG@10, AP, P@10 and RR, with Judged@10 beside them.
        primary : Measure or str, optional
            The measure that claims are made for; by default the first.
        title : str, optional
            What to call the study.
        depth : int, optional
            How many ranks of each run are used, by default all.
        topics : str or sequence of str, optional
            The topics to use, or patterns such as `MB1*`; a text may name several, with commas between.
        queries : path, open file, frame, dict or Queries, optional
            The texts of topics, in any form that `read_queries` accepts.
        baseline : str, optional
            The system that all others are compared with; by default every two systems are compared.
        test, adjust, alpha
            How pairs are tested, as for `compare`.
        strict : bool, default False
            Replace what the scale of a measure does not admit by what it admits (the median or the mean rank for the
            mean, the sign test for the t test), and refuse a test that was asked for by name.
        names, precision, missing_topics, grade_scale
            How runs are read and judged, as for `judge`.
        ties : str, optional
            How documents of equal score are ordered, as for `judge`; but not "file".
        top : int, default 3
            For how many pairs there are claims under each measure.
        interval : bool, default False
            Whether to look at the measures on their interval scales as well, which takes a cutoff.
        fuse : bool, default True
            Whether to fuse the runs and judge the fusions.
        seed : int, default 0
            The seed of random numbers.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
        """
        check_progress(progress)
        plan = Plan.of(
            measures,
            primary=primary,
            title=title,
            depth=depth,
            topics=topics,
            queries=queries,
            baseline=baseline,
            test=test,
            adjust=adjust,
            alpha=alpha,
            strict=strict,
            names=names,
            precision=precision,
            ties=ties,
            missing_topics=missing_topics,
            grade_scale=grade_scale,
            top=top,
            interval=interval,
            fuse=fuse,
            seed=seed,
        )
        study = cls._of(plan, read_campaign(qrels, runs, plan, progress, queries), progress)
        asked = [each for each in (measures, primary) if each is not None]
        geometric = averaging_caveats(measure for each in asked for measure in read_measures(each).values())
        return evolve(study, caveats=tuple(dict.fromkeys((*study.caveats, *geometric))))

    @classmethod
    @explains_calls
    def from_store(
        cls,
        store: ScoreStore | PathLike,
        measures: MeasuresLike | None = None,
        *,
        systems: str | Sequence[str] | None = None,
        primary: Measure | str | None = None,
        title: str | None = None,
        queries: QueriesLike | None = None,
        baseline: str | None = None,
        test: str = TEST,
        adjust: Adjust = "holm",
        alpha: float = ALPHA,
        strict: bool = False,
        top: int = TOP,
        interval: bool = False,
        seed: int = 0,
        progress: Progress = silent,
    ) -> Study:
        """Return the study of stored scores: of all systems where they fit into memory, otherwise of the best.

        All numbers are over all topics. Runs are not fused, since a store has no documents.

        Parameters
        ----------
        store : ScoreStore, path or address
            What `store_scores` wrote.
        measures : Measure or str, or an iterable of these, optional
            By default those that are stored.
        systems : str or sequence of str, optional
            The systems to look at; a text may name several, with commas between. By default all if they fit into
            memory, and otherwise the best 20 by the primary measure, and the baseline.
        primary, title, queries, baseline, test, adjust, alpha, strict, top, interval, seed, progress
            As for `from_files`.
        """
        check_progress(progress)
        held = store if isinstance(store, ScoreStore) else open_scores(store)
        plan = Plan.of(
            held.measures if measures is None else measures,
            primary=primary,
            title=title,
            queries=queries,
            baseline=baseline,
            test=test,
            adjust=adjust,
            alpha=alpha,
            strict=strict,
            top=top,
            interval=interval,
            seed=seed,
            fuse=False,
            **reading_of(held),
        )
        study = cls._of(plan, stored_campaign(held, plan, systems, queries), progress)
        geometric = averaging_caveats(read_measures(held.measures if measures is None else measures).values())
        return evolve(study, caveats=tuple(dict.fromkeys((*study.caveats, *geometric))))

    @classmethod
    def _of(cls, plan: Plan, data: CampaignData, progress: Progress) -> Study:
        """Return the study of what was read, stage by stage."""
        stages = Stages(plan, data, progress)
        raw = stages.compared()
        scaled, unscaled = stages.interval_scales()
        own = {name: raw.of(name).scores for name in plan.measures}
        return cls(
            plan=plan,
            sources=data.sources,
            judged=data.judged,
            measures=plan.measures,
            raw=raw,
            ranked=stages.compared_on_interval_scales(scaled, raw),
            scaled={name: repr(each.measure) for name, each in scaled.items()},
            caveats=tuple(
                dict.fromkeys(
                    (
                        *data.judged.caveats,
                        *data.queries.caveats,
                        *raw.caveats,
                        *of_measures(own, data.judged),
                        *unscaled,
                    )
                )
            ),
            queries=data.queries,
            # what comes later is shown by whoever asks for it
            stages=evolve(stages, progress=silent),
        )

    @cached_property
    def tests(self) -> PairTests:
        """The tests of all pairs, on either scale, before any correction."""
        return pair_tests(self._own, self._on_interval, strict=self.plan.strict, known=dict(self._tested()))

    @cached_property
    def agreement(self) -> Agreement:
        """How alike measures rank the systems."""
        return agreement(self._own, self._on_interval, strict=self.plan.strict)

    @cached_property
    def coverage(self) -> Coverage:
        """How much of what systems returned was judged."""
        return coverage(self.judged)

    @cached_property
    def ties(self) -> TieEffects:
        """What the order of documents of equal score does to scores."""
        return self._stages.ties()

    @cached_property
    def profiles(self) -> Mapping[str, Profile]:
        """What is known of each measure, by spelling."""
        return self._stages.profiles()

    @cached_property
    def unanimity(self) -> UnanimityTable | None:
        """How often measures tie where all agree; None for a single system."""
        return self._stages.unanimity()

    @cached_property
    def fusions(self) -> Fusions | None:
        """What combining the runs gives; None for a single system, or if it was not wanted."""
        return self._stages.fusions(self.raw)

    @property
    def _own(self) -> dict[str, Scores]:
        """The scores under each measure as it is."""
        return {name: self.scores(name) for name in self.measures}

    @property
    def _on_interval(self) -> dict[str, Scores]:
        """The scores under each measure that has an interval scale, on it."""
        found = {name: self.result_on_interval(name) for name in self.measures}
        return {name: result.scores for name, result in found.items() if result is not None}

    def _tested(self) -> Iterator[tuple[Kind, AllPairs]]:
        """Return the tests that the comparisons made, with what they are of."""
        for name in self.measures:
            for scale, result in ((RAW, self.result(name)), (RANKED, self.result_on_interval(name))):
                for found in () if result is None else (result.uncorrected, result.sign):
                    yield (name, scale, found.test), found

    def plot(self) -> Figure:
        """Return the drawing of the places of all systems under all measures."""
        places = {name: self.result(name).places for name in self.measures}
        return Figure(places_chart(places, ordered_by(self.raw.results)))

    def document(self) -> Document:
        """Return what the study shows first: its conclusion, and the means of every system.

        A strict study shows the median or the mean rank instead where the scale does not admit means.
        """
        results = self.raw.results
        scores = [*(each.scores for each in results), *self.raw.described]
        table = Table(by_measure={each.measure: each for each in scores}).document(admitted=self.plan.strict)
        said = ["", self.scales] if len(self.systems) > 1 else []
        return Document([*self.conclusion.parts(), "", *table.parts, *said], about_data(self.caveats))

    @property
    def conclusion(self) -> Conclusion:
        """What the study says first: a headline, a few lines, and the numbers behind them."""
        return self.raw.conclusion

    @property
    def scales(self) -> str:
        """What the scales of the measures say of the order of means, or what was taken instead if it is strict."""
        results = self.raw.results
        if self.plan.strict:
            return capitalised(admitted_paragraph(results))
        gains = any(caveat.kind is CaveatKind.GAINS for caveat in self.caveats)
        return scales_paragraph([each.scores for each in results], for_these_gains=gains)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order in which they were read."""
        return self.judged.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the judgments."""
        return self.judged.topics

    def result(self, measure: str) -> MeasureResult:
        """Return the comparison of the systems under a measure as it is.

        Parameters
        ----------
        measure : str
            The spelling of one of `measures`.
        """
        return self.raw.of(measure)

    def result_on_interval(self, measure: str) -> MeasureResult | None:
        """Return the comparison of the systems under a measure on its interval scale, None if it has none.

        Parameters
        ----------
        measure : str
            The spelling of one of `measures`.
        """
        if self.ranked is None or measure not in self.scaled:
            return None
        return self.ranked.of(self.scaled[measure])

    def margins(self, measure: str) -> MarginsMatrix | None:
        """Return what would overturn that one of two systems is ahead, for all pairs; None if means are not compared.

        Parameters
        ----------
        measure : str
            The spelling of one of `measures`.
        """
        result = self.result(measure)
        return result.margins_matrix if len(self.systems) > 1 and result.by_means else None

    def standing(self, measure: str) -> MeasureResult:
        """Return the same as `result`, which is its present name.

        Parameters
        ----------
        measure : str
            The spelling of a measure.
        """
        deprecate("Study.standing", "Study.result")
        return self.result(measure)

    def standing_on_interval(self, measure: str) -> MeasureResult | None:
        """Return the same as `result_on_interval`, which is its present name.

        Parameters
        ----------
        measure : str
            The spelling of a measure.
        """
        deprecate("Study.standing_on_interval", "Study.result_on_interval")
        return self.result_on_interval(measure)

    def scores(self, measure: str) -> Scores:
        """Return the scores under a measure as it is.

        Parameters
        ----------
        measure : str
            The spelling of a measure.
        """
        return self.result(measure).scores


def of_measures(scores: Mapping[str, Scores], judged: JudgedRuns) -> Iterator[Caveat]:
    """Return what is to be known of single measures, with their names."""
    for name, each in scores.items():
        for caveat in each.caveats:
            if caveat not in judged.caveats:
                yield caveat.of(name)


@lru_cache(maxsize=64)
def _profiled(measure: Measure) -> Profile:
    """Return the profile of a measure on short runs, with as many grades as it takes to be relevant at all."""
    return profile(measure, depth=min(measure.cutoff or PROFILED, PROFILED), grades=max(2, measure.lowest + 1))


@frozen(eq=False)
class Stages:
    """The stages of a study after reading."""

    plan: Plan
    data: CampaignData
    progress: Progress

    def _under(self, name: str, work: Callable[[], Found]) -> Found:
        """Return what some work gives, and show that it is under way."""
        [found] = [work() for _ in self.progress([name], 1, name)]
        return found

    def compared(self) -> SystemComparison:
        """Return the systems compared under the measures as they are."""
        options = {**self.plan.comparing, "baseline": self.plan.baseline, "top": self.plan.top}
        measures = [*self.plan.measures.values(), *self.plan.described.values()]
        return self._under("comparing systems", lambda: compare(self.data.judged, measures, **options))

    def interval_scales(self) -> tuple[dict[str, OnIntervalScale], tuple[Caveat, ...]]:
        """Return the measures on their interval scales, if these are wanted, and why some have none."""
        if not self.plan.interval:
            return {}, ()
        return on_interval_scales(self.plan.measures.values(), self.data.judged, self.progress)

    def compared_on_interval_scales(
        self, scaled: Mapping[str, OnIntervalScale], raw: SystemComparison
    ) -> SystemComparison | None:
        """Return the systems compared on the interval scales of the measures, if there are any."""
        if not scaled:
            return None
        judged = self.data.judged
        scores = {repr(each.measure): each.scores for each in scaled.values()}
        measures = {repr(each.measure): each.measure for each in scaled.values()}.values()
        known = {caveat for each in scores.values() for caveat in each.caveats}
        caveats = (*(caveat for caveat in judged.caveats if caveat in known), *gains_caveats(judged, measures))
        settings = Settings(**self.plan.comparing, baseline=self.plan.baseline, top=self.plan.top)
        return self._under(
            "comparing on interval scales",
            lambda: compare_scores(judged, measures, scores.values(), settings, caveats, raw.levels),
        )

    def ties(self) -> TieEffects:
        """Return what the order of documents of equal score does."""
        return self._under("looking at ties", lambda: tie_effect(self.data.opened, self.plan.measures.values()))

    def profiles(self) -> dict[str, Profile]:
        """Return what is known of each measure by itself."""
        several = self.progress(list(self.plan.measures.items()), len(self.plan.measures), "profiling measures")
        return {name: _profiled(measure) for name, measure in several}

    def unanimity(self) -> UnanimityTable | None:
        """Return how often the measures tie where all agree, if there is anything to agree on."""
        if len(self.data.judged.systems) < 2:
            return None
        measures = self.plan.measures.values()
        return self._under("asking for unanimity", lambda: unanimity(self.data.judged, measures, constraints=False))

    def fusions(self, raw: SystemComparison) -> Fusions | None:
        """Return what combining the runs gives, if there are several."""
        if len(self.data.runs) < 2:
            return None
        best = {name: raw.of(name).systems[0] for name in self.plan.measures}
        return fusions(
            self.data.runs,
            self.data.qrels,
            self.data.judged,
            best,
            self.plan.measures.values(),
            progress=self.progress,
            judging={**self.plan.judging, "ties": self.plan.ties},
            **self.plan.comparing,
        )
