"""Measure what ties cost: `python benchmarks/ties.py`.

A tie group of a million documents; all orders of ties on 129 systems × 50 topics × 1000 documents beside trec_eval's
order; and the expectation over ties beside what one does without: pytrec_eval on a hundred random orders.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import measurand as md
from machine import describe, load, seconds
from measurand.judged import JudgedRuns, OverTies, TieGroups
from measurand.search_length import WeakOrder

SYSTEMS, TOPICS, DEPTH = 129, 50, 1000
SHARE_TIED = 0.17
MEASURES = ("AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "ERR@20", "ESL(i=5)")
TREC = ("map", "ndcg_cut_10", "P_10", "recip_rank")
ORDERS = 100


def lottery(relevant: int, nonrelevant: int, i: int) -> Callable[[], Any]:
    """Return the work of all that is asked about a search in one rank."""

    def work() -> Any:
        order = WeakOrder([(relevant, nonrelevant)])
        search = order.search_length(i)
        return order.esl(i), search.variance, search.floats(), [search.quantile(q) for q in (0.05, 0.5, 0.95)]

    return work


def campaign(share: float) -> JudgedRuns:
    """Return judged runs of which a share of the documents tie with the one before."""
    rng = np.random.default_rng(5)
    hits = rng.random((SYSTEMS, TOPICS, DEPTH)) < 0.4 / (1 + np.arange(DEPTH) / 10)
    cells = (hits * rng.integers(1, 4, hits.shape)).astype(np.int8)
    tied = rng.random(hits.shape) < share
    tied[:, :, 0] = False
    return JudgedRuns(
        systems=tuple(f"s{s}" for s in range(SYSTEMS)),
        topics=tuple(f"t{t}" for t in range(TOPICS)),
        cells=cells,
        lengths=np.full((SYSTEMS, TOPICS), DEPTH),
        grade_counts=rng.integers(20, 200, (TOPICS, 4)),
        groups=TieGroups(cells, tied),
    )


def scored(judged: JudgedRuns, over: OverTies | None) -> Callable[[], Any]:
    from attrs import evolve

    groups = None if over is None or judged.groups is None else evolve(judged.groups, over=over)
    runs = evolve(judged, groups=groups)
    return lambda: [md.parse(measure).scores(runs).values for measure in MEASURES]


def small() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return judgments and one run whose scores have so few digits that some tie."""
    rng = np.random.default_rng(6)
    qrels = {f"t{t}": {f"d{d}": int(rng.random() < 0.1) for d in range(3000)} for t in range(TOPICS)}
    run = {}
    for topic in qrels:
        scores = np.sort(np.round(rng.gamma(2.0, 3.0, DEPTH), 2))[::-1]
        documents = rng.permutation(3000)[:DEPTH]
        run[topic] = {f"d{d}": float(score) for d, score in zip(documents, scores, strict=True)}
    return qrels, run


def shuffled(qrels: Any, run: Any) -> Callable[[], Any]:
    """Return the work of evaluating random orders of ties with pytrec_eval, which must be told by new names."""
    import pytrec_eval

    def work() -> Any:
        rng = np.random.default_rng(0)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(TREC))
        found = []
        for _ in range(ORDERS):
            # a tiny amount of chance breaks ties and moves nothing else
            jittered = {
                topic: dict(zip(scores, np.array(list(scores.values())) + rng.random(len(scores)) * 1e-3, strict=True))
                for topic, scores in run.items()
            }
            results = evaluator.evaluate({t: {d: float(s) for d, s in row.items()} for t, row in jittered.items()})
            found.append([np.mean([values[name] for values in results.values()]) for name in TREC])
        return np.mean(found, axis=0)

    return work


def exactly(qrels: Any, run: Any) -> Callable[[], Any]:
    judgments, results = md.read_qrels(qrels), md.read_run(run, name="run")

    def work() -> Any:
        judged = md.judge([results], judgments, ties="expected")
        return [md.parse(name).scores(judged).mean()[0] for name in TREC]

    return work


def main() -> None:
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    print("| task | seconds |\n|---|---:|")
    for relevant, nonrelevant, i in ((3, 10**6, 1), (500_000, 500_000, 1000), (1000, 10**6, 1000)):
        taken = seconds(lottery(relevant, nonrelevant, i))
        print(f"| search for {i:,} of {relevant:,} relevant among {nonrelevant:,} others of one rank | {taken:.3f} |")
    found = {}
    for share in (SHARE_TIED, 0.9):
        judged = campaign(share)
        for over in (None, *OverTies):
            found[share, over] = seconds(scored(judged, over))
            name = "trec_eval's order" if over is None else f"{over} over all orders"
            print(f"| {len(MEASURES)} measures, {share:.0%} tied, {name} | {found[share, over]:.3f} |")
            sys.stdout.flush()
    qrels, run = small()
    ours, theirs = seconds(exactly(qrels, run)), seconds(shuffled(qrels, run), 1)
    print(f"| one run, 4 measures, expected | {ours:.3f} |")
    print(f"| one run, 4 measures, pytrec_eval on {ORDERS} orders | {theirs:.3f} |")
    print("\nexpected:", [round(float(value), 5) for value in exactly(qrels, run)()])
    print(f"pytrec_eval, mean of {ORDERS}:", np.round(shuffled(qrels, run)(), 5).tolist())
    ratio = found[SHARE_TIED, OverTies.EXPECTED] / found[SHARE_TIED, None]
    print(f"all orders against trec_eval's order: {ratio:.1f} times")
    print(f"pytrec_eval on {ORDERS} orders against the exact expectation: {theirs / ours:.0f} times")
    print(f"load after: {load()}")


if __name__ == "__main__":
    main()
