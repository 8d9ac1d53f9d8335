"""Laws of the orders, on runs of any grades and lengths."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from measurand.judged import Multiset
from measurand.orders import ORDERS, Relation, chain, compare, explain, mass, replace, swap

CONVERSE = {
    Relation.LESS: Relation.GREATER,
    Relation.GREATER: Relation.LESS,
    Relation.EQUAL: Relation.EQUAL,
    Relation.INCOMPARABLE: Relation.INCOMPARABLE,
}
BELOW = (Relation.LESS, Relation.EQUAL)

grades = st.one_of(st.integers(-3, 5), st.fractions(0, 3, max_denominator=4))
orders = st.sampled_from(list(ORDERS))


def runs(count: int, values=grades):
    return st.integers(0, 9).flatmap(lambda n: st.tuples(*[st.lists(values, min_size=n, max_size=n)] * count))


@st.composite
def improved(draw) -> tuple[list[int], list[int]]:
    """Draw a run and one that some swaps and replacements lead to."""
    start = draw(st.lists(st.integers(0, 4), min_size=1, max_size=12))
    run = list(start)
    for i, j in draw(st.lists(st.tuples(*[st.integers(0, len(run) - 1)] * 2), max_size=20)):
        if i < j and run[i] < run[j]:
            run[i], run[j] = run[j], run[i]
        elif i == j:
            run[i] = draw(st.integers(run[i], 4))
    return start, run


def first_places(r, s) -> tuple[tuple[int, object] | None, ...]:
    """Return the first rank and grade where the first run has more, and where it has fewer, by definition."""
    zero = [[max(grade, 0) for grade in run] for run in (r, s)]
    places = [(k, g) for k in range(1, len(r) + 1) for g in sorted({*zero[0], *zero[1]})]
    lead = {(k, g): mass(r, g, k) - mass(s, g, k) for k, g in places}
    return tuple(next((p for p in places if sign * lead[p] > 0), None) for sign in (1, -1))


@given(pair=runs(2))
def test_the_first_places_are_those_that_looking_everywhere_finds(pair):
    comparison = explain(*pair)
    found = tuple(place and (place.rank, place.grade) for place in (comparison.ahead, comparison.behind))
    assert found == first_places(*pair)
    for place in filter(None, (comparison.ahead, comparison.behind)):
        assert [place.ours, place.theirs] == [mass(run, place.grade, place.rank) for run in pair]


@given(pair=runs(2), order=orders)
def test_turning_a_pair_around_turns_the_relation_around(pair, order):
    r, s = pair
    assert compare(s, r, order) is CONVERSE[compare(r, s, order)]


@given(triple=runs(3, st.integers(0, 2)), order=orders)
def test_the_orders_are_transitive(triple, order):
    r, s, t = triple
    if compare(r, s, order) in BELOW and compare(s, t, order) in BELOW:
        assert compare(r, t, order) in BELOW


@given(pair=runs(2), order=orders)
def test_equal_means_equal_grades_at_every_rank_or_in_the_set(pair, order):
    read = [[max(grade, 0) for grade in run] for run in pair]
    same = sorted(read[0]) == sorted(read[1]) if order.startswith("set-") else read[0] == read[1]
    assert (compare(*pair, order) is Relation.EQUAL) == same


@given(pair=runs(2))
def test_replacement_is_refined_by_swap_and_swap_by_projection(pair):
    replacement, swapping, projection = (compare(*pair, order) for order in ("replacement", "swap", "projection"))
    assert replacement in (swapping, Relation.INCOMPARABLE)
    assert swapping in (projection, Relation.INCOMPARABLE)


@given(pair=runs(2, st.integers(0, 4)))
def test_sets_do_not_know_ranks(pair):
    r, s = pair
    for order in ("set-replacement", "set-projection"):
        assert compare(sorted(r), s, order) is compare(Multiset.of(r), Multiset.of(s), order)


@given(pair=runs(2, st.integers(0, 4)), stretch=st.fractions("1/7", 9))
def test_only_the_order_of_the_grades_matters(pair, stretch):
    stretched = [[grade * grade * stretch for grade in run] for run in pair]
    assert [compare(*pair, order) for order in ORDERS] == [compare(*stretched, order) for order in ORDERS]


@given(pair=improved())
def test_swaps_and_replacements_make_a_run_better_and_a_chain_leads_there(pair):
    r, s = pair
    assert compare(r, s) in BELOW
    run = tuple(r)
    for step in chain(r, s):
        run = step.apply(run)
        assert compare(run, s) in BELOW
    assert run == tuple(s)


def naive_chain(run: list[int], goal: list[int]) -> list[tuple[int, ...]]:
    """Return the runs of the front-to-back rule, word by word."""
    run, found = list(run), []
    for i in range(len(run)):
        while run[i] < goal[i]:
            j = next((j for j in range(i + 1, len(run)) if run[i] < run[j] <= goal[i]), None)
            if j is None:
                run[i] = goal[i]
            else:
                run[i], run[j] = run[j], run[i]
            found.append(tuple(run))
    return found


@given(pair=improved())
def test_the_chain_takes_the_steps_of_the_front_to_back_rule(pair):
    r, s = pair
    run, found = tuple(r), []
    for step in chain(r, s):
        assert run[step.rank - 1] == step.old
        run = step.apply(run)
        assert run[step.rank - 1] == step.new
        found.append(run)
    assert found == naive_chain(r, s)


@given(run=st.lists(st.integers(0, 4), min_size=2, max_size=9), data=st.data())
def test_one_replacement_or_one_swap_makes_a_run_strictly_better(run, data):
    rank = data.draw(st.integers(1, len(run)))
    better = data.draw(st.integers(run[rank - 1] + 1, 9))
    assert compare(run, replace(run, rank, better)) is Relation.LESS
    other = data.draw(st.integers(1, len(run)))
    if other < rank and run[other - 1] < run[rank - 1]:
        assert compare(run, swap(run, other, rank)) is Relation.LESS


def test_a_number_is_read_as_it_is_spelled():
    assert compare([0.1], [Fraction(1, 10)]) is Relation.EQUAL
    assert compare([0.1], [Fraction(0.1)]) is Relation.LESS
