"""Reading judgments and runs, wherever they are."""

from measurand_next.read.sources import judge, read_qrels, read_run, read_runs

__all__ = ["judge", "read_qrels", "read_run", "read_runs"]
