"""Measure what information costs: `python benchmarks/information.py`.

OIE on 129 systems × 50 topics × 1000 documents; the information of 60 runs of 1000 documents on a topic, beside the
definition, which compares all pairs of documents; two and five signals on up to 100,000 documents; metric unanimity.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve

from machine import describe, load, seconds
from measurand.information import unanimity
from measurand.information.counting import count_outscorers
from measurand.judged import JudgedRuns
from measurand.measures import parse

SYSTEMS, TOPICS, DEPTH = 129, 50, 1000
RUNS, POOL = 60, 12_000
MEASURES = 17


def campaign() -> JudgedRuns:
    """Return judged runs of four grades."""
    rng = np.random.default_rng(5)
    hits = rng.random((SYSTEMS, TOPICS, DEPTH)) < 0.4 / (1 + np.arange(DEPTH) / 10)
    cells = (hits * rng.integers(1, 4, hits.shape)).astype(np.int8)
    return JudgedRuns(
        systems=tuple(f"s{s}" for s in range(SYSTEMS)),
        topics=tuple(f"t{t}" for t in range(TOPICS)),
        cells=cells,
        lengths=np.full((SYSTEMS, TOPICS), DEPTH),
        grade_counts=rng.integers(200, 400, (TOPICS, 4)),
    )


def truncated() -> np.ndarray:
    """Return the levels of runs that retrieve 1000 documents each and agree on the better ones."""
    rng = np.random.default_rng(6)
    quality = np.sort(rng.gamma(0.4, 1.0, POOL))[::-1]
    levels = np.zeros((POOL, RUNS), dtype=np.int64)
    for run in range(RUNS):
        top = np.argsort(-(quality + rng.normal(0, 0.5, POOL)))[:DEPTH]
        levels[top, run] = np.arange(DEPTH, 0, -1)
    return levels[levels.any(axis=1)]


def by_definition(levels: np.ndarray) -> np.ndarray:
    """Return for each document how many are at least as high in every signal, comparing it with all."""
    return np.array([(levels >= row).all(axis=1).sum() for row in levels])


def main() -> None:
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    rng = np.random.default_rng(7)
    judged = campaign()
    many = [rng.integers(0, 12, (500, TOPICS)) for _ in range(MEASURES)]
    levels = truncated()

    def again(spelling: str) -> Callable[[], Any]:
        # hits are kept with judged runs; a copy looks them up again
        return lambda: parse(spelling).scores(evolve(judged)).values

    tasks: dict[str, Callable[[], Any]] = {
        f"OIE(collection=1000000) of {SYSTEMS} × {TOPICS} × {DEPTH}, four grades": again("OIE(collection=1000000)"),
        f"OIE(rel=1, collection=1000000) of {SYSTEMS} × {TOPICS} × {DEPTH}": again("OIE(rel=1, collection=1000000)"),
        f"information of {RUNS} runs × {DEPTH} documents, {len(levels):,} in all": lambda: count_outscorers(levels),
        "the same by the definition": lambda: by_definition(levels),
    }
    for n, k in ((100_000, 2), (10_000, 5), (100_000, 5)):
        signals = rng.integers(0, n, (n, k))
        tasks[f"{k} signals, {n:,} documents"] = lambda signals=signals: count_outscorers(signals)
    tasks[f"metric unanimity of {MEASURES} measures, 500 systems × {TOPICS} topics"] = lambda: unanimity(*many)
    print("| task | seconds |\n|---|---:|")
    for name, work in tasks.items():
        print(f"| {name} | {seconds(work):.3f} |")
        sys.stdout.flush()
    assert (count_outscorers(levels) == by_definition(levels)).all()
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
