"""Lotteries of searches in huge ranks: the same answers as the short ones, without writing the probabilities down."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.search_length import Lottery, WeakOrder, negative_hypergeometric, realise
from measurand.search_length.lottery import LongLottery
from measurand.search_length.negative_hypergeometric import (
    NegativeHypergeometric,
    _by_floats,
    _by_long_numbers,
    quantile,
)

SEARCHES = [
    NegativeHypergeometric(relevant=3, nonrelevant=1500, sought=2),
    NegativeHypergeometric(relevant=1, nonrelevant=1201, sought=1),
    NegativeHypergeometric(relevant=40, nonrelevant=1300, sought=40),
    NegativeHypergeometric(relevant=700, nonrelevant=1100, sought=3),
    NegativeHypergeometric(relevant=900, nonrelevant=1001, sought=500),
    NegativeHypergeometric(relevant=1001, nonrelevant=1001, sought=501),
]
FEATURES = {"ids": lambda search: f"{search.sought} of {search.relevant} among {search.nonrelevant}"}
searches = pytest.mark.parametrize("search", SEARCHES, **FEATURES)


@cache
def written(search: NegativeHypergeometric, before: int = 0) -> Lottery:
    """Return the lottery from its definition."""
    r, n, s = search.relevant, search.nonrelevant, search.sought
    return Lottery.weighted({before + k: comb(k + s - 1, k) * comb(n - k + r - s, n - k) for k in range(n + 1)})


@searches
def test_a_long_lottery_is_the_same_mapping_as_the_written_one(search):
    long, short = LongLottery(7, search), written(search, 7)
    assert long == short
    assert short == long
    assert hash(long) == hash(short)
    assert list(long) == list(short)
    assert (len(long), long.low, long.high, long.total) == (len(short), 7, short.high, comb(*_cards(search)))
    assert [long[k] for k in (7, 100, short.high)] == [short[k] for k in (7, 100, short.high)]
    assert (long.mean, long.variance) == (short.mean, short.variance)


def _cards(search: NegativeHypergeometric) -> tuple[int, int]:
    return search.relevant + search.nonrelevant, search.relevant


@searches
def test_its_floats_are_the_probabilities_rounded(search):
    exact = np.array([float(p) for p in written(search).values()])
    np.testing.assert_allclose(LongLottery(0, search).floats(), exact, rtol=1e-12, atol=1e-290)


def test_its_floats_are_those_of_scipy():
    from scipy.stats import nhypergeom

    search = NegativeHypergeometric(relevant=30, nonrelevant=5000, sought=11)
    k = np.arange(5001)
    np.testing.assert_allclose(search.floats(), nhypergeom(5030, 5000, 30 - 11 + 1).pmf(5000 - k), rtol=1e-7)


@searches
def test_its_quantiles_are_exact_even_at_shares_that_are_reached_just_so(search):
    probabilities = list(written(search).values())
    below = list(accumulate(probabilities))
    for k in (0, 1, 5, 250, search.nonrelevant // 2, search.nonrelevant - 1):
        assert quantile(search, below[k]) == k
        assert quantile(search, below[k] + probabilities[k + 1] / 10**40) == k + 1
        assert quantile(search, below[k] - probabilities[k] / 10**40) == k
    for share in (Fraction(1, 2), Fraction(1, 20), Fraction(19, 20), Fraction(0), Fraction(1)):
        assert quantile(search, share) == next(k for k, reached in enumerate(below) if reached >= share)


@searches
def test_floats_and_long_numbers_enclose_the_quantile(search):
    below = list(accumulate(written(search).values()))
    for k in range(0, search.nonrelevant, 97):
        for bounds in (_by_floats, _by_long_numbers):
            low, high = bounds(search, below[k])
            assert low <= k <= high
    # where the probabilities are not tiny, long numbers leave no more than the tie itself in doubt
    low, high = _by_long_numbers(search, below[search.mode])
    assert high - low <= 1


def test_long_numbers_decide_where_floats_cannot_and_sums_are_dear(monkeypatch):
    monkeypatch.setattr(negative_hypergeometric, "CHEAP", 0)
    monkeypatch.setattr(negative_hypergeometric, "_by_floats", lambda search, share: (0, search.nonrelevant))
    for search in SEARCHES:
        assert quantile(search, Fraction(1, 20)) == written(search).quantile("1/20")


@pytest.mark.parametrize("power", [280, 300, 310, 320, 330, 400, 3000])
def test_shares_that_are_too_small_for_floats_are_reached_where_counting_reaches_them(power):
    search = NegativeHypergeometric(relevant=5000, nonrelevant=5000, sought=5000)
    counted = accumulate(search.ways())
    expected = next(k for k, ways in enumerate(counted) if ways * 10**power >= search.arrangements)
    assert quantile(search, Fraction(1, 10**power)) == expected


def test_medians_by_symmetry_are_those_that_counting_gives():
    for relevant in range(1, 9):
        for nonrelevant in range(9):
            for sought in range(1, relevant + 1):
                search = NegativeHypergeometric(relevant, nonrelevant, sought)
                assert quantile(search, Fraction(1, 2)) == written(search).quantile("1/2")


@pytest.mark.parametrize(("r", "n", "i"), [(3, 10**6, 2), (500_000, 500_000, 250_000), (1, 10**6, 1)])
def test_a_rank_of_a_million_documents_is_answered_by_closed_form(r, n, i):
    order = WeakOrder([(0, 5), (r, n)])
    lottery = order.search_length(i)
    assert lottery.mean == order.esl(i) == 5 + Fraction(i * n, r + 1)
    floats, k = lottery.floats(), np.arange(5, n + 6)
    assert float(floats @ k) == pytest.approx(float(lottery.mean), rel=1e-9)
    assert float(floats @ (k - float(lottery.mean)) ** 2) == pytest.approx(float(lottery.variance), rel=1e-8)
    median = lottery.quantile("1/2")
    assert floats[: median - 5].sum() < 0.5 + 1e-9
    assert floats[: median - 4].sum() > 0.5 - 1e-9
    assert lottery == order.search_length(i)
    assert len(repr(lottery)) < 90
    assert realise(lottery, i).search_length(i) == lottery


def test_the_only_difference_of_two_long_lotteries_may_be_their_variance():
    one, other = (LongLottery(0, NegativeHypergeometric(r, 2000, s)) for r, s in ((1, 1), (3, 2)))
    assert one.mean == other.mean
    assert one != other
    assert LongLottery(0, NegativeHypergeometric(1, 2000, 1)) != LongLottery(1, NegativeHypergeometric(1, 2000, 1))


def test_what_needs_every_probability_is_exact_for_few_relevant_documents():
    lottery = WeakOrder([(2, 6_000)]).search_length(1)
    assert lottery.expectation(lambda k: k * k) == lottery.variance + lottery.mean**2
    shifted = lottery.convolve(Lottery.sure(3))
    assert (shifted.mean, shifted.variance) == (lottery.mean + 3, lottery.variance)
    assert lottery.mix(Lottery.sure(0), "1/2").mean == lottery.mean / 2


def test_what_needs_every_probability_of_a_huge_rank_is_refused_kindly():
    lottery = WeakOrder([(500_000, 500_000)]).search_length(7)
    for ask in (lambda: lottery.expectation(abs), lambda: lottery.convolve(lottery), lambda: lottery.mix(lottery, 0.5)):
        with pytest.raises(NotAvailable, match="use mean, variance, quantile or floats"):
            ask()


def test_numbers_that_cannot_come_up_have_no_place():
    lottery = LongLottery(5, NegativeHypergeometric(1, 2000, 1))
    assert 4 not in lottery
    assert 2006 not in lottery
    assert "5" not in lottery
    with pytest.raises(KeyError):
        lottery[4]


def test_what_does_not_fit_into_memory_is_refused_and_means_are_known_all_the_same():
    order = WeakOrder([(3, 10**11)])
    lottery = order.search_length(1)
    assert (order.esl(1), lottery.mean, lottery.low) == (25 * 10**9, 25 * 10**9, 0)
    for ask in (lottery.floats, lambda: lottery.quantile("1/3")):
        with pytest.raises(NotAvailable, match="do not fit into memory"):
            ask()
    vast = WeakOrder([(3, 10**30)])
    assert vast.esl(1) == 25 * 10**28
    with pytest.raises(NotAvailable, match="esl and variance are exact"):
        vast.search_length(1)


def test_a_huge_lottery_differs_from_other_mappings_at_once():
    lottery = WeakOrder([(20_000, 20_000)]).search_length(5)
    assert lottery != {1: Fraction(1)}
    assert lottery != dict.fromkeys(range(20_001), Fraction(1))
    assert lottery != 3
    short = LongLottery(2, NegativeHypergeometric(1, 2000, 1))
    assert short == dict(short.items())
