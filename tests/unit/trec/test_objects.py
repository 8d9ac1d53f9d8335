"""Objects of Python in the place of files: rows, rankings, and what other tools have runs and judgments in."""

from __future__ import annotations

import json
from collections import OrderedDict, namedtuple
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import measurand as md
from measurand.errors import CallError, InputError, InputFileError, MeasurandError
from measurand.trec.sources import is_by_name

ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")
TrecQrel = namedtuple("TrecQrel", "query_id doc_id relevance iteration")
TrecPrel = namedtuple("TrecPrel", "query_id doc_id relevance method iprob")
TrecSubQrel = namedtuple("TrecSubQrel", "query_id doc_id relevance subtopic_id")

SCORES = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
GRADES = {"1": {"a": 2, "b": 0}, "2": {"c": 1}}
TRIPLES = [(topic, document, score) for topic, scores in SCORES.items() for document, score in scores.items()]
JUDGED = [(topic, document, grade) for topic, grades in GRADES.items() for document, grade in grades.items()]

RUN_ROWS = {
    "triples": TRIPLES,
    "lists": [list(row) for row in TRIPLES],
    "named tuples": [ScoredDoc(*row) for row in TRIPLES],
    "objects": [SimpleNamespace(qid=t, docno=d, score=s) for t, d, s in TRIPLES],
    "dictionaries": [{"qid": t, "docno": d, "score": s, "rank": 9, "vector": [1, 2]} for t, d, s in TRIPLES],
    "of Hugging Face": [{"query-id": t, "corpus-id": d, "score": s} for t, d, s in TRIPLES],
    "numbers for names": [(int(t), d, np.float64(s)) for t, d, s in TRIPLES],
    "not by topic": [TRIPLES[0], TRIPLES[2], TRIPLES[1]],
    "dictionaries of two kinds": [OrderedDict(qid="1", docno="a", score=2.5)]
    + [{"qid": t, "docno": d, "score": s} for t, d, s in TRIPLES[1:]],
}


@pytest.mark.parametrize("rows", RUN_ROWS.values(), ids=RUN_ROWS)
def test_rows_of_every_kind_are_a_run(rows):
    assert md.read_run(rows).to_dict() == SCORES
    assert md.read_run(iter(rows), name="mine").to_dict() == SCORES
    (run,) = md.read_runs(row for row in rows)
    assert (run.name, run.to_dict()) == ("run", SCORES)
    assert md.evaluate({"1": {"a": 1}}, rows, "P@1")["P@1"].values.tolist() == [[1.0]]


@pytest.mark.parametrize("named", ["relevance", "label", "rel", "grade", "rating", "score"])
def test_rows_of_every_kind_are_judgments(named):
    rows = [{"query_id": t, "doc_id": d, named: g} for t, d, g in JUDGED]
    for given in (rows, iter(rows), tuple(rows), JUDGED, [TrecQrel(*row, "0") for row in JUDGED]):
        assert md.read_qrels(given).to_dict() == GRADES
    assert md.evaluate(iter(rows), iter(TRIPLES), "P@1")["P@1"].values.tolist() == [[1.0, 0.0]]


def test_a_generator_is_gone_through_once():
    rows = iter(TRIPLES)
    md.read_run(rows)
    with pytest.raises(CallError, match="there are no rows"):
        md.read_run(rows)


def test_rows_are_judged_whether_they_come_one_by_one_or_as_several_runs():
    assert md.judge(iter(TRIPLES), JUDGED).systems == ("run",)
    assert md.judge({"x": iter(TRIPLES), "y": TRIPLES}, JUDGED).systems == ("x", "y")
    several = (md.read_run(TRIPLES, name=name) for name in "xy")
    assert md.judge(several, JUDGED).systems == ("x", "y")
    assert md.fuse([TRIPLES, TRIPLES], "combsum").topics == ("1", "2")
    assert repr(md.gate(iter(JUDGED), iter(TRIPLES), {"1": ["b", "a"]}, "RR").of("RR")) == "<MeasureGate RR: undecided>"


