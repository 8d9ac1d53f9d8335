"""measurand, as a user calls it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import measurand as md

Held = tuple[md.Qrels, list[md.Run]]


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> md.Table:
    return md.evaluate(qrels, runs, measures)


def read(qrels: Path, runs: Sequence[Path]) -> Held:
    return md.read_qrels(qrels), md.read_runs(runs)


def score_held(held: Held, measures: Sequence[str]) -> md.Table:
    qrels, runs = held
    return md.evaluate(md.judge(runs, qrels), measures)


def by_topic(table: md.Table) -> dict[str, list[list[float]]]:
    found = {}
    for spelling in table.measures:
        scores = table.scores(spelling)
        order = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
        found[spelling] = scores.values[:, order].tolist()
    return found
