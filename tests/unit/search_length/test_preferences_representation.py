"""Representations: exact whatever floats make of the numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.exact import linear_programming
from measurand.exact.linear_programming import (
    Settled,
)
from measurand.search_length import Lottery
from measurand.search_length.preferences import Kind, Statement, check, represent
from measurand.search_length.preferences.checking import another_utility

EVEN = Lottery.uniform(0, 2)
TINY = Fraction(1, 10**30)


@pytest.fixture
def without_floats(monkeypatch):
    monkeypatch.setattr(linear_programming, "proposal", lambda **problem: None)


def test_a_statement_reads_what_people_write():
    assert Statement(0, "≻", 1) == Statement.better(0, 1) == Statement(Lottery.sure(0), Kind.BETTER, {1: 1})
    assert Statement(0, "=", 1) == Statement.as_good(0, 1)
    assert Statement(0, "≥", 1) == Statement.at_least(0, 1)
    assert str(Statement.at_least(0, EVEN)) == "0 for sure is at least as good as 0 or 2 (1/2 each)"


@pytest.mark.parametrize(
    "statements", [[], 3, "ab", {0: 1}, [3], [(0,)], [(0, "<", 1)], [(0, None, 1)], [("a", "b")], (0, 1)]
)
def test_what_states_nothing_is_refused(statements):
    with pytest.raises(ParameterError):
        represent(statements)
    with pytest.raises(ParameterError):
        check(statements)


def test_minus_the_number_is_preferred_where_it_agrees():
    assert represent([(0, 3), (3, 7)]).utility == {0: 0, 3: -3, 7: -7}


def test_a_utility_that_wants_more_says_that_it_cannot_be_normalised():
    found = represent([(1, 0), (2, 1)])
    assert not found.normalised
    assert found.utility[0] == 0
    assert found.utility[1] == 1
    assert "none that agrees is larger" in str(found)
    level = represent([(0, "~", 1), (1, 2)])
    assert (level.normalised, level.utility[0], level.utility[1]) == (False, 0, 0)
    assert level.utility[2] < 0


def test_indifference_may_be_turned_round_in_a_contradiction():
    found = represent([(1, "~", 0), (1, 0)])
    assert found.contradiction.verified
    assert {str(one) for one in found.contradiction.statements} == {
        "0 for sure is as good as 1 for sure",
        "1 for sure is preferred to 0 for sure",
    }
    assert found.contradiction.weights == (Fraction(1, 2), Fraction(1, 2))
    assert "1/2 of" in str(found)


def test_at_least_as_good_round_a_circle_with_one_better_is_a_contradiction():
    found = represent([(0, ">=", 1), (1, ">=", 2), (2, 0)])
    assert found.contradiction.verified
    assert found.contradiction.weights == (Fraction(1, 3),) * 3
    assert represent([(0, ">=", 1), (1, ">=", 2), (2, ">=", 0)]).exists


def test_a_lottery_better_than_itself_contradicts_itself():
    found = represent([(EVEN, EVEN)])
    assert found.contradiction.verified
    assert "which is the same lottery" in str(found)


def test_differences_far_below_what_floats_see_decide():
    almost = Lottery({0: Fraction(1, 2) - TINY, 2: Fraction(1, 2) + TINY})
    lean = [(1, "~", almost), (0, 1)]
    found = represent(lean)
    assert found
    assert found.utility[2] == -1 / (Fraction(1, 2) + TINY)
    assert represent([*lean, (1, "~", EVEN)]).contradiction.verified
    assert check(lean).answer == "unusable"


def test_the_exact_method_alone_gives_the_same_answers(without_floats):
    assert represent([(1, EVEN)]).exists
    both = represent([(1, EVEN), (EVEN.mix(Lottery.sure(5), "1/2"), Lottery.uniform(1, 5))])
    assert both.contradiction.weights == (Fraction(1, 3), Fraction(2, 3))
    assert represent([(1, "~", 0), (1, 0)]).contradiction.verified


def test_what_is_too_large_for_the_exact_method_is_undecided_and_said_so(without_floats, monkeypatch):
    monkeypatch.setattr(linear_programming, "EXACT", 0)
    found = represent([(1, EVEN)])
    assert found.exists is None
    assert not found
    assert str(found).startswith("undecided")
    report = check([(1, EVEN)])
    assert report.answer == "unusable"  # the means contradict the statement, whatever else may agree
    pinched = check([(0, 1), (1, ">=", EVEN), (EVEN, ">=", 1)])
    assert pinched.answer == "ordinal"
    assert not pinched.certain
    assert "could not be decided" in str(pinched)


def test_proposals_that_are_wrong_do_no_harm(monkeypatch):
    monkeypatch.setattr(linear_programming, "proposal", lambda **problem: np.full(len(problem["bounds"]), 0.3))
    assert represent([(1, EVEN)]).exists
    assert represent([(1, "~", 0), (1, 0)]).contradiction.verified


@pytest.fixture
def without_the_simplex_method(monkeypatch):
    monkeypatch.setattr(linear_programming, "settle_exactly", lambda system: Settled())


AWKWARD = (Fraction(45678, 100003), Fraction(54321, 99991), Fraction(34567, 99989))


def chained():
    """Return statements that tie 1 to 0 and 4, then 2 to 1 and 4, then 3 to 2 and 4, in awkward shares."""
    return [(k + 1, "~", {k: share, 4: 1 - share}) for k, share in enumerate(AWKWARD)]


def test_fractions_that_rounding_misses_are_recovered_from_the_statements_that_are_tight(without_the_simplex_method):
    first, second, third = AWKWARD
    found = represent([*chained(), (0, 4)])
    f = found.utility
    assert (f[3] - f[4]) / (f[0] - f[4]) == first * second * third
    assert all(statement.agrees_with(f) for statement in found.statements)


def test_weights_that_rounding_misses_are_recovered_from_those_that_are_used(without_the_simplex_method):
    share = AWKWARD[0] * AWKWARD[1] * AWKWARD[2]
    found = represent([*chained(), (3, {0: share, 4: 1 - share})])
    assert found.contradiction.verified
    assert max(weight.denominator for weight in found.contradiction.weights) > 10**9


def test_another_utility_agrees_and_is_no_line():
    stated = [
        Statement.better(0, 1),
        Statement.at_least(1, EVEN),
        Statement.better(2, 3),
        Statement.as_good(3, {2: "1/2", 4: "1/2"}),
    ]
    utility, decided = another_utility(stated)
    assert decided
    assert all(statement.agrees_with(utility) for statement in stated)
    assert len({utility[k + 1] - utility[k] for k in range(4)}) > 1


@pytest.mark.parametrize("power", [25, 300, 500])
def test_differences_however_small_are_settled_without_the_exact_method(monkeypatch, power):
    monkeypatch.setattr(linear_programming, "EXACT", 0)
    share = Fraction(1, 10**power)
    gambles = [(k, Lottery.uniform(k - 1, k + 1)) for k in range(1, 20)]
    beside = Lottery.sure(3)
    stated = [(Lottery.sure(k).mix(beside, share), gamble.mix(beside, share)) for k, gamble in gambles]
    found = represent(stated)
    assert all(statement.agrees_with(found.utility) for statement in found.statements)
    opposed = represent([*stated, (stated[4][1], stated[4][0])])
    assert opposed.contradiction.verified
