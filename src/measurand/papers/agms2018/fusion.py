"""Sections 5 and 6: information as a way to fuse rankings, and in the words of Dempster and Shafer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise, permutations, product
from math import log, prod
from pathlib import Path

import numpy as np

from measurand.arrays import IntArray
from measurand.errors import ParameterError
from measurand.exact import log as exact_log
from measurand.fusion import fuse, granularity
from measurand.information import Signals, consistency, evidence, exact_entropy, outscorer_counts, quantity
from measurand.papers.agms2018.additivity import additivity_of_scores, effectiveness_additivity
from measurand.papers.agms2018.fusion_gain import FusionGain, fusion_gain
from measurand.papers.agms2018.information import R1, R2, RANKINGS, SETS, TABLE_1, random_signals
from measurand.papers.agms2018.scatters import (
    ConsistencyScatter,
    Mergeability,
    consistency_scatter,
    fine_grained_documents,
    mergeability,
)
from measurand.papers.exhibit import Line, Missing, exhibit, line

PICKS = 40
"""So often systems of the built-in sample are drawn."""

POOL = {"d1", "d2", "d3", "d4"}
"""The documents that Table 1 names."""


def pooled(**signals: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return signals that name all documents of Table 1, so that its pool is the collection."""
    return {name: {document: signal.get(document, 0) for document in sorted(POOL)} for name, signal in signals.items()}


def columns(**values: tuple[int, ...]) -> Signals:
    """Return signals over numbered documents."""
    return Signals.of({name: dict(enumerate(numbers)) for name, numbers in values.items()})


@exhibit("AGMS-A1", where="Section 5.1, Assumption 1")
def more_signals() -> Iterator[Line]:
    """That more signals are more consistent with the judgments is assumed; on Table 1, as a mean over pairs."""
    g = TABLE_1["g"]
    alone, other = (consistency(pooled(r=one, g=g), "g") for one in (R1, R2))
    both = pooled(r1=R1, r2=R2, g=g)
    together = consistency(both, "g")
    yield line("consistency of r1 with g, 4 documents", alone)
    yield line("of r2", other)
    yield line("of the information of r1 and r2", together)
    yield line("r2 beside r1 makes it no less (the assumption)", together >= alone)
    alone, together = (consistency(signals, "g", collection_size=10) for signals in (pooled(r=R1, g=g), both))
    yield line("of r1 alone, and of both, 10 documents", (round(float(alone), 4), round(float(together), 4)))
    yield line("r2 beside r1 makes it no less, 10 documents", together >= alone)
    with_self = consistency(pooled(r=R1, g=g), "g", self_pairs=True)
    yield line("of r1, each document also against itself", with_self)


@exhibit("AGMS-5.2-FUSE", "AGMS-5.2-GRAN", where="Section 5.2")
def fused_table() -> Iterator[Line]:
    """Table 1, fused by information: what leads a ranking ties."""
    fused = fuse([{"1": ranking} for ranking in RANKINGS.values()], "information", collection_size=10)
    scores = dict(zip(fused.documents, fused.document_scores.tolist(), strict=True))
    order = scores["d1"] == scores["d3"] > scores["d2"] > scores["d4"]
    yield line("d1 = d3 > d2 > d4", order)
    told = quantity(RANKINGS, 10)
    yield line("d1 and d3, each on top once, have the same information", told["d1"] == told["d3"], said=True)
    close = [name for name, value in {"ln|D|": log(10), "1/|D|": 1 / 10}.items() if abs(told["d1"] - value) < 1e-12]
    yield line("this information is", " ".join(close), printed="1/|D|", erratum="E-A-13")
    yield line("granularity: different scores by documents", granularity(fused)["1"])


def both_readings(documents: int) -> IntArray:
    """Return how often Assumption 1 holds and Theorem 5.1 then fails: for each document d₀, and as a mean over pairs.

    Tried on all pairs of strict rankings of some documents and all judgments with three grades.

    Examples
    --------
    >>> both_readings(3).tolist()
    [[612, 0], [678, 6]]
    """
    ranks = np.array(list(permutations(range(1, documents + 1))))
    above = ranks[:, :, None] <= ranks[:, None, :]
    found = np.zeros((2, 2), dtype=np.int64)
    for grades in product(range(3), repeat=documents):
        gold = np.array(grades)
        # of the documents as high as d₀, which are as many as its rank, so many are as good
        good = (above & (gold[:, None] >= gold)).sum(axis=1)
        total, worth = good.sum(axis=1), good.prod(axis=1)
        each = (good[None] * ranks[:, None] >= good[:, None] * ranks[None]).all(axis=2)
        mean = total[None] >= total[:, None]
        worse = worth[None] < worth[:, None]
        found += np.array([[held.sum(), (held & worse).sum()] for held in (each, mean)])
    return found


