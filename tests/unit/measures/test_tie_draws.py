"""The machinery of ties: lots, arrangements, and the crossing from exact numbers to floats."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.measures.exact_ties import settled
from measurand.measures.ties.arrangements import Arrangements, OpenGroup
from measurand.measures.ties.cut_groups import CutGroup
from measurand.measures.ties.hypergeometric import Hypergeometric


@st.composite
def draws(draw, most=60):
    documents = draw(st.integers(0, most))
    return Hypergeometric(documents, draw(st.integers(0, documents)), draw(st.integers(0, documents)))


@given(draws())
def test_chances_are_those_of_drawing_without_looking(draw):
    exact = draw.probabilities()
    assert sum(exact) == 1
    assert draw.floats() == pytest.approx([float(chance) for chance in exact], rel=1e-12)
    mean = sum(number * chance for number, chance in enumerate(exact, draw.least))
    assert mean * draw.documents == draw.marked * draw.drawn


@given(draws(12))
def test_tails_are_sums_of_chances(draw):
    tails = [
        sum((chance for number, chance in enumerate(draw.probabilities(), draw.least) if number >= place), Fraction(0))
        for place in range(1, 15)
    ]
    assert list(draw.tail_probabilities(14)) == tails
    assert draw.float_tails(14) == pytest.approx([float(tail) for tail in tails], rel=1e-12, abs=1e-15)


def test_a_million_documents_are_no_burden():
    draw = Hypergeometric(10**6, 5 * 10**5, 3 * 10**5)
    assert draw.floats().sum() == pytest.approx(1)
    assert (draw.floats() * np.arange(draw.least, draw.most + 1)).sum() == pytest.approx(150_000)


@st.composite
def open_groups(draw):
    cells = draw(st.lists(st.sampled_from([0, 1, 2, -1]), min_size=1, max_size=6))
    return OpenGroup(0, draw(st.integers(1, len(cells))), tuple(cells))


@settings(max_examples=15, deadline=None)
@given(open_groups())
def test_orders_are_counted_and_listed_as_they_come_about(group):
    counted = Counter(order[: group.shown] for order in permutations(group.cells))
    beyond = len(list(permutations(group.cells))) // group.ways
    rows, ways = group.all()
    assert {tuple(row): number * beyond for row, number in zip(rows.tolist(), ways, strict=True)} == counted
    assert len(rows) == len(counted) == group.number(10**6)
    assert group.number(1) == 1 if len(counted) == 1 else group.number(1) > 1


@pytest.mark.parametrize("shown", [1000, 600])
def test_many_orders_are_not_counted_to_the_end(shown):
    group = OpenGroup(0, shown, (1,) * 500 + (0,) * 500)
    assert group.number(2000) == 2001
    assert OpenGroup(0, shown, (1, *[0] * 999)).number(2000) == shown + (shown < 1000)


def test_groups_are_arranged_independently_of_each_other():
    arrangements = Arrangements((9, 0, 1, 9, 0, 1), (OpenGroup(1, 2, (0, 1)), OpenGroup(4, 1, (0, 1, 1))))
    rows, chances = arrangements.probabilities()
    found = {tuple(row): chance for row, chance in zip(rows.tolist(), chances.tolist(), strict=True)}
    assert found == {
        (9, 0, 1, 9, 0, 1): pytest.approx(1 / 6),
        (9, 0, 1, 9, 1, 1): pytest.approx(1 / 3),
        (9, 1, 0, 9, 0, 1): pytest.approx(1 / 6),
        (9, 1, 0, 9, 1, 1): pytest.approx(1 / 3),
    }
    assert arrangements.number(100) == 4
    drawn = arrangements.drawn(4000, 0)
    assert {tuple(row) for row in drawn.tolist()} == set(found)
    assert (drawn[:, 4] == 1).mean() == pytest.approx(2 / 3, abs=0.05)


@given(st.data())
def test_numbers_of_documents_in_sight_are_those_of_all_orders(data):
    cells = data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=6))
    shown = data.draw(st.integers(0, len(cells)))
    known = sum(cell >= 0 for cell in cells)
    group = CutGroup(len(cells), known, cells.count(1), shown)
    orders = [order[:shown] for order in permutations(cells)]
    counted = Counter((sum(cell >= 0 for cell in order), order.count(1)) for order in orders)
    exact = {(judged, relevant): chance for judged, relevant, chance in group.draws()}
    assert exact == {pair: Fraction(number, len(orders)) for pair, number in counted.items()}
    judged, relevant, chances = group.float_draws()
    rough = dict(zip(zip(judged.tolist(), relevant.tolist(), strict=True), chances.tolist(), strict=True))
    assert rough == pytest.approx({pair: float(chance) for pair, chance in exact.items()})


def test_scores_that_are_fixed_stay_and_set_the_example():
    third = Fraction(1, 3)
    off = np.nextafter(1 / 3, 1)
    values = np.array([[off], [1 / 3], [0.5]])
    fixed = np.array([[True], [False], [False]])
    assert settled(values, lambda _: third, fixed=fixed)[:, 0].tolist() == [off, off, 0.5]
    assert settled(values, lambda _: third)[:, 0].tolist() == [1 / 3, 1 / 3, 0.5]
    assert settled(values, lambda _: None)[:, 0].tolist() == values[:, 0].tolist()
    assert settled(values, lambda _: third, fixed=np.ones((3, 1), dtype=bool)).tolist() == values.tolist()
