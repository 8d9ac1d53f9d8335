"""Measure how cost grows with a campaign: `python benchmarks/growth.py [--only TASK] [--only AXIS] [--json FILE]`.

Systems, topics, depth and grades are varied, one at a time, on files that `campaign.py` draws. Each task runs in a
process of its own, after a warm-up on a tiny campaign, so that imports, compiling and templates do not count. What is
printed are CPU seconds (of all threads, the least of several turns), the peak memory of the process at the largest
size, and the exponent e of the curve a + b nᵉ that lies closest to the seconds; a is what does not depend on n. An
exponent is too high if it is more than a quarter above 1, or above 2 where all pairs of systems are asked for.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from campaign import TINY, Files, Size, files
from machine import describe, load
from run import save, tell
from worker import peak, timed

SLACK = 0.25
"""By so much a fitted exponent may lie above what is expected: times vary, and sorting takes n log n."""

LIMIT = 300
"""After so many seconds a task is ended, and larger sizes are left out."""


@frozen
class Axis:
    """What is varied: a field of a campaign's size, its values, and the campaign that they are put into."""

    name: str
    field: str
    values: tuple[int, ...]
    base: Size

    def sizes(self) -> list[Size]:
        """Return the campaigns, smallest first."""
        return [evolve(self.base, **{self.field: value}) for value in self.values]

    def of(self, size: Size) -> int:
        """Return how large a campaign is along this axis."""
        return int(getattr(size, self.name))


BASE = Size("growth", 16, 50, 200)
AXES = (
    Axis("systems", "systems", (8, 16, 32, 64, 128), BASE),
    Axis("topics", "topics", (50, 100, 200, 400, 800), BASE),
    Axis("depth", "depth", (125, 250, 500, 1000, 2000), BASE),
    Axis("grades", "finer", (1, 4, 16, 64, 256), BASE),
)


def command(*words: str) -> Callable[[Files], Callable[[], Any]]:
    """Return a task: a command of the command line, from files to its output, which nobody reads."""

    def prepare(data: Files) -> Callable[[], Any]:
        from measurand.cli.main import program

        folder = tempfile.TemporaryDirectory()
        told = ["-o", f"{folder.name}/output"] if words[0] == "report" else []
        given = [words[0], str(data.qrels), str(data.runs[0].parent), *words[1:], *told]

        def work() -> Any:
            with folder:
                return program.main(given, standalone_mode=False)

        return work

    return prepare


def judged(data: Files) -> Any:
    import measurand as md

    return md.judge([str(path) for path in data.runs], str(data.qrels))


def levels(data: Files) -> Callable[[], Any]:
    import measurand as md

    runs = judged(data)
    return lambda: md.levels_matrix(runs).to_dict()


def all_margins(data: Files) -> Callable[[], Any]:
    import measurand as md

    runs = judged(data)
    return lambda: [md.margins_matrix(runs, measure).to_dict() for measure in ("nDCG@10", "AP", "P@10", "RR")]


def margins(data: Files) -> Callable[[], Any]:
    import measurand as md

    runs = judged(data)
    first, second = runs.systems[:2]
    return lambda: [md.margins(runs, measure, first, second).to_dict() for measure in ("nDCG@10", "AP")]


@frozen
class Task:
    """Something to measure, and the largest exponent of the number of systems that is expected of it."""

    name: str
    prepare: Callable[[Files], Callable[[], Any]]
    systems: int = 1

    def expected(self, axis: Axis) -> int:
        """Return the largest exponent that is expected along an axis."""
        return self.systems if axis.name == "systems" else 1


TASKS = (
    Task("evaluate", command("evaluate")),
    Task("compare", command("compare"), 2),
    Task("levels", levels, 2),
    Task("margins", all_margins, 2),
    Task("margins-of-two", margins),
    Task("report", command("report"), 2),
)


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    """Return the exponent e and the constant a of the curve a + b nᵉ that is closest to the seconds, in ratio.

    Of every constant that is tried, from 0 to all but a hundredth of the least seconds, logarithms of what is left are
    fitted by least squares.

    >>> n = np.array([1, 2, 4, 8])
    >>> [round(number, 2) for number in exponent(n, 5 + 0.5 * n**2)]
    [2.0, 5.0]
    """
    logs, taken = np.log(sizes), np.asarray(seconds, dtype=float)

    def fitted(constant: float) -> tuple[float, float, float]:
        slope, height = np.polyfit(logs, np.log(taken - constant), 1)
        far = np.log((constant + np.exp(height + slope * logs)) / taken)
        return float(far @ far), float(slope), constant

    _, slope, constant = min(fitted(share * taken.min()) for share in np.linspace(0, 0.99, 100))
    return slope, constant


