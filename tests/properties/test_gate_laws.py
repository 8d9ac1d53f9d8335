"""Laws of the gate: identical runs pass, a wider limit never fails what passed, and a second reckoning agrees."""

from __future__ import annotations

from fractions import Fraction
from math import prod, sqrt
from statistics import median

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import measurand as md
from measurand.exact import rational
from measurand.study.gate_measure import MeasureGate, Method, Outcome, with_holm

scores = st.integers(0, 20).map(lambda whole: whole / 20)
limits = st.integers(0, 40).map(lambda whole: Fraction(whole, 100))
alphas = st.sampled_from([0.01, 0.05, 0.1, 0.3])


@st.composite
def two_runs(draw, least: int = 1, most: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Scores of baseline and candidate, with ties; sometimes the one is the other moved by a constant."""
    n = draw(st.integers(least, most))
    old = np.array(draw(st.lists(scores, min_size=n, max_size=n)))
    if draw(st.booleans()):
        return old, old + draw(st.sampled_from([-0.5, -0.01, 0.0, 0.01, 0.5]))
    return old, np.array(draw(st.lists(scores, min_size=n, max_size=n)))


def found(old, new, max_drop=Fraction(1, 100), *, broken=Fraction(3, 10), alpha=0.05, lower=False, **more):
    more.setdefault("largest_change", 1.0)
    return MeasureGate(
        measure="M",
        topics=tuple(map(str, range(len(old)))),
        baseline=np.array(old, dtype=float),
        candidate=np.array(new, dtype=float),
        lower_is_better=lower,
        max_drop=rational(max_drop),
        broken_drop=rational(broken),
        alpha=alpha,
        **more,
    )


@given(old=st.lists(scores, min_size=1, max_size=12), max_drop=limits, alpha=alphas, on_drop=st.booleans())
def test_identical_scores_pass_whatever_is_allowed(old, max_drop, alpha, on_drop):
    result = found(old, old, max_drop, alpha=alpha, fail_on_drop=on_drop)
    assert (result.outcome, result.method, result.broken) == (Outcome.PASS, Method.IDENTITY, ())
    low, high = result.interval
    assert low < 0 < high


@given(runs=two_runs(), max_drop=limits, more=limits, alpha=alphas)
def test_allowing_more_never_turns_a_pass_into_anything_else_nor_makes_a_failure(runs, max_drop, more, alpha):
    before, after = (found(*runs, limit, alpha=alpha).outcome for limit in (max_drop, max_drop + more))
    assert (before, after) in {
        (Outcome.PASS, Outcome.PASS),
        (Outcome.UNDECIDED, Outcome.PASS),
        (Outcome.UNDECIDED, Outcome.UNDECIDED),
        (Outcome.FAIL, Outcome.PASS),
        (Outcome.FAIL, Outcome.UNDECIDED),
        (Outcome.FAIL, Outcome.FAIL),
    }


@given(runs=two_runs(), max_drop=limits, alpha=alphas)
def test_nothing_is_within_the_limit_and_beyond_it(runs, max_drop, alpha):
    result = found(*runs, max_drop, alpha=alpha)
    assert not (result.within and result.fell_too_far)


@given(runs=two_runs(), max_drop=limits)
def test_a_drop_beyond_the_limit_is_a_drop(runs, max_drop):
    result = found(*runs, max_drop)
    assert not result.fell_too_far or result.fell


@given(runs=two_runs(), max_drop=limits, broken=limits, on_drop=st.booleans())
def test_costs_are_judged_as_the_same_values_turned_round(runs, max_drop, broken, on_drop):
    old, new = runs
    plain = found(old, new, max_drop, broken=broken, fail_on_drop=on_drop)
    cost = found(0.0 - old, 0.0 - new, max_drop, broken=broken, fail_on_drop=on_drop, lower=True)
    assert (plain.outcome, plain.interval, plain.p) == (cost.outcome, cost.interval, cost.p)
    assert (plain.won_tied_lost, plain.difference) == (cost.won_tied_lost, cost.difference)
    assert [(each.topic, each.change) for each in plain.broken] == [(each.topic, each.change) for each in cost.broken]
    assert len(plain.improved) == len(cost.improved)


@given(runs=two_runs(), max_drop=limits, broken=limits)
def test_whoever_swaps_the_two_turns_interval_and_counts_round(runs, max_drop, broken):
    forth, back = found(*runs, max_drop, broken=broken), found(*runs[::-1], max_drop, broken=broken)
    assert forth.interval == pytest.approx((-back.interval[1], -back.interval[0]))
    assert forth.won_tied_lost == back.won_tied_lost[::-1]
    assert (len(forth.broken), len(forth.improved)) == (len(back.improved), len(back.broken))


@st.composite
def scattered(draw) -> tuple[np.ndarray, np.ndarray]:
    """Scores that differ on most topics, so that the t interval is believed."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(15, 60))
    return rng.uniform(0.2, 0.6, n), rng.uniform(0, 1, n)


@given(runs=scattered(), max_drop=limits, alpha=alphas)
def test_interval_and_p_values_are_those_of_scipy(runs, max_drop, alpha):
    old, new = runs
    differences = new - old
    result = found(old, new, max_drop, alpha=alpha)
    assert result.method is Method.T
    theirs = stats.ttest_1samp(differences, -float(max_drop), alternative="less")
    least = 0.5 ** len(old)
    assert result.p == pytest.approx(max(least, theirs.pvalue))
    assert result.p_drop == pytest.approx(max(least, stats.ttest_1samp(differences, 0, alternative="less").pvalue))
    low, high = stats.ttest_1samp(differences, 0).confidence_interval(1 - 2 * alpha)
    assert result.interval == pytest.approx((low, high))


def reckoned(old, new, max_drop, alpha):
    """Return pass, fail or undecided of one measure, from the definition, with sums of its own; 1 is the range."""
    differences = [float(b) - float(a) for a, b in zip(old, new, strict=True)]
    if all(each == 0 for each in differences):
        return "pass"
    n = len(differences)
    mean = sum(differences) / n
    spread = sqrt(sum((each - mean) ** 2 for each in differences) / max(1, n - 1))
    apart = [abs(each - median(differences)) for each in differences]
    carriers = sum(apart) ** 2 / max(1e-300, sum(each**2 for each in apart))
    wanted = 50 if n > 150 else n / 3 if n > 24 else 8
    if carriers >= wanted - 1e-9 and 2 * spread / sqrt(n) >= 1 / n and 0.5**n < alpha:
        reach = stats.t.ppf(1 - alpha, n - 1) * spread / sqrt(n)
        low, high = mean - reach, mean + reach
    else:
        most = 1 / 0.95
        # the mean at which a bet of 95 % on every topic has won 1 / alpha
        low = max(-1, (alpha * prod(most + each for each in differences)) ** (1 / n) - most)
        high = min(1, most - (alpha * prod(most - each for each in differences)) ** (1 / n))
    if low >= -float(max_drop) - 1e-12:
        return "pass"
    return "fail" if high < -float(max_drop) - 1e-12 else "undecided"


@given(runs=two_runs(), max_drop=limits, alpha=alphas)
def test_one_measure_is_decided_as_by_the_definition(runs, max_drop, alpha):
    assert found(*runs, max_drop, alpha=alpha).outcome == reckoned(*runs, max_drop, alpha)


@given(campaign=st.lists(two_runs(least=2), min_size=1, max_size=5), max_drop=limits, alpha=alphas)
def test_holm_fails_the_measures_that_his_steps_reject(campaign, max_drop, alpha):
    several = with_holm(found(*runs, max_drop, alpha=alpha) for runs in campaign)
    # from the smallest p-value on, each against alpha by the number of those left, until one is not below it
    rejected = set()
    order = sorted(range(len(several)), key=lambda place: several[place].p)
    for step, place in enumerate(order):
        if several[place].p * (len(several) - step) >= alpha:
            break
        rejected.add(place)
    assert {place for place, each in enumerate(several) if each.fell_too_far} == rejected
    assert all(reckoned(*campaign[place], max_drop, alpha) == "fail" for place in rejected)


@given(runs=two_runs(), broken=limits)
def test_broken_are_the_topics_that_drop_by_strictly_more(runs, broken):
    old, new = (np.round(each * 100).astype(int) for each in runs)
    result = found(*runs, broken=broken)
    assert {int(each.topic) for each in result.broken} == set(np.flatnonzero(old - new > int(broken * 100)).tolist())
    drops = [each.drop for each in result.broken]
    assert drops == sorted(drops, reverse=True)


GRADES = {str(t): {f"d{t}{r}": 1 for r in range(3)} for t in range(6)}


@st.composite
def runs_of_documents(draw) -> dict[str, dict[str, float]]:
    """A run on some of the topics, of relevant and other documents."""
    run = {}
    for topic, judged in GRADES.items():
        if draw(st.integers(0, 5)):
            ranked = draw(st.permutations([*judged, "x", "y"]))
            run[topic] = {document: 9.0 - rank for rank, document in enumerate(ranked)}
    assume(run)
    return run


@given(old=runs_of_documents(), new=runs_of_documents(), measure=st.sampled_from(["P@2", "AP", "RR", "nDCG@3", "ESL"]))
def test_a_campaign_is_decided_as_its_scores_are_by_the_definition(old, new, measure):
    table = md.evaluate(GRADES, {"old": old, "new": new}, measure)
    values = table[measure].goodness
    # of search lengths, which have no range, it is said that they change by 1 at most
    largest = {"ESL": 1} if measure == "ESL" and np.ptp(values, axis=0).max() <= 1 else None
    assume(largest or measure != "ESL")
    result = md.gate(GRADES, old, new, measure, max_drop=0.25, largest_change=largest)
    assert result.outcome == reckoned(values[0], values[1], 0.25, 0.05)
    one = result.of(measure)
    assert (one.difference, one.topics) == (pytest.approx((values[1] - values[0]).mean()), table.topics)


@given(runs=scattered(), max_drop=limits)
def test_on_so_many_topics_a_harmless_change_passes_four_times_of_five(runs, max_drop):
    result = found(*runs, max_drop)
    needed = result.topics_if_unchanged
    assume(needed is not None and 3 < needed < 10_000)
    assert isinstance(needed, int)

    def passes(n):
        # P(mean - t s / √n ≥ -max_drop) for a true difference of 0: a noncentral t distribution
        shift = float(max_drop) / result.spread * sqrt(n)
        return stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, shift)

    assert passes(needed) >= 0.8 - 1e-4
    assert passes(needed - 1) < 0.8 + 1e-4


