"""Runs and judgments from files, frames and dictionaries, and back to files."""

from measurand.trec.content import Qrels, Run
from measurand.trec.read import is_one, iterate_runs, read_qrels, read_run, read_runs
from measurand.trec.sources import expand
from measurand.trec.write import write_atomically

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
