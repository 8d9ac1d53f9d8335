"""The documents on the first ranks: the same as in the files, packed; and which of them move."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.study.shown_documents import ABSENT, Move, moved_documents, shown_documents

DOCUMENTS = [f"d{number}" for number in range(8)]
rankings = st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=6)
campaigns = st.lists(st.tuples(rankings, rankings, rankings), min_size=1, max_size=3)

GRADES = {"d0": 2, "d1": 1, "d2": 0, "d3": -1}


def judged_of(campaign) -> JudgedRuns:
    """Return three systems on some topics; the last topic has all documents for all systems."""
    full = [*campaign, (DOCUMENTS, DOCUMENTS, DOCUMENTS)]
    runs = {
        name: {
            str(topic): {document: -float(rank) for rank, document in enumerate(several[place])}
            for topic, several in enumerate(full)
        }
        for place, name in enumerate("abc")
    }
    return md.judge(runs, {str(topic): GRADES for topic in range(len(full))})


@given(campaign=campaigns, ranks=st.integers(1, 9))
def test_every_ranking_is_the_one_that_was_read_down_to_the_ranks(campaign, ranks):
    judged = judged_of(campaign)
    shown = shown_documents(judged, ranks)
    assert shown.ranks == min(ranks, 8)
    assert shown.places.dtype == np.int32
    for topic, several in enumerate(campaign):
        for system, ranking in zip("abc", several, strict=True):
            assert shown.ranking(system, str(topic)) == tuple(ranking[:ranks])


@given(campaign=campaigns, ranks=st.integers(1, 9))
def test_names_stand_once_in_the_order_in_which_ranks_have_them_with_their_grades(campaign, ranks):
    judged = judged_of(campaign)
    shown = shown_documents(judged, ranks)
    for topic, several in enumerate(campaign):
        met = dict.fromkeys(each[rank] for rank in range(ranks) for each in several if rank < len(each))
        assert shown.names[topic] == tuple(met)
        expected = [max(GRADES.get(document, -1), -1) for document in met]
        assert [max(int(cell), -1) for cell in shown.grades[topic]] == expected


@given(campaign=campaigns, cutoff=st.integers(1, 8))
def test_moves_are_what_sets_and_ranks_say(campaign, cutoff):
    shown = shown_documents(judged_of(campaign), 8)
    for topic, (one, other, _) in enumerate(campaign):
        moved = moved_documents(shown, "a", "b", str(topic), cutoff)
        before, after = one[:cutoff], other[:cutoff]
        shared = set(before) & set(after)
        expected = {
            "in": set(after) - set(before),
            "out": set(before) - set(after),
            "up": {each for each in shared if after.index(each) < before.index(each)},
            "down": {each for each in shared if after.index(each) > before.index(each)},
            "same": {each for each in shared if after.index(each) == before.index(each)},
        }
        assert {str(move): {each.name for each in moved.those(move)} for move in Move} == expected
        for each in moved.documents:
            # ranks below the cutoff are known too
            assert each.before == (one.index(each.name) + 1 if each.name in one else None)
            assert each.after == (other.index(each.name) + 1 if each.name in other else None)
            assert each.grade == (GRADES[each.name] if GRADES.get(each.name, -1) >= 0 else None)


@given(campaign=campaigns)
def test_what_comes_in_one_way_goes_out_the_other_way(campaign):
    shown = shown_documents(judged_of(campaign), 4)
    there, back = moved_documents(shown, "a", "b", "0"), moved_documents(shown, "b", "a", "0")
    for one, other in (("in", "out"), ("up", "down"), ("same", "same")):
        assert {each.name for each in there.those(one)} == {each.name for each in back.those(other)}


def test_names_of_files_are_the_same(tmp_path):
    runs = {"a": {"1": {"d1": 2.0, "é中": 1.0}}, "b": {"1": {"é中": 2.0}}}
    plain = shown_documents(md.judge(runs, {"1": {"d1": 1}}), 5)
    for name, topics in runs.items():
        md.read_run(topics, name=name).to_trec(tmp_path / f"{name}.run")
    shown = shown_documents(md.judge([tmp_path / "a.run", tmp_path / "b.run"], {"1": {"d1": 1}}), 5)
    assert (shown.names, shown.places.tolist()) == (plain.names, plain.places.tolist())


def test_a_study_knows_its_documents(sample_study):
    shown = shown_documents(sample_study.judged, 30)
    run = md.read_runs(md.sample.runs())[0]
    topic = sample_study.topics[0]
    assert shown.ranking(run.name, topic) == tuple(run.down_to(30).documents_of(topic))
    assert (shown.places != ABSENT).sum() == np.minimum(sample_study.judged.lengths, 30).sum()


def test_what_is_not_there_is_told_in_one_line(sample_study):
    shown = shown_documents(sample_study.judged, 5)
    topic = sample_study.topics[0]
    for call, why in [
        (lambda: shown_documents(JudgedRuns.on_one_topic([(1, 0)], (5, 2)), 5), "it was not kept which documents"),
        (lambda: shown_documents(sample_study.judged, 0), "ranks"),
        (lambda: moved_documents(shown, "dense-1", "dense-2", topic, 6), "beyond the 5 ranks that are shown"),
        (lambda: moved_documents(shown, "dense-1", "dense-2", "nowhere"), "there is no topic 'nowhere'"),
        (lambda: moved_documents(shown, "dense-1", "nobody", topic), "nobody"),
    ]:
        with pytest.raises(ParameterError, match=why):
            call()


def test_a_table_shows_what_moves():
    judged = md.judge({"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d1": 2.0, "d3": 1.0}}}, {"1": {"d1": 1}})
    text = str(moved_documents(shown_documents(judged, 2), "a", "b", "1"))
    assert "From a to b on topic 1, first 2 ranks" in text
    assert "1 document at the same rank." in text


def test_the_margins_of_a_study_are_those_of_a_comparison():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], ["nDCG@10", "AP"], fuse=False)
    comparison = md.compare(md.sample.qrels(), md.sample.runs()[:2], ["nDCG@10", "AP"])
    for measure in ("nDCG@10", "AP"):
        ours, theirs = (each.of(measure).claims[0].margins for each in (study.raw, comparison))
        assert ours.to_dict() == theirs.to_dict()
        assert not [caveat for caveat in ours.caveats if "not kept" in caveat.text]
