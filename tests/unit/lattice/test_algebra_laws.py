"""Laws of the five orders at depths where nothing can be listed, and at depth 1000."""

from __future__ import annotations

from itertools import islice, product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet
from measurand.lattice.algebra import algebra_of
from measurand.lattice.algebra.swap import Block
from measurand.lattice.algebra.swap_bounds import minimal_runs_above
from measurand.orders import ORDERS, Relation, compare

calm = settings(deadline=None, max_examples=15)
ORDER = st.sampled_from(sorted(ORDERS))
LATTICES = ORDER.flatmap(lambda order: st.tuples(st.just(order), st.just(2) if order == "swap" else st.integers(2, 6)))


@st.composite
def runs_in(draw, spaces, number: int, depths=(1, 40)):
    order, grades = draw(spaces)
    depth = draw(st.integers(*depths))
    rows = draw(st.lists(st.lists(st.integers(0, grades - 1), min_size=depth, max_size=depth), min_size=number))
    runs = [tuple(sorted(row, reverse=True)) if order.startswith("set-") else tuple(row) for row in rows[:number]]
    return algebra_of(order, depth, grades), *runs


def at_most(algebra, x, y) -> bool:
    return compare(x, y, algebra.order) in (Relation.LESS, Relation.EQUAL)


@calm
@given(runs_in(LATTICES, 3))
def test_joins_and_meets_obey_the_laws_of_a_distributive_lattice(drawn):
    algebra, x, y, z = drawn
    join, meet = algebra.join, algebra.meet
    assert join(x, x) == meet(x, x) == x
    assert join(x, y) == join(y, x)
    assert meet(x, y) == meet(y, x)
    assert join(x, join(y, z)) == join(join(x, y), z)
    assert meet(x, meet(y, z)) == meet(meet(x, y), z)
    assert join(x, meet(x, y)) == meet(x, join(x, y)) == x
    assert meet(x, join(y, z)) == join(meet(x, y), meet(x, z))
    assert (join(x, y) == y) == at_most(algebra, x, y)


@calm
@given(runs_in(st.tuples(st.just("swap"), st.integers(3, 6)), 2, (2, 20)))
def test_candidates_are_bounds_with_no_closer_one_and_differ(drawn):
    algebra, x, y = drawn
    for operation, error, covers, turn in (
        (algebra.join, NoJoin, algebra.lower_covers, 1),
        (algebra.meet, NoMeet, algebra.upper_covers, -1),
    ):
        found = bounds_found(operation, error, x, y)
        assert found
        for run in found:
            assert is_bound(algebra, x, y, run, turn)
            assert not any(is_bound(algebra, x, y, closer, turn) for closer in covers(run))
        assert len(set(found)) == len(found)


def bounds_found(operation, error, x, y):
    try:
        return (operation(x, y),)
    except error as none:
        return none.candidates if len(none.candidates) > 1 else ()


def is_bound(algebra, x, y, bound, turn: int) -> bool:
    return all(at_most(algebra, *(run, bound)[::turn]) for run in (x, y))


@calm
@given(runs_in(st.tuples(ORDER, st.integers(2, 5)), 1))
def test_a_cover_is_better_and_the_run_is_among_its_lower_covers(drawn):
    algebra, x = drawn
    for cover in algebra.upper_covers(x):
        assert compare(x, cover, algebra.order) is Relation.LESS
        assert x in set(algebra.lower_covers(cover))
    for cover in algebra.lower_covers(x):
        assert x in set(algebra.upper_covers(cover))


@calm
@given(runs_in(st.tuples(ORDER, st.integers(2, 5)), 2, (1, 30)))
def test_the_first_runs_between_are_between_and_ascend(drawn):
    algebra, x, y = drawn
    for low, high in ((x, y), (algebra.bottom, x), (x, algebra.top)):
        listed = list(islice(algebra.between(low, high), 12))
        assert bool(listed) == at_most(algebra, low, high)
        assert all(at_most(algebra, low, run) and at_most(algebra, run, high) for run in listed)
        assert listed[:1] in ([], [low])
        assert not any(at_most(algebra, later, run) for i, run in enumerate(listed) for later in listed[i + 1 :])


@calm
@given(runs_in(LATTICES, 1))
def test_the_join_of_the_parts_is_the_run(drawn):
    algebra, x = drawn
    joined = algebra.bottom
    for part in algebra.decompose(x):
        assert algebra.place(part) is not None
        joined = algebra.join(joined, part)
    assert joined == x


@calm
@given(runs_in(LATTICES, 2, (1, 12)), st.integers(0, 2**32 - 1))
def test_terms_make_a_valuation_of_any_values_of_join_irreducible_runs(drawn, seed):
    algebra, x, y = drawn
    pairs = np.array([x, y, algebra.join(x, y), algebra.meet(x, y)], dtype=np.int8)
    terms = algebra.terms(pairs)
    worth = Random(seed)
    values = {place: worth.randrange(-99, 99) for place in sorted(set(terms.place.tolist()))}
    total = [0] * 4
    for row, place, sign in zip(*(array.tolist() for array in (terms.row, terms.place, terms.sign)), strict=True):
        total[row] += sign * values[place]
    assert total[0] + total[1] == total[2] + total[3]


