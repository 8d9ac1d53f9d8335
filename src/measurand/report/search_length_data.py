"""The search through a result with ties, as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from measurand.search_length import WeakOrder

LONGEST = 1000
"""Lotteries with more numbers than this are left out."""


def search_data(order: WeakOrder, wanted: Sequence[int]) -> dict[str, Any]:
    """Return how long it takes to find so many relevant documents in a result with ties; exact numbers as text.

    Parameters
    ----------
    wanted
        Numbers of relevant documents; for none, each that can be found.

    Examples
    --------
    >>> data = search_data(WeakOrder.parse("+-|+--|++---"), [2])
    >>> data["searches"][0]["esl"], data["searches"][0]["lottery"]
    ('2', {'1': '1/3', '2': '1/3', '3': '1/3'})
    """
    return {
        "result": str(order),
        "ranks": [[rank.relevant, rank.nonrelevant] for rank in order.ranks],
        "searches": [_search(order, i) for i in wanted or range(1, order.relevant + 1)],
    }


def _search(order: WeakOrder, i: int) -> dict[str, Any]:
    lottery = order.search_length(i)
    known = {str(k): str(p) for k, p in lottery.items()} if len(lottery) <= LONGEST else None
    return {
        "i": i,
        "esl": str(lottery.mean),
        "mean": float(lottery.mean),
        "variance": str(lottery.variance),
        "median": lottery.quantile("1/2"),
        "lottery": known,
    }
