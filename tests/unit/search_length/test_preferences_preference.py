"""Preferences and the lotteries they are asked about: made from functions that may misbehave."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import comb

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.search_length import Lottery
from measurand.search_length.preferences import (
    Preference,
    check,
    completeness,
    half_half,
    independence,
    risk_structure,
    transitivity,
)
from measurand.search_length.preferences.preference import (
    as_lottery,
    default_lotteries,
    in_words,
    lotteries_of_results,
    sample_for,
)
from measurand.verdict import How

ONE, TWO = Lottery.sure(1), Lottery.sure(2)


def refuses(one, other):
    raise ZeroDivisionError("nothing to divide")


def test_a_function_that_fails_is_named_with_the_lotteries_it_failed_on():
    with pytest.raises(ParameterError, match="refuses, asked about 1 for sure against 2 for sure, failed with ZeroDiv"):
        Preference.strictly(refuses).prefers(ONE, TWO)
    with pytest.raises(ParameterError, match="failed with ZeroDivisionError"):
        check(refuses)


@pytest.mark.parametrize("answer", [None, 1, "yes", 0.5, float("nan"), np.array([True, False])])
def test_an_answer_that_is_neither_true_nor_false_is_refused(answer):
    with pytest.raises(ParameterError, match="it must say True or False"):
        check(lambda one, other: answer)


def test_numpy_answers_are_understood():
    preference = Preference.strictly(lambda p, q: np.float64(p.mean) < np.float64(q.mean))
    assert preference.prefers(ONE, TWO) is True


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "much", True, [1], 1j])
def test_a_utility_that_is_no_number_is_refused(value):
    with pytest.raises(ParameterError, match="it must be a finite number"):
        check(Preference.by_utility(lambda k: value))


def test_a_utility_that_fails_is_named_with_the_number_it_failed_on():
    with pytest.raises(ParameterError, match=r"asked for the utility of 0 nonrelevant documents, failed with Zero"):
        check(Preference.by_utility(lambda k: -1 / k))


@pytest.mark.parametrize("maker", [Preference.strictly, Preference.weakly, Preference.by_utility])
def test_what_is_no_function_makes_no_preference(maker):
    with pytest.raises(ParameterError, match="made from a function"):
        maker(3)


def test_a_function_that_changes_its_mind_is_found_out():
    turns = count()
    with pytest.raises(ParameterError, match="does not always answer the same"):
        check(lambda p, q: (p.mean < q.mean) != (next(turns) > 3000))


def test_errors_of_lotteries_inside_a_function_keep_their_own_words():
    with pytest.raises(ParameterError, match="lotteries are mixed with a share between 0 and 1"):
        Preference.strictly(lambda p, q: bool(p.mix(q, 2))).prefers(ONE, TWO)


@pytest.mark.parametrize("utility", [lambda k: -k / 3, lambda k: -0.1 * k, lambda k: -k / 7 + 0.3, lambda k: -1e-9 * k])
def test_lines_in_floats_are_lines(utility):
    assert half_half(Preference.by_utility(utility))


def test_a_bend_that_is_no_rounding_is_seen_in_floats():
    assert not half_half(Preference.by_utility(lambda k: -k - 1e-9 * k * k))


def test_every_question_is_asked_once_until_it_is_confirmed():
    asked = []

    def shorter(one, other):
        asked.append((one, other))
        return one.mean < other.mean

    preference = Preference.strictly(shorter)
    transitivity(preference)
    independence(preference)
    assert len(asked) == len(set(asked))
    before = len(asked)
    preference.confirm(most=10)
    assert len(asked) == before + 10


def test_pairs_say_nothing_about_mixtures_and_sums():
    pairs = Preference.of_pairs([(ONE, TWO)])
    assert completeness(pairs).holds
    assert transitivity(pairs).how is How.EXHAUSTIVE
    for question in (independence, half_half, risk_structure, check):
        with pytest.raises(ParameterError, match="says nothing about mixtures"):
            question(pairs)


@pytest.mark.parametrize("value", [None, 1.5, "1", True, (1, 2), -1, {0: "1/3"}])
def test_what_is_no_lottery_is_refused(value):
    with pytest.raises(ParameterError):
        as_lottery(value)


@pytest.mark.parametrize("lotteries", [[], 3, "012", {0: 1}, [None]])
def test_what_is_no_list_of_lotteries_is_refused(lotteries):
    with pytest.raises(ParameterError):
        check(Preference.esl(), lotteries)


def test_lotteries_may_be_written_as_numbers_and_dictionaries():
    sample = sample_for(Preference.esl(), [np.int64(3), {0: 0.5, 1: 0.5}, 3])
    assert sample == (Lottery.sure(3), Lottery.uniform(0, 1))


def test_the_telling_lotteries_are_all_different_and_hold_pairs_of_one_mean():
    sample = default_lotteries()
    means = [lottery.mean for lottery in sample]
    assert len(set(sample)) == len(sample)
    assert means.count(Fraction(1)) >= 5
    assert means.count(Fraction(5)) >= 5


def tied(n, r, s):
    return {k: Fraction(comb(k + s - 1, k) * comb(n - k + r - s, n - k), comb(n + r, n)) for k in range(n + 1)}


def test_the_lotteries_of_results_are_those_of_one_rank_behind_others():
    possible = [tied(n, r, s) for n in range(6) for r in range(1, 5) for s in range(1, r + 1)]
    for lottery in lotteries_of_results():
        first = min(lottery)
        assert {k - first: p for k, p in lottery.items()} in possible


def test_lotteries_in_words():
    assert in_words(Lottery.uniform(2, 4, 9)) == "2, 4 or 9 (1/3 each)"
    assert in_words(Lottery({0: Fraction(1, 2), 1: Fraction(1, 4), 5: Fraction(1, 4)})) == "0 (1/2), 1 (1/4) or 5 (1/4)"
    uneven = Lottery({k: Fraction(p, 100003) for k, p in ((0, 100003 - 15), *((k, k) for k in range(1, 6)))})
    assert "with mean about 0.0005" in in_words(uneven)
    assert in_words("a") == "a"
