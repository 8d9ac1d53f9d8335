"""Picks: a topic, some systems and one of them, drawn at random again and again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.execution import Rng, generator
from measurand.information import Signals
from measurand.papers.campaign import Campaign


@frozen
class Pick:
    """A topic, or None for all of them, some systems that answered it, and one of these."""

    topic: str | None
    systems: tuple[str, ...]
    one: str


def draw_picks(campaign: Campaign, samples: int, signals: int, rng: Rng) -> tuple[Pick, ...]:
    """Return random picks, all topics and all systems that answered them alike.

    A system answers a topic with two documents at least, so that there is a pair to compare.

    Examples
    --------
    >>> from measurand.papers.campaign import read_campaign
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

    Examples
    --------
    >>> from measurand.papers.campaign import read_campaign
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

    Examples
    --------
    >>> from measurand.papers.campaign import read_campaign
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
    every
        Whether documents of all systems of the campaign are in it; else those of the systems asked for.
    """

    campaign: Campaign
    every: bool = False
    known: dict[str, Signals] = field(factory=dict, init=False)

    def of(self, systems: Sequence[str], topic: str) -> Signals:
        """Return what some systems and the judgments say of the pool of a topic."""
        if topic not in self.known:
            signals = self.campaign.signals(topic)
            self.known[topic] = pooled(signals) if self.every else signals
        asked = self.known[topic].only(*systems, self.campaign.gold)
        return asked if self.every else pooled(asked)


def pooled(signals: Signals) -> Signals:
    """Return signals over the documents that some signal but the last one tells of, and no other.

    Examples
    --------
    >>> pooled(Signals.of({"r": {"d1": 1}, "g": {"d2": 1}})).documents
    ('d1',)
    """
    told = signals.levels[:, :-1].any(axis=1)
    documents = tuple(signals.documents[place] for place in np.flatnonzero(told).tolist())
    return Signals(signals.names, documents, signals.levels[told], len(documents))
