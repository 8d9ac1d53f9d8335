"""A packed file that is damaged or cut is refused or gives the same rows, never others (R02)."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import subprocess
import sys

import pytest

import measurand as md

zstandard = pytest.importorskip("zstandard")

PACKINGS = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
PACKED = pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)

QRELS = b"".join(b"%d 0 d1 1\n%d 0 d2 0\n" % (topic, topic) for topic in range(1, 5))


def run_of(topics) -> bytes:
    # the first two topics have their document first, the others have it second
    order = {topic: (b"d1", b"d2") if topic < 3 else (b"d2", b"d1") for topic in topics}
    return b"".join(b"%d Q0 %b 1 2.5 t\n%d Q0 %b 2 1.5 t\n" % (topic, a, topic, b) for topic, (a, b) in order.items())


RUN = run_of((1, 2)), run_of((3, 4))

KINDS = {
    "run": (*RUN, lambda path: [run.to_dict() for run in md.read_runs([path])]),
    "qrels": (QRELS[:20], QRELS[20:], lambda path: md.read_qrels(path).to_dict()),
    "csv": (b"qid,docno,label\n1,d1,1\n", b"1,d2,0\n2,d1,1\n", lambda path: md.read_qrels(path).to_dict()),
    "json": (b'{"1": {"d1": 1, ', b'"d2": 0}}\n', lambda path: md.read_qrels(path).to_dict()),
    "topics": (b"1\tblue whales\n", b"2\tblack bears\n", lambda path: dict(md.read_queries(path))),
}


def answer(read, path, data):
    """Return what a file of such bytes is read as, or None if it is refused in one line."""
    path.write_bytes(data)
    try:
        return read(path)
    except md.InputError as error:
        return None if str(error).startswith(str(path)) and "\n" not in str(error) else str(error)


@PACKED
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_happens_to_a_packed_file_no_other_rows_are_read(tmp_path, kind, pack):
    """R02: bytes of two streams are changed, the file is cut, and something is put behind it."""
    one, two, read = KINDS[kind]
    first, whole, path = pack(one), pack(one) + pack(two), tmp_path / "file"
    right = answer(read, path, whole)
    assert right == answer(read, path, one + two) is not None
    drawn = random.Random(kind)
    # a file that is cut between its streams is whole, and cannot be known for what it was
    damaged = [whole[:cut] for cut in range(1, len(whole), 5) if cut != len(first)]
    for place in range(0, len(whole), 4):
        changed = bytearray(whole)
        changed[place] ^= drawn.randrange(1, 256)
        damaged.append(bytes(changed))
    damaged += [whole + rest for rest in (b"x", b"\n", b"garbage\n", whole[:3], b"BZh9", b"\0", bytes(4), bytes(9000))]
    assert [data for data in damaged if answer(read, path, data) not in (None, right)] == []


@PACKED
def test_damage_in_the_second_stream_is_told_everywhere(tmp_path, call, pack):
    """R02: a run whose second stream was damaged was read up to the damage, AP .25 in the place of .75, exit 0."""
    qrels, run = tmp_path / "qrels", tmp_path / "a.run"
    qrels.write_bytes(QRELS)
    first, second = map(pack, RUN)
    run.write_bytes(first + second)
    whole = call("evaluate", qrels, run, "-m", "ap", "-f", "tsv")
    assert (whole.code, whole.out.split()[-1]) == (0, "0.75")
    for number, damaged in enumerate((second[:3] + b"?" + second[4:], second[:-3], b"garbage", second[:2])):
        run.write_bytes(first + damaged)
        for more in ((), ("--store", tmp_path / f"store{number}"), ("--input-format", "trec")):
            said = call("evaluate", qrels, run, "-m", "ap", "-f", "tsv", *more)
            assert (said.code, said.out) == (1, "")
            assert "a.run: is damaged" in said.err.splitlines()[-1]


def test_zeros_behind_data_are_padding_where_its_tool_has_it_so(tmp_path):
    """R02: gzip goes over any zeros, xz over multiples of four, bzip2 and zstd over none."""
    read = KINDS["run"][-1]
    data = b"".join(RUN)

    def taken(name: str, zeros: int) -> bool:
        return answer(read, tmp_path / "run", PACKINGS[name](data) + bytes(zeros)) is not None

    found = {name: [zeros for zeros in (1, 2, 3, 4, 5, 4096, 4098) if taken(name, zeros)] for name in PACKINGS}
    assert found == {"gz": [1, 2, 3, 4, 5, 4096, 4098], "xz": [4, 4096], "bz2": [], "zst": []}


def test_a_changed_byte_of_a_zst_file_that_was_written_here_is_noticed(tmp_path):
    """R02: without a checksum a changed name is read as it is."""
    path = tmp_path / "qrels.zst"
    qrels = md.read_qrels({"1": {f"d{i}": i % 3 for i in range(40)}})
    qrels.to_trec(path)
    whole, right = path.read_bytes(), qrels.to_dict()
    for place in range(len(whole)):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert answer(KINDS["qrels"][-1], path, changed) in (None, right)


BOMB = """
import bz2, resource, sys
import measurand as md
with open(sys.argv[1], "wb") as file:
    file.write(bz2.compress(b"#" * 20_000_000) * 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    md.read_run(sys.argv[1])
except md.InputError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_bomb_of_bzip2_is_unpacked_piece_by_piece(tmp_path):
    """R02: 80 bytes of bzip2 are 20 MB and more; what comes of a piece of a file is not made at once."""
    done = subprocess.run(
        [sys.executable, "-c", BOMB, tmp_path / "bomb"], capture_output=True, text=True, check=True, timeout=60
    )
    said, grown = done.stdout.splitlines()
    assert "a line has more than 67.1 MB" in said
    assert int(grown) < 250_000  # kilobytes
