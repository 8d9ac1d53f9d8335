"""Lotteries: exact probabilities of the number of nonrelevant documents that a search costs.

A `Lottery` can be mixed and convolved. A `LongLottery` is that of a search within a very large rank: it has closed
forms, and computes a probability when it is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd, lcm, sqrt
from sys import maxsize
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.data import exact_number
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import LARGEST, rational, shown, spell, whole_number, with_fraction
from measurand.search_length.negative_hypergeometric import NegativeHypergeometric, as_share, quantile

FEW = 5000
"""Up to so many pairs are simply compared, one by one."""

SPELLED_OUT = 24
"""How many numbers a lottery may have, and how many digits its probabilities, to be spelled out whole."""

AT_HAND = 1000
"""Up to so many nonrelevant documents in its rank, the probabilities of a search are kept at hand."""

TOO_MANY_DIGITS = 10**9
"""With more digits than this in all its probabilities, a lottery does not spell them out one after another."""


BARS, RARE = 20, 1e-4
"""Longer lotteries are drawn by ranges of numbers; the bars at both ends take in what is rarer than this."""

LONGEST, DIGITS = 1000, 1000
"""Lotteries with more numbers than this, or more digits of probabilities, are left out of data."""

Bar = tuple[str, str, float]
"""Numbers of documents, their probability in words, and as a number."""


def convolution(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    r"""Return in how many ways each sum comes up, from the ways of each summand.

    .. math:: c_k = \sum_{i + j = k} a_i b_j

    Examples
    --------
    >>> convolution({0: 1, 5: 2}, {1: 3})
    {1: 3, 6: 6}
    """
    pairs = len(one) * len(other)
    places = max(one) - min(one) + max(other) - min(other) + 1
    if pairs > FEW and pairs > 10 * places:
        rows = [[ways.get(k, 0) for k in range(min(ways), max(ways) + 1)] for ways in (one, other)]
        return dict(enumerate(_of_rows(*rows), min(one) + min(other)))
    sums: defaultdict[int, int] = defaultdict(int)
    for i, a in one.items():
        for j, b in other.items():
            sums[i + j] += a * b
    return dict(sums)


def _of_rows(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the convolution of two rows of whole numbers from 0 up.

    The rows are written as the digits of two numbers, with room for every sum, and the numbers are multiplied
    (Kronecker's substitution). `decimal` multiplies by a number theoretic transform: 1000 × 1000 numbers of 600
    digits each take a fraction of a second.
    """
    width = len(_digits(max(one) * max(other) * min(len(one), len(other))))
    places = len(one) + len(other) - 1
    context = Context(prec=width * (places + 1), Emax=MAX_EMAX, Emin=MIN_EMIN)
    product = context.multiply(_number(one, width, context), _number(other, width, context))
    text = format(product, "f").zfill(width * places)
    return [int(Decimal(text[at : at + width])) for at in range(0, width * places, width)]


def _number(row: Sequence[int], width: int, context: Context) -> Decimal:
    """Return the number whose digits are those of the row, `width` digits to an entry."""
    return context.create_decimal("".join(_digits(entry).zfill(width) for entry in row))


def _digits(entry: int) -> str:
    # by way of Decimal, because Python refuses to spell whole numbers of more than 4300 digits
    return format(Decimal(entry), "f")


