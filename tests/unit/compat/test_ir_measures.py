"""measurand.compat.ir_measures: the calls of ir_measures, without its package; and our provider, with it."""

import subprocess
import sys
from math import isnan

import ir_measures as theirs
import pandas as pd
import pytest
from ir_measures import AP, RBP, RR, Bpref, Judged, NumRet, P, R, Rprec, Success, nDCG

import measurand as md
from measurand.compat import ir_measures as ours

MEASURES = [AP, AP(rel=2), AP @ 10, Bpref, P(rel=2) @ 5, P(judged_only=True) @ 5, R @ 20, RR, Rprec, Success @ 5]

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1, "x": 0}, "3": {"b": 3}}
RUN = {"1": {"a": 1.0, "b": 1.0, "z": 2.0}, "2": {"q": 3.0, "a": 2.0}, "9": {"a": 1.0}}


def rows(kind, nested):
    return [kind(topic, document, value) for topic, found in nested.items() for document, value in found.items()]


def frame(nested, value):
    return pd.DataFrame(rows(lambda *row: row, nested), columns=["query_id", "doc_id", value])


def test_values_are_those_of_ir_measures():
    expected = {(each.query_id, each.measure): each.value for each in theirs.iter_calc(MEASURES, QRELS, RUN)}
    found = {(each.query_id, each.measure): each.value for each in ours.iter_calc(MEASURES, QRELS, RUN)}
    assert found == pytest.approx(expected, rel=1e-12)
    for several in (MEASURES, [nDCG, nDCG @ 2], [NumRet]):  # what is counted is added up
        assert ours.calc_aggregate(several, QRELS, RUN) == pytest.approx(theirs.calc_aggregate(several, QRELS, RUN))


def test_the_built_in_sample_has_the_values_of_ir_measures():
    qrels, run = md.read_qrels(md.sample.qrels()).to_dict(), md.read_run(md.sample.runs()[1]).to_dict()
    wanted = [AP, nDCG @ 10, P @ 10, RR]
    aggregated, per_query = ours.calc(wanted, md.sample.qrels(), md.sample.runs()[1])
    assert aggregated == pytest.approx(theirs.calc_aggregate(wanted, qrels, run), rel=1e-12)
    assert len(per_query) == len(wanted) * len(qrels)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (QRELS, RUN),
        (frame(QRELS, "relevance"), frame(RUN, "score")),
        (rows(theirs.Qrel, QRELS), rows(theirs.ScoredDoc, RUN)),
        (iter(rows(ours.Qrel, QRELS)), iter(rows(ours.ScoredDoc, RUN))),
        (md.read_qrels(QRELS), md.read_run(RUN)),
    ],
    ids=["dictionaries", "frames", "their rows", "our rows once", "ours"],
)
def test_judgments_and_runs_come_in_every_form(qrels, run):
    assert ours.calc_aggregate([AP], qrels, run) == {AP: theirs.calc_aggregate([AP], QRELS, RUN)[AP]}


def test_measures_come_as_theirs_as_ours_or_spelled():
    found = ours.calc_aggregate([AP, md.AP, "nDCG@10", "ndcg_cut_5"], QRELS, RUN)
    assert list(found) == [AP, md.AP, md.nDCG @ 10, md.nDCG @ 5]
    assert found[AP] == found[md.AP]


def test_a_spelling_that_is_no_measure_is_an_error_as_it_is_there():
    for text in ("nope", "P@"):
        with pytest.raises((NameError, ValueError)) as raised:
            theirs.parse_measure(text)
        with pytest.raises(raised.type):
            ours.parse_measure(text)


def test_names_of_measures_are_in_the_module():
    assert (ours.MAP, ours.SetP, ours.P(rel=2) @ 5) == (md.AP, md.SetP, md.P(rel=2) @ 5)


def test_import_star_brings_the_measures_as_from_ir_measures():
    theirs, ours = {}, {}
    exec("from ir_measures import *", theirs)
    exec("from measurand.compat.ir_measures import *", ours)
    assert {"AP", "nDCG", "RR", "MRR", "calc_aggregate"} <= theirs.keys() & ours.keys()
    assert repr(ours["nDCG"] @ 10) == repr(theirs["nDCG"] @ 10)


@pytest.mark.parametrize(
    "run", [{}, {"9": {"a": 1.0}}, [], frame({}, "score")], ids=["none", "others", "rows", "frame"]
)
def test_a_run_without_a_judged_topic_scores_0(run):
    assert ours.calc_aggregate([RR, NumRet], QRELS, run) == {RR: 0.0, NumRet: 0.0}


@pytest.mark.parametrize("qrels", [{}, [], frame({}, "relevance")], ids=["{}", "rows", "frame"])
def test_without_judgments_there_is_no_mean(qrels):
    for call in (ours.calc, theirs.providers.registry["measurand"].calc, theirs.calc):
        found = call([RR], qrels, RUN)
        assert isnan(found.aggregated[RR])
        assert found.per_query == []


def test_files_are_read_row_by_row():
    text = "1 0 a 2\n1 0 b 0\n"
    assert list(ours.read_trec_qrels(text)) == list(theirs.read_trec_qrels(text))
    assert list(ours.read_trec_run("1 Q0 a 1 0.5 t\n")) == list(theirs.read_trec_run("1 Q0 a 1 0.5 t\n"))


def test_a_document_that_stands_twice_is_refused():
    with pytest.raises(md.InputError, match="document a stands twice in topic 1"):
        ours.calc_aggregate([AP], QRELS, [ours.ScoredDoc("1", "a", 1.0), ours.ScoredDoc("1", "a", 2.0)])


def test_the_provider_stands_last_and_changes_no_number_of_others():
    assert theirs.DefaultPipeline.providers[-1] is theirs.providers.registry["measurand"]
    assert ours.provider() is theirs.providers.registry["measurand"]
    assert sum(each.NAME == "measurand" for each in theirs.DefaultPipeline.providers) == 1
    # nobody else has graded rank-biased precision
    assert theirs.calc_aggregate([RBP], QRELS, RUN)[RBP] == md.evaluate(QRELS, {"r": RUN}, "RBP")["RBP"].mean()["r"]
    assert theirs.providers.registry["measurand"].supports(Judged @ 10)
    assert not theirs.providers.registry["measurand"].supports(theirs.alpha_nDCG @ 10)


def test_a_measure_of_ours_is_computed_here_whatever_others_have():
    mine = ours.measure("RR@10")
    tied = {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}
    found = theirs.calc_aggregate([mine, RR @ 10], {"1": {"a": 1}}, tied)
    assert (found[mine], found[RR @ 10]) == (1 / 3, 1.0)  # another provider breaks ties the other way round
    assert str(mine) == "RR@10"
    assert ours.measure("AP") @ 5 == ours.measure(md.AP @ 5)
    assert theirs.calc_aggregate([ours.measure("gm(AP)")], {"1": {"a": 1}}, tied)[ours.measure("gm(AP)")] == (
        pytest.approx(1 / 3)
    )


def test_the_calls_work_where_ir_measures_is_not_installed():
    code = """
import sys
sys.modules["ir_measures"] = None
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "ir_measures" else find(name, *rest)
from measurand.compat import ir_measures
print(ir_measures.calc_aggregate(["RR"], {"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}))
try:
    ir_measures.measure("AP")
except Exception as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{RR: 0.5}\na measure for ir_measures needs ir_measures: pip install 'measurand[peers]'\n"
