"""Simulated decisions are those of the tests themselves, and rates are those of counting every exchange by hand."""

from __future__ import annotations

import pickle
from itertools import permutations, product

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest

from measurand.errors import MeasurandError, ParameterError
from measurand.scores import Scores
from measurand.statistics import CORRECTIONS, TESTS, corrected, simulate
from measurand.statistics.registry import EIGHT
from measurand.statistics.simulation.exchanges import Candidate, Exchanges
from measurand.statistics.simulation.many_campaigns import OF_PAIRS, any_rejected, centres, multipliers, pair_decisions
from measurand.statistics.simulation.rates import Rate, ScaleChange, direction, rate, rate_of_difference
from measurand.statistics.simulation.sentences import lost_in_words


def scored(values, measure="P", **options) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure=measure, values=values, systems=systems, topics=topics, **options)


def normal(systems=6, topics=20, seed=0) -> Scores:
    return scored(np.random.default_rng(seed).normal(size=(systems, topics)))


campaigns = st.tuples(st.integers(2, 5), st.sampled_from([2, 3, 6, 9, 16])).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 1.0]))
)
"""Small campaigns with ties, zeros, and differences that tie in exact numbers alone."""


@given(campaigns, st.sampled_from(["scipy", "matlab"]), st.floats(0.1, 1), st.integers(0, 99))
def test_every_decision_is_that_of_the_test_itself(values, semantics, effect, seed):
    drawn = Exchanges.drawn(np.random.default_rng(seed), np.arange(4), *values.shape)
    x, y = Candidate("P", values).pairs(drawn, drawn.sources(values, effect), effect)
    whole = drawn.campaigns(values, x, y)
    for test in EIGHT:
        found = [TESTS[test](scored(each), semantics=semantics) for each in whole]
        pairs = [
            (each, r, one, other)
            for r, each in enumerate(found)
            for one, other in zip(drawn.first[r], drawn.second[r], strict=True)
        ]
        wanted = [(bool(each.pvalues[a, b] <= 0.05), np.sign(each.statistic[a, b])) for each, _, a, b in pairs]
        if test in OF_PAIRS:
            decided = pair_decisions(test, x, y, semantics)
            significant, ahead = decided.pvalues <= 0.05, decided.ahead
        else:
            compared = centres(test, whole, 0.05)
            significant, ahead = compared.between(drawn.first, drawn.second)
            assert compared.any_significant.tolist() == [bool(each.significant().any()) for each in found]
        claims = [(bool(s), a if s else 0) for s, a in zip(significant.ravel(), ahead.ravel(), strict=True)]
        assert claims == [(s, a if s else 0) for s, a in wanted], test


@given(st.lists(st.sampled_from([0.001, 0.004, 0.011, 0.021, 0.049, 0.3, 1.0]), min_size=1, max_size=8), st.data())
def test_corrections_are_those_of_all_pairs_at_once(pvalues, data):
    before, new = np.array(pvalues), data.draw(st.sampled_from([0.002, 0.007, 0.013, 0.033, 0.051]))
    place = data.draw(st.integers(0, len(before) - 1))
    after = np.where(np.arange(len(before)) == place, new, before)
    for method in CORRECTIONS:
        assert (new * multipliers(before, 0.05, method)[place] <= 0.05) == (corrected(after, method)[place] <= 0.05)
        assert any_rejected(before[None], 0.05, method).tolist() == [bool((corrected(before, method) <= 0.05).any())]


def test_all_exchanges_of_two_systems_give_the_exact_error():
    values = np.array([[0.9, 0.4, 0.3, 0.8, 0.6, 0.7], [0.1, 0.2, 0.3, 0.1, 0.2, 0.1]])
    found = simulate(scored(values), repetitions=64, probabilities=0.5)
    assert found.exact
    assert "all 64 exchanges (exact)" in str(found)
    for test in EIGHT:
        called = 0
        for swaps in product([False, True], repeat=6):
            exchanged = np.where(np.array(swaps), values[::-1], values)
            called += bool(TESTS[test](scored(exchanged)).pvalues[0, 1] <= 0.05)
        assert found.of(test).type_one == (called / 64,) * 3
        assert found.of(test).familywise == found.of(test).type_one


