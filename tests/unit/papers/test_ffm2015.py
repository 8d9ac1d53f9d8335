"""What Ferrante, Ferro and Maistro (2015) print, where it is a formula, and what their figures show here."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.axioms.balance import FIGURE_1A
from measurand.errors import ParameterError
from measurand.papers.exhibit import Mark, Provenance
from measurand.papers.ffm2015 import balance, orders, representation
from measurand.papers.ffm2015.balance import ap_as_printed, err_as_printed, ndcg_as_printed, told_apart
from measurand.papers.ffm2015.examples import at_most, every, ordered_pairs, worth
from measurand.papers.ffm2015.figures import COLOURS, SHORT, balancing_curves


def test_the_printed_formulas_go_wrong_where_the_checklist_says():
    assert [err_as_printed(n, Fraction(1, 10)) for n in (5, 10, 20, 50, 100)] == [2, 2, 3, 3, 3]
    assert {ndcg_as_printed(n, 10) for n in range(1, 10)} == {10}
    assert [ndcg_as_printed(n, 2) for n in (1, 2, 15)] == [2, 2, 12]
    assert [ap_as_printed(n) for n in (1, 2, 3, 10, 20)] == [1, 1, 2, 7, 15]


def test_the_printed_order_has_only_ascending_runs_below_themselves():
    kept = [run for run in every(2, 3) if orders.as_printed(run, run)]
    assert kept == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]


def test_an_exhibit_says_where_the_paper_is_right_and_where_not():
    lines = list(orders.examples_of_rankings.lines())
    assert "".join(line.mark for line in lines if line.paper) == "✓✓✗✓✓"
    assert [line.errata for line in representation.measures_of_sets.lines()].count(("E01",)) == 1


def test_measures_of_sets_are_said_to_add_up_over_disjoint_sets_and_do():
    [disjoint] = [line for line in representation.measures_of_sets.lines() if "disjoint" in line.what]
    assert (disjoint.provenance, disjoint.mark) == (Provenance.SAID, Mark.AGREES)


def test_the_formula_for_err_is_told_by_its_exponent_and_nothing_is_ascribed_to_the_paper_for_a_tenth():
    lines = [line for line in balance.expected_reciprocal_rank.lines() if line.errata == ("E12",)]
    assert [(line.paper, line.provenance) for line in lines] == [((1, 1, 1, 2, 2, 3, 3, 3), Provenance.DERIVED)]


def test_the_algorithm_is_said_to_be_linear_in_the_number_of_values_and_is():
    *_, cost = balance.the_algorithm.lines()
    assert (cost.provenance, cost.mark, cost.errata) == (Provenance.SAID, Mark.AGREES, ())


def test_pairs_are_in_the_order_that_compares_two_runs():
    runs = every(3, 3)
    assert ordered_pairs(3, 3) == {(r, s) for r in runs for s in runs if at_most(r, s)}


def test_a_value_that_is_no_fraction_is_refused():
    with pytest.raises(ParameterError, match="no fraction"):
        worth("DCG", (1, 1, 1))


def test_measures_with_one_curve_share_it_and_every_curve_has_a_colour():
    panels = balancing_curves(SHORT, (1, 60)).to_dict()["hconcat"]
    names = panels[0]["encoding"]["color"]["scale"]["domain"]
    assert names[-1] == "ERR, RBP(p=0.5), RR"
    assert len(names) == len(COLOURS)
    assert sorted(", ".join(names).split(", ")) == sorted(FIGURE_1A)


@pytest.mark.parametrize(("generator", "rate"), [("bernoulli", 0.53), ("fixed", 0.885)])
def test_sixty_ranks_tell_the_simulated_systems_apart_as_a_thousand_do(generator, rate):
    # three standard errors, and the error of the rate that is compared with
    assert abs(told_apart(generator, 8) - rate) < 0.03 + 3 * (rate * (1 - rate) / 200) ** 0.5
