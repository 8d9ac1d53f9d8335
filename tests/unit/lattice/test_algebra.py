"""The five orders against brute force, for every universe of at most 128 runs (of one rank: a few).

Where pairs are compared and there are more than 30 runs, a few of them meet all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb

import numpy as np
import pytest

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.lattice.algebra import algebra_of
from measurand.lattice.algebra.swap_bounds import is_run, minimal_runs_above

RANKS, SETS = ("swap", "replacement", "projection"), ("set-replacement", "set-projection")
LARGEST = 128
RANKED = [(n, g) for n in range(1, 9) for g in range(2, 17) if g**n <= LARGEST and (n > 1 or g < 6)]
UNRANKED = [(n, g) for n in range(1, 23) for g in range(2, 23) if comb(n + g - 1, n) <= LARGEST and min(n, g - 1) > 1]


def key(order: str, run, grades: int):
    """Return what decides the order, by its definition: a tuple to compare place by place, or as a whole."""
    if order == "swap":
        return [sum(g >= v for g in run[:k]) for v in range(1, grades) for k in range(1, len(run) + 1)]
    if order == "set-replacement":
        return [sum(g >= v for g in run) for v in range(1, grades)]
    if order == "set-projection":
        return tuple(run.count(v) for v in range(grades - 1, 0, -1))
    return run


class Brute:
    """All runs, which are at most as good as which, and what follows from that by search."""

    def __init__(self, order: str, depth: int, grades: int) -> None:
        self.algebra = algebra_of(order, depth, grades)
        self.runs = (
            list(product(range(grades), repeat=depth))
            if order in RANKS
            else [tuple(sorted(run, reverse=True)) for run in combinations_with_replacement(range(grades), depth)]
        )
        self.at = {run: place for place, run in enumerate(self.runs)}
        keys = [key(order, run, grades) for run in self.runs]
        if order.endswith("projection"):
            self.le = np.array([[x <= y for y in keys] for x in keys])
        else:
            array = np.array(keys)
            self.le = np.all(array[:, None] <= array[None], axis=2)
        strict = self.le & ~np.eye(len(self.runs), dtype=bool)
        self.covers = strict & ~((strict.astype(np.float32) @ strict.astype(np.float32)) > 0)

    def minimal(self, x: int) -> np.ndarray:
        """Return, for one run, the minimal upper bounds with every other run: a row each."""
        bounds = self.le[x] & self.le
        return bounds & ((bounds.astype(np.float32) @ self.le.astype(np.float32)) == 1)

    def maximal(self, x: int) -> np.ndarray:
        bounds = self.le.T[x] & self.le.T
        return bounds & ((bounds.astype(np.float32) @ self.le.T.astype(np.float32)) == 1)

    def names(self, mask) -> set:
        return {self.runs[place] for place in np.flatnonzero(mask)}

    def is_least_bound(self, x: int, below) -> bool:
        """Return whether a run is the least upper bound of some."""
        bounds = np.all(self.le[list(below)], axis=0)
        return bool(bounds[x] and np.all(self.le[x][bounds]))

    def irreducible(self) -> set:
        """Return the runs that are no least upper bound of the worse ones: join-irreducible in the completion."""
        worse = (np.flatnonzero(self.le[:, x] & (np.arange(len(self.runs)) != x)) for x in range(len(self.runs)))
        return {self.runs[x] for x, below in enumerate(worse) if not self.is_least_bound(x, below)}


brute = cache(Brute)


def some(found: Brute) -> list[int]:
    """Return all runs, or a few where there are many."""
    number = len(found.runs)
    return list(range(number)) if number <= 30 else np.random.default_rng(number).choice(number, 2, False).tolist()


def universes(order: str) -> Iterator[Brute]:
    spaces = RANKED if order in RANKS else [*UNRANKED, (1, 5), (7, 2), (255, 2)]
    return (brute(order, *space) for space in spaces)


orders = pytest.mark.parametrize("order", [*RANKS, *SETS])


@orders
def test_every_run_is_listed_once_and_none_before_a_worse_one(order):
    for found in universes(order):
        listed = list(found.algebra.runs())
        assert sorted(listed) == sorted(found.runs)
        assert found.algebra.size == len(listed)
        places = [found.at[run] for run in listed]
        assert not np.tril(found.le[np.ix_(places, places)], -1).any()
        assert found.le[found.at[found.algebra.bottom]].all()
        assert found.le[:, found.at[found.algebra.top]].all()


@orders
def test_join_and_meet_are_the_closest_bounds_or_none_with_all_candidates(order):
    for found in universes(order):
        for x in some(found):
            run = found.runs[x]
            for operation, error, closest in (
                (found.algebra.join, NoJoin, found.minimal(x)),
                (found.algebra.meet, NoMeet, found.maximal(x)),
            ):
                for y in range(len(found.runs)):
                    answer, complete = bounds_found(operation, error, run, found.runs[y])
                    assert complete
                    assert sorted(found.at[bound] for bound in answer) == np.flatnonzero(closest[y]).tolist()


def bounds_found(operation, error, x, y):
    """Return the closest bounds of two runs, one or many, and whether these are all."""
    try:
        return (operation(x, y),), True
    except error as none:
        return none.candidates, none.complete and len(none.candidates) > 1


@orders
def test_covers_are_the_transitive_reduction(order):
    for found in universes(order):
        for x, run in enumerate(found.runs):
            for listed, expected in (
                (list(found.algebra.upper_covers(run)), found.covers[x]),
                (list(found.algebra.lower_covers(run)), found.covers[:, x]),
            ):
                assert len(set(listed)) == len(listed)
                assert set(listed) == found.names(expected)


@orders
def test_between_lists_an_interval_once_and_none_before_a_worse_one(order):
    for found in universes(order):
        rng = np.random.default_rng(len(found.runs))
        pairs = rng.integers(len(found.runs), size=(60, 2)).tolist()
        for x, y in [*pairs, (found.at[found.algebra.bottom], found.at[found.algebra.top])]:
            listed = list(found.algebra.between(found.runs[x], found.runs[y]))
            assert len(set(listed)) == len(listed)
            assert set(listed) == found.names(found.le[x] & found.le[:, y])
            places = [found.at[run] for run in listed]
            assert not np.tril(found.le[np.ix_(places, places)], -1).any()


@orders
def test_join_irreducible_are_the_runs_that_worse_ones_do_not_determine(order):
    for found in universes(order):
        listed = list(found.algebra.join_irreducibles())
        assert len(listed) == len(set(listed)) == found.algebra.irreducible_count
        assert set(listed) == found.irreducible()
        places = [found.at[run] for run in listed]
        assert not np.tril(found.le[np.ix_(places, places)], -1).any()
        numbered = {run: place for place, run in enumerate(listed)}
        assert all(found.algebra.place(run) == numbered.get(run) for run in found.runs)


@orders
def test_in_a_lattice_join_irreducible_means_one_lower_cover(order):
    for found in universes(order):
        if order == "swap" and found.algebra.grades > 2 and found.algebra.depth > 1:
            continue
        assert found.names(found.covers.sum(axis=0) == 1) == set(found.algebra.join_irreducibles())


@orders
def test_a_run_is_the_least_upper_bound_of_its_parts_and_of_no_fewer(order):
    for found in universes(order):
        for x, run in enumerate(found.runs):
            parts = [found.at[part] for part in found.algebra.decompose(run)]
            assert all(found.algebra.place(found.runs[part]) is not None for part in parts)
            assert found.is_least_bound(x, parts)
            assert not any(found.is_least_bound(x, set(parts) - {part}) for part in parts)


@orders
def test_the_terms_of_a_run_give_its_value_under_any_valuation(order):
    for found in universes(order):
        _, values = valuation(found, seed=len(found.runs))
        bottom = values[found.at[found.algebra.bottom]]
        above = np.array([values[found.at[run]] - bottom for run in found.algebra.join_irreducibles()])
        terms = found.algebra.terms(np.array(found.runs, dtype=np.int8))
        assert (np.diff(terms.row) >= 0).all()
        assert set(terms.sign.tolist()) <= {1, -1}
        recovered = np.full(len(found.runs), bottom)
        np.add.at(recovered, terms.row, terms.sign * above[terms.place])
        assert recovered.tolist() == values.tolist()


@orders
def test_no_join_irreducible_run_counts_twice(order):
    for found in universes(order):
        terms = found.algebra.terms(np.array(found.runs, dtype=np.int8))
        assert len(set(zip(terms.row.tolist(), terms.place.tolist(), strict=True))) == len(terms.row)


@orders
def test_two_runs_show_the_weight_of_each_join_irreducible_run(order):
    for found in universes(order):
        weights, values = valuation(found, seed=len(found.runs) + 300)
        for place, weight in enumerate(weights.tolist()):
            lower, upper = (found.at[run] for run in found.algebra.step(place))
            assert found.le[lower, upper]
            assert values[upper] - values[lower] == weight
            itself = found.at[found.algebra.irreducible(place)]
            if found.covers[:, itself].sum() == 1:
                assert upper == itself
                assert found.covers[lower, upper]


def valuation(found: Brute, seed: int):
    """Return weights of the join-irreducible runs, and for every run the sum of those that are at most it."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(-50, 50, size=found.algebra.irreducible_count)
    places = [found.at[run] for run in found.algebra.join_irreducibles()]
    return weights, weights @ found.le[places] + 7


