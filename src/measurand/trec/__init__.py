"""Runs and judgments from files, frames and dictionaries, and back to files."""

from measurand.trec.files import NamedFile, expand, write_atomically
from measurand.trec.read import is_one, iterate_runs, read_qrels, read_run, read_runs, several_sources
from measurand.trec.run import Qrels, Run

__all__ = [
    "NamedFile",
    "Qrels",
    "Run",
    "expand",
    "is_one",
    "iterate_runs",
    "read_qrels",
    "read_run",
    "read_runs",
    "several_sources",
    "write_atomically",
]
