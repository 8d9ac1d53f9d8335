"""Wording: how the page writes numbers, p-values and names; the filters of its templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from measurand.report.compare_words import difference, effect, number, pvalue
from measurand.scores import MEAN_RANK, Summary


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash for nothing.

    Examples
    --------
    >>> percent(0.125), percent(1.0), percent(None)
    ('12.5 %', '100 %', '–')
    """
    if share is None or share != share:
        return "–"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def averaged(summary: Summary, system: str) -> str:
    """Return the average of a system as people read it: mean ranks to two decimals, others to four.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> scores = Scores(measure="AP", values=[[0.9, 0.2], [0.1, 0.4]], systems="ab", topics="12")
    >>> averaged(scores.mean(), "a"), averaged(scores.mean_rank(), "a")
    ('0.5500', '1.50')
    """
    value = summary[system]
    return f"{value:.2f}" if summary.statistic == MEAN_RANK.statistic else number(value)


def counted(amount: int, thing: str, several: str = "") -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "topic"), counted(1200, "topic"), counted(2, "has", "have")
    ('1 topic', '1,200 topics', '2 have')
    """
    return f"{amount:,} {thing if amount == 1 else several or thing + 's'}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in a row, cut where there are many.

    Examples
    --------
    >>> listed(["AP"]), listed(["AP", "P", "R"]), listed(["AP", "P", "R"], 2)
    ('AP', 'AP, P and R', 'AP, P and 1 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


FILTERS: Mapping[str, Callable[..., Any]] = {
    "number": number,
    "difference": difference,
    "effect": effect,
    "pvalue": pvalue,
    "percent": percent,
    "counted": counted,
}
"""What templates call them."""
