"""Every format is one function of blocks; `Result` gives all of them to whatever has blocks to show.

Names come from strangers' files: what would command a terminal or reorder a line is written out, and every format
escapes what means something to it.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from html import escape as escape_html
from importlib import import_module
from itertools import accumulate
from typing import Any

import numpy as np

from measurand_next.errors import NotInstalled, on_one_line
from measurand_next.show.blocks import Block, Column, Row, Table, Text

GAP = "  "
NARROWEST = 12
"""Columns of words are shortened to so many places, and no further."""


# ------------------------------------------------------------------------------------------------------- plain text


def display_width(text: str) -> int:
    """How many places a text takes on a terminal: letters of East Asia take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    return 0 if unicodedata.category(letter) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(letter) in "WF")


def shortened(text: str, room: int) -> str:
    """Text that is cut where there is no more room, with an ellipsis."""
    if display_width(text) <= room:
        return text
    ends = accumulate(map(_letter_width, text))
    return text[: sum(end < room for end in ends)] + "…"


def to_text(blocks: Sequence[Block], width: int = 100) -> str:
    """Blocks as plain text that fits a width."""
    return "\n\n".join(_text_of(block, width) for block in blocks)


def _text_of(block: Block, width: int) -> str:
    match block:
        case Text(text, tone):
            return "\n".join(_paragraph(f"Note: {text}" if tone == "caveat" else text, width))
        case Table():
            return "\n".join(_table_lines(block, width))


def _paragraph(text: str, width: int) -> list[str]:
    """Lines that break between words; a name that is longer than a line stays whole."""
    lines = [""]
    for word in on_one_line(text).split():
        longer = f"{lines[-1]} {word}".lstrip()
        lines[-1:] = [longer] if not lines[-1] or display_width(longer) <= width else [lines[-1], word]
    return lines


def _table_lines(table: Table, width: int) -> list[str]:
    texts = {column.key: _texts(column, table.rows) for column in table.columns}
    widths = {key: max(map(display_width, lines)) for key, lines in texts.items()}
    columns = _fitting(table.columns, widths, width)
    widths = _narrowed(columns, widths, width)
    lines = [
        GAP.join(_filled(texts[column.key][line], column, widths[column.key]) for column in columns).rstrip()
        for line in range(1 + len(table.rows))
    ]
    hidden = [f'"{column.heading}"' for column in table.columns if column not in columns]
    column, are = ("columns", "are") if len(hidden) > 1 else ("column", "is")
    notes = [table.note, f"The {column} {', '.join(hidden)} {are} hidden: terminal too narrow." if hidden else ""]
    above = [*_paragraph(table.title, width), ""] if table.title else []
    below = [line for note in notes if note for line in _paragraph(note, width)]
    return [*above, *lines, *([""] if below else []), *below]


def _texts(column: Column, rows: Sequence[Row]) -> list[str]:
    """The heading and the cells of a column, in which the points of decimal numbers stand below each other."""
    cells = [on_one_line(column.cell(row)) for row in rows]
    if not column.words:
        numbers = [re.fullmatch(r"[-+−]?[\d,]+(\.\d+)?", cell) for cell in cells]
        decimals = [len(number[1] or "") if number else 0 for number in numbers]
        most = max(decimals, default=0)
        padding = [most - some if number else 0 for number, some in zip(numbers, decimals, strict=True)]
        cells = [cell + " " * blanks for cell, blanks in zip(cells, padding, strict=True)]
    return [on_one_line(column.heading), *cells]


def _fitting(columns: Sequence[Column], widths: Mapping[str, int], width: int) -> list[Column]:
    """The columns that there is room for: the most optional ones are left out, from the right."""
    shown = list(columns)
    while _line_width(shown, widths) > width and any(column.optional for column in shown):
        shown.remove(max(reversed(shown), key=lambda column: column.optional))
    return shown


def _narrowed(columns: Sequence[Column], widths: Mapping[str, int], width: int) -> dict[str, int]:
    """The widths of columns after those of words gave up what there is no room for."""
    narrowed = {column.key: widths[column.key] for column in columns}
    for column in columns:
        excess = _line_width(columns, narrowed) - width
        if column.words and excess > 0:
            own = narrowed[column.key]
            narrowed[column.key] = max(own - excess, min(own, NARROWEST))
    return narrowed


def _line_width(columns: Sequence[Column], widths: Mapping[str, int]) -> int:
    return sum(widths[column.key] for column in columns) + len(GAP) * (len(columns) - 1)


def _filled(text: str, column: Column, width: int) -> str:
    """A cell with blanks to its width, or cut to it."""
    text = shortened(text, width)
    blanks = " " * (width - display_width(text))
    return text + blanks if column.words else blanks + text


# ------------------------------------------------------------------------------------------------------------- HTML


def to_html(blocks: Sequence[Block]) -> str:
    """Blocks as HTML, without scripts and without anything from elsewhere."""
    return "\n".join(map(_html_of, blocks))


def _html_of(block: Block) -> str:
    match block:
        case Text(text, tone):
            return f'<p class="{tone}">{_in_html(text)}</p>'
        case Table():
            return _html_table(block)


def _in_html(text: str) -> str:
    return escape_html(on_one_line(text), quote=True)


def _html_table(table: Table) -> str:
    def cell(tag: str, text: str, column: Column) -> str:
        side = "left" if column.words else "right"
        return f'<{tag} style="text-align: {side}">{_in_html(text)}</{tag}>'

    head = "".join(cell("th", column.heading, column) for column in table.columns)
    rows = ["".join(map(cell, ["td"] * len(cells), cells, table.columns)) for cells in table.cells()]
    caption = f"<caption>{_in_html(table.title)}</caption>" if table.title else ""
    note = f"\n<p>{_in_html(table.note)}</p>" if table.note else ""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>{note}"


