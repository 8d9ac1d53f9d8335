"""Table 2 and Figures 1 to 3 of the paper on information, for a campaign, as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from measurand.axioms import CONSTRAINTS
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, listing
from measurand.display.wording import counted, listed
from measurand.papers.agms2018.scatters import Mergeability, Scatter
from measurand.papers.information_tables import InformationRow, InformationTables
from measurand.papers.printed.unanimity import HEADS
from measurand.study.unanimity_table import sign

WIDTH = 100
"""The text is never wider."""


def information_tables_document(tables: InformationTables) -> Document:
    """Return Table 2 of a campaign beside the printed one, and what Figures 1 to 3 show, in a sentence each.

    Parameters
    ----------
    tables
        The tables and figures of a campaign.

    Examples
    --------
    >>> from measurand.papers.information_tables import information_tables
    >>> from measurand.sample import Campaign
    >>> campaign = Campaign(systems=6, topics=3, depth=8, candidates=12, pool=8).draw()
    >>> document = information_tables_document(information_tables(*campaign, samples=5))
    >>> print(document.tables[0].title, *document.tables[0].headings[:6], sep="; ")
    Table 2 of Amigó and others (2018) on 6 systems and 3 topics; measure; MU; tie rate; self pairs; printed; difference
    """
    return Document(list(_parts(tables)), tables.caveats)


def _parts(tables: InformationTables) -> Iterator[Part]:
    found = tables.unanimity.unanimity
    on = f"{counted(found.systems, 'system')} and {counted(found.topics, 'topic')}"
    title = f"Table 2 of Amigó and others (2018) on {on}"
    about = f"First {tables.depth:,} ranks; {tables.collection:,} documents."
    yield TableView(list(_columns(tables)), tables.rows, title=title, about=about)
    yield ""
    yield Paragraph(_agreement(tables), indent=1)
    yield from _other_marks(tables)
    yield ""
    yield Paragraph("Figures", "strong")
    yield listing(_figures(tables))
    yield ""
    yield Paragraph(Legend.TITLE, "strong faint")
    yield listing(_legend(tables), tones=["strong faint", "faint"])


def _columns(tables: InformationTables) -> Iterator[Column]:
    yield Column("measure", lambda row: row.measure, left=True)
    yield Column("MU", lambda row: _number(row.mu))
    yield Column("tie rate", lambda row: "–" if row.tie_rate is None else f"{row.tie_rate:.1%}", dispensable=3)
    yield Column("self pairs", lambda row: _number(row.mu_with_self_pairs), dispensable=1)
    yield Column("printed", lambda row: row.printed.mu or "–")
    yield Column("difference", lambda row: _number(row.difference, "+"), dispensable=2)
    if tables.unanimity.constraints is not None:
        for name, head in zip(CONSTRAINTS, HEADS, strict=True):
            yield Column(head, partial(_mark, name, head), left=True, mark=True)


def _number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.3f}"


def _mark(name: str, head: str, row: InformationRow) -> Words:
    if row.found.constraints is None:
        return Words()
    return sign(row.found.constraints.verdicts[name]) + Words.of("*" if head in row.differing else "", "unsure")


def _agreement(tables: InformationTables) -> str:
    """Return how many cells are the printed ones, in words."""
    known = [row.agrees for row in tables.rows if row.agrees is not None]
    marks, other = len(HEADS) * len(tables.rows), sum(len(row.differing) for row in tables.rows)
    numbers = f"{sum(known)} of {counted(len(known), 'unanimity', 'unanimities')} (with self pairs)"
    same = f", {marks - other} of {marks} marks" if tables.unanimity.constraints is not None else ""
    return f"As printed: {numbers}{same}."


def _other_marks(tables: InformationTables) -> Iterator[Part]:
    """Return where the paper has another mark: because it errs, or because its topic is another one."""
    differing = [(row.measure, head, why) for row in tables.rows for head, why in row.differing.items()]
    if not differing:
        return
    wrong = [f"{measure} {head} ({why})" for measure, head, why in differing if why]
    elsewhere = [f"{measure} {head}" for measure, head, why in differing if not why]
    yield Paragraph("* The paper has the opposite mark:", indent=1)
    more = "measurand reproduce agms2018 --erratum ID tells why"
    lines = [("  wrong there", f"{', '.join(wrong)}; {more}")] if wrong else []
    if elsewhere:
        why = "this depends on how many documents there are and how many are relevant"
        lines.append(("  other topic", f"{', '.join(elsewhere)}: {why}"))
    yield listing(lines)


def _figures(tables: InformationTables) -> Iterator[tuple[str, str]]:
    yield "Figure 1", _scatter(tables.consistency, "consistent with the judgments")
    yield "Figure 2", _scatter(tables.mergeability, "effective across all topics") + _reported(tables.mergeability)
    yield "Figure 3", _fusions(tables)


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


def _legend(tables: InformationTables) -> Iterator[tuple[str, str]]:
    ties = "metric unanimity, log2(2 − tie rate): how rarely a measure ties on systems that no measure orders otherwise"
    yield "MU", f"{ties}. It counts ties and tells nothing else (E-A-14)."
    yield "self pairs", "MU where each system is also compared with itself, as the paper's formula has it."
    yield "printed", "MU on the runs of TREC 2004 Terabyte, by its formula with self pairs; other runs have other ties."
    yield "difference", "self pairs less printed."
    matrix = tables.unanimity.constraints
    if matrix is not None:
        topic = f"{counted(matrix.recall_base, 'relevant document')} among {matrix.collection:,}"
        tried = any(verdict and not verdict.certain for row in matrix for verdict in row.verdicts.values())
        unsure = " (✓): no run that was tried breaks it." if tried else ""
        yield "✓ ✗", f"whether the constraint is met, on a topic with {topic}.{unsure}"
