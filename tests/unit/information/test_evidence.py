"""Evidence: observations, and what is no assignment."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.errors import ParameterError
from measurand.information.evidence import (
    Observation,
    assignment,
    belief,
    commonality,
    observation,
    observed_entropy,
    observed_quantity,
)

SHARES = assignment({"r": {"a": 2, "b": 1}}, 10)


def test_an_observation_is_printed_as_it_is_made():
    seen = Observation({"r": 0.1, "g": "1/3"})
    assert eval(repr(seen)) == seen
    assert hash(seen) == hash(Observation({"g": Fraction(1, 3), "r": Fraction(1, 10)}))
    assert seen != Observation({"r": 0.1, "g": 0.333})
    assert seen["g"] == Fraction(1, 3)


@pytest.mark.parametrize("given", [[("r", 1)], 0.5, None])
def test_what_is_no_mapping_is_no_observation(given):
    with pytest.raises(ParameterError, match=r"an observation is \{signal: membership\}"):
        Observation(given)


def test_a_membership_that_is_no_number_is_refused():
    with pytest.raises(ParameterError, match="'high' is not a number"):
        Observation({"r": "high"})


def test_observations_of_different_signals_are_different_and_not_compared():
    one, other = Observation({"r": 0}), Observation({"s": 0})
    assert one != other
    with pytest.raises(ParameterError, match="are of different signals"):
        one <= other  # noqa: B015
    with pytest.raises(ParameterError, match="are of different signals"):
        commonality(SHARES, other)


def test_an_observation_is_compared_with_observations_alone():
    with pytest.raises(TypeError):
        Observation({"r": 0}) <= 1  # noqa: B015
    with pytest.raises(TypeError):
        Observation({"r": 0}) < 1  # noqa: B015


@pytest.mark.parametrize("shares", [{}, {"1/2": "1/2"}, {"1/2": "3/2", "0": "-1/2"}])
def test_shares_that_do_not_sum_to_1_are_refused(shares):
    given = {Observation({"r": degree}): share for degree, share in shares.items()}
    for ask in (commonality, belief):
        with pytest.raises(ParameterError, match="0 or more and sum to 1; these sum to"):
            ask(given, Observation({"r": 0}))
    with pytest.raises(ParameterError, match="0 or more and sum to 1; these sum to"):
        observed_entropy(given)


def test_observations_in_between_are_weighed_too():
    assert commonality(SHARES, Observation({"r": "3/4"})) == Fraction(1, 10)
    assert belief(SHARES, Observation({"r": "3/4"})) == Fraction(9, 10)


def test_what_never_happens_tells_without_bound():
    shares = assignment({"r": {"a": 1}, "s": {"b": 1}}, 10)
    with pytest.raises(ParameterError, match="of no document is as much seen"):
        observed_quantity(shares, Observation({"r": 1, "s": 1}))


def test_a_signal_that_says_nothing_has_no_membership_anywhere():
    signals = {"r": {"a": 2}, "empty": {}}
    assert observation(signals, "a") == Observation({"r": 1, "empty": 0})
    assert assignment(signals, 1) == {Observation({"r": 1, "empty": 0}): 1}
    assert assignment({"empty": {}}, 5) == {Observation({"empty": 0}): 1}


def test_documents_that_are_named_but_say_nothing_join_the_rest():
    assert assignment({"g": {"a": 1, "z": 0}}, 4) == {
        Observation({"g": 1}): Fraction(1, 4),
        Observation({"g": 0}): Fraction(3, 4),
    }


def test_evidence_needs_the_size_of_the_collection():
    with pytest.raises(ParameterError, match="say collection_size="):
        assignment({"r": {"a": 1}})


def test_shares_of_0_are_left_out_of_the_mean():
    never = Observation({"r": 1, "s": 1})
    shares = {Observation({"r": 0, "s": 0}): Fraction(1), never: Fraction(0)}
    assert observed_entropy(shares) == 0


def test_a_signal_that_is_not_seen_is_asked_for_in_vain():
    with pytest.raises(ParameterError, match="there is no signal b; there is a"):
        Observation({"a": 1})["b"]
