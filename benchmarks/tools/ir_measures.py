"""ir_measures: one evaluator for all runs, which sends each measure to the package that has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import ir_measures

Nested = dict[str, dict[str, float]]
Held = tuple[dict[str, dict[str, int]], list[Nested]]
Metrics = list[ir_measures.Metric]

NAMES = {"RBP(p=0.8, rel=1)": "RBP(rel=1,p=0.8)"}


def parse(measures: Sequence[str]) -> list[ir_measures.Measure]:
    return [ir_measures.parse_measure(NAMES.get(measure, measure)) for measure in measures]


# a path that is not a string reads as an empty file, without a word
def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> list[Metrics]:
    judge = ir_measures.evaluator(parse(measures), ir_measures.read_trec_qrels(str(qrels)))
    return [list(judge.iter_calc(ir_measures.read_trec_run(str(path)))) for path in runs]


def read(qrels: Path, runs: Sequence[Path]) -> Held:
    judgments: dict[str, dict[str, int]] = {}
    for row in ir_measures.read_trec_qrels(str(qrels)):
        judgments.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    return judgments, [_read_run(path) for path in runs]


def _read_run(path: Path) -> Nested:
    run: Nested = {}
    for row in ir_measures.read_trec_run(str(path)):
        run.setdefault(row.query_id, {})[row.doc_id] = row.score
    return run


def score_held(held: Held, measures: Sequence[str]) -> list[Metrics]:
    judge = ir_measures.evaluator(parse(measures), held[0])
    return [list(judge.iter_calc(run)) for run in held[1]]


def by_topic(several: list[Metrics]) -> dict[str, list[list[float]]]:
    spelled = {own: measure for measure, own in NAMES.items()}
    table: dict[str, list[list[float]]] = {}
    for metrics in several:
        scores: Nested = {}
        for metric in metrics:
            name = str(metric.measure)
            scores.setdefault(spelled.get(name, name), {})[metric.query_id] = metric.value
        for name, values in scores.items():
            table.setdefault(name, []).append([values[topic] for topic in sorted(values)])
    return table
