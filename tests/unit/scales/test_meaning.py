"""Meaning: what it says, under which reading, and in plain words."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.meaning import Answer, Averages, TopicScales, check
from measurand.scores import Scores
from measurand.verdict import How, Verdict

WINE = Scores(
    measure="quality",
    values=[[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]],
    systems=("A", "B"),
    topics=tuple("12345"),
)


def test_it_is_a_verdict_with_its_sentence():
    meaning = check("mean of A exceeds mean of B", WINE)
    assert isinstance(meaning, Verdict)
    assert not meaning
    assert meaning.certain
    assert meaning.how is How.COUNTEREXAMPLE
    assert str(meaning).startswith(
        "“mean of A exceeds mean of B” is fragile: it is true of these scores (14.6 against 14.2), but false ("
    )
    assert str(meaning.transformation) in str(meaning)


def test_a_robust_statement_says_why():
    meaning = check("median of A exceeds median of B", WINE)
    assert meaning.answer == "robust"
    assert meaning.certificate in str(meaning)
    assert "every strictly increasing map" in str(meaning)
    assert meaning.after == ()


def test_the_scores_say_which_reading_applies_unless_the_asker_does():
    meaning = check(Averages("mean", "A", "B"), WINE)
    assert (meaning.reading, meaning.other.reading) == (TopicScales.ONE, TopicScales.EVERY)
    assert meaning.other.other is None
    turned = check(Averages("mean", "A", "B"), WINE, one_scale=False)
    assert (turned.reading, turned.other.reading) == (TopicScales.EVERY, TopicScales.ONE)
    assert str(turned.transformation) == str(meaning.other.transformation)


def test_a_function_is_tried_on_many_rescalings():
    order = check(lambda values: values[0, 0] > values[1, 0], WINE)
    assert order.answer is Answer.UNDECIDED
    assert order.how is How.SAMPLED
    assert not order
    assert not order.certain

    def the_mean_of_a_exceeds_that_of_b(values: np.ndarray) -> bool:
        return bool(values[0].mean() > values[1].mean())

    mean = check(the_mean_of_a_exceeds_that_of_b, WINE)
    assert mean.answer is Answer.FRAGILE
    assert mean.statement == "the mean of a exceeds that of b"
    assert the_mean_of_a_exceeds_that_of_b(mean.transformation(WINE.values)) is not mean.true


def test_a_meaning_is_truthy_where_it_is_proved_and_only_there():
    found = [
        check("median of A exceeds median of B", WINE),
        check("mean of A exceeds mean of B", WINE),
        check("A is 20 % better than B", WINE),
        check(lambda values: values[0, 0] > values[1, 0], WINE),
        check("A and B differ significantly by two_way_anova", WINE),
    ]
    every = [*found, *(meaning.other for meaning in found)]
    assert {meaning.answer for meaning in every} == set(Answer)
    for meaning in every:
        assert bool(meaning) is meaning.holds is (meaning.answer is Answer.ROBUST)


def test_a_sampled_verdict_that_holds_is_truthy():
    assert Verdict(True, how=How.SAMPLED)
    assert not Verdict(False, how=How.FAILED)


def test_the_same_seed_tries_the_same_rescalings():
    first, second = (check(lambda values: values.mean() > 10, WINE, rng=5) for _ in range(2))
    assert str(first) == str(second)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("mean of A exceeds mean of Z",), {}),
        ((Averages("mean", "A", "Z"),), {}),
        ((7,), {}),
        (("mean of A exceeds mean of B",), {"semantics": "matlab"}),
        ((lambda values: values.mean() > 1,), {"semantics": "matlab"}),
        (("A and B differ significantly by t",), {"permutations": 9}),
        (("mean of A exceeds mean of B",), {"alpha": 3}),
        (("mean of A exceeds mean of B",), {"scale": "weird"}),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments, options):
    with pytest.raises(ParameterError):
        check(*arguments, WINE, **options)


def test_a_ratio_on_an_interval_scale_is_not_meaningful_and_a_shift_shows_it():
    meaning = check("A is 2 % better than B", WINE, scale=Scale.INTERVAL)
    assert meaning.answer == "not meaningful"
    assert meaning.true
    assert meaning.after[0] < meaning.after[1]
    assert np.ptp(meaning.transformation(WINE.values) - WINE.values) == pytest.approx(0)


def test_without_topics_there_is_nothing_to_say():
    empty = Scores(measure="M", values=np.zeros((2, 0)), systems=("A", "B"), topics=())
    for sentence in ("mean of A exceeds mean of B", "A and B differ significantly by sign"):
        with pytest.raises(ParameterError, match="no topics"):
            check(sentence, empty)


def test_sides_that_are_equal_up_to_rounding_are_written_alike():
    values = [*WINE.values, [1, 2, 3, 4, 5], [1, 2, 3, 4, 6]]
    scores = Scores(measure="quality", values=values, systems=tuple("ABCD"), topics=WINE.topics)
    meaning = check("the difference between A and B is twice that between C and D", scores)
    assert len(set(meaning.after)) == 2
    assert "but true (-0.3479 against -0.174 × 2 = -0.3479)" in str(meaning)
