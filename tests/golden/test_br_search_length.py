"""Bollmann and Raghavan's numbers: weak orders, lotteries of searches, what can be realised and what cannot."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from measurand.errors import ParameterError
from measurand.search_length import Lottery, Rank, WeakOrder, realisation, realise

EXAMPLE = WeakOrder.parse("+-|+--|++---")
HALVES = Lottery.uniform(0, 1)


def lottery(*probabilities: str, first: int = 0) -> Lottery:
    return Lottery(dict(enumerate(probabilities, first)))


@cache
def weak_orders(documents: int) -> list[tuple[tuple[int, int], ...]]:
    """Return all weak orders of so many documents."""
    if not documents:
        return [()]
    return [
        ((relevant, size - relevant), *rest)
        for size in range(1, documents + 1)
        for relevant in range(size + 1)
        for rest in weak_orders(documents - size)
    ]


def weak_orders_to(documents: int) -> list[tuple[tuple[int, int], ...]]:
    return [ranks for size in range(1, documents + 1) for ranks in weak_orders(size)]


@cache
def arrangements(relevant: int, nonrelevant: int) -> list[tuple[int, ...]]:
    """Return every order of the documents of a rank, told apart by relevance."""
    places = range(relevant + nonrelevant)
    return [tuple(int(k in chosen) for k in places) for chosen in combinations(places, relevant)]


def search_lengths(documents: tuple[int, ...], most: int) -> list[int]:
    """Return what searches for 1, ..., `most` relevant documents cost in a list without ties."""
    lengths, nonrelevant = [], 0
    for relevant in documents:
        nonrelevant += not relevant
        lengths += [nonrelevant] * relevant
    return lengths + [nonrelevant] * (most - len(lengths))


def enumerated(ranks: tuple[tuple[int, int], ...], most: int) -> list[dict[int, Fraction]]:
    """Return the lottery of each search by going through all orders of the documents."""
    lists = [sum(parts, ()) for parts in product(*(arrangements(*rank) for rank in ranks))]
    counted = [Counter(column) for column in zip(*(search_lengths(one, most) for one in lists), strict=True)]
    return [{k: Fraction(count, len(lists)) for k, count in counts.items()} for counts in counted]


@pytest.mark.spec("BR-2-WO")
def test_a_weak_order_is_read_counted_and_printed():
    assert EXAMPLE.ranks == (Rank(1, 1), Rank(1, 2), Rank(2, 3))
    assert (EXAMPLE.documents, EXAMPLE.relevant, EXAMPLE.nonrelevant) == (10, 4, 6)
    assert str(EXAMPLE) == "+-|+--|++---"
    assert WeakOrder.parse("-+ | --+|---++") == EXAMPLE


@pytest.mark.spec("BR-2-WO")
def test_scores_with_judgments_make_a_weak_order_with_the_unretrieved_last():
    scores = {"a": 3.0, "b": 3.0, "c": 2.5, "d": 2.5, "e": 2.5}
    judgments = {"a": 1, "c": 2, "d": 0, "x": 1, "y": 1, "z": 0}
    assert WeakOrder.from_scores(scores, judgments, collection=10) == EXAMPLE


@pytest.mark.spec("BR-2-WO")
@pytest.mark.parametrize("text", ["+||-", "|+", "+-|", " | ", "", "+|  |-"])
def test_an_empty_rank_is_rejected(text):
    with pytest.raises(ParameterError, match="empty"):
        WeakOrder.parse(text)


@pytest.mark.spec("BR-2-ESL", "BR-3-MAP", "BR-2-FEW")
def test_all_searches_in_all_weak_orders_to_seven_documents_are_as_enumerated():
    checked = 0
    for ranks in weak_orders_to(7):
        order = WeakOrder(ranks)
        for i, expected in enumerate(enumerated(ranks, order.documents + 1), 1):
            found = order.search_length(i)
            assert dict(found) == expected
            mean = sum(k * p for k, p in expected.items())
            assert order.esl(i) == found.mean == mean
            assert order.variance(i) == sum((k - mean) ** 2 * p for k, p in expected.items())
            checked += 1
        assert list(order.esls()) == [order.esl(i) for i in range(1, order.relevant + 1)]
    assert checked == 35_015


@pytest.mark.spec("BR-2-FEW")
def test_with_too_few_relevant_documents_every_nonrelevant_one_is_seen():
    assert EXAMPLE.search_length(5) == Lottery.sure(6)
    assert EXAMPLE.esl(5) == EXAMPLE.esl(500) == 6
    assert WeakOrder.parse("+|-----").esl(2) == WeakOrder.parse("+|-----|+").esl(2) == 5


@pytest.mark.spec("BR-Ex2.2")
@pytest.mark.parametrize(
    ("i", "expected", "esl"),
    [
        (3, lottery("2/5", "3/10", "1/5", "1/10", first=3), 4),
        (4, lottery("1/10", "1/5", "3/10", "2/5", first=3), 5),
    ],
)
def test_longer_searches_in_the_example_of_the_paper_have_these_lotteries(i, expected, esl):
    assert EXAMPLE.search_length(i) == expected
    assert EXAMPLE.esl(i) == esl


@pytest.mark.spec("BR-D3.1")
def test_a_lottery_is_a_simple_probability_measure():
    found = lottery("0", "2/5", "3/10", "1/5", "1/10")
    assert found.support == (1, 2, 3, 4)
    assert sum(found[k] for k in found.support) == 1
    assert all(isinstance(p, Fraction) and p > 0 for p in found.values())
    for wrong in ({0: "1/2"}, {0: "-1/2", 1: "3/2"}, {0: "1/3", 1: "1/3", 2: 0.3333}, {}, {-1: 1}, {0.5: 1}):
        with pytest.raises(ParameterError):
            Lottery(wrong)


@pytest.mark.spec("BR-Ex3.1")
def test_the_lost_weak_order_of_the_example_is_found_again_and_there_is_no_other():
    printed = lottery("0", "2/5", "3/10", "1/5", "1/10")
    order = realise(printed, 1)
    assert str(order) == "-|++---"
    assert order.esl(1) == 2
    rank_of_search = {WeakOrder(ranks).within(1) for ranks in searches_to_eight(1)[printed]}
    assert rank_of_search == {order.within(1)}


@cache
def searches_to_eight(i: int) -> dict[Lottery, list[tuple[tuple[int, int], ...]]]:
    """Return all weak orders to 8 documents by the lottery of the search for `i` documents."""
    found: dict[Lottery, list[tuple[tuple[int, int], ...]]] = {}
    for ranks in weak_orders_to(8):
        found.setdefault(WeakOrder(ranks).search_length(i), []).append(ranks)
    return found


@pytest.mark.spec("BR-3-REAL")
@pytest.mark.parametrize("i", [1, 2, 3, 4])
def test_what_is_realised_is_what_enumeration_finds(i):
    candidates = {one for j in (1, 2, 3, 4) for one in searches_to_eight(j)}
    for one in candidates:
        order = realise(one, i)
        if order is None:
            assert one not in searches_to_eight(i)
        else:
            assert order.search_length(i) == one
            assert order.documents > 8 or one in searches_to_eight(i)


@pytest.mark.spec("BR-3-REAL")
def test_what_is_realisable_grows_with_the_number_of_documents_sought():
    odds = lottery("3/5", "2/5")
    assert realise(odds, 1) is None
    assert str(realise(odds, 2)) == "++++-"
    for one in searches_to_eight(2):
        assert realise(one, 3)
    assert realisation(odds, 1).why == (
        "the search ends at relevant document 2 of a rank with 4 of them, so that it is a search for 2 documents at "
        "least"
    )


@pytest.mark.spec("BR-Ex3.2", "E-BR-3")
def test_one_or_three_with_equal_chances_is_no_search():
    either = Lottery.uniform(1, 3)
    for i in (1, 2, 3, 4):
        assert realisation(either, i).why == "2 cannot come up although 1 and 3 can"
        assert either not in searches_to_eight(i)
    # support from 1 to 3 means one nonrelevant document before and two in the rank, and then 2 comes up as well
    middles = {one[2] for i in (1, 2, 3) for one in searches_to_eight(i) if (one.low, one.high) == (1, 3)}
    assert {Fraction(1, 3), Fraction(3, 10)} <= middles
    assert min(middles) > 0


@pytest.mark.spec("BR-D3.2", "BR-Ex3.3")
def test_the_expectation_of_any_function_is_exact():
    found = EXAMPLE.search_length(2)
    assert found.expectation(lambda k: k**2) == Fraction(14, 3)
    assert found.expectation(lambda j: -j) == -EXAMPLE.esl(2) == -2
    assert found.expectation(lambda k: Fraction(1, k)) == Fraction(11, 18)


@pytest.mark.spec("BR-D3.3b", "E-BR-6")
def test_a_mixture_is_taken_pointwise_and_needs_a_share_between_0_and_1():
    # definition 3.3 is two definitions in the paper: of strict weak orders, and this one
    mixed = lottery("1/2", "1/2").mix(Lottery.sure(3), "1/3")
    assert mixed == Lottery({0: "1/6", 1: "1/6", 3: "2/3"})
    for alpha in (0, 1, -0.5, 1.5):
        with pytest.raises(ParameterError, match="between 0 and 1"):
            HALVES.mix(Lottery.sure(3), alpha)


@pytest.mark.spec("BR-3-PK")
def test_the_expectation_of_a_sure_thing_is_its_value():
    for k in (0, 1, 7):
        assert Lottery.sure(k).expectation(lambda x: x**2 - 5) == k**2 - 5
        assert Lottery.sure(k).support == (k,)
        assert all(realise(Lottery.sure(k), i).search_length(i) == Lottery.sure(k) for i in (1, 2, 9))


@pytest.mark.spec("BR-4-CONV", "BR-Ex4.1", "E-BR-10")
def test_the_convolution_is_that_of_the_paper():
    one, other = lottery("1/2", "1/4", "1/4"), lottery("1/3", "1/3", "1/3")
    both = one.convolve(other)
    assert both == lottery("1/6", "1/4", "1/3", "1/6", "1/12")
    assert (one.mean, other.mean, both.mean) == (Fraction(3, 4), 1, Fraction(7, 4))
    assert one**3 == one.convolve(one).convolve(one)


@pytest.mark.spec("BR-4-NOTCLOSED", "E-BR-4")
def test_the_sum_of_two_searches_need_not_be_a_search():
    assert str(realise(HALVES, 1)) == "+-"
    both = HALVES.convolve(HALVES)
    assert both == lottery("1/4", "1/2", "1/4")
    assert all(realise(both, i) is None for i in range(1, 60))
    assert "no rank with 2 nonrelevant documents" in realisation(both, 10**9).why
    # the mean leaves r = 2s - 1, and then nothing is met with a probability above 1/4
    for s in range(1, 60):
        candidate = WeakOrder([(2 * s - 1, 2)]).search_length(s)
        assert candidate.mean == both.mean
        assert candidate[0] == Fraction(s + 1, 4 * s + 2) > Fraction(1, 4)
