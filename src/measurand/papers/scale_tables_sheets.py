"""Tables 2 to 6 of Ferrante, Ferro and Fuhr (2021), for any campaign, as the paper lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from measurand.papers.printed.labels import MEASURES, PAIRS, WITH_RECALL_BASE, WITHOUT_RECALL_BASE
from measurand.papers.scale_tables import ScaleTables
from measurand.report.sheet import Sheet

TITLES = {
    "table2": "Table 2. Kendall's tau of a measure with its ranks among all runs, tied runs on one rank (unq)",
    "table3": "Table 3. The same with the mean rank of tied runs (mid)",
    "table4": "Table 4. Kendall's tau of two measures: raw scores (Msr), ranks (RnkMsr), change in percent",
    "table5": "Table 5. Significant pairs, measures without the recall base",
    "table6": "Table 6. Significant pairs, measures with the recall base",
    "averages": "Section VIII-C. Averages over cells of Tables 5 and 6, in percent of Sig, ± 1.96 standard errors",
}


def sheets(tables: ScaleTables) -> Iterator[Sheet]:
    """Return the tables, one after the other; 5 and 6 depth by depth.

    Examples
    --------
    >>> from measurand.papers.scale_tables import scale_tables
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> found = list(sheets(scale_tables({"1": {"d1": 1}}, runs, depths=[2])))
    >>> found[0].heads[:3], found[0].rows[0][:4]
    (['depth', 'P', 'RBP_p05'], ['2', '–', '1.0000', '1.0000'])
    """
    depths = list(tables.tables["table2"])
    for name in ("table2", "table3"):
        rows = [[depth, *(_tau(tables.tables[name][depth].get(label)) for label in MEASURES)] for depth in depths]
        yield Sheet(TITLES[name], ["depth", *MEASURES], rows)
    yield _pairs(tables, depths)
    for depth in depths:
        for name in ("table5", "table6"):
            labels = WITH_RECALL_BASE if name == "table6" else WITHOUT_RECALL_BASE
            yield _significance(f"{TITLES[name]}, depth {depth}", tables.tables["table56"][depth], labels)
    averages = list(_averages(tables))
    if averages:
        heads = ["cells", "depth", "number", "S2NS", "NS2S", "Δ%", "±"]
        yield Sheet(TITLES["averages"], heads, averages, words=2)


def _pairs(tables: ScaleTables, depths: Sequence[str]) -> Sheet:
    found = tables.tables["table4"]
    heads = ["measures", *(f"{head} {depth}" for depth in depths for head in ("Msr", "RnkMsr", "Δ%"))]
    # at great depths some measures are left out
    pairs = [pair for pair in PAIRS if any(pair in found[depth] for depth in depths)]
    rows = [[pair, *(cell for depth in depths for cell in _pair(found[depth].get(pair)))] for pair in pairs]
    return Sheet(TITLES["table4"], heads, rows, together=3)


def _pair(cell: dict[str, Any] | None) -> list[str]:
    if cell is None:
        return ["–"] * 3
    return [_tau(cell["msr"]), _tau(cell["rnk"]), _signed(cell["delta"])]


def _significance(title: str, cells: dict[str, Any], labels: Sequence[str]) -> Sheet:
    rows = [
        ["" if place else label, test, str(cell["sig"]), _share(cell, "s2ns"), _share(cell, "ns2s"), _delta(cell)]
        for label in labels
        if label in cells
        for place, (test, cell) in enumerate(cells[label].items())
    ]
    return Sheet(title, ["measure", "test", "Sig", "S2NS", "NS2S", "Δ%"], rows, words=2)


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
