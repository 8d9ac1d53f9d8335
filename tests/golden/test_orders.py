"""Structures, orders and chains: sections 2, 4 and 5 of Ferrante, Ferro and Maistro (2015); orders of Giner (2022)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cmp_to_key
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb, inf, nan
from operator import le

import pytest

from measurand.errors import NotMeaningful, ParameterError
from measurand.judged import Multiset, Relevance
from measurand.measures import AP, DCG, RBP, P
from measurand.orders import (
    Measurement,
    Relation,
    Step,
    Structure,
    backward_chain,
    by_gain,
    chain,
    compare,
    difference,
    explain,
    homomorphism,
    image_loss,
    least_and_greatest,
    mass,
    replace,
    replacements,
    swap,
    swaps,
)
from measurand.papers import is_additive, is_monotone

LESS, EQUAL, GREATER, INCOMPARABLE = Relation
RODS = Structure("abc", {"⪯": {*map(tuple, ("aa", "ab", "ac", "bb", "bc", "cc"))}, "∘": {("a", "b", "c")}})
LENGTHS = {"⪯": le, "∘": lambda x, y, z: x + y == z}


def rankings(grades: int, length: int) -> list[tuple[int, ...]]:
    return list(product(range(grades), repeat=length))


def sets(grades: int, length: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(grades), length))


def at_most(r, s, order: str = "swap") -> bool:
    return compare(r, s, order) in (LESS, EQUAL)


@cache
def ordered_pairs(grades: int, length: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(r, s) for r, s in product(rankings(grades, length), repeat=2) if at_most(r, s)]


def comparable(runs, order: str) -> tuple[int, int]:
    pairs = list(combinations(runs, 2))
    return sum(compare(r, s, order) is not INCOMPARABLE for r, s in pairs), len(pairs)


def ascending(runs, order: str) -> list[tuple[int, ...]]:
    signs = {LESS: -1, EQUAL: 0, GREATER: 1}
    return sorted(runs, key=cmp_to_key(lambda r, s: signs[compare(r, s, order)]))


def walk(run, steps: list[Step]) -> list[tuple[int, ...]]:
    runs = [run]
    for step in steps:
        runs.append(step.apply(runs[-1]))
    return runs


# Section 2


@pytest.mark.spec("FFM-2.1-struct")
def test_a_structure_knows_the_arity_of_its_relations_and_refuses_other_tuples():
    assert (RODS.arity("⪯"), RODS.arity("∘")) == (2, 3)
    with pytest.raises(ParameterError, match="differ in arity"):
        Structure("abc", {"⪯": {("a", "b"), ("a", "b", "c")}})


@pytest.mark.spec("FFM-2.1-homo")
def test_lengths_of_rods_keep_order_and_concatenation_or_name_the_rods_that_break_it():
    assert homomorphism(RODS, {"a": 1, "b": 2, "c": 3}, LENGTHS)
    odd = {"a": 1, "b": 2, "c": 4}
    assert homomorphism(RODS, odd, {"⪯": le})
    assert homomorphism(RODS, odd, LENGTHS).witness == ("∘", ("a", "b", "c"))


@pytest.mark.spec("FFM-2.1-homo")
def test_a_counterpart_of_another_arity_is_refused():
    with pytest.raises(ParameterError, match="arity 3"):
        homomorphism(RODS, {"a": 1, "b": 2, "c": 3}, {"∘": le})


@pytest.mark.spec("FFM-2.1-iff")
def test_precision_keeps_the_order_of_runs_one_way_but_not_both_ways():
    runs = Structure(rankings(2, 2), {"⪯": set(ordered_pairs(2, 2))})
    assert homomorphism(runs, P.of, {"⪯": le})
    verdict = homomorphism(runs, P.of, {"⪯": le}, both_ways=True)
    assert not verdict
    assert verdict.witness == ("⪯", ((1, 0), (0, 1)))


@pytest.mark.spec("E45")
def test_some_numbers_keep_the_order_of_runs_both_ways_where_all_are_comparable():
    runs = rankings(2, 2)
    order = Structure(runs, {"⪯": {(r, s) for r in runs for s in runs if compare(r, s) in ("less", "equal")}})
    assert homomorphism(order, dict(zip(runs, range(4), strict=True)), {"⪯": le}, both_ways=True)


@pytest.mark.spec("FFM-2.1-noniso")
@pytest.mark.parametrize(("measure", "values"), [(P, 5), (DCG(b=2), 12)], ids=repr)
def test_a_measure_maps_sixteen_runs_to_fewer_values(measure, values):
    assert image_loss(rankings(2, 4), measure.of) == 16 - values


@pytest.mark.spec("FFM-2.1-classic", "E01")
def test_the_counting_measure_is_monotone_and_additive_and_the_maximum_only_monotone():
    assert is_monotone(len, {1, 2, 3})
    assert is_additive(len, {1, 2, 3})
    greatest = {frozenset(chosen): max(chosen, default=0) for n in range(4) for chosen in combinations((1, 2, 3), n)}
    assert is_monotone(greatest, (1, 2, 3))
    verdict = is_additive(greatest, (1, 2, 3))
    assert not verdict
    one, other, union = verdict.witness[1]
    assert not one & other
    assert union == one | other
    assert greatest[union] != greatest[one] + greatest[other]


@pytest.mark.spec("FFM-2.1-measure", "FFM-5-mu")
def test_a_measurement_is_the_map_and_a_measure_is_one_of_its_values():
    measurement = Measurement(P.of, {"t": {"d1": 1, "d2": 0, "d4": 1}})
    assert measurement.measure("t", ["d1", "d2", "d3", "d4"]) == Fraction(1, 2)
    with pytest.raises(ParameterError, match="no judgments for topic 'u'"):
        measurement.measure("u", ["d1"])


@pytest.mark.spec("FFM-2.2-ES")
@pytest.mark.parametrize("value", [-1, nan, -inf, None, Fraction(-1, 2)])
def test_a_measurement_is_never_negative_nor_undefined(value):
    with pytest.raises(ParameterError, match="from 0 up"):
        Measurement(lambda run: value, {"t": {}}).measure("t", ["d1"])


# Section 4


@pytest.mark.spec("FFM-4-len")
@pytest.mark.parametrize("order", ["swap", "replacement", "projection", "set-replacement", "set-projection"])
def test_runs_of_different_lengths_are_not_ordered(order):
    with pytest.raises(ParameterError, match="one length"):
        compare((1, 0), (1, 0, 0), order)


@pytest.mark.spec("FFM-4-app")
def test_a_document_that_is_not_relevant_at_the_end_costs_precision_alone():
    before, after = (1, 0), (1, 0, 0)
    assert (P.of(before), P.of(after)) == (Fraction(1, 2), Fraction(1, 3))
    assert RBP(p="0.8").of(before) == RBP(p="0.8").of(after) == Fraction(1, 5)
    assert AP.of(before, recall_base=3) == AP.of(after, recall_base=3) == Fraction(1, 3)
    assert P.of((1, 0, 1)) > P.of(before)


@pytest.mark.spec("FFM-4.1-inc")
def test_sets_whose_counts_cross_are_incomparable():
    comparison = explain((0, 1, 1, 2, 2), (0, 1, 1, 1, 3), "set-replacement")
    assert comparison.relation is INCOMPARABLE
    assert (comparison.ahead.grade, comparison.ahead.ours, comparison.ahead.theirs) == (2, 2, 1)
    assert (comparison.behind.grade, comparison.behind.ours, comparison.behind.theirs) == (3, 0, 1)


@pytest.mark.spec("FFM-4.1-sort")
def test_sets_are_ordered_as_their_grades_sorted_best_first():
    for length in range(1, 5):
        for r, s in product(sets(4, length), repeat=2):
            sorted_pairs = zip(sorted(r, reverse=True), sorted(s, reverse=True), strict=True)
            assert at_most(r, s, "set-replacement") == all(ours <= theirs for ours, theirs in sorted_pairs)


@pytest.mark.spec("FFM-4.1-minmax")
def test_every_set_with_k_relevant_documents_is_between_the_least_and_the_greatest():
    for grades, length in product((2, 3, 4), range(1, 6)):
        for run in sets(grades, length):
            k = sum(grade > 0 for grade in run)
            low, high = least_and_greatest(length, k, grades, "set-replacement")
            assert Multiset.of(low) == Multiset({1: k, 0: length - k})
            assert Multiset.of(high) == Multiset.of([grades - 1] * k + [0] * (length - k))
            assert at_most(low, run, "set-replacement")
            assert at_most(run, high, "set-replacement")


@pytest.mark.spec("FFM-4.1-count")
@pytest.mark.parametrize(("grades", "length", "counts"), [(3, 3, (40, 45)), (3, 4, (90, 105)), (4, 3, (155, 190))])
def test_so_many_pairs_of_graded_sets_are_comparable(grades, length, counts):
    assert comparable(sets(grades, length), "set-replacement") == counts


@pytest.mark.spec("FFM-4.1-ratio", "FFM-3.1-scale")
def test_grades_on_an_ordinal_scale_are_not_summed():
    with pytest.raises(NotMeaningful, match="cannot be added"):
        by_gain((0, 1), (1, 0), Relevance.binary())


@pytest.mark.spec("FFM-4.2-sort")
@pytest.mark.parametrize(("grades", "length"), [(2, 5), (3, 4)])
def test_rankings_are_ordered_as_all_their_prefixes_sorted_best_first(grades, length):
    def prefixes_below(r, s) -> bool:
        sorted_prefixes = ((sorted(r[:k], reverse=True), sorted(s[:k], reverse=True)) for k in range(1, length + 1))
        return all(ours <= theirs for a, b in sorted_prefixes for ours, theirs in zip(a, b, strict=True))

    for r, s in product(rankings(grades, length), repeat=2):
        assert at_most(r, s) == prefixes_below(r, s)


@pytest.mark.spec("FFM-4.2-one", "FFM-4.2-eq1")
def test_every_ranking_with_k_relevant_documents_is_between_the_least_and_the_greatest():
    for grades, length in product((2, 3, 4), range(1, 6)):
        for run in rankings(grades, length):
            k = sum(grade > 0 for grade in run)
            low, high = least_and_greatest(length, k, grades)
            assert low == (0,) * (length - k) + (1,) * k
            assert high == (grades - 1,) * k + (0,) * (length - k)
            assert at_most(low, run)
            assert at_most(run, high)


@pytest.mark.spec("FFM-4.2-nototal")
@pytest.mark.parametrize(("length", "pairs"), list(enumerate((3, 10, 35, 126, 462, 1716, 6435), 1)))
def test_so_many_ordered_pairs_of_binary_rankings_there_are(length, pairs):
    assert pairs == comb(2 * length + 1, length)
    assert len(ordered_pairs(2, length)) == pairs


@pytest.mark.spec("FFM-4.2-nototal")
@pytest.mark.parametrize(
    ("grades", "length", "counts"),
    [
        (2, 4, (110, 120)),
        (2, 5, (430, 496)),
        (3, 3, (274, 351)),
        (3, 4, (2226, 3240)),
        (4, 3, (1371, 2016)),
    ],
)
def test_so_many_pairs_of_rankings_are_comparable(grades, length, counts):
    assert comparable(rankings(grades, length), "swap") == counts


# Section 5


@pytest.mark.spec("FFM-5-setswap")
@pytest.mark.parametrize("run", [Multiset.of([0, 1]), frozenset({0, 1})])
def test_nothing_is_swapped_in_a_set(run):
    with pytest.raises(ParameterError, match="no ranks"):
        swap(run, 1, 2)
    with pytest.raises(ParameterError, match="no ranks"):
        swaps(run)


@pytest.mark.spec("FFM-5.2-A")
def test_the_cumulated_mass_counts_documents_of_a_grade_or_more_down_to_a_rank():
    assert mass((0, 1, 1, 2, 2), grade=1, rank=4) == 3
    assert mass((0, 1, 1, 2, 2), grade=2, rank=5) == 2
    run = (1, 0, 2, 1)
    assert [mass(run, grade) for grade in (1, 2)] == [3, 1]
    assert [mass(run, grade, rank=2) for grade in (1, 2)] == [1, 0]


@pytest.mark.spec("FFM-5.2-swapineq", "E06")
@pytest.mark.parametrize("length", [3, 4])
def test_a_swap_adds_one_to_the_mass_between_its_ranks_and_grades_and_nothing_elsewhere(length):
    for r in rankings(4, length):
        for i, j in combinations(range(1, length + 1), 2):
            low, high = r[i - 1], r[j - 1]
            if low >= high:
                continue
            s = swap(r, i, j)
            for k, p in product(range(1, length + 1), range(1, 4)):
                assert mass(s, p, k) - mass(r, p, k) == (i <= k < j and low < p <= high)


@pytest.mark.spec("FFM-5.2-chain")
def test_the_chain_of_the_proof_is_the_printed_one():
    steps = backward_chain((1, 0, 1, 0, 1, 1), (1, 1, 0, 1, 1, 0))
    assert [(step.kind, step.rank, step.other) for step in steps] == [("swap", 4, 6), ("swap", 2, 3)]
    assert walk((1, 0, 1, 0, 1, 1), steps)[1:] == [(1, 0, 1, 1, 1, 0), (1, 1, 0, 1, 1, 0)]


@pytest.mark.spec("FFM-5.2-chain-g", "E07")
@pytest.mark.parametrize(
    ("grades", "length", "reached", "pairs"), [(3, 3, 296, 301), (3, 4, 2205, 2307), (4, 3, 1399, 1435)]
)
def test_the_chain_of_the_proof_misses_some_pairs_and_the_mended_one_none(grades, length, reached, pairs):
    ordered = ordered_pairs(grades, length)
    arrived = 0
    for r, s in ordered:
        runs = walk(r, chain(r, s))
        assert runs[-1] == s
        assert all(at_most(run, s) for run in runs)
        assert all(compare(run, after) is LESS for run, after in pairwise(runs))
        try:
            arrived += walk(r, backward_chain(r, s))[-1] == s
        except ParameterError as stuck:
            assert "stuck" in str(stuck)  # noqa: PT017
    assert (arrived, len(ordered)) == (reached, pairs)


@pytest.mark.spec("FFM-5.2-chain-g")
@pytest.mark.parametrize("length", range(1, 7))
def test_a_binary_chain_has_no_more_steps_than_ranks(length):
    assert all(len(chain(r, s)) <= length for r, s in ordered_pairs(2, length))


@pytest.mark.spec("FFM-5.2-set")
def test_a_chain_of_sets_is_made_of_replacements_alone_at_most_one_a_document():
    r, s = Multiset.of([0, 1, 1, 2, 2]), Multiset.of([0, 1, 1, 2, 3])
    assert chain(r, s, "set-replacement") == [Step("replacement", 1, None, 2, 3)]
    for ours, theirs in product(sets(3, 4), repeat=2):
        if at_most(ours, theirs, "set-replacement"):
            steps = chain(ours, theirs, "set-replacement")
            runs = walk(tuple(sorted(ours, reverse=True)), steps)
            assert len(steps) <= 4
            assert all(list(run) == sorted(run, reverse=True) for run in runs)
            assert Multiset.of(runs[-1]) == Multiset.of(theirs)


@pytest.mark.spec("FFM-5-sep")
def test_the_places_where_counts_cross_are_the_printed_ones():
    comparison = explain((1, 0, 0, 1, 0), (0, 1, 1, 0, 1))
    ahead, behind = comparison.ahead, comparison.behind
    assert (ahead.rank, ahead.grade, ahead.ours, ahead.theirs) == (1, 1, 1, 0)
    assert (behind.rank, behind.grade, behind.ours, behind.theirs) == (3, 1, 1, 2)


@pytest.mark.spec("FFM-5-sep")
@pytest.mark.parametrize(("grades", "length", "pairs"), [(2, 5, 66), (3, 4, 1014)])
def test_two_measurements_disagree_on_every_incomparable_pair(grades, length, pairs):
    separated = 0
    for r, s in combinations(rankings(grades, length), 2):
        comparison = explain(r, s)
        if comparison.relation is INCOMPARABLE:
            ahead, behind = comparison.ahead, comparison.behind
            assert mass(r, ahead.grade, ahead.rank) > mass(s, ahead.grade, ahead.rank)
            assert mass(r, behind.grade, behind.rank) < mass(s, behind.grade, behind.rank)
            separated += 1
    assert separated == pairs


@pytest.mark.spec("FFM-5-sep")
def test_counting_down_to_a_rank_is_a_measurement():
    runs = Structure(rankings(3, 3), {"⪯": set(ordered_pairs(3, 3))})
    for grade, rank in product((1, 2), (1, 2, 3)):
        assert homomorphism(runs, lambda run, g=grade, k=rank: mass(run, g, k), {"⪯": le})


# Giner (2022)


@pytest.mark.spec("G-2-OPS")
def test_replacements_raise_one_grade_swaps_move_a_better_document_up_projection_looks_at_the_first_difference():
    assert list(replacements((0, 2, 1), grades=3)) == [(1, 2, 1), (0, 2, 2)]
    assert list(swaps((0, 2, 1))) == [(2, 0, 1), (1, 2, 0)]
    assert replace((0, 2, 1), 1, grade=1) == (1, 2, 1)
    assert list(replacements(Multiset.of([0, 0, 1]), grades=3)) == [(2, 0, 0), (1, 1, 0)]
    assert difference((1, 0, 2), (1, 1, 0)) == 2
    assert difference(Multiset.of([2, 1, 1]), Multiset.of([2, 1, 0])) == 1
    assert difference((1, 0), (1, 0)) is None


@pytest.mark.spec("G-2-OPS", "G-6.3-ORD")
@pytest.mark.parametrize(("grades", "length"), [(2, 4), (3, 3), (4, 2)])
def test_replacements_anywhere_and_swaps_generate_exactly_the_swap_order(grades, length):
    for r in rankings(grades, length):
        above, new = {r}, {r}
        while new:
            new = {s for run in new for s in (*replacements(run, grades), *swaps(run))} - above
            above |= new
        assert above == {s for s in rankings(grades, length) if at_most(r, s)}


@pytest.mark.spec("G-5.1-ORD")
def test_sets_by_projection_are_ordered_by_their_counts_of_the_highest_grade_that_differs():
    runs = [tuple(sorted(run, reverse=True)) for run in sets(3, 2)]
    assert ascending(runs, "set-projection") == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert comparable(sets(4, 3), "set-projection") == (190, 190)


def test_rankings_by_projection_are_ordered_as_words_are():
    assert ascending(permuted := rankings(2, 3)[::-1], "projection") == sorted(permuted)
    assert ascending(rankings(3, 2)[::-1], "projection") == rankings(3, 2)


@pytest.mark.spec("G-R2")
def test_rankings_by_replacement_are_ordered_rank_by_rank():
    assert compare((1, 0, 0), (0, 1, 0), "replacement") is INCOMPARABLE
    for r, s in product(rankings(3, 3), repeat=2):
        below = all(ours <= theirs for ours, theirs in zip(r, s, strict=True))
        assert at_most(r, s, "replacement") == below


@pytest.mark.spec("G-6.3-ORD")
def test_three_grades_at_three_ranks_have_301_ordered_and_77_incomparable_pairs():
    assert compare((0, 2), (1, 2)) is LESS
    assert compare((2, 0, 0), (1, 1, 0)) is INCOMPARABLE
    assert len(ordered_pairs(3, 3)) == 301
    count, pairs = comparable(rankings(3, 3), "swap")
    assert pairs - count == 77


def binary(text):
    return tuple(int(letter) for letter in text)


@pytest.mark.spec("FFF-Fig2-all")
@pytest.mark.parametrize("depth", [3, 4, 5, 6])
def test_six_runs_are_comparable_with_every_run(depth):
    runs = list(product((0, 1), repeat=depth))
    with_all = {r for r in runs if all(compare(r, s) is not Relation.INCOMPARABLE for s in runs)}
    low, high = (0,) * (depth - 2), (1,) * (depth - 2)
    assert with_all == {(*low, 0, 0), (*low, 0, 1), (*low, 1, 0), (*high, 0, 1), (*high, 1, 0), (*high, 1, 1)}
