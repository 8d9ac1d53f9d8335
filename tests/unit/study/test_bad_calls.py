"""Bad calls are answered in one line: what was expected, and an example."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import measurand as md
from measurand.errors import CallError

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"a": 2.5, "b": 1.5}}
JUDGED = md.judge(RUN, QRELS)
SCORES = JUDGED.evaluate("AP").scores("AP")
SIGN = md.statistics.sign(SCORES)
STUDY = md.Study.from_files
ORDER = 'evaluate("qrels.txt", ["bm25.run", "dense.run"], ["nDCG@10", "AP"])'
FRAME = pd.DataFrame({"question": ["1"], "document": ["a"], "value": [1]})
ROWS = [{"query_id": "1", "doc_id": "a", "relevance": 1}]

CALLS = {
    "a number for qrels": (lambda: md.evaluate(3, RUN, "AP"), "qrels must be a path", ORDER),
    "nothing for qrels": (lambda: md.evaluate(None, RUN), "qrels must be a path", ORDER),
    "bytes for qrels": (lambda: md.evaluate(b"1 0 a 1", RUN), "qrels must be a path", ORDER),
    "several qrels": (lambda: md.evaluate(["a.qrels"], RUN), "qrels must be a path", ORDER),
    "nothing for runs": (lambda: md.evaluate(QRELS, None, "AP"), "no run was given", ORDER),
    "runs left out": (lambda: md.evaluate(QRELS), "no run was given", ORDER),
    "a number for runs": (lambda: md.evaluate(QRELS, 3, "AP"), "runs must be paths", ORDER),
    "a number among runs": (lambda: md.evaluate(QRELS, [RUN, 3], "AP"), "runs must be paths", ORDER),
    "the order of ir_measures": (lambda: md.evaluate(["AP"], QRELS, RUN), "a measure (AP) stands where qrels", ORDER),
    "a measure for runs": (lambda: md.evaluate(QRELS, "AP"), "a measure (AP) stands where runs", ORDER),
    "measures for runs": (lambda: md.evaluate(QRELS, [md.parse("AP"), "P@5"]), "stands where runs", ORDER),
    "a measure for qrels of a study": (
        lambda: STUDY("AP", RUN),
        "a measure (AP) stands where qrels",
        "from_files(",
    ),
    "a measure for runs of a study": (
        lambda: STUDY(QRELS, "AP"),
        "a measure (AP) stands where runs",
        "from_files(",
    ),
    "a number for runs of a study": (lambda: STUDY(QRELS, 3), "runs must be paths", "from_files("),
    "a measure for runs to fuse": (lambda: md.fuse("AP"), "a measure (AP) stands where runs", "fuse(["),
    "measures for runs to fuse": (lambda: md.fuse(["AP", "P@5"]), "a measure (AP) stands where runs", "fuse(["),
    "qrels for runs": (lambda: md.evaluate(QRELS, md.read_qrels(QRELS)), "stand where runs are expected", ORDER),
    "a run for qrels": (lambda: md.evaluate(md.read_run(RUN), QRELS), "stands where qrels are expected", ORDER),
    "scores for grades": (lambda: md.evaluate(RUN, QRELS), "look like a run and qrels in each other's place", ORDER),
    "judged runs for runs": (
        lambda: md.evaluate(QRELS, md.judge(RUN, QRELS)),
        "judged already; leave qrels out",
        "<JudgedRuns",
    ),
    "judged runs and runs": (
        lambda: md.evaluate(md.judge(RUN, QRELS), RUN, "AP"),
        "judged runs have their judgments",
        "evaluate(judged, measures)",
    ),
    "no run": (lambda: md.evaluate(QRELS, [], "AP"), "no run was given", ORDER),
    "no qrels": (lambda: md.evaluate({}, RUN, "AP"), "qrels are empty", ORDER),
    "a run without topics": (lambda: md.evaluate(QRELS, {}, "AP"), "no run was given", ORDER),
    "no measure": (lambda: md.evaluate(QRELS, RUN, []), "no measure was asked for", '["nDCG@10", "AP"]'),
    "a number for measures": (lambda: md.evaluate(QRELS, RUN, 10), "measures must be measures", '["nDCG@10", "AP"]'),
    "a run among measures": (
        lambda: md.evaluate(QRELS, RUN, ["AP", md.read_run(RUN)]),
        "stands where measures are expected",
        '["nDCG@10", "AP"]',
    ),
    "a dictionary for measures": (lambda: md.evaluate(QRELS, RUN, RUN), "measures must be measures", "nDCG@10"),
    "a function for measures": (lambda: md.evaluate(QRELS, RUN, len), "len is a function", "define(len"),
    "a path where nothing is": (lambda: md.evaluate(QRELS, "no.run", "AP"), "there is no such file", "check the path"),
    "text for a path": (lambda: md.read_qrels("1 0 a 1\n"), "text and no path", "io.StringIO(text)"),
    "a frame of other columns": (
        lambda: md.evaluate(FRAME, RUN),
        "it has question, document, value; judgments need topic, document, grade",
        "rename(columns={'question': 'topic'})",
    ),
    "judgments for runs": (lambda: md.evaluate(QRELS, ROWS), "row 1 ", "has no score or _score; add it"),
    "one row for qrels": (lambda: md.evaluate(ROWS[0], RUN), "this is one row", "give a list of rows"),
    "a flat dictionary": (lambda: md.evaluate({"a": 1}, RUN), "topic 'a' maps to int", '{"1": {"d1": 2}}'),
    "judge in the order of evaluate": (
        lambda: md.judge(md.read_qrels(QRELS), md.read_run(RUN)),
        "stand where runs are expected",
        'judge(["bm25.run", "dense.run"], "qrels.txt")',
    ),
    "files for judged runs": (
        lambda: md.dominance("qrels.txt", "a", "b"),
        "judged runs are expected, not str",
        'judge(["bm25.run"], "qrels.txt")',
    ),
    "files for a study": (
        lambda: md.write_report("qrels.txt", "report.html"),
        "a Study is expected, not str",
        'Study.from_files("qrels.txt", ["bm25.run"])',
    ),
    "a number for a measure": (lambda: md.profile(3), "3 is neither a measure nor a function", "nDCG@10"),
    "a number for a function": (lambda: md.define(3, name="Three"), "a function of a run is expected", "lambda run"),
    "text for a level": (lambda: md.compare(JUDGED, alpha="0.05"), "alpha must lie between 0 and 1", "alpha=0.05"),
    "no level for a test": (lambda: SIGN.significant(None), "alpha must lie between 0 and 1", "alpha=0.05"),
    "text for a level of an effect": (
        lambda: md.scale_effect(JUDGED, "AP", 2, alpha="0.05"),
        "alpha must lie between 0 and 1",
        "alpha=0.05",
    ),
    "text for a number of claims": (lambda: md.compare(JUDGED, top="3"), "top must be a whole number", "top=3"),
    "no number of claims": (lambda: md.compare(JUDGED, top=None), "top must be a whole number", "top=3"),
    "a fraction for a number of claims": (lambda: md.compare(JUDGED, top=2.5), "top must be a whole number", "top=3"),
    "a number of claims in a study": (lambda: STUDY(QRELS, RUN, top="3"), "top must be a whole number", "top=3"),
    "a number for an executor": (
        lambda: md.evaluate(QRELS, RUN, executor=4),
        "executor must be one of concurrent.futures, not 4",
        "executor=ThreadPoolExecutor(4)",
    ),
    "a switch for progress": (lambda: md.compare(JUDGED, progress=True), "progress must be a function", "lambda items"),
    "a switch for a study's progress": (
        lambda: STUDY(QRELS, RUN, progress=True),
        "progress must be a function",
        "lambda items",
    ),
    "a number for topics": (lambda: STUDY(QRELS, RUN, topics=3), "topics must be names or patterns", 'topics="1,2"'),
    "text for a depth": (lambda: md.scales.scale_type("AP", depth="x"), "depth must be a whole number", "depth=10"),
    "text for a judged run": (lambda: md.measures.AP.of("abc"), "'abc' is no judged run", "(1, 0, 2)"),
    "nothing for a judged run": (lambda: md.measures.AP.of(None), "None is no judged run", "(1, 0, 2)"),
    "a dictionary for judged runs": (
        lambda: md.measures.AP.scores({}),
        "judged runs are expected, not dict",
        'judge(["bm25.run"], "qrels.txt")',
    ),
    "a number for a path": (lambda: md.read_run(RUN).to_trec(3), "a path is expected, not 3", '"bm25.run"'),
    "a number for a report": (lambda: md.write_report(STUDY(QRELS, RUN), 3), "a path is expected", '"report.html"'),
    "a number for a drawing": (lambda: md.compare(JUDGED).plot().save(3), "a path is expected", '"chart.svg"'),
    "files for what was read": (
        lambda: md.judged.judge("a.run", "q"),
        "judgments that were read are expected, not str",
        'measurand.judge("bm25.run", "qrels.txt")',
    ),
    "a file for what was read": (
        lambda: md.judged.judge("a.run", md.read_qrels(QRELS)),
        "runs that were read are expected, not str",
        'measurand.judge("bm25.run", "qrels.txt")',
    ),
    "an interval scale of None": (lambda: md.interval(None), "None is neither a measure", "nDCG@10"),
    "an interval scale of nothing": (md.interval, "interval needs a measure", "interval('AP@30')"),
    "a word for a switch": (lambda: md.compare(JUDGED, strict="yes"), "strict must be True or False", "strict=True"),
    "a word for a switch of a mean": (
        lambda: SCORES.mean(strict="yes"),
        "strict must be True or False",
        "strict=True",
    ),
    "a constructor for a reader": (lambda: md.Run(RUN), "Run is made by a function", 'read_run("path")'),
}


@pytest.mark.parametrize(("call", "expected", "example"), CALLS.values(), ids=CALLS)
def test_a_bad_call_is_answered_in_one_line_with_what_was_expected_and_an_example(call, expected, example):
    with pytest.raises(md.MeasurandError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 330
    assert expected in message
    assert example in message
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: md.evaluate(QRELS, RUN, metrics=["AP"]),
            "evaluate has no parameter 'metrics'; did you mean measures?",
        ),
        (lambda: md.evaluate(QRELS, run=RUN), "evaluate has no parameter 'run'; did you mean runs?"),
        (lambda: md.evaluate(QRELS, RUN, cutoff=5), "evaluate has no parameter 'cutoff'; did you mean depth?"),
        (lambda: md.unanimity(QRELS, RUN, dept=5), "unanimity has no parameter 'dept'; did you mean depth?"),
        (
            lambda: md.evaluate(QRELS, RUN, return_mean=False),
            '"nDCG@10").per_topic() is a pandas frame of topics × systems',
        ),
        (lambda: md.profile("AP", k=5), "profile has no parameter 'k'; did you mean depth?"),
        (lambda: md.judge(RUN), "judge needs qrels; call it as judge(runs, qrels)"),
        (lambda: STUDY(QRELS), "from_files needs runs; call it as from_files(qrels, runs, measures)"),
        (lambda: STUDY(QRELS, RUN, "AP", 5), "from_files takes at most 3 arguments by place, as in from_files(qrels, "),
        (lambda: STUDY(QRELS, RUN, "AP", 5), "measures), not 4; name the others, such as primary=…"),
        (lambda: md.fuse([RUN], "rrf", 5), "fuse takes at most 2 arguments by place, as in fuse(runs, method), not 3"),
        (lambda: md.judge(RUN, QRELS).evaluate(metric="AP"), "evaluate has no parameter 'metric'; did you mean"),
        (
            lambda: md.statistics.sign(SCORES, metric=1),
            "sign has no parameter 'metric'; it has scores, ",
        ),
        (lambda: md.read_run(RUN, colour=1), "read_run has no parameter 'colour'; it has source, name"),
    ],
)
def test_a_parameter_that_there_is_not_is_answered_with_the_one_that_was_meant(call, message):
    with pytest.raises(CallError, match=re.escape(message)) as caught:
        call()
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "trek"}, "not 'trek'; did you mean 'trec'?"),
        ({"missing_topics": "zeros"}, "not 'zeros'; did you mean 'zero'?"),
        ({"grade_scale": "ration"}, "not 'ration'; did you mean 'ratio'?"),
        ({"names": "files"}, "not 'files'; did you mean 'file'?"),
    ],
)
def test_an_option_that_there_is_not_is_answered_with_the_nearest(options, message):
    with pytest.raises(md.ParameterError, match=re.escape(message)):
        md.evaluate(QRELS, RUN, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: md.compare(JUDGED, adjust="hollm"), "adjust must be one of 'none', 'bonferroni', 'holm', 'bh'"),
        (lambda: md.compare(JUDGED, adjust="hollm"), "not 'hollm'; did you mean 'holm'?"),
        (lambda: md.compare(JUDGED, test="willcoxon"), "there is no test 'willcoxon'; did you mean wilcoxon?"),
        (lambda: md.orders.compare((1, 0), (0, 1), "swp"), "not 'swp'; did you mean 'swap'?"),
        (lambda: md.statistics.sign(SCORES, semantics="scypi"), "not 'scypi'; did you mean 'scipy'?"),
        (lambda: STUDY(QRELS, RUN, ties="trek"), "not 'trek'; did you mean 'trec'?"),
        (lambda: md.interval("AP@3", ties="midd"), "interval: ties must be one of 'unq', 'mid', 'min', 'max', not"),
        (lambda: md.interval("AP@3", ties="midd"), "not 'midd'; did you mean 'mid'?"),
    ],
)
def test_a_word_that_is_no_choice_is_answered_with_the_nearest_one(call, message):
    with pytest.raises(md.ParameterError, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("evalute", "evaluate"),
        ("calc_aggregate", "evaluate"),
        ("parse_measure", "parse"),
        ("read_trec_run", "read_run"),
    ],
)
def test_a_name_that_there_is_not_is_answered_with_the_one_that_was_meant(name, meant):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; did you mean {meant}\?"):
        getattr(md, name)


@pytest.mark.parametrize(
    ("result", "name", "meant"),
    [
        (md.compare(JUDGED, "AP"), "p_value", "pairs.pvalues, or pairs.to_pandas() for a row for every pair?"),
        (SIGN, "p_value", "pvalues?"),
        (SCORES, "per_query", "per_topic? (Return a frame with a row for every topic and a column for every system"),
    ],
    ids=["comparison", "test", "scores"],
)
def test_an_attribute_of_a_result_that_there_is_not_is_answered_with_the_one_that_was_meant(result, name, meant):
    with pytest.raises(AttributeError, match=re.escape(f"no attribute {name!r}; did you mean {meant}")):
        getattr(result, name)


def test_a_table_asked_for_a_system_says_that_measures_come_first():
    table = md.evaluate(QRELS, RUN, "AP")
    [system] = table.systems
    with pytest.raises(md.ParameterError, match=re.escape(f"table['AP'][{system!r}]")):
        table[system]


def test_scores_of_a_run_are_those_of_documents_and_those_of_topics_are_elsewhere():
    run = md.read_run(RUN)
    with pytest.warns(DeprecationWarning, match=r"document_scores .*per_topic\(\) for those of topics"):
        assert run.scores is run.document_scores


def test_the_constructors_of_ranx_are_answered_with_our_readers():
    with pytest.raises(AttributeError, match=r"no attribute 'from_file'; use read_qrels"):
        md.Qrels.from_file  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'from_df'; use read_run"):
        md.Run.from_df  # noqa: B018


def test_the_old_name_of_a_parameter_works_and_warns():
    with pytest.warns(DeprecationWarning, match=r"judgments of judge is called qrels now; .* goes in 0\.3\.0"):
        assert md.judge(RUN, judgments=md.read_qrels(QRELS)).topics == ("1",)
