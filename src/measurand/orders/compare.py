"""The five orders of judged runs: which of two runs is better, and why, or why neither is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from measurand.arrays import BoolArray, IntArray
from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.orders.levels import Levels, Run, exact_grades, refuse_sets, same_length
from measurand.orders.relation import AtRank, Comparison, Count, Relation

ORDERS: Mapping[str, str] = {
    "swap": "down to every rank at least as many documents of every grade or more: replacements and swaps",
    "replacement": "at every rank a grade at least as high: replacements alone",
    "projection": "the higher grade at the first rank where the runs differ; total",
    "set-replacement": "at least as many documents of every grade or more: replacements in a set",
    "set-projection": "more documents of the highest grade where the sets differ; total",
}
"""The orders by name, each with what makes a run better in it."""


def compare(r: Run, s: Run, order: str = "swap", relevance: Relevance | None = None) -> Relation:
    r"""Return how the judged run `r` stands to the judged run `s` of the same length.

    The order "swap", the one of the papers, is

    .. math:: r \preceq s \iff \#\{i \le k : r_i \ge g\} \le \#\{i \le k : s_i \ge g\}
        \text{ for every rank } k \text{ and grade } g;

    "set-replacement" asks for the last rank alone. "replacement" compares rank by rank; "projection" and
    "set-projection" decide at the first difference.

    Parameters
    ----------
    r, s
        Grades, first rank first: numbers, spelled numbers, or labels of `relevance`. Unjudged (-1) and
        missing (-2) documents count as grade 0. Where the order is one of sets, ranks do not matter, and
        a `Multiset` is understood.
    order
        One of `ORDERS`.
    relevance
        The grades there are; others are refused.

    Returns
    -------
    Relation
        Less, equal, greater or incomparable. Runs of different lengths have no relation and are refused.

    Examples
    --------
    >>> str(compare((0, 1, 1, 2, 2), (0, 1, 1, 2, 3)))
    'less'
    >>> str(compare((0, 1, 0, 1, 0), (1, 0, 0, 0, 1)))
    'incomparable'

    Notes
    -----
    The printed rank-based definition compares with the grade at rank k on its right side, which is not
    even reflexive; meant is the grade at rank i, as above.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4; [Giner2022]_, sections 5 and 6
    """
    return explain(r, s, order, relevance).relation


def explain(r: Run, s: Run, order: str = "swap", relevance: Relevance | None = None) -> Comparison:
    """Return how `r` stands to `s`, with the places that show it; the parameters are those of `compare`.

    Examples
    --------
    >>> print(explain((1, 0, 0, 1, 0), (0, 1, 1, 0, 1)).why)
    down to rank 1 the first has 1 document of grade 1 or more against 0, down to rank 3 it has 1 against 2

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4; [Giner2022]_, sections 5 and 6
    """
    check_order(order)
    if not order.startswith("set-"):
        refuse_sets(r, s)
    return _DECIDE[order](Levels.of(r, s, relevance))


def by_gain(r: Run, s: Run, relevance: Relevance) -> Relation:
    r"""Return how two runs stand by their summed grades: a total order that extends "set-replacement".

    .. math:: r \le s \iff \sum_i r_i \le \sum_i s_i

    It is an order of its own: that grades can be added does not make the order by counts total.

    Examples
    --------
    >>> from measurand.scale import Scale
    >>> grades = Relevance.graded(0, 1, 2, 3, scale=Scale.RATIO)
    >>> str(by_gain((0, 1, 1, 2, 2), (0, 1, 1, 1, 3), grades))
    'equal'

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4.1
    """
    first, second = exact_grades(r, relevance), exact_grades(s, relevance)
    same_length(first, second)
    ours, theirs = relevance.total(first), relevance.total(second)
    if ours == theirs:
        return Relation.EQUAL
    return Relation.LESS if ours < theirs else Relation.GREATER


def check_order(order: str) -> None:
    """Refuse a name that is none of the orders.

    Examples
    --------
    >>> check_order("swap")
    """
    if not isinstance(order, str) or order not in ORDERS:
        raise ParameterError(f"there is no order {order!r}; there is {', '.join(ORDERS)}")


def _by_counts_to_every_rank(levels: Levels) -> Comparison:
    # where the runs agree no count changes
    apart = np.flatnonzero(levels.first != levels.second)
    first, second = levels.first[apart], levels.second[apart]
    ahead, behind = [], []
    for level in range(1, len(levels.names)):
        lead = np.cumsum((first >= level).astype(np.int8) - (second >= level).astype(np.int8))
        ahead += [(rank, level) for rank in _first_rank(lead > 0, apart)]
        behind += [(rank, level) for rank in _first_rank(lead < 0, apart)]
    return Comparison(*(_count(levels, *min(places)) if places else None for places in (ahead, behind)))


def _by_rank(levels: Levels) -> Comparison:
    better, worse = levels.first > levels.second, levels.first < levels.second
    return Comparison(_at_first_rank(levels, better), _at_first_rank(levels, worse))


def _by_first_difference(levels: Levels) -> Comparison:
    place = _at_first_rank(levels, levels.first != levels.second)
    if place is None:
        return Comparison()
    better = levels.first[place.rank - 1] > levels.second[place.rank - 1]
    return Comparison(ahead=place) if better else Comparison(behind=place)


def _by_counts(levels: Levels) -> Comparison:
    lead = _at_least(levels.first, levels) - _at_least(levels.second, levels)
    ahead, behind = (np.flatnonzero(mask)[:1].tolist() for mask in (lead > 0, lead < 0))
    return Comparison(*(_count(levels, None, places[0]) if places else None for places in (ahead, behind)))


def _by_highest_difference(levels: Levels) -> Comparison:
    lead = _at_least(levels.first, levels) - _at_least(levels.second, levels)
    apart = np.flatnonzero(lead)
    if not apart.size:
        return Comparison()
    # above the highest difference the counts agree, so that this is the difference at the grade itself
    place = _count(levels, None, int(apart[-1]))
    return Comparison(ahead=place) if lead[apart[-1]] > 0 else Comparison(behind=place)


def _first_rank(mask: BoolArray, apart: IntArray) -> list[int]:
    """Return the rank of the first true place, or nothing."""
    place = int(mask.argmax()) if mask.size else 0
    return [int(apart[place]) + 1] if mask.size and mask[place] else []


def _at_first_rank(levels: Levels, mask: BoolArray) -> AtRank | None:
    ranks = _first_rank(mask, np.arange(mask.size))
    if not ranks:
        return None
    ours, theirs = (levels.names[int(row[ranks[0] - 1])] for row in (levels.first, levels.second))
    return AtRank(ranks[0], ours, theirs)


def _count(levels: Levels, rank: int | None, level: int) -> Count:
    ours, theirs = (int(np.count_nonzero(row[:rank] >= level)) for row in (levels.first, levels.second))
    return Count(levels.names[level], rank, ours, theirs)


def _at_least(row: IntArray, levels: Levels) -> IntArray:
    """Return how many documents have each level or more."""
    return np.cumsum(np.bincount(row, minlength=len(levels.names))[::-1])[::-1]


_DECIDE: Mapping[str, Callable[[Levels], Comparison]] = {
    "swap": _by_counts_to_every_rank,
    "replacement": _by_rank,
    "projection": _by_first_difference,
    "set-replacement": _by_counts,
    "set-projection": _by_highest_difference,
}
