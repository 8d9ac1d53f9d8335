from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.information import Signals
from measurand.information.consistency import consistency
from measurand.information.quantity import exact_entropy, quantity
from measurand.measures import OIE
from measurand.papers.agms2018.additivity import additivity_of_scores, effectiveness_additivity
from measurand.verdict import How

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=2, max_size=6)


def columns_of(rows):
    return {name: {d: row[i] for d, row in enumerate(rows)} for i, name in enumerate(("a", "b", "g"))}


@given(rows=ROWS, extra=st.integers(0, 3))
def test_before_and_after_are_the_information_without_and_with_the_further_signal(rows, extra):
    columns, size = columns_of(rows), len(rows) + extra
    outcome = effectiveness_additivity(columns, "b", "g", collection_size=size)
    for place, names in enumerate((("a",), ("a", "b"))):
        told = quantity({name: columns[name] for name in names}, size)
        scored = {"I": told, "g": columns["g"]}
        assert outcome.consistency[place] == consistency(scored, "g", collection_size=size)
        apart = exact_entropy({"I": told}, size) + exact_entropy({"g": columns["g"]}, size)
        assert outcome.effectiveness[place] == apart - OIE.beta * exact_entropy(scored, size)
    same = any(
        len(set(found)) < size
        for found in (
            [*quantity({"a": columns["a"]}, size).values(), *[0.0] * extra],
            [*quantity({"a": columns["a"], "b": columns["b"]}, size).values(), *[0.0] * extra],
        )
    )
    assert bool(outcome.fine_grained) is not same


@given(rows=ROWS)
def test_a_copy_of_a_signal_changes_nothing(rows):
    columns = columns_of([(a, a, g) for a, _, g in rows])
    outcome = effectiveness_additivity(columns, "b", "g")
    assert outcome.consistency[0] == outcome.consistency[1]
    assert outcome.effectiveness[0] == outcome.effectiveness[1]
    assert outcome.consistent
    assert outcome.additive


def test_a_verdict_that_fails_names_its_reason():
    scores = {"before": {"x": 2, "y": 1, "z": 3}, "after": {"x": 1, "y": 1, "z": 2}, "judgments": {"x": 1}}
    outcome = additivity_of_scores(scores)
    assert outcome.fine_grained.witness == "after, documents x and y have the same"
    assert outcome.fine_grained.how is How.COUNTEREXAMPLE
    worse = additivity_of_scores({**scores, "after": {"x": 1, "y": 2, "z": 3}})
    assert worse.consistent.witness == "consistency falls from 0.6667 to 0.3333"
    assert worse.additive.witness.startswith("effectiveness falls from")
    assert worse.fine_grained.witness is None
    assert worse.fine_grained.checked == "all 3 documents"


def test_documents_that_nobody_tells_of_are_not_told_apart():
    signals = Signals.of({"before": {"x": 2}, "after": {"x": 3}, "judgments": {"x": 1}}, 3)
    assert "several documents are at the minimum" in additivity_of_scores(signals).fine_grained.witness
    assert additivity_of_scores(Signals.of(signals, 2)).fine_grained


def test_the_weights_are_those_of_the_measure():
    columns = columns_of([(3, 1, 1), (2, 2, 0), (1, 3, 0)])
    default, other = (effectiveness_additivity(columns, "b", "g", measure=OIE(beta=b)) for b in ("1.2", "2"))
    assert default.effectiveness[0] > other.effectiveness[0]


def test_the_judgments_cannot_be_added_nor_can_a_single_signal_be():
    columns = columns_of([(1, 2, 0), (2, 1, 1)])
    with pytest.raises(ParameterError, match="add another signal"):
        effectiveness_additivity(columns, "g", "g")
    with pytest.raises(ParameterError, match="no signal is left"):
        effectiveness_additivity({"a": columns["a"], "g": columns["g"]}, "a", "g")
    with pytest.raises(ParameterError, match="there is no signal c"):
        effectiveness_additivity(columns, "c", "g")
