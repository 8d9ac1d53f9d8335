"""The built-in sample is what its model makes, with every blemish that it is there to show."""

from __future__ import annotations

import numpy as np
import pytest

from measurand import judge, read_qrels, read_runs, sample
from measurand.errors import CaveatKind
from measurand.trec.files import load


@pytest.fixture(scope="module")
def judged():
    return judge(read_runs(sample.runs()), read_qrels(sample.qrels()), ties="groups")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    sample.write(sample.Campaign(), folder, ending="")
    return folder


def test_the_judgments_shipped_are_those_that_the_model_makes(made):
    assert load(sample.qrels()).data == (made / "sample.qrels").read_bytes()


def test_the_runs_shipped_are_those_that_the_model_makes(made):
    shipped = {path.name.removesuffix(".gz"): load(path).data for path in sample.runs()}
    assert shipped == {path.name: path.read_bytes() for path in (made / "runs").iterdir()}


def test_it_has_twelve_systems_fifty_topics_and_four_grades(judged):
    assert (len(judged.systems), len(judged.topics), judged.depth) == (12, 50, 100)
    assert judged.grade_counts.shape == (50, 4)
    assert (judged.grade_counts.sum(axis=0) > 0).all()


def test_it_has_ties_among_relevant_and_other_documents(judged):
    before, at = judged.cells[:, :, :-1], judged.cells[:, :, 1:]
    assert (judged.tied[:, :, 1:] & ((before > 0) != (at > 0))).any()


def test_it_has_a_system_that_left_topics_out_and_one_with_short_lists(judged):
    assert [int((lengths == 0).sum()) > 0 for lengths in judged.lengths].count(True) == 1
    assert any(((lengths > 0) & (lengths < 50)).any() for lengths in judged.lengths)


def test_it_has_unjudged_documents_near_the_top(judged):
    assert (judged.retrieved & ~judged.judged)[:, :, :10].any()


def test_it_has_one_topic_without_a_relevant_document(judged):
    assert np.flatnonzero(judged.recall_base == 0).tolist() == [25]
    assert {CaveatKind.NO_RELEVANT, CaveatKind.MISSING_TOPICS} <= {caveat.kind for caveat in judged.caveats}


def test_equal_parameters_give_equal_data_and_another_seed_gives_other_data():
    small = {"systems": 3, "topics": 2, "depth": 5, "candidates": 20, "pool": 3}
    first, again, other = (sample.Campaign(**small, seed=seed).draw()[1][0] for seed in (1, 1, 2))
    assert first.scores.tolist() == again.scores.tolist()
    assert first.scores.tolist() != other.scores.tolist()


def test_without_blemishes_there_are_no_gaps_and_no_ties():
    qrels, runs = sample.Campaign(systems=6, topics=4, depth=10, candidates=40, blemishes=False).draw()
    judged = judge(runs, qrels, ties="groups")
    assert (judged.lengths == 10).all()
    assert not judged.tied.any()
    assert (judged.recall_base > 0).all()
