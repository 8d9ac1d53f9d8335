"""`measurand portfolio`: what several systems reach together on each topic, or what several assessors grant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.options import (
    FORMATS,
    judge_named,
    judging_options,
    measures_option,
    named_file,
    named_measures,
    output_file,
    refuse_to_overwrite,
    run_files,
)
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import Measure, parse
from measurand.orders import ORDERS

if TYPE_CHECKING:
    from measurand.study.assessors import AssessorsTable
    from measurand.study.portfolio import PortfolioTable

MEASURE, MEASURE_OF_ASSESSORS = "nDCG@10", "P@10"
"""The measures if none is named; what assessors differ in is no recall base."""


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@click.option(
    "--order",
    type=click.Choice(list(ORDERS)),
    show_default="swap; with --assessor replacement",
    help="Which of two rankings is better.",
)
@click.option(
    "--assessor",
    "assessors",
    multiple=True,
    metavar="NAME=QRELS",
    help="The judgments of another assessor of the same runs; may be repeated. QRELS may have a NAME= as well.",
)
@click.option("-q", "--by-topic", is_flag=True, help="Show every topic.")
@judging_options
@format_option(*FORMATS)
@output_file
def portfolio(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say what several systems reach together on each topic, and what each of them reaches at least.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system.

    The join of the systems' judged runs is the worst ranking of grades that is at least as good as each of them:
    no choice of a system exceeds it, under any measure that keeps the order. The meet is the best that every system
    reaches. Neither is a list of documents, and neither bounds what a fusion gives. As many ranks are looked
    at as the measures do, unless --depth says fewer.

    With --assessor the runs are judged by several assessors: favourable is the join of what they make of
    a ranking, agreed is the meet, system by system.
    """
    measures = [measure for _, measure in named_measures(options["measures"])] if options["measures"] else []
    refuse_to_overwrite(output, [qrels, *options["assessors"], *runs])
    if options["assessors"]:
        table: PortfolioTable | AssessorsTable = _by_assessors([qrels, *options["assessors"]], runs, measures, options)
    else:
        table = _by_systems(qrels, runs, measures, options)
    note(table.caveats)
    rows = table.view if options["by_topic"] else table.summary_view
    emit(
        form,
        output,
        document=lambda: table.document(by_topic=options["by_topic"]),
        data=table.to_dict,
        tables=lambda: [rows()],
        paper=lambda: [rows()],
    )


def _by_systems(qrels: str, runs: Sequence[str], measures: list[Measure], options: dict[str, Any]) -> PortfolioTable:
    from measurand.study.portfolio import portfolio as portfolio_of

    judged = judge_named(qrels, runs, options)
    measures = measures or [parse(MEASURE)]
    found = portfolio_of(judged, order=options["order"] or "swap", depth=_depth(judged, measures))
    return found.table(measures)


def _depth(judged: JudgedRuns, measures: Iterable[Measure]) -> int:
    """Return the last rank that a measure looks at."""
    return max(measure.reach(judged.depth) for measure in measures)


def _by_assessors(
    files: Sequence[str], runs: Sequence[str], measures: list[Measure], options: dict[str, Any]
) -> AssessorsTable:
    from measurand.study.assessors import assessors

    if "-" in (*(named_file(text)[1] for text in (*files, *runs)),):
        raise ParameterError("standard input can be read only once; with --assessor name files")
    judged: dict[str, JudgedRuns] = {}
    for text in files:
        name, path = named_file(text)
        called = PurePath(path).name if name is None else name
        if called in judged:
            raise ParameterError(f"two assessors are called {called}; write NAME=QRELS to tell them apart")
        judged[called] = judge_named(path, runs, options)
    measures = measures or [parse(MEASURE_OF_ASSESSORS)]
    depth = max(_depth(each, measures) for each in judged.values())
    return assessors(judged, order=options["order"] or "replacement", depth=depth).table(measures)