@exhibit("AGMS-T5.1", where="Theorem 5.1")
def one_signal_more() -> Iterator[Line]:
    """One signal more: true if Assumption 1 holds for each document d₀, false if it holds as a mean over pairs."""
    each, mean = np.sum([both_readings(documents) for documents in (3, 4, 5)], axis=0).tolist()
    tried = "3 to 5 documents, all strict rankings, 3 grades"
    yield line(f"{tried}: for each d₀ the premise holds", each[0])
    yield line("for each d₀: then it is never less effective", each[1] == 0, said=True)
    yield line(f"{tried}: as a mean over pairs it holds", mean[0])
    yield line("as a mean over pairs: then it is less effective in", mean[1])
    scores = columns(before=(0, 1, 2, 3), after=(1, 0, 3, 2), judgments=(1, 0, 0, 1))
    signals = columns(a=(4, 1, 5, 0, 3, 2), b=(5, 0, 3, 2, 1, 4), g=(0, 0, 0, 1, 1, 0))
    cases = {
        "4 documents": additivity_of_scores(scores, self_pairs=True),
        "5 documents of 6": effectiveness_additivity(signals, "b", "g", documents=(0, 1, 3, 4, 5), self_pairs=True),
    }
    for name, found in cases.items():
        yield line(f"{name}: both premises hold, as a mean, for each d₀", (found.premises, found.premises_for_each))
        yield line(f"{name}: consistency before and after", found.consistency)
        values = tuple(round(float(value), 4) for value in found.effectiveness)
        yield line(f"{name}: OIE before and after", values)
        yield line(f"{name}: not less effective", bool(found.additive))
    fine, changed = 0, 0
    for added in product(range(3), repeat=3):
        found = effectiveness_additivity(columns(a=(2, 1, 0), b=added, g=(0, 1, 0)), "b", "g")
        fine += bool(found.fine_grained)
        changed += bool(found.fine_grained) and found.effectiveness[0] != found.effectiveness[1]
    yield line("all 3 documents of a collection told apart: OIE changes", f"in {changed} of {fine} cases")
    yield from _product_in_the_proof()


def _product_in_the_proof() -> Iterator[Line]:
    """Return what becomes of the shares of the ranks in the proof."""
    order, gold = (3, 2, 1, 0), (1, 0, 1, 0)
    pair = columns(s=order, g=gold)
    good = [sum(gold[above] >= gold[i] for above in range(i + 1)) for i in range(4)]
    gain = 4 * (exact_entropy(pair.only("s")) - exact_entropy(pair))
    shares = [Fraction(i, 4) for i in range(1, 5)]
    ways = {
        "multiplied": prod(Fraction(c, 4) * share for c, share in zip(good, shares, strict=True)),
        "divided": prod(Fraction(c, 4) / share for c, share in zip(good, shares, strict=True)),
    }
    [right] = [name for name, number in ways.items() if exact_log(number) == gain]
    yield line("the shares i/n of the ranks, in the proof, are", right, said="multiplied", erratum="E-A-21")


@exhibit("AGMS-5.2-DPRIME", where="Section 5.2, the documents D′")
def documents_told_apart() -> Iterator[Line]:
    """Documents along one ranking, those left out that repeat the information of another."""
    for name in ("r1", "r2"):
        yield line(f"Table 1, along {name}", " ".join(fine_grained_documents(Signals.of(TABLE_1), name, "g").documents))
    signals = columns(a=(3, 2, 1), b=(2, 1, 1), g=(1, 0, 0))
    kept = list(fine_grained_documents(signals, "a", "g").documents)
    yield line("a = 3, 2, 1 and b = 2, 1, 1: along a", f"{len(kept)} documents")
    apart = len({int(level) for level in signals.only("b").levels[kept, 0]}) == len(kept)
    yield line("every signal tells them apart, so b does", apart, said=True, erratum="E-A-20")


