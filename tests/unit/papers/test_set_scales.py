"""Results as sets of different sizes: enumeration, spacing, affine or not, reversals and correlation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.measures import R, SetF, SetP
from measurand.papers.fff2021.set_scales import SET_MEASURES, SetResult, SetUniverse, set_scale_table

patient = settings(deadline=None)  # the first example may have to load scipy
small = st.integers(1, 5)
several = st.sets(st.integers(1, 6), min_size=1, max_size=3)


@given(retrieved=several, bases=several)
@patient
def test_a_universe_holds_every_possible_result_once(retrieved, bases):
    found = [tuple(result) for result in SetUniverse(retrieved, bases).results]
    expected = {(r, n, k) for r, n, k in product(range(7), retrieved, bases) if r <= n and r <= k}
    assert len(found) == len(set(found))
    assert set(found) == expected


@given(retrieved=several, bases=several)
@patient
def test_values_are_those_of_the_measures_of_the_catalogue(retrieved, bases):
    universe = SetUniverse(retrieved, bases)
    for name, measure in (("P", SetP), ("R", R), ("F", SetF)):
        runs = [([1] * r + [0] * (n - r), k) for r, n, k in universe.results]
        assert universe.values(name) == [measure.of(run, recall_base=k) for run, k in runs]


@given(retrieved=several, bases=several, measure=st.sampled_from(sorted(SET_MEASURES)))
@patient
def test_the_witness_against_equal_spacing_is_two_unequal_steps_between_neighbours(retrieved, bases, measure):
    universe = SetUniverse(retrieved, bases)
    verdict = universe.interval(measure)
    values = sorted(set(universe.values(measure)))
    steps = {high - low for low, high in pairwise(values)}
    assert bool(verdict) == (len(steps) < 2)
    if verdict:
        return
    low, high, under, over = (SET_MEASURES[measure](result) for result in verdict.witness.runs)
    assert (low, high, under, over) == verdict.witness.values
    assert high - low != over - under
    assert values.index(high) == values.index(low) + 1
    assert values.index(over) == values.index(under) + 1


@given(retrieved=several, bases=several, pair=st.permutations(sorted(SET_MEASURES)))
@patient
def test_two_measures_are_affine_exactly_if_all_points_lie_on_one_rising_line(retrieved, bases, pair):
    universe = SetUniverse(retrieved, bases)
    points = list(zip(universe.values(pair[0]), universe.values(pair[1]), strict=True))
    (x0, y0), (x1, y1) = min(points), max(points)
    on_one_line = all((x - x0) * (y1 - y0) == (y - y0) * (x1 - x0) for x, y in points)
    verdict = universe.affine(pair[0], pair[1])
    assert bool(verdict) == on_one_line
    if not verdict:
        one, two = verdict.witness.runs
        ratios = {SET_MEASURES[pair[1]](result) / SET_MEASURES[pair[0]](result) for result in (one, two)}
        assert len(ratios) == 2


@given(retrieved=several, bases=several, pair=st.permutations(sorted(SET_MEASURES)))
@patient
def test_a_correlation_counts_every_pair_of_results_once(retrieved, bases, pair):
    universe = SetUniverse(retrieved, bases)
    points = list(zip(universe.values(pair[0]), universe.values(pair[1]), strict=True))
    kinds = [((x > u) - (x < u), (y > v) - (y < v)) for (x, y), (u, v) in combinations(points, 2)]
    found = universe.correlation(pair[0], pair[1])
    assert found.concordant == sum(x * y == 1 for x, y in kinds)
    assert found.discordant == sum(x * y == -1 for x, y in kinds)
    assert found.ties_x == sum(x == 0 and y != 0 for x, y in kinds)
    assert found.ties_y == sum(x != 0 and y == 0 for x, y in kinds)
    assert found.ties_both == sum(x == 0 and y == 0 for x, y in kinds)


@given(n=small, k=small)
@patient
def test_tau_is_that_of_scipy(n, k):
    from scipy.stats import kendalltau

    universe = SetUniverse.up_to(n, k)
    for one, other in combinations(SET_MEASURES, 2):
        places = [universe.image(measure).places for measure in (one, other)]
        assert universe.correlation(one, other) == pytest.approx(float(kendalltau(*places).statistic), abs=1e-12)


@given(n=small, k=small)
@patient
def test_discordant_pairs_of_precision_and_recall_are_the_reversals(n, k):
    universe = SetUniverse.up_to(n, k)
    reversals = universe.reversals()
    assert len(reversals) == universe.correlation("P", "R").discordant
    for one, two in reversals:
        assert one.precision < two.precision
        assert one.recall > two.recall


@given(n=small, k=small)
@patient
def test_sizes_and_recall_bases_change_places_with_precision_and_recall(n, k):
    one, other = SetUniverse.up_to(n, k), SetUniverse.up_to(k, n)
    assert list(one.image("P")) == list(other.image("R"))
    assert list(one.image("F")) == list(other.image("F"))


def test_the_table_has_a_row_for_every_size_and_recall_base():
    table = set_scale_table(3, 2)
    assert table.select("N", "K").rows() == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
    last = table.row(-1, named=True)
    universe = SetUniverse.up_to(3, 2)
    assert last["results"] == len(universe.results) == 14
    assert last["F values"] == ["0", "2/5", "1/2", "2/3", "4/5", "1"]
    assert [last[f"{measure} interval"] for measure in "PRF"] == [False, True, False]
    assert last["P-F tau"] == universe.correlation("P", "F")


def test_the_witness_against_equal_spacing_is_the_first_result_of_each_value():
    assert SetUniverse.up_to(3, 1).interval("P").witness.runs == ((0, 1, 1), (1, 3, 1), (1, 3, 1), (1, 2, 1))


def test_a_fraction_in_a_sentence_is_written_as_a_fraction():
    assert str(SetUniverse((1, 3), 1).interval("P").witness) == (
        "from 0 to 1/3 the step is 1/3, from 1/3 to 1 it is 2/3"
    )
    assert SetUniverse((1, 3), range(1, 4)).interval("R").checked == (
        "all 15 results of 1 or 3 documents on recall bases of 1 to 3"
    )


@pytest.mark.parametrize("retrieved", [0, -1, 1.5, "3", (), (1, 0), True])
def test_impossible_sizes_are_refused(retrieved):
    with pytest.raises(ParameterError):
        SetUniverse(retrieved, 1)
    with pytest.raises(ParameterError):
        SetUniverse(1, retrieved)


@pytest.mark.parametrize("bound", [0, 1.5, "3", None])
def test_impossible_bounds_are_refused(bound):
    with pytest.raises(ParameterError, match="whole number from 1 up"):
        set_scale_table(bound, 2)
    with pytest.raises(ParameterError, match="whole number from 1 up"):
        SetUniverse.up_to(2, bound)


def test_a_measure_that_is_none_of_the_three_is_refused():
    with pytest.raises(ParameterError, match="there is P, R, F"):
        SetUniverse.up_to(2, 2).image("AP")


def test_a_result_is_its_three_numbers():
    result = SetResult(1, 2, 3)
    assert str(result) == "(1, 2, 3)"
    assert result == (1, 2, 3)
    assert SetResult(0, 2, 3).f == Fraction(0)