# ---------------------------------------------------------------------------------------------- Markdown and LaTeX


def to_markdown(blocks: Sequence[Block]) -> str:
    """Blocks as Markdown with tables as GitHub has them."""
    return "\n\n".join(map(_markdown_of, blocks))


def _markdown_of(block: Block) -> str:
    match block:
        case Text(text, tone):
            words = _in_markdown(text)
            return {"plain": words, "strong": f"**{words}**", "caveat": f"> {words}"}[tone]
        case Table():
            return _markdown_table(block)


def _markdown_table(table: Table) -> str:
    lines = [
        [_in_markdown(column.heading) for column in table.columns],
        [":--" if column.words else "--:" for column in table.columns],
        *([_in_markdown(cell) for cell in cells] for cells in table.cells()),
    ]
    title = f"**{_in_markdown(table.title)}**" if table.title else ""
    drawn = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return "\n\n".join(filter(None, [title, drawn, _in_markdown(table.note)]))


def _in_markdown(text: str) -> str:
    """Text whose signs mean themselves, links too; what begins a list or a heading does so at the beginning alone."""
    written = re.sub(r"([\\`*_{}\[\]<>|~$&@]|:(?=//)|(?<=www)\.)", r"\\\1", on_one_line(text).strip())
    return re.sub(r"^(\d*)([#+\-=.)])(?=\s|$|[-=#])", r"\1\\\2", written)


LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "×": r"$\times$",
    "κ": r"$\kappa$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "…": r"\dots{}",
}


def to_latex(blocks: Sequence[Block]) -> str:
    """Blocks as LaTeX, with tables by booktabs."""
    return "\n\n".join(map(_latex_of, blocks))


def _latex_of(block: Block) -> str:
    match block:
        case Text(text, tone):
            return rf"\textbf{{{_in_latex(text)}}}" if tone == "strong" else _in_latex(text)
        case Table():
            return _latex_table(block)


def _latex_table(table: Table) -> str:
    sides = "".join("l" if column.words else "r" for column in table.columns)
    heading, *rows = (
        # LaTeX takes a [ or * after the end of a row for an option
        ("{}" if cells[0].startswith(("[", "*")) else "") + " & ".join(map(_in_latex, cells))
        for cells in ([column.heading for column in table.columns], *table.cells())
    )
    lines = [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        rf"{heading} \\",
        r"\midrule",
        *(rf"{row} \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    above, below = ([_in_latex(text)] if text else [] for text in (table.title, table.note))
    return "\n".join([*above, "", *lines, *below] if above else [*lines, *below])


def _in_latex(text: str) -> str:
    written = "".join(LATEX.get(letter, letter) for letter in on_one_line(text))
    return re.sub(r"([-'`,?!])(?=[-'`,])", r"\1{}", written)  # LaTeX makes one sign of two of these


# ------------------------------------------------------------------------------------------------------------- data


def to_data(blocks: Sequence[Block]) -> dict[str, Any]:
    """Blocks as dictionaries and lists that JSON can hold: values as they are, not as they are written."""
    texts = [{"text": block.text, "tone": block.tone} for block in blocks if isinstance(block, Text)]
    tables = [
        {
            "title": block.title,
            "rows": [{column.key: _plain(row, column) for column in block.columns} for row in block.rows],
        }
        for block in blocks
        if isinstance(block, Table)
    ]
    return {"texts": texts, "tables": tables}


def _plain(row: Row, column: Column) -> Any:
    """A value as JSON has it: no NaN and no infinity, and as text what is neither number nor truth."""
    value: Any = row.get(column.key)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


def optional(package: str, purpose: str) -> Any:
    """A package that only the extra for frames installs."""
    try:
        return import_module(package)
    except ImportError:
        raise NotInstalled.of(package, "frames", purpose) from None


class Result(ABC):
    """What every answer can do: print itself, show itself in a notebook, and be written in any format."""

    __slots__ = ()

    @abstractmethod
    def show(self) -> Sequence[Block]:
        """What there is to show, in order."""

    def to_text(self, width: int | None = None) -> str:
        """Plain text that fits a width, by default that of the terminal."""
        return to_text(self.show(), width or shutil.get_terminal_size((100, 24)).columns)

    def to_html(self) -> str:
        """HTML without scripts."""
        return to_html(self.show())

    def to_markdown(self) -> str:
        """Markdown with GitHub's tables."""
        return to_markdown(self.show())

    def to_latex(self) -> str:
        """LaTeX with tables by booktabs."""
        return to_latex(self.show())

    def to_dict(self) -> dict[str, Any]:
        """Texts and tables as dictionaries and lists."""
        return to_data(self.show())

    def to_json(self) -> str:
        """The same as JSON."""
        written = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)
        # json leaves what commands a terminal, and halves of surrogate pairs, which no file can hold
        return "".join(each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in written)

    def to_pandas(self) -> Any:
        """A pandas DataFrame."""
        return optional("pandas", "a data frame").DataFrame(self._frame())

    def to_polars(self) -> Any:
        """A polars DataFrame, in which what has no value is null."""
        return optional("polars", "a data frame").DataFrame(self._frame(), infer_schema_length=None, nan_to_null=True)

    def _frame(self) -> Any:
        """What a data frame is made of: the rows of the first table."""
        return self.to_dict()["tables"][0]["rows"]

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
