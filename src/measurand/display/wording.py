"""Wording: counts, lists, shares and p-values in plain words, the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan


def counted(number: int, what: str, several: str = "") -> str:
    """Return how many there are of something, in words.

    Parameters
    ----------
    several
        What more than one are called, where that is more than a letter longer.

    Examples
    --------
    >>> counted(1, "topic"), counted(1500, "pair of systems"), counted(2, "other system")
    ('1 topic', '1,500 pairs of systems', '2 other systems')
    >>> counted(2, "system is", "systems are")
    '2 systems are'
    """
    thing, of, rest = what.partition(" of ")
    return f"{number:,} {what if number == 1 else several or f'{thing}s{of}{rest}'}"


def listed(names: Sequence[str], most: int = 6, others: str = "more") -> str:
    """Return names in a row, cut where there are many.

    Examples
    --------
    >>> listed(["AP"]), listed(["AP", "P", "R"]), listed(["AP", "P", "R"], 2)
    ('AP', 'AP, P and R', 'AP, P and 1 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} {others}"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash for nothing.

    Examples
    --------
    >>> percent(0.125), percent(1.0), percent(None)
    ('12.5 %', '100 %', '–')
    """
    if share is None or isnan(share):
        return "–"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def pvalue(p: float) -> str:
    """Return a p-value as people read it.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(1e-9), pvalue(1.0)
    ('0.031', '<0.0001', '1')
    """
    if p < 0.0001:
        return "<0.0001"
    return "1" if p > 0.9995 else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"
