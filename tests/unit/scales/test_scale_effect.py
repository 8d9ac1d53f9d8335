"""Measures beside their interval-scaled selves: scores, correlations, significant pairs, and odd campaigns."""

from __future__ import annotations

import json
from math import isnan

import numpy as np
import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import interval, parse
from measurand.errors import CaveatKind, NotAvailable, ParameterError
from measurand.judged import NOTHING, JudgedRuns
from measurand.measures import define
from measurand.papers import AS_PUBLISHED
from measurand.scales.measure_effect import EIGHT, PairCorrelation, scale_effect
from measurand.scales.raw_and_interval import Flips, averages, ranks_of, raw_and_interval
from measurand.scores import Scores


def campaign(systems: int, topics: int, depth: int = 5, *, seed: int = 0, top: int = 1) -> JudgedRuns:
    """Return a campaign of random judged runs, on topics whose recall bases differ."""
    rng = np.random.default_rng(seed)
    counts = np.stack([np.full(topics, 50), *(depth + rng.integers(0, 9, topics) for _ in range(top))], axis=1)
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(systems)),
        topics=tuple(f"t{i}" for i in range(topics)),
        cells=(rng.integers(0, top + 2, (systems, topics, depth)) * (rng.random((systems, topics, depth)) < 0.6))
        .clip(0, top)
        .astype(np.int8),
        lengths=np.full((systems, topics), depth),
        grade_counts=counts,
    )


@pytest.fixture(scope="module")
def judged():
    return campaign(5, 12)


@pytest.fixture(scope="module")
def effect(judged):
    return scale_effect(judged, ["P", "AP", "RR@3"], 5, tests=["sign", "paired_t"])


# Flips


@given(st.integers(2, 7), st.data())
def test_every_pair_is_counted_once(n, data):
    squares = []
    for _ in range(2):
        upper = np.triu(np.array(data.draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))).reshape(n, n), 1)
        squares.append(upper | upper.T)
    before, after = squares
    flips = Flips.between(before, after)
    assert (2 * flips.sig, 2 * flips.ranked) == (before.sum(), after.sum())
    assert 2 * (flips.s2ns + flips.ns2s) == (before ^ after).sum()
    assert flips.s2ns <= flips.sig


def test_without_significant_pairs_there_are_no_percentages():
    assert [getattr(Flips(0, 0, 2), name) for name in ("delta", "s2ns_percent", "ns2s_percent")] == [None] * 3


def test_percentages_add_up():
    flips = Flips(8, 2, 10)
    assert (flips.s2ns_percent, flips.ns2s_percent, flips.delta, flips.ranked) == (25.0, 125.0, 150.0, 16)


# Both kinds of scores


@pytest.mark.parametrize("spelling", ["P@5", "AP@5", "RR@3", "RBP(p=0.3)@5", "DCG(b=2)@5", "nDCG(b=2)@5"])
def test_ranks_are_those_of_every_single_run(judged, spelling):
    both, scale = raw_and_interval(parse(spelling), judged), interval(spelling)
    for s, system in enumerate(judged.systems):
        for t, topic in enumerate(judged.topics):
            assert both.ranked.values[s, t] == scale.rank(judged.run(system, topic))
            assert both.mid.values[s, t] == scale(ties="mid").rank(judged.run(system, topic))
    assert np.array_equal(both.raw.values, parse(spelling).scores(judged).values)


def test_positions_stay_where_topics_have_scales_of_different_sizes(judged):
    both = raw_and_interval(parse("Rprec@5"), judged)
    assert both.surrogate
    assert np.array_equal(both.ranked.values, interval("Rprec@5").scores(judged).values)


def test_positions_stay_where_ranks_are_known_within_bounds_alone():
    judged = campaign(3, 2, 100)
    both = raw_and_interval(parse("DCG(b=2)@100"), judged)
    assert both.ranked.values.max() <= 1
    assert both.mid is None
    texts = [str(caveat) for caveat in both.caveats if caveat.kind is CaveatKind.BOUNDS]
    assert any(text.startswith("mid ranks of DCG(b=2)@100 cannot be had: ") for text in texts)


