"""SBTO and RBTO: places in the two total orders of runs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from measurand import errors, interval, judge, orders, parse, scales
from measurand.judged import JudgedRuns
from measurand.measures import RBTO, SBTO
from measurand.scale import Basis
from measurand.scores.summary import written

SIZES = [(5, 2), (4, 3), (3, 4)]


def place(run, grades, order):
    """Return how many different runs are worse, by comparing with all; as sets, runs that differ in order are one."""
    every = product(range(grades), repeat=len(run))
    runs = {tuple(sorted(one, reverse=True)) if order == "set-projection" else one for one in every}
    return sum(str(orders.compare(one, run, order)) == "less" for one in runs)


@pytest.mark.parametrize(("depth", "grades"), SIZES)
def test_a_value_is_the_number_of_runs_that_are_worse_in_the_order(depth, grades):
    for run in product(range(grades), repeat=depth):
        assert SBTO.of(run, grades=grades) == place(run, grades, "set-projection")
        assert RBTO.of(run, grades=grades) == place(run, grades, "projection")


def test_precision_recall_and_rbp_with_one_half_are_the_same_numbers_in_other_units():
    for run in product(range(2), repeat=5):
        assert SBTO.of(run) == 5 * parse("P").of(run) == 3 * parse("R").of(run, recall_base=3)
        assert RBTO.of(run) == 2**5 * parse("RBP(p=0.5)").of(run)


def test_generalized_precision_has_another_order_than_sbto():
    one, several = (2, 0, 0), (1, 1, 1)
    assert SBTO.of(one, grades=3) > SBTO.of(several, grades=3)
    assert parse("gP").of(one, grades=3) < parse("gP").of(several, grades=3)


@pytest.mark.parametrize("spelling", ["SBTO", "RBTO", "SBTO(rel=2)", "RBTO(rel=2)"])
def test_both_are_interval_scales_on_grades_of_any_scale(spelling):
    found = scales.scale_type(spelling, 4, 3)
    assert found.scale.name == "INTERVAL"
    assert scales.image(spelling, 4, 3).equispaced
    assert scales.scale_type(spelling, 1000, 4).scale.name == "INTERVAL"


@pytest.mark.parametrize(("depth", "grades"), SIZES)
def test_their_rulers_give_what_they_are(depth, grades):
    for measure in (SBTO, RBTO):
        scale = interval(measure, depth=depth, grades=grades)
        places = interval(measure, depth=depth, grades=grades, ties="max")
        values = [measure.of(run, grades=grades) for run in product(range(grades), repeat=depth)]
        for run in ((0,) * depth, (1, *[0] * (depth - 1)), (0, grades - 1, *[1] * (depth - 2))):
            value = measure.of(run, grades=grades)
            assert scale.rank(run) == value + 1
            assert places.rank(run) == sum(other <= value for other in values)


def test_scores_say_how_deep_runs_are_and_refuse_what_no_float_holds():
    ranking = {"1": {f"d{place:04}": float(-place) for place in range(600)}}
    judged = judge({"a": ranking}, {"1": {"d0000": 3, "d0001": 1}})
    scores = (RBTO @ 5).scores(judged)
    assert scores.values.tolist() == [[3 * 4**4 + 4**3]]
    assert scores.scale.name == "INTERVAL"
    assert any("no cutoff" in str(caveat) for caveat in SBTO.scores(judged).caveats)
    with pytest.raises(errors.NotAvailable, match="RBTO@100"):
        RBTO.scores(judged)


def test_the_label_of_scores_is_proved():
    from measurand.scale import ScaleOf

    assert ScaleOf(SBTO @ 10, 1000, 4).label.basis is Basis.PROVED


def test_places_that_are_too_large_to_read_come_with_the_highest_and_with_what_floats_do_not_tell_apart():
    judged = JudgedRuns.on_one_topic(np.eye(100, dtype=np.int8)[-2:], (100, 1))
    told = " ".join(map(str, (RBTO @ 100).scores(judged).caveats))
    assert "go from 0 to 1.2677e+30" in told
    assert "runs which differ only at their last ranks tie" in told
    assert not any("places of" in str(caveat) for caveat in (RBTO @ 10).scores(judged).caveats)
    assert written(2.0**99) == "6.3383e+29"
