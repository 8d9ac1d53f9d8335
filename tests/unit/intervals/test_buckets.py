"""Different sums by ranges of values, where sums of different states coincide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.intervals import counted_values as buckets
from measurand.intervals.counted_values import Rows, count_between, edges_of
from measurand.intervals.reachable_values import Stretches, average_precision_walk, distinct

numbers = st.lists(st.integers(0, 60), min_size=1, max_size=12).map(lambda some: distinct([np.array(some)]))


@given(states=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=3), cuts=st.sets(st.integers(-1, 130)))
def test_sums_between_any_keys_are_counted_once(states, cuts):
    before, after = zip(*states, strict=True)
    image = {a + b for firsts, seconds in states for a in firsts.tolist() for b in seconds.tolist()}
    keys = np.array(sorted(cuts), dtype=np.int64)
    # every second interval, so that there are gaps
    lows, highs = keys[:-1:2], keys[1::2]
    counted = count_between(Rows.of(Stretches(0, before, after)), lows, highs)
    assert counted.tolist() == [
        sum(low < key <= high for key in image) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)
    ]


@pytest.mark.parametrize(("large", "at_once"), [(64, 256), (1 << 22, 3)])
def test_large_intervals_are_cut_and_many_are_shared_out(monkeypatch, large, at_once):
    monkeypatch.setattr(buckets, "LARGE", large)
    monkeypatch.setattr(buckets, "AT_ONCE", at_once)
    monkeypatch.setattr(buckets, "FULL", 16)
    walk = average_precision_walk(12)
    stretches = Stretches.of(walk, 1 << 20, cut=5)
    edges = edges_of(stretches)
    counts = count_between(Rows.of(stretches), np.concatenate([[-1], edges[:-1]]), edges)
    assert len(edges) > 10
    assert counts.sum() == 3047


def test_buckets_hold_about_the_same_number_of_sums():
    stretches = Stretches.of(average_precision_walk(20), 1 << 26)
    states = zip(stretches.before, stretches.after, strict=True)
    sums = np.sort(np.concatenate([np.add.outer(*pair).reshape(-1) for pair in states]))
    filled = np.diff(np.searchsorted(sums, edges_of(stretches), side="right"), prepend=0)
    assert filled.sum() == stretches.pairs
    assert filled.max() < 2 * filled.mean()
