"""The printed tables: the cells of a paper's tables, read from data that come with measurand or from a file like it.

`printed_tables` reads Tables 1 to 6 of Ferrante, Ferro and Fuhr from `fff2021.toml`, whose first lines explain its
format. A file of somebody's own is checked, and what is wrong with it is named with its place.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from itertools import product
from math import comb, inf
from typing import Any

from attrs import field, frozen

from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.errors import InputFileError, ParameterError
from measurand.papers.printed.cells import Identity, identities
from measurand.papers.printed.claims import Stated, stated
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
from measurand.scales import EIGHT
from measurand.trec.files import bytes_of

SIZES = {
    "table1": 4,
    "table2": len(TRACKS) * len(MEASURES),
    "table3": len(TRACKS) * len(MEASURES),
    "table4": len(DEEP_TRACKS) * len(PAIRS),
    "table5": len(DEEP_TRACKS) * len(WITHOUT_RECALL_BASE) * len(EIGHT),
    "table6": len(DEEP_TRACKS) * len(WITH_RECALL_BASE) * len(EIGHT),
    "table56": len(DEEP_TRACKS) * len(MEASURES) * len(EIGHT),
}
"""How many cells each table has in the paper."""

MEMBERS = {"table5": WITHOUT_RECALL_BASE, "table6": WITH_RECALL_BASE, "table56": tuple(MEASURES)}
"""The measures of the tables that are kept as one."""


@frozen(kw_only=True, repr=False)
class PrintedTables(Result):
    """What is known of Tables 1 to 6 of Ferrante, Ferro and Fuhr.

    Parameters
    ----------
    path
        The file that it was read from.
    cells
        The tables by their names, such as table56[track][measure][test]["sig"].

    References
    ----------
    [FerranteFerroFuhr2021]_
    """

    path: str
    cells: Mapping[str, Mapping[str, Any]] = field(repr=False)

    def document(self) -> Document:
        """Return how many cells of each table are known."""
        columns = [Column("table", 0, left=True), valued("cells known", 1), valued("cells printed", 2)]
        rows = [(name, *self.known(name)) for name in SIZES]
        return Document([TableView(columns, rows, title="Printed tables of Ferrante, Ferro and Fuhr (2021)")])

    def __repr__(self) -> str:
        have, size = (sum(column) for column in zip(*map(self.known, SIZES), strict=True))
        return f"<PrintedTables: {have:,} of {size:,} cells known>"

    @property
    def tables(self) -> dict[str, Any]:
        """The tables as nested dictionaries, a copy: table2[track][measure], table56[track][measure][test][key]."""
        return deepcopy({name: dict(content) for name, content in self.cells.items()})

    def known(self, table: str) -> tuple[int, int]:
        """Return how many cells of a table are known, wholly or in part, and how many the paper has.

        Parameters
        ----------
        table
            table1 to table6, or table56 for the last two.

        Examples
        --------
        >>> printed_tables().known("table1"), printed_tables().known("table56")
        ((4, 4), (264, 264))
        """
        if table not in SIZES:
            raise ParameterError(f"there is no {table}; there is {', '.join(SIZES)}")
        return sum(1 for _ in self._cells(table)), SIZES[table]

    def _cells(self, table: str) -> Iterator[object]:
        for row in self.cells.get("table56" if table in MEMBERS else table, {}).values():
            for name, cell in row.items():
                if table not in MEMBERS:
                    yield cell
                elif name in MEMBERS[table]:
                    yield from cell.values()

    def identities(self) -> list[Identity]:
        """Return the identities that must hold between cells, checked on those that are known.

        Examples
        --------
        >>> [(found.row, found.fails) for found in printed_tables().identities() if not found.holds]
        [('FFF-T56-pct', ('T27_30, AP, two_way_anova, ns2s_percent: 8.50 %, but 73 of 913 are 8.00 %',))]
        """
        return identities(self.cells)

    def stated(self) -> list[Stated]:
        """Return what the text says of cells, each beside what these come to, where all of them are known.

        Examples
        --------
        >>> found = [one.line for one in printed_tables().stated()]
        >>> [each.what for each in found if each.errata == ("E34",)]
        ['Table 3, P: lowest']
        """
        return stated(self.cells)


def packaged(name: str) -> dict[str, Any]:
    """Return what a file of printed tables holds that comes with measurand.

    Parameters
    ----------
    name
        The name of the file.

    Examples
    --------
    >>> packaged("fff2021.toml")["paper"]
    'FerranteFerroFuhr2021'
    """
    return tomllib.loads((files("measurand.papers.printed") / name).read_text(encoding="utf-8"))


def content_of(path: str | os.PathLike[str], like: str) -> dict[str, Any]:
    """Return what a file holds, or say what is wrong with it.

    Parameters
    ----------
    path
        The file.
    like
        The file that comes with measurand and has the same form.
    """
    name = os.fspath(path)
    try:
        # some editors begin a file with a mark of its encoding
        return tomllib.loads(bytes_of(path).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputFileError(name, None, f"is not a file of printed tables (no UTF-8 text); {advice(like)}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputFileError):
            raise
        raise InputFileError(name, None, f"is not a file of printed tables (TOML: {error}); {advice(like)}") from None


def advice(like: str) -> str:
    """Return what to do about a file that is none of printed tables.

    Parameters
    ----------
    like
        The file that comes with measurand and has the right form.

    Examples
    --------
    >>> advice("fff2021.toml").startswith("begin with a copy of the one that comes with measurand, ")
    True
    """
    return f"begin with a copy of the one that comes with measurand, {files('measurand.papers.printed') / like}"


PACKAGED = "fff2021.toml"

PARTS = ("paper", "table1", "group", "range", "count", "tally", "average")
"""What a file may hold. The last four are about cells, follow from them, and are passed over."""

LARGEST = 10**9
"""No number in a table is larger."""


@frozen
class Level:
    """What the keys at one depth of the cells of a table are called, and which there are.

    Parameters
    ----------
    what
        What the keys are called, such as track.
    names
        The keys that there are.
    """

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
    for track, measures in cells["table56"].items():
        for measure, test in product(measures, EIGHT):
            file.check_flips(track, f"{measure}, {test}", measures[measure].get(test, {}))
    return PrintedTables(path=name, cells=cells)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def _is_whole(value: object) -> bool:
    return _is_number(value) and isinstance(value, int) and value >= 0


def _nested(leaves: Mapping[tuple[str, ...], float]) -> dict[str, dict[str, Any]]:
    tables: dict[str, Any] = {name: {} for name in ("table1", *dict.fromkeys(NAMES.values()))}
    for path, value in leaves.items():
        inner = tables
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = value
    return tables


@frozen
class _File:
    """A file whose errors name the file and the place in it."""

    name: str

    def wrong(self, place: str, why: str) -> InputFileError:
        return InputFileError(self.name, None, f"{place}: {why}")

    def check_parts(self, content: Mapping[str, Any]) -> None:
        """Raise an error for parts that no file of tables has, and for a file without tables."""
        if unknown := sorted(set(content) - set(PARTS)):
            raise self.wrong(unknown[0], f"means nothing here; there is {', '.join(PARTS)}")
        if not set(content) & {"table1", "group"}:
            raise InputFileError(self.name, None, f"holds no tables; {advice(PACKAGED)}")

    def leaves(self, content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], float]]:
        """Return every number of a cell with where it was written and where it belongs."""
        if "table1" in content:
            first = content["table1"]
            if not isinstance(first, Mapping) or set(first) - {"section", "source"} != {"cells"}:
                raise self.wrong("table1", "has section, source and [table1.cells]")
            found = self._walk("table1", first["cells"], (FOUR, COLUMNS), ("table1",))
            yield from (leaf for leaf in found if leaf[1][-1] == "mean")
        groups = content.get("group", [])
        if not isinstance(groups, list) or not all(isinstance(group, Mapping) for group in groups):
            raise self.wrong("group", f"has entries that each begin with [[group]], and is not {groups!r}")
        for place, group in enumerate(groups, start=1):
            table = group.get("table")
            if not _is_whole(table) or table not in LEVELS:
                raise self.wrong(f"group {place}", f"table is 2, 3, 4, 5 or 6, not {table!r}")
            yield from self._group(f"group {place} (table {table})", table, group)

    def _group(self, place: str, table: int, group: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], float]]:
        if unknown := sorted(set(group) - ABOUT_GROUPS):
            raise self.wrong(place, f"{unknown[0]} means nothing here; there is {', '.join(sorted(ABOUT_GROUPS))}")
        for key in ("section", "source"):
            if not isinstance(group.get(key, ""), str):
                raise self.wrong(place, f"{key} is text, not {group[key]!r}")
        if "tracks" not in group:
            raise self.wrong(place, "names no tracks")
        for key in ("tracks", "measures", "tests"):
            names = group.get(key, ["any"])
            if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
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
        if not _is_number(value) or not fits(value):
            raise self.wrong(place, f"{' '.join(path[1:])} is {kind}, not {value!r}")
        return float(value) if isinstance(value, float) else int(value)

    def check_flips(self, track: str, place: str, cell: Mapping[str, float]) -> None:
        """Raise an error for more pairs than there are."""
        where = f"table56, {track}, {place}"
        if cell.get("s2ns", 0) > cell.get("sig", inf):
            raise self.wrong(where, "s2ns is larger than sig")
        pairs = comb(SYSTEMS[track.partition("_")[0]], 2)
        if cell.get("sig", 0) + cell.get("ns2s", 0) > pairs:
            raise self.wrong(where, f"sig and ns2s are more than the {pairs} pairs of systems")


_TAU = ("a number from -1 to 1", lambda value: -1 <= value <= 1)
_PAIRS = ("a whole number from 0 up", _is_whole)
_SHARE = ("a percentage from 0 up", lambda value: value >= 0)

KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("tau", "msr", "rnk"), _TAU),
    **dict.fromkeys(("sig", "s2ns", "ns2s"), _PAIRS),
    **dict.fromkeys(("s2ns_percent", "ns2s_percent"), _SHARE),
    "delta": ("a percentage", _is_number),
}
"""What each number of a cell has to be, in words and as a function."""


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