def test_mid_ranks_that_nobody_wants_are_not_looked_for():
    assert raw_and_interval(parse("P@5"), campaign(2, 2), mid=False).mid is None
    found = scale_effect(campaign(2, 2), "P", 5, tests="sign", mid=False)
    assert found.of("P").tau_mid is None
    assert found.to_dict()["table3"] == {"5": {"P@5": None}}


def test_averages_of_equal_scores_tie_and_those_of_close_positions_do_not():
    plain = {"systems": ("a", "b"), "topics": ("1", "2", "3")}
    equal = Scores(measure="P@5", values=[[0, 0, 0.6], [0, 0.2, 0.4]], **plain)
    assert len(set(equal.values.mean(axis=1))) == 2
    assert len(set(averages(equal))) == 1
    close = Scores(measure="interval(P@5)", values=[[0, 0, 0], [0, 0, 9e-10]], history=("positions",), **plain)
    assert len(set(averages(close))) == 2


def test_a_system_without_topics_has_no_average():
    scores = Scores(measure="P", values=[[np.nan], [0.5]], systems=("a", "b"), topics=("1",))
    assert isnan(averages(scores)[0])
    assert averages(scores)[1] == 0.5


def test_a_topic_left_out_stays_left_out(judged):
    cells, lengths = judged.cells.copy(), judged.lengths.copy()
    cells[1, 3], lengths[1, 3] = NOTHING, 0
    gap = evolve(judged, cells=cells, lengths=lengths, skip_missing=True)
    ranks = ranks_of(interval("AP@5"), gap).values
    assert isnan(ranks[1, 3])
    assert np.isnan(ranks).sum() == 1
    found = scale_effect(gap, ["P", "AP"], 5)
    assert found.of("P").tau == 1
    assert all(flips.s2ns + flips.ns2s == 0 for flips in found.of("P").flips.values())


# Grades


def test_with_two_grades_all_relevant_documents_are_alike():
    graded = campaign(4, 6, top=3)
    both = raw_and_interval(parse("DCG(b=2)@5"), graded)
    assert np.array_equal(both.raw.values, parse("DCG(b=2)@5").scores(graded.binarised()).values)


def test_with_more_grades_they_are_told_apart():
    graded = campaign(4, 6, top=2)
    both = raw_and_interval(parse("DCG(b=2)@5"), graded, grades=3)
    assert np.array_equal(both.raw.values, parse("DCG(b=2)@5").scores(graded).values)
    assert both.ranked.values[0, 0] == interval("DCG(b=2)@5", grades=3).rank(graded.run("s0", "t0"))


def test_a_binary_measure_keeps_its_own_lowest_grade():
    graded = campaign(4, 6, top=2)
    both = raw_and_interval(parse("AP(rel=2)@5"), graded)
    assert both.raw.values.any()
    assert np.array_equal(both.raw.values, parse("AP@5").scores(graded.binarised(rel=2)).values)


# The effect


def test_measures_are_cut_at_the_depth_unless_they_have_a_cutoff(effect):
    assert effect.measures == ("P@5", "AP@5", "RR@3")
    assert effect.tests == ("sign", "paired_t")


def test_a_cutoff_beyond_the_depth_stays(judged):
    found = scale_effect(judged, "P@8", 3, tests="sign")
    assert (found.measures, found.of("P@8").tau) == (("P@8",), 1)


def test_a_measure_is_found_by_any_spelling(effect):
    assert effect.of("AP") is effect.of("AP@5") is effect.of(parse("AP")) is effect.of("map")
    with pytest.raises(ParameterError, match=r"nDCG@5 was not looked at; there is P@5, AP@5, RR@3"):
        effect.of("nDCG")


def test_a_measure_asked_for_twice_is_looked_at_once(judged):
    assert scale_effect(judged, ["P", "P@5", "AP"], 5, tests="sign").measures == ("P@5", "AP@5")


