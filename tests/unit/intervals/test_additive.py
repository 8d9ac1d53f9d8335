"""Which ruler an additive measure gets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.exact import inverse_log
from measurand.intervals import additive_sums as additive
from measurand.intervals import independent_blocks as blocks
from measurand.intervals.additive_sums import ExactWhenFew, additive_ruler
from measurand.intervals.closed_forms import Complete, Lexicographic, Tabulated, WholeSums
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.ruler import PROVED, SCHANUEL, Budget, Position
from measurand.judged.universes import every_run


def numbers(*gains):
    return [Fraction(gain) for gain in gains]


def discounted(base, depth):
    return [Fraction(1) if rank <= base else inverse_log(rank, base) for rank in range(1, depth + 1)]


def geometric(p, depth):
    return [p**rank for rank in range(depth)]


BINARY = numbers(0, 1)


@pytest.mark.parametrize(
    ("weights", "gains", "kind", "size"),
    [
        ([Fraction(1, 30)] * 30, BINARY, Complete, 31),
        ([Fraction(1, 30)] * 30, numbers(0, 1, 3), Tabulated, 90),
        ([Fraction(1)] * 1000, numbers(0, 1, 3, 7), Tabulated, 6996),
        (geometric(Fraction(1, 2), 30), BINARY, Complete, 2**30),
        (geometric(Fraction(1, 2), 13), numbers(0, 1, 2), Complete, 16383),
        (geometric(Fraction(1, 2), 10), numbers(0, 1, 3, 7), Tabulated, 7077),
        (geometric(Fraction(3, 10), 30), BINARY, Lexicographic, 2**30),
        (geometric(Fraction(4, 5), 30), BINARY, ExactWhenFew, 2**30),
        (geometric(Fraction(4, 5), 20), numbers(0, 1, 3, 7), ExactWhenFew, 4**20),
        ([Fraction(1, rank) for rank in range(1, 31)], BINARY, ExactWhenFew, 15886336),
        (discounted(2, 2), BINARY, Complete, 3),
        (discounted(10, 10), BINARY, Complete, 11),
        (discounted(2, 30), BINARY, ExactWhenFew, 805306368),
        ([Fraction(0)] * 3, BINARY, Complete, 1),
        ([Fraction(1)] * 3, numbers(1, 1), Complete, 1),
        ([Fraction(1), Fraction(-1, 2)], BINARY, Tabulated, 4),
    ],
)
def test_the_simplest_ruler_is_chosen(weights, gains, kind, size):
    ruler = additive_ruler(weights, gains)
    assert type(ruler) is kind
    assert ruler.size == size
    assert (ruler.depth, ruler.grades) == (len(weights), len(gains))


@pytest.mark.parametrize(
    ("weights", "gains"),
    [
        ([Fraction(1, rank) for rank in range(1, 9)], numbers(0, 1)),
        (geometric(Fraction(2, 3), 6), numbers(0, 1, 3)),
        (geometric(Fraction(4, 5), 8), numbers(0, 1)),
        ([Fraction(1), Fraction(-1, 2), Fraction(0), Fraction(3)], numbers(1, 3, 2)),
        ([Fraction(3), Fraction(5), Fraction(9)], numbers(2, 0, 1, 1)),
    ],
)
def test_every_ruler_of_rational_weights_agrees_with_enumeration(weights, gains):
    runs = every_run(len(weights), len(gains))
    values = [sum(w * gains[g] for w, g in zip(weights, run, strict=True)) for run in runs.tolist()]
    levels = {value: place for place, value in enumerate(sorted(set(values)), 1)}
    ruler = additive_ruler(weights, gains)
    assert [position.rank for position in ruler.positions(runs)] == [levels[value] for value in values]
    ordered = sorted(values)
    shares = {value: (ordered.index(value), values.count(value)) for value in levels}
    assert ruler.shares(runs) == [shares[value] for value in values]


def test_one_over_rank_at_depth_20_is_the_same_by_blocks_and_by_a_table():
    weights = [Fraction(1, rank) for rank in range(1, 21)]
    runs = np.random.default_rng(3).integers(0, 2, (200, 20), dtype=np.int8)
    table = Tabulated.of_sums(WholeSums.of(weights, BINARY))
    ruler = additive_ruler(weights, BINARY)
    assert type(ruler) is ExactWhenFew
    assert ruler.positions(runs) == table.positions(runs)
    assert ruler.shares(runs) == table.shares(runs)


def test_gains_that_do_not_begin_at_nothing_change_no_rank():
    weights = discounted(2, 6)
    runs = every_run(6, 3)
    one, other = (additive_ruler(weights, numbers(*gains)) for gains in ((0, 1, 2), (3, 5, 7)))
    assert one.positions(runs) == other.positions(runs)


def test_weights_with_ties_that_are_not_known_are_refused(monkeypatch):
    monkeypatch.setattr(blocks, "MANY", 1000)
    weights = geometric(Fraction(3, 4), 40)
    with pytest.raises(NotAvailable, match="fewer ranks"):
        additive_ruler(weights, numbers(0, 1, 3, 7))


def test_sums_of_several_logarithms_are_refused():
    weights = [inverse_log(3, 2) + inverse_log(5, 2), Fraction(1)]
    with pytest.raises(NotAvailable):
        additive_ruler(weights, BINARY)


def test_a_measure_without_ranks_has_no_ruler():
    with pytest.raises(ParameterError):
        additive_ruler([], BINARY)


def test_the_assumption_is_passed_on():
    run = np.zeros((1, 5), dtype=np.int8)
    for assumption in (SCHANUEL, PROVED):
        assert (
            additive_ruler(discounted(2, 5), BINARY, assumption=assumption).positions(run)[0].assumption == assumption
        )


class Bounds:
    """A ruler that knows nothing."""

    def __init__(self, blocks, budget, assumption):
        self.size, self.assumption = blocks.size, assumption

    def positions(self, runs, progress):
        return [Position.between(1, self.size, self.size, self.assumption) for _ in runs]


def test_few_runs_are_placed_exactly_and_many_between_bounds(monkeypatch):
    monkeypatch.setattr(additive, "CertifiedSum", Bounds)
    ruler = additive_ruler(discounted(2, 36), BINARY, Budget(seconds=0.2))
    runs = np.random.default_rng(2).integers(0, 2, (20_000, 36), dtype=np.int8)
    assert {str(position.how) for position in ruler.positions(runs)} == {"certified"}
    assert {str(position.how) for position in ruler.positions(runs[:2])} == {"exact"}
    # the same run many times is few runs
    assert {str(position.how) for position in ruler.positions(np.repeat(runs[:2], 10_000, axis=0))} == {"exact"}


def test_what_is_never_exact_gets_bounds(monkeypatch):
    monkeypatch.setattr(additive, "CertifiedSum", Bounds)
    ruler = additive_ruler(discounted(2, 100), BINARY)
    assert type(ruler) is Bounds
    assert ruler.size == Blocks.of(discounted(2, 100), BINARY).size
