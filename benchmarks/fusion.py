"""Measure fusion beside ranx: `python benchmarks/fusion.py [systems topics depth]`.

Runs of 60 systems × 50 topics × 1000 documents in memory, fused by ours and by ranx in turn; ranx compiles before the
clock starts. What looks at pairs of documents (information, condorcet, mc4) is measured on one topic.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import measurand as md
from machine import describe, load, seconds
from measurand.fusion import METHODS, fuse

SIZE = (60, 50, 1000)
BESIDE = {"rrf": ("rrf", None), "combsum": ("sum", "min-max"), "combmnz": ("mnz", "min-max")}
PAIRS = ("information", "condorcet", "mc4")


def campaign(systems: int, topics: int, depth: int) -> list[md.Run]:
    """Return runs that agree more at the top than further down, without ties."""
    rng = np.random.default_rng(8)
    pools = [rng.permutation(20 * depth)[: 9 * depth] for _ in range(topics)]
    runs = []
    for system in range(systems):
        documents: list[str] = []
        for pool in pools:
            order = np.argsort(np.arange(len(pool)) * rng.random() + rng.gamma(1.0, 2.0 * depth, len(pool)))
            documents += [f"document-{number}" for number in pool[order[:depth]].tolist()]
        scores = -np.sort(-rng.gamma(2.0, 3.0, (topics, depth)), axis=1)
        named = {"name": f"s{system}", "topics": tuple(f"t{topic}" for topic in range(topics))}
        bounds = np.arange(topics + 1) * depth
        runs.append(md.Run(**named, bounds=bounds, documents=documents, scores=scores.reshape(-1)))
    return runs


def as_dictionary(run: md.Run) -> dict[str, dict[str, float]]:
    scores = run.document_scores
    return {t: dict(zip(run.documents_of(t), scores[run.rows(t)].tolist(), strict=True)) for t in run.topics}


def theirs(runs: list[Any], method: str, norm: str | None) -> Callable[[], Any]:
    import ranx

    return lambda: ranx.fuse(list(runs), norm=norm, method=method)


def ours(runs: list[md.Run], method: str) -> Callable[[], Any]:
    return lambda: fuse(runs, method)


def main() -> None:
    size = tuple(map(int, sys.argv[1:4])) if len(sys.argv) > 3 else SIZE
    import ranx

    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    systems, topics, depth = size
    runs = campaign(*size)
    peers = [ranx.Run(as_dictionary(run), name=run.name) for run in runs]
    little = [ranx.Run(as_dictionary(run), name=run.name) for run in campaign(3, 2, 10)]
    print(f"{systems} systems × {topics} topics × {depth} documents\n")
    print("| method | ours, s | ranx, s | times |\n|---|---:|---:|---:|")
    for method, (their_name, norm) in BESIDE.items():
        theirs(little, their_name, norm)()  # compiles
        mine, other = seconds(ours(runs, method)), seconds(theirs(peers, their_name, norm))
        print(f"| {method} | {mine:.2f} | {other:.2f} | {other / mine:.1f} |")
        sys.stdout.flush()
    for method in METHODS:
        if method not in BESIDE and method not in PAIRS:
            print(f"| {method} | {seconds(ours(runs, method)):.2f} | | |")
    single = campaign(systems, 1, depth)
    pool = len(fuse(single, depth=None))
    for method in PAIRS:
        print(f"| {method}, one topic, {pool} documents | {seconds(ours(single, method)):.2f} | | |")
        sys.stdout.flush()
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
