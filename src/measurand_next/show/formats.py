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
from collections.abc import Callable, Mapping, Sequence
from html import escape as escape_html
from importlib import import_module
from itertools import accumulate
from textwrap import wrap
from typing import Any

import numpy as np

from measurand_next.errors import NotInstalled, on_one_line
from measurand_next.show.blocks import Block, Chart, Column, Row, Table, Text

GAP = "  "
NARROWEST = 12
"""Columns of words are shortened to so many places, and no further."""


# ------------------------------------------------------------------------------------------------------- plain text


def display_width(text: str) -> int:
    """How many places a text takes on a terminal: letters of East Asia take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    return 0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1


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
        case Chart():
            return "\n".join(_bars(block, width))


def _paragraph(text: str, width: int) -> list[str]:
    return wrap(on_one_line(text), width, break_long_words=False, break_on_hyphens=False) or [""]


def _table_lines(table: Table, width: int) -> list[str]:
    texts = {column.key: _texts(column, table.rows) for column in table.columns}
    widths = {key: max(map(display_width, lines)) for key, lines in texts.items()}
    columns, hidden = _fitting(table.columns, widths, width)
    widths = _narrowed(columns, widths, width)
    lines = [
        GAP.join(_filled(texts[column.key][line], column, widths[column.key]) for column in columns).rstrip()
        for line in range(1 + len(table.rows))
    ]
    names = ", ".join(column.heading for column in hidden)
    notes = [table.note, f"Too narrow to show: {names}." if names else ""]
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


def _fitting(columns: Sequence[Column], widths: Mapping[str, int], width: int) -> tuple[list[Column], list[Column]]:
    """The columns that there is room for, and those that are left out: the most optional ones, from the right."""
    shown, hidden = list(columns), list[Column]()
    while _line_width(shown, widths) > width and any(column.optional for column in shown):
        leaving = max(reversed(shown), key=lambda column: column.optional)
        shown.remove(leaving)
        hidden.insert(0, leaving)
    return shown, hidden


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


def _bars(chart: Chart, width: int) -> list[str]:
    """A line for each row: its label, a bar, and the value as the table writes it."""
    label, value = (chart.column(key) for key in (chart.label, chart.value))
    labels = [shortened(on_one_line(label.cell(row)), width // 3) for row in chart.table.rows]
    values = [on_one_line(value.cell(row)) for row in chart.table.rows]
    numbers = [_finite(row.get(chart.value)) or 0.0 for row in chart.table.rows]
    label_width, value_width = (max(map(display_width, texts), default=0) for texts in (labels, values))
    room = max(1, width - label_width - value_width - 2 * len(GAP))
    longest = max(map(abs, numbers), default=0) or 1.0
    lines = _paragraph(chart.table.title, width) if chart.table.title else []
    for name, number, written in zip(labels, numbers, values, strict=True):
        bar = ("█" if number >= 0 else "░") * round(abs(number) / longest * room)
        lines.append(GAP.join([_filled(name, label, label_width), bar.ljust(room), written.rjust(value_width)]))
    return lines


def _finite(value: Any) -> float | None:
    """A number that can be drawn."""
    return float(value) if value is not None and math.isfinite(value) else None


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
        case Chart():
            return _svg(block)


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


LABELS, BARS, VALUES, LINE, LETTER = 180, 420, 80, 22, 8
"""The sizes of a drawing in pixels: room for labels, for bars and for values, for each line, and for a letter."""


def _svg(chart: Chart) -> str:
    """Bars as a drawing that a screen reader can read: its title, and each bar's words."""
    rows = chart.table.rows
    keys = [key for key in (chart.value, chart.low, chart.high) if key]
    numbers = [number for row in rows for key in keys if (number := _finite(row.get(key))) is not None]
    low, high = min([0.0, *numbers]), max([0.0, *numbers])
    scale = BARS / ((high - low) or 1)
    bars = "\n".join(
        _svg_bar(chart, row, number * LINE, lambda value: LABELS + (value - low) * scale)
        for number, row in enumerate(rows)
    )
    title = _in_html(chart.table.title)
    size = f"0 0 {LABELS + BARS + VALUES} {LINE * len(rows)}"
    drawing = f'<svg viewBox="{size}" role="img" aria-label="{title}" font-size="13">\n{bars}\n</svg>'
    return f"<figure>{drawing}<figcaption>{title}</figcaption></figure>"


def _svg_bar(chart: Chart, row: Row, top: int, across: Callable[[float], float]) -> str:
    """The label of a row, and its bar, interval and value, where there are any."""
    label, value = (chart.column(key).cell(row) for key in (chart.label, chart.value))
    short, whole = _in_html(shortened(on_one_line(label), LABELS // LETTER)), _in_html(f"{label}: {value}")
    shapes = [f'<text x="{LABELS - LETTER}" y="{top + 15}" text-anchor="end">{short}</text>']
    end, low, high = (_finite(row.get(key)) for key in (chart.value, chart.low, chart.high))
    if end is not None:
        left, right = sorted((across(0), across(end)))
        place = f'x="{left:.1f}" y="{top + 4}" width="{right - left:.1f}" height="{LINE - 8}"'
        shapes.append(f'<rect {place} fill="#3b7ea1"><title>{whole}</title></rect>')
        shapes.append(f'<text x="{LABELS + BARS + LETTER}" y="{top + 15}">{_in_html(value)}</text>')
    if low is not None and high is not None:
        ends = f'x1="{across(low):.1f}" x2="{across(high):.1f}" y1="{top + 11}" y2="{top + 11}"'
        shapes.append(f'<line {ends} stroke="#222" stroke-width="2"/>')
    return "".join(shapes)


# ---------------------------------------------------------------------------------------------- Markdown and LaTeX


def to_markdown(blocks: Sequence[Block]) -> str:
    """Blocks as Markdown with tables as GitHub has them."""
    return "\n\n".join(map(_markdown_of, blocks))


def _markdown_of(block: Block) -> str:
    match block:
        case Text(text, tone):
            words = _in_markdown(text)
            return {"plain": words, "strong": f"**{words}**", "caveat": f"> {words}"}[tone]
        case Chart(table) | (Table() as table):
            return _markdown_table(table)


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
        case Chart(table) | (Table() as table):
            return _latex_table(table)


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
    return re.sub(r"([-'`?!])(?=[-'`])", r"\1{}", written)  # LaTeX makes one sign of two of these


# ------------------------------------------------------------------------------------------------------------- data


def to_data(blocks: Sequence[Block]) -> dict[str, Any]:
    """Blocks as dictionaries and lists that JSON can hold: values as they are, not as they are written."""
    tables = [block.table if isinstance(block, Chart) else block for block in blocks if not isinstance(block, Text)]
    return {
        "texts": [{"text": block.text, "tone": block.tone} for block in blocks if isinstance(block, Text)],
        "tables": [{"title": table.title, "rows": _plain_rows(table)} for table in tables],
    }


def _plain_rows(table: Table) -> list[dict[str, Any]]:
    return [{column.key: _plain(row, column) for column in table.columns} for row in table.rows]


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
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def to_pandas(self) -> Any:
        """A pandas DataFrame."""
        return optional("pandas", "a data frame").DataFrame(self._frame())

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        return optional("polars", "a data frame").DataFrame(self._frame(), infer_schema_length=None)

    def _frame(self) -> Any:
        """What a data frame is made of: the rows of the first table."""
        return self.to_dict()["tables"][0]["rows"]

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
