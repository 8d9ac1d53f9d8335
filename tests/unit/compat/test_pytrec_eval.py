"""measurand.compat.pytrec_eval: what pytrec_eval answers, with its keys, numbers and errors."""

from collections import defaultdict
from math import isclose, isnan

import numpy as np
import pytest
import pytrec_eval as theirs

import measurand as md
from measurand.compat import pytrec_eval as ours

NOT_HERE = theirs.supported_measures - ours.supported_measures
"""Measures of trec_eval's that measurand has not."""

SETTINGS = ({}, {"relevance_level": 2}, {"judged_docs_only_flag": True})


def campaign(seed, lowest):
    """Return judgments and a run with ties, scores that single precision takes for equal, and gaps on both sides."""
    rng = np.random.default_rng(seed)
    documents = [f"{prefix}{number}" for prefix in ("d", "doc-", "D", "é") for number in range(15)]
    qrels, run = {"unjudged": {}}, {"unjudged": {"d1": 1.0}, "unknown": {"d1": 1.0}}
    for topic in map(str, range(10)):
        judged = rng.choice(documents, rng.integers(1, 40), replace=False).tolist()
        found = rng.choice(documents, rng.integers(1, 50), replace=False).tolist()
        top = rng.choice([0, 1, 3])
        qrels[topic] = {document: int(rng.integers(lowest, top + 1)) for document in judged}
        run[topic] = {document: float(rng.integers(0, 40) / 4 + rng.integers(0, 3) * 1e-9) for document in found}
    del run["3"]
    return qrels, run


def check_same(expected, found):
    assert list(found) == list(expected)  # topics in the order of the run
    for topic, values in expected.items():
        assert found[topic].keys() == values.keys()
        # where nothing is left of a result, pytrec_eval may return what it has not computed
        pairs = {name: (0.0 if isnan(value) else value, found[topic][name]) for name, value in values.items()}
        assert not {name: pair for name, pair in pairs.items() if not isclose(*pair, rel_tol=1e-12, abs_tol=1e-12)}


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("lowest", [0, -1])
def test_all_measures_have_the_values_of_pytrec_eval(options, lowest):
    for seed in range(4):
        qrels, run = campaign(seed, lowest)
        names = theirs.supported_measures - NOT_HERE
        expected = theirs.RelevanceEvaluator(qrels, names, **options).evaluate(run)
        check_same(expected, ours.RelevanceEvaluator(qrels, names, **options).evaluate(run))


def test_the_built_in_sample_has_the_values_of_pytrec_eval_most_to_the_last_bit():
    qrels = md.read_qrels(md.sample.qrels()).to_dict()
    run = md.read_run(md.sample.runs()[0]).to_dict()
    same = {"map", "P_5", "recall_100", "recip_rank", "success_1", "bpref", "Rprec"}
    assert ours.RelevanceEvaluator(qrels, same).evaluate(run) == theirs.RelevanceEvaluator(qrels, same).evaluate(run)
    check_same(*(each.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run) for each in (theirs, ours)))


@pytest.mark.parametrize(
    "names",
    [
        {"map_cut.1,3,5", "ndcg_cut.1,3,5", "recall.1,3,5", "P.1,3,5", "success.1,3"},  # as BEIR and MTEB ask
        {"map", "ndcg"},
        ["P_5", "P_10", "P"],
        {"official"},
        {"Rprec_mult.0.5,3", "iprec_at_recall_0.25", "set_F.0.25", "map.5", "P_5.5"},
        set(),
    ],
    ids=str,
)
def test_names_mean_what_they_mean_to_pytrec_eval(names):
    qrels, run = campaign(1, 0)
    check_same(
        theirs.RelevanceEvaluator(qrels, names).evaluate(run), ours.RelevanceEvaluator(qrels, names).evaluate(run)
    )


