"""`measurand measure`: what a measure really does."""

from __future__ import annotations

import os
import sys
import time
from contextlib import redirect_stdout, suppress
from typing import Any

import click

from measurand.cli.arguments import function_measure
from measurand.cli.emit import WIDTH, columns, emit
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT, GRADES
from measurand.cli.options import output_file, table_or_json, waiting
from measurand.cli.streams import tell
from measurand.display.charts import figure_format
from measurand.errors import FunctionFailed
from measurand.measures import Measure, parse
from measurand.measures.defined import Defined
from measurand.measures.space import Space
from measurand.study.profile import profile

LONG = 10
"""A wait of so many seconds is announced."""

RUNS = 1 << 14
"""A profile asks for about so many runs at most."""


@click.command()
@click.argument("spelling", metavar="[MEASURE]", required=False)
@click.option(
    "--function",
    metavar="MODULE:NAME",
    help="Profile a function of a judged run instead: it takes a tuple of grades (and the recall base).",
)
@click.option("-d", "--depth", type=COUNT, default=10, show_default=True, help="How many ranks runs have.")
@click.option("-g", "--grades", type=GRADES, default=2, show_default=True, help="How many grades, 0 included.")
@click.option("--recall-base", type=COUNT, metavar="N", help="How many relevant documents the topic has.")
@click.option("--collection", type=COUNT, metavar="N", help="How many documents there are.")
@click.option("--qmin", metavar="GRADE", help="Smallest positive grade of the balance, like 0.3 or 1/3.")
@click.option("--qmax", metavar="GRADE", help="Highest grade of the balance.")
@table_or_json
@output_file
@click.option(
    "--figure", type=FilePath(dir_okay=False), help="Draw image and balance: .svg, .png, .html or .json (Vega-Lite)."
)
def measure(spelling: str | None, form: str, output: str | None, figure: str | None, **options: Any) -> None:
    """Profile MEASURE: facts, properties with the runs that break them, scale, values, balance.

    A MEASURE is spelled like ERR@10 or nDCG(b=2)@10; `measurand measures` lists them.
    """
    if figure is not None:
        figure_format(figure)
    if figure is not None and output is not None and os.path.realpath(figure) == os.path.realpath(output):
        raise click.UsageError("-o and --figure name the same file.")
    # what a function prints is not what was asked for
    with redirect_stdout(sys.stderr):
        wanted = _wanted(spelling, options.pop("function"))
        _warn_if_slow(wanted, options["depth"], options["grades"])
        found = profile(wanted, progress=waiting(), **options)
    if figure is not None and found.image is None and found.balance is None:
        tell(f"note: there is nothing to draw of {found.measure!r}; {figure} was not written")
    elif figure is not None:
        found.plot().save(figure)
    emit(form, output, document=found.document, data=found.to_dict, width=columns(WIDTH))


def _warn_if_slow(measure: Measure, depth: int, grades: int) -> None:
    """Say how long a function is going to take, if it is long."""
    if not isinstance(measure, Defined):
        return
    Space(depth=depth, grades=grades)  # refuses what is too long to look at
    started = time.perf_counter()
    with suppress(FunctionFailed):
        measure.of((0,) * depth)
    seconds = 3 * min(grades**depth, RUNS) * (time.perf_counter() - started)
    if seconds > LONG:
        tell(f"note: {measure!r} takes its time: some {seconds:.0f} s in all; a smaller --depth is quicker")


def _wanted(spelling: str | None, function: str | None) -> Measure:
    if (spelling is None) == (function is None):
        raise click.UsageError("Name a MEASURE or a --function module:name, one of the two.")
    if spelling is not None:
        return parse(spelling)
    return function_measure(str(function))
