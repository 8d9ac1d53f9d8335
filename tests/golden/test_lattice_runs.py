"""Joins, meets, covers and join-irreducible runs: sections 3 to 7 of Giner (2022), without listing the runs."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from math import comb
from operator import and_

import numpy as np
import pytest

from measurand.errors import NoJoin, NoMeet
from measurand.lattice.algebra import algebra_of
from measurand.lattice.algebra.swap_bounds import is_run
from measurand.orders import ORDERS, Relation, compare

THREES = ("set-projection", "set-replacement", "projection", "replacement")
lattices = pytest.mark.parametrize(("order", "depth", "grades"), [*((order, 3, 3) for order in THREES), ("swap", 4, 2)])
DISTRIBUTIVE = [("set-replacement", 4, 3), ("replacement", 3, 3), ("swap", 4, 2)]

# the labels of Figure 3, zeros left out
FIGURE_3 = dict(
    enumerate(
        "1 11 2 111 21 1111 22 211 11111 221 2111 222 2211 21111 2221 22111 2222 22211 22221 22222".split(),
        start=1,
    )
)


def labelled(k: int) -> tuple[int, ...]:
    return tuple(map(int, FIGURE_3[k].ljust(5, "0")))


def edges(algebra) -> int:
    return sum(len(list(algebra.upper_covers(run))) for run in algebra.runs())


def at_most(r, s, order: str = "swap") -> bool:
    return compare(r, s, order) in (Relation.LESS, Relation.EQUAL)


def join_or_none(algebra, x, y):
    try:
        return algebra.join(x, y)
    except NoJoin:
        return None


def without_join(depth: int, grades: int) -> tuple[int, int]:
    algebra = algebra_of("swap", depth, grades)
    pairs = list(combinations_with_replacement(algebra.runs(), 2))
    return sum(join_or_none(algebra, x, y) is None for x, y in pairs), len(pairs)


def not_nested(depth: int, grades: int) -> tuple[int, int]:
    algebra = algebra_of("swap", depth, grades)
    pairs = list(combinations_with_replacement([algebra.paths(run) for run in algebra.runs()], 2))
    return sum(not is_run(np.maximum(x, y)) for x, y in pairs), len(pairs)


@pytest.mark.spec("G-3-INT")
def test_the_printed_interval_is_a_chain_of_three():
    swap = algebra_of("swap", 3, 3)
    assert list(swap.between((2, 1, 1), (2, 2, 1))) == [(2, 1, 1), (2, 1, 2), (2, 2, 1)]
    assert list(swap.between((2, 2, 1), (2, 1, 1))) == []


def test_edges_are_as_many_as_the_closed_forms_say():
    for c, n in product((1, 2, 3), (1, 2, 3, 4)):
        assert edges(algebra_of("set-replacement", n, c + 1)) == c * comb(n + c - 1, c)
        assert edges(algebra_of("replacement", n, c + 1)) == n * c * (c + 1) ** (n - 1)
        assert edges(algebra_of("projection", n, c + 1)) == (c + 1) ** n - 1
        assert edges(algebra_of("set-projection", n, c + 1)) == comb(n + c, c) - 1
    assert [edges(algebra_of("swap", n, 2)) for n in (2, 3, 4, 5, 6, 7)] == [
        (n + 1) * 2 ** (n - 2) for n in range(2, 8)
    ]
    assert [edges(algebra_of("swap", n, 3)) for n in (2, 3, 4, 5)] == [11, 46, 175, 634]


def test_bounds_are_what_stands_above_the_minimal_and_below_the_maximal_ones():
    swap = algebra_of("swap", 2, 3)
    assert (swap.bottom, swap.top) == ((0, 0), (2, 2))
    with pytest.raises(NoJoin) as above:
        swap.join((0, 2), (1, 0))
    with pytest.raises(NoMeet) as below:
        swap.meet((1, 2), (2, 0))
    assert (above.value.candidates, below.value.candidates) == (((1, 2), (2, 0)), ((0, 2), (1, 0)))
    upper = {run for bound in above.value.candidates for run in swap.between(bound, swap.top)}
    assert upper == {run for run in swap.runs() if at_most((0, 2), run) and at_most((1, 0), run)}
    lower = {run for bound in below.value.candidates for run in swap.between(swap.bottom, bound)}
    assert lower == {run for run in swap.runs() if at_most(run, (1, 2)) and at_most(run, (2, 0))}


@lattices
def test_every_pair_has_a_least_and_a_greatest_bound(order, depth, grades):
    algebra = algebra_of(order, depth, grades)
    runs = list(algebra.runs())
    below = {(r, s) for r, s in product(runs, repeat=2) if at_most(r, s, order)}
    for x, y in combinations(runs, 2):
        join, meet = algebra.join(x, y), algebra.meet(x, y)
        for z in runs:
            assert ((join, z) in below) == ((x, z) in below and (y, z) in below)
            assert ((z, meet) in below) == ((z, x) in below and (z, y) in below)


@pytest.mark.spec("G-5.1-CHAIN")
def test_sets_by_their_highest_difference_are_a_chain_and_every_function_a_valuation():
    chain = algebra_of("set-projection", 3, 3)
    runs = list(chain.runs())
    assert (len(runs), edges(chain)) == (10, 9)
    for (i, x), (j, y) in combinations(enumerate(runs), 2):
        assert (chain.meet(x, y), chain.join(x, y)) == (runs[min(i, j)], runs[max(i, j)])
    assert [chain.expansion(run) for run in runs] == [{}, *({run: 1} for run in runs[1:])]


@pytest.mark.spec("G-5.1-JI")
def test_in_the_chain_of_sets_all_but_the_worst_are_join_irreducible():
    chain = algebra_of("set-projection", 5, 3)
    assert chain.irreducible_count == 20
    assert [chain.bottom, *chain.join_irreducibles()] == list(chain.runs())


@pytest.mark.spec("G-5.2-COVER", "E-G-12", "G-A")
def test_a_set_is_covered_by_those_with_one_sorted_grade_higher_by_one():
    for c, n in product((1, 2, 3), (1, 2, 3, 4)):
        sets = algebra_of("set-replacement", n, c + 1)
        runs = set(sets.runs())
        for run in runs:
            raised = {tuple(g + (k == i) for k, g in enumerate(run)) for i in range(n)}
            assert set(sets.upper_covers(run)) == raised & runs
    # two documents of a grade, but one descendant
    assert list(algebra_of("set-replacement", 3, 3).lower_covers((1, 1, 0))) == [(1, 0, 0)]


@pytest.mark.spec("G-P3", "G-A")
def test_join_irreducible_sets_are_alike_and_ordered_as_a_product_of_chains():
    for c, n in product((1, 2, 3), (1, 2, 3, 4, 5)):
        sets = algebra_of("set-replacement", n, c + 1)
        alike = {(v, m): (v,) * m + (0,) * (n - m) for v in range(1, c + 1) for m in range(1, n + 1)}
        assert set(sets.join_irreducibles()) == set(alike.values())
        assert sets.irreducible_count == c * n
        for ((v, m), x), ((w, k), y) in product(alike.items(), repeat=2):
            assert at_most(x, y, "set-replacement") == (v <= w and m <= k)


@pytest.mark.spec("G-5.2-JOINS")
def test_the_printed_joins_of_figure_3_hold():
    sets = algebra_of("set-replacement", 5, 3)
    printed = {5: (2, 3), 8: (3, 4), 10: (4, 7), 11: (3, 6), 14: (3, 9), 15: (6, 12), 16: (7, 9), 18: (9, 12)}
    for k, (i, j) in {**printed, 13: (6, 7), 19: (9, 17)}.items():
        assert sets.join(labelled(i), labelled(j)) == labelled(k)
        assert set(sets.decompose(labelled(k))) == {labelled(i), labelled(j)}


@pytest.mark.spec("G-5.2-MEETJI")
def test_the_meet_of_two_join_irreducible_sets_is_one():
    sets = algebra_of("set-replacement", 4, 4)
    for x, y in product(sets.join_irreducibles(), repeat=2):
        number = min(4 - x.count(0), 4 - y.count(0))
        assert sets.meet(x, y) == (min(x[0], y[0]),) * number + (0,) * (4 - number)
        assert sets.place(sets.meet(x, y)) is not None


@pytest.mark.spec("G-P7", "G-A")
def test_join_irreducible_under_replacement_is_one_grade_alone():
    for c, n in product((1, 2, 3), (1, 2, 3)):
        ranks = algebra_of("replacement", n, c + 1)
        assert set(ranks.join_irreducibles()) == {run for run in ranks.runs() if n - run.count(0) == 1}
        assert ranks.irreducible_count == c * n
    assert algebra_of("replacement", 3, 3).irreducible_count == 6


@pytest.mark.spec("G-6.1-ORD")
def test_runs_by_their_first_difference_stand_as_in_the_dictionary():
    chain = algebra_of("projection", 3, 2)
    assert ["".join(map(str, run)) for run in chain.runs()] == "000 001 010 011 100 101 110 111".split()
    for c, n in product((1, 2, 3), (1, 2, 3)):
        chain = algebra_of("projection", n, c + 1)
        assert chain.irreducible_count == (c + 1) ** n - 1
        assert [chain.bottom, *chain.join_irreducibles()] == list(chain.runs())


@pytest.mark.spec("G-6.2-COVER", "G-A")
def test_a_run_is_covered_under_replacement_by_those_with_one_grade_higher_by_one():
    for c, n in product((1, 2, 3), (1, 2, 3)):
        ranks = algebra_of("replacement", n, c + 1)
        for run in ranks.runs():
            raised = {tuple(g + (k == i) for k, g in enumerate(run)) for i in range(n) if run[i] < c}
            assert set(ranks.upper_covers(run)) == raised
            assert all(run in ranks.lower_covers(cover) for cover in raised)


@pytest.mark.spec("G-6.2-MEETJI", "E-G-11")
def test_the_meet_of_two_join_irreducible_runs_is_one_at_the_same_rank_and_else_the_worst():
    ranks = algebra_of("replacement", 3, 4)
    for x, y in product(ranks.join_irreducibles(), repeat=2):
        same_rank = x.index(max(x)) == y.index(max(y))
        assert (ranks.place(ranks.meet(x, y)) is not None) == same_rank
        assert (ranks.meet(x, y) == ranks.bottom) == (not same_rank)
    assert algebra_of("replacement", 2, 2).meet((1, 0), (0, 1)) == (0, 0)


def test_with_two_grades_every_pair_has_a_join_and_with_more_so_many_have_none():
    assert [without_join(n, 2)[0] for n in range(1, 7)] == [0] * 6
    assert [without_join(n, 3) for n in (1, 2, 3, 4)] == [(0, 6), (1, 45), (20, 378), (283, 3321)]
    assert [without_join(n, 4)[0] for n in (1, 2, 3)] == [0, 6, 212]
    assert not_nested(5, 3) == (3465, 29646)
    assert not_nested(4, 4)[0] == 5274


def test_three_grades_and_two_ranks_are_no_lattice():
    with pytest.raises(NoJoin) as caught:
        algebra_of("swap", 2, 3).join((0, 2), (1, 0))
    assert caught.value.candidates == ((1, 2), (2, 0))
    assert caught.value.complete
    for grades, depth in product((3, 4, 7), (2, 3, 9)):
        start = (0,) * (depth - 2)
        with pytest.raises(NoJoin):
            algebra_of("swap", depth, grades).join((*start, 0, 2), (*start, 1, 0))
        assert not at_most((*start, 2, 0), (*start, 1, 2))


@pytest.mark.spec("G-6.3-BIN")
def test_with_two_grades_joins_are_the_upper_paths_and_blocks_join_irreducible():
    swap = algebra_of("swap", 4, 2)
    assert swap.join((1, 0, 0, 1), (0, 1, 1, 0)) == (1, 0, 1, 0)
    assert swap.meet((1, 0, 0, 1), (0, 1, 1, 0)) == (0, 1, 0, 1)
    assert set(algebra_of("swap", 5, 2).decompose((1, 0, 1, 1, 0))) == {(1, 0, 0, 0, 0), (0, 1, 1, 1, 0)}
    for n in range(1, 7):
        swap = algebra_of("swap", n, 2)
        assert sum(1 for run in swap.runs() for _ in swap.between(run, swap.top)) == comb(2 * n + 1, n)
        blocks = {(0,) * (k - m) + (1,) * m + (0,) * (n - k) for k in range(1, n + 1) for m in range(1, k + 1)}
        assert set(swap.join_irreducibles()) == blocks
        assert swap.irreducible_count == n * (n + 1) // 2
        for x, y in combinations(swap.runs(), 2):
            sums = np.cumsum([x, y], axis=1)
            assert np.cumsum(swap.join(x, y)).tolist() == sums.max(axis=0).tolist()
            assert np.cumsum(swap.meet(x, y)).tolist() == sums.min(axis=0).tolist()
        for run in swap.runs():
            ends = [k for k in range(n) if run[k] and not any(run[k + 1 : k + 2])]
            assert len(swap.decompose(run)) == len(ends)


@pytest.mark.parametrize(("depth", "grades", "size"), [(2, 3, 10), (3, 3, 35), (4, 3, 126), (2, 4, 20), (3, 4, 112)])
def test_the_completion_is_that_of_paths_one_above_the_other(depth, grades, size):
    algebra = algebra_of("swap", depth, grades)
    runs = list(algebra.runs())
    ideals = [sum(1 << k for k, run in enumerate(runs) if at_most(run, x)) for x in runs]
    cuts = {(1 << len(runs)) - 1}
    for ideal in ideals:
        cuts |= set(map(and_, cuts, [ideal] * len(cuts)))
    assert len(cuts) == size
    paths = [np.cumsum(steps) for steps in product((0, 1), repeat=depth)]
    above = np.array([[bool(np.all(p >= q)) for q in paths] for p in paths], dtype=int)
    assert np.linalg.matrix_power(above, grades - 2).sum() == size


@pytest.mark.parametrize(("depth", "grades"), [(2, 3), (3, 3), (2, 4), (2, 5), (3, 2)])
def test_there_is_a_join_exactly_if_the_upper_paths_are_nested(depth, grades):
    algebra = algebra_of("swap", depth, grades)
    runs = list(algebra.runs())
    below = {run: {s for s in runs if at_most(run, s)} for run in runs}
    for x, y in combinations(runs, 2):
        bounds = below[x] & below[y]
        least = [run for run in bounds if bounds <= below[run]]
        assert bool(least) == is_run(np.maximum(algebra.paths(x), algebra.paths(y)))
        assert join_or_none(algebra, x, y) == (least[0] if least else None)


@pytest.mark.parametrize(("depth", "grades"), [(3, 3), (4, 3), (3, 4), (30, 5)])
def test_what_is_added_up_level_by_level_is_fixed_by_its_values_on_blocks(depth, grades):
    algebra = algebra_of("swap", depth, grades)
    assert algebra.irreducible_count == (grades - 1) * depth * (depth + 1) // 2
    rng = np.random.default_rng(1)
    step = rng.integers(-9, 9, size=(grades - 1, depth, depth + 1, 2))

    def value(run) -> int:
        paths = algebra.paths(run)
        rise = np.diff(paths, axis=1)
        level, rank = np.indices(rise.shape)
        return int(step[level, rank, paths[:, :-1], rise].sum())

    runs = (
        list(algebra.runs()) if depth < 5 else [tuple(run) for run in rng.integers(grades, size=(20, depth)).tolist()]
    )
    for run in runs:
        bottom = value(algebra.bottom)
        parts = algebra.expansion(run).items()
        assert value(run) == bottom + sum(times * (value(block) - bottom) for block, times in parts)


@pytest.mark.spec("G-4-RUNS")
def test_runs_are_counted_without_being_listed():
    assert algebra_of("set-replacement", 5, 3).size == len(list(algebra_of("set-replacement", 5, 3).runs())) == 21
    assert algebra_of("swap", 3, 3).size == len(list(algebra_of("swap", 3, 3).runs())) == 27
    assert {algebra_of(order, 100, 3).size for order in ORDERS if not order.startswith("set-")} == {3**100}


@pytest.mark.spec("G-T2")
@pytest.mark.parametrize(("order", "depth", "grades"), DISTRIBUTIVE)
def test_a_run_is_an_irredundant_join_of_join_irreducible_runs_in_one_way(order, depth, grades):
    algebra = algebra_of(order, depth, grades)
    parts = list(algebra.join_irreducibles())
    joins = {frozenset(): algebra.bottom}
    for size in range(1, len(parts) + 1):
        for chosen in map(frozenset, combinations(parts, size)):
            one = next(iter(chosen))
            joins[chosen] = algebra.join(joins[chosen - {one}], one)
    irredundant: dict = {run: [] for run in algebra.runs()}
    for chosen, run in joins.items():
        if all(joins[chosen - {one}] != run for one in chosen):
            irredundant[run].append(chosen)
    assert irredundant == {run: [frozenset(algebra.decompose(run))] for run in algebra.runs()}


@pytest.mark.spec("G-A")
def test_join_and_meet_together_hold_what_two_runs_hold():
    for order, depth, grades in DISTRIBUTIVE:
        algebra = algebra_of(order, depth, grades)
        for x, y in combinations(algebra.runs(), 2):
            assert np.add(algebra.join(x, y), algebra.meet(x, y)).tolist() == np.add(x, y).tolist()
