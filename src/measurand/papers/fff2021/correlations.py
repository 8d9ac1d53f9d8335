"""Sections VIII-A and VIII-B: what the transform does to rankings of systems, Tables 2 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.synthetic import DEPTH, effect
from measurand.papers.printed import MEASURES
from measurand.scales import PairCorrelation, interval
from measurand.statistics import kendall

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


EXHIBITS = (small_campaign, a_measure_and_its_transform, mean_ranks_of_ties, two_measures)
