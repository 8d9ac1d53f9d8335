"""Scores: values by system and topic, and the numbers over topics with what limits their meaning."""

from __future__ import annotations

import pickle
import re
import sys

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from measurand import evaluate
from measurand.errors import CallError, Caveat, CaveatKind, MeasurandError, NotMeaningful, ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.scale import Basis, ScaleLabel
from measurand.scores import Aggregation, Scale, Scores
from measurand.scores.scores import rounding

VALUES = [[0.5, 0.25, 0.0], [1.0, 0.0, 0.5]]


def scores(values=VALUES, **changes) -> Scores:
    several = {"measure": "AP", "systems": ("a", "b"), "topics": ("1", "2", "3"), "values": values}
    return Scores(**(several | changes))


def test_scales_are_ordered_by_strength_and_printed_in_words():
    assert Scale.NOMINAL < Scale.ORDINAL < Scale.INTERVAL < Scale.RATIO
    assert [str(scale) for scale in Scale] == ["nominal", "ordinal", "interval", "ratio"]


def test_one_score_is_found_by_system_and_topic():
    assert scores().of("b", "3") == 0.5


def test_numbers_over_topics_are_the_usual_ones():
    assert scores().mean().to_dict() == {"a": 0.25, "b": 0.5}
    assert scores().median().to_dict() == {"a": 0.25, "b": 0.5}
    assert scores().sum().to_dict() == {"a": 0.75, "b": 1.5}


def test_the_geometric_mean_takes_a_hundred_thousandth_for_anything_less():
    expected = {"a": (0.5 * 0.25 * 1e-5) ** (1 / 3), "b": (1.0 * 1e-5 * 0.5) ** (1 / 3)}
    assert scores().geometric_mean().to_dict() == pytest.approx(expected)


def test_the_floor_of_a_geometric_mean_minds_the_unit_and_is_told_or_refused():
    times = scores([[0.0, 4.0, 9.0], [0.01, 0.01, 0.01]], scale=Scale.RATIO)
    in_thousandths = scores(np.multiply(times.values, 1000), scale=Scale.RATIO)
    before, after = times.geometric_mean(), in_thousandths.geometric_mean()
    # a change of the unit, which a ratio scale permits, turns the comparison round
    assert before["a"] > before["b"]
    assert after["a"] < after["b"]
    [caveat] = before.caveats
    assert caveat.text == (
        "1 of 6 scores of AP is below 0.00001 (of a) and counts as 0.00001 in the geometric mean; with another floor or"
        " unit the order of systems may change"
    )
    assert (caveat.kind, caveat.cause) == (CaveatKind.SCALE, CaveatKind.FLOOR)
    assert not before.admitted
    with pytest.raises(NotMeaningful, match="1 of 6 scores"):
        times.geometric_mean(strict=True)
    assert scores([[1.0, 4.0, 9.0]] * 2, scale=Scale.RATIO).geometric_mean(strict=True).caveats == ()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]], "2 of 6 scores of AP are below 0.00001 (all of a) and count"),
        ([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]], "3 of 6 scores of AP are below 0.00001 (2 of them of b) and count"),
        ([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], "2 of 6 scores of AP are below 0.00001 and count"),
        ([[0.0, np.nan, 1.0], [1.0, 1.0, 1.0]], "1 of 5 scores of AP is below 0.00001 (of a) and counts"),
    ],
)
def test_of_scores_below_the_floor_the_system_is_named_that_has_more_than_any_other(values, said):
    [caveat] = scores(values, scale=Scale.RATIO).geometric_mean().caveats
    assert caveat.text.startswith(said)


@pytest.mark.parametrize(
    ("statistic", "value"),
    [("mean", 0.375), ("median", 0.375), ("sum", 0.75), ("geometric_mean", 0.125**0.5)],
)
def test_topics_left_out_do_not_count(statistic, value):
    summary = getattr(scores([[0.5, 0.25, np.nan], [1.0, 1.0, 1.0]]), statistic)()
    assert summary["a"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("statistic", "needed"),
    [
        ("median", Scale.ORDINAL),
        ("mean", Scale.INTERVAL),
        ("sum", Scale.INTERVAL),
        ("geometric_mean", Scale.RATIO),
    ],
)
@pytest.mark.parametrize("scale", Scale)
def test_a_number_that_the_scale_does_not_admit_comes_with_a_caveat_or_not_at_all(statistic, needed, scale):
    mine = scores([[0.5, 0.25, 1.0], [1.0, 0.75, 0.5]], scale=scale)
    summary = getattr(mine, statistic)()
    if scale >= needed:
        assert summary.caveats == ()
        assert getattr(mine, statistic)(strict=True).to_dict() == summary.to_dict()
    else:
        assert [caveat.kind for caveat in summary.caveats] == [CaveatKind.SCALE]
        with pytest.raises(NotMeaningful, match=f"AP needs {needed} scores, and these are {scale}"):
            getattr(mine, statistic)(strict=True)


