"""Lotteries as values: reading, showing, comparing, and arithmetic that stays quick when they are long."""

from __future__ import annotations

import pickle
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.search_length import Lottery, WeakOrder
from measurand.search_length.lottery import convolution


def by_pairs(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    sums: dict[int, int] = defaultdict(int)
    for i, a in one.items():
        for j, b in other.items():
            sums[i + j] += a * b
    return {k: ways for k, ways in sums.items() if ways}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({0: "1/2", 1: "1/3"}, "add up to 5/6, not to 1"),
        ({0: 0.5, 1: -0.5, 2: 1}, "the probability of 1 is -1/2"),
        ({}, "add up to 0"),
        ({-1: 1}, "whole number from 0 up, not -1"),
        ({0: "half"}, "'half' is not a number"),
        ({0: float("nan")}, "not a number"),
        ([0.5, 0.5], "made from numbers with probabilities"),
    ],
)
def test_what_is_no_lottery_is_refused_with_the_reason(wrong, why):
    with pytest.raises(ParameterError, match=why):
        Lottery(wrong)


def test_probabilities_that_hardly_miss_are_refused_with_a_short_message():
    thirds = {k: Fraction(10**5000, 3 * 10**5000 + 1) for k in range(3)}
    with pytest.raises(ParameterError, match="add up to 1, not to 1"):
        Lottery(thirds)


def test_numbers_without_a_chance_are_left_out_and_order_does_not_matter():
    lottery = Lottery({5: "1/2", 2: 0, 0: 0.5})
    assert list(lottery) == [0, 5]
    assert lottery == Lottery({0: "1/2", 5: "1/2"}) == {0: Fraction(1, 2), 5: Fraction(1, 2)}
    assert hash(lottery) == hash(Lottery({0: "1/2", 5: "1/2"}))
    assert 2 not in lottery
    assert lottery.get(2) is None
    assert lottery != Lottery({0: "1/2", 4: "1/2"})


def test_a_lottery_of_weights_is_that_of_the_probabilities():
    assert Lottery.weighted({3: 4, 1: 2, 2: 0}) == Lottery({1: "1/3", 3: "2/3"})
    for wrong in ({}, {1: 0}, {1: -1, 2: 3}, {1: 0.5}):
        with pytest.raises(ParameterError):
            Lottery.weighted(wrong)


def test_a_short_lottery_is_spelled_so_that_python_reads_it_back():
    lottery = Lottery({0: "1/3", 2: 0.25, 7: "5/12"})
    assert eval(repr(lottery)) == lottery


def test_a_long_lottery_is_described_in_a_line():
    assert repr(WeakOrder([(1, 99)]).search_length(1)) == "<Lottery: 100 numbers from 0 to 99, mean 49.5>"
    fine = Fraction(1, 7**60)
    assert repr(Lottery({0: fine, 1: 1 - fine})) == "<Lottery: 2 numbers from 0 to 1, mean 1>"


def test_a_lottery_travels_between_processes():
    for lottery in (Lottery.uniform(1, 2, 3), WeakOrder([(3, 5000)]).search_length(2)):
        assert pickle.loads(pickle.dumps(lottery)) == lottery


def test_quantiles_are_the_least_numbers_that_reach_the_share():
    lottery = Lottery({0: "1/4", 3: "1/4", 5: "1/2"})
    shares = [0, "1/4", "0.2500001", "1/2", "0.51", 1]
    assert [lottery.quantile(share) for share in shares] == [0, 0, 3, 3, 5, 5]
    for share in (-0.1, 1.1, "x", float("nan")):
        with pytest.raises(ParameterError):
            lottery.quantile(share)


def test_uniform_refuses_a_number_given_twice_and_nothing_at_all():
    for numbers in ((), (1, 1)):
        with pytest.raises(ParameterError, match="different numbers"):
            Lottery.uniform(*numbers)


def test_floats_stand_beside_the_support():
    lottery = Lottery({2: "1/8", 9: "7/8"})
    np.testing.assert_array_equal(lottery.floats(), [0.125, 0.875])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({k: k**90 for k in range(1, 201)}, {k: 7**k for k in range(5, 160, 1)}),
        ({k: 10**5000 + k for k in range(90)}, {k: 3 * k for k in range(1, 90)}),
        ({0: 1, 10**9: 2}, dict.fromkeys(range(3), 1)),
    ],
)
def test_a_long_convolution_is_that_of_all_pairs(one, other):
    found = convolution(one, other)
    assert {k: ways for k, ways in found.items() if ways} == by_pairs(one, other)


def test_a_power_is_repeated_convolution():
    lottery = Lottery({0: "1/2", 1: "1/3", 4: "1/6"})
    assert lottery**1 == lottery
    assert lottery**5 == lottery.convolve(lottery).convolve(lottery).convolve(lottery).convolve(lottery)
    assert (lottery**100).mean == 100 * lottery.mean
    for wrong in (-1, 0.5, True):
        with pytest.raises(ParameterError):
            lottery**wrong


@pytest.mark.parametrize("other", [3, {1: 1}, None])
def test_lotteries_are_mixed_and_added_with_lotteries_only(other):
    for ask in (lambda: Lottery.sure(0).mix(other, 0.5), lambda: Lottery.sure(0).convolve(other)):
        with pytest.raises(ParameterError, match="mixed and added with lotteries"):
            ask()
