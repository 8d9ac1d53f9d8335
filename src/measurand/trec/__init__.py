"""Runs and judgments from files, frames and dictionaries, and back to files.

The texts of topics and the scores of reference systems are loaded when they are first used: no evaluation needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.loading import first_used
from measurand.trec.files import FileLike, NamedFile, expand, write_atomically
from measurand.trec.join import judge
from measurand.trec.read import is_one, iterate_runs, read_qrels, read_run, read_runs, several_sources
from measurand.trec.run import Qrels, Run
from measurand.trec.sources import FrameLike, Names, QrelsLike, RunLike, RunsLike

if TYPE_CHECKING:
    from measurand.trec.queries import Queries, QueriesLike, read_queries
    from measurand.trec.reference_scores import read_reference

__all__ = [
    "FileLike",
    "FrameLike",
    "NamedFile",
    "Names",
    "Qrels",
    "QrelsLike",
    "Queries",
    "QueriesLike",
    "Run",
    "RunLike",
    "RunsLike",
    "expand",
    "is_one",
    "iterate_runs",
    "judge",
    "read_qrels",
    "read_queries",
    "read_reference",
    "read_run",
    "read_runs",
    "several_sources",
    "write_atomically",
]

if not TYPE_CHECKING:
    __getattr__ = first_used(
        __name__,
        {
            "measurand.trec.queries": ("Queries", "QueriesLike", "read_queries"),
            "measurand.trec.reference_scores": ("read_reference",),
        },
    )
