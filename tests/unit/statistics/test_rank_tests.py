"""Wilcoxon's tests against scipy, and against counting by hand."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import measurand as md
from measurand.judged import JudgedRuns
from measurand.measures import as_measure
from measurand.measures.exact_ties import AT_HAND
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.pairs import PairBlock, difference_sizes
from measurand.statistics.rank_tests import (
    friedman,
    kruskal_wallis,
    rank_sum,
    rank_sum_tails,
    signed_rank,
    signed_rank_tails,
)
from measurand.statistics.variance import studentized_range_tail

TOPICS = [2, 8, 13, 14, 50, 51, 60]


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P", values=values, systems=systems, topics=topics, scale=Scale.INTERVAL)


def samples(topics: int) -> list:
    """Return scores with many ties, with few, and without."""
    rng = np.random.default_rng(topics)
    systems = 2 if topics <= 13 else 4  # where scipy goes through all signs, it takes its time
    return [*(rng.integers(0, levels, (systems, topics)) for levels in (6, 400)), rng.random((systems, topics))]


small = st.integers(1, 7).flatmap(lambda n: arrays(np.int64, (2, n), elements=st.integers(0, 4)))


@pytest.mark.parametrize("topics", TOPICS)
def test_the_rank_sum_test_is_scipys_mann_whitney_test(topics):
    from scipy.stats import mannwhitneyu

    for values in samples(topics):
        found = rank_sum(scored(values))
        for a, b in zip(*np.triu_indices(len(values), 1), strict=True):
            expected = mannwhitneyu(values[a], values[b])
            assert found.pvalues[a, b] == pytest.approx(expected.pvalue, rel=1e-9)
            assert found.differences[a, b] == pytest.approx((2 * expected.statistic - topics**2) / topics)


@pytest.mark.parametrize("topics", TOPICS)
def test_the_signed_rank_test_is_scipys_on_whole_numbers(topics):
    from scipy.stats import wilcoxon

    for values in samples(topics):
        found = signed_rank(scored(values))
        for a, b in zip(*np.triu_indices(len(values), 1), strict=True):
            expected = wilcoxon(values[a], values[b])
            assert found.pvalues[a, b] == pytest.approx(expected.pvalue, rel=1e-9)
            ranked = mid_ranks(np.where(values[a] != values[b], np.abs(values[a] - values[b]), np.nan)[None])
            assert found.differences[a, b] == pytest.approx(
                np.sign(found.differences[a, b]) * (ranked.ranks.sum() - 2 * expected.statistic)
            )


@settings(max_examples=10, deadline=None)
@given(values=small)
def test_the_exact_signed_rank_test_counts_all_signs(values):
    differences = values[0] - values[1]
    differences = differences[differences != 0]
    ranks = mid_ranks(np.abs(differences)[None].astype(float)).ranks[0]
    observed = abs((ranks * np.sign(differences)).sum())
    sums = [abs(np.dot(ranks, signs)) for signs in product((-1, 1), repeat=len(ranks))]
    expected = np.mean([total >= observed for total in sums])
    for semantics in ("scipy", "matlab"):
        assert signed_rank(scored(values), semantics=semantics).pvalues[0, 1] == pytest.approx(expected)


@settings(max_examples=10, deadline=None)
@given(values=small)
def test_the_exact_rank_sum_test_counts_all_ways_to_deal_out_the_scores(values):
    n = values.shape[1]
    ranks = mid_ranks(values.reshape(1, -1).astype(float)).ranks[0]
    middle = n * (2 * n + 1) / 2
    sums = [abs(sum(chosen) - middle) for chosen in combinations(ranks.tolist(), n)]
    expected = np.mean([total >= abs(ranks[:n].sum() - middle) for total in sums])
    assert rank_sum(scored(values), semantics="matlab").pvalues[0, 1] == pytest.approx(expected)


def test_matlab_is_exact_with_ties_up_to_fifteen_differences():
    from scipy.stats import wilcoxon

    values = np.zeros((2, 18))
    values[0, :15] = np.tile([0.1, 0.2, 0.4, 0.6, -0.3], 3)
    rough = wilcoxon(values[0] * 10, method="asymptotic").pvalue
    assert signed_rank(scored(values)).pvalues[0, 1] == pytest.approx(rough)
    assert signed_rank(scored(values), semantics="matlab").pvalues[0, 1] != pytest.approx(rough, rel=1e-3)
    values[0, 15] = 0.5
    rough = wilcoxon(values[0] * 10, method="asymptotic").pvalue
    assert signed_rank(scored(values), semantics="matlab").pvalues[0, 1] == pytest.approx(rough)


@given(tenths=arrays(np.int64, (2, 12), elements=st.integers(0, 10)), power=st.integers(-30, 30))
def test_equal_differences_are_equal_at_every_size_of_scores(tenths, power):
    signs, sizes = difference_sizes(PairBlock(*(tenths[:, None, :] / 10 * 10.0**power)))
    whole, counts = difference_sizes(PairBlock(*tenths[:, None, :].astype(float)))
    assert signs.tolist() == whole.tolist()
    assert mid_ranks(sizes).ranks.tolist() == mid_ranks(counts).ranks.tolist()


def test_small_differences_have_a_sign_and_the_lowest_ranks():
    pair = PairBlock(np.array([[1.0, 0.5 + 1e-13, 0.5]]), np.array([[0.5, 0.5, 0.5 + 5e-16]]))
    signs, places = difference_sizes(pair)
    assert signs.tolist() == [[1.0, 1.0, -1.0]]
    assert places.tolist() == [[3.0, 2.0, 1.0]]


def test_a_difference_of_a_few_last_bits_is_none():
    signs, sizes = difference_sizes(PairBlock(np.array([[1.8 * 0.3 + 32]]), np.array([[32 + 1.8 * 0.1 * 3]])))
    assert signs.tolist() == [[0.0]]
    assert np.isnan(sizes).all()


def test_one_difference_of_zero_is_enough_to_make_scipys_test_approximate():
    from scipy.stats import wilcoxon

    values = np.random.default_rng(9).random((2, 20))
    values[1, 3] = values[0, 3]
    assert signed_rank(scored(values)).pvalues[0, 1] == pytest.approx(wilcoxon(*values).pvalue, rel=1e-9)


def test_neighbouring_floats_are_the_same_score():
    x = np.array([[0.3, 5e-324, 1e300]])
    signs, _ = difference_sizes(PairBlock(x, np.nextafter(np.nextafter(x, 2e300), 2e300)))
    assert signs.tolist() == [[0.0, 0.0, 0.0]]


def excess_of(differences):
    """W+ minus W-, from exact differences: one rank after the other."""
    there = [each for each in differences if each != 0]
    sizes = sorted(map(abs, there))
    mean_rank = {size: sizes.index(size) + (sizes.count(size) + 1) / 2 for size in sizes}
    return sum(mean_rank[abs(each)] * (1 if each > 0 else -1) for each in there)


deep = arrays(np.int8, (3, 8, 30), elements=st.integers(0, 1))


@settings(max_examples=10, deadline=None)
@given(cells=deep, measure=st.sampled_from(["RBP(p=0.3)@30", "RBP(p=0.8)@30", "AP@30", "P@30", "RR@30", "ERR@30"]))
def test_differences_of_judged_runs_tie_where_their_fractions_do(cells, measure):
    counts = np.array([[60, 31 + topic] for topic in range(8)])
    judged = JudgedRuns(
        systems=tuple("abc"),
        topics=tuple("12345678"),
        cells=cells,
        lengths=np.full((3, 8), 30),
        grade_counts=counts,
    )
    found = signed_rank(md.parse(measure).scores(judged))
    exact = [
        [md.parse(measure).of(cells[system, topic].tolist(), recall_base=31 + topic) for topic in range(8)]
        for system in range(3)
    ]
    for one, other in combinations(range(3), 2):
        expected = excess_of([x - y for x, y in zip(exact[one], exact[other], strict=True)])
        assert found.differences[one, other] == expected


def deep_runs(*pairs):
    """Judged runs of two systems, 30 ranks, from the ranks of their relevant documents, topic by topic."""
    cells = np.zeros((2, len(pairs), 30), dtype=np.int8)
    for topic, ranks in enumerate(pairs):
        for system, relevant in enumerate(ranks):
            cells[system, topic, np.array(relevant, dtype=int) - 1] = 1
    topics = tuple(map(str, range(len(pairs))))
    counts = np.tile([60, 40], (len(pairs), 1))
    lengths = np.full((2, len(pairs)), 30)
    return JudgedRuns(systems=("a", "b"), topics=topics, cells=cells, lengths=lengths, grade_counts=counts)


def test_weights_of_deep_ranks_are_no_ties():
    """The last weights of RBP(p=0.3)@30 are near 5e-16: ten decimals would make ties and zeros of them."""
    judged = deep_runs(([1], [2]), ([1, 30], [2]), ([1], [2, 30]), ([1, 29], [1]), ([2], [1, 28]))
    p = Fraction(3, 10)
    weight = {rank: (1 - p) * p ** (rank - 1) for rank in range(1, 31)}
    step = weight[1] - weight[2]
    differences = [step, step + weight[30], step - weight[30], weight[29], -step - weight[28]]
    scores = md.parse("RBP(p=0.3)@30").scores(judged)
    assert signed_rank(scores).differences[0, 1] == excess_of(differences) == 5.0
    given = md.Scores(measure="given", values=scores.values, systems="ab", topics="12345")
    assert signed_rank(given).differences[0, 1] == 5.0


def test_differences_of_discounted_gain_tie_by_their_logarithms():
    """1/log2(3) + 1/log2(9) is 3/2 of 1/log2(3), whichever ranks the terms stand at."""
    judged = deep_runs(([3, 9], []), ([3, 9, 20], [20]), ([5, 25], [5, 25]), ([7], [4]), ([7, 12], [4, 12]))
    found = signed_rank(md.parse("DCG(b=2)@30").scores(judged))
    assert found.differences[0, 1] == 3.5 + 3.5 - 1.5 - 1.5
    assert found.statistic[0, 1] == pytest.approx(2 / np.sqrt((4 * 5 * 9 - 12 / 2) / 24))


def units_of(scores):
    return scores.exact.units_of(scores.values)


def test_scores_that_were_changed_do_without_exact_values():
    scores = md.parse("P@30").scores(deep_runs(([1, 2, 3], [1]), ([1], [2, 4])))
    assert units_of(scores) is not None
    assert units_of(evolve(scores, values=scores.values * 2)) is None
    assert pickle.loads(pickle.dumps(scores)).exact is None


def test_measures_without_exact_differences_do_without_exact_values():
    judged = deep_runs(([1, 2, 3], [1]), ([1], [2, 4]))
    assert md.parse("nDCG@30").scores(judged).exact is None
    assert as_measure(sum).scores(judged).exact is None


def test_lower_is_better_turns_exact_values_round():
    scores = md.parse("ESL").scores(deep_runs(([3], [1]), ([2], [5])))
    assert (units_of(scores.by_goodness()).sizes == -units_of(scores).sizes).all()


@pytest.mark.parametrize(
    ("measure", "ties", "known"),
    [
        ("AP", None, True),
        ("DCG", None, True),
        ("gm(AP)", None, True),
        ("nDCG", None, False),
        ("interval(AP@2)", None, False),
        ("AP", "expected", False),
        ("AP", "groups", False),
        ("ESL", None, False),
        ("ESLR", None, False),
        ("OIE", None, False),
        ("ESL", "trec", True),
        ("OIE", "trec", True),
    ],
)
def test_exact_values_are_known_of_the_scores_that_the_notes_do_not_name(measure, ties, known):
    run = md.read_run({"1": {"a": 2.0, "b": 1.0}}, name="s")
    scores = md.evaluate({"1": {"a": 1, "b": 0}}, [run], measure, ties=ties).scores(measure)
    assert (scores.exact is not None) == known


def test_exact_values_are_known_up_to_the_number_of_ranks_that_the_notes_name():
    [said] = re.findall(r"more than ([\d,]+) ranks in all", signed_rank.__doc__)
    assert int(said.replace(",", "")) == AT_HAND


def test_rows_with_different_ties_are_counted_apart():
    doubled = np.array([[2, 4, 6], [3, 3, 6], [0, 2, 4], [6, 4, 2]])
    sums = np.array([4, 3, 0, 12])
    assert signed_rank_tails(doubled, sums).tolist() == [3 / 8, 3 / 8, 1 / 4, 1.0]


def test_fifty_topics_without_ties_are_counted_to_the_last_way():
    doubled = np.arange(2, 102, 2)[None]
    assert signed_rank_tails(doubled, np.array([0])).item() == 2.0**-50
    assert signed_rank_tails(doubled, np.array([1274])).item() == pytest.approx(0.5, abs=0.01)


def test_halves_with_ties_are_counted():
    # the sums of two of the ranks 1, 2.5, 2.5, 4, doubled: 7, 7, 10, 10, 13, 13
    assert rank_sum_tails(np.array([[2, 5, 5, 8]] * 3), np.array([7, 10, 12])).tolist() == [2 / 6, 4 / 6, 4 / 6]


def test_no_rows_have_no_tails():
    assert rank_sum_tails(np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.int64)).tolist() == []


def scored_rank_variance(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P", values=values, systems=systems, topics=topics)


@pytest.mark.parametrize("levels", [3, 8, 10**9])
@pytest.mark.parametrize(("test", "in_scipy"), [(kruskal_wallis, "kruskal"), (friedman, "friedmanchisquare")])
def test_the_test_of_all_systems_is_scipys(test, in_scipy, levels):
    from scipy import stats

    values = np.random.default_rng(levels).integers(0, levels, (5, 14))
    found, expected = test(scored_rank_variance(values)), getattr(stats, in_scipy)(*values)
    assert found.details["chi2"] == pytest.approx(expected.statistic)
    assert found.details["p"] == pytest.approx(expected.pvalue)
    assert found.details["df"] == 4


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_pairs_are_compared_with_infinite_degrees_of_freedom(test):
    found = test(scored_rank_variance(np.random.default_rng(4).integers(0, 5, (5, 14))))
    assert found.pvalues == pytest.approx(studentized_range_tail(found.statistic, 5, np.inf))


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_two_systems_tied_on_every_topic_but_one_differ_by_that_one(test):
    found = test(scored_rank_variance([[0.5] * 9 + [0.6], [0.5] * 10]))
    assert found.differences[0, 1] > 0
    assert 0.3 < found.pvalues[0, 1] < 0.4  # one pair of normal ranks, one standard deviation apart: 0.317
    assert found.pvalues[0, 1] == pytest.approx(found.details["p"])


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_ties_everywhere_leave_no_variance_for_any_number_of_systems(test):
    for systems in range(2, 40):
        found = test(scored_rank_variance(np.full((systems, 7), 0.3)))
        assert (found.details["chi2"], found.details["p"]) == (0.0, 1.0)
        assert (found.pvalues == 1).all()
