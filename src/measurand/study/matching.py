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

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray
from measurand.orders.many_runs import at_least_as_good


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
    left, right = _unequal(ours, theirs)
    return _matched(better[np.ix_(left, right)], ours, theirs)


def match_runs(ranks: IntArray, ours: IntArray, theirs: IntArray) -> Matching | None:
    """Return the largest matching of runs as `match` does, from the runs; None if there are too many to be paired.

    Parameters
    ----------
    ranks : array of int
        Different runs, as `ranks_of_documents` gives them.
    ours, theirs : array of int
        How many of each of these runs there are on either side.

    Examples
    --------
    >>> from measurand.orders.many_runs import ranks_of_documents
    >>> ranks = ranks_of_documents(np.array([[0, 1], [1, 0]], dtype=np.int8), 2)
    >>> match_runs(ranks, np.array([0, 2]), np.array([1, 1])).complete
    True
    """
    left, right = _unequal(ours, theirs)
    if len(left) * len(right) > LARGEST:
        return None
    better = at_least_as_good(ranks[left], ranks[right])
    return None if np.count_nonzero(better) > EDGES else _matched(better, ours, theirs)


def _unequal(ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of the runs of ours, and of theirs, that are left once equal runs are paired."""
    return np.flatnonzero(ours > theirs), np.flatnonzero(theirs > ours)


def _matched(allowed: BoolArray, ours: IntArray, theirs: IntArray) -> Matching:
    """Return the largest matching; it is given which of the runs that are left may be paired."""
    both, (left, right) = np.minimum(ours, theirs), _unequal(ours, theirs)
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

LARGEST = 2**28
"""Where there are more pairs of different runs, it is not looked which may be paired."""

EDGES = 2**26
"""Where more of them may be paired, it is not tried to match them: that takes gigabytes."""


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
    supply, demand = supply.astype(np.int32), demand.astype(np.int32)
    columns = np.concatenate([np.flatnonzero(row).astype(np.int32) for row in allowed])
    sizes = np.count_nonzero(allowed, axis=1)
    # from a source, 0, to our runs, from these to theirs, and on to a sink
    ends = np.concatenate((np.arange(1, n + 1), columns + np.int32(n + 1), np.full(m, n + m + 1)), dtype=np.int32)
    capacity = np.concatenate((supply, np.minimum(np.repeat(supply, sizes), demand[columns]), demand))
    starts = np.cumsum(np.concatenate(([0, n], sizes, np.ones(m, dtype=np.int64), [0])))
    nodes = csr_array((capacity, ends, starts), shape=(n + m + 2, n + m + 2))
    return np.asarray(maximum_flow(nodes, 0, n + m + 1).flow[1 : n + 1, n + 1 : n + m + 1].toarray())


def _reached(allowed: BoolArray, alone: BoolArray, paired: BoolArray) -> BoolArray:
    """Return the runs of theirs that alternating paths reach from those without a partner."""
    reached = alone
    while True:
        through = np.asarray(allowed[:, reached].any(axis=1))
        found = np.asarray(reached | paired[through].any(axis=0))
        if (found == reached).all():
            return reached
        reached = found


def match_weighted(better: BoolArray, ours: Sequence[int], theirs: Sequence[int]) -> Matching:
    """Return the largest matching of runs that have weights; a run may be paired with parts of several.

    It is a largest flow from our runs to theirs, in whole numbers of any size.

    Parameters
    ----------
    better : array of bool
        Different runs × different runs: whether the first is at least as good as the second.
    ours, theirs : sequence of int
        The weight of each of these runs on either side.

    Examples
    --------
    >>> better = np.array([[True, True], [False, True]])
    >>> match_weighted(better, [3, 2], [2, 3]).missing, match_weighted(better, [2, 3], [3, 2]).missing
    (Fraction(0, 1), Fraction(1, 1))
    """
    # equal runs are paired with each other first, which costs no other pair
    both = [min(pair) for pair in zip(ours, theirs, strict=True)]
    left = [place for place, (weight, paired) in enumerate(zip(ours, both, strict=True)) if weight > paired]
    right = [place for place, (weight, paired) in enumerate(zip(theirs, both, strict=True)) if weight > paired]
    flow = _Flow(
        better[np.ix_(left, right)],
        [ours[place] - both[place] for place in left],
        [theirs[place] - both[place] for place in right],
    )
    while flow.augmented():
        pass
    missing = sum(flow.demand)
    violator = np.zeros(len(better), dtype=bool)
    if missing:
        violator[np.array(right, dtype=np.int64)[flow.reached]] = True
    return Matching(Fraction(missing), violator)


class _Flow:
    """A flow from supplies to demands along the pairs that are allowed, made larger path by path.

    Each path leads from an unmet demand to a supply that is left: along a pair that is allowed, and back along one
    that is used.
    """

    def __init__(self, allowed: BoolArray, supply: list[int], demand: list[int]) -> None:
        self.allowed, self.supply, self.demand = allowed, supply, demand
        self.used = np.zeros_like(allowed)
        self.sent: dict[tuple[int, int], int] = {}
        self.reached = np.zeros(len(demand), dtype=bool)

    def augmented(self) -> bool:
        """Send more along shortest paths, and return whether there was one; else `reached` is what demands reach."""
        via, origin = np.full(len(self.supply), -1), np.full(len(self.demand), -1)
        left = np.array([amount > 0 for amount in self.supply], dtype=bool)
        self.reached = np.array([amount > 0 for amount in self.demand], dtype=bool)
        fresh = self.reached.copy()
        while fresh.any():
            first = np.flatnonzero((via < 0) & self.allowed[:, fresh].any(axis=1))
            if not len(first):
                return False
            via[first] = np.flatnonzero(fresh)[self.allowed[np.ix_(first, fresh)].argmax(axis=1)]
            ends = first[left[first]]
            if len(ends):
                sent = [self._send(end, via, origin) for end in ends.tolist()]
                return any(sent)
            used = self.used[first]
            fresh = np.asarray(used.any(axis=0) & ~self.reached)
            origin[fresh] = first[used[:, fresh].argmax(axis=0)]
            self.reached |= fresh
        return False

    def _send(self, end: int, via: IntArray, origin: IntArray) -> bool:
        """Send as much along the path to a supply as it admits, and return whether that is anything."""
        pairs, mine = [], end
        while True:
            other = int(via[mine])
            pairs.append((mine, other))
            if origin[other] < 0:
                break
            mine = int(origin[other])
        # the run that a path comes back from gives up what it had with the run before
        given = [(mine, before) for (_, before), (mine, _) in pairwise(pairs)]
        last = pairs[-1][1]
        amount = min([self.supply[end], self.demand[last], *(self.sent.get(pair, 0) for pair in given)])
        for pair, change in (*((pair, amount) for pair in pairs), *((pair, -amount) for pair in given)):
            self.sent[pair] = self.sent.get(pair, 0) + change
            self.used[pair] = self.sent[pair] > 0
        self.supply[end] -= amount
        self.demand[last] -= amount
        return amount > 0
