"""Structures, homomorphisms, measurements, and several assessors."""

from __future__ import annotations

from operator import le

import pytest

from measurand.errors import InputError, ParameterError
from measurand.judged import Multiset, Relevance
from measurand.orders import Measurement, Relation, Structure, compare_by, homomorphism, image_loss
from measurand.papers import set_algebra
from measurand.verdict import How


def test_a_structure_refuses_tuples_of_strangers():
    with pytest.raises(ParameterError, match="'z', which is not in the domain"):
        Structure("ab", {"<": {("a", "z")}})


@pytest.mark.parametrize("relation", [{1, 2}, 3, [([1], [2])]])
def test_a_relation_is_a_set_of_tuples(relation):
    with pytest.raises(ParameterError, match="set of tuples"):
        Structure((1, 2), {"<": relation})


def test_a_domain_holds_things_that_can_be_told_apart():
    with pytest.raises(ParameterError, match="told apart"):
        Structure([[0, 1], [1, 0]], {})
    assert Structure("aab", {}).domain == ("a", "b")


def test_an_empty_relation_is_kept_by_every_map_but_has_no_arity():
    nothing = Structure("ab", {"<": set()})
    assert homomorphism(nothing, {"a": 1, "b": 2}, {"<": le})
    with pytest.raises(ParameterError, match="empty"):
        nothing.arity("<")
    with pytest.raises(ParameterError, match="empty"):
        homomorphism(nothing, {"a": 1, "b": 2}, {"<": le}, both_ways=True)


def test_what_is_not_there_is_named():
    structure = Structure("ab", {"<": {("a", "b")}})
    with pytest.raises(ParameterError, match="no relation '>'; there is <"):
        homomorphism(structure, {"a": 1, "b": 2}, {">": le})
    with pytest.raises(ParameterError, match="'b' has no value"):
        homomorphism(structure, {"a": 1}, {"<": le})


def test_a_verdict_says_how_much_was_looked_at():
    structure = Structure("ab", {"<": {("a", "b")}})
    assert homomorphism(structure, {"a": 1, "b": 2}, {"<": le}).checked == "all 1 tuples"
    both = homomorphism(structure, {"a": 1, "b": 2}, {"<": lambda x, y: x < y}, both_ways=True)
    assert (both.holds, both.checked, both.how) == (True, "all 4 tuples", How.EXHAUSTIVE)
    assert homomorphism(structure, {"a": 2, "b": 1}, {"<": le}).how is How.COUNTEREXAMPLE


def test_image_loss_takes_a_structure_or_its_things():
    assert image_loss(Structure("abc", {}), {"a": 1, "b": 1, "c": 1}) == 2
    assert image_loss("abc", {"a": 1, "b": 2, "c": 3}) == 0


def test_the_algebra_of_three_things_has_eight_sets():
    algebra = set_algebra([1, 2, 3, 3])
    assert len(algebra.domain) == 8
    assert len(algebra.relations["inclusion"]) == len(algebra.relations["disjoint union"]) == 27


def test_a_measurement_scores_the_multiset_of_a_set():
    measurement = Measurement(lambda judged: judged.multiplicity(1), {"t": {"d1": 1, "d2": 1}})
    assert measurement.measure("t", {"d1", "d2", "d3"}) == 2
    assert Measurement(lambda judged: int(judged == Multiset.of([0])), {"t": {}}).measure("t", frozenset("a")) == 1


def test_a_ranking_with_a_document_twice_is_not_measured():
    with pytest.raises(InputError, match="twice"):
        Measurement(sum, {"t": {}}).measure("t", ["d1", "d1"])


def test_assessors_who_disagree_order_two_rankings_differently():
    truths = {"Ann": {"d1": 1}, "Bob": {"d2": 1}, "Eve": {}}
    judged = compare_by(["d1", "d2"], ["d2", "d1"], truths)
    assert [judged[name].relation for name in truths] == [Relation.GREATER, Relation.LESS, Relation.EQUAL]
    assert list(judged) == ["Ann", "Bob", "Eve"]
    assert len(judged) == 3
    assert not judged.unanimous
    assert compare_by(["d1", "d2"], ["d2", "d1"], {"Ann": {"d1": 1}, "Zoe": {"d1": 2, "d2": 1}}).unanimous


def test_assessors_may_use_labels_and_judge_sets():
    relevance = Relevance.labelled("nr", "pr", "hr")
    truths = {"Ann": {"d1": "hr", "d3": "pr"}}
    judged = compare_by({"d1", "d2"}, {"d2", "d3"}, truths, "set-replacement", relevance)
    assert judged["Ann"].why == "the first has 1 document of grade hr or more against 0"
    with pytest.raises(ParameterError, match="no ranks"):
        compare_by({"d1", "d2"}, {"d2", "d3"}, truths, "swap", relevance)


def test_rankings_may_be_gone_through_once():
    truths = {"Ann": {"d1": 1}, "Bob": {"d1": 1}}
    judged = compare_by(iter(["d1", "d2"]), iter(["d2", "d1"]), truths)
    assert {comparison.relation for comparison in judged.values()} == {Relation.GREATER}


def test_without_an_assessor_there_is_nothing_to_say():
    with pytest.raises(ParameterError, match="no assessor"):
        compare_by(["d1"], ["d2"], {})
