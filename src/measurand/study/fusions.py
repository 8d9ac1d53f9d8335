"""Fusions: what combining the systems of a study would give, judged as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.errors import Caveat
from measurand.execution import Progress, silent
from measurand.fusion import fuse
from measurand.fusion.methods import METHODS, SAME_JUDGMENTS
from measurand.judged import JudgedRuns, judge
from measurand.measures import Measure
from measurand.scores.summary import unlike
from measurand.study.comparison import SystemComparison, compare_scores
from measurand.study.comparison_settings import Settings
from measurand.study.coverage import Coverage, coverage
from measurand.study.evaluation import tabulate
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.measure_result import MeasureResult
from measurand.trec import Qrels, Run

FUSED = ("rrf", "combsum", "borda", "bordalog")
"""The fusions of a study: by ranks, by scores, by votes, by the information of runs that are independent.

The information of the runs themselves ties most documents as soon as there are more than a few runs.
"""

DEPTH = 100
"""How many documents of each run and topic are fused."""


@frozen(kw_only=True, eq=False, repr=False)
class Fusions:
    """What fusing all systems gives, beside the best of them.

    Parameters
    ----------
    names
        How each fusion is called, by method.
    comparisons
        By measure: every fusion against the best system.
    depth
        How many documents of each run and topic were fused.
    coverage
        How much of what the fusions return was judged.
    tied
        By name: which share of a fusion's documents have the fused score of another; their order is by identifier.
    """

    names: Mapping[str, str]
    comparisons: Mapping[str, SystemComparison]
    depth: int
    coverage: Coverage
    tied: Mapping[str, float]
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        return f"<Fusions: {', '.join(self.names)} under {', '.join(self.comparisons)}>"

    def of(self, measure: str) -> MeasureResult:
        """Return how the fusions and the best system stand under a measure."""
        return self.comparisons[measure].results[0]


def fusions(
    runs: Sequence[Run],
    qrels: Qrels,
    judged: JudgedRuns,
    best: Mapping[str, str],
    measures: Iterable[Measure],
    *,
    progress: Progress = silent,
    judging: Mapping[str, Any],
    **comparing: Any,
) -> Fusions:
    """Return what fusing runs gives under some measures, each fusion against the best system.

    Parameters
    ----------
    runs
        The systems' runs, down to the ranks that are to be fused.
    best
        By measure: the system to beat, that with the best mean, or what a strict comparison takes instead.
    judging, comparing
        How to judge fused runs, and how to compare them.

    Examples
    --------
    >>> from measurand.measures import P
    >>> from measurand.trec import read_qrels, read_run
    >>> runs = [read_run({"1": {"x": 2.0, "y": 1.0}}, name="a"), read_run({"1": {"y": 2.0, "z": 1.0}}, name="b")]
    >>> qrels = read_qrels({"1": {"y": 1}})
    >>> found = fusions(runs, qrels, judge(runs, qrels), {"P@1": "b"}, [P @ 1], judging={})
    >>> found.of("P@1").means.to_dict()
    {'b': 1.0, 'rrf': 1.0, 'combsum': 1.0, 'borda': 1.0, 'bordalog': 1.0}
    """
    names = {method: unlike(method, judged.systems) for method in FUSED}
    several = progress(list(names.items()), len(names), "fusing runs")
    fused = [fuse(runs, method, depth=DEPTH, name=name) for method, name in several]
    by_name = {run.name: run for run in runs}
    # judged beside the best system; most measures agree on which that is
    beside = {
        leader: _judged([by_name[leader], *fused], qrels, judged, judging) for leader in dict.fromkeys(best.values())
    }
    comparisons: dict[str, SystemComparison] = {}
    levels: dict[str, LevelsMatrix] = {}
    for measure in progress(list(measures), None, "comparing fusions"):
        leader = best[repr(measure)]
        table = tabulate(beside[leader], {repr(measure): measure})
        settings = Settings(**comparing, baseline=leader, top=0)
        found = compare_scores(beside[leader], [measure], tuple(table), settings, table.caveats, levels.get(leader))
        comparisons[repr(measure)], levels[leader] = found, found.levels
    return Fusions(
        names=names,
        comparisons=comparisons,
        depth=DEPTH,
        coverage=coverage(next(iter(beside.values()))).of(tuple(names.values())),
        tied={run.name: _tied(run) for run in fused},
        caveats=(SAME_JUDGMENTS, *dict.fromkeys(_told(fused))),
    )


def _judged(runs: Sequence[Run], qrels: Qrels, systems: JudgedRuns, judging: Mapping[str, Any]) -> JudgedRuns:
    """Return runs judged as the systems were."""
    found = judge(runs, qrels, **{**judging, "depth": systems.depth})
    return evolve(found, judged_documents=systems.judged_documents)


def _tied(run: Run) -> float:
    """Return which share of the documents have the score of another of their topic."""
    counts = [np.unique(scores, return_counts=True)[1] for scores in np.split(run.document_scores, run.bounds[1:-1])]
    return sum(int(each[each > 1].sum()) for each in counts) / max(1, len(run.document_scores))


def _told(fused: Sequence[Run]) -> Iterator[Caveat]:
    """Return what is to be known of fused runs, with the name of the one that it is about, if it is not all."""
    for run in fused:
        for caveat in run.caveats:
            shared = all(caveat in other.caveats for other in fused)
            yield caveat if shared else caveat.of(run.name)


def described(method: str) -> str:
    """Return what a method of fusion takes of a document.

    Examples
    --------
    >>> described("rrf")
    'reciprocal rank fusion: the sum of 1 / (k + rank)'
    """
    return METHODS[method]
