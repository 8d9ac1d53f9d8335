"""Laws of lotteries, weak orders and searches in them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.search_length import Lottery, WeakOrder, realise
from measurand.search_length.lottery import LongLottery, lottery_of

weights = st.dictionaries(st.integers(0, 30), st.integers(0, 50), min_size=1, max_size=8).filter(
    lambda parts: any(parts.values())
)
lotteries = weights.map(Lottery.weighted)
shares = st.fractions(0, 1, max_denominator=50)
inner_shares = shares.filter(lambda share: 0 < share < 1)
ranks = st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any)
orders = st.lists(ranks, min_size=1, max_size=6).map(WeakOrder)
wanted = st.integers(1, 20)


@st.composite
def functions(draw):
    """Draw a function of numbers of documents with rational values."""
    a, b, c, modulus, below = (draw(st.integers(1, 20)) for _ in range(5))
    return lambda k: Fraction((a * k * k + b * k + c) % modulus - 7, below + k % 3)


@given(one=lotteries, other=lotteries, alpha=inner_shares, f=functions())
def test_expectation_is_linear_in_the_lottery(one, other, alpha, f):
    mixed = one.mix(other, alpha)
    assert mixed.expectation(f) == alpha * one.expectation(f) + (1 - alpha) * other.expectation(f)
    assert all(mixed.get(k, 0) == alpha * one.get(k, 0) + (1 - alpha) * other.get(k, 0) for k in range(31))


@given(one=lotteries, other=lotteries, third=lotteries)
def test_convolution_is_commutative_and_associative_and_adds_means_and_variances(one, other, third):
    both = one.convolve(other)
    assert both == other.convolve(one)
    assert both.convolve(third) == one.convolve(other.convolve(third))
    assert one.convolve(Lottery.sure(0)) == one
    assert both.mean == one.mean + other.mean
    assert both.variance == one.variance + other.variance
    assert all(
        both.get(k, 0) == sum((one.get(r, 0) * other.get(k - r, 0) for r in range(k + 1)), Fraction(0))
        for k in range(both.high + 2)
    )


@given(lottery=lotteries, m=st.integers(0, 4), n=st.integers(0, 4))
def test_powers_add_up(lottery, m, n):
    assert (lottery**m).convolve(lottery**n) == lottery ** (m + n)


@given(lottery=lotteries, share=shares)
def test_a_quantile_is_the_least_number_that_reaches_its_share(lottery, share):
    k = lottery.quantile(share)
    assert k in lottery
    assert sum(p for j, p in lottery.items() if j <= k) >= share
    assert k == lottery.low or sum(p for j, p in lottery.items() if j < k) < share


@given(parts=weights, factor=st.integers(1, 9))
def test_equal_lotteries_are_equal_however_they_were_made(parts, factor):
    total = sum(parts.values())
    one = Lottery({k: Fraction(part, total) for k, part in parts.items()})
    other = Lottery.weighted({k: factor * part for k, part in parts.items()})
    assert one == other
    assert hash(one) == hash(other)
    assert eval(repr(one)) == one


@given(order=orders)
def test_what_is_printed_is_read_back(order):
    assert WeakOrder.parse(str(order)) == order
    assert eval(repr(order)) == order


@given(order=orders, i=wanted, share=shares)
def test_the_short_ways_agree_with_the_lottery(order, i, share):
    lottery = order.search_length(i)
    assert (order.esl(i), order.variance(i)) == (lottery.mean, lottery.variance)
    assert order.quantile(i, share) == lottery.quantile(share)
    assert 0 <= lottery.low <= lottery.high <= order.nonrelevant


@given(order=orders, i=wanted)
def test_a_longer_search_never_costs_less(order, i):
    assert order.esl(i) <= order.esl(i + 1)
    assert list(order.esls()) == [order.esl(j) for j in range(1, order.relevant + 1)]


@given(order=orders, i=wanted, share=shares)
def test_closed_forms_and_written_probabilities_agree(order, i, share):
    before, search = order.within(i)
    if search is None or search.nonrelevant < 2:
        return
    long, short = LongLottery(before, search), lottery_of(before, search)
    assert long == short
    assert hash(long) == hash(short)
    assert long.quantile(share) == short.quantile(share)
    assert long.floats().tolist() == pytest.approx([float(p) for p in short.values()])


def realised_by_trying(lottery: Lottery, i: int) -> bool:
    """Return whether some s and r do, trying every s as in the definition."""
    b, n = lottery.low, lottery.high - lottery.low
    if not n:
        return True
    for s in range(1, i + 1):
        r = s * n / (lottery.mean - b) - 1
        if (
            r.denominator == 1
            and r >= s
            and WeakOrder([(0, b + 1), (int(r), n)]).search_length(s) == Lottery({k + 1: p for k, p in lottery.items()})
        ):
            return True
    return False


@given(order=orders, i=st.integers(1, 8), j=st.integers(1, 8), other=orders)
def test_realisation_agrees_with_trying_every_place_in_the_rank(order, i, j, other):
    search = order.search_length(i)
    for lottery in (search, search.mix(other.search_length(i), "1/2"), search.convolve(other.search_length(j))):
        found = realise(lottery, j)
        assert (found is not None) == realised_by_trying(lottery, j)
        assert found is None or found.search_length(j) == lottery
    assert realise(search, i) is not None


@given(data=st.data(), n=st.integers(0, 12), r=st.integers(1, 12))
def test_mean_and_variance_tell_searches_of_a_rank_apart(data, n, r):
    s = data.draw(st.integers(1, r))
    other_r = data.draw(st.integers(1, 12))
    other_s = data.draw(st.integers(1, other_r))
    one, other = (WeakOrder([(a, n)]).search_length(b) for a, b in ((r, s), (other_r, other_s)))
    alike = (one.mean, one.variance) == (other.mean, other.variance)
    assert alike == (one == other)
    if n >= 2:
        assert alike == ((r, s) == (other_r, other_s))
