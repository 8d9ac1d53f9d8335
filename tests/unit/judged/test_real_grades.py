"""Judgments with decimals: read exactly, kept as codes, and worth what they say to every measure."""

from fractions import Fraction
from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, InputError, ParameterError
from measurand.measures.catalogue import catalogue

RUN = {"1": {"d1": 3.0, "d2": 2.0, "d5": 1.0, "d4": 0.5}, "2": {"d2": 1.0, "d1": 3.0}}
QRELS = {"1": {"d1": 0.7, "d2": 0.25, "d3": 0, "d4": 1}, "2": {"d1": 0.1, "d2": 0.9}}

ORDER_ALONE = "OIE LatticeRank RBTO SBTO Judged Unjudged NumRet NumQ RBPResidual Compat".split()
"""Measures that look at the order of grades, or at none."""

GAINS = "nDCG nDCG@2 DCG@3 RBP gRBP gP@2 gR@2 INST INSQ SDCG@3".split()
"""Measures to which the share of each grade in the highest matters, or that are multiplied with it."""


@pytest.fixture(scope="module")
def judged():
    return md.judge(RUN, QRELS)


def test_codes_stand_for_exact_values(judged):
    assert judged.grades[0, 0].tolist() == [3, 2, -1, 5]
    assert judged.gains == tuple(map(Fraction, ("0", "0.1", "0.25", "0.7", "0.9", "1")))
    assert judged.grade_counts[0].tolist() == [1, 0, 1, 1, 0, 1]
    assert str(judged.grade_of(3)) == judged.grade_name(3) == "0.7"


def test_half_of_the_highest_grade_is_relevant_unless_something_else_is_said(judged):
    assert judged.recall_base.tolist() == [2, 1]
    (note,) = (caveat for caveat in judged.caveats if caveat.kind is CaveatKind.GRADES)
    assert "from 0.5 up, half of the highest grade" in str(note)
    values = {name: md.parse(name).scores(judged).values[0].tolist() for name in ("P@2", "P(rel=0.25)@2", "P(rel=1)@4")}
    assert values == {"P@2": [0.5, 0.5], "P(rel=0.25)@2": [1.0, 0.5], "P(rel=1)@4": [0.25, 0.0]}
    table = md.evaluate(QRELS, RUN, ["P@4", "P(rel=1)@4"])
    assert table["P@4"].mean()[0] == 0.375
    assert table["P(rel=1)@4"].mean()[0] == 0.125


@given(
    st.lists(st.sampled_from([0, 10, 25, 70, 100]), min_size=1, max_size=6),
    st.lists(st.sampled_from([10, 25, 70, 100]), max_size=4),
)
def test_gains_are_the_grades(hundredths, others):
    run = [Fraction(grade, 100) for grade in hundredths]
    pool = [grade for grade in run if grade] + [Fraction(grade, 100) for grade in others]
    counts = {grade: pool.count(grade) for grade in {*pool, Fraction(1)}}

    def gained(grades, gain):
        return sum(gain(float(grade)) / log2(rank + 1) for rank, grade in enumerate(grades, 1))

    for spelling, gain in (("nDCG", float), ("nDCG(gain='exp2')", lambda grade: 2**grade - 1)):
        best = gained(sorted(pool, reverse=True), gain)
        expected = gained(run, gain) / best if best else 0.0
        assert md.parse(spelling).value(run, grade_counts=counts) == pytest.approx(expected, abs=1e-12)


def scaled(ten):
    return {
        topic: {document: Fraction(grade, 10) if ten and grade > 0 else grade for document, grade in each.items()}
        for topic, each in {"1": {"a": 3, "b": 1, "c": 0, "e": 2}, "2": {"a": 1, "d": 3}}.items()
    }


@pytest.mark.parametrize("ties", [None, "expected", "max"])
def test_a_tenth_of_every_grade_changes_no_order_and_no_share(ties):
    run = {"1": {"a": 1.0, "b": 2.0, "c": 2.0, "d": 0.5}, "2": {"d": 1.0, "b": 1.0, "a": 1.0}}
    whole, tenth = (md.judge(run, scaled(ten), ties=ties) for ten in (False, True))
    assert (whole.cells == tenth.cells).all()
    for name in ORDER_ALONE + GAINS:
        one, other = (md.parse(name).scores(each).values for each in (whole, tenth))
        assert one == pytest.approx(other * (10 if name.startswith("DCG") else 1), rel=1e-12, nan_ok=True), name
    for name in ("AP", "RR", "Rprec", "Bpref", "IAP", "R@2", "F", "binG", "Accuracy", "ESL(i=1, collection=9)"):
        one = md.parse(name)(rel=2).scores(whole).values
        assert one.tolist() == md.parse(name)(rel="0.2").scores(tenth).values.tolist(), name
    assert md.parse("Q(beta=10, rel=0.1)").scores(tenth).values == pytest.approx(md.parse("Q").scores(whole).values)


