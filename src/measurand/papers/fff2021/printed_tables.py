"""Section VIII: the printed tables against the text, and against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.printed import Identity, averages, printed_tables, selections
from measurand.scales import Flips, PairCorrelation


def said_in(*rows: str) -> Iterator[Line]:
    """Return what the text says of cells beside what these come to, by rows of the checklist."""
    return (found.line for found in printed_tables().stated() if found.row in rows)


def identity(row: str) -> Identity:
    """Return an identity between cells, by its row of the checklist."""
    return next(found for found in printed_tables().identities() if found.row == row)


@exhibit("FFF-T2-prose", where="Section VIII-A2, text on Table 2")
def ranges_of_table_2() -> Iterator[Line]:
    """What the text says of the cells of Table 2, and the cells."""
    yield from said_in("FFF-T2-prose")


@exhibit("FFF-T3", where="Section VIII-A3, text on Table 3")
def ranges_of_table_3() -> Iterator[Line]:
    """What the text says of mean ranks in Table 3, and the cells."""
    yield from said_in("FFF-T3")
    same = identity("FFF-T3")
    yield line(f"RBP: the same in both tables, {same.checked} cells", same.holds, said=True)


@exhibit("FFF-T2-ident", "FFF-T4-ident", where="Sections VIII-A and VIII-B, Tables 2 and 4")
def correlations_agree() -> Iterator[Line]:
    """Cells of Tables 2 and 4 that must be equal."""
    tables = printed_tables().tables
    for track, cells in tables["table4"].items():
        for measure, twin in (("R", "R vs P"), ("RBP_p03", "RBP_p05 vs RBP_p03")):
            printed = f"{tables['table2'][track][measure]:.4f}"
            yield line(f"{track}: {twin}, Table 2 and Table 4", cells[twin]["msr"], printed=printed)
    alike = identity("FFF-T4-ident")
    what = f"measures that order runs alike: equal taus after φ, {alike.checked} checks"
    yield line(what, alike.holds, derived=True)
    deltas = [
        PairCorrelation(cell["msr"], cell["rnk"]).delta for row in tables["table4"].values() for cell in row.values()
    ]
    known = [delta for delta in deltas if delta is not None]
    yield line("largest increase, Δ%, in Table 4, from both taus", max(known), printed="25.82")
    yield line("largest decrease", min(known), printed="-33.30")


@exhibit("FFF-T56-pct", "FFF-T56-ident", where="Section VIII-C, Tables 5 and 6")
def counts_agree() -> Iterator[Line]:
    """Counts and percentages of Tables 5 and 6."""
    printed = printed_tables()
    cell = printed.tables["table56"]["T27_30"]["AP"]["two_way_anova"]
    percent = 100 * Fraction(cell["ns2s"], cell["sig"])
    what = f"AP, two_way_anova, T27: {cell['ns2s']} of {cell['sig']}, %"
    yield line(what, percent, printed=f"{cell['ns2s_percent']:.2f}", erratum="E37")
    first = printed.tables["table56"]["T08_30"]
    recall, precision = (_flips(first[measure]["one_way_anova"]) for measure in ("R", "P"))
    yield line("T08, one-way ANOVA: pairs after φ, P (paper) and R", recall.ranked, derived=precision.ranked)
    for what, row in {"percentages": "FFF-T56-pct", "equal counts after φ": "FFF-T56-ident"}.items():
        found = identity(row)
        yield line(f"{what}: cells checked, and wrong", (found.checked, len(found.fails)))


def _flips(cell: Mapping[str, int]) -> Flips:
    return Flips(cell["sig"], cell["s2ns"], cell["ns2s"])


@exhibit("FFF-T56-sum1", "FFF-T56-sum2", "FFF-T56-25", where="Section VIII-C and abstract")
def averages_over_cells() -> Iterator[Line]:
    """Averages that the text quotes, and those of the printed cells, each with the cells it is over."""
    for selection in selections():
        yield line(f"{selection.name}: how many cells", 3 * len(selection.cells))
    yield from said_in("FFF-T56-sum1", "FFF-T56-sum2", "FFF-T56-25")
    by_counts = {found.name: found for found in averages(printed_tables().cells["table56"])}
    won = by_counts["table 6, interval tests"].means["ns2s"] or 0.0
    yield line("table 6, interval tests: pairs won, by counts, %", round(won, 3))


EXHIBITS = (ranges_of_table_2, ranges_of_table_3, correlations_agree, counts_agree, averages_over_cells)
