"""What the cells of Tables 2 to 6 come to: the ends of their ranges, and in how many of them something holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

from measurand.papers.printed.labels import DEEP_TRACKS, MEASURES, PAIRS, TRACKS, WITH_RECALL_BASE, pair

Cells = Mapping[str, Mapping[str, Any]]
"""The tables by their names, such as table56[track][measure][test]["sig"]."""

ONLY: Mapping[str, Callable[[float], bool]] = MappingProxyType(
    {
        "": lambda cell: True,  # noqa: ARG005
        "cells below 1": lambda cell: cell < 1,
        "cells below 0": lambda cell: cell < 0,
        "cells above 0": lambda cell: cell > 0,
    }
)
"""Which cells a range is over, as a condition on the cell."""

FAMILIES = {"AP vs DCG": tuple(pair("AP", other) for other in ("DCG_b02", "DCG_b10", "nDCG_b02", "nDCG_b10"))}
"""Pairs of measures that the text speaks of by one name."""

NO_MORE = " finds no more pairs than "
HIGHER = " is higher than in Table 2"


def ends_of(tables: Cells, table: int, of: Sequence[str], only: str = "") -> tuple[float, float] | None:
    """Return the lowest and the highest of some cells; None if some are unknown, or nobody knows which are meant.

    Parameters
    ----------
    tables
        The tables by their names.
    table
        2 to 6, or 56 for both of the last.
    of
        Measures (Tables 2 and 3), pairs of them or delta (Table 4), or a column of Tables 5 and 6.
    only
        Which of their cells, if not all.

    Examples
    --------
    >>> taus = {track: {"P": 1.0, "AP": 0.5 + place / 100} for place, track in enumerate(TRACKS)}
    >>> ends_of({"table2": taus}, 2, ["AP"]), ends_of({"table2": taus}, 2, ["RR"])
    ((0.5, 0.61), None)
    """
    if only not in ONLY and only not in TRACKS:
        return None
    fits = ONLY.get(only, ONLY[""])
    found = [number for track, number in _numbers(tables, table, of) if only not in TRACKS or track == only]
    if None in found:
        return None
    kept = [number for number in found if number is not None and fits(number)]
    return (min(kept), max(kept)) if kept else None


def _numbers(tables: Cells, table: int, of: Sequence[str]) -> Iterator[tuple[str, float | None]]:
    """Return every number meant, with its track; None for one that is unknown."""
    if table in (2, 3):
        for track, measure in product(TRACKS, of):
            yield track, cell_at(tables, f"table{table}", track, measure)
    elif table == 4:
        pairs = [name for each in of for name in (PAIRS if each == "delta" else FAMILIES.get(each, (each,)))]
        column = "delta" if "delta" in of else "rnk"
        for track, name in product(DEEP_TRACKS, pairs):
            yield track, cell_at(tables, "table4", track, name, column)
    else:
        for track, measure in product(DEEP_TRACKS, MEASURES):
            if table == 56 or (table == 6) == (measure in WITH_RECALL_BASE):
                for cell in (cell_at(tables, "table56", track, measure) or {"": {}}).values():
                    yield from ((track, cell.get(column)) for column in of)


def tally_of(tables: Cells, what: str) -> tuple[int, int] | None:
    """Return in how many cells something holds, and of how many; None if some cells are unknown, or what is meant.

    Parameters
    ----------
    tables
        The tables by their names.
    what
        "paired_t finds no more pairs than signed_rank" and its like, or "AP is higher than in Table 2" (in Table 3).

    Examples
    --------
    >>> tests = {"paired_t": {"sig": 3}, "signed_rank": {"sig": 4}}
    >>> tables = {"table56": {track: dict.fromkeys(MEASURES, tests) for track in DEEP_TRACKS}}
    >>> tally_of(tables, "paired_t finds no more pairs than signed_rank")
    (33, 33)
    """
    if NO_MORE in what:
        tests = what.split(NO_MORE)
        both = [
            [cell_at(tables, "table56", track, measure, test, "sig") for test in tests]
            for track, measure in product(DEEP_TRACKS, MEASURES)
        ]
    elif what.endswith(HIGHER):
        measure = what.removesuffix(HIGHER)
        both = [[cell_at(tables, table, track, measure) for table in ("table2", "table3")] for track in TRACKS]
    else:
        return None
    if any(None in pair for pair in both):
        return None
    holds = [one <= other if NO_MORE in what else one < other for one, other in both]
    return sum(holds), len(holds)


def cell_at(tables: Cells, *path: str) -> Any:
    """Return what stands at a place, None if nothing does.

    Examples
    --------
    >>> cell_at({"table2": {"T08_05": {"P": 1.0}}}, "table2", "T08_05", "P"), cell_at({}, "table2", "T08_05")
    (1.0, None)
    """
    found: Any = tables
    for name in path:
        found = found.get(name, {})
    return None if found == {} else found