@given(runs=two_runs())
def test_one_topic_that_differs_says_nothing(runs):
    old, new = runs[0][:1], runs[1][:1]
    assume(old[0] != new[0])
    result = found(old, new)
    assert result.outcome is Outcome.UNDECIDED
    assert result.interval[0] < -0.01 < result.interval[1]
    assert (result.topics_if_unchanged, result.decidable_drop) == (None, None)


@pytest.mark.parametrize("lower", [False, True])
def test_exact_values_tell_a_drop_from_the_limit_where_floats_cannot(lower):
    hair = Fraction(1, 10**15)
    for more, broken in ((hair, ["0"]), (-hair, []), (Fraction(0), [])):
        worse = Fraction(3, 10) + more
        old, new = (Fraction(0), worse) if lower else (worse, Fraction(0))
        kept = {"lower": lower, "exactly": lambda pair=(old, new): [pair]}
        assert [each.topic for each in found([float(old)], [float(new)], **kept).broken] == broken
        assert [
            each.topic
            for each in found([float(new)], [float(old)], lower=lower, exactly=lambda p=(new, old): [p]).improved
        ] == broken


def test_a_drop_that_is_the_limit_but_for_rounding_passes():
    assert 0.7 - 0.8 < -0.1
    here = {"on_these_topics": True}
    assert found([0.8] * 5, [0.7] * 5, Fraction(1, 10), **here).outcome is Outcome.PASS
    assert found([0.8] * 5, [0.7] * 5, Fraction(999, 10_000), **here).outcome is Outcome.FAIL
