"""Transformations: strictly increasing where they say so, printable, callable on arrays."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.admissibility import permissible
from measurand.scales.meaning import (
    Affine,
    Answer,
    Averages,
    Differences,
    Increasing,
    PerTopic,
    Power,
    Relabelling,
    Relation,
    check,
    survives,
)
from measurand.scales.transformations import keeps_order, strictly
from measurand.scales.weighted_sums import candidate_rescalings, random_rescalings
from measurand.scores import Scores

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


AFFINE = re.compile(r"x → (?:(?P<slope>\S+) )?x(?: (?P<sign>[+−]) (?P<shift>\S+))?")


def scores_of(values, **options) -> Scores:
    rows = np.array(values, dtype=float)
    names = tuple("ABCD"[: len(rows)])
    return Scores(
        measure="M", values=rows, systems=names, topics=tuple(f"t{n}" for n in range(rows.shape[1])), **options
    )


def map_of(text):
    """Return the map that a text shows, of fractions."""
    found = AFFINE.fullmatch(text)
    if found:
        slope, shift = Fraction(found["slope"] or 1), Fraction(found["shift"] or 0)
        return lambda x: slope * x + (-shift if found["sign"] == "−" else shift)
    knots = [tuple(map(Fraction, part.split(" → "))) for part in text.removesuffix(", straight in between").split(", ")]

    def straight(x):
        pieces = list(pairwise(knots))
        # beyond the knots, the first and the last piece go on
        (x0, y0), (x1, y1) = next((piece for piece in pieces if x <= piece[1][0]), pieces[-1])
        return y0 + (x - x0) * (y1 - y0) / (x1 - x0)

    return straight


def maps_of(text, topics):
    """Return the map that a text shows for every topic."""
    if not text.startswith("topic"):
        return [map_of(text)] * len(topics)
    found = dict.fromkeys(topics, lambda x: x)
    for part in text.split("; "):
        names, _, shown = part.partition(": ")
        found |= dict.fromkeys(re.sub("topics? ", "", names).split(", "), map_of(shown))
    return list(found.values())


def sides(statement, rows):
    """Return both sides exactly, of rows of fractions."""
    means = [sum(row) / len(row) for row in rows]
    if isinstance(statement, Differences):
        return means[0] - means[1], statement.factor * (means[2] - means[3])
    return means[0], statement.factor * means[1]


def check_literally(statement, values, scale):
    """Compare what is shown with what it does to the scores as fractions; return how many maps were shown."""
    scores = scores_of([[float(value) for value in row] for row in values])
    found = check(statement, scores, scale=scale)
    shown = 0
    for meaning in (found, found.other):
        text = str(meaning.transformation)
        if meaning.answer in (Answer.FRAGILE, Answer.NOT_MEANINGFUL) and "…" not in text and "and so on" not in text:
            maps = maps_of(text, scores.topics)
            said_of = values[: len(statement.systems)]
            rows = [[map_(value) for map_, value in zip(maps, row, strict=True)] for row in said_of]
            left, right = sides(statement, rows)
            assert (left == right) is not meaning.true, (text, left, right)
            shown += 1
    return shown


@pytest.mark.parametrize(
    ("values", "text"),
    [
        # 10/3 − 2 · 17/6: shifted by −7/3
        ([[3, 4, 3], [3, 4, 1.5]], "x → 3 x − 7"),
        ([[1, 2], [1, 1]], "x → 2 x − 1"),
        ([[4, 4], [1, 2]], "x → x + 1"),
    ],
)
def test_a_shift_that_makes_twice_a_mean_equal_is_in_whole_numbers(values, text):
    statement = Averages("mean", "A", "B", "equals", factor=2)
    rows = [[Fraction(value) for value in row] for row in values]
    found = check(statement, scores_of(values), scale="interval")
    assert found.answer is Answer.NOT_MEANINGFUL
    assert str(found.transformation) == text
    assert check_literally(statement, rows, Scale.INTERVAL)


def test_a_multiple_that_makes_means_equal_is_a_fraction():
    found = check("mean of A equals mean of B", scores_of([[1, 9], [4, 2]], one_scale=False), scale="ratio")
    assert str(found.transformation) == "topic t0: x → 7/3 x"


def test_a_unit_makes_geometric_means_equal_where_the_floor_stands_in_for_one_side():
    scores = scores_of([[0, 4, 100], [0.001, 3, 1]])
    equal = check("geometric mean of A equals geometric mean of B", scores, scale="ratio")
    assert (equal.answer, str(equal.transformation)) == (Answer.FRAGILE, "x → 4/3 x")
    # by hand: 0.00001 · 4 · 100 and 0.001 · 3 · 1, each score but the floor times 4/3
    floor, unit = Fraction(1, 100_000), Fraction(4, 3)
    assert floor * (4 * unit) * (100 * unit) == Fraction(1, 1000) * unit * (3 * unit) * unit
    assert check("geometric mean of A exceeds geometric mean of B", scores, scale="ratio").answer is Answer.FRAGILE


def test_scores_in_thirds_are_taken_for_thirds():
    found = check("mean of A equals 2 times mean of B", scores_of([[1 / 3], [1 / 2]]), scale="interval")
    assert str(found.transformation) == "x → 3 x − 2"


def test_a_topic_that_adds_nothing_but_rounding_is_not_stretched():
    values = [
        [Fraction(5), Fraction(0)],
        [Fraction(4), Fraction(0)],
        [Fraction(4, 3), Fraction(1)],
        [Fraction(1, 3), 0],
    ]
    check_literally(Differences(*"ABCD", Relation.EQUAL), values, Scale.ORDINAL)


def test_knots_that_make_means_equal_are_fractions():
    statement = Averages("mean", "A", "B", "equals")
    values = [[Fraction(value) for value in row] for row in ([0, 3, 3], [1, 1, 7])]
    assert check_literally(statement, values, Scale.ORDINAL) == 2


GRADES = st.integers(0, 12).map(Fraction) | st.integers(0, 12).map(lambda n: Fraction(n, 6))


def tables(topics: int):
    """Return scores of four systems on so many topics."""
    return st.lists(st.lists(GRADES, min_size=topics, max_size=topics), min_size=4, max_size=4)


@given(
    values=st.integers(1, 4).flatmap(tables),
    factor=st.sampled_from([Fraction(1), Fraction(2), Fraction(3, 2)]),
    scale=st.sampled_from([Scale.ORDINAL, Scale.INTERVAL, Scale.RATIO]),
)
@settings(max_examples=20, deadline=None)
def test_what_is_shown_of_equality_flips_it_exactly(values, factor, scale):
    check_literally(Averages("mean", "A", "B", Relation.EQUAL, factor=factor), values, scale)
    check_literally(Differences(*"ABCD", Relation.EQUAL, factor=factor), values, scale)
