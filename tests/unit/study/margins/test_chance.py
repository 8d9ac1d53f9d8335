"""The margin of chance: the test, the interval, and what could have been seen."""

from __future__ import annotations

from math import inf, isinf

import numpy as np
import pytest
from scipy import stats

from measurand.judged import JudgedRuns
from measurand.statistics import power
from measurand.study.margins.chance import chance_margin
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair

HITS = [[6, 5, 4, 7, 3, 6, 2, 5], [4, 4, 4, 3, 3, 5, 3, 2]]


def chance(hits, **options):
    """Return the margin of two systems with so many relevant documents at the top, the one with fewer named first."""
    topics = len(hits[0])
    judged = JudgedRuns(
        systems=("s0", "s1"),
        topics=tuple(map(str, range(topics))),
        cells=(np.arange(8) < np.array(hits)[:, :, None]).astype(np.int8),
        lengths=np.full((2, topics), 8),
        grade_counts=np.tile([50, 20], (topics, 1)),
    )
    return chance_margin(compared_pair(judged, "P@8", "s1", "s0", **options))


def test_the_numbers_are_those_of_the_statistics():
    found, (a, b) = chance(HITS), HITS
    expected = stats.ttest_rel(a, b)
    interval = expected.confidence_interval(0.95)
    assert found.value == found.p == pytest.approx(expected.pvalue)
    assert (8 * found.low, 8 * found.high) == pytest.approx((interval.low, interval.high))
    assert found.sign_p == pytest.approx(stats.binomtest(5, 6).pvalue)
    assert str(found) == f"p = {expected.pvalue:.3f} (paired t test, 8 topics)"


def test_what_is_needed_and_what_is_detectable_have_the_power_that_is_promised():
    a, b = hits = [[5, 3, 6, 2, 4, 7, 1, 5], [3, 4, 2, 1, 5, 2, 2, 3]]  # they differ on every topic
    found = chance(hits)
    spread = stats.tstd([(x - y) / 8 for x, y in zip(a, b, strict=True)])
    assert power(found.detectable, spread, 8) == pytest.approx(0.8)
    assert (
        power(found.difference, spread, found.topics_needed - 1)
        < 0.8
        <= power(found.difference, spread, found.topics_needed)
    )


def test_the_test_of_the_pair_is_the_one_that_is_named():
    found = chance(HITS, test="wilcoxon")
    assert (found.test, str(found)) == ("signed_rank", f"p = {found.p:.3f} (signed rank test, 8 topics)")


def test_random_draws_are_said_to_be_such():
    found = chance(HITS, test="bootstrap")
    assert found.how is How.FOUND
    assert str(found).endswith("(paired bootstrap test, 8 topics, 10,000 draws)")


def test_one_topic_tests_nothing():
    found = chance([[3], [2]])
    assert (found.value, found.p, found.how, found.difference) == (None, 1.0, How.NONE, 0.125)
    assert (found.high, str(found)) == (inf, "on 1 topic nothing can be tested")


def test_systems_that_are_level_need_no_number_of_topics():
    found = chance([[3, 4], [4, 3]])
    assert (found.topics_needed, found.p, found.difference) == (None, 1.0, 0.0)


def test_data_for_programs_hold_no_infinite_numbers():
    assert chance([[3], [2]]).to_dict()["high"] is None
    assert not any(isinstance(each, float) and isinf(each) for each in chance(HITS).to_dict().values())
