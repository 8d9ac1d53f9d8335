"""A comparison of systems as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.display.wording import pvalue
from measurand.errors import Caveat, CaveatKind
from measurand.report.compare_data import comparison_rows, pair_pvalues
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
from measurand.report.fitting import Column, fits, fitting, grid, left_out
from measurand.report.profile_text import printed
from measurand.scale import Scale
from measurand.scales.meaning import Answer
from measurand.study.comparison import SystemComparison
from measurand.study.dominance import COUNTS_ALONE, DOMINANCE
from measurand.study.measure_result import Claim, Standing

WIDTH = 120
"""The text is never wider."""

STYLES = {
    Answer.ROBUST: "bold green",
    Answer.FRAGILE: "bold yellow",
    Answer.NOT_MEANINGFUL: "bold red",
    Answer.UNDECIDED: "bold",
}


SPOKEN = 20
"""Of so many pairs a terminal tells."""


def comparison_text(
    comparison: SystemComparison, *, matrix: bool = False, colour: bool = False, width: int | None = None
) -> str:
    """Return a comparison as text: a table of systems for every measure, and what can be said of the first ones.

    Parameters
    ----------
    matrix
        Whether to print the p-values of all pairs as well.
    width
        How wide the text may be. Where the table of systems does not fit, it leaves effect sizes out.

    Examples
    --------
    >>> import measurand as md
    >>> print(comparison_text(md.compare(md.sample.qrels(), md.sample.runs(), "P@10")).splitlines()[0])
    P@10 · interval scale
    """
    width = width or WIDTH
    return printed(_parts(comparison, matrix=matrix, width=width), colour=colour, width=width)


def _parts(comparison: SystemComparison, *, matrix: bool, width: int) -> Iterator[RenderableType]:
    shown: set[str] = set()
    for standing in comparison.standings:
        every = _columns(comparison, standing)
        columns = fitting(every, width - 1)
        shown.update(column.head for column in columns)
        yield from _heading(comparison, standing)
        yield Padding(grid(columns), (0, 0, 0, 1))
        if len(columns) < len(every):
            yield Padding(Text(left_out(every, columns), style="dim"), (0, 0, 0, 1))
        yield Text()
        if matrix:
            yield from _matrix(comparison, standing, width - 1)
        if standing.claims:
            yield _claims(standing.claims[:SPOKEN])
            more = len(standing.claims) - SPOKEN
            if more > 0:
                yield Padding(Text(f"… and {more:,} more pairs; -f json has them.", style="dim"), (0, 0, 0, 1))
        if len(standing.order) > 1:
            yield Padding(Text(standing.robustly), (0, 0, 1, 1))
    if len(comparison.dominance.systems) > 1:
        yield from _unanimous(comparison)
        yield Text()
        yield Text("How to read this", style="dim bold")
        yield from (Padding(Text(line, style="dim"), (0, 0, 0, 1)) for line in _legend(comparison, shown))


def _heading(comparison: SystemComparison, standing: Standing) -> Iterator[RenderableType]:
    scores = standing.scores
    own = "" if scores.one_scale else ", one of its own on every topic"
    if own and scores.scale >= Scale.INTERVAL and scores.history:
        own += ", for which ranks among all runs stand in"
    yield Text.assemble((scores.measure, "bold"), (f" · {scores.scale_label.words}{own}{direction(scores)}", "dim"))
    yield Text(how(comparison, standing), style="dim")
    yield Text()


def _columns(comparison: SystemComparison, standing: Standing) -> list[Column]:
    """Return the columns that may be shown, the names of systems first."""
    rows = comparison_rows(comparison, standing)
    return [each for each in _all_columns(standing, rows) if not (comparison.strict and each.head.endswith("*"))]


def _all_columns(standing: Standing, rows: Sequence[dict[str, Any]]) -> Iterator[Column]:
    yield Column("system", [row["system"] for row in rows], left=True)
    ordinal = standing.scores.scale < Scale.INTERVAL
    statistic = standing.summary.statistic
    if statistic != "mean":
        head = f"{statistic.removeprefix('mean ')}{_star(standing.summary.caveats)}"
        yield Column(head, [admitted(standing, row) for row in rows])
    star = _star(standing.means.caveats)
    yield Column(f"mean{star}", [number(row["mean"]) for row in rows], 0 if statistic == "mean" else 1)
    if any(row["letters"] for row in rows):
        yield Column("letters", [_short(row["letters"]) for row in rows], 2, left=True)
    if len(rows) < 2:
        return
    yield Column(f"Δ mean{star}", [difference(row["difference"]) for row in rows], 4)
    if ordinal:
        delta = _star(standing.effects.caveats_by["cliffs_delta"])
        yield Column(f"δ{delta}", [effect(row["cliffs_delta"]) for row in rows], 5)
    else:
        yield Column(f"95 %{star}", [between(row) for row in rows], 6)
        yield Column(f"d{star}", [effect(row["cohens_d"]) for row in rows], 5)
    yield Column("topics", [counts(row, "") for row in rows])
    yield Column("p", ["" if row["p"] is None else pvalue(row["p"]) for row in rows])
    yield Column("dominance", [_unanimously(row) for row in rows], 3)


def _star(caveats: Iterable[Caveat]) -> str:
    return "*" if doubtful(caveats) else ""


def _short(letters: str) -> str:
    return letters if len(letters) <= 12 else f"{letters[:11]}…"


def _unanimously(row: dict[str, Any]) -> str:
    return "" if row["against"] is None else f"{counts(row, 'dominance_')} ({row['dominance_undecided']})"


def _matrix(comparison: SystemComparison, standing: Standing, width: int) -> Iterator[RenderableType]:
    order, found = standing.order, pair_pvalues(comparison, standing)
    heads = [str(position) for position in range(1, len(order) + 1)]
    columns = [Column("p", standing.systems, left=True), Column("", heads)]
    for head, other in zip(heads, order, strict=True):
        columns.append(Column(head, ["" if place == other else _tested(found[place][other]) for place in order]))
    if not fits(columns, width, gap=1):
        yield Text(f"The matrix of {len(order)} systems is too wide to print; -f json has it.", style="dim")
    else:
        yield Padding(grid(columns, gap=1), (0, 0, 0, 1))
    yield Text()


def _tested(p: float | None) -> str:
    return "–" if p is None else pvalue(p)


def _claims(claims: Sequence[Claim]) -> RenderableType:
    """Return what is said of some pairs: what it is worth, who is ahead, and why."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for claim in claims:
        answer = claim.meaning.answer
        said = Text.assemble((claim.headline, "bold"), "\n", claim.sentence)
        table.add_row(Text(str(answer), style=STYLES[answer]), said)
    return Padding(table, (0, 0, 0, 1))


