"""The questionnaire: what is asked, what follows from the answers, and what is not claimed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.search_length.preferences import questionnaire
from measurand.search_length.preferences.checking import Answer


def answers_of(utility, *, sums="=", step=4):
    """Return the questionnaire as somebody with a utility answers it, and what is said of sums."""
    asked = questionnaire(step=step)
    while (question := asked.question) is not None:
        gap = question.one.expectation(utility) - question.other.expectation(utility)
        asked = asked.answer(sums if question.kind == "sums" else "=" if gap == 0 else "1" if gap > 0 else "2")
    return asked


def test_who_minds_every_document_alike_is_consistent_with_a_ratio_scale():
    found = answers_of(lambda k: Fraction(-3 * k + 7))
    assert (found.result, len(found.answers)) == (Answer.RATIO, 6)
    assert found.sentence == "Your 6 answers are consistent with a ratio scale."
    assert "no proof" in found.why[-1]


@pytest.mark.parametrize("sums", ["1", "2"])
def test_who_does_not_add_searches_up_is_consistent_with_an_interval_scale(sums):
    found = answers_of(lambda k: Fraction(-k), sums=sums)
    assert (found.result, len(found.answers)) == (Answer.INTERVAL, 5)
    assert [one.question.kind for one in found.deciding] == ["sums"]


@pytest.mark.parametrize("utility", [lambda k: -(k**2), lambda k: -Fraction(k, k + 1)], ids=["cautious", "bold"])
def test_who_minds_long_searches_more_or_less_has_an_order_alone(utility):
    found = answers_of(utility)
    assert (found.result, found.ordinal_without_ties) == (Answer.UNUSABLE, True)
    assert [one.question.name for one in found.deciding] == ["half-0-16"]
    assert "ordinal" in found.sentence


def test_a_utility_that_bends_once_is_found_out_by_a_narrower_question():
    found = answers_of(lambda k: Fraction(-k) if k in (0, 8, 16, 12) else Fraction(-k - 1))
    assert found.deciding[0].question.name == "half-0-8"


@pytest.mark.parametrize("first", ["2", "="])
def test_who_does_not_prefer_fewer_documents_is_asked_nothing_more(first):
    found = questionnaire(first)
    assert (found.question, found.result, found.ordinal_without_ties) == (None, Answer.UNUSABLE, False)


def test_who_cannot_say_is_consistent_with_less():
    assert questionnaire("1==?").result is Answer.ORDINAL
    assert questionnaire("1==?").question is None
    assert questionnaire("1===?").result is Answer.INTERVAL
    assert questionnaire("????").result is None
    assert "nothing is known" in questionnaire("????").sentence


def answered_through(letters):
    """Return the questionnaire with as many of the answers as there are questions."""
    asked = questionnaire()
    for letter in letters:
        asked = asked if asked.question is None else asked.answer(letter)
    return asked


def strength(asked):
    return list(Answer).index(asked.result) if asked.result is not None else -1


@pytest.mark.parametrize("letters", list(product("?1", "?=", "?=", "?=", "?=", "?=")), ids="".join)
def test_who_cannot_say_is_never_consistent_with_more_than_who_answers_as_esl(letters):
    fewer = strength(answered_through(letters))
    for place, letter in enumerate(letters):
        agreeing = (*letters[:place], "1" if place == 0 else "=", *letters[place + 1 :])
        assert letter != "?" or fewer <= strength(answered_through(agreeing))


def test_an_interval_scale_takes_all_half_half_questions():
    assert [questionnaire(text).result.value for text in ("1?=?", "1?==", "1==?", "1===")] == [
        *["ordinal"] * 3,
        "interval",
    ]


def test_as_long_as_questions_are_left_the_result_says_so():
    assert "Questions are left" in questionnaire("1=").why[-1]
    assert "Questions are left" not in questionnaire("1=====").why[-1]


def test_what_is_left_after_a_contradiction_changes_it_only_for_rankings_without_ties():
    begun = questionnaire("11")
    assert begun.why[-1].endswith("final. Questions are left that show whether esl still orders rankings without ties.")
    assert begun.why[1].startswith("Where documents tie")
    # an order that esl has not decides, and so does one that was not said: nothing more is asked
    assert questionnaire("112").question is questionnaire("11?").question is questionnaire("?1").question is None


def test_what_was_not_said_is_named_and_not_denied():
    assert "Whether searches add up to you was not said" in " ".join(questionnaire("1====?").why)
    assert "percentages do not" not in " ".join(questionnaire("1====?").why)
    upside_down = " ".join(questionnaire("?===").why)
    assert "fewer nonrelevant documents are better to you was not said" in upside_down
    assert "Only if they are, medians" in upside_down


@given(st.lists(st.sampled_from("12=?"), max_size=8), st.integers(1, 9))
def test_any_answers_end_soon_and_are_read_back_as_they_were_kept(letters, step):
    asked = questionnaire(step=step)
    for letter in letters:
        if asked.question is not None:
            asked = asked.answer(letter)
    assert len(asked.answers) <= 6
    rows = [line.split("\t") for line in asked.to_tsv().splitlines()[1:]]
    assert questionnaire({name: choice for name, choice, _ in rows}, step=step) == asked
    # no answer that esl would give contradicts it
    if all(one.as_esl for one in asked.answers) and asked.answers:
        assert asked.result is not Answer.UNUSABLE


@pytest.mark.parametrize("wrong", ["3", "yes", ""])
def test_an_answer_that_is_none_is_refused(wrong):
    with pytest.raises(ParameterError, match="an answer is 1, 2, ="):
        questionnaire([wrong])


def test_more_answers_than_questions_and_impossible_steps_are_refused():
    with pytest.raises(ParameterError, match="nothing is left"):
        questionnaire("21")
    with pytest.raises(ParameterError, match="step"):
        questionnaire(step=0)
