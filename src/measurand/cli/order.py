"""`measurand order`: how two judged runs stand to each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from measurand.cli.options import output_file, put, table_or_json
from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.orders import ORDERS, Comparison, Relation, Step, chain, explain
from measurand.orders.levels import exact_grade

WORDS = {
    Relation.LESS: "the first is worse",
    Relation.EQUAL: "the two are equal",
    Relation.GREATER: "the first is better",
    Relation.INCOMPARABLE: "neither is better",
}

CHAINED = ("swap", "replacement", "set-replacement")


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--order", type=click.Choice(list(ORDERS)), default="swap", show_default=True, help="Which order.")
@click.option("--labels", metavar="LABELS", help="Names of the grades, worst first, like nr,pr,hr.")
@table_or_json
@output_file
def order(first: str, second: str, order: str, labels: str | None, form: str, output: str | None) -> None:
    """Compare two judged runs, FIRST and SECOND: grades with commas between, like 1,0,0,1.

    Comparable runs come with the swaps and replacements that lead from the worse to the better one,
    incomparable ones with the ranks where each has more relevant documents.
    """
    relevance = Relevance.labelled(*labels.split(",")) if labels else None
    r, s = read_run(first), read_run(second)
    if order.startswith("set-"):
        r, s = (tuple(sorted(run, key=lambda grade: exact_grade(grade, relevance), reverse=True)) for run in (r, s))
    found = explain(r, s, order, relevance)
    steps: list[Step] | None = None
    if order in CHAINED and found.relation is not Relation.INCOMPARABLE:
        low, high = (s, r) if found.relation is Relation.GREATER else (r, s)
        steps = chain(low, high, order, relevance)
    put(_as_json(found, steps, order) if form == "json" else _as_text(found, steps, (r, s)), output)


def read_run(text: str) -> tuple[Any, ...]:
    """Return the grades in a text.

    Examples
    --------
    >>> read_run("1,0,2"), read_run("1001"), read_run("nr,hr")
    (('1', '0', '2'), ('1', '0', '0', '1'), ('nr', 'hr'))
    """
    parts = text.split(",") if "," in text else list(text)
    grades = tuple(part.strip() for part in parts)
    if not grades or "" in grades:
        raise ParameterError(f"{text!r} is no judged run; write grades with commas between, like 1,0,0,1")
    return grades


def _as_json(found: Comparison, steps: list[Step] | None, order: str) -> str:
    chained = None if steps is None else [_step(step) for step in steps]
    data = {"relation": str(found.relation), "order": order, "why": found.why, "chain": chained}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _step(step: Step) -> dict[str, Any]:
    data = {"kind": step.kind, "rank": step.rank, "other": step.other, "old": str(step.old), "new": str(step.new)}
    return {**data, "text": str(step)}


def _as_text(found: Comparison, steps: list[Step] | None, runs: tuple[tuple[Any, ...], tuple[Any, ...]]) -> str:
    lines = [f"{found.relation}: {WORDS[found.relation]}", found.why]
    if steps:
        low, _ = runs[::-1] if found.relation is Relation.GREATER else runs
        width = max(len(str(step)) for step in steps)
        start = "from the worse to the better:"
        lines += ["", f"{start:<{width + 2}}  {','.join(low)}"]
        lines += [f"  {step!s:<{width}}  {run}" for step, run in zip(steps, _after(steps, low), strict=True)]
    return "\n".join(lines) + "\n"


def _after(steps: list[Step], run: tuple[Any, ...]) -> Iterator[str]:
    """Return the run after each step, as it was written."""
    now = list(run)
    for step in steps:
        if step.other is None:
            now[step.rank - 1] = str(step.new)
        else:
            now[step.rank - 1], now[step.other - 1] = now[step.other - 1], now[step.rank - 1]
        yield ",".join(now)
