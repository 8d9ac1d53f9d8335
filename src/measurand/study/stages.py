"""The stages of a study: reading, comparing, testing, profiling, fusing, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from attrs import evolve, frozen

from measurand.errors import Caveat, Doubt
from measurand.execution import Progress
from measurand.judged import JudgedRuns, OverTies, judge
from measurand.measures import Measure
from measurand.profiles import Profile, profile
from measurand.scores import Scores, place_of
from measurand.study.comparison import SystemComparison, compare
from measurand.study.fusions import DEPTH, Fusions, fusions
from measurand.study.interval_scales import on_interval_scales
from measurand.study.plan import Plan
from measurand.study.sources import Source, sources_of
from measurand.study.tie_effect import TieEffects, tie_effect
from measurand.study.unanimity import UnanimityTable, unanimity
from measurand.trec import Qrels, Run, expand, is_one, iterate_runs, read_qrels

Found = TypeVar("Found")

PROFILED = 10
"""On runs of how many ranks measures are profiled, at most."""


@frozen(kw_only=True, eq=False)
class Data:
    """What was read.

    Parameters
    ----------
    opened
        The judged runs with the order of equal scores left open.
    judged
        The same as the plan has it, by default with them in trec_eval's order, and in groups for measures that are
        defined on weak orders.
    runs
        The runs down to the ranks that are fused; none if nothing is.
    """

    sources: tuple[Source, ...]
    qrels: Qrels
    opened: JudgedRuns
    judged: JudgedRuns
    runs: Sequence[Run]


def read(qrels: Any, runs: Any, plan: Plan, progress: Progress) -> Data:
    """Return the data of a study, read as its plan says."""
    files = expand([runs] if is_one(runs) else runs)
    sources = sources_of(qrels, files)
    judgments = read_qrels(qrels)
    chosen = plan.chosen(judgments.topics)
    judgments = judgments if plan.topics is None else judgments.on_topics(chosen)
    kept: list[Run] = []
    passing = progress(iterate_runs(files, names=plan.names), len(files), "reading runs")
    passing = _kept(passing, kept) if plan.fuse else passing
    judged = judge(passing, judgments, **plan.judging)
    judged = evolve(judged, caveats=tuple(_told(judged.caveats, plan)))
    if plan.baseline is not None:
        place_of(plan.baseline, judged.systems)
    # how far the order of equal scores matters is looked into by itself
    opened = judged.opened(OverTies.EXPECTED)
    if plan.ties == "trec":
        judged = evolve(judged, ties=None)
    elif plan.ties is not None:
        judged = judged.opened(OverTies(plan.ties))
    return Data(sources=sources, qrels=judgments, opened=opened, judged=judged, runs=tuple(kept))


def _kept(runs: Iterable[Run], kept: list[Run]) -> Iterator[Run]:
    """Hand runs through, and keep as much of them as is fused."""
    for run in runs:
        kept.append(run.down_to(DEPTH))
        yield run


def _told(caveats: Iterable[Caveat], plan: Plan) -> Iterator[Caveat]:
    """Return what is to be known of the data; that topics were left out on purpose is no surprise."""
    for caveat in caveats:
        if plan.topics is None or caveat.doubt is not Doubt.UNJUDGED_TOPICS:
            yield caveat


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
    data: Data
    progress: Progress

    def _under(self, name: str, work: Callable[[], Found]) -> Found:
        """Return what some work gives, and show that it is under way."""
        [found] = [work() for _ in self.progress([name], 1, name)]
        return found

    def compared(self, name: str, measures: Iterable[Measure]) -> SystemComparison:
        """Return the systems compared under some measures."""
        options = {**self.plan.comparing, "baseline": self.plan.baseline, "top": self.plan.top}
        return self._under(name, lambda: compare(self.data.judged, measures, **options))

    def interval_scales(self) -> tuple[dict[str, Measure], tuple[Caveat, ...]]:
        """Return the measures on their interval scales, and why some have none."""
        return on_interval_scales(self.plan.measures.values(), self.data.judged, self.progress)

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
        means = {name: raw.of(name).means for name in self.plan.measures}
        best = {name: each.systems[each.best_first[0]] for name, each in means.items()}
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
