"""The fusion of the others is what `fuse` makes of them, for every run that is left out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import InputError
from measurand.fusion import METHODS, fuse, fuse_others
from measurand.information.counting import count_outscorers, count_outscorers_without

rankings = st.dictionaries(
    st.sampled_from("abcdefgh"), st.sampled_from([-2.0, 0.0, 0.1, 0.7, 3.0]), min_size=1, max_size=8
)
runs_with_gaps = st.lists(
    st.dictionaries(st.sampled_from("12"), rankings, min_size=1, max_size=2), min_size=2, max_size=5
)

EXACT = [method for method in METHODS if method != "mc4"]
"""mc4 is an estimate, whose last digits depend on the order in which documents are met."""


def by_topic(run):
    scores = run.document_scores.tolist()
    pairs = {topic: (run.documents_of(topic), scores[run.rows(topic)]) for topic in run.topics}
    return {topic: found for topic, found in pairs.items() if found[0]}


@pytest.mark.parametrize("method", EXACT)
@settings(max_examples=6)
@given(runs=runs_with_gaps, depth=st.sampled_from([1, 3, None]))
def test_the_fusion_of_the_others_is_that_of_fuse_to_the_last_bit(method, runs, depth):
    named = {f"s{place}": run for place, run in enumerate(runs)}
    found = fuse_others(named, method, depth=depth)
    assert list(found) == list(named)
    for name, fused in found.items():
        others = {other: run for other, run in named.items() if other != name}
        assert by_topic(fused) == by_topic(fuse(others, method, depth=depth))


def test_one_run_has_no_others():
    with pytest.raises(InputError, match="at least two runs"):
        fuse_others({"1": {"x": 1.0}})


def test_scores_that_are_equal_but_for_rounding_tie_where_the_ranking_is_cut_as_well():
    # a is at ranks 1 and 2, b at ranks 2 and 1: both sums are the same, whatever is added first
    runs = [{"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 2.0, "a": 1.0}}, {"1": {"c": 1.0}}]
    cut, whole = fuse(runs, depth=1), fuse(runs, depth=None)
    assert (cut.documents, whole.documents[:2]) == (["b"], ["b", "a"])
    assert whole.document_scores[0] == whole.document_scores[1]


def test_outscorers_without_a_column_are_those_of_the_other_columns():
    levels = np.random.default_rng(3).integers(0, 4, (40, 5))
    expected = [[count_outscorers(np.delete(levels, column, axis=1))[row] for column in range(5)] for row in range(40)]
    every, more = count_outscorers_without(levels)
    assert every.tolist() == count_outscorers(levels).tolist()
    assert (every[:, None] + more).tolist() == expected
