"""The label of scale that scores carry: computed for the measure, the depth and the grades at hand."""

from __future__ import annotations

import pickle
import sys
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, NotMeaningful, ParameterError
from measurand.judged import JudgedRuns, Pool
from measurand.measures import DCG, P, R, define, parse
from measurand.scale import Basis, Scale, ScaleLabel, ScaleOf
from measurand.scales import scale_type
from measurand.scales.meaning import check
from measurand.scales.scale_type import proved_spacing, scale_label

GRADES = {"1": {"good": 1, "better": 2, "best": 3}, "2": {"good": 1, "better": 2, "best": 3}}
"""One system finds the middle grade on both topics, the other the highest on one and nothing on the other."""
STEADY = md.read_run({"1": {"better": 1.0}, "2": {"better": 1.0}}, name="steady")
LUCKY = md.read_run({"1": {"best": 1.0}, "2": {"nothing": 1.0}}, name="lucky")


def mean(measure, **options):
    return md.evaluate(GRADES, [STEADY, LUCKY], measure, **options).scores(measure).mean()


@pytest.mark.parametrize("family", ["gP", "gRBP"])
def test_other_gains_reverse_means_of_graded_sums_and_the_label_admits_it(family):
    options = "p='1/4', " if family == "gRBP" else ""
    linear = f"{family}({options}gmax=3)@1"
    other = f"{family}({options}gain={{1: 1, 2: '1.01', 3: 9}}, gmax=3)@1"
    assert mean(linear)["steady"] > mean(linear)["lucky"]
    assert mean(other)["steady"] < mean(other)["lucky"]
    scores = md.evaluate(GRADES, [STEADY, LUCKY], linear).scores(linear)
    assert (scores.scale, str(scores.scale_label)) == (Scale.ORDINAL, "ordinal, for these gains")
    [caveat] = scores.mean().caveats
    assert "other gains for the grades can reverse comparisons" in str(caveat)
    with pytest.raises(NotMeaningful, match="grade_scale='ratio'"):
        scores.mean(strict=True)


@pytest.mark.parametrize("spelling", ["gRBP(p='1/4', gmax=3)@10", "gP@5", "RBP(p=0.5)@10"])
def test_grades_said_to_be_on_a_ratio_scale_make_even_sums_interval_scores(spelling):
    table = md.evaluate(md.read_qrels(GRADES, grade_scale="ratio"), [STEADY, LUCKY], spelling)
    scores = table.scores(spelling)
    assert scores.scale is Scale.INTERVAL
    assert scores.mean(strict=True).caveats == ()
    assert mean(spelling, grade_scale="ratio").caveats == ()
    assert scale_type(spelling, 5, 4, grade_scale="ratio").scale is Scale.INTERVAL
    assert scale_type(spelling, 5, 4).for_these_gains


@pytest.mark.parametrize("spelling", ["P@5", "P(rel=2)@5", "RBP(p=0.5, rel=1)@4", "interval(gP@3, grades=4)"])
def test_binary_measures_and_ranks_keep_their_scale_on_ordinal_grades(spelling):
    assert md.evaluate(GRADES, [STEADY, LUCKY], spelling).scores(spelling).scale is Scale.INTERVAL


@pytest.mark.parametrize("wrong", ["interval", "graded", 3, None.__class__])
def test_the_scale_of_grades_is_ordinal_or_ratio(wrong):
    with pytest.raises(ParameterError, match="grade_scale must be one of 'ordinal', 'ratio', not"):
        md.read_qrels(GRADES, grade_scale=wrong)


