"""What the paper on observational information prints of its experiments: Table 2, and the count of Figure 2."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from attrs import field, fields, frozen

from measurand.display.result import Result
from measurand.errors import InputFileError
from measurand.papers.printed.cells import Identity
from measurand.papers.printed.tables import advice, content_of, packaged

PACKAGED = "agms2018.toml"

HEADS = ("Pri", "Deep", "DeepTh", "CloseTh", "Conf")
"""What the table calls the five constraints, in the order of `CONSTRAINTS`."""


RANKED = (
    *("OIE 1.2", "OIE 1", "RBP", "DCG", "AP", "P@100", "DCG@50", "ERR@50", "ERR", "P@50"),
    *("ERR@20", "DCG@20", "P@20", "P@10", "RR@10"),
)
"""The measures as the table ranks them, by unanimity; ERR@20 and DCG@20 have the same, and AP and P@100."""

PASSED_OVER = {"mu_source", "tie_rate"}
"""What a row of a file may have besides: it follows from the unanimity, and is not read."""


@frozen(kw_only=True, repr=False)
class PrintedMeasure(Result):
    """One row of the paper's Table 2.

    Parameters
    ----------
    label
        What the paper calls the measure.
    spellings
        What it is called here; RBP stands for several, which have one unanimity.
    marks
        1 for each constraint that the table says is met, 0 for each other.
    mu
        Metric unanimity with its printed digits; None where a file leaves it out.
    """

    label: str
    spellings: tuple[str, ...] = field(converter=tuple)
    marks: str
    mu: str | None = None

    @property
    def met(self) -> dict[str, bool]:
        """Whether the table says that a constraint is met, by the name that it has there.

        Examples
        --------
        >>> [head for head, met in printed_unanimity()[0].met.items() if met]
        ['Pri', 'Deep', 'DeepTh', 'CloseTh', 'Conf']
        """
        return {head: mark == "1" for head, mark in zip(HEADS, self.marks, strict=True)}


def printed_unanimity(
    path: str | os.PathLike[str] | None = None, *, ranked: bool = False
) -> tuple[PrintedMeasure, ...]:
    """Return the 15 rows of the paper's Table 2.

    Parameters
    ----------
    path
        A file like `agms2018.toml`, which measurand brings along; without it, that file.
    ranked
        Whether measures stand as the paper ranks them, by unanimity; otherwise in the order of the constraint matrix.

    Examples
    --------
    >>> [(row.label, row.marks, row.mu) for row in printed_unanimity()[:2]]
    [('OIE 1.2', '11111', '0.928'), ('OIE 1', '11100', '0.927')]

    References
    ----------
    [Amigo2018]_, Table 2
    """
    content = _printed() if path is None else _read(os.fspath(path))
    rows = [
        PrintedMeasure(**{key: value for key, value in row.items() if key not in PASSED_OVER})
        for row in content["table2"]["measure"]
    ]
    return tuple(by_unanimity(rows) if ranked else rows)


def by_unanimity(rows: Iterable[PrintedMeasure]) -> list[PrintedMeasure]:
    """Return rows by unanimity, the highest first, equal ones as the paper ranks them; those without one last.

    Parameters
    ----------
    rows
        The rows.

    Examples
    --------
    >>> [row.label for row in by_unanimity(printed_unanimity())][-5:]
    ['ERR@20', 'DCG@20', 'P@20', 'P@10', 'RR@10']
    """
    place = {label: place for place, label in enumerate(RANKED)}
    return sorted(rows, key=lambda row: (-float(row.mu or -1), place.get(row.label, len(RANKED))))


def checked_unanimity(rows: Sequence[PrintedMeasure]) -> list[Identity]:
    """Return what must hold between the values of Table 2, checked on those that are known.

    Parameters
    ----------
    rows
        The rows.

    Examples
    --------
    >>> [(found.checked, found.fails) for found in checked_unanimity(printed_unanimity())]
    [(7, ('ERR 0.901, but ERR@50 0.903',))]

    References
    ----------
    [Amigo2018]_, Table 2
    """
    deeper = list(_deeper(rows))
    fails = tuple(
        f"{long.label} {long.mu}, but {short.label} {short.mu}" for short, long in deeper if _falls(short, long)
    )
    return [
        Identity(
            row="AGMS-T2-MU",
            says="a measure that sees more ranks ties no more, unless they cancel: its MU is no lower",
            checked=len(deeper),
            fails=fails,
        ),
    ]


def _deeper(rows: Sequence[PrintedMeasure]) -> Iterator[tuple[PrintedMeasure, PrintedMeasure]]:
    """Return rows of one measure at two depths, next to each other; one without a depth sees most."""

    def depth(row: PrintedMeasure) -> float:
        return float(row.label.partition("@")[2] or "inf")

    known = [row for row in rows if row.mu is not None]
    for name in dict.fromkeys(row.label.partition("@")[0] for row in known):
        yield from pairwise(sorted((row for row in known if row.label.partition("@")[0] == name), key=depth))


def _falls(short: PrintedMeasure, long: PrintedMeasure) -> bool:
    return float(long.mu or 0) < float(short.mu or 0)


def printed_mergeability() -> tuple[int, int]:
    """Return in how many picks of Figure 2 the paper found merging to pay, and how many it drew.

    Examples
    --------
    >>> printed_mergeability()
    (1809, 2000)

    References
    ----------
    [Amigo2018]_, Figure 2
    """
    figure = _printed()["figure2"]
    return figure["above"], figure["picks"]


@cache
def _printed() -> dict[str, Any]:
    return packaged(PACKAGED)


def _read(name: str) -> dict[str, Any]:
    """Return what a file holds, or complain of one that holds no Table 2."""
    content = content_of(name, PACKAGED)
    rows = content.get("table2", {}).get("measure") if isinstance(content.get("table2"), dict) else None
    if not isinstance(rows, list) or not rows:
        raise InputFileError(name, None, f"has no [[table2.measure]]; {advice(PACKAGED)}")
    for place, row in enumerate(rows, start=1):
        _check_row(name, place, row)
    return content


def _check_row(name: str, place: int, row: Any) -> None:
    known = {each.name for each in fields(PrintedMeasure)} | PASSED_OVER
    texts = isinstance(row, dict) and all(isinstance(row[key], str) for key in row if key != "spellings")
    if not texts or not {"label", "spellings", "marks"} <= set(row) <= known:
        raise InputFileError(name, None, f"measure {place}: has label, spellings, marks, and maybe mu, as texts")
    if len(row["marks"]) != len(HEADS) or set(row["marks"]) - {"0", "1"}:
        raise InputFileError(name, None, f"measure {place}: marks are {len(HEADS)} of 0 and 1, not {row['marks']!r}")
    if not re.fullmatch(r"-?\d+(\.\d+)?", row.get("mu", "0")):
        raise InputFileError(name, None, f"measure {place}: mu is a number as printed, not {row['mu']!r}")
