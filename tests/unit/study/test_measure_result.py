"""What is said of two systems under a measure: who is ahead, whether it could be chance, what scales could change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand import compare
from measurand.judged import JudgedRuns
from measurand.measures import P
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import find_test
from measurand.study.claim import Claim, claim
from measurand.study.comparison import result_under
from measurand.study.comparison_settings import Settings
from measurand.study.levels_matrix import levels_matrix
from measurand.trec import read_run

NOTHING = float("nan")

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
TOP, SECOND = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}


def only_claim(measure, one, other):
    several = {"one": one, "other": other}
    systems = [read_run(dict(zip("123", runs, strict=True)), name=name) for name, runs in several.items()]
    return compare(QRELS, systems, measure).of(measure).claims[0]


def test_means_of_a_huge_collection_are_told_apart():
    measure = "OIE(beta=1.2, collection=1000000000000000)"
    found = only_claim(measure, [SECOND] * 3, [SECOND, SECOND, TOP])
    assert found.apart
    assert (found.ahead, found.behind) == ("other", "one")
    assert 0 < found.means[0] - found.means[1] < 1e-14
    assert "0.0000 " not in found.headline


def test_means_that_differ_by_rounding_are_one():
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floats
    scores = Scores(measure="P@10", values=[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], systems=("one", "other"), topics="123")
    means = scores.mean()
    assert means["one"] != means["other"]
    [found] = compare(judged([1, 2, 3], [3, 2, 1]), "P@10").of("P@10").claims
    assert not found.apart
    assert found.means[0] == found.means[1]


def judged(*found):
    """Return runs of ten documents, with so many relevant ones on each topic."""
    cells = np.array([[[1] * n + [0] * (10 - n) for n in topics] for topics in found], dtype=np.int8)
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(len(found))),
        topics=tuple("123"),
        cells=cells,
        lengths=np.full(cells.shape[:2], 10),
        grade_counts=np.full((3, 2), 10),
    )


def test_a_small_mean_that_two_share_is_shown():
    found = only_claim("OIE(beta=1.2, collection=100000000)", [SECOND] * 3, [SECOND] * 3)
    assert found.headline.startswith("one and other have the same mean, ")
    assert "e-0" in found.headline


TOPICS = ("1", "2", "3", "4")
SYSTEMS = ("a", "b")


def scores_of(values, scale: Scale = Scale.ORDINAL, *, one_scale: bool = True) -> Scores:
    topics = "12345678"[: len(values[0])]
    return Scores(measure="M", values=values, systems=SYSTEMS, topics=topics, scale=scale, one_scale=one_scale)


@pytest.fixture(scope="module")
def levels():
    """Return some levels of systems of these names: claims quote them, and ask nothing of them."""
    runs = [md.read_run({topic: {"x": 1.0} for topic in TOPICS}, name=name) for name in SYSTEMS]
    return levels_matrix(md.judge(runs, md.read_qrels({topic: {"x": 1} for topic in TOPICS})))


def under(scores, levels, settings):
    """Return the comparison under scores that no measure gave."""
    return result_under(levels.judged, P, scores, levels, settings)


@pytest.fixture
def said(levels):
    """Return a way to make the claim about two systems."""

    def of(
        scores: Scores, test: str = "sign", a: str = "a", b: str = "b", alpha: float = 0.05, adjust: str = "holm"
    ) -> Claim:
        return claim(under(scores, levels, Settings(test=test, alpha=alpha, adjust=adjust)), a, b)

    return of


HIGHER = [[0.9, 0.8, 0.7, 0.4], [0.5, 0.6, 0.1, 0.2]]
LONGER = [[0.9, 0.8, 0.7, 0.4, 0.5, 0.6, 0.7, 0.2], [0.5, 0.6, 0.1, 0.2, 0.3, 0.2, 0.6, 0.25]]
CROSSED = [[0.9, 0.9, 0.1, 0.1], [0.4, 0.4, 0.3, 0.3]]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_differences_are_the_first_minus_the_second_and_the_higher_mean_is_ahead(said, names):
    found = said(scores_of(LONGER), "t", *names)
    assert (found.system, found.against) == names
    assert (found.ahead, found.behind) == ("a", "b")
    assert found.better is (names[0] == "a")
    assert found.effect.mean_difference == pytest.approx(0.25625 if names[0] == "a" else -0.25625)
    assert found.headline.startswith(
        "a beats b: 0.6000 against 0.3438, +0.2562 (" if found.better else "b is beaten by a"
    )


def test_float_noise_puts_nobody_ahead(said):
    noisy = [[0, 0, 3 / 5, 0], [0, 1 / 5, 2 / 5, 0]]
    for names in (("a", "b"), ("b", "a")):
        found = said(scores_of(noisy, Scale.INTERVAL), "sign", *names)
        assert (found.ahead, found.behind) == names
        assert not found.apart
        assert found.kappa == 1
        assert found.headline == f"{names[0]} and {names[1]} have the same mean, 0.1500."
        assert "order" not in found.sentence


quarters = st.lists(st.lists(st.integers(0, 4).map(lambda n: n / 4), min_size=4, max_size=4), min_size=2, max_size=2)


@given(values=quarters, one_scale=st.booleans(), scale=st.sampled_from([Scale.ORDINAL, Scale.INTERVAL]))
@settings(max_examples=15, deadline=None)
def test_what_the_claim_says_is_what_meaning_and_the_margin_say(levels, values, one_scale, scale):
    scores = scores_of(values, scale, one_scale=one_scale)
    found = claim(under(scores, levels, Settings()), "a", "b")
    wanted = md.meaning.check(f"mean of {found.ahead} exceeds mean of {found.behind}", scores)
    assert found.meaning.answer == wanted.answer
    assert found.meaning.true == wanted.true == found.apart
    assert str(found.meaning.transformation) == str(wanted.transformation)
    if one_scale and scale is Scale.ORDINAL and found.apart:
        assert np.isinf(found.kappa) == (found.meaning.answer == "robust")
        assert ("scale-proof" in found.sentence) == np.isinf(found.kappa)
        assert ("scale-dependent: κ = " in found.sentence) == np.isfinite(found.kappa)


def test_on_an_interval_scale_the_order_of_means_is_meaningful(said):
    found = said(scores_of(CROSSED, Scale.INTERVAL), "t")
    # above 0.1 b has two topics more up to 0.3, above 0.4 a has two: P = 2 × 0.5, N = 2 × 0.2
    assert found.kappa == pytest.approx(2.5)
    assert found.sentence.endswith("The order of the means is meaningful on its interval scale (κ = 2.5).")


def test_the_interval_the_test_and_both_pvalues_stand_in_the_headline(said):
    scores = scores_of(LONGER, Scale.INTERVAL)
    found = said(scores, "t")
    effect = found.effect
    assert found.headline == (
        f"a beats b: 0.6000 against 0.3438, +0.2562 (95 % interval {effect.low:+.4f} to {effect.high:+.4f};"
        f" p = {found.pvalue:.4f}, paired t test)."
    )
    unsure = said(scores, "t", alpha=found.pvalue / 2)
    assert unsure.headline.startswith("a scores higher than b, which could be chance: ")
    assert str(unsure) == f"{unsure.headline} {unsure.sentence}"
    assert "95 % interval" not in said(scores, "wilcoxon").headline


def test_the_sign_test_stands_beside_and_disagreement_is_said(said):
    scores = scores_of(LONGER, Scale.INTERVAL)
    found = said(scores, "t")
    assert found.sign == find_test("sign")(scores).of("a", "b") == 0.0703125
    assert "a wins 7 topics, ties 0, loses 1 (p = 0.070, sign test)." in found.sentence
    told = "Taken alone, the two tests disagree: the paired t test is significant, the sign test is not."
    assert told in found.sentence
    assert "disagree" not in said(scores, "t", alpha=0.2).sentence
    assert "sign test)" not in said(scores, "sign").sentence


@pytest.mark.parametrize("test", ["sign", "friedman", "rank_sum", "kruskal_wallis"])
def test_the_headline_says_if_the_test_is_in_favour_of_the_lower_mean(said, test):
    scores = scores_of([[0.5, 0.5, 0.5, 0.0], [0.4, 0.3, 0.2, 0.9]])
    found = said(scores, test, alpha=0.99)
    assert (found.ahead, found.significant, found.contrary) == ("b", True, True)
    assert f"a is behind b, but the {found.test} favours a: " in found.headline
    assert not said(scores_of(HIGHER), test, alpha=0.99).contrary
    assert "favours" not in said(scores, test, alpha=1e-6).headline


def test_a_system_that_wins_more_topics_with_the_worse_mean_is_named(said):
    found = said(scores_of([[0.5, 0.5, 0.5, 0.0], [0.4, 0.3, 0.2, 0.9]]), "t")
    assert "a wins more topics, b has the better mean." in found.sentence


def test_all_that_speaks_against_the_headline_is_said_one_after_the_other(said):
    found = said(scores_of([[0.5, 0.5, 0.5, 0.0], [0.4, 0.3, 0.2, 0.9]]), "t", alpha=0.7)
    assert found.headline.startswith("a is behind b, which could be chance: ")
    assert found.sentence == (
        "a wins 3 topics, ties 0, loses 1 (p = 0.625, sign test). a wins more topics, b has the better mean."
        " Taken alone, the two tests disagree: the sign test is significant, the paired t test is not."
        " Both are level on every topic, under every measure (nDCG, AP, P, …), to rank 1."
        " The order of the means is scale-dependent: κ = 2.0."
    )


def test_equal_means_put_nobody_ahead_and_a_test_that_does_is_named(said):
    level = scores_of([[0.5, 0.5, 0.5, 0.0], [0.4, 0.4, 0.4, 0.3]])
    assert repr(said(level)) == "<Claim under M: a and b have the same mean>"
    assert said(level).headline == "a and b have the same mean, 0.3750."
    assert said(level, alpha=0.7).headline == (
        "a and b have the same mean, 0.3750, but the sign test favours a (p = 0.625, sign test)."
    )


def test_of_one_topic_the_one_that_is_ahead_comes_first(levels):
    nothing = [NOTHING] * 3
    result = under(scores_of([[0.2, *nothing], [0.7, *nothing]]), levels, Settings())
    assert [pair[:2] for pair in result.pairs] == [("b", "a")]
    assert result.sign.statistic[0, 1] < 0


def test_means_have_as_many_digits_as_tell_them_apart(said):
    close = [[0.5, 0.5, 0.5, 0.50004], [0.5, 0.5, 0.5, 0.5]]
    assert ": 0.50001 against 0.50000, " in said(scores_of(close)).headline


def test_a_strict_claim_quotes_what_the_scale_admits_and_no_mean(levels):
    result = under(scores_of(HIGHER), levels, Settings(strict=True))
    [found] = result.claims
    assert (found.test, found.statistic) == ("sign test", "median")
    assert found.headline == (
        "a is ahead of b by the sign test, which could be chance: median 0.7500 against 0.3500 (p = 0.125, sign test)."
    )
    assert "mean" not in str(found)
    assert not {"means", "difference", "low", "kappa", "scale", "meaning"} & set(found.to_dict())
    assert claim(result, "b", "a").headline == found.headline


def test_a_strict_claim_says_that_the_winner_by_topics_has_the_worse_median(levels):
    # 0.3 and 0.31 in the middle against 0.2 and 0.8
    scores = scores_of([[0.3, 0.3, 0.31, 0.9], [0.2, 0.8, 0.2, 0.89]])
    [found] = under(scores, levels, Settings(strict=True)).claims
    assert "although its median is worse: median 0.3050 against 0.5000" in found.headline


def test_where_topics_were_left_out_the_difference_is_said_to_be_on_those_that_both_have(said):
    found = said(scores_of([[0.5, 1.0, NOTHING, 1.0], [1.0, NOTHING, 0.5, NOTHING]]), "t")
    assert found.headline.startswith(
        "a scores higher than b, which could be chance: 0.8333 against 0.7500, -0.5000 on the 1 topic that both have ("
    )


def test_systems_without_a_common_topic_have_no_difference(said):
    found = said(scores_of([[0.5, 1.0, NOTHING, NOTHING], [NOTHING, NOTHING, 0.5, 1.0]]), "t")
    assert found.headline == "a and b have no topic in common."
    assert "scale-proof" not in str(found)
    assert repr(found) == "<Claim under M: a and b have no topic in common>"