@pytest.mark.parametrize(
    ("spelling", "depth", "grades", "label"),
    [
        ("DCG(b=10)@10", 1000, 2, "interval"),
        ("DCG(b=10)@11", 1000, 2, "ordinal"),
        ("DCG(b=2)@2", 1000, 2, "interval"),
        ("DCG(b=2)@3", 1000, 2, "ordinal"),
        ("RR@2", 1000, 2, "interval"),
        ("RR@3", 1000, 2, "ordinal"),
        ("RR", 1000, 4, "ordinal"),
        ("Rprec@10", 1000, 2, "interval"),
        ("gRBP(p=1/4, gmax=3)@10", 1000, 4, "ordinal, for these gains"),
        ("gRBP(p=1/2, gmax=3)@10", 1000, 4, "ordinal, for these gains"),
        ("gRBP(p=2/3, gmax=3)@10", 1000, 4, "ordinal"),
        ("RBP(p=0.5)@10", 1000, 2, "interval"),
        ("RBP(p=0.8)@1", 1000, 2, "interval"),
        ("AP@1", 1000, 2, "interval"),
        ("AP", 1000, 2, "ordinal"),
        ("NumRelRet@10", 1000, 2, "interval"),
        ("NumRet", 1000, 2, "interval"),
        ("Judged@10", 1000, 2, "interval"),
        ("Unjudged@10", 1000, 2, "interval"),
        ("SetP", 1000, 2, "ordinal"),
        ("Bpref", 1000, 2, "ordinal, as declared"),
    ],
)
def test_the_label_is_that_of_the_measure_at_its_depth_and_grades(spelling, depth, grades, label):
    assert str(scale_label(ScaleOf(parse(spelling), depth, grades))) == label


def test_ten_times_precision_is_on_the_scale_of_precision():
    qrels = {str(topic): {"x": 1, "y": 1} for topic in range(6)}
    runs = [md.read_run({topic: {name: 2.0, "n": 1.0} for topic in qrels}, name=name) for name in ("x", "n", "y")]
    table = md.evaluate(qrels, runs, ["DCG(b=10)@10", "P@10", "NumRelRet@10"])
    by_log, precision, counted = table
    assert (by_log.values == counted.values).all()
    assert by_log.scale is precision.scale is counted.scale is Scale.INTERVAL
    verdicts = [check("x is 20 % better than n", scores) for scores in (by_log, precision, counted)]
    assert [verdict.holds for verdict in verdicts] == [False, False, False]
    robust = [check("mean of x exceeds mean of n", scores).holds for scores in (by_log, precision, counted)]
    assert robust == [True, True, True]


def test_shares_of_judged_and_unjudged_documents_are_alike():
    judged = JudgedRuns.on_one_topic([(1, -1, 0), (-1, -1, 1)], (5, 3))
    both = [parse(name).scores(judged) for name in ("Judged@3", "Unjudged@3")]
    assert (both[0].values + both[1].values == 1).all()
    assert both[0].scale is both[1].scale is Scale.INTERVAL


def values_of(measure, depth, grades):
    pool = Pool.plain(depth, depth, grades - 1)
    return sorted({measure.level(measure.view(run), pool) for run in product(range(grades), repeat=depth)})


def evenly_spaced(values):
    return len({high - low for low, high in pairwise(values)}) <= 1


FRACTIONS = st.builds(Fraction, st.integers(1, 5), st.integers(2, 6)).filter(lambda p: p < 1)
GAINS = st.lists(st.integers(0, 6), min_size=3, max_size=3).map(sorted).filter(lambda gains: gains[-1] > 0)


@st.composite
def sums(draw):
    grades = draw(st.integers(2, 4))
    gain = dict(enumerate(draw(GAINS), start=1))
    measure = draw(
        st.sampled_from(["gP", "gR"]).map(lambda name: parse(name)(gain=gain))
        | FRACTIONS.map(lambda p: parse("gRBP")(p=p, gain=gain))
        | FRACTIONS.map(lambda p: parse("RBP")(p=p))
        | st.sampled_from([P, R, parse("F"), parse("NumRelRet")])
        | st.integers(3, 12).map(lambda base: DCG(b=base, gain=gain))
    )
    depth = draw(st.integers(1, 4 if grades > 2 else 6))
    if measure.name == "DCG" and depth >= measure.b:
        depth = int(measure.b) - 1  # beyond, weights are irrational and have no exact differences
    return measure, depth, grades if measure.graded else 2


@given(sums())
def test_proofs_of_even_spacing_agree_with_a_look_at_all_runs(case):
    measure, depth, grades = case
    values = values_of(measure, depth, grades)
    proof = proved_spacing(measure, depth, grades)
    assert (proof is None and len(values) == 1) or proof.holds == evenly_spaced(values)


def test_evaluation_does_not_wait_for_the_label(monkeypatch):
    def never(asked):
        raise AssertionError(f"the label of {asked.measure!r} was asked for")

    monkeypatch.setattr(sys.modules[scale_label.__module__], "scale_label", never)
    scores = md.evaluate(GRADES, [STEADY, LUCKY], "P@5").scores("P@5")
    with pytest.raises(AssertionError, match="the label of P@5"):
        _ = scores.scale


