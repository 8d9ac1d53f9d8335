"""Matchings of topics: whether the runs of one system can be paired with better runs of another, over all topics.

By Strassen's theorem one system is at least as good as another under the mean of every measure that respects
replacement and swap exactly if every run of the worse one can be paired with a run of the better one, on whatever
topic, that is at least as good. Where that fails, Hall's theorem gives runs of the worse system for which the better
one has too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
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

    Equal runs are paired with each other first, which costs no other pair.

    Parameters
    ----------
    better : array of bool
        Different runs × different runs: whether the first is at least as good as the second.
    ours, theirs : array of int
        How many of each of these runs there are on either side.

    Returns
    -------
    Matching
        Its violator says which of the different runs belong to it.

    Examples
    --------
    >>> better = np.array([[True, True, False], [False, True, False], [False, True, True]])
    >>> found = match(better, np.array([1, 2, 0]), np.array([1, 0, 2]))
    >>> found.missing, found.violator.tolist()
    (Fraction(2, 1), [False, False, True])
    """
    both = np.minimum(ours, theirs)
    left, right = np.flatnonzero(ours > both), np.flatnonzero(theirs > both)
    allowed = better[np.ix_(left, right)]
    supply, demand = (ours - both)[left], (theirs - both)[right]
    pairs = _paired(allowed, supply, demand)
    alone = demand > pairs.sum(axis=0)
    violator = np.zeros(len(theirs), dtype=bool)
    violator[right] = _reached(allowed, alone, pairs > 0)
    return Matching(Fraction(int(demand.sum() - pairs.sum())), violator)


def is_complete(better: BoolArray, ours: IntArray, theirs: IntArray) -> bool:
    """Return whether every run of theirs can be paired with a run of ours that is at least as good.

    Parameters
    ----------
    better : array of bool
        Different runs × different runs: whether the first is at least as good as the second.
    ours, theirs : array of int
        Which of these runs stand on either side, one a topic.

    Examples
    --------
    >>> better = np.array([[True, True], [False, True]])
    >>> is_complete(better, np.array([0, 1]), np.array([1, 1])), is_complete(better, np.array([0, 1]), np.array([0, 0]))
    (True, False)
    """
    if better[ours, theirs].all():
        return True
    each = better[np.ix_(ours, theirs)] if len(ours) <= SMALL else better[np.ix_(np.unique(ours), np.unique(theirs))]
    if not (each.any(axis=0).all() and each.any(axis=1).all()):
        return False
    if len(ours) <= SMALL:
        return bool((_partners(each) >= 0).all())
    counts = (np.bincount(side, minlength=len(better)) for side in (ours, theirs))
    return match(better, *counts).complete


SMALL = 300
"""So many runs are matched one by one; more of them as a flow between different runs."""


def _partners(allowed: BoolArray) -> IntArray:
    """Return the partner of every column in a largest matching, -1 for none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not allowed.any():
        return np.full(allowed.shape[1], -1)
    return np.asarray(maximum_bipartite_matching(csr_array(allowed), perm_type="row"))


def _paired(allowed: BoolArray, supply: IntArray, demand: IntArray) -> IntArray:
    """Return how many runs of each kind are paired with how many of each other kind, at most."""
    pairs = np.zeros(allowed.shape, dtype=np.int64)
    if not allowed.any():
        return pairs
    if supply.sum() <= SMALL:
        left, right = np.repeat(np.arange(len(supply)), supply), np.repeat(np.arange(len(demand)), demand)
        partner = _partners(allowed[np.ix_(left, right)])
        np.add.at(pairs, (left[partner[partner >= 0]], right[partner >= 0]), 1)
        return pairs
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    n, m = allowed.shape
    rows, columns = np.nonzero(allowed)
    # from a source, 0, to our runs, from these to theirs, and on to a sink
    start = np.concatenate((np.zeros(n, dtype=np.int64), rows + 1, np.arange(m) + n + 1))
    end = np.concatenate((np.arange(n) + 1, columns + n + 1, np.full(m, n + m + 1)))
    capacity = np.concatenate((supply, np.minimum(supply[rows], demand[columns]), demand)).astype(np.int32)
    flow = maximum_flow(csr_array((capacity, (start, end)), shape=(n + m + 2, n + m + 2)), 0, n + m + 1).flow
    pairs[:] = flow[1 : n + 1, n + 1 : n + m + 1].toarray()
    return pairs


def _reached(allowed: BoolArray, alone: BoolArray, paired: BoolArray) -> BoolArray:
    """Return the runs of theirs that alternating paths reach from those without a partner."""
    reached = alone
    while True:
        through = np.asarray(allowed[:, reached].any(axis=1))
        found = np.asarray(reached | paired[through].any(axis=0))
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
    given = [(mine, before) for (_, before), (mine, _) in pairwise(pairs)]
    amount = min([supply[end], demand[pairs[-1][1]], *(flow[pair] for pair in given)])
    for pair in pairs:
        flow[pair] += amount
    for pair in given:
        flow[pair] -= amount
    supply[end] -= amount
    demand[pairs[-1][1]] -= amount
