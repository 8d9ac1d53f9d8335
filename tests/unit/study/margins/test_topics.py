"""The margin of topics: the fewest topics whose removal overturns a conclusion."""

from __future__ import annotations

from itertools import combinations
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from measurand.judged import JudgedRuns
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.topics import topics_margin

DEPTH = 8


def judged_runs(hits) -> JudgedRuns:
    """Return judged runs with so many relevant documents at the top, systems × topics."""
    cells = (np.arange(DEPTH) < np.array(hits)[:, :, None]).astype(np.int8)
    systems, topics = cells.shape[:2]
    return JudgedRuns(
        systems=tuple(f"s{place}" for place in range(systems)),
        topics=tuple(f"t{place}" for place in range(topics)),
        cells=cells,
        lengths=np.full((systems, topics), DEPTH),
        grade_counts=np.tile([50, 20], (topics, 1)),
    )


def margin(hits, measure="P@8", **claim):
    return topics_margin(compared_pair(judged_runs(hits), measure, "s0", "s1", **claim))


def untrue(differences, claim: str, test: str, alpha: float) -> bool:
    """Return whether a claim is untrue of some differences, from the definitions."""
    if np.mean(differences) <= 1e-12:
        return True
    if claim == "order":
        return False
    if test == "sign":
        won, lost = int((differences > 0).sum()), int((differences < 0).sum())
        return len(differences) < 2 or (won + lost > 0 and stats.binomtest(won, won + lost).pvalue > alpha)
    # no flip of signs reaches a p below 2 · 2^−k on k topics that differ
    if len(differences) < 2 or 2 * 0.5 ** int((np.abs(differences) > 1e-12).sum()) > alpha:
        return True
    spread = np.std(differences, ddof=1)
    if spread < 1e-12:
        return False
    return 2 * stats.t.sf(np.mean(differences) / spread * np.sqrt(len(differences)), len(differences) - 1) > alpha


def fewest(differences, *claim) -> float:
    """Return the size of the smallest set of topics whose removal makes a claim untrue, from all sets."""
    topics = range(len(differences))
    for number in range(len(differences)):
        if any(untrue(np.delete(differences, gone), *claim) for gone in combinations(topics, number)):
            return number
    return inf


def two_systems(largest: int):
    """Return a strategy of two systems with so many relevant documents by topic, the first ahead by design."""
    one = st.tuples(st.integers(0, DEPTH), st.integers(0, DEPTH))
    ahead = st.integers(1, DEPTH).flatmap(lambda top: st.tuples(st.just(top), st.integers(0, top)))
    return st.lists(st.one_of(one, ahead), min_size=1, max_size=largest).map(
        lambda topics: [list(each) for each in zip(*topics, strict=True)]
    )


@given(hits=two_systems(8), measure=st.sampled_from(["P@8", "DCG@8"]))
def test_no_smaller_set_of_topics_overturns_the_order(hits, measure):
    found = margin(hits, measure)
    assert found.how is How.EXACT
    assert found.value == fewest(compared_pair(judged_runs(hits), measure, "s0", "s1").differences, "order", "", 0)


@given(
    hits=two_systems(8),
    measure=st.sampled_from(["P@8", "DCG@8"]),
    test=st.sampled_from(["t", "sign"]),
    # five topics won and none lost have p = 0.0625 by the sign test
    alpha=st.sampled_from([0.05, 0.0625, 0.21, 0.47]),
)
def test_no_smaller_set_of_topics_overturns_significance(hits, measure, test, alpha):
    found = margin(hits, measure, claim="significant", test=test, alpha=alpha)
    differences = compared_pair(judged_runs(hits), measure, "s0", "s1").differences
    assert found.how is How.EXACT
    assert found.value == fewest(differences, "significant", test, alpha)


@given(hits=two_systems(7), test=st.sampled_from(["t", "sign", "wilcoxon", "anova"]))
def test_the_topics_that_are_named_overturn_the_conclusion_when_they_are_dropped(hits, test):
    pair = compared_pair(judged_runs(hits), "P@8", "s0", "s1", claim="significant", test=test, alpha=0.3)
    found = topics_margin(pair)
    assert len(found.certificate) == found.value
    assert set(found.certificate) <= set(pair.topics)
    assert pair.overturned(found.certificate.apply(pair.goodness))


def test_a_system_that_wins_every_topic_stays_ahead_whatever_is_dropped():
    found = margin([[3, 4, 5], [2, 2, 2]])
    assert (found.value, found.proof, found.certificate) == (inf, True, None)
    assert str(found) == "no removal of topics changes it: every one of 3 topics is won"


def test_a_tied_topic_alone_makes_the_means_level():
    found = margin([[3, 4, 5], [2, 2, 5]])
    assert (found.value, found.certificate.topics) == (2, ("t1", "t0"))


def test_the_largest_differences_are_not_always_those_that_overturn_a_t_test():
    # one large win makes the differences wide: without it, t rises
    hits = [[8, 3, 3, 3, 3, 3, 4, 4], [0, 1, 1, 1, 1, 1, 2, 3]]
    found = margin(hits, claim="significant")
    assert "t0" not in found.certificate.topics
    assert str(found) == f"fails if {found.value} of 8 topics are dropped"


def test_a_test_that_is_searched_says_that_fewer_topics_may_be_enough():
    found = margin([[6] * 9, [1, 2, 3, 4, 5, 1, 2, 3, 4]], claim="significant", test="wilcoxon")
    assert (found.how, found.at_least) == (How.AT_MOST, 1)
    assert str(found).endswith("fewer may be enough")


@pytest.mark.parametrize("claim", ["order", "significant"])
def test_what_does_not_hold_needs_no_topic_dropped(claim):
    found = margin([[3, 4], [3, 4]], claim=claim)
    assert (found.value, len(found.certificate), str(found)) == (0, 0, "it does not hold as it is")


def test_the_margin_is_data_for_programs():
    assert margin([[3, 4, 5], [2, 2, 5]]).to_dict() == {
        "value": 2,
        "at_least": 2,
        "how": "exact",
        "proof": False,
        "sentence": "fails if 2 of 3 topics are dropped",
        "topics": 3,
        "dropped": ["t1", "t0"],
    }
