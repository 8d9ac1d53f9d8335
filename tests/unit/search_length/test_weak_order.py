"""Weak orders: how they are written, read and made."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import InputError, ParameterError
from measurand.judged.grades import NOTHING, POOLED, UNJUDGED
from measurand.search_length import Lottery, Rank, WeakOrder


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("+-|x-", "'x' at place 4 of '\\+-\\|x-' is none of"),
        ("+-||+", "rank 2 of the weak order is empty, at place 4"),
        ("+-|+|", "rank 3 of the weak order is empty, at place 6"),
        ("  ", "the weak order is empty"),
        ("+" * 200 + "?" + "-" * 200, "at place 201"),
        (None, "is written like"),
    ],
)
def test_a_text_that_is_no_weak_order_is_refused_with_the_place(text, why):
    with pytest.raises(ParameterError, match=why) as caught:
        WeakOrder.parse(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("ranks", "why"),
    [
        ([], "needs one at least"),
        ([(1, 0), (0, 0)], "rank 2 is empty"),
        ([(1, 0), 3], "rank 2 is 3; a rank is a pair"),
        ([(1, 2, 3)], "a rank is a pair"),
        ([(-1, 2)], "relevant documents of a rank must be a whole number from 0 up, not -1"),
        ([(1, 0.5)], "nonrelevant documents of a rank must be a whole number"),
    ],
)
def test_ranks_that_are_none_are_refused(ranks, why):
    with pytest.raises(ParameterError, match=why):
        WeakOrder(ranks)


def test_a_weak_order_is_a_value():
    order = WeakOrder([(1, 1), Rank(0, 2)])
    assert order == WeakOrder.parse("+-|--")
    assert hash(order) == hash(WeakOrder.parse("+-|--"))
    assert order != WeakOrder.parse("+-|-|-")
    order.esl(1)
    assert order == WeakOrder.parse("+-|--")


def test_the_spelling_is_python_as_long_as_it_is_short():
    for order in (WeakOrder.parse("+-|+--|++---"), WeakOrder([(3, 10**6), (1, 1)])):
        assert eval(repr(order)) == order
    many = repr(WeakOrder([(1, 2)] * 1000))
    assert many == ("WeakOrder([(1, 2), (1, 2), (1, 2), … 1000 ranks of 1000 relevant and 2000 nonrelevant documents])")


def test_scores_may_be_sequences():
    assert str(WeakOrder.from_scores([1.0, 3.0, 1.0, 2], [1, 0, 0, 2], rel=2)) == "-|+|--"
    arrays = np.array([0.5, 0.25, 0.5]), np.array([0, 1, 1])
    assert str(WeakOrder.from_scores(*arrays, collection=5)) == "+-|+|--"
    assert str(WeakOrder.from_scores([0.0, -0.0, float("-inf")], [True, False, -1])) == "+-|-"


def test_relevant_documents_may_be_a_set():
    assert str(WeakOrder.from_scores({"a": 1, "b": 1, "c": 0}, {"b", "z"}, rel=3)) == "+-|-|+"
    assert str(WeakOrder.from_scores({}, {"z": 0, "y": 1})) == "+-"


def test_ties_are_equal_numbers_and_nothing_else():
    assert str(WeakOrder.from_scores({"a": 0.1 + 0.2, "b": 0.3}, {"b"})) == "-|+"
    assert str(WeakOrder.from_scores({"a": 1, "b": 1.0, "c": Fraction(1)}, {"b"})) == "+--"


@pytest.mark.parametrize(
    ("scores", "judgments", "options", "error", "why"),
    [
        ({"a": float("nan")}, {}, {}, InputError, "the score of a is nan"),
        ({"a": "high"}, {}, {}, InputError, "the score of a is 'high'"),
        ([float("nan")], [1], {}, InputError, "the score of document 1"),
        ([None], [1], {}, InputError, "no number"),
        ({"a": 1}, {"a": 0.5}, {}, InputError, "the grade of a is 0.5"),
        ([1, 2], [1], {}, ParameterError, "2 scores but 1 grades"),
        ([1, 2], {"a": 1}, {}, ParameterError, "sequence of the grades"),
        ({"a": 1}, ["a"], {}, ParameterError, "the set of relevant documents, not a list"),
        (3, 4, {}, ParameterError, "sequence of the grades"),
        ({"a": 1}, {"b": 1}, {"collection": 1}, ParameterError, "1 documents is too small for the 2"),
        ({"a": 1}, {"b": 1}, {"rel": 0}, ParameterError, "lowest grade"),
        ({}, {}, {}, ParameterError, "needs one at least"),
    ],
)
def test_scores_that_make_no_order_are_refused(scores, judgments, options, error, why):
    with pytest.raises(error, match=why):
        WeakOrder.from_scores(scores, judgments, **options)


def test_a_judged_run_makes_a_weak_order():
    run = np.array([1, 0, UNJUDGED, POOLED, 2, NOTHING, 1], dtype=np.int8)
    tied = np.array([False, True, False, True, False, False, False])
    assert str(WeakOrder.from_run(run, tied)) == "+-|--|+"
    assert str(WeakOrder.from_run(run, tied, unretrieved=(1, 2), rel=2)) == "--|--|+|+--"
    assert str(WeakOrder.from_run(run)) == "+|-|-|-|+"
    assert str(WeakOrder.from_run((1, 0), (True, True))) == "+-"
    assert str(WeakOrder.from_run((), unretrieved=Rank(2, 0))) == "++"
    assert str(WeakOrder.from_run([NOTHING], unretrieved=(0, 1))) == "-"


@pytest.mark.parametrize(
    ("run", "tied", "options"),
    [
        ((1, 0), (True,), {}),
        ((0.5, 1), None, {}),
        ([(1, 0)], None, {}),
        ((), None, {}),
        ((1,), None, {"unretrieved": (-1, 0)}),
        ((1,), None, {"unretrieved": 3}),
        ((1,), None, {"rel": 0}),
    ],
)
def test_a_run_that_makes_no_order_is_refused(run, tied, options):
    with pytest.raises(ParameterError):
        WeakOrder.from_run(run, tied, **options)


@pytest.mark.parametrize("i", [0, -1, 1.5, True, "1", None])
def test_how_many_documents_are_wanted_is_a_whole_number_from_one(i):
    order = WeakOrder.parse("+-")
    for ask in (order.esl, order.search_length, order.variance, order.within):
        with pytest.raises(ParameterError, match="i, how many relevant documents are wanted, must be a whole number"):
            ask(i)


def test_a_result_without_relevant_documents_costs_everything():
    order = WeakOrder.parse("--|-")
    assert order.esls() == ()
    assert order.search_length(1) == Lottery.sure(3)
    assert order.variance(1) == 0
    assert order.quantile(1, 0.5) == 3


def test_all_searches_at_once_are_one_for_each_relevant_document():
    order = WeakOrder([(1, 1), (0, 3)] * 2000)
    esls = order.esls()
    assert len(esls) == 2000
    assert esls[1999] == order.esl(2000) == 4 * 1999 + Fraction(1, 2)


@pytest.mark.parametrize("ranks", [None, 3])
def test_what_holds_no_ranks_makes_no_weak_order(ranks):
    with pytest.raises(ParameterError, match="made from ranks like"):
        WeakOrder(ranks)


def test_a_strange_sign_is_named_with_its_place():
    with pytest.raises(ParameterError, match=r"'x' at place 3 of '\+-x\+' is none of"):
        WeakOrder.parse("+-x+")


def test_decimal_scores_are_numbers():
    scores = {"a": Decimal("1.5"), "b": 1.5, "c": Decimal(1)}
    assert str(WeakOrder.from_scores(scores, {"b", "c"})) == "+-|+"
