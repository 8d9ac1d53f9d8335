"""Decisions: what is called robust survives random rescalings, what is called fragile is changed by what is shown."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.compounds import question_of
from measurand.scales.correlations import tau_bounds
from measurand.scales.meaning import Affine, Answer, PerMeasure, PerTopic, check
from measurand.scales.questions import Measured
from measurand.scales.scored_statements import read_statement
from measurand.scales.weighted_sums import random_rescalings
from measurand.scores import Scores
from measurand.statistics import kendall

RELATION = st.sampled_from(["exceeds", "is at least", "equals", "is at most", "is below"])
NUMBER = st.sampled_from(["0", "1", "1.5", "0.3", "3", "-1", "1/3"])
SYSTEM = st.sampled_from("ABC")
LOCATION = st.sampled_from(["mean", "median", "geometric mean", "harmonic mean", "lower quartile"])
SPREAD = st.sampled_from(["standard deviation", "coefficient of variation", "range", "interquartile range"])
FACTOR = st.sampled_from(["", "", "2 times ", "0.5 times "])
TEST = st.sampled_from(["t at 0.3", "sign at 0.3"])
ONE = st.one_of(
    st.builds("{0} of {1} {2} {3}{0} of {4}".format, LOCATION | SPREAD, SYSTEM, RELATION, FACTOR, SYSTEM),
    st.builds("{} of {} {} {}".format, LOCATION | SPREAD, SYSTEM, RELATION, NUMBER),
    st.builds("the difference between A and B {} {}".format, RELATION, NUMBER),
    st.builds("{} is the {}{}".format, SYSTEM, st.sampled_from(["best", "worst"]), st.sampled_from(["", " by median"])),
    st.permutations("ABC").map(" > ".join),
    st.builds("score of A {} {} on topic 1".format, RELATION, st.sampled_from(["score of B", "0.5"])),
    st.builds("{} is significantly {} than B by {}".format, st.sampled_from("AC"), st.sampled_from(["better", "worse"]), TEST),  # noqa: E501
    st.builds("{} pairs differ significantly by {}".format, st.integers(0, 3), TEST),
)  # fmt: skip
PLACED = st.builds("{} under {}".format, ONE, st.sampled_from("XY")) | st.one_of(
    st.builds("{} X of A {} {} Y of B".format, st.just("mean"), RELATION, st.just("mean")),
    st.builds(
        "{} of X and Y{} {} {}".format,
        st.sampled_from(["tau", "spearman", "tau_ap"]), st.sampled_from(["", " by median", " by topic"]), RELATION, NUMBER,  # noqa: E501
    ),
)  # fmt: skip
SENTENCE = st.one_of(
    PLACED,
    st.builds("{} {} {}".format, PLACED, st.sampled_from(["and", "or"]), PLACED),
    st.builds("it is not true that {}".format, PLACED),
    st.builds("({} or {}) and {}".format, PLACED, PLACED, PLACED),
)
SCORES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=3, max_size=3)
)
SCALES = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])


def scores_of(values, measure="M", **options):
    values = np.array(values, dtype=float)
    topics = tuple(map(str, range(1, values.shape[1] + 1)))
    return Scores(measure=measure, values=values, systems=tuple("ABCDEF"[: len(values)]), topics=topics, **options)


def permitted(map_, scale, one_scale):
    """Return whether a map is one of those that a scale permits."""
    if isinstance(map_, PerTopic):
        return not one_scale and all(permitted(each, scale, one_scale) for each in map_.maps.values())
    return scale < Scale.INTERVAL or (isinstance(map_, Affine) and (scale < Scale.RATIO or not map_.shift))


def attack(meaning, question, measured, readings, seed):
    """Look whether rescalings do to a statement what is said of it."""
    if meaning.answer is Answer.ROBUST:
        several = [
            random_rescalings(each.values, each.topics, each.scale, one_scale=readings[name], many=30, rng=seed)
            for name, each in measured.by_measure.items()
        ]
        for maps in (dict(zip(measured.by_measure, some, strict=True)) for some in zip(*several, strict=True)):
            if measured.permits(maps, readings):
                assert question.holds(maps) in (meaning.true, None)
    elif meaning.transformation is not None:
        found = meaning.transformation
        maps = found.maps if isinstance(found, PerMeasure) else {meaning.measures[0]: found}
        assert measured.permits(maps, readings)
        assert question.holds(maps) is (not meaning.true)
        assert meaning.after == question.numbers(maps)
        applied = {name: evolve(each, values=maps[name](each.values), exact=None) if name in maps else each
                   for name, each in measured.by_measure.items()}  # fmt: skip
        again = evolve(measured, by_measure=applied)
        assert question_of(read_statement(meaning.statement, again), again).holds() is (not meaning.true)
        assert all(permitted(map_, measured.scale_of(name), readings[name]) for name, map_ in maps.items())


@settings(deadline=None)
@given(sentence=SENTENCE, x=SCORES, scales=st.tuples(SCALES, SCALES), data=st.data())
def test_what_is_said_of_a_sentence_is_true_and_it_is_read_again(sentence, x, scales, data):
    cell = st.lists(st.integers(0, 4), min_size=len(x[0]), max_size=len(x[0]))
    y, shared = data.draw(st.lists(cell, min_size=3, max_size=3)), data.draw(st.booleans())
    both = {"X": scores_of(x, scale=scales[0]), "Y": scores_of(y, scale=scales[1], one_scale=shared)}
    measured = Measured.of(both, None, 0.05, {}, 0)
    try:
        meaning = check(sentence, both)
    except ParameterError as refused:
        # an average or a correlation is not defined
        assume(not re.search("harmonic mean|variation|no correlation", str(refused)))
        raise
    statement = read_statement(sentence, measured)
    assert read_statement(str(statement), measured) == statement
    assert meaning.statement == str(statement)
    question = question_of(statement, measured)
    assert meaning.true is question.holds()
    readings = {"X": True, "Y": shared}
    with np.errstate(all="ignore"):
        attack(meaning, question, measured, readings, data.draw(st.integers(0, 99)))
        attack(meaning.other, question, measured, {name: not one for name, one in readings.items()}, 7)


@given(values=SCORES, order=st.permutations("ABC"), wanted=st.sampled_from(["ranking", "best"]))
def test_rankings_are_decided_as_all_small_increasing_maps_decide_them(values, order, wanted):
    scores = scores_of(values)
    sentence = " > ".join(order) if wanted == "ranking" else f"{order[0]} is the best"
    meaning = check(sentence, scores)
    assert meaning.answer is not Answer.UNDECIDED
    distinct = sorted({value for row in values for value in row})
    truths = set()
    for steps in product((1, 2, 7), repeat=len(distinct) - 1):
        mapped = dict(zip(distinct, np.cumsum([0, *steps]).tolist(), strict=True))
        means = {name: sum(mapped[value] for value in row) for name, row in zip("ABC", values, strict=True)}
        a, b, c = (means[name] for name in order)
        truths.add(a > b > c if wanted == "ranking" else a > b and a > c)
    assert len(truths) == 1 or meaning.answer is Answer.FRAGILE
    assert meaning.answer is Answer.FRAGILE or truths == {meaning.true}


WINE = scores_of([[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]])


@pytest.mark.parametrize(
    ("sentence", "scale", "answer", "reason"),
    [
        ("mean of A exceeds 14", "interval", "not meaningful", "a number is not rescaled"),
        ("mean of A exceeds 14", "ratio", "not meaningful", "a number is not rescaled"),
        ("mean of A exceeds 0", "ratio", "robust", "on every scale it is above 0"),
        ("mean of A exceeds -1", "ratio", "robust", "above 0"),
        ("mean of A exceeds 0", "interval", "not meaningful", "a number is not rescaled"),
        ("the difference between A and B exceeds 0", "interval", "robust", "above 0"),
        ("the difference between A and B exceeds 0", "ordinal", "fragile", ""),
        ("the difference between A and B exceeds 0.3", "interval", "not meaningful", "a number is not rescaled"),
        ("standard deviation of A exceeds 0", "ordinal", "robust", "above 0"),
        ("coefficient of variation of A exceeds 0.5", "ratio", "robust", "leaves the coefficient of variation"),
        ("coefficient of variation of A exceeds 0.5", "interval", "not meaningful", "a number is not rescaled"),
        ("sd of A is below half the sd of B", "interval", "robust", "multiplies both sides alike"),
        ("cv of A is below cv of B", "ratio", "robust", "leaves both sides as they are"),
        ("range of A is below range of B", "ordinal", "robust", "whichever gap between two scores is stretched"),
        ("harmonic mean of A exceeds that of B", "ratio", "robust", "multiplies both sides alike"),
        ("harmonic mean of A exceeds that of B", "ordinal", "fragile", ""),
        ("A is the best by median", "ordinal", "robust", "the scores in the middle of A"),
        ("A is significantly better than B by sign", "ordinal", "robust", "order of scores within topics"),
        ("1 pairs differ significantly by t", "interval", "robust", "same p-value after any positive affine map"),
        ("at most 1 pairs differ significantly by t", "ordinal", "robust", "1 pairs are all that there are"),
        ("median of A exceeds median of B and mean of A exceeds 1", "interval", "not meaningful", "a number is not"),
        ("median of A exceeds median of B or mean of A exceeds 1", "interval", "robust", "stays true alone"),
        ("it is not true that A > B", "interval", "robust", "a positive affine map"),
    ],
)  # fmt: skip
def test_the_answer_and_its_reason(sentence, scale, answer, reason):
    meaning = check(sentence, WINE, scale=scale)
    assert str(meaning.answer) == answer
    assert reason in meaning.certificate


@pytest.mark.parametrize(
    ("sentence", "answer", "reason"),
    [
        ("range of A is at least 0", "robust", "not below 0"),
        ("standard deviation of A exceeds 0", "not meaningful", "a number is not rescaled"),
        ("coefficient of variation of A is below 2", "robust", "at least 0 and below 1.73205"),
        ("coefficient of variation of A exceeds 0.3", "not meaningful", "a number is not rescaled"),
    ],
)
def test_a_spread_of_scores_that_are_multiplied_topic_by_topic_is_compared_with_a_number(sentence, answer, reason):
    meaning = check(sentence, scores_of([[1, 2, 3], [2, 2, 5]], scale="ratio", one_scale=False))
    assert str(meaning.answer) == answer
    assert reason in meaning.certificate


def test_a_number_is_reached_literally():
    meaning = check("mean of A is 15", WINE, scale="interval")
    assert not meaning.true
    assert meaning.after == (15.0, 15.0)
    assert str(meaning.transformation) == "x → x + 0.4"


def test_a_number_holds_to_the_digits_that_are_written():
    thirds = scores_of([[1, 1, 0], [0, 0, 1]])
    assert [check(f"mean of A is {text}", thirds).true for text in ("0.7", ".67", "0.6666", "2/3", "1")] == [
        True, True, False, True, False,
    ]  # fmt: skip


ORDINAL = scores_of([[1, 5, 0], [2, 2, 2], [0, 0, 1]], "X")
SPACED = scores_of([[1, 5, 0], [2, 2, 2], [0, 0, 1]], "Y", scale="interval")


def test_a_correlation_survives_what_keeps_the_order_of_systems():
    both = {"X": scores_of(ORDINAL.values, scale="interval"), "Y": SPACED}
    assert check("tau of X and Y is 1", both).answer is Answer.ROBUST
    meaning = check("tau of X and Y is 1", [ORDINAL, SPACED])
    assert meaning.answer is Answer.FRAGILE
    assert list(meaning.transformation.maps) == ["X"]
    rescaled = scores_of(meaning.transformation["X"](ORDINAL.values), "X")
    assert meaning.after[0] == kendall(rescaled, SPACED) != 1
    for by in ("median", "topic"):
        assert check(f"tau of X and Y by {by} equals 1", [ORDINAL, SPACED]).answer is Answer.ROBUST


ORDERS = sorted({tuple(sorted(set(order)).index(each) for each in order) for order in product(range(3), repeat=3)})
PAIRS = np.triu_indices(3, 1)


def signs_of(order):
    return np.sign(np.subtract(*np.array(order, dtype=float)[np.array(PAIRS)]))


@given(
    orders=st.tuples(st.sampled_from(ORDERS), st.sampled_from(ORDERS)),
    free=st.tuples(*[st.lists(st.booleans(), min_size=3, max_size=3).map(np.array)] * 2),
)
def test_tau_is_within_its_bounds_in_all_orders_that_are_left(orders, free):
    bounds = tau_bounds([signs_of(order) for order in orders], free)
    assume(bounds is not None)
    left = [
        [other for other in ORDERS if (signs_of(other) == signs_of(order))[~loose].all()]
        for order, loose in zip(orders, free, strict=True)
    ]
    found = [kendall(x, y) for x, y in product(*left)]
    assert all(bounds[0] - 1e-12 <= tau <= bounds[1] + 1e-12 for tau in found if not np.isnan(tau))


def test_a_correlation_that_cannot_cross_a_number_is_robust():
    values = [[9, 9, 9], [1, 6, 0], [2, 2, 2]]
    both = [scores_of(values, "X"), scores_of(values, "Y", scale="interval")]
    meaning = check("tau of X and Y exceeds 0.3", both)
    assert meaning.certificate == "on every scale it is between 0.3333 and 1"
    assert check("tau of X and Y exceeds 0.4", both).answer is Answer.FRAGILE


def test_two_measures_are_rescaled_each_by_itself():
    both = [ORDINAL, SPACED]
    assert check("mean X of A exceeds mean Y of B", both).answer is Answer.NOT_MEANINGFUL
    zero = {"X": scores_of([[0, 0], [1, 1]], scale="ratio"), "Y": scores_of([[1, 2], [1, 1]], scale="ratio")}
    assert check("mean X of A is below mean Y of A", zero).answer is Answer.ROBUST
    meaning = check("mean of A exceeds mean of B under X or mean of B exceeds mean of A under X", both)
    assert not meaning
    assert meaning.measures == ("X",)
    assert [scale[1] for scale in check("A > C under X and A > C under Y", both).scales] == [2, 3]
    apart = [ORDINAL, scores_of(SPACED.values, "Y", one_scale=False)]
    said = check("A > C under X and A > C under Y", apart).document().sentences
    assert said[-1].startswith("With each measure read the other way it would be")


def test_with_several_measures_the_sentence_says_of_each_what_it_permits():
    both = [scores_of([[1, 3], [2, 1]]), scores_of([[2, 3], [1, 2]], "N", scale="interval", one_scale=False)]
    meaning = check("A beats B under M and N", both)
    assert (
        "every strictly increasing map, of M and every positive affine map, even another one for every topic, of N"
        in str(meaning)
    )
    assert meaning.to_dict()["reading"] is None
    assert [each["reading"] for each in meaning.to_dict()["measures"]] == [str(each[2]) for each in meaning.scales]
    assert meaning.certificate == (
        "above every score A has at least as many topics as B under M; A is never below B on any topic under N"
    )
    either = check("A beats B under M or A beats B under N", both)
    assert either.certificate.startswith("“mean of A exceeds mean of B under M” stays true alone: ")
    ratio = [both[0], scores_of([[2, 3], [1, 2]], "R", scale="ratio")]
    assert "as good for the ratio scores of R: R: x → " in str(
        check("A beats B under M and mean of A is 2.5 under R", ratio)
    )


def test_scores_of_several_measures_are_told_apart():
    both = [ORDINAL, SPACED]
    with pytest.raises(ParameterError, match="names no measure, and there is X and Y; end it with: under X"):
        check("A > B", both)
    with pytest.raises(ParameterError, match="there are no scores of AP; there is X, Y"):
        check("A > B under AP", both)
    with pytest.raises(ParameterError, match="same systems"):
        check("A > B under X", [ORDINAL, scores_of([[1, 2, 3]], "Y")])
    with pytest.raises(ParameterError, match="same measure"):
        check("A > B under X", [ORDINAL, ORDINAL])
    turned = Scores(measure="Z", values=ORDINAL.values[::-1], systems="CBA", topics=ORDINAL.topics)
    assert check("tau of X and Z is 1", {"x": ORDINAL, "z": turned}.values()).true


def test_the_other_direction_is_no_better():
    worse = scores_of([[1, 2, 3, 2], [9, 9, 8, 9]])
    meaning = check("A is significantly better than B by t", worse)
    assert not meaning.true
    assert meaning.answer is Answer.ROBUST
    assert meaning.certificate == "on no scale is A on average better than B"
    crossed = check("A is significantly better than B by t", scores_of([[1, 2, 3, 10], [9, 9, 8, 3]]))
    assert crossed.certificate.startswith("p never gets below 0.05 where A is better, whatever the rescaling")
    assert check("A is significantly worse than B by t at 0.3", worse).true
    costs = scores_of(worse.values, lower_is_better=True)
    assert check("A is significantly better than B by t", costs).true


def test_a_test_without_topics_to_compare_says_so():
    apart, one = scores_of([[1, np.nan], [np.nan, 2]]), scores_of([[1], [2]])
    reasons = [check("A and B differ significantly by t", each).certificate for each in (apart, one)]
    assert reasons == ["there is no topic on which both systems have a score", "a single topic decides nothing"]


@settings(max_examples=6)
@given(values=SCORES)
def test_a_count_of_pairs_is_robust_only_if_no_pair_can_change_it(values):
    scores = scores_of(values)
    pairs = [check(f"{a} and {b} differ significantly by t at 0.3", scores) for a, b in ("AB", "AC", "BC")]
    assume(all(pairs))
    count = sum(pair.true for pair in pairs)
    meaning = check(f"{count} pairs differ significantly by t at 0.3", scores)
    assert meaning.true
    assert meaning.answer is Answer.ROBUST
