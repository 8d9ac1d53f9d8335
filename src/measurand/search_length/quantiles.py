"""Quantiles of a search within a rank: found with floats, certified, and decided exactly where floats cannot."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np

from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.search_length.within_rank import WithinRank

PRECISION = 192
"""Bits behind the point of the whole numbers that stand in for probabilities where floats are too coarse."""

CHEAP = 2000
"""Up to so many documents of one kind or on one side, exact sums are quicker than anything else."""


TINY = 1e-290
"""What floats that are too small to be told from 0 add up to, and more."""


def quantile(search: WithinRank, share: Fraction) -> int:
    """Return the least number of nonrelevant documents that a search does not exceed with probability `share`.

    Floats say between which numbers the answer lies, with bounds for all their rounding; usually that is one number.
    Where a probability is too close to the share, more digits narrow it down, and exact whole numbers decide.

    Examples
    --------
    >>> quantile(WithinRank(relevant=3, nonrelevant=999_999, sought=2), Fraction(1, 2))
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
    """Return a share from 0 to 1 as the fraction that its spelling says.

    Examples
    --------
    >>> as_share(0.05)
    Fraction(1, 20)
    """
    read = rational(share)
    if not 0 <= read <= 1:
        raise ParameterError(f"a quantile is asked for at a share from 0 to 1, not {share!r}")
    return read


def _middle(search: WithinRank) -> int | None:
    """Return the median where symmetry gives it: there a probability can be 1/2 just so, which takes longest to see."""
    if 2 * search.sought == search.relevant + 1:
        # read backwards, the rank is the same search
        return search.nonrelevant // 2
    if search.relevant == search.nonrelevant:
        # with + and - exchanged, at least s of the first 2s - 1 documents are relevant as often as not
        return search.sought - 1
    return None


def _by_floats(search: WithinRank, share: Fraction) -> tuple[int, int]:
    """Return the least numbers that can reach the share, and that must, for all that rounding may have done."""
    below = np.cumsum(search.floats())
    # four roundings a step of the products, one a step of the sums, and as much again in the total that divides
    rounding = 12 * len(below) * 2.0**-53
    wanted = float(share)
    can = int(np.searchsorted(below * (1 + rounding) + TINY, wanted))
    must = int(np.searchsorted(below * (1 - rounding) - TINY, wanted))
    last = search.nonrelevant
    return min(can, last), min(must, last)


def _by_long_numbers(search: WithinRank, share: Fraction) -> tuple[int, int]:
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


def _reaches(search: WithinRank, k: int, share: Fraction) -> bool:
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


def _sides(search: WithinRank, k: int) -> tuple[int, int, int, int]:
    """Return how many documents are relevant, nonrelevant, among the first k + s, and after them."""
    first = k + search.sought
    return search.relevant, search.nonrelevant, first, search.relevant + search.nonrelevant - first
