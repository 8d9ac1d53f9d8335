"""What is wrong with a large file is found without objects of all of it, and what does not fit is refused (R03)."""

from __future__ import annotations

import lzma
import random
import tracemalloc
from io import BytesIO

import pytest

import measurand as md
import measurand.native as native
from measurand.trec import bulk
from measurand.trec.metadata import rows_start

NEEDS_C = pytest.mark.skipif(not native.is_there(), reason="there is no module in C")

LINES = 300_000

RUN = b"".join(b"%d Q0 doc%d 1 %d.5 t\n" % (i // 1000, i, 1000 - i % 1000) for i in range(LINES))

QRELS = b"".join(b"%d 0 doc%d %d\n" % (i // 1000, i, i % 3) for i in range(LINES))

CSV = b"qid,docno,score\n" + b"".join(b"%d,doc%d,%d.5\n" % (i // 1000, i, 1000 - i % 1000) for i in range(LINES))

MSMARCO = b"".join(b"%d\tdoc%d\t%d\n" % (i // 1000, i, i % 1000 + 1) for i in range(LINES))


def said_and_megabytes(reader: str, path) -> tuple[str, float]:
    """Return what is said of a file, and how much memory reading it takes at most."""
    tracemalloc.start()
    try:
        found = getattr(md, reader)(path)
        said = " ".join([str(len(found)), *map(str, found.caveats)])
    except md.InputError as error:
        said = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return said.removeprefix(f"{path}:"), peak / 1e6


LARGE = {
    "a line that is too short": (RUN + b"1 Q0 d 1 2.5\n", "read_run", f"{LINES + 1}: 5 columns"),
    "a document twice": (RUN + b"7 Q0 doc7000 9 0.5 t\n", "read_run", f"{LINES + 1}: document doc7000 stands twice"),
    "judgments that are too short": (QRELS + b"1 0 d\n", "read_qrels", f"{LINES + 1}: 3 columns"),
    "judgments that contradict": (QRELS + b"7 0 doc7000 9\n", "read_qrels", f"{LINES + 1}: document doc7000 of topic"),
    "judgments that are repeated": (QRELS + b"7 0 doc7001 2\n", "read_qrels", f"{LINES} "),
    "a table": (CSV + b"1,d\n", "read_run", f"{LINES + 2}: 2 columns where the header has 3"),
    "ranks": (MSMARCO + b"1\td\n", "read_run", f"{LINES + 1}: 2 columns"),
}


@NEEDS_C
@pytest.mark.parametrize("case", LARGE)
def test_a_fault_in_a_large_file_takes_little_memory(tmp_path, case):
    """R03: 50 MB of runs with one short line took 1.03 GB, as all lines became objects of Python."""
    data, reader, wanted = LARGE[case]
    path = tmp_path / "file"
    path.write_bytes(data)
    said, megabytes = said_and_megabytes(reader, path)
    assert said.startswith(wanted)
    # it took 80 to 150 MB
    assert megabytes < 60


@NEEDS_C
def test_one_line_again_and_again_takes_the_memory_of_what_is_unpacked(tmp_path):
    """R03: a packed run of one line, 320 million times, took 21.5 GB; here it is 2 million times, 32 MB."""
    path = tmp_path / "a.run"
    path.write_bytes(lzma.compress(b"1 Q0 d1 1 2.5 t\n" * 2_000_000, preset=0))
    said, megabytes = said_and_megabytes("read_run", path)
    assert said == "2: document d1 stands twice in topic 1: lines 1 and 2; remove one"
    assert megabytes < 200  # it took 520


FEW = range(20_000)


@pytest.mark.parametrize(
    ("reader", "data"),
    [
        ("read_run", b"".join(b"1 Q0 doc%d 1 2.5 t more\n" % i for i in FEW)),
        ("read_run", b"qid,docno,score\n" + b"".join(b'1,"doc%d",2\n' % i for i in FEW)),
        ("read_qrels", b"".join(b"1 0 doc%d 0.5\n" % i for i in FEW)),
        ("read_run", b'{"1": {' + b",".join(b'"doc%d": 1' % i for i in FEW) + b"}}"),
        ("read_qrels", b"".join(b'{"qid":"1","docno":"d%d","label":1}\n' % i for i in FEW)),
        ("read_queries", b"{" + b",".join(b'"%d": "blue whales"' % i for i in FEW) + b"}"),
        ("read_queries", b"".join(b"%d\tblue whales\n" % i for i in FEW)),
        ("read_run", b'{"mteb_model_meta": {}, ' + b",".join(b'"doc%d": 1' % i for i in FEW) + b"}"),
    ],
    ids=["columns", "quotes", "decimals", "json", "jsonl", "texts in json", "texts", "predictions"],
)
def test_what_would_take_more_memory_than_there_is_for_a_file_is_refused_before(monkeypatch, reader, data):
    """R03: 40 MB of JSON took 1.09 GB, whatever the limit was."""
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", f"{3 * len(data)}")
    with pytest.raises(md.InputFileError, match=r"takes more than .* of memory to read, which is the limit; to raise"):
        getattr(md, reader)(BytesIO(data))
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", "20GB")
    if b"mteb" not in data:
        assert len(getattr(md, reader)(BytesIO(data)))


@NEEDS_C
def test_rows_count_as_what_a_file_takes(monkeypatch, tmp_path):
    """R03: the limit allows for the rows, not for the bytes of the file alone."""
    path = tmp_path / "a.run"
    path.write_bytes(RUN)
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", f"{2 * len(RUN)}")
    with pytest.raises(md.InputFileError, match=r"takes more than .* of memory to read"):
        md.read_run(path)
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", f"{5 * len(RUN)}")
    assert len(md.read_run(path)) == LINES


def test_comments_count_as_what_a_file_takes(monkeypatch, tmp_path):
    """R03: 210 MB of comments took 4.4 GB, whatever the limit was."""
    path = tmp_path / "a.run"
    path.write_bytes(b"# c\n" * 100_000 + b"1 Q0 d 1 2.5 t\n")
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", "2MB")
    with pytest.raises(md.InputFileError, match=r"takes more than .* of memory to read"):
        md.read_run(path)
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", "100MB")
    assert len(md.read_run(path).comments) == 100_000


@pytest.mark.parametrize("text", ["# c", "", " ", "\r", "# c\r", "\t# c", "#"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
def test_a_head_of_any_comments_and_blanks_ends_where_the_first_row_begins(text, before):
    """R03: found without a step of Python for each line, where it was found before."""
    head = before + f"{text}\n".encode() * 3
    for row in (b"1 Q0 d 1 2.5 t\n", b"  1 Q0 d 1 2.5 t", b"\t1 # d\n# c\n"):
        assert rows_start(head + row) == len(head)
    assert rows_start(head) == len(head)


def _said(reader, data):
    try:
        found = reader(BytesIO(data))
    except md.InputFileError as error:
        return str(error), error.line
    return found.to_dict(), list(map(str, found.caveats))


DAMAGES = {
    "cut": lambda line, drawn: line[: drawn.randrange(len(line))].rstrip(b"\n") + b"\n",
    "more": lambda line, drawn: line.rstrip(b"\n") + b" more\n",
    "again": lambda line, drawn: line + line,
    "word": lambda line, drawn: line.replace(b"1", b"one", 1),
    "byte": lambda line, drawn: line.replace(b"d", b"\xff", 1),
    "mark": lambda line, drawn: b"\xef\xbb\xbf" + line,
    "utf-16": lambda line, drawn: b"\xff\xfe" + line,
    "return": lambda line, drawn: b"\r" + line,
    "comment": lambda line, drawn: b"# " + line,
    "blank": lambda line, drawn: b"\n \n" + line,
    "quoted": lambda line, drawn: b'"' + line,
    "empty": lambda line, drawn: b",,\n\r\n" * 9 + line,
}


@NEEDS_C
@pytest.mark.parametrize("piece", [40, 300])
def test_a_fault_is_said_as_the_line_reader_says_it_wherever_pieces_end(monkeypatch, piece):
    """R03: the definition looks at a piece alone and says the same, with the same number of the line."""
    monkeypatch.setattr(bulk, "PIECE", piece)
    monkeypatch.setattr(bulk, "MANY", 4)
    drawn = random.Random(piece)
    kinds = {
        "run": (md.read_run, b"%d Q0 d%d 1 %d t\n", b"# a run\n"),
        "qrels": (md.read_qrels, b"%d 0 d%d %d\n", b"\n"),
        "csv": (md.read_run, b"%d,d%d,%d\n", b"# a table\n\nqid,docno,score\n"),
        "three": (md.read_run, b"%d d%d -%d\n", b""),
    }
    for _ in range(250):
        reader, row, head = kinds[drawn.choice(list(kinds))]
        rows = [row % (i // 7, i, 100 - i) for i in range(drawn.randrange(1, 40))]
        damage = drawn.choice(list(DAMAGES))
        place = drawn.randrange(len(rows))
        rows[place] = DAMAGES[damage](rows[place], drawn)
        if drawn.random() < 0.3:
            drawn.shuffle(rows)
        data = head + b"".join(rows)
        quick = _said(reader, data)
        with monkeypatch.context() as slowly:
            slowly.setattr(native, "_found", None)
            assert quick == _said(reader, data), (damage, data)


@NEEDS_C
def test_of_two_faults_in_a_file_of_one_piece_the_same_is_said_with_loops_in_c_and_without(monkeypatch):
    """R03: also where the second stands in a last line that has no end."""
    data = b"1 0 a 1\n1 0 \xff 1\n1 0 b"
    quick = _said(md.read_qrels, data)
    monkeypatch.setattr(native, "_found", None)
    assert quick == _said(md.read_qrels, data)
    assert quick[1] == 3
