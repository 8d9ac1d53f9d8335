"""Measure what reading stored scores takes: `python benchmarks/stored.py [SYSTEMS TOPICS] [--depth N] [--keep FOLDER]`.

Judgments and run files are drawn, their scores are stored by `measurand evaluate --store`, and `compare` and `report`
read them. Each command runs in a process of its own; what is printed are its CPU seconds and its peak memory. Without
numbers 1,000 systems × 10,000 topics and 4 systems × 1,000,000 topics are drawn, 10 ranks each.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from machine import describe

SIZES = ((1_000, 10_000), (4, 1_000_000))
"""What is measured if nothing is said: systems and topics."""

JUDGED = 30
"""So many documents of a topic are judged, …"""

POOL = 60
"""… of as many as systems choose from."""


def draw(folder: Path, systems: int, topics: int, depth: int) -> None:
    """Write judgments, and a run file for every system; a better system puts better documents first more often."""
    rng = np.random.default_rng(0)
    grades = np.where(rng.random((topics, JUDGED)) < 0.6, 0, rng.integers(1, 4, (topics, JUDGED)))
    numbers = np.arange(topics)[:, None]
    with (folder / "qrels").open("w") as file:
        for start in range(0, topics, 10_000):
            some = slice(start, start + 10_000)
            lines = (
                f"{topic} 0 d{topic}_{document} {grade}\n"
                for topic, row in zip(numbers[some, 0].tolist(), grades[some].tolist(), strict=True)
                for document, grade in enumerate(row)
            )
            file.writelines(lines)
    (folder / "runs").mkdir(exist_ok=True)
    worth = np.concatenate([grades, np.zeros((topics, POOL - JUDGED), dtype=grades.dtype)], axis=1)
    for system in range(systems):
        skill = 0.2 + 0.6 * system / max(1, systems - 1)
        noise = rng.standard_normal((topics, POOL), dtype=np.float32)
        order = np.argsort(-(skill * worth + noise), axis=1)[:, :depth].tolist()
        name = f"s{system:05d}"
        with (folder / "runs" / f"{name}.run").open("w") as file:
            for topic, row in enumerate(order):
                file.write(
                    "".join(
                        f"{topic} Q0 d{topic}_{d} {rank} {depth - rank + 1} {name}\n" for rank, d in enumerate(row, 1)
                    )
                )


def measured(words: list[str]) -> str:
    """Return the CPU seconds and the peak memory of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    job = [sys.executable, "-c", _ONE, *words]
    done = subprocess.run(job, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return f"failed ({done.returncode}): {' '.join(done.stderr.strip().splitlines()[-1:])}"
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{spent:,.1f} s | {int(done.stderr.splitlines()[-1]) / 2**10:,.0f} MB"


_ONE = (
    "import resource, sys\n"
    "from measurand.cli.main import program\n"
    "try:\n"
    "    program(sys.argv[1:], standalone_mode=False)\n"
    "finally:\n"
    "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
)
"""A command of the command line, and the peak memory of its process at the end."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, metavar="SYSTEMS TOPICS", help="how many of each to draw")
    parser.add_argument("--depth", type=int, default=10, help="how many ranks runs have; default 10")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep what is drawn here, and use it again")
    options = parser.parse_args()
    if len(options.sizes) not in (0, 2):
        parser.error("give two numbers: SYSTEMS TOPICS")
    return options


def main() -> None:
    options = arguments()
    print(describe(), end="\n\n")
    print("| systems | topics | command | CPU | peak |\n|---:|---:|---|---:|---:|")
    for systems, topics in [tuple(options.sizes)] if options.sizes else SIZES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / f"{systems}x{topics}x{options.depth}"
            if not folder.exists():
                folder.mkdir(parents=True)
                draw(folder, systems, topics, options.depth)
            store, page = str(folder / "scores"), str(folder / "page.html")
            commands = {
                "evaluate --store": ["evaluate", str(folder / "qrels"), str(folder / "runs"), "--store", store],
                "evaluate FOLDER": ["evaluate", store],
                "compare FOLDER": ["compare", store],
                "compare FOLDER --baseline": ["compare", store, "--baseline", "s00000"],
                "report FOLDER": ["report", store, "-o", page],
            }
            for name, words in commands.items():
                if name != "evaluate --store" or not Path(store).exists():
                    print(f"| {systems:,} | {topics:,} | {name} | {measured(words)} |", flush=True)
            if Path(page).exists():
                print(f"\nThe page has {Path(page).stat().st_size / 1e6:.1f} MB.\n")


if __name__ == "__main__":
    main()