def test_a_field_of_systems_parts_rows_into_runs():
    rows = [{"qid": "1", "docno": "a", "score": 1, "system": name} for name in "xy"]
    assert [run.name for run in md.read_runs(rows)] == ["x", "y"]


def test_a_judgment_that_is_said_again_in_rows_is_noted():
    (caveat,) = md.read_qrels([*JUDGED, JUDGED[0]]).caveats
    assert str(caveat).startswith("the rows: 1 judgment said more than once")


@pytest.mark.parametrize(
    "ranking",
    [
        ["b", "a", "c"],
        ("b", "a", "c"),
        [("b", 0.5), ("a", 0.25), ("c", 0.125)],
        [{"corpus_id": "b", "score": 0.5}, {"corpus_id": "a", "score": 0.25}, {"corpus_id": "c", "score": 0.125}],
        [{"_id": "b", "_score": 0.5}, {"_id": "a", "_score": 0.25}, {"_id": "c", "_score": 0.125}],
        [SimpleNamespace(docid=name, score=score) for name, score in (("b", 0.5), ("a", 0.25), ("c", 0.125))],
    ],
    ids=["list", "tuple", "pairs", "hits", "hits of Elasticsearch", "hits of Pyserini"],
)
def test_a_ranking_is_in_the_order_of_its_list(ranking):
    for ties in ("trec", "file"):
        judged = md.judge({"1": ranking, "2": []}, {"1": {"a": 1, "b": 2}}, ties=ties)
        assert judged.grades.tolist() == [[[2, 1, -1]]]
    assert md.judge({"x": {"1": ranking}}, {"1": {"a": 1}}).systems == ("x",)


def test_ranks_are_scores_where_there_are_no_others():
    frame = {"qid": ["1", "1"], "pid": ["a", "b"], "rank": [2, 1]}
    for given in (pl.DataFrame(frame), pd.DataFrame(frame), pl.DataFrame(frame).to_dicts()):
        assert md.read_run(given).to_dict() == {"1": {"a": 0.5, "b": 1.0}}
    zeroed = [{"qid": "1", "pid": name, "rank": rank} for rank, name in enumerate("ab")]
    assert md.read_run(zeroed).to_dict() == {"1": {"a": 1.0, "b": 0.5}}
    for rank in (-1, 1.5):
        with pytest.raises(InputError, match="column 'rank' has values that are no whole numbers from 1"):
            md.read_run(pl.DataFrame(frame | {"rank": [float(rank), 1.0]}))


def test_relevant_documents_alone_have_grade_1():
    qrels = md.read_qrels({"1": {"b", "a"}, "2": ["c"], "3": ()})
    assert qrels.to_dict() == {"1": {"a": 1, "b": 1}, "2": {"c": 1}}
    assert str(*qrels.caveats) == "documents are listed without grades; all have grade 1"
    assert md.read_qrels(GRADES).caveats == md.read_qrels(ASKED).caveats == ()


class Ranx:
    """What a Run and a Qrels of ranx have in common."""

    def __init__(self, nested, name):
        self.nested, self.name = nested, name

    def get_doc_ids_and_scores(self):
        return None

    def to_dict(self):
        return self.nested


def test_objects_of_ranx_are_read_and_not_taken_for_one_another():
    run, qrels = Ranx(SCORES, "bm25"), Ranx(GRADES, None)
    run.run, qrels.qrels = SCORES, GRADES
    assert (md.read_run(run).name, md.read_run(run).to_dict()) == ("bm25", SCORES)
    assert md.read_qrels(qrels).to_dict() == GRADES
    assert md.evaluate(qrels, [run], "P@1").systems == ("bm25",)
    assert is_by_name({"x": run})
    with pytest.raises(CallError, match=r"judgments .* stand where a run is expected"):
        md.read_run(qrels)
    with pytest.raises(CallError, match=r"a run .* stands where qrels are expected"):
        md.read_qrels(run)


