"""`measurand interval`: where runs stand among all the values of a measure."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from math import inf
from typing import Any

import click

from measurand.cli.arguments import function_measure
from measurand.cli.emit import WIDTH, columns, emit
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT_OR_NONE, DRAWS, GRADES, SEED
from measurand.cli.options import output_file, table_or_json, waiting, workers_option
from measurand.cli.streams import tell
from measurand.display.charts import draw, figure_format
from measurand.errors import NotAvailable, ParameterError, quoted
from measurand.exact import MOST
from measurand.execution.memory import read_bytes
from measurand.intervals.interval_scale import TIES, IntervalScaled
from measurand.intervals.interval_scale import interval as interval_scale
from measurand.judged.grades import read_cells
from measurand.measures import Measure, parse
from measurand.scales import readings
from measurand.trec import write_atomically


def read_depth(text: str) -> int | float:
    """Return a number of ranks, or infinity.

    Examples
    --------
    >>> read_depth("30"), read_depth("inf")
    (30, inf)
    """
    if text.strip().lower() in ("inf", "infinity"):
        return inf
    number = int(text) if re.fullmatch(r"\s*[0-9]{1,18}\s*", text) else 0
    if not 0 < number <= MOST:
        raise ParameterError(f"--depth must be a whole number from 1 to {MOST:,}, or inf, not {quoted(text)}")
    return number


def _max_memory(text: str) -> int:
    size = read_bytes(text)
    if not size:
        raise ParameterError(f"--max-memory must be a number of bytes like 4GiB or 500MB, not {quoted(text)}")
    return size


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("given", metavar="MEASURE [RUN]...", nargs=-1)
@click.option("-d", "--depth", metavar="N", help="How many ranks runs have, or inf; the measure's cutoff by default.")
@click.option("-g", "--grades", type=GRADES, metavar="C", help="How many grades, 0 included: 2 or more.")
@click.option("--ties", type=click.Choice(TIES), help="Rank values (unq), or runs with ties at a mean or end place.")
@click.option("--max-seconds", metavar="S", help="How long it may take; 120 if nothing is said.")
@click.option(
    "--max-memory", metavar="BYTES", help="What tables may take, like 4GiB or 500MB; 2GiB if nothing is said."
)
@click.option("--function", metavar="MODULE:NAME", help="Take a function of a judged run instead of a MEASURE.")
@click.option(
    "--plot",
    type=FilePath(dir_okay=False),
    help="Draw values, runs and positions: .svg, .png, .html or .json (Vega-Lite).",
)
@click.option(
    "--recall-base", type=COUNT_OR_NONE, metavar="R", help="Leave out runs with more than R relevant documents."
)
@click.option("--among-runs", is_flag=True, help="Tell the share of runs that score no more instead: for any measure.")
@click.option("--samples", type=DRAWS, metavar="N", help="With --among-runs: draw N runs; 10,000 by default.")
@click.option("--seed", type=SEED, help="With --among-runs: where random numbers start; 0 by default.")
@table_or_json
@output_file
@workers_option
def interval(given: tuple[str, ...], form: str, output: str | None, plot: str | None, **options: Any) -> None:
    """Place RUNs among all the values that MEASURE takes: its interval scale.

    A RUN is its grades by rank, like 1,1,0 or 110. Without a RUN, tell how many values there are, and whether the
    measure itself is equally spaced. Where values cannot be counted, --among-runs tells which share of all runs scores
    no more. `measurand measures` lists the measures.
    """
    from measurand.intervals.reading import readings_data, readings_document

    drawing = {name: options.pop(name) for name in ("among_runs", "samples", "seed")}
    if drawing["among_runs"]:
        _among_runs(given, form, output, {**drawing, **options, "plot": plot})
        return
    if drawing["samples"] is not None or drawing["seed"] is not None:
        raise click.UsageError("--samples and --seed are for --among-runs; interval scales draw nothing.")
    if plot is not None:
        figure_format(plot)
    if plot is not None and output is not None and os.path.realpath(plot) == os.path.realpath(output):
        raise click.UsageError("-o and --plot name the same file.")
    # what a function prints is not what was asked for
    with redirect_stdout(sys.stderr):
        scale, runs = _asked(given, **options)
        read = readings(scale, runs, waiting())
    _mind(scale, runs, read.depth)
    if plot is not None:
        with redirect_stdout(sys.stderr):
            _plot(plot, read.scale, runs)
    width = columns(WIDTH)
    emit(form, output, document=lambda: readings_document(read), data=lambda: readings_data(read), width=width)


def _among_runs(given: Sequence[str], form: str, output: str | None, options: dict[str, Any]) -> None:
    """Show which share of all runs scores no more than each of the runs."""
    from measurand.intervals.run_positions import SAMPLES, among_runs

    for name in ("ties", "max_seconds", "max_memory", "plot"):
        if options[name] is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is for the interval scale, not for --among-runs.")
    with redirect_stdout(sys.stderr):
        _refuse_options(given)
        measure, written = _wanted(given, options["function"])
        measure = measure.measure if isinstance(measure, IntervalScaled) else measure
        runs = [read_cells(text) for text in written]
        if not runs:
            raise click.UsageError("Give a RUN, its grades by rank, such as 1,0,1.")
        _refuse_grades(runs, measure, options["grades"] or 2)
        depth = None if options["depth"] is None else read_depth(options["depth"])
        if depth == inf:
            raise ParameterError("--among-runs needs runs of a depth, not inf")
        among = among_runs(
            measure,
            depth if depth is not None or measure.cutoff is not None else max(map(len, runs)),  # type: ignore[arg-type]
            options["grades"] or 2,
            recall_base=options["recall_base"],
            samples=options["samples"] or SAMPLES,
            rng=options["seed"] or 0,
        )
        found = among.positions(runs, waiting())
    _mind_lengths(runs, among.depth, "only runs {ranks} count")
    emit(form, output, document=found.document, data=found.to_dict, width=columns(WIDTH))


def _refuse_options(given: Sequence[str]) -> None:
    for text in given:
        # the parser lets everything through that begins like a negative grade
        if re.match(r"-+[^\d]", text):
            raise click.UsageError(f"No such option: {text}")


def _asked(
    given: Sequence[str], function: str | None, depth: str | None, max_memory: str | None, **options: Any
) -> tuple[IntervalScaled, list[tuple[int, ...]]]:
    """Return the scale and the runs that were asked for."""
    _refuse_options(given)
    measure, written = _wanted(given, function)
    runs = [read_cells(text) for text in written]
    asked = {name: value for name, value in options.items() if value is not None}
    if depth is not None:
        asked["depth"] = read_depth(depth)
    if max_memory is not None:
        asked["max_memory"] = _max_memory(max_memory)
    scale = measure if isinstance(measure, IntervalScaled) else interval_scale(measure)
    scale = scale(**asked)
    _refuse_grades(runs, scale.measure, scale.grades)
    if not runs and scale.depth is None and scale.measure.cutoff is None:
        raise ParameterError(f"how deep are runs? Say {scale.measure!r}@30, or --depth 30")
    return scale, runs


def _refuse_grades(runs: Sequence[Sequence[int]], measure: Measure, grades: int) -> None:
    """Complain of grades that there are not, by the option that says how many there are."""
    highest = max((grade for run in runs for grade in run), default=0)
    if measure.graded and highest >= grades:
        raise ParameterError(f"grade {highest} does not fit into {grades} grades; say -g {highest + 1}")


def _wanted(given: Sequence[str], function: str | None) -> tuple[Measure, Sequence[str]]:
    if function is not None:
        return function_measure(function), given
    if not given:
        raise click.UsageError("Name a MEASURE or a --function module:name.")
    return parse(given[0]), given[1:]


def _plot(path: str, scale: IntervalScaled, runs: Sequence[Sequence[int]]) -> None:
    """Draw the figure; what cannot be had of it is said, and does not keep the numbers back."""
    from measurand.intervals.interval_figure import interval_figure

    try:
        chart = interval_figure(scale, runs, waiting())
    except NotAvailable as error:
        tell(f"note: {path} was not written: {error}")
        return
    if len(chart["hconcat"]) < 2:
        tell(f"note: {path} shows positions alone: how many runs share a value is not known here")
    write_atomically(path, [draw(chart, path)])


def _mind(scale: IntervalScaled, runs: Sequence[Sequence[int]], depth: int | float) -> None:
    """Say what happened to runs that are not as long as they should be, and what ranks are worth."""
    _mind_lengths(runs, depth, "the scale is that of runs {ranks}")
    if scale.ties != "unq":
        tell(f"note: ranks with ties={scale.ties} are not equally spaced; only those with unq are")


def _mind_lengths(runs: Sequence[Sequence[int]], depth: int | float, why: str) -> None:
    """Say what happened to runs that are not as long as they should be."""
    ranks = "without end" if depth == inf else f"of {depth:,} ranks"
    for some, deed in (
        ([run for run in runs if len(run) < depth], "filled up with nonrelevant documents"),
        ([run for run in runs if len(run) > depth], "cut"),
    ):
        if some:
            which = "1 run was" if len(some) == 1 else f"{len(some):,} runs were"
            tell(f"note: {which} {deed}: {why.format(ranks=ranks)}")
