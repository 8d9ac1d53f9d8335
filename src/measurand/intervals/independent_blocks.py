r"""Additive measures as sums of independent blocks of ranks.

To rank a value :math:`\sum_i w_i g(r_i)` one has to know which runs tie. Ranks whose weights are rational multiples of
one number :math:`\beta` form a block; inside it the different sums are few. Where the numbers :math:`\beta` are
linearly independent over the rationals, two runs tie exactly when they agree on the sum of every block, so that the
values of the measure are the sums of one number from each block, all different, and their number is the product of the
blocks' sizes. For DCG the blocks are the ranks whose logarithms have a common root (2, 4, 8 ...), and their
independence is proved as far as it is needed, or follows from Schanuel's conjecture
(`measurand.intervals.independence`, [Lang1966]_). For rational weights, such as 1/i, it is decided here by
divisibility.

*Divisibility.* Let whole weights be given, :math:`G` some of the ranks, :math:`g` the greatest common divisor of their
weights and :math:`M` that of all the other weights. Two runs that tie differ by gains :math:`c_i` with :math:`\sum_i
c_i w_i = 0`, so that :math:`\sum_{i \in G} c_i w_i / g` is divisible by :math:`M / \gcd(M, g)`. If it is always too
small for that unless it is 0, runs that tie have the same sum over :math:`G`, and therefore also over the other ranks.
Everything is exact; the cost is quadratic in the number of ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, prod

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.exact import InverseLogs, enclosure_of
from measurand.intervals.closed_forms import WholeSums

DIGITS = 80
"""Digits to which the units of blocks are known; fixed point numbers need about 20."""

MANY = 1 << 20
"""A block with more sums than this is no help."""

Weight = Fraction | InverseLogs

DEEPEST = 200
"""No more ranks than this are searched."""

PRIMES = tuple(p for p in range(2, DEEPEST) if all(p % divisor for divisor in range(2, p)))


@frozen(eq=False)
class Block:
    """Ranks with weights that are whole multiples of one unit, and the different sums they make.

    Parameters
    ----------
    unit
        The exact number that sums are multiples of.
    ranks
        Which ranks belong to the block, from 1.
    multiples
        How many units a whole gain is worth at each of them.
    sums
        The different sums in ascending order, in units; the first is 0.
    """

    unit: Weight
    ranks: tuple[int, ...]
    multiples: tuple[int, ...]
    sums: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many different sums there are."""
        return len(self.sums)

    @cached_property
    def value(self) -> Decimal:
        """The unit, correct to `DIGITS` digits."""
        low, high = enclosure_of(self.unit, DIGITS)
        with localcontext(prec=DIGITS):
            return (low + high) / 2

    @cached_property
    def floats(self) -> FloatArray:
        """The sums as floats, each rounded once."""
        with localcontext(prec=DIGITS):
            return np.array([float(self.value * units) for units in self.sums])

    def fixed(self, scale: int) -> list[int]:
        """Return the sums times a scale, rounded: each is off by one half at most (and 10**-50)."""
        with localcontext(prec=DIGITS):
            return [int((self.value * units * scale).to_integral_value()) for units in self.sums]

    def sums_of(self, runs: Cells, gains: IntArray) -> IntArray:
        """Return the sum of each of some runs, one a row, in units."""
        columns = np.array(self.ranks) - 1
        return np.asarray(gains[runs[:, columns]] @ np.array(self.multiples, dtype=gains.dtype))

    def places_of(self, runs: Cells, gains: IntArray) -> IntArray:
        """Return where the sum of each of some runs stands among the sums, from 0."""
        return np.searchsorted(np.array(self.sums, dtype=gains.dtype), self.sums_of(runs, gains))


@frozen(eq=False)
class Blocks:
    """The blocks of an additive measure, the largest unit first; together they use every rank once.

    Parameters
    ----------
    gains
        What each grade is worth, as whole numbers.
    irrational
        Whether that no two choices of sums tie rests on the independence of inverse logarithms.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> blocks = Blocks.of([Fraction(1), Fraction(1), inverse_log(3, 2), inverse_log(4, 2)], [0, 1])
    >>> [(block.ranks, block.sums) for block in blocks.blocks], blocks.size
    ([((1, 2, 4), (0, 1, 2, 3, 4, 5)), ((3,), (0, 1))], 12)
    """

    blocks: tuple[Block, ...]
    gains: IntArray
    irrational: bool

    @classmethod
    def of(cls, weights: Sequence[Weight], gains: Sequence[Fraction | int]) -> Blocks | None:
        """Return the blocks of the measure with these weights of ranks and gains of grades.

        None if a weight is a sum of several logarithms, or a block would have too many sums.
        """
        whole = whole_gains(gains)
        families: dict[int, list[tuple[int, Fraction]]] = {}
        root = 2
        for rank, weight in enumerate(weights, 1):
            if isinstance(weight, InverseLogs):
                root, ((base, share), *others) = weight.root, weight.terms
                if others or not isinstance(base, int):
                    return None
            else:
                base, share = 1, weight
            families.setdefault(base, []).append((rank, share))
        blocks = []
        for base, members in families.items():
            block = _block(base, root, members, whole)
            if block is None:
                return None
            blocks.append(block)
        blocks.sort(key=lambda block: -block.value * block.sums[-1])
        return cls(tuple(blocks), np.array(whole, dtype=_dtype(whole, blocks)), len(families) > 1)

    @classmethod
    def by_rank(cls, weights: Sequence[Weight], gains: Sequence[Fraction | int]) -> Blocks:
        """Return one block a rank, for weights of which the caller knows that no two runs tie.

        Runs that differ in gains must differ in value.

        Examples
        --------
        >>> blocks = Blocks.by_rank([Fraction(4, 5) ** i for i in range(3)], [0, 1, 2])
        >>> [(block.ranks, block.unit, block.sums) for block in blocks.blocks][-1], blocks.size
        (((3,), Fraction(16, 25), (0, 1, 2)), 27)
        """
        whole = whole_gains(gains)
        sums = tuple(sorted(set(whole)))
        blocks = [Block(weight, (rank,), (1,), sums) for rank, weight in enumerate(weights, 1)]
        blocks.sort(key=lambda block: -block.value)
        return cls(tuple(blocks), np.array(whole, dtype=_dtype(whole, blocks)), irrational=False)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return prod(block.size for block in self.blocks)


