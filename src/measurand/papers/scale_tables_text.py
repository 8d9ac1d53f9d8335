"""Tables 2 to 6 of Ferrante, Ferro and Fuhr (2021), for any campaign, as text and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.display.wording import counted
from measurand.errors import CaveatKind
from measurand.papers.fff2021.as_published import AS_PUBLISHED
from measurand.papers.printed import Compared, Comparison
from measurand.papers.printed.labels import WITH_RECALL_BASE
from measurand.papers.scale_tables import ScaleTables
from measurand.papers.scale_tables_sheets import sheets
from measurand.report.profile_text import printed
from measurand.report.sheet import Sheet

WIDTH = 130
"""The text is never wider."""

SETTING = "As in Ferrante, Ferro and Fuhr (2021): ranked by single-precision scores, every grade above 0 is relevant."

PUBLISHED = (
    "As published: AP is ranked among the different doubles that runs come to, added from left to right; Tukey's test"
    " after both ANOVAs has infinite degrees of freedom. Without --as-published exact values and the degrees of freedom"
    " that there are take their place."
)

CAUSES = {
    "doubles": "the printed number comes out if AP is ranked by its doubles, which break ties",
    "degrees of freedom": "it comes out if Tukey's range has infinite degrees of freedom",
    "misprint": "a printed percentage that is not that of the printed counts",
    "unexplained": "no convention that was tried gives the printed number",
}
"""What each cause of a difference means."""

OTHER_RUNS = "these are other runs, which is why numbers differ."
"""The cause where the campaign is not the one that the paper has."""

LEGEND = (
    ("Sig", "pairs of systems that are significantly different with the measure itself, p ≤ 0.05, Matlab's tests"),
    ("S2NS", "those that no longer are on the interval scale (and % of Sig): false positives, trusting that scale"),
    ("NS2S", "those that only are on the interval scale (and % of Sig): false negatives, trusting that scale"),
    ("VIII-C", "averages over cells; cells without any significant pair have no percentage and are left out"),
    ("–", "undefined, as all systems tie or no pair is significant; or not to be had at this depth, as a note says"),
)


def scale_tables_text(
    tables: ScaleTables, comparison: Comparison | None = None, *, colour: bool = False, width: int | None = None
) -> str:
    r"""Return the tables as text.

    Parameters
    ----------
    comparison
        The printed tables beside these, to be told as well.

    Examples
    --------
    >>> from measurand.papers.scale_tables import scale_tables
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> text = scale_tables_text(scale_tables({"1": {"d1": 1}}, runs, depths=[2]))
    >>> text.splitlines()[0]
    '2 systems (1 pair) × 1 topic'
    """
    width = width or WIDTH
    return printed(_parts(tables, comparison, width), colour=colour, width=width)


def scale_tables_latex(tables: ScaleTables, comparison: Comparison | None = None) -> str:
    """Return the tables in the manner of booktabs, with the cells that differ from printed ones if there are any."""
    compared = [] if comparison is None or not comparison.differ else [_differing(comparison)]
    return "% \\usepackage{booktabs}\n" + "\n".join(sheet.latex() for sheet in [*sheets(tables), *compared])


def _parts(tables: ScaleTables, comparison: Comparison | None, width: int) -> Iterator[RenderableType]:
    pairs = tables.systems * (tables.systems - 1) // 2
    size = f"{counted(tables.systems, 'system')} ({counted(pairs, 'pair')}) × {counted(tables.topics, 'topic')}"
    yield Text(size, style="bold")
    yield Text(SETTING, style="dim")
    if tables.conventions == AS_PUBLISHED:
        yield Text(PUBLISHED, style="dim")
    for sheet in sheets(tables):
        yield Text(f"\n{sheet.title}", style="bold")
        yield from _grids(sheet, width)
    if comparison is not None:
        yield from _beside(comparison, width)
    yield Text("\nHow to read this", style="dim bold")
    yield Padding(_legend(), (0, 0, 0, 1))
    # the other caveats are no matter of reading; the command line tells them apart from the table
    for caveat in tables.caveats:
        if caveat.kind is CaveatKind.SCALE:
            yield Padding(Text(f"caveat: {caveat}", style="dim"), (0, 0, 0, 1))


def _grids(sheet: Sheet, width: int) -> Iterator[RenderableType]:
    return (Padding(piece, (0, 0, 0, 1)) for piece in sheet.grids(width - 1))


def _legend() -> Table:
    lines = Table.grid(padding=(0, 1))
    lines.add_column(no_wrap=True, style="dim")
    lines.add_column(style="dim")
    for name, meaning in LEGEND:
        lines.add_row(name, meaning)
    return lines


def _beside(comparison: Comparison, width: int) -> Iterator[RenderableType]:
    """Return the cells that differ from the printed ones, and how many agree."""
    yield Text(f"\nBeside the printed tables, {comparison.collection}", style="bold")
    if comparison.other_runs:
        yield Padding(Text(f"{comparison.other_runs}: {OTHER_RUNS}", style="bold"), (0, 0, 0, 1))
    if not comparison.numbers:
        yield Text(" Nothing computed here is known to be printed there; the paper has 5, 10, 20 and 30 ranks.")
        return
    telling = [one for one in comparison if one.printed not in (0, 1)]
    agree = sum(one.agrees for one in telling)
    shares = f"; {comparison.summary_of_shares}" if comparison.shares else ""
    text = (
        f"{comparison.summary}{shares}. Of the {len(telling)} numbers that are neither 0 nor 1, {agree} agree; most of"
        " the others are the same in every campaign."
    )
    yield Padding(Text(text), (0, 0, 0, 1))
    for what, causes in {"": comparison.causes, ", percentages": comparison.causes_of_shares}.items():
        if causes:
            counts = "; ".join(f"{cause}: {count}" for cause, count in causes.items())
            yield Padding(Text(f"Causes of differences{what}: {counts}."), (0, 0, 0, 1))
    if comparison.differ:
        yield from _grids(_differing(comparison), width)
    for name, meaning in CAUSES.items():
        if any(name in one.cause for one in comparison.differ):
            yield Padding(Text(f"{name}: {meaning}", style="dim"), (0, 0, 0, 1))


def _differing(comparison: Comparison) -> Sheet:
    """Return the cells that differ from the printed ones."""
    explained = any(one.cause for one in comparison.differ)
    rows = [
        [
            *(_table(one), one.track, one.cell, one.key, *([one.cause] if explained else [])),
            *(one.as_printed, f"{one.ours:.6g}", f"{one.difference:+.4g}"),
        ]
        for one in comparison.differ
    ]
    words = ["table", "track", "cell", "number", *(["cause"] if explained else [])]
    title = f"Cells that differ from the printed ones, {comparison.collection}"
    return Sheet(title, [*words, "printed", "ours", "difference"], rows, words=len(words))


def _table(one: Compared) -> str:
    """Return the number of the table that a cell stands in."""
    if one.table != "table56":
        return one.table.removeprefix("table")
    return "6" if one.cell.partition(",")[0] in WITH_RECALL_BASE else "5"
