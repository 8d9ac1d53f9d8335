"""Robustness of averages: what is decided agrees with brute force, and what is shown flips the statement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.averages import Claimed
from measurand.scales.meaning import (
    Affine,
    Answer,
    Average,
    Averages,
    Differences,
    PerTopic,
    Relation,
    TopicScales,
    check,
    mean_robustness,
)
from measurand.scales.transformations import keeps_order
from measurand.scales.weighted_sums import random_rescalings
from measurand.scores import Scores

VALUES = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 5), min_size=n, max_size=n), min_size=4, max_size=4)
)
SCALES = st.sampled_from([Scale.ORDINAL, Scale.INTERVAL, Scale.RATIO])
AVERAGES = [average for average in Average if average not in (Average.MODE, Average.HARMONIC)]
COMPARISONS = st.builds(
    Averages, st.sampled_from(AVERAGES), st.just("A"), st.sampled_from("AB"),
    st.sampled_from(Relation), factor=st.sampled_from([1, 1, 2, "1/3"]),
)  # fmt: skip
DIFFERENCES = st.builds(
    Differences, *map(st.just, "ABCD"), st.sampled_from(Relation), factor=st.sampled_from([1, 2, "1/2"])
)


def scores_of(values, **options):
    values = np.array(values, dtype=float)
    return Scores(
        measure="M", values=values, systems=tuple("ABCDEF"[: len(values)]),
        topics=tuple(str(301 + t) for t in range(values.shape[1])), **options,
    )  # fmt: skip


def shows_what_it_says(meaning, claimed, one_scale):
    rescaling = meaning.transformation
    assert not meaning
    assert keeps_order(rescaling, claimed.rows, one_scale=one_scale)
    assert claimed.statement.relation.admits(claimed.sign(rescaling)) is not meaning.true
    assert meaning.after == claimed.sides(rescaling)
    if meaning.scale >= Scale.INTERVAL:
        maps = rescaling.maps.values() if isinstance(rescaling, PerTopic) else [rescaling]
        assert all(isinstance(map_, Affine) and (meaning.scale < 4 or not map_.shift) for map_ in maps)


@settings(max_examples=15, deadline=None)
@given(
    statement=COMPARISONS | DIFFERENCES, values=VALUES, unit=st.sampled_from([1, 5, 7]), seed=st.integers(0, 999),
    scale=SCALES, missing=st.sets(st.tuples(st.integers(0, 3), st.integers(1, 4)), max_size=3),
)  # fmt: skip
def test_robust_is_never_flipped_and_fragile_is_flipped_by_what_is_shown(statement, values, unit, seed, scale, missing):
    array = np.array(values) / unit
    for system, topic in missing:
        array[system, topic:][:1] = np.nan
    scores = scores_of(array)
    rows = [scores.systems.index(system) for system in statement.systems]
    claimed = Claimed(statement, scores.values[rows], scores.topics)
    meaning = check(statement, scores, scale=scale)
    for each, one_scale in ((meaning, True), (meaning.other, False)):
        assert each.before == claimed.sides()
        if each.answer is Answer.ROBUST:
            for rescaling in random_rescalings(
                claimed.rows, scores.topics, scale, one_scale=one_scale, many=40, rng=seed
            ):
                if claimed.defined(rescaling):
                    assert statement.relation.admits(claimed.sign(rescaling)) is each.true
        elif each.answer is not Answer.UNDECIDED:
            shows_what_it_says(each, claimed, one_scale)


@given(values=VALUES, scale=SCALES, relation=st.sampled_from(Relation))
def test_comparisons_of_means_and_of_differences_are_always_decided(values, scale, relation):
    for statement in (Averages("mean", "A", "B", relation), Differences(*"ABCD", relation, factor=2)):
        meaning = check(statement, scores_of(values), scale=scale)
        assert Answer.UNDECIDED not in (meaning.answer, meaning.other.answer)


@given(
    values=VALUES,
    average=st.sampled_from([Average.MEDIAN, Average.LOWER, Average.UPPER]),
    relation=st.sampled_from(Relation),
)
def test_medians_and_quartiles_are_always_decided_on_ordinal_and_interval_scales(values, average, relation):
    for scale in (Scale.ORDINAL, Scale.INTERVAL):
        meaning = check(Averages(average, "A", "B", relation), scores_of(values), scale=scale)
        assert Answer.UNDECIDED not in (meaning.answer, meaning.other.answer)


@given(values=VALUES)
def test_a_mean_comparison_is_robust_exactly_under_dominance(values):
    meaning = check("mean of A exceeds mean of B", scores_of(values))
    a, b = np.sort(values[0]), np.sort(values[1])
    assert bool(meaning) == bool((a >= b).all() or (a <= b).all())
    a, b = np.array(values[0]), np.array(values[1])
    assert bool(meaning.other) == bool((a >= b).all() or (a <= b).all())


@given(values=VALUES, missing=st.booleans(), scale=SCALES)
def test_all_pairs_at_once_say_what_each_pair_says(values, missing, scale):
    values = np.array(values, dtype=float)
    if missing:
        values[0, 1:] = np.nan
    scores = scores_of(values, one_scale=False)
    every = mean_robustness(scores, scale=scale)
    assert every.reading is TopicScales.EVERY
    for i, a in enumerate(scores.systems):
        for j, b in enumerate(scores.systems):
            meaning = check(Averages("mean", a, b), scores, scale=scale)
            assert every.answers()[i, j] == ("robust" if meaning else "fragile")
            assert every.answers("one scale for all topics")[i, j] == ("robust" if meaning.other else "fragile")


@given(values=VALUES)
def test_a_ratio_of_means_means_nothing_below_a_ratio_scale(values):
    assume(any(values[0]) or any(values[1]))
    scores = scores_of(values)
    for scale in (Scale.ORDINAL, Scale.INTERVAL):
        meaning = check("A is 20 % better than B", scores, scale=scale)
        assert meaning.answer is Answer.NOT_MEANINGFUL
        shows_what_it_says(meaning, Claimed(Averages("mean", "A", "B", "is at least", factor="1.2"), scores.values[:2], scores.topics), True)  # fmt: skip  # noqa: E501
    assert check("A is 20 % better than B", scores, scale="ratio").answer is Answer.ROBUST


def test_equal_means_are_equal_whatever_floats_say():
    scores = scores_of([[0, 0, 0.6], [0, 0.2, 0.4], [1 / 3] * 3, [0, 0, 1]])
    assert check("mean of A equals mean of B", scores, scale="interval").true
    assert check("mean of C equals mean of D", scores, scale="interval").true
    assert check("mean of A equals mean of B", scores).answer is Answer.FRAGILE


def test_a_difference_of_one_last_bit_is_a_difference_where_order_decides():
    scores = scores_of([[0.3, 0.5], [np.nextafter(0.3, 0), 0.5]])
    meaning = check("mean of A exceeds mean of B", scores)
    assert meaning.true
    assert meaning.answer is Answer.ROBUST


def test_tied_topics_can_fill_the_middle():
    scores = scores_of([[1, 2, 9], [1, 1, 4]], one_scale=False)
    meaning = check("median of A exceeds median of B", scores)
    assert meaning.true
    assert meaning.answer is Answer.FRAGILE
    assert meaning.after[0] == meaning.after[1]
    assert meaning.other.answer is Answer.ROBUST


def test_nominal_scores_have_neither_means_nor_order_but_modes():
    scores = scores_of([[1, 1, 2, 3], [1, 1, 3, 4], [3, 2, 1, 1]], scale=Scale.NOMINAL)
    assert check("mean of A exceeds mean of B", scores).answer is Answer.NOT_MEANINGFUL
    assert check("lower quartile of A equals lower quartile of B", scores).answer is Answer.NOT_MEANINGFUL
    assert check("mode of A equals mode of B", scores).answer is Answer.ROBUST
    assert check("mean of A equals mean of C", scores).answer is Answer.ROBUST
    with pytest.raises(ParameterError, match="nominal"):
        mean_robustness(scores)


def test_a_system_without_any_score_has_no_average():
    scores = scores_of([[np.nan, np.nan], [1, 2]])
    for ask in (lambda: check("mean of A exceeds mean of B", scores), lambda: mean_robustness(scores)):
        with pytest.raises(ParameterError, match="without a score"):
            ask()


@pytest.mark.parametrize(
    ("sentence", "scale", "reason"),
    [
        ("mean of B exceeds mean of A", "ordinal", "above every score B has at least as many topics as A"),
        ("mean of C exceeds mean of A", "ordinal", "C has at least as large a share of its topics as A"),
        ("median of A is below median of B", "ordinal", "the scores in the middle of B are not below those of A"),
        ("upper quartile of A is below upper quartile of B", "ordinal", "a single score, and that of B is above"),
        ("geometric mean of A is below geometric mean of D", "ratio", "a positive multiple of all scores multiplies"),
        ("mean of A equals mean of A", "ordinal", "both sides are made of the same scores"),
        ("the difference between B and A exceeds that between A and B", "ordinal", "whichever gap between two scores"),
    ],
)
def test_the_reason_on_one_scale_is_true_of_the_scores(sentence, scale, reason):
    scores = scores_of([[1, 2, 3, 4], [2, 3, 4, 5], [3, np.nan, 4, 4], [9, 1, 9, 9]])
    sentence = sentence.replace(" exceeds that", " is more than that")
    meaning = check(sentence, scores, scale=scale)
    assert meaning.answer is Answer.ROBUST
    assert reason in meaning.certificate


@pytest.mark.parametrize(
    ("sentence", "scale", "reason"),
    [
        ("mean of B exceeds mean of A", "ordinal", "B is never below A on any topic"),
        ("median of B is at least median of A", "ratio", "B is never below A on any topic"),
        ("mean of B is at least 0.5 times mean of A", "ratio", "whichever topic is rescaled, the difference of both"),
        ("geometric mean of A is below geometric mean of D", "ratio", "a positive multiple of all scores of a topic"),
        ("mean of C equals 2 times mean of A", "ratio", "both sides are the same on every topic"),
        ("lower quartile of E equals lower quartile of E", "ordinal", "both sides are made of the same scores"),
    ],
)
def test_the_reason_on_many_scales_is_true_of_the_scores(sentence, scale, reason):
    values = [[1, 2, 3, 4], [2, 3, 4, 5], [2, 4, 6, 8], [9, 1, 9, 9], [1, np.nan, 3, 2]]
    meaning = check(sentence, scores_of(values, one_scale=False), scale=scale)
    assert meaning.answer is Answer.ROBUST
    assert reason in meaning.certificate


def test_medians_that_differ_by_little_are_not_made_equal_by_one_large_score():
    values = [[1e9, 1e9 + 0.004, 1e9, 1e9, 1e9], [1e9, 1e9, 1e9 + 2, 1e9 + 0.001, 1e9 + 0.001]]
    meaning = check("median of A equals median of B", scores_of(values, one_scale=False), scale="ratio")
    assert not meaning.true
    assert meaning.after == () or meaning.after[0] == meaning.after[1]


@pytest.mark.parametrize("average", AVERAGES)
def test_a_factor_means_nothing_below_a_ratio_scale_even_if_every_topic_has_its_own(average):
    scores = scores_of([[1, 2, 3], [2, 2, np.nan]], one_scale=False)
    assert check(Averages(average, "A", "B", factor=2), scores, scale="interval").answer is Answer.NOT_MEANINGFUL


def test_a_topic_left_out_makes_means_fragile_but_not_meaningless():
    scores = scores_of([[1, 2, 3], [2, 2, np.nan]], one_scale=False)
    meaning = check("mean of A exceeds mean of B", scores, scale="interval")
    assert meaning.answer is Answer.FRAGILE


@pytest.mark.parametrize("scale", list(Scale))
@pytest.mark.parametrize("tiny", [1e-300, 5e-324])
def test_scores_next_to_nothing_are_answered(scale, tiny):
    scores = scores_of([[tiny, 2, 0.5], [0, 2, 0.7]])
    averages = [f"{average} of A exceeds {average} of B" for average in ("mean", "median", "geometric mean")]
    for sentence in (*averages, "A is 20 % better than B", "A and B differ significantly by t at 0.5"):
        for meaning in (found := check(sentence, scores, scale=scale), found.other):
            assert np.isfinite(meaning.before + meaning.after).all()


def test_scores_without_room_for_rescaling_are_refused():
    with pytest.raises(ParameterError, match="divide all by the same number"):
        check("mean of A exceeds mean of B", scores_of([[1e300, 2], [1, 2]]))


def test_a_geometric_mean_of_nothing_says_what_it_takes_instead():
    zero = check("geometric mean of A exceeds geometric mean of B", scores_of([[0, 2], [1, 2]]), scale="ratio")
    assert zero.certificate.startswith("with 0.00001 in place of lower scores no unit changes")


@pytest.mark.parametrize("unit", [1, 1e-3])
def test_what_stands_in_for_nothing_does_not_know_the_unit_of_the_scores(unit):
    scores = scores_of([[0, 1000 * unit], [unit, unit]])
    found = check("geometric mean of B exceeds geometric mean of A", scores, scale="ratio")
    assert str(found.answer) == "fragile"
    assert found.true == (unit == 1)
    assert found.certificate == "what stands in for lower scores, 0.00001, does not change with the unit"
    before, after = (round(ahead - behind, 12) for ahead, behind in (found.before, found.after))
    assert (before > 0) != (after > 0)


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=2, max_size=2), st.integers(-2, 6))
def test_no_unit_turns_round_a_comparison_of_geometric_means_that_is_called_robust(values, power):
    sentence = "geometric mean of A exceeds geometric mean of B"
    one, other = (scores_of(np.array(values) * unit) for unit in (1.0, 10.0**power))
    found = check(sentence, one, scale="ratio")
    assert str(found.answer) == "fragile" or found.true == check(sentence, other, scale="ratio").true


GEOMETRIC = "geometric mean of A {} geometric mean of B"


@pytest.mark.parametrize(
    ("values", "scale", "one_scale", "sentence", "answer"),
    [
        ([[0, 0.5], [0.1, 0.1]], "ratio", True, GEOMETRIC.format("is at most"), "fragile"),
        ([[0.8, 0, 0.8], [0, 0.8, 0.8]], "ratio", False, GEOMETRIC.format("exceeds"), "fragile"),
        ([[0.2, 0.2, 0.05, 0.2, 1], [1, 0.2, 0, 0, 0.2]], "ordinal", False, GEOMETRIC.format("is at least"), "fragile"),
        ([[0.4, 0.5], [0.1, 0.1]], "ratio", True, "geometric mean of A exceeds 0.000001", "robust"),
        ([[0.4, 0.5], [0.1, 0.1]], "ratio", True, "geometric mean of A is at least 0.00001", "robust"),
        ([[0.4, 0.5], [0.1, 0.1]], "ratio", True, "geometric mean of A exceeds 0.3", "not meaningful"),
        ([[0, 0.5], [0.1, 0.1]], "ratio", True, "geometric mean of A equals 1/3", "not meaningful"),
        ([[0, 0.5], [0.1, 0.1]], "ordinal", True, "geometric mean of A equals 1/3", "not meaningful"),
    ],
)
def test_what_changes_a_geometric_mean_does_so_when_it_is_applied_to_the_scores(
    values, scale, one_scale, sentence, answer
):
    scores = scores_of(values, scale=scale, one_scale=one_scale)
    meaning = check(sentence, scores)
    assert str(meaning.answer) == answer
    if meaning.transformation is not None:
        rescaled = scores_of(meaning.transformation(scores.values), scale=scale, one_scale=one_scale)
        assert check(sentence, rescaled).true is not meaning.true


LOW = st.lists(st.sampled_from([0, 5e-6, 2e-5, 0.001, 0.1, 0.5, 1]), min_size=3, max_size=3)


@settings(max_examples=15, deadline=None)
@given(values=st.tuples(LOW, LOW), relation=st.sampled_from(Relation), powers=st.tuples(*[st.floats(-5, 5)] * 3))
def test_units_of_topics_change_a_comparison_of_geometric_means_only_where_that_is_said(values, relation, powers):
    one, own = (scores_of(values, scale="ratio", one_scale=one_scale) for one_scale in (True, False))
    statement = Averages("geometric mean", "A", "B", relation)
    claimed = Claimed(statement, own.values, own.topics)
    for scores, slopes in ((one, 10.0 ** np.full(3, powers[0])), (own, 10.0 ** np.array(powers))):
        meaning = check(statement, scores)
        if meaning and claimed.defined(
            map_ := PerTopic(own.topics, dict(zip(own.topics, map(Affine, slopes), strict=True)))
        ):
            assert relation.admits(claimed.sign(map_)) is meaning.true
    assert check(statement, one) or not check(statement, own)


def test_scores_below_zero_have_no_geometric_mean():
    with pytest.raises(ParameterError, match="such as -2, have no geometric mean"):
        check("geometric mean of A exceeds geometric mean of B", scores_of([[-2, 3], [1, 1]]), scale="interval")
