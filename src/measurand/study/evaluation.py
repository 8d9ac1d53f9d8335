"""Evaluation: from files to scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, cast, overload

from attrs import evolve

from measurand.calls import explains_calls
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, ParameterError, quoted
from measurand.execution import Progress, check_progress, mapped, silent, takes_executor, works_alone, works_far_away
from measurand.judged import JudgedRuns, judge
from measurand.judged.judge import JudgingOptions, MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasureLike, MeasuresLike, parse
from measurand.measures.around import innermost
from measurand.measures.campaigns import on_judged, with_campaign, with_usual_threshold
from measurand.measures.exact_ties import exact_values
from measurand.measures.parameters import USUAL
from measurand.scale import GradeScale, Scale, ScaleLabel
from measurand.scores import Aggregation, Scores, Table
from measurand.study.read_elsewhere import reading_caveats
from measurand.trec import Names, QrelsLike, RunsLike, iterate_runs, read_qrels
from measurand.trec.sources import looked_at

if TYPE_CHECKING:
    from concurrent.futures import Executor

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10", "RR", "Judged@10")
"""The measures of `evaluate`, `compare` and the report if none are named; the first one is primary."""

UnjudgedLike: TypeAlias = Literal["min", "max", "bounds"]
"""Which scores are given where unjudged documents could have any grade."""

SHOWN = 6
"""So many measures are named in a caveat."""


class ReadingOptions(JudgingOptions, total=False):
    """The options of `evaluate` and its kin that say how runs are read and judged."""

    names: Names


DEFAULTS = ReadingOptions(
    names="auto", depth=None, ties=None, precision="double", missing_topics="zero", grade_scale=None
)
"""What these options are if nothing is said."""


@overload
def evaluate(
    judged: JudgedRuns,
    /,
    measures: MeasuresLike | None = None,
    *,
    executor: Executor | None = None,
    unjudged: UnjudgedLike | None = None,
) -> Table: ...
@overload
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    executor: Executor | None = None,
    unjudged: UnjudgedLike | None = None,
) -> Table: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
@takes_executor
def evaluate(
    qrels: QrelsLike | JudgedRuns,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
    unjudged: UnjudgedLike | None = None,
) -> Table:
    """Return the scores of all systems on all topics under some measures.

    Call it as `evaluate(qrels, runs, measures)`, or as `evaluate(judged, measures)` with runs that were judged before.

    Parameters
    ----------
    qrels : path, open file, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, open file, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts, runs made with `read_run(data, name=…)` among them.
    measures : Measure or str, or an iterable of these, optional
        The measures; by default nDCG@10, AP, P@10, RR and Judged@10.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Each measure is scored as a job of its own, and large
        files are read in as many threads as there are workers. Results are the same.
    unjudged : {"min", "max", "bounds"}, optional
        Give the lowest scores, or the highest, or both, over all grades that the unjudged documents that a run
        retrieves could have, in the place of scores for which they count as not relevant. Documents that it does not
        retrieve are not looked at: measures that depend on how many relevant ones there are could be lower yet.

    Examples
    --------
    >>> table = evaluate({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 2.0}}, ["RR", "P@2"])
    >>> table.scores("RR").values.tolist(), table.scores("P@2").mean()[0]
    ([[0.5]], 0.5)
    >>> table = evaluate({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 2.0}}, "RR", unjudged="max")
    >>> table["RR"].measure, table["RR"].values.tolist()
    ('highest RR', [[1.0]])
    """
    judged, wanted = inputs_of(
        "evaluate",
        qrels,
        runs,
        measures,
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
        names=names,
        documents=False,
    )
    table = tabulate(judged, wanted)
    if unjudged is None:
        return table
    from measurand.study.unjudged_scores import bounded_table  # loads what is proved of measures

    return bounded_table(table, judged, wanted, unjudged)


def inputs_of(
    what: str,
    qrels: QrelsLike | JudgedRuns,
    runs: RunsLike | MeasuresLike | None,
    measures: MeasuresLike | None,
    *,
    default: MeasuresLike = DEFAULT_MEASURES,
    progress: Progress = silent,
    documents: bool = True,
    **options: Unpack[ReadingOptions],
) -> tuple[JudgedRuns, dict[str, Measure]]:
    """Return judged runs, and measures by their spelling, from what a function such as `evaluate` was called with.

    It is called either with judged runs, and measures in the place of `runs` or by name, or with judgments, runs and
    measures in any form that can be read. Measures are read first, so that a slip there costs no time.

    Parameters
    ----------
    what : str
        The name of the function, for complaints.
    qrels : path, open file, frame, dict, Qrels or JudgedRuns
        Judgments, or judged runs.
    runs : path, open file, frame, dict, Run, or several, or measures
        Runs; with judged runs the measures or None.
    measures : Measure or str, or an iterable of these, or None
        The measures; None with judged runs whose measures are in the place of `runs`.
    default : Measure or str, or an iterable of these
        The measures if none are named.
    progress : callable, optional
        Shows how many runs have been read.
    documents : bool
        Whether to keep which documents there were, as `measurand.judged.judge` does.
    **options
        How to read and to judge, all as their defaults with judged runs.

    Examples
    --------
    >>> judged, wanted = inputs_of("evaluate", {"1": {"d1": 1}}, {"1": {"d1": 1.0}}, None, depth=5)
    >>> judged, list(wanted)
    (<JudgedRuns: 1 system × 1 topic × 5 ranks>, ['nDCG@10', 'AP', 'P@10', 'RR', 'Judged@10'])
    >>> inputs_of("evaluate", judged, "map", None)[1]
    {'map': AP}
    """
    check_progress(progress)
    if isinstance(qrels, JudgedRuns):
        no_options(what, options)
        if runs is not None and measures is not None:
            raise ParameterError(f"{what}: judged runs have their judgments; call {what}(judged, measures)")
        named = measures if runs is None else runs
        return qrels, _on(qrels, read_measures(default if named is None else cast(MeasuresLike, named)))
    from measurand.study.misplaced import check_inputs  # the command line has looked at its arguments before

    check_inputs(what, qrels, runs)
    wanted = read_measures(default if measures is None else measures)
    judged = judge_files(qrels, cast(RunsLike, runs), progress=progress, documents=documents, **options)
    return judged, _on(judged, wanted)


def _on(judged: JudgedRuns, measures: Mapping[str, Measure]) -> dict[str, Measure]:
    return {spelling: with_usual_threshold(measure, judged) for spelling, measure in measures.items()}


def no_options(what: str, options: ReadingOptions, given: str = "judged runs") -> None:
    """Refuse options for judging where runs have been judged already.

    Parameters
    ----------
    what
        The name of the function.
    options
        The options.
    given
        What it was called with.

    Examples
    --------
    >>> no_options("gate", ReadingOptions(depth=5))
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: gate: depth=5 comes too late for judged runs; say it to judge(runs, qrels, depth=5)
    """
    said = [name for name, value in options.items() if value != DEFAULTS.get(name)]
    if said:
        option = f"{said[0]}={options.get(said[0])!r}"
        raise ParameterError(f"{what}: {option} comes too late for {given}; say it to judge(runs, qrels, {option})")


def judge_files(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    names: Names = "auto",
    progress: Progress = silent,
    total: int | None = None,
    documents: bool = True,
    **options: Unpack[JudgingOptions],
) -> JudgedRuns:
    """Return judged runs from anything that can be read, keeping few runs in memory at a time.

    Parameters
    ----------
    qrels, runs
        Judgments and runs, in any form that `read_qrels` and `read_runs` accept.
    names
        How `read_runs` calls systems.
    progress
        Shows how many runs have been read.
    total
        How many runs there are, if it is known.
    documents
        Whether to keep which documents there were.
    **options
        Those of `judge`.
    """
    judgments = read_qrels(qrels)
    passing = progress(iterate_runs(runs, names=names), total, "reading runs")
    return judge(passing, judgments, documents=documents, **options)


def read_measures(measures: MeasuresLike) -> dict[str, Measure]:
    """Return measures by the spelling in which each was given.

    Parameters
    ----------
    measures
        One measure or several, or their spellings.
    """
    from measurand.study.misplaced import check_measures

    check_measures(measures)
    given: Any = measures
    many = isinstance(given, Iterable) and not isinstance(given, str | bytes) and getattr(given, "ndim", 1) != 0
    several: Sequence[MeasureLike] = looked_at(list)(given) if many else [given]
    if not several:
        raise ParameterError('no measure was asked for; name some, as in measures=["nDCG@10", "AP"]')
    wanted: dict[str, Measure] = {}
    for spelled in several:
        measure = _read(spelled)
        if wanted.setdefault(str(spelled), measure) != measure:
            raise ParameterError(f"two different measures are called {spelled}; rename one")
    return wanted


def primary_first(measures: Mapping[str, Measure], primary: Measure | str | None) -> dict[str, Measure]:
    """Return measures by spelling with the primary one first.

    Parameters
    ----------
    measures
        The measures, by spelling.
    primary
        The primary measure, which is added if it is not among them; None for the first that scores relevance.

    Examples
    --------
    >>> list(primary_first(read_measures(["Judged@10", "AP", "P@5"]), "P@5"))
    ['P@5', 'Judged@10', 'AP']
    """
    if all(measure.about_judgments for measure in measures.values()) and primary is None:
        named = ", ".join(measures)
        raise ParameterError(f"{named} says how much was judged; name a measure of relevance too, such as nDCG@10")
    if primary is None:
        return plainly_averaged(measures)
    first = read_measures(primary)
    if len(first) != 1:
        raise ParameterError(f"one measure is primary, not {len(first)}")
    [chosen] = first.values()
    if chosen.about_judgments:
        raise ParameterError(f"{chosen!r} says how much was judged; take a measure of relevance, such as nDCG@10")
    return plainly_averaged({**first, **{spelling: each for spelling, each in measures.items() if each != chosen}})


def plainly_averaged(measures: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return measures with that inside in the place of a geometric mean, for what is about plain means: comparisons.

    Parameters
    ----------
    measures
        The measures, by spelling.

    Examples
    --------
    >>> plainly_averaged(read_measures(["gm_map", "P@10", "map"]))
    {'AP': AP, 'P@10': P@10}
    """
    found: dict[str, Measure] = {}
    for spelling, measure in measures.items():
        inside: Any = measure
        while inside.aggregation is Aggregation.GEOMETRIC:
            inside = inside.measure
        if inside is not measure:
            found.setdefault(repr(inside), inside)
        elif repr(measure) not in found or found[repr(measure)] != measure:
            found[spelling] = measure
    return found


