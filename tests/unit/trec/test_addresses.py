"""Files at addresses, through fsspec: those in memory, and what is said of those that cannot be reached."""

from __future__ import annotations

import gzip
import sys
from io import BytesIO

import fsspec
import pytest

import measurand as md
from measurand.errors import InputFileError
from measurand.trec.addresses import write_at
from measurand.trec.files import stem
from measurand.trec.naming import first_tag

RUN = b"1 Q0 a 1 2.5 bm25\n1 Q0 b 2 1.5 bm25\n"
QRELS = b"1 0 a 1\n"


@pytest.fixture
def held():
    """Hold files in memory while a test goes on."""
    system = fsspec.filesystem("memory")
    files = {"q/qrels.txt": QRELS, "runs/bm25.run": RUN, "runs/dense.gz": gzip.compress(RUN.replace(b"bm25", b"dense"))}
    for path, data in files.items():
        system.pipe(f"/{path}", data)
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.mark.usefixtures("held")
def test_files_at_addresses_are_read_as_others_are():
    assert md.read_qrels("memory://q/qrels.txt").to_dict() == {"1": {"a": 1}}
    assert md.read_run("memory://runs/dense.gz").name == "dense"
    assert md.evaluate("memory://q/qrels.txt", {"x": "memory://runs/bm25.run"}, "P@1").systems == ("x",)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("several", ["memory://runs/*", "memory://runs/"])
def test_patterns_and_folders_stand_for_the_files_there(several):
    assert [run.name for run in md.read_runs(several)] == ["bm25", "dense"]
    assert [run.name for run in md.read_runs(several, names="file")] == ["bm25", "dense"]


def test_files_of_one_tag_are_called_by_their_names(held):
    held.pipe("/runs/dense.gz", gzip.compress(RUN))
    held.pipe("/runs/bm25.run", RUN)
    runs = md.read_runs("memory://runs/*")
    assert [run.name for run in runs] == ["bm25", "dense"]
    assert "both runs have the tag bm25" in str(runs[0].caveats[0])


@pytest.mark.usefixtures("held")
def test_a_study_says_the_address_and_the_digest_of_a_file():
    study = md.Study.from_files("memory://q/qrels.txt", "memory://runs/*", "P@1", fuse=False)
    assert [source.name for source in study.sources][1:] == ["memory:///runs/bm25.run", "memory:///runs/dense.gz"]
    assert {source.size for source in study.sources if source.role == "judgments"} == {len(QRELS)}


def test_the_address_of_a_local_file_is_that_file(tmp_path):
    (tmp_path / "a.run").write_bytes(RUN)
    assert md.read_run(f"file://{tmp_path}/a.run").name == "bm25"


def test_a_query_of_the_web_is_no_part_of_a_name():
    assert stem("https://a.org/runs/bm25.run.gz?download=1") == "bm25"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://runs/none", "there is no such file; check the address"),
        ("nowhere://runs/none", "cannot be reached (Protocol not known: nowhere)"),
        ("memory://runs/*.xz", "no file matches"),
        ("memory://nothing/", "there is no such file"),
    ],
)
def test_what_cannot_be_reached_is_said_in_one_line(address, message):
    with pytest.raises(InputFileError) as caught:
        md.read_runs(address)
    assert str(caught.value).startswith(f"{address}: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError("Access\nDenied"), r"may not be read \(Access Denied\)"),
        (ImportError("Please install s3fs"), r"fsspec needs a package for it \(Please install s3fs\)"),
        (TimeoutError(), r"cannot be reached \(TimeoutError\)"),
        (IsADirectoryError(), "this is a folder where one file is wanted; of runs, a slash at the end .*"),
    ],
)
def test_what_a_network_says_is_one_line(monkeypatch, error, message):
    def failing(*_):
        raise error

    monkeypatch.setattr(fsspec, "open", failing)
    with pytest.raises(InputFileError, match=rf"^s3://runs/a\.run: {message}$"):
        md.read_run("s3://runs/a.run")


def test_what_cannot_be_written_is_not_said_to_be_out_of_reach(monkeypatch):
    def failing(*_, **__):
        raise OSError("501 Unsupported method")

    monkeypatch.setattr(fsspec.core, "url_to_fs", failing)
    with pytest.raises(InputFileError, match=r"http://a/b: cannot be written \(501 Unsupported method\)"):
        write_at("http://a/b", b"")


def test_without_the_package_an_address_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputFileError, match=r"s3://a/b: an address needs fsspec: pip install 'measurand\[remote\]'"):
        md.read_run("s3://a/b")


def test_an_address_is_not_written_to():
    with pytest.raises(InputFileError, match="addresses are read and not written"):
        md.read_run({"1": {"a": 1.0}}, name="r").to_trec("s3://a/b")


def test_run_tags_are_looked_at_on_the_web_where_lines_are_read_whole(monkeypatch):
    class OnTheWeb(BytesIO):
        def readline(self):
            return super().readline()

    monkeypatch.setattr("measurand.trec.files.open_address", lambda _: OnTheWeb(b"1 Q0 d1 1 2.5 bm25\n"))
    assert first_tag("https://a.org/bm25.run") == "bm25"