def measure(task: Task, size: Size) -> dict[str, float]:
    """Return the CPU seconds of a task and the peak memory, in this process."""
    task.prepare(files(TINY))()
    work = task.prepare(files(size))
    _, spent = timed(work)
    return {"cpu": spent["cpu"], "peak": peak()}


def one_turn(task: Task, size: Size) -> dict[str, float] | None:
    """Return what a task took in a process of its own; None if that took too long."""
    job = [
        sys.executable,
        __file__,
        "--worker",
        task.name,
        *map(str, (size.systems, size.topics, size.depth, size.finer)),
    ]
    try:
        done = subprocess.run(job, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"benchmark: {task.name} failed on {size}:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def grow(task: Task, axis: Axis, turns: int) -> dict[str, Any]:
    """Return what a task takes at every size along an axis."""
    sizes, seconds, memory = [], [], []
    for size in axis.sizes():
        files(size)
        tell(f"{task.name}, {axis.of(size):,} {axis.name}")
        found = [one_turn(task, size) for _ in range(turns)]
        if None in found:
            break
        sizes.append(axis.of(size))
        seconds.append(min(each["cpu"] for each in found if each))
        memory.append(min(each["peak"] for each in found if each))
    row = {"task": task.name, "axis": axis.name, "sizes": sizes, "seconds": seconds, "peak": memory}
    if len(sizes) < len(axis.values):
        return row | {"exponent": None, "expected": task.expected(axis)}
    slope, constant = exponent(sizes, seconds)
    return row | {"exponent": slope, "constant": constant, "expected": task.expected(axis)}


def told(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    pairs = ", ".join(f"{size:,}: {taken:.2f}" for size, taken in zip(row["sizes"], row["seconds"], strict=True))
    limit, found = row["expected"], row["exponent"]
    slope = f"over {LIMIT} s" if found is None else f"{found:.2f}"
    verdict = "**too high**" if found is None or found > limit + SLACK else ""
    most = f"{row['peak'][-1] / 2**20:,.0f}" if row["peak"] else "–"
    return f"| {row['task']} | {row['axis']} | {pairs} | {slope} | {limit} | {verdict} | {most} |"


def arguments() -> argparse.Namespace:
    names = [*(task.name for task in TASKS), *(axis.name for axis in AXES)]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only", action="append", choices=names, default=[], help="this task, this axis; may be repeated"
    )
    parser.add_argument("--turns", type=int, default=2, metavar="N", help="processes for each size; default 2")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number as well")
    parser.add_argument("--worker", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.turns < 1:
        parser.error("--turns must be 1 or more")
    if options.json and not options.json.resolve().parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")
    return options


def main() -> None:
    options = arguments()
    if options.worker:
        name, *numbers = options.worker
        task = next(task for task in TASKS if task.name == name)
        print(json.dumps(measure(task, Size(name, *map(int, numbers)))))
        return
    tasks = [task for task in TASKS if task.name in options.only] or TASKS
    axes = [axis for axis in AXES if axis.name in options.only] or AXES
    facts = describe()
    print(facts, end="\n\n")
    print("| task | grows | CPU seconds at each size | exponent | expected | | peak, MB |")
    print("|---|---|---|---:|---:|---|---:|")
    rows = []
    try:
        for task in tasks:
            for axis in axes:
                if not (task.name == "margins-of-two" and axis.name == "systems"):
                    rows.append(grow(task, axis, options.turns))
                    print(told(rows[-1]), flush=True)
    except KeyboardInterrupt:
        tell("interrupted; the rows above are complete")
        sys.exit(130)
    print(f"\nload after: {load()}")
    if options.json:
        save({"machine": facts, "rows": rows}, options.json)


if __name__ == "__main__":
    main()
