"""Measure the simulation of tests: `python benchmarks/simulate.py [REPETITIONS]`.

129 systems × 50 topics, binary grades, 30 ranks, the eight tests, a measure and its interval scale, 1,000 repetitions
without an effect and with each of three, and the familywise error. It runs in one process; wall and CPU seconds, and
the peak memory of the process, are printed as Markdown. `docs/how-to/which-test.md` has its output.
"""

from __future__ import annotations

import resource
import sys
import time

import measurand as md
from levels import judged
from machine import describe, load

MEASURES = ("P@10", "RR@10", "AP@30")


def main() -> None:
    repetitions = int(sys.argv[1]) if sys.argv[1:] else 1000
    print(f"{describe()}, load {load()}\n", flush=True)
    runs = judged(129, 30)
    print("| measure | repetitions | wall s | CPU s | peak MB |\n|---|--:|--:|--:|--:|", flush=True)
    for measure in MEASURES:
        wall, cpu = time.perf_counter(), time.process_time()
        md.simulate(runs, measure, repetitions=repetitions)
        spent = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"| {measure} | {repetitions:,} | {spent[0]:.0f} | {spent[1]:.0f} | {peak:.0f} |", flush=True)
    print(f"\nload {load()}")


if __name__ == "__main__":
    main()
