"""Sums of whole weights: those that occur, and how many runs have each.

Dictionary order, and measures that take every whole value.

Tables of keys: precision, generalized precision, reciprocal rank.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals import closed_forms
from measurand.intervals.closed_forms import Complete, Lexicographic, Tabulated, WholeSums
from measurand.judged.universes import every_run

whole_weights = st.lists(st.integers(-6, 9), min_size=1, max_size=5).map(tuple)
whole_gains = st.lists(st.integers(0, 7), min_size=1, max_size=3).map(lambda found: (0, *found))


def sums_by_hand(weights: tuple[int, ...], gains: tuple[int, ...]) -> Counter[int]:
    runs = product(gains, repeat=len(weights))
    sums = [sum(w * g for w, g in zip(weights, run, strict=True)) for run in runs]
    return Counter(total - min(sums) for total in sums)


@settings(deadline=None, max_examples=25)
@given(weights=whole_weights, gains=whole_gains)
def test_the_sums_that_occur_are_those_of_all_runs(weights, gains):
    sums = WholeSums(weights, gains)
    expected = sums_by_hand(weights, gains)
    assert sums.attained(10**6).tolist() == sorted(expected)
    assert sums._collected(10**6).tolist() == sorted(expected)
    assert sums.top == max(expected)


@settings(deadline=None, max_examples=25)
@given(weights=whole_weights, gains=whole_gains)
def test_runs_are_counted_by_their_sum(weights, gains):
    sums = WholeSums(weights, gains)
    assert sums.runs_by_key() == dict(sorted(sums_by_hand(weights, gains).items()))
    assert sums._counted_where_collected() == sums.runs_by_key()


@settings(deadline=None, max_examples=25)
@given(weights=whole_weights, gains=whole_gains)
def test_every_run_has_a_key_that_occurs_as_often_as_counted(weights, gains):
    sums = WholeSums(weights, gains)
    assert Counter(sums.keys(every_run(len(weights), len(gains))).tolist()) == sums_by_hand(weights, gains)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.fractions(0, 3, max_denominator=9), min_size=1, max_size=4), st.fractions(0, 2, max_denominator=5))
def test_rational_weights_and_gains_keep_their_proportions(weights, lowest):
    gains = [lowest, lowest + Fraction(1, 3), lowest + Fraction(3, 4)]
    sums = WholeSums.of(weights, gains)
    assert sums.gains == (0, 4, 9)
    assert all(a * sums.weights[j] == b * sums.weights[i] for i, a in enumerate(weights) for j, b in enumerate(weights))


def test_more_sums_than_allowed_are_not_listed():
    assert WholeSums((1, 2, 4), (0, 1)).attained(7) is None
    assert WholeSums((1, 2, 4), (0, 1)).attained(8) is not None
    large = WholeSums(tuple(3**i for i in range(40)), (0, 1))
    assert large.attained(1000) is None


def test_large_weights_are_added_without_overflow():
    sums = WholeSums((10**30, 1), (0, 1, 2))
    assert sums.keys(np.array([[2, 1]])).tolist() == [2 * 10**30 + 1]
    assert sums.attained(100).tolist() == [a * 10**30 + b for a in range(3) for b in range(3)]


def test_runs_are_not_counted_where_that_would_take_too_long(monkeypatch):
    monkeypatch.setattr(closed_forms, "_MOST_BITS", 100)
    with pytest.raises(NotAvailable, match="ties='unq'"):
        WholeSums((1,) * 100, (0, 1)).runs_by_key()


def persistence(p, depth):
    return [(1 - p) * p**rank for rank in range(depth)]


def ranks_by_hand(weights, gains):
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


@settings(deadline=None, max_examples=25)
@given(weights=weights, gains=gains)
def test_a_ruler_in_dictionary_order_agrees_with_the_values_of_all_runs(weights, gains):
    ruler = Lexicographic.of(weights, gains)
    runs, expected, shares = ranks_by_hand(weights, gains)
    if ruler:
        assert ranks(ruler, runs) == expected
        assert ruler.shares(runs) == shares
        assert ruler.size == max(expected)


@settings(deadline=None, max_examples=25)
@given(base=st.integers(2, 4), extra=st.integers(0, 3), data=st.data())
def test_steep_weights_in_any_order_with_repeated_gains_are_in_dictionary_order(base, extra, data):
    depth = data.draw(st.integers(1, 3))
    weights = data.draw(st.permutations([Fraction(1, (base + extra) ** rank) for rank in range(depth)] + [Fraction(0)]))
    gains = data.draw(st.permutations([*range(base), 0]))
    ruler = Lexicographic.of(weights, gains)
    runs, expected, shares = ranks_by_hand(weights, gains)
    assert ranks(ruler, runs) == expected
    assert ruler.shares(runs) == shares


@settings(deadline=None, max_examples=25)
@given(weights=st.lists(st.integers(0, 6), min_size=1, max_size=4), most=st.integers(1, 3))
def test_a_complete_ruler_is_found_exactly_where_the_lemma_applies_and_is_right(weights, most):
    sums = WholeSums.of([Fraction(weight) for weight in weights], list(range(most + 1)))
    ruler = Complete.of(sums)
    runs, expected, shares = ranks_by_hand(sums.weights, sums.gains)
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


def test_the_rank_of_precision_is_the_number_of_relevant_documents_plus_one():
    ruler = Tabulated.of_sums(WholeSums((1,) * 4, (0, 1)))
    assert ranks(ruler, every_run(4, 2)) == (every_run(4, 2).sum(axis=1) + 1).tolist()
    assert ruler.consecutive


def test_the_rank_of_reciprocal_rank_is_depth_plus_two_less_the_rank_of_the_first_relevant_document():
    ruler = Tabulated.of_first(4)
    assert ranks(ruler, [[1, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]]) == [5, 5, 2, 1]
    assert ruler.size == 5
    assert not ruler.consecutive


@pytest.mark.parametrize(("grades", "relevant"), [(2, 1), (3, 1), (3, 2), (4, 2)])
def test_runs_are_shared_out_among_first_ranks(grades, relevant):
    runs = every_run(4, grades)
    hits = runs >= relevant
    values = np.where(hits.any(axis=1), 1 / (1 + hits.argmax(axis=1)), 0)
    expected = [(int((values < value).sum()), int((values == value).sum())) for value in values]
    ruler = Tabulated.of_first(4, grades, relevant)
    assert ruler.shares(runs) == expected
    assert ranks(ruler, runs) == [len(set(values[values <= value])) for value in values]


@pytest.mark.parametrize(
    ("gains", "sizes"),
    [
        ((0, 1, 2), [3, 5, 7, 9, 11, 13]),
        ((0, 1, 3), [3, 6, 9, 12, 15, 18]),
        ((0, 1, 2, 3), [4, 7, 10, 13, 16, 19]),
        ((0, 1, 3, 7), [4, 10, 17, 24, 31, 38]),
    ],
)
def test_generalized_precision_has_as_many_values_as_were_counted(gains, sizes):
    assert [Tabulated.of_sums(WholeSums((1,) * depth, gains)).size for depth in range(1, 7)] == sizes


def test_deep_generalized_precision_is_quick_and_counts_its_runs():
    ruler = Tabulated.of_sums(WholeSums((1,) * 1000, (0, 1, 3, 7)))
    assert ruler.size == 6996
    assert not ruler.consecutive
    full = np.full((1, 1000), 3, dtype=np.int8)
    assert ranks(ruler, full) == [6996]


def test_ties_of_precision_are_binomial():
    ruler = Tabulated.of_sums(WholeSums((1,) * 30, (0, 1)))
    run = np.array([[1] * 5 + [0] * 25])
    assert ruler.shares(run) == [(sum(comb(30, k) for k in range(5)), comb(30, 5))]


def test_keys_of_a_callers_own_need_no_counts():
    ruler = Tabulated(2, 2, np.array([0, 4, 9]), lambda runs: runs.sum(axis=1) ** 2 * 2 + runs.max(axis=1))
    with pytest.raises(NotAvailable):
        ruler.shares(every_run(2, 2))


def test_too_many_sums_make_no_table():
    assert Tabulated.of_sums(WholeSums((1, 2, 4), (0, 1)), most=7) is None


def test_positions_are_exact_fractions():
    ruler = Tabulated.of_sums(WholeSums((1, 1), (0, 1)))
    assert ruler.positions(np.array([[1, 0]]))[0].low == Fraction(1, 2)
