"""Numbers in sentences are short, true to what they round, and told apart where they differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from measurand.display.numerals import (
    chance,
    decimal,
    in_words,
    places_of,
    roughly,
    roughly_counted,
    told_apart,
    with_minus,
)

scores = st.floats(0, 1000, allow_nan=False).map(lambda value: round(value, 6))
differences = st.floats(-1000, 1000, allow_nan=False).map(lambda value: round(value, 7))


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


@given(value=differences, places=st.integers(0, 5))
def test_a_decimal_is_the_number_rounded_and_never_0_unless_it_is(value, places):
    text = decimal(value, places, signed=True)
    assert "-" not in text
    assert abs(number(text) - value) <= max(0.5 * 10.0**-places, 0.5 * abs(value)) + 1e-9
    assert (number(text) == 0) == (value == 0)
    assert text.startswith("+") == (value > 0)
    assert text.startswith("−") == (value < 0)


@given(values=st.lists(scores, min_size=1, max_size=4))
def test_different_numbers_look_different_and_stand_in_their_order(values):
    texts = told_apart(values)
    for one, first in zip(values, texts, strict=True):
        for other, second in zip(values, texts, strict=True):
            assert (first == second) == (one == other)
            assert (number(first) < number(second)) == (one < other)


def test_three_decimals_are_enough_for_most_and_large_numbers_have_fewer():
    assert told_apart([0.5, 0.25]) == ["0.500", "0.250"]
    assert told_apart([0.4312, 0.4308]) == ["0.4312", "0.4308"]
    assert told_apart([1234.5, 12.3]) == ["1,234", "12"]
    assert places_of([0.1]) == 3


@given(p=st.floats(0, 1), alpha=st.sampled_from([0.01, 0.05, 0.1]))
def test_a_p_value_is_printed_on_the_right_side_of_the_level(p, alpha):
    text = chance(p, alpha)
    if text.startswith("<"):
        assert p < 0.0001
        return
    shown = float(text.removeprefix("= "))
    assert (shown <= alpha) == (p <= alpha)
    assert abs(shown - p) <= max(0.005, 0.06 * p)


def test_p_values_have_two_digits():
    assert [chance(p) for p in (0.153, 0.0312, 0.0061, 0.00044, 0.7, 0.03)] == [
        "= 0.15",
        "= 0.031",
        "= 0.0061",
        "= 0.00044",
        "= 0.70",
        "= 0.03",
    ]


@given(number=st.integers(1, 10**6 - 1))
def test_a_rough_count_is_never_less_and_at_most_a_tenth_more(number):
    text = roughly_counted(number)
    shown = 10**6 if "million" in text else int(text.replace(",", ""))
    assert number <= shown <= max(number + 1, 1.1 * number)


@given(value=st.floats(1e-6, 1e4))
def test_a_rough_size_is_off_by_a_twentieth_at_most(value):
    assert abs(number(roughly(value)) / value - 1) <= 0.0501


def test_small_counts_are_words_and_minus_signs_are_true():
    assert [in_words(number) for number in (0, 1, 6, 13)] == ["no", "one", "six", "13"]
    assert with_minus("-0.5") == "−0.5"
