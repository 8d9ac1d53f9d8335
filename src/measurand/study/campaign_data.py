"""The data of a study: judgments, runs and the texts of topics, read and judged as its plan says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.errors import Caveat, CaveatKind
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns, OverTies, judge
from measurand.judged.tie_groups import TieGroups
from measurand.scores import place_of
from measurand.statistics.pairs import check_pairs
from measurand.study.fusions import DEPTH
from measurand.study.misplaced import check_inputs
from measurand.study.plan import Plan, Source, sources_of
from measurand.study.store.choosing import choose_systems
from measurand.study.store.score_store import ScoreStore
from measurand.trec import (
    Qrels,
    Queries,
    QueriesLike,
    Run,
    iterate_runs,
    read_qrels,
    read_queries,
    several_sources,
)


@frozen(kw_only=True, eq=False)
class CampaignData:
    """What a study was made from.

    Parameters
    ----------
    sources
        The files, with their digests.
    qrels
        The judgments of the topics that are looked at.
    opened
        The judged runs with the order of equal scores left open.
    judged
        The same as the plan has it, by default with them in trec_eval's order, and in groups for measures that are
        defined on weak orders.
    runs
        The runs down to the ranks that are fused; none if nothing is.
    queries
        The texts of the topics.
    """

    sources: tuple[Source, ...]
    qrels: Qrels
    opened: JudgedRuns
    judged: JudgedRuns
    runs: Sequence[Run]
    queries: Queries


def read_campaign(
    qrels: Any, runs: Any, plan: Plan, progress: Progress = silent, queries: QueriesLike | None = None
) -> CampaignData:
    """Return the data of a study, read as its plan says.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    plan
        The plan.
    progress
        Shows how many runs have been read.
    queries
        Anything that `read_queries` accepts; None if there are no texts of topics.

    Examples
    --------
    >>> data = read_campaign({"1": {"d1": 1}}, {"1": {"d1": 1.0}}, Plan.of("P@1"), queries={"1": "blue whales"})
    >>> data.judged, data.queries["1"], [source.role for source in data.sources]
    (<JudgedRuns: 1 system × 1 topic × 1 rank>, 'blue whales', ['judgments', 'run', 'queries'])
    """
    check_inputs("Study.from_files", qrels, runs)
    files = several_sources(runs)
    sources = sources_of(qrels, files, queries)
    judgments = read_qrels(qrels)
    chosen = plan.chosen(judgments.topics)
    judgments = judgments if plan.topics is None else judgments.on_topics(chosen)
    texts = Queries() if queries is None else read_queries(queries).on_topics(judgments.topics)
    kept: list[Run] = []
    passing = progress(iterate_runs(files, names=plan.names), len(files), "reading runs")
    passing = _kept(passing, kept) if plan.fuse else passing
    comments = {"judgments": judgments.comments}
    passing = _noted(passing, comments)
    judged = judge(passing, judgments, **plan.judging)
    judged = evolve(judged, caveats=tuple(_told(judged.caveats, plan)))
    if plan.baseline is not None:
        place_of(plan.baseline, judged.systems)
    check_pairs(len(judged.systems), len(judged.topics), len(plan.measures))
    # how far the order of equal scores matters is computed by itself
    opened = judged.opened(OverTies.EXPECTED)
    if plan.ties == "trec":
        judged = evolve(judged, ties=None)
    elif plan.ties is not None:
        judged = judged.opened(OverTies(plan.ties))
    # of what is in memory they are known before, and of files by now
    sources = tuple(evolve(each, comments=comments.get(_key(each), each.comments)) for each in sources)
    return CampaignData(sources=sources, qrels=judgments, opened=opened, judged=judged, runs=tuple(kept), queries=texts)


def reading_of(store: ScoreStore) -> dict[str, Any]:
    """Return how the runs of a store were read and judged, as options of a plan.

    Parameters
    ----------
    store
        The store.
    """
    known = ("depth", "precision", "ties", "missing_topics", "grade_scale")
    return {name: store.plan.settings[name] for name in known}


def stored_campaign(
    store: ScoreStore,
    plan: Plan,
    systems: str | Sequence[str] | None = None,
    queries: QueriesLike | None = None,
) -> CampaignData:
    """Return the data of a study from a store: the systems that are named, all if they fit, or the best.

    Parameters
    ----------
    store
        The store.
    plan
        The plan.
    systems
        The names of the systems.
    queries
        Anything that `read_queries` accepts; None if there are no texts of topics.
    """
    picked = choose_systems(store, systems, by=next(iter(plan.measures)), baseline=plan.baseline)
    judged = store.judged(picked.systems)
    text = "runs are not fused, and what other judgments would change is not looked for"
    lost = Caveat(CaveatKind.LEFT_OUT, f"{text}: scores were stored without the names of documents")
    judged = evolve(judged, caveats=(*picked.caveats, lost, *judged.caveats))
    opened = judged.opened(OverTies.EXPECTED)
    if opened.groups is None:
        # in which order documents of equal score stand was decided before, and not kept
        opened = evolve(judged, groups=TieGroups(judged.cells, np.zeros(judged.cells.shape, dtype=bool)))
    texts = Queries() if queries is None else read_queries(queries).on_topics(judged.topics)
    sources = (
        Source(role="judgments", name=str(store.plan.qrels["source"])),
        Source(role="run", name=f"scores stored in {store.folder.place}"),
        *(() if queries is None else sources_of(store.qrels, [], queries)[1:]),
    )
    return CampaignData(
        sources=sources,
        qrels=store.qrels,
        opened=opened,
        judged=judged,
        runs=(),
        queries=texts,
    )


def _kept(runs: Iterable[Run], kept: list[Run]) -> Iterator[Run]:
    """Hand runs through, and keep as much of them as is fused."""
    for run in runs:
        kept.append(run.down_to(DEPTH))
        yield run


def _noted(runs: Iterable[Run], comments: dict[str, tuple[str, ...]]) -> Iterator[Run]:
    """Hand runs through, and note the comments at the heads of their files."""
    for run in runs:
        if run.comments:
            comments[run.source] = run.comments
        yield run


def _key(source: Source) -> str:
    return source.name if source.role == "run" else source.role


def _told(caveats: Iterable[Caveat], plan: Plan) -> Iterator[Caveat]:
    """Return what is to be known of the data; that topics were left out on purpose is no surprise."""
    for caveat in caveats:
        if plan.topics is None or caveat.kind is not CaveatKind.UNJUDGED_TOPICS:
            yield caveat
