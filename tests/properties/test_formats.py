"""Formats of files: what is written in one is read from it, and quick readers read what the definition says."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import InputFileError
from measurand.trec import formats, read_qrels, read_run
from measurand.trec.files import Content
from measurand.trec.formats import json_files

names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=5).filter(
    # a topic that is called as a key of rows is, such as qrels or hits, would be taken for one
    lambda name: not name.startswith(("#", "\ufeff")) and not name.isalpha()
)
scores = st.floats(allow_nan=False, allow_infinity=False)
runs = st.dictionaries(names, st.dictionaries(names, scores, min_size=1, max_size=4), min_size=1, max_size=3)
judgments = st.dictionaries(
    names, st.dictionaries(names, st.integers(-2, 127), min_size=1, max_size=4), min_size=1, max_size=3
)


def rows_of(nested) -> list[tuple]:
    return [(topic, document, value) for topic, each in nested.items() for document, value in each.items()]


def columns(nested) -> str:
    return "".join(f"{topic}\t{document}\t{value!r}\n" for topic, document, value in rows_of(nested))


def table(nested) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["qid", "docno", "score"])
    writer.writerows(rows_of(nested))
    return text.getvalue()


def rows(nested) -> str:
    return "".join(json.dumps(dict(zip(("qid", "docno", "score"), row, strict=True))) + "\n" for row in rows_of(nested))


def hits(nested) -> str:
    found = [
        {"qid": topic, "hits": [{"id": document, "score": value} for document, value in each.items()]}
        for topic, each in nested.items()
    ]
    return json.dumps(found, ensure_ascii=False)


def read_by(read, data: bytes, form: str | None, quick: bool):
    """Return what is read from a file, by the definitions alone or by what is quicker where it can."""
    with pytest.MonkeyPatch.context() as patch:
        if not quick:
            patch.setattr(json_files, "lines_alike", lambda content, form: None)
        return read(Content("x", data), form, quick)


WRITERS = {"scores": columns, "csv": table, "jsonl": rows, "json": hits}


@pytest.mark.parametrize("form", WRITERS)
@given(nested=runs)
def test_a_run_is_read_from_what_was_written(form, nested):
    data = WRITERS[form](nested).encode()
    found = [read_by(formats.read_runs, data, form, quick)[0] for quick in (False, True)]
    assert [run.to_dict() for run in found] == [nested, nested]


@given(key=st.text(max_size=4) | st.sampled_from(["a(", "n[", "p|q", "x.y", "\ud800"]), escaped=st.booleans())
def test_keys_of_any_characters_stand_beside_those_that_are_read(key, escaped):
    row = {"qid": "1", "docno": "%s", "score": 2.5, f"more {key}": 1}
    text = json.dumps(row, ensure_ascii=escaped or not key.isprintable()) + "\n"
    data = (text.replace("%s", "d1") + text.replace("%s", "d2")).encode()
    for quick in (False, True):
        [run] = read_by(formats.read_runs, data, "jsonl", quick)
        assert run.to_dict() == {"1": {"d1": 2.5, "d2": 2.5}}


@pytest.mark.parametrize("form", ["tsv", "jsonl", "json"])
@given(nested=judgments)
def test_judgments_are_read_from_what_was_written(form, nested):
    data = {**WRITERS, "tsv": table}[form](nested).encode()
    found = [read_by(formats.read_qrels, data, form, quick).to_dict() for quick in (False, True)]
    assert found == [nested, nested]


tokens = [
    *"1ab.,;\t\" '{}[]:#",
    "\n",
    "\n",
    "\r\n",
    "qid,docno,score\n",
    "1,a,2\n",
    "1\ta\t1\n",
    "1\tb\t2\n",
    "1 0 a 1\n",
]
objects = [
    '{"qid": "1", "docno": "a", "score": 2}\n',
    '{"qid": 1, "docno": "b", "score": 1e5}\n',
    '{"1": {"a": 2}}',
    "é",
]
parts = st.sampled_from([*tokens, *objects])
starts = st.sampled_from(
    ["", "qid,docno,score\n", "query-id\tcorpus-id\tscore\n", '{"qid": "1", "docno": "c", "score": 1}\n']
)


@pytest.mark.parametrize("kind", ["run", "qrels"])
@given(start=starts, rest=st.lists(parts, max_size=12))
def test_any_file_is_read_or_refused_in_one_line_and_alike_by_quick_readers(kind, start, rest):
    data = (start + "".join(rest)).encode()
    read = formats.read_runs if kind == "run" else formats.read_qrels

    def answer(quick):
        try:
            found = read_by(read, data, None, quick)
        except InputFileError as error:
            return str(error)
        return [(each.to_dict(), each.caveats) for each in (found if kind == "run" else [found])]

    found = answer(False)
    assert found == answer(True)
    assert "\n" not in found


@given(nested=runs)
def test_a_list_of_documents_is_a_ranking(nested):
    lists = {topic: list(each) for topic, each in nested.items()}
    run = read_run(io.StringIO(json.dumps(lists)))
    kept = run.down_to(10)
    assert {topic: list(kept.documents_of(topic)) for topic in kept.topics} == lists


@given(nested=judgments)
def test_a_request_of_rank_eval_holds_its_ratings(nested):
    requests = [
        {"id": topic, "ratings": [{"_id": document, "rating": grade} for document, grade in each.items()]}
        for topic, each in nested.items()
    ]
    assert read_qrels(io.StringIO(json.dumps({"requests": requests, "metric": {}}))).to_dict() == nested
