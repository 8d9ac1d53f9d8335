"""Comparing systems: what is given is read and scored, and every two systems are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from attrs import evolve

from measurand.calls import explains_calls, truth
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, silent, takes_executor
from measurand.judged import JudgedRuns
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike
from measurand.scale import GradeScale
from measurand.scores import place_of
from measurand.statistics import ALPHA
from measurand.statistics.multiple_comparisons import level
from measurand.statistics.pairs import check_pairs, pairs_fit
from measurand.study.against_baseline import BaselineComparison, against_baseline
from measurand.study.comparison import SystemComparison, compare_scores
from measurand.study.comparison_settings import TEST, TOP, Adjust, Settings
from measurand.study.evaluation import (
    ReadingOptions,
    averaging_caveats,
    inputs_of,
    no_options,
    primary_first,
    read_measures,
    tabulate,
)
from measurand.study.score_comparison import ScoreComparison, compare_table
from measurand.study.score_sources import chosen, is_scores, read_scores
from measurand.study.store.choosing import choose_systems
from measurand.study.store.score_store import ScoreStore
from measurand.trec import Names, QrelsLike, RunsLike

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from measurand.study.score_sources import ScoresLike


@overload
def compare(
    judged: JudgedRuns,
    /,
    measures: MeasuresLike | None = None,
    *,
    primary: Measure | str | None = None,
    baseline: str | None = None,
    test: str = TEST,
    adjust: Adjust = "holm",
    alpha: float = ALPHA,
    strict: bool = False,
    top: int = TOP,
    draws: int | None = None,
    rng: Rng = 0,
    progress: Progress = silent,
    executor: Executor | None = None,
) -> SystemComparison: ...
@overload
def compare(
    store: ScoreStore,
    /,
    measures: MeasuresLike | None = None,
    *,
    systems: str | Sequence[str] | None = None,
    primary: Measure | str | None = None,
    baseline: str | None = None,
    test: str = TEST,
    adjust: Adjust = "holm",
    alpha: float = ALPHA,
    strict: bool = False,
    top: int = TOP,
    draws: int | None = None,
    rng: Rng = 0,
    progress: Progress = silent,
    executor: Executor | None = None,
) -> SystemComparison | BaselineComparison: ...
@overload
def compare(
    scores: ScoresLike | list[ScoresLike],
    /,
    *,
    measures: MeasuresLike | None = None,
    primary: Measure | str | None = None,
    baseline: str | None = None,
    test: str = TEST,
    adjust: Adjust = "holm",
    alpha: float = ALPHA,
    strict: bool = False,
    draws: int | None = None,
    rng: Rng = 0,
    percent: bool = False,
    progress: Progress = silent,
    executor: Executor | None = None,
) -> ScoreComparison: ...
@overload
def compare(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    primary: Measure | str | None = None,
    baseline: str | None = None,
    test: str = TEST,
    adjust: Adjust = "holm",
    alpha: float = ALPHA,
    strict: bool = False,
    top: int = TOP,
    draws: int | None = None,
    rng: Rng = 0,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
    executor: Executor | None = None,
) -> SystemComparison: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
@takes_executor
def compare(
    qrels: QrelsLike | JudgedRuns | ScoreStore,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    systems: str | Sequence[str] | None = None,
    primary: Measure | str | None = None,
    baseline: str | None = None,
    test: str = TEST,
    adjust: Adjust = "holm",
    alpha: float = ALPHA,
    strict: bool = False,
    top: int = TOP,
    draws: int | None = None,
    rng: Rng = 0,
    percent: bool = False,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> SystemComparison | ScoreComparison | BaselineComparison:
    """Compare systems under some measures: means, tests of all pairs, and what the conclusions are worth.

    Call it as `compare(judged, measures)` or as `compare(qrels, runs, measures)`, like `evaluate`, with the same
    options for reading and judging; as `compare(store, measures)` with scores that `store_scores` kept; or as
    `compare(scores)` with scores by topic that another tool computed, for a comparison without what needs rankings and
    judgments. Systems are ordered by their means. Every two are compared by
    a paired t test with its interval, beside it by the sign test, and corrected by Holm's method; κ says how uneven a
    rescaling of the measure must be to change the order of two means.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels, JudgedRuns or ScoreStore; or scores
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`; or
        a store, of which the systems are compared that are named or, where not all fit into memory, the best 20 by the
        primary measure; with a baseline all are compared with that; or
        scores alone: `Scores`, a `Table`, a frame with columns name, qid, measure and value (what
        `pt.Experiment(…, perquery=True)` of PyTerrier returns), a file with these, or a list of such.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures; by default nDCG@10, AP, P@10 and RR, with Judged@10 beside them.
    systems : str or sequence of str, optional
        The systems of a store to compare; a text may name several, with commas between.
    primary : Measure or str, optional
        The measure that claims are made for; by default the first. It is among the measures, or added to them.
    baseline : str, optional
        The system that all others are compared with: differences are those of a system minus the baseline, and
        p-values are corrected for these pairs alone. By default every two systems are compared.
    test : str, default "t"
        A test of `measurand.statistics`, such as "t", "wilcoxon" or "randomisation"; "auto" takes the paired t test
        where the scale admits means over topics, and the sign test elsewhere.
    adjust : {"holm", "bonferroni", "bh", "none"}
        How p-values are corrected for the number of pairs under one measure. Tests with Tukey's correction are left
        as they are.
    alpha : float, default 0.05
        The level of significance.
    strict : bool, default False
        Replace what the scale of a measure does not admit by what it admits (the median or the mean rank for the
        mean, the sign test for the t test), and refuse a test that was asked for by name.
    top : int, default 3
        With how many others the leader is compared in sentences; with a baseline all are.
    draws : int, optional
        How many permutations or resamples, for tests that draw lots; by default 10,000, and more where many pairs
        are to be corrected for.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers, for tests that draw lots.
    percent : bool, default False
        Whether scores that are known already are in percent, under measures that go from 0 to 1.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Examples
    --------
    >>> import measurand as md
    >>> comparison = compare(md.sample.qrels(), md.sample.runs(), "P@10")
    >>> comparison.of("P@10").systems[0], comparison.of("P@10").claims[0].test
    ('rerank-2', 'paired t test')

    References
    ----------
    [FerranteFerroFuhr2021]_; [LeshnoLevy2002]_
    """
    level(alpha)
    whole_number("top", top, 0, such_as=TOP)
    truth("strict", strict)
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
    reading = ReadingOptions(
        names=names, depth=depth, ties=ties, precision=precision, missing_topics=missing_topics, grade_scale=grade_scale
    )
    if not isinstance(qrels, ScoreStore) and systems is not None:
        raise ParameterError("systems are named of stored scores (open_scores); of runs, give those to compare")
    if truth("percent", percent) and not is_scores(qrels):
        raise ParameterError("percent is for scores that another tool computed; those of runs are no percentages")
    if isinstance(qrels, ScoreStore):
        no_options("compare", reading, "stored scores")
        return compare_store(qrels, runs if measures is None else measures, primary, settings, systems)
    if is_scores(qrels) and not isinstance(runs, Mapping):
        no_options("compare", reading, "scores that are known")
        table = chosen(read_scores(qrels, percent=percent), runs if measures is None else measures, primary)
        return compare_table(table, settings)
    judged, wanted = inputs_of("compare", qrels, runs, measures, progress=progress, **reading)
    if baseline is not None:
        place_of(baseline, judged.systems)
    geometric = averaging_caveats([*wanted.values(), *(() if primary is None else read_measures(primary).values())])
    wanted = primary_first(wanted, primary)
    check_pairs(len(judged.systems), len(judged.topics), len(wanted))
    table = tabulate(judged, wanted, progress)
    caveats = tuple(dict.fromkeys((*table.caveats, *geometric)))
    return compare_scores(judged, wanted.values(), tuple(table), settings, caveats)


def compare_store(
    store: ScoreStore,
    measures: Any,
    primary: Measure | str | None,
    settings: Settings,
    systems: str | Sequence[str] | None = None,
) -> SystemComparison | BaselineComparison:
    """Return stored systems compared: those that are named or fit into memory, or all of them with a baseline.

    Parameters
    ----------
    store
        The store.
    measures
        The measures; those that are stored by default.
    primary
        The measure that claims are made for.
    settings
        How to compare.
    systems
        The names of the systems.
    """
    asked = read_measures(store.measures if measures is None else measures)
    wanted = primary_first(asked, primary)
    first = next(iter(wanted.values()))
    picked = choose_systems(store, systems, by=repr(first), baseline=settings.baseline)
    number = len(picked.systems), len(store.topics), len(wanted)
    if settings.baseline is not None and (picked.by or (systems is None and not pairs_fit(*number))):
        relevant = [measure for measure in wanted.values() if not measure.about_judgments]
        return against_baseline(store, [store.spelled(measure) for measure in relevant], settings)
    check_pairs(*number)
    judged = store.judged(picked.systems)
    table = tabulate(judged, wanted, settings.progress)
    found = compare_scores(judged, wanted.values(), tuple(table), settings, table.caveats)
    return evolve(found, caveats=(*found.caveats, *averaging_caveats(asked.values()), *picked.caveats))
