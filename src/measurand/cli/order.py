"""`measurand order`: which of two or more judged runs is better; with `--hasse`, the diagram of an order.

With `--moves` the order is that of the user's own moves.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from measurand.cli.arguments import load_function
from measurand.cli.emit import emit, format_option, put
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT, GRADES
from measurand.cli.options import Command, named_measures
from measurand.cli.streams import tell
from measurand.display.charts import draw, figure_format
from measurand.display.data import json_text
from measurand.display.tables import Document, Part, Words
from measurand.display.wording import number
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import rational
from measurand.judged import Relevance
from measurand.judged.graded_runs import exact_grade
from measurand.judged.grades import written_grades
from measurand.measures import Measure
from measurand.orders import (
    CHAINED,
    ORDERS,
    Comparison,
    ComparisonByMoves,
    Move,
    OwnOrder,
    Relation,
    Step,
    chain,
    explain,
)
from measurand.orders.many_runs import BELOW
from measurand.orders.moves import from_moves
from measurand.orders.names import AnyOrder, is_of_sets
from measurand.trec import write_atomically

if TYPE_CHECKING:
    from measurand.lattice.runs import Closest
    from measurand.lattice.several_runs import Ranks

DEPTH = 4
"""So many ranks are drawn if nothing is said."""

DRAWN = ("svg", "png", "html", "dot")
"""These files hold drawings, never data."""


def put_diagram(
    order: str | OwnOrder,
    runs: Sequence[tuple[str, ...]],
    *,
    depth: int | None,
    grades: int | Relevance | None,
    measure: Sequence[str],
    recall_base: int | None,
    form: str,
    output: str | None,
) -> None:
    """Draw an order, with some runs marked, in the format that the ending of the file asks for, or print it."""
    from measurand.lattice import OwnLattice, RunLattice
    from measurand.lattice.hasse import READABLE

    lengths = {len(run) for run in runs} | ({depth} if depth else set())
    if len(lengths) > 1:
        raise ParameterError(f"runs of {' and '.join(map(str, sorted(lengths)))} ranks do not stand in one diagram")
    ranks = max(lengths, default=DEPTH)
    wide = _occurring(runs) if grades is None else grades
    lattice = RunLattice(order, ranks, wide) if isinstance(order, str) else OwnLattice(order, ranks, wide)
    wanted = _only(measure) if measure else None
    written = _written(output, form)
    diagram = lattice.hasse(wanted, marked=runs, recall_base=recall_base)
    if written == "dot":
        put(diagram.to_dot(), output, written)
    elif written in ("data", "text"):
        emit(form, output, document=diagram.document, data=diagram.to_dict)
    else:
        if len(diagram.nodes) > READABLE:
            tell(f"note: {len(diagram.nodes):,} runs are drawn as dots; {READABLE} have room for names")
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


def _only(measure: Sequence[str]) -> Measure:
    named = named_measures(measure)
    if len(named) > 1:
        raise ParameterError(f"a diagram shows the values of one measure, not of {len(named)}")
    return named[0][1]


SHORT = 30
"""Runs that are longer are not shown step by step."""

MANY = 40
"""So many steps between long runs are shown, and so many runs in the place of a join or meet."""

WORDS = {
    Relation.LESS: "the first is worse",
    Relation.EQUAL: "the two are equal",
    Relation.GREATER: "the first is better",
    Relation.INCOMPARABLE: "neither is better",
}


_MOVES = (
    click.option(
        "--moves",
        metavar="FILE.py:FUNCTION",
        multiple=True,
        help="Compare by your own moves: a function from a run, a tuple of grades, to a list of better runs. Can be"
        " given several times; module:function works as well. The file is run.",
    ),
    click.option(
        "--within",
        type=click.Choice(list(BELOW)),
        help="With --moves: every move also makes a run better in this order, so that longer runs can be compared.",
    ),
)


def moves_options(command: Command) -> Command:
    """Give a command the options that name moves of the user's own."""
    for option in reversed(_MOVES):
        command = option(command)
    return command


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("runs", nargs=-1, metavar="[RUN RUN...]")
@click.option("--order", type=click.Choice(list(ORDERS)), default="swap", show_default=True, help="Which order.")
@moves_options
@click.option("--labels", metavar="LABELS", help="Names of the grades, worst first, like nr,pr,hr.")
@click.option("--hasse", is_flag=True, help="Draw the diagram of the order instead, with the runs named marked.")
@click.option("-d", "--depth", type=COUNT, help=f"With --hasse or --moves: how many ranks ({DEPTH}).")
@click.option(
    "-g",
    "--grades",
    metavar="GRADES",
    callback=lambda _, __, text: None if text is None else _read_grades(text),
    help="The grades there are, like 0,0.3,1; with --hasse or --moves also how many (2).",
)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    multiple=True,
    help="With --moves: does the measure respect them? May be repeated. With --hasse: write its values under the runs.",
)
@click.option("--recall-base", type=COUNT, metavar="N", help="With -m: relevant documents of the topic.")
@format_option("table", "json")
@click.option(
    "-o",
    "--output",
    type=FilePath(dir_okay=False),
    callback=lambda _, __, path: None if path == "-" else path,
    help="Write to this file, - prints; with --hasse .svg, .png, .html, .json (Vega-Lite) and .dot are drawings, .txt"
    " is text.",
)
@click.pass_context
def order(
    context: click.Context,
    /,
    runs: tuple[str, ...],
    order: str,
    moves: tuple[str, ...],
    within: str | None,
    labels: str | None,
    form: str,
    output: str | None,
    **drawn: Any,
) -> None:
    """Compare two judged runs or more, each a RUN of grades with commas between, like 1,0,0,1.

    Digits alone may do without commas. Unjudged (-1) and missing (-2) documents count as grade 0.

    Comparable runs come with the swaps and replacements that lead from the worse to the better one,
    incomparable ones with the ranks where each has more relevant documents, and with their join and meet.
    The rank of a run in the order is how many steps lead to it from the worst run; with swaps and three grades or
    more, in the completion of the order, where one swap of runs can be several steps. Of three runs or more,
    every two are compared, and the join and the meet are those of all.

    With --hasse the whole order is drawn: all runs of so many ranks, a line wherever nothing lies between two.

    With --moves alone a report says whether your order is a lattice, how it balances a tail against one document on
    top, and with -m first of all whether measures respect it. `measurand compare --moves` counts topics.
    """
    strange = next((run for run in runs if re.match(r"-+[A-Za-z]", run)), None)
    if strange is not None:
        raise click.NoSuchOption(strange.partition("=")[0])
    if moves and context.get_parameter_source("order") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--moves makes an order of its own; leave out --order.")
    if labels:
        if drawn["grades"]:
            raise click.UsageError("--labels names all grades; leave out -g.")
        drawn["grades"] = Relevance.labelled(*(label.strip() for label in labels.split(",")))
    chosen = own_order(moves, drawn["grades"], within) or order
    relevance = drawn["grades"] if isinstance(drawn["grades"], Relevance) else None
    if drawn.pop("hasse"):
        put_diagram(chosen, _read_runs(runs, relevance), **drawn, form=form, output=output)
        return
    if is_drawing(output):
        raise click.UsageError(f"{output} is the name of a drawing; say --hasse to draw the order.")
    if isinstance(chosen, OwnOrder) and not runs:
        put_report(chosen, **drawn, form=form, output=output)
        return
    said = moves or relevance is not None
    if any(value not in (None, ()) for name, value in drawn.items() if not (said and name == "grades")):
        raise click.UsageError("-d, -g, -m and --recall-base belong to --hasse, or to --moves without runs.")
    if len(runs) < 2:
        raise click.UsageError("Name two runs or more, like 1,0,0,1 0,1,1,0, or --hasse.")
    put_comparison(runs, chosen, relevance, form, output)


