"""Other grades that take a conclusion its significance.

Changes are added one after the other, each where the t statistic falls fastest, or so that topics won are turned round
one by one. What that finds is an upper bound; for the t test, it is certain whether a single change does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray
from measurand.study.certainty import fewest_topics
from measurand.study.margins.additive_regrading import AdditiveTable
from measurand.study.margins.pair import differing
from measurand.study.margins.regrading import CLOSE, Regrading, Step
from measurand.study.margins.regrading_tables import TopicTable
from measurand.study.margins.student import t_statistics

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

DEEP = 4
"""Tables of what so many changes do on a topic are made at least so long, where they can be."""


def fewest_for_significance(
    documents: PairDocuments, tables: Sequence[TopicTable], known: tuple[Step, ...] | None
) -> tuple[tuple[Step, ...] | None, float]:
    """Return the fewest changes that were found to make a difference not significant, and how many it takes at least.

    Parameters
    ----------
    documents
        The documents of two systems.
    tables
        What so many changes do, topic by topic.
    known
        Changes that overturn the order, and with it the claim; None if none are known.
    """
    for table in tables:
        if isinstance(table, AdditiveTable):
            table.fill()
        while table.looked < DEEP and table.grow():
            pass
    best = known
    for path in (_by_statistic(documents, tables), _by_wins(documents, tables)):
        for shares in path:
            if best is not None and sum(shares) >= len(best):
                break
            if not documents.pair.overturned(_lowered(documents, tables, shares)):
                continue
            steps = tuple(step for table, share in zip(tables, shares, strict=True) for step in table.steps(share))
            if (best is None or len(steps) < len(best)) and Regrading.of(documents, steps).overturns():
                best = steps
                break
    single = _single(documents, tables)
    if single is not None and (best is None or len(best) > 1):
        best = single
    pair = documents.pair
    # one change that makes a topic level can leave too few that differ, however small the difference
    tried = pair.test == "paired_t" and differing(pair.goodness) > fewest_topics(pair.alpha)
    return best, 1 if best is not None and len(best) == 1 else 2 if tried else 1


def _lowered(documents: PairDocuments, tables: Sequence[TopicTable], shares: Sequence[int]) -> FloatArray:
    """Return the values of both systems if the first loses what so many changes take from the differences."""
    goodness = documents.pair.goodness.copy()
    goodness[0] -= [table.falls[share] for table, share in zip(tables, shares, strict=True)]
    return goodness


def _by_statistic(documents: PairDocuments, tables: Sequence[TopicTable]) -> Iterator[list[int]]:
    """Return how many changes each topic gets, step by step, where the next makes the mean smallest by its error."""
    differences, shares = documents.pair.differences.copy(), [0] * len(tables)
    falls = np.array([_fall(table, 0) for table in tables])
    while (falls > 0).any():
        after = np.where(falls > 0, _statistics(differences, differences, falls), inf)
        topic = int(after.argmin())
        shares[topic] += 1
        differences[topic] -= falls[topic]
        falls[topic] = _fall(tables[topic], shares[topic])
        yield list(shares)


def _fall(table: TopicTable, share: int) -> float:
    """Return by how much one change more than so many lowers the difference on a topic."""
    return float(table.falls[share + 1] - table.falls[share]) if share + 1 < len(table.falls) else 0.0


def _statistics(differences: FloatArray, now: FloatArray | float, falls: FloatArray) -> FloatArray:
    """Return the t statistic if one difference, which is `now`, falls, for each of several falls."""
    squared = (differences**2).sum() - now**2 + (now - falls) ** 2
    return t_statistics(differences.sum() - falls, squared, len(differences))


def _by_wins(documents: PairDocuments, tables: Sequence[TopicTable]) -> Iterator[list[int]]:
    """Return how many changes each topic gets if the topics that are won most cheaply are turned round first."""
    costs = []
    for topic, (table, difference) in enumerate(zip(tables, documents.pair.differences.tolist(), strict=True)):
        turned = [size for size, fall in enumerate(table.falls) if difference > 0 and fall > difference + CLOSE]
        level = [size for size, fall in enumerate(table.falls) if difference > 0 and fall >= difference - CLOSE]
        if level:
            costs.append((turned[0] if turned and turned[0] <= level[0] else level[0], topic))
    shares = [0] * len(tables)
    for cost, topic in sorted(costs):
        shares[topic] = cost
        yield list(shares)


def _single(documents: PairDocuments, tables: Sequence[TopicTable]) -> tuple[Step, ...] | None:
    """Return one change that overturns a claim of significance by itself, if there is one that the t test notices."""
    pair = documents.pair
    if pair.test != "paired_t":
        return None
    for topic, table in enumerate(tables):
        if not len(table.singles):
            continue
        difference = float(pair.differences[topic])
        level = np.flatnonzero(np.abs(table.singles - difference) <= CLOSE)[:1]
        for move in (int(_statistics(pair.differences, difference, table.singles).argmin()), *level.tolist()):
            goodness = pair.goodness.copy()
            goodness[0, topic] = goodness[1, topic] if move in level else goodness[0, topic] - table.singles[move]
            if pair.overturned(goodness):
                steps = table.moves.steps([move])
                if Regrading.of(documents, steps).overturns():
                    return steps
    return None
