"""Runs and judgments from files, frames and dictionaries, and back to files."""

from measurand.trec.files import expand, write_atomically
from measurand.trec.read import is_one, iterate_runs, read_qrels, read_run, read_runs
from measurand.trec.run import Qrels, Run

__all__ = [
    "Qrels",
    "Run",
    "expand",
    "is_one",
    "iterate_runs",
    "read_qrels",
    "read_run",
    "read_runs",
    "write_atomically",
]
