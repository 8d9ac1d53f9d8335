"""Fusion against ranx: the same ranking where nothing ties, and where the two differ, why."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import measurand as md
from measurand.fusion import fuse

RANK_METHODS = {"rrf": "rrf", "isr": "isr", "log_isr": "logisr"}
SCORE_METHODS = {
    "sum": "combsum",
    "mnz": "combmnz",
    "anz": "combanz",
    "min": "combmin",
    "max": "combmax",
    "med": "combmed",
}
TOPICS = ("1", "2", "3")


def campaign(seed, systems=5, size=25):
    """Return runs without ties, each topic's documents best first, as ranx wants to have them."""
    rng = np.random.default_rng(seed)
    runs = []
    for _ in range(systems):
        run = {}
        for topic in TOPICS:
            documents = rng.choice(50, size, replace=False).tolist()
            scores = np.sort(rng.normal(10, 4, size))[::-1].tolist()
            run[topic] = {f"d{d}": score for d, score in zip(documents, scores, strict=True)}
        runs.append(run)
    return runs


def theirs(runs, method, norm=None):
    import ranx

    named = [ranx.Run(run, name=str(place)) for place, run in enumerate(runs)]
    fused = ranx.fuse(named, norm=norm, method=method).to_dict()
    return {topic: {str(d): float(score) for d, score in found.items()} for topic, found in fused.items()}


def ours(runs, method, norm=None):
    fused = fuse(runs, method, norm=norm, depth=None)
    return {
        t: dict(zip(fused.documents_of(t), fused.document_scores[fused.rows(t)].tolist(), strict=True)) for t in TOPICS
    }


def check_same(ours, theirs):
    """Check that scores agree, and the order wherever ranx sees no tie."""
    for topic in TOPICS:
        assert ours[topic] == pytest.approx(theirs[topic], rel=1e-9, abs=1e-12)
        ordered = [theirs[topic][document] for document in ours[topic]]
        assert all(one >= other - 1e-12 for one, other in pairwise(ordered))


@pytest.mark.parametrize(("their_name", "our_name"), RANK_METHODS.items())
def test_ranks_are_fused_as_in_ranx_where_nothing_ties(their_name, our_name):
    for seed in range(2):
        runs = campaign(seed)
        check_same(ours(runs, our_name), theirs(runs, their_name))


@pytest.mark.parametrize("norm", ["min-max", "sum", "rank"])
@pytest.mark.parametrize(("their_name", "our_name"), SCORE_METHODS.items())
def test_scores_are_fused_as_in_ranx_where_nothing_ties(their_name, our_name, norm):
    runs = campaign(7)
    check_same(ours(runs, our_name, norm), theirs(runs, their_name, norm))


@pytest.mark.parametrize("method", ["anz", "min", "max", "med"])
def test_standard_scores_are_fused_as_in_ranx_by_methods_that_look_at_retrieved_documents_alone(method):
    runs = campaign(8)
    check_same(ours(runs, SCORE_METHODS[method], "z-score"), theirs(runs, method, "zmuv"))


def only_topic(found):
    return next(iter(found.values()))


def test_a_run_of_one_score_adds_nothing_in_ranx_and_counts_here():
    runs = [{"1": {"a": 7.0, "b": 7.0}}, {"1": {"c": 2.0, "b": 1.0}}]
    assert only_topic(theirs(runs, "sum", "min-max")) == {"c": 1.0, "a": 0.0, "b": 0.0}
    fused = fuse(runs, "combsum")
    assert dict(zip(fused.documents, fused.document_scores.tolist(), strict=True)) == {"c": 1.0, "b": 1.0, "a": 1.0}


def test_a_document_that_a_run_leaves_out_gains_by_it_in_ranx_and_not_here():
    # in the first run x is last, and y is not even there; the second run puts x above y
    runs = [{"1": {"a": 9.0, "b": 8.0, "x": 1.0}}, {"1": {"c": 9.0, "x": 3.0, "y": 2.9}}]
    zmuv = only_topic(theirs(runs, "sum", "zmuv"))
    assert zmuv["y"] > zmuv["x"]
    documents = fuse(runs, "combsum", norm="zmuv").documents
    assert documents.index("x") < documents.index("y")


def test_tied_documents_have_the_ranks_of_the_file_in_ranx_and_share_one_here():
    runs = [{"1": {"a": 1.0, "b": 1.0}}] * 2
    assert only_topic(theirs(runs, "rrf")) == pytest.approx({"a": 2 / 61, "b": 2 / 62})
    assert set(fuse(runs).document_scores.tolist()) == {2 / 62}


def test_runs_and_judgments_of_ranx_are_read_as_they_are():
    import ranx

    nested, judged = {"1": {"a": 0.5, "b": 0.25}, "2": {"c": 1.0}}, {"1": {"a": 2, "b": 0}}
    run = md.read_run(ranx.Run(nested, name="bm25"))
    assert (run.name, run.to_dict()) == ("bm25", nested)
    assert md.read_qrels(ranx.Qrels(judged)).to_dict() == judged
