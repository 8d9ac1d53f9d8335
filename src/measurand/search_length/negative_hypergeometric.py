"""The negative hypergeometric distribution: the search within one rank.

Documents of one rank are inspected in random order. The number of nonrelevant ones before the one that ends the
search is negative hypergeometric, also known as beta-binomial. Quantiles are found with floats, certified, and decided
exactly where floats cannot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, lgamma, log

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import rational

IN_MEMORY = 20_000_000
"""Up to so many probabilities are held in memory at once."""

PRECISION = 192
"""Bits behind the point of the whole numbers that stand in for probabilities where floats are too coarse."""

CHEAP = 2000
"""Up to so many documents of one kind or on one side, exact sums are quicker than anything else."""

TINY = 1e-290
"""What floats that are too small to be distinguished from 0 add up to, and more."""


@frozen
class NegativeHypergeometric:
    r"""A search that ends within a rank of `relevant` and `nonrelevant` documents, at the `sought`-th relevant one.

    With r relevant and n nonrelevant documents, k nonrelevant ones come before the s-th relevant one with probability

    .. math:: P(x_k) = \binom{k+s-1}{k} \binom{n-k+r-s}{n-k} \Big/ \binom{n+r}{n}, \qquad k = 0, \dots, n.

    Examples
    --------
    >>> search = NegativeHypergeometric(relevant=2, nonrelevant=3, sought=1)
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


def quantile(search: NegativeHypergeometric, share: Fraction) -> int:
    """Return the least number of nonrelevant documents that a search does not exceed with probability `share`.

    Floats say between which numbers the answer lies, with bounds for all their rounding; usually that is one number.
    Where a probability is too close to the share, more digits narrow it down, and exact whole numbers decide.

    Examples
    --------
    >>> quantile(NegativeHypergeometric(relevant=3, nonrelevant=999_999, sought=2), Fraction(1, 2))
    499999
    """
    if share in (0, 1):
        return 0 if share == 0 else search.nonrelevant
    if share == Fraction(1, 2) and (middle := _middle(search)) is not None:
        return middle
    low, high = _by_floats(search, share)
    if low < high and min(_sides(search, low)) > CHEAP:
        low, high = _by_long_numbers(search, share)
    return bisect_left(range(high), True, lo=low, key=lambda k: _reaches(search, k, share))


def as_share(share: object) -> Fraction:
    """Return a share from 0 to 1 as an exact fraction.

    Examples
    --------
    >>> as_share(0.05)
    Fraction(1, 20)
    """
    read = rational(share)
    if not 0 <= read <= 1:
        raise ParameterError(f"a quantile is asked for at a share from 0 to 1, not {share!r}")
    return read


def _middle(search: NegativeHypergeometric) -> int | None:
    """Return the median where symmetry gives it: there a probability can be 1/2 just so, which takes longest to see."""
    if 2 * search.sought == search.relevant + 1:
        # read backwards, the rank is the same search
        return search.nonrelevant // 2
    if search.relevant == search.nonrelevant:
        # with + and - exchanged, at least s of the first 2s - 1 documents are relevant as often as not
        return search.sought - 1
    return None


def _by_floats(search: NegativeHypergeometric, share: Fraction) -> tuple[int, int]:
    """Return the least numbers that can reach the share, and that must, for all that rounding may have done."""
    below = np.cumsum(search.floats())
    # four roundings a step of the products, one a step of the sums, and as much again in the total that divides
    rounding = 12 * len(below) * 2.0**-53
    wanted = float(share)
    can = int(np.searchsorted(below * (1 + rounding) + TINY, wanted))
    must = int(np.searchsorted(below * (1 - rounding) - TINY, wanted))
    last = search.nonrelevant
    return min(can, last), min(must, last)


def _by_long_numbers(search: NegativeHypergeometric, share: Fraction) -> tuple[int, int]:
    """Return the same from whole numbers of many bits."""
    r, n, s = search.relevant, search.nonrelevant, search.sought
    mode = search.mode
    up, down = [1 << PRECISION], [1 << PRECISION]
    for k in range(mode, n):
        up.append(up[-1] * ((k + s) * (n - k)) // ((k + 1) * (n - k + r - s)))
    for k in range(mode, 0, -1):
        down.append(down[-1] * (k * (n - k + 1 + r - s)) // ((k - 1 + s) * (n - k + 1)))
    below = list(accumulate([*down[:0:-1], *up]))
    # each step away from the mode loses less than 1, and what was lost only shrinks, for no ratio is above 1
    lost = (n + 1) ** 2
    can = bisect_left(below, share * below[-1] - lost)
    must = bisect_left(below, share * (below[-1] + lost))
    return min(can, n), min(must, n)


def _reaches(search: NegativeHypergeometric, k: int, share: Fraction) -> bool:
    """Return whether at most `k` nonrelevant documents are met with probability `share` or more, exactly.

    At most k are met if and only if at least s of the first k + s documents are relevant, which is hypergeometric.
    Of the two ways to count it, and of the two sides of s, the cheaper is taken.
    """
    r, n, s = search.relevant, search.nonrelevant, search.sought
    first, rest = k + s, n + r - k - s
    fewer, enough = range(max(0, first - n), s), range(s, min(r, first) + 1)
    terms = min(fewer, enough, key=len)
    one, other, drawn = (r, n, first) if min(first, rest) < min(r, n) else (first, rest, r)
    ways = comb(one, terms.start) * comb(other, drawn - terms.start) if terms else 0
    part = 0
    for j in terms:
        part += ways
        ways = ways * ((r - j) * (first - j)) // ((j + 1) * (n - first + j + 1))
    total = comb(n + r, drawn)
    below = total - part if terms is fewer else part
    return below * share.denominator >= share.numerator * total


def _sides(search: NegativeHypergeometric, k: int) -> tuple[int, int, int, int]:
    """Return how many documents are relevant, nonrelevant, among the first k + s, and after them."""
    first = k + search.sought
    return search.relevant, search.nonrelevant, first, search.relevant + search.nonrelevant - first
