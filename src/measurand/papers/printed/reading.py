"""Reading the fixture of printed tables, or one that somebody completed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import comb, inf
from typing import Any

from attrs import frozen

from measurand.errors import InputFileError
from measurand.papers.printed.labels import (
    DEEP_TRACKS,
    MEASURES,
    PAIRS,
    SYSTEMS,
    TRACKS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
    in_order,
)
from measurand.papers.printed.tables import PrintedTables
from measurand.papers.printed_files import advice, content_of, packaged
from measurand.scales import EIGHT

PACKAGED = "fff2021.toml"

PARTS = ("paper", "table1", "group", "range", "count", "tally", "average")
"""What a file may hold. The last four are about cells, follow from them, and are passed over."""

LARGEST = 10**9
"""No number in a table is larger."""


@frozen
class Level:
    """What the keys at one depth of the cells of a table are called, and which there are."""

    what: str
    names: tuple[str, ...]


TAUS = Level("number", ("msr", "rnk", "delta"))
COUNTS = Level("number", ("sig", "s2ns", "ns2s", "s2ns_percent", "ns2s_percent", "delta"))
TESTS = Level("test", EIGHT)

LEVELS: dict[int, tuple[Level, ...]] = {
    2: (Level("track", TRACKS), Level("measure", tuple(MEASURES))),
    3: (Level("track", TRACKS), Level("measure", tuple(MEASURES))),
    4: (Level("track", DEEP_TRACKS), Level("pair", PAIRS), TAUS),
    5: (Level("track", DEEP_TRACKS), Level("measure", WITHOUT_RECALL_BASE), TESTS, COUNTS),
    6: (Level("track", DEEP_TRACKS), Level("measure", WITH_RECALL_BASE), TESTS, COUNTS),
}

NAMES = {2: "table2", 3: "table3", 4: "table4", 5: "table56", 6: "table56"}

ABOUT_GROUPS = {"table", "section", "source", "tracks", "measures", "tests", "cell", "cells"}

FOUR, COLUMNS = Level("system", tuple("ABCD")), Level("column", ("topic1", "topic2", "mean"))
"""Table 1 in a file. The paper prints the means; values on topics follow from its runs, and are passed over."""


def printed_tables(path: str | os.PathLike[str] | None = None) -> PrintedTables:
    """Return the printed tables of Ferrante, Ferro and Fuhr, or what is known of them.

    Parameters
    ----------
    path
        A file like the one that measurand brings along, whose first lines say how it is written; without it, that
        file, which has all cells.

    Examples
    --------
    >>> printed = printed_tables()
    >>> printed.tables["table2"]["T08_30"]["R"], printed.tables["table4"]["T08_30"]["R vs P"]
    (0.7948, {'msr': 0.7948, 'rnk': 1.0, 'delta': 25.82})
    >>> printed.known("table2")
    (132, 132)

    References
    ----------
    [FerranteFerroFuhr2021]_
    """
    return _packaged() if path is None else _tables(os.fspath(path), content_of(path, PACKAGED))


@cache
def _packaged() -> PrintedTables:
    return _tables(PACKAGED, packaged(PACKAGED))


def _tables(name: str, content: Mapping[str, Any]) -> PrintedTables:
    file = _File(name)
    file.check_parts(content)
    leaves: dict[tuple[str, ...], float] = {}
    for place, path, value in file.leaves(content):
        if leaves.setdefault(path, value) != value:
            raise file.wrong(place, f"{' '.join(path)} is {value}, but another group says {leaves[path]}")
    cells = _nested(leaves)
    for track, measure, test, cell in _flips(cells):
        file.check_flips(track, f"{measure}, {test}", cell)
    return PrintedTables(path=name, cells=cells)


def number(value: object) -> bool:
    """Say whether something is a number of a size that tables have.

    Examples
    --------
    >>> number(0.5), number(True), number(float("nan")), number("0.5"), number(10**400)
    (True, False, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def whole(value: object) -> bool:
    """Say whether something is a whole number from 0 up.

    Examples
    --------
    >>> whole(7), whole(7.0), whole(-7)
    (True, False, False)
    """
    return number(value) and isinstance(value, int) and value >= 0


def words(value: object) -> bool:
    """Say whether something is a list of texts, and not of none.

    Examples
    --------
    >>> words(["P", "R"]), words("P"), words([])
    (True, False, False)
    """
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _nested(leaves: Mapping[tuple[str, ...], float]) -> dict[str, dict[str, Any]]:
    tables: dict[str, Any] = {name: {} for name in ("table1", *dict.fromkeys(NAMES.values()))}
    for path, value in leaves.items():
        inner = tables
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = value
    return tables


def _flips(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Mapping[str, float]]]:
    for track, measures in tables["table56"].items():
        for measure, tests in measures.items():
            for test, cell in tests.items():
                yield track, measure, test, cell


