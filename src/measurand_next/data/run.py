"""Runs: which documents a system returned for a topic, with which score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand_next.data.by_topic import ByTopic, flat
from measurand_next.errors import InputError, quoted, short
from measurand_next.exact import FloatArray
from measurand_next.show.blocks import counted


def finite(scores: Any) -> FloatArray:
    """Scores as floats, which must be finite to be compared."""
    try:
        given = np.asarray(scores)
        # 1_000 is a number in Python alone
        odd = given.dtype.kind in "UO" and any("_" in each for each in scores if isinstance(each, str))
        found = given.astype(np.float64, copy=False) if given.dtype.kind in "iufUO" and not odd else None
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a score is not a number: {short(str(error))}") from None
    if found is None or found.ndim != 1:
        raise InputError(f"scores must be numbers, and not such as {quoted(scores)}")
    if not np.isfinite(found).all():
        raise InputError(f"score {found[~np.isfinite(found)][0]} is not finite; a ranking needs comparable scores")
    return found


@frozen(kw_only=True, eq=False, repr=False)
class Run(ByTopic):
    """One system's results.

    Attributes
    ----------
    name
        What the system is called.
    topics
        Their names, in the order of the source.
    ends
        Where the rows of each topic end.
    documents
        The documents, topic by topic, each topic's in the order of the source.
    scores
        The score of each.
    caveats
        What a reader of numbers from this run should know.
    source, comments
        The file that it came from, and the comments at its head.

    Examples
    --------
    >>> Run.of("bm25", {"1": {"d1": 2.0, "d2": 1.5}})
    <Run 'bm25': 1 topic, 2 documents>
    """

    name: str
    scores: FloatArray = field(converter=finite)

    def __attrs_post_init__(self) -> None:
        if self.scores.shape != (len(self.documents),):
            raise InputError(f"there are {self.scores.size:,} scores for {len(self.documents):,} documents")
        super().__attrs_post_init__()

    @classmethod
    def of(cls, name: str, scores: Mapping[str, Mapping[str, Any]]) -> Run:
        """A run from the score of each document, by topic."""
        rows, given = flat(scores)
        return cls(name=name, **rows, scores=given)

    def __repr__(self) -> str:
        return f"<Run {self.name!r}: {counted(len(self.topics), 'topic')}, {counted(len(self), 'document')}>"

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The same as nested dictionaries: topic, document, score."""
        return self.nested(self.scores)
