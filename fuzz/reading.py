"""Files of runs and judgments, damaged and packed in any way: what their definition has, or one line of error.

Called as `python -m fuzz.reading SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import zlib
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np
import zstandard

from fuzz.files import damaged, draw_file
from fuzz.harness import Different, run, show, temporary
from fuzz.passes import COLUMNS, JUDGMENTS, RUN
from fuzz.sanitized import load_reader
from measurand_next import native
from measurand_next.data.qrels import exact_grade
from measurand_next.errors import InputError
from measurand_next.read import judge, read_qrels, read_runs

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "xz": lambda data: lzma.compress(data, preset=0),
    "bzip2": lambda data: bz2.compress(data, 1),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
UNPACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "zstd": lambda data: zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read(),
}
MAGIC = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh", b"\x28\xb5\x2f\xfd")
FOLDER = temporary()

Table = dict[str, dict[str, dict[str, Any]]]
"""By tag, topic and document, a score; of judgments, whose tag is empty, a grade."""


class Refused(Exception):
    """A file that has to be refused, and in which line; 0 where that is none."""

    def __init__(self, line: int = 0) -> None:
        super().__init__(line)
        self.line = line


def defined(data: bytes, columns: int) -> Table:
    """What a file holds by the plainest definition there is."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused(1)
    data = data.removeprefix(b"\xef\xbb\xbf")
    table: Table = {}
    tags: list[tuple[str, str]] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        returns = b"\r" in line.rstrip()
        if len(words) < columns or (len(words) > columns and (columns == JUDGMENTS or returns)):
            raise Refused(number)
        try:
            topic, document = words[0].decode(), words[2].decode()
            tag, value = (
                (words[5].decode(), score(words[4])) if columns == RUN else ("", exact_grade(words[3].decode()))
            )
        except ValueError:
            raise Refused(number) from None
        documents = table.setdefault(tag, {}).setdefault(topic, {})
        if document in documents and (columns == RUN or documents[document] != value):
            raise Refused(number)
        documents[document] = value
        tags.append((tag, topic))
        last = number, line, words
    if not tags:
        raise Refused
    number, line, words = last
    whole = len(words) == columns == RUN and data.endswith(words[5]) and data.count(b"\n") + 1 == number
    if whole and tags.count(tags[-1]) == 1 and list(dict.fromkeys(tags))[-1] == tags[-1]:
        others = {tag for tag, _ in tags[:-1]}
        if tags[-1][0] not in others and any(tag.startswith(tags[-1][0]) for tag in others):
            raise Refused(number)
    return table