@frozen
class _File:
    """A file whose errors name the file and the place in it."""

    name: str

    def wrong(self, place: str, why: str) -> InputFileError:
        return InputFileError(self.name, None, f"{place}: {why}")

    def check_parts(self, content: Mapping[str, Any]) -> None:
        """Complain about what no file of tables has, and about a file without tables."""
        if unknown := sorted(set(content) - set(PARTS)):
            raise self.wrong(unknown[0], f"means nothing here; there is {', '.join(PARTS)}")
        if not set(content) & {"table1", "group"}:
            raise InputFileError(self.name, None, f"holds no tables; {advice(PACKAGED)}")

    def entries(self, content: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the entries of a name with where each stands."""
        found = content.get(name, [])
        if not isinstance(found, list) or not all(isinstance(entry, Mapping) for entry in found):
            raise self.wrong(name, f"has entries that each begin with [[{name}]], and is not {found!r}")
        return ((f"{name} {place}", entry) for place, entry in enumerate(found, start=1))

    def leaves(self, content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], float]]:
        """Return every number of a cell with where it was written and where it belongs."""
        if "table1" in content:
            first = content["table1"]
            if not isinstance(first, Mapping) or set(first) - {"section", "source"} != {"cells"}:
                raise self.wrong("table1", "has section, source and [table1.cells]")
            found = self._walk("table1", first["cells"], (FOUR, COLUMNS), ("table1",))
            yield from (leaf for leaf in found if leaf[1][-1] == "mean")
        for place, group in self.entries(content, "group"):
            table = group.get("table")
            if not whole(table) or table not in LEVELS:
                raise self.wrong(place, f"table is 2, 3, 4, 5 or 6, not {table!r}")
            yield from self._group(f"{place} (table {table})", table, group)

    def _group(self, place: str, table: int, group: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], float]]:
        if unknown := sorted(set(group) - ABOUT_GROUPS):
            raise self.wrong(place, f"{unknown[0]} means nothing here; there is {', '.join(sorted(ABOUT_GROUPS))}")
        for key in ("section", "source"):
            if not isinstance(group.get(key, ""), str):
                raise self.wrong(place, f"{key} is text, not {group[key]!r}")
        if "tracks" not in group:
            raise self.wrong(place, "names no tracks")
        for key in ("tracks", "measures", "tests"):
            if key in group and not words(group[key]):
                raise self.wrong(place, f"{key} is a list of names, not {group[key]!r}")
        cells = dict.fromkeys(group["tracks"], self._cells(place, group))
        yield from self._walk(place, cells, LEVELS[table], (NAMES[table],))

    def _cells(self, place: str, group: Mapping[str, Any]) -> Any:
        if ("cell" in group) == ("cells" in group) or ("cell" in group) != ("measures" in group):
            raise self.wrong(place, "has either cells, or one cell with its measures")
        if "cells" in group:
            if "tests" in group:
                raise self.wrong(place, "tests goes with one cell, not with cells")
            return group["cells"]
        cell = dict.fromkeys(group["tests"], group["cell"]) if "tests" in group else group["cell"]
        return dict.fromkeys(group["measures"], cell)

    def _walk(
        self, place: str, content: Any, levels: tuple[Level, ...], path: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...], float]]:
        if not levels:
            yield place, path, self._number(place, path, content)
            return
        if not isinstance(content, Mapping) or not content:
            where = " ".join(path[1:]) or "cells"
            raise self.wrong(place, f"{where} is {content!r}, where a {levels[0].what} is to be named")
        for key, inner in content.items():
            name = in_order(key) if levels[0].what == "pair" else key
            if name not in levels[0].names:
                raise self.wrong(place, f"there is no {levels[0].what} {key}; there is {_some(levels[0].names)}")
            yield from self._walk(place, inner, levels[1:], (*path, name))

    def _number(self, place: str, path: tuple[str, ...], value: Any) -> float:
        kind, fits = KINDS[path[-1] if path[0] in ("table4", "table56") else "tau"]
        if not number(value) or not fits(value):
            raise self.wrong(place, f"{' '.join(path[1:])} is {kind}, not {value!r}")
        return float(value) if isinstance(value, float) else int(value)

    def check_flips(self, track: str, place: str, cell: Mapping[str, float]) -> None:
        """Complain about more pairs than there are."""
        where = f"table56, {track}, {place}"
        if cell.get("s2ns", 0) > cell.get("sig", inf):
            raise self.wrong(where, "s2ns is larger than sig")
        pairs = comb(SYSTEMS[track.partition("_")[0]], 2)
        if cell.get("sig", 0) + cell.get("ns2s", 0) > pairs:
            raise self.wrong(where, f"sig and ns2s are more than the {pairs} pairs of systems")


_TAU = ("a number from -1 to 1", lambda value: -1 <= value <= 1)
_PAIRS = ("a whole number from 0 up", whole)
_SHARE = ("a percentage from 0 up", lambda value: value >= 0)

KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("tau", "msr", "rnk"), _TAU),
    **dict.fromkeys(("sig", "s2ns", "ns2s"), _PAIRS),
    **dict.fromkeys(("s2ns_percent", "ns2s_percent"), _SHARE),
    "delta": ("a percentage", number),
}
"""What each number of a cell has to be, in words and as a function."""


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
