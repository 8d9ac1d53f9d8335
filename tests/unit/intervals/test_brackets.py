"""Certain bounds of positions, against exact ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.intervals import geometric_bounds as brackets
from measurand.intervals.geometric_automaton import automaton
from measurand.intervals.geometric_bounds import Brackets, work
from measurand.intervals.geometric_descent import exact_bounds
from measurand.intervals.ruler import Budget

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
    monkeypatch.setattr(brackets, "LIMIT", 64)
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
