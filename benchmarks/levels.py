"""Measure the levels of all pairs of systems beside a plain prototype: `python benchmarks/levels.py`.

129 systems × 50 topics, so 8,256 pairs, binary grades, 30 and 1,000 ranks. Every task runs in a process of its own,
after its imports and a warm-up on four systems. The prototype loops over pairs in numpy and scipy, as one would write
the definitions down; both must find the same levels, and do or this fails. Peak memory is that of the process,
interpreter and libraries included.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from compare import SYSTEMS, TOPICS
from machine import describe, load

ALPHA = 0.05
TURNS = {"measurand": 3, "prototype": 1}


def judged(systems: int, depth: int) -> Any:
    """Return judged runs: topics are easy and hard, systems find more or less, and the further down the less."""
    from measurand.judged import JudgedRuns

    rng = np.random.default_rng(24)
    ease = rng.beta(1.2, 2.0, (1, TOPICS, 1))
    skill = np.exp(rng.normal(0, 0.35, (systems, 1, 1)) + rng.normal(0, 0.35, (systems, TOPICS, 1)))
    hits = rng.random((systems, TOPICS, depth)) < np.minimum(0.95, ease * skill) / (1 + np.arange(depth) / 10)
    return JudgedRuns(
        systems=tuple(f"s{number:03}" for number in range(systems)),
        topics=tuple(str(topic) for topic in range(TOPICS)),
        cells=hits.astype(np.int8),
        lengths=np.full((systems, TOPICS), depth),
        grade_counts=np.tile([1000, 200], (TOPICS, 1)),
    )


def ours(systems: int, depth: int) -> Callable[[], list[np.ndarray]]:
    """Return the work of `levels_matrix`."""
    import measurand as md

    runs = judged(systems, depth)

    def work() -> list[np.ndarray]:
        found = md.levels_matrix(runs)
        return [found.topics, found.every_measure, found.additive, found.additive_significant]

    return work


def prototype(systems: int, depth: int) -> Callable[[], list[np.ndarray]]:
    """Return the work of a loop over pairs."""
    from scipy import stats
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    counts = np.cumsum(judged(systems, depth).cells, axis=2, dtype=np.int16)
    critical = stats.t.isf(ALPHA / 2, TOPICS - 1)

    def work() -> list[np.ndarray]:
        topics, every, additive, significant = (np.zeros((systems, systems), dtype=bool) for _ in range(4))
        for i in range(systems):
            for j in range(systems):
                more = counts[i].astype(float) - counts[j]
                sums = more.sum(axis=0)
                if not (sums >= 0).all():
                    continue
                additive[i, j] = True
                with np.errstate(divide="ignore", invalid="ignore"):
                    t = more.mean(axis=0) / (more.std(axis=0, ddof=1) / np.sqrt(TOPICS))
                significant[i, j] = sums.any() and (np.nan_to_num(t, nan=0.0) >= critical).all()
                better = (counts[i][:, None] >= counts[j][None]).all(axis=2)
                topics[i, j] = np.diagonal(better).all()
                every[i, j] = (maximum_bipartite_matching(csr_array(better)) >= 0).all()
        return [topics, every, additive, significant]

    return work


TOOLS: dict[str, Callable[[int, int], Callable[[], list[np.ndarray]]]] = {"measurand": ours, "prototype": prototype}


def measure(tool: str, depth: int) -> dict[str, Any]:
    """Return the median seconds of a task, the peak memory of this process in GiB, and what was found."""
    TOOLS[tool](4, depth)()
    work, seconds, found = TOOLS[tool](SYSTEMS, depth), [], []
    for _ in range(TURNS[tool]):
        start = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    ahead = [int((each & ~each.T).sum()) for each in found]
    prints = [np.packbits(each).tobytes().hex() for each in found]
    return {"seconds": median(seconds), "peak": peak, "ahead": ahead, "found": prints}


def main() -> None:
    if sys.argv[1:]:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
        return
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    columns = "seconds | GiB | prototype, seconds | times faster | topics | every measure | additive | significant"
    print(f"| task | {columns} |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for depth in (30, 1000):
        answers = {}
        for tool in TOOLS:
            command = [sys.executable, __file__, tool, str(depth)]
            answers[tool] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        own, plain = answers["measurand"], answers["prototype"]
        assert own["found"] == plain["found"], "the two do not find the same levels"
        numbers = f"{own['seconds']:.2f} | {own['peak']:.2f} | {plain['seconds']:.1f}"
        shares = " | ".join(f"{count:,}" for count in own["ahead"])
        ratio = plain["seconds"] / own["seconds"]
        print(f"| levels_matrix, {depth:,} ranks | {numbers} | {ratio:.1f} | {shares} |", flush=True)
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
