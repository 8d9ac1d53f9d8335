"""What results are made of: texts, and tables whose columns are declared once.

Blocks hold values as they are. How a value is written stands with its column; how a block looks, and how strangers'
names are made harmless, is the business of `formats`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from attrs import frozen

Row: TypeAlias = Mapping[str, Any]
"""The values of one row by the keys of the columns."""

Form: TypeAlias = str | Callable[[Any], str]
"""How a value is written: a format such as ``.4f``, or a function."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 system``, ``1,200 systems``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@frozen
class Text:
    """A paragraph.

    Attributes
    ----------
    text
        Its words.
    tone
        ``plain``, ``strong`` for what matters most, or ``caveat`` for what limits the rest.
    """

    text: str
    tone: Literal["plain", "strong", "caveat"] = "plain"


@frozen
class Column:
    """A column of a table, declared once for all formats.

    Attributes
    ----------
    key
        The name of its values in rows and in data.
    heading
        What stands above it.
    form
        How its values are written; an empty one writes them as they are. None is an empty cell.
    words
        Whether it holds words, which are aligned on the left; numbers are aligned by their decimal points.
    optional
        How early it may be left out where there is no room; 0 means never, and the highest goes first.
    """

    key: str
    heading: str
    form: Form = ""
    words: bool = False
    optional: int = 0

    def cell(self, row: Row) -> str:
        """Its value in a row, as it is written."""
        value = row.get(self.key)
        if value is None:
            return ""
        text = self.form(value) if callable(self.form) else format(value, self.form)
        return "−" + text[1:] if text.startswith("-") and not self.words else text


@frozen
class Table:
    """Rows of values under declared columns."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    title: str = ""
    note: str = ""

    def cells(self) -> list[list[str]]:
        """All rows as they are written."""
        return [[column.cell(row) for column in self.columns] for row in self.rows]


Block: TypeAlias = Text | Table
