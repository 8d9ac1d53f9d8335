"""Measure the margins of all pairs of systems: `python benchmarks/margins.py`.

129 systems × 50 topics × 100 documents, so 8,256 pairs, drawn: systems see the relevance of documents through noise,
scores have one decimal so that some tie, and what is not among the first 10 documents of every eighth system is not
judged. Margins are those of 30 ranks under three additive measures, and of AP, for which unjudged documents are left
to pairs. Every task runs in a process of its own, after its imports and a warm-up on four systems. Peak memory is that
of the process, interpreter and libraries included.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from statistics import median
from typing import Any

import numpy as np

from compare import SYSTEMS, TOPICS
from machine import describe, load

DOCUMENTS, RETURNED, DEPTH = 2000, 100, 30
POOLED, EVERY = 10, 8
TASKS = (
    ("RBP(p=0.8)@30", "order"),
    ("P@10", "order"),
    ("DCG@30", "order"),
    ("RBP(p=0.8)@30", "significant"),
    ("AP", "order"),
)
TURNS = 3


def judged(systems: int) -> Any:
    """Return judged runs with the documents that were returned, and which of them tie."""
    from measurand.judged import UNJUDGED, JudgedRuns, OverTies, TieGroups
    from measurand.judged.documents import RankedDocuments
    from measurand.judged.tie_groups import KeptTies

    rng = np.random.default_rng(25)
    cells = np.empty((systems, TOPICS, RETURNED), dtype=np.int8)
    tied, found = np.zeros(cells.shape, dtype=bool), np.empty(cells.shape, dtype=np.int64)
    skill = rng.uniform(0.5, 1.5, systems)
    for topic in range(TOPICS):
        worth = rng.gumbel(size=DOCUMENTS)
        scores = np.round(skill[:, None] * worth + rng.normal(size=(systems, DOCUMENTS)), 1)
        ranked = np.argsort(-scores, axis=1, kind="stable")[:, :RETURNED]
        known = np.isin(np.arange(DOCUMENTS), ranked[::EVERY, :POOLED])
        grades = np.where(known, (worth > 2.5).astype(np.int8) + (worth > 4), UNJUDGED)
        cells[:, topic], found[:, topic] = grades[ranked], ranked
        tied[:, topic, 1:] = np.diff(np.take_along_axis(scores, ranked, axis=1), axis=1) == 0
    lengths = np.full((systems, TOPICS), RETURNED)
    keys = (found + DOCUMENTS * np.arange(TOPICS)[:, None]).astype(np.uint64)
    return JudgedRuns(
        systems=tuple(f"s{number:03}" for number in range(systems)),
        topics=tuple(str(topic) for topic in range(TOPICS)),
        cells=cells,
        lengths=lengths,
        grade_counts=np.tile([1000, 200, 50], (TOPICS, 1)),
        ties=KeptTies.of(TieGroups(cells, tied, OverTies.GROUPS), RETURNED),
        ranked_documents=tuple(RankedDocuments(each.reshape(-1), lengths[0]) for each in keys),
    ).down_to(DEPTH)


def measure(task: int) -> dict[str, Any]:
    """Return the median seconds of a task, the peak memory of this process in GiB, and what was found."""
    import measurand as md

    spelled, claim = TASKS[task]
    md.margins_matrix(judged(4), spelled, claim=claim)
    runs, seconds, found = judged(SYSTEMS), [], None
    for _ in range(TURNS):
        start = time.perf_counter()
        found = md.margins_matrix(runs, spelled, claim=claim)
        seconds.append(time.perf_counter() - start)
    assert found is not None
    held, proof = found.holds, np.isinf(found.unjudged)
    return {
        "seconds": median(seconds),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "unjudged": float((runs.cells < 0).mean()),
        "tied": float(runs.weak.tied.mean()),
        "holds": int(held.sum()),
        "median topics": float(np.median(found.topics[held])),
        "no grades overturn": "–" if np.isnan(found.unjudged).all() else f"{int(proof[held].sum()):,}",
    }


def main() -> None:
    if sys.argv[1:]:
        print(json.dumps(measure(int(sys.argv[1]))))
        return
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    print("| task | seconds | GiB | pairs of which it holds | topics to drop, median | no unjudged grades overturn |")
    print("|---|---:|---:|---:|---:|---:|")
    for task, (spelled, claim) in enumerate(TASKS):
        command = [sys.executable, __file__, str(task)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        numbers = f"{found['seconds']:.2f} | {found['peak']:.2f} | {found['holds']:,} | {found['median topics']:g}"
        print(f"| margins_matrix, {spelled}, {claim} | {numbers} | {found['no grades overturn']} |", flush=True)
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
