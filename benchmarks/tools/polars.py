"""A floor, not a peer: polars reads the six columns and nothing is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

COLUMNS = {
    "topic": pl.String,
    "q0": pl.String,
    "document": pl.String,
    "rank": pl.Int64,
    "score": pl.Float64,
    "tag": pl.String,
}


def score_files(qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> None:  # noqa: ARG001 - as all tools
    for path in runs:
        pl.read_csv(path, has_header=False, separator=" ", quote_char=None, schema=COLUMNS)