@pytest.mark.parametrize(
    ("aggregation", "name"),
    [(Aggregation.MEAN, "mean"), (Aggregation.SUM, "sum"), (Aggregation.GEOMETRIC, "geometric_mean")],
)
def test_the_summary_is_the_number_that_the_measure_is_usually_reported_by(aggregation, name):
    mine = scores(aggregation=aggregation)
    assert mine.summary().to_dict() == getattr(mine, name)().to_dict()
    assert mine.summary().statistic == aggregation


def test_caveats_travel_into_the_numbers():
    caveat = Caveat(CaveatKind.NO_RELEVANT, "topic 3 is barren")
    summary = scores(caveats=(caveat,), scale=Scale.RATIO).mean()
    assert summary.caveats == (caveat,)
    assert str(caveat) == "topic 3 is barren"


def test_a_summary_is_read_by_name_by_place_and_as_an_array():
    summary = scores().mean()
    assert (summary["b"], summary[0], list(summary), len(summary)) == (0.5, 0.25, [0.25, 0.5], 2)
    assert np.asarray(summary).tolist() == [0.25, 0.5]
    assert np.asarray(summary, dtype=np.float32).dtype == np.float32
    assert repr(summary) == "<Summary: mean of 2 systems: b 0.5000, a 0.2500>"


def test_values_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match="do not fit 2 systems × 3 topics"):
        scores([[1.0, 2.0]])


def test_scores_keep_their_own_copy_of_the_values():
    given = np.array(VALUES)
    mine = scores(given)
    given[0, 0] = 9.0
    assert mine.of("a", "1") == 0.5


def test_scores_cannot_be_changed():
    mine = scores()
    with pytest.raises(ValueError, match="read-only"):
        mine.values[0, 0] = 9.0
    with pytest.raises(AttributeError):
        mine.measure = "RR"


def test_the_numbers_of_a_summary_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        scores().mean().values[0] = 9.0


def test_scores_and_summaries_travel_between_processes():
    mine = pickle.loads(pickle.dumps(scores()))
    assert mine.values.tolist() == VALUES
    assert pickle.loads(pickle.dumps(mine.mean())).to_dict() == scores().mean().to_dict()


def test_long_frames_have_a_row_for_each_system_and_topic():
    rows = [
        *[("a", topic, "AP", value) for topic, value in zip("123", VALUES[0], strict=True)],
        *[("b", topic, "AP", value) for topic, value in zip("123", VALUES[1], strict=True)],
    ]
    polars, pandas = scores().to_polars(), scores().to_pandas()
    assert polars.columns == list(pandas.columns) == ["system", "topic", "measure", "score"]
    assert polars.rows() == rows
    assert list(pandas.itertuples(index=False, name=None)) == rows


def test_a_wide_frame_has_topics_as_rows_and_systems_as_columns_and_tells_its_caveats():
    wide = scores().per_topic()
    assert (list(wide.index), list(wide.columns)) == (list("123"), list("ab"))
    assert wide.to_numpy().T.tolist() == np.asarray(VALUES).tolist()
    assert wide.attrs["caveats"] == [str(caveat) for caveat in scores().caveats]


def test_labelled_arrays_carry_names_scale_and_caveats():
    array = scores(caveats=(Caveat(CaveatKind.NO_RELEVANT, "barren"),)).to_xarray()
    assert array.sel(system="b", topic="3").item() == 0.5
    assert (array.name, array.attrs) == ("AP", {"scale": "ordinal", "caveats": ["barren"]})


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("xarray", "to_xarray")])
def test_what_needs_a_package_that_is_not_there_says_which(monkeypatch, package, method):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MeasurandError, match=rf"{method} needs {package}: pip install 'measurand\[frames\]'"):
        getattr(scores(), method)()


def test_repr_says_what_they_are():
    assert repr(scores()) == "<Scores AP: 2 systems × 3 topics, ordinal scale>"


# Scores that people make by hand.


def by_hand(**changes):
    given = {"measure": "AP", "values": [[0.9, 0.1], [0.5, 0.1], [0.2, 0.3]], "systems": "abc", "topics": [1, 2]}
    return Scores(**given | changes)


