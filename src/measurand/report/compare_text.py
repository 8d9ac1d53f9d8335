"""A comparison of systems as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.report.compare_data import comparison_rows
from measurand.report.latex import bold, booktabs, tex
from measurand.report.profile_text import printed
from measurand.scale import Scale
from measurand.scales.meaning import Answer
from measurand.study.claims import Claim
from measurand.study.comparison import Standing, SystemComparison

WIDTH = 120
"""The text is never wider."""

MATRIX = 16
"""So many systems fit into a matrix of p-values."""

STYLES = {
    Answer.ROBUST: "bold green",
    Answer.FRAGILE: "bold yellow",
    Answer.NOT_MEANINGFUL: "bold red",
    Answer.UNDECIDED: "bold",
}


def comparison_text(
    comparison: SystemComparison, *, matrix: bool = False, colour: bool = False, width: int | None = None
) -> str:
    """Return a comparison as text: a table of systems for every measure, and what can be said of the first ones.

    Parameters
    ----------
    matrix
        Whether to print the p-values of all pairs as well.

    Examples
    --------
    >>> import measurand as md
    >>> print(comparison_text(md.compare(md.sample.qrels(), md.sample.runs(), "P@10")).splitlines()[0])
    P@10 · interval scale
    """
    return printed(_parts(comparison, matrix=matrix), colour=colour, width=width or WIDTH)


def comparison_latex(comparison: SystemComparison) -> str:
    """Return a booktabs table for every measure: the systems, best first, with what they are told apart by."""
    tables = []
    for standing in comparison.standings:
        rows = comparison_rows(comparison, standing)
        head = ["System", standing.summary.statistic, "", r"$\Delta$ mean", "95\\,\\%", "$d$", "W--T--L", "$p$"]
        lines = [
            [
                bold(tex(row["system"])) if row["place"] == 1 else tex(row["system"]),
                _number(row["value"]),
                rf"\textsuperscript{{{row['letters']}}}",
                *(["--"] * 5 if row["against"] is None else _tex_against(row)),
            ]
            for row in rows
        ]
        caption = f"% {standing.scores.measure}: {_how(standing)}; letters at alpha = {comparison.alpha:g}\n"
        tables.append(caption + booktabs("lrlrrrrr", head, lines))
    return "\n".join(tables)


def _parts(comparison: SystemComparison, *, matrix: bool) -> Iterator[RenderableType]:
    for standing in comparison.standings:
        yield from _measure(comparison, standing, matrix=matrix)
    yield from _unanimous(comparison)


def _measure(comparison: SystemComparison, standing: Standing, *, matrix: bool) -> Iterator[RenderableType]:
    scores = standing.scores
    own = "" if scores.one_scale else ", one of its own on every topic"
    yield Text.assemble((scores.measure, "bold"), (f" · {scores.scale} scale{own}", "dim"))
    yield Text(_how(standing), style="dim")
    yield Text()
    yield Padding(_systems(comparison, standing), (0, 0, 0, 1))
    if len(scores.systems) > 1:
        yield Text()
        yield Text(_legend(comparison, standing), style="dim")
    if matrix:
        yield from _matrix(standing)
    if standing.claims:
        yield Text()
    for claim in standing.claims:
        yield from _claim(claim)
    if len(scores.systems) > 1:
        yield Text(f" {standing.robustly}")
    yield Text()


def _how(standing: Standing) -> str:
    pairs = standing.pairs
    corrected = "" if pairs.adjusted == "none" else f", corrected: {pairs.adjusted}"
    semantics = f" ({pairs.semantics})" if pairs.semantics else ""
    fits = "" if pairs.needs.met_by(standing.scores) else f"; {pairs.needs}, which this is not"
    return f"best {standing.summary.statistic} first; {pairs.needs.statistic}{semantics}{corrected}{fits}"


def _systems(comparison: SystemComparison, standing: Standing) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    ordinal = standing.scores.scale < Scale.INTERVAL
    heads = ["median", "mean*"] if ordinal else ["mean"]
    table.add_column("system", overflow="fold")
    for name in (*heads, "letters", "Δ mean", "95 %", "d", "topics", "p", "every measure"):
        table.add_column(name, justify="left" if name == "letters" else "right", no_wrap=True)
    for row in comparison_rows(comparison, standing):
        numbers = [row["median"], row["mean"]] if ordinal else [row["mean"]]
        against = [""] * 6 if row["against"] is None else _against(row)
        table.add_row(Text(row["system"]), *map(_number, numbers), _short(row["letters"]), *against)
    return table


def _short(letters: str) -> str:
    return letters if len(letters) <= 12 else f"{letters[:11]}…"


def _against(row: dict[str, object]) -> list[str]:
    dominance = f"{row['dominance_wins']}–{row['dominance_ties']}–{row['dominance_losses']}"
    return [
        f"{row['difference']:+.4f}",
        f"[{row['low']:+.4f}, {row['high']:+.4f}]",
        f"{row['cohens_d']:+.2f}",
        f"{row['wins']}–{row['ties']}–{row['losses']}",
        pvalue(row["p"]),  # type: ignore[arg-type]
        f"{dominance} ({row['dominance_undecided']})",
    ]


def _tex_against(row: dict[str, object]) -> list[str]:
    return [
        f"${row['difference']:+.4f}$",
        f"$[{row['low']:+.4f}, {row['high']:+.4f}]$",
        f"${row['cohens_d']:+.2f}$",
        f"{row['wins']}--{row['ties']}--{row['losses']}",
        tex(pvalue(row["p"])).replace("<", "$<$"),  # type: ignore[arg-type]
    ]


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


def _number(value: object) -> str:
    return f"{value:.4f}"


def _legend(comparison: SystemComparison, standing: Standing) -> str:
    reference = comparison.baseline or standing.systems[0]
    starred = " * Means are not meaningful on an ordinal scale." if standing.scores.scale < Scale.INTERVAL else ""
    return (
        f"Systems that share a letter do not differ at {comparison.alpha:g}. The rest is against {reference}: topics"
        " won–tied–lost; every measure: the same by replacement and swap alone (and undecided)."
        f"{starred}"
    )


def _matrix(standing: Standing) -> Iterator[RenderableType]:
    yield Text()
    if len(standing.order) > MATRIX:
        yield Text(
            f"The matrix of {len(standing.order)} systems is too wide for a terminal; -f json has it.", style="dim"
        )
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("p")
    for number in range(1, len(standing.order) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, place in enumerate(standing.order, 1):
        cells = ["" if place == other else pvalue(standing.pairs.pvalues[place, other]) for other in standing.order]
        table.add_row(Text(f"{number} {standing.scores.systems[place]}"), *cells)
    yield Padding(table, (0, 0, 0, 1))


def _claim(claim: Claim) -> Iterator[RenderableType]:
    answer = claim.meaning.answer
    yield Text.assemble(" ", (str(answer), STYLES[answer]), (f"  {claim.headline}", "bold"))
    yield Padding(Text(claim.sentence), (0, 0, 0, 3))


def _unanimous(comparison: SystemComparison) -> Iterator[RenderableType]:
    """Return what holds without any choice of measure."""
    matrix = comparison.dominance
    if len(matrix.systems) < 2:
        return
    yield Text.assemble(
        ("Without choosing a measure", "bold"),
        (f" · every measure that respects replacement and swap, at any cutoff to {matrix.depth:,}", "dim"),
    )
    for sentence in _sentences(comparison):
        yield Padding(Text(sentence), (0, 0, 0, 1))


def _sentences(comparison: SystemComparison) -> Iterator[str]:
    matrix = comparison.dominance
    upper = np.triu_indices(len(matrix.systems), 1)
    decided = (matrix.wins + matrix.losses)[upper]
    n = len(upper[0])
    significant = int((matrix.adjust("holm").pvalues[upper] <= comparison.alpha).sum())
    share = f"{100 * decided.sum() / max(1, n * len(matrix.topics)):.0f} %"
    yield f"Measures cannot disagree on {share} of all pairs of systems and topics that differ in their grades."
    yield (
        f"{significant:,} of {n:,} pairs of systems differ by the sign test on these topics alone (Holm,"
        f" {comparison.alpha:g})."
    )
    unbeaten = matrix.undominated()
    if len(unbeaten) < len(matrix.systems):
        beaten = [system for system in matrix.systems if system not in unbeaten]
        yield f"Beaten on every topic by some other system: {_listed(beaten)}."


def _listed(names: Sequence[str] | Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