ASKED = {
    "requests": [
        {"id": "1", "request": {}, "ratings": [{"_index": "i", "_id": "a", "rating": 2}, {"_id": "b", "rating": 0}]},
        {"id": "2", "request": {}, "ratings": [{"_index": "i", "_id": "c", "rating": 1}]},
    ],
    "metric": {"precision": {"k": 10}},
}
RANKED = {"a": 1.0, "b": 0.5}
HITS = [{"hit": {"_id": "a", "_score": 2.5}, "rating": 2}, {"hit": {"_id": "b", "_score": 1.5}, "rating": None}]
ANSWERED = {
    "metric_score": 0.5,
    "details": {"1": {"hits": HITS}, "2": {"hits": [{"hit": {"_id": "a", "_score": None}, "rating": None}]}},
    "failures": {},
}


def test_requests_and_responses_of_rank_eval_are_read():
    assert md.read_qrels(ASKED).to_dict() == GRADES
    assert md.read_run(ANSWERED).to_dict() == {"1": {"a": 1.0, "b": 0.5}, "2": {"a": 1.0}}
    with pytest.raises(CallError, match="this is a response of _rank_eval, which rates no more than what was found"):
        md.read_qrels(ANSWERED)
    assert md.evaluate(ASKED, ANSWERED, "P@1")["P@1"].values.tolist() == [[1.0, 0.0]]
    with pytest.raises(CallError, match="a request of _rank_eval, which holds judgments"):
        md.read_run(ASKED)
    with pytest.raises(InputError, match="two requests have the id 1"):
        md.read_qrels({"requests": [ASKED["requests"][0]] * 2})
    with pytest.raises(InputError, match="document a of topic 1 has no rating"):
        md.read_qrels({"requests": [{"id": "1", "ratings": [{"_id": "a"}]}]})


def test_what_rank_eval_says_in_memory_is_what_it_says_in_a_file(tmp_path):
    rising = {"details": {"1": {"hits": [{"hit": {"_id": name, "_score": i}} for i, name in enumerate("ab", 1)]}}}
    (tmp_path / "response.json").write_text(json.dumps(rising))
    assert md.read_run(rising).to_dict() == md.read_run(tmp_path / "response.json").to_dict() == {"1": RANKED}
    with pytest.raises(InputError, match="two requests have the id 1"):
        md.read_qrels({"requests": [{**ASKED["requests"][0], "id": name} for name in (1, "1")]})


class HuggingFace:
    """What a dataset of Hugging Face has; its rows may be filtered, so they are asked for."""

    column_names = ("query-id", "corpus-id", "score")

    def to_pandas(self):
        return pd.DataFrame(JUDGED, columns=self.column_names)


def test_a_dataset_of_hugging_face_is_a_frame():
    assert md.read_qrels(HuggingFace()).to_dict() == GRADES
    with pytest.raises(CallError, match=r"a dictionary of frames \(train, test\); give one: data\['train'\]"):
        md.read_qrels({"train": HuggingFace(), "test": HuggingFace()})


class Collection:
    def __init__(self, judgments=(), scored=()):
        self.judgments, self.scored = judgments, scored

    def dataset_id(self):
        return "tiny/test"

    def has_scoreddocs(self):
        return bool(self.scored)

    def qrels_iter(self):
        return iter(self.judgments)

    def scoreddocs_iter(self):
        return iter(self.scored)


