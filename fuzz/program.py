"""The program as users call it: files for its commands, a way to call it in this process, and what must hold after it.

`commands`, `kills` and `disk` share it. Whatever a command was told, and however it ended:

- an error is one line, in letters that people can see, and the exit status is one that the help names;
- what was to be written is there as a whole, or what was there before is there as before;
- nothing else in the folder has changed.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import unicodedata
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fuzz.harness import Different, Raised, Torn

HOSTILE = "a\x1b[31m\u202eb"
"""A name that colours a terminal and turns it around."""

GRADES = {topic: {f"d{i}": (i + topic) % 3 for i in range(8)} for topic in range(1, 7)}


def _run(tag: str, step: int) -> str:
    lines = [
        f"{topic} Q0 d{(i * step + topic) % 11} {i + 1} {10 - i / 2} {tag}\n" for topic in GRADES for i in range(7)
    ]
    return "".join(lines)


QRELS = "".join(
    f"{topic} 0 {document} {grade}\n" for topic, found in GRADES.items() for document, grade in found.items()
)

FUNCTIONS = """\
def value(run, recall_base=None):
    return sum(run)


def better(run):
    return [tuple(sorted(run, reverse=True))]


def wrong(run):
    raise RuntimeError(f"no\\n{run}")
"""

FILES: dict[str, bytes] = {
    name: text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    for name, text in {
        "qrels": QRELS,
        "other.qrels": QRELS.replace(" 2\n", " 1\n"),
        "a.run": _run("a", 1),
        "b.run": _run("b", 3),
        "c.run.gz": gzip.compress(_run("c", 5).encode(), mtime=0),
        "runs/d.run": _run("d", 2),
        "runs/e.run": _run("e", 7),
        "a.json": json.dumps({str(topic): {f"d{i}": 9 - i for i in range(5)} for topic in GRADES}),
        "a.csv": "qid,docno,score\n" + "".join(f"{t},d{i},{9.5 - i}\n" for t in GRADES for i in range(4)),
        "perquery.csv": "name,qid,measure,value\n" + "".join(f"{s},{t},AP,0.{t}{s}\n" for s in (1, 2) for t in GRADES),
        "hostile.run": _run(HOSTILE, 3).replace("d4", f"d4{HOSTILE}"),
        "hostile.qrels": QRELS.replace("d4", f"d4{HOSTILE}").replace("\n3 ", f"\n3{HOSTILE} "),
        "formula.run": _run("=1+1", 3),
        "spoilt.run": _run("a", 1).replace("d3 3 9.0", "d3 3 nine"),
        "twice.run": _run("a", 1) * 2,
        "cut.run.gz": gzip.compress(_run("c", 5).encode(), mtime=0)[:60],
        "noise": bytes(range(256)) * 3,
        "empty": "",
        f"{HOSTILE}.run": _run("a", 2),
        "line\nend\u2028.run": _run("a", 4),
        "not-utf8-\udcff.run": _run("f", 4),
        "wrong\x1b]0;title\x07\u2066.run": "no run\n",
        "statements": "1,0,0\t0,1,0\n1,1,0\t1,0,1\t2\n0,1,0\t~\t0,0,1\n",
        "queries.tsv": "1\tcats and dogs\n2\tmice\n",
        "reference": "AP\t1\t0.5\t0.1\n",
        "answers": "1\n2\n1\n",
        "functions.py": FUNCTIONS,
        "gate.toml": '[gate]\nmeasures = ["AP"]\nmax-drop = 0.05\n',
        "old": "what was there before\n",
    }.items()
}
"""What a folder holds, by name: right files, odd and spoilt ones, and some with names that steer terminals."""

OUT = "out"
"""The folder for what is written."""

NAMED = (0, 1, 2)
"""The exit statuses that the help of every command names; `gate` has 3 and 4 as well."""

DECIDED = (0, 3, 4)
"""The exit statuses of a command that did what it was asked for."""


def fill(folder: Path, names: Iterable[str] = FILES) -> None:
    """Write files into a folder, with an empty folder for output.

    Parameters
    ----------
    folder
        The folder.
    names
        Which files; by default all.
    """
    for name in names:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(FILES[name])
    (folder / OUT).mkdir(exist_ok=True)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return all files of a folder and of those within it; None for folders, and for what is neither.

    Parameters
    ----------
    folder
        The folder.
    """
    found: dict[str, bytes | None] = {}
    for path in sorted(folder.rglob("*")):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


class Ended(NamedTuple):
    """How a call ended, and what it printed.

    Parameters
    ----------
    code
        The exit status.
    out, err
        What was printed.
    """

    code: int
    out: bytes
    err: bytes


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in (out, err))
    mine = sys.stdout, sys.stderr  # which would close what they write to when they go
    try:
        yield out, err
    finally:
        for stream in mine:
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = kept


