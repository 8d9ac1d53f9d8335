"""Operations, chains and bounds: what they give and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.judged import Multiset
from measurand.orders import (
    Step,
    backward_chain,
    chain,
    compare,
    difference,
    least_and_greatest,
    replace,
    replacements,
    swap,
)


@pytest.mark.parametrize(("i", "j"), [(2, 1), (1, 1), (1, 3), (2, 3)])
def test_a_swap_that_would_not_move_a_better_document_up_is_refused(i, j):
    with pytest.raises(ParameterError, match="cannot be swapped"):
        swap((1, 2, 0), i, j)


@pytest.mark.parametrize(("i", "j"), [(0, 1), (1, 4)])
def test_a_swap_needs_ranks_that_are_there(i, j):
    with pytest.raises(ParameterError, match="no rank"):
        swap((0, 2, 1), i, j)


def test_a_replacement_by_a_worse_document_is_refused():
    with pytest.raises(ParameterError, match="makes the run worse"):
        replace((1, 2), 2, 1)
    assert replace((1, 2), 2, 2) == (1, 2)


def test_a_replacement_in_a_set_counts_from_the_best_grade():
    assert replace(Multiset.of([0, 1, 2]), 3, 2) == (2, 2, 1)


@pytest.mark.parametrize(("run", "grades"), [((0, 3), 3), ((0, 0.5), 2)])
def test_replacements_by_one_grade_need_whole_grades_that_are_there(run, grades):
    with pytest.raises(ParameterError, match="none of 0 to"):
        replacements(run, grades)


def test_the_number_of_grades_is_a_whole_number():
    with pytest.raises(ParameterError, match="grades must be a whole number"):
        replacements((0, 1), 2.5)
    with pytest.raises(ParameterError, match="relevant must be a whole number"):
        least_and_greatest(3, "2", 2)


def test_equal_sets_do_not_differ():
    assert difference(Multiset.of([1, 0]), Multiset.of([0, 1])) is None
    assert difference((1, 2), (0, 2)) == 1


def test_a_step_says_what_it_does():
    steps = chain((0, 1, 0), (2, 0, 1))
    assert [str(step) for step in steps] == [
        "swap ranks 1 and 2, grades 0 and 1",
        "replace grade 1 at rank 1 by grade 2",
        "replace grade 0 at rank 3 by grade 1",
    ]


def test_a_chain_by_replacement_swaps_nothing():
    assert chain((0, 1), (1, 1), "replacement") == [Step("replacement", 1, None, 0, 1)]
    with pytest.raises(ParameterError, match="at rank 2 it has 1 against 0"):
        chain((0, 1), (1, 0), "replacement")


@pytest.mark.parametrize("order", ["swap", "replacement", "set-replacement"])
def test_the_chain_between_equal_runs_is_empty(order):
    assert chain((2, 0, 1), (2, 0, 1), order) == []


@pytest.mark.parametrize("construct", [chain, backward_chain])
@pytest.mark.parametrize(("r", "s"), [((1, 0), (0, 1)), ((0, 1, 0, 1, 0), (1, 0, 0, 0, 1))])
def test_where_no_chain_leads_the_counts_say_why(construct, r, s):
    with pytest.raises(ParameterError, match=r"no chain leads .*: down to rank \d the first has"):
        construct(r, s)


@pytest.mark.parametrize("order", ["projection", "set-projection"])
def test_projection_is_not_made_of_steps(order):
    with pytest.raises(ParameterError, match="not made of steps"):
        chain((0, 1), (1, 0), order)


def test_a_long_chain_is_found_and_leads_there():
    rng = np.random.default_rng(1)
    start = rng.integers(0, 5, 1000)
    goal = np.sort(np.maximum(start, rng.integers(0, 5, 1000)))[::-1]
    run = start.tolist()
    for step in chain(start, goal):
        i, j = step.rank - 1, step.other and step.other - 1
        assert run[i] == step.old < step.new
        if j is None:
            run[i] = step.new
        else:
            assert i < j
            assert run[j] == step.new
            run[i], run[j] = run[j], run[i]
    assert run == goal.tolist()


def test_a_chain_between_real_grades_is_exact():
    run = ("1/3", 0, 0.5)
    for step in chain(run, (0.5, "1/3", 1)):
        run = step.apply(run)
    assert compare(run, (0.5, "1/3", 1)) == "equal"


@pytest.mark.parametrize(
    ("order", "bounds"),
    [
        ("swap", ((0, 1, 1), (2, 2, 0))),
        ("projection", ((0, 1, 1), (2, 2, 0))),
        ("set-replacement", ((1, 1, 0), (2, 2, 0))),
        ("set-projection", ((1, 1, 0), (2, 2, 0))),
    ],
)
def test_the_least_and_the_greatest_run_depend_on_the_order(order, bounds):
    assert least_and_greatest(3, 2, 3, order) == bounds


def test_by_replacement_there_is_a_least_run_only_where_nothing_can_move():
    assert least_and_greatest(2, 2, 3, "replacement") == ((1, 1), (2, 2))
    assert least_and_greatest(2, 0, 3, "replacement") == ((0, 0), (0, 0))
    with pytest.raises(ParameterError, match="no run is the least"):
        least_and_greatest(2, 1, 3, "replacement")


@pytest.mark.parametrize(("length", "relevant", "grades"), [(2, 3, 2), (2, 1, 1)])
def test_bounds_of_runs_that_cannot_be_are_refused(length, relevant, grades):
    with pytest.raises(ParameterError, match="no run of"):
        least_and_greatest(length, relevant, grades)
