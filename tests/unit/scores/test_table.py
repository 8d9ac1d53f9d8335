"""Tables: the scores of several measures on the same systems and topics."""

from __future__ import annotations

import pickle

import pytest

from measurand import evaluate
from measurand.errors import CaveatKind, ParameterError
from measurand.measures import parse

QRELS = {"1": {"a": 1, "b": 0}, "2": {"z": 0}}
RUN = {"1": {"b": 2.0, "a": 1.0}, "2": {"z": 1.0}}


@pytest.fixture
def table():
    return evaluate(QRELS, RUN, ["map", "P@2", parse("nDCG@10")])


def test_measures_keep_their_order_under_their_canonical_spelling(table):
    assert table.measures == ("AP", "P@2", "nDCG@10")
    assert [scores.measure for scores in table] == ["AP", "P@2", "nDCG@10"]
    assert (len(table), table.systems, table.topics) == (3, ("run",), ("1", "2"))


def test_scores_are_found_by_any_spelling_that_was_used(table):
    assert table.scores("map") is table.scores("AP") is table.scores(parse("AP"))
    assert table.scores("nDCG@10") is table.scores(parse("ndcg_cut_10"))
    assert table.scores("P@2").values.tolist() == [[0.5, 0.0]]


@pytest.mark.parametrize("other", ["RR", "nDCG@5", parse("AP(rel=2)")])
def test_a_measure_that_was_not_evaluated_is_refused_with_those_that_were(table, other):
    with pytest.raises(ParameterError, match=r"was not evaluated; there is AP, P@2, nDCG@10"):
        table.scores(other)


def test_long_frames_hold_the_measures_one_after_the_other(table):
    polars, pandas = table.to_polars(), table.to_pandas()
    assert polars.rows() == list(pandas.itertuples(index=False, name=None))
    assert polars["measure"].to_list() == ["AP", "AP", "P@2", "P@2", "nDCG@10", "nDCG@10"]
    assert polars["score"].to_list()[:4] == [0.5, 0.0, 0.5, 0.0]


def test_caveats_of_the_data_travel_with_the_table(table):
    assert [caveat.kind for caveat in table.caveats] == [CaveatKind.NO_RELEVANT]


def test_a_table_cannot_be_changed(table):
    with pytest.raises(AttributeError):
        table.caveats = ()
    with pytest.raises(TypeError):
        table.by_measure["RR"] = table.scores("AP")


def test_a_table_travels_between_processes(table):
    again = pickle.loads(pickle.dumps(table))
    assert again.to_polars().equals(table.to_polars())
    assert again.scores("map").caveats == table.scores("map").caveats


def test_repr_says_what_is_in_it(table):
    assert repr(table) == "<Table: 1 systems × 2 topics × AP, P@2, nDCG@10>"
