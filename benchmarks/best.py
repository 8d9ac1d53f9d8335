"""Measures how often intervals hold of what was chosen as the best: `python benchmarks/best.py [REPETITIONS]`.

Campaigns of 50 and of 12 topics are drawn on which 3, 12 and 50 systems are equally good: a score is normal, a part
that all systems share on the topic and a part of its own, of equal size; *skewed*: the part of its own is the square of
a normal number. One system is the baseline, another the best of the others by its mean. Prints one Markdown table: in
how many percent of campaigns an interval of 95 % holds 0, which is the truth. *Alone*: the t interval of the chosen
system against the baseline. *Simultaneous*: that of `to_reference` for the chosen system; *all*: those of all systems
hold at once. *To the best, all*: those of `to_best`, against the system with the best mean. *Then the next*: the t
interval of the best mean and the next.
"""

from __future__ import annotations

import sys

import numpy as np

from measurand.scores import Scores
from measurand.statistics.effects import mean_differences
from measurand.statistics.simultaneous import to_best, to_reference

SYSTEMS = (3, 12, 50)
DRAWN = ((50, "normal"), (50, "skewed"), (12, "normal"))
REPETITIONS = 400
HEADS = ("topics", "scores", "systems", "alone", "simultaneous", "simultaneous, all", "to the best, all", "the next")


def drawn(systems: int, topics: int, kind: str, rng: np.random.Generator) -> Scores:
    """Return the scores of equally good systems, of which the first is the baseline."""
    own = rng.normal(size=(systems, topics))
    if kind == "skewed":
        own = (own**2 - 1) / np.sqrt(2)
    values = rng.normal(size=topics) + own
    return Scores(measure="drawn", values=values, systems=range(systems), topics=range(topics), scale="interval")


def held(scores: Scores) -> list[bool]:
    """Return which intervals hold 0."""
    means = scores.values.mean(axis=1)
    chosen = 1 + int(np.argmax(means[1:]))
    next_, best = np.argsort(means)[-2:].tolist()
    _, low, high = mean_differences(scores, 0.95)
    both = to_reference(scores, scores.systems[0])
    whole = to_best(scores, scores.systems[best])
    holds = np.isnan(both.low) | ((both.low <= 0) & (both.high >= 0))
    return [
        bool(low[chosen, 0] <= 0 <= high[chosen, 0]),
        bool(holds[chosen]),
        bool(holds.all()),
        bool((np.isnan(whole.low) | ((whole.low <= 0) & (whole.high >= 0))).all()),
        bool(low[best, next_] <= 0 <= high[best, next_]),
    ]


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    print(f"| {' | '.join(HEADS)} |\n|--:|---|{'--:|' * (len(HEADS) - 2)}")
    for topics, kind in DRAWN:
        for systems in SYSTEMS:
            rng = np.random.default_rng((topics, systems))
            found = [held(drawn(systems, topics, kind, rng)) for _ in range(repetitions)]
            shares = [f"{share:.1%}" for share in np.mean(found, axis=0)]
            print(f"| {' | '.join(map(str, (topics, kind, systems, *shares)))} |", flush=True)


if __name__ == "__main__":
    main()
