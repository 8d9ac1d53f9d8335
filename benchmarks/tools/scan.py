"""The last floor: the bytes are read and their lines counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> None:  # noqa: ARG001 - as all tools
    for path in runs:
        path.read_bytes().count(b"\n")
