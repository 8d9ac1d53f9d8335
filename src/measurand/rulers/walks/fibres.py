r"""Fibres of average precision: how many runs have the same value as a given one.

Ranks are decided from the last one up. What is left of the value must be made by the ranks above, so its denominator
must divide :math:`\mathrm{lcm}(1..i)`: wherever :math:`i` is a power of a prime, most choices end there. The first
ranks are looked up in a table.

Two numbers stand for what is left, :math:`R`: its remainder modulo the primes that the table does not know, and a
float whose error is far below half a step of the table. Together they decide equality exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt, lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, compiled, silent
from measurand.rulers.walks.stretches import Crowds
from measurand.rulers.walks.walk import Walk, average_precision_walk

DEEPEST = 57
"""Beyond this depth fibres take too long."""

AT_ONCE = 16
"""How many fibres are counted in one go."""


@frozen(eq=False)
class Fibres:
    """Counts the runs of a depth with the same average precision.

    Parameters
    ----------
    cut
        Up to which rank the table goes.

    Examples
    --------
    >>> fibres = Fibres.of(6)
    >>> fibres.counts(np.array([[0, 0, 1, 1, 0, 0], [0, 1, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1]], dtype=np.int8)).tolist()
    [2, 2, 1]
    """

    walk: Walk
    cut: int

    @classmethod
    def of(cls, depth: int, cut: int | None = None) -> Fibres:
        """Return what is needed to count fibres at a depth."""
        if depth > DEEPEST:
            raise NotAvailable(f"how many runs of {depth} ranks share an average precision takes too long to count")
        return cls(average_precision_walk(depth), min(depth // 2, 22) if cut is None else cut)

    def counts(self, runs: Cells, progress: Progress = silent) -> IntArray:
        """Return for each of some runs, one a row, how many runs have the same value, itself included."""
        keys = [int(key) for key in self.walk.keys_of(runs)]
        parts = [keys[at : at + AT_ONCE] for at in range(0, len(keys), AT_ONCE)]
        _ = self._tables  # before threads ask for them
        counted = progress(ahead(self._counts, parts), len(parts), "counting runs with the same value")
        return np.concatenate([np.zeros(0, dtype=np.int64), *counted])

    def _counts(self, keys: list[int]) -> IntArray:
        rests = np.array([float(Fraction(key, self.walk.scale)) for key in keys])
        remainders = np.array([key % self._unknown for key in keys])
        open_ways = np.array([self._open_ways(key) for key in keys])
        return _count(self.cut, rests, remainders, open_ways, *self._tables)

    @cached_property
    def _tables(self) -> tuple[Any, ...]:
        steps = _multiple(self.cut)
        return (*self._bounds, self._takes, self._checks, self._unknown, steps, *self._sums)

    @cached_property
    def _unknown(self) -> int:
        """What a value of the table is a multiple of, as a key."""
        return self.walk.scale // _multiple(self.cut)

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        """The least and the most that so many relevant documents on the first so many ranks are worth."""
        side = self.walk.depth + 1
        least, most = np.full((side, side), np.inf), np.full((side, side), -np.inf)
        for ranks in range(side):
            for met in range(ranks + 1):
                least[ranks, met] = sum(at / (ranks - met + at) for at in range(1, met + 1)) - 1e-9
                most[ranks, met] = met + 1e-9
        return least, most

    @cached_property
    def _takes(self) -> IntArray:
        """What a relevant document takes away from the remainder, by its rank and its place among the relevant."""
        ranks, scale = range(self.walk.depth + 1), self.walk.scale
        return np.array([[met * (scale // max(rank, 1)) % self._unknown for met in ranks] for rank in ranks])

    @cached_property
    def _checks(self) -> IntArray:
        """What the remainder must be a multiple of, once the ranks after each are decided; 1 where that is no news."""
        multiples = [self.walk.scale // _multiple(max(rank, self.cut)) for rank in range(self.walk.depth + 1)]
        return np.array([now if now > later else 1 for now, later in pairwise(multiples)])

    @cached_property
    def _sums(self) -> tuple[IntArray, IntArray, IntArray]:
        """The sums of the first ranks and their numbers of runs, one count of relevant documents after the other."""
        before = Crowds.of(average_precision_walk(self.cut), self.cut).before
        starts = np.concatenate([[0], np.cumsum([len(keys) for keys, _ in before])])
        return starts, np.concatenate([keys for keys, _ in before]), np.concatenate([count for _, count in before])

    def _open_ways(self, key: int) -> BoolArray:
        r"""Return from which numbers of relevant documents, up to each rank, the table can be reached.

        At a rank :math:`i = p^e > N/2` no other rank has :math:`p^e` below the line, so the value says what the
        count is modulo :math:`p`, or that the document is not relevant.
        """
        depth = self.walk.depth
        ways = np.zeros((depth + 1, depth + 1), dtype=np.bool_)
        ways[self.cut, : self.cut + 1] = True
        for rank in range(self.cut + 1, depth + 1):
            prime = _prime_below(rank) if 2 * rank > depth else 1
            target = key * pow(self.walk.scale // rank, -1, prime) % prime
            if target == 0:
                ways[rank] = ways[rank - 1]
            ways[rank, target or prime :: prime] |= ways[rank - 1, (target or prime) - 1 : depth : prime]
        return ways


def _multiple(rank: int) -> int:
    return lcm(*range(1, rank + 1))


def _prime_below(number: int) -> int:
    """Return the prime that a number is a power of, or 1.

    Examples
    --------
    >>> [_prime_below(number) for number in (27, 28, 29)]
    [3, 1, 29]
    """
    prime = next((small for small in range(2, isqrt(number) + 1) if number % small == 0), number)
    while number % prime == 0 and number > 1:
        number //= prime
    return prime if number == 1 else 1


@compiled
def _count(
    cut: int,
    rests: FloatArray,
    remainders: IntArray,
    open_ways: BoolArray,
    least: FloatArray,
    most: FloatArray,
    takes: IntArray,
    checks: IntArray,
    unknown: int,
    steps: int,
    starts: IntArray,
    keys: IntArray,
    crowds: IntArray,
) -> IntArray:
    """Return how many runs have each value, by going through the choices for the last ranks."""
    depth, counts = len(checks), np.zeros(len(rests), dtype=np.int64)
    ranks, mets = np.empty(3 * depth, dtype=np.int64), np.empty(3 * depth, dtype=np.int64)
    left, over = np.empty(3 * depth, dtype=np.float64), np.empty(3 * depth, dtype=np.int64)
    for at in range(len(rests)):
        height = depth + 1
        for met in range(height):
            ranks[met], mets[met], left[met], over[met] = depth, met, rests[at], remainders[at]
        while height:
            height -= 1
            rank, met, rest, remainder = ranks[height], mets[height], left[height], over[height]
            if rank == cut:
                key = np.int64(np.rint(rest * steps))
                place = starts[met] + np.searchsorted(keys[starts[met] : starts[met + 1]], key)
                if place < starts[met + 1] and keys[place] == key:
                    counts[at] += crowds[place]
                continue
            for relevant in range(2 if met else 1):
                if relevant:
                    rest -= met / rank
                    remainder -= takes[rank, met]
                    remainder += unknown if remainder < 0 else 0
                    met -= 1
                if not open_ways[at, rank - 1, met] or not least[rank - 1, met] <= rest <= most[rank - 1, met]:
                    continue
                if remainder % checks[rank - 1] == 0:
                    ranks[height], mets[height], left[height], over[height] = rank - 1, met, rest, remainder
                    height += 1
    return counts
