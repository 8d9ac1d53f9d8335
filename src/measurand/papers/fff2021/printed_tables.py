"""Section VIII: the printed tables against the text, and against each other, as far as they are known here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt

from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.printed import NORMAL, Identity, Range, printed_tables, selections
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
    losses = printed.range_of(2, "nDCG_b02")
    low, high = (100 - 100 * Fraction(str(end)) for end in (losses.highest, losses.lowest))
    yield line(f"least loss of nDCG in cells below 1: {float(low):.2f} %", low, said="2", erratum="E33")
    yield line(f"greatest loss of nDCG: {float(high):.2f} %", high, said="10", erratum="E33")
    yield from ends(printed.range_of(4, "AP vs DCG"), "tau of AP and DCG in Table 4", "E33")


@exhibit("FFF-T3", where="Section VIII-A3, text on Table 3")
def ranges_of_table_3() -> Iterator[Line]:
    """What the text says of mean ranks in Table 3, and the cells."""
    printed = printed_tables()
    yield from ends(printed.range_of(3, "P"), "tau of P with mean ranks", "E34")
    unique, mean = printed.range_of(2, "RR").lowest, printed.range_of(3, "RR").lowest
    higher = {measure: printed.tally(f"{measure} is higher than in Table 2") for measure in ("RR", "AP")}
    lower = 2 * higher["RR"].holds < higher["RR"].among
    yield line("RR is lower than in Table 2 on most tracks", lower, said=True, erratum="E34")
    for measure, found in higher.items():
        yield line(f"{measure} is higher than in Table 2, of {found.among} tracks", found.holds)
    yield line("RR on one track, in Table 2 and in Table 3", (unique, mean))
    same = identity("FFF-T3")
    yield line(f"RBP: the same in both tables, {same.checked} cells", same.holds, said=True)


@exhibit("FFF-T2-ident", "FFF-T4-ident", where="Sections VIII-A and VIII-B, Tables 2 and 4")
def correlations_agree() -> Iterator[Line]:
    """Cells of Tables 2 and 4 that must be equal."""
    tables = printed_tables().tables
    for track, cells in tables["table4"].items():
        for measure, twin in (("R", "P vs R"), ("RBP_p03", "RBP_p05 vs RBP_p03")):
            printed = f"{tables['table2'][track][measure]:.4f}"
            yield line(f"{track}: {twin}, Table 2 and Table 4", cells[twin]["msr"], printed=printed)
    alike = identity("FFF-T4-ident")
    yield line(f"same order of runs: tau 1 after φ, {alike.checked} known cells", alike.holds, said=True)
    recall = tables["table4"]["T08_30"]["P vs R"]
    delta = PairCorrelation(recall["msr"], recall["rnk"]).delta
    yield line("largest Δ% in Table 4 (ours: P vs R on T08)", delta, printed="25.82")


@exhibit("FFF-T56-pct", "FFF-T56-ident", where="Section VIII-C, Tables 5 and 6")
def counts_agree() -> Iterator[Line]:
    """Counts and percentages of Tables 5 and 6."""
    printed = printed_tables()
    [count] = printed.counts
    cell = printed.tables["table56"][count.track][count.measure][count.test]
    percent = 100 * Fraction(count.pairs, cell["sig"])
    what = f"{count.measure}, {count.test}, T27: {count.pairs} of {cell['sig']}, %"
    yield line(what, percent, printed=f"{count.percent:.2f}", erratum="E37")
    first = printed.tables["table56"]["T08_30"]
    recall, precision = (Flips(**first[measure]["one_way_anova"]) for measure in ("R", "P"))
    yield line("T08, one-way ANOVA: pairs after φ, P (paper) and R", recall.ranked, derived=precision.ranked)
    for what, row in {"percentages": "FFF-T56-pct", "equal counts after φ": "FFF-T56-ident"}.items():
        found = identity(row)
        yield line(f"{what}: known cells checked, and wrong", (found.checked, len(found.fails)))


@exhibit("FFF-T56-sum1", "FFF-T56-sum2", "FFF-T56-25", where="Section VIII-C and abstract")
def averages_over_cells() -> Iterator[Line]:
    """Averages that the text quotes, and those of the printed cells, each with the cells it is over."""
    quoted = {found.name: found for found in printed_tables().quoted}
    words = {"s2ns": "pairs lost", "ns2s": "pairs won", "delta": "pairs lost or won", "error": "±"}
    for selection in selections()[:4]:
        found = quoted[selection.name]
        yield line(f"{selection.name}: how many cells", 3 * len(selection.cells))
        for key, said in found.text.items():
            wrong = f"{found.cells[key]:.0f}" != str(said)
            what = f"{selection.name}: {words[key]}, {found.cells[key]:.2f} %"
            yield line(what, found.cells[key], said=str(said), erratum="E38" if wrong else "")
    *_, change, every = selections()
    mean, error = _with_zeros(quoted[change.name].cells, 3 * len(change.cells), 3 * len(every.cells))
    yield line("all tracks, measures, tests: how many cells", 3 * len(every.cells))
    yield line(f"all tracks, measures, tests: {mean:.2f} %", mean, said="25", erratum="E38")
    yield line(f"all tracks, measures, tests: ±, {error:.2f} %", error, said="11", erratum="E38")


def _with_zeros(known: Mapping[str, float], some: int, every: int) -> tuple[float, float]:
    """Return a mean and 1.96 of its standard errors from those of some cells, if all others are 0.

    In the cells of Table 5 that are not among those that can change, no pair does.
    """
    mean, deviation = known["delta"], known["error"] / NORMAL * sqrt(some)
    squares = (some - 1) * deviation**2 + some * mean**2
    whole = mean * some / every
    return whole, NORMAL * sqrt((squares - every * whole**2) / (every - 1) / every)


EXHIBITS = (ranges_of_table_2, ranges_of_table_3, correlations_agree, counts_agree, averages_over_cells)
