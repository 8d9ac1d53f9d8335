"""How dominance shows itself in a notebook: on how many topics each system is ahead under every measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from measurand.arrays import IntArray
from measurand.display.markup import caveat_notes, joined, note, table
from measurand.display.wording import listed
from measurand.errors import Caveat

COUNTS = ("won", "tied", "lost", "measures disagree")


def dominance_html(a: str, b: str, sentence: str, counts: Sequence[int], caveats: Iterable[Caveat]) -> str:
    """Return the dominance of one system over another as HTML: topics won, tied, lost and undecided.

    Examples
    --------
    >>> "a against b" in dominance_html("a", "b", "One sentence.", (3, 0, 1, 2), [])
    True
    """
    heads = ("systems", *(f"topics {name}" if place < 3 else name for place, name in enumerate(COUNTS)))
    row = (f"{a} against {b}", *(f"{count:,}" for count in counts))
    shown = table("Topic by topic, under every measure that respects replacement and swap", heads, [row])
    return str(joined([shown, note(sentence), caveat_notes(caveats)], "\n"))


def matrix_html(
    systems: Sequence[str],
    depth: int,
    counts: Sequence[IntArray],
    unbeaten: Sequence[str],
    caveats: Iterable[Caveat],
) -> str:
    """Return the dominance of all pairs as HTML, those with the fewest undecided topics first.

    Examples
    --------
    >>> counts = [np.zeros((2, 2), dtype=int)] * 4
    >>> "to rank 10" in matrix_html(("a", "b"), 10, counts, ("a", "b"), [])
    True
    """
    rows, columns = np.triu_indices(len(systems), 1)
    order = np.argsort(counts[-1][rows, columns], kind="stable")
    cells = (
        (systems[a], systems[b], *(f"{count[a, b]:,}" for count in counts))
        for a, b in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
    )
    caption = f"Topics on which every measure that respects replacement and swap agrees, to rank {depth:,}"
    said = f"No other system is at least as good on every topic and better on some: {listed(unbeaten, 8)}."
    shown = table(caption, ("system", "against", *COUNTS), cells, left=2)
    return str(joined([shown, *([note(said)] if unbeaten else []), caveat_notes(caveats)], "\n"))
