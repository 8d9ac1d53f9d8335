"""Evaluation: from files to scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns, judge
from measurand.measures import Measure, parse
from measurand.scale import Scale
from measurand.scores import Table
from measurand.trec import iterate_runs, read_qrels

Measures = Measure | str | Iterable[Measure | str]

SHOWN = 6
"""So many measures are named in a caveat."""

DEFAULTS = {"names": "auto", "precision": "double", "missing_topics": "zero"}
"""What the options of `read_runs` and `judge` are by default; the others are None."""


def evaluate(
    qrels: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    names: str = "auto",
    depth: int | None = None,
    ties: str | None = None,
    precision: str = "double",
    missing_topics: str = "zero",
    grade_scale: str | None = None,
) -> Table:
    """Return the scores of all systems on all topics under some measures.

    Call it as `evaluate(judged, measures)` or as `evaluate(qrels, runs, measures)`.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts, runs made with `read_run(data, name=…)` among them.
    measures : Measure or str, or an iterable of these
        The measures.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.

    Examples
    --------
    >>> table = evaluate({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 2.0}}, ["RR", "P@2"])
    >>> table.scores("RR").values.tolist(), table.scores("P@2").mean()[0]
    ([[0.5]], 0.5)
    """
    inputs, options = given_inputs(
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
    return tabulate(*read_inputs("evaluate", inputs, options))


def read_inputs(
    what: str, inputs: Sequence[Any], options: Mapping[str, Any], progress: Progress = silent
) -> tuple[JudgedRuns, dict[str, Measure]]:
    """Return judged runs and measures from what a function was called with.

    Parameters
    ----------
    what
        The name of the function, for complaints.
    inputs
        Judged runs and measures; or judgments, runs and measures, in any form that can be read.
    options
        How to read and to judge.
    progress
        Shows how many runs have been read.
    """
    if len(inputs) == 3:
        qrels, runs, measures = inputs
        wanted = read_measures(measures)
        return judge_files(qrels, runs, progress=progress, **options), wanted
    if len(inputs) == 2 and isinstance(inputs[0], JudgedRuns) and not options:
        return inputs[0], read_measures(inputs[1])
    raise ParameterError(f"call {what}(judged, measures) or {what}(qrels, runs, measures)")


def given_inputs(*inputs: Any, **options: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return those of some inputs and options that were given: all that are not None or as `DEFAULTS` has them."""
    return (
        tuple(each for each in inputs if each is not None),
        {name: value for name, value in options.items() if value != DEFAULTS.get(name)},
    )


def judge_files(
    qrels: Any, runs: Any, *, names: str = "auto", progress: Progress = silent, total: int | None = None, **options: Any
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
    **options
        Those of `judge`.
    """
    judgments = read_qrels(qrels)
    return judge(progress(iterate_runs(runs, names=names), total, "reading runs"), judgments, **options)


def read_measures(measures: Measures) -> dict[str, Measure]:
    """Return measures by the spelling in which each was given.

    Parameters
    ----------
    measures
        One measure or several, or their spellings.
    """
    several: Sequence[Measure | str] = [measures] if isinstance(measures, Measure | str) else list(measures)
    if not several:
        raise ParameterError("no measure was asked for; name one, such as AP or nDCG@10")
    wanted: dict[str, Measure] = {}
    for spelled in several:
        measure = _read(spelled)
        if wanted.setdefault(str(spelled), measure) != measure:
            raise ParameterError(f"two different measures are called {spelled}; rename one")
    return wanted


def _read(spelled: Any) -> Measure:
    """Return a measure from itself, its spelling, or what spells itself so, as the measures of ir_measures do."""
    if isinstance(spelled, Measure | str):
        return parse(spelled)
    try:
        return parse(str(spelled))
    except ParameterError:
        raise ParameterError(f"{spelled!r} is no measure; write it like 'nDCG@10'") from None


def tabulate(judged: JudgedRuns, measures: dict[str, Measure], progress: Progress = silent) -> Table:
    """Return the scores of judged runs under some measures.

    Parameters
    ----------
    judged
        The judged runs.
    measures
        The measures, by the spelling in which each was given.
    progress
        Shows how far a long computation is.
    """
    scores = {repr(measure): measure.scores(judged, progress) for measure in measures.values()}
    # measures that do not score 0 where nothing is relevant say themselves what they score there
    noted = {caveat for each in scores.values() for caveat in each.caveats}
    return Table(
        by_measure=scores,
        aliases={spelling: repr(measure) for spelling, measure in measures.items()},
        caveats=(*(caveat for caveat in judged.caveats if caveat in noted), *gains_caveats(judged, measures.values())),
        canonical=_canonical,
    )


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


def _canonical(spelling: str) -> str:
    return repr(parse(spelling))
