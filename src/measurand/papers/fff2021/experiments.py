"""Sections VII and VIII: the experiments, as far as they need none of the paper's runs.

A made-up campaign shows what must hold on any campaign. Section VII and the beginning of VIII-A: measures,
collections, lengths of runs, and how means are ranked. Section VIII-A: how values are spread over all runs, Figures 6
to 8. Sections VIII-A and VIII-B: what the transform does to rankings of systems, Tables 2 to 4. Section VIII-C: what
it does to significance tests, Tables 5 and 6. Between them the printed tables against the text and each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb, inf, log10
from typing import Any

import numpy as np

from measurand.intervals import distribution, image
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.four_ranks import values_of
from measurand.papers.printed import MEASURES, Identity, averages, ordinal, printed_tables, selections
from measurand.scales import (
    EIGHT,
    Flips,
    Image,
    PairCorrelation,
    ScaleEffect,
    interval,
    scale_effect,
    share_between,
    value_curve,
)
from measurand.scores import Scale, Scores
from measurand.statistics import TESTS, AllPairs, kendall, sign, studentized_range_quantile

SYSTEMS, TOPICS, DEPTH = 12, 30, 10


@cache
def campaign() -> JudgedRuns:
    """Return twelve systems of growing quality on thirty topics with recall bases from 4 to 40."""
    rng = np.random.default_rng(7)
    bases = np.array([4 + 3 * (topic % 13) for topic in range(TOPICS)])
    quality = np.linspace(0.15, 0.6, SYSTEMS)[:, None, None]
    ease = (rng.uniform(0.4, 1.5, TOPICS) * np.minimum(1, bases / DEPTH))[None, :, None]
    chance = quality * ease * np.linspace(1.3, 0.7, DEPTH)
    cells = (rng.random((SYSTEMS, TOPICS, DEPTH)) < chance).astype(np.int8)
    # nobody finds more relevant documents than there are
    cells[cells.cumsum(axis=2) > bases[None, :, None]] = 0
    return JudgedRuns(
        systems=tuple(f"system {number}" for number in range(1, SYSTEMS + 1)),
        topics=tuple(f"topic {number}" for number in range(1, TOPICS + 1)),
        cells=cells,
        lengths=np.full((SYSTEMS, TOPICS), DEPTH),
        grade_counts=np.stack([np.full(TOPICS, 100), bases], axis=1),
    )


@cache
def effect() -> ScaleEffect:
    """Return what the transform does to the eleven measures on the made-up campaign."""
    return scale_effect(campaign(), list(MEASURES.values()), DEPTH)


@exhibit(
    *("FFF-VII-meas", "FFF-VII-data", "FFF-VII-lenient", "FFF-VII-len", "FFF-VII-alpha"),
    where="Section VII, with the pairs of Tables 5 and 6",
)
def set_up() -> Iterator[Line]:
    """Eleven measures, three collections, four lengths of runs."""
    based = [label for label, spelling in MEASURES.items() if parse(spelling).uses_recall_base]
    yield line("measures without and with a recall base", (len(MEASURES) - len(based), len(based)), derived=(7, 4))
    for collection, runs, pairs in (("T08", 129, 8256), ("T26", 75, 2775), ("T27", 72, 2556)):
        yield line(f"pairs of systems, {collection} with {runs} runs", comb(runs, 2), printed=pairs)
    yield line("judged runs of 5 ranks", image("P", 5).total, printed=32)
    for depth, power in ((10, 3), (20, 6), (30, 9)):
        total = image("P", depth).total
        yield line(f"judged runs of {depth} ranks", total)
        yield line("which is about ten to the power of", round(log10(total)), printed=power)
    graded, binary = interval("DCG(b=2)@3").scores(JudgedRuns.on_one_topic([(0, 1, 2), (0, 1, 1)], (5, 2, 2))).values
    yield line("grades 0, 1, 2 count as 0, 1, 1", bool(graded == binary), said=True)
    six = Scores(measure="P", values=np.array([[1.0] * 6, [0.0] * 6]), systems=("a", "b"), topics=tuple("123456"))
    level = float(sign(six).of("a", "b"))
    yield line("p of six wins of six, sign test", level)
    yield line("significant at a level α equal to p", bool(sign(six).significant(level)[0, 1]))


@exhibit("FFF-VIII-A-round", "FFF-VIII-A-all", where="Section VIII-A")
def rounded_averages() -> Iterator[Line]:
    """Averages are rounded before they are ranked, and all systems are kept."""
    counts = np.array([[0, 0, 3], [0, 1, 2]])
    p = Scores(measure="P@5", values=counts / 5, systems=("a", "b"), topics=("1", "2", "3"))
    one, other = p.mean()
    yield line("P@5 of (0, 0, 3) and (0, 1, 2): floats are equal", bool(one == other))
    yield line("they tie after rounding to eight digits", kendall(p, [1, 2]).ties_x == 1)
    tau = kendall(parse("P@10").scores(campaign()), parse("AP@10").scores(campaign()))
    yield line("correlation; systems in it, of twelve", (tau.method, tau.n))


DEPTHS = (5, 10, 20, 30)


def central(measure: str, depth: int) -> Fraction:
    """Return the percentage of runs whose values are in the central half of the range."""
    highest: Any = parse(measure).of((1,) * depth)
    low, high = share_between(measure, depth, highest / 4, 3 * highest / 4)
    return 50 * (low + high)


def groups_by_quarter(values: Image) -> tuple[int, ...]:
    """Return how many groups of tied runs have their value in each quarter of the range, from the lowest."""
    tied = [float(value) for value, size in zip(values, values.sizes.tolist(), strict=True) if size > 1]
    counts, _ = np.histogram(tied, bins=4, range=(float(values.lowest), float(values.highest)))
    return tuple(counts.tolist())


@exhibit("FFF-Fig6", where="Sections VIII-A1 and VIII-C1, on Figure 6")
def figure_6() -> Iterator[Line]:
    """P, RBP with p = 1/2 and RR: how many runs have which value."""
    shares = [Fraction(0), *(share for _, share in value_curve("P", 5))]
    none, *middle, full = (100 * (high - low) for low, high in pairwise(shares))
    read = ("20", "30", "30", "20")
    yield line("P, N = 5: % of runs at 0.2, 0.4, 0.6, 0.8", tuple(middle), printed=read, erratum="E35")
    yield line("the same with more digits, and at 0 and 1", tuple(map(float, (*middle, none, full))))
    for depth, clusters in ((5, (1, 5)), (10, (6, 5)), (20, (16, 5)), (30, (26, 5))):
        values: Any = distribution("RR", depth).values
        low = sum(value < Fraction(1, 5) for value in values)
        yield line(f"RR, N = {depth}: values below 0.2, and from 0.2 to 1", (low, len(values) - low), printed=clusters)
    four, _ = distribution("RR", 30).share_between(Fraction(1, 4), 1)
    yield line("RR, N = 30: % of runs at 1, 1/2, 1/3 or 1/4", float(100 * four))
    yield line("which is over 90", four > Fraction(9, 10), said=True)
    for depth in DEPTHS[:2]:
        points: Any = value_curve("RBP(p=0.5)", depth)
        straight = all(share == value + Fraction(1, 2**depth) for value, share in points)
        yield line(f"RBP, p = 1/2, N = {depth}: a straight line", straight, said=True)


@exhibit("FFF-Fig7", where="Section VIII-A1, Figure 7")
def figure_7() -> Iterator[Line]:
    """RBP with p = 0.3, 1/2 and 0.8: how high it reaches, and where its runs are."""
    for depth in DEPTHS:
        highest = (parse(f"RBP(p={p})").value((1,) * depth) for p in ("0.3", "0.5", "0.8"))
        yield line(f"highest RBP, N = {depth}: p = 0.3, 0.5, 0.8", tuple(f"{value:.4f}" for value in highest))
    for p in ("0.3", "0.5", "0.8"):
        yield line(f"% of runs in the central half, N = 20: p = {p}", f"{float(central(f'RBP(p={p})', 20)):.1f}")


@exhibit("FFF-Fig8", where="Section VIII-A1, Figure 8")
def figure_8() -> Iterator[Line]:
    """DCG with base 2 and 10: the longer the runs, the more of them have values in the middle."""
    for base, depths in ((2, DEPTHS), (10, DEPTHS[2:])):
        for depth in depths:
            share = f"{float(central(f'DCG(b={base})', depth)):.1f}"
            yield line(f"% of runs in the central half, base {base}, N = {depth}", share)


@exhibit("FFF-Fig8-ties", where="Section VIII-A1, on Figure 8")
def ties_of_dcg() -> Iterator[Line]:
    """Runs that tie under DCG with base 2 are two and two, the same share of all runs at every length."""
    found = {depth: values_of("DCG(b=2)", depth) for depth in (2, 5, 8)}
    groups = tuple(one.size - one.ties[1] for one in found.values())
    yield line("base 2: groups of tied runs at N = 2, 5, 8", groups)
    yield line("base 2: there are more and more of them", groups[0] < groups[1] < groups[2], said=True)
    quarters = groups_by_quarter(found[8])
    yield line("base 2, N = 8: groups in each quarter of the range", quarters)
    yield line("base 2: they lie unevenly across the range", len(set(quarters)) > 1, said=True)
    sizes = {size for one in found.values() for size in one.ties if size > 1}
    yield line("base 2: sizes of groups at N = 2, 5, 8", tuple(sizes))
    shares = [Fraction(interval(f"DCG(b=2)@{depth}").size, 2**depth) for depth in (2, 5, 10, 20, 30, 63)]
    yield line("base 2: share of distinct values, N = 2, 5, 10, 20, 30, 63", tuple(shares))
    # they could if a larger and larger share of runs tied, so that the share of distinct values fell
    yield line("ties explain the trend", shares[0] > shares[-1], said=True, erratum="E36")
    ten = distribution("DCG(b=10)", 11)
    large = Counter(at - below for below, at in zip(ten.below, ten.at_most, strict=True))
    subsets = Counter({size: 2 * n for size, n in Counter(comb(10, k) for k in range(11)).items()})
    yield line("base 10, N = 11: groups are as large as C(10, k)", large == subsets)


TINY = ((8, 3, 12, 5), (1, 10, 6, 9), (15, 4, 2, 7))
"""Topics × systems of runs of four ranks, read as binary numbers."""


def cut(label: str, depth: int = DEPTH) -> str:
    """Return the spelling of a measure of the paper with its cutoff."""
    return f"{MEASURES[label]}@{depth}"


def correlation(one: str, other: str) -> PairCorrelation:
    """Return how alike two measures of the paper rank the made-up systems."""
    found, names = effect().correlations, (cut(one), cut(other))
    return found[names] if names in found else found[names[::-1]]


@exhibit("FFF-VIII-A-ex", where="Section VIII-A, on a small example of ours")
def small_campaign() -> Iterator[Line]:
    """Four systems on three topics: the transform changes their order on average, on no topic."""
    runs = np.array(list(product((0, 1), repeat=4)), dtype=np.int8)
    judged = JudgedRuns(
        systems=tuple("abcd"),
        topics=tuple("123"),
        cells=runs[np.array(TINY)].transpose(1, 0, 2),
        lengths=np.full((4, 3), 4),
        grade_counts=np.array([(100, 2), (100, 3), (100, 6)]),
    )
    for label in ("P", "RR", "RBP_p03", "RBP_p05", "RBP_p08", "DCG_b02", "R", "AP", "nDCG_b02"):
        raw, ranked = parse(cut(label, 4)).scores(judged), interval(cut(label, 4)).scores(judged)
        overall, by_topic = kendall(raw, ranked), kendall(raw, ranked, kind="topic")
        yield line(f"{label}: tau overall, and topic by topic", (f"{overall:.6f}", f"{by_topic:.0f}"))
    for label in ("P", "RR", "RBP_p03", "RBP_p05", "DCG_b02", "AP"):
        scale = interval(cut(label, 4))
        ranks = 1 + scale.scores(judged).values.mean(axis=1) * (scale.size - 1)
        yield line(f"{label}: mean ranks of the systems", tuple(f"{rank:.3f}" for rank in ranks.tolist()))


@exhibit("FFF-T2", "FFF-T2-tbt", where="Section VIII-A2, Table 2")
def a_measure_and_its_transform() -> Iterator[Line]:
    """What Table 2 must show on any campaign, here on a made-up one of ten ranks."""
    found = {label: effect().of(spelling) for label, spelling in MEASURES.items()}
    for label in ("P", "RBP_p05", "DCG_b10"):
        yield line(f"tau of {label} with its transform", found[label].tau, said="1.0")
    for label in ("RR", "RBP_p03", "R", "AP", "nDCG_b10"):
        yield line(f"tau of {label} with its transform", f"{found[label].tau:.4f}")
    whole = all(float(one.tau_by_topic) == 1 for one in found.values())
    yield line("topic by topic tau is 1 for all eleven", whole, said=True)
    for measure, twin in (("R", "P"), ("RBP_p03", "RBP_p05")):
        same = abs(found[measure].tau - correlation(measure, twin).raw) < 1e-12
        yield line(f"tau of {measure} with its transform is that with {twin}", same, derived=True)


@exhibit("FFF-T3-mid", where="Section VIII-A3, Table 3")
def mean_ranks_of_ties() -> Iterator[Line]:
    """Mean ranks of tied runs have no equal steps; on any campaign they change nothing where no runs tie."""
    for measure in ("P", "RR"):
        scale = interval(measure, depth=4, ties="mid")
        ranks = sorted({scale.rank(run) for run in product((0, 1), repeat=4)})
        yield line(f"mean ranks of the values of {measure}, N = 4", tuple(str(float(rank)) for rank in ranks))
        yield line(f"scale of {measure} with mean ranks", str(scale.scale))
    for label in ("RBP_p05", "RBP_p03", "RBP_p08"):
        one = effect().of(MEASURES[label])
        yield line(f"tau of {label} is the same with mean ranks", one.tau == one.tau_mid, derived=True)
    precision, rr = (effect().of(name) for name in ("P", "RR"))
    yield line("P: tau with unique and with mean ranks", (f"{precision.tau:.4f}", f"{precision.tau_mid:.4f}"))
    yield line("RR: tau with unique and with mean ranks", (f"{rr.tau:.4f}", f"{rr.tau_mid:.4f}"))


@exhibit("FFF-T4", "FFF-T4-mean", where="Section VIII-B, Table 4")
def two_measures() -> Iterator[Line]:
    """What Table 4 must show on any campaign, here on a made-up one of ten ranks."""
    yield line("pairs of eleven measures", len(effect().correlations), derived=55)
    steady = correlation("P", "RBP_p05")
    yield line("P and RBP_p05: Δ%", steady.delta, printed="0.00")
    for one, other in (("R", "P"), ("RBP_p03", "RBP_p05"), ("nDCG_b02", "DCG_b02"), ("nDCG_b10", "DCG_b10")):
        yield line(f"{one} and {other}: tau after the transform", correlation(one, other).ranked, printed="1.0000")
        others = [label for label in MEASURES if label not in (one, other)]
        same = all(correlation(one, third).ranked == correlation(other, third).ranked for third in others)
        yield line(f"{one} and {other} agree alike with all others", same, derived=True)


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


POPCORN = np.array([[5.5, 5.5, 6.0, 6.5, 7.0, 7.0], [4.5, 4.5, 4.0, 5.0, 5.5, 5.0], [3.5, 4.0, 3.0, 4.0, 5.0, 4.5]])
"""Matlab's example of a two-way layout: three brands of popcorn, six batches each."""

