"""Where files come from: paths, open files, directories, patterns; plain or packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import socket
import sys
import zlib
from pathlib import Path

import pytest
import zstandard

import measurand as md
from measurand.errors import CaveatKind, InputError, InputFileError, MeasurandError, NotInstalled, ParameterError
from measurand.execution.memory import VARIABLE
from measurand.trec import blocks, read_runs, unpacking
from measurand.trec.files import bytes_of, expand, is_file, judgments_in, load, size, stem, unpacked, write_atomically
from measurand.trec.unpacking import unpack

TEXT = b"".join(b"%d Q0 doc%d 1 %d tag\n" % (i // 100, i, -i) for i in range(2_000))

PACKINGS = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstandard": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
@pytest.mark.parametrize("name", ["plain.run", "wrong.gz", "wrong.zst", "no-ending"])
def test_packed_files_are_told_by_their_first_bytes_and_not_by_their_names(tmp_path, pack, name):
    (tmp_path / name).write_bytes(pack(TEXT))
    assert load(tmp_path / name).data == TEXT


def test_a_plain_file_with_the_name_of_a_packed_one_is_read_as_it_is(tmp_path):
    (tmp_path / "plain.gz").write_bytes(TEXT)
    assert load(tmp_path / "plain.gz").data == TEXT


def read_bit_by_bit(path):
    with unpacked(str(path)) as file:
        return b"".join(iter(lambda: file.read(999), b""))


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_several_packed_pieces_in_one_file_are_read_one_after_the_other(tmp_path, pack):
    pieces, whole = pack(TEXT) + pack(b"9 Q0 d 1 1 tag\n"), TEXT + b"9 Q0 d 1 1 tag\n"
    assert unpack(pieces, "pieces") == whole
    (tmp_path / "pieces").write_bytes(pieces)
    assert read_bit_by_bit(tmp_path / "pieces") == whole


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_an_archive_that_ends_too_early_is_damaged_even_if_it_is_read_bit_by_bit(tmp_path, packing, share):
    packed = PACKINGS[packing](TEXT)
    path = tmp_path / "cut"
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(InputFileError, match=rf"cut: is damaged: its {packing} data cannot be unpacked"):
        load(path)
    with pytest.raises(InputFileError, match=rf"cut: is damaged: its {packing} data cannot be unpacked"):
        read_bit_by_bit(path)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python has zstd itself")
def test_without_zstandard_one_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputFileError, match=r"^bm25: .* needs zstandard: pip install 'measurand\[zstd\]'$"):
        unpack(PACKINGS["zstandard"](TEXT), "bm25")
    with pytest.raises(NotInstalled, match=r"^writing .zst needs zstandard: pip install 'measurand\[zstd\]'$"):
        write_atomically(tmp_path / "bm25.zst", [TEXT])


@pytest.mark.parametrize("packing", ["gzip", "xz", "bzip2"])
def test_an_archive_with_a_changed_byte_is_damaged(packing):
    packed = bytearray(PACKINGS[packing](TEXT))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(InputFileError, match="is damaged"):
        unpack(bytes(packed), "flipped")


@pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh9", b"\x28\xb5\x2f\xfd"])
def test_an_archive_of_nothing_but_its_first_bytes_is_damaged(magic):
    with pytest.raises(InputFileError, match="is damaged"):
        unpack(magic, "head")


def test_an_error_names_the_file_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputFileError) as caught:
        load("runs/none.run")
    assert (caught.value.path, caught.value.line) == (str(Path("runs/none.run")), None)
    assert "there is no such file" in str(caught.value)


def test_a_directory_where_one_file_is_wanted_is_refused(tmp_path):
    with pytest.raises(InputFileError, match="this is a directory where one file is wanted"):
        load(tmp_path)


def test_a_path_through_a_file_cannot_be_read(tmp_path):
    (tmp_path / "file").write_bytes(TEXT)
    with pytest.raises(InputFileError, match="cannot be read"):
        load(tmp_path / "file" / "below")


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_may_be_text_or_an_object(tmp_path, kind):
    (tmp_path / "a.run").write_bytes(TEXT)
    content = load(kind(tmp_path / "a.run"))
    assert (content.name, content.data) == (str(tmp_path / "a.run"), TEXT)


def test_an_open_binary_file_is_read_under_its_name(tmp_path):
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(TEXT))
    with (tmp_path / "a.run.gz").open("rb") as file:
        content = load(file)
    assert (content.name, content.data) == (str(tmp_path / "a.run.gz"), TEXT)


def test_an_open_text_file_is_read_as_utf_8(tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 dé 1 1 tag\n", encoding="latin-1")
    with (tmp_path / "a.run").open(encoding="latin-1") as file:
        assert load(file).data == "1 Q0 dé 1 1 tag\n".encode()


@pytest.mark.parametrize("source", [io.BytesIO(TEXT), io.StringIO(TEXT.decode())], ids=["bytes", "text"])
def test_an_open_file_without_a_name_is_called_that(source):
    content = load(source)
    assert (content.name, content.data) == ("<open file>", TEXT)


@pytest.mark.parametrize(
    ("source", "answer"),
    [("a.run", True), (Path("a.run"), True), (io.BytesIO(), True), ({}, False), (b"1 Q0 d 1 1 t", False), (5, False)],
)
def test_paths_and_open_files_are_files_and_data_is_not(source, answer):
    assert is_file(source) is answer


def test_a_directory_stands_for_its_visible_files_in_order(tmp_path):
    for name in ("b.run", "a.run", ".hidden"):
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "below").mkdir()
    assert expand([tmp_path]) == [str(tmp_path / "a.run"), str(tmp_path / "b.run")]


def test_a_directory_that_cannot_be_listed_is_named(tmp_path, monkeypatch):
    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.scandir", refuse)
    monkeypatch.setattr("os.listdir", refuse)
    for act in (lambda: expand([tmp_path]), lambda: judgments_in(str(tmp_path))):
        with pytest.raises(InputFileError) as caught:
            act()
        assert str(caught.value) == f"{tmp_path}: cannot be read (Permission denied)"
    with pytest.raises(InputFileError, match="there is no such file; check the path, in"):
        bytes_of(tmp_path / "nothing")


def test_a_directory_without_files_is_refused(tmp_path):
    (tmp_path / ".hidden").write_bytes(TEXT)
    with pytest.raises(InputFileError, match="this directory holds no file"):
        expand([tmp_path])


def test_a_pattern_stands_for_the_files_it_matches_in_order(tmp_path):
    for name in ("b.run", "a.run", "c.txt"):
        (tmp_path / name).write_bytes(TEXT)
    assert expand([str(tmp_path / "*.run")]) == [str(tmp_path / "a.run"), str(tmp_path / "b.run")]


def test_a_pattern_that_matches_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"\*\.run: no file matches this pattern"):
        expand([str(tmp_path / "*.run")])


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path):
    for name in ("a[1].run", "a1.run"):
        (tmp_path / name).write_bytes(TEXT)
    assert expand([str(tmp_path / "a[1].run")]) == [str(tmp_path / "a[1].run")]


def test_data_among_the_sources_stays_where_it_is(tmp_path):
    (tmp_path / "a.run").write_bytes(TEXT)
    data, file = {"1": {"d": 1.0}}, io.BytesIO(TEXT)
    assert expand([data, str(tmp_path / "*.run"), file]) == [data, str(tmp_path / "a.run"), file]


def test_the_size_of_sources_counts_the_files_that_are_there(tmp_path):
    (tmp_path / "a.run").write_bytes(TEXT)
    assert size([tmp_path / "a.run", str(tmp_path / "a.run"), tmp_path / "none", {"1": {}}]) == 2 * len(TEXT)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run", "bm25"),
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.v2.trec.zst", "bm25.v2"),
        ("bm25.0.9", "bm25.0.9"),
        ("input.RUN1", "input.RUN1"),
        ("dense.parquet", "dense"),
    ],
)
def test_the_stem_of_a_file_leaves_out_directory_packing_and_usual_endings(path, name):
    assert stem(path) == name


@pytest.mark.parametrize("packing", PACKINGS)
def test_what_unpacks_to_more_than_the_limit_is_refused_with_the_sizes_wherever_it_comes_from(
    tmp_path, monkeypatch, packing
):
    data = PACKINGS[packing](TEXT * 7) * 2
    path = tmp_path / "bomb"
    path.write_bytes(data)
    assert len(data) < 300_000 < len(TEXT) * 7
    assert len(load(path).data) == len(TEXT) * 14
    monkeypatch.setenv(VARIABLE, "0.3 MB")
    said = r"bomb: has [\d.]+ kB and unpacks to more than 300 kB, which is the limit; .*MEASURAND_MOST_UNPACKED"
    with path.open("rb") as file:
        for source in (path, file):
            with pytest.raises(InputFileError, match=said):
                load(source)
    with pytest.raises(InputFileError, match=said):
        unpack(data, "bomb")


def test_a_limit_that_is_no_number_of_bytes_is_refused_and_no_file_is_blamed(monkeypatch, tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(TEXT))
    for said in ("much", "-1", "1e3", "1 XB"):
        monkeypatch.setenv(VARIABLE, said)
        for source in (str(tmp_path / "a.gz"), io.BytesIO(gzip.compress(TEXT))):
            with pytest.raises(ParameterError, match=rf"^{VARIABLE} is '{said}'.*such as 500MB"):
                load(source)


def test_a_plain_file_or_stream_without_an_end_is_refused_and_not_held(monkeypatch):
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size=-1):
            assert 0 < size <= 1 << 20
            self.given += size
            return b"1 Q0 d1 1 2 a\n" * (size // 14)

    monkeypatch.setenv(VARIABLE, "3MB")
    endless = Endless()
    with pytest.raises(InputFileError, match="holds more than 3 MB"):
        load(endless)
    assert endless.given < 5 << 20


def test_a_line_without_an_end_is_refused_with_its_number_but_json_and_parquet_have_no_lines(monkeypatch):
    monkeypatch.setattr(unpacking, "LONGEST_LINE", 1 << 18)
    monkeypatch.setattr(unpacking, "PIECE", 1 << 16)
    with pytest.raises(InputFileError, match=r"^a.gz:3: a line has more than"):
        unpack(gzip.compress(b"one\ntwo\n" + bytes(1 << 19)), "a.gz")
    for head in (b" {", b"[", b"PAR1"):
        assert len(unpack(gzip.compress(head + bytes(1 << 19)), "a.gz")) == len(head) + (1 << 19)
    assert len(unpack(gzip.compress(TEXT * 30), "a.gz")) == len(TEXT) * 30


def test_a_line_without_an_end_is_refused_where_files_are_read_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST_LINE", 1000)
    for data in (b"1 Q0 d1 1 2 a\n1 Q0 " + b"d" * 10**6, gzip.compress(b"1 Q0 d1 1 2 a\n1 Q0 " + b"d" * 10**6)):
        path = tmp_path / "long.run"
        path.write_bytes(data)
        with pytest.raises(InputFileError, match=r"long\.run: a line has more than"):
            list(blocks.streamed(str(path), 1 << 10))
    monkeypatch.setenv(VARIABLE, "1kB")
    path.write_bytes(b"1 Q0 d1 1 2 a\n" * 1000)
    with pytest.raises(InputFileError, match=r"long\.run: holds more than 1 kB"):
        list(blocks.streamed(str(path), 1 << 10))


def wide_xz() -> bytes:
    """Return an archive of xz that asks for a dictionary of 4 GB."""
    data = bytearray(lzma.compress(TEXT, preset=0))
    length = (data[12] + 1) * 4
    place = data.index(b"\x21\x01", 12, 12 + length) + 2
    data[place] = 40
    data[8 + length : 12 + length] = zlib.crc32(data[12 : 8 + length]).to_bytes(4, "little")
    return bytes(data)


def test_an_archive_that_asks_for_a_giant_window_is_refused_where_that_does_not_fit(monkeypatch):
    # a frame with a window of 2 GB, and one block of three bytes
    wide = {"xz": wide_xz(), "zstandard": b"\x28\xb5\x2f\xfd\x00\xa8" + (3 << 3 | 1).to_bytes(3, "little") + b"1 Q"}
    monkeypatch.setenv(VARIABLE, "100MB")
    for packing, data in wide.items():
        with pytest.raises(InputFileError, match=f"to unpack its {packing} data takes more memory than 134 MB"):
            unpack(data, "wide")


def test_zeros_may_stand_behind_a_stream_of_xz_however_many_and_nothing_else():
    packed = lzma.compress(TEXT)
    assert unpack(packed + bytes(1 << 16) + packed + bytes(8), "a.xz") == TEXT * 2
    with pytest.raises(InputFileError, match="is damaged"):
        unpack(packed + b"more", "a.xz")


def test_what_is_passed_over_in_a_directory_or_by_a_pattern_is_said_and_a_pipe_is_not_waited_for(tmp_path, monkeypatch):
    for name in ("a.run", "b.run", ".hidden"):
        (tmp_path / name).write_bytes(b"1 Q0 d1 1 2 %b\n" % name.encode())
    (tmp_path / "sub").mkdir()
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        monkeypatch.chdir(tmp_path)  # the names of sockets are short
        bound.bind("socket")
        runs = read_runs(tmp_path)
        [said] = runs[0].caveats
        others = "gone (a link to nothing), pipe (a pipe), socket (a socket), sub (a folder)"
        assert (said.kind, said.text) == (CaveatKind.FILES, f"{tmp_path}: passed over .hidden (hidden), {others}")
        assert runs[1].caveats == ()
        assert read_runs(f"{tmp_path}/*")[0].caveats[0].text == f"{tmp_path}/*: passed over {others}"
        assert read_runs([tmp_path / "a.run", tmp_path / "b.run"])[0].caveats == ()
        for name in ("a.run", "b.run"):
            (tmp_path / name).unlink()
        with pytest.raises(InputFileError, match=r"holds no file, only \.hidden"):
            expand([tmp_path])
        with pytest.raises(InputError, match=r"no file matches this pattern \(only gone"):
            expand([f"{tmp_path}/*"])


def test_what_is_passed_over_is_cut_where_it_is_much_and_travels_to_workers(tmp_path):
    (tmp_path / "a.run").write_bytes(b"1 Q0 d1 1 2 a\n")
    for number in range(9):
        (tmp_path / f"sub{number}").mkdir()
    [found] = expand([tmp_path])
    [said] = pickle.loads(pickle.dumps(found)).caveats
    assert said.text.endswith("sub4 (a folder) and 4 more")


def test_an_empty_path_names_no_file():
    for call in (
        lambda: load(""),
        lambda: bytes_of(""),
        lambda: expand([""]),
        lambda: read_runs(["", "a.run"]),
        lambda: read_runs({"a": ""}),
        lambda: write_atomically("", [b""]),
        lambda: md.read_run(""),
        lambda: md.evaluate("", {"1": {"d": 1.0}}, ["AP"]),
        lambda: md.evaluate({"1": {"d": 1}}, "", ["AP"]),
        lambda: md.read_queries(""),
        lambda: md.Study.from_files("", {"1": {"d": 1.0}}, ["AP"]),
        lambda: md.store_scores({"1": {"d": 1}}, {"1": {"d": 1.0}}, ["AP"], into=""),
        lambda: md.open_scores(""),
    ):
        with pytest.raises(MeasurandError, match="an empty path names no file"):
            call()


def test_links_that_go_round_in_a_circle_or_nowhere_are_named(tmp_path):
    (tmp_path / "a.run").write_bytes(b"1 Q0 d1 1 2 a\n")
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "gone").symlink_to("nowhere")
    [found] = expand([tmp_path])
    assert found.caveats[0].text.endswith("passed over gone (a link to nothing), round (a link to nothing)")
    with pytest.raises(InputFileError, match="no such file; this is a link to nowhere, which is not there"):
        load(tmp_path / "gone")
