"""The formats of run and judgment files: which one a file has is found by its content, or said by whoever reads it.

`recognise.py` looks at the first line; `reading.py` hands the file to the reader of its format: `measurand.trec.lines`
and `frames` for TREC's own, `tables.py` for CSV and TSV with a header (BEIR's judgments among them),
`three_columns.py` for MS MARCO's runs and other files without a header, `json_files.py` for JSON, JSONL and what
Elasticsearch's `_rank_eval` takes and gives.
"""

from measurand.trec.formats.reading import FORMATS, INPUT_ONLY, RUNS_ONLY, check_format, read_qrels, read_runs

__all__ = ["FORMATS", "INPUT_ONLY", "RUNS_ONLY", "check_format", "read_qrels", "read_runs"]
