"""The built-in sample is what its model makes, with every blemish that it is there to show."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from measurand import judge, parse, read_qrels, read_runs, sample
from measurand.errors import CaveatKind
from measurand.statistics import paired_t, sign
from measurand.trec.files import load


@pytest.fixture(scope="module")
def judged():
    return judge(read_runs(sample.runs()), read_qrels(sample.qrels()), ties="groups")


@pytest.fixture(scope="module")
def scores():
    return parse("nDCG@10").scores(judge(read_runs(sample.runs()), read_qrels(sample.qrels())))


@pytest.fixture(scope="module")
def values(scores):
    return dict(zip(scores.systems, scores.values, strict=True))


@pytest.fixture(scope="module")
def holm(scores):
    return paired_t(scores).adjust("holm").pvalues


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    sample.write(sample.Campaign(), folder, ending="")
    return folder


def top_ten(run):
    """Return the first ten documents of each topic; files are written in the order of scores."""
    return [run.documents[start : start + 10] for start in run.bounds[:-1]]


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


def test_a_fifth_of_the_first_documents_of_a_system_that_nobody_pooled_are_unjudged(judged):
    unjudged = (judged.retrieved & ~judged.judged)[:, :, :10].mean(axis=(1, 2))
    share = dict(zip(judged.systems, unjudged, strict=True))
    assert {name for name in share if share[name] > 0.05} == {"dense-3", "hybrid-3", "rerank-3"}
    assert 0.1 < share["dense-3"] < 0.2


def test_it_has_one_topic_without_a_relevant_document(judged):
    assert np.flatnonzero(judged.recall_base == 0).tolist() == [25]
    assert {CaveatKind.NO_RELEVANT, CaveatKind.MISSING_TOPICS} <= {caveat.kind for caveat in judged.caveats}


def test_its_leader_beats_every_system_of_another_family_and_no_relative(scores, values, holm):
    means = {name: of_topics.mean() for name, of_topics in values.items()}
    leader = max(means, key=means.__getitem__)
    beaten = {name for name, p in zip(scores.systems, holm[scores.systems.index(leader)], strict=True) if p <= 0.05}
    assert leader == "rerank-2"
    assert beaten == {name for name in scores.systems if not name.startswith("rerank")}


def test_twins_return_nearly_the_same_documents(values):
    runs = {run.name: run for run in read_runs(sample.runs())}
    tops = zip(top_ten(runs["dense-1"]), top_ten(runs["dense-2"]), strict=True)
    assert np.mean([len(set(first) & set(second)) for first, second in tops]) > 8
    assert abs(values["dense-1"].mean() - values["dense-2"].mean()) < 0.01


def test_the_mean_of_a_system_with_lucky_topics_is_higher_than_that_of_a_twin_which_wins_most(scores, values):
    lucky, twin = "hybrid-2", "hybrid-1"
    differences = values[lucky] - values[twin]
    assert differences.mean() > 0.01
    assert (differences < 0).sum() > 1.5 * (differences > 0).sum()
    assert sign(scores).pvalues[scores.systems.index(lucky), scores.systems.index(twin)] < 0.05
    assert np.delete(differences, np.arange(4, 50, 9)).mean() < -0.01


def test_a_system_that_left_topics_out_is_as_good_as_its_twin_on_the_others(judged, values):
    present = judged.lengths[judged.systems.index("rerank-1")] > 0
    differences = values["rerank-2"] - values["rerank-1"]
    assert present.sum() == 47
    assert differences.mean() > 0.04
    assert abs(differences[present].mean()) < 0.01


def test_significant_pairs_are_as_many_as_in_real_campaigns(scores, holm):
    pairs = np.triu_indices(12, 1)
    assert 0.45 < (paired_t(scores).pvalues[pairs] <= 0.05).mean() < 0.7
    assert 0.35 < (holm[pairs] <= 0.05).mean() < 0.6


def test_counts_at_all_ranks_and_grades_decide_as_many_pairs_as_in_real_campaigns(judged):
    counts = np.concatenate([np.cumsum(judged.cells[:, :, :30] >= grade, axis=2) for grade in (1, 2, 3)], axis=2)
    several = [counts[i] - counts[j] for i, j in combinations(range(12), 2)]
    one_sided = [all(d.sum(axis=0) >= 0) != all(d.sum(axis=0) <= 0) for d in several]
    statistics = [d.mean(axis=0) / (d.std(axis=0, ddof=1) / np.sqrt(50)) for d in several]
    surely = [np.abs(s).min() >= t.isf(0.025, 49) and len(set(np.sign(s))) == 1 for s in statistics]
    assert 0.43 < np.mean(one_sided) < 0.8
    assert 0.14 < np.mean(surely) < 0.44


def test_some_orders_of_means_are_the_same_on_every_scale_and_others_are_not(values):
    sorted_values = [np.sort(of_topics) for of_topics in values.values()]
    proof = [(a >= b).all() or (a <= b).all() for a, b in combinations(sorted_values, 2)]
    assert 0.14 < np.mean(proof) < 0.6


def test_equal_parameters_give_equal_data_and_another_seed_gives_other_data():
    small = {"systems": 3, "topics": 2, "depth": 5, "candidates": 20, "pool": 3}
    first, again, other = (sample.Campaign(**small, seed=seed).draw()[1][0] for seed in (1, 1, 2))
    assert first.document_scores.tolist() == again.document_scores.tolist()
    assert first.document_scores.tolist() != other.document_scores.tolist()


def test_without_blemishes_there_are_no_gaps_and_no_ties():
    qrels, runs = sample.Campaign(systems=6, topics=4, depth=10, candidates=40, blemishes=False).draw()
    judged = judge(runs, qrels, ties="groups")
    assert (judged.lengths == 10).all()
    assert not judged.tied.any()
    assert (judged.recall_base > 0).all()
