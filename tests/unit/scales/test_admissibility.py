"""Scale types: what each admits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale, as_scale
from measurand.scales.admissibility import SCALES, admissible, admissible_statistics, permissible, required_scale
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS


def test_words_are_read_with_spaces_underscores_hyphens_and_capitals():
    assert {required_scale(name) for name in ("geometric mean", "geometric_mean", "Geometric-Mean")} == {Scale.RATIO}
    assert as_scale("Interval scale") is as_scale("INTERVAL") is Scale.INTERVAL


@pytest.mark.parametrize("name", list(TESTS))
def test_a_test_needs_what_it_declares(name):
    assert required_scale(name) is required_scale(name.replace("_", " ").title()) is need_of(TESTS[name]).scale


def test_a_stronger_scale_admits_whatever_a_weaker_one_admits():
    for facts in SCALES.values():
        for statistic in facts.statistics:
            assert [scale for scale in Scale if admissible(statistic, scale)] == list(Scale)[facts.scale - 1 :]


def test_the_table_names_every_scale_statistic_and_test():
    table = admissible_statistics()
    names = [name for facts in SCALES.values() for name in (str(facts.scale), *facts.statistics)]
    assert [name for name in (*names, *(test.replace("_", " ") for test in TESTS)) if name not in table] == []


@pytest.mark.parametrize("name", ["nonsense", ""])
def test_what_nobody_knows_is_refused_with_what_there_is(name):
    with pytest.raises(ParameterError, match="there is mode"):
        required_scale(name)
    with pytest.raises(ParameterError, match="there is nominal"):
        as_scale(name)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Student t test", "paired_t"),
        ("Student's t", "paired_t"),
        ("Wilcoxon signed rank test", "signed_rank"),
        ("wilcoxon rank-sum", "rank_sum"),
        ("Friedman test", "friedman"),
    ],
)
def test_tests_are_known_by_the_names_people_say(said, name):
    assert required_scale(said) is need_of(TESTS[name]).scale


def test_no_statistic_is_listed_twice():
    listed = [name for facts in SCALES.values() for name in facts.statistics]
    assert len(listed) == len(set(listed))


NUMBERS = st.lists(st.fractions(-20, 20, max_denominator=9), min_size=2, max_size=6, unique=True)
SLOPES = st.fractions(Fraction(1, 9), 9, max_denominator=9)


@given(values=NUMBERS, slope=SLOPES, shift=st.fractions(-9, 9, max_denominator=9))
def test_affine_maps_are_permissible_up_to_interval_scales_and_multiples_everywhere(values, slope, shift):
    moved = [slope * value + shift for value in values]
    assert all(permissible(scale, values, moved) for scale in list(Scale)[:3])
    assert bool(permissible("ratio", values, moved)) == (shift == 0)
    assert permissible("ratio", values, [slope * value for value in values])


@given(values=NUMBERS)
def test_a_cube_keeps_order_and_a_square_keeps_it_only_on_one_side_of_zero(values):
    assert permissible("ordinal", values, [value**3 for value in values])
    squares = [value**2 for value in values]
    ascending = [square for _, square in sorted(zip(values, squares, strict=True))]
    assert bool(permissible("ordinal", values, squares)) == all(one < other for one, other in pairwise(ascending))


def test_a_constant_piece_is_refused_with_the_values_that_it_merges():
    verdict = permissible("ordinal", [1, 2, 3], [0, 5, 5])
    assert not verdict
    assert verdict.witness == ((2, 5), (3, 5))


def test_one_value_cannot_become_two_and_two_cannot_become_one():
    assert not permissible("nominal", [1, 1], [2, 3])
    assert not permissible("nominal", [1, 2], [3, 3])
    assert permissible("nominal", [1, 2], [9, -3])


def test_floats_stand_for_their_decimal_spelling():
    assert permissible("interval", [0.1, 0.2, 0.3], ["0.2", "0.4", "0.6"])


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ParameterError, match="place by place"):
        permissible("ordinal", [1], [1, 2])
