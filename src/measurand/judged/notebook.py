"""How judged runs show themselves in a notebook: what every system returned, and how much of it was judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.display.markup import caveat_notes, joined, note, table
from measurand.display.wording import percent
from measurand.errors import Caveat

SHALLOW = 10
"""The judged share of so many ranks is told."""


def judged_html(
    caption: str,
    systems: Sequence[str],
    cells: Cells,
    judged: BoolArray,
    lengths: IntArray,
    recall_base: IntArray,
    caveats: Iterable[Caveat],
) -> str:
    """Return judged runs as HTML: for every system, topics, documents, how many are relevant, and the judged share.

    Examples
    --------
    >>> cells = np.array([[[1, 0, -1]]], dtype=np.int8)
    >>> html = judged_html("1 system", ("a",), cells, cells >= 0, np.array([[3]]), np.array([2]), [])
    >>> "66.7 %" in html
    True
    """
    top = judged[:, :, :SHALLOW].sum(axis=(1, 2))
    room = np.minimum(lengths, SHALLOW).sum(axis=1)
    rows = (
        (
            system,
            f"{np.count_nonzero(lengths[place]):,}",
            f"{lengths[place].sum():,}",
            f"{np.count_nonzero(cells[place] > 0):,}",
            percent(top[place] / room[place] if room[place] else None),
        )
        for place, system in enumerate(systems)
    )
    heads = ("system", "topics", "documents", "relevant ones", f"judged among the first {SHALLOW}")
    shown = table(caption, heads, rows)
    return str(joined([shown, *([_relevant(recall_base)] if len(recall_base) else []), caveat_notes(caveats)], "\n"))


def _relevant(recall_base: IntArray) -> object:
    low, middle, high = (int(np.quantile(recall_base, share, method="lower")) for share in (0, 0.5, 1))
    return note(f"Relevant documents of a topic: from {low:,} to {high:,}, half of the topics up to {middle:,}.")
