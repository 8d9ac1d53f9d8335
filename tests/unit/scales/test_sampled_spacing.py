"""Equal spacing refuted from some values: every refutation is true, and where there is none nothing is claimed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from measurand import parse, scales
from measurand.scales.sampled_spacing import sampled_spacing, too_many_steps
from measurand.verdict import How


@pytest.mark.parametrize("spelling", ["AP", "RR", "Q", "ERR", "RBP(p=0.8)", "P", "RBP(p=0.5)", "Rprec", "F"])
def test_what_some_values_refute_a_look_at_all_of_them_refutes(spelling):
    measure = parse(spelling)
    refuted = sampled_spacing(measure, 6, 2).how is How.COUNTEREXAMPLE
    assert not (refuted and scales.image(measure, 6).equispaced)


def test_most_measures_that_are_unevenly_spaced_are_refuted():
    assert all(sampled_spacing(parse(name), 20, 2).how is How.COUNTEREXAMPLE for name in ("Q", "AP", "INST"))


def test_the_certificate_can_be_checked_by_hand():
    measure = parse("Q")
    witness = scales.scale_type(measure, 30).witness
    values = [measure.of(run) for run in witness.runs]
    assert values == list(witness.values) == sorted(values)
    assert all(((value - values[0]) / witness.step).denominator == 1 for value in values)
    assert witness.total == 2**30 < witness.needed == (values[-1] - values[0]) / witness.step + 1


def test_equally_spaced_values_are_never_refuted():
    for steps in (1, 7, 15):
        runs = list(product(range(2), repeat=4))[: steps + 1]
        assert too_many_steps([(Fraction(place, 3), run) for place, run in enumerate(runs)], 16) is None


def test_where_nothing_is_refuted_no_interval_scale_is_claimed():
    found = scales.scale_type(lambda run: sum(run), 40)
    assert (found.scale, found.how, bool(found)) == (scales.interval("AP").scale.ORDINAL, How.SAMPLED, False)
    assert "does not prove" in found.argument
    rounded = scales.scale_type(lambda run: sum(run) / 7, 40)
    assert "rounded" in rounded.argument
