"""The orders of judged runs that there are: five by name, and those that somebody makes of moves.

`check_order` says what `order=` accepts where both can be had; `named_order` is for what is known of the five alone,
and says what takes an order of one's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from measurand.calls import option
from measurand.errors import ParameterError

if TYPE_CHECKING:
    from measurand.judged import Relevance
    from measurand.judged.graded_runs import Run
    from measurand.orders.compare import Comparison
    from measurand.orders.compared_by_moves import Move

ORDERS: Mapping[str, str] = {
    "swap": "down to every rank at least as many documents of every grade or more: replacements and swaps",
    "replacement": "at every rank a grade at least as high: replacements alone",
    "projection": "the higher grade at the first rank where the runs differ; total",
    "set-replacement": "at least as many documents of every grade or more: replacements in a set",
    "set-projection": "more documents of the highest grade where the sets differ; total",
}
"""The orders by name, each with what makes a run better in it."""


class OrderOfRuns(ABC):
    """An order of judged runs that is none of the five with a name; `from_moves` makes one."""

    __slots__ = ()

    name: str

    @abstractmethod
    def explain(self, r: Run, s: Run, relevance: Relevance | None = None) -> Comparison:
        """Return how one run compares with another, and what shows it.

        Parameters
        ----------
        r, s
            Two runs of one length.
        relevance
            The grades there are, where they have labels.
        """

    @abstractmethod
    def chain(self, r: Run, s: Run, relevance: Relevance | None = None) -> list[Move]:
        """Return the moves that lead from one run to another, or refuse where none do.

        Parameters
        ----------
        r, s
            Two runs of one length, `r` no better than `s`.
        relevance
            The grades there are, where they have labels.
        """


AnyOrder = str | OrderOfRuns
"""What `order=` takes: the name of one of the five orders, or an order of one's own."""

TAKE_OWN = (
    "orders of your own go to compare, explain, chain, is_measurement, dominance, balancing_index, balancing_curve and"
    " OwnLattice"
)
"""What takes an order of one's own."""

OWN = "an order of your own, measurand.orders.from_moves(…)"
"""What orders there are beside those with a name."""


def check_order(order: AnyOrder) -> None:
    """Refuse what is neither the name of an order nor an order of one's own.

    Examples
    --------
    >>> check_order("swap")
    >>> check_order("swop")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: order must be one of 'swap', 'replacement', 'projection', 'set-replacement',
    'set-projection', or an order of your own, measurand.orders.from_moves(…), not 'swop'; did you mean 'swap'?
    """
    if not isinstance(order, OrderOfRuns):
        option("order", order, ORDERS, OWN)


def named_order(order: AnyOrder, instead: str = "") -> str:
    """Return the name of one of the five orders, or refuse, also an order of one's own.

    Parameters
    ----------
    order
        An order.
    instead
        What to do with an order of one's own; by default what takes one is listed.

    Examples
    --------
    >>> named_order("swap")
    'swap'
    """
    if isinstance(order, OrderOfRuns):
        known = f"this is known for {', '.join(map(repr, ORDERS))}, not for {order.name!r}"
        raise ParameterError(f"{known}; {instead or TAKE_OWN}")
    return option("order", order, ORDERS)


def is_of_sets(order: AnyOrder) -> bool:
    """Return whether an order looks at runs as sets.

    Examples
    --------
    >>> is_of_sets("swap"), is_of_sets("set-projection")
    (False, True)
    """
    return isinstance(order, str) and order.startswith("set-")
