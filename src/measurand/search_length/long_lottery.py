"""Lotteries of searches within very large ranks: everything by closed form, nothing before it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from sys import maxsize

from measurand.arrays import FloatArray
from measurand.errors import NotAvailable
from measurand.search_length.lottery import Lottery
from measurand.search_length.quantiles import as_share, quantile
from measurand.search_length.within_rank import WithinRank

AT_HAND = 1000
"""Up to so many nonrelevant documents in its rank, the probabilities of a search are kept at hand."""

TOO_MANY_DIGITS = 10**9
"""With more digits than this in all its probabilities, a lottery does not spell them out one after another."""


class LongLottery(Lottery):
    """The lottery of a search within a rank of so many documents that its probabilities stay unwritten.

    It is a `Lottery` like any other. Mean and variance are exact at once; `floats` takes milliseconds for a million
    documents; a quantile is certified. A single probability is exact, but may have as many digits as the rank has
    documents and then takes its time. Whatever needs all of them (`expectation`, `mix`, `convolve`, `**`) is exact as
    well, as long as they have no more than `TOO_MANY_DIGITS` digits together: a few relevant documents among millions
    (seconds), or tens of thousands of both. Beyond that it is refused; `floats` answers to 9 digits.

    Parameters
    ----------
    before
        How many nonrelevant documents stand before the rank.
    search
        The search within the rank.

    Examples
    --------
    >>> lottery = LongLottery(5, WithinRank(relevant=3, nonrelevant=10**6, sought=1))
    >>> lottery
    <Lottery: 1000001 numbers from 5 to 1000005, mean 2.5e+05>
    >>> lottery.mean, lottery[5], lottery.quantile("1/2")
    (Fraction(250005, 1), Fraction(3, 1000003), 206304)

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """

    __slots__ = ("before", "search")

    before: int
    search: WithinRank

    def __init__(self, before: int, search: WithinRank) -> None:
        self.before, self.search = before, search

    def __getitem__(self, k: int) -> Fraction:
        if k not in self:
            raise KeyError(k)
        return self.search.probability(int(k) - self.before)

    def __contains__(self, k: object) -> bool:
        return k in range(self.low, self.high + 1)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return self.search.nonrelevant + 1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LongLottery):
            # With two nonrelevant documents or more, no two searches have the same mean and variance: the mean fixes
            # s / (r + 1), and given that the variance falls strictly with r.
            return (self.before, self.search) == (other.before, other.search)
        if not isinstance(other, Mapping):
            return NotImplemented
        if len(other) != len(self) or (isinstance(other, Lottery) and hash(other) != hash(self)):
            return False
        # one by one, because most that differ do so soon
        return all(k in other and self[k] == other[k] for k in self)

    __hash__ = Lottery.__hash__

    def __repr__(self) -> str:
        return self.shortened()

    def tickets(self) -> Iterator[tuple[int, int]]:
        """Return each number with its tickets, one of `total` to each arrangement of the rank."""
        if self.search.digits * len(self) > TOO_MANY_DIGITS:
            raise NotAvailable(
                f"the {len(self)} probabilities of a search among {self.search.relevant} relevant and "
                f"{self.search.nonrelevant} nonrelevant documents of one rank have {self.search.digits:.0f} digits "
                f"each; use mean, variance, quantile or floats, which need not spell them out"
            )
        return enumerate(self.search.ways(), self.before)

    @property
    def total(self) -> int:
        """How many tickets there are in all: the arrangements of the rank."""
        return self.search.arrangements

    @property
    def low(self) -> int:
        """The least number that can come up."""
        return self.before

    @property
    def high(self) -> int:
        """The greatest number that can come up."""
        return self.before + self.search.nonrelevant

    @property
    def mean(self) -> Fraction:
        """The mean, by closed form."""
        return self.before + self.search.mean

    @property
    def variance(self) -> Fraction:
        """The variance, by closed form."""
        return self.search.variance

    def floats(self) -> FloatArray:
        """Return the probabilities of `support` as floats; what is below 1e-300 times the greatest may be 0."""
        return self.search.floats()

    def quantile(self, share: object) -> int:
        """Return the least number that is not exceeded with probability `share`, certified."""
        return self.before + quantile(self.search, as_share(share))


def lottery_of(before: int, search: WithinRank) -> Lottery:
    """Return the lottery of a search within a rank that `before` nonrelevant documents precede.

    Examples
    --------
    >>> lottery_of(1, WithinRank(relevant=2, nonrelevant=3, sought=1))
    Lottery({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1})

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    if search.nonrelevant >= maxsize:
        raise NotAvailable(f"a lottery of {search.nonrelevant + 1} numbers is too long; esl and variance are exact")
    if search.nonrelevant > AT_HAND:
        return LongLottery(before, search)
    return Lottery.weighted(dict(enumerate(search.ways(), before)))
