"""Measures how much the built-in sample is like real campaigns: `python benchmarks/sample_likeness.py [--data DIR]`.

Prints a Markdown table, a column for each campaign: the sample; with `--data` also TREC-COVID round 1 and the fusion
sets of TREC DL 2019 and 2020, and a second table of tracks of which only scores are at hand. The main measure is
nDCG@10, AP for the ad hoc tracks, nDCG@20 for the web tracks. The tables in `docs/concepts/sample.md` are its output.

Pairs of systems are *decided under every additive measure* if one has at least as many documents of grade g and above
in the first k ranks, over all topics together, for all k ≤ 30 and all g, and the other has not; *significantly* so if
each of these comparisons has a one-sided p ≤ 0.025 by a paired t test.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from attrs import frozen
from scipy import stats

from measurand import judge, read_qrels, read_runs, sample
from measurand.judged import JudgedRuns
from measurand.measures import AP, RR, P, nDCG

DEPTH = 30
ALPHA = 0.05


@frozen(eq=False)
class Measured:
    """What is known of a campaign: judged runs or not, and scores (systems × topics) by measure."""

    name: str
    judged: JudgedRuns | None
    scores: dict[str, np.ndarray]

    @property
    def main(self) -> np.ndarray:
        """The scores of the main measure, which is the first."""
        return next(iter(self.scores.values()))


def pairs(systems: int) -> np.ndarray:
    return np.array(list(combinations(range(systems), 2))).T


def t_test(differences: np.ndarray) -> np.ndarray:
    """Return t statistics over the last axis; no difference gives 0, a constant one an infinite value."""
    n = differences.shape[-1]
    mean, deviation = differences.mean(axis=-1), differences.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(mean / (deviation / np.sqrt(n)), nan=0.0, posinf=np.inf, neginf=-np.inf)


def pvalues(scores: np.ndarray) -> np.ndarray:
    """Return the two-sided p of the paired t test for every pair of systems."""
    first, second = pairs(len(scores))
    return 2 * stats.t.sf(np.abs(t_test(scores[first] - scores[second])), scores.shape[1] - 1)


def holm(p: np.ndarray) -> np.ndarray:
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1)[np.argsort(order)]


def counts(judged: JudgedRuns, depth: int = DEPTH) -> np.ndarray:
    """Return Count(run; k, g) as systems × topics × (k, g)."""
    grades = np.asarray(judged.grades)[:, :, :depth]
    top = judged.grade_counts.shape[1]
    return np.concatenate([np.cumsum(grades >= g, axis=2) for g in range(1, top)], axis=2).astype(np.int64)


def additive(judged: JudgedRuns) -> tuple[float, float]:
    """Return the shares of pairs decided under every additive measure, and significantly so."""
    n = counts(judged)
    first, second = pairs(len(n))
    differences = np.moveaxis(n[first] - n[second], 1, 2)
    total = differences.sum(axis=-1)
    up, down = (total >= 0).all(axis=-1), (total <= 0).all(axis=-1)
    t = t_test(differences.astype(float))
    critical = stats.t.isf(ALPHA / 2, n.shape[1] - 1)
    certain = (t >= critical).all(axis=-1) | (t <= -critical).all(axis=-1)
    return float((up != down).mean()), float(certain.mean())


def kappa(a: np.ndarray, b: np.ndarray) -> float:
    """Return the margin of scale of the order of two means: P / N, infinite where one dominates the other."""
    values = np.unique(np.round(np.concatenate([a, b]), 12))
    a, b = np.sort(np.round(a, 12)), np.sort(np.round(b, 12))
    above = np.searchsorted(b, values[1:], side="left") - np.searchsorted(a, values[1:], side="left")
    steps = np.diff(values) * above
    sums = sorted((steps[steps > 0].sum(), -steps[steps < 0].sum()))
    return float("inf") if sums[0] == 0 else float(sums[1] / sums[0])


def scale_proof(scores: np.ndarray) -> tuple[float, float]:
    """Return the share of pairs with κ = ∞, and the median of the finite κ."""
    values = np.array([kappa(scores[i], scores[j]) for i, j in zip(*pairs(len(scores)), strict=True)])
    return float(np.isinf(values).mean()), float(np.median(values[np.isfinite(values)]))


def components(scores: np.ndarray) -> tuple[float, float, float]:
    """Return the shares of variance of systems, topics and their interaction (two-way analysis, one value a cell)."""
    systems, topics = scores.shape
    rest = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    error = (rest**2).sum() / ((systems - 1) * (topics - 1))
    parts = (
        max(0.0, scores.mean(axis=1).var(ddof=1) - error / topics),
        max(0.0, scores.mean(axis=0).var(ddof=1) - error / systems),
        error,
    )
    whole = sum(parts)
    return parts[0] / whole, parts[1] / whole, parts[2] / whole


def judged_share(judged: JudgedRuns, cutoff: int) -> np.ndarray:
    """Return for each system which share of the documents in its first ranks was judged, over all topics."""
    cells = np.asarray(judged.grades)[:, :, :cutoff]
    return (cells >= 0).sum(axis=(1, 2)) / (cells >= -1).sum(axis=(1, 2))


def tied_share(judged: JudgedRuns, cutoff: int = 100) -> np.ndarray:
    """Return for each system which share of its first documents has the score of a neighbour."""
    same = np.asarray(judged.tied)[:, :, :cutoff]
    following = np.zeros_like(same)
    following[:, :, :-1] = same[:, :, 1:]
    return (same | following).sum(axis=(1, 2)) / np.asarray(judged.retrieved)[:, :, :cutoff].sum(axis=(1, 2))


def percent(*shares: float) -> str:
    return " / ".join(f"{100 * share:.0f}" for share in shares) + " %"


def spread(values: np.ndarray) -> str:
    return percent(values.min(), float(np.median(values)), values.max())


def significant(name: str) -> Callable[[Measured], str]:
    def line(campaign: Measured) -> str:
        if name not in campaign.scores:
            return ""
        p = pvalues(campaign.scores[name])
        return percent((p <= ALPHA).mean(), (holm(p) <= ALPHA).mean())

    return line


def with_judged(function: Callable[[JudgedRuns], str]) -> Callable[[Measured], str]:
    return lambda campaign: "" if campaign.judged is None else function(campaign.judged)


def recall_bases(judged: JudgedRuns) -> str:
    base = np.asarray(judged.recall_base)
    return " / ".join(f"{value:.0f}" for value in (base.min(), *np.percentile(base, [25, 50, 75]), base.max()))


def grade_shares(judged: JudgedRuns) -> str:
    total = np.asarray(judged.grade_counts).sum(axis=0)
    return " / ".join(f"{100 * share:.0f}" for share in total / total.sum()) + " %"


def means(campaign: Measured) -> str:
    mean = campaign.main.mean(axis=1)
    return " / ".join(f"{value:.2f}" for value in (mean.min(), np.median(mean), mean.max()))


LINES: dict[str, Callable[[Measured], str]] = {
    "systems × topics": lambda campaign: " × ".join(map(str, campaign.main.shape)),
    "judgments of grades 0 / 1 / …": with_judged(grade_shares),
    "recall base: least / quartiles / most": with_judged(recall_bases),
    "mean of the main measure: least / median / most": means,
    "variance of it: systems / topics / both together": lambda campaign: percent(*components(campaign.main)),
    "significant pairs, nDCG@10: raw / Holm": significant("nDCG@10"),
    "significant pairs, nDCG@20: raw / Holm": significant("nDCG@20"),
    "significant pairs, AP: raw / Holm": significant("AP"),
    "significant pairs, P@10: raw / Holm": significant("P@10"),
    "significant pairs, RR: raw / Holm": significant("RR"),
    "decided under every additive measure / significantly": with_judged(lambda judged: percent(*additive(judged))),
    "scale-proof pairs (κ = ∞) of the main measure": lambda campaign: percent(scale_proof(campaign.main)[0]),
    "median κ of the other pairs": lambda campaign: f"{scale_proof(campaign.main)[1]:.1f}",
    "Judged@10 by system: least / median / most": with_judged(lambda judged: spread(judged_share(judged, 10))),
    "Judged@30": with_judged(lambda judged: spread(judged_share(judged, 30))),
    "Judged@100": with_judged(lambda judged: spread(judged_share(judged, 100))),
    "tied documents by system: least / median / most": with_judged(lambda judged: spread(tied_share(judged))),
}


def from_files(name: str, qrels: Path, runs: list[Path]) -> Measured:
    judgments, several = read_qrels(qrels), read_runs(runs, names="file")
    judged = judge(several, judgments)
    scores = {str(measure): np.asarray(measure.scores(judged).values) for measure in (nDCG @ 10, AP, P @ 10, RR)}
    return Measured(name, judge(several, judgments, ties="groups", depth=100), scores)


def from_matrices(name: str, files: dict[str, Path]) -> Measured:
    scores = {}
    for measure, path in files.items():
        with gzip.open(path, "rt") as lines:
            scores[measure] = np.array([[float(x) for x in row] for row in list(csv.reader(lines))[1:]]).T
    return Measured(name, None, scores)


def campaigns(data: Path | None) -> Iterator[Measured]:
    yield from_files("the sample", sample.qrels(), sample.runs())
    if data is None:
        return
    covid, fusion = data / "trec-covid-r1", data / "trec-dl-passage-fusion"
    yield from_files("COVID round 1", covid / "qrels-rnd1.txt.gz", sorted((covid / "runs").glob("*.xz")))
    for year in ("2019", "2020"):
        yield from_files(f"DL {year}", fusion / f"{year}.qrels.gz", sorted((fusion / year).glob("*.gz")))


def matrices(data: Path) -> Iterator[Measured]:
    folder = data / "score-matrices"
    for track in ("5", "6", "7"):
        files = {name: f"adhoc{track}_{name.lower().replace('@', '')}.csv.gz" for name in ("AP", "P@10", "RR")}
        yield from_matrices(f"TREC-{track} ad hoc", {name: folder / file for name, file in files.items()})
    for year in ("2010", "2011", "2012"):
        yield from_matrices(f"Web {year}", {"nDCG@20": folder / f"web{year}_ndcg20.csv.gz"})


def print_table(several: list[Measured]) -> None:
    """Print a Markdown table, a column for each campaign, without lines that none of them has."""
    print("| | " + " | ".join(campaign.name for campaign in several) + " |")
    print("|---" * (len(several) + 1) + "|")
    for name, line in LINES.items():
        cells = [line(campaign) for campaign in several]
        if any(cells):
            print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how much the built-in sample is like real campaigns.")
    parser.add_argument("--data", type=Path, help="folder with trec-covid-r1, trec-dl-passage-fusion, score-matrices")
    data = parser.parse_args().data
    print_table(list(campaigns(data)))
    if data is not None:
        print()
        print_table(list(matrices(data)))


if __name__ == "__main__":
    main()
