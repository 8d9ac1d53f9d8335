"""A campaign as the experiments see it: judgments, and runs cut to one depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from attrs import frozen

from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import whole_number
from measurand.fusion.fuse import LARGEST
from measurand.information import Signals
from measurand.scores.summary import unlike
from measurand.trec import Qrels, Run, read_qrels, read_runs


@frozen(eq=False, repr=False)
class Campaign:
    """Judgments and runs, each cut to its best documents.

    Examples
    --------
    >>> campaign = read_campaign({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 3.0, "d3": 2.0}}, depth=2)
    >>> campaign.runs[0].documents_of("1"), campaign.known
    (['d2', 'd3'], 3)
    """

    judgments: Qrels
    runs: tuple[Run, ...]
    depth: int
    known: int
    """How many documents are judged or retrieved, at whatever depth, for some topic."""

    @cached_property
    def gold(self) -> str:
        """What the judgments are called among the signals, unlike any system."""
        return unlike("judgments", {run.name for run in self.runs})

    @property
    def topics(self) -> tuple[str, ...]:
        """Those with a relevant document."""
        judged = self.judgments
        return tuple(topic for topic in judged.topics if (judged.grades[judged.rows(topic)] > 0).any())

    def signals(self, topic: str) -> Signals:
        """Return all runs and the judgments, as signals over the documents that they name."""
        named: dict[str, Any] = {run.name: run for run in self.runs}
        return Signals.of({**named, self.gold: self.judgments}, topic=topic)

    def size(self, collection_size: int | None) -> tuple[int, tuple[Caveat, ...]]:
        """Return the number of documents that there are, and what is to be known of a number that nobody gave."""
        if collection_size is not None:
            size = whole_number("collection_size", collection_size)
            if size < self.known:
                held = f"{self.known:,} documents are judged or retrieved"
                raise ParameterError(f"{held}: there are more than {size:,} in the collection; give their number")
            if size > LARGEST:
                raise ParameterError(f"collection_size {size} is more than any collection has; give their number")
            return size, ()
        text = f"the collection is taken for the {self.known:,} documents that are judged or retrieved"
        return self.known, (Caveat(Doubt.COLLECTION, f"{text}; say its size: collection_size=… (--collection-size)"),)

    def unjudged(self) -> tuple[Caveat, ...]:
        """Return what is to be known of retrieved documents without a judgment, if there are any."""
        judged = sets = 0
        for topic in self.topics:
            known = set(self.judgments.documents_of(topic))
            found = {document for run in self.runs for document in run.documents_of(topic)}
            judged, sets = judged + len(found & known), sets + len(found)
        if judged == sets:
            return ()
        share = f"{(sets - judged) / sets:.1%} of the documents that are retrieved down to rank {self.depth}"
        return (Caveat(Doubt.FEW_JUDGED, f"{share} are not judged and are taken for not relevant"),)


def read_campaign(qrels: Any, runs: Any, *, depth: int, names: str = "tag") -> Campaign:
    """Return a campaign from anything that `read_qrels` and `read_runs` accept.

    Parameters
    ----------
    depth
        How many documents of each run are looked at, as `Run.down_to` takes them.
    """
    whole_number("depth", depth)
    judgments, several = read_qrels(qrels), read_runs(runs, names=names)
    known = {document for source in (judgments, *several) for document in _distinct(source.documents)}
    campaign = Campaign(judgments, tuple(run.down_to(depth) for run in several), depth, len(known))
    if not campaign.topics:
        raise ParameterError("no topic has a relevant document; there is nothing to be right about")
    return campaign


def _distinct(documents: Any) -> Iterator[str]:
    return iter(documents if isinstance(documents, list) else documents.unique().to_list())
