"""The bytes of files: the same whatever packs them, and refused where they are damaged, change or do not fit."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand_next.errors import CaveatKind, InputError, NotAvailable, ParameterError
from measurand_next.read import files, memory
from measurand_next.read.files import PAD, Buffer, File, expand, stem

TEXT = b"".join(b"%d Q0 doc%d 1 %d tag\n" % (i // 100, i, -i) for i in range(2_000))
PACK = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
PACKED = pytest.mark.parametrize("packing", PACK)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


def unpacked(data: bytes) -> bytes:
    return File(io.BytesIO(data)).data


def refused(source, *words: str) -> InputError:
    """The error of a file: one line that names it."""
    file = File(source)
    with pytest.raises(InputError) as caught:
        file.read(Buffer())
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in caught.value.why
    return caught.value


@pytest.fixture
def limit(monkeypatch):
    return lambda text: monkeypatch.setenv(memory.VARIABLE, text)


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from(sorted(PACK)), st.binary(max_size=300)), min_size=1, max_size=4), st.data())
def test_streams_of_one_packing_are_read_one_after_the_other_and_a_cut_or_changed_one_is_no_other_data(several, drawn):
    packing = several[0][0]
    whole = b"".join(data for _, data in several)
    streams = [PACK[packing](data) for _, data in several]
    packed = b"".join(streams)
    assert unpacked(packed) == whole
    ends = {len(b"".join(streams[:n])) for n in range(len(streams) + 1)}
    cut = drawn.draw(st.integers(7, len(packed) - 1), label="cut")
    if cut not in ends:
        refused(io.BytesIO(packed[:cut]), "is damaged", packing)
    place = drawn.draw(st.integers(6, len(packed) - 1), label="changed")
    changed = packed[:place] + bytes([packed[place] ^ drawn.draw(st.integers(1, 255))]) + packed[place + 1 :]
    try:
        assert unpacked(changed) == whole
    except InputError as error:
        assert "is damaged" in error.why or "memory" in error.why


@PACKED
def test_packed_files_are_told_by_content_and_read_the_same_from_disk_again_and_again(tmp_path, packing):
    for name in ("plain.run", "wrong.gz", "no-ending"):
        (tmp_path / name).write_bytes(PACK[packing](TEXT))
        file, buffer = File(tmp_path / name), Buffer()
        assert file.read(buffer) == file.read(buffer) == len(TEXT)
        assert file.data == TEXT
        assert file.size == len(PACK[packing](TEXT))
    (tmp_path / "plain.gz").write_bytes(TEXT)
    assert File(tmp_path / "plain.gz").data == TEXT
    assert unpacked(PACK[packing](PACK["gzip"](TEXT))) == PACK["gzip"](TEXT)


@PACKED
@pytest.mark.parametrize("garbage", [b"x", b"\n", b"garbage\n", b"BZh9", b"\x1f\x8b", b"\0 1"])
def test_garbage_behind_packed_data_is_damage(packing, garbage):
    refused(io.BytesIO(PACK[packing](TEXT) + garbage), "is damaged")


@pytest.mark.parametrize("magic", files.PACKINGS)
def test_packed_data_of_nothing_but_its_first_bytes_is_damaged(magic):
    refused(io.BytesIO(magic), "is damaged")


def test_zeros_behind_packed_data_are_padding_where_its_tool_has_it_so():
    def reads(packing: str, zeros: int) -> bool:
        try:
            return unpacked(PACK[packing](TEXT) + bytes(zeros) + PACK[packing](TEXT) + bytes(zeros)) == TEXT * 2
        except InputError:
            return False

    found = {packing: [n for n in (1, 2, 3, 4, 5, 4096, 4098, 1 << 19) if reads(packing, n)] for packing in PACK}
    assert found == {
        "gzip": [1, 2, 3, 4, 5, 4096, 4098, 1 << 19],
        "xz": [4, 4096, 1 << 19],
        "bzip2": [],
        "zstd": [],
    }


def test_what_a_zstd_file_holds_for_other_tools_is_gone_over():
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00seek"
    assert unpacked(PACK["zstd"](TEXT) + skippable + PACK["zstd"](TEXT)) == TEXT * 2


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python has zstd itself")
def test_without_zstandard_one_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "bm25").write_bytes(PACK["zstd"](TEXT))
    assert refused(tmp_path / "bm25", "pip install 'measurand[zstd]'").path == str(tmp_path / "bm25")


def wide_xz() -> bytes:
    """Data of xz that asks for a dictionary of 4 GB."""
    data = bytearray(lzma.compress(TEXT, preset=0))
    length = (data[12] + 1) * 4
    data[data.index(b"\x21\x01", 12, 12 + length) + 2] = 40
    data[8 + length : 12 + length] = zlib.crc32(data[12 : 8 + length]).to_bytes(4, "little")
    return bytes(data)


def test_a_giant_window_is_refused_where_it_does_not_fit(limit):
    limit("100MB")
    wide_zstd = b"\x28\xb5\x2f\xfd\x00\xa8" + (3 << 3 | 1).to_bytes(3, "little") + b"1 Q"
    for data in (wide_xz(), wide_zstd):
        refused(io.BytesIO(data), "takes more memory than 134 MB", memory.VARIABLE)


@given(st.lists(st.binary(max_size=2_000), min_size=1, max_size=4))
def test_a_buffer_holds_one_file_after_another_with_bytes_to_spare(several):
    buffer = Buffer()
    buffer.array = buffer.array[:100]
    for data in several:
        assert File(io.BytesIO(data)).read(buffer) == buffer.size == len(data)
        assert buffer.array[: buffer.size].tobytes() == data
        assert len(buffer.array) >= buffer.size + PAD


BOMB = """
import bz2, io, lzma, resource, sys
from measurand_next.read.files import Buffer, File
line = b"1 Q0 d1 1 2.5 t\\n"
bomb = bz2.compress(b"#" * 20_000_000) * 20 if sys.argv[1] == "line" else lzma.compress(line * 2_000_000, preset=0) * 20
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    File(io.BytesIO(bomb)).read(Buffer())
except ValueError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@POSIX
@pytest.mark.parametrize(
    ("kind", "said", "megabytes"), [("line", "1: a line has more", 240), ("size", "unpacks to more than 60 MB", 200)]
)
def test_a_bomb_is_refused_before_it_fills_the_memory(limit, kind, said, megabytes):
    limit("60 MB" if kind == "size" else "4GiB")
    done = subprocess.run([sys.executable, "-c", BOMB, kind], capture_output=True, text=True, check=True, timeout=60)
    why, grown = done.stdout.splitlines()
    assert said in why
    assert int(grown) < megabytes * 1000


