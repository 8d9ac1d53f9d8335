"""Fibres of average precision against every run.

Estimated positions: honest intervals around the exact ones, the same for the same seed.

The ruler of average precision: exact, estimated, refused.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals import counted_values
from measurand.intervals.average_precision import EstimatedRuler, Fibres, average_precision_ruler
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget, Certainty
from measurand.judged.universes import every_run


@pytest.mark.parametrize("depth", range(1, 14))
def test_all_fibres_have_as_many_runs_as_there_are(depth):
    runs = every_run(depth, 2)
    keys = average_precision_walk(depth).keys_of(runs).tolist()
    run_counts = Counter(keys)
    assert Fibres.of(depth).counts(runs).tolist() == [run_counts[key] for key in keys]


@pytest.mark.parametrize("cut", [2, 5, 9])
def test_fibres_do_not_depend_on_the_cut(cut):
    runs = every_run(10, 2)
    assert Fibres.of(10, cut).counts(runs).tolist() == Fibres.of(10).counts(runs).tolist()


def test_deep_fibres_are_those_that_searching_finds(monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    runs = np.random.default_rng(0).integers(0, 2, (60, 26), dtype=np.int8)
    shares = WalkRuler.of(average_precision_walk(26), "AP-26").shares(runs)
    assert Fibres.of(26).counts(runs).tolist() == [same for _, same in shares]


def test_a_run_and_another_of_its_value_have_the_same_fibre_beyond_64_bits():
    # 0101 and 1000 tie at depth 4, and so does whatever follows as long as it has the same count: nothing
    runs = np.zeros((2, 50), dtype=np.int8)
    runs[0, [1, 3]] = 1
    runs[1, 0] = 1
    assert len(set(Fibres.of(50).counts(runs).tolist())) == 1
    assert Fibres.of(50).counts(runs)[0] >= 2


def test_fibres_beyond_depth_57_are_refused():
    with pytest.raises(NotAvailable, match="58 ranks"):
        Fibres.of(58)


def test_intervals_hold_the_exact_position_about_19_times_in_20():
    runs = every_run(14, 2)[1:-1:97]
    exact = [position.low for position in WalkRuler.of(average_precision_walk(14), "AP-14").positions(runs)]
    held = [
        estimate.low <= place <= estimate.high
        for seed in range(30)
        for estimate, place in zip(EstimatedRuler.of(14, rng=seed, samples=300).positions(runs), exact, strict=True)
    ]
    assert 0.93 <= np.mean(held) <= 0.995


def test_the_share_of_runs_is_no_estimate_of_the_position():
    # at depth 20 the two differ by up to .09, far more than 4000 runs leave open
    runs = np.random.default_rng(3).integers(0, 2, (200, 20), dtype=np.int8)
    ruler = WalkRuler.of(average_precision_walk(20), "AP-20")
    estimates = EstimatedRuler.of(20, samples=4000).positions(runs)
    misses = sum(
        not estimate.low <= Fraction(lower + same, 2**20) <= estimate.high
        for estimate, (lower, same) in zip(estimates, ruler.shares(runs), strict=True)
    )
    assert misses > 100


def test_the_same_seed_gives_the_same_positions_and_another_others():
    run = np.array([[1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0]], dtype=np.int8)
    first, again, other = (EstimatedRuler.of(12, rng=seed, samples=200).positions(run) for seed in (1, 1, 2))
    assert first == again != other


def test_the_ends_are_known():
    ends = np.array([[0] * 44, [1] * 44], dtype=np.int8)
    bottom, top = EstimatedRuler.of(44, samples=100).positions(ends)
    assert (bottom.how, bottom.low, bottom.high, bottom.rank) == (Certainty.EXACT, 0, 0, 1)
    assert (top.how, top.low, top.high, top.rank) == (Certainty.EXACT, 1, 1, None)


def test_below_every_drawn_run_the_interval_is_not_empty():
    run = np.zeros((1, 44), dtype=np.int8)
    run[0, -1] = 1
    (position,) = EstimatedRuler.of(44, samples=100).positions(run)
    assert position.how == Certainty.ESTIMATED
    assert position.low == 0
    assert position.high > Fraction(1, 100)


def test_the_number_of_values_is_not_known():
    with pytest.raises(NotAvailable, match="only estimated"):
        _ = EstimatedRuler.of(44, samples=100).size


def test_the_number_of_runs_drawn_follows_from_the_budget():
    assert [EstimatedRuler.of(57, Budget(seconds)).samples for seconds in (60, 120, 240)] == [333, 666, 1333]
    with pytest.raises(NotAvailable, match="needs about 18 s, more than the 1 s"):
        EstimatedRuler.of(57, Budget(seconds=1))


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
    run_counts = Counter(values)
    assert [same for _, same in ruler.shares(runs)] == [run_counts[value] for value in values]


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


@pytest.mark.parametrize(
    ("depth", "size"),
    [
        (25, 18_269_373),
        (30, 426_591_837),
        (34, 7_162_323_248),
        (36, 18_212_883_464),
        (38, 89_830_960_418),
        (40, 259_404_649_249),
        (42, 970_758_913_677),
    ],
)
def test_deep_tables_are_at_hand(depth, size):
    assert average_precision_ruler(depth, Budget(seconds=1)).size == size


def with_little(depth, bound, ranks=(), total=Fraction(0)):
    """Yield the ranks of relevant documents of all runs up to a value, and their values."""
    yield ranks, total
    for rank in range(max(ranks, default=0) + 1, depth + 1):
        more = total + Fraction(len(ranks) + 1, rank)
        if more <= bound:
            yield from with_little(depth, bound, (*ranks, rank), more)


def with_much(depth, bound, gaps=()):
    """Yield the ranks of documents that are not relevant of all runs from a value on, and their values."""
    value = average_precision([rank not in gaps for rank in range(1, depth + 1)])
    if value >= bound:
        yield gaps, value
        for rank in range(max(gaps, default=0) + 1, depth + 1):
            yield from with_much(depth, bound, (*gaps, rank))


@pytest.mark.parametrize("depth", [36, 42])
def test_the_lowest_and_highest_ranks_of_deep_runs_are_those_of_all_runs_below_and_above(depth):
    ruler = average_precision_ruler(depth)
    lowest, highest = dict(with_little(depth, Fraction(1, 5))), dict(with_much(depth, depth - Fraction(7, 2)))
    runs = np.array(
        [[rank in ranks for rank in range(1, depth + 1)] for ranks in lowest]
        + [[rank not in gaps for rank in range(1, depth + 1)] for gaps in highest],
        dtype=np.int8,
    )
    low, high = sorted(set(lowest.values())), sorted(set(highest.values()))
    assert min(len(low), len(high)) > 300
    ranks = {value: rank for rank, value in enumerate(low, 1)}
    ranks |= {value: ruler.size - len(high) + rank for rank, value in enumerate(high, 1)}
    expected = [ranks[value] for value in [*lowest.values(), *highest.values()]]
    assert [position.rank for position in ruler.positions(runs)] == expected


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
    runs = rng.integers(0, 2, (80, 30), dtype=np.int8)
    better = runs.copy()
    better[np.arange(80), rng.integers(0, 30, 80)] = 1
    ruler = average_precision_ruler(30)
    lower, higher = ruler.positions(runs), ruler.positions(better)
    assert all(one.rank <= other.rank for one, other in zip(lower, higher, strict=True))


def test_what_cannot_be_counted_in_time_is_estimated(monkeypatch, tmp_path):
    assert isinstance(average_precision_ruler(43), EstimatedRuler)
    assert isinstance(average_precision_ruler(57), EstimatedRuler)
    monkeypatch.setattr(counted_values, "shipped_directory", lambda: tmp_path)
    assert isinstance(average_precision_ruler(29, Budget(seconds=60)), WalkRuler)
    assert isinstance(average_precision_ruler(29, Budget(seconds=2)), EstimatedRuler)


def test_beyond_depth_57_nothing_is_known():
    with pytest.raises(NotAvailable, match="57 ranks at most, or take RBP or DCG"):
        average_precision_ruler(58)
    with pytest.raises(NotAvailable):
        average_precision_ruler(100_000)
