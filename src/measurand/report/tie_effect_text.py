"""The effect of ties as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.report.profile_text import printed
from measurand.report.tie_effect_data import BESIDE, system_rows, topic_rows
from measurand.study.tie_effect import TieEffect, TieEffects

WIDTH = 120
"""The text is never wider."""

HEADS = {"trec": "in trec order", "expected": "expected", "least": "least", "greatest": "greatest"}
"""What the scores that stand side by side are called."""


def tie_effect_text(
    effects: TieEffects, *, by_topic: bool = False, colour: bool = False, width: int | None = None
) -> str:
    """Return the effect of ties as text: a table of systems for every measure.

    Parameters
    ----------
    by_topic
        Whether to print every ranking in which ties matter as well.

    Examples
    --------
    >>> from measurand.study.tie_effect import tie_effect
    >>> effects = tie_effect({"1": {"d1": 1}}, {"1": {"d1": 2.0, "d2": 2.0}}, "ESL")
    >>> print(tie_effect_text(effects).splitlines()[0])
    ESL(i=1) · ratio scale, lower is better
    """
    return printed(_parts(effects, by_topic=by_topic), colour=colour, width=width or WIDTH)


def _parts(effects: TieEffects, *, by_topic: bool) -> Iterator[RenderableType]:
    for effect in effects.values():
        scores = effect.expected
        way = "lower" if scores.lower_is_better else "higher"
        yield Text.assemble((scores.measure, "bold"), (f" · {scores.scale} scale, {way} is better", "dim"))
        yield Text()
        yield Padding(_systems(effect), (0, 0, 0, 1))
        yield Text()
        yield from _largest(effect)
        if by_topic:
            yield from _topics(effect)
    yield Text("How to read this", style="dim bold")
    yield from (Padding(Text(line, style="dim"), (0, 0, 0, 1)) for line in LEGEND)


LEGEND = (
    "tied: the share of documents that have the score of another; not found: topics with too few relevant documents",
    "found, where the search goes on among all others.",
    "median, mean: over topics, of the scores expected over all orders of documents of equal score;",
    "in trec order: the mean with these documents by name, the last one first, as trec_eval has it.",
    "ties matter: on so many topics the score depends on the order; of these trec_eval's order is kinder (flatters)",
    "or harder (hurts) than the average order, and on the others it is neither.",
)


def _systems(effect: TieEffect) -> Table:
    rows = system_rows(effect)
    means, medians = (_places([row[name] for row in rows for name in names]) for names in (BESIDE, ("median",)))
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("system", overflow="fold")
    unfinished = [] if effect.unfinished is None else ["not found"]
    averages = ["median", "mean", "in trec order", "difference"]
    for head in ("tied", *unfinished, *averages, "ties matter", "flatters", "hurts"):
        grid.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        not_found = [str(row["unfinished"])] if unfinished else []
        numbers = [_number(row["median"], medians), *(_number(row[name], means) for name in ("expected", "trec"))]
        counts = [f"{row['matters']}/{row['topics']}", str(row["flattered"]), str(row["hurt"])]
        tied = f"{row['tied']:.0%}" if row["tied"] >= 0.005 or not row["tied"] else "<1%"
        grid.add_row(Text(row["system"]), tied, *not_found, *numbers, _difference(effect, row), *counts)
    return grid


def _difference(effect: TieEffect, row: dict[str, Any]) -> Text:
    """Return by how much trec_eval's order is above or below the average, green if that flatters."""
    if row["trec"] is None or row["expected"] is None:
        return Text("–")
    difference = row["trec"] - row["expected"] if row["flattered"] or row["hurt"] else 0
    kind = (difference < 0) == effect.expected.lower_is_better
    style = "" if not difference else "green" if kind else "red"
    return Text(f"{difference:+.2g}".replace("-", "−") if difference else "0", style=style)


def _largest(effect: TieEffect) -> Iterator[RenderableType]:
    """Tell of the ranking to which trec_eval's order does most."""
    rows = [next(topic_rows(effect, system), None) for system in effect.expected.systems]
    known = [row for row in rows if row is not None]
    if not known:
        yield Padding(Text("No score depends on the order of documents of equal score."), (0, 0, 1, 1))
        return
    row = max(known, key=lambda row: abs(row["trec"] - row["expected"]))
    places = _places([row[name] for name in BESIDE])
    trec, expected, least, greatest = (_number(row[name], places) for name in BESIDE)
    text = (
        f"Most is at stake for {row['system']} on topic {row['topic']}: {trec} in trec order,"
        f" {least} to {greatest} over all orders, {expected} on average."
    )
    yield Padding(Text(text), (0, 0, 1, 1))


def _topics(effect: TieEffect) -> Iterator[RenderableType]:
    rows = [row for system in effect.expected.systems for row in topic_rows(effect, system)]
    if not rows:
        return
    places = _places([row[name] for row in rows for name in BESIDE])
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in ("system", "topic"):
        grid.add_column(head, overflow="fold")
    for name in BESIDE:
        grid.add_column(HEADS[name], justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(Text(row["system"]), Text(row["topic"]), *(_number(row[name], places) for name in BESIDE))
    yield Padding(grid, (0, 0, 1, 1))


def _places(values: Sequence[float | None]) -> int:
    """Return how many decimals numbers of their size are shown with."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    return 4 if largest < 10 else 2 if largest < 10_000 else 0


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:,.{places}f}"
