"""Tables of how continuations are spread, against all continuations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.geometric_automaton import DEAD, automaton
from measurand.intervals.geometric_bounds import Continuations
from measurand.intervals.ruler import Budget

SMALL = Budget(memory=1 << 20)


def values_from(machine, state, length) -> list[Fraction]:
    if not length:
        return [Fraction(0)]
    return [
        gain + machine.p * rest
        for gain, to in zip(machine.gains, machine.moves[state], strict=True)
        if to != DEAD
        for rest in values_from(machine, to, length - 1)
    ]


@pytest.mark.parametrize(
    ("p", "gains"),
    [
        (Fraction(1, 2), (0, 1, 3)),
        (Fraction(3, 4), (0, 1, 3, 7)),
        (Fraction(4, 5), (0, 1)),
        (Fraction(9, 10), (0, 1, 2)),
    ],
)
def test_the_part_of_short_continuations_lies_between_the_bounds(p, gains):
    machine = automaton(p, gains)
    table = Continuations.of(machine, 6, SMALL)
    top = float(gains[-1] / (1 - p))
    for state in range(len(machine.moves)):
        exact = np.array(sorted(map(float, values_from(machine, state, 6))))
        at = np.concatenate([[0.0], np.linspace(0, top, 301)[1:] + 1e-9])
        parts = np.searchsorted(exact, at, side="right") / len(exact)
        low, high = table.bounds(at, at, np.full(len(at), state))
        assert np.all((low <= parts) & (parts <= high))
        # as good as moving the value by a hundredth
        after = np.searchsorted(exact, at + 0.01 * top, side="right") / len(exact)
        before = np.searchsorted(exact, at - 0.01 * top, side="right") / len(exact)
        assert np.all((high <= after + 1e-9) & (low >= before - 1e-9))


def test_endless_words_in_base_two_are_spread_evenly():
    table = Continuations.of(automaton(Fraction(1, 2), (0, 1)), None, SMALL)
    at = np.linspace(0, 2, 97)
    low, high = table.bounds(at, at, np.zeros(97, dtype=np.int64))
    assert np.all((low <= at / 2) & (at / 2 <= high))
    assert np.max(high - low) < 1e-3


def test_endless_words_are_spread_as_their_equation_says():
    p = Fraction(4, 5)
    table = Continuations.of(automaton(p, (0, 1)), None, SMALL)
    at = np.linspace(0.01, 4.9, 200)
    none = np.zeros(200, dtype=np.int64)
    low, high = table.bounds(at, at, none)
    halves = [table.bounds(rest, rest, none) for rest in (at / 0.8, (at - 1) / 0.8)]
    assert np.all(sum(one for one, _ in halves) / 2 <= high + 1e-12)
    assert np.all(sum(other for _, other in halves) / 2 >= low - 1e-12)
    assert np.max(high - low) < 5e-3


def test_no_ranks_left_are_worth_nothing():
    table = Continuations.of(automaton(Fraction(4, 5), (0, 1)), 1, SMALL)
    low, high = table.bounds(np.array([-0.1, 0.5, 1.1]), np.array([-0.1, 0.5, 1.1]), np.zeros(3, dtype=np.int64))
    assert low.round(9).tolist() == high.round(9).tolist() == [0, 0.5, 1]


def test_a_table_that_cannot_be_afforded_is_refused():
    with pytest.raises(NotAvailable, match="allow more"):
        Continuations.of(automaton(Fraction(4, 5), (0, 1)), None, Budget(memory=1 << 10))


def test_all_words_of_a_length_are_looked_at():
    machine = automaton(Fraction(2, 3), (0, 1, 3))
    assert len(values_from(machine, 0, 4)) == len({machine.key(word) for word in product(range(3), repeat=4)})