def whole_gains(gains: Sequence[Fraction | int]) -> list[int]:
    """Return gains as whole numbers in the same proportions.

    Examples
    --------
    >>> whole_gains([Fraction(0), Fraction(1, 3), Fraction(1)])
    [0, 1, 3]
    """
    below = lcm(*(Fraction(gain).denominator for gain in gains))
    return [int(Fraction(gain) * below) for gain in gains]


def _block(base: int, root: int, members: list[tuple[int, Fraction]], gains: Sequence[int]) -> Block | None:
    below = lcm(*(share.denominator for _, share in members))
    multiples = tuple(int(share * below) for _, share in members)
    sums = {0}
    for multiple in multiples:
        sums = {total + multiple * gain for total in sums for gain in set(gains)}
        if len(sums) > MANY:
            return None
    share = Fraction(1, below)
    unit: Weight = share if base == 1 else InverseLogs(root, ((base, share),))
    return Block(unit, tuple(rank for rank, _ in members), multiples, tuple(sorted(sums)))


def _dtype(gains: Sequence[int], blocks: Sequence[Block]) -> type:
    """Return a kind of number that holds every sum."""
    largest = max([*gains, *(block.sums[-1] for block in blocks), *(m for block in blocks for m in block.multiples)])
    return np.int64 if largest < 1 << 62 else object


def independent_ranks(weights: Sequence[Fraction], gains: Sequence[Fraction | int]) -> list[tuple[int, ...]]:
    """Return groups of ranks such that two runs tie only if they agree on the sum of every group.

    Examples
    --------
    >>> independent_ranks([Fraction(4, 5) ** rank for rank in range(4)], [0, 1])
    [(1,), (2,), (3,), (4,)]
    >>> independent_ranks([Fraction(1, rank) for rank in range(1, 8)], [0, 1])
    [(4,), (5,), (7,), (1, 2, 3, 6)]
    """
    sums = WholeSums.of(weights, gains)
    left = {rank: weight for rank, weight in enumerate(sums.weights, 1) if weight}
    groups = []
    none = tuple(rank for rank, weight in enumerate(sums.weights, 1) if not weight)
    while left:
        group = next((ranks for ranks in _candidates(left) if _stands_alone(ranks, left, sums.gains)), tuple(left))
        groups.append(group)
        left = {rank: weight for rank, weight in left.items() if rank not in group}
    return [*groups, none] if none else groups


def independent_blocks(weights: Sequence[Fraction], gains: Sequence[Fraction | int]) -> Blocks | None:
    """Return rational weights as independent blocks, or None if one of them has too many sums.

    Examples
    --------
    >>> independent_blocks([Fraction(1, rank) for rank in range(1, 8)], [0, 1]).size
    104
    """
    if len(weights) > DEEPEST:
        return None
    least = min(gains)
    gains = [gain - least for gain in gains]
    blocks: list[Block] = []
    whole = np.array(whole_gains(gains), dtype=np.int64)
    for ranks in independent_ranks(weights, gains):
        alone = Blocks.of([weights[rank - 1] for rank in ranks], gains)
        if alone is None:
            return None
        blocks += [evolve(block, ranks=ranks) for block in alone.blocks]
        if alone.gains.dtype == object:
            whole = alone.gains
    blocks.sort(key=lambda block: -block.value * block.sums[-1])
    return Blocks(tuple(blocks), whole, irrational=False)


def _candidates(left: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Return ranks, then groups of ranks with the smallest power of a prime, that may stand alone."""
    yield from ((rank,) for rank in left)
    for prime in reversed(PRIMES):
        powers = {rank: _power(weight, prime) for rank, weight in left.items()}
        least = min(powers.values())
        group = tuple(rank for rank, power in powers.items() if power == least)
        if 1 < len(group) < len(left):
            yield group


def _power(number: int, prime: int) -> int:
    power = 0
    while number % prime == 0:
        number //= prime
        power += 1
    return power


def _stands_alone(ranks: tuple[int, ...], left: dict[int, int], gains: Sequence[int]) -> bool:
    if len(ranks) == len(left):
        return True
    own = gcd(*(left[rank] for rank in ranks))
    others = gcd(*(weight for rank, weight in left.items() if rank not in ranks))
    divisor = others // gcd(others, own)
    if len(ranks) == 1:
        return all(one == other or (one - other) % divisor for one in gains for other in gains)
    return (max(gains) - min(gains)) * sum(abs(left[rank]) for rank in ranks) // own < divisor
