"""How much faster long jobs are with several workers: `python benchmarks/workers.py --help`.

Each job is done by one worker and by several, in turns, on 20 runs × 50 topics × 1000 documents. Starting threads and
processes is part of it. The least of the wall seconds counts, for other things that the machine has to do only add to
them; on a machine that is busy throughout, ratios are too small.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from campaign import SIZES, files
from machine import describe
from measurand import compare, evaluate, judge, levels_matrix, margins, margins_matrix, parse, simulate
from measurand.execution import Workers, carried_out_by, cores
from measurand.intervals.interval_scale import _remembered
from measurand.papers.scale_tables import scale_tables
from measurand.statistics import randomised_tukey
from measurand.study.margins.margins import compute_margins

MEASURES = ("AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "ERR@20")


def main() -> None:
    options = arguments()
    jobs = all_jobs()
    wanted = options.job or list(jobs)
    about = describe()
    print(f"{about['date']}, {about['processor']}, {about['cores']} cores, load {about['load']:.1f} before\n")
    print(f"| job | wall, 1 worker | wall, {options.workers} | times faster | CPU, 1 | CPU, {options.workers} |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in wanted:
        one, many = measured(jobs[name], options.workers, options.turns)
        print(f"| {name} | {one[0]:.2f} | {many[0]:.2f} | {one[0] / many[0]:.2f} | {one[1]:.2f} | {many[1]:.2f} |")
        sys.stdout.flush()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=cores(), metavar="N", help="default: all cores")
    parser.add_argument("--turns", type=int, default=3, metavar="N", help="turns of each; default 3")
    parser.add_argument("--job", action="append", metavar="NAME", help="one job; may be repeated; default: all")
    return parser.parse_args()


def all_jobs() -> dict[str, Callable[[], Any]]:
    """Return the jobs by name."""
    data = files(SIZES[0])
    judged = judge(data.runs, data.qrels)
    pairs = [(judged.systems[place], judged.systems[place + 1]) for place in range(3)]
    scores = parse("AP").scores(judged)
    deep = parse("interval(AP@25)")
    return {
        "evaluate, files to six measures": lambda: evaluate(data.qrels, data.runs, MEASURES),
        "compare, randomisation": lambda: compare(judged, "AP", test="randomisation", draws=10_000),
        "compare, bootstrap": lambda: compare(judged, "AP", test="bootstrap", draws=50_000),
        "compare, randomised Tukey": lambda: randomised_tukey(scores, permutations=50_000),
        "levels, randomisation": lambda: levels_matrix(judged, depth=100, test="randomisation", permutations=10_000),
        "margins of three pairs": lambda: compute_margins([margins(judged, "AP", a, b) for a, b in pairs]),
        "margins of all pairs": lambda: margins_matrix(judged, "RBP"),
        "simulate": lambda: simulate(judged, ["nDCG@10", "P@10"], repetitions=300),
        "scale tables": lambda: scale_tables(data.qrels, data.runs, depths=[5, 10]),
        "interval scale of AP@25": lambda: (_remembered.cache_clear(), deep.scores(judged)),
    }


def measured(job: Callable[[], Any], number: int, turns: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the least wall seconds, and the CPU seconds then, with one worker and with several."""
    taken: dict[int, list[tuple[float, float]]] = {1: [], number: []}
    for turn in range(turns + 1):
        for workers, costs in taken.items():
            cost = spent(job, workers)
            if turn:
                costs.append(cost)
    return min(taken[1]), min(taken[number])


def spent(job: Callable[[], Any], number: int) -> tuple[float, float]:
    """Return wall and CPU seconds of a job, those of its processes included."""
    wall, cpu = time.perf_counter(), used()
    with Workers(number) as workers, carried_out_by(workers):
        job()
    return time.perf_counter() - wall, used() - cpu


def used() -> float:
    """Return the CPU seconds of this process, and of those that it started and that have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


if __name__ == "__main__":
    main()
