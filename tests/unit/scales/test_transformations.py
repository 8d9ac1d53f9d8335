"""Transformations: strictly increasing where they say so, printable, callable on arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.admissibility import permissible
from measurand.scales.meaning import Affine, Increasing, PerTopic, Power, Relabelling, survives
from measurand.scales.transformations import keeps_order, strictly
from measurand.scales.weighted_sums import candidate_rescalings, random_rescalings

SCORES = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=10).map(np.array)


@given(scores=SCORES, one_scale=st.booleans(), seed=st.integers(0, 99))
def test_random_and_telling_rescalings_keep_every_order(scores, one_scale, seed):
    scores, topics = scores / 6, ("1", "2", "3")
    for scale in (Scale.ORDINAL, Scale.INTERVAL, Scale.RATIO):
        some = list(random_rescalings(scores, topics, scale, one_scale=one_scale, many=3, rng=seed))
        some += candidate_rescalings(scores, topics, scale, scores[:2], one_scale=one_scale)
        assert all(keeps_order(rescaling, scores, one_scale=one_scale) for rescaling in some)


@given(scores=SCORES, seed=st.integers(0, 99))
def test_a_random_relabelling_is_one_to_one(scores, seed):
    for rescaling in random_rescalings(scores * 1.0, ("1", "2", "3"), Scale.NOMINAL, one_scale=True, many=3, rng=seed):
        assert permissible("nominal", scores.ravel().tolist(), rescaling(scores * 1.0).ravel().tolist())


@given(scores=SCORES, one_scale=st.booleans())
def test_a_map_that_merges_or_turns_scores_keeps_no_order(scores, one_scale):
    constant, turned = (lambda values: values * 0.0), (lambda values: -values)
    differ = len(np.unique(scores)) > 1 if one_scale else bool((np.ptp(scores, axis=0) > 0).any())
    assert keeps_order(constant, scores * 1.0, one_scale=one_scale) is not differ
    assert keeps_order(turned, scores * 1.0, one_scale=one_scale) is not differ


def test_an_increasing_map_goes_on_straight_beyond_its_knots():
    stretch = Increasing((0, 1, 2), (0, 1, 11))
    assert stretch(np.array([-1.0, 0.5, 1.5, 3.0])).tolist() == [-1.0, 0.5, 6.0, 21.0]
    assert Increasing((1,), (4,))(np.array([1.0, 2.0])).tolist() == [4.0, 5.0]


@pytest.mark.parametrize("knots", [((0, 1), (1, 1)), ((0, 0), (1, 2)), ((0, 1), (1,)), ((), ())])
def test_an_increasing_map_must_increase(knots):
    with pytest.raises(ParameterError):
        Increasing(*knots)


def test_what_is_not_a_rescaling_is_refused():
    with pytest.raises(ParameterError, match="positive"):
        Affine(0)
    with pytest.raises(ParameterError, match="one-to-one"):
        Relabelling((1, 2), (3, 3))


def test_they_print_what_they_do():
    long = PerTopic(tuple(map(str, range(20))), {str(topic): Affine(2) for topic in range(20)})
    assert str(long) == "topics 0, 1, 2, 3, 4, 5, … (20 topics): x → 2 x"
    assert str(Affine(1, -2)) == "x → x − 2"
    assert str(Power(2, 0, 3)) == "x → x^2 of the way from 0 to 3"
    assert str(Increasing(range(20), range(20))).endswith("… (20 knots), 19 → 19, straight in between")
    assert str(Relabelling((1, 2), (1, 3))) == "2 → 3"


def test_a_topic_without_a_map_stays_and_missing_scores_stay_missing():
    scores = np.array([[0.1, np.nan], [0.2, 0.3]])
    moved = PerTopic(("x", "y"), {"y": Affine(10)})(scores)
    assert moved[:, 0].tolist() == [0.1, 0.2]
    assert np.isnan(moved[0, 1])
    assert keeps_order(Affine(2), scores, one_scale=True)


def test_a_statement_survives_until_the_first_transformation_that_changes_it():
    verdict = survives(lambda values: values[0] > 1, [1, 2], [Affine(1), Affine(2), Affine(3)])
    assert not verdict
    assert verdict.witness == Affine(2)
    assert survives(lambda values: values[0] > values[1], [1, 2], [Affine(2), Affine(3, 4)])


@pytest.mark.parametrize("exponent", [0.5, 2, 3])
def test_a_power_increases_everywhere_even_beyond_the_scores_it_was_made_for(exponent):
    values = np.array([-3.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    assert strictly(Power(exponent, 1, 3)(values))
    assert Power(exponent, 1, 3)(np.array([1.0, 3.0])).tolist() == [1, 3]


def test_rescalings_travel_between_processes():
    maps = {"1": Affine(2), "2": Power(2, 0, 1), "3": Increasing((0, 1), (0, 3))}
    for map_ in (*maps.values(), PerTopic(("1", "2", "3"), maps)):
        assert pickle.loads(pickle.dumps(map_)) == map_
