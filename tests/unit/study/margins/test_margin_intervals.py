"""Intervals of margins over topics drawn anew."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.study.margins.intervals import against, dropped, scale_interval, topics_interval
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.rescaling import scale_margin


def campaign(a, b) -> JudgedRuns:
    """Return two systems that have these runs, one a topic."""
    cells = np.array([a, b], dtype=np.int8)
    return JudgedRuns(
        systems=("A", "B"),
        topics=tuple(str(topic) for topic in range(len(a))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=np.full((len(a), 2), 9),
    )


def some_pair(seed: int = 0, topics: int = 20):
    rng = np.random.default_rng(seed)
    return compared_pair(campaign(*(rng.random((topics, 6)) < share for share in (0.5, 0.3))), "AP", "A", "B")


eighths = st.lists(st.integers(0, 8), min_size=4, max_size=4)


@given(a=eighths, b=eighths)
def test_what_speaks_against_a_system_is_one_over_one_plus_kappa(a, b):
    gaps = np.full(8, 1 / 8)
    found = float(against(np.array([[a], [b]]), gaps)[0])
    more = [sum(x >= v for x in a) - sum(x >= v for x in b) for v in range(1, 9)]
    down, both = sum(max(-each, 0) for each in more), sum(map(abs, more))
    assert found == pytest.approx(float(Fraction(down, both)) if both else 0.5)
    assert found + float(against(np.array([[b], [a]]), gaps)[0]) == pytest.approx(1)


@given(d=st.lists(st.integers(-4, 4), min_size=1, max_size=7))
def test_topics_are_dropped_largest_first_until_the_mean_is_level(d):
    share = float(dropped(np.array([d], dtype=float), 0.0)[0])
    left = sorted(d)
    while sum(left) > 0:
        left.pop()
    assert share == (len(d) - len(left)) / len(d)


def test_the_intervals_hold_what_the_topics_at_hand_say():
    pair = some_pair()
    found, share = scale_interval(pair), topics_interval(pair)
    epsilon = 1 / (1 + float(scale_margin(pair).value))
    assert found.low <= epsilon <= found.high
    assert share.low <= float(dropped(pair.differences[None, :], 0.0)[0]) <= share.high
    assert (found.draws, found.level) == (2000, 0.95)
    assert scale_interval(pair, level=0.5).high < found.high
    assert scale_interval(pair, rng=1).to_dict() != found.to_dict() == scale_interval(pair).to_dict()


def test_a_pair_that_may_be_turned_round_says_so():
    a, b = [[1, 0, 0]] * 4 + [[0, 1, 0]] * 4, [[0, 1, 0]] * 5 + [[1, 0, 0]] * 3
    found = scale_interval(compared_pair(campaign(a, b), "RR", "A", "B"))
    assert found.high > 0.5
    assert found.sentence.endswith("so that it may be behind")


def test_where_no_topic_is_lost_the_share_of_topics_lost_is_bounded():
    pair = compared_pair(campaign([[1, 0]] * 50, [[0, 1]] * 49 + [[1, 0]]), "RR", "A", "B")
    for found in (scale_interval(pair), topics_interval(pair)):
        assert (found.of, found.low, found.draws) == ("share of topics lost", 0.0, 0)
        assert found.high == pytest.approx(1 - 0.05 ** (1 / 50))


def test_no_draws_are_refused():
    with pytest.raises(ParameterError, match="draws"):
        scale_interval(some_pair(), draws=0)