def test_the_familywise_error_is_that_of_all_permutations():
    values = np.array([[0.9, 0.2, 0.5], [0.4, 0.2, 0.3], [0.1, 0.7, 0.3]])
    orders = [list(order) for order in permutations(range(3))]
    called = {"friedman": 0, "two_way_anova": 0, "sign": 0}
    for chosen in product(orders, repeat=3):
        permuted = np.stack([values[order, topic] for topic, order in enumerate(chosen)], axis=1)
        for test in called:
            called[test] += bool(TESTS[test](scored(permuted)).significant(0.3).any())
    found = simulate(scored(values), tests=called, alpha=0.3, repetitions=2000, probabilities=())
    for test, many in called.items():
        assert 0 < many < 6**3
        assert found.of(test).familywise.low <= many / 6**3 <= found.of(test).familywise.high


def test_who_always_gets_the_better_score_is_found_as_surely_as_a_test_can():
    values = np.array([[0.9, 0.1, 0.4, 0.8, 0.6, 0.2], [0.1, 0.2, 0.3, 0.1, 0.5, 0.1]])
    found = simulate(scored(values), probabilities=1, repetitions=20)
    ordered = scored(np.sort(values, axis=0)[::-1])
    for test in EIGHT:
        assert found.of(test).power[0].value == float(TESTS[test](ordered).of("s0", "s1") <= 0.05)


def test_one_topic_more_than_can_be_enumerated_is_sampled():
    assert not simulate(normal(2, 7), tests="sign", repetitions=64).exact


def test_a_t_test_of_normal_scores_errs_as_often_as_it_says():
    found = simulate(normal(), tests=["t", "two_way_anova"], repetitions=600, probabilities=1)
    error = found.of("t").type_one
    assert error.low < 0.05 < error.high
    assert error.high - error.low < 0.03
    family = found.of("two_way_anova").familywise
    assert family.low < 0.05 < family.high
    # who always gets the better score is found
    assert found.of("t").power[0].value > 0.9
    assert found.of("t").holds


def test_corrected_tests_keep_the_familywise_error_and_uncorrected_ones_do_not():
    plain, holm = (
        simulate(normal(8, 20), tests="t", repetitions=200, adjust=adjust, probabilities=0.5).of("t")
        for adjust in ("none", "holm")
    )
    assert plain.familywise.low > 0.2
    assert holm.familywise.low <= 0.05
    assert holm.type_one.value < plain.type_one.value
    assert holm.power[0].value < plain.power[0].value


def test_the_same_seed_gives_the_same_numbers():
    scores = normal(5, 12)
    one, again, other = (
        simulate(scores, repetitions=40, rng=rng).to_dict() for rng in (3, np.random.default_rng(3), 4)
    )
    assert one == again
    assert one != other


def test_errors_do_not_depend_on_the_effects_that_are_looked_at_besides():
    few, many = (simulate(normal(), tests="t", repetitions=50, probabilities=e).of("t") for e in (0.3, [0.9, 0.3]))
    assert few.type_one == many.type_one
    assert few.power[0] == many.power[0]
    assert many.power[0].value < many.power[1].value


def test_exchanged_runs_stay_on_their_topics_and_planted_ones_are_never_worse():
    values = np.arange(24.0).reshape(4, 6) % 7
    drawn = Exchanges.drawn(np.random.default_rng(1), np.arange(30), 4, 6)
    for effect in (0.0, 0.5, 1.0):
        x, y = Candidate("P", values).pairs(drawn, drawn.sources(values, effect), effect)
        whole = drawn.campaigns(values, x, y)
        assert (np.sort(whole, axis=1) == np.sort(values, axis=0)).all()
    assert (y >= x).all()


def test_a_test_of_order_decides_alike_on_every_scale_that_keeps_it():
    scores = normal(5, 15)
    found = simulate({"raw": scores, "cubed": scored(scores.values**3, "cubed")}, repetitions=60)
    for test in ("sign", "friedman", "rank_sum", "kruskal_wallis"):
        change = found.change(test)
        assert {each.value for each in (*change.lost, *change.won, change.errors, *change.findings)} == {0.0}
    assert any(each.value for each in found.change("paired_t").lost)


