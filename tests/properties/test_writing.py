"""What is written can be read again, to the last bit, however it is packed."""

from __future__ import annotations

import csv
import gzip
import json
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand.native as native
from measurand import read_qrels, read_run

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), min_size=1, max_size=6).filter(
    lambda word: word.split() == [word]
)
topics = words.filter(lambda word: not word.startswith("#"))
scores = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([1.0, 0.0, -0.0, 0.1 + 0.2]))


def nested(values):
    return st.dictionaries(topics, st.dictionaries(words, values, min_size=1, max_size=6), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def new_path(tmp_path_factory):
    """Return a maker of fresh paths with a given ending."""
    folder, numbers = tmp_path_factory.mktemp("written"), count()
    return lambda ending: folder / f"{next(numbers)}{ending}"


@pytest.fixture(scope="module", params=[False, True], ids=["by lines", "in C"])
def reader(request):
    with pytest.MonkeyPatch.context() as patch:
        if not request.param:
            patch.setattr(native, "_found", None)
        yield


@pytest.mark.parametrize("ending", ["", ".gz", ".xz", ".bz2", ".zst"])
@settings(max_examples=10)
@given(run=nested(scores), name=words)
def test_a_run_comes_back_with_the_same_scores_and_the_same_ranking(new_path, reader, ending, run, name):
    path = new_path(ending)
    read_run(run, name=name).to_trec(path)
    again = read_run(path)
    assert (again.name, again.topics) == (name, tuple(run))
    for topic, expected in run.items():
        found = dict(zip(again.documents_of(topic), again.document_scores[again.rows(topic)].tolist(), strict=True))
        assert {document: score.hex() for document, score in found.items()} == {
            document: score.hex() for document, score in expected.items()
        }
        assert list(found) == sorted(expected, key=lambda document: (expected[document], document), reverse=True)


@pytest.mark.parametrize("ending", ["", ".gz", ".xz", ".bz2", ".zst"])
@settings(max_examples=10)
@given(qrels=nested(st.integers(-100, 127)))
def test_judgments_come_back_as_they_were(new_path, reader, ending, qrels):
    path = new_path(ending)
    read_qrels(qrels).to_trec(path)
    again = read_qrels(path)
    assert again.topics == tuple(qrels)
    for topic, expected in qrels.items():
        found = zip(again.documents_of(topic), again.grades[again.rows(topic)].tolist(), strict=True)
        assert list(found) == list(expected.items())


@settings(max_examples=10)
@given(run=nested(scores), name=words)
def test_writing_what_was_read_gives_the_same_file(new_path, run, name):
    first, second = new_path(""), new_path("")
    read_run(run, name=name).to_trec(first)
    read_run(first).to_trec(second)
    assert first.read_bytes() == second.read_bytes()


names = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), min_size=1, max_size=6
).filter(lambda name: name == name.strip() and name[0] not in '#"')


short = names.filter(lambda name: name.split() == [name])
"""Names without spaces, which stand in tables that may be parted by these."""


def rows(values):
    return st.dictionaries(names, st.dictionaries(names, values, min_size=1, max_size=6), min_size=1, max_size=4)


def in_order(nested) -> list:
    return [(topic, [(name, float(value).hex()) for name, value in inner.items()]) for topic, inner in nested.items()]


@settings(max_examples=13)
@given(run=rows(scores), qrels=rows(st.integers(-100, 127)))
def test_json_and_parquet_keep_every_bit_and_the_order_of_documents(new_path, run, qrels):
    for nested, made, read_again in (
        (run, read_run(run, name="a b"), read_run),
        (qrels, read_qrels(qrels), read_qrels),
    ):
        path = new_path(".json.gz")
        made.to_json(path)
        assert in_order(json.loads(gzip.decompress(path.read_bytes()))) == in_order(nested)
        path = new_path(".parquet")
        made.to_parquet(path)
        again = read_again(path)
        assert in_order(again.to_dict()) == in_order(nested)
        assert getattr(again, "name", "a b") == "a b"


@settings(max_examples=13)
@given(qrels=rows(st.integers(-100, 127)))
def test_beir_reads_the_judgments_that_are_written_for_it(new_path, qrels):
    path = new_path(".tsv")
    read_qrels(qrels).to_beir(path)
    with path.open(encoding="utf-8", newline="\n") as file:
        header, *found = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)  # as BEIR does it
    assert header == ["query-id", "corpus-id", "score"]
    assert [(topic, name, int(grade)) for topic, name, grade in found] == [
        (topic, name, grade) for topic, inner in qrels.items() for name, grade in inner.items()
    ]


@settings(max_examples=13)
@given(run=st.dictionaries(short, st.dictionaries(short, scores, min_size=1, max_size=6), min_size=1, max_size=4))
def test_ms_marco_ranks_documents_as_trec_eval_does(new_path, run):
    path = new_path(".tsv")
    read_run(run).to_msmarco(path)
    found = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    assert found == [
        [topic, name, str(rank)]
        for topic, inner in run.items()
        for rank, name in enumerate(sorted(inner, key=lambda name: (inner[name], name), reverse=True), 1)
    ]