@pytest.mark.parametrize("packing", [None, *PACK])
def test_more_than_the_limit_is_refused_with_what_to_do(tmp_path, limit, packing):
    path = tmp_path / "much"
    path.write_bytes(PACK[packing](TEXT * 7) if packing else TEXT * 7)
    limit("0.3 MB")
    holds = "kB and unpacks to more than 300 kB" if packing else "holds more than 300 kB"
    assert refused(path, holds, f"set {memory.VARIABLE}=20GB").path == str(path)
    with path.open("rb") as file:
        refused(file, "more than 300 kB")
    limit("4M")
    assert File(path).data == TEXT * 7
    File(path).check_room(4_000_000)
    with pytest.raises(InputError, match=r"much: takes more than 4\.19 MB of memory to read, which is the limit"):
        File(path).check_room(5_000_000)


class Endless(io.RawIOBase):
    name, given = "endless", 0

    def read(self, size=-1):
        assert 0 < size <= 1 << 20
        self.given += size
        return b"1 Q0 d1 1 2 a\n" * (size // 14)


def test_what_does_not_end_is_refused_and_not_held(limit):
    limit("3MB")
    endless = Endless()
    assert refused(endless, "holds more than 3 MB").path == "endless"
    assert endless.given < 5 << 20


@pytest.mark.parametrize("text", ["much", "-1", "1e3", "1 XB"])
def test_a_limit_that_is_no_number_of_bytes_is_refused_and_no_file_is_blamed(limit, text):
    limit(text)
    for data in (TEXT, *(pack(TEXT) for pack in PACK.values())):
        with pytest.raises(ParameterError, match=f"^{memory.VARIABLE} is '{text}'"):
            unpacked(data)


def test_a_line_without_an_end_is_refused_with_its_number(monkeypatch):
    monkeypatch.setattr(files, "PIECE", 1 << 10)
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 14)
    endless = b"d" * (1 << 15)
    for blank in (b"", b" ", b"\t", b"\r"):
        assert refused(io.BytesIO(blank * (1 << 15) + endless), "a line has more than 16.4 kB").line == 1
    for pack in (bytes, PACK["gzip"], PACK["bzip2"]):
        assert refused(io.BytesIO(pack(b"one\ntwo\n" + endless)), "a line").line == 3
        assert refused(io.BytesIO(pack(TEXT + b"1 Q0 " + endless + b"\n")), "a line").line == 2001
        assert unpacked(pack(TEXT * 3)) == TEXT * 3
        for head in (b" {", b"[", b"PAR1", b"\xef\xbb\xbf{"):
            assert unpacked(pack(head + endless)) == head + endless


