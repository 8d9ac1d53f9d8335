"""The unanimity of measures: what it accepts, what it counts, and what it says where there is nothing to count."""

from __future__ import annotations

import sys
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from measurand.errors import CaveatKind, InputError, ParameterError
from measurand.information.unanimity import MeasureUnanimity, unanimity
from measurand.scores import Scores, Table

ROWS = [[3, 1], [2, 1], [1, 0], [1, 2]]
"""A row for each system, a column for each measure."""


def scores(measure: str, values, *, systems="abcd", lower: bool = False) -> Scores:
    array = np.array(values, dtype=float).reshape(len(systems), -1)
    topics = [str(t) for t in range(array.shape[1])]
    return Scores(measure=measure, values=array, systems=systems, topics=topics, lower_is_better=lower)


def told(found) -> list[tuple[int, int, int]]:
    return [(row.pairs, row.unanimous, row.tied) for row in found]


def test_every_spelling_of_the_same_scores_is_understood():
    columns = [list(column) for column in zip(*ROWS, strict=True)]
    one, other = (scores(name, column) for name, column in zip("xy", columns, strict=True))
    spellings = [
        unanimity(ROWS),
        unanimity(np.array(ROWS)),
        unanimity([one, other]),
        unanimity(*zip(*ROWS, strict=True)),
        unanimity(*columns),
        unanimity(*(np.array(column)[:, None] for column in columns)),
        unanimity(*np.array(ROWS).T),
        unanimity({"x": columns[0], "y": tuple(columns[1])}),
        unanimity({"x": one, "y": other}),
        unanimity(one, other),
        unanimity(Table(by_measure={"x": one, "y": other})),
        unanimity(one, columns[1]),
        unanimity([Fraction(value, 7) for value in columns[0]], columns[1]),
    ]
    assert [told(found) for found in spellings] == [[(12, 4, 1), (12, 4, 1)]] * len(spellings)


def test_measures_are_called_by_their_names_or_counted():
    assert [row.measure for row in unanimity([1, 2], [1, 2])] == ["m1", "m2"]
    assert [row.measure for row in unanimity({"AP": [1, 2], 7: [1, 2]})] == ["AP", "7"]
    found = unanimity(scores("AP", [1, 2], systems="ab"), [1, 2])
    assert [row.measure for row in found] == ["AP", "m2"]
    assert found["AP"] is found.rows[0]
    with pytest.raises(ParameterError, match="there is no measure RR; there is AP, m2"):
        found["RR"]


def test_the_measure_that_ties_least_comes_first():
    found = unanimity({"coarse": [0, 0, 0], "some": [0, 0, 1], "fine": [0, 1, 2], "same": [3, 4, 5]})
    assert [row.measure for row in found.best_first] == ["fine", "same", "some", "coarse"]


def test_pairs_of_all_topics_are_counted_together():
    # on the first topic the measures agree on one order, on the second on none
    found = unanimity([[0, 0], [1, 1]], [[0, 1], [1, 0]])
    assert (found.systems, found.topics, found.pairs, found.unanimous) == (2, 2, 4, 1)


def test_a_measure_of_which_lower_is_better_prefers_the_lower():
    length = scores("ESL", [0, 1, 2, 3], lower=True)
    assert told(unanimity(length, scores("RR", [3, 2, 1, 0])))[0] == (12, 6, 0)
    assert unanimity(length, scores("RR", [0, 1, 2, 3])).unanimous == 0


def test_pairs_with_a_system_that_has_no_score_are_left_out():
    whole = unanimity([3, 2, 1], [1, 1, 0])
    holes = unanimity([[3, 1], [2, nan], [1, 5], [nan, 7]], [[1, 1], [1, 1], [0, nan], [9, nan]])
    # the second topic has one system left
    assert told(holes) == told(whole)
    assert (holes.left_out, whole.left_out) == (4, 0)
    [caveat] = holes.caveats
    assert caveat.kind is CaveatKind.MISSING_TOPICS
    assert "4 of 8 rankings" in caveat.text


def test_infinite_scores_have_their_place():
    assert told(unanimity([-inf, 0.0, inf, inf])) == [(12, 7, 2)]


