"""The effect of ties as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from measurand.report.fitting import Column, fitting, grid, left_out
from measurand.report.profile_text import printed
from measurand.report.tie_effect_data import BESIDE, system_rows, topic_rows
from measurand.report.tie_words import TREC_ORDER
from measurand.study.tie_effect import TieEffect, TieEffects

WIDTH = 120
"""The text is never wider."""

HEADS = {"trec": "trec order", "expected": "expected", "least": "least", "greatest": "greatest"}
"""What the scores that stand side by side are called."""


def tie_effect_text(
    effects: TieEffects, *, by_topic: bool = False, colour: bool = False, width: int | None = None
) -> str:
    """Return the effect of ties as text: a table of systems for every measure.

    Parameters
    ----------
    by_topic
        Whether to print every ranking in which ties matter as well.
    width
        How wide the text may be. Where the table of systems does not fit, it leaves columns out.

    Examples
    --------
    >>> from measurand.study.tie_effect import tie_effect
    >>> effects = tie_effect({"1": {"d1": 1}}, {"1": {"d1": 2.0, "d2": 2.0}}, "ESL")
    >>> print(tie_effect_text(effects).splitlines()[0])
    ESL(i=1) · interval scale, as declared, lower is better
    """
    width = width or WIDTH
    return printed(_parts(effects, by_topic=by_topic, width=width), colour=colour, width=width)


def _parts(effects: TieEffects, *, by_topic: bool, width: int) -> Iterator[RenderableType]:
    shown: set[str] = set()
    for effect in effects.values():
        scores = effect.expected
        every = list(_columns(effect))
        columns = fitting(every, width - 1)
        shown.update(column.head for column in columns)
        way = "lower" if scores.lower_is_better else "higher"
        yield Text.assemble((scores.measure, "bold"), (f" · {scores.scale_label.words}, {way} is better", "dim"))
        yield Text()
        yield Padding(grid(columns), (0, 0, 0, 1))
        yield Text()
        yield Padding(Text(_largest(effect)), (0, 0, 0, 1))
        if len(columns) < len(every):
            yield Padding(Text(left_out(every, columns), style="dim"), (0, 0, 0, 1))
        yield Text()
        if by_topic:
            yield from _topics(effect)
    yield Text("How to read this", style="dim bold")
    yield from (Padding(Text(line, style="dim"), (0, 0, 0, 1)) for head, line in LEGEND.items() if head in shown)


LEGEND = {
    "tied": "tied: the share of documents that have the score of another.",
    "not found": "not found: topics with too few relevant documents retrieved, where the search goes on among all.",
    "mean": "mean: over topics, of the scores expected over all orders of documents of equal score.",
    "median": "median: of the same scores.",
    HEADS["trec"]: f"trec order: the mean with these documents {TREC_ORDER}.",
    "Δ": "Δ: trec order less mean.",
    "ties matter": "ties matter: on so many topics the score depends on the order of these documents.",
    "flatters": "flatters, hurts: on so many of them trec order is kinder or harder than the average order.",
}
"""What the columns tell."""


def _columns(effect: TieEffect) -> Iterator[Column]:
    rows = system_rows(effect)
    means, medians = (_places([row[name] for row in rows for name in names]) for names in (BESIDE, ("median",)))
    yield Column("system", [row["system"] for row in rows], left=True)
    yield Column("tied", [_share(row["tied"]) for row in rows], 2)
    if effect.unfinished is not None:
        yield Column("not found", [str(row["unfinished"]) for row in rows], 1)
    yield Column("median", [_number(row["median"], medians) for row in rows], 3)
    yield Column("mean", [_number(row["expected"], means) for row in rows])
    yield Column(HEADS["trec"], [_number(row["trec"], means) for row in rows])
    yield Column("Δ", [_difference(effect, row) for row in rows])
    yield Column("ties matter", [f"{row['matters']}/{row['topics']}" for row in rows])
    yield Column("flatters", [str(row["flattered"]) for row in rows])
    yield Column("hurts", [str(row["hurt"]) for row in rows])


def _share(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 or not share else "<1%"


def _difference(effect: TieEffect, row: dict[str, Any]) -> Text:
    """Return by how much trec_eval's order is above or below the average, green if that flatters."""
    if row["trec"] is None or row["expected"] is None:
        return Text("–")
    difference = row["trec"] - row["expected"] if row["flattered"] or row["hurt"] else 0
    kind = (difference < 0) == effect.expected.lower_is_better
    style = "" if not difference else "green" if kind else "red"
    shown = f"{difference:+,.0f}" if abs(difference) >= 100 else f"{difference:+.2g}"
    return Text(shown.replace("-", "−") if difference else "0", style=style)


def _largest(effect: TieEffect) -> str:
    """Return in a sentence for which ranking trec_eval's order is farthest from the average."""
    if not effect.matters.any():
        return "No score depends on the order of documents of equal score."
    if not (effect.flattered | effect.hurt).any():
        return "Scores depend on the order of documents of equal score, but trec order is as kind as the average order."
    rows = (next(topic_rows(effect, system), None) for system in effect.expected.systems)
    row = max((row for row in rows if row is not None), key=lambda row: abs(row["trec"] - row["expected"]))
    flattered = (row["trec"] < row["expected"]) == effect.expected.lower_is_better
    places = _places([row[name] for name in BESIDE])
    trec, expected, least, greatest = (_number(row[name], places) for name in BESIDE)
    return (
        f"Farthest apart: trec order {'flatters' if flattered else 'hurts'} {row['system']} on topic {row['topic']}"
        f" with {trec}, against {expected} on average and {least} to {greatest} over all orders."
    )


def _topics(effect: TieEffect) -> Iterator[RenderableType]:
    rows = [row for system in effect.expected.systems for row in topic_rows(effect, system)]
    if not rows:
        return
    places = _places([row[name] for row in rows for name in BESIDE])
    names = [Column(head, [row[head] for row in rows], left=True) for head in ("system", "topic")]
    numbers = [Column(HEADS[name], [_number(row[name], places) for row in rows]) for name in BESIDE]
    yield Padding(grid([*names, *numbers]), (0, 0, 1, 1))


def _places(values: Sequence[float | None]) -> int:
    """Return how many decimals numbers of their size are shown with; none where all are whole."""
    known = [value for value in values if value is not None]
    if all(value.is_integer() for value in known):
        return 0
    largest = max(map(abs, known))
    return 4 if largest <= 1 else 2 if largest < 10_000 else 0


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:,.{places}f}"
