"""Tables of how continuations are spread, against all continuations.

Certain bounds of positions, against exact ranks.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals import geometric_bounds
from measurand.intervals.geometric_automaton import DEAD, automaton
from measurand.intervals.geometric_bounds import Brackets, Continuations, work
from measurand.intervals.geometric_descent import exact_bounds
from measurand.intervals.ruler import Budget

SMALLER = Budget(memory=1 << 20)


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
    table = Continuations.of(machine, 6, SMALLER)
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
    table = Continuations.of(automaton(Fraction(1, 2), (0, 1)), None, SMALLER)
    at = np.linspace(0, 2, 97)
    low, high = table.bounds(at, at, np.zeros(97, dtype=np.int64))
    assert np.all((low <= at / 2) & (at / 2 <= high))
    assert np.max(high - low) < 1e-3


def test_endless_words_are_spread_as_their_equation_says():
    p = Fraction(4, 5)
    table = Continuations.of(automaton(p, (0, 1)), None, SMALLER)
    at = np.linspace(0.01, 4.9, 200)
    none = np.zeros(200, dtype=np.int64)
    low, high = table.bounds(at, at, none)
    halves = [table.bounds(rest, rest, none) for rest in (at / 0.8, (at - 1) / 0.8)]
    assert np.all(sum(one for one, _ in halves) / 2 <= high + 1e-12)
    assert np.all(sum(other for _, other in halves) / 2 >= low - 1e-12)
    assert np.max(high - low) < 5e-3


def test_no_ranks_left_are_worth_nothing():
    table = Continuations.of(automaton(Fraction(4, 5), (0, 1)), 1, SMALLER)
    low, high = table.bounds(np.array([-0.1, 0.5, 1.1]), np.array([-0.1, 0.5, 1.1]), np.zeros(3, dtype=np.int64))
    assert low.round(9).tolist() == high.round(9).tolist() == [0, 0.5, 1]


def test_a_table_that_cannot_be_afforded_is_refused():
    with pytest.raises(NotAvailable, match="allow more"):
        Continuations.of(automaton(Fraction(4, 5), (0, 1)), None, Budget(memory=1 << 10))


def test_all_words_of_a_length_are_looked_at():
    machine = automaton(Fraction(2, 3), (0, 1, 3))
    assert len(values_from(machine, 0, 4)) == len({machine.key(word) for word in product(range(3), repeat=4)})


SMALL = Budget(memory=1 << 21)


def some_words(gains, depth, seed):
    rng = np.random.default_rng(seed)
    chances = rng.random((40, 1)) ** 3
    return np.where(rng.random((40, depth)) < chances, rng.integers(0, len(gains), (40, depth)), 0).tolist()


@pytest.mark.parametrize(
    ("p", "gains", "depth"),
    [
        (Fraction(4, 5), (0, 1), 16),
        (Fraction(9, 10), (0, 1, 2), 9),
        (Fraction(2, 3), (0, 1, 2, 3), 11),
        (Fraction(3, 4), (0, 1, 3, 7), 9),
        (Fraction(1, 3), (0, 1, 3, 7), 40),
        (Fraction(3, 5), (0, 1), 45),
    ],
)
def test_the_exact_rank_lies_between_the_bounds(p, gains, depth, monkeypatch):
    monkeypatch.setattr(geometric_bounds, "LIMIT", 64)
    machine = automaton(p, gains)
    ruler = Brackets(machine, depth, SMALL)
    words = [*some_words(gains, depth, 3), [0] * depth, [len(gains) - 1] * depth, [0] * (depth - 1) + [1]]
    for word in words:
        low, high = ruler.ranks(word)
        rank, same = exact_bounds(machine, word, 10**6)
        assert low <= rank == same <= high
        assert high - low <= 0.05 * machine.size(depth)


def test_small_ranks_are_bounded_as_closely_as_large_ones():
    machine = automaton(Fraction(4, 5), (0, 1))
    ruler = Brackets(machine, 200, SMALL)
    first, *later = [ruler.ranks([0] * zeros + [1, 0, 0] + [0] * (197 - zeros)) for zeros in (0, 20, 60)]
    for low, high in (first, *later):
        assert 0 < (high - low) / high < 1e-3
    # one more zero in front halves the position, but for the end of the run
    assert later[0][0] / first[0] == pytest.approx(2.0**-20, rel=1e-3)


@pytest.mark.parametrize("p", [Fraction(3, 5), Fraction(4, 5), Fraction(9, 10)])
def test_endless_words_lie_between_words_of_great_depth(p):
    machine = automaton(p, (0, 1))
    endless, deep = Brackets(machine, None, SMALL), Brackets(machine, 400, SMALL)
    for word in ([1], [0, 1, 1], [1, 1, 0, 1], [0, 0, 0, 0, 0, 1]):
        (low, high), (least, most) = endless.of(word), deep.of(word)
        assert low <= most
        assert least <= high
        assert high - low < 1e-3


def test_nothing_has_position_zero_among_endless_words():
    assert Brackets(automaton(Fraction(4, 5), (0, 1)), None).of([0, 0]) == (0, 0)


def test_the_work_grows_with_the_number_of_beginnings():
    machine = automaton(Fraction(4, 5), (0, 1))
    assert work(machine, 3) == pytest.approx(1.6 + 1.6**2 + 1.6**3)
    assert work(automaton(Fraction(1, 2), (0, 1, 3)), 1000) < 10_000
