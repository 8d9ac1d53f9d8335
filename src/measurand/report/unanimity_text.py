"""The unanimity of measures as text that a person likes to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.axioms.examine import AXIOMS, CONSTRAINTS, ConstraintMatrix
from measurand.report.fitting import Column, fitted
from measurand.report.profile_text import printed
from measurand.study.unanimity import UnanimityRow, UnanimityTable
from measurand.verdict import How, Verdict

WIDTH = 100
"""The text is never wider."""

HEADS: Mapping[str, str] = {
    "priority": "Pri",
    "deepness": "Deep",
    "deepness_threshold": "DeepTh",
    "closeness_threshold": "CloseTh",
    "confidence": "Conf",
}
"""What the constraints are called at the top of a column, as in the paper's table."""


def unanimity_text(table: UnanimityTable, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return the unanimity of measures as a table, the highest first, with what it tells in plain words.

    Examples
    --------
    >>> from measurand.study.unanimity import unanimity
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> table = unanimity({"1": {"d1": 1}}, runs, ["RR", "P@2"], constraints=False)
    >>> print("\n".join(unanimity_text(table).splitlines()[:6]))
    Unanimity of 2 measures on 2 systems and 1 topic
    All agree on 1 of 2 ordered pairs of systems (50.0%). Ties were decided on exact values.
    <BLANKLINE>
     measure      MU  tie rate  tied
     RR       1.0000      0.0%     0
     P@2      0.0000    100.0%     1
    """
    width = width or WIDTH
    return printed(_parts(table, width), colour=colour, width=width)


def _parts(table: UnanimityTable, width: int) -> Iterator[RenderableType]:
    found = table.unanimity
    on = f"{_many(found.systems, 'system')} and {_many(found.topics, 'topic')}"
    yield Text(f"Unanimity of {_many(len(table), 'measure')} on {on}", style="bold")
    yield Text(_counts(table), style="dim")
    yield Text()
    yield from fitted(list(_columns(table)), width)
    yield from (Padding(part, (0, 0, 0, 1)) for part in _beside_the_paper(table))
    yield Text("How to read this", style="dim bold")
    yield Padding(_legend(table), (0, 0, 0, 1))


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _counts(table: UnanimityTable) -> str:
    found = table.unanimity
    agreed = f"All agree on {found.unanimous:,} of {found.pairs:,} {found.compared}"
    apart = f"; {_many(table.told_apart, 'group')} of equal floats told apart" if table.told_apart else ""
    return f"{agreed} ({found.unanimous / found.pairs:.1%}). Ties were decided on {table.decided_on}{apart}."


def _columns(table: UnanimityTable) -> Iterator[Column]:
    rows = [row.found for row in table]
    yield Column("measure", [_called(table, row) for row in table], left=True)
    yield Column("MU", ["–" if row.value is None else f"{row.value:.4f}" for row in rows])
    yield Column("tie rate", ["–" if row.tie_rate is None else _share(float(row.tie_rate)) for row in rows], 1)
    yield Column("tied", [f"{row.tied:,}" for row in rows], 2)
    if table.constraints is not None:
        for name in CONSTRAINTS:
            yield Column(HEADS[name], [_mark(row, name) for row in table], left=True)


def _share(share: float) -> str:
    return "<0.1%" if 0 < share < 0.0005 else f"{share:.1%}"


def _called(table: UnanimityTable, row: UnanimityRow) -> str:
    """Return a measure's name, without the size of the collection where it is that of the table."""
    told = rf"collection={table.collection}(?=[,)])"
    return re.sub(rf", {told}|\({told}\)|(?<=\(){told}, ", "", row.measure)


def _mark(row: UnanimityRow, name: str) -> Text:
    if row.constraints is None:
        return Text()
    star = "*" if name in row.differing else ""
    return Text.assemble(sign(row.constraints.verdicts[name]), (star, "yellow"))


def sign(verdict: Verdict) -> tuple[str, str]:
    """Return the mark of a constraint, with its colour: that it holds, was never seen broken, is broken, or open."""
    if verdict.how is How.FAILED:
        return "?", "bold yellow"
    if verdict and not verdict.certain:
        return "(✓)", "green"
    return ("✓", "green") if verdict else ("✗", "red")


def _beside_the_paper(table: UnanimityTable) -> Iterator[RenderableType]:
    """Return where the paper's table has another mark: because it errs, or because its topic is another one."""
    differing = [(row, name, erratum) for row in table for name, erratum in row.differing.items()]
    wrong = [f"{_called(table, row)} {HEADS[name]} ({erratum})" for row, name, erratum in differing if erratum]
    elsewhere = [f"{_called(table, row)} {HEADS[name]}" for row, name, erratum in differing if not erratum]
    if not differing:
        return
    yield Text("* In Table 2 of Amigó and others (2018) this mark is the opposite:")
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True)
    if wrong:
        lines.add_row("  wrong there", f"{', '.join(wrong)}; docs/concepts/information.md tells why")
    if elsewhere:
        hang = "it depends" if len(elsewhere) == 1 else "they depend"
        why = f"{hang} on how many documents are relevant"
        lines.add_row("  other topic", f"{', '.join(elsewhere)}: {why}")
    yield lines
    yield Text()


def _legend(table: UnanimityTable) -> Table:
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True, style="dim bold")
    lines.add_column(style="dim")
    lines.add_row(
        "MU",
        "metric unanimity, log2(2 − tie rate), from 0 to 1. It only tells how rarely a measure ties on pairs of systems"
        " that no measure orders the other way (two systems on one topic; pairs on which all tie are among them). It"
        " does not tell which measure is right.",
    )
    lines.add_row("tie rate", "the share of these pairs that the measure ties on; 0% makes MU 1, 100% makes it 0.")
    if table.constraints is not None:
        for name in CONSTRAINTS:
            lines.add_row(HEADS[name], f"{name.replace('_', ' ')}: {AXIOMS[name]}.")
        lines.add_row("✓ ✗", _looked(table.constraints))
    return lines


def _looked(matrix: ConstraintMatrix) -> str:
    verdicts = [verdict for row in matrix for verdict in row.verdicts.values()]
    tried = " (✓): no run that was tried breaks it." if any(v and not v.certain for v in verdicts) else ""
    failed = " ?: the function failed on a run." if any(v.how is How.FAILED for v in verdicts) else ""
    return (
        f"on runs of {matrix.depth} ranks, for a topic with {matrix.recall_base:,} relevant documents among"
        f" {matrix.collection:,}.{tried}{failed}"
    )
