"""The words and numbers in which a comparison of systems is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from measurand.errors import Caveat, CaveatKind
from measurand.exact import decimals
from measurand.scores import Scores
from measurand.scores.summary import written
from measurand.statistics import multiple_comparisons as corrections
from measurand.study.comparison import SystemComparison
from measurand.study.measure_result import Standing

CORRECTED = {method: f"p-values {words}" for method, words in corrections.CORRECTED.items()}
"""How p-values were corrected, as part of a sentence."""


STATISTICS = {"mean rank": "mean rank within topics"}


def how(comparison: SystemComparison, standing: Standing) -> str:
    """Return how systems were compared, in a sentence or two."""
    pairs = standing.pairs
    if len(standing.order) < 2:
        return "There is nothing to compare one system with."
    reference = comparison.baseline or standing.systems[0]
    fits = pairs.needs.met_by(standing.scores)
    weak = "" if fits else f" {str(pairs.needs).capitalize().replace('anova', 'ANOVA')}, which this is not."
    statistic = standing.summary.statistic
    tied = len(set(standing.summary)) < len(standing.order) and statistic != "mean"
    best = STATISTICS.get(statistic, statistic)
    order = f"Best {best} first{', ties by mean' if tied else ''}"
    corrected = CORRECTED[pairs.adjusted] if len(standing.order) > 2 else "one pair needs no correction"
    return f"{order}; against {reference} by the {pairs.needs.statistic}, {corrected}.{weak}"


def direction(scores: Scores) -> str:
    """Return that lower is better, where it is so.

    Examples
    --------
    >>> direction(Scores(measure="ESL", values=[[3]], systems="a", topics="1", lower_is_better=True))
    ', lower is better'
    """
    return ", lower is better" if scores.lower_is_better else ""


def doubtful(caveats: Iterable[Caveat]) -> bool:
    """Say whether caveats tell that the scale does not admit a number."""
    return any(caveat.kind is CaveatKind.SCALE for caveat in caveats)


def number(value: float | None) -> str:
    """Return a score or an average, to four decimals."""
    return "–" if value is None else decimals(value, 4)


def admitted(standing: Standing, row: dict[str, Any]) -> str:
    """Return the number of a system by which systems are ordered."""
    value: float | None = row["value"]
    return "–" if value is None else written(value, standing.summary.statistic)


def difference(value: float | None) -> str:
    """Return a difference of averages with its sign, or nothing.

    Examples
    --------
    >>> difference(0.25), difference(-3e-6), difference(None)
    ('+0.2500', '-3.0e-06', '')
    """
    return "" if value is None else decimals(value, 4, "+")


def effect(value: float | None) -> str:
    """Return an effect size with its sign, or nothing.

    Examples
    --------
    >>> effect(0.25), effect(None)
    ('+0.25', '')
    """
    return "" if value is None else f"{value:+.2f}"


def between(row: dict[str, Any]) -> str:
    """Return the interval of a mean difference, or nothing if there is none."""
    return "" if row["low"] is None else f"[{difference(row['low'])}, {difference(row['high'])}]"


def counts(row: dict[str, Any], what: str = "", dash: str = "–") -> str:
    """Return on how many topics a system won, tied and lost.

    Examples
    --------
    >>> counts({"wins": 3, "ties": 0, "losses": 1})
    '3–0–1'
    """
    found = [row[f"{what}{name}"] for name in ("wins", "ties", "losses")]
    return "" if found[0] is None else dash.join(map(str, found))
