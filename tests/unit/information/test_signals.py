"""Signals: what is read from mappings, runs and judgments, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import InputError, ParameterError
from measurand.information.signals import Signals
from measurand.judged import Judgments, Results


def levels(signals, size=None, **options):
    known = Signals.of(signals, size, **options)
    return dict(zip(known.documents, known.levels.tolist(), strict=True))


def test_only_the_order_of_numbers_counts():
    assert levels({"s": {"a": 0.1, "b": 1e300, "c": Fraction(1, 10), "d": 7}}) == {
        "a": [2],
        "b": [4],
        "c": [1],
        "d": [3],
    }


def test_large_whole_numbers_keep_their_order():
    assert levels({"s": {"a": 10**20, "b": 10**20 + 1}}) == {"a": [1], "b": [2]}


def test_a_document_that_is_left_out_has_zero():
    assert levels({"s": {"a": 0, "b": 2}, "t": {"c": 1}}) == {"a": [0, 0], "b": [1, 0], "c": [0, 1]}


def test_a_document_that_is_left_out_stands_below_negative_numbers():
    assert levels({"s": {"a": -5, "b": 2, "c": 0}, "t": {"d": 1}})["a"] == [1, 0]


def test_a_run_puts_all_that_it_retrieves_above_the_rest_whatever_its_scores():
    run = Results.from_mapping("r", {"1": {"a": 0.0, "b": 3.0, "c": 0.0}})
    assert levels([run]) == {"a": [1], "b": [2], "c": [1]}


def test_what_is_judged_not_relevant_is_as_what_is_not_judged():
    grades = Judgments.from_mapping({"1": {"a": 0, "b": 2, "c": -1}})
    assert levels([grades]) == {"a": [0], "b": [1], "c": [0]}


def test_a_run_without_the_topic_says_nothing_of_it():
    one = Results.from_mapping("one", {"1": {"a": 1.0}, "2": {"b": 1.0}})
    other = Results.from_mapping("other", {"2": {"c": 1.0}})
    assert levels([one, other], topic="1") == {"a": [1, 0]}


def test_several_topics_need_a_choice():
    run = Results.from_mapping("r", {"1": {"a": 1.0}, "2": {"b": 1.0}})
    with pytest.raises(ParameterError, match=r"speak of 2 topics .* say topic="):
        Signals.of([run])
    with pytest.raises(ParameterError, match="no signal speaks of topic '3'"):
        Signals.of([run], topic="3")


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), "7", None, Decimal(1), 1j])
def test_a_value_without_a_place_in_an_order_is_refused(value):
    with pytest.raises(InputError, match=r"signal s gives document a .*, which has no place in an order"):
        Signals.of({"s": {"a": value}})


@pytest.mark.parametrize("given", [{}, [], "run", 3, None, [{"a": 1}], {"s": [1, 2]}])
def test_what_is_no_signal_is_refused(given):
    with pytest.raises(ParameterError, match="signal"):
        Signals.of(given)


def test_two_runs_of_one_name_are_refused():
    run = Results.from_mapping("r", {"1": {"a": 1.0}})
    with pytest.raises(ParameterError, match="two signals have one name"):
        Signals.of([run, run])
    with pytest.raises(ParameterError, match="two signals have one name"):
        Signals.of({1: {"a": 1}, "1": {"b": 1}})
    with pytest.raises(ParameterError, match="two signals have one name"):
        Signals.of({"s": {"a": 1}}).only("s", "s")


@pytest.mark.parametrize("size", [0, -1, 1.5, "10", True])
def test_a_size_that_is_no_number_of_documents_is_refused(size):
    with pytest.raises(ParameterError, match="collection_size, the number of documents there are, must be"):
        Signals.of({"s": {}}, size)


def test_a_collection_smaller_than_what_is_named_is_refused():
    with pytest.raises(ParameterError, match="a collection of 1 documents is too small for the 2"):
        Signals.of({"s": {"a": 1, "b": 1}}, 1)


def test_levels_need_a_document_and_a_signal_each():
    with pytest.raises(ParameterError, match="2 documents and 1 signals need a level for each pair"):
        Signals(("s",), ("a", "b"), np.array([[1]]), 10)


@pytest.mark.parametrize("level", [-1, 1.5])
def test_levels_are_whole_numbers_from_0_up(level):
    with pytest.raises(ParameterError, match="levels are whole numbers from 0 up"):
        Signals(("s",), ("a",), np.array([[level]]), 10)


def test_a_document_has_one_row():
    with pytest.raises(ParameterError, match="a document is named twice"):
        Signals(("s",), ("a", "a"), np.array([[1], [2]]), 10)


def test_the_arrays_that_are_given_stay_as_they_are_and_those_that_are_kept_cannot_be_changed():
    mine = np.array([[1]])
    known = Signals(("s",), ("a",), mine, np.int64(10))
    mine[0, 0] = 5
    assert known.levels.tolist() == [[1]]
    assert not known.levels.flags.writeable
    assert type(known.collection_size) is int


def test_no_document_at_all_is_a_collection_of_one():
    known = Signals.of({"s": {}, "t": {}})
    assert (known.documents, known.levels.shape, known.collection_size, known.rest) == ((), (0, 2), 1, 1)


def test_some_signals_keep_all_documents():
    known = Signals.of({"s": {"a": 1}, "t": {"b": 1}, "u": {"c": 1}}, 10)
    assert known.only("u", "s").levels.tolist() == [[0, 1], [0, 0], [1, 0]]
    assert known.without("t").names == ("s", "u")
    assert known.only("s").documents == known.documents
    with pytest.raises(ParameterError, match="there is no signal x; there is s, t, u"):
        known.only("x")
    with pytest.raises(ParameterError, match="there is no signal x; there is s, t, u"):
        known.without("x")
    with pytest.raises(ParameterError, match="no signal is left"):
        known.without("s", "t", "u")
    with pytest.raises(ParameterError, match="no signal is named; there is s, t, u"):
        known.only()


def test_signals_are_read_again_for_another_collection():
    known = Signals.of({"s": {"a": 1}}, 10)
    assert Signals.of(known) is known
    assert Signals.of(known, 20).collection_size == 20
    assert Signals.of(known, 20).levels.tolist() == known.levels.tolist()
