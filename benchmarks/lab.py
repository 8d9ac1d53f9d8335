"""Measure the measure lab, which has no peer: `python benchmarks/lab.py`."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import measurand as md
from machine import describe, load
from measurand.axioms import constraint_matrix, is_measurement
from measurand.measures import catalogue


def cumulated(run: tuple[int, ...]) -> float:
    return sum(grade / rank for rank, grade in enumerate(run, 1))


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def profiles(grades: int) -> tuple[str, float, float]:
    """Return the slowest measure, its time, and the median over the catalogue."""
    times = {
        name: seconds(lambda m=measure: md.profile(m, depth=10, grades=grades)) for name, measure in catalogue().items()
    }
    slowest = max(times, key=lambda name: times[name])
    return slowest, times[slowest], float(np.median(list(times.values())))


def main() -> None:
    machine = describe()
    print(f"{machine['date']}, {machine['processor']}, {machine['cores']} cores, load {load():.1f} before\n")
    md.profile("AP", depth=3)  # imports
    rng = np.random.default_rng(0)
    run = np.sort(rng.integers(0, 5, 100_000))
    rows = [
        (
            "every pair one step apart, a plain function, 12 ranks, 2 grades",
            seconds(lambda: is_measurement(cumulated, 12, 2)),
        )
    ]
    rows.append(("the same for IPrec, which no family proves", seconds(lambda: is_measurement("IPrec@0.5", 12, 2))))
    for grades in (2, 4):
        name, worst, median = profiles(grades)
        rows.append((f"profile at depth 10 with {grades} grades, the slowest of the catalogue ({name})", worst))
        rows.append((f"profile at depth 10 with {grades} grades, median of the catalogue", median))
    rows.append(("constraint matrix of 17 measures", seconds(constraint_matrix)))
    rows.append(("compare two runs of 100,000 ranks, 5 grades", seconds(lambda: md.orders.compare(run, run[::-1]))))
    rows.append(
        ("chain between runs of 1,000 ranks, 5 grades", seconds(lambda: md.orders.chain(run[::100], run[::100][::-1])))
    )
    rows.append(("balancing index of nine measures at 1,000 ranks", seconds(_figure_1a)))
    print("| task | seconds |\n|---|---:|")
    for task, took in rows:
        print(f"| {task} | {took:.2f} |")
    print(f"\nload {load():.1f} after")


def _figure_1a() -> None:
    for measure in md.balance.FIGURE_1A:
        md.balancing_index(measure, 1000)


if __name__ == "__main__":
    main()