def test_every_measure_of_the_catalogue_has_a_value_or_says_why_not(judged):
    for measure in catalogue().values():
        assert np.isfinite(measure.scores(judged).values).all(), measure


def test_exact_and_fast_agree(judged):
    for measure in catalogue().values():
        if measure.on_weak_orders or measure.name in ("interval", "gm"):
            continue
        known = measure.on_grades(judged.relevance)
        expected = [
            float(known.exact(known.view(tuple(judged.cells[0, topic].tolist())), judged.pools[topic]))
            for topic in range(2)
        ]
        assert measure.scores(judged).values[0] == pytest.approx(expected, rel=1e-12), measure


@pytest.mark.parametrize(
    "grades",
    [
        np.array([0.7, 0.0, 1.0], dtype=np.float32),
        pl.Series([0.7, 0.0, 1.0]),
        [Fraction(7, 10), 0, 1],
        ["0.7", "0.0", "1"],
    ],
    ids=["float32", "float64", "fractions", "texts"],
)
def test_grades_are_what_they_spell(grades):
    frame = pl.DataFrame({"qid": ["1"] * 3, "docno": ["a", "b", "c"], "label": list(grades)}, strict=False)
    if isinstance(grades, np.ndarray):
        frame = frame.with_columns(pl.Series("label", grades))
    qrels = md.read_qrels({"1": dict(zip("abc", grades, strict=True))} if isinstance(grades, list) else frame)
    assert qrels.relevance.grades == (0, Fraction(7, 10), 1)


def test_files_with_decimals_come_back_as_they_were(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 0.7\n1 0 b 1e-3\n1 0 c 1.0\n1 0 d -1\n1 0 e 1/3\n2 0 a 500\n")
    qrels = md.read_qrels(tmp_path / "qrels")
    qrels.to_trec(tmp_path / "again")
    assert (tmp_path / "again").read_text() == "1 0 a 0.7\n1 0 b 0.001\n1 0 c 1\n1 0 d -1\n1 0 e 1/3\n2 0 a 500\n"
    assert md.read_qrels(tmp_path / "again").coded.spelled(slice(0, 6)) == qrels.coded.spelled(slice(0, 6))


def test_whole_grades_beyond_127_are_told_apart_and_relevant_from_1():
    judged = md.judge(RUN, {"1": {"d1": 500, "d2": 1, "d4": 200}})
    assert judged.grades[0, 0].tolist() == [3, 1, -1, 2]
    assert not [caveat for caveat in judged.caveats if caveat.kind is CaveatKind.GRADES]
    assert md.parse("P@2").scores(judged).values[0, 0] == 1
    assert md.parse("DCG@1").scores(judged).values[0, 0] == 500


def test_many_levels_are_kept_in_wider_numbers():
    qrels = {"1": {f"d{i}": i / 40_000 for i in range(40_000)}}
    judged = md.judge({"1": {f"d{i}": float(i) for i in range(0, 40_000, 4_000)}}, qrels)
    assert judged.grades.dtype == np.int32
    assert judged.grades[0, 0, 0] == 36_000
    assert md.parse("P@10").scores(judged).values[0, 0] == 0.5


@pytest.mark.parametrize("grade", [-0.5, float("nan"), float("inf"), 1e300, "high", 1e-40])
def test_what_can_be_no_grade_is_refused(grade):
    with pytest.raises(InputError, match="grade"):
        md.read_qrels({"1": {"a": 0.5, "b": grade}})


def test_a_level_and_its_witness_are_told_by_grades():
    runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "x": 1.0}}}
    judged = md.judge(runs, {"1": {"x": 0.3, "y": 0.7}})
    place = md.levels(judged, "a", "b").additive.witness
    assert str(place) == "documents of grade 0.7 or more at the first rank"
    assert place.precision.scores(judged).values[:, 0].tolist() == [0.0, 1.0]
    assert (
        md.dominance(judged, "a", "b").why("1").why.startswith("down to rank 1 the first has 0 documents of grade 0.7")
    )


def test_assessors_may_have_grades_of_their_own():
    run = {"1": {"d1": 3.0, "d2": 2.0}}
    one, other = md.judge(run, {"1": {"d1": 1, "d2": 2}}), md.judge(run, {"1": {"d1": 1.5, "d2": 0.5}})
    found = md.assessors({"Ann": one, "Bob": other})
    assert [str(grade) for grade in found.favourable.run("1")] == ["1.5", "2"]


def test_a_measure_for_whole_grades_alone_is_refused():
    judged = md.judge(RUN, QRELS)
    with pytest.raises(ParameterError, match="has gains for grades 0, 1, 2"):
        md.parse("DiscountCurve(by_rank='1, 1/2', by_grade='0, 1, 3')").scores(judged)
