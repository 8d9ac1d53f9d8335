"""Set the loops in C beside numpy's, or beside another state of measurand: `python benchmarks/loops.py [SRC] [WORDS]`.

SRC is the folder `src` of the other state; without it, or with a dash, it is this state without its module in C. WORDS
choose the tasks that have them in their names. Every task runs in processes of its own, this state and the other in
turn; the best CPU time of up to three counts, imports left out. *first call*: nothing has been called before. *warm*:
all loops have been called on small tasks. Both sides must find the same.
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

import measurand as md
from interval import campaign, halves, placing
from measurand.information.counting import count_outscorers_without
from measurand.intervals.average_precision import Fibres
from measurand.intervals.counted_values import Checkpoints, WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget
from measurand.judged import Pool
from measurand.papers.fff2021.as_published import count_sums

Work = Callable[[], object]

TIMES = 3
ENOUGH = 20.0  # seconds after which a task is not repeated


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


def warm_up() -> None:
    """Call every loop."""
    for spelling, depth in (("DCG(b=2)", 18), ("DCG(b=2)", 70), ("RBP(p=0.8)", 18), ("RBP(p=0.7)", "inf"), ("AP", 18)):
        md.interval(spelling, depth=depth).positions(campaign(30 if depth == "inf" else depth)[:9], Pool((1, 1)))
    for work in (table(12), fibres(12, 16), outscorers(800, 3), doubles(6)):
        work()


def measure(task: str, moment: str) -> dict[str, object]:
    """Return what a task takes in this process, and what it finds."""
    if moment == "warm":
        warm_up()
    taken, found = seconds(lambda: TASKS[task]()())
    return {"seconds": taken, "digest": digest(found)}


def best(task: str, moment: str, sides: list[dict[str, str]]) -> list[float]:
    """Return the best times of each side, which take turns."""
    found: list[list[float]] = [[] for _ in sides]
    digests: set[str] = set()
    while len(found[0]) < TIMES and sum(map(sum, found)) < ENOUGH:
        for side, times in zip(sides, found, strict=True):
            command = [sys.executable, __file__, "--task", task, moment]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | side)
            entry = json.loads(done.stdout)
            times.append(entry["seconds"])
            digests.add(entry["digest"])
    if len(digests) > 1:
        raise SystemExit(f"{task}: the two sides find different things")
    return [min(times) for times in found]


def main() -> None:
    if sys.argv[1:2] == ["--task"]:
        print(json.dumps(measure(*sys.argv[2:])))
        return
    source, words = (*sys.argv[1:], *("-", "")[len(sys.argv) - 1 :])
    mine = {"PYTHONPATH": str(Path(__file__).parent.parent / "src")}
    sides = [mine, mine | {"MEASURAND_NATIVE": "0"} if source == "-" else {"PYTHONPATH": source}]
    print("| task | first call, CPU s: C | other | other / C | warm: C | other | other / C |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    ratios: dict[str, list[float]] = {"first": [], "warm": []}
    for task in (task for task in TASKS if words in task):
        cells = [task]
        for moment, found in ratios.items():
            here, there = best(task, moment, sides)
            found.append(there / here)
            cells += [f"{here:.3f}", f"{there:.3f}", f"{there / here:.2f}"]
        print(f"| {' | '.join(cells)} |", flush=True)
    first, warm = (exp(sum(map(log, found)) / len(found)) for found in ratios.values())
    print(f"| geometric mean | | | {first:.2f} | | | {warm:.2f} |")


if __name__ == "__main__":
    main()
