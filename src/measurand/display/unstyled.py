"""Terminal text without styles: what `terminal` prints where nothing is coloured and no table is too wide.

`terminal` breaks cells, drops columns and has colours, for which it loads rich. Where nothing of that is needed, as for
a small table that goes into a file or a pipe, `plain_text` returns the same text in a tenth of the time; and `terminal`
takes those parts from here that are plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from measurand.display.tables import Document, Legend, Paragraph, Part, TableView, for_people, lines_of

BETWEEN = "\0"
"""What stands between the cells of a line until all are known; nothing that is shown has it."""

WORD = re.compile(r"\s*\S+\s*")
"""A word with the blanks around it."""

NARROW_LETTERS = frozenset("…–—−×↑↓→✓✗─αβΔκλρτ≤≥≈≠")
"""Letters beyond those of Latin script that take one place each on a terminal."""

SHORTEST = 12
"""So much room the first column gets before anything else, where rows become paragraphs if there is less."""


def plain_text(document: Document, width: int) -> str | None:
    r"""Return what a terminal without colours shows of a document, or None if that takes a layout.

    Parameters
    ----------
    document
        The document; its caveats are left out.
    width
        How wide it may be.

    Examples
    --------
    >>> from measurand.display.tables import cells_view
    >>> print(plain_text(Document([cells_view(["system", "P"], [["bm25", "0.25"]])]), 80), end="")
     system     P
     bm25    0.25
    >>> plain_text(Document(["A sentence that is longer than there is room."]), 20)
    'A sentence that is\nlonger than there is\nroom.\n'
    """
    lines: list[str] = []
    shown: set[str] = set()
    for part in for_people(document).parts:
        found = plain_lines(part, width, shown)
        if found is None:
            return None
        lines += found
    return "".join(f"{line.rstrip()}\n" for line in lines) if lines else None


def plain_lines(part: Part, width: int, shown: set[str]) -> list[str] | None:
    """Return a part of a document line by line, or None if that takes a layout.

    Parameters
    ----------
    part
        The part.
    width
        How wide it may be.
    shown
        The headings that were shown so far; those of a plain table are added.

    Examples
    --------
    >>> plain_lines("A sentence.", 10, set())
    ['A', 'sentence.']
    >>> plain_lines("A sentence.", 5, set()) is None
    True
    """
    headings = set(shown)
    found = _lines(part, width, headings)
    if found is None or not all(len(line.rstrip()) <= width and _is_narrow(line) for line in found):
        return None
    shown |= headings
    return found


def _is_narrow(line: str) -> bool:
    # below the combining marks a letter takes one place, unless it is a control character
    return line.isprintable() and (line.isascii() or all(c < "\u0300" or c in NARROW_LETTERS for c in line))


def _lines(part: Part, width: int, shown: set[str]) -> list[str] | None:
    """Return a part line by line, or None if it is not plain; headings that are shown are added to a set."""
    if isinstance(part, TableView):
        return _table(part, width, shown)
    if isinstance(part, Legend):
        return [part.TITLE, *(line for text in part.lines(shown) for line in _broken(text, width, 1))]
    if isinstance(part, Paragraph):
        return _broken(str(part.words), width, part.indent)
    return _broken(str(part), width)


def _broken(text: str, width: int, indent: int = 0) -> list[str]:
    """Return a text in lines that are no wider than asked for, unless a single word is."""
    lines = [""]
    for word in WORD.findall(text):
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > width - indent:
            lines.append("")
        lines[-1] += word
    return [" " * indent + line.rstrip() for line in lines]


def _table(view: TableView, width: int, shown: set[str]) -> list[str] | None:
    lines, widths = _cells(view)
    if lines is None:
        return None
    rows = list(_grid(view, lines, widths))
    if view.narrow == "stack" and max(map(len, rows)) > width - SHORTEST:
        return None
    shown.update(view.headings)
    title = [line for text in (str(view.title), view.about) if text for line in _broken(text, width)]
    return [*title, *([""] if title and not view.tight else []), *rows]


def _cells(view: TableView) -> tuple[list[str] | None, list[int]]:
    """Return the lines of a table, cells in one text to save memory, and how wide each column is; None if not plain."""
    if not view.rows or any(column.ratio or column.width or column.bar for column in view.columns):
        return None, []
    found: list[str] = []
    widths, lines_in = [0] * len(view.columns), [0] * len(view.columns)
    for row in view.rows:
        cells: list[list[str]] = []
        for place, column in enumerate(view.columns):
            lines: list[str] = []
            for line in lines_of(column.cell(row)):
                if isinstance(line, TableView):
                    return None, []
                lines.append(str(line))
                if len(lines[-1]) > widths[place]:
                    widths[place] = len(lines[-1])
            cells.append(lines)
            lines_in[place] += len(lines)
        found.extend(map(BETWEEN.join, zip_longest(*cells, fillvalue="")))
    for column, longest, number in zip(view.columns, widths, lines_in, strict=True):
        if (column.longest and longest > column.longest) or (not column.left and number > len(view.rows)):
            return None, []
    return found, widths


def _grid(view: TableView, lines: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Return headings and rows, line by line."""
    high = 2 if any(column.below for column in view.columns) else 1
    # a heading of one line stands at the bottom
    stacks = [[*[""] * (high - 1), column.starred, *filter(None, [column.below])][-high:] for column in view.columns]
    headings = list(zip(*stacks, strict=True)) if any(column.heading for column in view.columns) else []
    above = [max(map(len, column)) for column in zip(*headings, strict=True)] or [0] * len(widths)
    rooms = list(map(max, widths, above))
    edge, gap = " " * (view.indent + view.ruled), " " * (3 if view.ruled else view.gap)

    def line(row: Sequence[str]) -> str:
        sides = zip(view.columns, row, rooms, strict=True)
        return edge + gap.join(cell.ljust(room) if column.left else cell.rjust(room) for column, cell, room in sides)

    if view.ruled:
        yield ""
    yield from map(line, headings)
    if view.ruled:
        yield edge + "─" * (sum(rooms) + len(gap) * (len(rooms) - 1))
    yield from (line(cells.split(BETWEEN)) for cells in lines)
    if view.ruled:
        yield ""
