"""`measurand measures`: the catalogue."""

from __future__ import annotations

import inspect
import json

import click

from measurand.cli.options import table_or_json
from measurand.measures import Measure, catalogue, parse
from measurand.measures.base import USUAL_DEPTH


def first_line(measure: Measure) -> str:
    """Return what a measure is, in a sentence."""
    return (inspect.getdoc(type(measure)) or "").partition("\n")[0]


@click.command()
@click.argument("names", nargs=-1, metavar="[MEASURE]...")
@table_or_json
def measures(names: tuple[str, ...], form: str) -> None:
    """List the measures, or explain each MEASURE: definition, parameters, facts."""
    wanted = [parse(name) for name in names] or list(catalogue().values())
    if form == "json":
        entries = {
            repr(m): {
                "definition": first_line(m),
                "parameters": {k: str(v) for k, v in m.parameters().items()},
                **m.facts(),
            }
            for m in wanted
        }
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
    elif names:
        click.echo("\n\n".join(_explained(measure) for measure in wanted))
    else:
        click.echo(_listed(wanted), nl=False)


def _explained(measure: Measure) -> str:
    facts = "\n".join(f"  {name:<12} {value}" for name, value in measure.facts().items())
    parameters = "\n".join(f"  {name:<12} {value}" for name, value in measure.parameters().items())
    return f"{measure!r}\n\n{inspect.getdoc(type(measure))}\n\nParameters now\n{parameters}\n\nFacts\n{facts}"


def _listed(wanted: list[Measure]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("measure", "what it is", "scale*", "parameters"):
        grid.add_column(column)
    for measure in wanted:
        parameters = ", ".join(name for name in measure.parameters() if name not in ("cutoff", "judged_only"))
        grid.add_row(measure.name, first_line(measure), str(measure.scale), parameters)
    console = Console()
    with console.capture() as captured:
        console.print(grid)
    note = f"* on {USUAL_DEPTH} ranks of two grades; `measurand measure NAME` looks at others\n"
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + f"\n{note}"
