"""How a test of all pairs shows itself in a notebook: the pairs, the smallest p first, with their caveats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.display.markup import caveat_notes, joined, table
from measurand.display.wording import pvalue
from measurand.errors import Caveat
from measurand.exact import decimals


def pairs_html(
    caption: str,
    systems: Sequence[str],
    pvalues: FloatArray,
    differences: FloatArray,
    topics: IntArray,
    caveats: Iterable[Caveat],
) -> str:
    """Return the pairs of systems as HTML, the smallest p-value first.

    Examples
    --------
    >>> square = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> "0.500" in pairs_html("sign test", ("a", "b"), square, square, square.astype(int), [])
    True
    """
    rows, columns = np.triu_indices(len(systems), 1)
    order = np.argsort(pvalues[rows, columns], kind="stable")
    # numbers of topics and of ranks
    whole = bool((differences == np.rint(differences)).all() and differences.any())
    cells = (
        (
            systems[a],
            systems[b],
            f"{differences[a, b]:+,.0f}" if whole else decimals(float(differences[a, b]), 4, "+"),
            f"{topics[a, b]:,}",
            pvalue(float(pvalues[a, b])),
        )
        for a, b in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
    )
    heads = ("system", "against", "difference", "topics", "p")
    return str(joined([table(caption, heads, cells, left=2), caveat_notes(caveats)], "\n"))
