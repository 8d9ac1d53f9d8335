"""Operations on judged runs taken together: what order follows from their steps."""

from __future__ import annotations

from itertools import chain, product
from itertools import combinations as subsets

import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.lattice.generation import OPERATIONS, combinations, detours, generated
from measurand.orders import ORDERS, Relation, compare


def test_every_combination_of_operations_is_there_once():
    some = chain.from_iterable(subsets(OPERATIONS, size) for size in (1, 2, 3))
    ranks = {frozenset(operations) for operations in some}
    expected = {("ranks", names) for names in ranks} | {("sets", names) for names in ranks if "swapping" not in names}
    assert {(c.universe, frozenset(c.operations)) for c in combinations()} == expected
    assert len(combinations()) == len(expected)
    assert {c.order for c in combinations() if c.admissible} == set(ORDERS)


@pytest.mark.parametrize("combination", [c for c in combinations() if c.admissible], ids=str)
@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (2, 4)])
def test_a_combination_generates_the_order_that_it_names(combination, depth, grades):
    poset = generated(combination.operations, depth, grades, combination.universe)
    assert all(poset.compare(r, s) is compare(r, s, combination.order) for r, s in product(poset, repeat=2))


def test_replacement_at_one_end_alone_gives_less():
    anywhere = generated(["replacement", "swapping"], 2, 3)
    last = generated(["replacement", "swapping"], 2, 3, replace="last")
    first = generated(["replacement", "swapping"], 2, 3, replace="first")
    missing = [(r, s) for r, s in product(anywhere, repeat=2) if anywhere.below(r, s) and not last.below(r, s)]
    assert ((0, 2), (1, 2)) in missing
    assert first.compare((0, 0), (0, 1)) is Relation.INCOMPARABLE
    assert all(anywhere.below(r, s) for part in (first, last) for r, s in product(part, repeat=2) if part.below(r, s))


def test_a_detour_is_a_step_in_two():
    for operations in (["replacement", "swapping"], [*OPERATIONS]):
        order = generated(operations, 3, 3)
        found = detours(operations, 3, 3)
        assert found
        for run, between, better in found:
            assert order.compare(run, between) is order.compare(between, better) is Relation.LESS
            assert better not in order.covers(run)
    assert detours("swapping", 2, 3) == ()


@pytest.mark.parametrize("universe", ["ranks", "sets"])
def test_grades_may_be_more_than_judged_runs_hold(universe):
    poset = generated("replacement", 1, 300, universe)
    assert poset.elements == tuple((grade,) for grade in range(300))
    assert poset.is_chain()


def test_a_rejected_combination_says_why():
    (rejected,) = (c for c in combinations("ranks") if not c.admissible)
    assert str(rejected).startswith("swapping on ranks: rejected; ")


@pytest.mark.parametrize(
    "wrong",
    [
        {"operations": []},
        {"operations": ["rotation"]},
        {"operations": [["replacement"]]},
        {"operations": None},
        {"universe": "lists"},
        {"replace": "middle"},
        {"depth": 0},
        {"grades": 1},
        {"grades": 2.5},
        {"universe": "sets", "operations": ["swapping"]},
        {"universe": "sets", "replace": "last"},
    ],
)
def test_what_is_no_combination_is_refused(wrong):
    with pytest.raises(ParameterError):
        generated(**{"operations": ["replacement"], "depth": 2, "grades": 2, **wrong})
    with pytest.raises(ParameterError):
        combinations("lists")


def test_too_many_runs_are_refused_before_they_are_listed():
    with pytest.raises(NotAvailable, match=r"3\^100"):
        generated("replacement", 100, 3)
    with pytest.raises(NotAvailable, match=r"e\+\d+ runs"):
        generated("replacement", 1000, 9, "sets")
