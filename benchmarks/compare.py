"""Measure the comparison of all pairs of systems beside ranx and loops over scipy: `python benchmarks/compare.py`.

Every task runs in a process of its own, after its imports and a warm-up on four systems, which compiles what
is compiled. All tests get the same matrix of 129 systems × 50 topics, so 8,256 pairs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np

from machine import describe, load

SYSTEMS, TOPICS, DEPTH = 129, 50, 30
TURNS = {"slow": 1, "quick": 5}


def matrix(systems: int = SYSTEMS) -> np.ndarray:
    """Return scores between 0 and 1 with two decimals, so that there are ties; topics are easy and hard."""
    rng = np.random.default_rng(11)
    ease = rng.beta(1.2, 2.0, (1, TOPICS))
    skill = rng.normal(0, 0.05, (systems, 1))
    return np.round(np.clip(ease + skill + rng.normal(0, 0.12, (systems, TOPICS)), 0, 1), 2)


def names(systems: int) -> tuple[str, ...]:
    return tuple(f"s{number:03}" for number in range(systems))


def scores(systems: int) -> Any:
    import measurand as md

    topics = tuple(str(topic) for topic in range(TOPICS))
    return md.Scores(
        measure="P", values=matrix(systems), systems=names(systems), topics=topics, scale=md.Scale.INTERVAL
    )


def ours(test: str, **options: Any) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        from measurand.statistics import find_test

        given, run = scores(systems), find_test(test)
        return lambda: run(given, **options).pvalues

    return work


def ranx_tests(test: str) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        from ranx.statistical_tests import compute_statistical_significance

        found = {name: {"P": row} for name, row in zip(names(systems), matrix(systems), strict=True)}
        return lambda: compute_statistical_significance(list(found), found, test, 1000, 0.05, 42)

    return work


def scipy_loop(test: str) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        from scipy import stats

        function, rows = getattr(stats, test), matrix(systems)
        return lambda: [function(a, b).pvalue for a, b in combinations(rows, 2)]

    return work


def campaign(systems: int) -> tuple[dict[str, dict[str, int]], list[dict[str, dict[str, float]]]]:
    """Return judgments and runs: 30 documents a topic, of 200 of which a tenth is relevant."""
    rng = np.random.default_rng(12)
    judged = {str(topic): {f"d{d:04}": int(rng.random() < 0.1) for d in range(200)} for topic in range(TOPICS)}
    runs = []
    for _ in range(systems):
        noise = {topic: rng.random(200) + np.array(list(grades.values())) for topic, grades in judged.items()}
        best = {topic: np.argsort(-values)[:DEPTH] for topic, values in noise.items()}
        runs.append({topic: {f"d{d:04}": float(noise[topic][d]) for d in best[topic]} for topic in judged})
    return judged, runs


def whole_ours(test: str, **options: Any) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        import measurand as md
        from measurand.statistics import effects, find_test

        judgments, results = campaign(systems)
        qrels = md.read_qrels(judgments)
        runs = [md.read_run(run, name=name) for name, run in zip(names(systems), results, strict=True)]

        def compare() -> Any:
            given = md.parse("AP").scores(md.judge(runs, qrels))
            return find_test(test)(given, **options).pvalues, effects(given).wins

        return compare

    return work


def whole_ranx(test: str) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        from ranx import Qrels, Run, compare

        judgments, results = campaign(systems)
        qrels = Qrels({t: {d: g for d, g in grades.items() if g} for t, grades in judgments.items()})
        runs = [Run(run, name=name) for name, run in zip(names(systems), results, strict=True)]
        return lambda: compare(qrels, runs, ["map"], stat_test=test, n_permutations=1000)

    return work


def judged(systems: int, depth: int, grades: int) -> Any:
    from measurand.judged import JudgedRuns

    rng = np.random.default_rng(7)
    ease = rng.beta(1.2, 2.0, (1, TOPICS, 1)) * rng.uniform(0.3, 1.0, (systems, 1, 1))
    hits = rng.random((systems, TOPICS, depth)) < ease / (1 + np.arange(depth) / 10)
    cells = (hits * rng.integers(1, grades, hits.shape)).astype(np.int8)
    counts = rng.integers(20, 200, (TOPICS, grades))
    topics = tuple(str(topic) for topic in range(TOPICS))
    lengths = np.full((systems, TOPICS), depth)
    return JudgedRuns(systems=names(systems), topics=topics, cells=cells, lengths=lengths, grade_counts=counts)


def dominance(depth: int, grades: int) -> Callable[[int], Any]:
    def work(systems: int) -> Any:
        import measurand as md

        runs = judged(systems, depth, grades)
        return lambda: md.dominance_matrix(runs).wins

    return work


def robustness(systems: int) -> Any:
    from measurand.scales.meaning import mean_robustness

    given = scores(systems)
    return lambda: mean_robustness(given, scale="ordinal").fragile


def effect_of_scales(systems: int) -> Any:
    import measurand as md

    runs = judged(systems, DEPTH, 2)
    measures = [
        "P",
        "R",
        "AP",
        "RR",
        "RBP(p=0.3)",
        "RBP(p=0.5)",
        "RBP(p=0.8)",
        "DCG(b=2)",
        "DCG(b=10)",
        "nDCG(b=2)",
        "nDCG(b=10)",
    ]
    return lambda: md.scale_effect(runs, measures, DEPTH).measures


TASKS: dict[str, tuple[Callable[[int], Any], str]] = {
    "sign": (ours("sign"), "quick"),
    "paired_t": (ours("paired_t"), "quick"),
    "one_way_anova with Tukey": (ours("one_way_anova"), "quick"),
    "two_way_anova with Tukey": (ours("two_way_anova"), "quick"),
    "kruskal_wallis with Tukey": (ours("kruskal_wallis"), "quick"),
    "friedman with Tukey": (ours("friedman"), "quick"),
    "rank_sum": (ours("rank_sum"), "quick"),
    "signed_rank": (ours("signed_rank"), "quick"),
    "randomisation, 1,000 permutations": (ours("randomisation", permutations=1000), "quick"),
    "randomisation, 10,000 permutations": (ours("randomisation"), "quick"),
    "bootstrap, 10,000 resamples": (ours("bootstrap"), "quick"),
    "randomised_tukey, 10,000 permutations": (ours("randomised_tukey"), "quick"),
    "scipy loop, ttest_rel": (scipy_loop("ttest_rel"), "slow"),
    "scipy loop, wilcoxon": (scipy_loop("wilcoxon"), "slow"),
    "scipy loop, mannwhitneyu": (scipy_loop("mannwhitneyu"), "slow"),
    "ranx tests alone, student": (ranx_tests("student"), "slow"),
    "ranx tests alone, fisher, 1,000 permutations": (ranx_tests("fisher"), "slow"),
    "AP, paired_t, effects from runs": (whole_ours("paired_t"), "quick"),
    "AP, randomisation (1,000), effects from runs": (whole_ours("randomisation", permutations=1000), "quick"),
    "ranx.compare, student": (whole_ranx("student"), "slow"),
    "ranx.compare, fisher, 1,000 permutations": (whole_ranx("fisher"), "slow"),
    "dominance_matrix, 30 ranks, 2 grades": (dominance(30, 2), "quick"),
    "dominance_matrix, 1,000 ranks, 4 grades": (dominance(1000, 4), "quick"),
    "mean_robustness, ordinal": (robustness, "quick"),
    "scale_effect, 11 measures, 8 tests, 30 ranks": (effect_of_scales, "slow"),
}

RATIOS = (
    ("scipy loop, ttest_rel", "paired_t"),
    ("scipy loop, wilcoxon", "signed_rank"),
    ("scipy loop, mannwhitneyu", "rank_sum"),
    ("ranx tests alone, student", "paired_t"),
    ("ranx tests alone, fisher, 1,000 permutations", "randomisation, 1,000 permutations"),
    ("ranx.compare, student", "AP, paired_t, effects from runs"),
    ("ranx.compare, fisher, 1,000 permutations", "AP, randomisation (1,000), effects from runs"),
)


def measure(task: str) -> float:
    """Return the median seconds of a task, in this process."""
    prepare, pace = TASKS[task]
    prepare(4)()
    work = prepare(SYSTEMS)
    seconds = []
    for _ in range(TURNS[pace]):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def main() -> None:
    if sys.argv[1:]:
        print(json.dumps(measure(sys.argv[1])))
        return
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    print("| task | seconds |\n|---|---:|")
    found = {}
    for task in TASKS:
        command = [sys.executable, __file__, task]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found[task] = float(answer.splitlines()[-1])
        print(f"| {task} | {found[task]:.3f} |", flush=True)
    print("\n| peer | measurand | times faster |\n|---|---|---:|")
    for peer, own in RATIOS:
        print(f"| {peer} | {own} | {found[peer] / found[own]:,.0f} |")
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
