from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import InputError, ParameterError
from measurand.information import Signals
from measurand.information.consistency import consistency, heights, places_of
from measurand.judged import Judgments, Results

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=2, max_size=7)


def signals_of(rows, size=None):
    columns = {name: {d: row[i] for d, row in enumerate(rows)} for i, name in enumerate(("a", "b", "g"))}
    return Signals.of(columns, size)


def brute(rows, extra, chosen=None, self_pairs=False):
    """Count ordered pairs, with every document of the collection written down."""
    every = [*rows, *[(0, 0, 0)] * extra]
    count = [sum(o[0] >= d[0] and o[1] >= d[1] for o in every) for d in every]
    looked_at = range(len(every)) if chosen is None else chosen
    pairs = kept = 0
    for one in looked_at:
        for other in looked_at:
            if count[one] <= count[other] and (self_pairs or one != other):
                pairs += 1
                kept += every[one][2] >= every[other][2]
    return Fraction(kept, pairs)


@given(rows=ROWS, extra=st.integers(0, 5), self_pairs=st.booleans())
def test_consistency_over_a_collection_is_that_of_all_its_pairs(rows, extra, self_pairs):
    found = consistency(signals_of(rows, len(rows) + extra), "g", self_pairs=self_pairs)
    assert found == brute(rows, extra, self_pairs=self_pairs)


@given(rows=ROWS, extra=st.integers(0, 5), data=st.data())
def test_consistency_of_some_documents_goes_by_their_information_in_the_whole_collection(rows, extra, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), min_size=2, unique=True))
    signals = signals_of(rows, len(rows) + extra)
    assert consistency(signals, "g", documents=chosen) == brute(rows, extra, chosen)


@given(rows=ROWS)
def test_the_consistency_of_one_signal_is_that_of_its_scores(rows):
    pairs = [(x, y) for i, x in enumerate(rows) for j, y in enumerate(rows) if i != j and x[0] >= y[0]]
    expected = Fraction(sum(x[2] >= y[2] for x, y in pairs), len(pairs))
    assert consistency(signals_of(rows).only("a", "g"), "g") == expected


@given(rows=ROWS, extra=st.integers(0, 3))
def test_what_a_signal_says_again_changes_nothing(rows, extra):
    columns = {name: {d: row[i] for d, row in enumerate(rows)} for i, name in enumerate(("a", "b", "g"))}
    again = {"c": {d: 10 * value**3 for d, value in columns["a"].items()}}
    size = len(rows) + extra
    told_again = consistency({**columns, **again}, "g", collection_size=size)
    assert told_again == consistency(columns, "g", collection_size=size)


def test_a_signal_that_says_what_the_judgments_say_is_never_wrong():
    grades = {"d1": 2, "d2": 1, "d3": 0}
    assert consistency({"a": grades, "g": grades}, "g", collection_size=50) == 1


def test_a_collection_of_a_trillion_documents_is_one_class():
    size = 10**12
    found = consistency({"a": {"d1": 2, "d2": 1}, "g": {"d2": 1}}, "g", collection_size=size)
    rest = size - 2
    pairs = 1 + 2 * rest + rest * (rest - 1)
    assert found == Fraction(pairs - 1, pairs)


def test_judged_documents_that_nobody_retrieves_are_with_the_rest():
    # among the three that nobody tells of, one is relevant: two of six pairs there are wrong
    assert consistency({"a": {"d1": 1}, "g": {"d2": 1}}, "g", collection_size=4) == Fraction(3 + 6 - 1 - 2, 3 + 6)


def test_thousands_of_documents_with_as_many_grades_are_compared():
    scores = np.random.default_rng(0).permutation(3000).tolist()
    columns = {"a": dict(enumerate(scores)), "g": dict(enumerate(range(3000)))}
    ordered = [grade for _, grade in sorted(zip(scores, range(3000), strict=True), reverse=True)]
    grades = np.array(ordered)
    kept = sum(int((grades[: place + 1] >= grade).sum()) for place, grade in enumerate(ordered)) - 3000
    assert consistency(columns, "g") == Fraction(kept, 3000 * 2999 // 2)


def test_runs_and_judgments_are_taken_as_they_are():
    run = Results.from_mapping("bm25", {"1": {"d1": 5.0, "d2": 4.0}, "2": {"d1": 1.0}})
    judgments = Judgments.from_mapping({"1": {"d2": 1}, "2": {"d1": 1}})
    assert consistency([run, judgments], topic="1") == 0


def test_heights_are_zero_for_what_no_signal_tells_of_and_above_for_all_others():
    assert heights(Signals.of({"a": {"d1": 1, "d2": 1, "d3": 0}}, 9)).tolist() == [1, 1, 0]


def test_places_of_documents_come_in_the_order_asked_for():
    assert places_of(Signals.of({"a": {"d1": 1, "d2": 2}}), ["d2", "d1"]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("signals", "options", "error", "message"),
    [
        ({"a": {"d1": 1}, "g": {"d2": 1}}, {"gold": "h"}, ParameterError, "there is no signal h; there is a, g"),
        ({"g": {"d2": 1}}, {"gold": "g"}, ParameterError, "no signal is left"),
        ({"a": {"d1": 1}, "g": {"d1": 1}}, {"gold": "g"}, InputError, "no pair of documents"),
        (
            {"a": {"d1": 1}, "g": {"d1": 1}},
            {"gold": "g", "documents": ["x"]},
            ParameterError,
            "no signal names",
        ),
        ({"a": {"d1": 1, "d2": 1}, "g": {}}, {"gold": "g", "documents": ["d1"]}, InputError, "self_pairs=True"),
    ],
)
def test_what_cannot_be_asked_is_said(signals, options, error, message):
    with pytest.raises(error, match=message):
        consistency(signals, **options)


def test_one_document_against_itself_is_right():
    assert consistency({"a": {"d1": 1}, "g": {"d1": 1}}, "g", self_pairs=True) == 1
