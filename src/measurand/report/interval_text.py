"""Runs on an interval scale as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf, log10

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.intervals.ruler import PROVED, SCHANUEL, Certainty, Position
from measurand.report.profile_text import WIDTH, printed
from measurand.report.rankings import number, ranking
from measurand.scales import Reading, Readings

SHORTEST = 12
"""A run gets so many columns at least, or a line of its own."""

LARGE = 10**15
"""Whole numbers from here on are shown as powers of ten."""

TINY = Fraction(1, 10_000)
"""Positions below this are shown as powers of ten."""

CLOSE = Fraction(1, 10**12)
"""Bounds that are closer, relative to their size, look the same."""

ASSUMPTIONS = {
    PROVED: "independence of inverse logarithms, proved for this depth",
    SCHANUEL: "independence of inverse logarithms, which follows from Schanuel's conjecture",
}
"""What positions rest on, in words."""


def interval_text(read: Readings, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return runs on an interval scale as text.

    Examples
    --------
    >>> from measurand.scales import interval, readings
    >>> print(*interval_text(readings(interval("RR@4"), [(0, 0, 1, 0)])).splitlines()[:5], sep="\n")
    RR@4
    5 different values on 16 runs of 4 ranks and 2 grades.
    <BLANKLINE>
     run           value         rank  position   how
      0  0  1  0   1/3 = 0.3333     3  1/2 = 0.5  exact
    """
    return printed(_parts(read, width or WIDTH), colour=colour, width=width)


def _parts(read: Readings, width: int) -> Iterator[RenderableType]:
    yield Text(repr(read.scale.measure), style="bold")
    yield _extent(read)
    if read.spacing is not None:
        equal = "The measure itself is equally spaced: its values are those of an interval scale."
        yield equal if read.spacing else f"The measure itself is not equally spaced: {read.spacing.witness}."
    if read.runs:
        yield Text()
        yield Padding(_body(read, width - 1), (0, 0, 0, 1))
        yield Text()
        yield from _remarks(read)
    yield Text(f"In {read.seconds:.2g} s.", style="dim")


def _extent(read: Readings) -> str:
    """Return how many values there are, on which runs."""
    grades = f"{len(read.scale.universe.levels)} grades"
    if read.depth == inf:
        return f"Infinitely many values on runs without end of {grades}."
    ranks = "1 rank" if read.depth == 1 else f"{read.depth:,} ranks"
    values = "The number of different values is not known" if read.size is None else _values(read.size)
    return f"{values} on {count(read.total or 0)} runs of {ranks} and {grades}."


def _values(size: int) -> str:
    return "1 value" if size == 1 else f"{count(size)} different values"


def _body(read: Readings, width: int) -> RenderableType:
    """Return a line a run, or a paragraph a run where lines would be too long."""
    bounded = any(one.position.how is not Certainty.EXACT for one in read.runs)
    rows = [_row(one, bounded=bounded) for one in read.runs]
    needed = sum(2 + max(map(len, column)) for column in zip(*rows, strict=True))
    runs = [ranking(one.run) for one in read.runs]
    return (
        _table(rows, runs, bounded=bounded) if needed + SHORTEST <= width else _paragraphs(rows, runs, bounded=bounded)
    )


def _columns(*, bounded: bool) -> list[str]:
    return ["value", "rank", "position", *(["bounds"] if bounded else []), "how"]


def _table(rows: list[list[str]], runs: list[Text], *, bounded: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("run", overflow="fold")
    for name in _columns(bounded=bounded):
        table.add_column(name, justify="right" if name == "rank" else "left", no_wrap=True)
    for run, row in zip(runs, rows, strict=True):
        table.add_row(run, *row)
    return table


def _paragraphs(rows: list[list[str]], runs: list[Text], *, bounded: bool) -> Table:
    grid = Table.grid(padding=(0, 2))
    for run, row in zip(runs, rows, strict=True):
        if grid.row_count:
            grid.add_row()
        grid.add_row(Text("run", style="dim"), run)
        for name, text in zip(_columns(bounded=bounded), row, strict=True):
            grid.add_row(Text(name, style="dim"), text)
    return grid


def _row(one: Reading, *, bounded: bool) -> list[str]:
    rank = "–" if one.rank is None else count(one.rank)
    how = "estimated, 95 % sure" if one.position.how is Certainty.ESTIMATED else str(one.position.how)
    return [number(one.value), rank, place(one.position), *([bounds(one.position)] if bounded else []), how]


def _remarks(read: Readings) -> Iterator[RenderableType]:
    """Return what the table does not say."""
    if read.recall_base is not None:
        yield f"Values are those on a topic with {read.recall_base:,} relevant documents."
    if read.scale.ties != "unq":
        yield f"Ranks are places among all runs, tied ones at their {_TIED[read.scale.ties]}: not equally spaced."
    for assumption in dict.fromkeys(one.position.assumption for one in read.runs):
        yield f"Assumption: {ASSUMPTIONS.get(assumption, assumption)}."


_TIED = {"mid": "mean", "min": "lowest", "max": "highest"}


def count(whole: int | Fraction) -> str:
    """Return a whole number, or one and a half, as people read it.

    Examples
    --------
    >>> count(805306368), count(Fraction(7, 2)), count(2**998)
    ('805,306,368', '3.5', '2.68e+300')
    """
    if whole >= LARGE:
        return f"{Decimal(int(whole)):.2e}"
    return f"{whole:,}" if isinstance(whole, int) else f"{float(whole):,}"


def place(position: Position) -> str:
    """Return a position to a few digits, however small it is.

    Examples
    --------
    >>> place(Position.at(6, 12)), place(Position.at(3, 1 + 2**800))
    ('5/11 = 0.4545', '3.0e-241')
    """
    middle = (position.low + position.high) / 2
    if position.how is Certainty.EXACT and (middle >= TINY or not middle):
        return number(middle)
    return _decimal(middle, 4 if middle >= TINY else 2)


def bounds(position: Position) -> str:
    """Return the bounds of a position, to as many digits as it takes to tell them apart.

    Examples
    --------
    >>> bounds(Position.between(4000, 4001, 10**6)), bounds(Position.at(6, 12))
    ('0.003999 to 0.004', '')
    """
    low, high = position.low, position.high
    if low == high:
        return ""
    apart = max((high - low) / high, CLOSE)
    digits = 2 + max(1, ceil(-log10(apart)))
    return f"{_decimal(low, digits)} to {_decimal(high, digits)}"


def _decimal(number: Fraction, digits: int) -> str:
    if number >= TINY or not number:
        return f"{float(number):.{digits}g}"
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.{digits - 1}e}"