WITH_RECALL_BASE = ("R", "AP", "nDCG_b02", "nDCG_b10")

WITHIN_TOPICS = ("sign", "friedman")


@cache
def popcorn(test: str, **options: object) -> AllPairs:
    """Return a test of the popcorn, as Matlab has it."""
    batches = tuple("123456")
    brands = Scores(measure="taste", values=POPCORN, systems=tuple("abc"), topics=batches, scale=Scale.INTERVAL)
    if test in ("sign", "rank_sum", "signed_rank"):
        options["semantics"] = "matlab"
    return TESTS[test](brands, **options)


def flips(label: str, test: str) -> Flips:
    """Return what the transform does to a test of the made-up systems under a measure of the paper."""
    return effect().of(MEASURES[label]).flips[test]


@exhibit(
    "FFF-VIII-C-sign",
    "FFF-VIII-C-rs",
    "FFF-VIII-C-sr",
    "FFF-VIII-C-t",
    "FFF-VIII-C-a1",
    "FFF-VIII-C-a2",
    "FFF-VIII-C-kw",
    "FFF-VIII-C-fr",
    where="Section VIII-C, the eight tests, on an example of Matlab",
)
def eight_tests() -> Iterator[Line]:
    """The tests as Matlab has them, on its example of three brands of popcorn."""
    for test in EIGHT:
        pvalues = popcorn(test).pvalues[np.triu_indices(3, 1)].tolist()
        yield line(f"{test}: p of each two brands", tuple(f"{p:.6f}" for p in pvalues))
    for test in ("one_way_anova", "two_way_anova"):
        details = popcorn(test).details
        yield line(f"{test}: MSE and degrees of freedom", (f"{details['mse']:.6f}", f"{details['df']:.0f}"))


