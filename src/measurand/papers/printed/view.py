"""Printed tables by themselves, as text: what must hold between their cells, and what is stated of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from measurand.display.tables import Column, Document, Paragraph, Part, TableView, Words, cells_view
from measurand.papers.exhibit import Mark, shown
from measurand.papers.printed import Identity, PrintedTables, Stated, averages
from measurand.papers.printed.tables import SIZES
from measurand.papers.printed.unanimity import HEADS, PrintedMeasure, by_unanimity, checked_unanimity

WIDTH = 130
"""The text is never wider."""


def printed_tables_document(tables: PrintedTables) -> Document:
    """Return what the printed tables of Ferrante, Ferro and Fuhr say of themselves.

    Parameters
    ----------
    tables
        The printed tables.

    Examples
    --------
    >>> from measurand.papers.printed import printed_tables
    >>> print(printed_tables_document(printed_tables()).parts[0].words)
    Printed tables of Ferrante, Ferro and Fuhr (2021): fff2021.toml
    """
    return Document(list(_tables(tables)))


def _tables(tables: PrintedTables) -> Iterator[Part]:
    yield Paragraph(f"Printed tables of Ferrante, Ferro and Fuhr (2021): {tables.path}", "strong")
    known = ", ".join(
        f"{have} of {size} in Table {name[5:]}" for name in _ONE_BY_ONE for have, size in [tables.known(name)]
    )
    yield Paragraph(f"Cells: {known}.", "faint")
    yield ""
    yield _checks("What must hold between cells", tables.identities())
    yield ""
    yield _stated(tables.stated())
    if tables.known("table56")[0] == SIZES["table56"]:
        yield ""
        yield _averages(tables)


_ONE_BY_ONE = ("table1", "table2", "table3", "table4", "table5", "table6")


def _checks(title: str, found: Sequence[Identity]) -> TableView:
    columns = [
        Column("row", 0, left=True, wrap="no"),
        Column("what", 1, left=True, wrap="words"),
        Column("checked", 2),
        Column("", 3, left=True),
    ]
    rows: list[tuple[Any, ...]] = []
    for one in found:
        mark = "✗" if one.fails else "✓" if one.checked else "·"
        rows.append((one.row, one.says, str(one.checked), Words.of(mark, CHECKED[mark])))
        rows += [("", Words.of(fail, "bad"), "", "") for fail in one.fails]
    return TableView(columns, rows, title=title, tight=True)


CHECKED = {"✗": "strong bad", "✓": "good", "·": "faint"}

MARKS = {Mark.AGREES: "good", Mark.DIFFERS: "strong bad", Mark.SILENT: ""}
"""In which tone each mark is shown."""


def _stated(found: Sequence[Stated]) -> TableView:
    columns = [
        Column("row", lambda one: one.row, left=True, wrap="no"),
        Column("what", lambda one: one.line.what, left=True, wrap="words"),
        Column("text", lambda one: one.line.texts[0], wrap="words"),
        Column("cells", lambda one: shown(one.line.ours), wrap="words"),
        Column("", _marked, left=True),
    ]
    title = "What the text says of cells, and what these come to"
    return TableView(columns, found, title=title, tight=True)


def _marked(one: Stated) -> Words:
    mark = one.line.mark
    said = "" if mark is Mark.SILENT else f"{mark.value} {', '.join(one.line.errata)}".rstrip()
    return Words.of(said, MARKS[mark])


def _averages(tables: PrintedTables) -> TableView:
    rows = []
    for by in ("counts", "percentages"):
        for found in averages(tables.cells["table56"], by=by):
            numbers = [*(found.means.get(key) for key in ("s2ns", "ns2s", "delta")), found.error]
            shown = ["–" if number is None else f"{number:.3f}" for number in numbers]
            rows.append([found.selection, f"by {by}", str(found.cells), *shown])
    heads = ["cells", "", "number", "S2NS", "NS2S", "Δ%", "±"]
    title = "Averages over cells, in percent of Sig"
    return cells_view(heads, rows, left=2, title=title, tight=True, narrow="split")


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


def printed_unanimity_document(rows: Sequence[PrintedMeasure], path: str) -> Document:
    """Return Table 2 of Amigó and others ranked by unanimity, with what must hold between its values.

    Parameters
    ----------
    rows
        The rows of the table.
    path
        The file that they come from.

    Examples
    --------
    >>> from measurand.papers import printed_unanimity
    >>> print(printed_unanimity_document(printed_unanimity(), "agms2018.toml").parts[0].words)
    Printed Table 2 of Amigó, Giner, Mizzaro and Spina (2018): agms2018.toml
    """
    ranked = [
        [row.label, row.mu or "–", *("●" if met else "○" for met in row.met.values())] for row in by_unanimity(rows)
    ]
    met = Counter(head for row in rows for head, holds in row.met.items() if holds)
    tally = [f"met by, of {len(rows)}", "", *(str(met[head]) for head in HEADS)]
    heading = Paragraph(f"Printed Table 2 of Amigó, Giner, Mizzaro and Spina (2018): {path}", "strong")
    table = cells_view(["measure", "MU", *HEADS], [*ranked, tally], narrow="split")
    return Document([heading, table, "", _checks("What must hold between values", checked_unanimity(rows))])


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
