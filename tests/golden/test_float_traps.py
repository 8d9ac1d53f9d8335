"""The traps of double precision, with the numbers of the checklist."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged import JudgedRuns, every_run
from measurand.measures import AP, DCG
from measurand.papers import float_effect, float_image
from measurand.papers.fff2021.float_traps import EXHIBITS

NUMPY = "pairwise"


@pytest.mark.parametrize(
    ("depth", "recall_base", "values", "doubles"),
    [(6, None, 54, 55), (6, 1, 54, 56), (6, 7, 54, 56), (8, None, 225, 228), (10, None, 810, 853)],
)
def test_doubles_break_ties_of_average_precision(depth, recall_base, values, doubles):
    found = float_image("AP", depth, recall_base=recall_base, arithmetic=NUMPY)
    assert (found.exact, found.size, found.merged) == (values, doubles, 0)


def test_the_first_tie_of_average_precision_that_breaks():
    (first,) = float_image("AP", 6, arithmetic=NUMPY).splits()
    assert (first.one, first.other) == ((0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0))
    assert first.doubles == (0.3499999999999999, 0.35000000000000003)
    assert AP.of(first.one) == AP.of(first.other)


def test_row_sums_of_numpy_are_right_for_base_2_and_wrong_for_base_10():
    assert float_image("DCG(b=2)", 10, arithmetic=NUMPY).size == 768
    assert float_image("DCG(b=10)", 16, arithmetic=NUMPY).size > 704


@pytest.mark.parametrize(("base", "depth", "values"), [(2, 12, 3072), (10, 16, 704)])
def test_a_matrix_product_never_finds_fewer_values_and_mostly_more(base, depth, values):
    # how many more depends on the machine, so that there is no number to pin
    assert len(np.unique(every_run(depth, 2).astype(float) @ DCG(b=base).weights(depth))) >= values


@pytest.mark.parametrize(("depth", "values", "doubles"), [(10, 1010, 1011), (15, 30650, 31458)])
def test_doubles_break_ties_of_expected_reciprocal_rank(depth, values, doubles):
    found = float_image("ERR", depth, arithmetic=NUMPY)
    assert (found.exact, found.size) == (values, doubles)


@pytest.mark.parametrize(
    ("measure", "grades", "depth", "values", "doubles"),
    [
        ("DCG(b=2)", 3, 8, 2673, 2673),
        ("DCG(b=2)", 3, 9, 6237, 6640),
        ("DCG(b=2)", 4, 9, 32000, 39021),
        ("DCG(b=2, gain=exp2)", 3, 8, 2511, 2618),
        ("gRBP(p=0.5)", 4, 2, 10, 11),
        ("ERR", 4, 4, 249, 249),
        ("ERR", 4, 5, 947, 948),
    ],
)
def test_with_grades_adding_from_left_to_right_fails_too(measure, grades, depth, values, doubles):
    found = float_image(measure, depth, grades)
    assert (found.exact, found.size) == (values, doubles)


@pytest.mark.spec("F6")
@pytest.mark.parametrize(
    ("measure", "depth", "digits", "values", "rounded", "split"),
    [
        ("RBP(p=0.8)", 15, 8, 32768, 32755, 0),
        ("ERR", 16, 10, 63204, 63205, 1),
    ],
)
def test_rounding_merges_values_and_leaves_ties_broken_on_its_borders(measure, depth, digits, values, rounded, split):
    found = float_image(measure, depth, arithmetic=NUMPY, digits=digits)
    assert (found.exact, found.size, found.split) == (values, rounded, split)


@pytest.mark.parametrize(
    ("measure", "depth", "free", "doubles"),
    [
        ("RBP(p=0.3)", 32, 12, 2048),
        ("RBP(p=0.3)", 36, 12, 128),
        ("RBP(p=0.5)", 54, 10, 513),
    ],
)
def test_deep_ranks_are_lost_beside_the_first(measure, depth, free, doubles):
    found = float_image(measure, depth, head=(1, *[0] * (depth - free - 1)))
    assert (found.exact, found.size, found.split) == (2**free, doubles, 0)


def test_in_doubles_average_precision_disagrees_with_its_own_order_on_a_topic():
    judged = JudgedRuns.on_one_topic(every_run(8, 2), (8, 8))
    found = float_effect(judged, ["P", "AP"], depth=8, tests=())
    assert found.of("AP").split > 0
    assert found.of("AP").tau < 1
    assert found.of("P").tau == 1


@pytest.mark.parametrize("measure", ["P", "R", "RR"])
def test_one_division_of_whole_numbers_breaks_no_tie(measure):
    found = float_image(measure, 12)
    assert (found.exact, found.size, found.split, found.merged) == (13, 13, 0, 0)


def test_there_is_an_exhibit_for_every_trap():
    assert [each.rows for each in EXHIBITS] == [(f"F{n}",) for n in range(1, 12)]
