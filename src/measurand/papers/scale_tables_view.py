"""Tables 2 to 6 of Ferrante, Ferro and Fuhr (2021), for any campaign, as the paper lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from measurand.display.tables import Document, Legend, Paragraph, Part, TableView, cells_view, listing
from measurand.display.wording import counted
from measurand.errors import CaveatKind
from measurand.papers.fff2021.as_published import AS_PUBLISHED
from measurand.papers.printed import Compared, Comparison
from measurand.papers.printed.labels import MEASURES, PAIRS, WITH_RECALL_BASE, WITHOUT_RECALL_BASE
from measurand.papers.scale_tables import ScaleTables

WIDTH = 130
"""The text is never wider."""

TITLES = {
    "table2": "Table 2. Kendall's tau of a measure with its ranks among all runs, tied runs on one rank (unq)",
    "table3": "Table 3. The same with the mean rank of tied runs (mid)",
    "table4": "Table 4. Kendall's tau of two measures: raw scores (Msr), ranks (RnkMsr), change in percent",
    "table5": "Table 5. Significant pairs, measures without the recall base",
    "table6": "Table 6. Significant pairs, measures with the recall base",
    "averages": "Section VIII-C. Averages over cells of Tables 5 and 6, in percent of Sig, ± 1.96 standard errors",
}

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


def scale_tables_document(tables: ScaleTables, comparison: Comparison | None = None) -> Document:
    """Return the tables, and how to read them.

    Parameters
    ----------
    tables
        The tables of a campaign.
    comparison
        The printed tables beside these, to be shown as well.

    Examples
    --------
    >>> from measurand.papers.scale_tables import scale_tables
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> print(scale_tables_document(scale_tables({"1": {"d1": 1}}, runs, depths=[2])).parts[0].words)
    2 systems (1 pair) × 1 topic
    """
    return Document(list(_parts(tables, comparison)), tables.caveats)


def scale_tables_views(tables: ScaleTables, comparison: Comparison | None = None) -> Iterator[TableView]:
    """Return the tables, one after the other; 5 and 6 depth by depth.

    Parameters
    ----------
    tables
        The tables of a campaign.
    comparison
        The printed tables beside these; the cells that differ come last.

    Examples
    --------
    >>> from measurand.papers.scale_tables import scale_tables
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> found = list(scale_tables_views(scale_tables({"1": {"d1": 1}}, runs, depths=[2])))
    >>> found[0].headings[:3], found[0].rows[0][:4]
    (['depth', 'P', 'RBP_p05'], ['2', '–', '1.0000', '1.0000'])
    """
    depths = list(tables.tables["table2"])
    for name in ("table2", "table3"):
        rows = [[depth, *(_tau(tables.tables[name][depth].get(label)) for label in MEASURES)] for depth in depths]
        yield _sheet(TITLES[name], ["depth", *MEASURES], rows)
    yield _pairs(tables, depths)
    for depth in depths:
        for name in ("table5", "table6"):
            labels = WITH_RECALL_BASE if name == "table6" else WITHOUT_RECALL_BASE
            yield _significance(f"{TITLES[name]}, depth {depth}", tables.tables["table56"][depth], labels)
    averages = list(_averages(tables))
    if averages:
        heads = ["cells", "depth", "number", "S2NS", "NS2S", "Δ%", "±"]
        yield _sheet(TITLES["averages"], heads, averages, left=2)
    if comparison is not None and comparison.differ:
        yield _differing(comparison)


def _sheet(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], **options: Any) -> TableView:
    return cells_view(heads, rows, title=title, tight=True, narrow="split", **options)


def _pairs(tables: ScaleTables, depths: Sequence[str]) -> TableView:
    found = tables.tables["table4"]
    heads = ["measures", *(f"{head} {depth}" for depth in depths for head in ("Msr", "RnkMsr", "Δ%"))]
    # at great depths some measures are left out
    pairs = [pair for pair in PAIRS if any(pair in found[depth] for depth in depths)]
    rows = [[pair, *(cell for depth in depths for cell in _pair(found[depth].get(pair)))] for pair in pairs]
    return _sheet(TITLES["table4"], heads, rows, together=3)


def _pair(cell: dict[str, Any] | None) -> list[str]:
    if cell is None:
        return ["–"] * 3
    return [_tau(cell["msr"]), _tau(cell["rnk"]), _signed(cell["delta"])]


def _significance(title: str, cells: dict[str, Any], labels: Sequence[str]) -> TableView:
    rows = [
        ["" if place else label, test, str(cell["sig"]), _share(cell, "s2ns"), _share(cell, "ns2s"), _delta(cell)]
        for label in labels
        if label in cells
        for place, (test, cell) in enumerate(cells[label].items())
    ]
    return _sheet(title, ["measure", "test", "Sig", "S2NS", "NS2S", "Δ%"], rows, left=2)


def _averages(tables: ScaleTables) -> Iterator[list[str]]:
    for depth in tables.depths:
        for found in tables.averages(depth):
            numbers = [*(found.means.get(key) for key in ("s2ns", "ns2s", "delta")), found.error]
            shown = ["–" if number is None else f"{number:.2f}" for number in numbers]
            yield [found.selection, str(depth), str(found.cells), *shown]


def _tau(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: float | None) -> str:
    # adding 0 turns what would be printed as -0.00 round
    return "–" if value is None else f"{round(value, 2) + 0:+.2f}"


def _share(cell: dict[str, Any], name: str) -> str:
    """Return a count with its percentage of the significant pairs, as the paper prints it."""
    return f"{cell[name]} ({100 * cell[name] / cell['sig']:.2f}%)" if cell["sig"] else f"{cell[name]} (–)"


def _delta(cell: dict[str, Any]) -> str:
    return "–" if cell["delta"] is None else f"{cell['delta']:.2f}"


def _parts(tables: ScaleTables, comparison: Comparison | None) -> Iterator[Part]:
    pairs = tables.systems * (tables.systems - 1) // 2
    size = f"{counted(tables.systems, 'system')} ({counted(pairs, 'pair')}) × {counted(tables.topics, 'topic')}"
    yield Paragraph(size, "strong")
    yield Paragraph(SETTING, "faint")
    if tables.conventions == AS_PUBLISHED:
        yield Paragraph(PUBLISHED, "faint")
    for view in scale_tables_views(tables):
        yield ""
        yield view
    if comparison is not None:
        yield ""
        yield from _beside(comparison)
    yield ""
    yield Paragraph(Legend.TITLE, "strong faint")
    yield listing(LEGEND, tones=["faint", "faint"], gap=1)
    # the other caveats are no matter of reading; the command line tells them apart from the table
    for caveat in tables.caveats:
        if caveat.kind is CaveatKind.SCALE:
            yield Paragraph(f"caveat: {caveat}", "faint", indent=1)


def _beside(comparison: Comparison) -> Iterator[Part]:
    """Return the cells that differ from the printed ones, and how many agree."""
    yield Paragraph(f"Beside the printed tables, {comparison.collection}", "strong")
    if comparison.other_runs:
        yield Paragraph(f"{comparison.other_runs}: {OTHER_RUNS}", "strong", indent=1)
    if not comparison.numbers:
        yield " Nothing computed here is known to be printed there; the paper has 5, 10, 20 and 30 ranks."
        return
    telling = [one for one in comparison if one.printed not in (0, 1)]
    agree = sum(one.agrees for one in telling)
    shares = f"; {comparison.summary_of_shares}" if comparison.shares else ""
    text = (
        f"{comparison.summary}{shares}. Of the {len(telling)} numbers that are neither 0 nor 1, {agree} agree; most of"
        " the others are the same in every campaign."
    )
    yield Paragraph(text, indent=1)
    for what, causes in {"": comparison.causes, ", percentages": comparison.causes_of_shares}.items():
        if causes:
            counts = "; ".join(f"{cause}: {count}" for cause, count in causes.items())
            yield Paragraph(f"Causes of differences{what}: {counts}.", indent=1)
    if comparison.differ:
        yield _differing(comparison, titled=False)
    for name, meaning in CAUSES.items():
        if any(name in one.cause for one in comparison.differ):
            yield Paragraph(f"{name}: {meaning}", "faint", indent=1)


def _differing(comparison: Comparison, *, titled: bool = True) -> TableView:
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
    title = f"Cells that differ from the printed ones, {comparison.collection}" if titled else ""
    return _sheet(title, [*words, "printed", "ours", "difference"], rows, left=len(words))


def _table(one: Compared) -> str:
    """Return the number of the table that a cell stands in."""
    if one.table != "table56":
        return one.table.removeprefix("table")
    return "6" if one.cell.partition(",")[0] in WITH_RECALL_BASE else "5"