def test_numbers_that_floats_do_not_tell_apart_are_told_apart():
    third, large = Fraction(1, 3), 2**60
    assert unanimity([third, third + Fraction(1, 10**30)]).rows[0].tied == 0
    assert unanimity([large, large + 1]).rows[0].tied == 0
    assert unanimity([10 * large**2, 10 * large**2 + 1]).rows[0].tied == 0
    assert unanimity([third, 0.5, nan, 2]).left_out == 1


def test_where_nothing_is_unanimous_nothing_is_defined():
    found = unanimity([0, 1], [1, 0])
    assert [(row.value, row.tie_rate, row.joint, row.all_agree) for row in found] == [(None, None, 0, 0)] * 2
    [caveat] = found.caveats
    assert caveat.kind is CaveatKind.DEGENERATE
    assert "not defined" in caveat.text


def test_a_measure_that_ties_all_systems_has_no_unanimity():
    found = unanimity([1, 1, 1], [5, 5, 5])
    assert [(row.value, row.tie_rate) for row in found] == [(0.0, 1)] * 2
    assert (found.unanimous, found.caveats) == (6, ())


def test_a_measure_alone_is_said_to_be_alone():
    found = unanimity([0, 1, 1])
    assert told(found) == [(6, 4, 2)]
    assert "one measure agrees with itself" in found.caveats[0].text


def test_the_unanimity_of_one_that_seldom_tells_anything_apart_keeps_its_digits():
    row = MeasureUnanimity(measure="m", pairs=10**30, unanimous=10**20, tied=10**20 - 1)
    assert row.value == pytest.approx(1e-20 / np.log(2), rel=1e-12)


def test_blocks_make_no_difference(monkeypatch):
    rng = np.random.default_rng(1)
    values = [rng.integers(0, 4, (23, 3)) for _ in range(3)]
    whole = told(unanimity(*values))
    for block in (1, 23, 50, 23 * 22, 23 * 23, 2 * 23 * 23):
        monkeypatch.setattr(sys.modules["measurand.information.unanimity"], "BLOCK", block)
        assert told(unanimity(*values)) == whole


def test_more_systems_than_a_byte_counts_are_told_apart():
    found = unanimity(range(300), range(300))
    assert (found.unanimous, found.rows[0].tied) == (300 * 299 // 2, 0)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ((), "there are no scores"),
        (({},), "there are no scores"),
        (([1], [2]), "one system alone"),
        (([1, 2], [1, 2, 3]), "2 systems × 1 topics and 3 systems × 1 topics"),
        (([[1, 2], [3]], [1, 2]), "all rows equally long"),
        (({"AP": [[1, 2], [3]]},), "AP: every system needs a number"),
        ((["a", "b"],), "'a' is no number"),
        (([1, None], [1, 2]), "m1: None is no number"),
        (({"AP": {"a": 1}},), "AP: 'a' is no number"),
        (([1j, 2],), "is no number"),
        ((3,), "give an array of systems × topics"),
        (([], []), "give an array of systems × topics"),
        ((np.zeros((2, 2, 2)), np.zeros((2, 2, 2))), "give an array of systems × topics"),
        ((scores("AP", [1, 2, 3, 4]), scores("AP", [1, 2, 3, 4])), "two measures are called AP"),
        ((scores("AP", [1, 2], systems="ab"), scores("RR", [1, 2], systems="ba")), "RR and AP must score the same sys"),
    ],
)
def test_what_cannot_be_compared_is_refused(given, complaint):
    with pytest.raises(ParameterError, match=complaint):
        unanimity(*given)


def test_scores_that_leave_no_pair_are_refused():
    with pytest.raises(InputError, match="no topic has two systems"):
        unanimity({"AP": [[1, nan], [nan, 1]]})
    with pytest.raises(InputError, match="no topic has two systems"):
        unanimity(Scores(measure="AP", values=np.zeros((2, 0)), systems="ab", topics=()))


def test_how_far_it_is_can_be_shown():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    unanimity([[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], progress=progress)
    assert seen == [(1, "comparing systems")]
