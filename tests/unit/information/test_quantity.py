"""Quantity and entropy: sizes, bases, and what happens at the edges."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from measurand.errors import ParameterError
from measurand.information.quantity import (
    Outscorers,
    entropy,
    exact_entropy,
    granularity,
    outscorer_counts,
    outscorers,
    outscores,
    quantity,
)
from measurand.information.signals import Signals
from measurand.judged import Judgments, Results

RANKING = {"r": {"a": 3, "b": 2, "c": 1}}


@pytest.mark.parametrize("ask", [outscorer_counts, quantity, entropy, exact_entropy])
def test_information_without_the_size_of_the_collection_is_refused(ask):
    with pytest.raises(ParameterError, match="say collection_size="):
        ask(RANKING)
    assert ask(Signals.of(RANKING, 10)) == ask(RANKING, 10)


@pytest.mark.parametrize("size", [10**16, 10**30, 10**400])
def test_collections_may_be_larger_than_any_float(size):
    told = quantity({"r": {"a": 2, "b": 1, "c": 1}, "g": {"z": 0}}, size)
    assert told["a"] == pytest.approx(log(size), rel=1e-15)
    assert told["b"] == told["c"] == pytest.approx(log(size) - log(3), rel=1e-15)
    assert told["z"] == 0
    assert outscorer_counts({"g": {"z": 0}}, size) == {"z": size}
    assert entropy(RANKING, size) == pytest.approx(float(exact_entropy(RANKING, size)), rel=1e-13)


def test_what_is_nearly_nothing_is_told_precisely():
    size = 10**6
    everything = {"r": {place: place for place in range(size - 3, size)} | {"low": 1}}
    known = Signals.of(everything, size)
    assert quantity(known)["low"] == pytest.approx(log(size / 4))
    full = {"r": {place: place for place in range(2000)}}
    assert quantity(full, 2000)[1] == pytest.approx(1 / 2000 + 1 / 2 / 2000**2 + 1 / 3 / 2000**3, rel=1e-13)


@pytest.mark.parametrize("base", [0, 1, 1.0, "1", -2, "2/2", Fraction(10**320 + 1, 10**320)])
def test_a_base_without_logarithms_is_refused(base):
    with pytest.raises(ParameterError, match="is no base of a logarithm; give a number above 0 other than 1"):
        quantity(RANKING, 10, base=base)
    with pytest.raises(ParameterError, match="is no base of a logarithm"):
        entropy(RANKING, 10, base=base)


def test_a_base_that_is_no_number_is_refused():
    with pytest.raises(ParameterError, match="'e' is not a number"):
        quantity(RANKING, 10, base="e")


def test_bases_are_read_as_written_and_may_lie_below_1_or_close_to_it():
    assert quantity({"r": {"a": 1}}, 10, base="0.1") == {"a": pytest.approx(-1)}
    assert quantity({"r": {"a": 1}}, 10, base=1 + 1e-9)["a"] == pytest.approx(log(10) * 1e9, rel=1e-8)
    assert quantity({"r": {"a": 1}}, 10, base=10**400)["a"] == pytest.approx(1 / 400)
    assert quantity({"r": {"a": 1}}, 10, base="1e-400")["a"] == pytest.approx(-1 / 400)
    assert str(quantity({"g": {"z": 0}}, 10, base="1/2")["z"]) == "0.0"
    assert str(entropy({"g": {"z": 0}}, 10, base="1/2")) == "0.0"


def test_a_collection_of_one_document_tells_nothing():
    assert quantity({"r": {"a": 1}}, 1) == {"a": 0.0}
    assert exact_entropy({"r": {"a": 1}}, 1) == 0


def test_signals_that_name_no_document_tell_nothing():
    nothing = {"r": {}, "s": {}}
    assert quantity(nothing, 10) == {}
    assert entropy(nothing, 10) == 0
    assert exact_entropy(nothing, 10) == 0
    assert granularity(nothing, 10) == 0
    assert outscorers(nothing, "a", 10) == Outscorers(frozenset(), 10)


def test_a_run_that_is_empty_on_a_topic_adds_nothing():
    full = Results.from_mapping("full", {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}})
    empty = Results.from_mapping("empty", {"2": {"c": 1.0}})
    assert quantity([full, empty], 10, topic="1") == quantity([full], 10, topic="1")
    gold = Judgments.from_mapping({"1": {"a": 0, "z": 0}, "2": {"c": 1}})
    told = quantity([full, gold], 10, topic="1")
    assert told == {**quantity([full], 10, topic="1"), "z": 0.0}


def test_documents_at_the_minimum_of_every_signal_are_outscored_by_all():
    judged = {"g": {"a": 1, "z": 0}, "r": {"a": 1}}
    found = outscorers(judged, "z", 10)
    assert found == outscorers(judged, "never heard of", 10) == Outscorers(frozenset({"a", "z"}), 8)
    assert (found.count, "whatever" in found) == (10, True)
    assert outscorer_counts(judged, 10) == {"a": 1, "z": 10}
    assert outscores(judged, "never heard of", "z")
    assert not outscores(judged, "z", "a")


def test_a_document_that_the_collection_cannot_hold_has_no_outscorers():
    with pytest.raises(ParameterError, match=r"no signal names document x, and a collection of 3 .* collection_size="):
        outscorers(RANKING, "x")
    assert outscorers(RANKING, "c").named == {"a", "b", "c"}
    assert "x" not in outscorers(RANKING, "c")


def test_documents_may_be_anything_that_can_be_looked_up():
    assert quantity({"r": {1: 2, ("x", 2): 1}}, 2) == {1: pytest.approx(log(2)), ("x", 2): 0.0}
