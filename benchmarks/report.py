"""Results as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from contenders import FOUR, SIX, Kind
from turns import Row

LABELS = {
    "measurand_alone": "measurand, one worker",
    "polars": "polars reads the columns (floor)",
    "scan": "bytes are scanned (floor)",
}
NOTHING = "–"


def markdown(results: dict[str, Any]) -> str:
    """Return everything that was measured."""
    return "\n".join(lines(results)) + "\n"


def lines(results: dict[str, Any]) -> Iterator[str]:
    yield from machine(results["machine"], results["repeats"])
    yield from ("", "## Loading")
    yield from start_up(results["imports"])
    yield from first_calls(results)
    for size in results["sizes"]:
        yield from ("", f"## {size['title']} ({size['lines']:,} lines, {size['bytes'] / 1e6:.0f} MB)")
        yield from ("", f"### {size['name']}: from files to the scores of every topic", "")
        yield from comparison(size["files"], size["lines"], memory=True)
        yield from ("", f"### {size['name']}: from data in memory", "")
        yield from comparison(size["memory"], size["lines"])
        if size["process"]:
            yield from ("", f"### {size['name']}: one run file, whole process", "")
            yield from comparison(size["process"], size["lines"] // size["runs"])
        yield from agreement(size["agreement"], size["name"])


def machine(facts: dict[str, Any], repeats: int) -> Iterator[str]:
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    yield f"{facts['date']}, {facts['processor']}, {facts['cores']} cores, {facts['system']}."
    yield f"Load {facts['load']:.1f} before and {facts['load_after']:.1f} after (the benchmark itself included)."
    yield f"{versions}."
    yield f"Seconds are medians of {repeats}; × says how many times as long as the one named it took."


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> Iterator[str]:
    """Return a table whose first columns hold `words`, and all others numbers."""
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "|".join("---" if column < words else "---:" for column in range(len(heads))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def comparison(rows: Sequence[Row], n: int, *, memory: bool = False) -> Iterator[str]:
    """Return the table of one task: every contender, and how many times slower the fastest peer is."""
    peer = min((row for row in rows if row["kind"] == Kind.PEER), key=wall)
    ours = next(row for row in rows if row["kind"] == Kind.OURS)
    heads = ["tool", "measures", "wall", "from – to", "CPU", "thousand lines/s"]
    heads += ["peak MB"] * memory + [f"{peer['tool']} is slower by", "in CPU", f"× {ours['tool']}"]
    yield from table(heads, [_compared(row, n, peer, ours, memory=memory) for row in rows], words=2)


def _compared(row: Row, n: int, peer: Row, ours: Row, *, memory: bool) -> list[str]:
    cells = [
        LABELS.get(row["tool"], row["tool"]),
        named(row["measures"]),
        f"{wall(row):.3f}",
        f"{min(row['wall']):.3f} – {max(row['wall']):.3f}",
        f"{median(row['cpu']):.3f}",
        f"{n / wall(row) / 1e3:,.0f}",
    ]
    cells += [f"{row['peak'] / 1e6:.0f}"] if memory else []
    slower = [f"{wall(peer) / wall(row):.1f}", f"{median(peer['cpu']) / median(row['cpu']):.1f}"]
    return [*cells, *slower, f"{wall(row) / wall(ours):.2f}"]


def start_up(rows: Sequence[Row]) -> Iterator[str]:
    bare, numpy = wall(rows[0]), wall(rows[1])
    yield from ("", "### A process that only imports", "")
    cells = [[row["tool"], f"{wall(row):.3f}", f"{wall(row) - bare:+.3f}", f"{wall(row) - numpy:+.3f}"] for row in rows]
    yield from table(["python -c", "wall", "over bare Python", "over numpy"], cells)


def first_calls(results: dict[str, Any]) -> Iterator[str]:
    """Return how long each tool takes to load, and to answer for the first time, on a tiny campaign."""
    yield from ("", f"### The first call in a process ({results['tiny']})", "")
    compiled = results["compile"]
    rows = []
    if compiled is not None:
        rows.append(
            [f"{compiled['tool']}, nothing compiled yet", f"{compiled['load']:.2f}", f"{compiled['first']:.2f}"]
        )
    for row in results["sizes"][0]["files"]:
        if row["kind"] != Kind.FLOOR:
            tool = f"{row['tool']}, {named(row['measures'])}"
            rows.append([tool, f"{row['load']:.2f}", f"{row['first']:.2f}"])
    yield from table(["tool", "import", "first call"], rows)


def agreement(rows: Sequence[Row], name: str) -> Iterator[str]:
    yield from ("", f"### {name}: largest difference to measurand on any run and topic", "")
    cells = [
        [row["tool"], ", ".join(sorted(row["differences"])), f"{max(row['differences'].values()):.1e}"] for row in rows
    ]
    yield from table(["tool", "measures compared", "difference"], cells, words=2)


def named(measures: Sequence[str]) -> str:
    """Return a short name of the measures: how many, and what comes on top of the four that everybody has."""
    if not measures:
        return NOTHING
    if tuple(measures) == SIX:
        return "six"
    return " + ".join(["four", *measures[len(FOUR) :]])


def wall(row: Row) -> float:
    return median(row["wall"])
