"""The significance tests of Ferrante, Ferro and Fuhr (2021), as Matlab computes them."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.scale import Scale
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.needs import need_of
from measurand.statistics.rank_tests import friedman, kruskal_wallis, rank_sum, signed_rank
from measurand.statistics.sign_test import sign
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import (
    dunn_sidak,
    one_way_anova,
    studentized_range_quantile,
    studentized_range_tail,
    two_way_anova,
)

POPCORN = np.array(
    [[5.5, 4.5, 3.5], [5.5, 4.5, 4.0], [6.0, 4.0, 3.0], [6.5, 5.0, 4.0], [7.0, 5.5, 5.0], [7.0, 5.0, 4.5]]
)
ORDINAL = (sign, rank_sum, kruskal_wallis, friedman)
INTERVAL = (signed_rank, paired_t, one_way_anova, two_way_anova)


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P@10", values=values, systems=systems, topics=topics, scale=Scale.INTERVAL)


def upper(square) -> list[float]:
    return square[np.triu_indices(len(square), 1)].tolist()


@pytest.fixture
def popcorn() -> Scores:
    return scored(POPCORN.T)


@pytest.mark.spec("FFF-VIII-C-sign")
def test_six_wins_of_six_have_a_sign_test_of_one_in_thirty_two(popcorn):
    assert upper(sign(popcorn, semantics="matlab").pvalues) == [0.03125] * 3


@pytest.mark.spec("FFF-VIII-C-sign")
def test_from_a_hundred_topics_on_the_sign_test_of_matlab_is_normal():
    from scipy.stats import norm

    ahead = np.array([1.0] * 60 + [-1.0] * 39)
    few, many = (scored([[*ahead, *more], [0.0] * (99 + len(more))]) for more in ([], [1.0]))
    assert sign(few, semantics="matlab").pvalues[0, 1] == sign(few).pvalues[0, 1]
    assert sign(many, semantics="matlab").pvalues[0, 1] == pytest.approx(2 * norm.sf((61 - 39 - 1) / 10), rel=1e-12)
    assert sign(many).pvalues[0, 1] != sign(many, semantics="matlab").pvalues[0, 1]


@pytest.mark.spec("FFF-VIII-C-rs", "E21")
def test_the_rank_sum_test_of_popcorn_is_exact_and_unpaired(popcorn):
    found = rank_sum(popcorn, semantics="matlab")
    assert upper(found.pvalues.round(6)) == [0.006494, 0.002165, 0.112554]
    shuffled = POPCORN.T.copy()
    shuffled[1] = shuffled[1][::-1]
    assert (rank_sum(scored(shuffled), semantics="matlab").pvalues == found.pvalues).all()


@pytest.mark.spec("FFF-VIII-C-rs")
def test_the_rank_sum_test_of_matlab_is_exact_up_to_nine_topics_and_then_corrects_for_ties_and_continuity():
    from scipy.stats import mannwhitneyu

    rng = np.random.default_rng(5)
    nine, ten = (rng.integers(0, 5, (2, n)) / 10 for n in (9, 10))
    rough = mannwhitneyu(*ten, method="asymptotic", use_continuity=True).pvalue
    assert rank_sum(scored(ten), semantics="matlab").pvalues[0, 1] == pytest.approx(rough, rel=1e-12)
    rough = mannwhitneyu(*nine, method="asymptotic", use_continuity=True).pvalue
    assert rank_sum(scored(nine), semantics="matlab").pvalues[0, 1] != pytest.approx(rough, rel=1e-6)


@pytest.mark.spec("FFF-VIII-C-sr")
def test_the_signed_rank_test_of_popcorn_is_exact(popcorn):
    assert upper(signed_rank(popcorn, semantics="matlab").pvalues) == [0.03125] * 3


@pytest.mark.spec("FFF-VIII-C-sr")
def test_the_signed_rank_test_of_matlab_is_normal_without_continuity_from_sixteen_differences_on():
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(6)
    integers = rng.integers(0, 5, (2, 40))
    rough = wilcoxon(*integers, method="asymptotic", correction=False).pvalue
    assert signed_rank(scored(integers / 10), semantics="matlab").pvalues[0, 1] == pytest.approx(rough, rel=1e-12)


@pytest.mark.spec("FFF-VIII-C-t")
def test_the_paired_t_test_of_popcorn(popcorn):
    assert upper(paired_t(popcorn).pvalues.round(6)) == [0.000435, 0.000135, 0.001114]


@pytest.mark.spec("FFF-VIII-C-a1")
def test_the_one_way_analysis_of_popcorn(popcorn):
    found = one_way_anova(popcorn)
    assert popcorn.values.mean(axis=1).tolist() == [6.25, 4.75, 4.0]
    assert round(found.details["mse"], 6) == 0.416667
    assert found.details["df"] == 15
    assert upper(found.pvalues.round(6)) == [0.002974, 0.000064, 0.143374]


@pytest.mark.spec("FFF-VIII-C-a1")
def test_a_pair_is_rejected_where_its_difference_exceeds_the_critical_one(popcorn):
    found = one_way_anova(popcorn)
    critical = studentized_range_quantile(0.95, 3, 15) * np.sqrt(found.details["mse"] / 6)
    assert (found.significant(0.05) == (np.abs(found.differences) > critical)).all()


@pytest.mark.spec("FFF-VIII-C-a2")
def test_the_two_way_analysis_of_popcorn(popcorn):
    found = two_way_anova(popcorn)
    assert round(found.details["mse"], 6) == 0.091667
    assert found.details["df"] == 10
    first, second, third = upper(found.pvalues)
    assert (round(first, 6), round(third, 6)) == (0.000017, 0.004104)
    assert 0 < second < 1e-6


@pytest.mark.spec("FFF-VIII-C-kw")
def test_the_kruskal_wallis_test_of_popcorn(popcorn):
    found = kruskal_wallis(popcorn)
    ranks = mid_ranks(popcorn.values.reshape(1, -1))
    assert ranks.ranks.reshape(3, 6).mean(axis=1).round(4).tolist() == [15.3333, 8.5, 4.6667]
    assert ranks.tied.tolist() == [102.0]
    assert (found.differences[0, 1] / found.statistic[0, 1]) ** 2 == pytest.approx(4.666667, abs=1e-6)
    assert upper(found.pvalues.round(6)) == [0.065155, 0.001395, 0.420974]


@pytest.mark.spec("FFF-VIII-C-fr")
def test_the_friedman_test_of_popcorn(popcorn):
    found = friedman(popcorn)
    assert mid_ranks(POPCORN).ranks.mean(axis=0).tolist() == [3.0, 2.0, 1.0]
    assert 6 * (found.differences[0, 1] / found.statistic[0, 1]) ** 2 == pytest.approx(1.0)
    assert upper(found.pvalues.round(6)) == [0.193225, 0.001543, 0.193225]


@pytest.mark.spec("FFF-VIII-C-q")
@pytest.mark.parametrize(
    ("groups", "df", "quantile"),
    [
        (3, np.inf, 3.31449),
        (72, np.inf, 5.88054),
        (75, np.inf, 5.90625),
        (129, np.inf, 6.23861),
        (129, 6272, 6.24256),
        (3, 15, 3.67338),
        (3, 10, 3.87678),
    ],
)
def test_the_quantiles_of_the_studentised_range(groups, df, quantile):
    assert round(studentized_range_quantile(0.95, groups, df), 5) == quantile


@pytest.mark.spec("FFF-VIII-C-cap")
@pytest.mark.parametrize("groups", [3, 72, 75, 129])
def test_the_cap_of_dunn_and_sidak_is_higher_than_tukeys_value_for_these_numbers_of_systems(groups):
    pairs = groups * (groups - 1) // 2
    critical = np.array([studentized_range_quantile(0.95, groups, np.inf)])
    assert dunn_sidak(critical / np.sqrt(2), pairs, np.inf).item() > 0.05
    q = np.linspace(0.0, 20.0, 50)
    assert (dunn_sidak(q / np.sqrt(2), pairs, np.inf) >= studentized_range_tail(q, groups, np.inf) - 1e-12).all()


@pytest.mark.spec("FFF-VIII-C-cap")
@pytest.mark.parametrize("test", [one_way_anova, two_way_anova, kruskal_wallis, friedman])
def test_the_cap_changes_nothing_for_popcorn(popcorn, test):
    assert (test(popcorn, dunn_sidak_cap=True).pvalues == test(popcorn).pvalues).all()


@pytest.fixture
def synthetic() -> Scores:
    rng = np.random.default_rng(11)
    chance = np.clip(rng.beta(2, 3, 30) + rng.normal(0, 0.08, (12, 1)), 0.05, 0.95)
    return scored(rng.binomial(10, chance) / 10)


@pytest.mark.spec("FFF-III-E-inv")
def test_a_common_increasing_map_leaves_exactly_the_ordinal_tests(synthetic):
    mapped = scored(synthetic.values**2 + np.sqrt(synthetic.values))
    same = {test: np.allclose(test(mapped).pvalues, test(synthetic).pvalues) for test in (*ORDINAL, *INTERVAL)}
    assert same == {test: test in ORDINAL for test in (*ORDINAL, *INTERVAL)}


@pytest.mark.spec("FFF-III-E-inv")
@pytest.mark.parametrize("test", [*ORDINAL, *INTERVAL])
def test_a_common_affine_map_leaves_every_test(synthetic, test):
    mapped = scored(1.8 * synthetic.values + 32)
    assert test(mapped).pvalues == pytest.approx(test(synthetic).pvalues, rel=1e-9)


@pytest.mark.spec("E21")
def test_every_test_declares_the_scale_of_the_paper():
    assert {need_of(test).scale for test in ORDINAL} == {Scale.ORDINAL}
    assert {need_of(test).scale for test in INTERVAL} == {Scale.INTERVAL}
    assert [test for test in (*ORDINAL, *INTERVAL) if not need_of(test).across] == [sign, friedman]


@pytest.mark.spec("FFF-III-E-drop")
@pytest.mark.parametrize("semantics", ["scipy", "matlab"])
@pytest.mark.parametrize("test", [sign, signed_rank])
def test_tied_topics_are_dropped_and_all_tied_gives_one(test, semantics):
    x = [0.5, 0.4, 0.3, 0.2, 0.7, 0.1, 0.9]
    assert test(scored([x, x]), semantics=semantics).pvalues[0, 1] == 1.0
    ahead = [[*x, 0.3, 0.3, 0.3], [0.0] * 7 + [0.3] * 3]
    assert test(scored(ahead), semantics=semantics).pvalues[0, 1] == 2 / 2**7


def test_a_p_value_equal_to_alpha_is_significant(popcorn):
    found = sign(popcorn)
    assert found.significant(0.03125).sum() == 6
    assert found.significant(np.nextafter(0.03125, 0)).sum() == 0
    assert found.significant().sum() == 6


@pytest.mark.spec("F5")
def test_equal_differences_stay_equal_in_the_signed_rank_test_however_the_scores_are_written():
    rng = np.random.default_rng(7)
    relevant = rng.integers(0, 11, (30, 40))
    for semantics in ("scipy", "matlab"):
        by_count, by_share = (
            signed_rank(scored(values), semantics=semantics).pvalues for values in (relevant, relevant / 10)
        )
        assert (by_count == by_share).all()


@pytest.mark.spec("F5")
def test_without_rounding_the_signed_rank_test_loses_ties_and_changes_decisions():
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(7)
    x, y = rng.integers(0, 11, (2, 2000, 30))
    counts, shares = (wilcoxon(a, b, axis=1, method="asymptotic").pvalue for a, b in ((x, y), (x / 10, y / 10)))
    assert (counts != shares).mean() > 0.99
    assert ((counts <= 0.05) != (shares <= 0.05)).any()
