"""What is known about the scale of measures, beside what they declare and what their images show."""

from __future__ import annotations

import pytest

from measurand.intervals import image
from measurand.measures import catalogue, define, parse
from measurand.references import bibliography
from measurand.scale import Scale
from measurand.scales import known_scale

VARIANTS = [
    "AP(rel=1)@4",
    "DCG(b=2)",
    "F(beta=2)",
    "F@3",
    "P@3",
    "R@3",
    "RBP(p=0.3)",
    "RBP(p=0.5)",
    "RBP(p=0.5)@3",
    "RR@4",
    "gRBP(p=0.5)",
    "gm(P)",
    "gm(RR)",
    "nDCG(b=2)@4",
    "nDCG@4",
]

SPELLINGS = [*catalogue(), *VARIANTS]

DEPTHS = (4, 5, 6)


KNOWN = {spelling: known.scale for spelling in SPELLINGS if (known := known_scale(parse(spelling))) is not None}


def test_a_declared_interval_scale_has_equally_spaced_values():
    # where a scale is one for some readers alone, it is a matter of what they prefer, not of the values
    declared = [s for s in SPELLINGS if parse(s).scale >= Scale.INTERVAL and not parse(s).scale_for]
    assert len(declared) > 10
    for spelling in declared:
        assert all(image(spelling, depth).equispaced for depth in DEPTHS), spelling
        assert KNOWN.get(spelling, Scale.RATIO) >= Scale.INTERVAL, spelling


@pytest.mark.parametrize("spelling", [spelling for spelling, scale in KNOWN.items() if scale >= Scale.INTERVAL])
def test_a_known_interval_scale_has_equally_spaced_values_on_binary_runs(spelling):
    assert all(image(spelling, depth).equispaced for depth in DEPTHS)


@pytest.mark.parametrize("spelling", [spelling for spelling, scale in KNOWN.items() if scale is Scale.ORDINAL])
def test_a_measure_known_to_be_ordinal_declares_no_more_and_has_unequal_gaps(spelling):
    assert parse(spelling).scale is Scale.ORDINAL
    assert not any(image(spelling, depth).equispaced for depth in DEPTHS)


@pytest.mark.parametrize("spelling", ["P", "R", "F", "RBP(p=0.5)"])
def test_measures_that_are_known_to_be_on_an_interval_scale_declare_it(spelling):
    assert KNOWN[spelling] is parse(spelling).scale is Scale.INTERVAL


def test_there_is_something_to_compare():
    scales = list(KNOWN.values())
    assert min(scales.count(Scale.INTERVAL), scales.count(Scale.ORDINAL)) >= 10


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_known_names_its_source(spelling):
    known = known_scale(parse(spelling))
    assert known is None or known.reference in bibliography()


def test_the_geometric_mean_is_known_as_the_measure_inside():
    assert known_scale(parse("gm(P)")) == known_scale(parse("P"))
    assert known_scale(parse("gm(AP)")) == known_scale(parse("AP"))


@pytest.mark.parametrize("spelling", ["Bpref", "NumQ", "OIE", "INST"])
def test_nothing_is_known_of_other_measures(spelling):
    assert known_scale(parse(spelling)) is None


def test_nothing_is_known_of_a_function():
    assert known_scale(define(sum, name="Total", graded=True)) is None
