r"""Rational weights whose sums cannot make up for each other, by divisibility.

Let whole weights be given, :math:`G` some of the ranks, :math:`g` the greatest common divisor of their weights and
:math:`M` that of all the other weights. Two runs that tie differ by gains :math:`c_i` with
:math:`\sum_i c_i w_i = 0`, so that :math:`\sum_{i \in G} c_i w_i / g` is divisible by :math:`M / \gcd(M, g)`. If it
is always too small for that unless it is 0, runs that tie have the same sum over :math:`G`, and therefore also over
the other ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd

import numpy as np
from attrs import evolve

from measurand.rulers.closed.whole_sums import WholeSums
from measurand.rulers.sums.blocks import Block, Blocks, whole_gains

DEEPEST = 200
"""No more ranks than this are searched."""

PRIMES = tuple(p for p in range(2, DEEPEST) if all(p % divisor for divisor in range(2, p)))


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