def _read_grades(text: str) -> int | Relevance:
    """Return how many grades there are, or the grades themselves, from a text like 3 or 0,0.3,1.

    Examples
    --------
    >>> _read_grades("3"), _read_grades("0,0.3,1").contains("0.3")
    (3, True)
    """
    if "," in text:
        return Relevance.graded(*written_grades(text))
    return int(GRADES(text))


def own_order(moves: Sequence[str], grades: int | Relevance | None, within: str | None = None) -> OwnOrder | None:
    """Return the order that functions of the user make, by their names; None where there are none.

    Examples
    --------
    >>> own_order(["measurand.orders:swaps"], None).name
    'swaps'
    """
    if not moves:
        if within:
            raise click.UsageError("--within belongs to --moves.")
        return None
    # what a file prints is not what was asked for
    with redirect_stdout(sys.stderr):
        return from_moves(*map(load_function, moves), grades=grades, within=within)


def put_comparison(
    runs: Sequence[str], order: AnyOrder, relevance: Relevance | None, form: str, output: str | None
) -> None:
    """Print how runs compare in an order, and what shows it."""
    read = _read_runs(runs, relevance)
    if len(runs) == 2:
        put(_compared(read[0], read[1], order, relevance, form), output, "json" if form == "json" else "text")
        return
    from measurand.lattice import compare_runs
    from measurand.lattice.own_lattice import compare_in_own_order

    with redirect_stdout(sys.stderr):
        several = (
            compare_in_own_order(read, order)
            if isinstance(order, OwnOrder)
            else compare_runs(*read, order=str(order), relevance=relevance)
        )
    emit(form, output, document=several.document, data=several.to_dict)


