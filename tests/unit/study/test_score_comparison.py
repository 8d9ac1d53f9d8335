"""Comparisons of scores that another tool computed."""

import numpy as np
import pandas as pd
import pytest

import measurand as md
from measurand.study.score_sources import is_scores, read_scores


@pytest.fixture(scope="module")
def table():
    return md.evaluate(md.sample.qrels(), md.sample.runs()[:3], ["AP", "P@10"])


@pytest.fixture(scope="module")
def frame(table):
    """As pt.Experiment(perquery=True) returns it."""
    return table.to_pandas().rename(columns={"system": "name", "topic": "qid", "score": "value"})


def test_scores_alone_give_the_tests_and_the_order_that_runs_give(frame):
    runs = md.compare(md.sample.qrels(), md.sample.runs()[:3], ["AP", "P@10"])
    scores = md.compare(frame)
    for measure in ("AP", "P@10"):
        assert scores[measure].systems == runs[measure].systems
        assert np.array_equal(scores[measure].pairs.pvalues, runs[measure].pairs.pvalues)
        assert np.array_equal(scores[measure].scale.kappa, runs[measure].scale.kappa)
    assert "levels" not in scores.to_dict()
    assert "Only scores are known here" in str(scores)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_are_compared_as_frames_are(frame, tmp_path, ending):
    path = tmp_path / f"perquery.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    assert md.compare(path).to_dict() == md.compare(frame).to_dict()


def test_stored_scores_of_several_systems_are_compared(tmp_path):
    paths = []
    for run in md.sample.runs()[:2]:
        result = md.gate(md.sample.qrels(), run, run, "AP")
        paths.append(tmp_path / f"{result.candidate}.json")
        result.save_baseline(paths[-1])
    assert (
        md.compare(paths).primary.systems == md.compare(md.sample.qrels(), md.sample.runs()[:2], "AP").primary.systems
    )


def test_measures_go_by_any_of_their_names(frame):
    renamed = frame.replace({"measure": {"AP": "map", "P@10": "P_10"}})
    comparison = md.compare(renamed, measures=["P@10"])
    assert [each.scores.measure for each in comparison] == ["P@10"]
    assert md.compare(renamed, primary="map").primary.scores.measure == "AP"
    with pytest.raises(md.ParameterError, match="RR was not evaluated; there is AP, P@10"):
        md.compare(renamed, measures="RR")


def test_a_topic_without_a_score_is_left_out_of_the_pair(frame):
    shorter = frame.drop(frame[(frame.qid == "301") & (frame.name == "dense-1")].index)
    assert md.compare(shorter)["AP"].effects.topics[0, 1] == 49


def test_an_unknown_measure_is_taken_as_higher_is_better_and_a_known_one_as_it_is():
    rows = [
        (name, str(topic), measure, topic + add)
        for name, add in (("a", 0.0), ("b", 1.0))
        for topic in range(4)
        for measure in ("ESL", "mine")
    ]
    found = md.compare(pd.DataFrame(rows, columns=["name", "qid", "measure", "value"]))
    assert [each.systems for each in found] == [("a", "b"), ("b", "a")]
    assert "mine: no measure of ours" in str(found.caveats[0])


def test_the_gate_takes_two_systems_of_the_scores(frame):
    alone = md.gate(frame, "dense-1", "dense-3", "AP")
    runs = md.gate(md.sample.qrels(), md.sample.runs()[0], md.sample.runs()[2], "AP")
    assert (alone.outcome, alone.of("AP").interval) == (runs.outcome, runs.of("AP").interval)
    with pytest.raises(md.ParameterError, match="there is no system 'bm25'"):
        md.gate(frame, "bm25", "dense-1", "AP")
    with pytest.raises(md.InputError, match="scores alone"):
        alone.save_baseline("never.json")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([("a", "1", "AP", 0.5), ("a", "1", "AP", 0.6)], "a has two scores on topic 1 under AP"),
        ([("a", "1", "AP", 0.5), ("a", "1", "map", 0.6)], "a has two scores on topic 1 under AP"),
        ([("a", "1", "AP", "high")], "'high' is no score, of a on topic 1 under AP"),
        ([("a", "1", "AP", float("inf"))], "inf is no score"),
        ([("a", None, "AP", 0.5)], "column 'qid' has missing values"),
        ([], "there are no scores"),
    ],
)
def test_scores_that_cannot_be_right_are_refused(rows, why):
    with pytest.raises(md.InputError, match=why):
        read_scores(pd.DataFrame(rows, columns=["name", "qid", "measure", "value"]))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"name,qid,measure,value\na,1,AP,0.5\na,2,AP\n", "row 3 has 3 columns where the header has 4"),
        (b'name,qid,measure,value\na,1,AP,"0.5\n', "unexpected end of data"),
        (b"name,qid,measure,value\na,\xff,AP,0.5\n", "can't decode"),
    ],
)
def test_a_damaged_table_of_scores_is_refused_in_one_line(tmp_path, data, why):
    (tmp_path / "scores.csv").write_bytes(data)
    with pytest.raises(md.InputError, match=why) as caught:
        read_scores(tmp_path / "scores.csv")
    assert "scores.csv: is no table of scores" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_for_judging_come_too_late(frame):
    with pytest.raises(md.ParameterError, match="depth=10 comes too late for scores that are known"):
        md.compare(frame, depth=10)


def test_runs_and_judgments_are_no_scores(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("1 0 d1 1\n")
    frames = (pd.DataFrame({"qid": ["1"], "docno": ["d"], name: [1]}) for name in ("score", "label"))
    assert not any(map(is_scores, [path, *frames, {"1": {"d": 1}}, [], "nowhere.csv", *md.sample.runs()]))
