"""Wording: how the page writes numbers, p-values and names; the filters of its templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from measurand.report.compare_words import difference, effect, number
from measurand.scores import MEAN_RANK, Summary
from measurand.wording import counted, pvalue


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


FILTERS: Mapping[str, Callable[..., Any]] = {
    "number": number,
    "difference": difference,
    "effect": effect,
    "pvalue": pvalue,
    "percent": percent,
    "counted": counted,
}
"""What templates call them."""
