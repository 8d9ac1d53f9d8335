"""Markup: small pieces of HTML in which results show themselves in notebooks; what strangers wrote is escaped.

The pieces bring no colours of their own, so that they read well on light and on dark pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from measurand.display.tables import (
    BAR,
    ROWS,
    Column,
    Document,
    Legend,
    Paragraph,
    TableView,
    Words,
    for_people,
    lines_of,
)
from measurand.errors import Caveat

if TYPE_CHECKING:
    from markupsafe import Markup

SPACES = re.compile(" {2,}")

RULE = "border-top: 1px solid currentColor; border-bottom: 1px solid currentColor"
NOTE = "margin: 0.4em 0; max-width: 60em"
CAVEAT = "margin: 0.4em 0; padding-left: 0.7em; border-left: 3px solid currentColor; max-width: 60em"
CAPTION = "text-align: left; padding: 0.3em 0.7em; font-weight: bold; width: max-content; max-width: min(60em, 90vw)"
CELL = "text-align: {side}; vertical-align: top; padding: 0.15em 0.7em"


def escaped(text: object) -> Markup:
    """Return a text as HTML that says just this text; what is HTML already stays as it is.

    Examples
    --------
    >>> print(escaped("<script>"), escaped(escaped("R&D")))
    &lt;script&gt; R&amp;D
    """
    from markupsafe import escape

    return escape(text)


def joined(pieces: Iterable[object], between: str = "") -> Markup:
    """Return pieces of HTML one after the other; those that are mere text are escaped.

    Examples
    --------
    >>> print(joined(["a < b", tagged("em", "c")], ", "))
    a &lt; b, <em>c</em>
    """
    return escaped(between).join(escaped(piece) for piece in pieces)


def tagged(tag: str, content: object, **attributes: str) -> Markup:
    """Return an element of HTML: a tag, its attributes, what stands in it.

    Examples
    --------
    >>> print(tagged("p", "1 < 2", style="margin: 0"))
    <p style="margin: 0">1 &lt; 2</p>
    """
    from markupsafe import Markup

    given = joined(Markup(' {}="{}"').format(name, value) for name, value in attributes.items())
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), given, escaped(content))


def pictured(svg: str, caption: str) -> Markup:
    """Return a drawing with its caption, as a picture that brings no markup of its own to the page.

    Examples
    --------
    >>> print(pictured("<svg/>", "Nothing.").striptags())
    Nothing.
    """
    from base64 import b64encode

    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    picture = tagged("img", "", src=source, alt=caption, style="max-width: 100%").removesuffix("</img>")
    return tagged("figure", joined([picture, tagged("figcaption", caption)], "\n"), style="margin: 0.4em 0")


def note(text: object) -> Markup:
    """Return a short notice: a paragraph.

    Examples
    --------
    >>> print(note("3 topics").striptags())
    3 topics
    """
    return tagged("p", text, style=NOTE)


def caveat_notes(caveats: Iterable[Caveat]) -> Markup:
    """Return what a reader of a result should know, a paragraph each; nothing where there is nothing.

    Examples
    --------
    >>> from measurand.errors import Caveat, CaveatKind
    >>> print(caveat_notes([Caveat(CaveatKind.TIES, "2 topics have ties")]).striptags())
    Caveat: 2 topics have ties
    >>> caveat_notes([])
    Markup('')
    """
    head = tagged("strong", "Caveat:")
    return joined(tagged("p", joined([head, " ", str(caveat)]), style=CAVEAT) for caveat in caveats)


def html_text(document: Document) -> str:
    """Return a document as HTML: paragraphs, tables, and at the end its caveats.

    Parameters
    ----------
    document
        The document.

    Examples
    --------
    >>> from measurand.display.tables import cells_view
    >>> found = html_text(Document([cells_view(["system", "P"], [["<b>", "0.5"]], title="P@10")]))
    >>> "&lt;b&gt;" in found, "<caption" in found
    (True, True)
    """
    return str(joined([piece for piece in (*_pieces(document), caveat_notes(document.caveats)) if piece], "\n"))


def html_table(view: TableView, *, shown: int = ROWS) -> Markup:
    """Return a table as HTML; its title is the caption, and the first cell of a row names it.

    Parameters
    ----------
    view
        The table.
    shown
        Of longer tables so many rows are shown, and a last line says how many were left out.

    Examples
    --------
    >>> from measurand.display.tables import cells_view
    >>> view = cells_view(["system", "mean"], [["bm25", "0.25"], ["ql", "0.5"]], title="AP")
    >>> print(" ".join(html_table(view, shown=1).striptags().split()))
    AP system mean bm25 0.25 1 more row is not shown
    """
    heads = (_heading(column) for column in view.columns)
    kept = (_row(view.columns, row) for row in islice(view.rows, shown))
    more, headed = len(view.rows) - shown, any(view.headings)
    lines = joined(kept, "\n")
    if more > 0:
        says = f"{more:,} more {'row is' if more == 1 else 'rows are'} not shown"
        wide = {"colspan": str(len(view.columns)), "style": CELL.format(side="left")}
        lines += "\n" + tagged("tr", tagged("td", says, **wide))
    about = [tagged("div", view.about, style="font-weight: normal")] if view.about else []
    named = [_words(view.title), *about] if view.title or about else []
    parts = [tagged("caption", joined(named), style=CAPTION)] if named else []
    parts += [tagged("thead", tagged("tr", joined(heads, "\n"), style=RULE))] if headed else []
    whole = joined([*parts, tagged("tbody", lines)], "\n")
    return tagged("table", whole, style="border-collapse: collapse; margin: 0.4em 0")


def _pieces(document: Document) -> Iterator[Markup]:
    shown: set[str] = set()
    for part in for_people(document).parts:
        if isinstance(part, TableView):
            shown.update(part.headings)
            yield html_table(part)
        elif isinstance(part, Legend):
            yield joined((note(line) for line in part.lines(shown)), "\n")
        elif isinstance(part, Paragraph):
            yield note(_words(Words.of(part.words, part.tone)))
        elif str(part):
            yield note(_words(part))


def _words(words: str | Words) -> Markup:
    """Return plain text as it is, and words with the strong ones bold and several spaces as one."""
    from markupsafe import Markup

    if isinstance(words, str):
        return escaped(words)
    whole = joined(tagged("strong", text) if "strong" in tone.split() else text for text, tone in words.pieces)
    return Markup(SPACES.sub(" ", whole).strip(" "))


def _heading(column: Column) -> Markup:
    below = [tagged("div", column.below, style="font-weight: normal")] if column.below else []
    return tagged("th", joined([column.starred, *below]), scope="col", style=CELL.format(side=_side(column)))


def _row(columns: Sequence[Column], row: Any) -> Markup:
    cells = [(column, _content(column, column.cell(row))) for column in columns]
    first, *rest = cells
    style = f"font-weight: normal; {CELL.format(side=_side(first[0]))}"
    named = tagged("th", first[1], scope="row", style=style)
    return tagged(
        "tr",
        joined([named, *(tagged("td", text, style=CELL.format(side=_side(column))) for column, text in rest)], "\n"),
    )


def _side(column: Column) -> str:
    return "left" if column.left else "center" if column.mark else "right"


def _content(column: Column, content: Any) -> Markup:
    if column.bar:
        return escaped("█" * round(BAR * content))
    if not isinstance(content, str | Words | TableView | Sequence) or hasattr(content, "__html__"):
        return escaped(content)
    lines = (html_table(line) if isinstance(line, TableView) else _words(line) for line in lines_of(content))
    return joined(tagged("div", line) for line in lines) if isinstance(content, list | tuple) else joined(lines)
