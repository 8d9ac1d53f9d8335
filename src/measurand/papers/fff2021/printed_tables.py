"""Section VIII: the printed tables against the text, and against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from measurand.papers.exhibit import Line, agree, exhibit, line
from measurand.papers.printed import Identity, Range, averages, printed_tables, selections
from measurand.scales import Flips, PairCorrelation


def ends(found: Range, what: str, erratum: str) -> Iterator[Line]:
    """Return lines on the lowest and the highest cell, beside what the text says of them."""
    for name, cell in (("lowest", found.lowest), ("highest", found.highest)):
        said = f"{found.text[name]:.2f}"
        wrong = cell is not None and f"{cell:.2f}" != said
        yield line(f"{name} {what}: {cell}", cell, said=said, erratum=erratum if wrong else "")


def identity(row: str) -> Identity:
    """Return an identity between cells, by its row of the checklist."""
    return next(found for found in printed_tables().identities() if found.row == row)


@exhibit("FFF-T2-prose", where="Section VIII-A2, text on Table 2")
def ranges_of_table_2() -> Iterator[Line]:
    """What the text says of the cells of Table 2, and the cells."""
    printed = printed_tables()
    for measure in ("RBP_p08", "AP"):
        yield from ends(printed.range_of(2, measure), f"tau of {measure}", "E33")
    losses = [
        100 - 100 * Fraction(str(row[measure]))
        for track, row in printed.cells["table2"].items()
        for measure in ("nDCG_b02", "nDCG_b10")
        if not (measure == "nDCG_b10" and track.endswith(("_05", "_10")))
    ]
    low, high = min(losses), max(losses)
    yield line("nDCG without b = 10 at N = 5, 10, as the text has it: cells", len(losses))
    yield line(f"least loss of nDCG there: {float(low):.2f} %", low, said="2")
    yield line(f"greatest loss of nDCG there: {float(high):.2f} %", high, said="10", erratum="E33")
    yield from ends(printed.range_of(4, "AP vs DCG"), "tau of AP and DCG in Table 4", "E33")


@exhibit("FFF-T3", where="Section VIII-A3, text on Table 3")
def ranges_of_table_3() -> Iterator[Line]:
    """What the text says of mean ranks in Table 3, and the cells."""
    printed = printed_tables()
    yield from ends(printed.range_of(3, "P"), "tau of P with mean ranks", "E34")
    unique, mean = min(
        (row["RR"], printed.cells["table3"][track]["RR"]) for track, row in printed.cells["table2"].items()
    )
    changes = [
        cell - printed.cells["table2"][track][measure]
        for track, row in printed.cells["table3"].items()
        for measure, cell in row.items()
    ]
    lower = sum(change < 0 for change in changes)
    yield line(f"cells lower than in Table 2, of {len(changes)}", lower)
    yield line("cells are lower than in Table 2 in general", 2 * lower > len(changes), said=True)
    for measure in ("RR", "AP"):
        found = printed.tally(f"{measure} is higher than in Table 2")
        yield line(f"{measure} is higher than in Table 2, of {found.among} tracks", found.holds)
    yield line("RR where it is lowest in Table 2: there, and in Table 3", (unique, mean))
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
    yield line(f"same order of runs: tau 1 after φ, {alike.checked} cells", alike.holds, said=True)
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
    printed = printed_tables()
    quoted = {found.name: found for found in printed.quoted}
    words = {"s2ns": "pairs lost", "ns2s": "pairs won", "delta": "pairs lost or won", "error": "±"}
    by_percentages, by_counts = (
        {found.name: {**found.means, "error": found.error} for found in averages(printed.cells["table56"], by=by)}
        for by in ("percentages", "counts")
    )
    *some, every = selections()
    for selection in some:
        yield line(f"{selection.name}: how many cells", 3 * len(selection.cells))
        for key, said in quoted[selection.name].text.items():
            mean = by_percentages[selection.name][key] or 0.0
            erratum = "" if agree(f"around {said}", mean) else "E38"
            yield line(f"{selection.name}: {words[key]}, %", round(mean, 2), said=f"around {said}", erratum=erratum)
    won = tuple(round(found["table 6, interval tests"]["ns2s"] or 0.0, 3) for found in (by_percentages, by_counts))
    yield line("table 6, interval tests: pairs won, by printed percentages and by counts", won)
    mean, error = (by_percentages[every.name][key] or 0.0 for key in ("delta", "error"))
    yield line("all tracks, measures, tests: how many cells", 3 * len(every.cells))
    yield line("all tracks, measures, tests: pairs lost or won, %", round(mean, 2), said="around 25", erratum="E38")
    yield line("all tracks, measures, tests: ±, %", round(error, 2), said="around 11", erratum="E38")


EXHIBITS = (ranges_of_table_2, ranges_of_table_3, correlations_agree, counts_agree, averages_over_cells)