@exhibit("AGMS-P5.2", where="Section 5.3, Proposition 5.2")
def independent_signals() -> Iterator[Line]:
    """Where signals are independent, information is a mean of logarithms of ranks."""
    grid = list(product(range(4), repeat=3))
    rankings = [{"1": {str(levels): float(levels[axis]) for levels in grid}} for axis in range(3)]
    information, logs = (_scores(rankings, method) for method in ("information", "bordalog"))
    whole = {name: 3 * log(64) + 3 * value for name, value in logs.items()}
    same = all(abs(information[name] - whole[name]) < 1e-9 for name in whole)
    yield line("every combination of ranks: |Γ| (ln D - mean ln rank)", same)
    # bordalog is minus the mean of ln rank
    order, turned = (sorted(grid, key=lambda place: sign * logs[str(place)]) for sign in (1, -1))
    signs = {"minus": order, "plus": turned}
    [sign] = [name for name, places in signs.items() if _rises([information[str(place)] for place in places])]
    yield line("so the mean of ln rank counts with the sign", sign, printed="plus", erratum="E-A-7")
    ranks = {"a": (1, 5, 10), "b": (2, 2, 2), "c": (100, 1, 1)}
    rankings = [_at_ranks({name: places[i] for name, places in ranks.items()}, 100) for i in range(3)]
    logs = _scores(rankings, "bordalog")
    for name, places in ranks.items():
        told = round(3 * (log(1000) + logs[name]), 4)
        yield line(f"ranks {', '.join(map(str, places))}, D = 1000: this formula", told)


def _rises(numbers: list[float]) -> bool:
    return all(low <= high + 1e-12 for low, high in pairwise(numbers))


def _scores(
    rankings: list[dict[str, dict[str, float]]], method: str, collection_size: int | None = None
) -> dict[str, float]:
    fused = fuse(rankings, method, collection_size=collection_size)
    return dict(zip(fused.documents, fused.document_scores.tolist(), strict=True))


@exhibit("AGMS-BORDA", "AGMS-BORDALOG", where="Section 5.3, Borda and BordaLog")
def means_of_ranks() -> Iterator[Line]:
    """A at ranks 1 and 10, B at rank 5 twice: who is better depends on the mean."""
    rankings = [_at_ranks({"A": 1, "B": 5}, 10), _at_ranks({"A": 10, "B": 5}, 10)]
    for method in ("borda", "bordalog"):
        scores = _scores(rankings, method)
        yield line(f"{method}: A and B", (round(scores["A"], 4), round(scores["B"], 4)))
        yield line(f"{method} prefers", max("AB", key=scores.__getitem__))
    rankings = [{"1": {"a": 2.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 1.0}}]
    tied = _scores(rankings, "borda", collection_size=100)
    yield line("a = b > c, and a alone, D = 100; borda: a, b, c", (tied["a"], tied["b"], tied["c"]))


def _at_ranks(ranks: Mapping[str, int], length: int) -> dict[str, dict[str, float]]:
    """Return a ranking that has given documents at given ranks."""
    named = {rank: document for document, rank in ranks.items()}
    return {"1": {named.get(rank, f"other {rank}"): float(-rank) for rank in range(1, length + 1)}}


def sample_files() -> tuple[Path, list[Path]]:
    """Return the judgments and the runs of the built-in sample, as files that come with the package."""
    with as_file(files("measurand") / "sample" / "data") as folder:
        return folder / "sample.qrels.gz", sorted((folder / "runs").glob("*.run.gz"))


@cache
def figures() -> tuple[ConsistencyScatter, Mergeability, FusionGain]:
    """Return what Figures 1 to 3 show, on the built-in sample."""
    campaign = sample_files()
    scatter, merged = consistency_scatter(*campaign, samples=PICKS), mergeability(*campaign, samples=PICKS)
    return scatter, merged, fusion_gain(*campaign)


