"""Tables of systems that fit into a width: names have room first, dispensable columns are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen
from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

NAME = 20
"""So much room a system's name gets before anything else; longer ones are broken."""


@frozen
class Column:
    """A column of a table of systems; the most dispensable ones have the highest number."""

    head: str
    cells: Sequence[str | Text]
    dispensable: int = 0
    left: bool = False

    @property
    def width(self) -> int:
        """How many cells of a terminal the column takes."""
        return max(cell_len(str(cell)) for cell in (self.head, *self.cells))


def fits(columns: Sequence[Column], width: int, gap: int = 2) -> bool:
    """Say whether columns leave the first one, which holds the names of systems, enough room.

    Examples
    --------
    >>> columns = [Column("system", ["a long name"]), Column("mean", ["0.5000"])]
    >>> fits(columns, 20), fits(columns, 18)
    (True, False)
    """
    room = width - sum(column.width + gap for column in columns[1:])
    return room >= min(NAME, columns[0].width)


def fitting(columns: Iterable[Column], width: int) -> list[Column]:
    """Return as many columns as there is room for.

    Examples
    --------
    >>> columns = [Column("system", ["a long name"]), Column("mean", ["0.5000"]), Column("d", ["0.1"], 1)]
    >>> [column.head for column in fitting(columns, 20)]
    ['system', 'mean']
    """
    kept = list(columns)
    while not fits(kept, width):
        least = max(kept, key=lambda column: column.dispensable)
        if not least.dispensable:
            break
        kept.remove(least)
    return kept


def left_out(columns: Iterable[Column], kept: Iterable[Column]) -> str:
    """Return a sentence that names the columns for which there is no room, or nothing.

    Examples
    --------
    >>> left_out([Column("system", []), Column("d", [], 1)], [Column("system", [])])
    'Too narrow for d; -f json has everything.'
    """
    heads = [column.head for column in kept]
    missing = [column.head for column in columns if column.head not in heads]
    return f"Too narrow for {', '.join(missing)}; -f json has everything." if missing else ""


def grid(columns: Sequence[Column], gap: int = 2) -> Table:
    """Return columns as a table, in which names may be broken and numbers may not."""
    table = Table(box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False)
    for column in columns:
        first = column is columns[0]
        table.add_column(
            column.head,
            justify="left" if column.left else "right",
            no_wrap=not first,
            overflow="fold" if first else "ellipsis",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return table


def fitted(columns: Sequence[Column], width: int) -> Iterator[RenderableType]:
    """Return as much of a table as there is room for, and a sentence that names the columns that are left out."""
    kept = fitting(columns, width - 1)
    yield Padding(grid(kept), (0, 0, 0, 1))
    yield Text()
    if len(kept) < len(columns):
        yield Padding(Text(left_out(columns, kept), style="dim"), (0, 0, 1, 1))
