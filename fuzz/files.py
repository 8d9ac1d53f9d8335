"""Files of runs and judgments, drawn from a seed: lines that are right, almost right, and damaged."""

from __future__ import annotations

import random

ODD_NUMBERS = (
    "0 -0 +1 .5 5. -0.0e5 1e22 1e23 8.5e22 0.30000000000000004 9007199254740993 123456789012345678901234567890"
    " 1.7976931348623157e308 1e309 -1e999 4.9e-324 2.4703282292062328e-324 1e-400 2.2250738585072011e-308"
    " nan inf -Infinity 1_000 0x10 1e 1e+ . - + 1..2 --1 1e5e5 1,5 e5 1d5 1e99999999999999999999 1/3 0.5 127 128"
    f" 9007199254740992.50000000000000000000000000000000001 0.{'0' * 60}1 {'7' * 400} \u0661"
).split()

ODD_NAMES = ("é", "文書", "😀", "\x00", "\x1c", "\x85", "\xa0", "#", "a#b", '"q"', "d" * 3000, "\u2028", "\ufeff")

GAPS = ("  ", "\t", " \t ", "\x0b", "\x0c", "\r", "        ", "\x1c", "\xa0")

BOM = b"\xef\xbb\xbf"

BROKEN = (
    b"\xff",
    b"\x80",
    b"\xc0\xaf",
    b"\xed\xa0\x80",
    b"\xe2\x82",
    b"\xf4\x90\x80\x80",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
)

BYTES = b'\x00 \t\n\r#\x0b\x0c\x7f\x80\xff-+.e09_\xef\x1c"'


def _name(rng: random.Random) -> str:
    if rng.random() < 0.02:
        return rng.choice(ODD_NAMES)
    return f"{rng.choice('dDx-')}{rng.randrange(rng.choice((9, 9, 1000)))}"


def _score(rng: random.Random) -> str:
    if rng.random() < 0.02:
        return rng.choice(ODD_NUMBERS)
    if rng.random() < 0.1:
        digits = "".join(rng.choices("0123456789", k=rng.randrange(1, 40)))
        point = rng.randrange(len(digits) + 1)
        exponent = f"e{rng.randrange(-40, 40)}" if rng.random() < 0.5 else ""
        return f"{rng.choice(('', '-'))}{digits[:point]}.{digits[point:]}{exponent}"
    return repr(round(rng.uniform(-5, 50), rng.randrange(18)))


def _grade(rng: random.Random) -> str:
    return rng.choice(ODD_NUMBERS) if rng.random() < 0.01 else str(rng.randrange(-1, 5))


def _fields(rng: random.Random, columns: tuple[str, ...], topic: str, tag: str, document: str) -> list[str]:
    drawn = {"topic": topic, "tag": tag, "document": document, "Q0": "Q0", "iteration": "0"}
    return [drawn[name] if name in drawn else _grade(rng) if name == "grade" else _score(rng) for name in columns]


