"""The typical topic of a campaign: how many documents there are, and how many of them are relevant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median_low

from attrs import frozen

from measurand.axioms.matrix import ConstraintMatrix, constraint_matrix
from measurand.errors import Caveat, Doubt
from measurand.exact import whole_number
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.base import in_collection, with_campaign
from measurand.measures.geometric_mean import innermost

RANKS = 131
"""So many ranks the constraints are looked at on, if no measure looks further."""


@frozen(kw_only=True)
class TypicalTopic:
    """The topic that the constraints are looked at on.

    Parameters
    ----------
    collection, recall_base
        How many documents there are, and how many of them are relevant.
    ranks
        How many ranks runs have.
    said
        Whether somebody said the size of the collection.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    >>> TypicalTopic.of(judged, [])
    TypicalTopic(collection=133, recall_base=2, ranks=131, said=False)
    """

    collection: int
    recall_base: int
    ranks: int
    said: bool

    @classmethod
    def of(
        cls,
        judged: JudgedRuns,
        measures: Iterable[Measure],
        collection: int | None = None,
        recall_base: int | None = None,
        ranks: int | None = None,
    ) -> TypicalTopic:
        """Return the typical topic of judged runs, on which every cutoff shows, as far as nothing else is said."""
        several = list(measures)
        relevant = max(1, int(median_low(judged.recall_base.tolist() or [1])))
        relevant = relevant if recall_base is None else whole_number("recall_base", recall_base)
        needed = max([RANKS, *(1 + measure.cutoff for measure in several if measure.cutoff)])
        needed = needed if ranks is None else whole_number("ranks", ranks)
        if collection is None:
            size = max(judged.assumed_collection, relevant + needed)
        else:
            size = whole_number("collection, the number of documents there are,", collection)
        if ranks is None:
            # a run and the relevant documents that it does not retrieve must find room
            told = [size, *(collection_of(measure) or size for measure in several)]
            needed = max(1, min(needed, min(told) - relevant))
        return cls(collection=size, recall_base=relevant, ranks=needed, said=collection is not None)

    def told(self, measure: Measure, judged: JudgedRuns) -> Measure:
        """Return a measure that knows how many documents there are, if it wants to and was not told."""
        wants = self.said or with_campaign(measure, judged) != measure
        return in_collection(measure, self.collection) if wants else measure

    def matrix(self, measures: Sequence[Measure], progress: Progress = silent) -> ConstraintMatrix:
        """Return which of the five constraints measures meet on this topic."""
        return constraint_matrix(
            measures, collection=self.collection, recall_base=self.recall_base, depth=self.ranks, progress=progress
        )

    def assumed(self, measures: Sequence[Measure], matrix: ConstraintMatrix | None) -> Iterator[Caveat]:
        """Say that the size of the collection was assumed, where it matters."""
        about = [innermost(measure).name for measure in measures if collection_of(measure) == self.collection]
        what = [*dict.fromkeys(about), *(["the constraints"] if matrix is not None else [])]
        if what and not self.said:
            yield Caveat(
                Doubt.COLLECTION,
                f"nobody said how many documents there are; {self.collection:,} are assumed for {' and '.join(what)}:"
                " those that were judged, with room for rankings; say it: collection=… (--collection-size)",
            )


def collection_of(measure: Measure) -> int | None:
    """Return how many documents there are as far as a measure was told, or another one inside it.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> [collection_of(parse(name)) for name in ("gm(interval(OIE(collection=50)@5))", "OIE", "AP")]
    [50, None, None]
    """
    told: int | None = innermost(measure).parameters().get("collection")
    return told