def test_a_dataset_of_ir_datasets_has_judgments_and_a_run():
    whole = Collection([TrecQrel(*row, "0") for row in JUDGED], [ScoredDoc(*row) for row in TRIPLES])
    assert md.read_qrels(whole).to_dict() == GRADES
    assert md.read_run(whole, name="first stage").to_dict() == SCORES
    assert md.evaluate(whole, {"x": whole, "y": TRIPLES}, "P@1").systems == ("x", "y")
    with pytest.raises(InputFileError, match="tiny/test: this collection of ir_datasets has no scored documents"):
        md.read_run(Collection())
    with pytest.raises(InputFileError, match="tiny/test: these are subtopic judgments"):
        md.read_qrels(Collection([TrecSubQrel("1", "a", 1, "3")]))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "qrels are empty"),
        (iter([]), "there are no rows"),
        (iter(["a.qrels"]), "'a.qrels' (str) is no row that judgments can be read from"),
        ([{"qid": "1", "label": 1}], "has no document or doc_id or docno"),
        ([{"docno": "a", "label": 1}], "has no topic or query_id or qid"),
        ([{"qid": "1", "docno": "a"}], "has no grade or relevance or label or rel or rating or score; add it"),
        ([{"qid": "1", "docno": "a", "label": 1}, {"qid": "1", "label": 1}], "row 2 ({'label': 1, 'qid': '1'} (dict))"),
        ([{"qid": "1", "docno": "a", "label": 1}, ("1", "b", 1)], "row 2 is ('1', 'b', 1) (tuple) and the first {"),
        ([("1", "a", 1), TrecQrel("1", "b", 1, "0")], "and the first ('1', 'a', 1) (tuple); all rows must be alike"),
        ([("1", "0", "a", 1)], "row 1 (('1', '0', 'a', 1) (tuple)) has 4 values; wanted are (topic, document, grade)"),
        ([("1", "a", 1), ("1", "b")], "row 2 (('1', 'b') (tuple)) has 2 values"),
        ([("1", "a", 1), (None, "b", 1)], "row 2: None is no topic; identifiers are texts or whole numbers"),
        ([("1", 2.5, 1)], "row 1: 2.5 (float) is no document"),
        ([("1", "a", 1), ("1", "b", None)], "column 'grade' has missing values"),
        ([("1", "a", 1), ("1", "a", 2)], "document a stands twice in topic 1"),
        ([TrecSubQrel("1", "a", 1, "3")], "these are subtopic judgments"),
        ([TrecPrel("1", "a", 1, 0, 0.5)], "sampled judgments (prel"),
        (
            pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1], "subtopic_id": ["3"]}),
            "these are subtopic judgments",
        ),
        ({"1": ["a", "a"]}, "document a stands twice in topic 1"),
        ({"1": ["a", None]}, "topic '1': None is no document"),
        ({"qid": "1", "docno": "a", "label": 1}, "this is one row"),
    ],
)
def test_what_is_wrong_with_judgments_is_said_in_one_line(rows, message):
    with pytest.raises(MeasurandError) as caught:
        md.read_qrels(rows)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"1": {"a", "b"}}, "topic '1' maps to a set, which has no order"),
        ({"1": ["a", "a"]}, "document a stands twice in topic 1"),
        ({"1": [1, "1"]}, "document 1 stands twice in topic 1"),
        ({"1": [("a", 1.0), ("b",)]}, "a ranking holds documents or pairs (document, score), not ('b',) (tuple)"),
        ({"1": [("a", "high")]}, "a score is not a number"),
        ({"1": ["a"], "2": 3}, "topic '2' maps to int"),
        ({"1": [{"docid": "a"}]}, "has no score"),
        ([("1", "a", float("nan"))], "score nan is not finite"),
        ([("1", "a", 1.0), ("1", "b", "high")], "a score is not a number"),
        ([("1", "a", Fraction(1, 3)), ("1", "b", object())], "a score is not a number"),
        ([("1", "a", 1), ("1", "a", 1)], "document a stands twice in topic 1"),
    ],
)
def test_what_is_wrong_with_a_run_is_said_in_one_line(given, message):
    with pytest.raises(MeasurandError) as caught:
        md.read_run(given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
