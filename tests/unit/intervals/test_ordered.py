"""Dictionary order, and measures that take every whole value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals.closed_forms import Complete, Lexicographic, WholeSums
from measurand.judged.universes import every_run


def persistence(p, depth):
    return [(1 - p) * p**rank for rank in range(depth)]


def by_hand(weights, gains):
    """Return every run, its dense rank, and how many runs are below and beside it."""
    runs = every_run(len(weights), len(gains))
    values = [sum(w * gains[g] for w, g in zip(weights, run, strict=True)) for run in runs.tolist()]
    counts = sorted(Counter(values).items())
    levels, shares, below = {}, {}, 0
    for place, (value, count) in enumerate(counts, 1):
        levels[value], shares[value] = place, (below, count)
        below += count
    return runs, [levels[value] for value in values], [shares[value] for value in values]


def ranks(ruler, runs):
    return [position.rank for position in ruler.positions(np.asarray(runs))]


weights = st.lists(st.fractions(0, 4, max_denominator=8), min_size=1, max_size=4)
gains = st.lists(st.fractions(0, 3, max_denominator=3), min_size=1, max_size=3)


@settings(deadline=None, max_examples=50)
@given(weights=weights, gains=gains)
def test_a_ruler_in_dictionary_order_agrees_with_the_values_of_all_runs(weights, gains):
    ruler = Lexicographic.of(weights, gains)
    runs, expected, shares = by_hand(weights, gains)
    if ruler:
        assert ranks(ruler, runs) == expected
        assert ruler.shares(runs) == shares
        assert ruler.size == max(expected)


@settings(deadline=None, max_examples=50)
@given(base=st.integers(2, 4), extra=st.integers(0, 3), data=st.data())
def test_steep_weights_in_any_order_with_repeated_gains_are_in_dictionary_order(base, extra, data):
    depth = data.draw(st.integers(1, 3))
    weights = data.draw(st.permutations([Fraction(1, (base + extra) ** rank) for rank in range(depth)] + [Fraction(0)]))
    gains = data.draw(st.permutations([*range(base), 0]))
    ruler = Lexicographic.of(weights, gains)
    runs, expected, shares = by_hand(weights, gains)
    assert ranks(ruler, runs) == expected
    assert ruler.shares(runs) == shares


@settings(deadline=None, max_examples=50)
@given(weights=st.lists(st.integers(0, 6), min_size=1, max_size=4), most=st.integers(1, 3))
def test_a_complete_ruler_is_found_exactly_where_the_lemma_applies_and_is_right(weights, most):
    sums = WholeSums.of([Fraction(weight) for weight in weights], list(range(most + 1)))
    ruler = Complete.of(sums)
    runs, expected, shares = by_hand(sums.weights, sums.gains)
    # for gains 0..q the condition is also necessary: a weight beyond it leaves a gap just below itself
    assert (ruler is not None) == (max(expected) == sums.top + 1)
    if ruler:
        assert ranks(ruler, runs) == expected
        assert ruler.shares(runs) == shares


def test_the_rank_of_rbp_with_one_half_is_the_value_in_units_plus_one():
    ruler = Complete.of(WholeSums.of(persistence(Fraction(1, 2), 4), [0, 1]))
    assert ranks(ruler, [[1, 1, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]]) == [16, 10, 1]
    assert ruler.consecutive
    assert ruler.shares(np.array([[1, 0, 0, 1]])) == [(9, 1)]


def test_impatient_rbp_ranks_runs_as_binary_numbers():
    ruler = Lexicographic.of(persistence(Fraction(3, 10), 4), [0, 1])
    assert ranks(ruler, [[1, 0, 0, 1]]) == [10]
    assert not ruler.consecutive


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(3, 10)])
def test_reference_ranks_of_impatient_rbp_at_depth_30(p):
    runs = [[1] + [0] * 29, [1] * 5 + [0] * 25, [1, 0] * 15, [1] * 15 + [0] * 15, [0] * 15 + [1] * 15, [1] * 30]
    expected = [536870913, 1040187393, 715827883, 1073709057, 32768, 1073741824]
    weights = persistence(p, 30)
    ruler = Complete.of(WholeSums.of(weights, [0, 1])) if p == Fraction(1, 2) else Lexicographic.of(weights, [0, 1])
    assert ranks(ruler, runs) == expected


def test_patient_rbp_is_not_in_dictionary_order():
    assert Lexicographic.of(persistence(Fraction(51, 100), 10), [0, 1]) is None
    assert Lexicographic.of(persistence(Fraction(1, 2), 10), [0, 1]) is not None


@pytest.mark.parametrize("q", [2, 3, 4])
def test_graded_rbp_is_in_dictionary_order_to_one_over_the_number_of_grades(q):
    gains = list(range(q + 1))
    assert Lexicographic.of(persistence(Fraction(1, q + 1), 8), gains) is not None
    assert Lexicographic.of(persistence(Fraction(1, q + 1) + Fraction(1, 100), 8), gains) is None


@pytest.mark.parametrize("depth", [61, 62, 63, 200])
def test_long_runs_are_read_as_long_numbers(depth):
    run = np.array([[1, 0, 1] + [0] * (depth - 4) + [1]])
    expected = int("".join(map(str, run[0].tolist())), 2) + 1
    assert ranks(Lexicographic(depth, 2), run) == [expected]
    ruler = Complete.of(WholeSums.of(persistence(Fraction(1, 2), depth), [0, 1]))
    assert ranks(ruler, run) == [expected]


def test_graded_rbp_with_one_half_takes_every_value_at_any_depth():
    ruler = Complete.of(WholeSums.of(persistence(Fraction(1, 2), 1000), [0, 1, 2]))
    assert ruler.size == 2 * (2**1000 - 1) + 1
    with pytest.raises(NotAvailable):
        ruler.shares(np.zeros((1, 1000), dtype=np.int8))


def test_gains_with_gaps_do_not_take_every_value():
    assert Complete.of(WholeSums((1, 1, 1), (0, 1, 3))) is None
    assert Complete.of(WholeSums((1, -1), (0, 1))) is None
