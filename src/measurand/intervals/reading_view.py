"""Runs on an interval scale, as people and programs read them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf, isinf, log10
from typing import Any

from measurand.display.data import as_float
from measurand.display.tables import Column, Document, Paragraph, Part, TableView, Words
from measurand.exact import with_fraction
from measurand.intervals.reading import Reading, Readings
from measurand.intervals.ruler import PROVED, SCHANUEL, Certainty, Position
from measurand.verdict import strip

LARGE = 10**15
"""Whole numbers from here on are shown as powers of ten."""

TINY = Fraction(1, 10_000)
"""Positions below this are shown as powers of ten."""

CLOSE = Fraction(1, 10**12)
"""Bounds that are closer, relative to their size, look the same."""

DIGITS = 4000
"""Python does not write numbers with more digits."""

ASSUMPTIONS = {
    PROVED: "independence of inverse logarithms, proved for this depth",
    SCHANUEL: "independence of inverse logarithms, which follows from Schanuel's conjecture",
}
"""What positions rest on, in words."""

TIED = {"mid": "mean", "min": "lowest", "max": "highest"}
"""At which place of theirs tied runs are ranked."""


def readings_document(read: Readings) -> Document:
    """Return runs on an interval scale, and what the scale is like.

    Parameters
    ----------
    read
        The runs on the scale.

    Examples
    --------
    >>> from measurand.scales import interval, readings
    >>> document = readings_document(readings(interval("RR@4"), [(0, 0, 1, 0)]))
    >>> print(document.parts[1], *document.tables[0].cells[0][1:], sep="; ")
    5 different values on 16 runs of 4 ranks and 2 grades.; 1/3 = 0.3333; 3; 1/2 = 0.5; exact
    """
    return Document(list(_parts(read)))


def _parts(read: Readings) -> Iterator[Part]:
    yield Words.of(repr(read.scale.measure), "strong")
    yield _extent(read)
    if read.spacing is not None:
        equal = "The measure itself is equally spaced: its values are those of an interval scale."
        yield equal if read.spacing else f"The measure itself is not equally spaced: {read.spacing.witness}."
    if read.runs:
        yield ""
        yield _table(read)
        yield ""
        yield from _remarks(read)
    yield Paragraph(f"In {read.seconds:.2g} s.", "faint")


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


def _table(read: Readings) -> TableView:
    """Return a line for each run, or a paragraph where lines would be too long."""
    bounded = any(one.position.how is not Certainty.EXACT for one in read.runs)
    between = [Column("bounds", lambda one: bounds(one.position), left=True)] if bounded else []
    columns = [
        Column("run", lambda one: strip(one.run), left=True),
        Column("value", lambda one: with_fraction(one.value), left=True),
        Column("rank", lambda one: "–" if one.rank is None else count(one.rank)),
        Column("position", lambda one: place(one.position), left=True),
        *between,
        Column("how", _how, left=True),
    ]
    return TableView(columns, read.runs, narrow="stack")


def _how(one: Reading) -> str:
    return "estimated, 95 % sure" if one.position.how is Certainty.ESTIMATED else str(one.position.how)


def _remarks(read: Readings) -> Iterator[str]:
    """Return what the table does not show."""
    if read.recall_base is not None:
        yield f"Values are those on a topic with {read.recall_base:,} relevant documents."
    if read.scale.ties != "unq":
        yield f"Ranks are places among all runs, tied ones at their {TIED[read.scale.ties]}: not equally spaced."
    for assumption in dict.fromkeys(one.position.assumption for one in read.runs):
        yield f"Assumption: {ASSUMPTIONS.get(assumption, assumption)}."


def count(whole: int | Fraction) -> str:
    """Return a whole number, or one and a half, as people read it.

    Parameters
    ----------
    whole
        The number.

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

    Parameters
    ----------
    position
        The position.

    Examples
    --------
    >>> place(Position.at(6, 12)), place(Position.at(3, 1 + 2**800))
    ('5/11 = 0.4545', '3.0e-241')
    """
    middle = (position.low + position.high) / 2
    if position.how is Certainty.EXACT and (middle >= TINY or not middle):
        return with_fraction(middle)
    return _decimal(middle, 4 if middle >= TINY else 2)


def bounds(position: Position) -> str:
    """Return the bounds of a position, to as many digits as it takes to tell them apart.

    Parameters
    ----------
    position
        The position.

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


def readings_data(read: Readings) -> dict[str, Any]:
    """Return runs on an interval scale as nested dictionaries and lists.

    Numbers that are not known, not finite or too large to be written are None; the depth of runs without end is
    "inf".

    Parameters
    ----------
    read
        The runs on the scale.

    Examples
    --------
    >>> from measurand.scales import interval, readings
    >>> data = readings_data(readings(interval("DCG(b=2)@4"), [(0, 0, 1, 1)]))
    >>> data["size"], data["runs"][0]["rank"], data["runs"][0]["how"]
    (12, 5, 'exact')
    """
    spacing = read.spacing
    return {
        "measure": repr(read.scale.measure),
        "depth": "inf" if read.depth == inf else read.depth,
        "grades": read.scale.grades,
        "ties": read.scale.ties,
        "size": _whole(read.size),
        "total": _whole(read.total),
        "spacing": None if spacing is None else spacing.to_dict("neighbouring values are equally far apart"),
        "runs": [_reading(one) for one in read.runs],
        "seconds": round(read.seconds, 3),
    }


def _reading(one: Reading) -> dict[str, Any]:
    position = one.position
    return {
        "run": list(one.run),
        "value": as_float(one.value),
        "rank": float(one.rank) if isinstance(one.rank, Fraction) else _whole(one.rank),
        "low": float(position.low),
        "high": float(position.high),
        "position": float(position),
        "log10": None if isinf(position.log10) else position.log10,
        "how": str(position.how),
        "assumption": position.assumption,
    }


def _whole(number: int | None) -> int | None:
    return None if number is None or number >= 10**DIGITS else number
