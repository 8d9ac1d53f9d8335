"""Scores: their averages, and what they refuse."""

from __future__ import annotations

import pickle
from statistics import fmean, median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand_next.data.scale import Scale
from measurand_next.data.scores import Scores
from measurand_next.errors import Caveat, CaveatKind, InputError

NAN = float("nan")
CAVEAT = Caveat(CaveatKind.MISSING_TOPICS, "b: nothing for 3 of 3 topics")
RIGHT = {"measure": "P@10", "systems": ["a", "b", "c"], "topics": ["1", "2", "3"]}
VALUES = [[0.5, 0.2, 0.2], [NAN] * 3, [0.75, NAN, 0.25]]


@pytest.fixture
def scores():
    return Scores(**RIGHT, values=VALUES, scale="interval", caveats=[CAVEAT])


@given(st.lists(st.lists(st.floats(-10, 10) | st.just(NAN), min_size=3, max_size=3), min_size=3, max_size=3))
def test_averages_leave_out_what_a_system_left_out(values):
    scores = Scores(**RIGHT, values=values)
    for name, average in (("mean", fmean), ("median", median)):
        wanted = {
            system: average(scored) if (scored := [score for score in row if score == score]) else NAN
            for system, row in zip("abc", values, strict=True)
        }
        assert getattr(scores, name)() == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"values": [[1, 2, 3]]}, "shape"),
        ({"values": [1, 2, 3]}, "shape"),
        ({"values": [[1, 2, 3], [1], [2]]}, "numbers"),
        ({"values": [["x"] * 3] * 3}, "numbers"),
        ({"values": [[10**400] * 3] * 3}, "numbers"),
        ({"systems": ["a", "b", "a"]}, "'a'"),
        ({"topics": ["1", "2", "2"]}, "topics"),
    ],
)
def test_what_does_not_fit_together_is_refused(wrong, word):
    with pytest.raises(InputError, match=word):
        Scores(**RIGHT | {"values": VALUES} | wrong)


def test_scores_are_a_copy_that_cannot_be_changed(scores):
    values = np.zeros((3, 3))
    own = Scores(**RIGHT, values=values)
    values[0, 0] = 1
    assert own.values[0, 0] == 0
    for each in (own, pickle.loads(pickle.dumps(scores))):
        with pytest.raises(ValueError, match="read-only"):
            each.values[0] = 0
        with pytest.raises(AttributeError):
            each.measure = "AP"


def test_scores_travel(scores):
    other = pickle.loads(pickle.dumps(scores))
    np.testing.assert_array_equal(other.values, scores.values)
    for name in ("measure", "systems", "topics", "scale", "lower_is_better", "caveats"):
        assert getattr(other, name) == getattr(scores, name)


@pytest.mark.parametrize(("lower", "order"), [(False, "cab"), (True, "acb")])
def test_the_best_mean_stands_first_and_none_last(lower, order):
    shown = Scores(**RIGHT, values=VALUES, lower_is_better=lower, caveats=[CAVEAT])
    table, note = shown.show()
    assert "".join(row["system"] for row in table.rows) == order
    assert [row["topics"] for row in table.rows] == [{"a": 3, "c": 2, "b": 0}[system] for system in order]
    assert [column.key for column in table.columns] == ["system", "mean", "median", "topics"]
    assert (note.text, note.tone) == (CAVEAT.text, "caveat")
    assert "nan" not in str(shown)


def test_a_column_of_topics_stands_where_they_differ():
    [table] = Scores(measure="AP", systems=["a"], topics=["1"], values=[[1]]).show()
    assert [column.key for column in table.columns] == ["system", "mean", "median"]
    assert "1 system × 1 topic," in table.title


def test_scores_go_elsewhere_with_their_names(scores):
    for name in "ac":
        row = scores.to_xarray().sel(system=name)
        assert float(row.mean()) == pytest.approx(scores.mean()[name])
        assert float(row.sel(topic="1")) == max(row)
        pandas, polars = scores.to_pandas(), scores.to_polars()
        for frame in (pandas[pandas["system"] == name], polars.filter(polars["system"] == name)):
            assert list(frame["topic"]) == ["1", "2", "3"]
            assert frame["score"].mean() == pytest.approx(scores.mean()[name])
    assert scores.to_xarray().attrs == {"scale": "interval", "caveats": [CAVEAT.text]}


def test_scales_are_ordered_by_what_they_allow():
    assert sorted(Scale, key=list(Scale)[::-1].index) != sorted(Scale) == list(Scale)
    assert Scale.ORDINAL >= Scale("ordinal") > Scale.NOMINAL
