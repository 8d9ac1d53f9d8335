"""Would a scale of the runs that a topic's recall base allows be a better one? `python benchmarks/universes.py DATA`.

DATA is a folder with qrels and runs as in shared/data/trec-dl-passage-fusion. The universe of all runs is compared with
that of the runs that hold no more relevant documents than the topic has, under DCG(b=2) and AP: exactly at 20 ranks, by
drawing runs at 100 and 1000.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau

import measurand as md
from measurand.judged import every_run
from measurand.measures import parse

DRAWN = 4_000


def campaign(folder: Path, year: str, depth: int) -> md.JudgedRuns:
    runs = md.read_runs([folder / year], names="file")
    return md.judge(runs, md.read_qrels(folder / f"{year}.qrels.gz"), depth=depth)


def exactly(judged: md.JudgedRuns, spelling: str) -> str:
    """Return what changes at 20 ranks, from every run there is."""
    runs = every_run(judged.depth, 2)
    # values are far enough apart for nine digits
    values = np.round(_values(spelling, runs), 9)
    relevant = runs.sum(axis=1)
    hits = judged.cells >= 1
    numbers = hits @ (1 << np.arange(judged.depth - 1, -1, -1, dtype=np.int64))
    everything = np.unique(values)
    among_all = np.searchsorted(everything, values[numbers]) / (len(everything) - 1)
    among_possible = among_all.copy()
    small = np.flatnonzero(judged.recall_base < judged.depth)
    for topic in small.tolist():
        possible = np.unique(values[relevant <= judged.recall_base[topic]])
        among_possible[:, topic] = np.searchsorted(possible, values[numbers[:, topic]]) / (len(possible) - 1)
    tau = kendalltau(among_all.mean(axis=1), among_possible.mean(axis=1)).statistic
    return f"{len(small)} of {len(judged.topics)} topics differ; tau of mean positions {tau:.3f}"


def _values(spelling: str, runs: np.ndarray) -> np.ndarray:
    measure = parse(spelling)
    parts = np.array_split(runs, 64)
    counts = (runs.shape[1], runs.shape[1])
    return np.concatenate([measure.fast(md.JudgedRuns.on_one_topic(part, counts)) for part in parts])


def drawn(judged: md.JudgedRuns) -> str:
    """Return how many positions under DCG(b=2) lie at the ends of the scale of possible runs, estimated."""
    rng = np.random.default_rng(0)
    weights = parse("DCG(b=2)").weights(judged.depth)
    values = (judged.cells >= 1) @ weights
    positions = np.empty_like(values)
    for topic, base in enumerate(judged.recall_base.tolist()):
        most = min(base, judged.depth)
        counts = [comb(judged.depth, k) for k in range(most + 1)]
        chances = np.array([float(Fraction(count, sum(counts))) for count in counts])
        sizes = rng.choice(most + 1, size=DRAWN, p=chances / chances.sum())
        sums = np.array([weights[rng.permutation(judged.depth)[:size]].sum() for size in sizes])
        positions[:, topic] = (sums[:, None] <= values[:, topic]).mean(axis=0)
    low, high = (positions < 0.001).mean(), (positions > 0.999).mean()
    return f"{low:.0%} of the positions are below 0.001 and {high:.0%} above 0.999"


def main() -> None:
    folder = Path(sys.argv[1])
    for year in ("2019", "2020"):
        for spelling in ("DCG(b=2)", "AP"):
            print(f"{year}, {spelling}, 20 ranks: {exactly(campaign(folder, year, 20), spelling)}")
        for spelling in ("DCG(b=2)", "RBP(p=0.8)"):
            for depth in (10, 30, 100, 1000):
                placed = md.interval(spelling).scored_positions(campaign(folder, year, depth))
                figures = f"median 10^{placed.median_log10:.1f}, top 5 % carry {placed.top_share:.0%} of the mean"
                print(f"{year}, {spelling}, {depth} ranks, all runs: {figures}")
        for depth in (100, 1000):
            print(f"{year}, DCG(b=2), {depth} ranks, possible runs: {drawn(campaign(folder, year, depth))}")


if __name__ == "__main__":
    main()
