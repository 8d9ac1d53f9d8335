"""The difficulty of topics by the entropy of runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import InputError

AGREE = {"x": 3.0, "y": 2.0, "z": 1.0}
TURNED = {"x": 1.0, "y": 2.0, "z": 3.0}
RUNS = {"a": {"same": AGREE, "turned": AGREE}, "b": {"same": AGREE, "turned": TURNED}}

rankings = st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from([-1.0, 0.0, 2.0]), min_size=1, max_size=6)


@given(several=st.lists(rankings, min_size=2, max_size=4), depth=st.integers(1, 6))
def test_the_entropy_is_that_of_the_runs_as_signals_over_what_they_retrieve(several, depth):
    runs = [md.read_run({"1": ranking}, name=f"s{place}") for place, ranking in enumerate(several)]
    cut = [run.down_to(depth) for run in runs]
    expected = md.information.entropy(md.information.Signals.of(cut))
    assert md.topic_difficulty(runs, depth=depth)["1"] == pytest.approx(expected, abs=1e-12)


def test_runs_that_contradict_each_other_are_on_a_harder_topic():
    found = md.topic_difficulty(RUNS)
    assert found.hardest_first == ("turned", "same")
    assert "exploratory" in str(found)


def test_a_topic_that_one_run_leaves_out_has_the_signal_of_the_others():
    found = md.topic_difficulty({**RUNS, "c": {"same": AGREE}})
    assert found.runs.tolist() == [3, 2]
    assert found["same"] == md.topic_difficulty(RUNS)["same"]


def test_with_judgments_the_prediction_is_compared_on_the_topics_that_have_some():
    qrels = {"same": {"x": 1}, "turned": {"x": 1}}
    found = md.topic_difficulty({**RUNS, "c": {**RUNS["a"], "new": AGREE}}, qrels)
    assert (float(found.tau), len(found.rows())) == (1.0, 3)
    assert {row["topic"] for row in found.rows() if row["effectiveness"] is None} == {"new"}
    # of search lengths low ones are those of easy topics
    assert float(md.topic_difficulty(RUNS, qrels, "ESL(collection=10)").tau) == 1.0


def test_a_topic_without_anything_relevant_is_noted():
    found = md.topic_difficulty(RUNS, {"same": {"x": 1}, "turned": {"x": 0}})
    assert any("1 of the 2 topics has no relevant document (topic turned)" in str(each) for each in found.caveats)


def test_the_drawing_has_a_dot_for_every_judged_topic_and_tau_in_its_title():
    chart = md.topic_difficulty(RUNS, {"same": {"x": 1}, "turned": {"x": 1}}).plot().to_dict()
    assert len(chart["data"]["values"]) == 2
    assert "τ = 1.00" in chart["title"]["subtitle"][-1]


def test_one_run_and_judgments_of_other_topics_are_refused():
    with pytest.raises(InputError, match="takes two to disagree"):
        md.topic_difficulty({"1": AGREE})
    with pytest.raises(InputError, match="no topic of the runs"):
        md.topic_difficulty(RUNS, {"9": {"x": 1}})
    with pytest.raises(InputError, match="no judgments to compare with"):
        md.topic_difficulty(RUNS).tau  # noqa: B018 - asking is enough


def test_topics_whose_entropies_differ_by_rounding_alone_tie_in_every_way():
    found = md.topic_difficulty(RUNS, {"same": {"x": 1}, "turned": {"x": 1}})
    assert found.entropy.tolist() == found.entropy.round(12).tolist()
