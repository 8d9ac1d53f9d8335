"""What the cells of Tables 2 to 6 come to: the ends of their ranges, and in how many of them something holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Any

from measurand.papers.printed.labels import DEEP_TRACKS, MEASURES, PAIRS, TRACKS
from measurand.scales import EIGHT

Cells = Mapping[str, Mapping[str, Any]]
"""The tables by their names, such as table56[track][measure][test]["sig"]."""

TALLIES = {"lower": "{} is lower in Table 3 than in Table 2", "more": "{} finds more pairs than {}"}
"""What is counted, in words: of a measure, or of two tests."""


def ends_of(
    tables: Cells,
    table: int,
    of: Sequence[str] = (),
    column: str = "tau",
    *,
    track: str = "",
    besides: Mapping[str, Sequence[int]] = MappingProxyType({}),
    below: float = inf,
    above: float = -inf,
) -> tuple[float, float] | None:
    """Return the lowest and the highest of some cells; None if some are unknown, or there is none.

    Parameters
    ----------
    tables
        The tables by their names.
    table
        2, 3, 4, or 56 for Tables 5 and 6.
    of
        Measures, or pairs of them in Table 4; all if empty.
    column
        Which number of a cell, in Tables 4 to 6.
    track
        The only track that is meant; nothing for all.
    besides
        Measures with the depths of runs at which they are not meant.
    below, above
        Only cells between these bounds are meant.

    Examples
    --------
    >>> taus = {track: {"P": 1.0, "AP": 0.5 + place / 100} for place, track in enumerate(TRACKS)}
    >>> ends_of({"table2": taus}, 2, ["AP"]), ends_of({"table2": taus}, 2, ["RR"])
    ((0.5, 0.61), None)
    >>> ends_of({"table2": taus}, 2, ["P", "AP"], below=0.55), ends_of({"table2": taus}, 2, ["AP"], track="T08_10")
    ((0.5, 0.54), (0.51, 0.51))
    """
    found = list(_numbers(tables, table, of, column, track, besides))
    kept = [number for number in found if number is not None and above < number < below]
    return (min(kept), max(kept)) if kept and None not in found else None


def _numbers(
    tables: Cells, table: int, of: Sequence[str], column: str, track: str, besides: Mapping[str, Sequence[int]]
) -> Iterator[float | None]:
    """Return every number meant; None for one that is unknown."""
    tracks = [track] if track else TRACKS if table in (2, 3) else DEEP_TRACKS
    for one, name in product(tracks, of or (PAIRS if table == 4 else MEASURES)):
        if int(one.rpartition("_")[2]) in besides.get(name, ()):
            continue
        if table in (2, 3):
            yield cell_at(tables, f"table{table}", one, name)
        elif table == 4:
            yield cell_at(tables, "table4", one, name, column)
        else:
            yield from (cell_at(tables, "table56", one, name, test, column) for test in EIGHT)


def tally_of(tables: Cells, kind: str, of: Sequence[str]) -> tuple[int, int] | None:
    """Return in how many cells something holds, and of how many; None if some cells are unknown.

    Parameters
    ----------
    tables
        The tables by their names.
    kind
        "lower": the tau of a measure is lower in Table 3 than in Table 2, on so many tracks; "more": a test finds more
        significant pairs than another, for so many measures on tracks.
    of
        The measure, all if empty; or the two tests.

    Examples
    --------
    >>> tests = {"paired_t": {"sig": 3}, "signed_rank": {"sig": 4}}
    >>> tables = {"table56": {track: dict.fromkeys(MEASURES, tests) for track in DEEP_TRACKS}}
    >>> tally_of(tables, "more", ["signed_rank", "paired_t"]), tally_of(tables, "more", ["paired_t", "signed_rank"])
    ((33, 33), (0, 33))
    """
    if kind == "lower":
        both = [
            [cell_at(tables, table, track, measure) for table in ("table3", "table2")]
            for track, measure in product(TRACKS, of or MEASURES)
        ]
    else:
        both = [
            [cell_at(tables, "table56", track, measure, test, "sig") for test in reversed(of)]
            for track, measure in product(DEEP_TRACKS, MEASURES)
        ]
    if any(None in two for two in both):
        return None
    return sum(one < other for one, other in both), len(both)


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
