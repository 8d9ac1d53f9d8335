"""The pass over a TREC file in C against its plain definition: the same rows to the bit, or the same end and place.

Called as `python -m fuzz.passes SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from fuzz.files import BYTES, damaged, draw_file
from fuzz.harness import Different, run, show
from fuzz.sanitized import load_reader
from measurand_next import native
from measurand_next.native import AS_THEY_STAND, PAD, SINGLE, Index, Status

RUN, JUDGMENTS = 6, 4  # so many columns they have

COLUMNS = {
    RUN: ("topic", "Q0", "document", "rank", "score", "tag"),
    JUDGMENTS: ("topic", "iteration", "document", "grade"),
}
FIELD = re.compile(rb"[^\t-\r ]+")
NUMBER = re.compile(rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
EXACT, LONG = 8, 400
BLOCK = 8192
"""So many bytes of a file are looked at together."""
ABSORBING = 0xBB67AE8584CAA73B.to_bytes(8, "little")
"""What hides all that stands before and behind it, as a factor of zero does, where a name is hashed."""

Array = np.ndarray[Any, Any]
Span = tuple[int, int]
Judgments = dict[bytes, dict[bytes, int]]


@dataclass
class Stretch:
    """Lines of one topic and tag that follow each other."""

    topic: Span
    tag: Span
    documents: list[Span] = field(default_factory=list)
    numbers: list[Span] = field(default_factory=list)


def split(data: bytes, columns: int) -> tuple[list[Stretch], int | None]:
    """The stretches of a file up to the first line that is wrong, and where that begins.

    Lines end at line breaks, fields at bytes 9 to 13 and at spaces, and `#` begins a comment.
    """
    stretches: list[Stretch] = []
    at, key = 0, None
    for line in data.split(b"\n"):
        fields = [(found.start() + at, found.end() + at) for found in FIELD.finditer(line)]
        if fields and not data.startswith(b"#", fields[0][0]):
            if len(fields) != columns:
                return stretches, at
            topic, tag = fields[0], fields[5] if columns == RUN else (fields[0][0], fields[0][0])
            if key != (key := (data[slice(*topic)], data[slice(*tag)])):
                stretches.append(Stretch(topic, tag))
            stretches[-1].documents.append(fields[2])
            stretches[-1].numbers.append(fields[4 if columns == RUN else 3])
        at += len(line) + 1
    return stretches, None


def end_of(data: bytes, stretches: list[Stretch], wrong: int | None, columns: int, scattered: bool) -> Status:
    """How a pass has to end, as soon as it sees something; `scattered` where topics may come back."""
    seen: set[tuple[bytes, bytes]] = set()
    for stretch in stretches:
        key = (data[slice(*stretch.topic)], data[slice(*stretch.tag)])
        documents = {data[slice(*span)] for span in stretch.documents}
        last = stretch is stretches[-1] and wrong is not None
        if last or not all(is_plain(data[slice(*span)], columns) for span in stretch.numbers):
            return Status.NOT_PLAIN
        if key in seen and not scattered:
            return Status.SCATTERED
        if len(documents) < len(stretch.documents) and not scattered:
            return Status.NOT_PLAIN
        seen.add(key)
    return Status.DONE if wrong is None else Status.NOT_PLAIN


def is_plain(text: bytes, columns: int) -> bool:
    """Whether a score or a grade is finite and plainly spelt; grades of more than eight letters may not be exact."""
    return NUMBER.fullmatch(text) is not None and isfinite(float(text)) and (columns == RUN or len(text) <= EXACT)


def scores_of(data: bytes, stretch: Stretch, options: int) -> Array:
    """The scores of a stretch as Python reads them, made single where that is asked for."""
    scores = np.array([float(data[slice(*span)]) for span in stretch.numbers])
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64) if options & SINGLE else scores


def columns_of(data: bytes, stretch: Stretch, judged: dict[bytes, int], options: int) -> dict[str, Array]:
    """The rows of a stretch: as they stand, or the highest score first, and of equal ones the name that comes last."""
    scores, documents = scores_of(data, stretch, options), [data[slice(*span)] for span in stretch.documents]
    order = list(range(len(scores)))
    if not options & AS_THEY_STAND:
        order.sort(key=lambda row: (scores[row], documents[row]), reverse=True)
    return {
        "starts": np.array([start for start, _ in stretch.documents], np.int64)[order],
        "lengths": np.array([len(name) for name in documents], np.int32)[order],
        "values": scores[order],
        "codes": np.array([judged.get(documents[row], -1) for row in order], np.int32),
        "tied": np.append(False, scores[order][1:] == scores[order][:-1]),
    }


def compare(data: bytes, rows: native.Rows, groups: list[Any], parts: list[dict[str, Array]]) -> None:
    """Raise Different if a pass gives other groups or rows."""
    names = ("topic", "first", "count", "start", "length", "tag_start", "tag_length")[: len(groups[0]) if groups else 0]
    found = list(zip(*(rows.groups[name].tolist() for name in names), strict=True))
    if len(rows.groups) != len(groups) or found != groups:
        raise Different(f"groups are {found}, not {groups}", data)
    for name in rows.arrays.keys() - {"groups"}:
        expected = np.concatenate([part[name] for part in parts]) if parts else np.empty(0)
        one, other = rows.arrays[name], expected
        if name == "values" and "starts" not in rows.arrays:  # zeros of both signs are equal, and stand in any order
            one, other = one + 0.0, other + 0.0
        if one.tolist() != other.tolist() or (name == "values" and one.tobytes() != other.tobytes()):
            raise Different(f"{name} are {one.tolist()}, not {other.tolist()}", data)


def exactly(data: bytes, rng: random.Random) -> Array:
    """The bytes of a file in memory that begins anywhere and ends PAD bytes behind them."""
    at = rng.choice((0, 0, 1, 3, 7))
    array = np.full(at + len(data) + PAD, rng.choice((0, 32, 48, 255)), np.uint8)
    array[at : at + len(data)] = np.frombuffer(data, np.uint8)
    return array[at:]


def draw_judgments(data: bytes, stretches: list[Stretch], rng: random.Random) -> Judgments:
    """Judgments of some topics and documents of a file, of names that only their ends tell apart, and of others."""
    judgments: Judgments = {}
    for stretch in stretches:
        if rng.random() < 0.8:
            judged = judgments.setdefault(data[slice(*stretch.topic)], {})
            for span in stretch.documents:
                name, kind = data[slice(*span)], rng.random()
                if kind < 0.5:
                    judged[name] = rng.randrange(128)
                elif kind < 0.7:
                    judged[name[:-1] + rng.choice((b"", b"x", b"\0", name[-1:] + b"\0"))] = rng.randrange(128)
    for _ in range(rng.choice((0, 1, 5, 300))):
        topic = rng.choice([*judgments, rng.randbytes(rng.choice((1, 2, 20)))])
        judgments.setdefault(topic, {})[rng.randbytes(rng.choice((0, 1, 15, 16, 17, 40)))] = rng.randrange(128)
    return judgments


def index_of(judgments: Judgments, rng: random.Random) -> Index:
    """Arrange judgments; a name that stands twice in a group is refused."""
    groups = [*map(list, judgments.values()), list(judgments)]
    codes = [code for judged in judgments.values() for code in judged.values()]
    twice = rng.choice([*filter(None, groups), [b"x"]])
    for several in ([*groups[:-1], twice * 2, groups[-1]], groups):
        names = [name for group in several for name in group]
        ends = np.cumsum([len(name) for name in names], dtype=np.int64)
        bounds = np.cumsum([0, *map(len, several)], dtype=np.int64)
        text = exactly(b"".join(names), rng)
        more = [0] * (len(names) - len(codes) - len(groups[-1]))
        try:
            index = Index.of(text, ends, bounds, np.array([*codes, *more, *range(len(judgments))], np.int32))
        except ValueError:
            if several is groups:
                raise
        else:
            if several is not groups:
                raise Different(f"{twice} twice in a group is not seen")
    return index


def check(data: bytes, columns: int, rng: random.Random) -> None:
    """Raise Different if a pass over a file, or over its rows in memory, gives anything but what its definition has."""
    show(data)
    stretches, wrong = split(data, columns)
    judgments = draw_judgments(data, stretches, rng) if columns == RUN and rng.random() < 0.6 else None
    index = None if judgments is None else index_of(judgments, rng)
    scattered = index is None and rng.random() < 0.3
    options = AS_THEY_STAND if scattered else rng.choice((0, 0, SINGLE, AS_THEY_STAND, SINGLE | AS_THEY_STAND))
    wanted = {name for names in (("starts", "lengths"), ("values",)) for name in names if rng.random() < 0.5}
    wanted |= {"starts", "lengths"} if wanted & {"starts", "lengths"} else set()
    wanted |= {"owners"} if scattered else {"tied"} if not options & AS_THEY_STAND and rng.random() < 0.5 else set()
    wanted |= {"codes"} if index is not None else set()

    asked: dict[str, Any] = {"index": index, "wanted": wanted, "options": options}
    native.MANY, native.PIECE = rng.choice((1, 1 << 20)), rng.choice((64, 1 << 18))
    rows = native.read(exactly(data, rng), len(data), columns, **asked)
    end = end_of(data, stretches, wrong, columns, scattered)
    spelt = [data[slice(*span)] for stretch in stretches for span in stretch.numbers]
    odd = any(len(text) > LONG or (NUMBER.fullmatch(text) and not float(text)) for text in spelt)
    if rows.status is not end and not (odd and rows.status is Status.NOT_PLAIN):
        raise Different(f"the pass ends with {rows.status!r}, not {end!r}", data)
    if rows.status is not Status.DONE:
        return
    if rows.beyond_ascii == (data.isascii() and b"\0" not in data):
        raise Different("letters beyond ASCII are overlooked, or imagined", data)

    groups: list[Any] = []
    parts: list[dict[str, Array]] = []
    keys: dict[tuple[bytes, bytes], int] = {}
    first, last = 0, b""
    numbers = {topic: place for place, topic in enumerate(judgments or {})}
    for stretch in stretches:
        topic, tag, count = data[slice(*stretch.topic)], data[slice(*stretch.tag)], len(stretch.documents)
        group = keys.setdefault((topic, tag), len(keys))
        if group == len(groups):
            start = groups[-1][5] if groups and tag == last else stretch.tag[0] if tag else 0
            spans = (stretch.topic[0], len(topic), start, len(tag))
            groups.append((numbers.get(topic, -1), *((0, 0) if scattered else (first, count)), *spans))
            last = tag
        if judgments is None or topic in judgments:
            part = columns_of(data, stretch, (judgments or {}).get(topic, {}), options)
            parts.append(part | {"owners": np.full(count, group)})
            first += count
    compare(data, rows, groups, parts)
    if scattered:
        return
    documents = [span for stretch in stretches for span in stretch.documents]
    scores = [scores_of(data, stretch, 0) for stretch in stretches]
    again = native.judge(
        exactly(data, rng),
        np.array([start for start, _ in documents], np.int64),
        np.array([end - start for start, end in documents], np.int32),
        np.concatenate(scores) if scores else np.empty(0),
        np.cumsum([len(stretch.documents) for stretch in stretches], dtype=np.int64),
        np.array([group[0] for group in groups], np.int64),
        **asked,
    )
    if again.status is not Status.DONE:
        raise Different(f"rows in memory end with {again.status!r}", data)
    compare(data, again, [group[:3] for group in groups], parts)


def draw_number(rng: random.Random) -> str:
    """A number that is hard to read: of many digits, between two floats, subnormal, or spelt in a strange way."""
    kind = rng.randrange(9)
    if kind < 3:
        digits = "".join(rng.choices("0123456789", k=rng.randrange(1, 22)))
        point = rng.randrange(len(digits) + 1)
        power = f"{rng.choice('eE')}{rng.choice(('', '+', '-'))}{rng.randrange(40)}" if kind == 2 else ""
        return f"{rng.choice(('', '', '-', '+'))}{digits[:point]}{rng.choice(('.', '.', ''))}{digits[point:]}{power}"
    if kind == 3:
        whole, part = (rng.randrange(10 ** rng.randrange(1, most)) for most in (9, 17))
        return f"{rng.choice(('', '-'))}{whole}.{part}"
    if kind == 4:  # halfway between two floats, or next to that
        power = rng.randrange(5)
        middle = (2 * rng.randrange(2**52, 2**53) + 1) * 5**power + rng.choice((-1, 0, 0, 0, 1))
        written = f"{middle:0{power + 1}d}"
        return f"{written[: len(written) - power]}.{written[len(written) - power :]}".rstrip(".")
    if kind == 5:
        return repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-320, 308))
    if kind == 6:
        return f"{rng.uniform(0, 30):.{rng.randrange(25)}f}" + "0" * rng.choice((0, 1, 7, 30))
    if kind == 7:  # so many places that what is left of a quotient decides
        return f"{rng.randrange(10**16, 10**18)}e-{rng.randrange(20, 29)}"
    return f"{'0' * rng.randrange(30)}{rng.choice(('', '.'))}{rng.randrange(2**63)}e-{rng.randrange(40)}"


def check_numbers(rng: random.Random, count: int = 2000) -> None:
    """Raise Different if a number is read as another than Python reads."""
    spelt = [draw_number(rng).encode() for _ in range(count)]
    data = b"".join(b"1 Q0 d 1 %b t\n" % text for text in spelt)
    wanted = ("starts", "lengths", "values", "owners")
    rows = native.read(exactly(data, rng), len(data), RUN, wanted=wanted, options=AS_THEY_STAND)
    expected = [float(text) for text in spelt]
    if rows.status is not Status.DONE or rows.values.tobytes() != np.array(expected).tobytes():
        found = rows.values.tolist()
        wrong = [text for text, one, other in zip(spelt, found, expected, strict=False) if one.hex() != other.hex()]
        raise Different(f"{rows.status!r}, and these numbers are read as others: {wrong}", data)


def draw_wide(rng: random.Random, columns: int) -> bytes:
    """Lines of all lengths about those of words and blocks, with fields as short as can be and thousands of topics."""
    lines: list[bytes] = []
    topics, many = rng.choice((1, 3, 5000)), rng.choice((1, 5, 30, 30, 3000))
    for row in range(many):
        score = rng.choice((b"-0", b"%d" % rng.randrange(5)))
        fields = [b"%d" % (row * topics // many), b"0", b"%d" % row, b"0", score, b"t"]
        fields = fields if columns == RUN else [*fields[:3], fields[4]]
        length = rng.choice((64, 128, BLOCK, BLOCK + 90)) + rng.randrange(-8, 3)
        if rng.random() < (0.5 if length < 200 or many < 6 else 0.02):
            fields[rng.choice((1, 2, len(fields) - 1 if columns == RUN else 2))] += b"x" * (
                length - len(b" ".join(fields))
            )
        if rng.random() < 0.01:
            fields[rng.randrange(columns)] += b" " * rng.randrange(3)
        lines.append(b" ".join(fields[: columns - (rng.random() < 0.02)]) + b"\r" * (rng.random() < 0.02))
    return b"\n".join(lines) + b"\n" * rng.randrange(2)


def draw_tiny(rng: random.Random, columns: int) -> bytes:
    """A file of up to 200 bytes, of letters that matter and hardly anything else."""
    if rng.random() < 0.5:
        line = b" ".join([b"1"] * columns)
        return b"\n".join(line[:8] + b"%c" % rng.randrange(48, 58) + line[9:] for _ in range(rng.randrange(1, 17)))
    letters = rng.choice((b"1 \n", b"12 \n#", BYTES + b" \n" * 9 + b"1" * 9))
    return bytes(rng.choices(letters, k=rng.randrange(201)))


def draw_colliding(rng: random.Random, columns: int) -> bytes:
    """Names of the same hash, some of which have the same length, the same first 16 bytes, or zeros at their ends."""
    names: set[bytes] = set()
    for _ in range(rng.choice((2, 5, 30))):
        before = rng.choice((b"", b"a" * 16, b"a" * 16 + bytes(rng.choices(b"ab", k=16))))
        names.add(before + ABSORBING + bytes(rng.choices(b"\0\0a", k=rng.randrange(9))))
    score = rng.choice((b"1", b"-0.5"))
    rows = [[rng.choice((b"1", b"1", name)), b"0", name, b"0", score, b"t"] for name in sorted(names)]
    rng.shuffle(rows)
    return b"".join(b" ".join(row if columns == RUN else row[:4]) + b"\n" for row in rows)


def case(rng: random.Random) -> None:
    """Try one file, or numbers, or all beginnings of a short file."""
    kind, columns = rng.randrange(8), rng.choice((*COLUMNS, RUN))
    if kind == 0 and rng.random() < 0.1:
        check_numbers(rng)
        return
    draw = draw_tiny if kind < 2 else draw_wide if kind < 4 else draw_colliding if kind == 4 else None
    data = draw(rng, columns) if draw else draw_file(rng, COLUMNS[columns])
    if rng.random() < 0.2:
        data = damaged(rng, data)
    check(data, columns, rng)
    if len(data) < 200 and rng.random() < 0.05:
        for length in range(len(data)):
            check(data[:length], columns, rng)


if __name__ == "__main__":
    load_reader()
    run("passes", case)
