"""The terminal: documents and tables as text, with or without colours, in the width that there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.display.tables import (
    NARROW,
    Column,
    Document,
    Legend,
    Paragraph,
    Part,
    TableView,
    Words,
    for_people,
    lines_of,
)
from measurand.display.unstyled import SHORTEST, plain_lines

WIDTH = 100
"""How wide a text is if nothing is said."""

NAME = 20
"""So much room the first column, the names of rows, gets before anything else; longer names are broken."""

BAR = 40
"""How long the longest bar is."""

EIGHTHS = " ▏▎▍▌▋▊▉"

STYLES = {
    "strong": "bold",
    "faint": "dim",
    "good": "green",
    "bad": "red",
    "unsure": "yellow",
    "accent": "cyan",
    "marked": "reverse",
    "super": "",
    "grade 0": "dim",
    "grade 1": "black on green3",
    "grade 2": "black on spring_green2",
    "grade 3": "black on green_yellow",
    "grade 4": "black on yellow1",
}
"""How each tone looks."""


def terminal_text(document: Document, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return what a terminal shows of a document, as text.

    Parameters
    ----------
    document
        The document; its caveats are left out.
    colour
        Whether the text has colours.
    width
        How wide it may be, 100 if nothing is said. Tables that do not fit leave columns out, are split or stacked.

    Examples
    --------
    >>> terminal_text(Document(["One.", Paragraph("Two.", "strong", indent=1)]))
    'One.\n Two.\n'
    """
    width = width or WIDTH
    console = Console(
        width=width, force_terminal=colour, no_color=not colour, highlight=False, markup=False, emoji=False
    )
    lines: list[str] = []
    shown: set[str] = set()
    for part in for_people(document).parts:
        plain = None if colour else plain_lines(part, width, shown)
        if plain is None:
            with console.capture() as captured:
                for piece in _pieces(part, width, shown):
                    console.print(piece)
            plain = captured.get().splitlines()
        lines += plain
    return "\n".join(map(str.rstrip, lines)) + "\n"


def _pieces(part: Part, width: int, shown: set[str]) -> Iterator[RenderableType]:
    """Return what is printed of a part, piece by piece; headings that are shown are added to a set."""
    if isinstance(part, TableView):
        yield from _table(part, width, shown)
    elif isinstance(part, Legend):
        yield Text(part.TITLE, style="dim bold")
        yield from (_indented(Text(line, style="dim"), 1) for line in part.lines(shown))
    elif isinstance(part, Paragraph):
        yield _indented(_text(part.words, part.tone), part.indent)
    else:
        yield _text(part)


def _indented(content: RenderableType, indent: int) -> RenderableType:
    return Padding(content, (0, 0, 0, indent)) if indent else content


def _style(tone: str) -> str:
    """Return the style of a tone, which may be made of several."""
    style = STYLES.get(tone)
    return " ".join(filter(None, map(STYLES.__getitem__, tone.split()))) if style is None else style


def _text(words: str | Words, tone: str = "") -> Text:
    return Text.assemble(*((text, _style(own)) for text, own in Words.of(words).pieces), style=_style(tone))


def _table(view: TableView, width: int, shown: set[str]) -> Iterator[RenderableType]:
    """Return a table with its title, as far as there is room; the headings that are shown are added to a set."""
    if view.title:
        yield _text(view.title, "strong" if isinstance(view.title, str) else "")
    if view.about:
        yield Text(view.about, style="dim")
    if (view.title or view.about) and not view.tight:
        yield Text()
    room = width - view.indent
    columns = [_Filled(column, [column.cell(row) for row in view.rows]) for column in view.columns]
    if view.narrow == "stack" and not _has_room(columns, room):
        yield _indented(_stacked(columns), view.indent)
        return
    if view.narrow not in NARROW and not _fits(columns, room, view.gap):
        yield Text(view.narrow, style="dim")
        return
    pieces = [_kept(columns, room)] if view.narrow == "drop" else [columns]
    for piece in _split(view, columns, room) if view.narrow == "split" else pieces:
        shown.update(each.column.starred for each in piece)
        yield _indented(_grid(view, piece, room), view.indent)
    left_out = [each.column.starred for each in columns if each not in pieces[0]]
    if left_out:
        narrow = f"Too narrow for {', '.join(left_out)}; -f json has everything."
        yield _indented(Text(narrow, style="dim"), view.indent)


