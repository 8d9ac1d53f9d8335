"""The questionnaire: what is asked, what follows from the answers, and what is not claimed."""

from __future__ import annotations

from fractions import Fraction

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


def test_as_long_as_questions_are_left_the_result_says_so():
    assert "Questions are left" in questionnaire("1=").why[-1]
    assert "Questions are left" not in questionnaire("1=====").why[-1]


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
