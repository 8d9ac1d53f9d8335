"""Any function of a judged run gets a verdict, whatever it does."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import count

import numpy as np
import pytest

from measurand.axioms import (
    AXIOMS,
    How,
    Space,
    closeness_threshold,
    confidence,
    constraint_matrix,
    deepness,
    deepness_threshold,
    examine,
    is_measurement,
    priority,
    replacement,
    swap,
    well_defined,
)
from measurand.exact import inverse_log, log
from measurand.measures import as_measure

OF_RUNS = [replacement, swap, priority, deepness, confidence, is_measurement, well_defined]
THRESHOLDS = [deepness_threshold, closeness_threshold]


def raises(run):
    raise RuntimeError("no")


def divides(run):
    return 1 / (sum(run) - 2)


def exhausts(run):
    return exhausts(run)


def wants_nothing():
    return 1


def wants_three(run, base, more):
    return 1


def answers(value):
    def function(run):
        return value

    return function


def wavers():
    calls = count()
    return lambda run: sum(run) + next(calls)


FAILING = {
    "raises": raises,
    "never ends": exhausts,
    "wants nothing": wants_nothing,
    "wants three": wants_three,
    "nan": answers(math.nan),
    "inf": answers(math.inf),
    "-inf": answers(-math.inf),
    "numpy nan": answers(np.float64("nan")),
    "None": answers(None),
    "text": answers("much"),
    "list": answers([1]),
    "array": answers(np.array([1.0, 2.0])),
    "complex": answers(1j),
}


NOT_FINITE = {"nan": False, "inf": True, "-inf": False, "numpy nan": False}
"""Whether answers that are not finite are values of a measurement."""


@pytest.mark.parametrize(
    ("axiom", "name"),
    [(axiom, name) for axiom in OF_RUNS for name in FAILING if axiom is not is_measurement or name not in NOT_FINITE],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_function_that_is_no_measure_fails_with_the_run(axiom, name, naming):
    for depth in (4, 15):
        with naming(depth):
            verdict = axiom(FAILING[name], depth)
            assert verdict.holds is False
            assert verdict.how is How.FAILED
            (run,) = verdict.witness
            assert len(run) in (depth, depth - 1)
            assert set(run) <= {0, 1}
            assert ("failed with" in verdict.witness.why) or ("answered" in verdict.witness.why)


@pytest.mark.parametrize("name", NOT_FINITE)
@pytest.mark.parametrize("depth", [4, 15])
def test_answers_that_are_not_finite_are_a_question_of_the_codomain(name, depth):
    verdict = is_measurement(FAILING[name], depth)
    assert verdict.holds is verdict.codomain.holds is NOT_FINITE[name]
    assert verdict.how is not How.FAILED


@pytest.mark.parametrize("function", FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("axiom", THRESHOLDS, ids=lambda axiom: axiom.__name__)
def test_a_function_that_is_no_measure_has_no_threshold(axiom, function):
    verdict = axiom(function, collection=20, recall_base=4)
    assert verdict.holds is False
    assert verdict.how is How.FAILED
    assert verdict.witness.runs == ((1,),)


@pytest.mark.parametrize("axiom", OF_RUNS, ids=lambda axiom: axiom.__name__)
def test_a_function_that_fails_on_one_run_alone_is_found_out_with_that_run(axiom):
    def picky(run):
        if run == (0, 1, 1, 0):
            return None
        return Fraction(
            len(run) - 2 * sum(run) + sum(2 ** (9 - i) * grade for i, grade in enumerate(run)), len(run) + 1
        )

    verdict = axiom(picky, 4)
    assert not verdict
    if verdict.witness.runs == ((0, 1, 1, 0),):
        assert verdict.witness.why == "picky answered None on (0, 1, 1, 0), which is no finite number"
    else:
        # confidence stops at the first run that breaks it
        assert axiom is confidence


@pytest.mark.parametrize("axiom", OF_RUNS, ids=lambda axiom: axiom.__name__)
def test_a_function_that_does_not_always_answer_the_same_fails(axiom):
    verdict = axiom(wavers(), 4)
    assert not verdict
    assert "so it does not depend on the run alone" in verdict.witness.why
    rng = np.random.default_rng(0)
    assert not axiom(lambda run: rng.random(), 4)


@pytest.mark.parametrize("axiom", THRESHOLDS, ids=lambda axiom: axiom.__name__)
def test_a_function_that_does_not_always_answer_the_same_has_no_threshold(axiom):
    verdict = axiom(wavers(), collection=20, recall_base=4)
    assert not verdict
    assert "so it does not depend on the run alone" in verdict.witness.why


def test_a_function_that_wavers_between_huge_numbers_fails():
    calls = count(10**400)
    assert not swap(lambda run: next(calls), 3)


def test_a_function_that_wants_the_recall_base_is_given_it():
    seen = set()

    def share(run, base):
        seen.add(base)
        return Fraction(sum(run), base)

    assert is_measurement(share, 4, recall_base=6)
    assert seen == {6}
    assert is_measurement(lambda run, weight=3: weight * sum(run), 4)


def test_all_properties_are_looked_at_whatever_a_function_does():
    verdicts = dict(examine(as_measure(raises), Space(depth=4)))
    assert list(verdicts) == list(AXIOMS)
    assert not any(verdicts.values())
    (row,) = constraint_matrix([raises], collection=50, recall_base=5, depth=6)
    assert (row.measure, row.marks) == ("raises", "00000")


# Numbers of all kinds


def test_huge_and_tiny_answers_are_told_apart():
    assert priority(lambda run: 10**400 * sum(2 ** (9 - i) * grade for i, grade in enumerate(run)), 4)
    assert priority(lambda run: Fraction(sum(2 ** (9 - i) * grade for i, grade in enumerate(run)), 10**400), 4)
    assert not swap(lambda run: 10**400 * sum(rank for rank, grade in enumerate(run) if grade), 4)


@pytest.mark.parametrize("unit", [log(3), inverse_log(3, 2)], ids=repr)
def test_a_function_may_answer_with_exact_sums(unit):
    def function(run):
        return sum((unit * (Fraction(grade, rank)) for rank, grade in enumerate(run, 1)), Fraction(0))

    assert swap(function, 4)
    assert priority(function, 4)
    assert not swap(lambda run: unit * sum(rank for rank, grade in enumerate(run, 1) if grade), 4)
    # 1/(n + 1) + … + 1/2n is below 1
    assert deepness_threshold(function, collection=20, recall_base=4)
    assert not closeness_threshold(function, collection=20, recall_base=4)


def test_exact_answers_are_compared_exactly_and_floats_with_a_tolerance():
    def barely(run):
        return Fraction(10**20 + sum(2 ** (9 - i) * grade for i, grade in enumerate(run)), 10**20)

    assert priority(barely, 4)
    assert priority(lambda run: int(barely(run) * 10**20), 4)
    assert not priority(lambda run: float(barely(run)), 4)
    assert not swap(lambda run: -barely(run), 4)
    assert swap(lambda run: -float(barely(run)), 4)


def test_a_discount_that_falls_fast_is_followed_to_the_last_rank():
    def halving(run):
        return Fraction(int("".join(map(str, run)), 2), 2 ** len(run))

    verdict = priority(halving, 60)
    assert verdict, verdict.witness.values


def test_a_discount_in_floats_that_falls_too_fast_is_refuted_with_a_word_on_rounding():
    verdict = priority(lambda run: sum(grade * 0.5**rank for rank, grade in enumerate(run, 1)), 45)
    assert not verdict
    assert "rounding" in verdict.witness.why


def test_a_function_may_answer_yes_or_no():
    assert is_measurement(lambda run: any(run), 4)
    assert is_measurement(lambda run: np.bool_(run[0] > 0), 4)
    assert not is_measurement(lambda run: not any(run), 4)
    assert swap(lambda run: np.float32(0.5) * sum(run), 4)
    assert swap(lambda run: np.array(1.0), 4)


def test_a_function_that_ends_the_program_fails_like_any_other():
    verdict = swap(lambda run: exit(1), 3)
    assert not verdict
    assert verdict.how is How.FAILED


def test_a_function_need_not_have_a_hash():
    class Counter:
        __hash__ = None

        def __call__(self, run):
            return sum(run)

    assert replacement(Counter(), 4)


# Rounding


def average_precision(run):
    found = total = 0
    for rank, grade in enumerate(run, 1):
        if grade:
            found += 1
            total += found / rank
    return total / len(run)


def average_precision_backwards(run):
    ranks = [rank for rank, grade in enumerate(run, 1) if grade]
    return sum(k / rank for k, rank in reversed(list(enumerate(ranks, 1)))) * (1 / len(run))


def expected_reciprocal_rank(run):
    value, left = 0.0, 1.0
    for rank, grade in enumerate(run, 1):
        stop = 0.7 * grade
        value += left * stop / rank
        left *= 1 - stop
    return value


def discounted_gain(run):
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(run, 1)) / 0.3 * 0.1


def noisy_count(run):
    """The number of relevant documents, with noise that depends on where they stand."""
    return sum(0.1 * rank / rank for rank, grade in enumerate(run, 1) if grade)


@pytest.mark.parametrize(
    "function", [average_precision, average_precision_backwards, expected_reciprocal_rank, discounted_gain]
)
@pytest.mark.parametrize("depth", [4, 8])
def test_rounding_is_no_breach(function, depth):
    for axiom in (replacement, swap, priority, is_measurement):
        verdict = axiom(function, depth)
        assert verdict, (axiom.__name__, verdict.witness)
        assert verdict.how is How.EXHAUSTIVE


def test_rounding_is_no_gain():
    positions = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert len({noisy_count(run) for run in positions}) > 1
    assert swap(noisy_count, 6)
    assert replacement(noisy_count, 6)
    verdict = priority(noisy_count, 6)
    assert not verdict
    assert list(verdict.witness) == [(0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)]


def constant(run):
    """One value for all runs, with noise that depends on the length."""
    return sum([0.1] * len(run)) / len(run) if run else 0.1


@pytest.mark.parametrize("function", [noisy_count, average_precision, discounted_gain, constant])
@pytest.mark.parametrize("axiom", [replacement, swap, priority, deepness, confidence], ids=lambda axiom: axiom.__name__)
def test_a_witness_that_shows_the_better_run_to_be_better_speaks_of_rounding(axiom, function):
    for depth in (3, 8, *([20] if function is noisy_count else [])):
        verdict = axiom(function, depth)
        if not verdict:
            worse, better = verdict.witness
            assert ("rounding" in verdict.witness.why) is (function(worse) < function(better))
            assert function(better) - function(worse) < 1e-12
            assert verdict.witness.values == tuple(Fraction(repr(function(run))) for run in (worse, better))


def test_rounding_is_no_price():
    depth = next(n for n in range(2, 50) if constant((0,) * n) < constant((0,) * (n - 1)))
    assert not confidence(constant, depth)


def test_a_breach_in_floats_is_found():
    verdict = deepness(average_precision, 8)
    assert not verdict
    assert list(verdict.witness) == [(0, 0, 0, 0, 0, 1, 1, 0), (0, 0, 0, 0, 1, 0, 0, 1)]
    assert deepness(average_precision, 7)
    assert not deepness(noisy_count, 6)
