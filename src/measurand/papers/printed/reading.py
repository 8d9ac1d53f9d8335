"""Reading the fixture of printed tables, or one that somebody completed."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from attrs import fields, frozen

from measurand.errors import InputFileError
from measurand.papers.printed.labels import (
    DEEP_TRACKS,
    EIGHT,
    MEASURES,
    PAIRS,
    TRACKS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
    in_order,
)
from measurand.papers.printed.tables import Count, PrintedTables, Quoted, Range

PACKAGED = "fff2021.toml"

Fact = TypeVar("Fact", Range, Count, Quoted)


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

SYSTEMS, COLUMNS = Level("system", tuple("ABCD")), Level("column", ("topic1", "topic2", "mean"))


def printed_tables(path: str | os.PathLike[str] | None = None) -> PrintedTables:
    """Return what is known of the printed tables of Ferrante, Ferro and Fuhr.

    Parameters
    ----------
    path
        A copy of the file that measurand brings along, completed by somebody who owns the paper; without it, that
        file. Its first lines say how it is written.

    Examples
    --------
    >>> printed = printed_tables()
    >>> printed.tables["table2"]["T08_30"]["R"], printed.tables["table4"]["T08_30"]["P vs R"]
    (0.7948, {'msr': 0.7948, 'rnk': 1.0})
    >>> printed.known("table2")
    (36, 132)

    References
    ----------
    [FerranteFerroFuhr2021]_
    """
    if path is None:
        return _packaged()
    name = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputFileError(name, None, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputFileError(name, None, "is no UTF-8 text") from error
    return _read(name, text)


@cache
def _packaged() -> PrintedTables:
    return _read(PACKAGED, (files("measurand.papers") / PACKAGED).read_text(encoding="utf-8"))


def _read(name: str, text: str) -> PrintedTables:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(name, None, f"is no TOML: {error}") from error
    file = _File(name)
    leaves: dict[tuple[str, ...], float] = {}
    for place, path, number in file.leaves(content):
        if leaves.setdefault(path, number) != number:
            raise file.wrong(place, f"{' '.join(path)} is {number}, but another group says {leaves[path]}")
    cells = _nested(leaves)
    for track, measure, test, cell in _flips(cells):
        if cell.get("s2ns", 0) > cell.get("sig", float("inf")):
            raise file.wrong(f"table56, {track}, {measure}, {test}", "s2ns is larger than sig")
    return PrintedTables(
        path=name,
        cells=cells,
        ranges=file.facts(Range, content, "range"),
        counts=file.facts(Count, content, "count"),
        quoted=file.facts(Quoted, content, "average"),
    )


def _nested(leaves: Mapping[tuple[str, ...], float]) -> dict[str, dict[str, Any]]:
    tables: dict[str, Any] = {name: {} for name in ("table1", *dict.fromkeys(NAMES.values()))}
    for path, number in leaves.items():
        inner = tables
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = number
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

    def leaves(self, content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], float]]:
        """Return every number of a cell with where it was written and where it belongs."""
        first = content.get("table1", {}).get("cells", {})
        yield from self._walk("table1", first, (SYSTEMS, COLUMNS), ("table1",))
        for number, group in enumerate(content.get("group", []), start=1):
            place = f"group {number}"
            if group.get("table") not in LEVELS:
                raise self.wrong(place, f"table is 2, 3, 4, 5 or 6, not {group.get('table')!r}")
            place = f"{place} (table {group['table']})"
            if unknown := sorted(set(group) - ABOUT_GROUPS):
                raise self.wrong(place, f"{unknown[0]} means nothing here; there is {', '.join(sorted(ABOUT_GROUPS))}")
            cells = {track: self._cells(place, group) for track in group.get("tracks", [])}
            if not cells:
                raise self.wrong(place, "names no tracks")
            yield from self._walk(place, cells, LEVELS[group["table"]], (NAMES[group["table"]],))

    def _cells(self, place: str, group: Mapping[str, Any]) -> Any:
        if ("cell" in group) == ("cells" in group):
            raise self.wrong(place, "has either cells, or one cell with its measures")
        if "cells" in group:
            return group["cells"]
        tests = group.get("tests")
        cell = group["cell"] if tests is None else dict.fromkeys(tests, group["cell"])
        return dict.fromkeys(group.get("measures", []), cell)

    def _walk(
        self, place: str, content: Any, levels: tuple[Level, ...], path: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...], float]]:
        if not levels:
            yield place, path, self._number(place, path, content)
            return
        if not isinstance(content, Mapping):
            raise self.wrong(place, f"{' '.join(path[1:])} is {content!r}, where a {levels[0].what} is to be named")
        for key, inner in content.items():
            name = in_order(key) if levels[0].what == "pair" else key
            if name not in levels[0].names:
                raise self.wrong(place, f"there is no {levels[0].what} {key}; there is {_some(levels[0].names)}")
            yield from self._walk(place, inner, levels[1:], (*path, name))

    def _number(self, place: str, path: tuple[str, ...], number: Any) -> float:
        key = path[-1] if path[0] in ("table4", "table56") else "tau"
        for keys, kind, fits in _KINDS:
            if key in keys:
                if isinstance(number, bool) or not isinstance(number, int | float) or not fits(number):
                    raise self.wrong(place, f"{' '.join(path[1:])} is {kind}, not {number!r}")
                return number
        raise self.wrong(place, f"{' '.join(path[1:])} means nothing here")  # pragma: no cover

    def facts(self, kind: type[Fact], content: Mapping[str, Any], name: str) -> tuple[Fact, ...]:
        """Return facts that have no cell."""
        return tuple(self._fact(kind, entry, f"{name} {n}") for n, entry in enumerate(content.get(name, []), start=1))

    def _fact(self, kind: type[Fact], entry: Mapping[str, Any], place: str) -> Fact:
        names = {each.name for each in fields(kind)}
        if unknown := sorted(set(entry) - names):
            raise self.wrong(place, f"{unknown[0]} means nothing here; there is {', '.join(sorted(names))}")
        try:
            return kind(**entry)
        except TypeError as error:
            raise self.wrong(place, f"lacks something: {error}") from error


_KINDS: tuple[tuple[tuple[str, ...], str, Callable[[Any], bool]], ...] = (
    (("tau", "msr", "rnk"), "a number from -1 to 1", lambda number: -1 <= number <= 1),
    (("sig", "s2ns", "ns2s"), "a whole number from 0 up", lambda number: isinstance(number, int) and number >= 0),
    (("s2ns_percent", "ns2s_percent"), "a percentage from 0 up", lambda number: number >= 0),
    (("delta",), "a percentage", lambda number: number == number),
)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
