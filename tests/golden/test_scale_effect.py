"""What interval scales do to correlations and tests (FFF, sections VII and VIII, tables 2 to 6).

The printed figures need TREC runs that cannot be passed on. What must hold on any campaign is checked on a seeded
synthetic one and on real runs, and the counts against scipy on ranks that are looked up among all 1,024 runs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from attrs import evolve
from scipy import stats

from measurand import interval, judge, parse, read_qrels, read_runs
from measurand.errors import CaveatKind
from measurand.judged import NOTHING, JudgedRuns
from measurand.scales.measure_effect import EIGHT, scale_effect
from measurand.scales.raw_and_interval import Flips, raw_and_interval

WITHOUT_RECALL_BASE = ["P", "RR", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(b=2)", "DCG(b=10)"]
WITH_RECALL_BASE = ["R", "AP", "nDCG(b=2)", "nDCG(b=10)"]
ELEVEN = WITHOUT_RECALL_BASE + WITH_RECALL_BASE
SAME_RANKS = [("R", "P"), ("nDCG(b=2)", "DCG(b=2)"), ("nDCG(b=10)", "DCG(b=10)"), ("RBP(p=0.3)", "RBP(p=0.5)")]
ORDINAL = ["sign", "rank_sum", "kruskal_wallis", "friedman"]
WITHIN_TOPICS = ["sign", "friedman"]
N = 10
RUNS = list(product((0, 1), repeat=N))


def campaign(bases, systems: int = 12, depth: int = N, seed: int = 7) -> JudgedRuns:
    """Return a synthetic campaign: systems of different quality on topics with these recall bases."""
    rng, topics = np.random.default_rng(seed), len(bases)
    quality = np.linspace(0.15, 0.6, systems)[:, None, None]
    ease = rng.uniform(0.4, 1.5, (1, topics, 1)) * np.minimum(1, np.array(bases) / depth)[None, :, None]
    cells = (rng.random((systems, topics, depth)) < quality * ease * np.linspace(1.3, 0.7, depth)).astype(np.int8)
    cells[cells.cumsum(axis=2) > np.array(bases)[None, :, None]] = 0
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(systems)),
        topics=tuple(f"t{i}" for i in range(topics)),
        cells=cells,
        lengths=np.full((systems, topics), depth),
        grade_counts=np.stack([np.full(topics, 100), np.array(bases)], axis=1),
    )


DIFFERENT = np.random.default_rng(1).integers(3, 45, 30).tolist()


@pytest.fixture(scope="module")
def judged():
    return campaign(DIFFERENT)


@pytest.fixture(scope="module")
def effect(judged):
    return scale_effect(judged, ELEVEN, N)


@pytest.fixture(scope="module")
def covid(data):
    folder = data / "trec-covid-r1"
    return judge(read_runs([folder / "runs"]), read_qrels(folder / "qrels-rnd1.txt.gz"), depth=N)


@pytest.fixture(scope="module")
def real(covid):
    return scale_effect(covid, ELEVEN, N)


@pytest.fixture(params=["synthetic", "trec-covid-r1"])
def either(request):
    """Return the effect of scales on each of two campaigns in turn."""
    return request.getfixturevalue({"synthetic": "effect", "trec-covid-r1": "real"}[request.param])


@cache
def dense_ranks(spelling: str) -> list[int]:
    """Return the rank of every run's value among the values of all runs, from the definition alone."""
    keys = [parse(spelling).key(run) for run in RUNS]
    places = {key: place for place, key in enumerate(sorted(set(keys)), start=1)}
    return [places[key] for key in keys]


def looked_up(judged: JudgedRuns, spelling: str, method: str) -> np.ndarray:
    """Return the rank of each judged run among all runs, tied as scipy's method has it."""
    ranks = dict(zip(RUNS, stats.rankdata(dense_ranks(spelling), method), strict=True))
    return np.array([[ranks[tuple(np.maximum(run, 0).tolist())] for run in rows] for rows in judged.cells])


def pairs_where(values: np.ndarray, test, alpha: float = 0.05) -> set[tuple[int, int]]:
    """Return the pairs of systems that a test of scipy tells apart."""
    return {
        (i, j)
        for i, j in combinations(range(len(values)), 2)
        if not np.array_equal(values[i], values[j]) and test(values[i], values[j]).pvalue <= alpha
    }


