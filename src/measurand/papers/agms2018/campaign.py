"""A campaign as the experiments see it, and random picks from it.

A `Campaign` is judgments, and runs cut to one depth. A `Pick` is a topic, some systems and one of them, drawn at
random; `Pools` are the documents that the systems of a pick, or all systems, retrieve.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.execution import Rng, generator
from measurand.fusion.fuse import LARGEST
from measurand.information import Signals
from measurand.scores.summary import unlike
from measurand.trec import Names, Qrels, QrelsLike, Run, RunsLike, read_qrels, read_runs


@frozen(eq=False, repr=False)
class Campaign:
    """Judgments and runs, each cut to its best documents.

    Parameters
    ----------
    judgments
        The judgments.
    runs
        The runs, each cut to its best documents.
    depth
        How many documents of each run are looked at.
    known
        How many documents are judged or retrieved, at whatever depth, for some topic.

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
        """Return all runs and the judgments, as signals over the documents that they name.

        Parameters
        ----------
        topic
            The topic.
        """
        named: dict[str, Any] = {run.name: run for run in self.runs}
        return Signals.of({**named, self.gold: self.judgments}, topic=topic)

    def size(self, collection_size: int | None) -> tuple[int, tuple[Caveat, ...]]:
        """Return the number of documents that there are, and what is to be known of a number that nobody gave.

        Parameters
        ----------
        collection_size
            The number of documents as somebody gave it; None if nobody did.
        """
        if collection_size is not None:
            size = whole_number("collection_size", collection_size, high=LARGEST)
            if size < self.known:
                held = f"{self.known:,} documents are judged or retrieved"
                raise ParameterError(f"{held}: there are more than {size:,} in the collection; give their number")
            return size, ()
        text = f"the collection is taken for the {self.known:,} documents that are judged or retrieved"
        return self.known, (
            Caveat(CaveatKind.COLLECTION, f"{text}; say its size: collection_size=… (--collection-size)"),
        )

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
        return (Caveat(CaveatKind.FEW_JUDGED, f"{share} are not judged and are taken for not relevant"),)


def read_campaign(qrels: QrelsLike, runs: RunsLike, *, depth: int, names: Names = "auto") -> Campaign:
    """Return a campaign from anything that `read_qrels` and `read_runs` accept.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    depth
        How many documents of each run are looked at, as `Run.down_to` takes them.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    """
    whole_number("depth", depth)
    judgments, several = read_qrels(qrels), read_runs(runs, names=names)
    known = {document for source in (judgments, *several) for document in source.documents}
    campaign = Campaign(judgments, tuple(run.down_to(depth) for run in several), depth, len(known))
    if not campaign.topics:
        raise ParameterError("no topic has a relevant document; there is nothing to be right about")
    return campaign


@frozen
class Pick:
    """A topic, or None for all of them, some systems that answered it, and one of these.

    Parameters
    ----------
    topic
        The topic, or None for all of them.
    systems
        The systems that were drawn.
    one
        The one of them that is set against all.
    """

    topic: str | None
    systems: tuple[str, ...]
    one: str


def draw_picks(campaign: Campaign, samples: int, signals: int, rng: Rng) -> tuple[Pick, ...]:
    """Return random picks, all topics and all systems that answered them alike.

    A system answers a topic with two documents at least, so that there is a pair to compare.

    Parameters
    ----------
    campaign
        The campaign.
    samples, signals
        How many picks, of how many systems each.
    rng
        A generator of random numbers, or a seed for one.

    Examples
    --------
    >>> campaign = read_campaign({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 3.0}}, depth=2)
    >>> draw_picks(campaign, 1, 1, rng=0)
    (Pick(topic='1', systems=('run',), one='run'),)
    """
    whole_number("samples", samples)
    whole_number("signals", signals)
    answered = {topic: _answering(campaign, topic) for topic in campaign.topics}
    topics = [topic for topic, systems in answered.items() if len(systems) >= signals]
    if not topics:
        most = most_systems(campaign)
        if not most:
            raise ParameterError("no system answers a topic that has a relevant document")
        few = f"no topic with a relevant document is answered by {signals} systems"
        raise ParameterError(f"{few}; {most} are the most, say signals={most}")
    chance = generator(rng)
    return tuple(_pick(topic, answered[topic], signals, chance) for topic in chance.choice(topics, samples).tolist())


def draw_systems(campaign: Campaign, samples: int, signals: int, rng: Rng) -> tuple[Pick, ...]:
    """Return random picks of systems alone, all that answered some topic alike.

    Parameters
    ----------
    campaign
        The campaign.
    samples, signals
        How many picks, of how many systems each.
    rng
        A generator of random numbers, or a seed for one.

    Examples
    --------
    >>> draw_systems(read_campaign({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 3.0}}, depth=2), 1, 1, rng=0)
    (Pick(topic=None, systems=('run',), one='run'),)
    """
    whole_number("samples", samples)
    whole_number("signals", signals)
    answering = {name for topic in campaign.topics for name in _answering(campaign, topic)}
    systems = [run.name for run in campaign.runs if run.name in answering]
    if len(systems) < signals:
        few = f"{len(systems)} systems answer a topic with a relevant document"
        raise ParameterError(f"{few}; say signals={len(systems)}" if systems else few)
    chance = generator(rng)
    return tuple(_pick(None, systems, signals, chance) for _ in range(samples))


def most_systems(campaign: Campaign) -> int:
    """Return how many systems can be drawn at most: those that answer the topic with the most answers.

    Parameters
    ----------
    campaign
        The campaign.

    Examples
    --------
    >>> most_systems(read_campaign({"1": {"d1": 1}}, {"1": {"d1": 1.0, "d2": 3.0}}, depth=2))
    1
    """
    return max(len(_answering(campaign, topic)) for topic in campaign.topics)


def _answering(campaign: Campaign, topic: str) -> list[str]:
    return [run.name for run in campaign.runs if len(run.documents_of(topic)) >= 2]


def _pick(topic: str | None, systems: list[str], signals: int, chance: np.random.Generator) -> Pick:
    chosen = tuple(chance.choice(systems, signals, replace=False).tolist())
    return Pick(topic, chosen, chosen[int(chance.integers(signals))])


@frozen(eq=False)
class Pools:
    """What systems and judgments say of the documents of each topic that are in the pool.

    Parameters
    ----------
    campaign
        The campaign.
    every
        Whether documents of all systems of the campaign are in it; else those of the systems asked for.
    """

    campaign: Campaign
    every: bool = False
    known: dict[str, Signals] = field(factory=dict, init=False)

    def of(self, systems: Sequence[str], topic: str) -> Signals:
        """Return what some systems and the judgments say of the pool of a topic.

        Parameters
        ----------
        systems
            The names of the systems.
        topic
            The topic.
        """
        if topic not in self.known:
            signals = self.campaign.signals(topic)
            self.known[topic] = pooled(signals) if self.every else signals
        asked = self.known[topic].only(*systems, self.campaign.gold)
        return asked if self.every else pooled(asked)


def pooled(signals: Signals) -> Signals:
    """Return signals over the documents that some signal but the last one tells of, and no other.

    Parameters
    ----------
    signals
        The signals, the judgments last.

    Examples
    --------
    >>> pooled(Signals.of({"r": {"d1": 1}, "g": {"d2": 1}})).documents
    ('d1',)
    """
    told = signals.levels[:, :-1].any(axis=1)
    documents = tuple(signals.documents[place] for place in np.flatnonzero(told).tolist())
    return Signals(signals.names, documents, signals.levels[told], len(documents))
