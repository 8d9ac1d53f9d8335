"""The search through a result with ties, as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from measurand.search_length import WeakOrder

LONGEST = 1000
"""Lotteries with more numbers than this are left out, …"""

DIGITS = 1000
"""… and those whose probabilities have more digits."""

SEARCHES = 100
"""So many searches are looked at where none is asked for."""


def search_data(order: WeakOrder, wanted: Sequence[int]) -> dict[str, Any]:
    """Return how long it takes to find so many relevant documents in a result with ties; exact numbers as text.

    Parameters
    ----------
    wanted
        Numbers of relevant documents; for none, each that can be found, up to 100.

    Examples
    --------
    >>> data = search_data(WeakOrder.parse("+-|+--|++---"), [2])
    >>> data["searches"][0]["esl"], data["searches"][0]["lottery"]
    ('2', {'1': '1/3', '2': '1/3', '3': '1/3'})
    """
    every = range(1, min(order.relevant, SEARCHES) + 1)
    return {
        "result": str(order),
        "ranks": [[rank.relevant, rank.nonrelevant] for rank in order.ranks],
        "searches": [_search(order, i) for i in dict.fromkeys(wanted) or every],
    }


def _search(order: WeakOrder, i: int) -> dict[str, Any]:
    lottery = order.search_length(i)
    short = len(lottery) <= LONGEST and lottery.total <= 10**DIGITS
    known = {str(k): str(p) for k, p in lottery.items()} if short else None
    return {
        "i": i,
        "esl": str(lottery.mean),
        "mean": float(lottery.mean),
        "variance": str(lottery.variance),
        "median": lottery.quantile("1/2"),
        "lottery": known,
    }