@exhibit("FFF-VIII-C-q", "FFF-VIII-C-cap", where="Section VIII-C, multiple comparisons")
def critical_values() -> Iterator[Line]:
    """Critical values of Tukey's test for as many systems as the collections have."""
    for systems, df in ((3, 10), (3, 15), (3, inf), (72, inf), (75, inf), (129, inf), (129, 6272)):
        quantile = studentized_range_quantile(0.95, systems, df)
        yield line(f"q(.95; {systems}, {'∞' if df == inf else df})", f"{quantile:.5f}")
    for test in ("one_way_anova", "friedman"):
        capped = popcorn(test, dunn_sidak_cap=True).pvalues
        yield line(f"{test}: the cap of Dunn and Šidák changes p", bool((capped != popcorn(test).pvalues).any()))


@exhibit("FFF-T5-sig", "FFF-T5-s2ns", "FFF-T5-ns2s", "FFF-T5-delta", where="Section VIII-C, columns of Tables 5 and 6")
def columns() -> Iterator[Line]:
    """Seven significant pairs, of which two are lost and besides which one is won."""
    seven = Flips(7, 2, 1)
    columns = {"S2NS, lost": seven.s2ns_percent, "NS2S, won": seven.ns2s_percent, "Δ, both": seven.delta}
    for name, percent in columns.items():
        yield line(f"{name}: % of the significant pairs", f"{percent:.2f}")
    yield line("significant pairs after the transform", seven.ranked)
    yield line("Δ without significant pairs", Flips(0, 0, 3).delta)