def test_a_label_is_computed_once():
    asked = ScaleOf(parse("RR@2"), 7)
    assert scale_label(asked) is scale_label(ScaleOf(parse("RR@2"), 7))


def last_relevant(run):
    return max((rank for rank, grade in enumerate(run, start=1) if grade), default=0)


def test_beyond_few_runs_a_label_is_declared_and_says_so():
    measure = define(last_relevant, name="LastOne", scale="interval", graded=False)
    few, many = scale_label(ScaleOf(measure, 5)), scale_label(ScaleOf(measure, 100))
    assert (few.scale, few.basis) == (Scale.INTERVAL, Basis.ENUMERATED)
    assert (many.scale, many.basis) == (Scale.INTERVAL, Basis.DECLARED)
    assert many.words == "interval scale, as declared"


def test_a_false_declaration_gives_way_to_what_is_seen():
    measure = define(lambda run: last_relevant(run) ** 2, name="LastSquared", scale="interval", graded=False)
    assert scale_label(ScaleOf(measure, 5)).scale is Scale.ORDINAL


def test_scores_travel_with_their_label_to_another_process():
    measure = define(lambda run: last_relevant(run), name="Unpicklable", graded=False)
    scores = measure.scores(JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 3)))
    assert pickle.loads(pickle.dumps(scores)).scale_label == scores.scale_label


def test_a_label_that_is_given_is_taken():
    scores = md.Scores(measure="mine", values=[[1.0]], systems="a", topics="1", scale="ratio")
    assert scores.scale_label == ScaleLabel(Scale.RATIO, Basis.GIVEN)


def test_ranks_of_ties_are_looked_at_for_all_grades_of_the_interval_scale():
    grades = define(lambda run: (0, 1, 1, 2, 3)[run[0]], name="TwoAlike", graded=True)
    assert md.interval(grades, depth=1, grades=5, ties="mid").scale is Scale.ORDINAL
    assert md.interval(grades, depth=1, grades=5).scale is Scale.INTERVAL


@pytest.mark.parametrize(
    ("graded", "binary"),
    [
        ("DCG(b=10, gain={1: 1, 2: 1, 3: 1})@10", "P@10"),
        ("gP(gain={1: 1, 2: 1, 3: 1})@2", "P@2"),
        ("gP(gain={1: 0, 2: 1, 3: 1}, gmax=3)@2", "P(rel=2)@2"),
    ],
)
def test_gains_that_tell_two_kinds_apart_make_a_binary_measure(graded, binary):
    table = md.evaluate(GRADES, [STEADY, LUCKY], [graded, binary])
    ratios = table.scores(graded).values[0] / table.scores(binary).values[0]
    assert ratios[0] == ratios[1]
    assert table.scores(graded).scale is table.scores(binary).scale is Scale.INTERVAL


def test_judgments_of_one_grade_leave_nothing_to_weigh():
    table = md.evaluate({"1": {"a": 2, "b": 0}}, {"1": {"a": 1.0, "b": 2.0}}, ["gP@2", "P@2"])
    assert [scores.scale for scores in table] == [Scale.INTERVAL, Scale.INTERVAL]
    assert table.caveats == ()


def test_one_caveat_names_all_measures_that_weigh_grades():
    table = md.evaluate(GRADES, [STEADY, LUCKY], ["gP@1", "nDCG@1", "P@1", "OIE", "interval(gP@1, grades=4)"])
    [gains] = [str(caveat) for caveat in table.caveats if caveat.kind is CaveatKind.GAINS]
    assert "with other gains, gP@1 and nDCG@1 may order systems otherwise" in gains


@pytest.mark.parametrize("spelling", ["RBP(p=0.95)", "RBP(p=0.25)", "SetF", "gRBP(p=0.5, gain='exp2')"])
def test_labels_of_very_deep_runs_write_down_no_list_of_values(spelling):
    assert scale_label(ScaleOf(parse(spelling), 10**5, 4)).basis in (Basis.PROVED, Basis.DECLARED)


def test_a_function_that_fails_gives_its_failure_as_the_reason():
    def fails(run):
        raise ValueError("no such run")

    label = scale_label(ScaleOf(define(fails, name="Failing"), 2))
    assert label.basis is Basis.DECLARED
    assert "no such run" in label.reason