@exhibit("AGMS-F1", "AGMS-F2", "AGMS-F3", where="Figures 1, 2 and 3")
def figures_on_the_sample() -> Iterator[Line]:
    """The three figures on the built-in sample, whose systems are synthetic; the paper's runs are not public."""
    scatter, merged, gain = figures()
    yield line(f"Figure 1: five more consistent than one, of {PICKS}", scatter.above)
    yield line("Figure 2: five better than one, of 2000", Missing.RUNS, printed=1809)
    yield line(f"Figure 2: five better than one, of {PICKS}, on the sample", merged.above)
    systems = sum(kind == "system" for kind in gain.kinds.values())
    for name, kind in gain.kinds.items():
        if kind != "system":
            yield line(f"Figure 3, {name}: systems beaten, of {systems}", gain.beaten(name))


@exhibit("AGMS-D6.1", "AGMS-D6.2", "AGMS-6-INCL", where="Definitions 6.1 and 6.2")
def observations() -> Iterator[Line]:
    """What is seen of a document is a fuzzy set of signals."""
    seen = {document: evidence.observation(RANKINGS, document) for document in ("d1", "d2", "d3", "d9")}
    for document in ("d2", "d9"):
        yield line(f"Table 1, {document}: memberships of r1, r2, r3", tuple(seen[document][name] for name in RANKINGS))
    yield line("more is seen of d1 than of d2", seen["d2"] < seen["d1"])
    yield line("of d1 and d3, more is seen of one", seen["d1"] <= seen["d3"] or seen["d3"] <= seen["d1"])
    wide = {name: {document: 1000**value for document, value in one.items()} for name, one in RANKINGS.items()}
    same = evidence.assignment(wide, 10) == evidence.assignment(RANKINGS, 10)
    yield line("1000, 1000², 1000³ in place of 1, 2, 3 say the same", same)
    yield line("a score such as 3 is a membership as it is", _is_membership(3), derived=True, erratum="E-A-21")


def _is_membership(degree: int) -> bool:
    try:
        evidence.Observation({"r": degree})
    except ParameterError:
        return False
    return True


@exhibit("AGMS-6-BPA", "AGMS-6-BEL", where="Section 6")
def shares_of_documents() -> Iterator[Line]:
    """The share of documents of which so much is seen, in Table 1 with ten documents."""
    shares = evidence.assignment(RANKINGS, 10)
    d1, d2, d3, d4, unseen = (evidence.observation(RANKINGS, name) for name in ("d1", "d2", "d3", "d4", "d9"))
    yield line("the shares sum to", sum(shares.values()), derived=1)
    yield line("just what is seen of d1, d2, d3, d4", tuple(shares[seen] for seen in (d1, d2, d3, d4)))
    yield line("nothing at all", shares[unseen])
    yield line("at least what is seen of d2", evidence.commonality(shares, d2))
    a, both = evidence.Observation({"a": 1, "b": 0}), evidence.Observation({"a": 1, "b": 1})
    half = {a: Fraction(1, 2), both: Fraction(1, 2)}
    yield line("{a} seen in half, {a, b} in half: belief in {a}", evidence.belief(half, a), derived=1, erratum="E-A-15")
    yield line("its commonality, which the printed sum is", evidence.commonality(half, a))


@exhibit("AGMS-6-I", "AGMS-6-H", where="Section 6, information as evidence")
def information_as_evidence() -> Iterator[Line]:
    """Information is minus the logarithm of a share, and entropy its mean."""
    told = mean = True
    for signals in map(random_signals, range(SETS // 3)):
        shares, counts = evidence.assignment(signals, 9), outscorer_counts(signals, 9)
        for document, count in counts.items():
            seen = evidence.observation(signals, document)
            told &= evidence.observed_quantity(shares, seen) == exact_log(Fraction(9, count))
        mean &= evidence.observed_entropy(shares) == exact_entropy(signals, 9)
    yield line(f"minus the logarithm is I, {SETS // 3} random sets", told, said=True)
    yield line(f"its mean is H, {SETS // 3} random sets", mean, said=True)
    shares = evidence.assignment(RANKINGS, 10)
    yield line("Table 1: the mean is H", evidence.observed_entropy(shares) == exact_entropy(RANKINGS, 10), said=True)


EXHIBITS = (
    more_signals,
    fused_table,
    one_signal_more,
    documents_told_apart,
    independent_signals,
    means_of_ranks,
    figures_on_the_sample,
    observations,
    shares_of_documents,
    information_as_evidence,
)
