"""Realisation: the reasons, and lotteries that are nearly those of a search."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.errors import ParameterError
from measurand.search_length import Lottery, WeakOrder, realisation, realise


def test_a_realisation_is_true_or_has_a_reason():
    found = realisation(Lottery.uniform(2, 3), 3)
    assert found
    assert str(found.order) == "++--|+-"
    missing = realisation(Lottery.uniform(0, 2, 5), 1)
    assert not missing
    assert missing.why == "1 cannot come up although 0 and 2 can"


def test_a_lottery_with_the_mean_and_variance_of_a_search_is_not_yet_one():
    search = WeakOrder.parse("+++---").search_length(2)
    # moved without a change of mean and variance: the third difference vanishes on squares
    step = Fraction(1, 100)
    moved = Lottery({k: p + step * sign for (k, p), sign in zip(search.items(), (-1, 3, -3, 1), strict=True)})
    assert (moved.mean, moved.variance) == (search.mean, search.variance)
    assert realise(search, 2)
    assert "no rank with 3 nonrelevant documents" in realisation(moved, 2).why


def test_a_lottery_as_narrow_as_coin_tossing_would_need_infinitely_many_documents():
    tosses = Lottery.uniform(0, 1) ** 3
    assert "no rank with 3" in realisation(tosses, 100).why


def test_a_sure_thing_is_realised_at_both_ends():
    assert str(realise(Lottery.sure(0), 2)) == "++"
    assert str(realise(Lottery.sure(2), 1)) == "--|+"


@pytest.mark.parametrize("i", [0, 1.5, True])
def test_the_number_of_documents_sought_is_whole(i):
    with pytest.raises(ParameterError, match="how many relevant documents"):
        realise(Lottery.sure(0), i)


def test_something_else_than_a_lottery_is_refused():
    with pytest.raises(ParameterError, match="a lottery is wanted"):
        realise({0: 1}, 1)
