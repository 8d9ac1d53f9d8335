"""The papers' measures with the papers' numbers."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from measurand.measures import AP, DCG, ERR, RBP, RR, P, nDCG, parse

with (Path(__file__).parent / "measures.toml").open("rb") as file:
    ROWS = tomllib.load(file)["row"]


@pytest.mark.spec("CONV-P", "CONV-R", "CONV-RR", "CONV-AP", "CONV-RBP", "CONV-DCG", "CONV-ERR")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['run']}")
def test_a_measure_has_the_value_of_the_checklist(row):
    value = parse(row["measure"]).of(row["run"], recall_base=row.get("recall_base"))
    if "value" in row:
        assert value == Fraction(row["value"])
    else:
        places = len(row["digits"].partition(".")[2])
        assert f"{float(value):.{places}f}" == row["digits"]


@pytest.mark.spec("CONV-nDCG")
@pytest.mark.parametrize("base", [2, 10])
def test_ndcg_divides_by_the_ideal_run_with_the_relevant_documents_first(base):
    run = (0, 1, 0, 1, 0)
    assert nDCG(b=base).of(run, recall_base=3) == DCG(b=base).of(run) / DCG(b=base).of((1, 1, 1, 0, 0))
    assert (nDCG(b=base) @ 5).of(run, recall_base=9) == DCG(b=base).of(run) / DCG(b=base).of((1, 1, 1, 1, 1))


@pytest.mark.spec("CONV-nDCG")
@pytest.mark.parametrize("recall_base", [1, 3, 6, 11])
def test_ndcg_orders_runs_as_dcg_does_whatever_the_recall_base(recall_base):
    runs = list(product((0, 1), repeat=6))
    by_dcg = sorted(runs, key=lambda run: (DCG(b=2).of(run), run))
    assert sorted(runs, key=lambda run: ((nDCG(b=2) @ 6).of(run, recall_base=recall_base), run)) == by_dcg


@pytest.mark.spec("CONV-phi")
def test_dcg_of_four_binary_ranks_takes_twelve_values_with_1111_on_top():
    image = sorted({DCG(b=2).key(run) for run in product((0, 1), repeat=4)})
    assert len(image) == 12
    assert image.index(DCG(b=2).key((1, 1, 1, 1))) + 1 == 12


@pytest.mark.spec("F1")
@pytest.mark.parametrize(("depth", "distinct"), [(6, 54), (8, 225), (10, 810)])
def test_average_precision_ties_are_decided_exactly(depth, distinct):
    assert len({AP.key(run) for run in product((0, 1), repeat=depth)}) == distinct


@pytest.mark.spec("F1")
def test_equal_average_precisions_get_equal_floats():
    first, second = (0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)
    assert AP.of(first) == AP.of(second) == Fraction(7, 20)
    assert AP.value(first) == AP.value(second) == 0.35


@pytest.mark.spec("F2", "F4")
@pytest.mark.parametrize(
    ("grades", "depth", "distinct"), [(2, 8, 192), (2, 10, 768), (3, 8, 2673), (4, 6, 1024), (4, 7, 4096)]
)
def test_discounted_gain_ties_are_decided_exactly(grades, depth, distinct):
    assert len({DCG(b=2).key(run) for run in product(range(grades), repeat=depth)}) == distinct


@pytest.mark.spec("F3")
@pytest.mark.parametrize(("depth", "distinct"), [(6, 58), (8, 250), (10, 1010)])
def test_expected_reciprocal_rank_ties_are_decided_exactly(depth, distinct):
    assert len({ERR.key(run) for run in product((0, 1), repeat=depth)}) == distinct


@pytest.mark.spec("F4")
@pytest.mark.parametrize(("grades", "depth", "distinct"), [(3, 5, 212), (3, 6, 652), (4, 5, 947)])
def test_graded_expected_reciprocal_rank_ties_are_decided_exactly(grades, depth, distinct):
    measure = ERR(gmax=grades - 1)
    assert len({measure.key(run) for run in product(range(grades), repeat=depth)}) == distinct


@pytest.mark.spec("F7")
def test_the_last_rank_of_a_long_run_still_tells_runs_apart():
    start = (0,) * 199
    assert RBP(p=0.3).key((*start, 1)) > RBP(p=0.3).key((*start, 0))
    assert RBP(p=0.5).key((1, *start, 1)) > RBP(p=0.5).key((1, *start, 0))


@pytest.mark.spec("F11")
def test_precision_and_reciprocal_rank_take_one_value_more_than_there_are_ranks():
    runs = list(product((0, 1), repeat=9))
    assert len({P.value(run) for run in runs}) == len({RR.value(run) for run in runs}) == 10