def known_as(measure: MeasuresLike) -> list[str]:
    """Return how a comparison under a measure may be known: of a geometric mean by the measure inside as well.

    Parameters
    ----------
    measure
        The measure, or its spelling.

    Examples
    --------
    >>> known_as("gm_map"), known_as("map")
    (['gm(AP)', 'AP'], ['AP'])
    """
    inside = plainly_averaged(read_measures(measure)).values()
    return list(dict.fromkeys((*spellings_of(measure), *spellings_of(list(inside)))))


def averaging_caveats(measures: Iterable[Measure]) -> Iterator[Caveat]:
    """Return the caveats which geometric means were asked for where plain means are compared.

    Parameters
    ----------
    measures
        The measures that were asked for.

    Examples
    --------
    >>> print(*averaging_caveats([parse("gm_map"), parse("P@10")]))
    gm(AP) is compared as AP: differences and tests are of plain means over topics; evaluate has the geometric mean
    """
    for measure in measures:
        for each in plainly_averaged({"": measure}):
            if each:
                text = "differences and tests are of plain means over topics; evaluate has the geometric mean"
                yield Caveat(CaveatKind.ASSUMPTION, f"{measure!r} is compared as {each}: {text}")


def _read(spelled: object) -> Measure:
    """Return a measure from itself, its spelling, or what spells itself so, as the measures of ir_measures do."""
    if isinstance(spelled, Measure | str):
        return parse(spelled)
    try:
        return parse(str(spelled))
    except Exception:  # noqa: BLE001 - whatever a stranger's __str__ raises
        raise ParameterError(f"{quoted(spelled)} is no measure; write it like 'nDCG@10'") from None


