"""Terminal text without styles: what `terminal` prints where nothing is coloured, broken or left out.

`terminal` breaks lines, drops columns and has colours, for which it loads rich. Where nothing of that is needed, as for
a small table that goes into a file or a pipe, `plain_text` returns the same text in a tenth of the time; and `terminal`
takes those parts from here that are plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words

NARROW_LETTERS = frozenset("…–—−×↑↓→✓✗─")
"""Letters beyond those of Latin script that take one place each on a terminal."""

STACKED = "stack"
"""Tables that are narrowed in this way may become paragraphs although they fit; others stay whole."""


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
    >>> plain_text(Document(["A sentence that is longer than there is room."]), 20) is None
    True
    """
    lines: list[str] = []
    shown: set[str] = set()
    for part in document.parts:
        found = plain_lines(part, width, shown)
        if found is None:
            return None
        lines += found
    return "".join(f"{line.rstrip()}\n" for line in lines) if lines else None


def plain_lines(part: Part, width: int, shown: set[str]) -> list[str] | None:
    """Return a part of a document line by line, or None if it is not plain or does not fit.

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
    >>> plain_lines("A sentence.", 20, set())
    ['A sentence.']
    >>> plain_lines("A sentence.", 10, set()) is None
    True
    """
    headings = set(shown)
    found = _lines(part, headings)
    if found is None or not all(_fits(line, width) for line in found):
        return None
    shown |= headings
    return found


def _fits(line: str, width: int) -> bool:
    return len(line) <= width and all(_is_narrow(letter) for letter in line)


def _is_narrow(letter: str) -> bool:
    # below the combining marks a letter takes one place, unless it is a control character
    return letter.isprintable() and (letter < "\u0300" or letter in NARROW_LETTERS)


def _lines(part: Part, shown: set[str]) -> list[str] | None:
    """Return a part line by line, or None if it is not plain; headings that are shown are added to a set."""
    if isinstance(part, TableView):
        return _table(part, shown)
    if isinstance(part, Legend):
        return [part.TITLE, *(f" {line}" for line in part.lines(shown))]
    if isinstance(part, Paragraph):
        return [" " * part.indent + str(part.words)]
    return [str(part)]


def _table(view: TableView, shown: set[str]) -> list[str] | None:
    cells = view.cells
    if not cells or view.narrow == STACKED:
        return None
    if not all(map(_is_plain, view.columns)) or not all(isinstance(cell, str | Words) for row in cells for cell in row):
        return None
    shown.update(view.headings)
    title = [text for text in (str(view.title), view.about) if text]
    return [*title, *([""] if title and not view.tight else []), *_grid(view, [list(map(str, row)) for row in cells])]


def _is_plain(column: Column) -> bool:
    return not (column.longest or column.ratio or column.width or column.bar)


def _grid(view: TableView, cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return headings and rows, line by line."""
    high = 2 if any(column.below for column in view.columns) else 1
    # a heading of one line stands at the bottom
    stacks = [[*[""] * (high - 1), column.starred, *filter(None, [column.below])][-high:] for column in view.columns]
    headings = list(zip(*stacks, strict=True)) if any(column.heading for column in view.columns) else []
    widths = [max(map(len, column)) for column in zip(*headings, *cells, strict=True)]
    edge, gap = " " * (view.indent + view.ruled), " " * (3 if view.ruled else view.gap)

    def line(row: Sequence[str]) -> str:
        sides = zip(view.columns, row, widths, strict=True)
        return edge + gap.join(cell.ljust(room) if column.left else cell.rjust(room) for column, cell, room in sides)

    if view.ruled:
        yield ""
    yield from map(line, headings)
    if view.ruled:
        yield edge + "─" * (sum(widths) + len(gap) * (len(widths) - 1))
    yield from map(line, cells)
    if view.ruled:
        yield ""
