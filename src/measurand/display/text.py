"""Text of results: what `print` shows of a document in Python, where the width of a terminal is not known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from measurand.display.tables import (
    BAR,
    Column,
    Document,
    Legend,
    Paragraph,
    Row,
    TableView,
    Words,
    for_people,
    lines_of,
)
from measurand.display.wording import listed

WIDTH = 120
"""Where a result prints itself, lines have at most so many letters, if names are not longer."""

GAP = "  "
"""What stands between the columns of a table."""

NARROWEST = 24
"""Columns of words are not broken to fewer letters."""

Filled = list[tuple[Column, list[list[str]]]]
"""Columns with the lines of each of their cells."""


def cell_lines(content: Any) -> list[str]:
    """Return what stands in a cell as lines of plain text.

    Parameters
    ----------
    content
        What stands in the cell.

    Examples
    --------
    >>> cell_lines(["one", Words.of("two", "strong")])
    ['one', 'two']
    """
    if not isinstance(content, str | Words | TableView | list | tuple):
        return [str(content)]
    lines: list[str] = []
    for line in lines_of(content):
        lines += _table_lines(line, None, None, set()) if isinstance(line, TableView) else str(line).split("\n")
    return lines


def aligned_text(document: Document, *, rows: int | None = None, width: int | None = None) -> str:
    """Return a document as text for `print`, without a terminal: columns one under the other.

    Parameters
    ----------
    document
        The document; its caveats stand at the end.
    rows
        Of longer tables so many rows are shown, and a line says how many were left out; by default none is.
    width
        How long lines are: sentences are broken, and of wider tables columns are left out; by default nothing is.

    Examples
    --------
    >>> from measurand.display.tables import cells_view
    >>> print(aligned_text(Document([cells_view(["system", "P"], [["a", "0.5"]], title="1 system"), "So it is."])))
    1 system
    <BLANKLINE>
    system    P
    a       0.5
    <BLANKLINE>
    So it is.
    """
    lines: list[str] = []
    shown: set[str] = set()
    for part in for_people(document).parts:
        if isinstance(part, TableView):
            above = [line for text in (str(part.title), part.about) if text for line in _broken(text, width)]
            apart = [""] if any(part.headings) and not part.tight else []
            lines += [*above, *apart, *_table_lines(part, rows, width, shown), ""]
        elif isinstance(part, Legend):
            lines += [line for text in part.lines(shown) for line in _broken(text, width)]
        else:
            lines += _broken(str(part.words if isinstance(part, Paragraph) else part), width)
    lines += [line for caveat in document.caveats for line in _broken(f"caveat: {caveat}", width, "  ")]
    return "\n".join(line for place, line in enumerate(lines) if line or (place and lines[place - 1])).strip("\n")


def _broken(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return a paragraph line by line; the lines that it has already stay apart."""
    if width is None:
        return text.split("\n")
    return [piece for line in text.split("\n") for piece in wrap(line, width, subsequent_indent=indent) or [""]]


def _table_lines(view: TableView, most: int | None, width: int | None, shown: set[str]) -> list[str]:
    """Return a table as lines of plain text, and below it what was left out; the headings that it has are added."""
    rows = view.rows if most is None else view.rows[:most]
    filled = [(column, [_shown(column, row) for row in rows]) for column in view.columns]
    kept = _fitting(filled, width) if width is not None else filled
    shown.update(column.starred for column, _ in kept)
    heads = [line for line in zip(*((column.starred, column.below) for column, _ in kept), strict=True) if any(line)]
    cells = [[lines[place] for _, lines in kept] for place in range(len(rows))]
    blocks = [*([[text] for text in line] for line in heads), *cells]
    widths = [max((len(text) for block in blocks for text in block[place]), default=0) for place in range(len(kept))]
    sides = [str.ljust if column.left else str.center if column.mark else str.rjust for column, _ in kept]
    lines = [
        GAP.join(side(text, wide) for side, text, wide in zip(sides, line, widths, strict=True)).rstrip()
        for block in blocks
        for line in zip_longest(*block, fillvalue="")
    ]
    more, wider = len(view.rows) - len(rows), len(filled) - len(kept)
    left = [f"… and {more:,} more row{'s' * (more > 1)}"] if more else []
    names = {id(column) for column, _ in kept}
    missing = [column.heading for column, _ in filled if id(column) not in names]
    return [*lines, *left, *([f"… and {wider:,} more column{'s' * (wider > 1)}: {listed(missing)}"] if wider else [])]


def _shown(column: Column, row: Row) -> list[str]:
    content = column.cell(row)
    return ["█" * round(BAR * content)] if column.bar else cell_lines(content)


def _wide(column: Column, cells: list[list[str]]) -> int:
    return max(map(len, (column.starred, column.below, *(line for cell in cells for line in cell))))


def _fitting(filled: Filled, width: int) -> Filled:
    """Return the columns that fit: words are broken first, then the most dispensable columns are left out."""
    kept = _wrapped(filled, width)
    while len(kept) > 1 and _total(kept) > width:
        last = max(range(1, len(kept)), key=lambda place: (kept[place][0].dispensable, place))
        kept = _wrapped([each for place, each in enumerate(kept) if place != last], width)
    return kept


def _total(filled: Filled) -> int:
    return sum(_wide(*each) for each in filled) + len(GAP) * (len(filled) - 1)


def _wrapped(filled: Filled, width: int) -> Filled:
    """Return columns of which the long words are broken, so that all fit where that is possible."""
    long = [
        place
        for place, (column, cells) in enumerate(filled)
        if column.left and column.wrap != "no" and _wide(column, cells) > NARROWEST
    ]
    if _total(filled) <= width or not long:
        return filled
    spare = width - _total(filled) + sum(_wide(*filled[place]) for place in long)
    room = dict.fromkeys(long, max(NARROWEST, spare // len(long)))
    # what a column does not need is room for the others
    for place in sorted(long, key=lambda place: _wide(*filled[place])):
        room[place] = min(_wide(*filled[place]), max(NARROWEST, spare // len(long)))
        spare, long = spare - room[place], long[1:]
    return [
        (column, [[piece for line in cell for piece in _broken(line, room[place])] for cell in cells])
        if place in room
        else (column, cells)
        for place, (column, cells) in enumerate(filled)
    ]


def _padded(side: Callable[[str, int], str], text: str, width: int) -> str:
    return side(text, width)
