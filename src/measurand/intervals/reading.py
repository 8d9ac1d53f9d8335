"""Runs on the interval scale of a measure: their values, ranks and positions.

`readings` is what `measurand interval` prints: for some runs, the value of the measure itself, its rank among all
values and its position ([FerranteFerroFuhr2021]_, equation 2), and for the scale how many values and runs it has and
whether the measure is equally spaced already.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf, isinf, log2, log10
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.display.data import as_float
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Paragraph, Part, TableView, Words, facts, valued
from measurand.display.wording import counted
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import Exact, with_fraction
from measurand.execution import Progress, silent
from measurand.intervals.images import Outline, image
from measurand.intervals.interval_scale import TOPIC, IntervalScaled
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL, Certainty, Position
from measurand.judged import Pool, as_cells
from measurand.measures.space import DEEPEST, Space
from measurand.verdict import Verdict, strip

FITS = 1 << 14
"""Up to so many runs, all values are written down to see whether they are equally spaced."""


def readings(scale: IntervalScaled, runs: Sequence[Sequence[int]] = (), progress: Progress = silent) -> Readings:
    """Return runs on an interval scale; without runs, what the scale is like.

    Where nothing says how deep runs are, they are as long as the longest of them.

    Parameters
    ----------
    scale
        The interval scale.
    runs
        Sequences of grades, first rank first.
    progress
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.intervals import interval
    >>> read = readings(interval("RR"), [(0, 0, 1, 0), (1,)])
    >>> read.depth, read.size, [(one.value, one.rank) for one in read.runs]
    (4, 5, [(Fraction(1, 3), 3), (Fraction(1, 1), 5)])
    >>> print(readings(interval("RR@4")).spacing.witness)
    step 1 is 0.25, step 2 is 0.08333
    """
    started = time.perf_counter()
    if scale.recall_base == TOPIC:
        raise ParameterError("recall_base='topic' is for judged runs; say how many relevant documents there are")
    cells = [as_cells(run) for run in runs]
    depth = scale.universe.ranks(max(map(len, cells), default=None))
    scale = evolve(scale, depth=depth)
    read = tuple(_read(scale, cells, progress))
    size = _size(scale, read)
    return Readings(
        scale=scale,
        depth=depth,
        runs=read,
        size=size,
        total=None if depth == inf else scale.universe.total(int(depth)),
        spacing=None if cells else _spacing(scale),
        seconds=time.perf_counter() - started,
    )


@frozen(eq=False, repr=False)
class Reading(Result):
    """One run on an interval scale.

    Parameters
    ----------
    run
        The grades as they were given.
    value
        What the measure itself gives the run, on a topic with a relevant document for every rank.
    position
        Where that value stands, from 0 to 1.
    rank
        Its rank among the values, or among the runs for other ties than "unq"; None where it is not exact.
    """

    run: tuple[int, ...]
    value: Exact
    position: Position
    rank: int | Fraction | None

    def document(self) -> Document:
        """Return the run, its value, rank and position."""
        rank = "–" if self.rank is None else count(self.rank)
        told = [("value", (with_fraction(self.value), as_float(self.value))), ("rank", (rank, self.rank))]
        where = [("position", (place(self.position), float(self.position))), ("how", _how(self))]
        return Document([facts([("run", (str(strip(self.run)).strip(), self.run)), *told, *where])])


@frozen(eq=False, repr=False)
class Readings(Result):
    """Some runs on an interval scale, and the scale itself.

    Parameters
    ----------
    scale
        The interval scale.
    depth
        How many ranks runs have; `inf` if they have no end.
    runs
        The runs on it.
    size
        How many different values there are, where that is known and finite.
    total
        How many runs there are, if that is finite.
    spacing
        Whether the measure itself is equally spaced, where it was examined and can be decided.
    seconds
        How long it took.
    """

    scale: IntervalScaled
    depth: int | float
    runs: tuple[Reading, ...]
    size: int | None
    total: int | None
    spacing: Verdict | None
    seconds: float

    def __repr__(self) -> str:
        return f"<Readings: {counted(len(self.runs), 'run')} on {self.scale!r}>"

    def document(self) -> Document:
        """Return the runs on the scale, and what the scale is like."""
        return readings_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the runs on the scale as nested dictionaries and lists."""
        return readings_data(self)

    @property
    def recall_base(self) -> int | None:
        """How many relevant documents the topic has, if that makes a difference to values."""
        if isinstance(self.scale.recall_base, int):
            return self.scale.recall_base
        return int(self.depth) if self.scale.measure.uses_recall_base else None


def _read(scale: IntervalScaled, runs: Sequence[tuple[int, ...]], progress: Progress) -> Iterator[Reading]:
    if not runs:
        return
    length = max(map(len, runs)) if scale.depth == inf else int(scale.depth or 0)
    # one topic for all runs: the highest grade is that of the scale, not that of the run
    relevant = scale.recall_base if isinstance(scale.recall_base, int) else length
    pool = Pool.plain(relevant, length, scale.universe.levels[-1])
    seen = [(*scale.view(run), *[0] * length)[:length] for run in runs]
    positions = scale.positions(np.concatenate([scale.universe.digits(run) for run in seen]), pool, progress)
    for run, filled, position in zip(runs, seen, positions, strict=True):
        value = scale.measure.exact(scale.measure.view(filled), pool)
        if scale.ties == "unq":
            yield Reading(run, value, position, position.rank)
        else:
            place = position.low * (scale.universe.total(length) - 1) + 1
            yield Reading(run, value, position, int(place) if place.denominator == 1 else place)