def _compared(r: tuple[Any, ...], s: tuple[Any, ...], order: AnyOrder, relevance: Relevance | None, form: str) -> str:
    """Return what there is to say of two runs, as text or JSON."""
    if is_of_sets(order):
        r, s = (tuple(sorted(run, key=lambda grade: exact_grade(grade, relevance), reverse=True)) for run in (r, s))
    with redirect_stdout(sys.stderr):
        found = explain(r, s, order, relevance)
        apart = found.relation is Relation.INCOMPARABLE
        bounds = _bounds(r, s, order, relevance) if apart else None
    steps: list[Step] | list[Move] | None = None
    if isinstance(found, ComparisonByMoves):
        steps = None if apart else list(found.moves)
    elif order in CHAINED and not apart:
        low, high = (s, r) if found.relation is Relation.GREATER else (r, s)
        steps = chain(low, high, str(order), relevance)
    ranks = None
    if isinstance(order, str):
        from measurand.lattice.several_runs import ranks_of

        ranks = ranks_of([r, s], order, relevance)
    if form == "json":
        return _as_json(found, steps, bounds, order if isinstance(order, str) else order.name, ranks)
    return _as_text(found, steps, bounds, (r, s), ranks)


def put_report(
    order: OwnOrder,
    *,
    depth: int | None,
    grades: int | Relevance | None,
    measure: Sequence[str],
    recall_base: int | None,
    form: str,
    output: str | None,
) -> None:
    """Print whether measures respect the moves of an order, how it balances, and what its runs are made of."""
    from measurand.axioms.balance import balancing_curve
    from measurand.lattice import OwnLattice

    if isinstance(grades, Relevance):
        grades = len(grades.grades)
    ranks, wide = depth or DEPTH, order.number_of_grades(grades)
    parts: list[Part] = []
    data: dict[str, Any] = {}
    with redirect_stdout(sys.stderr):
        if measure:
            parts, data["respected"] = _respected(order, named_measures(measure), ranks, wide, recall_base)
        try:
            order.on_whole_grades()
            curve = balancing_curve(order, [ranks], qmax=wide - 1)
            parts, data["balancing_index"] = [*parts, curve.reading], curve.points[0][1]
        except (NotAvailable, ParameterError) as error:
            parts.append(f"Its balancing index is not known: {error}.")
        try:
            found = OwnLattice(order, ranks, grades)
            parts, data = [*parts, *found.document().parts], {**found.to_dict(), **data}
        except NotAvailable as error:
            if not measure:
                raise
            parts.append(f"Whether it is a lattice is not known: {error}.")
    emit(form, output, document=lambda: Document(parts), data=lambda: data)


