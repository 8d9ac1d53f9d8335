"""Markup: small pieces of HTML in which results show themselves in notebooks; what strangers wrote is escaped.

The pieces bring no colours of their own, so that they read well on light and on dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

    from measurand.errors import Caveat

ROWS = 30
"""A table shows so many rows and says how many more there are."""

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
    return joined(tagged("p", joined([head, " ", caveat.text]), style=CAVEAT) for caveat in caveats)


def table(
    caption: object, columns: Sequence[object], rows: Iterable[Sequence[object]], *, left: int = 1, shown: int = ROWS
) -> Markup:
    """Return a table: a caption, the names of the columns, and rows whose first cell names them.

    Parameters
    ----------
    left
        So many columns from the left hold words and not numbers, and stand on the left.
    shown
        Of longer tables so many rows are shown, and a last line says how many were left out.

    Examples
    --------
    >>> print(table("AP", ["system", "mean"], [["bm25", "0.25"], ["ql", "0.5"]], shown=1).striptags())
    AP system mean bm25 0.25 1 more row is not shown
    """
    remaining = iter(rows)
    kept = list(islice(remaining, shown))
    more = sum(1 for _ in remaining)
    head = joined((_cell(place, left, "th", name, scope="col") for place, name in enumerate(columns)), "\n")
    lines = joined((_row(row, left) for row in kept), "\n")
    if more:
        says = f"{more:,} more {'row is' if more == 1 else 'rows are'} not shown"
        lines += "\n" + tagged("tr", tagged("td", says, colspan=str(len(columns)), style=CELL.format(side="left")))
    name = tagged("caption", caption, style=CAPTION)
    body = joined([tagged("thead", tagged("tr", head, style=RULE)), tagged("tbody", lines)], "\n")
    return tagged("table", joined([name, body], "\n"), style="border-collapse: collapse; margin: 0.4em 0")


def _row(row: Sequence[object], left: int) -> Markup:
    first = _cell(0, left, "th", row[0], scope="row", weight="font-weight: normal; ")
    rest = (_cell(place, left, "td", content) for place, content in enumerate(row[1:], start=1))
    return tagged("tr", joined([first, *rest], "\n"))


def _cell(place: int, left: int, tag: str, content: object, *, weight: str = "", **attributes: str) -> Markup:
    style = weight + CELL.format(side="left" if place < left else "right")
    return tagged(tag, content, **attributes, style=style)
