"""The effect of scales as a table, for terminals and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from measurand.display.markup import caveat_notes, joined, note, table
from measurand.errors import Caveat

LEGEND = (
    "tau: with its interval-scaled self.  12 -3 +4: 12 significant pairs, of which 3 are not (false positives?)"
    " and besides which 4 are (false negatives?) on the interval scale"
)


def effect_text(heading: str, heads: Sequence[str], rows: Sequence[Sequence[str]], caveats: Sequence[Caveat]) -> str:
    """Return the table as text.

    Examples
    --------
    >>> print(effect_text("2 systems", ["measure", "tau"], [["AP@30", "0.9000"]], []).partition("tau:")[0].rstrip())
    2 systems
    <BLANKLINE>
    measure     tau
    AP@30    0.9000
    """
    return "\n".join([heading, "", *_aligned([heads, *rows]), "", LEGEND, *(f"caveat: {caveat}" for caveat in caveats)])


def effect_html(heading: str, heads: Sequence[str], rows: Sequence[Sequence[str]], caveats: Sequence[Caveat]) -> str:
    """Return the table as HTML.

    Examples
    --------
    >>> "<caption" in effect_html("2 systems", ["measure", "tau"], [["AP@30", "0.9000"]], [])
    True
    """
    return str(joined([table(heading, heads, rows), note(LEGEND), caveat_notes(caveats)], "\n"))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines of text with columns one under the other, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
