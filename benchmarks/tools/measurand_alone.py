"""measurand with one worker: what it costs on one core."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import measurand as md
from measurand.execution import Workers, carried_out_by
from tools import measurand as all_cores
from tools.measurand import Held, by_topic, read

__all__ = ["by_topic", "read", "score_files", "score_held"]


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> md.Table:
    with carried_out_by(Workers(1)):
        return all_cores.score_files(qrels, runs, measures)


def score_held(held: Held, measures: Sequence[str]) -> md.Table:
    with carried_out_by(Workers(1)):
        return all_cores.score_held(held, measures)
