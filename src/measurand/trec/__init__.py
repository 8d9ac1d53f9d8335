"""Runs and judgments from files, frames and dictionaries, and back to files."""

from measurand.trec.files import FileLike, NamedFile, expand, write_atomically
from measurand.trec.join import judge
from measurand.trec.queries import Queries, QueriesLike, read_queries
from measurand.trec.read import is_one, iterate_runs, read_qrels, read_run, read_runs, several_sources
from measurand.trec.run import Qrels, Run
from measurand.trec.sources import FrameLike, Names, QrelsLike, RunLike, RunsLike

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
    "read_run",
    "read_runs",
    "several_sources",
    "write_atomically",
]