@pytest.mark.parametrize(("depth", "grades"), [(2, 3), (3, 3), (4, 3), (5, 3), (3, 4), (4, 4), (3, 5), (3, 6), (2, 16)])
def test_where_not_all_candidates_are_sought_two_minimal_ones_are_found(depth, grades):
    found = brute("swap", depth, grades)
    for x in some(found):
        minimal = found.minimal(x)
        for y in range(len(found.runs)):
            upper = np.maximum(found.algebra.paths(found.runs[x]), found.algebra.paths(found.runs[y]))
            if not is_run(upper):
                bounds, complete = minimal_runs_above(upper, steps=0)
                assert not complete
                assert len(bounds) > 1
                assert set(bounds) <= found.names(minimal[y])


@pytest.mark.parametrize("grades", [2, 3, 4])
def test_the_expansion_counts_what_does_not_cancel(grades):
    found = brute("swap", 3, grades)
    _, values = valuation(found, seed=5)
    bottom = values[found.at[found.algebra.bottom]]
    for x, run in enumerate(found.runs):
        expansion = found.algebra.expansion(run)
        assert 0 not in expansion.values()
        assert values[x] == bottom + sum(n * (values[found.at[part]] - bottom) for part, n in expansion.items())


@orders
def test_parts_are_fewest_among_all_sets_of_join_irreducible_runs(order):
    found = brute(order, 3, 3) if order != "projection" else brute(order, 3, 2)
    parts = [found.at[run] for run in found.algebra.join_irreducibles()]
    for x, run in enumerate(found.runs):
        decomposition = found.algebra.decompose(run)
        fewer = (few for size in range(len(decomposition)) for few in combinations(parts, size))
        assert not any(found.is_least_bound(x, few) for few in fewer)


