"""Measure interval scales beside full enumeration: `python benchmarks/interval.py`.

Every task runs in a process of its own, after its imports and a small warm-up. The runs are those of 129 systems on 50
topics with relevant documents that thin out with the rank.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import measurand as md
from machine import describe, load
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.meet_in_the_middle import count_up_to
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget
from measurand.judged import Pool, distinct_runs

SYSTEMS, TOPICS = 129, 50


def campaign(depth: int, grades: int = 2) -> np.ndarray:
    """Return 6,450 judged runs: easy and hard topics, good and bad systems, some of which find nothing."""
    rng = np.random.default_rng(7)
    ease = rng.beta(1.2, 2.0, (1, TOPICS, 1)) * rng.uniform(0.3, 1.0, (SYSTEMS, 1, 1))
    chances = ease / (1 + np.arange(depth) / 10)
    hits = rng.random((SYSTEMS, TOPICS, depth)) < chances
    return (hits * rng.integers(1, grades, hits.shape)).reshape(-1, depth).astype(np.int8)


def enumeration(spelling: str, depth: int) -> Callable[[], object]:
    """Return the authors' method, done well: all runs as bytes, values by doubling, ranks by sorting, look-up."""
    runs = campaign(depth)

    def work() -> object:
        numbers = np.arange(1 << depth)
        every = ((numbers[:, None] >> np.arange(depth - 1, -1, -1)) & 1).astype(np.int8)
        ranks = np.arange(1, depth + 1)
        if spelling == "AP":
            values = (np.cumsum(every, axis=1, dtype=np.int8) * every) @ (1 / ranks)
        else:
            values = every @ (1 / np.maximum(1, np.log2(ranks)))
        # ten digits, because floats of equal values differ
        _, places = np.unique(np.round(values, 10), return_inverse=True)
        return places[runs @ (1 << np.arange(depth - 1, -1, -1))]

    return work


def placing(spelling: str, depth: int | str, grades: int = 2) -> Callable[[], object]:
    """Return our way: a ruler, and the positions of all runs."""
    runs = campaign(1000 if depth == "inf" else int(depth), grades)
    scale = md.interval(spelling, depth=depth, grades=grades)

    def work() -> object:
        return scale.positions(distinct_runs(runs)[0], Pool((1, 1)))

    return work


def halves(depth: int, runs: int, *, compiled: bool) -> Callable[[], object]:
    """Return the counting of sums below some runs of DCG(b=2), from tables that are there: our loop, or numpy alone."""
    scale = md.interval("DCG(b=2)", depth=depth)
    exact = scale.universe.ruler(depth, None, scale.budget).exact
    places, _ = exact._different(distinct_runs(campaign(depth))[0][:runs])
    (pair,) = exact._halves(len(places), counted=False)[1]
    _, marks = exact._fixed.windows(places)
    if compiled:
        return lambda: np.array(count_up_to([pair], marks))
    looped, table = sorted((pair.tops.sums, pair.tails.sums), key=len)
    return lambda: np.array([np.searchsorted(table, mark - pair.shift - looped, side="right").sum() for mark in marks])


def counting() -> Callable[[], object]:
    """Return the building of the table for AP@30, with nothing made before."""
    return lambda: WalkRuler.of(average_precision_walk(30), "AP-30", Budget(), afresh=True).checkpoints()


TASKS: dict[str, Callable[[], Callable[[], object]]] = {
    "full enumeration, DCG(b=2)@20": lambda: enumeration("DCG(b=2)", 20),
    "interval(DCG(b=2)@20)": lambda: placing("DCG(b=2)", 20),
    "full enumeration, AP@20": lambda: enumeration("AP", 20),
    "interval(AP@20)": lambda: placing("AP", 20),
    "interval(DCG(b=2)@30)": lambda: placing("DCG(b=2)", 30),
    "interval(RBP(p=0.8)@30)": lambda: placing("RBP(p=0.8)", 30),
    "table for AP@30, counted afresh": counting,
    "interval(AP@30), table from the package": lambda: placing("AP", 30),
    "interval(DCG(b=2)@40)": lambda: placing("DCG(b=2)", 40),
    "counting for 3,000 runs of DCG(b=2)@30, compiled": lambda: halves(30, 3000, compiled=True),
    "counting for 3,000 runs of DCG(b=2)@30, numpy alone": lambda: halves(30, 3000, compiled=False),
    "counting for 50 runs of DCG(b=2)@40, compiled": lambda: halves(40, 50, compiled=True),
    "counting for 50 runs of DCG(b=2)@40, numpy alone": lambda: halves(40, 50, compiled=False),
    "interval(DCG(b=2)@100)": lambda: placing("DCG(b=2)", 100),
    "interval(DCG(b=2, gain='exp2')@100, grades=4)": lambda: placing("DCG(b=2, gain='exp2')", 100, 4),
    "interval(DCG(b=2)@1000)": lambda: placing("DCG(b=2)", 1000),
    "interval(DCG(b=2, gain='exp2')@1000, grades=4)": lambda: placing("DCG(b=2, gain='exp2')", 1000, 4),
    "interval(RBP(p=0.8), depth='inf')": lambda: placing("RBP(p=0.8)", "inf"),
    "interval(RBP(p=0.95), depth='inf')": lambda: placing("RBP(p=0.95)", "inf"),
}


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(task: str) -> dict[str, object]:
    """Return what one task takes: the first time, again with its tables built, in memory, and how good it is."""
    work = TASKS[task]()
    if not task.startswith("full"):
        for spelling, depth in (("DCG(b=2)", 18), ("DCG(b=2)", 70), ("AP", 18), ("RBP(p=0.8)", 18)):
            placing(spelling, depth)()
    before = megabytes()
    started = time.perf_counter()
    found = work()
    first = time.perf_counter() - started
    started = time.perf_counter()
    work()
    again = time.perf_counter() - started
    entry: dict[str, object] = {"first": first, "again": again, "memory": megabytes() - before, "peak": megabytes()}
    if isinstance(found, list):
        kinds = sorted({str(position.how) for position in found})
        inside = [position for position in found if position.low > 0]
        widths = [float((position.high - position.low) / position.low) for position in inside]
        entry |= {
            "runs": len(found),
            "how": " and ".join(kinds),
            "widths": np.quantile(widths, [0.5, 0.95, 1]).tolist(),
        }
    return entry


def row(task: str, entry: dict[str, object]) -> str:
    widths = entry.get("widths", [0, 0, 0])
    shown = " / ".join(f"{width:.0e}" for width in widths) if any(widths) else ""
    numbers = f"{entry['first']:.3f} | {entry['again']:.3f} | {entry['memory']:.0f} | {entry['peak']:.0f}"
    return f"| {task} | {entry.get('runs', '')} | {numbers} | {entry.get('how', '')} | {shown} |"


def main() -> None:
    if len(sys.argv) == 2:
        print(json.dumps(measure(sys.argv[1])))
        return
    machine = describe()
    print(f"{machine['date']}, {machine['processor']}, {machine['cores']} cores, load {load():.1f} before\n")
    columns = "task | different runs | first, s | again, s | memory, MB | peak, MB | how | relative width"
    print(f"| {columns}: median / 95 % / largest |\n|---|---:|---:|---:|---:|---:|---|---|")
    for task in TASKS:
        outcome = subprocess.run([sys.executable, __file__, task], capture_output=True, text=True, check=True)
        print(row(task, json.loads(outcome.stdout)), flush=True)


if __name__ == "__main__":
    main()
