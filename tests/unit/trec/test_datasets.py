"""Ids of ir_datasets in the place of files, with the package as it answers and without it."""

from __future__ import annotations

import sys
from collections import namedtuple
from types import ModuleType, SimpleNamespace

import pytest

import measurand as md
from measurand.errors import InputFileError
from measurand.report.repeating import command, in_python
from measurand.trec.datasets import is_dataset

Judgment = namedtuple("Judgment", "query_id doc_id relevance iteration")
Short = namedtuple("Short", "query_id text")
Titled = namedtuple("Titled", "query_id title description")

ID = "beir/tiny/test"
RUNS = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}}}


class Collection:
    def __init__(self, judgments=(), topics=()):
        self.judgments, self.topics = judgments, topics

    def has_qrels(self):
        return bool(self.judgments)

    def has_queries(self):
        return bool(self.topics)

    def qrels_iter(self):
        return iter(self.judgments)

    def queries_iter(self):
        return iter(self.topics)


class Unreachable(Collection):
    def qrels_iter(self):
        raise OSError("no network\nat all")

    queries_iter = qrels_iter


TINY = Collection([Judgment("1", "d1", 2, "0"), Judgment("1", "d2", 0, "0")], [Short("1", "blue whales")])


@pytest.fixture
def installed(monkeypatch):
    """Put a package in the place of ir_datasets, which would download."""
    held = {
        ID: TINY,
        "vaswani": TINY,
        "old/titles": Collection(topics=[Titled("1", "bears", "black ones")]),
        "far/away": Unreachable(TINY.judgments, TINY.topics),
        "twice/told": Collection([Judgment("1", "d1", 2, "0"), Judgment("1", "d1", 1, "1")]),
    }
    module = ModuleType("ir_datasets")
    module.load = lambda name: held[name]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)


@pytest.fixture
def missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)


@pytest.mark.usefixtures("installed")
def test_judgments_and_texts_come_from_the_collection():
    assert md.read_qrels(ID).to_dict() == {"1": {"d1": 2, "d2": 0}}
    assert md.read_qrels("vaswani").topics == ("1",)
    assert md.read_queries(ID).to_dict() == {"1": "blue whales"}
    assert md.read_queries("old/titles").to_dict() == {"1": "bears"}
    assert md.evaluate(ID, RUNS, "P@1")["P@1"].values.tolist() == [[1.0], [0.0]]


@pytest.mark.usefixtures("installed")
def test_a_study_of_a_collection_names_it_and_is_repeated_by_its_id(tmp_path):
    for name, topics in RUNS.items():
        md.read_run(topics, name=name).to_trec(tmp_path / f"{name}.run")
    files = [str(tmp_path / f"{name}.run") for name in RUNS]
    study = md.Study.from_files(ID, files, "P@1", queries=ID, fuse=False)
    assert dict(study.queries) == {"1": "blue whales"}
    judgments, *_, texts = study.sources
    assert (judgments.name, judgments.dataset, judgments.sha256) == (ID, True, None)
    assert (texts.name, texts.role, texts.dataset) == (ID, "queries", True)
    assert command(study).startswith(f"measurand report {ID} ")
    assert f"--queries {ID}" in command(study)
    assert f"queries={ID!r}" in in_python(study)


@pytest.mark.usefixtures("installed")
def test_what_goes_wrong_with_a_collection_is_one_line():
    for name, read, why in [
        ("beir/nothing", md.read_qrels, "there is no such file, and ir_datasets has no such id"),
        ("beir/nothing", md.read_queries, "there is no such file, and ir_datasets has no such id"),
        ("nothing", md.read_qrels, "there is no such file; check the path"),
        ("old/titles", md.read_qrels, "this collection of ir_datasets has no judgments"),
        ("twice/told", md.read_queries, "this collection of ir_datasets has no texts of topics"),
        ("twice/told", md.read_qrels, "twice/told: document d1 stands twice in topic 1"),
        ("far/away", md.read_qrels, "ir_datasets cannot read it, which may take a network (no network at all)"),
        ("far/away", md.read_queries, "ir_datasets cannot read it, which may take a network (no network at all)"),
    ]:
        with pytest.raises(InputFileError) as caught:
            read(name)
        assert str(caught.value).startswith(f"{name}: ")
        assert why in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize("read", [md.read_qrels, md.read_queries])
def test_without_the_package_an_id_says_how_to_install_it(read):
    with pytest.raises(InputFileError, match=r"there is no such file; .* pip install ir_datasets"):
        read("msmarco-passage/trec-dl-2019")


@pytest.mark.usefixtures("missing")
def test_a_missing_file_is_not_taken_for_an_id(tmp_path):
    for path in ("nowhere/qrels.txt", "./nowhere/test", "/nowhere/test", "Nowhere/Test", "vaswani"):
        with pytest.raises(InputFileError) as caught:
            md.read_qrels(path)
        assert "ir_datasets" not in str(caught.value)


@pytest.mark.usefixtures("installed")
def test_a_file_of_the_same_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beir" / "tiny").mkdir(parents=True)
    (tmp_path / ID).write_text("7 0 d9 1\n")
    assert md.read_qrels(ID).topics == ("7",)
    assert not is_dataset(ID)
    # nor is anything looked for elsewhere that should stand in a folder that there is
    with pytest.raises(InputFileError, match="there is no such file; did you mean"):
        md.read_qrels("beir/tiny/tests")


@pytest.mark.usefixtures("installed")
def test_topics_that_say_their_text_in_another_way_are_read(monkeypatch):
    spoken = SimpleNamespace(query_id=3, default_text=lambda: "whales")
    monkeypatch.setattr(sys.modules["ir_datasets"], "load", lambda _: Collection(topics=[spoken]))
    assert md.read_queries("some/spoken").to_dict() == {"3": "whales"}


def test_collections_of_the_package_itself_are_read(tmp_path, monkeypatch):
    package = pytest.importorskip("ir_datasets")
    (tmp_path / "queries.tsv").write_text("1\tblue whales\n2\tblack bears\n")
    (tmp_path / "qrels.txt").write_text("1 0 d1 2\n2 0 d2 1\n")
    made = package.create_dataset(queries_tsv=str(tmp_path / "queries.tsv"), qrels_trec=str(tmp_path / "qrels.txt"))
    monkeypatch.setattr(package, "load", lambda _: made)
    assert md.read_queries("my/own").to_dict() == {"1": "blue whales", "2": "black bears"}
    assert md.read_qrels("my/own").to_dict() == {"1": {"d1": 2}, "2": {"d2": 1}}
    # and the dataset itself, and what it yields
    for given in (made, made.qrels_iter(), made.qrels):
        assert md.read_qrels(given).to_dict() == {"1": {"d1": 2}, "2": {"d2": 1}}
    assert md.read_queries(made).to_dict() == {"1": "blue whales", "2": "black bears"}
