"""The runs that break a property: real, exact, and the smallest there are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from measurand.axioms import (
    How,
    Space,
    closeness_threshold,
    confidence,
    contest,
    deepness,
    deepness_threshold,
    priority,
    replacement,
    swap,
)
from measurand.axioms.thresholds import contestants
from measurand.measures import OIE, catalogue, define, parse
from measurand.measures.additive import Additive


class ThirdFirst(Additive):
    """A measure that rewards rank 3 more than rank 1."""

    name = "ThirdFirst"
    reference = ""
    graded = True

    def weight(self, rank):
        return Fraction({1: 2, 2: 2, 3: 3}.get(rank, 1), 10)

    def gain_at(self, grade, top):
        return Fraction(grade, top)


def third_first(run) -> int:
    return sum(run) + run[0] + run[1] + 2 * run[2]


@pytest.mark.parametrize("measure", [ThirdFirst(), third_first, define(third_first, name="Third", graded=True)])
@pytest.mark.parametrize(("depth", "grades"), [(3, 2), (6, 2), (4, 3), (9, 2)])
def test_a_measure_that_rewards_rank_three_most_is_caught_by_the_smallest_swap(measure, depth, grades):
    verdict = swap(measure, depth, grades)
    assert not verdict
    assert verdict.how is How.COUNTEREXAMPLE
    rest = (0,) * (depth - 3)
    assert list(verdict.witness) == [(0, 0, 1, *rest), (0, 1, 0, *rest)]
    assert verdict.witness.values[0] / verdict.witness.values[1] == Fraction(3, 2)
    assert replacement(measure, depth, grades)


@pytest.mark.parametrize("measure", [ThirdFirst(), third_first])
@pytest.mark.parametrize("depth", [15, 60])
def test_a_measure_that_rewards_rank_three_most_is_caught_among_long_runs(measure, depth):
    verdict = swap(measure, depth)
    assert not verdict
    worse, better = verdict.witness
    assert third_first(worse) > third_first(better)
    assert not any(worse[16:])


def exchanged(run, i: int, j: int) -> tuple[int, ...]:
    cells = list(run)
    cells[i], cells[j] = cells[j], cells[i]
    return tuple(cells)


def replaced(run, grades: int):
    return [(run, (*run[:i], grade + 1, *run[i + 1 :])) for i, grade in enumerate(run) if grade < grades - 1]


def swapped(run, grades: int):
    return [(run, exchanged(run, i, j)) for i, j in combinations(range(len(run)), 2) if run[i] < run[j]]


def moved_up(run, grades: int):
    return [(run, exchanged(run, i, i + 1)) for i in range(len(run) - 1) if run[i] < run[i + 1]]


def moved_deeper(run, grades: int):
    near = [i for i in range(len(run) - 1) if run[i] < run[i + 1]]
    return [
        (exchanged(run, j, j + 1), exchanged(run, i, i + 1))
        for i, j in combinations(near, 2)
        if (run[i], run[i + 1]) == (run[j], run[j + 1])
    ]


def size(pair) -> tuple:
    """Low grades first, then high ranks."""
    worse, better = pair
    deepest = max((rank for rank, cells in enumerate(zip(worse, better, strict=True), 1) if any(cells)), default=0)
    return sum(worse) + sum(better), deepest, worse, better


WAYS = {
    replacement: (replaced, False),
    swap: (swapped, False),
    priority: (moved_up, True),
    deepness: (moved_deeper, True),
}


def smallest_breach(axiom, value, depth: int, grades: int):
    pairs, strict = WAYS[axiom]
    broken = [
        (worse, better)
        for run in product(range(grades), repeat=depth)
        for worse, better in pairs(run, grades)
        if value(better) < value(worse) or (strict and value(better) == value(worse))
    ]
    return min(broken, key=size, default=None)


@pytest.mark.parametrize("axiom", WAYS, ids=lambda axiom: axiom.__name__)
@pytest.mark.parametrize(("depth", "grades"), [(6, 2), (4, 3)])
def test_the_witness_is_the_smallest_pair_that_breaks_the_property(axiom, depth, grades):
    rng = np.random.default_rng(7)
    runs = list(product(range(grades), repeat=depth))
    broken = 0
    for number in range(30):
        values = dict(zip(runs, rng.integers(0, 2 + number, len(runs)).tolist(), strict=True))
        if number % 2:
            # nearly a measure: one weight a rank, and a few values changed
            values = {run: 10 * sum(grade * 2 ** (depth - i) for i, grade in enumerate(run)) for run in runs}
            for place in rng.integers(0, len(runs), number // 10):
                values[runs[place]] += int(rng.integers(-100, 100))
        found = smallest_breach(axiom, values.__getitem__, depth, grades)
        verdict = axiom(values.__getitem__, depth, grades)
        assert verdict.holds is (found is None)
        if found:
            broken += 1
            assert tuple(verdict.witness) == found
            assert verdict.witness.values == tuple(values[run] for run in found)
    assert 15 <= broken < 30


@pytest.mark.parametrize("axiom", WAYS, ids=lambda axiom: axiom.__name__)
@pytest.mark.parametrize("spelling", [*catalogue(), "DCG(b=3)", "AP@2", "OIE(beta=1.2, collection=40)@3"])
def test_the_witness_against_a_measure_is_the_smallest_pair_with_its_exact_values(axiom, spelling):
    measure, space = parse(spelling), Space(depth=5)
    if spelling == "OIE":
        measure = measure(collection=12)

    def goodness(run):
        value = measure.exact(measure.view(run), space.pool)
        return -value if measure.lower_is_better else value

    found = smallest_breach(axiom, goodness, 5, 2)
    verdict = axiom(measure, 5)
    assert verdict.holds is (found is None)
    if found:
        assert tuple(verdict.witness) == found
        assert verdict.witness.values == tuple(measure.exact(measure.view(run), space.pool) for run in found)


@pytest.mark.parametrize("spelling", ["AP", "P", "nDCG", "RR", "OIE(beta=0.9, collection=40)"])
def test_the_witness_against_confidence_is_the_smallest_run(spelling):
    measure, space = parse(spelling), Space(depth=5)

    def value(run):
        return measure.exact(measure.view(run), space.pool)

    longer = [(*run, 0) for run in product(range(2), repeat=4) if not value((*run, 0)) < value(run)]
    verdict = confidence(measure, 5)
    first = min(longer, key=lambda run: size((run, run)))
    assert list(verdict.witness) == [first, first[:-1]]
    assert verdict.witness.values == (value(first), value(first[:-1]))


@pytest.mark.parametrize("spelling", ["AP@20", "RR@5", "Rprec", "DCG(b=2)"])
def test_a_witness_from_a_sample_really_breaks_the_property(spelling):
    measure, space = parse(spelling), Space(depth=40)
    for axiom in (priority, deepness):
        verdict = axiom(measure, 40)
        assert not verdict
        assert verdict.how is How.COUNTEREXAMPLE
        assert verdict.certain
        worse, better = verdict.witness
        values = tuple(measure.exact(measure.view(run), space.pool) for run in (worse, better))
        assert verdict.witness.values == values
        assert values[1] <= values[0]


@pytest.mark.parametrize("axiom", [deepness_threshold, closeness_threshold])
@pytest.mark.parametrize("spelling", ["AP", "DCG", "RBP(p=0.8)", "RBP(p=0.5)", "ERR", "RR", "P", "OIE(beta=1.2)"])
def test_the_witness_of_a_threshold_has_exact_values_that_agree_with_the_verdict(axiom, spelling):
    topic = {"collection": 300, "recall_base": 12}
    verdict = axiom(spelling, **topic)
    measure = parse(spelling)
    if spelling.startswith("OIE"):
        measure = measure(collection=300)
    worse, better = verdict.witness
    values = tuple(measure.of(run, grade_counts=(288, 12)) for run in (worse, better))
    assert verdict.witness.values == values
    assert (values[0] < values[1]) is verdict.holds


def test_the_witness_of_a_function_holds_what_it_answers_to_the_last_digit():
    verdict = swap(lambda run: 0.1 * sum(rank for rank, grade in enumerate(run, 1) if grade), 3)
    assert verdict.witness.values == (Fraction(1, 5), Fraction(1, 10))


def test_equal_values_close_to_zero_are_not_told_apart():
    weights = {"alpha1": "1.2", "alpha2": "1.2", "beta": "1.2"}
    verdict = replacement(OIE(collection=12, **weights), 6, recall_base=6, collection=12)
    assert not verdict
    assert verdict.witness.values[0] > verdict.witness.values[1]


@pytest.mark.parametrize("same_length", [False, True])
def test_a_contest_is_between_one_document_on_top_and_as_many_late_ones_as_others_above_them(same_length):
    for n in range(1, 6):
        one, many = contestants(n, same_length=same_length)
        assert many == (0,) * n + (1,) * n
        assert one == ((1, *[0] * (2 * n - 1)) if same_length else (1,))
    signs = contest(lambda run: len(run), collection=50, recall_base=5, same_length=same_length).signs
    assert signs.tolist() == ([0] if same_length else [-1]) * 5


def test_a_contest_looks_no_further_than_it_is_told():
    assert len(contest("AP", collection=50, recall_base=20, most=3).signs) == 3
    assert len(contest("AP", collection=50, recall_base=20, most=100).signs) == 20
