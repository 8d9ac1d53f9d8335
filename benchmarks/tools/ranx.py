"""ranx: compiled by numba, on all threads that there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import ranx

from campaign import TOP_GRADE

NAMES = {"AP": "map", "nDCG@10": "ndcg@10", "P@10": "precision@10", "RR": "mrr", "RBP(p=0.8)": "rbp.8"}

Held = tuple[ranx.Qrels, list[ranx.Run]]
Arrays = dict[str, np.ndarray]


def read_run(path: Path) -> ranx.Run:
    return ranx.Run.from_file(str(path), kind="trec")


def read_qrels(path: Path) -> ranx.Qrels:
    return ranx.Qrels.from_file(str(path), kind="trec")


def evaluate(qrels: ranx.Qrels, run: ranx.Run, measures: Sequence[str]) -> Arrays:
    names = [NAMES[measure] for measure in measures]
    return ranx.evaluate(qrels, run, names, return_mean=False, save_results_in_run=False)


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> list[Arrays]:
    judgments = read_qrels(qrels)
    return [evaluate(judgments, read_run(path), measures) for path in runs]


def read(qrels: Path, runs: Sequence[Path]) -> Held:
    return read_qrels(qrels), [read_run(path) for path in runs]


def score_held(held: Held, measures: Sequence[str]) -> list[Arrays]:
    return [evaluate(held[0], run, measures) for run in held[1]]


def by_topic(several: list[Arrays]) -> dict[str, list[list[float]]]:
    named = {measure: name for measure, name in NAMES.items() if name in several[0]}
    # its RBP adds up raw grades; measurand's adds up grades as a share of the highest
    return {
        measure: [(scores[name] / (TOP_GRADE if measure.startswith("RBP") else 1)).tolist() for scores in several]
        for measure, name in named.items()
    }
