"""Posets and lattices of judged runs, written out: sections 3 to 6 of Giner (2022), its figures and its errata."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from measurand.errors import NoJoin, NoMeet
from measurand.lattice.algebra import algebra_of
from measurand.lattice.finite import M3, N5, Cut, Poset, boolean, chain, is_order, violations
from measurand.lattice.generation import combinations as operations_together
from measurand.lattice.generation import generated
from measurand.orders import ORDERS, Relation, compare
from measurand.verdict import How

SMALL = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]
LATTICES = ["replacement", "projection", "set-replacement", "set-projection"]

# figure 3: the sets of 5 documents over 3 grades, zeros left out
SETS = """
1 11 2 111 21 1111 22 211 11111 221 2111 222 2211 21111 2221 22111 2222 22211 22221 22222
""".split()
R = {n: tuple(map(int, text.ljust(5, "0"))) for n, text in enumerate(["", *SETS])}


@cache
def runs(order: str, c: int, n: int) -> Poset:
    return Poset.of_runs(algebra_of(order, n, c + 1))


def by_definition(order: str, c: int, n: int) -> Poset:
    return Poset.of(runs(order, c, n), lambda r, s: compare(r, s, order) in (Relation.LESS, Relation.EQUAL))


def small(most: int = 256):
    return [(c, n) for c in (1, 2, 3) for n in range(1, 9) if (c + 1) ** n <= most]


def without_join(poset: Poset) -> int:
    return int((poset.order.joins < 0).sum()) // 2


def level_sizes(poset: Poset) -> list[int]:
    return [len(level) for level in poset.levels()]


# Section 3: orders, bounds, lattices


@pytest.mark.spec("G-3-POSET")
@pytest.mark.parametrize("order", ORDERS)
def test_the_five_orders_are_reflexive_antisymmetric_and_transitive(order):
    for c, n in SMALL:
        verdict = is_order(runs(order, c, n), lambda r, s: compare(r, s, order) in (Relation.LESS, Relation.EQUAL))
        assert verdict
        assert verdict.how is How.EXHAUSTIVE


@pytest.mark.spec("G-3-POSET", "E-G-15")
def test_the_relation_of_the_footnote_is_neither_antisymmetric_nor_transitive():
    def nearly(a, b):
        return a <= b + 1

    assert is_order([0, Fraction(1, 2)], nearly).witness.law == "antisymmetric"
    broken = {violation.law: violation.elements for violation in violations([0, Fraction(1, 2), 1, 2], nearly)}
    assert broken["antisymmetric"] == (0, Fraction(1, 2))
    assert set(broken) == {"antisymmetric", "transitive"}
    assert (2, 1, 0) in {violation.elements for violation in violations([0, 1, 2], nearly)}
    assert violations([0, 2, 4], nearly) == ()


@pytest.mark.spec("G-3-CHAIN")
@pytest.mark.parametrize("order", ["projection", "set-projection"])
def test_projections_give_chains(order):
    for c, n in product((1, 2, 3), range(1, 7)):
        if order == "set-projection" or (c + 1) ** n <= 1024:
            poset = runs(order, c, n)
            assert poset.is_chain()
            assert len(poset.edges()) == len(poset) - 1
    assert Poset.of_runs(algebra_of(order, 6, 4)).is_chain()
    assert by_definition(order, 2, 3).is_chain()


@pytest.mark.spec("G-3-CHAIN")
@pytest.mark.parametrize("order", ["replacement", "swap", "set-replacement"])
def test_replacements_leave_runs_that_cannot_be_compared(order):
    r, s = (verdict := runs(order, 2, 3).is_chain()).witness
    assert not verdict
    assert compare(r, s, order) is Relation.INCOMPARABLE


@pytest.mark.spec("G-3-COVER")
def test_the_edges_of_the_hasse_diagrams_have_closed_forms():
    for c, n in small(300):
        assert len(runs("set-replacement", c, n).edges()) == c * comb(n + c - 1, c)
        assert len(runs("replacement", c, n).edges()) == n * c * (c + 1) ** (n - 1)
        assert len(runs("projection", c, n).edges()) == (c + 1) ** n - 1
        assert len(runs("set-projection", c, n).edges()) == comb(n + c, c) - 1
        if c == 1 and n > 1:
            assert len(runs("swap", 1, n).edges()) == (n + 1) * 2 ** (n - 2)
    assert [len(runs("swap", 2, n).edges()) for n in (2, 3, 4, 5)] == [11, 46, 175, 634]


@pytest.mark.spec("G-3-COVER")
@pytest.mark.parametrize("order", ORDERS)
def test_covers_of_runs_are_those_of_the_order_as_defined(order):
    for c, n in [(1, 4), (2, 3), (3, 2)]:
        defined = by_definition(order, c, n)
        assert set(defined.edges()) == set(runs(order, c, n).edges())


@pytest.mark.spec("G-3-BOUNDS")
@pytest.mark.parametrize("order", ORDERS)
def test_the_best_and_the_worst_run_bound_all(order):
    for c, n in SMALL:
        poset = runs(order, c, n)
        assert poset.top == (c,) * n
        assert poset.bottom == (0,) * n
        assert poset.top in poset.upper_bounds(poset)
        assert poset.lower_bounds(poset) == (poset.bottom,)


@pytest.mark.spec("G-3-BOUNDS")
def test_bounds_of_two_runs_in_the_swap_order():
    poset = runs("swap", 2, 2)
    assert set(poset.upper_bounds([(0, 2), (1, 0)])) == {(1, 2), (2, 0), (2, 1), (2, 2)}
    assert set(poset.minimal_upper_bounds([(0, 2), (1, 0)])) == {(1, 2), (2, 0)}
    assert set(poset.lower_bounds([(1, 2), (2, 0)])) == {(0, 0), (0, 1), (1, 0), (0, 2)}
    assert set(poset.maximal_lower_bounds([(1, 2), (2, 0)])) == {(0, 2), (1, 0)}


@pytest.mark.spec("G-3-LAT")
@pytest.mark.parametrize("order", LATTICES)
def test_joins_and_meets_are_least_and_greatest_bounds(order):
    poset = runs(order, 2, 3)
    assert poset.is_lattice()
    for x, y in combinations(poset, 2):
        assert poset.join(x, y) == algebra_of(order, 3, 3).join(x, y)
        assert all(
            compare(poset.join(x, y), z, order) in (Relation.LESS, Relation.EQUAL) for z in poset.upper_bounds((x, y))
        )
        assert all(
            compare(z, poset.meet(x, y), order) in (Relation.LESS, Relation.EQUAL) for z in poset.lower_bounds((x, y))
        )


@pytest.mark.spec("G-3-LAT", "E-G-2")
def test_a_join_that_does_not_exist_comes_with_the_minimal_upper_bounds():
    poset = runs("swap", 2, 2)
    with pytest.raises(NoJoin, match="no join") as join:
        poset.join((0, 2), (1, 0))
    assert set(join.value.candidates) == {(1, 2), (2, 0)}
    with pytest.raises(NoMeet) as meet:
        poset.meet((1, 2), (2, 0))
    assert set(meet.value.candidates) == {(0, 2), (1, 0)}


@pytest.mark.spec("G-3-SUB", "E-G-15")
def test_a_sublattice_holds_its_own_joins_and_meets():
    poset = runs("replacement", 2, 2)
    low, high = (0, 0), (2, 2)
    # the joins of these are in the lattice, as everything is, but not in the subset
    verdict = poset.is_sublattice([low, (1, 0), (0, 1), high])
    assert not verdict
    assert verdict.witness.results == ((1, 1),)
    assert poset.is_sublattice([low, (1, 0), (0, 1), (1, 1)])
    assert all(poset.is_sublattice(poset.interval(x, y)) for x, y in product(poset, repeat=2) if poset.below(x, y))


@pytest.mark.spec("G-3-DIST")
@pytest.mark.parametrize("poset", [M3, N5, boolean(3), chain(4)], ids=["M3", "N5", "sets", "chain"])
def test_distributing_is_decided_as_by_all_triples(poset):
    def sides(x, y, z):
        return poset.meet(x, poset.join(y, z)), poset.join(poset.meet(x, y), poset.meet(x, z))

    broken = {triple for triple in product(poset, repeat=3) if len(set(sides(*triple))) > 1}
    verdict = poset.is_distributive()
    assert bool(verdict) == (not broken)
    assert verdict or tuple(verdict.witness) in broken


@pytest.mark.spec("G-3-DIST", "G-6.3-LAT")
def test_what_is_no_lattice_is_not_distributive_and_the_pair_is_named():
    verdict = runs("swap", 2, 2).is_distributive()
    assert not verdict
    assert set(verdict.witness.elements) == {(0, 2), (1, 0)}
    assert set(verdict.witness.results) == {(1, 2), (2, 0)}


@pytest.mark.spec("G-T1")
def test_replacing_at_the_last_rank_and_swapping_gives_a_lattice_that_does_not_distribute():
    poset = generated(["replacement", "swapping"], 2, 3, replace="last")
    assert poset.is_lattice()
    verdict = poset.is_distributive()
    assert not verdict
    x, y, z = (1, 1), (0, 2), (1, 0)
    assert poset.meet(x, poset.join(y, z)) != poset.join(poset.meet(x, y), poset.meet(x, z))
    found = [poset.find(name) for name in ("M3", "N5")]
    assert any(found)
    assert all(poset.is_sublattice(five) for five in found if five)


@pytest.mark.spec("G-T1")
@pytest.mark.parametrize("order", LATTICES)
def test_distributive_lattices_hold_neither_forbidden_lattice(order):
    for c, n in [(1, 3), (2, 2)]:
        poset = runs(order, c, n)
        assert poset.is_distributive()
        assert poset.find("M3") is poset.find("N5") is None
        shapes = (poset.induced(five) for five in combinations(poset, 5) if poset.is_sublattice(five))
        assert all(part.is_distributive() for part in shapes)


@pytest.mark.spec("G-F1")
def test_figure_1_shows_the_pentagon_and_the_diamond():
    assert (len(N5), len(N5.edges()), level_sizes(N5)) == (5, 5, [1, 2, 1, 1])
    assert (len(M3), len(M3.edges()), level_sizes(M3)) == (5, 6, [1, 3, 1])
    assert N5.is_lattice()
    assert M3.is_lattice()
    assert not N5.is_distributive()
    assert not M3.is_distributive()
    assert M3.is_modular()
    assert not N5.is_modular()
    assert set(M3.find("M3")) == set(M3)
    assert set(N5.find("N5")) == set(N5)
    assert M3.find("N5") is N5.find("M3") is None


@pytest.mark.spec("G-3-JI")
@pytest.mark.parametrize("poset", [M3, N5, boolean(3), *(runs(order, 2, 3) for order in LATTICES), runs("swap", 1, 4)])
def test_join_irreducibles_have_one_lower_cover_in_a_lattice(poset):
    one = {x for x in poset if len(poset.covered(x)) == 1}
    assert set(poset.join_irreducibles()) == one
    joins = {poset.join(x, y) for x, y in combinations(poset, 2) if poset.compare(x, y) is Relation.INCOMPARABLE}
    assert one == set(poset) - joins - {poset.bottom}
    assert poset.dual().meet_irreducibles() == poset.join_irreducibles()[::-1]


@pytest.mark.spec("G-3-JI")
def test_outside_lattices_one_lower_cover_and_being_no_least_bound_differ():
    two = Poset.from_pairs([("a", "c"), ("b", "c"), ("a", "d"), ("b", "d")])
    assert set(two.join_irreducibles()) == set("abcd")
    assert all(len(two.covered(x)) != 1 for x in two)


def rank(rows: list[list[int]]) -> int:
    """Return the exact rank of a matrix of whole numbers."""
    work, found = [[Fraction(entry) for entry in row] for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in range(found, len(work)) if work[row][column]), None)
        if pivot is None:
            continue
        work[found], work[pivot] = work[pivot], work[found]
        for row in range(found + 1, len(work)):
            if factor := work[row][column] / work[found][column]:
                work[row] = [mine - factor * theirs for mine, theirs in zip(work[row], work[found], strict=True)]
        found += 1
    return found


@pytest.mark.spec("G-3-VAL")
@pytest.mark.parametrize(
    "poset",
    [
        chain(2),
        chain(5),
        boolean(2),
        boolean(3),
        runs("set-replacement", 2, 2),
        runs("set-replacement", 2, 3),
        runs("replacement", 2, 2),
        runs("replacement", 1, 3),
        runs("swap", 1, 3),
        runs("swap", 1, 4),
    ],
    ids=lambda poset: f"{len(poset)}",
)
def test_valuations_have_one_free_value_for_each_join_irreducible_and_one_for_the_bottom(poset):
    place = {x: i for i, x in enumerate(poset)}
    equations = set()
    for x, y in combinations(poset, 2):
        row = [0] * len(poset)
        for element, sign in ((x, 1), (y, 1), (poset.join(x, y), -1), (poset.meet(x, y), -1)):
            row[place[element]] += sign
        equations.add(tuple(row))
    assert len(poset) - rank([list(row) for row in equations]) == len(poset.join_irreducibles()) + 1


@pytest.mark.spec("G-3-VAL")
def test_the_worst_violation_is_the_witness():
    poset = runs("replacement", 1, 3)

    def average_precision(r):
        return sum((Fraction(sum(r[: i + 1]), i + 1) for i in range(3) if r[i]), Fraction(0)) / 3

    def gap(x, y):
        values = [average_precision(r) for r in (x, y, poset.join(x, y), poset.meet(x, y))]
        return values[0] + values[1] - values[2] - values[3]

    verdict = poset.is_valuation(average_precision)
    assert not verdict
    assert gap(*verdict.witness) == gap((1, 0, 0), (0, 1, 1)) == Fraction(-5, 18)
    assert max(abs(gap(x, y)) for x, y in combinations(poset, 2)) == Fraction(5, 18)
    x, y, join, meet = verdict.witness.values
    assert x + y - join - meet == Fraction(-5, 18)
    assert poset.is_valuation(lambda r: 3 * r[0] ** 2 + r[1] - Fraction(r[2], 7))


# Section 4 and 5: not every finite poset is a lattice; sets


@pytest.mark.spec("G-5-COMB", "E-G-8")
@pytest.mark.parametrize("combination", operations_together(), ids=lambda c: "+".join(c.operations))
def test_every_combination_of_operations_gives_the_order_that_is_said(combination):
    for n, grades in [(3, 2), (2, 3), (3, 3)]:
        poset = generated(combination.operations, n, grades, combination.universe)
        if combination.admissible:
            defined = runs(combination.order, grades - 1, n)
            assert all(poset.below(r, s) == defined.below(r, s) for r, s in product(poset, repeat=2))
        else:
            # no order on judged runs falls apart
            assert len(poset.components()) > 1
            assert all(len(runs(order, grades - 1, n).components()) == 1 for order in ORDERS)


@pytest.mark.spec("G-F2")
def test_figure_2_has_six_sets_and_six_edges():
    poset = runs("set-replacement", 2, 2)
    assert len(poset) == 6
    edges = {("".join(map(str, low)), "".join(map(str, high))) for low, high in poset.edges()}
    assert edges == {("00", "10"), ("10", "11"), ("10", "20"), ("11", "21"), ("20", "21"), ("21", "22")}


@pytest.mark.spec("G-F3")
def test_figure_3_has_21_sets_30_edges_and_10_join_irreducibles():
    poset = runs("set-replacement", 2, 5)
    assert (len(poset), len(poset.edges())) == (21, 30)
    assert set(poset) == set(R.values())
    assert set(poset.join_irreducibles()) == {R[k] for k in (1, 2, 3, 4, 6, 7, 9, 12, 17, 20)}
    assert level_sizes(poset) == [1, 1, 2, 2, 3, 3, 3, 2, 2, 1, 1]


@pytest.mark.spec("G-5.2-GRAPH")
def test_a_join_is_where_the_upward_paths_first_meet():
    poset = runs("set-replacement", 2, 5)

    def upward(x):
        return {x}.union(*(upward(y) for y in poset.covers(x)))

    common = upward(R[2]) & upward(R[3])
    assert [x for x in common if all(poset.below(x, y) for y in common)] == [R[5]]
    assert set(poset.upper_bounds([R[2], R[3]])) == common
    assert poset.join(R[2], R[3]) == R[5]
    assert all(set(poset.upper_bounds([x, y])) == upward(poset.join(x, y)) for x, y in combinations(poset, 2))


@pytest.mark.spec("G-P2")
def test_sets_under_replacement_are_distributive():
    for c, n in product((1, 2, 3), range(1, 7)):
        assert runs("set-replacement", c, n).is_distributive()
    assert by_definition("set-replacement", 2, 3).is_distributive()


# Section 6: rankings


@pytest.mark.spec("G-6-SWAPALONE")
@pytest.mark.parametrize(("c", "n"), [(1, 3), (2, 2), (2, 3), (3, 3)])
def test_swapping_alone_falls_into_the_runs_of_the_same_documents(c, n):
    components = generated(["swapping"], n, c + 1).components()
    assert len(components) == comb(n + c, c)
    assert sum(len(component) == 1 for component in components) == c + 1
    assert all(len({tuple(sorted(run)) for run in component}) == 1 for component in components)
    assert (c, n) != (2, 3) or len(components) == 10


@pytest.mark.spec("E-G-8")
@pytest.mark.parametrize(("c", "n"), [(1, 4), (2, 3), (3, 2)])
def test_replacement_is_part_of_swap_and_swap_is_part_of_the_dictionary(c, n):
    replacement, swap, projection = (runs(order, c, n) for order in ("replacement", "swap", "projection"))
    pairs = list(product(swap, repeat=2))
    assert all(swap.below(r, s) for r, s in pairs if replacement.below(r, s))
    assert all(projection.below(r, s) for r, s in pairs if swap.below(r, s))


@pytest.mark.spec("E-G-7")
def test_replacing_at_the_last_rank_alone_gives_a_smaller_order():
    steps = ["replacement", "swapping"]
    for n, smaller, whole in [(2, 39, 41), (3, 285, 301)]:
        last = generated(steps, n, 3, replace="last")
        assert int(last.leq.sum()) == smaller
        assert int(generated(steps, n, 3).leq.sum()) == int(runs("swap", 2, n).leq.sum()) == whole
    last = generated(steps, 2, 3, replace="last")
    assert compare((0, 2), (1, 2)) is Relation.LESS
    assert last.compare((0, 2), (1, 2)) is Relation.INCOMPARABLE
    for n in (2, 3, 4):
        # with two grades nothing is missing
        last, anywhere = (generated(steps, n, 2, replace=ranks) for ranks in ("last", "anywhere"))
        assert all(last.below(r, s) == anywhere.below(r, s) for r, s in product(anywhere, repeat=2))


@pytest.mark.spec("E-G-7")
def test_the_swap_order_is_what_follows_from_replacing_anywhere_and_swapping():
    for c, n in product((1, 2, 3), range(1, 5)):
        closure = generated(["replacement", "swapping"], n, c + 1)
        counts = np.array(
            [[sum(g >= j for g in r[:k]) for j in range(1, c + 1) for k in range(1, n + 1)] for r in closure]
        )
        assert ((counts[:, None] <= counts[None]).all(axis=2) == closure.leq).all()


@pytest.mark.spec("G-6.2-POSET")
def test_replacement_at_every_rank_is_an_order():
    for c, n in small():
        cells = np.array(list(product(range(c + 1), repeat=n)))
        matrix = (cells[:, None] <= cells[None]).all(axis=2)
        verdict = is_order(map(tuple, cells.tolist()), zip_pairs(cells, matrix))
        assert verdict
        assert verdict.checked.startswith("reflexive, antisymmetric and transitive")


def zip_pairs(cells, matrix):
    names = list(map(tuple, cells.tolist()))
    return [(names[x], names[y]) for x, y in np.argwhere(matrix)]


@pytest.mark.spec("G-P6")
def test_rankings_under_replacement_are_distributive():
    for c, n in small():
        assert runs("replacement", c, n).is_distributive()
    poset = by_definition("replacement", 2, 3)
    assert poset.is_distributive()
    joins, meets = poset.order.joins, poset.order.meets
    every = np.arange(27)
    x, y, z = every[:, None, None], every[None, :, None], every[None, None, :]
    assert (meets[x, joins[y, z]] == joins[meets[x, y], meets[x, z]]).all()


def cubes(poset: Poset) -> int:
    """Return how many intervals are the eight corners of a cube."""
    return sum(
        len(part) == 8 and len(poset.induced(part).edges()) == 12 and level_sizes(poset.induced(part)) == [1, 3, 3, 1]
        for part in (poset.interval(x, y) for x, y in product(poset, repeat=2))
    )


@pytest.mark.spec("G-F5")
def test_figure_5_is_the_lower_half_of_the_rankings():
    half = runs("replacement", 2, 3).induced(r for r in runs("replacement", 2, 3) if r[0] <= 1)
    assert (len(half), len(half.edges()), cubes(half)) == (18, 33, 4)


@pytest.mark.spec("G-F6")
def test_figure_6_is_the_upper_half_of_the_rankings_and_together_they_are_the_whole():
    whole = runs("replacement", 2, 3)
    half = whole.induced(r for r in whole if r[0] >= 1)
    assert (len(half), len(half.edges()), cubes(half)) == (18, 33, 4)
    shared = whole.induced(r for r in whole if r[0] == 1)
    assert (len(shared), len(shared.edges())) == (9, 12)
    assert (len(whole), len(whole.edges()), len(whole.join_irreducibles())) == (27, 54, 6)
    assert level_sizes(whole) == [1, 3, 6, 7, 6, 3, 1]


@pytest.mark.spec("E-G-4")
def test_no_five_runs_are_a_forbidden_sublattice_of_the_swap_order():
    poset = runs("swap", 2, 3)
    joins, meets = poset.order.joins, poset.order.meets
    apart = ~poset.order.comparable & (joins >= 0) & (meets >= 0)
    for x, y, z in combinations(range(27), 3):
        sides = [pair for pair in ((x, y), (x, z), (y, z)) if apart[pair]]
        same = {(int(joins[pair]), int(meets[pair])) for pair in sides}
        # three apart are a diamond, two apart from a third are a pentagon, if all share their join and meet
        assert (
            len(sides) < 2
            or len(same) > 1
            or not (len(sides) == 3 or poset.leq[x, y] | poset.leq[x, z] | poset.leq[y, z])
        )


@pytest.mark.spec("G-6.3-LAT", "E-G-2")
def test_with_two_grades_swapping_gives_a_distributive_lattice_and_with_more_never_a_lattice():
    for n in range(1, 9):
        assert runs("swap", 1, n).is_distributive()
    expected = {(2, 2): 1, (2, 3): 20, (2, 4): 283, (2, 5): 3465, (3, 2): 6, (3, 3): 212, (3, 4): 5274}
    for (c, n), missing in expected.items():
        poset = runs("swap", c, n)
        assert without_join(poset) == missing
        low, high = (0,) * (n - 1) + (2,), (0,) * (n - 2) + (1, 0)
        with pytest.raises(NoJoin) as caught:
            poset.join(low, high)
        above, beside = (0,) * (n - 2) + (2, 0), (0,) * (n - 2) + (1, 2)
        assert {above, beside} <= set(caught.value.candidates)
        assert not poset.is_lattice()
    assert [comb(len(runs("swap", 2, n)) + 1, 2) for n in (2, 3, 4, 5)] == [45, 378, 3321, 29646]


@pytest.mark.spec("G-6.3-DM")
def test_the_completion_of_the_swap_order_is_distributive_and_has_the_known_size():
    for (c, n), size in {(2, 2): 10, (2, 3): 35, (2, 4): 126, (2, 5): 462, (3, 2): 20, (3, 3): 112}.items():
        poset = runs("swap", c, n)
        lattice = poset.completion()
        assert len(lattice) == size
        assert lattice.is_distributive()
        assert all(lattice.compare(x, y) is poset.compare(x, y) for x, y in poset.edges())
        assert len(lattice.join_irreducibles()) == len(poset.join_irreducibles()) == c * n * (n + 1) // 2
        assert c > 2 or size == comb(2 * n + 1, n)


@pytest.mark.spec("G-6.3-DM")
def test_the_completion_is_made_of_falling_sequences_of_binary_runs():
    for c, n in [(2, 2), (2, 3), (3, 2)]:
        below = runs("swap", 1, n).below
        falling = [levels for levels in product(runs("swap", 1, n), repeat=c) if all(map(below, levels[1:], levels))]
        multichains = Poset.of(falling, lambda x, y, below=below: all(map(below, x, y)))
        completion = runs("swap", c, n).completion()
        assert len(completion) == len(multichains)
        assert len(completion.edges()) == len(multichains.edges())
        assert level_sizes(completion) == level_sizes(multichains)


@pytest.mark.spec("E-G-2", "G-6.3-DM")
def test_the_pair_without_a_join_has_one_in_the_completion():
    lattice = runs("swap", 2, 2).completion()
    join = lattice.join((0, 2), (1, 0))
    assert isinstance(join, Cut)
    assert set(join.below) == {(0, 2), (1, 0)}
    assert set(join.above) == {(1, 2), (2, 0)}
