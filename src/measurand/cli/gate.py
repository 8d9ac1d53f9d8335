"""`measurand gate`: whether a new run has fallen behind, for nightly jobs and pull requests."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

import click

from measurand.cli.configuration import USED, config_option
from measurand.cli.emit import emit, format_option, note, put
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT_OR_NONE, Alpha
from measurand.cli.options import (
    judging_options,
    measures_option,
    named_file,
    named_measures,
    opened,
    output_file,
    qrels_source,
    refuse_to_overwrite,
    relevance_options,
    run_sources,
    seen_as,
)
from measurand.cli.streams import say, tell
from measurand.display.github import SUMMARY, Level, workflow_command
from measurand.display.junit import FAILED, PASSED, SKIPPED, Case, junit_text
from measurand.display.tables import Document
from measurand.display.wording import counted, listed, one_line
from measurand.errors import InputFileError, ParameterError, clipped
from measurand.measures import Measure
from measurand.study.evaluation import DEFAULT_MEASURES
from measurand.study.gate import BROKEN, MAX_DROP, GateResult, score_baseline
from measurand.study.gate import gate as decide
from measurand.study.gate_measure import MeasureGate, Outcome
from measurand.study.gate_view import measure_sentence, moved_by
from measurand.study.score_sources import is_scores
from measurand.study.stored_scores import check_ending, is_stored

FORMATS = ("table", "markdown", "junit", "json", "github")

WIDTH = 120
"""The text is never wider."""

SUITE = "measurand gate"

LONGEST_NOTE = 500
"""So many letters of a note stand in a summary."""

READ = ("depth", "ties", "precision", "missing_topics", "grade_scale", "names")
"""The options that say how runs are read and judged."""

DECIDING = ("alpha", "max_broken", "fail_on_drop", "fail_undecided", "on_these_topics", "percent")
"""The options that say how the gate decides, beside limits."""

LEVELS: Mapping[Outcome, Level] = {Outcome.PASS: "notice", Outcome.FAIL: "error", Outcome.UNDECIDED: "warning"}

_LIMITS = (
    click.option(
        "--max-drop",
        multiple=True,
        metavar="X",
        show_default=str(MAX_DROP),
        help="How far the mean may fall; MEASURE=X says it of one measure. May be repeated.",
    ),
    click.option(
        "--alpha",
        type=Alpha(0.5),
        default=0.05,
        show_default=True,
        help="How often either end of the interval of the mean change over topics like these may be wrong.",
    ),
    click.option(
        "--broken",
        multiple=True,
        metavar="X",
        show_default=str(BROKEN),
        help="A topic that drops by more is broken; MEASURE=X says it of one measure. May be repeated.",
    ),
    click.option(
        "--max-broken",
        type=COUNT_OR_NONE,
        metavar="N",
        help="Fail if more than N topics break; without it they are listed and fail nothing.",
    ),
    click.option(
        "--fail-on-drop/--no-fail-on-drop",
        default=False,
        help="Fail every drop, too, that is significant against 0. This catches drops that are too small to matter.",
    ),
    click.option(
        "--fail-undecided/--no-fail-undecided",
        default=False,
        help="Exit with 4 where these topics cannot tell of others.",
    ),
    click.option(
        "--on-these-topics/--on-topics-like-these",
        default=False,
        help="Let the means of these topics decide, and say nothing of others. Nothing is undecided then.",
    ),
    click.option(
        "--largest-change",
        multiple=True,
        metavar="X",
        help="The most that the score of one topic can change, up or down; MEASURE=X says it of one measure. May be"
        " repeated. By default the range of the measure. What few changed topics say of others holds under this"
        " condition alone.",
    ),
    click.option(
        "--percent/--no-percent",
        default=False,
        help="Read the scores of a table as percentages, under measures that go from 0 to 1.",
    ),
)


def _limiting(command: Any) -> Any:
    """Give the command the options that say what is allowed."""
    for option in reversed(_LIMITS):
        command = option(command)
    return command


@click.command()
@click.argument("qrels")
@click.argument("baseline")
@click.argument("candidate", required=False)
@measures_option
@_limiting
@click.option(
    "--queries",
    type=FilePath(dir_okay=False),
    metavar="FILE",
    help="Show the texts of broken topics: TSV, CSV, JSON, JSONL or TREC topics, plain or compressed.",
)
@format_option(*FORMATS)
@output_file
@click.option(
    "--save-baseline",
    "save",
    type=FilePath(dir_okay=False),
    metavar="FILE",
    help="Store the scores of CANDIDATE, if the exit status is 0, to be the BASELINE of later calls: .parquet, .json or"
    " .csv. Without CANDIDATE, those of BASELINE.",
)
@config_option("gate", never=("output", "save"))
@relevance_options
@judging_options
def gate(qrels: str, baseline: str, candidate: str | None, form: str, output: str | None, **options: Any) -> None:
    """Fail if CANDIDATE has fallen behind BASELINE by more than is allowed.

    QRELS is a TREC file, or an id of ir_datasets, where that package is installed; BASELINE and CANDIDATE are runs,
    and BASELINE may be what --save-baseline stored. NAME=FILE names a run. Without -m the measure is nDCG@10.
    QRELS may also be a file with the score of every system and topic, as PyTerrier's perquery.csv; then BASELINE and
    CANDIDATE are names of systems in it.

    How far the mean fell on these topics is known exactly; what it does over topics like these is an inference. Pass:
    the mean of topics like these drops by at most --max-drop, under every measure, or nothing changed. Fail: it drops
    by more under one, or more than --max-broken topics broke. Undecided: these topics cannot tell, and why. With
    --on-these-topics their means decide alone, for queries that are the traffic you care about.

    Exit status: 0 pass, 3 fail, undecided 0, or 4 with --fail-undecided; 1 if a file is wrong, 2 if the call is.
    """
    save = options["save"]
    measures = [seen_as(measure, options) for _, measure in named_measures(options["measures"] or DEFAULT_MEASURES[:1])]
    texts = [] if options["queries"] is None else [options["queries"]]
    _check_targets([qrels, *texts], baseline, candidate, output, save)
    reading = {name: options[name] for name in READ}
    if USED in click.get_current_context().meta:
        tell(f"note: settings from {click.get_current_context().meta[USED]}")
    if candidate is None:
        _store_alone(qrels, baseline, measures, save, reading)
        return
    alone = is_scores(qrels)
    result = decide(
        qrels_source(qrels),
        baseline if alone else _run(baseline),
        candidate if alone else _run(candidate),
        measures,
        max_drop=_limits("--max-drop", options["max_drop"], MAX_DROP, measures, options),
        queries=None if options["queries"] is None else opened(options["queries"]),
        broken=_limits("--broken", options["broken"], BROKEN, measures, options),
        largest_change=_limits("--largest-change", options["largest_change"], None, measures, options),
        **{name: options[name] for name in DECIDING},
        **reading,
    )
    note(result.caveats)
    _show(result, form, output)
    if save is not None and not result:
        why = "failed" if result.failed else "is undecided"
        tell(f"note: {save} was not written, because the gate {why}")
    elif save is not None:
        result.save_baseline(save)
    click.get_current_context().exit(result.exit_code)


def _check_targets(
    read: Iterable[str], baseline: str, candidate: str | None, output: str | None, save: str | None
) -> None:
    """Complain of files to write before anything is computed."""
    replaceable = is_stored(named_file(baseline)[1])
    inputs = [*read, *([] if replaceable else [baseline]), *([] if candidate is None else [candidate])]
    refuse_to_overwrite(output, [*inputs, baseline])
    if save is None:
        if candidate is None:
            raise click.UsageError("Missing argument 'CANDIDATE'; without it --save-baseline FILE stores BASELINE")
        return
    if candidate is None and output is not None:
        raise ParameterError(f"-o {output}: without CANDIDATE nothing is compared; leave -o out, or name a CANDIDATE")
    check_ending(save)
    try:
        # what was stored before may be replaced
        refuse_to_overwrite(save, inputs)
    except ParameterError as error:
        raise ParameterError(str(error).replace("-o", "--save-baseline", 1)) from None
    if output is not None and os.path.realpath(output) == os.path.realpath(save):
        raise ParameterError(f"-o and --save-baseline both name {save}; name two files")


def _run(text: str) -> Any:
    """Return the one run that an argument stands for."""
    several = run_sources([text])
    if len(several) > 1:
        raise ParameterError(f"{text} is {len(several)} files, and the gate compares two runs; name one file")
    return several[0]


def _limits(
    option: str, given: Iterable[str], usual: float | None, measures: Collection[Measure], options: Mapping[str, Any]
) -> Any:
    """Return the limits that an option gives: one for all measures, or for each its own; None if there is none."""
    general: list[float] = []
    own: dict[Measure, float] = {}
    for text in given:
        name, _, value = text.rpartition("=")
        number = _number(option, text, value)
        if name:
            named = {seen_as(measure, options): number for _, measure in named_measures([name])}
            if not named.keys() <= set(measures):
                raise ParameterError(f"{option} {text}: the gate does not look at {name}; add -m {name}")
            own.update(named)
        else:
            general.append(number)
    if len(general) > 1:
        raise ParameterError(f"{option} is given twice for all measures; {option} MEASURE={general[-1]:g} names one")
    for_all = general[0] if general else usual
    if for_all is None:
        return own or None
    return {**dict.fromkeys(measures, for_all), **own} if own else for_all


def _number(option: str, text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < inf:
        said = f"{option} {clipped(text)}"
        raise ParameterError(f"{said}: write a number from 0 up, or MEASURE=NUMBER, such as nDCG@10=0.02")
    return number


def _store_alone(qrels: str, run: str, measures: list[Measure], save: str, reading: Mapping[str, Any]) -> None:
    """Store the scores of a run that is compared with nothing."""
    if is_stored(named_file(run)[1]):
        raise ParameterError(f"{run} holds stored scores already; name a run to store the scores of")
    stored, caveats = score_baseline(qrels_source(qrels), _run(run), measures, **reading)
    note(caveats)
    stored.write(save)
    what = f"{listed(list(stored.scores))} on {counted(len(stored.topics), 'topic')}"
    say(f"Stored the scores of {one_line(stored.system)} in {save}: {what}. Nothing was compared.")


def _show(result: GateResult, form: str, output: str | None) -> None:
    if form == "junit":
        put(junit_text(SUITE, list(_cases(result))), output, form)
    elif form == "github":
        _show_on_github(result, output)
    else:
        emit(form, output, document=result.document, data=result.to_dict, width=WIDTH)


def _cases(result: GateResult) -> Iterator[Case]:
    """Return a test case for every measure, and one for topics that broke."""
    unsure = FAILED if result.fail_undecided else SKIPPED
    outcomes = {Outcome.PASS: PASSED, Outcome.FAIL: FAILED, Outcome.UNDECIDED: unsure}
    for found in result.results:
        yield Case(name=found.measure, outcome=outcomes[found.outcome], message=measure_sentence(found))
    yield Case(
        name="broken topics",
        outcome=FAILED if result.too_many_broken else PASSED,
        message=result.view.about_broken(),
        details="\n".join(_broken_lines(result.results, result.queries)),
    )


def _broken_lines(results: Iterable[MeasureGate], queries: Mapping[str, str]) -> Iterator[str]:
    for found in results:
        for each in found.broken:
            text = f" ({one_line(queries[each.topic])})" if each.topic in queries else ""
            size, ends = moved_by(each.baseline, each.candidate)
            yield f"{found.measure}, topic {one_line(each.topic)}{text}: {ends}, a drop of {size}"


def _show_on_github(result: GateResult, output: str | None) -> None:
    """Print what GitHub's runner shows beside the workflow, and put the summary where the job keeps it."""
    from measurand.display.markdown import markdown_text

    notes = [f"Note: {one_line(str(caveat), LONGEST_NOTE)}" for caveat in result.caveats]
    summary = f"## {SUITE}\n\n{markdown_text(Document([*result.document().parts, *notes]))}"
    level = "error" if result.exit_code else LEVELS[result.outcome]
    path = os.environ.get(SUMMARY)
    if output is None and path:
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(summary)
        except OSError as error:
            raise InputFileError(path, None, f"cannot be written ({error.strerror}); see ${SUMMARY}") from None
    elif output is not None:
        put(summary, output, "markdown")
    say(workflow_command(level, f"{SUITE}: {result.outcome}", result.reason))
    for line in _broken_lines(result.results, result.queries) if result.too_many_broken else ():
        say(workflow_command("error", "broken topic", line))
    if output is None and not path:
        put(summary, None, "markdown")
