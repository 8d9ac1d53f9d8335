"""Nothing is written back into its input, and no result can be changed."""

from __future__ import annotations

import numpy as np
import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import evaluate, judge, read_qrels, read_run

MEASURES = ["AP", "nDCG@3", "RBP(p=0.8)", "P@2", "Bpref", "ERR", "NumRet", "gm(AP)", "AP(judged_only=True)", "Judged@3"]

documents = st.sampled_from("abcdef")
runs = st.dictionaries(st.sampled_from("123"), st.dictionaries(documents, st.integers(0, 3), min_size=1), min_size=3)
qrels = st.dictionaries(st.sampled_from("123"), st.dictionaries(documents, st.integers(-1, 3), min_size=1), min_size=3)


def arrays(judged) -> list[bytes]:
    return [array.tobytes() for array in (judged.cells, judged.lengths, judged.grade_counts)]


@settings(max_examples=10)
@given(run=runs, qrels=qrels, ties=st.sampled_from(["trec", "file", "groups"]))
def test_judging_and_scoring_leave_their_input_as_it_was(run, qrels, ties):
    results, judgments = read_run(run, name="r"), read_qrels(qrels)
    before = (
        results.document_scores.tobytes(),
        list(results.documents),
        judgments.grades.tobytes(),
        list(judgments.documents),
    )
    judged = judge(results, judgments, ties=ties)
    kept = arrays(judged)
    first = evaluate(judged, MEASURES).to_polars()
    assert arrays(judged) == kept
    assert (
        results.document_scores.tobytes(),
        list(results.documents),
        judgments.grades.tobytes(),
        list(judgments.documents),
    ) == before
    assert evaluate(judged, MEASURES).to_polars().equals(first)


@settings(max_examples=10)
@given(run=runs, qrels=qrels, skip=st.booleans())
def test_no_score_can_be_changed(run, qrels, skip):
    table = evaluate(qrels, run, MEASURES, missing_topics="skip" if skip else "zero")
    for scores in table:
        assert scores.values.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            scores.values[0, 0] = 2.0
        with pytest.raises(FrozenInstanceError):
            scores.values = np.zeros_like(scores.values)
    with pytest.raises(FrozenInstanceError):
        table.by_measure = {}


@settings(max_examples=10)
@given(several=st.lists(runs, min_size=2, max_size=3), qrels=qrels, data=st.data())
def test_the_company_of_other_systems_changes_no_score(several, qrels, data):
    named = {f"s{number}": read_run(run, name=f"s{number}") for number, run in enumerate(several)}
    judgments = read_qrels(qrels)
    together = evaluate(judgments, [named[name] for name in data.draw(st.permutations(list(named)))], MEASURES)
    for name, run in named.items():
        alone = evaluate(judgments, run, MEASURES)
        for scores in alone:
            row = together.scores(scores.measure)
            place = row.systems.index(name)
            np.testing.assert_allclose(row.values[place], scores.values[0], rtol=1e-12, atol=0)
