"""Markdown: documents and tables in the manner of GitHub."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from measurand.display.tables import Document, Legend, Paragraph, TableView, Words, for_people, lines_of, shown_view


def markdown_text(document: Document) -> str:
    r"""Return a document as Markdown.

    Parameters
    ----------
    document
        The document; its caveats are left out.

    Examples
    --------
    >>> from measurand.display.tables import cells_view
    >>> print(markdown_text(Document(["Two *systems*.", cells_view(["system", "P"], [["a|b", "0.5"]])])), end="")
    Two \*systems\*.
    <BLANKLINE>
    | system | P |
    |---|--:|
    | a\|b | 0.5 |
    """
    return "\n\n".join(filter(None, _blocks(document))) + "\n"


def markdown_table(view: TableView) -> str:
    """Return a table as Markdown, without its title.

    Parameters
    ----------
    view
        The table.
    """
    view = shown_view(view)
    sides = ["---" if column.left else ":-:" if column.mark else "--:" for column in view.columns]
    heads = [" ".join(filter(None, (column.starred, column.below))) for column in view.columns]
    rows = [list(map(_escaped, heads)), *([_cell(cell) for cell in cells] for cells in view.cells)]
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"|{'|'.join(sides)}|", *body])


def _blocks(document: Document) -> Iterator[str]:
    shown: set[str] = set()
    for part in for_people(document).parts:
        if isinstance(part, TableView):
            shown.update(part.headings)
            yield f"**{_escaped(str(part.title))}**" if part.title else ""
            yield _escaped(part.about)
            yield markdown_table(part)
        elif isinstance(part, Legend):
            yield "\n".join(f"- {_escaped(line)}" for line in part.lines(shown))
        elif isinstance(part, Paragraph):
            yield _words(Words.of(part.words, part.tone))
        else:
            yield _words(Words.of(part))


def _cell(content: Any) -> str:
    return "<br>".join(
        _cell([cell for row in line.cells for cell in row]) if isinstance(line, TableView) else _words(Words.of(line))
        for line in lines_of(content if not isinstance(content, float) else f"{content:.3g}")
    )


def _words(words: Words) -> str:
    return "".join(_piece(text, tone) for text, tone in words.pieces).strip()


def _piece(text: str, tone: str) -> str:
    """Return a piece of text; what is bold begins and ends with a letter, so that it is read as bold."""
    inside = _escaped(text)
    if "strong" not in tone.split() or not text.strip():
        return inside
    lead, tail = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
    return f"{lead}**{inside.strip()}**{tail}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(text.split("\n")))