class Lottery(Result, Mapping[int, Fraction]):
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

    __slots__ = ("_hash", "_tickets", "_total")

    # a lottery is kept as whole numbers of tickets without a common divisor: arithmetic stays cheap, and two
    # lotteries are equal if and only if their tickets are
    _tickets: Mapping[int, int]
    _total: int
    _hash: int

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

        Parameters
        ----------
        k
            The number.

        Examples
        --------
        >>> Lottery.sure(3)
        Lottery({3: 1})
        """
        return Lottery({k: 1})

    @classmethod
    def uniform(cls, *numbers: int) -> Lottery:
        """Return the lottery in which each of some numbers has the same chance.

        Parameters
        ----------
        *numbers
            The numbers, each with the same probability.

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

        Parameters
        ----------
        weights
            A whole number for each number that can come up.

        Examples
        --------
        >>> Lottery.weighted({0: 1, 1: 3})
        Lottery({0: 0.25, 1: 0.75})
        """
        read = {
            whole_number("a number of documents", k, 0): whole_number("a weight", weight, 0, high=LARGEST)
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
        # what a lottery knows without its probabilities, so that equal lotteries of every kind have equal hashes;
        # once, because preferences remember their answers by lotteries
        if not hasattr(self, "_hash"):
            self._hash = hash((self.low, self.high, self.mean, self.variance))
        return self._hash

    def __repr__(self) -> str:
        if len(self) > SPELLED_OUT or self.total > 10**SPELLED_OUT:
            return self.shortened()
        return f"Lottery({{{', '.join(f'{k}: {spell(p)}' for k, p in self.items())}}})"

    def document(self) -> Document:
        """Return the numbers that can come up with their probabilities, and the mean.

        Examples
        --------
        >>> print(Lottery({0: "1/4", 2: "3/4"}).document().sentences[0])
        Mean 3/2 = 1.5, standard deviation 0.866.
        """
        said = f"Mean {with_fraction(self.mean)}, standard deviation {sqrt(self.variance):.4g}."
        return Document([lottery_view(self), said])

    def to_dict(self) -> dict[str, Any]:
        """Return the probabilities by number, exact ones as text beside floats, and the mean; None if they are long."""
        short = self if len(self) <= LONGEST and self.total <= 10**DIGITS else None
        found = short and {str(k): exact_number(p) for k, p in short.items()}
        return {"mean": exact_number(self.mean), "variance": exact_number(self.variance), "probabilities": found}

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
        r"""Return the expectation of a function of the number that comes up.

        .. math:: E(f, P) = \sum_k f(x_k)\, P(x_k)

        The function answers in numbers that `rational` reads: floats stand for their shortest spelling.

        Parameters
        ----------
        function
            The function.

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

        Parameters
        ----------
        share
            A probability from 0 to 1, read as written.

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

        Parameters
        ----------
        other
            Another lottery.
        alpha
            The probability of this lottery, read as written.

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
        r"""Return the lottery of the sum of two independent searches.

        .. math:: (P * Q)(x_k) = \sum_{r + t = k} P(x_r)\, Q(x_t)

        Parameters
        ----------
        other
            Another lottery.

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
    >>> lottery = LongLottery(5, NegativeHypergeometric(relevant=3, nonrelevant=10**6, sought=1))
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
    search: NegativeHypergeometric

    def __init__(self, before: int, search: NegativeHypergeometric) -> None:
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


def lottery_view(lottery: Lottery) -> TableView:
    """Return the numbers of a lottery with their probabilities, as a table with bars.

    Parameters
    ----------
    lottery
        The lottery; where it has many numbers, they are shown in ranges.

    Examples
    --------
    >>> [row[:2] for row in lottery_view(Lottery({0: "1/4", 2: "3/4"})).cells]
    [['0', '1/4 = 0.25'], ['2', '3/4 = 0.75']]
    """
    bars = _bars(lottery)
    highest = max(share for _, _, share in bars)
    columns = [
        Column("nonrelevant", 0, wrap="no"),
        Column("probability", 1, left=True, value=lambda bar: bar[2]),
        Column("", lambda bar: bar[2] / highest, left=True, bar=True),
    ]
    # ranges of numbers are text
    numbers = lottery if len(lottery) <= BARS else [bar[0] for bar in bars]
    records = [{"nonrelevant": k, "probability": bar[2]} for k, bar in zip(numbers, bars, strict=True)]
    return TableView(columns, bars, records=records)


def _bars(lottery: Lottery) -> list[Bar]:
    """Return a bar for each number, or for each of some ranges of numbers where there are many."""
    if len(lottery) <= BARS:
        return [(f"{k:,}", with_fraction(p), float(p)) for k, p in lottery.items()]
    floats, first = lottery.floats(), lottery.low
    sums = floats.cumsum()
    # one bar for all that is rare at either end, and bars of one width for what lies between
    low, high = (int(place) for place in sums.searchsorted([RARE, sums[-1] - RARE]))
    step = -(-(high - low + 1) // (BARS - 2))
    edges = sorted({0, *range(low, high + 1, step), high + 1, len(floats)})
    shares = [(start, end, float(floats[start:end].sum())) for start, end in pairwise(edges) if start < end]
    return [(_range(first + start, first + end - 1), f"{share:.4f}", share) for start, end, share in shares]


def _range(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def lottery_of(before: int, search: NegativeHypergeometric) -> Lottery:
    """Return the lottery of a search within a rank that `before` nonrelevant documents precede.

    Examples
    --------
    >>> lottery_of(1, NegativeHypergeometric(relevant=2, nonrelevant=3, sought=1))
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