def test_a_function_of_judged_runs_is_a_measure_too(judged):
    weighed = define(lambda run: sum(cell > 0 for cell in run) ** 2, name="Squared")
    found = scale_effect(judged, weighed, 5, tests="sign")
    assert found.measures == ("Squared@5",)
    assert float(found.effects[0].tau_by_topic) == 1


def test_tests_are_found_by_the_names_people_say(judged):
    assert scale_effect(judged, "P", 5, tests=["t", "Kruskal-Wallis"]).tests == ("paired_t", "kruskal_wallis")


def test_the_usual_tests_are_the_eight_of_the_paper():
    assert scale_effect(campaign(2, 3), "P", 5).tests == EIGHT


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 999), spelling=st.sampled_from(["AP", "RR", "nDCG(b=2)", "RBP(p=0.8)", "R"]))
def test_the_order_on_a_topic_never_changes(seed, spelling):
    found = scale_effect(campaign(4, 5, seed=seed), spelling, 5, tests="sign", mid=False).effects[0]
    assert float(found.tau_by_topic) == 1 or found.tau_by_topic.undefined == 5
    assert (found.flips["sign"].s2ns, found.flips["sign"].ns2s) == (0, 0)


def test_every_two_measures_are_compared_in_the_order_asked_for(effect):
    assert list(effect.correlations) == [("P@5", "AP@5"), ("P@5", "RR@3"), ("AP@5", "RR@3")]


@pytest.mark.parametrize(("raw", "ranked"), [(0.0, 0.5), (float("nan"), 0.5), (0.5, float("nan"))])
def test_a_change_of_nothing_is_no_percentage(raw, ranked):
    assert PairCorrelation(raw, ranked).delta is None


def test_results_cannot_be_changed(effect):
    with pytest.raises(FrozenInstanceError):
        effect.alpha = 0.01
    with pytest.raises(TypeError):
        effect.of("P").flips["sign"] = Flips(0, 0, 0)
    with pytest.raises(TypeError):
        effect.correlations["P@5", "AP@5"] = PairCorrelation(1, 1)


def test_the_dictionary_survives_json(effect):
    content = effect.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert set(content) == {"table2", "table3", "table4", "table56"}
    assert content["table2"]["5"]["P@5"] == 1
    assert set(content["table4"]["5"]) == {"P@5 vs AP@5", "P@5 vs RR@3", "AP@5 vs RR@3"}
    assert set(content["table4"]["5"]["P@5 vs AP@5"]) == {"msr", "rnk", "delta"}
    assert set(content["table56"]["5"]["RR@3"]["paired_t"]) == {"sig", "s2ns", "ns2s", "delta"}


def test_tables_have_a_row_for_every_measure_pair_and_test(effect):
    tables = effect.tables()
    assert {name: table.height for name, table in tables.items()} == {"self": 3, "correlations": 3, "significance": 6}
    assert tables["self"]["surrogate"].to_list() == [False, True, False]
    significance = tables["significance"]
    assert dict(zip(significance["test"], significance["ordinal"], strict=True)) == {"sign": True, "paired_t": False}
    for row in significance.iter_rows(named=True):
        assert row["ranked"] == row["sig"] - row["s2ns"] + row["ns2s"]
        assert row["delta"] == effect.of(row["measure"]).flips[row["test"]].delta


def test_the_text_shows_every_measure_and_test(effect):
    lines = str(effect).splitlines()
    assert lines[0] == "5 systems (10 pairs) × 12 topics, depth 5, alpha 0.05, matlab semantics"
    assert lines[2].split() == ["measure", "tau", "tau", "mid", "sign", "paired_t"]
    assert [line.split()[0] for line in lines[3:6]] == ["P@5", "AP@5", "RR@3"]
    assert len({len(line) for line in lines[2:6]}) == 1
    assert repr(effect) == "<ScaleEffect: 3 measures, 5 systems × 12 topics>"


def test_caveats_are_said_once(judged):
    found = scale_effect(judged, ["AP", "R"], 5)
    assert len(found.caveats) == len(set(found.caveats))
    assert sum(caveat.kind is CaveatKind.SCALE for caveat in found.caveats) == 2