def _respected(
    order: OwnOrder, measures: Sequence[tuple[str, Measure]], depth: int, grades: int, recall_base: int | None
) -> tuple[list[Part], list[dict[str, Any]]]:
    """Return whether measures respect the moves of an order, in sentences and for programs."""
    from measurand.axioms import is_measurement
    from measurand.verdict import How

    parts: list[Part] = []
    data = []
    for _, wanted in measures:
        kept = is_measurement(wanted, depth, grades, order=order, recall_base=recall_base).order
        statement = f"{wanted!r} respects the moves of {order.name}"
        if kept or kept.how is How.FAILED:
            answer = f"{statement}: {kept.sentence}"
        else:
            answer = f"{wanted!r} does not respect the moves of {order.name}: {kept.sentence.partition('): ')[2]}"
        parts.append(Words.of(answer, "strong"))
        data.append({"measure": repr(wanted), **kept.to_dict(statement)})
    return parts, data


def read_run(text: str, lowest: str = "0") -> tuple[Any, ...]:
    """Return the grades in a text.

    Examples
    --------
    >>> read_run("1,0,2"), read_run("1001"), read_run("nr,hr")
    (('1', '0', '2'), ('1', '0', '0', '1'), ('nr', 'hr'))
    """
    # unjudged and missing documents count as the lowest grade
    return tuple(lowest if grade in ("-1", "-2", "-3") else grade for grade in written_grades(text))


def _read_runs(runs: Sequence[str], relevance: Relevance | None) -> list[tuple[str, ...]]:
    """Return the grades in texts, and refuse labels where none are named."""
    lowest = relevance.labels[0] if relevance is not None and relevance.labels else "0"
    read = [read_run(run, lowest) for run in runs]
    if relevance is None or not relevance.labels:
        _refuse_labels(tuple(grade for run in read for grade in run))
    return read


def _occurring(runs: Sequence[tuple[str, ...]]) -> int | Relevance:
    """Return how many grades runs of whole grades need, or else 0 and those that occur."""
    found = {exact_grade(grade) for run in runs for grade in run}
    if all(isinstance(grade, int) for grade in found):
        return int(max(1, *found)) + 1 if found else 2
    return Relevance.graded(*sorted(found | {0}))


def _refuse_labels(grades: tuple[str, ...]) -> None:
    for grade in grades:
        try:
            rational(grade)
        except ParameterError:
            raise ParameterError(
                f"{grade!r} is no grade; if it is a label, name all labels: --labels nr,pr,hr"
            ) from None


def _bounds(r: tuple[Any, ...], s: tuple[Any, ...], order: AnyOrder, relevance: Relevance | None) -> Closest | None:
    from measurand.lattice.own_lattice import own_bounds
    from measurand.lattice.runs import closest_bounds

    if isinstance(order, OwnOrder):
        return own_bounds(r, s, order)
    order = str(order)
    return closest_bounds(r, s, order, relevance)


def _as_json(
    found: Comparison, steps: list[Step] | list[Move] | None, bounds: Closest | None, order: str, ranks: Ranks | None
) -> str:
    chained = None if steps is None else [_step(step) for step in steps]
    data: dict[str, Any] = {"relation": str(found.relation), "order": order, "why": found.why, "chain": chained}
    data["ranks"] = None if ranks is None else list(ranks.ranks)
    data["highest_rank"] = None if ranks is None else ranks.highest
    data["ranks_in_completion"] = None if ranks is None else ranks.completed
    if bounds is not None:
        for name, runs in (("minimal_upper_bounds", bounds.above), ("maximal_lower_bounds", bounds.below)):
            data[name] = [[str(grade) for grade in run] for run in runs]
        data["all_bounds"] = bounds.complete
    return json_text(data)


