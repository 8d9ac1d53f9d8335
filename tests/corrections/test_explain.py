"""`explain`: numbers above 1 are read in two ways, and what the run itself has is said first (D05, D23)."""

from __future__ import annotations

import json

import pytest

import measurand as md
from measurand import sample

QRELS = {"1": {"a": 3, "b": 2, "c": 3}, "2": {"d": 3, "e": 1}}
RUN = {"1": {"a": 3.0, "c": 2.0, "b": 1.0}, "2": {"d": 2.0, "x": 1.0, "e": 0.5}}


def raw(p):
    """Return RBP with the grades themselves as gains, as ranx adds them up."""
    by_topic = [
        (1 - p) * sum(QRELS[topic].get(d, 0) * p**rank for rank, d in enumerate(sorted(docs, key=lambda d: -docs[d])))
        for topic, docs in RUN.items()
    ]
    return sum(by_topic) / len(by_topic)


@pytest.mark.parametrize("named", ["RBP(p=0.8)", "RBP", None])
def test_a_number_above_1_may_be_a_value_of_a_tool_that_goes_above_1(named):
    """D05: explain finds every value that its own table gives."""
    value = raw(0.8)
    assert value > 1
    table = md.values_by_tool(QRELS, RUN, "RBP(p=0.8)").values
    assert value == pytest.approx(next(each.value for each in table if each.tool == "ranx"))
    found = md.explain(f"{value:.4f}", QRELS, RUN, named)
    first = found.candidates[0]
    assert (first.value, first.number.percent) == (pytest.approx(value), False)
    assert any(tool.startswith("ranx") for tool in first.tools)
    assert "as it stands" in found.sentence


@pytest.mark.parametrize("named", ["nDCG@10", None])
def test_a_number_above_1_may_as_well_be_a_percentage(named):
    """D05: the other reading is still found, and the sentence says that it was the one."""
    value = md.evaluate(QRELS, RUN, "nDCG@10").scores("nDCG@10").mean()[0]
    found = md.explain(f"{100 * value:.4f}", QRELS, RUN, named)
    assert found.candidates[0].number.percent
    assert found.candidates[0].value == pytest.approx(value)
    assert "percentage" in found.sentence
    # where only one reading is possible, nothing is said of readings
    assert " read as " not in md.explain(f"{value:.4f}", QRELS, RUN, named).sentence
    assert " read as " not in md.explain("2.5", QRELS, RUN, "DCG@1").sentence


def test_what_a_percentage_is_off_by_is_in_percent():
    """D05: the sentence said a hundredth of what the table says."""
    run = next(path for path in sample.runs() if path.name.startswith("lexical-1"))
    found = md.explain("45", sample.qrels(), run, "nDCG@10")
    first = found.candidates[0]
    assert (first.match, first.number.percent) == (None, True)
    off = float(found.sentence.rpartition(", ")[2].split()[0])
    assert off == pytest.approx(abs(100 * first.value - 45), rel=0.06)


def test_every_value_of_the_table_is_explained_by_the_tool_that_gives_it():
    """D05: whatever tools give for the sample, above 1 or not."""
    qrels, run = sample.qrels(), sample.runs()[0]
    for spelled in ("RBP(p=0.5)", "RBP(p=0.8)"):
        for each in md.values_by_tool(qrels, run, spelled).values:
            found = md.explain(f"{each.value:.8f}", qrels, run, spelled, most=1).candidates[0]
            assert found.value == pytest.approx(each.value, abs=1e-8), each
            assert each.tool == "measurand" or any(tool.startswith(each.tool) for tool in found.tools), each


def test_the_measure_without_a_cutoff_comes_before_cutoffs_that_give_the_same():
    """D23: the uncut measure is named where deep cutoffs cannot be told from it."""
    qrels, run = sample.qrels(), sample.runs()[0]
    value = md.evaluate(qrels, run, "RBP(rel=1, p=0.5)").scores("RBP(rel=1, p=0.5)").mean()[0]
    for written in (f"{value:.4f}", f"{value:.12f}"):
        first = md.explain(written, qrels, run, "RBP(p=0.5)").candidates[0]
        assert first.match is not None
        assert first.best.convention.measure == md.parse("RBP(rel=1, p=0.5)")
    # also among those that only come near: it stands above all deep cutoffs, as near as they are
    written = f"{value - 0.0008:.4f}"
    found = md.explain(written, qrels, run, "RBP(p=0.5)", most=30)
    nearest = [each.best.convention.measure for each in found.candidates]
    uncut = nearest.index(md.parse("RBP(rel=1, p=0.5)"))
    assert all(measure.cutoff is None or measure.cutoff <= 10 for measure in nearest[:uncut])


@pytest.mark.parametrize(
    ("number", "measure", "plain"),
    [
        ("0.6616", "nDCG@10", "nDCG@10"),
        ("0.6616", "nDCG", "nDCG"),
        ("0.0007", "AP", "AP"),
        ("66.16", "nDCG@10", "nDCG@10"),
        ("0.11", "gm_map", "gm(AP)"),
    ],
)
def test_what_the_run_itself_has_is_said_first(call, tmp_path, number, measure, plain):
    """D23: the wrong run shows at once, because its own number is the first thing said."""
    qrels, run = sample.qrels(), sample.runs()[0]
    own = float(md.evaluate(qrels, run, plain)[plain])
    found = json.loads(call("explain", number, qrels, run, "-m", measure, "-f", "json").out)
    assert found["plain"] == {"measure": plain, "value": pytest.approx(own)}
    written = f"{100 * own:.2f} %" if number == "66.16" else f"{own:.4f}"
    assert found["sentence"].startswith(f"This run's {plain} is {written}")
    said = call("explain", number, qrels, run, "-m", measure).out
    assert said.startswith(f"This run's {plain} is {written}")


def test_where_nothing_gives_the_number_the_question_is_whether_it_is_the_right_run():
    """D23: how many variants were tried, and what the run has."""
    other = md.explain("0.123457", QRELS, RUN, "nDCG@10")
    assert other.found == 0
    assert f"None of {other.tried} variants gives 0.123457. Is it the right run?" in other.sentence


def test_the_number_of_the_run_itself_is_said_to_be_that():
    """D23: said first as well where it is the answer, also of one topic."""
    value = md.evaluate(QRELS, RUN, "nDCG@10").scores("nDCG@10").mean()[0]
    assert md.explain(f"{value:.3f}", QRELS, RUN, "nDCG@10").sentence.startswith("This run's nDCG@10 is ")
    of_a_topic = md.explain("0.6667", QRELS, RUN, "P@3", topic="2")
    assert of_a_topic.sentence.startswith("On topic 2 this run's P@3 is 0.666667, which rounds to 0.6667")