def test_errors_that_another_scale_avoids_are_told_from_findings_that_it_loses():
    scores = normal(6, 20)
    # topics far apart make a test that ignores them blind, for errors and findings
    apart = scored(scores.values + 100 * np.arange(20), "apart")
    found = simulate([scores, apart], tests=["rank_sum", "t"], repetitions=300)
    change, text = found.change("rank_sum"), found.sentences()
    # half of all pairs without an effect, the others with each effect equally often
    none, some = change.lost[0].value, np.mean([each.value for each in change.lost[1:]])
    assert change.lost_without_effect.value == pytest.approx(none / (none + some))
    assert change.lost_without_effect.high < 0.5
    assert "With apart in the place of P, fewer type I errors are made with rank_sum, as many within chance" in text[-3]
    assert text[-2].startswith("Of the pairs that are significant under P alone, ")
    assert text[-1] == "So a pair that loses its significance is mostly an effect that is missed with rank_sum."
    nothing = simulate([scores, apart], tests="rank_sum", repetitions=40, probabilities=()).sentences()
    assert nothing == ["With apart in the place of P, fewer type I errors are made with rank_sum."]


def test_pairs_that_lose_their_significance_may_be_errors_for_the_most_part():
    # most errors are lost, and of what has a small effect little is found at all
    change = ScaleChange(
        test="sign",
        first="P",
        other="interval(P)",
        lost=(Rate(0.04, 0.03, 0.05), Rate(0.01, 0.005, 0.02)),
        won=(Rate(0.0, 0.0, 0.01),) * 2,
        lost_without_effect=Rate(0.8, 0.7, 0.9),
        errors=Rate(-0.04, -0.05, -0.03),
        findings=(Rate(-0.01, -0.02, 0.0),),
        gain=Rate(-0.01, -0.02, 0.0),
    )
    assert list(lost_in_words([change], 20)) == [
        "Of the pairs that are significant under P alone, 80 % (70.0–90.0) with sign have no effect, if half of all"
        " pairs have none.",
        "So a pair that loses its significance is mostly a type I error that is avoided with sign.",
    ]
    assert list(lost_in_words([change], 9))[-1].endswith("a type I error that is avoided is not decided.")
    open_ = evolve(change, test="paired_t", lost_without_effect=Rate(0.5, 0.4, 0.6))
    assert list(lost_in_words([change, open_], 20))[-1].endswith("with sign; with paired_t that is not decided.")


def test_where_nothing_is_found_nothing_is_recommended():
    same = simulate(scored([[0.1, 0.5, 0.3, 0.2]] * 3), repetitions=60)
    assert same.recommended is None
    assert same.sentences() == [
        "P: no test finds what was planted more often than by chance, so no test can be recommended."
    ]
    few = simulate(normal(), repetitions=9, tests="t")
    assert (few.recommended, few.sentences()[0]) == (
        None,
        "P: 9 repetitions are too few, so no test can be recommended.",
    )


def test_few_repetitions_have_wide_intervals_and_show_no_direction():
    assert rate(np.array([3]), 3) == pytest.approx((1.0, *binomtest(1, 1).proportion_ci(method="wilson")), abs=1e-12)
    assert rate_of_difference(np.array([2]), 4) == (0.5, -1.0, 1.0)
    # the quantile of t for two blocks, not the normal one
    two = rate_of_difference(np.array([1, 3]), 10)
    assert two.high - two.value == pytest.approx(12.7062 * 0.1, abs=1e-4) or two.high == 1.0
    alike = rate_of_difference(np.zeros(20), 4)
    assert 0 < alike.high == -alike.low < 0.2
    assert [direction(Rate(0.4, 0.3, 0.5), 1, blocks) for blocks in (9, 10)] == [0, 1]
    assert direction(Rate(0.4, 0.4, 0.4), 5, 1) == 1


