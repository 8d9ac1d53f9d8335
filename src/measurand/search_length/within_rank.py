"""Searching within one rank: the closed form of the lottery of a search.

Documents of one rank are inspected in random order. How many nonrelevant ones are met before the one that ends the
search is negative hypergeometric; statisticians also know it as beta-binomial.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import comb, lgamma, log

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.errors import NotAvailable

IN_MEMORY = 20_000_000
"""Up to so many probabilities are held in memory at once."""


@frozen
class WithinRank:
    r"""A search that ends within a rank of `relevant` and `nonrelevant` documents, at the `sought`-th relevant one.

    With r relevant and n nonrelevant documents, k nonrelevant ones come before the s-th relevant one with probability

    .. math:: P(x_k) = \binom{k+s-1}{k} \binom{n-k+r-s}{n-k} \Big/ \binom{n+r}{n}, \qquad k = 0, \dots, n.

    Examples
    --------
    >>> search = WithinRank(relevant=2, nonrelevant=3, sought=1)
    >>> [str(search.probability(k)) for k in range(4)], search.mean
    (['2/5', '3/10', '1/5', '1/10'], Fraction(1, 1))

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """

    relevant: int
    nonrelevant: int
    sought: int

    @property
    def mean(self) -> Fraction:
        r"""The mean number of nonrelevant documents, :math:`s n / (r + 1)`."""
        return Fraction(self.sought * self.nonrelevant, self.relevant + 1)

    @property
    def variance(self) -> Fraction:
        r"""The variance of that number, :math:`n s (r+1-s) (n+r+1) / ((r+1)^2 (r+2))`."""
        r, n, s = self.relevant, self.nonrelevant, self.sought
        return Fraction(n * s * (r + 1 - s) * (n + r + 1), (r + 1) ** 2 * (r + 2))

    @cached_property
    def arrangements(self) -> int:
        """In how many orders relevant and nonrelevant documents can follow each other."""
        return comb(self.nonrelevant + self.relevant, self.relevant)

    @property
    def digits(self) -> float:
        """About how many decimal digits the number of arrangements has."""
        n, r = self.nonrelevant, self.relevant
        return (lgamma(n + r + 1) - lgamma(n + 1) - lgamma(r + 1)) / log(10)

    def probability(self, k: int) -> Fraction:
        """Return the probability that `k` nonrelevant documents are met."""
        r, n, s = self.relevant, self.nonrelevant, self.sought
        return Fraction(comb(k + s - 1, k) * comb(n - k + r - s, n - k), self.arrangements)

    def ways(self) -> Iterator[int]:
        """Return in how many arrangements 0, 1, … nonrelevant documents are met, each from the one before."""
        r, n, s = self.relevant, self.nonrelevant, self.sought
        ways = comb(n + r - s, n)
        yield ways
        for k in range(n):
            ways = ways * ((k + s) * (n - k)) // ((k + 1) * (n - k + r - s))
            yield ways

    @property
    def mode(self) -> int:
        """A number of nonrelevant documents that none other is likelier than."""
        r, n, s = self.relevant, self.nonrelevant, self.sought
        # the ways grow from k to k + 1 as long as (s - 1)(n - k) > (k + 1)(r - s)
        return min(n, max(0, -(-((s - 1) * n - (r - s)) // (r - 1)))) if r > 1 else 0

    def ratios(self) -> tuple[FloatArray, FloatArray]:
        """Return how the probabilities fall from the mode upwards, and from the mode downwards, step by step."""
        r, n, s = self.relevant, self.nonrelevant, self.sought
        if n > IN_MEMORY:
            raise NotAvailable(
                f"the probabilities of a search among {n} nonrelevant documents of one rank do not fit into memory; "
                "mean and variance are exact without them"
            )
        k = np.arange(n, dtype=float)
        grown, was = (k + s) * (n - k), (k + 1) * (n - k + (r - s))
        return grown[self.mode :] / was[self.mode :], (was[: self.mode] / grown[: self.mode])[::-1]

    def floats(self) -> FloatArray:
        """Return the probabilities of 0, 1, … as floats: what is below 1e-300 times the greatest may be 0.

        They are multiplied up from the mode, where nothing can overflow and what underflows does not count.
        """
        up, down = self.ratios()
        probabilities = np.concatenate((np.cumprod(down)[::-1], [1.0], np.cumprod(up)))
        return np.asarray(probabilities / probabilities.sum())
