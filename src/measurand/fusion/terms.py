"""Terms: what one run adds to a document by the rank at which it has it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import log
from measurand.fusion import fingerprints
from measurand.fusion.pool import Pool


class Terms(Protocol):
    """A number for each entry of a pool."""

    @property
    def pool(self) -> Pool:
        """Whose entries they are."""

    @property
    def floats(self) -> FloatArray:
        """The numbers, rounded."""

    @property
    def sizes(self) -> FloatArray | None:
        """How large the numbers are that each was computed from; None if all have one sign and nothing cancels."""

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of the numbers of some entries."""

    def exact(self, item: int) -> Any:
        """Return the exact number of an entry."""

    def told_apart(self, number: Any) -> Any:
        """Return a number made of terms so that equal ones are known to be equal."""


class OfRank(Protocol):
    """A function of the rank, exactly, as floats and as fingerprints."""

    def exact(self, rank: int) -> Any:
        """Return it exactly."""

    def floats(self, ranks: IntArray) -> FloatArray:
        """Return it rounded."""

    def fingerprints(self, ranks: IntArray) -> IntArray:
        """Return its fingerprints."""


@frozen
class Reciprocal:
    r"""One by a power of the rank, which a constant may make later: :math:`1 / (k + \text{rank})^{q}`.

    Examples
    --------
    >>> Reciprocal(Fraction(60), 1).exact(4)
    Fraction(1, 64)
    """

    k: Fraction
    power: int

    def exact(self, rank: int) -> Fraction:
        """Return it exactly."""
        return 1 / (self.k + rank) ** self.power

    def floats(self, ranks: IntArray) -> FloatArray:
        """Return it rounded."""
        return np.asarray((ranks + float(self.k)) ** -float(self.power))

    def fingerprints(self, ranks: IntArray) -> IntArray:
        """Return its fingerprints."""
        below = (fingerprints.of_whole(ranks) + fingerprints.of_fraction(self.k)) % fingerprints.PRIMES
        found = inverse = fingerprints.inverse(below)
        for _ in range(self.power - 1):
            found = fingerprints.times(found, inverse)
        return found


@frozen
class Itself:
    """The rank itself."""

    def exact(self, rank: int) -> Fraction:
        """Return it exactly."""
        return Fraction(rank)

    def floats(self, ranks: IntArray) -> FloatArray:
        """Return it rounded."""
        return ranks.astype(np.float64)

    def fingerprints(self, ranks: IntArray) -> IntArray:
        """Return its fingerprints."""
        return fingerprints.of_whole(ranks)


@frozen
class Logarithm:
    """The natural logarithm of the rank."""

    def exact(self, rank: int) -> Any:
        """Return it exactly."""
        return log(rank)

    def floats(self, ranks: IntArray) -> FloatArray:
        """Return it rounded."""
        return np.asarray(np.log(ranks))

    def fingerprints(self, ranks: IntArray) -> IntArray:
        """Return its fingerprints."""
        return fingerprints.of_logs(ranks)


@frozen(eq=False, slots=False)
class RankTerms:
    """A function of the rank, times the weight of the run.

    Parameters
    ----------
    ranks
        The rank of each entry.
    weights
        By run; all of one sign.
    """

    pool: Pool
    ranks: IntArray
    weights: tuple[Fraction, ...]
    function: OfRank

    sizes = None

    @cached_property
    def floats(self) -> FloatArray:
        """The terms, rounded."""
        table = self.function.floats(np.arange(1, int(self.ranks.max(initial=0)) + 1))
        found = table[self.ranks - 1]
        if set(self.weights) != {Fraction(1)}:
            found *= np.array(self.weights, dtype=np.float64)[self.pool.run]
        return found

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of the terms of some entries."""
        ranks, which = np.unique(self.ranks[items], return_inverse=True)
        found = self.function.fingerprints(ranks)[which]
        if set(self.weights) == {Fraction(1)}:
            return found
        return fingerprints.times(found, fingerprints.of_fractions(self.weights)[self.pool.run[items]])

    def exact(self, item: int) -> Any:
        """Return the exact term of an entry."""
        return self.function.exact(int(self.ranks[item])) * self.weights[int(self.pool.run[item])]

    def told_apart(self, number: Any) -> Any:
        """Return a sum of terms as it is: it is exact."""
        return number
