"""Tables of keys: precision, generalized precision, reciprocal rank."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.closed_forms import Tabulated, WholeSums
from measurand.judged.universes import every_run


def ranks(ruler, runs):
    return [position.rank for position in ruler.positions(np.asarray(runs))]


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