@calm
@given(ORDER, st.integers(1, 60), st.integers(2, 9), st.data())
def test_places_and_join_irreducible_runs_belong_to_each_other(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    place = data.draw(st.integers(0, algebra.irreducible_count - 1))
    run = algebra.irreducible(place)
    assert algebra.place(run) == place
    assert algebra.decompose(run) == (run,)
    assert algebra.expansion(run) == {run: 1}
    lower, upper = algebra.step(place)
    assert upper in set(algebra.upper_covers(lower))


@calm
@given(st.integers(1, 30), st.data())
def test_blocks_are_ordered_by_grade_number_and_what_is_before_them(depth, data):
    blocks = []
    for _ in "xy":
        end = data.draw(st.integers(1, depth))
        blocks.append(Block(data.draw(st.integers(1, 4)), end, data.draw(st.integers(1, end))))
    x, y = blocks
    expected = x.grade <= y.grade and x.number <= y.number and x.end - x.number >= y.end - y.number
    assert (compare(x.run(depth), y.run(depth)) in (Relation.LESS, Relation.EQUAL)) == expected


@calm
@given(runs_in(st.tuples(st.just("swap"), st.integers(3, 5)), 1, (1, 12)))
def test_with_more_grades_a_block_is_below_a_run_exactly_if_below_one_of_its_parts(drawn):
    algebra, x = drawn
    parts = algebra.decompose(x)
    place = Random(sum(x)).randrange(algebra.irreducible_count)
    block = algebra.irreducible(place)
    assert at_most(algebra, block, x) == any(at_most(algebra, block, part) for part in parts)
    assert not any(at_most(algebra, part, other) for part in parts for other in parts if part != other)


@pytest.mark.parametrize("order", sorted(ORDERS))
def test_at_depth_1000_nothing_is_listed(order):
    chance = Random(7)
    algebra = algebra_of(order, 1000, 5)
    x, y = ([chance.randrange(5) for _ in range(1000)] for _ in "xy")
    x, y = (tuple(sorted(run, reverse=True) if order.startswith("set-") else run) for run in (x, y))
    upper, lower = bounds_found(algebra.join, NoJoin, x, y), bounds_found(algebra.meet, NoMeet, x, y)
    assert upper
    assert lower
    assert all(is_bound(algebra, x, y, bound, 1) for bound in upper)
    assert all(is_bound(algebra, x, y, bound, -1) for bound in lower)
    assert all(compare(x, cover, order) is Relation.LESS for cover in islice(algebra.upper_covers(x), 40))
    assert all(compare(cover, x, order) is Relation.LESS for cover in islice(algebra.lower_covers(x), 40))
    assert len(list(islice(algebra.between(algebra.bottom, x), 40))) == 40
    assert all(algebra.place(part) is not None for part in algebra.decompose(x))
    assert len(algebra.terms(np.array([x], dtype=np.int8)).row) > 0
    middle = algebra.irreducible_count // 2
    assert algebra.place(algebra.irreducible(middle)) == middle


@pytest.mark.parametrize("grades", [3, 5, 20])
def test_at_depth_300_candidates_are_minimal_and_more_than_one(grades):
    rows = np.random.default_rng(grades).integers(0, grades, (2, 300))
    algebra = algebra_of("swap", 300, grades)
    x, y = (tuple(row) for row in rows.tolist())
    for operation, error, covers, turn in (
        (algebra.join, NoJoin, algebra.lower_covers, 1),
        (algebra.meet, NoMeet, algebra.upper_covers, -1),
    ):
        closest = np.maximum(turn * algebra.paths(x), turn * algebra.paths(y))
        candidates = bounds_found(operation, error, x, y)
        assert len(set(candidates)) == len(candidates) > 1
        for run in candidates:
            assert (turn * algebra.paths(run) >= closest).all()
            assert not any((turn * algebra.paths(closer) >= closest).all() for closer in covers(run))


def test_between_holds_with_as_many_grades_as_there_can_be():
    algebra = algebra_of("swap", 2, 128)
    x, y = (60, 3), (64, 61)
    listed = list(algebra.between(x, y))
    assert set(listed) == {run for run in product(range(128), repeat=2) if in_order(x, run) and in_order(run, y)}
    assert listed == sorted(listed)


def in_order(x, y) -> bool:
    """Return whether one run of two ranks is at most as good as another: by its first grade, and sorted."""
    return x[0] <= y[0] and all(a <= b for a, b in zip(sorted(x), sorted(y), strict=True))


def test_places_beyond_the_largest_whole_number_of_an_array_are_exact():
    algebra = algebra_of("projection", 100, 3)
    run = (2,) * 100
    terms = algebra.terms(np.array([algebra.bottom, run], dtype=np.int8))
    assert (terms.row.tolist(), terms.place.tolist()) == ([1], [3**100 - 2])


def test_of_very_many_candidates_sixty_four_are_given_and_said_to_be_some():
    # a choice between (1, 2, 0) and (2, 0, 1), seven times
    algebra = algebra_of("swap", 21, 3)
    paths = np.pad(np.cumsum([[1, 0, 1] * 7, [0, 1, 0] * 7], axis=1), ((0, 0), (1, 0)))
    bounds, complete = minimal_runs_above(paths, steps=5000)
    assert (len(set(bounds)), complete) == (64, False)
    for bound in bounds:
        assert (algebra.paths(bound) >= paths).all()
        assert not any((algebra.paths(closer) >= paths).all() for closer in algebra.lower_covers(bound))


@calm
@given(st.integers(1, 40), st.integers(2, 12))
def test_two_runs_without_a_join_at_any_depth_and_grades(depth, grades):
    assume(depth > 1 and grades > 2)
    algebra = algebra_of("swap", depth, grades)
    start = (0,) * (depth - 2)
    with pytest.raises(NoJoin) as caught:
        algebra.join((*start, 0, 2), (*start, 1, 0))
    assert set(caught.value.candidates) == {(*start, 1, 2), (*start, 2, 0)}
    assert caught.value.complete