def test_a_file_that_is_not_there_is_named_with_what_may_be_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("BM25.run").write_bytes(TEXT)
    Path("gone").symlink_to("nowhere")
    Path("round").symlink_to("round")
    error = refused("bm-25.run", "there is no such file; did you mean BM25.run?")
    assert (error.path, error.line) == ("bm-25.run", None)
    refused(tmp_path / "bm.run", f"did you mean {tmp_path / 'BM25.run'}?")
    refused("runs/bm25.run", "there is no directory runs")
    refused("zzz", f"check the path, in {tmp_path}")
    refused("gone", "this is a link to nowhere")
    refused("round", "cannot be read")
    refused("BM25.run/below", "cannot be read")
    assert File("gone").size == File("a\0").size == File("").size == 0


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 0 d2 0\n", "1 0 d1 1\n" * 1_000, '{"1": {"d1": 1}}' * 1_000])
def test_text_that_stands_where_a_path_is_wanted_is_told_from_one(text):
    assert expand([text]) == ([text], ())
    assert len(refused(text, "there is no such file", "io.StringIO(text)").path) < 80


def test_what_names_no_file_is_refused(tmp_path):
    refused(tmp_path, "this is a directory where one file is wanted")
    refused("a\0.run", "is no name of a file")
    for act in (lambda: File("").read(Buffer()), lambda: expand([""])):
        with pytest.raises(InputError, match="an empty path names no file"):
            act()
    for address in ("s3://runs/a.gz", "https://a.org/*.run", "simplecache::s3://a/b"):
        refused(*expand([address])[0], "later")
    for wrong in (b"1 0 d1 1\n", 5, None):
        with pytest.raises((TypeError, InputError)):
            File(wrong).read(Buffer())


