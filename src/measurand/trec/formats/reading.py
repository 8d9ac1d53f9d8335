"""Files of any format: the one that was found or asked for is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from measurand.calls import option
from measurand.errors import InputError, InputFileError, ParameterError
from measurand.trec import bulk, lines
from measurand.trec.files import Content
from measurand.trec.formats.recognise import Layout, first_line, recognised
from measurand.trec.lines import QRELS, RUN
from measurand.trec.run import Qrels, Run

Read = TypeVar("Read")

FORMATS = {
    "trec": "TREC: six columns for runs, four for judgments",
    "beir": "BEIR: a header (query-id, corpus-id, score), or JSON",
    "msmarco": "MS MARCO: topic, document and rank; judgments as TREC's, or topic, document and grade",
    "scores": "topic, document and score, without a header",
    "colbert": "ColBERT: topic, document, rank and score, without a header",
    "csv": "a table with a header",
    "tsv": "a table with a header",
    "json": 'JSON: {"topic": {"document": 2}}, lists, rows',
    "jsonl": "JSON, an object a line",
    "rank-eval": "requests and responses of Elasticsearch's and OpenSearch's _rank_eval",
    "parquet": "parquet",
}
"""The formats that files are read from, and what each is."""

INPUT_ONLY = frozenset(FORMATS) - {"trec", "csv", "tsv", "json"}
"""The formats that nothing is printed in."""

RUNS_ONLY = frozenset({"scores", "colbert"})
"""The formats that no judgments have."""

_SPELLINGS = {
    "ms-marco": "msmarco",
    "rankeval": "rank-eval",
    "elasticsearch": "rank-eval",
    "opensearch": "rank-eval",
    "ndjson": "jsonl",
    "trec-eval": "trec",
}


def check_format(name: str) -> str:
    """Return the name of a format as it is listed, or complain that there is none of this name.

    Parameters
    ----------
    name
        The name.

    Examples
    --------
    >>> check_format("MS_MARCO"), check_format("elasticsearch")
    ('msmarco', 'rank-eval')
    """
    plain = name.lower().replace("_", "-") if isinstance(name, str) else name
    return option("format", _SPELLINGS.get(plain, plain), FORMATS)


def read_runs(content: Content, name: str | None, quick: bool) -> list[Run]:
    """Return the runs of a file, one for every run tag.

    Parameters
    ----------
    content
        The file.
    name
        The name of its format; None to find it by the content.
    quick
        Whether to try the loops in C first.
    """
    layout = recognised(content, RUN) if name is None else check_format(name)
    if layout == Layout.TREC:
        return (bulk.read_runs(content, explain=True) if quick else None) or lines.read_runs(content)
    if layout == Layout.PARQUET:
        from measurand.trec import frames

        return _placed(content, lambda: frames.runs_from_columns(frames.parquet(content), content.name))
    from measurand.trec.formats import json_files, tables, three_columns

    if layout in (Layout.TABLE, "csv", "tsv") or (layout == "beir" and not _begins_as_json(content)):
        return tables.read_runs(content, quick)
    if layout == Layout.THREE_COLUMNS:
        return three_columns.read_runs(content, quick)
    if layout == "msmarco":
        return three_columns.read_ranks(content, quick)
    if layout == "scores":
        return three_columns.runs(content, quick, three_columns.SCORES)
    if layout in (Layout.RANKED_SCORES, "colbert"):
        return three_columns.runs(content, quick, three_columns.RANKED_SCORES)
    return json_files.read_runs(content, rank_eval=layout == "rank-eval")


def read_qrels(content: Content, name: str | None, quick: bool) -> Qrels:
    """Return the judgments of a file.

    Parameters
    ----------
    content
        The file.
    name
        The name of its format; None to find it by the content.
    quick
        Whether to try the loops in C first.
    """
    layout = recognised(content, QRELS) if name is None else check_format(name)
    if layout in RUNS_ONLY:
        raise ParameterError(f"{layout} is a format of runs; for judgments there is {', '.join(_of_judgments())}")
    four = layout == "msmarco" and len(first_line(content.head).text.split()) != 3
    if layout == Layout.TREC or four:
        return (bulk.read_qrels(content, explain=True) if quick else None) or lines.read_qrels(content)
    if layout == Layout.PARQUET:
        from measurand.trec import frames

        return _placed(content, lambda: frames.qrels_from_columns(frames.parquet(content)))
    from measurand.trec.formats import json_files, tables, three_columns

    if layout in (Layout.TABLE, "csv", "tsv") or (layout == "beir" and not _begins_as_json(content)):
        return tables.read_qrels(content, quick)
    if layout in (Layout.THREE_COLUMNS, "msmarco"):
        return three_columns.read_qrels(content, quick)
    return json_files.read_qrels(content, rank_eval=layout == "rank-eval")


def _of_judgments() -> list[str]:
    return [name for name in FORMATS if name not in RUNS_ONLY]


def _begins_as_json(content: Content) -> bool:
    return first_line(content.head).text.lstrip()[:1] in (b"{", b"[")


def _placed(content: Content, read: Callable[[], Read]) -> Read:
    """Return what `read` returns; an error in the data names the file."""
    try:
        return read()
    except InputFileError:
        raise
    except InputError as error:
        raise content.fail(None, str(error)) from None
