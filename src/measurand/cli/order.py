"""`measurand order`: how two judged runs stand to each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from measurand.cli.options import output_file, put, table_or_json
from measurand.cli.runs import written_grades
from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.judged import Relevance
from measurand.orders import CHAINED, ORDERS, Comparison, Relation, Step, chain, explain
from measurand.orders.levels import exact_grade

SHORT = 30
"""Runs that are longer are not shown step by step."""

MANY = 40
"""So many steps between long runs are shown."""

WORDS = {
    Relation.LESS: "the first is worse",
    Relation.EQUAL: "the two are equal",
    Relation.GREATER: "the first is better",
    Relation.INCOMPARABLE: "neither is better",
}


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("first")
@click.argument("second")
@click.option("--order", type=click.Choice(list(ORDERS)), default="swap", show_default=True, help="Which order.")
@click.option("--labels", metavar="LABELS", help="Names of the grades, worst first, like nr,pr,hr.")
@table_or_json
@output_file
def order(first: str, second: str, order: str, labels: str | None, form: str, output: str | None) -> None:
    """Compare two judged runs, FIRST and SECOND: grades with commas between, like 1,0,0,1.

    Digits alone may do without commas. Unjudged (-1) and missing (-2) documents count as grade 0.

    Comparable runs come with the swaps and replacements that lead from the worse to the better one,
    incomparable ones with the ranks where each has more relevant documents.
    """
    relevance = Relevance.labelled(*(label.strip() for label in labels.split(","))) if labels else None
    lowest = relevance.labels[0] if relevance else "0"
    r, s = read_run(first, lowest), read_run(second, lowest)
    if relevance is None:
        _refuse_labels((*r, *s))
    if order.startswith("set-"):
        r, s = (tuple(sorted(run, key=lambda grade: exact_grade(grade, relevance), reverse=True)) for run in (r, s))
    found = explain(r, s, order, relevance)
    steps: list[Step] | None = None
    if order in CHAINED and found.relation is not Relation.INCOMPARABLE:
        low, high = (s, r) if found.relation is Relation.GREATER else (r, s)
        steps = chain(low, high, order, relevance)
    put(_as_json(found, steps, order) if form == "json" else _as_text(found, steps, (r, s)), output)


def read_run(text: str, lowest: str = "0") -> tuple[Any, ...]:
    """Return the grades in a text.

    Examples
    --------
    >>> read_run("1,0,2"), read_run("1001"), read_run("nr,hr")
    (('1', '0', '2'), ('1', '0', '0', '1'), ('nr', 'hr'))
    """
    # unjudged and missing documents count as the lowest grade
    return tuple(lowest if grade in ("-1", "-2", "-3") else grade for grade in written_grades(text))


def _refuse_labels(grades: tuple[str, ...]) -> None:
    for grade in grades:
        try:
            rational(grade)
        except ParameterError:
            raise ParameterError(
                f"{grade!r} is no grade; if it is a label, name all labels: --labels nr,pr,hr"
            ) from None


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
        lines += ["", *_chained(steps, low)]
    return "\n".join(lines) + "\n"


def _chained(steps: list[Step], run: tuple[Any, ...]) -> Iterator[str]:
    """Return a line a step, with the run after it where that is short."""
    shown = steps if len(steps) <= MANY else [*steps[: MANY // 2], *steps[-MANY // 2 :]]
    width = max(len(str(step)) for step in shown)
    start = "from the worse to the better:"
    if len(run) > SHORT:
        yield start
        yield from (f"  {step}" for step in shown[: MANY // 2])
        yield from ([f"  … {len(steps) - len(shown):,} steps more …"] if len(shown) < len(steps) else [])
        yield from (f"  {step}" for step in shown[MANY // 2 :])
        return
    yield f"{start:<{width + 2}}  {','.join(run)}"
    yield from (f"  {step!s:<{width}}  {after}" for step, after in zip(steps, _after(steps, run), strict=True))


def _after(steps: list[Step], run: tuple[Any, ...]) -> Iterator[str]:
    """Return the run after each step, as it was written."""
    for step in steps:
        run = step.apply(run)
        yield ",".join(map(str, run))