@exhibit("FFF-T5-inv", "FFF-T5-grey", where="Section VIII-C1, Table 5")
def without_recall_base() -> Iterator[Line]:
    """What Table 5 must show on any campaign: nothing changes on interval scales, nor for ordinal tests."""
    yield line("tests in grey: ordinal", ordinal(), said=("sign", "rank_sum", "kruskal_wallis", "friedman"))
    for label in ("P", "RBP_p05"):
        still = all(flips(label, test).delta == 0 for test in EIGHT)
        yield line(f"{label}: no test changes", still, said=True)
    for label in ("RR", "RBP_p03", "RBP_p08", "DCG_b02", "DCG_b10"):
        still = all(flips(label, test).delta == 0 for test in ordinal())
        yield line(f"{label}: no ordinal test changes", still, said=True)


@exhibit("FFF-T6-inv", where="Section VIII-C2, Table 6")
def with_recall_base() -> Iterator[Line]:
    """What Table 6 must show on any campaign: tests within topics stay, others change."""
    for label in WITH_RECALL_BASE:
        still = all(flips(label, test).delta == 0 for test in WITHIN_TOPICS)
        yield line(f"{label}: sign and Friedman do not change", still, said=True)
    for test in ("rank_sum", "kruskal_wallis"):
        change = any(flips(label, test).delta for label in WITH_RECALL_BASE)
        yield line(f"{test} changes for some of them", change, said=True)