def _step(step: Step | Move) -> dict[str, Any]:
    if isinstance(step, Move):
        return step.to_dict()
    data = {"kind": step.kind, "rank": step.rank, "other": step.other, "old": str(step.old), "new": str(step.new)}
    return {**data, "text": str(step)}


def _as_text(
    found: Comparison,
    steps: list[Step] | list[Move] | None,
    bounds: Closest | None,
    runs: tuple[tuple[Any, ...], tuple[Any, ...]],
    ranks: Ranks | None,
) -> str:
    lines = [f"{found.relation}: {WORDS[found.relation]}", found.why]
    if ranks is not None:
        first, second, highest = map(number, (*ranks.ranks, ranks.highest))
        where = " in the completion of the order" if ranks.completed else ""
        several = " (one swap can be several of these steps)" if ranks.completed else ""
        steps_up = f"steps above the worst run{where}, of {highest} with {ranks.grades} grades: {first} and {second}"
        lines.append(f"{steps_up}{several}")
    if bounds is not None:
        lines += ["", *_bound("join", "worst", "at least", bounds.above, bounds.complete)]
        lines += _bound("meet", "best", "at most", bounds.below, bounds.complete)
    if steps:
        low, _ = runs[::-1] if found.relation is Relation.GREATER else runs
        lines += ["", *_chained(steps, low)]
    return "\n".join(lines) + "\n"


def _bound(name: str, best: str, least: str, runs: tuple[tuple[Any, ...], ...], complete: bool) -> Iterator[str]:
    """Return a line that names a join or meet, or a line for each of the runs that stand in its place."""
    spelled = [",".join(map(str, run)) for run in runs]
    if len(runs) == 1:
        yield f"{name}, the {best} run that is {least} as good as both: {spelled[0]}"
        return
    if not runs:
        yield f"no {name}: no run is {least} as good as both"
        return
    number = f"{len(runs):,}" if complete else f"{len(runs):,} or more"
    yield f"no {name}: {number} runs are {least} as good as both, with none between"
    yield from (f"  {run}" for run in spelled[:MANY])
    yield from ([f"  … {len(runs) - MANY:,} more …"] if len(runs) > MANY else [])


def _chained(steps: Sequence[Step | Move], run: tuple[Any, ...]) -> Iterator[str]:
    """Return a line a step, with the run after it where that is short."""
    shown = steps if len(steps) <= MANY else [*steps[: MANY // 2], *steps[-MANY // 2 :]]
    start = "from the worse to the better:"
    width = max(len(start) - 2, *(len(_deed(step)) for step in shown))
    if len(run) > SHORT:
        yield start
        yield from (f"  {step}" for step in shown[: MANY // 2])
        yield from ([f"  … {len(steps) - len(shown):,} steps more …"] if len(shown) < len(steps) else [])
        yield from (f"  {step}" for step in shown[MANY // 2 :])
        return
    yield f"{start:<{width + 2}}  {','.join(run)}"
    yield from (f"  {_deed(step):<{width}}  {after}" for step, after in zip(steps, _after(steps, run), strict=True))


def _deed(step: Step | Move) -> str:
    """Return what a step does, without the runs before and after it."""
    return step.by if isinstance(step, Move) else str(step)


def _after(steps: Sequence[Step | Move], run: tuple[Any, ...]) -> Iterator[str]:
    """Return the run after each step, as it was written."""
    for step in steps:
        run = step.after if isinstance(step, Move) else step.apply(run)
        yield ",".join(map(str, run))
