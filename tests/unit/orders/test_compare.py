"""What compare understands, refuses and says."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.judged import Multiset, Relevance
from measurand.orders import ORDERS, AtRank, Comparison, Count, Relation, by_gain, compare, explain, mass
from measurand.scale import Scale

LABELS = Relevance.labelled("nr", "pr", "hr")


def test_the_orders_are_the_five_of_the_contract_each_with_a_line():
    assert list(ORDERS) == ["swap", "replacement", "projection", "set-replacement", "set-projection"]
    assert all(len(line) > 20 for line in ORDERS.values())


def test_a_relation_is_its_word():
    assert compare((0, 1), (1, 0)) == "less"


@pytest.mark.parametrize("nothing", [-1, -2, -3, False, 0.0, "0"])
def test_what_is_unjudged_pooled_or_missing_counts_as_grade_zero(nothing):
    assert compare((1, nothing), (1, 0)) is Relation.EQUAL


@pytest.mark.parametrize("run", [[2, 0, 1], np.array([2, 0, 1], np.int8), ["2", 0.0, True], iter((2, 0, 1))])
def test_runs_come_as_any_sequence_of_numbers(run):
    assert compare(run, (2, 0, 1)) is Relation.EQUAL


def test_grades_may_be_fractions_floats_and_spelled_numbers_and_are_compared_exactly():
    assert compare(["1/3", 0], [Fraction(1, 3), 0]) is Relation.EQUAL
    assert compare([0.1 + 0.2], [0.3]) is Relation.GREATER
    assert compare([10**30], [10**30 + 1]) is Relation.LESS
    assert explain(["1/3"], [0]).ahead == Count(Fraction(1, 3), 1, 1, 0)


def test_labels_are_compared_by_their_place_and_shown_by_their_name():
    assert compare(["pr", "nr"], ["nr", "hr"], relevance=LABELS) is Relation.INCOMPARABLE
    assert explain(["pr", "nr"], ["nr", "hr"], relevance=LABELS).behind == Count("hr", 2, 0, 1)
    assert explain(["pr"], ["hr"], "replacement", LABELS).behind == AtRank(1, "pr", "hr")
    assert compare(["pr", -1], ["pr", "nr"], relevance=LABELS) is Relation.EQUAL
    assert mass(["pr", "hr", "nr"], "pr", relevance=LABELS) == 2


@pytest.mark.parametrize(
    ("relevance", "grade"),
    [
        (Relevance.binary(), 2),
        (Relevance.graded(0, 1, 3), 2),
        (Relevance.real(upper=1), "3/2"),
        (LABELS, "xr"),
        (LABELS, 3),
    ],
)
def test_a_grade_outside_the_relevance_set_is_refused(relevance, grade):
    with pytest.raises(ParameterError, match="none of the"):
        compare((0, grade), (0, 0), relevance=relevance)


def test_grades_of_a_real_relevance_set_are_any_numbers_in_it():
    assert compare((0.5, 0), (0, 0.75), relevance=Relevance.real(upper=1)) is Relation.INCOMPARABLE


@pytest.mark.parametrize("grade", [-4, -0.5, nan, inf, "good", None, (1, 0)])
def test_what_is_no_grade_is_refused(grade):
    with pytest.raises(ParameterError, match="is no grade"):
        compare((0, grade), (0, 0))


@pytest.mark.parametrize("run", ["10", {1: 0, 2: 1}, {0, 1}, 5, None])
def test_what_is_no_run_is_refused(run):
    with pytest.raises(ParameterError, match="is no run"):
        compare(run, (1, 0), "set-replacement")


def test_rows_of_runs_are_refused():
    with pytest.raises(ParameterError, match="2 dimensions"):
        compare(np.zeros((2, 2), int), (0, 0))
    with pytest.raises(ParameterError, match="one sequence"):
        compare([[0, 1], [1, 0]], (0, 0))


@pytest.mark.parametrize("order", ["swap", "replacement", "projection"])
def test_a_multiset_has_no_ranks(order):
    with pytest.raises(ParameterError, match="no ranks"):
        compare(Multiset.of([0, 1]), (0, 1), order)


def test_a_multiset_is_compared_as_a_set():
    assert compare(Multiset.of([2, 0]), (0, 2), "set-replacement") is Relation.EQUAL
    assert compare(Multiset.of([2, 0]), Multiset.of([1, 1]), "set-projection") is Relation.GREATER


def test_a_multiset_without_end_is_refused():
    with pytest.raises(ParameterError, match="without end"):
        compare(Multiset({1: inf}), Multiset({1: inf}), "set-replacement")


def test_an_unknown_order_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match=r"order must be one of 'swap', 'replacement', .* not 'lex'"):
        compare((0,), (1,), "lex")


@pytest.mark.parametrize("order", ORDERS)
def test_empty_runs_are_equal(order):
    assert explain((), (), order) == Comparison()
    assert explain((), (), order).why == "the two have the same grades"


@pytest.mark.parametrize(
    ("order", "r", "s", "why"),
    [
        (
            "swap",
            (0, 1, 2),
            (1, 1, 0),
            "down to rank 1 the first has 0 documents of grade 1 or more against 1,"
            " down to rank 3 it has 1 document of grade 2 or more against 0",
        ),
        ("swap", (0, 1), (1, 0), "down to rank 1 the first has 0 documents of grade 1 or more against 1"),
        (
            "replacement",
            (1, 0),
            (0, 2),
            "at rank 1 the first has grade 1 against 0, at rank 2 it has 0 against 2",
        ),
        ("projection", (1, 0), (0, 2), "at rank 1 the first has grade 1 against 0"),
        (
            "set-replacement",
            (3, 0, 0),
            (2, 2, 0),
            "the first has 1 document of grade 3 or more against 0, but it has 1 document of grade 2 or more against 2",
        ),
        ("set-projection", (3, 0, 0), (2, 2, 0), "the first has 1 document of grade 3 or more against 0"),
    ],
)
def test_a_comparison_says_why(order, r, s, why):
    assert explain(r, s, order).why == why


def test_projection_finds_the_first_difference_and_the_highest():
    assert explain((2, 0, 5), (2, 1, 0), "projection") == Comparison(behind=AtRank(2, 0, 1))
    assert explain((2, 0, 0), (2, 1, 1), "set-projection") == Comparison(behind=Count(1, None, 1, 3))


def test_long_runs_are_compared_without_enumeration():
    rng = np.random.default_rng(0)
    run = rng.integers(0, 5, 100_000)
    assert compare(run, np.sort(run)[::-1]) is Relation.LESS
    assert compare(run, run[::-1].copy()) is Relation.INCOMPARABLE


def test_summed_gain_needs_runs_of_one_length():
    with pytest.raises(ParameterError, match="one length"):
        by_gain((1,), (1, 0), Relevance.binary(scale=Scale.RATIO))
    assert by_gain((1, 0), (1, 1), Relevance.binary(scale=Scale.RATIO)) is Relation.LESS
    assert by_gain((1, 1), (1, 0), Relevance.binary(scale=Scale.RATIO)) is Relation.GREATER


@pytest.mark.parametrize("rank", [0, 4, -1, 1.5, True, "2"])
def test_mass_refuses_what_is_no_rank(rank):
    with pytest.raises(ParameterError, match="no rank"):
        mass((1, 0, 2), 1, rank)


def test_mass_of_a_set_is_that_of_all_its_documents():
    assert mass(Multiset.of([1, 0, 2]), 1) == 2
    with pytest.raises(ParameterError, match="no ranks"):
        mass(Multiset.of([1, 0, 2]), 1, rank=2)