def test_what_one_may_not_read_is_named(tmp_path, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.run").write_bytes(TEXT)
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert refused(tmp_path / "a.run", "cannot be read (Permission denied)").path == str(tmp_path / "a.run")
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        expand([tmp_path])


@POSIX
@pytest.mark.parametrize("device", ["/dev/urandom", "/dev/zero", "/dev/null"])
def test_a_device_is_no_file(device):
    assert refused(device, "is a device").path == device


@POSIX
def test_what_comes_through_a_pipe_is_read_once_and_kept(tmp_path):
    read, write = os.pipe()
    os.write(write, b"\x1f")  # a piece that does not tell what it is
    code = (
        "from measurand_next.read.files import *; f = File('/dev/stdin'); assert f.read(Buffer()) == f.read(Buffer());"
    )
    code += "print(f.data, File('/dev/stdin').size >= 0)"
    with subprocess.Popen([sys.executable, "-c", code], stdin=read, stdout=subprocess.PIPE, text=True) as child:
        os.close(read)
        os.write(write, gzip.compress(b"1 Q0 d1 1 2 t\n")[1:])
        os.close(write)
        assert child.stdout.read() == "b'1 Q0 d1 1 2 t\\n' True\n"


def test_open_files_of_any_kind_are_read_where_they_stand(tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 dé 1 1 tag\n", encoding="latin-1")
    with (tmp_path / "a.run").open(encoding="latin-1") as file:
        assert (File(file).data, File(file).name) == ("1 Q0 dé 1 1 tag\n".encode(), str(tmp_path / "a.run"))
    with (tmp_path / "a.run").open(encoding="utf-8", errors="surrogateescape") as file:
        assert File(file).data == (tmp_path / "a.run").read_bytes()
    with tempfile.TemporaryFile() as file:
        file.write(PACK["xz"](TEXT))
        file.seek(0)
        once = File(file)
        assert (once.name, once.data, once.read(Buffer()), once.size) == ("<open file>", TEXT, len(TEXT), 0)
    one, other = socket.socketpair()
    with one, other:
        one.sendall(PACK["gzip"](b"1 0 d1 1\n"))
        one.shutdown(socket.SHUT_WR)
        with other.makefile("rb", buffering=0) as file:
            assert File(file).data == b"1 0 d1 1\n"


class Chatty:
    """Gives one byte at a time, or more than it was asked for."""

    def __init__(self, data, at_once):
        self.data, self.at_once = io.BytesIO(data), at_once

    def read(self, _size):
        return bytearray(self.data.read(self.at_once))


@PACKED
@pytest.mark.parametrize("at_once", [1, 5, 1 << 30])
def test_whatever_has_a_read_is_read_however_much_it_gives_at_once(packing, at_once):
    assert File(Chatty(PACK[packing](TEXT[:999]), at_once)).data == TEXT[:999]
    assert File(Chatty(TEXT[:999], at_once)).data == TEXT[:999]


def test_whatever_is_wrong_with_an_open_file_is_said(tmp_path):
    class Failing:
        name = "failing"

        def __init__(self, outcome):
            self.read = outcome

    closed = io.StringIO("1 0 d1 1")
    closed.close()
    refused(closed, "cannot be read", "closed")
    with (tmp_path / "a").open("wb") as file:
        refused(file, "cannot be read")
    assert refused(Failing(lambda _: 1 / 0), "division").path == "failing"
    refused(Failing(lambda _: None), "cannot be read")
    refused(Failing(lambda _: 5), "cannot be read")


@pytest.mark.parametrize("pack", [bytes, bz2.compress], ids=["plain", "packed"])
@pytest.mark.parametrize("how", ["rewritten", "longer", "cut"])
def test_a_file_that_is_changed_while_it_is_read_is_refused(tmp_path, pack, how):
    path = tmp_path / "a.run"
    data = pack(os.urandom(400_000))

    class Changing(Buffer):
        def append(self, piece):
            super().append(piece)
            path.write_bytes({"rewritten": data, "longer": data + data, "cut": data[:-9]}[how])
            os.utime(path, ns=(1, 1))

    path.write_bytes(data)
    with pytest.raises(InputError, match=r"a\.run: was changed while it was read"):
        File(path).read(Changing())


def test_a_file_that_was_replaced_is_not_read_as_what_it_was(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(TEXT)
    file = pickle.loads(pickle.dumps(File(path)))
    buffer = Buffer()
    file.read(buffer)
    (tmp_path / "b.run").write_bytes(TEXT)
    (tmp_path / "b.run").replace(path)
    with pytest.raises(InputError, match="was changed"):
        pickle.loads(pickle.dumps(file)).read(buffer)


def test_folders_and_patterns_stand_for_their_files_in_order_and_anything_else_for_itself(tmp_path):
    for name in ("b.run", "a.run", "c.txt", "d[1].txt", "d1.txt"):
        (tmp_path / name).write_bytes(TEXT)
    found = [str(tmp_path / name) for name in ("a.run", "b.run", "c.txt", "d1.txt", "d[1].txt")]
    data, file = {"1": {"d": 1.0}}, io.BytesIO(TEXT)
    assert expand([tmp_path]) == (found, ())
    assert expand([data, f"{tmp_path}/*.run", file, tmp_path / "none"])[0] == [
        data,
        *found[:2],
        file,
        str(tmp_path / "none"),
    ]
    assert expand([f"{tmp_path}/d[1].txt"]) == ([found[-1]], ())
    with tempfile.NamedTemporaryFile() as named:
        assert expand([named]) == ([named], ())


@POSIX
def test_what_is_passed_over_is_told_and_a_pipe_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    folder = Path("runs")
    (folder / "sub").mkdir(parents=True)
    (folder / ".hidden").write_bytes(TEXT)
    (folder / "gone").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("runs/socket")
        with pytest.raises(InputError, match=r"^runs: this directory holds no file, only \.hidden \(hidden\)"):
            expand(["runs"])
        with pytest.raises(InputError, match=r"^runs/\*: no file matches this pattern, only gone"):
            expand(["runs/*"])
        (folder / "a.run").write_bytes(TEXT)
        others = "gone (a link to nothing), pipe (a pipe), socket (a socket), sub (a folder)"
        [told] = expand(["runs/*", "runs/a.run"])[1]
        assert (told.kind, told.text) == (CaveatKind.FILES, f"runs/*: passed over {others}")
        assert expand(["runs"])[1][0].text == f"runs: passed over .hidden (hidden), {others}"
        (folder / "also").mkdir()
        assert expand(["runs"])[1][0].text.endswith("socket (a socket) and 1 more")
    with pytest.raises(InputError, match="no file matches"):
        expand(["*.none"])
    Path("empty").mkdir()
    with pytest.raises(InputError, match="^empty: this directory holds no file$"):
        expand(["empty"])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run", "bm25"),
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.v2.trec.zst", "bm25.v2"),
        ("bm25.0.9", "bm25.0.9"),
        ("input.RUN1", "input.RUN1"),
        ("dense.parquet", "dense"),
        ("a.json.txt", "a.json"),
        (".run", ".run"),
    ],
)
def test_the_stem_of_a_file_leaves_out_folders_packing_and_one_usual_ending(path, name):
    assert stem(path) == name


@given(st.integers(0, 10**21))
def test_sizes_are_read_as_they_are_written(number):
    text = memory.in_bytes(number)
    assert len(text) <= 10
    assert abs(memory.parse_size(text) - number) <= max(number / 190, 0)


def test_units_are_powers_of_1000_or_of_1024():
    assert [memory.parse_size(text) for text in ("500MB", "4GiB", "1.5k", "20 bytes", "7", "much", "1..5")] == [
        500_000_000,
        4 << 30,
        1536,
        20,
        7,
        None,
        None,
    ]


def test_what_takes_half_of_the_memory_is_refused_with_what_to_do_instead():
    memory.check_memory(1000, "a thousand bytes", "take fewer")
    with pytest.raises(NotAvailable, match="all pairs would take about 1 EB of memory; .*; name a baseline"):
        memory.check_memory(10**18, "all pairs", "name a baseline")


@POSIX
def test_the_limit_of_addresses_counts():
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
    code += "from measurand_next.read import memory; print(memory.memory_limit() <= 3 << 29)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "True\n"


def test_the_limits_of_control_groups_of_either_version_and_those_around_them_count(tmp_path):
    for name, text in {
        "memory/memory.limit_in_bytes": "900",
        "memory/job/7/memory.limit_in_bytes": "300\n",
        "memory.max": "max",
        "slice/memory.max": "800",
        "other/memory.max": "1",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own").write_text("5:cpu:/other\n4:blkio,memory:/job/7\n0::/slice/a:b\n")
    assert sorted(memory.control_groups(tmp_path, tmp_path / "own")) == [300, 800, 900]
    assert list(memory.control_groups(tmp_path, tmp_path / "none")) == []