class _Filled:
    """A column with its cells."""

    def __init__(self, column: Column, cells: Sequence[Any]) -> None:
        self.column = column
        most = column.longest
        cut = (f"{c[: most - 1]}…" if most and isinstance(c, str) and len(c) > most else c for c in map(_plain, cells))
        self.cells = list(cut) if most else list(cells)

    @property
    def width(self) -> int:
        """How many cells of a terminal the column takes."""
        if self.column.width:
            return self.column.width
        texts = () if self.column.bar else (_plain(cell) for cell in self.cells)
        return max(map(cell_len, (self.column.starred, *texts)))


def _plain(content: Any) -> str:
    return max((str(line) for line in lines_of(content) if not isinstance(line, TableView)), key=cell_len, default="")


def _has_room(columns: Sequence[_Filled], room: int) -> bool:
    return sum(each.width + 2 for each in columns[1:]) + SHORTEST <= room


def _fits(columns: Sequence[_Filled], room: int, gap: int = 2) -> bool:
    """Return whether columns leave the first one, which names the rows, enough room."""
    return room - sum(each.width + gap for each in columns[1:]) >= min(NAME, columns[0].width)


def _kept(columns: Sequence[_Filled], room: int) -> list[_Filled]:
    """Return as many columns as there is room for."""
    kept = list(columns)
    while kept and not _fits(kept, room):
        least = max(kept, key=lambda each: each.column.dispensable)
        if not least.column.dispensable:
            break
        kept.remove(least)
    return kept


def _split(view: TableView, columns: Sequence[_Filled], room: int) -> Iterator[list[_Filled]]:
    """Return the columns in pieces, one below the other; the first ones, which hold words, stand in each."""
    count, together = view.words, view.together
    count = count or next((place for place, each in enumerate(columns) if not each.column.left), len(columns))
    words, numbers = columns[:count], columns[count:]
    # long words in the first column are broken
    taken = [min(words[0].width, room // 3), *(each.width for each in words[1:])]
    left = room - sum(taken) - 2 * len(words)
    piece: list[_Filled] = []
    for start in range(0, len(numbers), together):
        more = numbers[start : start + together]
        if piece and sum(each.width + 2 for each in [*piece, *more]) - 2 > left:
            yield [*words, *piece]
            piece = []
        piece += more
    yield [*words, *piece]


def _grid(view: TableView, columns: Sequence[_Filled], room: int) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD if view.ruled else None,
        padding=(0, 1) if view.ruled else (0, view.gap, 0, 0),
        header_style="bold" if view.ruled else "dim",
        pad_edge=False,
        expand=any(each.column.ratio for each in columns),
        show_header=any(each.column.heading for each in columns),
    )
    for each in columns:
        column = each.column
        wrap = column.wrap or ("fold" if each is columns[0] else "no")
        table.add_column(
            _text(Words.of(column.starred) + (Words.of(f"\n{column.below}", "faint") if column.below else "")),
            justify="left" if column.left else "right",
            no_wrap=wrap == "no",
            overflow="fold" if wrap == "fold" else "ellipsis",
            ratio=column.ratio or None,
            width=column.width or None,
        )
    bars = max(1, min(BAR, room - sum(each.width + 2 for each in columns if not each.column.bar)))
    for cells in zip(*(each.cells for each in columns), strict=True):
        drawn = (
            _bar(cell, bars) if each.column.bar else _cell(cell) for each, cell in zip(columns, cells, strict=True)
        )
        table.add_row(*drawn)
    return table


def _cell(content: Any) -> RenderableType:
    lines = list(lines_of(content))
    if len(lines) == 1:
        [only] = lines
        return _nested(only) if isinstance(only, TableView) else _text(only)
    several = Table.grid()
    for line in lines:
        several.add_row(_cell(line))
    return several


def _nested(view: TableView) -> Table:
    return _grid(view, [_Filled(column, [column.cell(row) for row in view.rows]) for column in view.columns], WIDTH)


def _stacked(columns: Sequence[_Filled]) -> Table:
    """Return a paragraph for each row."""
    grid = Table.grid(padding=(0, 2))
    for cells in zip(*(each.cells for each in columns), strict=True):
        if grid.row_count:
            grid.add_row()
        for each, cell in zip(columns, cells, strict=True):
            grid.add_row(Text(each.column.starred, style="dim"), _cell(cell))
    return grid


def _bar(share: float, longest: int) -> Text:
    whole, part = divmod(round(share * longest * 8), 8)
    return Text("█" * whole + (EIGHTHS[part] if part else ""), style="green")