def test_progress_counts_measures(judged):
    told = []

    def progress(items, total, what):
        told.append((total, what))
        return items

    scale_effect(judged, ["P", "RR"], 5, tests="sign", progress=progress)
    assert told == [(2, "measures on both scales")]


# Odd campaigns


@pytest.mark.parametrize(("systems", "topics"), [(1, 1), (1, 4), (2, 1), (3, 2)])
def test_small_campaigns_have_an_answer(systems, topics):
    found = scale_effect(campaign(systems, topics), ["P", "AP"], 5)
    assert found.pairs == systems * (systems - 1) // 2
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert str(found)
    assert found.tables()["significance"]["delta"].dtype.is_float()


def test_systems_that_all_tie_have_no_correlation_and_no_significant_pair(judged):
    cells = np.repeat(judged.cells[:1], 5, axis=0)
    found = scale_effect(evolve(judged, cells=cells), ["P", "AP"], 5)
    assert found.to_dict()["table2"] == {"5": {"P@5": None, "AP@5": None}}
    assert found.correlations["P@5", "AP@5"].delta is None
    assert all(flips == Flips(0, 0, 0) for one in found.effects for flips in one.flips.values())
    assert found.of("AP").tau_by_topic.undefined == 12
    assert "–" in str(found)


def test_a_system_that_finds_nothing_is_a_system_like_others(judged):
    cells = judged.cells.copy()
    cells[2] = 0
    found = scale_effect(evolve(judged, cells=cells), ["P", "AP"], 5)
    assert found.of("P").tau == 1
    assert all(flips.delta in (0, None) for flips in found.of("P").flips.values())


# What cannot be


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"depth": 0}, "depth, the number of ranks"),
        ({"depth": 2.5}, "depth, the number of ranks"),
        ({"measures": []}, "no measure was asked for"),
        ({"measures": ["Nonsense"]}, "no measure called 'Nonsense'"),
        ({"measures": "interval(AP@5)"}, "takes a measure of one topic"),
        ({"measures": "gm(AP)"}, "takes a measure of one topic"),
        ({"tests": []}, "no test was asked for"),
        ({"tests": "nonsense"}, "there is no test 'nonsense'"),
        ({"alpha": 0}, "alpha must lie between 0 and 1"),
        ({"alpha": 5}, "alpha must lie between 0 and 1"),
        ({"semantics": "excel"}, "semantics must be one of 'scipy', 'matlab', not 'excel'"),
        ({"grades": 1}, "grades"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(judged, changes, message):
    with pytest.raises(ParameterError, match=message):
        scale_effect(judged, **{"measures": "P", "depth": 5, **changes})


def test_a_scale_that_cannot_be_had_is_refused_with_a_reason(judged):
    with pytest.raises(NotAvailable, match="ERR@30 on runs of 30 ranks"):
        scale_effect(judged, "ERR", 30)


def test_of_several_measures_one_without_a_scale_is_left_out_with_a_caveat():
    found = scale_effect(campaign(3, 4, 30), ["P", "ERR", "RR"], 30, tests="sign")
    assert found.measures == ("P@30", "RR@30")
    assert found.caveats[0].kind is CaveatKind.BOUNDS
    assert str(found.caveats[0]).startswith("a measure is left out: ERR@30 on runs of 30 ranks: ")
    assert f"caveat: {found.caveats[0]}" in " ".join(str(found).split())


def test_average_precision_in_doubles_is_left_when_no_other_measure_has_a_scale():
    found = scale_effect(campaign(3, 4, 30), ["AP@5", "ERR"], 30, tests="sign", conventions=AS_PUBLISHED)
    assert found.measures == ("AP@5",)
    assert str(found.caveats[0]).startswith("a measure is left out: ERR@30 on runs of 30 ranks: ")
    with pytest.raises(NotAvailable, match="ERR@30 on runs of 30 ranks"):
        scale_effect(campaign(3, 4, 30), "ERR", 30, tests="sign", conventions=AS_PUBLISHED)