def test_impossible_universes_are_refused_with_what_there_is():
    with pytest.raises(ParameterError, match=r"order must be one of 'swap', .*, not 'lexicographic'"):
        algebra_of("lexicographic", 3, 2)
    with pytest.raises(ParameterError, match="depth must be a whole number from 1 up"):
        algebra_of("swap", 0, 2)
    with pytest.raises(ParameterError, match="grades must be a whole number from 2 up"):
        algebra_of("swap", 3, 1)
    with pytest.raises(ParameterError, match="at most 128 grades"):
        algebra_of("swap", 3, 129)


@pytest.mark.parametrize("order", [*RANKS, *SETS])
@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (1, 4), (4, 2), (6, 2), (2, 3), (3, 3), (4, 3), (3, 4)])
def test_the_terms_of_a_step_are_those_of_its_runs(order, depth, grades):
    algebra = algebra_of(order, depth, grades)
    places = range(min(60, algebra.irreducible_count))
    terms = algebra.step_terms(places)
    for row, place in enumerate(places):
        counted = Counter()
        for where, sign in zip(terms.place[terms.row == row], terms.sign[terms.row == row], strict=True):
            counted[algebra.irreducible(int(where))] += int(sign)
        low, high = map(algebra.expansion, algebra.step(place))
        assert {run: n for run, n in counted.items() if n} == {
            run: n for run in {*low, *high} if (n := high.get(run, 0) - low.get(run, 0))
        }


def test_the_terms_of_steps_between_long_runs_are_those_of_their_runs():
    algebra = algebra_of("swap", 300, 5)
    places = [0, 7, 45149, 45150, 100_000, algebra.irreducible_count - 1]
    terms = algebra.step_terms(places)
    for row, place in enumerate(places):
        counted = {
            int(w): int(s) for w, s in zip(terms.place[terms.row == row], terms.sign[terms.row == row], strict=True)
        }
        low, high = map(algebra.expansion, algebra.step(place))
        both = {run: high.get(run, 0) - low.get(run, 0) for run in {*low, *high}}
        assert counted == {algebra.place(run): n for run, n in both.items() if n}
