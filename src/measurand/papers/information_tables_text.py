"""Table 2 and Figures 1 to 3 of the paper on information, for a campaign, as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.axioms import CONSTRAINTS
from measurand.display.wording import counted, listed
from measurand.papers.agms2018.scatters import Mergeability, Scatter
from measurand.papers.information_tables import InformationRow, InformationTables
from measurand.papers.printed.unanimity import HEADS
from measurand.report.fitting import Column, fitted
from measurand.report.profile_text import printed
from measurand.report.unanimity_text import sign

WIDTH = 100
"""The text is never wider."""


def information_tables_text(tables: InformationTables, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return Table 2 of a campaign beside the printed one, and what Figures 1 to 3 show, in a sentence each.

    Examples
    --------
    >>> from measurand.papers.information_tables import information_tables
    >>> from measurand.sample import Campaign
    >>> campaign = Campaign(systems=6, topics=3, depth=8, candidates=12, pool=8).draw()
    >>> print("\n".join(information_tables_text(information_tables(*campaign, samples=5)).splitlines()[:5]))
    Table 2 of Amigó and others (2018) on 6 systems and 3 topics
    First 100 ranks; 31 documents.
    <BLANKLINE>
     measure           MU  tie rate  self pairs  printed  difference  Pri  Deep  DeepTh  CloseTh  Conf
     OIE(beta=1.2)  0.504     58.2%       0.395    0.928      -0.533  ✓    ✓     ✓       ✗*       ✓
    """
    width = width or WIDTH
    return printed(_parts(tables, width), colour=colour, width=width)


def _parts(tables: InformationTables, width: int) -> Iterator[RenderableType]:
    found = tables.unanimity.unanimity
    on = f"{counted(found.systems, 'system')} and {counted(found.topics, 'topic')}"
    yield Text(f"Table 2 of Amigó and others (2018) on {on}", style="bold")
    yield Text(f"First {tables.depth:,} ranks; {tables.collection:,} documents.", style="dim")
    yield Text()
    yield from fitted(list(_columns(tables)), width)
    yield Padding(Text(_agreement(tables)), (0, 0, 0, 1))
    yield from (Padding(part, (0, 0, 0, 1)) for part in _other_marks(tables))
    yield Text()
    yield Text("Figures", style="bold")
    yield Padding(_figures(tables), (0, 0, 1, 1))
    yield Text("How to read this", style="dim bold")
    yield Padding(_legend(tables), (0, 0, 0, 1))


def _columns(tables: InformationTables) -> Iterator[Column]:
    rows = tables.rows
    yield Column("measure", [row.measure for row in rows], left=True)
    yield Column("MU", ["–" if row.mu is None else f"{row.mu:.3f}" for row in rows])
    yield Column("tie rate", ["–" if row.tie_rate is None else f"{row.tie_rate:.1%}" for row in rows], 3)
    own = [row.mu_with_self_pairs for row in rows]
    yield Column("self pairs", ["–" if value is None else f"{value:.3f}" for value in own], 1)
    yield Column("printed", [row.printed.mu or "–" for row in rows])
    yield Column("difference", ["–" if row.difference is None else f"{row.difference:+.3f}" for row in rows], 2)
    if tables.unanimity.constraints is None:
        return
    for name, head in zip(CONSTRAINTS, HEADS, strict=True):
        yield Column(head, [_mark(row, name, head) for row in rows], left=True)


def _mark(row: InformationRow, name: str, head: str) -> Text:
    if row.found.constraints is None:
        return Text()
    star = "*" if head in row.differing else ""
    return Text.assemble(sign(row.found.constraints.verdicts[name]), (star, "yellow"))


def _agreement(tables: InformationTables) -> str:
    """Return how many cells are the printed ones, in words."""
    known = [row.agrees for row in tables.rows if row.agrees is not None]
    marks, other = len(HEADS) * len(tables.rows), sum(len(row.differing) for row in tables.rows)
    numbers = f"{sum(known)} of {counted(len(known), 'unanimity', 'unanimities')} (with self pairs)"
    same = f", {marks - other} of {marks} marks" if tables.unanimity.constraints is not None else ""
    return f"As printed: {numbers}{same}."


def _other_marks(tables: InformationTables) -> Iterator[RenderableType]:
    """Return where the paper has another mark: because it errs, or because its topic is another one."""
    differing = [(row.measure, head, why) for row in tables.rows for head, why in row.differing.items()]
    if not differing:
        return
    wrong = [f"{measure} {head} ({why})" for measure, head, why in differing if why]
    elsewhere = [f"{measure} {head}" for measure, head, why in differing if not why]
    yield Text("* The paper has the opposite mark:")
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True)
    if wrong:
        lines.add_row("  wrong there", f"{', '.join(wrong)}; measurand reproduce agms2018 --erratum ID tells why")
    if elsewhere:
        why = "this depends on how many documents there are and how many are relevant"
        lines.add_row("  other topic", f"{', '.join(elsewhere)}: {why}")
    yield lines


def _figures(tables: InformationTables) -> Table:
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True)
    lines.add_row("Figure 1", _scatter(tables.consistency, "consistent with the judgments"))
    lines.add_row(
        "Figure 2", _scatter(tables.mergeability, "effective across all topics") + _reported(tables.mergeability)
    )
    lines.add_row("Figure 3", _fusions(tables))
    return lines


def _scatter(scatter: Scatter | None, what: str) -> str:
    if scatter is None:
        return "Left out: no topic has two systems that retrieve two documents for it."
    together = f"{counted(len(scatter.picks[0].systems), 'system')} together"
    equal = f", in {scatter.on:,} equally so" if scatter.on else ""
    return (
        f"In {scatter.above:,} of {counted(len(scatter), 'pick')}, {together} are more {what} than one of them"
        f"{equal}, in {scatter.below:,} less."
    )


def _reported(merged: Mergeability | None) -> str:
    if merged is None:
        return ""
    above, picks = merged.printed
    return f" The paper reports {above:,} of {picks:,} more."


def _fusions(tables: InformationTables) -> str:
    gain = tables.fusion
    beaten = [f"{name} beats {gain.beaten(name):,}" for name in gain.fusions()]
    systems = len(gain.kinds) - len(gain.fusions())
    return f"Of {counted(systems, 'system')} {listed(beaten)}."


def _legend(tables: InformationTables) -> Table:
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True, style="dim bold")
    lines.add_column(style="dim")
    ties = "metric unanimity, log2(2 − tie rate): how rarely a measure ties on systems that no measure orders otherwise"
    lines.add_row("MU", f"{ties}. It counts ties and tells nothing else (E-A-14).")
    lines.add_row("self pairs", "MU where each system is also compared with itself, as the paper's formula has it.")
    lines.add_row(
        "printed", "MU on the runs of TREC 2004 Terabyte, by its formula with self pairs; other runs have other ties."
    )
    lines.add_row("difference", "self pairs less printed.")
    matrix = tables.unanimity.constraints
    if matrix is not None:
        topic = f"{counted(matrix.recall_base, 'relevant document')} among {matrix.collection:,}"
        tried = any(verdict and not verdict.certain for row in matrix for verdict in row.verdicts.values())
        unsure = " (✓): no run that was tried breaks it." if tried else ""
        lines.add_row("✓ ✗", f"whether the constraint is met, on a topic with {topic}.{unsure}")
    return lines
