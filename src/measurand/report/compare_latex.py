"""A comparison of systems as tables for a paper."""

from __future__ import annotations

from typing import Any

from measurand.report.compare_data import comparison_rows
from measurand.report.compare_words import between, counts, how, number, pvalue, signed
from measurand.report.latex import bold, booktabs, tex
from measurand.study.comparison import SystemComparison


def comparison_latex(comparison: SystemComparison) -> str:
    """Return a booktabs table for every measure: the systems, best first, with what they are told apart by."""
    tables = []
    for standing in comparison.standings:
        rows = comparison_rows(comparison, standing)
        head = ["System", standing.summary.statistic, "", r"$\Delta$ mean", "95\\,\\%", "$d$", "W--T--L", "$p$"]
        lines = [
            [
                bold(tex(row["system"])) if row["place"] == 1 else tex(row["system"]),
                number(row["value"]),
                rf"\textsuperscript{{{row['letters']}}}" if row["letters"] else "",
                *(["--"] * 5 if row["against"] is None else _tex_against(row)),
            ]
            for row in rows
        ]
        caption = f"% {standing.scores.measure}: {how(comparison, standing)} Letters at alpha = {comparison.alpha:g}.\n"
        tables.append(caption + booktabs("lrlrrrrr", head, lines))
    return "\n".join(tables)


def _tex_against(row: dict[str, Any]) -> list[str]:
    numbers = [signed(row["difference"], 4), between(row), signed(row["cohens_d"], 2)]
    return [
        *(f"${number}$" if number else "--" for number in numbers),
        counts(row, dash="--"),
        pvalue(row["p"]).replace("<", "$<$"),
    ]