@exhibit("FFF-synth", where="Section VIII-C, Tables 5 and 6, on a made-up campaign")
def made_up_campaign() -> Iterator[Line]:
    """Twelve systems on thirty topics: significant pairs, and those lost and won."""
    for label, tests in (("RR", ("sign", "paired_t", "one_way_anova")), ("R", ("sign", "rank_sum", "one_way_anova"))):
        for test in tests:
            found = flips(label, test)
            yield line(f"{label}, {test}: Sig, S2NS, NS2S", (found.sig, found.s2ns, found.ns2s))
    for one, other in (("R", "P"), ("nDCG_b02", "DCG_b02"), ("nDCG_b10", "DCG_b10"), ("RBP_p03", "RBP_p05")):
        same = all(flips(one, test).ranked == flips(other, test).ranked for test in EIGHT)
        yield line(f"{one} and {other}: equally many pairs after φ", same, derived=True)


@exhibit("FFF-T56-type", "FFF-T56-power", where="Section VIII-C, discussion")
def what_is_said_of_them() -> Iterator[Line]:
    """How lost and won pairs are read, and which tests find more."""
    printed = printed_tables()
    recall = printed.tables["table56"]["T08_30"]["R"]["one_way_anova"]
    found = Flips(recall["sig"], recall["s2ns"], recall["ns2s"])
    reading = "false negatives" if found.ns2s > found.s2ns else "false positives"
    what = f"R, T08: {found.ns2s} pairs significant after φ only were"
    yield line(what, reading, said="false positives", erratum="E39")
    rivals = (("paired_t", "signed_rank"), ("one_way_anova", "kruskal_wallis"), ("two_way_anova", "friedman"))
    yield from (one.line for one in printed.stated() if one.row == "FFF-T56-power")
    for one, other in rivals:
        fewer = sum(flips(label, one).sig <= flips(label, other).sig for label in MEASURES)
        yield line(f"{one} ≤ {other}, of 11 measures on the made-up campaign", fewer)


EXHIBITS = (
    set_up,
    rounded_averages,
    figure_6,
    figure_7,
    figure_8,
    ties_of_dcg,
    small_campaign,
    a_measure_and_its_transform,
    mean_ranks_of_ties,
    two_measures,
    ranges_of_table_2,
    ranges_of_table_3,
    correlations_agree,
    counts_agree,
    averages_over_cells,
    eight_tests,
    critical_values,
    columns,
    without_recall_base,
    with_recall_base,
    made_up_campaign,
    what_is_said_of_them,
)