def test_blocks_of_any_size_count_by_their_pairs():
    counts, sizes = np.array([1, 4, 2, 0]), np.array([2, 6, 4, 2])
    found = rate(counts, sizes)
    assert found.value == 0.5
    rest = counts - 0.5 * sizes
    variance = 4 / 3 * (rest**2).sum() / 14**2
    n, times = min(0.25 / variance, 14), 3.182446
    half = times * np.sqrt(0.25 / n + times**2 / (4 * n * n)) / (1 + times**2 / n)
    assert found.high == pytest.approx(0.5 + half, abs=1e-6)


def test_topics_that_a_system_left_out_are_left_out():
    values = normal(4, 12).values.copy()
    values[0, 3] = np.nan
    found = simulate(scored(values), repetitions=50)
    assert any("leave out 1 of 12 topics" in str(caveat) for caveat in found.caveats)
    assert 0 < found.of("t").power[-1].value <= 1


def test_the_direction_of_a_measure_makes_no_difference():
    values = normal(4, 12).values
    up, down = scored(values), scored(-values, lower_is_better=True)
    assert simulate(up, repetitions=30).records() == simulate(down, repetitions=30).records()


def test_the_recommended_test_holds_the_level_and_has_the_highest_power():
    found = simulate(normal(), repetitions=100)
    best = found.recommended
    assert best.mean_power == max(row.mean_power for row in found if row.holds)
    assert best.finds
    assert best not in found.as_good
    assert all(row.mean_power <= best.mean_power for row in found.as_good)
    assert found.sentences()[0].startswith(
        f"Take {best.test} of P: of the tests that are not shown to exceed the level of 5 %"
    )
    assert simulate(normal(), tests="t", repetitions=9, probabilities=()).recommended is None


def test_with_one_pair_a_repetition_the_interval_is_wilsons():
    for counts in ([0] * 40, [1] * 40, [1] * 3 + [0] * 37):
        wilson = binomtest(sum(counts), 40).proportion_ci(method="wilson")
        assert rate(np.array(counts), 1) == pytest.approx((sum(counts) / 40, *wilson), abs=1e-12)


def test_pairs_that_always_agree_count_for_one():
    together, apart = rate(np.array([0, 4] * 20), 4), rate(np.array([1, 3] * 20), 4)
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_it_travels_between_processes_and_draws_itself():
    found = simulate(normal(), tests="t", repetitions=5)
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()
    assert [len(panel["data"]["values"]) for panel in found.plot().chart["hconcat"]] == [4]


@pytest.mark.parametrize(
    ("scores", "options", "complaint"),
    [
        (normal(1), {}, "and there is 1; name more runs"),
        (normal(3, 1), {}, "there is 1 topic"),
        ([], {}, "no scores were given"),
        ([normal(), normal()], {}, "two scores have one measure"),
        ([normal(), scored(np.zeros((2, 3)), "R")], {}, "R has other systems or topics than P"),
        ("AP", {}, "takes scores"),
        (7, {}, "scores are expected, not 7"),
        (normal(), {"tests": "bootstrap"}, "bootstrap draws lots itself"),
        (normal(), {"tests": ()}, "no test was asked for"),
        (normal(), {"probabilities": [0]}, "an effect is a number above 0, not 0"),
        (normal(), {"probabilities": "1"}, "an effect is a number above 0, not '1'"),
        (normal(), {"probabilities": 2}, "an effect is a probability here"),
        (normal(), {"repetitions": 0}, "repetitions must be a whole number from 1 up, not 0"),
        (normal(), {"alpha": 5}, "alpha must lie between 0 and 1"),
        (normal(), {"adjust": "hollm"}, "did you mean 'holm'?"),
        (normal(), {"rng": -1}, "rng must be"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(scores, options, complaint):
    with pytest.raises(MeasurandError) as stop:
        simulate(scores, **options)
    assert complaint in str(stop.value)


def test_a_test_or_scale_that_was_not_simulated_is_named():
    found = simulate(normal(), tests="t", repetitions=5)
    with pytest.raises(ParameterError, match=r"sign of P was not simulated; there is paired_t of P"):
        found.of("sign")
    with pytest.raises(ParameterError, match="not simulated on two scales"):
        found.change("t")
