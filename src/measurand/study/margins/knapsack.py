"""The fewest changes over all topics, where every topic has a table of what 0, 1, 2, … changes gain there.

It is a knapsack: dynamic programming over the number of changes finds how many each topic gets. Taking the largest
gains first would not do, because two changes on a topic may gain much where one gains nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measurand.arrays import FloatArray, IntArray

FIRST = 32
"""So many changes are tried first; twice as many where they are not enough."""


def fewest(tables: Sequence[FloatArray], need: float, most: int | None = None) -> tuple[int, list[int]] | None:
    """Return the fewest changes that bring about what is needed, with how many each topic gets; None if none do.

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
    most = total if most is None else min(most, total)
    size = min(FIRST, most)
    while True:
        gained, choices = _filled(tables, size)
        reached = np.flatnonzero(gained >= need)
        if len(reached):
            return int(reached[0]), _shares(choices, int(reached[0]))
        if size >= most:
            return None
        size = min(most, 2 * size)


def _filled(tables: Sequence[FloatArray], size: int) -> tuple[FloatArray, list[IntArray]]:
    """Return the largest gain of up to so many changes, and how many of them the last topic gets, topic after topic."""
    gained, choices = np.zeros(size + 1), []
    for table in tables:
        best, choice = gained.copy(), np.zeros(size + 1, dtype=np.int64)
        for taken in range(1, min(len(table) - 1, size) + 1):
            if table[taken] <= table[taken - 1]:
                continue
            reached = gained[: size + 1 - taken] + table[taken]
            better = reached > best[taken:]
            best[taken:][better], choice[taken:][better] = reached[better], taken
        gained = best
        choices.append(choice)
    return gained, choices


def _shares(choices: Sequence[IntArray], changes: int) -> list[int]:
    """Return how many changes each topic gets, from what was chosen topic after topic."""
    shares = []
    for choice in reversed(choices):
        shares.append(int(choice[changes]))
        changes -= shares[-1]
    return shares[::-1]