def test_names_and_scales_are_read_as_people_write_them():
    scores = by_hand(scale="Interval", topics=range(1, 3))
    assert (scores.scale, scores.systems, scores.topics) == (Scale.INTERVAL, ("a", "b", "c"), ("1", "2"))
    assert scores.of("a", "2") == 0.1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"systems": "aba"}, "two systems are called 'a'"),
        ({"topics": [1, 1]}, "two topics are called '1'"),
        ({"scale": "intervall"}, "there is no scale 'intervall'; there is nominal, ordinal, interval, ratio"),
        ({"systems": 3}, "systems and topics are lists of names, not 3"),
        ({"values": [[0.9, 0.1], [0.5]]}, "a row of them for each system, all rows equally long"),
        ({"values": "abc"}, "values must be numbers"),
    ],
)
def test_what_cannot_be_meant_is_refused(changes, why):
    with pytest.raises(ParameterError, match=re.escape(why)):
        by_hand(**changes)


@pytest.mark.parametrize(("system", "topic", "why"), [("x", "1", "no system 'x'"), ("a", "9", "no topic '9'")])
def test_a_score_that_is_not_there_is_asked_for_in_vain(system, topic, why):
    with pytest.raises(ParameterError, match=why):
        by_hand().of(system, topic)


def test_mean_ranks_count_from_the_best_and_share_ties():
    assert by_hand().mean_rank().to_dict() == {"a": 1.75, "b": 2.25, "c": 2.0}


def test_mean_ranks_need_no_scale_that_topics_share():
    apart = by_hand(one_scale=False)
    assert apart.mean_rank(strict=True).caveats == ()
    with pytest.raises(NotMeaningful):
        apart.median(strict=True)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_no_increasing_map_of_a_topic_changes_mean_ranks(rows):
    values = np.array(rows, dtype=float)
    names = {"systems": range(len(rows)), "topics": range(3)}
    stretched = values**3 * [1, 10, 100] + [5, 0, -5]
    before, after = (by_hand(values=each, **names).mean_rank().values for each in (values, stretched))
    assert before.tolist() == after.tolist()


@pytest.mark.parametrize("statistic", ["mean", "median", "mean_rank", "geometric_mean"])
def test_a_system_without_any_score_has_no_average_and_that_is_said(statistic):
    silent = by_hand(values=[[np.nan] * 3, [0.5, np.nan, 0.1], [0.2, np.nan, 0.3]], topics=[1, 2, 3])
    found = getattr(silent, statistic)()
    heard = getattr(by_hand(values=[[0.5, 0.1], [0.2, 0.3]], systems="bc"), statistic)()
    assert np.isnan(found["a"])
    assert list(found)[1:] == list(heard)
    assert Caveat(CaveatKind.MISSING_TOPICS, "no score on any topic: a") in found.caveats
    assert silent.sum()["a"] == 0


def test_the_scale_can_be_given_and_decides_what_is_meaningful():
    ordinal = scores()
    given = ordinal.with_scale("interval", "equal steps are equally welcome")
    assert given.scale_label == ScaleLabel(Scale.INTERVAL, Basis.GIVEN, "equal steps are equally welcome")
    assert given.values.tolist() == ordinal.values.tolist()
    assert (given.mean().admitted, ordinal.mean().admitted) == (True, False)
    # what one topic's values are on says nothing of several topics
    assert not scores(one_scale=False).with_scale(Scale.RATIO).mean().admitted
    with pytest.raises(ParameterError, match="cardinal"):
        ordinal.with_scale("cardinal")


def test_a_given_scale_takes_the_place_of_the_conditions_of_another():
    lengths = parse("ESL(collection=9)").scores(JudgedRuns.on_one_topic([(1, 0), (0, 1)], (1, 1)))
    assert any("the scale of ESL" in caveat.text for caveat in lengths.caveats)
    assert not any("the scale of ESL" in caveat.text for caveat in lengths.with_scale("ratio").caveats)
    assert units(lengths.with_scale("ratio")) == units(lengths)


def units(known: Scores) -> list[list[int]]:
    return known.exact.units_of(known.values).sizes.tolist()


def scores_of_rows(*rows: list[float]) -> Scores:
    return Scores(measure="AP", values=rows, systems="abc"[: len(rows)], topics=range(len(rows[0])))


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_a_sum_in_another_order_is_within_rounding_and_a_difference_is_not(size):
    row = [size * share for share in (0.1, 0.2, 0.3, 0.7)]
    several = scores_of_rows(row, row[::-1], [*row[:3], row[3] * (1 + 1e-9)])
    first, turned, other = several.mean().values
    assert abs(first - turned) <= rounding(several) < abs(first - other)


