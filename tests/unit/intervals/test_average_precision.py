"""The ruler of average precision: exact, estimated, refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals import counted_values as checkpoint_cache
from measurand.intervals.average_precision import EstimatedRuler, average_precision_ruler
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.ruler import Budget
from measurand.judged.universes import every_run

SIZES = [2, 4, 8, 15, 31, 54, 117, 225, 452, 810, 1767, 3047, 6733, 12503, 22646, 44633, 97533, 172712, 377840, 644203]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", "")


def average_precision(run):
    met, total = 0, Fraction(0)
    for rank, grade in enumerate(run, 1):
        met += grade
        total += Fraction(met * grade, rank)
    return total


@pytest.mark.parametrize("depth", [1, 2, 4, 6, 9, 12])
def test_all_ranks_are_those_of_the_exact_values(depth):
    runs = every_run(depth, 2)
    values = [average_precision(run) for run in runs.tolist()]
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)), 1)}
    ruler = average_precision_ruler(depth)
    assert [position.rank for position in ruler.positions(runs)] == [ranks[value] for value in values]
    crowds = Counter(values)
    assert [same for _, same in ruler.shares(runs)] == [crowds[value] for value in values]


@pytest.mark.parametrize("depth", [14, 18])
def test_all_ranks_are_those_of_whole_number_keys(depth):
    runs = every_run(depth, 2)
    multiple = np.lcm.reduce(np.arange(1, depth + 1))
    keys = (np.cumsum(runs, axis=1, dtype=np.int64) * runs) @ (multiple // np.arange(1, depth + 1))
    some = np.random.default_rng(0).integers(0, len(runs), 500)
    places = np.searchsorted(np.sort(np.array(list(set(keys.tolist())))), keys[some]) + 1
    assert [position.rank for position in average_precision_ruler(depth).positions(runs[some])] == places.tolist()


@pytest.mark.parametrize("depth", range(1, 21))
def test_there_are_as_many_values_as_were_counted_by_hand(depth):
    assert average_precision_ruler(depth).size == SIZES[depth - 1]


@pytest.mark.parametrize(("depth", "size"), [(25, 18269373), (30, 426591837), (34, 7162323248)])
def test_deep_tables_are_at_hand(depth, size):
    assert average_precision_ruler(depth, Budget(seconds=1)).size == size


def test_the_order_of_runs_of_four_ranks_is_that_of_the_figure():
    order = "0000 0001 0010 0100 0011 0101,1000 0110 1001 1010 0111 1100 1011 1101 1110 1111".split()
    ranks = {run: rank for rank, tied in enumerate(order, 1) for run in tied.split(",")}
    runs = np.array([[int(grade) for grade in run] for run in ranks], dtype=np.int8)
    assert [position.rank for position in average_precision_ruler(4).positions(runs)] == list(ranks.values())


def test_ranks_of_the_example_make_both_comparisons_ties():
    # systems A, B, C and D on two topics each
    runs = "1110 1001 1101 1010 0010 1000 0001 0110".split()
    grades = np.array([[*map(int, run)] for run in runs], dtype=np.int8)
    assert [position.rank for position in average_precision_ruler(4).positions(grades)] == [14, 8, 13, 9, 3, 6, 2, 7]


def test_one_rank_more_relevant_never_stands_lower_at_depth_30():
    rng = np.random.default_rng(5)
    runs = rng.integers(0, 2, (200, 30), dtype=np.int8)
    better = runs.copy()
    better[np.arange(200), rng.integers(0, 30, 200)] = 1
    ruler = average_precision_ruler(30)
    lower, higher = ruler.positions(runs), ruler.positions(better)
    assert all(one.rank <= other.rank for one, other in zip(lower, higher, strict=True))


def test_what_cannot_be_counted_in_time_is_estimated(monkeypatch, tmp_path):
    assert isinstance(average_precision_ruler(43), EstimatedRuler)
    assert isinstance(average_precision_ruler(57), EstimatedRuler)
    monkeypatch.setattr(checkpoint_cache, "shipped_directory", lambda: tmp_path)
    assert isinstance(average_precision_ruler(29, Budget(seconds=60)), WalkRuler)
    assert isinstance(average_precision_ruler(29, Budget(seconds=2)), EstimatedRuler)


def test_beyond_depth_57_nothing_is_known():
    with pytest.raises(NotAvailable, match="57 ranks at most, take RBP or DCG"):
        average_precision_ruler(58)
    with pytest.raises(NotAvailable):
        average_precision_ruler(100_000)
