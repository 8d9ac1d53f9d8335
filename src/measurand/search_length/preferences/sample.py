"""The lotteries that a preference is asked about when nobody says which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from measurand.errors import NotAvailable, ParameterError
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.preference import Preference

LONGEST = 10_000
"""Lotteries that are to be mixed and summed have so many numbers at most."""


def as_lottery(value: Any) -> Lottery:
    """Return a lottery, or the one that a number or a dictionary stands for.

    Examples
    --------
    >>> as_lottery(2), as_lottery({0: "1/2", 1: "1/2"})
    (Lottery({2: 1}), Lottery({0: 0.5, 1: 0.5}))
    """
    if isinstance(value, Lottery):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return Lottery.sure(int(value))
    if isinstance(value, Mapping):
        return Lottery(value)
    raise ParameterError(f"{value!r} is not a lottery; write Lottery({{0: '1/2', 2: '1/2'}}), or 3 for 3 for sure")


@lru_cache(maxsize=1)
def telling_lotteries() -> tuple[Lottery, ...]:
    """Return lotteries on which people who do not go by the mean give themselves away.

    Among them are pairs of one mean and different spread, rare long searches, and three that beat each other in a
    circle when the one is preferred that is more often shorter.

    Examples
    --------
    >>> len(telling_lotteries()), telling_lotteries()[3]
    (24, Lottery({0: 0.5, 2: 0.5}))
    """
    small = [0, 1, 2, {0: "1/2", 2: "1/2"}, 10, {0: "3/4", 4: "1/4"}, {0: "9/10", 10: "1/10"}, 3]
    middling = [{1: "1/2", 3: "1/2"}, 5, {0: "1/3", 1: "1/3", 2: "1/3"}, {0: "1/2", 10: "1/2"}, 4, 20]
    cyclic = [dict.fromkeys(numbers, "1/3") for numbers in ((2, 4, 9), (1, 6, 8), (3, 5, 7))]
    skewed = [{2: "99/100", 100: "1/100"}, {0: "2/3", 1: "1/3"}, {1: "4/5", 6: "1/5"}, {0: "1/5", 5: "4/5"}]
    wide = [dict.fromkeys(range(10), "1/10"), {0: "1/16", 1: "1/4", 2: "3/8", 3: "1/4", 4: "1/16"}, 100]
    return tuple(as_lottery(one) for one in (*small, *middling, *cyclic, *skewed, *wide))


@lru_cache(maxsize=1)
def lotteries_of_results() -> tuple[Lottery, ...]:
    """Return lotteries that results with and without ties have, and no other mixtures.

    Examples
    --------
    >>> lotteries_of_results()[-1]
    Lottery({3: '1/6', 4: '1/3', 5: 0.5})
    """
    tied = [{0: "1/2", 1: "1/2"}, {0: "1/3", 1: "1/3", 2: "1/3"}, {0: "2/3", 1: "1/3"}, {0: "1/3", 1: "2/3"}]
    tied += [dict.fromkeys(range(5), "1/5"), {0: "1/2", 1: "1/3", 2: "1/6"}, {0: "1/6", 1: "1/3", 2: "1/2"}]
    shifted = [Lottery(one).convolve(Lottery.sure(b)) for b in (0, 1, 3) for one in tied]
    return (*(Lottery.sure(k) for k in (*range(7), 10, 20)), *shifted)


def sample_for(preference: Preference, lotteries: Iterable[Any] | None = None) -> tuple[Any, ...]:
    """Return the lotteries that were given, or the items of a finite preference, or else the telling ones.

    Examples
    --------
    >>> sample_for(Preference.esl(), [0, 1])
    (Lottery({0: 1}), Lottery({1: 1}))
    """
    if lotteries is None:
        return telling_lotteries() if preference.domain is None else preference.domain
    if isinstance(lotteries, Mapping | str) or not isinstance(lotteries, Iterable):
        raise ParameterError(f"lotteries must be a list of lotteries, not {lotteries!r}")
    known = preference.domain or ()
    items = tuple(dict.fromkeys(one if one in known else as_lottery(one) for one in lotteries))
    if not items:
        raise ParameterError("there is no lottery to ask about; give some, or leave lotteries out")
    return items


def lotteries_for(preference: Preference, lotteries: Iterable[Any] | None = None) -> tuple[Lottery, ...]:
    """Return the lotteries to ask about where they are to be mixed or summed.

    Examples
    --------
    >>> lotteries_for(Preference.esl()) == telling_lotteries()
    True
    """
    if preference.domain is not None:
        raise ParameterError(
            "a preference that is given as pairs says nothing about mixtures and sums of lotteries; "
            "state the pairs to represent(...) or check(...) instead"
        )
    sample = sample_for(preference, lotteries)
    longest = max(map(len, sample))
    if longest > LONGEST and not preference.linear:
        raise NotAvailable(
            f"mixtures and sums of a lottery of {longest} numbers take too long; ask about lotteries of {LONGEST} "
            "numbers at most"
        )
    return sample
