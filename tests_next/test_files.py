"""The bytes of files: the same whatever packs them, and refused where they are damaged, change or do not fit."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from measurand_next.errors import CaveatKind, InputError, ParameterError
from measurand_next.read import files, memory
from measurand_next.read.files import PAD, Buffer, File, expand, is_several, stem

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
    """The error of a file: one line with some words."""
    with pytest.raises(InputError) as caught:
        File(source).read(Buffer())
    assert "\n" not in str(caught.value)
    assert [word for word in words if word not in caught.value.why] == []
    return caught.value


@pytest.fixture
def limit(monkeypatch):
    return lambda text: monkeypatch.setenv(memory.VARIABLE, text)


@given(st.sampled_from(sorted(PACK)), st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.data())
def test_streams_are_read_one_after_the_other_and_what_is_cut_or_changed_is_no_other_data(packing, several, drawn):
    streams = [PACK[packing](data) for data in several]
    packed, whole = b"".join(streams), b"".join(several)
    assert unpacked(packed) == whole
    magic = next(len(magic) for magic, name in files.PACKINGS.items() if name == packing)
    cut = drawn.draw(st.integers(magic, len(packed) - 1), label="cut")
    if cut not in {len(b"".join(streams[:n])) for n in range(len(streams))}:
        refused(io.BytesIO(packed[:cut]), "is damaged", packing)
    at = drawn.draw(st.integers(magic, len(packed) - 1), label="changed")
    changed = packed[:at] + bytes([packed[at] ^ drawn.draw(st.integers(1, 255))]) + packed[at + 1 :]
    try:
        found = unpacked(changed)
    except InputError:
        found = whole
    assert found == whole


@PACKED
def test_packed_files_are_told_by_content_and_read_the_same_from_disk_again_and_again(tmp_path, packing):
    path = tmp_path / "wrong.gz"
    for data, packed in ((TEXT, PACK[packing](TEXT)), (TEXT, TEXT), (b"", b""), (b"\x1f", b"\x1f")):
        path.write_bytes(packed)
        file, buffer = File(path), Buffer()
        assert file.read(buffer) == file.read(buffer) == len(data)
        assert (file.data, file.size, file.name) == (data, len(packed), str(path))
    assert unpacked(PACK[packing](PACK["gzip"](TEXT))) == PACK["gzip"](TEXT)


@PACKED
@pytest.mark.parametrize("garbage", [b"x", b"\n", b"garbage\n", b"BZh9", b"\x1f\x8b", b"\0 1"])
def test_garbage_behind_packed_data_is_damage(packing, garbage):
    refused(io.BytesIO(PACK[packing](TEXT) + garbage), "is damaged")


def test_zeros_behind_packed_data_are_padding_where_its_tool_has_it_so():
    tried = (1, 2, 4, 4096, 4098)
    for packing, padding in {"gzip": tried, "xz": (4, 4096), "bzip2": (), "zstd": ()}.items():
        for zeros in tried:
            data = (PACK[packing](TEXT) + bytes(zeros)) * 2
            assert unpacked(data) == TEXT * 2 if zeros in padding else refused(io.BytesIO(data), "is damaged")


def test_what_a_zstd_file_holds_for_other_tools_is_gone_over():
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00seek"
    assert unpacked(PACK["zstd"](TEXT) + skippable + PACK["zstd"](TEXT)) == TEXT * 2


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python has zstd itself")
def test_without_zstandard_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    refused(io.BytesIO(PACK["zstd"](TEXT)), "pip install 'measurand[zstd]'")


def test_a_giant_window_is_refused_where_it_does_not_fit(limit):
    limit("100MB")
    xz = bytearray(lzma.compress(TEXT, preset=0))
    header = (xz[12] + 1) * 4
    xz[xz.index(b"\x21\x01", 12, 12 + header) + 2] = 40  # a dictionary of 4 GB
    xz[8 + header : 12 + header] = zlib.crc32(xz[12 : 8 + header]).to_bytes(4, "little")
    zstd = b"\x28\xb5\x2f\xfd\x00\xa8" + (3 << 3 | 1).to_bytes(3, "little") + b"1 Q"
    for data in (bytes(xz), zstd):
        refused(io.BytesIO(data), "takes more memory than 134 MB", memory.VARIABLE)


@given(st.lists(st.binary(max_size=2_000), min_size=1, max_size=4))
def test_a_buffer_holds_one_file_after_another_with_bytes_to_spare(several):
    buffer = Buffer()
    buffer.array = buffer.array[:100]
    for data in several:
        assert File(io.BytesIO(b"1" + data)).read(buffer) == buffer.size == 1 + len(data)
        assert buffer.array[: buffer.size].tobytes() == b"1" + data
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
    ("kind", "most", "said", "megabytes"),
    [("line", "4GiB", "1: a line has more", 240), ("size", "60 MB", "unpacks to more than 60 MB", 200)],
)
def test_a_bomb_is_refused_before_it_fills_the_memory(limit, kind, most, said, megabytes):
    limit(most)
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
    limit("4M")
    assert File(path).data == TEXT * 7
    File(path).check_room(4_000_000)
    with pytest.raises(InputError, match=r"much: takes more than 4\.19 MB of memory to read, which is the limit"):
        File(path).check_room(5_000_000)


def test_what_does_not_end_is_refused_and_not_held(limit):
    class Endless(io.RawIOBase):
        name, given = "endless", 0

        def read(self, size=-1):
            self.given += size
            return b"1 Q0 d1 1 2 a\n" * (size // 14)

    limit("3MB")
    endless = Endless()
    assert refused(endless, "holds more than 3 MB").path == "endless"
    assert endless.given < 5 << 20


@pytest.mark.parametrize("text", ["much", "-1", "1e3", "1 XB"])
def test_a_limit_that_is_no_number_of_bytes_is_refused_and_no_file_is_blamed(limit, text):
    limit(text)
    for data in (TEXT, PACK["xz"](TEXT)):
        with pytest.raises(ParameterError, match=f"^{memory.VARIABLE} is '{text}'"):
            unpacked(data)


@pytest.mark.parametrize("pack", [bytes, PACK["gzip"], PACK["bzip2"]])
def test_a_line_without_an_end_is_refused_with_its_number(monkeypatch, pack):
    for name, size in {"PIECE": 1 << 10, "FED": 4, "LONGEST_LINE": 1 << 14}.items():
        monkeypatch.setattr(files, name, size)
    endless = b"d" * (1 << 16)
    for before in (b"", b" " * (1 << 15), b"one\ntwo\n", TEXT + b"1 Q0 "):
        error = refused(io.BytesIO(pack(before + endless + b"\n1 Q0")), "a line has more than 16.4 kB")
        assert error.line == 1 + before.count(b"\n")
    for data in (TEXT, *(head + endless for head in (b" {", b"[", b"PAR1", b"\xef\xbb\xbf{"))):
        assert unpacked(pack(data)) == data


def test_what_is_not_there_is_named_with_what_may_be_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("BM25.run").write_bytes(TEXT)
    Path("gone").symlink_to("nowhere")
    Path("round").symlink_to("round")
    error = refused("bm-25.run", "there is no such file; did you mean BM25.run?")
    assert (error.path, error.line) == ("bm-25.run", None)
    for path, words in {
        tmp_path / "bm.run": f"did you mean {tmp_path / 'BM25.run'}?",
        "runs/bm25.run": "there is no directory runs",
        "zzz": f"check the path, in {tmp_path}",
        "gone": "this is a link to nowhere",
        "round": "cannot be read",
        "BM25.run/below": "cannot be read",
        tmp_path: "this is a directory where one file is wanted",
        "a\0.run": "is no name of a file",
        "": "an empty path names no file",
        "s3://runs/a.gz": "later",
        "https://a.org/*.run": "later",
    }.items():
        refused(path, words)
        assert File(path).size == 0


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 0 d2 0\n", "1 0 d1 1\n" * 1_000, '{"1": {"d1": 1}}' * 1_000])
def test_text_that_stands_where_a_path_is_wanted_is_told_from_one(text):
    assert not is_several(text)
    assert len(refused(text, "there is no such file", "io.StringIO(text)").path) < 80


def test_what_one_may_not_read_is_named(tmp_path, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert refused("a.run", "cannot be read (Permission denied)").path == "a.run"
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        expand(str(tmp_path))


@POSIX
@pytest.mark.parametrize("device", ["/dev/urandom", "/dev/zero", "/dev/null"])
def test_a_device_is_no_file(device):
    assert refused(device, "is a device").path == device


@POSIX
def test_what_comes_through_a_pipe_is_read_once_and_kept():
    read, write = os.pipe()
    os.write(write, b"\x1f")  # a piece that does not tell what it is
    code = "from measurand_next.read.files import *; f = File('/dev/stdin'); print(f.read(Buffer()), f.data)"
    with subprocess.Popen([sys.executable, "-c", code], stdin=read, stdout=subprocess.PIPE, text=True) as child:
        os.close(read)
        os.write(write, gzip.compress(b"1 Q0 d1 1 2 t\n")[1:])
        os.close(write)
        assert child.stdout.read() == "14 b'1 Q0 d1 1 2 t\\n'\n"


def test_text_that_is_open_is_read_as_utf_8_or_as_the_bytes_it_was(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("1 Q0 dé 1 1 tag\n", encoding="latin-1")
    with path.open(encoding="latin-1") as file:
        assert (File(file).data, File(file).name) == ("1 Q0 dé 1 1 tag\n".encode(), str(path))
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        assert File(file).data == path.read_bytes()


@pytest.mark.parametrize("at_once", [1, 5, 1 << 30])
@pytest.mark.parametrize("packing", [None, *PACK])
def test_whatever_has_a_read_is_read_once_however_much_it_gives_at_once(packing, at_once):
    class Chatty(io.BytesIO):
        def read(self, _size):
            return bytearray(super().read(at_once))

    file = File(Chatty(PACK[packing](TEXT[:999]) if packing else TEXT[:999]))
    assert (file.data, file.read(Buffer()), file.name, file.size) == (TEXT[:999], 999, "<open file>", 0)


def test_whatever_is_wrong_with_an_open_file_is_said(tmp_path):
    class Failing:
        name = "failing"

        def __init__(self, read):
            self.read = read

    assert refused(Failing(lambda _: 1 / 0), "division").path == "failing"
    closed = io.StringIO("1 0 d1 1")
    closed.close()
    with (tmp_path / "a").open("wb") as written:
        for file in (closed, written, Failing(lambda _: None), Failing(lambda _: 5)):
            refused(file, "cannot be read")


@pytest.mark.parametrize("pack", [bytes, bz2.compress], ids=["plain", "packed"])
@pytest.mark.parametrize("how", ["rewritten", "longer", "cut"])
def test_a_file_that_is_changed_while_it_is_read_is_refused(tmp_path, pack, how):
    path = tmp_path / "a.run"
    data = pack(os.urandom(300_000))

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
    file.read(Buffer())
    (tmp_path / "b.run").write_bytes(TEXT)
    (tmp_path / "b.run").replace(path)
    with pytest.raises(InputError, match="was changed"):
        pickle.loads(pickle.dumps(file)).read(Buffer())


def test_folders_and_patterns_stand_for_their_files_in_order_and_anything_else_for_itself(tmp_path):
    for name in ("b.run", "a.run", "c.txt", "d[1].txt", "d1.txt"):
        (tmp_path / name).write_bytes(TEXT)
    found = [str(tmp_path / name) for name in ("a.run", "b.run", "c.txt", "d1.txt", "d[1].txt")]
    others = [{"1": {"d": 1.0}}, io.BytesIO(TEXT), str(tmp_path / "none"), "s3://runs/*.run"]
    assert expand(str(tmp_path)) == (found, ())
    assert expand(f"{tmp_path}/*.run") == (found[:2], ())
    assert [is_several(source) for source in (tmp_path, f"{tmp_path}/*.run", *others, found[-1])] == [True] * 2 + [
        False
    ] * 5


@POSIX
def test_what_is_passed_over_is_told_and_a_pipe_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs", "sub").mkdir(parents=True)
    Path("runs", ".hidden").write_bytes(TEXT)
    Path("runs", "gone").symlink_to("nowhere")
    os.mkfifo("runs/pipe")
    for source, why in {
        "runs": r"^runs: this directory holds no file, only \.hidden, gone, pipe, sub$",
        "runs/*": r"^runs/\*: no file matches this pattern, only gone",
        "*.none": "no file matches this pattern$",
        "runs/sub": "^runs/sub: this directory holds no file$",
    }.items():
        with pytest.raises(InputError, match=why):
            expand(source)
    Path("runs", "a.run").write_bytes(TEXT)
    [told] = expand("runs/*")[1]
    assert (told.kind, told.text) == (
        CaveatKind.FILES,
        "runs/*: passed over what is hidden or no file: gone, pipe, sub",
    )
    for name in ("sub2", "sub3"):
        Path("runs", name).mkdir()
    assert expand("runs")[1][0].text.endswith(": .hidden, gone, pipe, sub, sub2 and 1 more")


def test_the_stem_of_a_file_leaves_out_folders_packing_and_one_usual_ending():
    several = {
        "runs/bm25.run": "bm25",
        "runs/bm25.run.gz": "bm25",
        "bm25.v2.trec.zst": "bm25.v2",
        "bm25.0.9": "bm25.0.9",
    }
    several |= {"input.RUN1": "input.RUN1", "dense.parquet": "dense", "a.json.txt": "a.json", ".run": ".run"}
    assert {path: stem(path) for path in several} == several


@given(st.integers(0, 10**20))
def test_sizes_are_read_as_they_are_written(number):
    text = memory.in_bytes(number)
    assert len(text) <= 10
    assert abs(memory.parse_size(text) - number) <= number / 190


def test_units_are_powers_of_1000_or_of_1024():
    sizes = {"500MB": 500_000_000, "4GiB": 4 << 30, "1.5k": 1536, "20 bytes": 20, "7": 7, "much": None, "1..5": None}
    assert {text: memory.parse_size(text) for text in sizes} == sizes


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
