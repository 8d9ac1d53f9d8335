"""Printed tables: the cells of a paper's tables that are known, and facts about cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from attrs import evolve, field, frozen

from measurand.errors import ParameterError
from measurand.papers.printed.averages import averages
from measurand.papers.printed.from_cells import ends_of, tally_of
from measurand.papers.printed.identities import Identity, identities
from measurand.papers.printed.labels import (
    DEEP_TRACKS,
    MEASURES,
    PAIRS,
    TRACKS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
)
from measurand.scales import EIGHT

SIZES = {
    "table1": 4 * 3,
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


@frozen(kw_only=True)
class Range:
    """The lowest and the highest of some cells, which themselves may be unknown; None where it is not known.

    Parameters
    ----------
    table
        2 to 6, or 56 for both of the last.
    of
        The measures, the pair or the column.
    only
        Which of their cells, if not all.
    text
        What the text of the paper says instead.
    """

    table: int
    section: str
    source: str
    of: tuple[str, ...] = field(converter=tuple)
    only: str = ""
    lowest: float | None = None
    highest: float | None = None
    text: Mapping[str, float] = field(factory=dict)


@frozen(kw_only=True)
class Count:
    """A number of pairs with its printed percentage, in a known cell of Tables 5 and 6 but an unknown column."""

    table: int
    section: str
    source: str
    track: str
    measure: str
    test: str
    pairs: int
    percent: float


@frozen(kw_only=True)
class Tally:
    """In how many cells something holds, where the cells themselves are not known.

    Parameters
    ----------
    table
        2 to 6, or 56 for both of the last.
    what
        What holds.
    holds, among
        In so many cells, of so many.
    """

    table: int
    section: str
    source: str
    what: str
    holds: int
    among: int


@frozen(kw_only=True)
class Quoted:
    """An average that the text quotes, and what the printed cells come to.

    Parameters
    ----------
    name
        The selection of cells, as in `measurand.papers.printed.selections`.
    text
        What the text says; nothing if it does not say it.
    cells
        The average of the printed cells.
    """

    name: str
    section: str
    source: str
    cells: Mapping[str, float]
    text: Mapping[str, float] = field(factory=dict)


@frozen(kw_only=True, repr=False)
class PrintedTables:
    """What is known of Tables 1 to 6 of Ferrante, Ferro and Fuhr.

    Parameters
    ----------
    path
        The file that it was read from.
    ranges, counts, tallies, quoted
        What is said of cells, which themselves may be unknown.

    References
    ----------
    [FerranteFerroFuhr2021]_
    """

    path: str
    cells: Mapping[str, Mapping[str, Any]] = field(repr=False)
    ranges: tuple[Range, ...] = ()
    counts: tuple[Count, ...] = ()
    tallies: tuple[Tally, ...] = ()
    quoted: tuple[Quoted, ...] = ()

    def __repr__(self) -> str:
        known = ", ".join(f"{name} {have} of {size}" for name in SIZES for have, size in [self.known(name)])
        return f"<PrintedTables: {known}>"

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
        >>> from measurand.papers.printed import printed_tables
        >>> printed_tables().known("table1"), printed_tables().known("table56")
        ((12, 12), (264, 264))
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

    def range_of(self, table: int, of: str) -> Range:
        """Return the range of a measure, a pair or a column, the first that is known, by the cells if all are known.

        Parameters
        ----------
        table
            2 to 6, or 56 for both of the last.
        of
            The measure, the pair or the column.

        Examples
        --------
        >>> from measurand.papers.printed import printed_tables
        >>> printed_tables().range_of(2, "AP").highest
        0.8701
        """
        for found in self.ranges:
            if found.table == table and of in found.of:
                ends = ends_of(self.cells, table, found.of, found.only)
                return found if ends is None else evolve(found, lowest=ends[0], highest=ends[1])
        raise ParameterError(f"no range of {of} in Table {table} is known")

    def tally(self, what: str) -> Tally:
        """Return in how many cells something holds, counted where all of these are known.

        Parameters
        ----------
        what
            What holds.

        Examples
        --------
        >>> from measurand.papers.printed import printed_tables
        >>> found = printed_tables().tally("paired_t finds no more pairs than signed_rank")
        >>> found.holds, found.among
        (25, 33)
        """
        for found in self.tallies:
            if found.what == what:
                counted = tally_of(self.cells, what)
                return found if counted is None else evolve(found, holds=counted[0], among=counted[1])
        raise ParameterError(f"it is not known in how many cells {what}")

    def identities(self) -> list[Identity]:
        """Return the identities that must hold between cells, checked on those that are known.

        Examples
        --------
        >>> from measurand.papers.printed import printed_tables
        >>> [(found.row, found.fails) for found in printed_tables().identities() if not found.holds]
        [('FFF-T56-pct', ('T27_30, AP, two_way_anova, ns2s_percent: 8.50 %, but 73 of 913 are 8.00 %',))]
        """
        return identities(self.cells, self._counted())

    def stated(self) -> list[Identity]:
        """Return ranges, tallies and averages that are stated, each held against the cells if all of these are known.

        Examples
        --------
        >>> from measurand.papers.printed import printed_tables
        >>> found = printed_tables().stated()
        >>> len(found), [one.says for one in found if one.fails]
        (24, [])
        """
        return [*self._ranges(), *self._tallies(), *self._averages()]

    def _ranges(self) -> Iterator[Identity]:
        for found in self.ranges:
            ends = ends_of(self.cells, found.table, found.of, found.only)
            said = {"lowest": found.lowest, "highest": found.highest}
            by_cells = {} if ends is None else dict(zip(said, ends, strict=True))
            of = f"{_numbered(found.table)}, {', '.join(found.of)}{f' ({found.only})' if found.only else ''}"
            yield _stated(found.source, of, said, by_cells)

    def _tallies(self) -> Iterator[Identity]:
        for found in self.tallies:
            counted = tally_of(self.cells, found.what)
            by_cells = {} if counted is None else dict(zip(("holds", "among"), counted, strict=True))
            of = f"{_numbered(found.table)}: {found.what}"
            yield _stated(found.source, of, {"holds": found.holds, "among": found.among}, by_cells)

    def _averages(self) -> Iterator[Identity]:
        whole = self.known("table56")[0] == SIZES["table56"]
        known = {found.name: found for found in averages(self.cells["table56"], by="percentages")} if whole else {}
        for found in self.quoted:
            own = known.get(found.name)
            by_cells = {} if own is None else {**own.means, "error": own.error}
            rounded = {key: round(value, 2) for key, value in by_cells.items() if value is not None}
            yield _stated(found.source, f"Average, {found.name}", found.cells, rounded)

    def _counted(self) -> Iterator[tuple[str, int, int, float]]:
        for count in self.counts:
            cell = self.cells["table56"].get(count.track, {}).get(count.measure, {}).get(count.test, {})
            if cell.get("sig"):
                yield f"{count.track}, {count.measure}, {count.test}", count.pairs, cell["sig"], count.percent


def _numbered(table: int) -> str:
    return "Tables 5 and 6" if table == 56 else f"Table {table}"


def _stated(row: str, of: str, said: Mapping[str, float | None], by_cells: Mapping[str, float]) -> Identity:
    """Return what is stated, with how much of it could be held against the cells, and what is otherwise there."""
    told = {name: value for name, value in said.items() if value is not None}
    known = [name for name in told if name in by_cells]
    fails = tuple(
        f"{of}: {name} {told[name]:g}, by the cells {by_cells[name]:g}"
        for name in known
        if told[name] != by_cells[name]
    )
    return Identity(
        row=row,
        says=f"{of}: {', '.join(f'{name} {value:g}' for name, value in told.items())}",
        checked=len(known),
        fails=fails,
    )