def score(text: bytes) -> float:
    """A finite number as Python reads it, without what only Python's programs have."""
    found = float(text if b"_" not in text else b"-")
    if not isfinite(found):
        raise ValueError
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two tables hold the same in the same order."""
    return repr(one) == repr(other)


def outcome(act: Callable[[], Any]) -> Any:
    """What a call returns, or where it refuses."""
    try:
        return act()
    except Refused as error:
        return f"refused in line {error.line}"
    except InputError as error:
        if len(str(error).splitlines()) != 1:
            raise Different(f"the message has several lines: {error}") from None
        return f"refused in line {error.line or 0}"


def runs_of(source: Any) -> Table:
    """What read_runs has of one file."""
    return {run.name: run.to_dict() for run in read_runs(source)}


def judgments_of(source: Any) -> Table:
    """What read_qrels has of a file: grades as they are written."""
    found = read_qrels(source)
    grades = [found.values[code] for code in found.codes.tolist()]
    rows = list(zip(found.documents, grades, strict=True))
    parts = [dict(rows[start:end]) for start, end in pairwise([0, *found.ends.tolist()])]
    return {"": dict(zip(found.topics, parts, strict=True))}


def judged_of(qrels: Any, source: Any, options: dict[str, Any]) -> Table:
    """What judge makes of a file: by system and topic, documents in their order with what they are worth."""
    judged = judge(qrels, source, documents=True, **options)
    names, values = list(judged.documents or ()), [*judged.grade_values, "pooled", "", "unjudged"]
    rows = [(name, values[code]) for name, code in zip(names, judged.codes.tolist(), strict=True)]
    parts = [dict(rows[start:end]) for start, end in zip(judged.starts.tolist(), judged.ends.tolist(), strict=True)]
    width = len(judged.topics)
    return {
        system: dict(zip(judged.topics, parts[place * width : (place + 1) * width], strict=True))
        for place, system in enumerate(judged.systems)
    }


def ranked(qrels: Table, runs: Table, options: dict[str, Any]) -> Table:
    """The same by definition."""
    found: Table = {}
    for tag, topics in runs.items():
        if topics.keys().isdisjoint(qrels[""]):
            raise Refused
        found[tag] = {}
        for topic, grades in qrels[""].items():
            rows = list(topics.get(topic, {}).items())
            if options["ties"] != "file":
                with np.errstate(over="ignore"):
                    single = options["precision"] == "single"
                    rows.sort(
                        key=lambda row: (float(np.float32(row[1])) if single else row[1], row[0].encode()), reverse=True
                    )
            found[tag][topic] = {name: worth(grades.get(name)) for name, _ in rows}
    return found


def worth(grade: Fraction | None) -> Fraction | str:
    """What a grade counts for: -1 is a document that was to be judged, and others below 0 are like 0."""
    return "unjudged" if grade is None else "pooled" if grade == -1 else max(Fraction(0), grade)


def packed(rng: random.Random, data: bytes) -> tuple[bytes, list[bytes]]:
    """A file packed in one stream or several, perhaps damaged; and what it may hold if it is not refused."""
    packing = rng.choice(list(PACKED))
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice((0, 1, 2, 5))))
    parts = [data[start:end] for start, end in pairwise([0, *cuts, len(data)])]
    streams = list(map(PACKED[packing], parts))
    whole = b"".join(streams)
    file = damaged(rng, whole) if rng.random() < 0.6 else whole
    if rng.random() < 0.1:
        file = b"".join(streams[: rng.randrange(len(streams) + 1)]) + rng.choice((b"", b"\0", b"x", b"1 Q0 d 1 1 t\n"))
    if not file.startswith(MAGIC):
        return file, [file]
    contents = [data, *(b"".join(parts[:end]) for end in range(1, len(parts)) if file == b"".join(streams[:end]))]
    try:  # damage may take a whole stream away, or double it
        return file, [*contents, UNPACKED[packing](file)] if packing in UNPACKED else contents
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        return file, contents


def case(rng: random.Random) -> None:
    """Try a file, with the loops in C and without; a damaged one, which is packed, may be refused."""
    columns = rng.choice((RUN, RUN, JUDGMENTS))
    data = draw_file(rng, COLUMNS[columns])
    if rng.random() < 0.5:
        data = damaged(rng, data)
    file, contents = packed(rng, data) if rng.random() < 0.4 else (data, [data])
    if not file.startswith(MAGIC):
        contents = [file]
    show(file)
    path = FOLDER / "drawn"
    path.write_bytes(file)
    may_be_refused = file is not data and file.startswith(MAGIC)
    original = native.library
    if rng.random() < 0.3:
        native.library = lambda: None
    try:
        check(rng, columns, lambda: rng.choice((str(path), io.BytesIO(file))), contents, may_be_refused)
    finally:
        native.library = original


def check(
    rng: random.Random, columns: int, source: Callable[[], Any], contents: list[bytes], may_be_refused: bool
) -> None:
    """Raise Different if a file, read or judged, is none of what it may be."""
    read = runs_of if columns == RUN else judgments_of
    found = outcome(lambda: read(source()))
    expected = [outcome(lambda data=data: defined(data, columns)) for data in contents]
    if not any(same(found, each) for each in expected) and not (may_be_refused and found == "refused in line 0"):
        raise Different(f"it is {found}, not {expected}")
    if columns == RUN:
        options = {"ties": rng.choice(("trec", "file")), "precision": rng.choice(("double", "single"))}
        table = draw_judgments(rng, expected[0])
        told = {topic: {name: str(grade) for name, grade in grades.items()} for topic, grades in table[""].items()}
        text = "".join(
            f"{topic} 0 {name} {grade}\n" for topic, grades in told.items() for name, grade in grades.items()
        )
        qrels = told if rng.random() < 0.5 else io.BytesIO(text.encode())
        judged = outcome(lambda: judged_of(qrels, source(), options))
        wanted = [
            outcome(lambda one=one: one if isinstance(one, str) else ranked(table, one, options)) for one in expected
        ]
        if not any(same(judged, each) for each in wanted) and not (may_be_refused and judged == "refused in line 0"):
            raise Different(f"judged it is {judged}, not {wanted}")


def draw_judgments(rng: random.Random, runs: Table | str) -> Table:
    """Judgments of some documents of a run, and of others, with grades of one kind or another."""
    draw = rng.choice(
        (
            lambda: rng.randrange(2),
            lambda: rng.randrange(-2, 4),
            lambda: rng.choice((0, 7, 300)),
            lambda: rng.randrange(9) / 4,
        )
    )
    grades: dict[str, dict[str, Any]] = {"1": {"d1": Fraction(draw())}}
    for topics in runs.values() if isinstance(runs, dict) else ():
        for topic, documents in topics.items():
            for name in documents:
                if rng.random() < 0.5 and not topic.startswith("#"):
                    grades.setdefault(topic, {})[name] = Fraction(draw())
    return {"": grades}


if __name__ == "__main__":
    load_reader()
    run("reading", case)