def tabulate(judged: JudgedRuns, measures: dict[str, Measure], progress: Progress = silent) -> Table:
    """Return the scores of judged runs under some measures, each scored by the executor in use as a job of its own.

    Parameters
    ----------
    judged
        The judged runs.
    measures
        The measures, by the spelling in which each was given.
    progress
        Shows how far a long computation is.
    """
    measures = _on(judged, measures)
    read_otherwise = reading_caveats(judged, measures)
    wanted = {repr(measure): measure for measure in measures.values()}
    if works_alone() or len(wanted) == 1:
        scores = {name: measure.scores(judged, progress) for name, measure in wanted.items()}
    else:
        scores = _scores_by_workers(judged, wanted, progress)
    # measures that do not score 0 where nothing is relevant say themselves what they score there
    noted = {caveat for each in scores.values() for caveat in each.caveats}
    return Table(
        by_measure=scores,
        aliases={spelling: repr(measure) for spelling, measure in measures.items()},
        caveats=(
            *(caveat for caveat in judged.caveats if caveat in noted),
            *read_otherwise,
            *gains_caveats(judged, measures.values()),
        ),
        canonical=spellings_of,
    )


def _scores_by_workers(judged: JudgedRuns, wanted: Mapping[str, Measure], progress: Progress) -> dict[str, Scores]:
    """Return the scores of each measure, each as a job of its own."""
    # interval scales are counted in threads of their own
    own = [name for name, measure in wanted.items() if innermost(measure) is not measure]
    scores = {name: wanted[name].scores(judged, progress) for name in own}
    rest = {name: measure for name, measure in wanted.items() if name not in scores}
    # the names of documents stay at home
    sent = evolve(judged, ranked_documents=None, judgments=None)
    if works_far_away():
        from measurand.study.scores_by_blocks import can_be_cut, scores_by_blocks  # rarely used

        by_blocks = {name: measure for name, measure in rest.items() if can_be_cut(measure, judged)}
        scores |= scores_by_blocks(judged, by_blocks, progress)
        rest = {name: measure for name, measure in rest.items() if name not in by_blocks}
    found = mapped(partial(_scores_that_travel, sent), rest.values(), in_threads=True)
    named = zip(rest.items(), progress(found, len(rest), "measures"), strict=True)
    scores |= {name: _completed(each, measure, judged) for (name, measure), each in named}
    return {name: scores[name] for name in wanted}


