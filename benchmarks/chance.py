"""Measures how often chance is called significant, and the power that is promised: `python benchmarks/chance.py`.

Prints two Markdown tables of drawn data, with fixed seeds; it takes some seconds.

The first is of systems without any effect: on each topic all find relevant documents with the same probability, which
is drawn anew for every topic, and have a precision of 0, 0.1, …, 1 there. So equal differences come up. How often a
pair is called significant at .05, and how often "p < 0.0001" is said of it: by Student's t, and as `compare` says it,
with no p below 2 · 2^−k on k topics that differ.

The second is of one pair among 66 whose true difference is what was seen, 0.05 with a standard deviation of 0.15. On
the number of topics that is said to show it, how often is it significant after correction for all 66 pairs? The others
have no effect, or one so large that they are always significant. Said before: the number at .05. Said now: the number
at the level that decides, α/(m − r) by Holm.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import stdtr

from measurand.scores import Scores
from measurand.statistics import corrected, paired_t, topics_needed
from measurand.statistics.multiple_comparisons import deciding_levels
from measurand.study.certainty import floored

ALPHA = 0.05
TOPICS = (2, 3, 4, 5, 6, 10)
SYSTEMS, CAMPAIGNS = 40, 100
PAIRS, DIFFERENCE, SPREAD, DRAWS = 66, 0.05, 0.15, 4000
FAMILIES = (("holm", 0), ("holm", 30), ("bonferroni", 0), ("bh", 30), ("none", 0))


def precisions(topics: int, rng: np.random.Generator) -> Scores:
    """Return the precisions of systems that are all alike."""
    found = rng.binomial(10, rng.beta(2, 3, topics), (SYSTEMS, topics)) / 10
    names = (tuple(f"{letter}{place}" for place in range(size)) for letter, size in (("s", SYSTEMS), ("t", topics)))
    systems, several = names
    return Scores(measure="P@10", values=found, systems=systems, topics=several, scale="interval")


def chance_rows(rng: np.random.Generator) -> Iterator[list[str]]:
    """Return how often two systems without any effect are told apart."""
    upper = np.triu_indices(SYSTEMS, 1)
    for topics in TOPICS:
        before, after = [], []
        for scores in (precisions(topics, rng) for _ in range(CAMPAIGNS)):
            tested = paired_t(scores)
            before.append(tested.pvalues[upper])
            after.append(floored(tested, scores).pvalues[upper])
        shares = [(np.array(each) <= bar).mean() for each in (before, after) for bar in (ALPHA, 1e-4)]
        yield [str(topics), *(f"{100 * share:.2f} %" for share in shares)]


def attained(topics: int, method: str, others: int, rng: np.random.Generator) -> float:
    """Return how often a pair is significant after correction, beside others some of which always are."""
    differences = rng.normal(DIFFERENCE, SPREAD, (DRAWS, topics))
    t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / np.sqrt(topics))
    own = 2 * stdtr(topics - 1, -np.abs(t))
    rest = rng.random((DRAWS, PAIRS - 1))
    rest[:, :others] = 0.0
    found = [corrected(np.append(p, more), method)[0] <= ALPHA for p, more in zip(own, rest, strict=True)]
    return float(np.mean(found))


def power_rows(rng: np.random.Generator) -> Iterator[list[str]]:
    """Return how many topics were and are said to show a difference, and how often they do."""
    for method, others in FAMILIES:
        pvalues = np.append(np.zeros(others), np.ones(PAIRS - others))
        decides = float(deciding_levels(pvalues, method, ALPHA)[-1])
        cells = [method, str(others), f"{decides:.5f}"]
        for alpha in (ALPHA, decides):
            topics = topics_needed(DIFFERENCE, SPREAD, alpha)
            cells += [str(topics), f"{attained(topics, method, others, rng):.0%}"]
        yield cells


def show(heads: list[str], rows: Iterator[list[str]]) -> None:
    """Print a table."""
    print(f"| {' | '.join(heads)} |\n|{'--:|' * len(heads)}")
    for cells in rows:
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    heads = ["topics", "p ≤ .05, t", "p < .0001, t", "p ≤ .05, compare", "p < .0001, compare"]
    show(heads, chance_rows(np.random.default_rng(1)))
    print()
    heads = ["correction", "others significant", "α that decides", "topics, at .05", "power", "topics, now", "power"]
    show(heads, power_rows(np.random.default_rng(2)))


if __name__ == "__main__":
    main()
