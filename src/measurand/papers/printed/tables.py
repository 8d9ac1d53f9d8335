"""Printed tables: the cells of a paper's tables that are known, and what must hold or is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.printed.identities import Identity, identities
from measurand.papers.printed.labels import (
    DEEP_TRACKS,
    MEASURES,
    PAIRS,
    TRACKS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
)
from measurand.papers.printed.said import Stated, stated
from measurand.scales import EIGHT

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
class PrintedTables:
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
        >>> from measurand.papers.printed import printed_tables
        >>> [(found.row, found.fails) for found in printed_tables().identities() if not found.holds]
        [('FFF-T56-pct', ('T27_30, AP, two_way_anova, ns2s_percent: 8.50 %, but 73 of 913 are 8.00 %',))]
        """
        return identities(self.cells)

    def stated(self) -> list[Stated]:
        """Return what the text says of cells, each beside what these come to, where all of them are known.

        Examples
        --------
        >>> from measurand.papers.printed import printed_tables
        >>> found = [one.line for one in printed_tables().stated()]
        >>> [each.what for each in found if each.errata == ("E34",)]
        ['Table 3, P: lowest']
        """
        return stated(self.cells)