def call(arguments: list[str], given: bytes = b"") -> Ended:
    """Call the program in this process; what is raised there is raised here.

    Parameters
    ----------
    arguments
        The words of the command line, without the program.
    given
        What standard input holds.
    """
    from measurand.cli import main

    kept, sys.argv = sys.argv, ["measurand", *arguments]
    try:
        with _streams(given) as (out, err), warnings.catch_warnings():
            warnings.simplefilter("always", RuntimeWarning)
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
            return Ended(code, out.getvalue(), err.getvalue())
    finally:
        sys.argv = kept


def check_said(ended: Ended, allowed: Iterable[int] = NAMED) -> None:
    """Raise a failure unless the exit status is one that the help names and errors are one line that people can read.

    Parameters
    ----------
    ended
        How a call ended.
    allowed
        The exit statuses that its command has.
    """
    err = ended.err.decode("utf-8", "replace")
    if "Traceback" in err or "Warning:" in err:
        raise Raised(f"a traceback or a warning of Python on the error stream: {err[-2000:]}")
    if ended.code not in allowed:
        raise Different(f"exit status {ended.code}, which no help names: {err[-500:]}")
    odd = sorted(
        {letter for letter in err if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp")}
    )
    if odd:
        raise Different(f"the error stream has {odd}: {err!r}")
    lines = [line for line in err.splitlines() if not line.startswith("note: ")]
    if ended.code in (1, 2) and len(lines) != 1:
        raise Different(f"exit status {ended.code}, and {len(lines)} lines on the error stream: {err!r}")


def check_folder(before: dict[str, bytes | None], after: dict[str, bytes | None], written: Iterable[str]) -> list[str]:
    """Raise Torn if more has changed in a folder than what was to be written; return what has.

    Parameters
    ----------
    before, after
        What it held, and what it holds.
    written
        The files and folders that may have changed, with all that is in them.
    """
    changed = [name for name in {**before, **after} if before.get(name, 0) != after.get(name, 0)]
    targets = [os.path.normpath(name) for name in written]
    others = [name for name in changed if not any(_belongs(name, each, after) for each in targets)]
    if others:
        raise Torn(f"changed or left behind: {others}, and only {targets} was to be written")
    return changed


def _belongs(name: str, target: str, after: dict[str, bytes | None]) -> bool:
    """Return whether something is an output, in it, or a folder on the way to it."""
    on_the_way = after.get(name, b"") is None and target.startswith(f"{name}/")
    return name == target or name.startswith(f"{target}/") or on_the_way


def whole(data: bytes, form: str) -> bool:
    """Return whether a file is one of its format from its first byte to its last.

    Parameters
    ----------
    data
        What it holds.
    form
        The name of a format, or the ending of a file name.
    """
    if form in ("", "text", "table", "markdown", "txt", "new", "github", "trec", "dot", "beir", "msmarco"):
        return data == b"" or data.endswith(b"\n")
    try:
        return CHECKS[form](data) if form in CHECKS else True
    except (ValueError, csv.Error, ElementTree.ParseError, EOFError, OSError):
        return False


def _is_json(data: bytes) -> bool:
    json.loads(data.decode(), parse_constant=_no_number)
    return data.endswith(b"\n") or data.rstrip() == data


def _no_number(word: str) -> float:
    raise ValueError(word)


def _is_table(gap: str) -> Callable[[bytes], bool]:
    def check(data: bytes) -> bool:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=gap, strict=True))
        return data.endswith(b"\n") and len({len(row) for row in rows if row}) <= max(
            1, sum(not row for row in rows) + 1
        )

    return check


def _is_xml(data: bytes) -> bool:
    ElementTree.fromstring(data.decode())
    return True


CHECKS: dict[str, Callable[[bytes], bool]] = {
    "json": _is_json,
    "csv": _is_table(","),
    "tsv": _is_table("\t"),
    "junit": _is_xml,
    "svg": _is_xml,
    "png": lambda data: data.startswith(b"\x89PNG") and data.endswith(b"IEND\xaeB`\x82"),
    "html": lambda data: data.rstrip().endswith(b"</html>"),
    "latex": lambda data: data.count(b"\\begin{") == data.count(b"\\end{") and data.endswith(b"\n"),
    "parquet": lambda data: len(data) > 12 and data[:4] == data[-4:] == b"PAR1",
    "gz": lambda data: len(gzip.decompress(data)) > 0,
}
"""What a file of each format is like, by the name of the format."""
