"""The fewest changes over all topics, where every topic has a table of what 0, 1, 2, … changes gain there.

It is a knapsack: dynamic programming over the number of changes finds how many each topic gets. Taking the largest
gains first would not do, because two changes on a topic may gain much where one gains nothing. But it tells how many
changes suffice, and at which price, in gain, a change is worth its while. What a number of changes has gained on the
first topics, and all others can gain at that price, is kept only where it may be enough: a band that stays narrow
however many topics there are (the bound of Lagrange).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray

HALVINGS = 40
"""So often the price of a change is narrowed down."""

ROUNDING = 1e-9
"""By so much, in proportion, sums of floats are taken for larger than they are before anything is given up."""


def fewest(tables: Sequence[FloatArray], need: float, most: int | None = None) -> tuple[int, list[int]] | None:
    """Return the fewest changes that bring about what is needed, with how many each topic gets; None if none do.

    Of several ways to spend them, the one that gains most is returned, and of these the one with the fewest changes on
    the last topic, then on the one before, and so on.

    Parameters
    ----------
    tables
        For every topic what is gained by at most 0, 1, 2, … changes: 0 at first, and never less with more changes.
    need
        What is to be gained in all.
    most
        More changes than so many are not looked at.

    Examples
    --------
    >>> fewest([np.array([0.0, 0.0, 5.0]), np.array([0.0, 2.0, 3.0])], 6.0)
    (3, [2, 1])
    >>> fewest([np.array([0.0, 1.0])], 2.0) is None
    True
    """
    if sum(float(table[-1]) for table in tables) < need:
        return None
    total = sum(len(table) - 1 for table in tables)
    found = _priced(tables, need)
    return _within(tables, need, found, min(found.enough, total if most is None else min(most, total)))


@frozen
class _Price:
    """What a change must gain to be worth its while, and how many changes suffice then.

    Parameters
    ----------
    price
        The gain; 0 where there is no telling.
    enough
        So many changes suffice.
    """

    price: float
    enough: int


def _priced(tables: Sequence[FloatArray], need: float) -> _Price:
    """Return the highest price at which taking all changes that are worth it gains what is needed."""
    width = max(map(len, tables), default=1)
    padded = np.empty((len(tables), width))
    for row, table in zip(padded, tables, strict=True):
        row[: len(table)], row[len(table) :] = table, table[-1]
    everything = _Price(0.0, sum(len(table) - 1 for table in tables))
    if not np.isfinite(padded).all():
        return everything
    places, rows = np.arange(width), np.arange(len(padded))

    def at(price: float) -> tuple[bool, int]:
        taken = (padded - price * places).argmax(axis=1)
        # added as they are added below, topic after topic
        return sum(padded[rows, taken].tolist()) >= need, int(taken.sum())

    low, high = 0.0, float(np.diff(padded, axis=1).max(initial=0.0))
    enough, changes = at(low)
    if not enough:
        return everything
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        enough, number = at(middle)
        low, high, changes = (middle, high, number) if enough else (low, middle, changes)
    return _Price(low, changes)


def _within(tables: Sequence[FloatArray], need: float, found: _Price, size: int) -> tuple[int, list[int]] | None:
    """Return the fewest changes, at most so many, and how many each topic gets."""
    price = found.price
    rest = [float((table - price * np.arange(len(table))).max()) for table in tables]
    slack = ROUNDING * (abs(need) + sum(map(abs, rest)) + price * size)
    # what the topics so far must have gained, at that price: whatever the others can gain is missing
    least = need - slack - price * size - sum(rest)
    if not np.isfinite(least):  # changes that gain without limit have no price
        least, rest = -np.inf, [0.0] * len(rest)
    start, gained = 0, np.zeros(size + 1)
    choices: list[tuple[int, IntArray]] = []
    for table, here in zip(tables, rest, strict=True):
        gained, choice = _with_topic(gained, table, size + 1 - start)
        least += here
        kept = np.flatnonzero(gained - price * np.arange(start, start + len(gained)) >= least)
        if not len(kept):
            return None
        band = slice(int(kept[0]), int(kept[-1]) + 1)
        start, gained = start + band.start, gained[band]
        choices.append((start, choice[band]))
    reached = np.flatnonzero(gained >= need)
    if not len(reached):
        return None
    changes = start + int(reached[0])
    return changes, _shares(choices, changes)


def _with_topic(gained: FloatArray, table: FloatArray, most: int) -> tuple[FloatArray, IntArray]:
    """Return the largest gains with one topic more, and how many changes that topic gets: the fewest that gain so much.

    Parameters
    ----------
    gained
        The largest gains so far, of numbers of changes that follow each other.
    table
        What changes gain on the topic.
    most
        So many numbers of changes are looked at.
    """
    width = min(len(table), most)
    size = min(len(gained) + width - 1, most)
    before = np.full(size + width - 1, -np.inf)
    before[width - 1 : width - 1 + len(gained)] = gained[:size]
    # a row for every number of changes: what there is without 0, 1, 2, … of them
    without = np.lib.stride_tricks.sliding_window_view(before, width)[:, ::-1]
    ways = np.where(np.isfinite(without), table[:width], 0.0) + without  # no gain makes up for what cannot be
    choice = ways.argmax(axis=1)
    return ways[np.arange(size), choice], choice


def _shares(choices: Sequence[tuple[int, IntArray]], changes: int) -> list[int]:
    """Return how many changes each topic gets, from what was chosen topic after topic."""
    shares = []
    for start, choice in reversed(choices):
        shares.append(int(choice[changes - start]))
        changes -= shares[-1]
    return shares[::-1]
