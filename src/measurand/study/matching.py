"""Matchings of topics: whether the runs of one system can be paired with better runs of another, over all topics.

By Strassen's theorem one system is at least as good as another under the mean of every measure that respects
replacement and swap exactly if every run of the worse one can be paired with a run of the better one, on whatever
topic, that is at least as good. Where that fails, Hall's theorem gives runs of the worse system for which the better
one has too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray


@frozen(eq=False)
class Matching:
    """How much of one system's runs can be paired with runs of another that are at least as good.

    Parameters
    ----------
    missing : Fraction
        The weight of runs that stay without a partner, 0 if every one has one.
    violator : array of bool
        Which runs have too few partners: the weight of runs that are at least as good as one of them is smaller
        than theirs by `missing`. None of them if every run has a partner.
    """

    missing: Fraction
    violator: BoolArray

    @property
    def complete(self) -> bool:
        """Whether every run has a partner."""
        return self.missing == 0


def match(better: BoolArray, ours: IntArray, theirs: IntArray) -> Matching:
    """Return the largest matching of runs, each counted once.

    Parameters
    ----------
    better : array of bool
        Ours × theirs: whether a run of ours is at least as good as a run of theirs.
    ours, theirs : array of int
        Numbers that equal runs share. Equal runs are paired with each other first, which costs no other pair.

    Examples
    --------
    >>> better = np.array([[True, True, False], [False, True, False], [False, True, False]])
    >>> found = match(better, np.array([0, 1, 2]), np.array([3, 4, 5]))
    >>> found.missing, found.violator.tolist()
    (Fraction(1, 1), [False, False, True])
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    left, right = _without_equal(ours, theirs)
    open_ = better[np.ix_(left, right)]
    partner = np.full(len(right), -1)
    if open_.any():
        partner = maximum_bipartite_matching(csr_array(open_), perm_type="row")
    alone = partner < 0
    violator = np.zeros(len(theirs), dtype=bool)
    violator[right[_reached(open_, alone, partner)]] = True
    return Matching(Fraction(int(alone.sum())), violator)


def is_complete(better: BoolArray) -> bool:
    """Return whether every run of theirs can be paired with a run of ours that is at least as good.

    Parameters
    ----------
    better : array of bool
        Ours × theirs, as many: whether a run of ours is at least as good as a run of theirs.

    Examples
    --------
    >>> is_complete(np.array([[True, True], [False, True]])), is_complete(np.array([[True, True], [False, False]]))
    (True, False)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if np.diagonal(better).all():
        return True
    if not (better.any(axis=0).all() and better.any(axis=1).all()):
        return False
    return bool((maximum_bipartite_matching(csr_array(better), perm_type="row") >= 0).all())


def _without_equal(ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of runs that are left after equal runs of both sides have been paired."""
    numbers = int(max(ours.max(initial=-1), theirs.max(initial=-1))) + 1
    both = np.minimum(np.bincount(ours, minlength=numbers), np.bincount(theirs, minlength=numbers))
    return _beyond(ours, both), _beyond(theirs, both)


def _beyond(runs: IntArray, paired: IntArray) -> IntArray:
    """Return the places of runs beyond the first so many of each number."""
    order = np.argsort(runs, kind="stable")
    counts = np.bincount(runs, minlength=len(paired))
    nth = np.arange(len(runs)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(order[nth >= paired[runs[order]]])


def _reached(better: BoolArray, alone: BoolArray, partner: IntArray) -> BoolArray:
    """Return the runs of theirs that alternating paths reach from those without a partner."""
    reached = alone.copy()
    while True:
        through = better[:, reached].any(axis=1)
        found = reached | ((partner >= 0) & through[partner])
        if (found == reached).all():
            return reached
        reached = found


def match_weighted(better: BoolArray, weights: Sequence[Fraction]) -> Matching:
    """Return the largest matching of runs whose topics have weights; a run may be paired with parts of several.

    It is a largest flow from our runs to theirs, in whole numbers of a common unit.

    Parameters
    ----------
    better : array of bool
        Ours × theirs: whether a run of ours is at least as good as a run of theirs.
    weights : sequence of Fraction
        The weight of each topic, that of both its runs.

    Examples
    --------
    >>> better = np.array([[True, False], [True, True]])
    >>> match_weighted(better, [Fraction(1, 2), Fraction(1, 3)]).missing
    Fraction(0, 1)
    >>> match_weighted(better[::-1], [Fraction(1, 2), Fraction(1, 3)]).missing
    Fraction(0, 1)
    >>> match_weighted(better.T[::-1], [Fraction(1, 2), Fraction(1, 3)]).missing
    Fraction(1, 6)
    """
    unit = lcm(*(weight.denominator for weight in weights))
    supply = np.array([int(weight * unit) for weight in weights], dtype=object)
    demand, flow = supply.copy(), np.zeros(better.shape, dtype=object)
    # a topic's own runs first; paths mend what that spoils
    for topic in np.flatnonzero(np.diagonal(better)):
        flow[topic, topic], supply[topic], demand[topic] = supply[topic], 0, 0
    reached = _augmented(better, supply, demand, flow)
    missing = sum(demand.tolist())
    return Matching(Fraction(missing, unit), reached & (missing > 0))


def _augmented(better: BoolArray, supply: Any, demand: Any, flow: Any) -> BoolArray:
    """Send as much as possible from supplies to demands, and return which demands are reached in the end.

    Each path leads from an unmet demand to a supply that is left: along a pair that is allowed, and back along one
    that is used.
    """
    while True:
        via, origin = np.full(len(supply), -1), np.full(len(demand), -1)
        reached = np.array(demand > 0, dtype=bool)
        fresh, end = reached.copy(), -1
        while fresh.any() and end < 0:
            # a run of ours is reached from a run of theirs that it is at least as good as
            first = np.flatnonzero((via < 0) & better[:, fresh].any(axis=1))
            via[first] = np.flatnonzero(fresh)[better[np.ix_(first, fresh)].argmax(axis=1)]
            left = first[np.array(supply[first] > 0, dtype=bool)]
            if len(left):
                end = int(left[0])
            if len(left) or not len(first):
                break
            used = np.array(flow[first] > 0, dtype=bool)
            fresh = used.any(axis=0) & ~reached
            origin[fresh] = first[used[:, fresh].argmax(axis=0)]
            reached |= fresh
        if end < 0:
            return reached
        _send(end, via, origin, supply, demand, flow)


def _send(end: int, via: IntArray, origin: IntArray, supply: Any, demand: Any, flow: Any) -> None:
    """Send as much along a path as it admits."""
    pairs, mine = [], end
    while True:
        other = int(via[mine])
        pairs.append((mine, other))
        if origin[other] < 0:
            break
        mine = int(origin[other])
    # the run that a path comes back from gives up what it had with the run before
    given = [(mine, before) for (_, before), (mine, _) in zip(pairs, pairs[1:], strict=False)]
    amount = min([supply[end], demand[pairs[-1][1]], *(flow[pair] for pair in given)])
    for pair in pairs:
        flow[pair] += amount
    for pair in given:
        flow[pair] -= amount
    supply[end] -= amount
    demand[pairs[-1][1]] -= amount
