"""Floats that tell the truth: equal where the exact numbers are equal, and in their order where they are not."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Protocol

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray

NEAR = 1e-12
"""Floats closer than this, relative to what they were computed from, may come from equal exact numbers …"""

TINY = 1e-300
"""… and floats closer than this in any case."""


class Numbers(Protocol):
    """Exact numbers of which floats are known, and the rest on request."""

    @property
    def floats(self) -> FloatArray:
        """The numbers, rounded."""

    @property
    def sizes(self) -> FloatArray | None:
        """How large the terms are that each float was computed from; None if they are not larger than the float."""

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of some of the numbers, one row a number."""

    def exact(self, item: int) -> Any:
        """Return one of the numbers, which can be compared with the others."""


def settled(numbers: Numbers, topic: IntArray, depth: int | None = None) -> FloatArray:
    """Return floats that stand to each other within a topic as the exact numbers do.

    Parameters
    ----------
    topic
        Which topic each number belongs to; topics are not compared with each other.
    depth
        So many of each topic are wanted; those that are certainly not among them are only known to be lower.
    """
    order, fresh = in_order(numbers, topic, depth)
    found = np.empty(len(order))
    found[order] = _falling(numbers.floats[order], topic[order], fresh)
    return found


def in_order(numbers: Numbers, group: IntArray, depth: int | None = None) -> tuple[IntArray, BoolArray]:
    """Return the items of each group from the highest number to the lowest, and which of them differ from the last.

    Parameters
    ----------
    group
        Which group each number belongs to; groups are not compared with each other.
    depth
        So many of each group are wanted; those that are certainly not among them may pass for equal.
    """
    order = np.lexsort((-numbers.floats, group))
    owner = group[order]
    near = _near(numbers.floats[order], owner, numbers.sizes, group)
    fresh = np.ones(len(order), dtype=bool)
    if depth is not None:
        beyond = _beyond(near, owner, depth)
        # nobody will see these, so they may as well be equal
        fresh[1:] = ~(near & beyond)
        near &= ~beyond
    if near.any():
        # numbers that are near the next make a cluster, in which nothing is known yet
        cluster = np.cumsum(np.concatenate(([True], ~near)))
        places = np.flatnonzero(np.concatenate((near, [False])) | np.concatenate(([False], near)))
        position = _positions(numbers, order[places], cluster[places])
        again = np.lexsort((position, cluster[places]))
        order[places] = order[places[again]]
        same = (np.diff(position[again]) == 0) & (np.diff(cluster[places]) == 0)
        fresh[places[1:][same]] = False
    return order, fresh


def _near(values: FloatArray, owner: IntArray, sizes: FloatArray | None, group: IntArray) -> BoolArray:
    """Say which of the sorted values are too close to the next to call."""
    if sizes is None:
        size = np.abs(values)
    else:
        # where terms cancel, a float may be off by as much as the largest of its group
        largest = np.zeros(int(group.max(initial=-1)) + 1)
        np.maximum.at(largest, group, sizes)
        size = largest[owner]
    limit = np.maximum(NEAR * np.maximum(size[1:], size[:-1]), TINY)
    return np.asarray((owner[1:] == owner[:-1]) & (values[:-1] - values[1:] <= limit))


def _beyond(near: BoolArray, owner: IntArray, depth: int) -> BoolArray:
    """Say which places come after a gap at or behind the wanted depth of their group."""
    fresh = np.concatenate(([True], owner[1:] != owner[:-1]))
    start = np.maximum.accumulate(np.where(fresh, np.arange(len(owner)), 0))
    gaps = np.concatenate(([0], np.cumsum(~near & (np.arange(len(near)) - start[:-1] >= depth - 1))))
    return np.asarray(gaps[1:] > gaps[start[:-1]])


def _positions(numbers: Numbers, items: IntArray, cluster: IntArray) -> IntArray:
    """Return for each item how many different numbers of its cluster are above it."""
    prints = numbers.fingerprints(items)
    low, high = prints[:, 0] << 32 | prints[:, 1], prints[:, 2] << 32 | prints[:, 3]
    order = np.lexsort((low, high, cluster))
    changes = (np.diff(cluster[order]) != 0) | (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)
    fresh = np.concatenate(([True], changes))
    kinds, first = np.empty(len(items), dtype=np.int64), order[fresh]
    kinds[order] = np.cumsum(fresh) - 1
    positions = np.zeros(len(first), dtype=np.int64)
    mixed = np.flatnonzero(np.bincount(cluster[first])[cluster[first]] > 1)
    for _, kind in groupby(mixed.tolist(), key=lambda kind: int(cluster[first[kind]])):
        together = list(kind)
        exact = [numbers.exact(int(items[first[one]])) for one in together]
        above = {number: place for place, number in enumerate(sorted(set(exact), reverse=True))}
        positions[together] = [above[number] for number in exact]
    return positions[kinds]


def _falling(values: FloatArray, owner: IntArray, fresh: BoolArray) -> FloatArray:
    """Return values in which each class has the first of its values, and less than the class before it."""
    starts = np.flatnonzero(fresh)
    classes, owners = values[starts], owner[starts]
    amiss = (owners[1:] == owners[:-1]) & (classes[1:] >= classes[:-1])
    for place in (np.flatnonzero(amiss) + 1).tolist():
        current = place
        while current < len(classes) and owners[current] == owners[place] and classes[current] >= classes[current - 1]:
            classes[current] = np.nextafter(classes[current - 1], -np.inf)
            current += 1
    return np.asarray(classes[np.cumsum(fresh) - 1])
