"""Exact rulers of walks against every run."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals import counted_values as buckets
from measurand.intervals.counted_values import WalkRuler, cascade_ruler, weighted_ruler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget, Certainty
from measurand.judged.universes import every_run

ERR = [2, 4, 8, 16, 32, 58, 122, 250, 506, 1010, 2034, 4026, 8122, 15858, 30650, 63204, 128412, 255650]
ERR_OF_3_GRADES = [3, 9, 24, 68, 212, 652, 2022, 6071, 16112, 50761, 160704, 484636]
ERR_OF_4_GRADES = [4, 16, 62, 249, 947, 3908, 15340, 61391, 239325]


def err(depth, highest=1, budget=None):
    stops = [Fraction(2**grade - 1, 2**highest) for grade in range(highest + 1)]
    return cascade_ruler(stops, [Fraction(1, rank) for rank in range(1, depth + 1)], budget)


def stopping_value(run, highest):
    total, going = Fraction(0), Fraction(1)
    for rank, grade in enumerate(run, 1):
        stop = Fraction(2**grade - 1, 2**highest)
        total, going = total + going * stop / rank, going * (1 - stop)
    return total


def agrees_with(ruler, runs, values):
    """Whether a ruler ranks and shares out all runs as their exact values do."""
    crowds = Counter(values)
    image = sorted(crowds)
    ranks = {value: rank for rank, value in enumerate(image, 1)}
    below, total = {}, 0
    for value in image:
        below[value], total = total, total + crowds[value]
    positions = ruler.positions(runs)
    assert {(position.how, position.size) for position in positions} == {(Certainty.EXACT, len(image))}
    assert [position.rank for position in positions] == [ranks[value] for value in values]
    assert ruler.shares(runs) == [(below[value], crowds[value]) for value in values]
    return True


@pytest.mark.parametrize("highest", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_all_ranks_of_err_are_those_of_its_exact_values(depth, highest):
    runs = every_run(depth, highest + 1)
    assert agrees_with(err(depth, highest), runs, [stopping_value(run, highest) for run in runs.tolist()])


def test_all_ranks_of_err_are_right_with_many_buckets(monkeypatch):
    monkeypatch.setattr(buckets, "FULL", 64)
    ruler, runs = err(12), every_run(12, 2)
    assert len(ruler.checkpoints().edges) > 20
    assert agrees_with(ruler, runs, [stopping_value(run, 1) for run in runs.tolist()])


def test_runs_are_placed_in_any_order_and_as_often_as_they_occur():
    ruler, runs = err(6), every_run(6, 2)
    mixed = np.random.default_rng(0).integers(0, 64, 200)
    ranks = [position.rank for position in ruler.positions(runs)]
    assert [position.rank for position in ruler.positions(runs[mixed])] == [ranks[at] for at in mixed.tolist()]
    assert ruler.positions(runs[:0]) == []
    assert ruler.shares(runs[:0]) == []


@pytest.mark.parametrize("depth", range(1, 19))
def test_err_has_as_many_values_as_were_counted_by_hand(depth):
    assert err(depth).size == ERR[depth - 1]


@pytest.mark.parametrize(("highest", "sizes"), [(2, ERR_OF_3_GRADES), (3, ERR_OF_4_GRADES)])
def test_graded_err_has_as_many_values_as_were_counted_by_hand(highest, sizes):
    assert [err(depth, highest).size for depth in range(1, len(sizes) + 1)] == sizes


def test_err_has_64_bit_keys_to_depth_28():
    assert err(28) is not None
    assert err(29) is None


@settings(max_examples=40, deadline=None)
@given(
    weights=st.lists(st.fractions(-1, 2, max_denominator=12), min_size=1, max_size=5),
    gains=st.lists(st.fractions(-1, 3, max_denominator=4), min_size=1, max_size=3),
)
def test_all_ranks_of_rational_weights_are_those_of_the_exact_sums(weights, gains):
    runs = every_run(len(weights), len(gains))
    values = [sum((w * gains[g] for w, g in zip(weights, run, strict=True)), Fraction(0)) for run in runs.tolist()]
    assert agrees_with(weighted_ruler(weights, gains), runs, values)


def test_equal_weights_have_few_values_at_any_depth():
    ruler = weighted_ruler([Fraction(1)] * 100, [Fraction(0), Fraction(1)])
    half = np.repeat([[1, 0]], 50, axis=1).astype(np.int8)
    assert [position.rank for position in ruler.positions(half)] == [51]
    with pytest.raises(NotAvailable, match="how many runs share"):
        ruler.shares(half)


def test_weights_beyond_64_bits_have_no_ruler():
    assert weighted_ruler([Fraction(1, 10**rank) for rank in range(25)], [Fraction(0), Fraction(1)]) is None


def test_what_would_take_too_long_is_refused_before_it_begins():
    with pytest.raises(NotAvailable, match=r"about 3 s, more than the 1 s .* max_seconds=5"):
        err(28, budget=Budget(seconds=1))


def test_what_would_take_too_much_memory_is_refused_before_it_begins():
    with pytest.raises(NotAvailable, match="more than 1 MiB"):
        err(28, budget=Budget(memory=1 << 20))


@pytest.mark.parametrize("budget", [Budget(seconds=0.01), Budget(memory=1 << 16)])
def test_runs_that_cannot_be_placed_in_time_lie_between_two_checkpoints(monkeypatch, budget):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    walk = average_precision_walk(28)
    runs = np.random.default_rng(0).integers(0, 2, (500, 28), dtype=np.int8)
    exact = WalkRuler.of(walk, "AP-28").positions(runs)
    bounds = WalkRuler.of(walk, "AP-28", budget).positions(runs)
    assert {position.how for position in exact} == {Certainty.EXACT}
    assert {position.how for position in bounds} == {Certainty.CERTIFIED}
    assert all(bound.low <= place.low <= bound.high for bound, place in zip(bounds, exact, strict=True))
    assert max(bound.width for bound in bounds) < 1e-3


def test_how_many_runs_share_a_value_is_refused_where_it_takes_too_long():
    ruler = WalkRuler.of(average_precision_walk(28), "AP-28", Budget(seconds=0.01))
    with pytest.raises(NotAvailable, match="how many runs share"):
        ruler.shares(every_run(28, 1))


def test_progress_hands_the_parts_through():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    ruler = WalkRuler.of(average_precision_walk(24), "AP-24", afresh=True)
    assert ruler.checkpoints(progress).size == 8482100
    assert seen == [(2, "counting values")]
