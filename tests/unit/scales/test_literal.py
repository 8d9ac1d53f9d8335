"""A rescaling that makes two sides equal does so literally: what is shown, read as fractions, leaves no remainder."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.scale import Scale
from measurand.scales.meaning import Answer, Averages, Differences, Relation, check
from measurand.scores import Scores

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
    assert (equal.answer, str(equal.transformation)) == (
        Answer.FRAGILE,
        "x → 4/3 x, with 0.00001 still in place of 0",
    )
    # by hand: 0.00001 · 4 · 100 and 0.001 · 3 · 1, each score but the floor times 4/3
    floor, unit = Fraction(1, 100_000), Fraction(4, 3)
    assert floor * (4 * unit) * (100 * unit) == Fraction(1, 1000) * unit * (3 * unit) * unit
    assert check("geometric mean of A exceeds geometric mean of B", scores, scale="ratio").answer is Answer.FRAGILE


def test_scores_in_thirds_are_taken_for_thirds():
    found = check("mean of A equals 2 times mean of B", scores_of([[1 / 3], [1 / 2]]), scale="interval")
    assert str(found.transformation) == "x → 3 x − 2"


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
@settings(max_examples=40, deadline=None)
def test_what_is_shown_of_equality_flips_it_exactly(values, factor, scale):
    check_literally(Averages("mean", "A", "B", Relation.EQUAL, factor=factor), values, scale)
    check_literally(Differences(*"ABCD", Relation.EQUAL, factor=factor), values, scale)