def _scores_that_travel(judged: JudgedRuns, measure: Measure) -> Scores:
    """Return scores without what costs time to send to another process, or cannot be sent."""
    return evolve(measure.scores(judged), scale=ScaleLabel(Scale.ORDINAL), exact=None)


def _completed(scores: Scores, measure: Measure, judged: JudgedRuns) -> Scores:
    """Return scores with what did not travel: the scale that they are on, and their exact values."""
    seen = judged.weak if measure.on_weak_orders else judged
    exact = exact_values(with_campaign(measure, seen), seen, scores.values) if seen.groups is None else None
    return evolve(scores, scale=on_judged(measure, seen).scale_on(seen), exact=exact)


def gains_caveats(judged: JudgedRuns, measures: Iterable[Measure]) -> Iterator[Caveat]:
    """Return the caveat that the gains of ordinal grades could be others, if any measure depends on them.

    Parameters
    ----------
    judged
        Judged runs, which know how many grades there are and on which scale.
    measures
        The measures that they are scored by.

    Examples
    --------
    >>> graded = JudgedRuns.on_one_topic([(2, 0), (0, 1)], (5, 2, 1))
    >>> [caveat] = gains_caveats(graded, [parse("nDCG@2"), parse("P@2")])
    >>> print(caveat)  # doctest: +NORMALIZE_WHITESPACE
    grades are taken as ordered only: with other gains, nDCG@2 may order systems otherwise; if a grade 2 is worth
    twice a grade 1, say so (grade scale: ratio)
    """
    if judged.grade_scale is Scale.RATIO or not judged.several_grades:
        return
    weighing = [repr(measure) for measure in measures if measure.weighs_grades]
    if weighing:
        which = listed(weighing, SHOWN, "more measures")
        text = f"grades are taken as ordered only: with other gains, {which} may order systems otherwise"
        yield Caveat(CaveatKind.GAINS, f"{text}; if a grade 2 is worth twice a grade 1, say so (grade scale: ratio)")


def spellings_of(measure: MeasuresLike) -> list[str]:
    """Return how a result under a measure may be known: a threshold of 1 that is given is usually the one by default.

    Parameters
    ----------
    measure
        The measure, or its spelling.

    Examples
    --------
    >>> spellings_of("AP(rel=1)@3"), spellings_of("map")
    (['AP(rel=1)@3', 'AP@3'], ['AP'])
    """
    found = list(read_measures(measure).values())
    plain = [each(rel=USUAL) for each in found if each.parameters().get("rel") == 1]
    return list(dict.fromkeys(map(repr, (*found, *plain))))
