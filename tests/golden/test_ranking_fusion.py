"""Amigó et al. (2018), section 5.2: fusing rankings by their information and by their ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.fusion import fuse, granularity

TABLE_1 = [{"1": {"d1": 3.0, "d2": 2.0, "d4": 1.0}}, *[{"1": {"d3": 3.0, "d1": 2.0, "d2": 1.0}}] * 2]


def scores(run):
    return dict(zip(run.documents, run.document_scores.tolist(), strict=True))


def at_ranks(ranks, length):
    """Return a ranking that has given documents at given ranks, and others elsewhere."""
    named = {rank: document for document, rank in ranks.items()}
    return {"1": {named.get(rank, f"other {rank}"): float(-rank) for rank in range(1, length + 1)}}


@pytest.mark.spec("AGMS-5.2-FUSE")
def test_table_1_is_fused_by_information():
    fused = scores(fuse(TABLE_1, "information", collection_size=10))
    assert fused["d1"] == fused["d3"] > fused["d2"] > fused["d4"] > 0
    assert list(fused) == ["d3", "d1", "d2", "d4"]
    assert [fused[d] for d in ("d1", "d2", "d4")] == pytest.approx([np.log(10), np.log(5), np.log(10 / 3)])


@pytest.mark.parametrize("size", [4, 10, 1000])
def test_documents_that_lead_a_ranking_tie_at_the_logarithm_of_the_collection(size):
    fused = fuse(TABLE_1, "information", collection_size=size, depth=None)
    assert scores(fused)["d1"] == scores(fused)["d3"] == pytest.approx(np.log(size))
    assert granularity(fused) == {"1": Fraction(3, 4)}


@pytest.mark.spec("AGMS-P5.2")
@pytest.mark.spec("E-A-7")
def test_under_independence_information_is_minus_the_mean_log_rank_up_to_constants():
    ranks = {"a": (1, 5, 10), "b": (2, 2, 2), "c": (100, 1, 1)}
    runs = [at_ranks({document: places[i] for document, places in ranks.items()}, 100) for i in range(3)]
    fused = scores(fuse(runs, "bordalog"))
    information = {document: 3 * np.log(1000) + 3 * fused[document] for document in ranks}
    assert [information[d] for d in "abc"] == pytest.approx([16.8112, 18.6438, 16.1181], abs=5e-5)


@pytest.mark.spec("AGMS-P5.2")
def test_on_a_product_grid_information_and_mean_log_ranks_agree():
    # every combination of levels once: the outscorers are the product of the ranks
    grid = [(f"{i}{j}{k}", (i, j, k)) for i in range(4) for j in range(4) for k in range(4)]
    runs = [{"1": {name: float(levels[axis]) for name, levels in grid}} for axis in range(3)]
    information = scores(fuse(runs, "information"))
    logs = scores(fuse(runs, "bordalog"))
    assert information == pytest.approx({d: 3 * np.log(64) + 3 * value for d, value in logs.items()})
    assert list(information) == list(logs)


@pytest.mark.spec("E-A-7")
@pytest.mark.parametrize("method", ["information", "bordalog"])
def test_what_is_first_everywhere_leads_and_by_the_printed_sign_it_would_come_last(method):
    grid = [(f"{i}{j}", (i, j)) for i in range(1, 5) for j in range(1, 5)]
    fused = scores(fuse([{"1": {name: -float(ranks[axis]) for name, ranks in grid}} for axis in (0, 1)], method))
    # a rank counts all that are at least as high, four to a level
    printed = {name: np.mean(np.log(4 * np.array(ranks))) for name, ranks in grid}
    assert max(fused, key=fused.get) == min(printed, key=printed.get) == "11"
    assert max(printed, key=printed.get) == min(fused, key=fused.get) == "44"
    assert sorted(fused, key=lambda name: (round(fused[name], 9), name)) == sorted(
        fused, key=lambda name: (round(-printed[name], 9), name)
    )


PAIR = [at_ranks({"A": 1, "B": 5}, 10), at_ranks({"A": 10, "B": 5}, 10)]


@pytest.mark.spec("AGMS-BORDA")
def test_borda_prefers_the_smaller_mean_rank():
    fused = scores(fuse(PAIR, "borda"))
    assert (fused["A"], fused["B"]) == (-5.5, -5.0)


@pytest.mark.spec("AGMS-BORDA")
def test_borda_counts_ties_from_the_last_and_puts_what_is_left_out_at_the_end_of_the_collection():
    runs = [{"1": {"a": 2.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 1.0}}]
    assert scores(fuse(runs, "borda", collection_size=100)) == {"a": -1.5, "b": -51.0, "c": -51.5}
    assert scores(fuse(runs, "borda")) == {"a": -1.5, "b": -3.0, "c": -3.5}


@pytest.mark.spec("AGMS-BORDALOG")
@pytest.mark.spec("E-A-7")
def test_bordalog_prefers_the_document_that_is_first_once():
    fused = scores(fuse(PAIR, "bordalog"))
    assert (fused["A"], fused["B"]) == pytest.approx((-1.1513, -1.6094), abs=5e-5)
    assert list(fused).index("A") < list(fused).index("B")