def test_scores_below_zero_count_and_missing_ones_do_not():
    assert rounding(scores_of_rows([0.0, float("nan")], [-3.0, 0.0])) == 3e-12
    assert rounding(scores_of_rows([0.0, 0.0])) == 0


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


def test_a_table_has_the_methods_of_a_dictionary_by_measure(table):
    assert list(table.keys()) == list(table.measures)
    assert [found.measure for found in table.values()] == list(table.keys())
    assert dict(table) == dict(table.items())
    assert "map" in table
    assert "RR" not in table


def test_what_holds_one_number_is_rounded_and_formatted_as_it(table):
    assert {measure: round(found, 2) for measure, found in table.items()} == {"AP": 0.25, "P@2": 0.25, "nDCG@10": 0.32}
    assert f"{table['AP']:.3f}" == f"{table['AP'].mean():.3f}" == "0.250"
    with pytest.raises(CallError, match=r"there are 3 measures, not one number; take one: \['AP'\]"):
        float(table)
    with pytest.raises(CallError, match=r"there are 2 systems, not one number; take one: mean\(\)\['a'\]"):
        float(scores())


def test_scores_are_iterated_and_asked_by_system():
    assert list(scores()) == ["a", "b"]
    assert "a" in scores()
    assert scores()["b"] == dict(zip("123", VALUES[1], strict=True))


def test_a_measure_and_a_system_of_one_name_are_told_apart():
    judgments, run = {"1": {"d1": 1}}, {"1": {"d1": 2.0}}
    assert evaluate(judgments, {"map": run}, "map")["map"].measure == "AP"


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
    assert repr(table) == "<Table: 1 system × 2 topics under AP, P@2 and nDCG@10>"


COSTS = Scores(measure="ESL", values=[[3, 0], [1, 2], [3, 5]], systems="abc", topics="12", lower_is_better=True)


def test_the_lowest_score_has_the_first_rank():
    assert COSTS.mean_rank().to_dict() == {"a": 1.75, "b": 1.5, "c": 2.75}
    assert evolve(COSTS, lower_is_better=False).mean_rank().to_dict() == {"a": 2.25, "b": 2.5, "c": 1.25}


def test_a_topic_without_a_score_has_no_rank():
    gaps = evolve(COSTS, values=[[3, np.nan], [1, 2], [3, 5]])
    assert gaps.mean_rank().to_dict() == {"a": 2.5, "b": 1.0, "c": 2.25}


@pytest.mark.parametrize("statistic", ["mean", "median", "geometric_mean", "sum", "summary"])
def test_an_average_is_one_of_the_values_and_knows_their_direction(statistic):
    summary = getattr(COSTS, statistic)()
    assert summary.lower_is_better
    assert (summary.values >= 0).all()
    assert summary.goodness.tolist() == [-value for value in summary]
    assert not getattr(evolve(COSTS, lower_is_better=False), statistic)().lower_is_better


def test_of_ranks_lower_ones_are_better_whatever_the_measure():
    for scores in (COSTS, evolve(COSTS, lower_is_better=False)):
        ranks = scores.mean_rank()
        assert ranks.lower_is_better
        assert ranks.goodness.tolist() == [-rank for rank in ranks]


def test_goodness_has_no_zero_with_a_sign():
    assert not np.signbit(evolve(COSTS, values=[[0, 0]] * 3).goodness).any()
    assert not np.signbit(evolve(COSTS, values=[[0, 0]] * 3).mean().goodness).any()


def test_scores_of_which_higher_ones_are_better_are_their_own_goodness():
    plain = evolve(COSTS, lower_is_better=False)
    assert plain.by_goodness() is plain
    assert plain.goodness is plain.values


def test_scores_by_goodness_keep_all_but_their_direction():
    odd = evolve(COSTS, one_scale=False, aggregation=Aggregation.SUM)
    turned = odd.by_goodness()
    assert (turned.measure, turned.scale, turned.one_scale, turned.aggregation) == (
        odd.measure,
        odd.scale,
        odd.one_scale,
        odd.aggregation,
    )
    assert not turned.lower_is_better
    assert odd.lower_is_better


def test_the_direction_travels_between_processes():
    assert pickle.loads(pickle.dumps(COSTS)).lower_is_better
    assert pickle.loads(pickle.dumps(COSTS.mean())).lower_is_better
