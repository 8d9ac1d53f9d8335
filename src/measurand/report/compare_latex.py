"""A comparison of systems as tables for a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from measurand.display.wording import pvalue
from measurand.report.compare_data import comparison_rows
from measurand.report.compare_words import (
    admitted,
    between,
    counts,
    difference,
    direction,
    doubtful,
    effect,
    how,
    number,
)
from measurand.report.latex import bold, booktabs, tex
from measurand.scale import Scale
from measurand.study.comparison import SystemComparison
from measurand.study.measure_result import Standing


def comparison_latex(comparison: SystemComparison) -> str:
    """Return a booktabs table for every measure: the systems, best first, with what they are told apart by.

    Numbers that the scale does not admit are starred; a strict comparison leaves them out.
    """
    return "\n".join(_table(comparison, standing) for standing in comparison.standings)


@frozen
class _Column:
    head: str
    cells: Sequence[str]
    align: str = "r"
    doubtful: bool = False


def _table(comparison: SystemComparison, standing: Standing) -> str:
    rows = comparison_rows(comparison, standing)
    columns = [each for each in _columns(standing, rows) if not (each.doubtful and comparison.strict)]
    starred = " *: the scale does not admit this number." if any(each.doubtful for each in columns) else ""
    letters = f" Letters at alpha = {comparison.alpha:g}." if any(row["letters"] for row in rows) else ""
    caption = (
        f"% {standing.scores.measure}{direction(standing.scores)}: {how(comparison, standing)}{letters}{starred}\n"
    )
    heads = [f"{each.head}$^*$" if each.doubtful else each.head for each in columns]
    lines = zip(*(each.cells for each in columns), strict=True)
    return caption + booktabs("".join(each.align for each in columns), heads, list(lines))


def _columns(standing: Standing, rows: Sequence[dict[str, Any]]) -> Iterator[_Column]:
    found, star = standing.effects.caveats_by, doubtful(standing.means.caveats)
    names = [bold(tex(row["system"])) if row["place"] == 1 else tex(row["system"]) for row in rows]
    yield _Column("System", names, "l")
    values = [admitted(standing, row) for row in rows]
    yield _Column(standing.summary.statistic, values, doubtful=doubtful(standing.summary.caveats))
    yield _Column("", [rf"\textsuperscript{{{row['letters']}}}" if row["letters"] else "" for row in rows], "l")
    ordinal = standing.scores.scale < Scale.INTERVAL
    if standing.summary.statistic != "mean":
        yield _Column("mean", [number(row["mean"]) for row in rows], doubtful=star)
    yield _Column(r"$\Delta$ mean", [_maths(difference(row["difference"])) for row in rows], doubtful=star)
    if ordinal:
        deltas = [_maths(effect(row["cliffs_delta"])) for row in rows]
        yield _Column(r"$\delta$", deltas, doubtful=doubtful(found["cliffs_delta"]))
    else:
        yield _Column(r"95\,\%", [_maths(between(row)) for row in rows], doubtful=star)
        yield _Column("$d$", [_maths(effect(row["cohens_d"])) for row in rows], doubtful=star)
    yield _Column("W--T--L", [counts(row, dash="--") or "--" for row in rows])
    yield _Column("$p$", ["--" if row["p"] is None else pvalue(row["p"]).replace("<", "$<$") for row in rows])


def _maths(text: str) -> str:
    return f"${text}$" if text else "--"
