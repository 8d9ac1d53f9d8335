"""Tables of scores in the formats that people and programs read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from measurand.exact import decimals
from measurand.measures import Measure
from measurand.measures.trec_names import FAMILIES
from measurand.scores import Aggregation, Scores, Summary, Table

LOWER = "↓"
"""What marks a measure of which lower values are better."""


@frozen(kw_only=True)
class Layout:
    """What to print of a table.

    Parameters
    ----------
    topics
        Whether to print every topic.
    summary
        Whether to print the number over all topics.
    places
        How many decimals people get to see.
    colours
        Whether it is a terminal that shows the table.
    """

    topics: bool = False
    summary: bool = True
    places: int = 4
    colours: bool = False


def _number(scores: Scores, value: float, places: int) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if scores.aggregation is Aggregation.SUM else decimals(value, places)


def _trec_number(scores: Scores, value: float, places: int) -> str:
    # trec_eval shows very small numbers as 0
    return f"{value:.{0 if scores.aggregation is Aggregation.SUM else places}f}"


def _rows(table: Table, layout: Layout, places: Sequence[int] | None = None) -> Iterator[tuple[str, str, list[float]]]:
    """Return system, topic and a value a measure, line by line; the topic of a summary is `all`.

    Parameters
    ----------
    places
        In which order the systems come.
    """
    summaries = [scores.summary() for scores in table]
    for s in range(len(table.systems)) if places is None else places:
        system = table.systems[s]
        if layout.topics:
            for t, topic in enumerate(table.topics):
                yield system, topic, [float(scores.values[s, t]) for scores in table]
        if layout.summary:
            yield system, "all", [summary[s] for summary in summaries]


def _best(table: Table, layout: Layout) -> list[float]:
    """Return the best summary under each measure; nothing reaches it where none is to be shown."""
    summaries = [scores.summary() for scores in table] if layout.summary else []
    return [summary[_best_first(summary)[0]] for summary in summaries] or [np.inf] * len(table)


def _best_first(summary: Summary) -> list[int]:
    """Return the places of the systems, the best first, those without a number last."""
    return [int(place) for place in np.argsort(-summary.goodness, kind="stable")]


def as_table(table: Table, layout: Layout) -> str:
    """Return a table for the terminal: a line a system, best first under the first measure."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("system")
    if layout.topics:
        grid.add_column("topic")
    for scores in table:
        down = f" {LOWER}" if scores.lower_is_better else ""
        grid.add_column(f"{scores.measure}\n[dim]{scores.scale}{down}[/dim]", justify="right")
    best = _best(table, layout)
    order = None if layout.topics else _best_first(next(iter(table)).summary())
    for system, topic, values in _rows(table, layout, order):
        shown = [_number(scores, value, layout.places) for scores, value in zip(table, values, strict=True)]
        if topic == "all" and len(table.systems) > 1:
            shown = [
                f"[bold]{text}[/bold]" if value == top else text
                for text, value, top in zip(shown, values, best, strict=True)
            ]
        grid.add_row(_plain(system), *([_plain(topic)] if layout.topics else []), *shown)
    console = Console(width=10_000, soft_wrap=True, emoji=False, force_terminal=layout.colours)
    with console.capture() as captured:
        console.print(grid)
        if any(scores.lower_is_better for scores in table):
            console.print(f"{LOWER} lower is better", style="dim")
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


def _separated(table: Table, layout: Layout, **dialect: Any) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", **dialect)
    writer.writerow(["system", *(["topic"] if layout.topics else []), *table.measures])
    for system, topic, values in _rows(table, layout):
        numbers = [_exact(scores, value) for scores, value in zip(table, values, strict=True)]
        writer.writerow([system, *([topic] if layout.topics else []), *numbers])
    return text.getvalue()


def _exact(scores: Scores, value: float) -> str | float:
    """Return a number as programs want it: every digit, whole numbers whole, nothing for nothing."""
    if np.isnan(value):
        return ""
    return int(value) if scores.aggregation is Aggregation.SUM else value


