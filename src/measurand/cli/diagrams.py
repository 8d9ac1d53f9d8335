"""Hasse diagrams on the command line: `measurand order --hasse`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath

import click

from measurand.charts import FIGURE_FORMATS, draw
from measurand.cli.options import coloured, columns, named_measures, put
from measurand.errors import ParameterError
from measurand.trec import write_atomically

DEPTH = 4
"""So many ranks are drawn if nothing is said."""

WIDTH = 100


def put_diagram(
    order: str,
    runs: Sequence[tuple[int, ...]],
    *,
    depth: int | None,
    grades: int | None,
    measure: str | None,
    form: str,
    output: str | None,
) -> None:
    """Draw an order, with some runs marked, in the format that the ending of the file asks for, or print it."""
    from measurand.lattice import RunLattice
    from measurand.lattice.drawing.chart import READABLE

    lengths = {len(run) for run in runs} | ({depth} if depth else set())
    if len(lengths) > 1:
        raise ParameterError(f"runs of {' and '.join(map(str, sorted(lengths)))} ranks do not stand in one diagram")
    highest = max((grade for run in runs for grade in run), default=1)
    ranks = max(lengths, default=DEPTH)
    lattice = RunLattice(order, ranks, max(2, highest + 1) if grades is None else grades)
    wanted = None if measure is None else _only(measure)
    diagram = lattice.hasse(wanted, marked=runs)
    ending = "" if output is None else PurePath(output).suffix.lower().removeprefix(".")
    if output is not None and ending in FIGURE_FORMATS and not (ending == "json" and form == "json"):
        if len(diagram.nodes) > READABLE:
            click.echo(f"note: {len(diagram.nodes):,} runs are drawn as dots; {READABLE} have room for names", err=True)
        write_atomically(output, [draw(diagram.to_chart(), output)])
    elif ending == "dot":
        put(diagram.to_dot(), output)
    elif form == "json":
        from measurand.report.hasse_data import hasse_data

        put(json.dumps(hasse_data(diagram), indent=2, ensure_ascii=False) + "\n", output)
    else:
        from measurand.report.hasse_text import hasse_text

        put(hasse_text(diagram, colour=coloured(output), width=columns(WIDTH)), output)


def _only(measure: str) -> str:
    named = named_measures([measure])
    if len(named) > 1:
        raise ParameterError(f"a diagram shows the values of one measure, not of {len(named)}")
    return repr(named[0][1])
