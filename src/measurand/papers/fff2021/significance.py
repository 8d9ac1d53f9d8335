"""Section VIII-C: what the transform does to significance tests, Tables 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf

import numpy as np

from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.synthetic import effect
from measurand.papers.printed import MEASURES, ordinal, printed_tables
from measurand.scales import EIGHT, Flips
from measurand.scores import Scale, Scores
from measurand.statistics import TESTS, AllPairs, studentized_range_quantile

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
    eight_tests,
    critical_values,
    columns,
    without_recall_base,
    with_recall_base,
    made_up_campaign,
    what_is_said_of_them,
)