def as_tsv(table: Table, layout: Layout) -> str:
    """Return tab-separated values with a header, all digits."""
    return _separated(table, layout, delimiter="\t", quoting=csv.QUOTE_MINIMAL)


def as_csv(table: Table, layout: Layout) -> str:
    """Return comma-separated values with a header, all digits."""
    return _separated(table, layout)


def as_json(table: Table, layout: Layout) -> str:
    """Return one JSON object: for each measure its scale, its numbers by system, and its caveats."""
    measures: dict[str, Any] = {}
    for scores in table:
        summary = scores.summary()
        entry: dict[str, Any] = {
            **scores.scale_label.to_dict(),
            "statistic": summary.statistic,
            **({"lower_is_better": True} if scores.lower_is_better else {}),
            "caveats": [c.to_dict() for c in summary.caveats if c not in table.caveats],
        }
        if layout.summary:
            entry["scores"] = {system: _exact(scores, value) for system, value in summary.to_dict().items()}
        if layout.topics:
            entry["topics"] = {
                system: {t: None if np.isnan(v) else _exact(scores, v) for t, v in zip(scores.topics, row, strict=True)}
                for system, row in zip(scores.systems, scores.values.tolist(), strict=True)
            }
        measures[scores.measure] = entry
    whole = {
        "systems": list(table.systems),
        "topics": list(table.topics),
        "measures": measures,
        "caveats": [c.to_dict() for c in table.caveats],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def as_latex(table: Table, layout: Layout) -> str:
    """Return a LaTeX tabular in the manner of booktabs, the best value of each measure bold.

    An arrow marks a measure of which lower values are better.
    """
    from measurand.report.latex import bold, booktabs, tex  # the report takes longer to load than a small run

    best = _best(table, layout)
    heads = [tex(scores.measure) + (r" $\downarrow$" if scores.lower_is_better else "") for scores in table]
    head = ["System", *(["Topic"] if layout.topics else []), *heads]
    lines = []
    for system, topic, values in _rows(table, layout):
        cells = [_number(scores, value, layout.places) for scores, value in zip(table, values, strict=True)]
        if topic == "all":
            cells = [bold(c) if v == b else c for c, v, b in zip(cells, values, best, strict=True)]
        lines.append([tex(system), *([tex(topic)] if layout.topics else []), *cells])
    return booktabs(f"l{'l' if layout.topics else ''}{'r' * len(table)}", head, lines)


def as_trec(table: Table, layout: Layout, named: Sequence[tuple[str, Measure]], *, run_names: bool) -> str:
    """Return what trec_eval prints, line for line, one run after the other.

    Parameters
    ----------
    named
        The measures with the names to print them by.
    run_names
        Whether to print the line with the run's name.
    """
    columns = [(name, table.scores(measure)) for name, measure in sorted(dict.fromkeys(named), key=_trec_place)]
    lines: list[str] = []
    for s, system in enumerate(table.systems):
        if layout.topics:
            for topic in sorted(table.topics, key=str.encode):
                t = table.topics.index(topic)
                lines += [
                    _trec_line(name, topic, _trec_number(scores, float(scores.values[s, t]), layout.places))
                    for name, scores in columns
                    if not name.startswith(("num_q", "gm_")) and not np.isnan(scores.values[s, t])
                ]
        if layout.summary:
            if run_names:
                lines.append(_trec_line("runid", "all", system))
            lines += [
                _trec_line(name, "all", _trec_number(scores, scores.summary()[s], layout.places))
                for name, scores in columns
            ]
    return "".join(f"{line}\n" for line in lines)


def _trec_line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}"


def _trec_place(named: tuple[str, Measure]) -> int:
    """Return where trec_eval prints a measure; what it does not have comes last."""
    families = list(FAMILIES)
    roots = [family for family in families if named[0] == family or named[0].startswith(f"{family}_")]
    return families.index(max(roots, key=len)) if roots else len(families)
