"""Hasse diagrams on the command line: `measurand order --hasse`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath

import click

from measurand.cli.options import coloured, named_measures, put, wide
from measurand.display.charts import draw, figure_format
from measurand.errors import ParameterError
from measurand.measures import Measure
from measurand.trec import write_atomically

DEPTH = 4
"""So many ranks are drawn if nothing is said."""

WIDTH = 100

DRAWN = ("svg", "png", "html", "dot")
"""These files hold drawings, never data."""


def put_diagram(
    order: str,
    runs: Sequence[tuple[int, ...]],
    *,
    depth: int | None,
    grades: int | None,
    measure: str | None,
    recall_base: int | None,
    form: str,
    output: str | None,
) -> None:
    """Draw an order, with some runs marked, in the format that the ending of the file asks for, or print it."""
    from measurand.lattice import RunLattice
    from measurand.lattice.hasse import READABLE

    lengths = {len(run) for run in runs} | ({depth} if depth else set())
    if len(lengths) > 1:
        raise ParameterError(f"runs of {' and '.join(map(str, sorted(lengths)))} ranks do not stand in one diagram")
    highest = max((grade for run in runs for grade in run), default=1)
    ranks = max(lengths, default=DEPTH)
    lattice = RunLattice(order, ranks, max(2, highest + 1) if grades is None else grades)
    wanted = None if measure is None else _only(measure)
    written = _written(output, form)
    diagram = lattice.hasse(wanted, marked=runs, recall_base=recall_base)
    if written == "dot":
        put(diagram.to_dot(), output)
    elif written == "data":
        from measurand.report.hasse_data import hasse_data

        put(json.dumps(hasse_data(diagram), indent=2, ensure_ascii=False) + "\n", output)
    elif written == "text":
        from measurand.report.hasse_text import hasse_text

        put(hasse_text(diagram, colour=coloured(output), width=wide(WIDTH, output)), output)
    else:
        if len(diagram.nodes) > READABLE:
            click.echo(f"note: {len(diagram.nodes):,} runs are drawn as dots; {READABLE} have room for names", err=True)
        write_atomically(str(output), [draw(diagram.to_chart(), str(output))])


def is_drawing(output: str | None) -> bool:
    """Say whether a file is named like a drawing.

    Examples
    --------
    >>> is_drawing("a.SVG"), is_drawing("a.json"), is_drawing(None)
    (True, False, False)
    """
    return output is not None and _ending(output) in DRAWN


def _ending(output: str) -> str:
    return PurePath(output).suffix.lower().removeprefix(".")


def _written(output: str | None, form: str) -> str:
    """Return what is to be written: text, data, dot, or one of `FIGURE_FORMATS`."""
    ending = "" if output is None else _ending(output)
    if form == "json":
        if is_drawing(output):
            raise click.UsageError(
                f"-f json writes data, no drawing; leave it out, or name another file than .{ending}."
            )
        return "data"
    if output is None or ending in ("", "txt"):
        return "text"
    return figure_format(output, "dot", "txt")


def _only(measure: str) -> Measure:
    named = named_measures([measure])
    if len(named) > 1:
        raise ParameterError(f"a diagram shows the values of one measure, not of {len(named)}")
    return named[0][1]
