"""Values followed rank by rank, against sorted lists of all values."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.geometric_automaton import automaton
from measurand.intervals.geometric_descent import Descent, exact_bounds

CASES = [
    (Fraction(1, 2), (0, 1, 3), 6),
    (Fraction(2, 3), (0, 1, 2, 3), 4),
    (Fraction(3, 4), (0, 1, 3, 7), 4),
    (Fraction(4, 5), (0, 1), 8),
    (Fraction(9, 10), (0, 1, 2), 5),
    (Fraction(3, 10), (0, 1, 3, 7), 4),
]


def ranks(machine, length) -> dict[tuple[int, ...], int]:
    words = list(product(range(len(machine.gains)), repeat=length))
    image = sorted({machine.key(word) for word in words})
    return {word: bisect_right(image, machine.key(word)) for word in words}


@pytest.mark.parametrize(("p", "gains", "length"), CASES)
def test_whole_numbers_give_the_rank_of_every_word(p, gains, length):
    machine = automaton(p, gains)
    assert all(exact_bounds(machine, word, 10**6) == (rank, rank) for word, rank in ranks(machine, length).items())


@pytest.mark.parametrize(("p", "gains", "length"), CASES)
def test_bounds_hold_where_few_beginnings_may_be_followed(p, gains, length):
    machine = automaton(p, gains)
    loose = 0
    for word, rank in ranks(machine, length).items():
        low, high = exact_bounds(machine, word, 2)
        assert low <= rank <= high
        loose += low < high
    assert loose > 0


@pytest.mark.parametrize(("p", "gains", "length"), CASES)
@pytest.mark.parametrize("limit", [4, 5000])
def test_fixed_point_counts_what_is_below_for_certain_and_leaves_the_value_itself(p, gains, length, limit):
    machine = automaton(p, gains)
    descent = Descent.of(machine, limit)
    unit = p.denominator ** (length - 1)

    def number(level, state):
        return machine.counts(length - level)[state]

    for word, rank in ranks(machine, length).items():
        found = descent.follow(Fraction(machine.key(word), unit), 0, length)
        counted, left = found.counted(number), found.open(number)
        assert counted < rank <= counted + left
        if limit == 5000:
            assert (found.level, left) == (length, 1)


def test_what_is_left_of_a_value_is_told_in_units_of_the_next_rank():
    machine = automaton(Fraction(4, 5), (0, 1))
    found = Descent.of(machine, 100).follow(Fraction(1), 0, None, stop=2)
    # after 00 all of 1 is left, after 01 a fifth of it, after 10 nothing
    assert found.level == 2
    assert np.allclose(sorted(found.least), [0, 5 / 16, 25 / 16], atol=1e-9)
    assert np.all(found.least < found.most)


def test_a_thousand_ranks_are_followed_exactly_where_values_are_whole_multiples():
    machine = automaton(Fraction(1, 2), (0, 1, 3))
    low, high = exact_bounds(machine, [2] * 1000, 100)
    assert low == high == machine.size(1000) == 3 * 2**1000 - 1002
    assert exact_bounds(machine, [0] * 998 + [1, 0], 100) == (3, 3)


def test_a_factor_next_to_one_is_refused():
    with pytest.raises(NotAvailable, match="close to 1"):
        Descent.of(automaton(Fraction(10**9 - 1, 10**9), (0, 1)), 10)
