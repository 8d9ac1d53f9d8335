"""pytrec_eval: dictionaries in, dictionaries out, trec_eval's C code in between."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytrec_eval

NAMES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@10": "P_10", "RR": "recip_rank"}

Nested = dict[str, dict[str, float]]
Held = tuple[dict[str, dict[str, int]], list[Nested]]


def read_run(path: Path) -> Nested:
    with path.open() as lines:
        return pytrec_eval.parse_run(lines)


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    with path.open() as lines:
        return pytrec_eval.parse_qrel(lines)


def evaluator(qrels: dict[str, dict[str, int]], measures: Sequence[str]) -> pytrec_eval.RelevanceEvaluator:
    return pytrec_eval.RelevanceEvaluator(qrels, {NAMES[measure] for measure in measures})


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> list[Nested]:
    judge = evaluator(read_qrels(qrels), measures)
    return [judge.evaluate(read_run(path)) for path in runs]


def read(qrels: Path, runs: Sequence[Path]) -> Held:
    return read_qrels(qrels), [read_run(path) for path in runs]


def score_held(held: Held, measures: Sequence[str]) -> list[Nested]:
    judge = evaluator(held[0], measures)
    return [judge.evaluate(run) for run in held[1]]


def by_topic(several: list[Nested]) -> dict[str, list[list[float]]]:
    named = {measure: name for measure, name in NAMES.items() if name in next(iter(several[0].values()))}
    return {
        measure: [[scores[topic][name] for topic in sorted(scores)] for scores in several]
        for measure, name in named.items()
    }
