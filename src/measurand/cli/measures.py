"""`measurand measures`: the catalogue."""

from __future__ import annotations

import inspect
from shutil import get_terminal_size

import click

from measurand.cli.emit import coloured, format_option, put
from measurand.display.data import json_text
from measurand.display.tables import Column, Document, TableView
from measurand.measures import Measure, catalogue, parse
from measurand.measures.base import USUAL_DEPTH


def first_line(measure: Measure) -> str:
    """Return what a measure is, in a sentence."""
    return (inspect.getdoc(type(measure)) or "").partition("\n")[0]


@click.command()
@click.argument("names", nargs=-1, metavar="[MEASURE]...")
@format_option("table", "json")
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
        put(json_text(entries), None, "json")
    elif names:
        put("\n\n".join(_explained(measure) for measure in wanted) + "\n", None, "text")
    else:
        put(_listed(wanted), None, "table")


def _explained(measure: Measure) -> str:
    facts = "\n".join(f"  {name:<12} {value}" for name, value in measure.facts().items())
    parameters = "\n".join(f"  {name:<12} {value}" for name, value in measure.parameters().items())
    return f"{measure!r}\n\n{inspect.getdoc(type(measure))}\n\nParameters now\n{parameters}\n\nFacts\n{facts}"


def _listed(wanted: list[Measure]) -> str:
    from measurand.display.terminal import terminal_text

    columns = [
        Column("measure", lambda measure: measure.name, left=True, wrap="words"),
        Column("what it is", first_line, left=True, wrap="words"),
        Column("scale*", lambda measure: str(measure.scale), left=True, wrap="words"),
        Column("parameters", _parameters, left=True, wrap="words"),
    ]
    note = f"* on {USUAL_DEPTH} ranks of two grades; `measurand measure NAME` looks at others"
    view = TableView(columns, wanted, ruled=True, indent=0)
    text = terminal_text(Document([view]), colour=coloured(None), width=get_terminal_size((80, 24)).columns)
    return f"{text}{note}\n"


def _parameters(measure: Measure) -> str:
    return ", ".join(name for name in measure.parameters() if name not in ("cutoff", "judged_only"))
