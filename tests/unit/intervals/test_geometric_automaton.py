"""Ties of words of gains and the largest word of each value, against all words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable, ParameterError
from measurand.intervals.geometric_automaton import automaton, distinct_gains, tie, ties, words_that_tie

PS = [Fraction(*p) for p in [(1, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 5), (9, 10), (3, 10), (17, 20)]]
GAINS = [(0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 3, 7), (0, 1, 2, 3)]
DEPTHS = {2: 9, 3: 6, 4: 5, 5: 4}


def value(p, word, gains) -> Fraction:
    return sum((gains[digit] * p**place for place, digit in enumerate(word)), Fraction(0))


def largest_words(p, gains, length) -> dict[Fraction, tuple[int, ...]]:
    # words come in the order of the dictionary, so that the last of a value stays
    return {value(p, word, gains): word for word in product(range(len(gains)), repeat=length)}


@pytest.mark.parametrize("gains", [*GAINS, (0, 1, 3, 7, 15)])
@pytest.mark.parametrize("p", PS)
def test_exactly_the_largest_word_of_each_value_is_accepted(p, gains):
    machine, length = automaton(p, gains), DEPTHS[len(gains)]
    accepted = {word for word in product(range(len(gains)), repeat=length) if machine.largest(word)}
    assert accepted == set(largest_words(p, gains, length).values())
    assert machine.size(length) == len(accepted)


@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("p", PS)
def test_words_that_lead_to_a_state_and_on_from_it_make_up_all_words(p, gains):
    machine = automaton(p, gains)
    for cut in range(8):
        there, on = machine.arrivals(cut), machine.counts(7 - cut)
        assert sum(a * b for a, b in zip(there, on, strict=True)) == machine.size(7)


@pytest.mark.parametrize(
    ("gains", "sizes"),
    [
        ((0, 1, 2), [3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383]),
        ((0, 1, 3), [3, 8, 19, 42, 89, 184, 375, 758, 1525, 3060, 6131, 12274, 24561]),
        ((0, 1, 2, 3), [4, 10, 22, 46, 94, 190, 382, 766, 1534, 3070]),
        ((0, 1, 3, 7), [4, 13, 35, 84, 188, 403, 841, 1726, 3506, 7077]),
    ],
)
def test_sizes_at_p_one_half_are_those_counted_before(gains, sizes):
    machine = automaton(Fraction(1, 2), gains)
    assert [machine.size(length) for length in range(1, len(sizes) + 1)] == sizes


@pytest.mark.parametrize("q", [1, 2, 3, 5])
def test_equally_spaced_gains_at_p_one_half_have_a_closed_form(q):
    machine = automaton(Fraction(1, 2), range(q + 1))
    for depth in (1, 2, 10, 1000):
        assert machine.size(depth) == q * (2**depth - 1) + 1


@pytest.mark.parametrize("p", [".3", ".7", ".85", ".9", ".95", ".99", ".65"])
def test_these_factors_have_no_ties(p):
    assert not any(ties(Fraction(p), gains) for gains in [*GAINS, (0, 1, 3, 7, 15)])


def test_these_factors_have_ties_with_some_gains():
    tied = {
        "1/2": [(0, 1, 2), (0, 1, 3), (0, 1, 3, 7), (0, 1, 2, 3), (0, 1, 3, 7, 15)],
        "2/3": [(0, 1, 3), (0, 1, 3, 7), (0, 1, 2, 3), (0, 1, 3, 7, 15)],
        "3/4": [(0, 1, 3, 7), (0, 1, 3, 7, 15)],
        "4/5": [(0, 1, 3, 7, 15)],
        "3/5": [(0, 1, 3, 7, 15)],
    }
    for p, with_ties in tied.items():
        assert [gains for gains in [*GAINS[1:], (0, 1, 3, 7, 15)] if ties(Fraction(p), gains)] == with_ties


@settings(max_examples=15, deadline=None)
@given(st.fractions("1/10", "9/10", max_denominator=12), st.sets(st.integers(1, 12), min_size=1, max_size=3))
def test_a_tie_is_a_pair_of_different_words_of_one_value(p, others):
    found = tie(p, [0, *others])
    if found:
        one, other = found
        assert one != other
        assert len(one) == len(other)
        assert value(p, one, range(max(one + other) + 1)) == value(p, other, range(max(one + other) + 1))
        assert set(one + other) <= set(distinct_gains([0, *others]))
    assert automaton(p, [0, *others]).free == (found is None)


@settings(max_examples=10, deadline=None)
@given(st.fractions("1/8", "7/8", max_denominator=8), st.sets(st.integers(1, 9), min_size=1, max_size=3))
def test_the_number_of_values_is_right_for_any_gains(p, others):
    gains = (0, *sorted(others))
    assert automaton(p, gains).size(5) == len(largest_words(p, gains, 5))


def test_how_many_words_tie_with_a_word():
    times = [1, 2, 1, 1]
    for p in (Fraction(1, 2), Fraction(2, 3), Fraction(4, 5)):
        machine = automaton(p, (0, 1, 2, 3))
        words = list(product(range(4), repeat=4))
        runs = Counter()
        for word in words:
            runs[machine.key(word)] += 2 ** word.count(1)
        assert all(words_that_tie(machine, word, times) == runs[machine.key(word)] for word in words)


def test_gains_are_made_whole_from_zero_without_a_common_factor():
    assert distinct_gains([Fraction(3, 2), Fraction(-1, 2), Fraction(3, 2), Fraction(1, 2)]) == (0, 1, 2)
    assert distinct_gains([5, 5]) == (0,)


@pytest.mark.parametrize("p", [0, 1, Fraction(3, 2), -1])
def test_a_factor_outside_zero_and_one_is_refused(p):
    with pytest.raises(ParameterError, match="between 0 and 1"):
        automaton(Fraction(p), [0, 1])


def test_gains_that_are_too_many_to_follow_are_refused():
    with pytest.raises(NotAvailable, match="carries"):
        automaton(Fraction(1, 2), range(1000))