# Section VII: the set-up.


def test_of_the_eleven_measures_four_depend_on_the_recall_base(effect):
    assert effect.measures == tuple(f"{spelling}@10" for spelling in ELEVEN)
    assert [one.surrogate for one in effect.effects] == [False] * 7 + [True] * 4


@pytest.mark.spec("FFF-VII-data")
@pytest.mark.parametrize(("systems", "pairs"), [(129, 8256), (75, 2775), (72, 2556)])
def test_every_two_systems_are_a_pair(systems, pairs):
    found = scale_effect(campaign([5, 9], systems, depth=3), "P", 3, tests=["sign"], mid=False)
    assert found.pairs == comb(systems, 2) == pairs


def test_graded_judgments_become_binary_before_anything_else():
    judged, relevant = campaign(DIFFERENT), np.array(DIFFERENT)
    grades = np.random.default_rng(5).integers(1, 3, judged.cells.shape)
    graded = evolve(
        judged,
        cells=np.where(judged.cells > 0, grades, 0).astype(np.int8),
        grade_counts=np.stack([np.full(30, 100), relevant - relevant // 2, relevant // 2], axis=1),
    )
    measures = ["DCG(b=2)", "nDCG(b=2)", "AP"]
    options = {"tests": ["paired_t"], "mid": False}
    binary = scale_effect(judged, measures, N, **options).to_dict()
    assert scale_effect(graded, measures, N, **options).to_dict() == binary
    assert scale_effect(graded, measures[:1], 4, grades=3, **options).to_dict()["table56"] != binary["table56"]


@pytest.mark.spec("FFF-VII-len")
def test_runs_of_a_length_have_two_grades_at_each_rank():
    totals = [interval("AP", depth=depth).universe.total(depth) for depth in (5, 10, 20, 30)]
    assert totals == [32, 1024, 1048576, 1073741824]


@pytest.mark.spec("FFF-VII-len")
def test_runs_are_cut_and_shorter_ones_filled_up_with_nonrelevant_documents(judged):
    cells = judged.cells.copy()
    cells[:, :, 6:] = NOTHING
    short = evolve(judged, cells=cells, lengths=np.full_like(judged.lengths, 6))
    filled = evolve(judged, cells=np.maximum(cells, 0))
    options = {"tests": ["paired_t"], "mid": False}
    measures = ["P", "AP", "DCG(b=2)", "nDCG(b=2)"]
    assert (
        scale_effect(short, measures, N, **options).to_dict() == scale_effect(filled, measures, N, **options).to_dict()
    )
    cut, longer = (scale_effect(runs, measures, 5, **options) for runs in (short, judged))
    assert cut.to_dict() == longer.to_dict()


@pytest.mark.spec("FFF-VII-alpha", "E32")
def test_a_pair_is_significant_where_p_is_at_most_alpha():
    better, worse = [(1, 0)] * 6, [(0, 1)] * 6
    judged = JudgedRuns(
        systems=("a", "b"),
        topics=tuple("123456"),
        cells=np.array([better, worse], dtype=np.int8),
        lengths=np.full((2, 6), 2),
        grade_counts=np.full((6, 2), 3),
    )
    found = {
        alpha: scale_effect(judged, "RR", 2, tests=["sign"], alpha=alpha).of("RR").flips["sign"].sig
        for alpha in (0.03125, 0.03124)
    }
    assert found == {0.03125: 1, 0.03124: 0}
    assert scale_effect(judged, "RR", 2, tests=["sign"]).alpha == 0.05


# Section VI-C: aggregation over topics.


@pytest.mark.parametrize("spelling", WITHOUT_RECALL_BASE)
def test_topics_share_the_scale_of_a_measure_that_ignores_the_recall_base(judged, effect, spelling):
    both = raw_and_interval(parse(spelling) @ N, judged)
    assert both.ranked.one_scale
    assert not effect.of(spelling).surrogate
    assert not [caveat for caveat in both.caveats if caveat.kind is CaveatKind.SCALE]


@pytest.mark.parametrize("spelling", WITH_RECALL_BASE)
def test_one_scale_stands_in_for_those_of_the_topics_where_the_recall_base_counts(judged, effect, spelling):
    both = raw_and_interval(parse(spelling) @ N, judged)
    assert effect.of(spelling).surrogate
    assert not both.ranked.one_scale
    assert any(caveat.kind is CaveatKind.SCALE for caveat in both.caveats)
    other_bases = raw_and_interval(parse(spelling) @ N, evolve(judged, grade_counts=judged.grade_counts + 3))
    assert np.array_equal(both.ranked.values, other_bases.ranked.values)
    assert not np.array_equal(both.raw.values, other_bases.raw.values)


# Tables 2 and 3: a measure with itself.


@pytest.mark.spec("FFF-T2")
def test_measures_that_are_interval_scales_rank_systems_as_they_did(either):
    assert [either.of(spelling).tau for spelling in ("P", "RBP(p=0.5)", "DCG(b=10)")] == [1, 1, 1]


@pytest.mark.spec("FFF-T2")
@pytest.mark.parametrize("depth", [4, 8])
def test_precision_and_rbp_of_a_half_are_interval_scales_at_every_depth(judged, depth):
    found = scale_effect(judged, ["P", "RBP(p=0.5)", "DCG(b=10)"], depth, tests=["sign"], mid=False)
    assert [one.tau for one in found.effects] == [1, 1, 1]


@pytest.mark.spec("FFF-T2")
def test_normalised_dcg_of_base_ten_is_unchanged_if_every_topic_could_fill_the_run():
    enough, few = [10, 25, 14] * 10, [10, 25, 3] * 10
    options = {"tests": ["sign"], "mid": False}
    assert scale_effect(campaign(enough), "nDCG(b=10)", N, **options).effects[0].tau == 1
    assert scale_effect(campaign(few), "nDCG(b=10)", N, **options).effects[0].tau < 1


@pytest.mark.spec("FFF-T2")
@pytest.mark.parametrize("spelling", ["AP", "RR", "DCG(b=2)", "RBP(p=0.8)"])
def test_the_correlation_is_that_of_averages_before_and_after(judged, effect, spelling):
    raw = (parse(spelling) @ N).scores(judged).values.mean(axis=1).round(8)
    ranked = looked_up(judged, spelling, "dense").mean(axis=1).round(8)
    assert effect.of(spelling).tau == pytest.approx(stats.kendalltau(raw, ranked).statistic, abs=1e-12)


@pytest.mark.spec("FFF-T2-tbt", "F10")
@pytest.mark.parametrize("spelling", ELEVEN)
def test_topic_by_topic_a_measure_ranks_systems_as_its_interval_scaled_self(either, spelling):
    by_topic = either.of(spelling).tau_by_topic
    taus = np.array(by_topic.by_topic)
    assert set(taus[~np.isnan(taus)].tolist()) == {1.0}
    assert float(by_topic) == 1
    assert by_topic.undefined == int(np.isnan(taus).sum())


@pytest.mark.spec("FFF-T2-tbt")
def test_a_topic_on_which_all_systems_tie_has_no_correlation(judged):
    cells = judged.cells.copy()
    cells[:, 4] = 0
    flat = evolve(judged, cells=cells)
    by_topic = scale_effect(flat, "AP", N, tests=["sign"], mid=False).of("AP").tau_by_topic
    assert by_topic.undefined == 1
    assert np.isnan(by_topic.by_topic[4])


@pytest.mark.spec("FFF-T2-ident")
def test_ranks_of_recall_are_those_of_precision(real):
    pairs = real.correlations
    assert real.of("R").tau == pytest.approx(pairs["P@10", "R@10"].raw, abs=1e-12)
    assert real.of("RBP(p=0.3)").tau == pytest.approx(pairs["RBP(p=0.3)@10", "RBP(p=0.5)@10"].raw, abs=1e-12)


@pytest.mark.spec("FFF-T3")
def test_mid_ranks_change_nothing_where_no_runs_tie(either):
    for spelling in ("RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)"):
        assert either.of(spelling).tau_mid == either.of(spelling).tau


@pytest.mark.spec("FFF-T3", "E34")
def test_mid_ranks_of_precision_are_no_longer_equally_spaced(effect):
    assert effect.of("P").tau_mid < effect.of("P").tau == 1


@pytest.mark.spec("FFF-T3")
@pytest.mark.parametrize("spelling", ["P", "AP", "RR", "DCG(b=2)"])
def test_mid_ranks_are_mean_places_among_all_runs(judged, effect, spelling):
    both = raw_and_interval(parse(spelling) @ N, judged)
    places = looked_up(judged, spelling, "average")
    assert np.array_equal(both.mid.values, places)
    raw = both.raw.values.mean(axis=1).round(8)
    tau = stats.kendalltau(raw, places.mean(axis=1).round(8)).statistic
    assert effect.of(spelling).tau_mid == pytest.approx(tau, abs=1e-12)


# Table 4: measures with each other.


@pytest.mark.spec("FFF-T4")
def test_every_two_measures_are_correlated_before_and_after(either):
    assert len(either.correlations) == comb(11, 2) == 55
    for pair in either.correlations.values():
        assert pair.delta == pytest.approx(100 * (pair.ranked - pair.raw) / pair.raw)


@pytest.mark.spec("FFF-T4")
def test_correlations_are_those_of_scipy(judged, effect):
    ap, rr = (looked_up(judged, spelling, "dense").mean(axis=1).round(8) for spelling in ("AP", "RR"))
    raw = [(parse(spelling) @ N).scores(judged).values.mean(axis=1).round(8) for spelling in ("AP", "RR")]
    pair = effect.correlations["RR@10", "AP@10"]
    assert pair.ranked == pytest.approx(stats.kendalltau(rr, ap).statistic, abs=1e-12)
    assert pair.raw == pytest.approx(stats.kendalltau(*raw).statistic, abs=1e-12)


@pytest.mark.spec("FFF-T4-ident")
@pytest.mark.parametrize(("one", "other"), SAME_RANKS)
def test_measures_of_the_same_order_are_the_same_after_the_transform(real, one, other):
    pairs = {frozenset(names): pair for names, pair in real.correlations.items()}
    assert pairs[frozenset((f"{one}@10", f"{other}@10"))].ranked == 1
    for third in set(ELEVEN) - {one, other}:
        assert (
            pairs[frozenset((f"{one}@10", f"{third}@10"))].ranked
            == pairs[frozenset((f"{other}@10", f"{third}@10"))].ranked
        )


def test_the_correlation_of_two_interval_scales_is_meaningful(either):
    pair = either.correlations["P@10", "RBP(p=0.5)@10"]
    assert pair.raw == pair.ranked
    assert pair.delta == 0


# Tables 5 and 6: significance tests.


@pytest.mark.spec("FFF-T5-sig", "FFF-T5-s2ns", "FFF-T5-ns2s")
@pytest.mark.parametrize("spelling", ["AP", "RR", "R", "DCG(b=2)"])
def test_flips_are_those_of_the_t_test_on_ranks_that_were_looked_up(judged, effect, spelling):
    before = pairs_where((parse(spelling) @ N).scores(judged).values, stats.ttest_rel)
    after = pairs_where(looked_up(judged, spelling, "dense"), stats.ttest_rel)
    flips = effect.of(spelling).flips["paired_t"]
    assert flips == Flips(len(before), len(before - after), len(after - before))
    assert flips.ranked == len(after)


@pytest.mark.spec("FFF-T5-s2ns")
def test_pairs_lost_are_given_in_percent_of_the_significant_ones():
    assert round(Flips(7, 2, 1).s2ns_percent, 2) == 28.57


@pytest.mark.spec("FFF-T5-ns2s")
def test_pairs_won_are_given_in_percent_of_the_significant_ones_and_can_exceed_a_hundred():
    assert round(Flips(7, 2, 1).ns2s_percent, 2) == 14.29
    assert Flips(69, 0, 385).ns2s_percent == pytest.approx(557.97, abs=0.005)


@pytest.mark.spec("FFF-T5-delta")
def test_the_change_counts_both_directions_and_is_undefined_without_significant_pairs():
    assert round(Flips(7, 2, 1).delta, 2) == 42.86
    assert Flips(7, 2, 1).ranked == 6
    nothing = Flips(0, 0, 3)
    assert (nothing.s2ns_percent, nothing.ns2s_percent, nothing.delta, nothing.ranked) == (None, None, None, 3)


@pytest.mark.spec("FFF-T5-inv")
@pytest.mark.parametrize("spelling", ["P", "RBP(p=0.5)", "DCG(b=10)"])
def test_no_test_changes_on_a_measure_that_is_an_interval_scale(either, spelling):
    for flips in either.of(spelling).flips.values():
        assert (flips.s2ns, flips.ns2s) == (0, 0)


@pytest.mark.spec("FFF-T5-inv")
@pytest.mark.parametrize("spelling", WITHOUT_RECALL_BASE)
@pytest.mark.parametrize("test", ORDINAL)
def test_no_ordinal_test_changes_on_a_measure_whose_topics_share_a_scale(real, spelling, test):
    flips = real.of(spelling).flips[test]
    assert (flips.s2ns, flips.ns2s) == (0, 0)


@pytest.mark.spec("FFF-T6-inv", "F10")
@pytest.mark.parametrize("spelling", WITH_RECALL_BASE)
@pytest.mark.parametrize("test", WITHIN_TOPICS)
def test_tests_within_topics_never_change(real, spelling, test):
    flips = real.of(spelling).flips[test]
    assert (flips.s2ns, flips.ns2s) == (0, 0)


@pytest.mark.spec("FFF-T56-pct", "E37")
def test_percentages_are_counts_by_significant_pairs(either):
    assert round(Flips(913, 73, 0).s2ns_percent, 2) == 8.00
    for one in either.effects:
        for flips in one.flips.values():
            if flips.sig:
                assert flips.delta == pytest.approx(float(100 * Fraction(flips.s2ns + flips.ns2s, flips.sig)))


@pytest.mark.spec("FFF-T56-ident")
@pytest.mark.parametrize(("one", "other"), SAME_RANKS)
def test_measures_of_the_same_order_have_the_same_significant_pairs_after_the_transform(real, one, other):
    assert Flips(409, 0, 1514).ranked == 1923
    for test in EIGHT:
        assert real.of(one).flips[test].ranked == real.of(other).flips[test].ranked


@pytest.mark.spec("FFF-T56-type", "E39")
def test_pairs_won_by_the_transform_are_read_as_false_negatives_of_raw_scores(effect):
    lost, won = Flips.__doc__.split("s2ns : int\n")[1].split("ns2s : int\n")
    assert "false positives" in lost
    assert "false negatives" in won
    assert "3 are not (false positives?) and besides which 4 are (false negatives?)" in " ".join(str(effect).split())


@pytest.mark.spec("FFF-T5-grey")
def test_the_ordinal_tests_are_marked(effect):
    significance = effect.tables()["significance"]
    assert len(significance) == 11 * 8
    grey = significance.filter(significance["ordinal"])["test"].unique().to_list()
    assert sorted(grey) == sorted(ORDINAL)


@pytest.mark.spec("FFF-synth")
def test_a_synthetic_campaign_shows_what_scales_do(effect):
    assert (effect.systems, effect.topics, effect.depth) == (12, 30, 10)
    rr, recall = effect.of("RR").flips, effect.of("R").flips
    assert rr["sign"].delta == recall["sign"].delta == 0
    assert rr["paired_t"].s2ns + rr["paired_t"].ns2s > 0
    assert rr["one_way_anova"].s2ns + rr["one_way_anova"].ns2s > 0
    assert recall["rank_sum"].ns2s > 0
    assert recall["one_way_anova"].ns2s > recall["one_way_anova"].s2ns
    assert recall["one_way_anova"].ranked == effect.of("P").flips["one_way_anova"].sig
    assert effect.of("RR").tau < 1


def test_the_passage_runs_keep_what_must_hold(data):
    folder = data / "trec-dl-passage-fusion"
    judged = judge(read_runs([folder / "2019"], names="file"), read_qrels(folder / "2019.qrels.gz"), depth=5)
    found = scale_effect(judged, ["P", "AP", "nDCG(b=2)", "DCG(b=2)"], 5, mid=False)
    assert all(flips.delta in (0, None) for flips in found.of("P").flips.values())
    for spelling in ("AP", "nDCG(b=2)"):
        assert float(found.of(spelling).tau_by_topic) == 1
        assert all(found.of(spelling).flips[test].delta in (0, None) for test in WITHIN_TOPICS)
    for test in EIGHT:
        assert found.of("nDCG(b=2)").flips[test].ranked == found.of("DCG(b=2)").flips[test].ranked
