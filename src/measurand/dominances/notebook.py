"""How dominance shows itself in a notebook: on how many topics each of two systems is ahead, whatever the measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat
from measurand.markup import caveat_notes, joined, note, table
from measurand.statistics.correction import CORRECTED
from measurand.wording import listed, pvalue

COUNTS = ("won", "tied", "lost", "measures disagree")


def dominance_html(a: str, b: str, sentence: str, counts: Sequence[int], p: float, caveats: Iterable[Caveat]) -> str:
    """Return the dominance of one system over another as HTML: topics won, tied, lost and undecided, and p.

    Examples
    --------
    >>> "a against b" in dominance_html("a", "b", "One sentence.", (3, 0, 1, 2), 0.625, [])
    True
    """
    heads = ("systems", *(f"topics {name}" if place < 3 else name for place, name in enumerate(COUNTS)), "p")
    row = (f"{a} against {b}", *(f"{count:,}" for count in counts), pvalue(p))
    shown = table("Topic by topic, whatever the measure", heads, [row])
    return str(joined([shown, note(sentence), caveat_notes(caveats)], "\n"))


def matrix_html(
    systems: Sequence[str],
    depth: int,
    counts: Sequence[IntArray],
    pvalues: FloatArray,
    adjusted: str,
    unbeaten: Sequence[str],
    caveats: Iterable[Caveat],
) -> str:
    """Return the dominance of all pairs as HTML, the smallest p first.

    Examples
    --------
    >>> counts = [np.zeros((2, 2), dtype=int)] * 4
    >>> "p-values not corrected" in matrix_html(("a", "b"), 10, counts, np.ones((2, 2)), "none", ("a", "b"), [])
    True
    """
    rows, columns = np.triu_indices(len(systems), 1)
    order = np.argsort(pvalues[rows, columns], kind="stable")
    cells = (
        (systems[a], systems[b], *(f"{count[a, b]:,}" for count in counts), pvalue(float(pvalues[a, b])))
        for a, b in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
    )
    caption = (
        f"Topics on which every measure that respects replacement and swap agrees, to rank {depth:,};"
        f" sign test, p-values {CORRECTED[adjusted]}"
    )
    said = f"No other system is at least as good on every topic and better on some: {listed(unbeaten, 8)}."
    shown = table(caption, ("system", "against", *COUNTS, "p"), cells, left=2)
    return str(joined([shown, *([note(said)] if unbeaten else []), caveat_notes(caveats)], "\n"))
