"""Realisation: which lotteries are those of a search in some weak order, and of which."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import frozen

from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.errors import ParameterError
from measurand.exact import shown, whole_number
from measurand.search_length.lottery import LongLottery, Lottery, lottery_of
from measurand.search_length.negative_hypergeometric import NegativeHypergeometric
from measurand.search_length.weak_order import WeakOrder


@frozen(repr=False)
class Realisation(Result):
    """Whether a lottery is that of a search: truthy, with a weak order, or with the reason why there is none.

    Parameters
    ----------
    order
        A weak order in which the search has just this lottery, if there is one.
    why
        One sentence that says how, or why not.

    Examples
    --------
    >>> bool(Realisation(None, "7 cannot come up although 6 and 8 can"))
    False
    """

    order: WeakOrder | None
    why: str

    def __str__(self) -> str:
        return self.why if self.order is None else f"{self.order}: {self.why}"

    def document(self) -> Document:
        """Return whether there is a weak order, and which."""
        order = None if self.order is None else str(self.order)
        return Document([facts([("realised", bool(self)), ("order", order), ("why", self.why)])])

    def __bool__(self) -> bool:
        return self.order is not None


def realise(lottery: Lottery, i: int) -> WeakOrder | None:
    """Return a weak order in which the search for `i` relevant documents has this lottery, or None.

    Parameters
    ----------
    lottery
        A lottery of numbers of nonrelevant documents.
    i
        The number of relevant documents that are sought.

    Examples
    --------
    >>> print(realise(Lottery({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}), 1))
    -|++---
    >>> realise(Lottery.uniform(1, 3), 1) is None
    True

    See Also
    --------
    realisation : the same with the reason

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    return realisation(lottery, i).order


def realisation(lottery: Lottery, i: int) -> Realisation:
    r"""Return whether a lottery is that of a search for `i` relevant documents, and why.

    The least and the greatest number say how many nonrelevant documents b precede the rank in which the search ends
    and how many n it holds; mean and variance then leave one choice of its r relevant documents and of the s-th of
    them that ends the search,

    .. math:: r = \frac{n - 1}{v - 1} - 2, \quad s = \frac{\mu - b}{n} (r + 1), \quad
        v = \frac{n \sigma^2}{(\mu - b)(n - \mu + b)},

    and its lottery is compared with the given one exactly. With n = 1 there are many choices; the one with the
    least s is taken. What can be realised for `i` can be realised for `i + 1`.

    Parameters
    ----------
    lottery
        A lottery of numbers of nonrelevant documents.
    i
        The number of relevant documents that are sought.

    Examples
    --------
    >>> print(realisation(Lottery({0: "3/5", 1: "2/5"}), 2).order)
    ++++-
    >>> print(realisation(Lottery({0: "1/2", 1: "1/4", 2: "1/4"}), 9).why)
    the probabilities are not log-concave: that of 1 squared is less than the product of those of 0 and 2

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    wanted = whole_number("i, how many relevant documents are wanted,", i)
    if not isinstance(lottery, Lottery):
        raise ParameterError(f"a lottery is wanted, not {lottery!r}; write Lottery({{0: '1/2', 1: '1/2'}})")
    if lottery.low == lottery.high:
        order = WeakOrder([*([(0, lottery.low)] if lottery.low else []), (wanted, 0)])
        return Realisation(order, f"{lottery.low} nonrelevant documents precede all relevant ones")
    broken = "" if isinstance(lottery, LongLottery) else _gap(lottery) or _dent(lottery)
    if broken:
        return Realisation(None, broken)
    search = lottery.search if isinstance(lottery, LongLottery) else _candidate(lottery)
    if search is None or lottery_of(lottery.low, search) != lottery:
        return Realisation(None, _no_rank(lottery))
    ends = f"the search ends at relevant document {search.sought} of a rank with {search.relevant} of them"
    if search.sought > wanted:
        return Realisation(None, f"{ends}, so that it is a search for {search.sought} documents at least")
    earlier = (wanted - search.sought, lottery.low)
    rank = (search.relevant, search.nonrelevant)
    return Realisation(WeakOrder([earlier, rank] if any(earlier) else [rank]), ends)


def _gap(lottery: Lottery) -> str:
    """Return where the support has a gap, in words: any number of a rank's nonrelevant documents may come first."""
    gap = next(((k, after) for k, after in pairwise(lottery) if after > k + 1), None)
    return f"{gap[0] + 1} cannot come up although {gap[0]} and {gap[1]} can" if gap else ""


def _dent(lottery: Lottery) -> str:
    """Return where the probabilities are not log-concave, in words."""
    tickets = dict(lottery.tickets())
    for k in range(lottery.low + 1, lottery.high):
        if tickets[k] ** 2 < tickets[k - 1] * tickets[k + 1]:
            return (
                f"the probabilities are not log-concave: that of {k} squared is less than the product of those of "
                f"{k - 1} and {k + 1}"
            )
    return ""


def _candidate(lottery: Lottery) -> NegativeHypergeometric | None:
    """Return the only search (or, in a rank with one nonrelevant document, the first) with this mean and variance."""
    n = lottery.high - lottery.low
    share = (lottery.mean - lottery.low) / n
    if n == 1:
        return NegativeHypergeometric(share.denominator - 1, 1, share.numerator)
    excess = lottery.variance / (n * share * (1 - share)) - 1
    if excess <= 0:
        return None
    relevant = Fraction(n - 1) / excess - 2
    sought = share * (relevant + 1)
    if relevant.denominator != 1 or sought.denominator != 1 or not 1 <= sought <= relevant:
        return None
    return NegativeHypergeometric(int(relevant), n, int(sought))


def _no_rank(lottery: Lottery) -> str:
    n = lottery.high - lottery.low
    return (
        f"no rank with {n} nonrelevant documents, whatever the number of relevant ones, has a search with these "
        f"probabilities (mean {shown(lottery.mean - lottery.low)} and variance {shown(lottery.variance)} within it)"
    )