def _unanimous(comparison: SystemComparison) -> Iterator[RenderableType]:
    """Return what holds under every measure that respects replacement and swap."""
    what = f"all that respect replacement and swap, at any cutoff to {comparison.dominance.depth:,}"
    if any(caveat.kind is CaveatKind.TIES for caveat in comparison.dominance.caveats):
        what += ", ties in trec_eval's order"
    yield Text.assemble(("Without choosing a measure", "bold"), (f" · {what}", "dim"))
    for sentence in _sentences(comparison):
        yield Padding(Text(sentence), (0, 0, 0, 1))


def _sentences(comparison: SystemComparison) -> Iterator[str]:
    matrix = comparison.dominance
    upper = np.triu_indices(len(matrix.systems), 1)
    decided, open_ = int((matrix.wins + matrix.losses)[upper].sum()), int(matrix.incomparable[upper].sum())
    if not decided + open_:
        yield "All systems have the same grades at the same ranks on every topic, so that every measure ties."
        return
    yield (
        "Where two systems differ in their grades on a topic, no two such measures disagree who is ahead in"
        f" {100 * decided / (decided + open_):.0f} % of {decided + open_:,} cases."
    )
    if not matrix.settled:
        yield f"{COUNTS_ALONE}."
    unbeaten = matrix.undominated()
    beaten = [system for system in matrix.systems if system not in unbeaten]
    if beaten:
        why = "because another system is at least as good on every topic"
        yield f"No such measure puts these first alone, {why}: {_listed(beaten)}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _legend(comparison: SystemComparison, shown: set[str]) -> Iterator[str]:
    plain = {head.rstrip("*") for head in shown}
    if "letters" in plain:
        yield f"letters: systems that share one do not differ significantly (p > {comparison.alpha:g})."
    named = (("d", "d: difference in units of its spread (Cohen)"), ("δ", "δ: Cliff's delta"))
    effects = [text for head, text in named if head in plain]
    if "rank" in plain:
        yield "rank: the mean over topics of a system's rank among all; needs no scale that topics share."
    yield "; ".join(["topics: won–tied–lost", *effects]) + "."
    if "dominance" in plain:
        yield DOMINANCE
    if "Δ mean" in plain and any(standing.scores.lower_is_better for standing in comparison.standings):
        sizes = [head for head in ("d", "δ") if head in plain]
        above = f"; {' and '.join(sizes)} {'is' if len(sizes) == 1 else 'are'} above 0 for it" if sizes else ""
        yield f"Where lower is better, Δ mean is below 0 for a system that is ahead{above}."
    if shown != plain:
        yield "*: the scale does not admit this number; a permissible rescaling can reverse what it says."
    yield "robust: no permissible rescaling changes which mean is higher; fragile: the one that is shown does."
    if any(caveat.kind is CaveatKind.GAINS for caveat in comparison.caveats):
        yield "Robust is said for the gains as they are: other gains for the grades were not looked at."
