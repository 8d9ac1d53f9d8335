"""Measures how often the gate decides: `python benchmarks/gate_power.py [DATA]`.

Without DATA it is the built-in sample. DATA is the directory that `usual_margins.py` takes. 0.01 is allowed, alpha is
0.05. Prints two Markdown tables. The first is of pairs of different systems, among the better half of those that took
part, whose means differ by at most 0.05, each pair both ways; pass – undecided – fail. *As they are*: what the gate
says of topics like theirs. *Unchanged*: what it says of topics drawn from theirs (with replacement) after the mean
difference was taken away, so that in truth nothing changed. *At the limit*: the same with a true drop of 0.01, where
passing and failing are both wrong, each with probability alpha. The second is how many topics let a change pass, four
times of five, that changes nothing in the mean, by the standard deviation of its differences over topics, where the t
interval is believed.
`docs/how-to/nightly-regression.md` has its output.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from measurand import evaluate
from measurand.scores import Scores
from measurand.statistics import topics_needed
from measurand.study.gate_measure import MeasureGate
from usual_margins import campaigns, matrices

MEASURES = ("nDCG@10", "AP")
TRACKED = ("nDCG@20", "AP")
ALLOWED, ALPHA, CLOSE = Fraction(1, 100), 0.05, 0.05
LARGEST = 1.1
"""The most that one topic can change: 1, and a little for moving the mean."""

TOPICS = (50, 200, 1000)
DRAWS, MANY_DRAWS = 300, 2000
SPREADS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2)


def all_scores(data: Path | None) -> Iterator[tuple[str, Scores]]:
    """Return the scores of every campaign, with its name."""
    for name, judged, _ in campaigns(data):
        for measure in MEASURES:
            yield name, evaluate(judged, measure).scores(measure)
    if data is not None:
        yield from ((track, scores) for track, measure, scores in matrices(data) if measure in TRACKED)


def close_pairs(scores: Scores) -> list[np.ndarray]:
    """Return the differences by topic of pairs of good systems whose means are close, both ways."""
    best = scores.values[np.argsort(-scores.values.mean(axis=1), kind="stable")][: -(-len(scores.systems) // 2)]
    every = [best[i] - best[j] for i in range(len(best)) for j in range(len(best)) if i != j]
    return [differences for differences in every if abs(differences.mean()) <= CLOSE]


def outcome(differences: np.ndarray) -> str:
    """Return what the gate says of some differences."""
    zero = np.zeros(len(differences))
    names = tuple(map(str, range(len(differences))))
    return str(
        MeasureGate(
            measure="M",
            topics=names,
            baseline=zero,
            candidate=differences,
            max_drop=ALLOWED,
            broken_drop=Fraction(1),
            alpha=ALPHA,
            largest_change=LARGEST,
        ).outcome
    )


def shares(outcomes: Iterable[str]) -> str:
    """Return how many percent pass, are undecided, and fail."""
    found = Counter(outcomes)
    return " – ".join(f"{found[each] / found.total():.0%}" for each in ("pass", "undecided", "fail"))


def drawn(pairs: list[np.ndarray], topics: int, drop: float, draws: int, rng: np.random.Generator) -> Iterator[str]:
    """Return what the gate says of topics drawn from pairs whose mean difference was made a certain drop."""
    for place in rng.integers(0, len(pairs), draws):
        moved = pairs[place] - pairs[place].mean() - drop
        yield outcome(rng.choice(moved, topics))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path)
    data = parser.parse_args().data
    rng, other = np.random.default_rng(0), np.random.default_rng(1)
    heads = ["campaign", "measure", "topics", "pairs", "spread", "as they are"]
    heads += [*(f"unchanged, {n:,}" for n in TOPICS), "at the limit, 50"]
    print(f"| {' | '.join(heads)} |\n|---|---|{'--:|' * (len(heads) - 2)}")
    for name, scores in all_scores(data):
        if pairs := close_pairs(scores):
            spread = f"{np.median([each.std(ddof=1) for each in pairs]):.2f}"
            same = [shares(drawn(pairs, n, 0.0, DRAWS, rng)) for n in TOPICS]
            edge = shares(drawn(pairs, TOPICS[0], float(ALLOWED), MANY_DRAWS, other))
            cells = [name, scores.measure, len(scores.topics), len(pairs), spread]
            cells += [shares(map(outcome, pairs)), *same, edge]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    needed = [f"{topics_needed(float(ALLOWED), spread, 2 * ALPHA):,}" for spread in SPREADS]
    print(f"\n| spread | {' | '.join(map(str, SPREADS))} |\n|---|{'--:|' * len(SPREADS)}")
    print(f"| topics | {' | '.join(needed)} |")


if __name__ == "__main__":
    main()