def _size(scale: IntervalScaled, read: Sequence[Reading]) -> int | None:
    """Return how many values there are; None where the runs were placed without its being known."""
    if scale.depth == inf:
        return None
    if not read:
        return scale.size
    if scale.ties == "unq":
        return read[0].position.size
    with suppress(NotAvailable):
        return scale.size
    return None


def _spacing(scale: IntervalScaled) -> Verdict | None:
    """Return whether the measure itself is equally spaced, if that can be decided."""
    if scale.depth in (None, inf) or scale.measure.lowest >= scale.grades or scale.depth > DEEPEST:
        return None
    depth = int(scale.depth or 0)
    if depth * log2(scale.grades) <= log2(FITS):
        # a topic without relevant documents has one value
        base = scale.recall_base if isinstance(scale.recall_base, int) else None
        return None if base == 0 else image(scale.measure, depth, scale.grades, recall_base=base).spacing()
    if scale.recall_base is not None:
        return None
    space = Space(depth=depth, grades=scale.grades)
    ruler = scale.universe.ruler(depth, space.pool, scale.budget)
    with suppress(NotAvailable):
        return Outline(scale.universe, space, ruler).spacing()
    return None


LARGE = 10**15
"""Whole numbers from here on are shown as powers of ten."""

TINY = Fraction(1, 10_000)
"""Positions below this are shown as powers of ten."""

SENTENCES, SPELLED = 3, 30
"""So many runs have a sentence of their own, and up to so many ranks they are spelled out in it."""

CLOSE = Fraction(1, 10**12)
"""Bounds that are closer, relative to their size, look the same."""

DIGITS = 4000
"""Python does not write numbers with more digits."""

ASSUMPTIONS = {
    PROVED: "linear independence of inverse logarithms, which is proved for this depth",
    SCHANUEL: "linear independence of inverse logarithms, which is not proved (it follows from Schanuel's conjecture)",
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
    >>> print(document.parts[2], *document.tables[0].cells[0][1:], sep="; ")
    5 different values on 16 runs of 4 ranks and 2 grades.; 1/3 = 0.3333; 3; 1/2 = 0.5; exact
    """
    return Document(list(_parts(read)))


def _parts(read: Readings) -> Iterator[Part]:
    yield Words.of(repr(read.scale.measure), "strong")
    yield from _sentences(read)
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


def _sentences(read: Readings) -> Iterator[str]:
    """Yield what the first runs have come to, in plain words, where values are what is ranked."""
    for one in read.runs[:SENTENCES] if read.scale.ties == "unq" else ():
        exact = one.position.how is Certainty.EXACT
        middle = (one.position.low + one.position.high) / 2
        if exact and middle in (0, 1):
            claim = f"has the {'largest' if middle else 'smallest'} value"
        else:
            text = _decimal(100 * middle, 3) if middle < TINY else f"{float(100 * middle):.3g}"
            share = f"{'' if exact else 'about '}{'99.9' if text == '100' and middle < 1 else text} %"
            claim = f"has a larger value than {share} of the{'' if read.depth == inf else ' other'} values"
        run = ",".join(map(str, one.run)) if len(one.run) <= SPELLED else strip(one.run)
        yield f"{run} {claim} that {read.scale.measure!r} can take."


def _extent(read: Readings) -> str:
    """Return how many values there are, on which runs."""
    grades = f"{len(read.scale.universe.levels)} grades"
    if read.depth == inf:
        return f"Infinitely many values on runs without end of {grades}."
    ranks = "1 rank" if read.depth == 1 else f"{read.depth:,} ranks"
    values = "The number of different values is not known" if read.size is None else _values(read.size)
    base = read.scale.recall_base
    limit = f" with at most {counted(base, 'relevant document')}" if isinstance(base, int) else ""
    return f"{values} on {count(read.total or 0)} runs of {ranks} and {grades}{limit}."


def _values(size: int) -> str:
    return "1 value" if size == 1 else f"{count(size)} different values"


def _table(read: Readings) -> TableView:
    """Return a line for each run, or a paragraph where lines would be too long."""
    bounded = any(one.position.how is not Certainty.EXACT for one in read.runs)
    between = [Column("bounds", lambda one: bounds(one.position), left=True)] if bounded else []
    columns = [
        valued("run", lambda one: one.run, strip, left=True),
        valued("value", lambda one: one.value, with_fraction, left=True),
        valued("rank", lambda one: one.rank, lambda rank: "–" if rank is None else count(rank)),
        Column("position", lambda one: place(one.position), left=True, value=lambda one: float(one.position)),
        *between,
        Column("how", _how, left=True),
    ]
    return TableView(columns, read.runs, narrow="stack")


def _how(one: Reading) -> str:
    return "estimated, 95 % sure" if one.position.how is Certainty.ESTIMATED else str(one.position.how)


def _remarks(read: Readings) -> Iterator[str]:
    """Return what the table does not show."""
    if read.recall_base is not None:
        yield f"Values are those on a topic with {counted(read.recall_base, 'relevant document')}."
    if read.scale.ties != "unq":
        yield f"Ranks are places among all runs, tied ones at their {TIED[read.scale.ties]}: not equally spaced."
    for assumption in dict.fromkeys(one.position.assumption for one in read.runs):
        if assumption != NONE:
            yield f"Assumed: {ASSUMPTIONS.get(assumption, assumption)}."


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
        "recall_base": read.scale.recall_base,
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
