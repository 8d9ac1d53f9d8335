"""Set the loops in C beside numpy's, or beside another state of measurand: `python benchmarks/loops.py [SRC]`.

SRC is the folder `src` of the other state; without it, this state runs without its module in C. Every task runs in
processes of its own, this state and the other in turn, and the best of three counts: the CPU time of the first call,
imports of measurand left out, and of further calls, tables made anew. Both must find the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from math import exp, log
from pathlib import Path

import numpy as np

from interval import campaign, halves, placing
from measurand.information.counting import count_outscorers_without
from measurand.intervals.average_precision import Fibres
from measurand.intervals.counted_values import Checkpoints, WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget
from measurand.papers.fff2021.as_published import count_sums

Work = Callable[[], object]

TIMES = 3
ENOUGH = 1.0  # seconds of further calls in a process


def table(depth: int) -> Work:
    return lambda: WalkRuler.of(average_precision_walk(depth), f"AP-{depth}", Budget(600.0), afresh=True).checkpoints()


def fibres(depth: int, runs: int) -> Work:
    return lambda: Fibres.of(depth).counts(campaign(depth)[:runs])


def outscorers(rows: int, columns: int) -> Work:
    levels = np.random.default_rng(5).integers(0, rows, (rows, columns))
    return lambda: count_outscorers_without(levels)


def doubles(depth: int) -> Work:
    return lambda: count_sums(depth).size


TASKS: dict[str, Callable[[], Work]] = {
    "interval(DCG(b=2)@20)": lambda: placing("DCG(b=2)", 20),
    "interval(AP@20)": lambda: placing("AP", 20),
    "interval(DCG(b=2)@30)": lambda: placing("DCG(b=2)", 30),
    "interval(RBP(p=0.8)@30)": lambda: placing("RBP(p=0.8)", 30),
    "interval(AP@30), table from the package": lambda: placing("AP", 30),
    "table of AP@28, counted afresh": lambda: table(28),
    "table of AP@30, counted afresh": lambda: table(30),
    "fibres of 160 runs, AP@45": lambda: fibres(45, 160),
    "interval(DCG(b=2)@40)": lambda: placing("DCG(b=2)", 40),
    "counting for 3,000 runs of DCG(b=2)@30": lambda: halves(30, 3000, compiled=True),
    "counting for 50 runs of DCG(b=2)@40": lambda: halves(40, 50, compiled=True),
    "interval(DCG(b=2)@100)": lambda: placing("DCG(b=2)", 100),
    "interval(DCG(b=2, gain='exp2')@100, grades=4)": lambda: placing("DCG(b=2, gain='exp2')", 100, 4),
    "interval(DCG(b=2)@1000)": lambda: placing("DCG(b=2)", 1000),
    "interval(RBP(p=0.8), depth='inf')": lambda: placing("RBP(p=0.8)", "inf"),
    "interval(RBP(p=0.95), depth='inf')": lambda: placing("RBP(p=0.95)", "inf"),
    "outscorers without a column, 2,000 x 20": lambda: outscorers(2000, 20),
    "doubles of AP@22": lambda: doubles(22),
}


def seconds(work: Work) -> tuple[float, object]:
    """Return the CPU time of a call, all threads together, and what it found."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, found


def digest(found: object) -> str:
    """Return what tells two findings apart."""
    if isinstance(found, Checkpoints):
        text = repr((found.edges.tolist(), found.counts.tolist()))
    elif isinstance(found, list):
        text = repr([(position.low, position.high, position.rank) for position in found])
    else:
        text = repr(found.tolist() if isinstance(found, np.ndarray) else found)
    return hashlib.sha256(text.encode()).hexdigest()


def measure(task: str) -> dict[str, object]:
    """Return what the first and further calls of a task take in this process."""
    first, found = seconds(lambda: TASKS[task]()())
    again: list[float] = []
    while sum(again) < ENOUGH and len(again) < 20:
        again.append(seconds(lambda: TASKS[task]()())[0])
    return {"first": first, "again": min(again), "digest": digest(found)}


def best(task: str, sides: list[dict[str, str]]) -> list[dict[str, float]]:
    """Return the best times of each side, which take turns."""
    found: list[list[dict[str, float]]] = [[] for _ in sides]
    for _ in range(TIMES):
        for side, entries in zip(sides, found, strict=True):
            command = [sys.executable, __file__, "--task", task]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | side)
            entries.append(json.loads(done.stdout))
    if len({entry["digest"] for entries in found for entry in entries}) > 1:
        raise SystemExit(f"{task}: the two sides find different things")
    return [{key: min(entry[key] for entry in entries) for key in ("first", "again")} for entries in found]


def main() -> None:
    if sys.argv[1:2] == ["--task"]:
        print(json.dumps(measure(sys.argv[2])))
        return
    mine = {"PYTHONPATH": str(Path(__file__).parent.parent / "src")}
    other = {"PYTHONPATH": sys.argv[1]} if len(sys.argv) > 1 else mine | {"MEASURAND_NATIVE": "0"}
    chosen = [task for task in TASKS if len(sys.argv) < 3 or sys.argv[2] in task]
    print("| task | first call, CPU s: C | other | other / C | further calls: C | other | other / C |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    ratios: list[tuple[float, float]] = []
    for task in chosen:
        here, there = best(task, [mine, other])
        ratios.append((there["first"] / here["first"], there["again"] / here["again"]))
        cells = (f"{here[key]:.3f} | {there[key]:.3f} | {there[key] / here[key]:.2f}" for key in ("first", "again"))
        print(f"| {task} | {' | '.join(cells)} |", flush=True)
    first, again = (exp(sum(log(ratio[side]) for ratio in ratios) / len(ratios)) for side in (0, 1))
    print(f"| geometric mean | | | {first:.2f} | | | {again:.2f} |")


if __name__ == "__main__":
    main()