def draw_file(rng: random.Random, columns: tuple[str, ...]) -> bytes:
    """Return a file whose columns are parted by white space.

    Parameters
    ----------
    rng
        Where the draws come from.
    columns
        What its columns are, by the names that `measurand.trec.lines.Format` gives them.

    Examples
    --------
    >>> draw_file(random.Random(3), ("topic", "iteration", "document", "grade")).split(bytes([10]))[0]
    b'D7 0 -856 2'
    """
    # one file in a few is without any oddity but those of names and numbers
    oddity = rng.choice((0, 0, 0.01, 0.1))
    lines: list[str] = []
    topic, tag, seen = _name(rng), _name(rng), set()
    for _ in range(rng.choice((0, 1, 2, 5, 20, 20, 20, 200))):
        if rng.random() < 0.2:
            topic = _name(rng)
        if rng.random() < 0.02:
            tag = _name(rng)
        document = _name(rng)
        # repeats are errors of runs, so most of them are left out
        if (topic, tag, document) in seen and rng.random() > oddity:
            continue
        seen.add((topic, tag, document))
        fields = _fields(rng, columns, topic, tag, document)
        gap = rng.choice(GAPS) if rng.random() < oddity else " "
        line = gap.join(fields[: len(fields) - (rng.random() < oddity / 10)])
        lines.append(line + (" more" if rng.random() < oddity / 10 else ""))
        if rng.random() < oddity:
            lines.append(rng.choice(("", "  ", "# a comment", " #x")))
    ending = "\r\n" if rng.random() < oddity else "\n"
    data = (ending.join(lines) + rng.choice((ending, ending, ""))).encode("utf-8", "surrogatepass")
    return damaged(rng, data) if oddity and rng.random() < 0.5 else data


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Return a file with bytes changed, left out, doubled or put in, or with its end cut off.

    Parameters
    ----------
    rng
        Where the draws come from.
    data
        The file.
    """
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.randrange(1, 30))
        what = rng.randrange(6)
        if what == 0:
            data = data[:at] + bytes([rng.choice(BYTES)]) + data[at + 1 :]
        elif what == 1:
            data = data[:at] + rng.randbytes(1) + data[at + 1 :]
        elif what == 2:
            data = data[:at] + data[to:]
        elif what == 3:
            data = data[:to] + data[at:]
        elif what == 4:
            data = data[:at] + rng.choice(BROKEN) + data[at:]
        else:
            data = data[:at]
    return data


Pairs = dict[str, dict[str, float]]
"""What documents have in topics: a grade or a score."""


def draw_campaign(rng: random.Random) -> tuple[Pairs, Pairs]:
    """Return judgments and a run with ties, unjudged documents, topics left out and topics that nobody judged.

    Parameters
    ----------
    rng
        Where the draws come from.

    Examples
    --------
    >>> qrels, run = draw_campaign(random.Random(1))
    >>> sorted(qrels)[:2], len(run) > 0
    (['0', '1'], True)
    """
    names = [*(f"{prefix}{i}" for prefix in ("d", "D-") for i in range(9)), "é", "文書", "d10", "#x"]
    lowest, top, step = rng.choice((0, 0, -1, -2)), rng.choice((0, 1, 1, 3, 4, 20)), rng.choice((1, 4, 1000))
    qrels: Pairs = {}
    run: Pairs = {}
    for topic in map(str, range(rng.choice((1, 1, 2, 3, 5)))):
        judged, found = (rng.sample(names, rng.randrange(1, len(names))) for _ in range(2))
        qrels[topic] = {document: rng.randint(lowest, top) for document in judged}
        run[topic] = {document: rng.randrange(20 * step) / step for document in found}
    if rng.random() < 0.3:
        run[rng.choice(("99", "x"))] = run.pop("0")
    return qrels, run


def trec_lines(pairs: Pairs, tag: str | None = None) -> bytes:
    r"""Return judgments, or with a tag a run, as TREC writes them.

    Parameters
    ----------
    pairs
        Grades or scores.
    tag
        The run tag; None for judgments.

    Examples
    --------
    >>> trec_lines({"1": {"a": 2}}), trec_lines({"1": {"a": 2.5}}, "bm25")
    (b'1 0 a 2\\n', b'1 Q0 a 1 2.5 bm25\\n')
    """
    lines = [
        f"{topic} 0 {document} {value}\n" if tag is None else f"{topic} Q0 {document} {rank} {value} {tag}\n"
        for topic, found in pairs.items()
        for rank, (document, value) in enumerate(found.items(), 1)
    ]
    return "".join(lines).encode()


def spoilt_lines(rng: random.Random, data: bytes, value: int) -> bytes:
    """Return a file of which some lines say something else: the grammar is kept, or just missed.

    Parameters
    ----------
    rng
        Where the draws come from.
    data
        A file as `trec_lines` returns it.
    value
        Which column holds the number.
    """
    rows = [line.split(" ") for line in data.decode().splitlines()]
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(rows))
        row, other = rows[at], rng.choice(rows)
        what = rng.randrange(11)
        if what == 0:
            row[value % len(row)] = rng.choice(ODD_NUMBERS)
        elif what == 1:
            row[rng.randrange(len(row))] = rng.choice(ODD_NAMES)
        elif what == 2:
            rows.insert(rng.randrange(len(rows)), list(row))
        elif what == 3 and len(row) > 2:
            row[2] = other[2 % len(other)]
        elif what == 4:
            row[value % len(row)] = other[value % len(other)]
        elif what == 5:
            i, j = (rng.randrange(len(row)) for _ in range(2))
            row[i], row[j] = row[j], row[i]
        elif what == 6:
            row.append(rng.choice(("more", "0", "")))
        elif what == 7 and len(row) > 1:
            del row[rng.randrange(len(row))]
        elif what == 8:
            rng.shuffle(rows)
        elif what == 9:
            row[-1] = rng.choice(("other", "0.5", "1/3", "2.0", "-3", "300"))
        else:
            rows.insert(at, [rng.choice(("", " ", "# a comment", "#", "\t"))])
    gap = rng.choice(GAPS) if rng.random() < 0.2 else " "
    ending = "\r\n" if rng.random() < 0.1 else "\n"
    text = ending.join(gap.join(row) for row in rows) + (ending if rng.random() < 0.9 else "")
    return (BOM if rng.random() < 0.1 else b"") + text.encode("utf-8", "surrogatepass")
