""""""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand import compare
from measurand.judged import JudgedRuns
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import effects, find_test
from measurand.study.dominance import dominance_matrix
from measurand.study.measure_result import Claim, claim
from measurand.trec import read_run

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
    assert "e-0" in found.headline
    assert "both" in found.headline


TOPICS = ("1", "2", "3", "4")
SYSTEMS = ("a", "b")


def scores_of(values, scale: Scale = Scale.ORDINAL, *, one_scale: bool = True) -> Scores:
    return Scores(measure="M", values=values, systems=SYSTEMS, topics=TOPICS, scale=scale, one_scale=one_scale)


@pytest.fixture(scope="module")
def dominance():
    """Return some dominance of systems of these names: claims quote it, and ask nothing of it."""
    runs = [md.read_run({topic: {"x": 1.0} for topic in TOPICS}, name=name) for name in SYSTEMS]
    return dominance_matrix(md.judge(runs, md.read_qrels({topic: {"x": 1} for topic in TOPICS})))


@pytest.fixture
def said(dominance):
    """Return a way to make the claim about two systems."""

    def of(
        scores: Scores, test: str = "sign", a: str = "a", b: str = "b", alpha: float = 0.05, adjust: str = "holm"
    ) -> Claim:
        pairs = find_test(test)(scores).adjust(adjust)
        return claim(scores, effects(scores).of, pairs, dominance, a, b, alpha)

    return of


HIGHER = [[0.9, 0.8, 0.7, 0.4], [0.5, 0.6, 0.1, 0.2]]
CROSSED = [[0.9, 0.9, 0.1, 0.1], [0.4, 0.4, 0.3, 0.3]]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_the_system_with_the_higher_mean_is_ahead_whoever_is_named_first(said, names):
    found = said(scores_of(HIGHER), "sign", *names)
    assert (found.ahead, found.behind) == ("a", "b")
    assert found.means == pytest.approx((0.7, 0.35))
    assert found.effect.mean_difference > 0
    assert found.apart


def test_float_noise_puts_nobody_ahead(said):
    noisy = [[0, 0, 3 / 5, 0], [0, 1 / 5, 2 / 5, 0]]
    for names in (("a", "b"), ("b", "a")):
        found = said(scores_of(noisy, Scale.INTERVAL), "sign", *names)
        assert (found.ahead, found.behind) == names
        assert not found.apart
        assert "both" in found.headline


quarters = st.lists(st.lists(st.integers(0, 4).map(lambda n: n / 4), min_size=4, max_size=4), min_size=2, max_size=2)


@given(values=quarters, one_scale=st.booleans(), scale=st.sampled_from([Scale.ORDINAL, Scale.INTERVAL]))
@settings(max_examples=30, deadline=None)
def test_what_the_claim_says_is_what_meaning_says(dominance, values, one_scale, scale):
    scores = scores_of(values, scale, one_scale=one_scale)
    pairs = find_test("t")(scores)
    found = claim(scores, effects(scores).of, pairs, dominance, "a", "b", 0.05)
    wanted = md.meaning.check(f"mean of {found.ahead} exceeds mean of {found.behind}", scores)
    assert found.meaning.answer == wanted.answer
    assert found.meaning.true == wanted.true == found.apart
    assert str(found.meaning.transformation) == str(wanted.transformation)
    assert found.means[0] >= found.means[1] - 1e-12
    if pairs.needs.met_by(scores):
        assert found.decision is None
    else:
        decided = md.meaning.check("a and b differ significantly by t at 0.05", scores)
        assert found.decision is not None
        assert found.decision.answer == decided.answer


def test_a_robust_claim_says_why(said):
    found = said(scores_of(HIGHER))
    assert found.meaning.answer == "robust"
    assert found.sentence == (
        "No rescaling that an ordinal scale permits changes it: above every score a has at least as many topics as b."
    )


def test_on_an_interval_scale_it_goes_without_saying(said):
    found = said(scores_of(CROSSED, Scale.INTERVAL), "t")
    assert found.sentence == "No rescaling that an interval scale permits changes it."
    assert found.decision is None


def test_a_fragile_claim_shows_what_flips_it(said):
    found = said(scores_of(CROSSED))
    assert found.meaning.answer == "fragile"
    assert found.sentence.startswith(f"What flips it: {found.meaning.transformation}, which an ordinal scale permits.")
    after = found.meaning.after
    assert after[0] <= after[1]
    assert f"The means become {after[0]:.4f} and {after[1]:.4f}." in found.sentence


def test_scales_of_their_own_on_every_topic_are_more_fragile_and_that_is_said(said):
    # above every score a has at least as many topics, but on the last topic it is behind
    values = [[0.9, 0.8, 0.7, 0.1], [0.1, 0.5, 0.1, 0.2]]
    shared, own = said(scores_of(values)), said(scores_of(values, one_scale=False))
    assert (shared.meaning.answer, own.meaning.answer) == ("robust", "fragile")
    assert "which an ordinal scale on every topic permits" in own.sentence
    assert "If all topics shared one scale, it would be robust." in own.sentence


def test_where_all_topics_share_a_scale_the_other_reading_is_not_mentioned(said):
    assert "If all topics" not in said(scores_of(HIGHER)).sentence


def test_what_a_test_decides_on_too_weak_a_scale_is_checked_too(said):
    found = said(scores_of(CROSSED), "t")
    assert found.decision is not None
    assert f"Before correction, what the paired t test says (p = {found.decision.before[0]:.3g}) is" in found.sentence
    assert "uncorrected" not in said(scores_of(CROSSED), "t", adjust="none").sentence
    assert said(scores_of(CROSSED), "sign").decision is None


def test_the_headline_says_who_by_how_much_and_whether_that_is_significant(said):
    scores = scores_of(HIGHER, Scale.INTERVAL)
    p = find_test("t")(scores).of("a", "b")
    assert said(scores, "t").headline == f"a over b: mean 0.7000 against 0.3500; significant, p = {p:.3g}"
    strictly = said(scores, "t", alpha=p / 2)
    assert strictly.headline == f"a over b: mean 0.7000 against 0.3500; not significant, p = {p:.3g}"
    assert str(strictly) == f"{strictly.headline}. {strictly.sentence}"


@pytest.mark.parametrize("test", ["sign", "friedman", "rank_sum", "kruskal_wallis"])
def test_the_headline_says_if_the_test_is_in_favour_of_the_lower_mean(said, test):
    scores = scores_of([[0.5, 0.5, 0.5, 0.0], [0.4, 0.3, 0.2, 0.9]])
    found = said(scores, test, alpha=0.99)
    assert (found.ahead, found.significant, found.contrary) == ("b", True, True)
    assert found.headline.endswith(", but in favour of a")
    assert not said(scores_of(HIGHER), test, alpha=0.99).contrary
    assert "favour" not in said(scores, test, alpha=1e-6).headline


def test_means_have_as_many_digits_as_tell_them_apart(said):
    close = [[0.5, 0.5, 0.5, 0.50004], [0.5, 0.5, 0.5, 0.5]]
    assert "mean 0.50001 against 0.50000;" in said(scores_of(close)).headline
