"""What format a file has, by its first line, and what is wrong with a file that has none."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from measurand.errors import InputFileError
from measurand.trec.column_names import DOCUMENT, TOPIC, place_of, plain
from measurand.trec.files import Content
from measurand.trec.lines import QRELS, RUN, Format, read_score
from measurand.trec.metadata import rows_start

INSIST = '--input-format NAME insists on a format (format="NAME" in Python)'
"""How to say which format a file has."""

JSON_STARTS = {b"{": b'"}', b"[": b'{["]'}
"""What follows the first sign of a JSON file, if the line goes on."""

LONGEST = 1 << 16
"""So many bytes of a line are looked at."""

SEPARATORS = ("\t", ",", ";", "|")
"""What may stand between the columns of a table, beside spaces."""


class Layout(StrEnum):
    """How the content of a file is laid out."""

    TREC = "trec"
    TABLE = "table"
    THREE_COLUMNS = "three-columns"
    RANKED_SCORES = "ranked-scores"
    JSON = "json"
    PARQUET = "parquet"


class FirstLine(NamedTuple):
    """The first line of a file that holds anything.

    Parameters
    ----------
    number
        The number of the line, from 1.
    start, end
        Where it stands in the file.
    text
        The line, or as much of it as tells what it is: JSON may be one line of a gigabyte.
    """

    number: int
    start: int
    end: int
    text: bytes


def first_line(data: bytes) -> FirstLine:
    r"""Return the first line that is neither blank nor a comment; an empty one behind the last if there is none.

    Parameters
    ----------
    data
        The bytes of a file.

    Examples
    --------
    >>> first_line(b"# a comment\n\nqid,docno\n")
    FirstLine(number=3, start=13, end=22, text=b'qid,docno')
    """
    start = rows_start(data)
    end = data.find(b"\n", start)
    end = len(data) if end < 0 else end
    return FirstLine(1 + data.count(b"\n", 0, start), start, end, data[start : min(end, start + LONGEST)])


def is_number(text: bytes) -> bool:
    """Return whether a text is a finite number.

    Examples
    --------
    >>> is_number(b"2.5"), is_number(b"high"), is_number(b"nan")
    (True, False, False)
    """
    try:
        read_score(text)
    except ValueError:
        return False
    return True


def recognised(content: Content, form: Format) -> Layout:
    r"""Return how a file is laid out, by its first line.

    Parameters
    ----------
    content
        The file.
    form
        TREC's format of the runs or judgments that are expected.

    Raises
    ------
    InputFileError
        If nothing fits, with what was tried.

    Examples
    --------
    >>> recognised(Content("run.tsv", b"1\td1\t1\n"), RUN), recognised(Content("a.csv", b"qid,docno,label\n"), QRELS)
    (<Layout.THREE_COLUMNS: 'three-columns'>, <Layout.TABLE: 'table'>)
    """
    if content.is_parquet:
        return Layout.PARQUET
    first = first_line(content.head)
    words = first.text.split()
    if is_trec(words, form):
        if form is QRELS and words[1] not in (b"0", b"Q0") and words[2] == b"1":
            _refuse_ranked_scores(content, first)
        return Layout.TREC
    if is_json(first.text):
        return Layout.JSON
    if header_separator(first.text) is not None:
        return Layout.TABLE
    if len(words) == 3 and _is_value(words[2], form):
        return Layout.THREE_COLUMNS
    if form is RUN and _is_ranked_scores(words):
        return Layout.RANKED_SCORES
    if form is QRELS and len(words) == 5:
        _refuse_five_columns(content, first.number, words)
    if not words or len(words) > 3 or first.text.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\r" in first.text.strip():
        return Layout.TREC  # whose reader says what is wrong
    raise _unknown(content, first, words, form)


def is_trec(words: list[bytes], form: Format) -> bool:
    """Return whether a line is one of TREC's.

    Parameters
    ----------
    words
        What stands between its spaces.
    form
        TREC's format of runs or of judgments.

    Examples
    --------
    >>> is_trec(b"1 Q0 d1 1 2.5 bm25".split(), RUN), is_trec(b"1 Q0 d1 1 high bm25".split(), RUN)
    (True, False)
    """
    wanted = len(form.columns)
    fits = len(words) == wanted or (len(words) > wanted and form.open_ended)
    return fits and _is_value(words[form.value], form)


def _is_value(text: bytes, form: Format) -> bool:
    """Return whether a text is a number, or whatever else a format reads as a value."""
    try:
        form.read(text)
    except ValueError:
        return is_number(text)
    return True


def _is_ranked_scores(words: list[bytes]) -> bool:
    """Return whether a line is topic, document, rank and score, as ColBERT writes them, and no judgment."""
    return len(words) == 4 and words[2] in (b"0", b"1") and words[1] not in (b"0", b"Q0") and b"." in words[3]


def _refuse_ranked_scores(content: Content, first: FirstLine) -> None:
    """Complain of a ranking of ColBERT in the place of judgments: its ranks, 1, 2, 3, …, would pass for documents."""
    rows = [line.split() for line in content.head[first.start : first.start + LONGEST].split(b"\n")[:100]]
    mine = [row for row in rows[:-1] if len(row) == 4 and row[0] == rows[0][0]]
    counted = [row[2] for row in mine] == [b"%d" % rank for rank in range(1, len(mine) + 1)]
    if len(mine) > 3 and counted and any(b"." in row[3] for row in mine):
        why = "the third column counts 1, 2, 3, …, as the ranks of a ranking of ColBERT do"
        raise content.fail(first.number, f"{why}: is this a run, in the place of a judgment file?")


def is_json(line: bytes) -> bool:
    r"""Return whether a file that begins with a line is JSON, or has a JSON value a line.

    Examples
    --------
    >>> is_json(b'{"1": {"d1": 2}}'), is_json(b"["), is_json(b"[1] Q0 d1 1 high tag")
    (True, True, False)
    """
    text = line.strip()
    after = text[1:].lstrip()
    return text[:1] in JSON_STARTS and (not after or after[:1] in JSON_STARTS[text[:1]])


def header_separator(line: bytes) -> str | None:
    r"""Return what parts the columns that a header names; "" for spaces, None if the line is no header.

    Examples
    --------
    >>> header_separator(b"query-id\tcorpus-id"), header_separator(b"qid docno label"), header_separator(b"1 0 a")
    ('\t', '', None)
    """
    text = line.decode(errors="replace")
    for mark in (*SEPARATORS, ""):
        names = [plain(part) for part in (text.split(mark) if mark else text.split())]
        if place_of(names, TOPIC) is not None and place_of(names, DOCUMENT) is not None:
            return mark
    return None


def _refuse_five_columns(content: Content, number: int, words: list[bytes]) -> None:
    """Complain of judgments that are known and not read: preferences, and samples with their probabilities."""
    if not is_number(words[4]):
        return
    many = f"5 columns where a judgment file has 4 ({' '.join(QRELS.columns)})"
    if not is_number(words[1]) and is_number(words[2]) and is_number(words[3]) and 0 < read_score(words[4]) <= 1:
        why = "sampled judgments (prel: topic document grade method probability) are not read here"
        advice = "to take them for plain judgments: awk '{print $1, 0, $2, $3}'"
    else:
        why = "preference judgments (trec_eval -R prefs: topic group subgroup document level) are not read here"
        advice = "give one grade for each document, such as the level of one group: awk '{print $1, 0, $4, $5}'"
    raise content.fail(number, f"{many}: {why}; {advice}")


def _unknown(content: Content, first: FirstLine, words: list[bytes], form: Format) -> InputFileError:
    """Return the complaint of a file that no format fits, with the formats that were tried and why each failed."""
    if words[0].lower().startswith((b"<!doctype", b"<html")):
        return content.fail(first.number, "is a web page (HTML), no file of data; take the address of the raw file")
    n = len(words)
    columns = f"{n} column{'s' if n > 1 else ''} where a {form.kind} has {len(form.columns)} ({' '.join(form.columns)})"
    if n == 3:
        three = f"{form.value_name} {words[2].decode(errors='backslashreplace')!r} is not a number"
    else:
        three = f"{n} column{'s' if n > 1 else ''}"
    value = "score" if form is RUN else "relevance"
    tried = {
        "TREC": columns,
        f"three columns (topic document {form.value_name})": three,
        "CSV or TSV": f"the first line names no columns such as qid, docno, {value}",
        "JSON": "begins with neither { nor [",
    }
    each = "; ".join(f"{name}: {why}" for name, why in tried.items())
    return content.fail(first.number, f"no format fits. {each}. Repair the file; {INSIST}")
