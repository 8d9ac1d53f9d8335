"""Lotteries: how many nonrelevant documents a search costs, when chance has a say in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.exact import rational, shown, spell, whole_number
from measurand.search_length.convolution import convolution
from measurand.search_length.quantiles import as_share

SPELLED_OUT = 24
"""How many numbers a lottery may have, and how many digits its probabilities, to be spelled out whole."""


class Lottery(Mapping[int, Fraction]):
    r"""Numbers of nonrelevant documents with exact probabilities: a simple probability measure.

    It maps every number :math:`k` that can come up to its probability :math:`P(x_k) > 0`; the probabilities add up
    to 1 exactly. Decimals are read as written: `0.1` is 1/10.

    Examples
    --------
    >>> lottery = Lottery({1: "1/3", 2: "1/3", 3: "1/3"})
    >>> lottery.mean, lottery[2], lottery.support
    (Fraction(2, 1), Fraction(1, 3), (1, 2, 3))

    References
    ----------
    [BollmannRaghavan1988]_, definition 3.1
    """

    __slots__ = ("_tickets", "_total")

    # a lottery is kept as whole numbers of tickets without a common divisor: arithmetic stays cheap, and two
    # lotteries are equal if and only if their tickets are
    _tickets: Mapping[int, int]
    _total: int

    def __init__(self, probabilities: Mapping[int, Any]) -> None:
        if not isinstance(probabilities, Mapping):
            raise ParameterError(
                f"a lottery is made from numbers with probabilities, like {{0: '1/2', 1: '1/2'}}, not {probabilities!r}"
            )
        read = {whole_number("a number of documents", k, 0): rational(p) for k, p in probabilities.items()}
        below = [k for k, p in read.items() if p < 0]
        if below:
            raise ParameterError(f"the probability of {below[0]} is {read[below[0]]}; probabilities are 0 or more")
        whole = lcm(*(p.denominator for p in read.values()))
        tickets = {k: p.numerator * (whole // p.denominator) for k, p in sorted(read.items()) if p}
        if sum(tickets.values()) != whole:
            total = _for_people(Fraction(sum(tickets.values()), whole))
            raise ParameterError(f"the probabilities add up to {total}, not to 1; write thirds as '1/3'")
        self._tickets, self._total = tickets, whole

    @classmethod
    def sure(cls, k: int) -> Lottery:
        """Return the lottery in which `k` comes up for certain.

        Examples
        --------
        >>> Lottery.sure(3)
        Lottery({3: 1})
        """
        return Lottery({k: 1})

    @classmethod
    def uniform(cls, *numbers: int) -> Lottery:
        """Return the lottery in which each of some numbers has the same chance.

        Examples
        --------
        >>> Lottery.uniform(0, 1).mean
        Fraction(1, 2)
        """
        read = [whole_number("a number of documents", k, 0) for k in numbers]
        if not read or len(set(read)) < len(read):
            raise ParameterError(f"{numbers} are not different numbers to choose from")
        return Lottery.weighted(dict.fromkeys(read, 1))

    @classmethod
    def weighted(cls, weights: Mapping[int, int]) -> Lottery:
        """Return the lottery with probabilities in proportion to whole numbers: so many tickets each.

        Examples
        --------
        >>> Lottery.weighted({0: 1, 1: 3})
        Lottery({0: 0.25, 1: 0.75})
        """
        read = {
            whole_number("a number of documents", k, 0): whole_number("a weight", weight, 0)
            for k, weight in sorted(weights.items())
        }
        divisor = gcd(*read.values())
        if not divisor:
            raise ParameterError(f"the weights {weights!r} are all 0; something must come up")
        lottery = Lottery.__new__(Lottery)
        lottery._tickets = {k: weight // divisor for k, weight in read.items() if weight}
        lottery._total = sum(lottery._tickets.values())
        return lottery

    def __getitem__(self, k: int) -> Fraction:
        return Fraction(self._tickets[k], self._total)

    def __iter__(self) -> Iterator[int]:
        return iter(self._tickets)

    def __len__(self) -> int:
        return len(self._tickets)

    def __eq__(self, other: object) -> bool:
        if type(other) is Lottery:
            return self._tickets == other._tickets
        return super().__eq__(other)

    def __hash__(self) -> int:
        # what a lottery knows without its probabilities, so that equal lotteries of every kind have equal hashes
        return hash((self.low, self.high, self.mean, self.variance))

    def __repr__(self) -> str:
        if len(self) > SPELLED_OUT or self.total > 10**SPELLED_OUT:
            return self.shortened()
        return f"Lottery({{{', '.join(f'{k}: {spell(p)}' for k, p in self.items())}}})"

    def shortened(self) -> str:
        """Return a description in a line, however long the lottery is."""
        return f"<Lottery: {len(self)} numbers from {self.low} to {self.high}, mean {shown(self.mean)}>"

    def tickets(self) -> Iterator[tuple[int, int]]:
        """Return each number with its tickets: whole numbers in proportion to the probabilities, `total` in all.

        Examples
        --------
        >>> list(Lottery({0: "1/3", 4: "2/3"}).tickets())
        [(0, 1), (4, 2)]
        """
        return iter(self._tickets.items())

    @property
    def total(self) -> int:
        """How many tickets there are in all."""
        return self._total

    @property
    def low(self) -> int:
        """The least number that can come up."""
        return next(iter(self))

    @property
    def high(self) -> int:
        """The greatest number that can come up."""
        return next(reversed(self._tickets))

    @property
    def support(self) -> tuple[int, ...]:
        """The numbers that can come up, in ascending order."""
        return tuple(self)

    @property
    def mean(self) -> Fraction:
        """What comes up on average: the expected search length, if this is the lottery of a search."""
        return Fraction(sum(k * tickets for k, tickets in self.tickets()), self.total)

    @property
    def variance(self) -> Fraction:
        """The mean squared distance from the mean.

        Examples
        --------
        >>> Lottery.uniform(1, 2, 3).variance
        Fraction(2, 3)
        """
        return Fraction(sum(k * k * tickets for k, tickets in self.tickets()), self.total) - self.mean**2

    def floats(self) -> FloatArray:
        """Return the probabilities of `support` as floats.

        Examples
        --------
        >>> Lottery({0: "1/4", 3: "3/4"}).floats().tolist()
        [0.25, 0.75]
        """
        return np.array([tickets / self.total for _, tickets in self.tickets()])

    def expectation(self, function: Callable[[int], Any]) -> Fraction:
        r"""Return the mean of any function of what comes up.

        .. math:: E(f, P) = \sum_k f(x_k)\, P(x_k)

        The function answers in numbers that `rational` reads: floats stand for their shortest spelling.

        Examples
        --------
        >>> Lottery.uniform(1, 2, 3).expectation(lambda k: k**2)
        Fraction(14, 3)

        References
        ----------
        [BollmannRaghavan1988]_, definition 3.2
        """
        # one sum for each denominator, because adding fractions is what takes the time
        sums: defaultdict[int, int] = defaultdict(int)
        for k, tickets in self.tickets():
            value = rational(function(k))
            sums[value.denominator] += value.numerator * tickets
        return sum((Fraction(part, below) for below, part in sums.items()), Fraction(0)) / self.total

    def quantile(self, share: object) -> int:
        """Return the least number that is not exceeded with probability `share`.

        Examples
        --------
        >>> Lottery({0: "1/4", 3: "1/4", 5: "1/2"}).quantile(0.5)
        3
        """
        wanted = as_share(share) * self.total
        reached = zip(self, accumulate(tickets for _, tickets in self.tickets()), strict=True)
        return next(k for k, below in reached if below >= wanted)

    def mix(self, other: Lottery, alpha: object) -> Lottery:
        r"""Return the lottery that is this one with probability `alpha`, and else the other.

        .. math:: \alpha P + (1 - \alpha) Q, \qquad 0 < \alpha < 1

        Examples
        --------
        >>> Lottery.sure(100).mix(Lottery.sure(2), "1/100").mean
        Fraction(149, 50)

        References
        ----------
        [BollmannRaghavan1988]_, section 3
        """
        share = rational(alpha)
        if not 0 < share < 1:
            raise ParameterError(f"lotteries are mixed with a share between 0 and 1, not {alpha!r}")
        mixed: defaultdict[int, int] = defaultdict(int)
        parts = [(self.tickets(), _lottery(other), share), (_lottery(other).tickets(), self, 1 - share)]
        for tickets, beside, weight in parts:
            factor = weight.numerator * beside.total
            for k, ours in tickets:
                mixed[k] += factor * ours
        return Lottery.weighted(mixed)

    def convolve(self, other: Lottery) -> Lottery:
        r"""Return the lottery of the sum of two searches that have nothing to do with each other.

        .. math:: (P * Q)(x_k) = \sum_{r + t = k} P(x_r)\, Q(x_t)

        Examples
        --------
        >>> Lottery.uniform(0, 1).convolve(Lottery.uniform(0, 1))
        Lottery({0: 0.25, 1: 0.5, 2: 0.25})

        References
        ----------
        [BollmannRaghavan1988]_, section 4
        """
        return Lottery.weighted(convolution(dict(self.tickets()), dict(_lottery(other).tickets())))

    def __pow__(self, n: int) -> Lottery:
        """Return the lottery of the sum of `n` such searches; of none, nothing is inspected.

        Examples
        --------
        >>> (Lottery.sure(2) ** 3).mean, Lottery.uniform(0, 1) ** 0
        (Fraction(6, 1), Lottery({0: 1}))
        """
        times = whole_number("the power of a lottery", n, 0)
        power = Lottery.sure(0)
        for bit in bin(times)[2:]:
            power = power.convolve(power)
            power = power.convolve(self) if bit == "1" else power
        return power


def _lottery(other: object) -> Lottery:
    if not isinstance(other, Lottery):
        raise ParameterError(f"lotteries are mixed and added with lotteries, not with {other!r}")
    return other


def _for_people(number: Fraction) -> str:
    return str(number) if number.denominator < 10**SPELLED_OUT else shown(number)
