"""`measurand explain`: which conventions give a number, and what every tool gives for a run."""

from __future__ import annotations

from typing import Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.numbers import COUNT
from measurand.cli.options import (
    FORMATS,
    named_measures,
    opened,
    output_file,
    refuse_to_overwrite,
    run_sources,
    waiting,
)
from measurand.errors import ParameterError
from measurand.measures import Measure

WIDTH = 120
"""The text is never wider."""


@click.command()
@click.argument("arguments", metavar="NUMBER QRELS RUN", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    multiple=True,
    help="The measure; usual cutoffs are tried if it has none, usual measures if none is named.",
)
@click.option("-t", "--topic", metavar="TOPIC", help="The number is that of one topic, no average.")
@click.option("--most", type=COUNT, metavar="N", help="List so many conventions.", show_default="8")
@click.option("--table", is_flag=True, help="Without NUMBER: what every known tool gives for RUN.")
@format_option(*FORMATS)
@output_file
def explain(arguments: tuple[str, ...], form: str, output: str | None, table: bool, **options: Any) -> None:
    """Say which conventions give NUMBER for RUN: gains, discounts, cutoffs, ties, missing topics, averages.

    NUMBER is written as it was found, such as 0.4314 or 43.1%; its decimals say how precise it is. One below 0 comes
    behind the options and --, as in -m Utility -- -3 QRELS RUN. QRELS and RUN are files of TREC, BEIR, MS MARCO, CSV,
    JSON or others, plain or compressed, or - for standard input. The simplest convention that gives the number comes
    first, with the tools that follow it; where none does, the nearest. The exit status is 0 whatever the answer.

    With --table there is no NUMBER: QRELS RUN are evaluated under the convention of every known tool.
    """
    wanted = 2 if table else 3
    if len(arguments) != wanted:
        call = "--table QRELS RUN" if table else "0.4314 QRELS RUN"
        raise click.UsageError(f"name {wanted} things, not {len(arguments)}: {call}")
    qrels, run = arguments[-2:]
    refuse_to_overwrite(output, [qrels, run])
    found = _found(None if table else arguments[0], qrels, run, options)
    note(found.caveats)
    emit(
        form,
        output,
        document=found.document,
        data=found.to_dict,
        tables=lambda: found.document().tables,
        paper=lambda: found.document().tables,
        width=WIDTH,
    )


def _found(number: str | None, qrels: str, run: str, options: dict[str, Any]) -> Any:
    """Return the explanation of a number, or what tools give."""
    from measurand.study.explain.by_tool import values_by_tool
    from measurand.study.explain.explanation import MOST
    from measurand.study.explain.explanation import explain as explained

    measure, source = _measure(options["measure"]), _one(run)
    if number is None:
        if options["most"] is not None:
            raise click.UsageError("--most goes with a number, not with --table.")
        return values_by_tool(opened(qrels), source, measure, topic=options["topic"])
    most = options["most"] or MOST
    return explained(number, opened(qrels), source, measure, topic=options["topic"], most=most, progress=waiting())


def _one(run: str) -> Any:
    """Return the file that RUN stands for, or complain of several."""
    sources = run_sources([run])
    if len(sources) != 1:
        raise ParameterError(f"{run} is {len(sources)} files, and a number is that of one run; name one of them")
    return sources[0]


def _measure(texts: tuple[str, ...]) -> Measure | None:
    if not texts:
        return None
    named = named_measures(texts)
    if len(named) != 1:
        raise ParameterError(f"-m names one measure here, not {len(named)}; take each in turn")
    return named[0][1]
