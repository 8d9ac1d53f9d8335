"""Sums of whole weights: those that occur, and how many runs have each."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals import closed_forms as whole_sums
from measurand.intervals.closed_forms import WholeSums
from measurand.judged.universes import every_run

weights = st.lists(st.integers(-6, 9), min_size=1, max_size=5).map(tuple)
gains = st.lists(st.integers(0, 7), min_size=1, max_size=3).map(lambda found: (0, *found))


def by_hand(weights: tuple[int, ...], gains: tuple[int, ...]) -> Counter[int]:
    runs = product(gains, repeat=len(weights))
    sums = [sum(w * g for w, g in zip(weights, run, strict=True)) for run in runs]
    return Counter(total - min(sums) for total in sums)


@settings(deadline=None, max_examples=50)
@given(weights=weights, gains=gains)
def test_the_sums_that_occur_are_those_of_all_runs(weights, gains):
    sums = WholeSums(weights, gains)
    expected = by_hand(weights, gains)
    assert sums.attained(10**6).tolist() == sorted(expected)
    assert sums._collected(10**6).tolist() == sorted(expected)
    assert sums.top == max(expected)


@settings(deadline=None, max_examples=50)
@given(weights=weights, gains=gains)
def test_runs_are_counted_by_their_sum(weights, gains):
    sums = WholeSums(weights, gains)
    assert sums.runs_by_key() == dict(sorted(by_hand(weights, gains).items()))
    assert sums._counted_where_collected() == sums.runs_by_key()


@settings(deadline=None, max_examples=50)
@given(weights=weights, gains=gains)
def test_every_run_has_a_key_that_occurs_as_often_as_counted(weights, gains):
    sums = WholeSums(weights, gains)
    assert Counter(sums.keys(every_run(len(weights), len(gains))).tolist()) == by_hand(weights, gains)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.fractions(0, 3, max_denominator=9), min_size=1, max_size=4), st.fractions(0, 2, max_denominator=5))
def test_rational_weights_and_gains_keep_their_proportions(weights, lowest):
    gains = [lowest, lowest + Fraction(1, 3), lowest + Fraction(3, 4)]
    sums = WholeSums.of(weights, gains)
    assert sums.gains == (0, 4, 9)
    assert all(a * sums.weights[j] == b * sums.weights[i] for i, a in enumerate(weights) for j, b in enumerate(weights))


def test_more_sums_than_allowed_are_not_listed():
    assert WholeSums((1, 2, 4), (0, 1)).attained(7) is None
    assert WholeSums((1, 2, 4), (0, 1)).attained(8) is not None
    large = WholeSums(tuple(3**i for i in range(40)), (0, 1))
    assert large.attained(1000) is None


def test_large_weights_are_added_without_overflow():
    sums = WholeSums((10**30, 1), (0, 1, 2))
    assert sums.keys(np.array([[2, 1]])).tolist() == [2 * 10**30 + 1]
    assert sums.attained(100).tolist() == [a * 10**30 + b for a in range(3) for b in range(3)]


def test_runs_are_not_counted_where_that_would_take_too_long(monkeypatch):
    monkeypatch.setattr(whole_sums, "_MOST_BITS", 100)
    with pytest.raises(NotAvailable, match="ties='unq'"):
        WholeSums((1,) * 100, (0, 1)).runs_by_key()
