"""The witnesses of the two thresholds are runs over the grades that were asked for (D16)."""

from __future__ import annotations

from fractions import Fraction

import pytest

import measurand as md

THRESHOLDS = ("deepness_threshold", "closeness_threshold")


def test_the_thresholds_of_a_profile_show_the_grades_that_were_asked_for(call):
    """D16: one document of grade 1 of 3 is worth 1/8 under ERR, wherever it stands in the output."""
    graded = call("measure", "ERR", "--grades", "4").out
    assert "1/8 = 0.125" in graded
    assert "1/2 = 0.5" not in graded
    binary = call("measure", "ERR").out
    assert "1/2 = 0.5" in binary
    assert "1/8" not in binary


@pytest.mark.parametrize("grades", [2, 3, 4, 6])
@pytest.mark.parametrize("spelled", ["ERR", "gP@10", "RBP(p=0.8)", "nDCG", "AP", "ERR(gmax=5)"])
def test_every_witness_has_the_value_that_the_measure_gives_it(spelled, grades):
    """D16: profile, the question alone, and the measure itself agree on every run of a witness."""
    measure = md.parse(spelled)
    found = md.profile(measure, depth=4, grades=grades, recall_base=10, collection=100).axioms
    for name in THRESHOLDS:
        asked = getattr(md.axioms, name)(measure, grades=grades, collection=100, recall_base=10)
        assert (bool(asked), asked.witness) == (bool(found[name]), found[name].witness)
        for run, value in zip(asked.witness.runs, asked.witness.values, strict=True):
            counts = (90, 10, *[0] * (grades - 2))
            assert value == measure.of(run, 10, counts), run


def test_err_stops_as_chapelle_says():
    """D16: the chance to stop at grade 1 is (2 - 1) / 2^highest."""
    for grades in (2, 3, 4):
        witness = md.axioms.deepness_threshold("ERR", grades=grades).witness
        assert dict(zip(witness.runs, witness.values, strict=True))[1,] == Fraction(1, 2 ** (grades - 1))


def test_what_is_said_of_the_topic_names_grades_only_where_there_are_several():
    """D16: what is relevant has a grade."""
    two, four = (md.axioms.closeness_threshold("ERR", grades=grades).checked for grades in (2, 4))
    assert "of grade" not in two
    assert "all of grade 1 of 3" in four


@pytest.mark.parametrize("spelled", ["OIE", "Compat", "AP", "nDCG", "RBP(p=0.8)", "gP@10", "P@10"])
def test_more_grades_alone_change_no_verdict(spelled):
    """D16: where the value of grade 1 is a unit, as here, the highest grade there could be changes nothing."""
    two, four = (md.axioms.contest(spelled, collection=200, recall_base=20, grades=grades) for grades in (2, 4))
    assert two.signs.tolist() == four.signs.tolist()
