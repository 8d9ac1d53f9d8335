"""Rows as they stand in a file: columns of topic, document and value, grouped by topic.

There are two readers of the same format. `measurand.trec.lines` is the definition: it goes through the
lines one by one and says what is wrong with which. `measurand.trec.columns` hands large files to polars
and returns nothing when it meets anything out of the ordinary; then the definition has the word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from measurand.arrays import FloatArray, IntArray, Keys
from measurand.errors import Caveat, Doubt

if TYPE_CHECKING:
    from measurand.judged.content import Documents


@frozen(eq=False)
class Rows:
    """The rows of one run or of the judgments, topic after topic.

    Parameters
    ----------
    tag
        The run tag, or nothing for judgments.
    values
        Scores or grades.
    caveats
        What is suspicious about them.
    hashes
        The documents' hashes, where the reader needed them.
    """

    tag: str
    topics: tuple[str, ...]
    bounds: IntArray
    documents: Documents
    values: FloatArray | IntArray
    caveats: tuple[Caveat, ...] = ()
    hashes: Keys | None = None


def repeated(n: int, place: str) -> tuple[Caveat, ...]:
    """Return the caveat that `n` judgments were said again, if any were."""
    if not n:
        return ()
    text = f"{place}: {n} judgment{'s' if n > 1 else ''} said more than once, always with the same grade"
    return (Caveat(Doubt.REPEATED_JUDGMENT, text),)
