r"""The ruler of average precision: exact where its values can be counted, estimated beyond.

Nobody has a formula for the number of values of AP at a depth. To depth 42 they are counted
(`measurand.intervals.counted_values`), exactly; to depth 57 positions are estimated, with a confidence interval;
beyond there is no ruler. The tables of depths 25 to 42 come with the package (`measurand.intervals.shipped_tables`
makes them).

*Estimates.* The share of *values* below a value is wanted, and runs drawn at random meet values that many runs share
more often. A run has a value :math:`V` that :math:`\mu(V)` runs share. Weighing it by :math:`1/\mu(V)`
([HorvitzThompson1952]_) counts every value once on average: the share of values up to :math:`m` is :math:`E[1\{V \le
m\}/\mu(V)] / E[1/\mu(V)]`. Its interval is the normal one, widened near 0 and 1 to Wilson's ([Wilson1927]_).

*How many runs share a value* is counted exactly (`Fibres`). Ranks are decided from the last one up. What is left of
the value must be made by the ranks above, so its denominator must divide :math:`\mathrm{lcm}(1..i)`: wherever
:math:`i` is a power of a prime, most choices end there. The first ranks are looked up in a table. Two numbers stand
for what is left: its remainder modulo the primes that the table does not know, and a float whose error is far below
half a step of the table. Together they decide equality exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt, lcm, sqrt
from typing import Any

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, Rng, ahead, generator, silent
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.reachable_values import RunCounts, Walk, average_precision_walk
from measurand.intervals.ruler import AMONG_RUNS, Budget, Certainty, Position, Ruler
from measurand.native import accelerated

DEEPEST = 57
"""Beyond this depth fibres take too long."""

AT_ONCE = 16
"""How many fibres are counted in one go."""

QUANTILE = 1.96
"""Of the normal distribution, for 95 % confidence."""

SHARE = 6
"""Drawing runs may take one part in so many of the time that may be spent."""

FEWEST, MOST = 100, 20_000
"""Fewer runs say too little; more of them gain too little."""

SHORT = 20
"""To this depth values are few enough to be counted however little may be spent."""


def average_precision_ruler(depth: int, budget: Budget | None = None, rng: Rng = 0) -> Ruler:
    r"""Return the ruler of average precision on runs of a depth, with two grades.

    .. math:: \mathrm{AP} \cdot \mathrm{RB} = \sum_{i\ \mathrm{relevant}} \frac{\#\{k \le i\ \mathrm{relevant}\}}{i}

    The recall base does not change the order of values, so one ruler serves all topics.

    Parameters
    ----------
    rng
        Where chance comes from at depths whose values are too many to be counted within the budget.

    Examples
    --------
    >>> [average_precision_ruler(depth).size for depth in (5, 10, 15)]
    [31, 810, 22646]
    """
    budget = budget or Budget()
    walk = average_precision_walk(min(depth, DEEPEST))
    if depth <= SHORT:
        return WalkRuler.of(walk, f"AP-{depth}", Budget(max(budget.seconds, 1.0), max(budget.memory, 64 << 20)))
    if depth > DEEPEST:
        raise NotAvailable(
            f"nobody knows how to place runs of {depth} ranks among the values of average precision; "
            f"look at {DEEPEST} ranks at most, or take RBP or DCG, whose rulers have any depth; {AMONG_RUNS}"
        )
    if not walk.fits:
        return EstimatedRuler.of(depth, budget, rng)
    try:
        return WalkRuler.of(walk, f"AP-{depth}", budget)
    except NotAvailable:
        return EstimatedRuler.of(depth, budget, rng)


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
        counts = np.empty(len(keys), dtype=np.int64)
        _count_fibres(self.cut, rests, remainders, open_ways, counts, *self._tables)
        return counts

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
        before = RunCounts.of(average_precision_walk(self.cut), self.cut).before
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


@accelerated
def _count_fibres(
    cut: int,
    rests: FloatArray,
    remainders: IntArray,
    open_ways: BoolArray,
    counts: IntArray,
    least: FloatArray,
    most: FloatArray,
    takes: IntArray,
    checks: IntArray,
    unknown: int,
    steps: int,
    starts: IntArray,
    keys: IntArray,
    run_counts: IntArray,
) -> None:
    """Write how many runs have each value, by going through the choices for the last ranks."""
    depth = len(checks)
    for at in range(len(rests)):
        # by how many documents are relevant: what is left of the value, and its remainder
        met = np.arange(depth + 1)
        rest, remainder = np.full(depth + 1, rests[at]), np.full(depth + 1, remainders[at])
        for rank in range(depth, cut, -1):
            some = met > 0
            taken = remainder[some] - takes[rank, met[some]]
            rest = np.concatenate([rest, rest[some] - met[some] / rank])
            remainder = np.concatenate([remainder, np.where(taken < 0, taken + unknown, taken)])
            met = np.concatenate([met, met[some] - 1])
            kept = open_ways[at, rank - 1, met] & (least[rank - 1, met] <= rest) & (rest <= most[rank - 1, met])
            kept &= remainder % checks[rank - 1] == 0
            met, rest, remainder = met[kept], rest[kept], remainder[kept]
        wanted = np.rint(rest * steps)
        counts[at] = 0
        for number in range(len(starts) - 1):
            known = slice(starts[number], starts[number + 1])
            asked = wanted[met == number].astype(np.int64)
            low, high = (np.searchsorted(keys[known], asked, side=side) for side in ("left", "right"))
            counts[at] += run_counts[known][low[low < high]].sum()


@frozen(eq=False)
class Drawn:
    """Runs drawn at random: their keys in ascending order, and the weights of these added up from the left.

    Parameters
    ----------
    weights, squares
        What the weights and their squares add up to before each key, and in the end.
    """

    keys: IntArray
    weights: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, keys: IntArray, run_counts: IntArray) -> Drawn:
        """Return drawn runs by their keys and how many runs share each."""
        order = np.argsort(keys, kind="stable")
        weights = 1 / run_counts[order]
        upto, squares = (np.concatenate([[0.0], np.cumsum(numbers)]) for numbers in (weights, weights**2))
        return cls(keys[order], upto, squares)

    def share_up_to(self, key: int) -> tuple[float, float]:
        """Return between which bounds the share of values up to a key lies, with 95 % confidence.

        Examples
        --------
        >>> drawn = Drawn.of(np.arange(1, 101), np.ones(100))
        >>> [round(bound, 3) for bound in drawn.share_up_to(50)], drawn.share_up_to(0)[0]
        ([0.402, 0.598], 0.0)
        """
        place = int(np.searchsorted(self.keys, key, side="right"))
        total, squares, count = self.weights[-1], self.squares[-1], len(self.keys)
        share = self.weights[place] / total
        spread = (1 - share) ** 2 * self.squares[place] + share**2 * (squares - self.squares[place])
        around = QUANTILE * sqrt(spread * count / (count - 1)) / total
        # near 0 and 1 a sample looks surer than it is: there Wilson's interval is wider
        worth = total**2 / squares
        shrink = 1 + QUANTILE**2 / worth
        middle = (share + QUANTILE**2 / (2 * worth)) / shrink
        beside = QUANTILE / shrink * sqrt(share * (1 - share) / worth + (QUANTILE / (2 * worth)) ** 2)
        low, high = min(share - around, middle - beside), max(share + around, middle + beside)
        return max(float(low), 0.0), min(float(high), 1.0)


@define(eq=False)
class EstimatedRuler(Ruler):
    """Average precision at depths where its values cannot be counted: positions are estimated from random runs.

    The same seed and budget give the same positions, whatever the machine.

    Examples
    --------
    >>> ruler = EstimatedRuler.of(12, samples=200)
    >>> position, = ruler.positions(np.array([[1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1]], dtype=np.int8))
    >>> str(position.how), position.rank, position.size, position.low < Fraction(757, 3046) < position.high
    ('estimated', None, None, True)
    """

    fibres: Fibres
    samples: int
    rng: Rng
    _drawn: Drawn | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = self.fibres.walk.depth, 2

    @classmethod
    def of(cls, depth: int, budget: Budget | None = None, rng: Rng = 0, samples: int | None = None) -> EstimatedRuler:
        """Return the ruler for a depth, from as many random runs as the budget allows, or from so many."""
        seconds = (budget or Budget()).seconds
        if samples is None:
            samples = min(MOST, int(2 * seconds / SHARE / _seconds_a_fibre(depth)))
        if samples < FEWEST:
            needed = FEWEST * SHARE * _seconds_a_fibre(depth) / 2
            raise NotAvailable(
                f"estimating positions at depth {depth} needs about {needed:.0f} s, "
                f"more than the {seconds:.0f} s that may be spent; allow more, or look at fewer ranks"
            )
        return cls(Fibres.of(depth), samples, rng)

    @property
    def size(self) -> int:
        """How many different values there are, which is not known."""
        raise NotAvailable(f"how many values average precision has at depth {self.depth} is not known, only estimated")

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, is estimated to stand; the ends are known."""
        keys = [int(key) for key in self.fibres.walk.keys_of(runs)]
        drawn = self._draw(progress)
        return [self._position(key, drawn) for key in keys]

    def _position(self, key: int, drawn: Drawn) -> Position:
        if key == 0:
            return Position(low=Fraction(0), high=Fraction(0), how=Certainty.EXACT, rank=1)
        if key == self.fibres.walk.highest:
            return Position(low=Fraction(1), high=Fraction(1), how=Certainty.EXACT)
        low, high = drawn.share_up_to(key)
        return Position(low=Fraction(low), high=Fraction(high), how=Certainty.ESTIMATED)

    def _draw(self, progress: Progress) -> Drawn:
        if self._drawn is None:
            runs = generator(self.rng).integers(0, 2, (self.samples, self.depth), dtype=np.int8)
            self._drawn = Drawn.of(self.fibres.walk.keys_of(runs), self.fibres.counts(runs, progress))
        return self._drawn


def _seconds_a_fibre(depth: int) -> float:
    """Return about how long counting one fibre takes."""
    return float(max(1e-3, 6e-2 * 2 ** ((depth - 57) / 2.2)))