def test_an_evaluator_is_used_for_run_after_run():
    qrels, _ = campaign(0, 0)
    evaluator, other = (each.RelevanceEvaluator(qrels, {"map", "ndcg_cut_5"}) for each in (ours, theirs))
    for seed in range(3):
        run = campaign(seed, 0)[1]
        check_same(other.evaluate(run), evaluator.evaluate(run))


def test_empty_results_are_scored():
    qrels = {"1": {"d1": 1}, "2": {"d1": 1}}
    names = theirs.supported_measures - NOT_HERE
    for run in ({"1": {}}, {"1": {}, "2": {"d1": 1.0}}):
        found = ours.RelevanceEvaluator(qrels, names).evaluate(run)
        check_same(theirs.RelevanceEvaluator(qrels, names).evaluate(run), found)
        assert found["1"]["num_rel"] == 1


@pytest.mark.parametrize("run", [None, {}, {"unknown": {"d1": 1.0}}], ids=str)
def test_nothing_in_common_is_nothing(run):
    assert ours.RelevanceEvaluator({"1": {"d1": 1}}, {"map"}).evaluate(run) == {}


@pytest.mark.parametrize(
    "run",
    [[1], {"1": ["d1"]}, {"1": {"d1": "1"}}, {"1": {"d1": None}}, {1: {"d1": 1.0}}, {"1": {1: 1.0}}],
    ids=str,
)
def test_runs_that_pytrec_eval_refuses_are_refused_with_its_error(run):
    for module in (ours, theirs):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator({"1": {"d1": 1}}, {"map"}).evaluate(run)


@pytest.mark.parametrize(
    "qrels", [{"1": {"d1": 1.5}}, {"1": {"d1": "1"}}, {1: {"d1": 1}}, {"1": {1: 1}}, {"1": ["d1"]}], ids=str
)
def test_judgments_that_pytrec_eval_refuses_are_refused_with_its_error(qrels):
    for module in (ours, theirs):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator(qrels, {"map"})


@pytest.mark.parametrize("name", ["foo", "nDCG@10", "set_F.2"])
def test_unknown_measures_are_value_errors(name):
    with pytest.raises(ValueError, match="unsupported measure"):
        ours.RelevanceEvaluator({"1": {"d1": 1}}, {name})


def test_a_relevance_level_below_1_is_refused():
    for module in (ours, theirs):
        with pytest.raises(TypeError, match="positive"):
            module.RelevanceEvaluator({"1": {"d1": 1}}, {"map"}, relevance_level=0)


@pytest.mark.parametrize("name", ["map", "num_ret", "gm_map"])
def test_aggregates_are_those_of_pytrec_eval(name):
    values = [-0.5, -2.0, -11.5]
    assert ours.compute_aggregated_measure(name, values) == theirs.compute_aggregated_measure(name, values)


def test_files_are_parsed_to_the_same_dictionaries():
    lines = ["1 Q0 d1 1 2.5 tag\n", "2 Q0 d1 1 1e-3 tag\n", "1 Q0 d2 2 -1 tag\n"]
    judged = ["1 0 d1 2\n", "2 0 d1 -1\n"]
    assert ours.parse_run(lines) == theirs.parse_run(lines)
    assert ours.parse_qrel(judged) == theirs.parse_qrel(judged)
    assert isinstance(ours.parse_run(lines), defaultdict)


@pytest.mark.parametrize(
    ("parse", "lines", "why"),
    [
        (ours.parse_run, ["1 Q0 d1 1 2.5"], "line 1 has 5 columns, not 6"),
        (ours.parse_run, ["1 Q0 d1 1 best tag"], "'best' is no score"),
        (ours.parse_run, ["1 Q0 d1 1 2 tag", "1 Q0 d1 2 1 tag"], "line 2: document d1 stands twice in topic 1"),
        (ours.parse_qrel, ["1 0 d1 0.5"], "'0.5' is no grade"),
    ],
)
def test_lines_that_cannot_be_parsed_are_named(parse, lines, why):
    with pytest.raises(md.InputError, match=why):
        parse(lines)
