"""Printed tables by themselves, as text: what must hold between their cells, and what is stated of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.papers.exhibit import Mark, shown
from measurand.papers.printed import Identity, PrintedTables, Stated, averages
from measurand.papers.printed.tables import SIZES
from measurand.papers.printed.unanimity import HEADS, PrintedMeasure, by_unanimity, checked_unanimity
from measurand.report.profile_text import printed
from measurand.report.sheet import Sheet

WIDTH = 130
"""The text is never wider."""


def printed_tables_text(tables: PrintedTables, *, colour: bool = False, width: int | None = None) -> str:
    """Return what the printed tables of Ferrante, Ferro and Fuhr say of themselves.

    Parameters
    ----------
    tables
        The printed tables.
    colour
        Whether the text has colours.
    width
        How wide it may be.

    Examples
    --------
    >>> from measurand.papers.printed import printed_tables
    >>> print(printed_tables_text(printed_tables()).splitlines()[0])
    Printed tables of Ferrante, Ferro and Fuhr (2021): fff2021.toml
    """
    width = width or WIDTH
    return printed(_tables(tables, width), colour=colour, width=width)


def _tables(tables: PrintedTables, width: int) -> Iterator[RenderableType]:
    yield Text(f"Printed tables of Ferrante, Ferro and Fuhr (2021): {tables.path}", style="bold")
    known = ", ".join(
        f"{have} of {size} in Table {name[5:]}" for name in _ONE_BY_ONE for have, size in [tables.known(name)]
    )
    yield Text(f"Cells: {known}.", style="dim")
    yield from _checks("What must hold between cells", tables.identities())
    yield Text("\nWhat the text says of cells, and what these come to", style="bold")
    yield Padding(_stated(tables.stated()), (0, 0, 0, 1))
    if tables.known("table56")[0] == SIZES["table56"]:
        yield Text("\nAverages over cells, in percent of Sig", style="bold")
        yield from (Padding(piece, (0, 0, 0, 1)) for piece in _averages(tables).grids(width - 1))


_ONE_BY_ONE = ("table1", "table2", "table3", "table4", "table5", "table6")


def _checks(title: str, found: Sequence[Identity]) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("row", no_wrap=True)
    table.add_column("what")
    table.add_column("checked", justify="right")
    table.add_column("")
    for one in found:
        mark = (
            Text("✗", style="bold red") if one.fails else Text("✓", style="green") if one.checked else Text("·", "dim")
        )
        table.add_row(one.row, one.says, str(one.checked), mark)
        for fail in one.fails:
            table.add_row("", Text(fail, style="red"), "", "")
    yield Padding(table, (0, 0, 0, 1))


MARKS = {Mark.AGREES: "green", Mark.DIFFERS: "bold red", Mark.SILENT: ""}
"""In which style each mark is shown."""


def _stated(found: Sequence[Stated]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("row", no_wrap=True)
    table.add_column("what")
    for head in ("text", "cells"):
        table.add_column(head, justify="right")
    table.add_column("", no_wrap=True)
    for one in found:
        mark = "" if one.line.mark is Mark.SILENT else f"{one.line.mark.value} {', '.join(one.line.errata)}".rstrip()
        said, _ = one.line.texts
        table.add_row(one.row, one.line.what, said, shown(one.line.ours), Text(mark, MARKS[one.line.mark]))
    return table


def _averages(tables: PrintedTables) -> Sheet:
    rows = []
    for by in ("counts", "percentages"):
        for found in averages(tables.cells["table56"], by=by):
            numbers = [*(found.means.get(key) for key in ("s2ns", "ns2s", "delta")), found.error]
            shown = ["–" if number is None else f"{number:.3f}" for number in numbers]
            rows.append([found.selection, f"by {by}", str(found.cells), *shown])
    return Sheet("Averages over cells", ["cells", "", "number", "S2NS", "NS2S", "Δ%", "±"], rows, words=2)


def printed_tables_data(tables: PrintedTables) -> dict[str, Any]:
    """Return the same, ready for JSON.

    Examples
    --------
    >>> from measurand.papers.printed import printed_tables
    >>> data = printed_tables_data(printed_tables())
    >>> data["known"]["table6"], [one["row"] for one in data["identities"] if one["fails"]]
    ([96, 96], ['FFF-T56-pct'])
    """
    return {
        "file": tables.path,
        "known": {name: list(tables.known(name)) for name in _ONE_BY_ONE},
        "identities": [_identity(one) for one in tables.identities()],
        "stated": [_said(one) for one in tables.stated()],
    }


def _identity(one: Identity) -> dict[str, Any]:
    return {"row": one.row, "says": one.says, "checked": one.checked, "fails": list(one.fails)}


def _said(one: Stated) -> dict[str, Any]:
    agrees = None if one.line.mark is Mark.SILENT else one.line.mark is Mark.AGREES
    place = {"row": one.row, "what": one.line.what}
    return {**place, "text": one.line.paper, "cells": one.line.ours, "agrees": agrees, "errata": [*one.line.errata]}


def printed_unanimity_text(
    rows: Sequence[PrintedMeasure], path: str, *, colour: bool = False, width: int | None = None
) -> str:
    """Return Table 2 of Amigó and others ranked by unanimity, with what must hold between its values.

    Parameters
    ----------
    rows
        The rows of the table.
    path
        The file that they come from.
    colour
        Whether the text has colours.
    width
        How wide it may be.

    Examples
    --------
    >>> from measurand.papers import printed_unanimity
    >>> print(printed_unanimity_text(printed_unanimity(), "agms2018.toml").splitlines()[0])
    Printed Table 2 of Amigó, Giner, Mizzaro and Spina (2018): agms2018.toml
    """
    width = width or WIDTH
    return printed(_unanimity(rows, path, width), colour=colour, width=width)


def _unanimity(rows: Sequence[PrintedMeasure], path: str, width: int) -> Iterator[RenderableType]:
    yield Text(f"Printed Table 2 of Amigó, Giner, Mizzaro and Spina (2018): {path}", style="bold")
    ranked = [
        [row.label, row.mu or "–", *("●" if met else "○" for met in row.met.values())] for row in by_unanimity(rows)
    ]
    met = Counter(head for row in rows for head, holds in row.met.items() if holds)
    tally = [f"met by, of {len(rows)}", "", *(str(met[head]) for head in HEADS)]
    sheet = Sheet("Table 2, ranked by metric unanimity", ["measure", "MU", *HEADS], [*ranked, tally])
    yield from (Padding(piece, (0, 0, 0, 1)) for piece in sheet.grids(width - 1))
    yield from _checks("What must hold between values", checked_unanimity(rows))


def printed_unanimity_data(rows: Sequence[PrintedMeasure], path: str) -> dict[str, Any]:
    """Return the same, ready for JSON.

    Examples
    --------
    >>> from measurand.papers import printed_unanimity
    >>> printed_unanimity_data(printed_unanimity(), "agms2018.toml")["table2"][0]["mu"]
    '0.928'
    """
    return {
        "file": path,
        "table2": [{"measure": row.label, "mu": row.mu, **row.met} for row in by_unanimity(rows)],
        "identities": [_identity(one) for one in checked_unanimity(rows)],
    }
