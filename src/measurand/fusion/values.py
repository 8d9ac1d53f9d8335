"""Fused values: one number for each document of a pool, made of the terms of its entries."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import log
from measurand.fusion import fingerprints
from measurand.fusion.settling import in_order
from measurand.fusion.terms import RankTerms, Terms


class Number(Enum):
    """What the number of runs that retrieve a document does to its sum."""

    NOTHING = "nothing"
    TIMES = "times"
    OVER = "over"
    LOG = "log"

    def exact(self, number: int) -> Any:
        """Return the factor exactly."""
        return {
            Number.NOTHING: Fraction(1),
            Number.TIMES: Fraction(number),
            Number.OVER: Fraction(1, number),
            Number.LOG: log(number),
        }[self]

    def floats(self, numbers: IntArray) -> FloatArray:
        """Return the factors rounded."""
        table = np.array([0.0, *(float(self.exact(n)) for n in range(1, int(numbers.max(initial=0)) + 1))])
        return np.asarray(table[numbers])

    def fingerprints(self, numbers: IntArray) -> IntArray:
        """Return the fingerprints of the factors."""
        if self is Number.LOG:
            return fingerprints.of_logs(numbers)
        whole = fingerprints.of_whole(numbers)
        return fingerprints.inverse(whole) if self is Number.OVER else whole


@frozen(eq=False, slots=False)
class Sums:
    """The sum of the terms of a document, times a factor.

    Parameters
    ----------
    number
        What the number of runs that retrieve the document does.
    unretrieved
        For each topic the rank of documents in a run that does not retrieve them; None if they get nothing from it.
    """

    terms: Terms
    number: Number = Number.NOTHING
    unretrieved: IntArray | None = None

    @cached_property
    def floats(self) -> FloatArray:
        """The sums, rounded."""
        pool, terms = self.terms.pool, self.terms
        found = pool.added(terms.floats)
        if self.unretrieved is not None:
            assert isinstance(terms, RankTerms)  # only a rank stands for a missing one
            weights = np.array(terms.weights, dtype=np.float64)
            missing = weights.sum() - pool.added(weights[pool.run])
            found += missing * terms.function.floats(self.unretrieved)[pool.topic]
        return found if self.number is Number.NOTHING else found * self.number.floats(pool.number)

    @cached_property
    def sizes(self) -> FloatArray | None:
        """How large the terms of each sum are; None if nothing cancels."""
        if self.terms.sizes is None:
            return None
        found = self.terms.pool.added(self.terms.sizes)
        return found if self.number is Number.NOTHING else found * self.number.floats(self.terms.pool.number)

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of the sums of some documents."""
        pool, terms = self.terms.pool, self.terms
        entries, starts = pool.entries_of(items)
        found = fingerprints.total(terms.fingerprints(entries), starts)
        if self.unretrieved is not None:
            assert isinstance(terms, RankTerms)
            weights = fingerprints.of_fractions(terms.weights)
            missing = weights.sum(axis=0) - fingerprints.total(weights[pool.run[entries]], starts)
            ranks = terms.function.fingerprints(self.unretrieved)[pool.topic[items]]
            found += fingerprints.times(missing % fingerprints.PRIMES, ranks)
        if self.number is not Number.NOTHING:
            found = found % fingerprints.PRIMES * self.number.fingerprints(pool.number[items])
        return np.asarray(found % fingerprints.PRIMES)

    def exact(self, item: int) -> Any:
        """Return the exact sum of a document."""
        pool, terms = self.terms.pool, self.terms
        entries = pool.entries(item)
        found = sum((terms.exact(entry) for entry in entries), Fraction(0))
        if self.unretrieved is not None:
            assert isinstance(terms, RankTerms)
            missing = sum(terms.weights) - sum(terms.weights[int(pool.run[entry])] for entry in entries)
            found = found + terms.function.exact(int(self.unretrieved[pool.topic[item]])) * missing
        return terms.told_apart(found * self.number.exact(len(entries)))


class Middle(Enum):
    """Which of the terms of a document counts."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    MEDIAN = "median"


@frozen(eq=False, slots=False)
class Middles:
    """The lowest, the highest or the median term of a document: the mean of two of its entries' terms."""

    terms: Terms
    lower: IntArray
    upper: IntArray

    @classmethod
    def of(cls, terms: Terms, middle: Middle) -> Middles:
        """Return the lowest, highest or median terms."""
        pool = terms.pool
        order, _ = in_order(terms, pool.document)  # from the highest term of each document to its lowest
        first, number = pool.starts[:-1], pool.number
        if middle is Middle.MEDIAN:
            return cls(terms, order[first + number // 2], order[first + (number - 1) // 2])
        chosen = order[first + (number - 1 if middle is Middle.LOWEST else 0)]
        return cls(terms, chosen, chosen)

    @cached_property
    def floats(self) -> FloatArray:
        """The values, rounded."""
        return np.asarray(self.terms.floats[self.lower] / 2 + self.terms.floats[self.upper] / 2)

    @cached_property
    def sizes(self) -> FloatArray | None:
        """How large the terms are; None if nothing cancels."""
        sizes = self.terms.sizes
        return None if sizes is None else np.maximum(sizes[self.lower], sizes[self.upper])

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of twice the values of some documents."""
        both = self.terms.fingerprints(self.lower[items]) + self.terms.fingerprints(self.upper[items])
        return np.asarray(both % fingerprints.PRIMES)

    def exact(self, item: int) -> Any:
        """Return the exact value of a document."""
        both = self.terms.exact(int(self.lower[item])) + self.terms.exact(int(self.upper[item]))
        return self.terms.told_apart(both / 2)
