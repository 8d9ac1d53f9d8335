"""Formats of files: what each may look like, and what is said of files that have none."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from measurand import InputFileError, ParameterError, read_qrels, read_run, read_runs
from measurand.errors import CallError, CaveatKind

SCORED = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
RANKED = {"1": {"a": 1.0, "b": 0.5}, "2": {"a": 1.0}}
GRADED = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}

ROWS = [{"query_id": t, "doc_id": d, "score": s} for t, each in SCORED.items() for d, s in each.items()]
HITS = [{"query_id": t, "results": [{"doc_id": d, "score": s} for d, s in each.items()]} for t, each in SCORED.items()]
RESPONSE = {
    "metric_score": 0.4,
    "details": {
        topic: {"unrated_docs": [], "hits": [{"hit": {"_id": d, "_score": s}, "rating": None} for d, s in each.items()]}
        for topic, each in SCORED.items()
    },
    "failures": {},
}
REQUEST = {
    "requests": [
        {
            "id": t,
            "request": {"query": {}},
            "ratings": [{"_index": "i", "_id": d, "rating": g} for d, g in each.items()],
        }
        for t, each in GRADED.items()
    ],
    "metric": {"precision": {"k": 5}},
}


def lines_of(values) -> bytes:
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def renamed(row: dict, *names: str) -> dict:
    return dict(zip(names, row.values(), strict=True))


RUNS = {
    "three columns": b"1\ta\t2.5\n1\tb\t1.5\n2\ta\t0.5\n",
    "three columns, spaced out": b"# scores\r\n1  a 2.5\r\n\r\n2 a 0.5\r\n 1 b\t1.5\r\n",
    "ColBERT's": b"1\ta\t1\t2.5\n1\tb\t2\t1.5\n2\ta\t1\t0.5\n",
    "BEIR's header": b"query-id\tcorpus-id\tscore\n1\ta\t2.5\n1\tb\t1.5\n2\ta\t0.5\n",
    "CSV": b"qid,docno,rank,score\n1,a,1,2.5\n1,b,2,1.5\n2,a,1,0.5\n",
    "CSV of a spreadsheet": b'\xef\xbb\xbf"Q_ID";"Doc_ID";"Score"\r\n"1";"a";"2.5"\r\n\r\n"1";"b";1.5\r\n"2";a;.5',
    "CSV with spaces": b"qid, docno, score\n1, a, 2.5\n1, b , 1.5\n2, a, 0.5\n",
    "a header with spaces": b"# from a notebook\nqid  docno score\n1 a 2.5\n1 b 1.5\n2 a 0.5\n",
    "a header above TREC's columns": b"topic Q0 docno rank score\n1 Q0 a 1 2.5\n1 Q0 b 2 1.5\n2 Q0 a 1 0.5\n",
    "JSON": json.dumps(SCORED).encode(),
    "JSON, indented": json.dumps(SCORED, indent=2).encode(),
    "JSON with texts for scores": json.dumps({"1": {"a": "2.5", "b": "1.5"}, "2": {"a": "0.5"}}).encode(),
    "pairs": json.dumps({topic: [[d, s] for d, s in each.items()] for topic, each in SCORED.items()}).encode(),
    "rows": json.dumps(ROWS).encode(),
    "rows, a line each": lines_of(ROWS),
    "rows under other names": lines_of([renamed(row, "query-id", "corpus-id", "score") for row in ROWS]),
    "rows with numbers for names": lines_of([{**row, "query_id": int(row["query_id"]), "rank": 7} for row in ROWS]),
    "topics with hits": json.dumps(HITS).encode(),
    "topics with hits, a line each": lines_of(HITS),
    "topics with objects for queries": lines_of(
        [{"query": {"qid": each["query_id"], "text": "x"}, "candidates": each["results"]} for each in HITS]
    ),
    "a topic a line": lines_of([{topic: each} for topic, each in SCORED.items()]),
    "a response of _rank_eval": json.dumps(RESPONSE, indent=1).encode(),
}


@pytest.mark.parametrize("data", RUNS.values(), ids=RUNS)
def test_a_run_with_scores_may_have_many_formats(run_in, data):
    assert run_in(data) == SCORED


def unscored(response: dict) -> dict:
    text = json.dumps(response).replace('"_score": 2.5', '"_score": null')
    return json.loads(text)


RANKINGS = {
    "MS MARCO's": b"1\ta\t1\n1\tb\t2\n2\ta\t1\n",
    "MS MARCO's, interleaved": b"1 a 1\n2 a 1\n1 b 2\n",
    "a table with ranks": b"qid,docno,rank\n1,b,2\n1,a,1\n2,a,1\n",
    "a table with ranks from 0": b"qid,docno,rank\n1,b,1\n1,a,0\n2,a,0\n",
    "lists": json.dumps({topic: list(each) for topic, each in SCORED.items()}).encode(),
    "rows with ranks": lines_of(
        [renamed(row, "qid", "docno", "rank") | {"rank": r} for row, r in zip(ROWS, (1, 2, 1), strict=True)]
    ),
    "a response of _rank_eval without scores": json.dumps(unscored(RESPONSE)).encode(),
}


@pytest.mark.parametrize("data", RANKINGS.values(), ids=RANKINGS)
def test_a_rank_without_a_score_has_its_reciprocal_for_a_score(run_in, data):
    found = run_in(data)
    assert {topic: dict(sorted(each.items())) for topic, each in found.items()} == RANKED


JUDGMENTS = {
    "BEIR's": b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n",
    "CSV": b"label,docno,qid\n1,a,1\n0,b,1\n2,a,2\n",
    "three columns": b"1\ta\t1\n1\tb\t0\n2\ta\t2\n",
    "MS MARCO's": b"1\t0\ta\t1\n1\t0\tb\t0\n2\t0\ta\t2\n",
    "JSON": json.dumps(GRADED).encode(),
    "rows, a line each": lines_of(
        [{"query-id": t, "corpus-id": d, "score": g} for t, each in GRADED.items() for d, g in each.items()]
    ),
    "a request of _rank_eval": json.dumps(REQUEST).encode(),
    "a data set": json.dumps({"queries": {"1": "x"}, "corpus": {}, "qrels": GRADED}).encode(),
}


@pytest.mark.parametrize("data", JUDGMENTS.values(), ids=JUDGMENTS)
def test_judgments_may_have_many_formats(qrels_in, data):
    assert qrels_in(data) == GRADED


def test_documents_listed_without_grades_have_grade_1_and_that_is_said():
    qrels = read_qrels(io.BytesIO(b'{"relevant_docs": {"1": ["a", "b"]}, "queries": {"1": "x"}}'))
    assert qrels.to_dict() == {"1": {"a": 1, "b": 1}}
    assert [str(caveat) for caveat in qrels.caveats] == [
        "<open file>: documents are listed without grades; all have grade 1"
    ]


def test_ranks_and_three_columns_of_judgments_are_said_to_be_taken_for_what_they_are():
    (caveat,) = read_run(io.BytesIO(RANKINGS["MS MARCO's"])).caveats
    assert (caveat.kind, "are taken for ranks" in caveat.text) == (CaveatKind.FORMAT, True)
    (caveat,) = read_qrels(io.BytesIO(JUDGMENTS["three columns"])).caveats
    assert (caveat.kind, "topic, document and grade" in caveat.text) == (CaveatKind.FORMAT, True)


@pytest.mark.parametrize(
    ("data", "first"),
    [
        (b"1 a 3\n1 b 2\n1 c 1\n", "a"),  # falls as the lines go on: scores
        (b"1 a 3\n1 b 9\n1 c 3\n", "b"),  # no two documents have one rank
        (b"1 a 1.0\n1 b 2.5\n", "b"),
    ],
)
def test_numbers_that_cannot_be_ranks_are_scores(reader, data, first):
    assert list(read_run(io.BytesIO(data)).down_to(1).documents) == [first]


@pytest.mark.parametrize("data", [b"1 a 2\n1 b 3\n", b"1 a 2\n1 b 1\n1 c 3\n", b"1 a 0\n1 b 1\n"])
def test_numbers_that_could_be_ranks_or_scores_must_be_named(reader, data):
    with pytest.raises(InputFileError, match=r"ranks or scores; say which: --input-format msmarco for ranks"):
        read_run(io.BytesIO(data))
    best = [list(read_run(io.BytesIO(data), format=form).down_to(1).documents) for form in ("msmarco", "scores")]
    assert best[0] != best[1]


def test_a_table_with_a_column_of_runs_holds_several(reader):
    data = b"qid,docno,score,run\n1,a,2.5,x\n1,a,1.5,y\n"
    assert [run.name for run in read_runs(io.BytesIO(data))] == ["x", "y"]
    rows = lines_of([{"qid": "1", "docno": "a", "score": 2, "system": name} for name in "xy"])
    assert [run.name for run in read_runs(io.BytesIO(rows))] == ["x", "y"]


def test_names_with_spaces_are_kept_in_tables_and_in_json(run_in):
    assert run_in(b"qid\tdocno\tscore\nblue whales\tmy file.pdf\t2\n") == {"blue whales": {"my file.pdf": 2}}
    assert run_in('{"été": {"a,\\"b\\"": 2}}'.encode()) == {"été": {'a,"b"': 2}}
    assert run_in(b'qid,docno,score\n1,"a,""b""\nc",2\n') == {"1": {'a,"b"\nc': 2}}


def test_runs_without_tags_are_called_by_their_files(tmp_path):
    for name, data in {"dense.tsv": RUNS["three columns"], "lists.json": RANKINGS["lists"]}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(RUNS["rows, a line each"]))
    assert [run.name for run in read_runs(tmp_path)] == ["dense", "lists", "packed"]


WRONG_RUNS = {
    "a web page": (b"<!DOCTYPE html>\n", r"x:1: is a web page \(HTML\), no file of data; take the address of the raw"),
    "no format": (b"<data>\n", r"x:1: no format fits\. TREC: 1 column where a run has 6 .*; JSON: begins with neither"),
    "three words": (b"\n1 Q0 a\n", r"x:2: no format fits.* three columns \(topic document score\): score 'a' is not"),
    "a stray score": (b"1 a 2.5\n1 b high\n", r"x:2: score 'high' is not a number"),
    "a document twice": (b"1 a 2.5\n1 a 1.5\n", r"x:2: document a stands twice in topic 1: lines 1 and 2"),
    "a header without scores": (b"qid,docno,foo\n1,a,2\n", r"x:1: the header \(qid, docno, foo\) names no score"),
    "a header alone": (b"qid,docno,score\n", "x: has a header and no rows"),
    "a row too short": (
        b"qid,docno,score\n1,a,2\n1,b\n",
        r"x:3: 2 columns where the header has 3 \(qid, docno, score\)",
    ),
    "an empty field": (b"qid,docno,score\n1,,2\n", "x:2: column docno is empty"),
    "a stray score in a table": (b"qid,docno,score\n1,a,nan\n", "x:2: score 'nan' is not finite"),
    "a stray rank": (b"qid\tdocno\trank\n1\ta\t1.5\n", "x:2: rank '1.5' is not a whole number from 1"),
    "an open quotation": (b'qid,docno,score\n1,"a,2\n', r"x:\d: is no CSV"),
    "broken JSON": (b'{"1": {"a": 2.5,\n}}', "x:2: is no JSON"),
    "a broken line": (lines_of(ROWS) + b'{"query_id": "1"\n', "x:4: is no JSON"),
    "a key twice": (b'{"1": {"a": 2, "a": 3}}', "x: 'a' stands twice in one object"),
    "a row twice": (lines_of([ROWS[0], ROWS[0]]), "x:2: document a stands twice in topic 1: lines 1 and 2"),
    "a score that is an object": (b'{"1": {"a": {"b": 2}}}', r"x: document a of topic 1 has an object \(b\)"),
    "a score that is true": (b'{"1": {"a": true}}', "x: document a of topic 1: score true is not a number"),
    "a score that is no number": (b'{"1": {"a": NaN}}', "x: score 'NaN' is not finite"),
    "scores for some": (b'{"1": ["a"], "2": {"a": 2}}', "x: document a of topic 1 has no score, and others have one"),
    "texts": (
        b'{"_id": "1", "title": "", "text": "x"}\n',
        "an object with _id, title, text says nothing of a document",
    ),
    "two lists": (lines_of([{"1": ["a"]}, {"1": ["b"]}]), "x:2: topic 1 has two lists without scores"),
    "nothing": (b"{}", "x: no topic has a document"),
    "ranks of which one stands twice": (b"1 a 1\n1 b 2\n1 c 2\n1 d 3\n", "x: the third column has whole numbers that"),
    "a depth that cannot be": (b"[" * 100_000 + b"\n[\n", "x: is no JSON that can be read: it is nested too deeply"),
    "a request": (json.dumps(REQUEST).encode(), "x: is a request of _rank_eval, which holds judgments"),
}


class Named(io.BytesIO):
    name = "x"


@pytest.mark.parametrize(("data", "message"), WRONG_RUNS.values(), ids=WRONG_RUNS)
def test_a_wrong_run_is_refused_in_one_line_that_says_where(reader, data, message):
    with pytest.raises(InputFileError, match=message) as caught:
        read_run(Named(data))
    assert "\n" not in str(caught.value)


WRONG_JUDGMENTS = {
    "subtopics": (
        b"1 1 a 1\n1 2 a 0\n",
        r"x:2: these are subtopic judgments, .* of topic 1 has grade 1 in line 1 for subtopic 1 and 0 in line 2",
    ),
    "a column of subtopics": (b"qid,docno,label,subtopic_id\n", "x:1: these are subtopic judgments"),
    "rows of subtopics": (
        lines_of([{"query_id": "1", "doc_id": "a", "relevance": 1, "subtopic_id": 2}]),
        "x: these are subtopic judgments, .* no column subtopic_id",
    ),
    "a request twice": (json.dumps({"requests": REQUEST["requests"] * 2}).encode(), "two requests have the id 1"),
    "preferences": (b"301 g1 1 FR94-1 3.0\n", r"x:1: 5 columns .*: preference judgments \(trec_eval -R prefs"),
    "samples": (b"301 FR94-1 1 0 0.35\n", r"x:1: 5 columns .*: sampled judgments \(prel"),
    "ranks": (
        b"1 a 1\n1 b 2\n1 c 3\n1 d 4\n2 a 1\n",
        "x:1: the third column counts 1, 2, 3, …, as ranks do: is this a run",
    ),
    "ranks with gaps": (b"1 a 1\n1 b 2\n1 c 4\n1 d 7\n2 a 1\n", "x:1: the third column counts 1, 2, 3, …"),
    "a table of a run": (
        b"qid,docno,rank,score\n1,a,1,9.5\n",
        "x:1: there are ranks beside the scores, so this is a run",
    ),
    "rows of a run": (
        lines_of([{"query_id": "1", "doc_id": "a", "rank": 1, "score": 9.5}]),
        "x: there are ranks beside the scores, so this is a run",
    ),
    "a ranking of ColBERT": (
        b"".join(b"7 %d %d %.1f\n" % (90 + rank, rank, 9 - rank) for rank in range(1, 6)),
        "x:1: the third column counts 1, 2, 3, …, as the ranks of a ranking of ColBERT do",
    ),
    "a grade that is null beside a score": (
        lines_of([{"query_id": "1", "doc_id": "a", "relevance": None, "score": 9.5}]),
        "x: document a of topic 1 has no grade",
    ),
    "a response": (json.dumps(RESPONSE).encode(), "x: is a response of _rank_eval, which rates no more"),
    "two grades": (
        b"qid,docno,label\n1,a,1\n1,a,2\n",
        "x:3: document a of topic 1 has grade 1 in line 2 and 2 in line 3",
    ),
    "a missing grade": (b'{"1": [{"id": "a", "rating": 1}, {"id": "b"}]}', "document b of topic 1 has no grade"),
    "no topic": (b'{"ratings": [{"_id": "a", "rating": 1}]}', "does not say of which topic they are"),
}


@pytest.mark.parametrize(("data", "message"), WRONG_JUDGMENTS.values(), ids=WRONG_JUDGMENTS)
def test_wrong_judgments_are_refused_in_one_line_that_says_where(reader, data, message):
    with pytest.raises(InputFileError, match=message) as caught:
        read_qrels(Named(data))
    assert "\n" not in str(caught.value)


def test_a_judgment_said_again_in_another_iteration_is_no_subtopic(qrels_in):
    assert qrels_in(b"1 0 a 1\n1 1 a 1\n") == {"1": {"a": 1}}


def test_a_folder_of_beir_is_read_for_its_test_split(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text("{}")
    for split in ("test", "train"):
        (tmp_path / "qrels" / f"{split}.tsv").write_bytes(JUDGMENTS["BEIR's"])
    qrels = read_qrels(tmp_path)
    assert qrels.to_dict() == GRADED
    assert str(qrels.caveats[0]).endswith("test.tsv; there are also train")
    (tmp_path / "qrels" / "test.tsv").rename(tmp_path / "qrels" / "dev.tsv")
    with pytest.raises(InputFileError, match=r"has judgments of dev, train, and none called test; name one, such as"):
        read_qrels(tmp_path)


def test_a_format_that_is_named_is_insisted_on(reader):
    with pytest.raises(InputFileError, match="is no header: a table names its columns"):
        read_run(io.BytesIO(b"1 Q0 a 1 2.5 t\n"), format="beir")
    with pytest.raises(InputFileError, match="3 columns where a run has 6"):
        read_run(io.BytesIO(RUNS["three columns"]), format="trec")
    with pytest.raises(InputFileError, match="is neither a request of _rank_eval"):
        read_qrels(io.BytesIO(b'{"1": {"a": 1}}'), format="rank-eval")
    with pytest.raises(InputFileError, match=r"rank '2\.5' is not a whole number"):
        read_run(io.BytesIO(RUNS["three columns"]), format="msmarco")


def test_a_format_that_there_is_not_or_for_what_is_no_file_is_refused():
    with pytest.raises(ParameterError, match="did you mean 'msmarco'"):
        read_run("none", format="msmarko")
    with pytest.raises(ParameterError, match="scores is a format of runs"):
        read_qrels(io.BytesIO(b"1 0 a 1\n"), format="scores")
    with pytest.raises(CallError, match="says how to read a file"):
        read_runs([{"1": {"a": 1.0}}], format="trec")
