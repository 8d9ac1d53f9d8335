"""What is computed otherwise on very many topics says the same, or that it does not know."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind
from measurand.judged import JudgedRuns
from measurand.orders.many_runs import at_least_as_good, ranks_of_documents
from measurand.report.page import document, topics
from measurand.study import dominance, every_pair, matching
from measurand.study.dominance import better_by_topic
from measurand.study.margins import documents, weights
from measurand.study.margins.student import critical_t
from measurand.study.margins.topics import SortedBlocks
from measurand.study.margins.weights import smallest_weights
from measurand.verdict import How

DIFFERENCES = st.lists(st.integers(-3, 9), min_size=3, max_size=30).map(lambda each: np.array(each) / 8)
CELLS = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2 * n, max_size=2 * n).map(
        lambda rows: np.array(rows, dtype=np.int8).reshape(2, n, 3)
    )
)


def judged_of(cells):
    n = cells.shape[1]
    return JudgedRuns(
        systems=("a", "b"),
        topics=tuple(map(str, range(n))),
        cells=cells,
        lengths=np.full((2, n), 3),
        grade_counts=np.full((n, 3), 3),
    )


@given(DIFFERENCES, st.integers(0, 20), st.integers(0, 20))
def test_what_is_said_to_stay_significant_does(differences, number, more):
    blocks, n = SortedBlocks.of(differences), len(differences)
    if number < n and blocks.stays_significant(number, more, 0.05):
        for each in range(number + 1, number + more + 1):
            assert (blocks.statistics(each) > critical_t(n - each, 0.05)).all()


@given(st.integers(5, 60), st.integers(0, 2**32 - 1))
def test_running_sums_leave_the_weights_that_all_numbers_of_topics_give(n, seed):
    differences = np.random.default_rng(seed).normal(1, 1, n).round(2)
    whole = smallest_weights(differences, 1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights, "AT_ONCE", 1)
        some = smallest_weights(differences, 1.0)
    assert (some.ratio, some.stretched.tolist()) == (whole.ratio, whole.stretched.tolist())


@given(CELLS)
def test_runs_are_matched_as_by_the_order_of_all_of_them(cells):
    runs, numbers = np.unique(cells.reshape(-1, 3), axis=0, return_inverse=True)
    counts = [np.bincount(side, minlength=len(runs)) for side in numbers.reshape(2, -1)]
    ranks = ranks_of_documents(runs, 3)
    one, other = matching.match_runs(ranks, *counts), matching.match(at_least_as_good(ranks, ranks), *counts)
    assert (one.missing, one.violator.tolist()) == (other.missing, other.violator.tolist())


@given(CELLS)
@settings(max_examples=60)
def test_where_too_many_runs_are_to_be_paired_a_level_holds_or_fails_as_it_does_or_is_undecided(cells):
    judged = judged_of(cells)
    known = md.levels(judged, "a", "b").every_measure
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "LARGEST", -1)
        found = md.levels(judged, "a", "b")
    verdict = found.every_measure
    if verdict.undecided:
        assert (verdict.how, verdict.witness, found.largest_lead) == (How.FAILED, None, None)
        assert str(found.document())
        return
    assert verdict.holds == known.holds
    if not verdict:
        mine, other = verdict.witness.scores(judged).values.mean(axis=1)
        assert 0 < other - mine <= float(known.lead) + 1e-12
        assert found.largest_lead is None


def test_pairs_of_which_nothing_is_decided_are_counted(monkeypatch):
    runs = [[[1, 1, 0], [0, 1, 0]], [[0, 1, 0], [1, 0, 0]]]
    judged = judged_of(np.array(runs, dtype=np.int8))
    assert md.levels_matrix(judged).every_measure[0, 1]
    for module in (matching, every_pair):
        monkeypatch.setattr(module, "LARGEST", -1)
    found = md.levels_matrix(judged)
    assert not found.every_measure[0, 1]
    [said] = [caveat.text for caveat in found.caveats if caveat.kind is CaveatKind.LEFT_OUT]
    assert said.startswith("whether every measure agrees is not decided of 1 pair, and taken for not so")


@given(CELLS)
def test_blocks_of_topics_are_compared_as_single_topics(cells):
    whole = better_by_topic(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dominance, "MANY", -1)
        patch.setattr(dominance, "AT_ONCE", 12)
        assert (better_by_topic(np.repeat(cells, 5, axis=1))[:, :, ::5] == whole).all()


def test_documents_are_not_looked_at_on_too_many_topics(monkeypatch):
    monkeypatch.setattr(documents, "MANY", 40)
    found = md.margins(md.judge(md.sample.runs(), md.sample.qrels()), "P@10", "rerank-2", "dense-1")
    for margin in (found.judgments, found.unjudged):
        assert (margin.value, str(margin)) == (None, "not looked for on 50 topics, only on up to 40")
        assert margin.to_dict()["list"] == []
    assert found.caveats == ()
    assert "judgments –; unjudged –" in found.line


def test_a_page_lists_topics_that_stand_out_and_says_how_many_are_left_out(monkeypatch):
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], "P@10", fuse=False)
    whole = topics.section(study)
    monkeypatch.setattr(topics, "MOST", 40)
    monkeypatch.setattr(topics, "LISTED", 16)
    section = topics.section(study)
    kept = section.data["places"]
    assert len(kept) < 50
    assert section.data["topics"] == [study.topics[place] for place in kept]
    assert section.arrays["scores"].shape[-1] == section.data["every"] == 50
    assert section.arrays["facts"].shape[1] == section.arrays["cells"].shape[1] == len(kept)
    hardest = [item["topic"] for item in whole.content["lists"]["hardest"]]
    assert [item["topic"] for item in section.content["lists"]["hardest"]][:2] == hardest[:2]
    assert f"{50 - len(kept)} of 50 topics are left out of the lists and drawings" in document(study)
