"""The whole flow: from sources to a table."""

from __future__ import annotations

import io

import pytest

from measurand import ParameterError, define, evaluate, judge, parse, read_qrels, read_run
from measurand.study.evaluation import DEFAULT_MEASURES, judge_files

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}, "3": {"z": 0}}
RUN = {"1": {"x": 4.0, "a": 3.0, "b": 2.0}, "2": {"a": 1.0, "b": 1.0}}


def test_sources_are_read_judged_and_scored_in_one_call():
    table = evaluate(QRELS, RUN, ["RR", "P@2"])
    assert table.scores("RR").values.tolist() == [[0.5, 0.5, 0.0]]
    assert table.scores("P@2").values.tolist() == [[0.5, 0.5, 0.0]]


def test_judged_runs_are_scored_as_they_are():
    judged = judge(read_run(RUN, name="r"), read_qrels(QRELS))
    assert evaluate(judged, "RR").scores("RR").values.tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("measures", ["RR", ["RR"], ("RR",), parse("RR"), {"RR"}, (text for text in ["RR"])])
def test_one_measure_or_several_may_be_asked_for(measures):
    assert evaluate(QRELS, RUN, measures).measures == ("RR",)


def test_one_measure_in_two_spellings_is_computed_once():
    table = evaluate(QRELS, RUN, ["map", "AP", "MAP"])
    assert table.measures == ("AP",)
    assert table.scores("map") is table.scores("MAP")


def test_options_are_those_of_judging():
    assert evaluate(QRELS, RUN, "RR", ties="file").scores("RR").values.tolist() == [[0.5, 1.0, 0.0]]
    assert evaluate(QRELS, RUN, "RR", depth=1).scores("RR").values.tolist() == [[0.0, 0.0, 0.0]]
    skipped = evaluate(QRELS, RUN, "RR", missing_topics="skip")
    assert skipped.scores("RR").mean()["run"] == 0.5


def test_files_runs_and_dictionaries_give_equal_tables(tmp_path):
    read_run(RUN, name="run").to_trec(tmp_path / "a.run.gz")
    read_qrels(QRELS).to_trec(tmp_path / "qrels.txt")
    with (tmp_path / "qrels.txt").open() as file:
        from_files = evaluate(file, tmp_path / "a.run.gz", "nDCG")
    assert from_files.to_polars().equals(evaluate(QRELS, RUN, "nDCG").to_polars())


def test_systems_may_be_called_by_their_files(tmp_path):
    for name in ("a.run", "b.run"):
        read_run(RUN, name="same").to_trec(tmp_path / name)
    assert evaluate(QRELS, tmp_path, "RR", names="file").systems == ("a", "b")


def test_without_measures_the_default_ones_are_scored():
    judged = judge(read_run(RUN), read_qrels(QRELS))
    assert evaluate(QRELS, RUN).measures == DEFAULT_MEASURES
    assert evaluate(judged).measures == DEFAULT_MEASURES


def test_every_parameter_may_be_given_by_name():
    judged = judge(read_run(RUN), read_qrels(QRELS))
    assert evaluate(qrels=QRELS, runs=RUN, measures="RR").measures == ("RR",)
    assert evaluate(judged, measures="RR").measures == ("RR",)


def test_options_come_too_late_for_judged_runs():
    judged = judge(read_run(RUN), read_qrels(QRELS))
    with pytest.raises(ParameterError, match=r"depth=1 comes too late .* judge\(runs, qrels, depth=1\)"):
        evaluate(judged, "RR", depth=1)


def test_no_measure_at_all_is_refused():
    with pytest.raises(ParameterError, match="no measure was asked for"):
        evaluate(QRELS, RUN, [])


def test_a_measure_that_is_none_is_refused_before_any_file_is_opened():
    with pytest.raises(ParameterError, match="no measure called 'nope'"):
        evaluate("missing.qrels", "missing.run", ["nope"])


def test_progress_sees_every_run_and_how_many_there_are():
    seen = []

    def progress(items, total, what):
        for item in items:
            seen.append((item.name, total, what))
            yield item

    runs = [io.BytesIO(b"1 Q0 a 1 1 one\n"), io.BytesIO(b"1 Q0 a 1 1 two\n")]
    judged = judge_files(QRELS, runs, progress=progress, total=2)
    assert judged.systems == ("one", "two")
    assert seen == [("one", 2, "reading runs"), ("two", 2, "reading runs")]


def test_two_different_measures_of_one_name_do_not_hide_each_other():
    with pytest.raises(ParameterError):
        evaluate(QRELS, RUN, [define(lambda run: 1, name="AP"), "AP"])


def test_scores_are_found_by_any_spelling_of_a_measure():
    table = evaluate(QRELS, RUN, ["nDCG@10", "RBP(rel=1,p=.8)"])
    assert table.scores("ndcg_cut_10") is table.scores("nDCG@10")
    assert table.scores("RBP(p=0.8, rel=1)") is table.scores("RBP(rel=1,p=.8)")


def test_what_evaluate_cannot_use_is_refused():
    with pytest.raises(ParameterError):
        evaluate(QRELS, RUN, [3])
    with pytest.raises(TypeError, match="tie"):
        evaluate(QRELS, RUN, ["AP"], tie="file")
