"""Profiles: of every measure, of functions that are broken, and of functions that are no measures at all."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from functools import partial
from itertools import count, product

import numpy as np
import pytest

import measurand as md
from measurand.axioms import AXIOMS
from measurand.errors import ParameterError
from measurand.measures import catalogue, define
from measurand.orders import compare
from measurand.study.profile import profile
from measurand.verdict import How, Witness

SPACES = [(5, 2), (4, 3)]


@pytest.fixture(params=SPACES, ids=lambda space: f"{space[0]} ranks, {space[1]} grades")
def space(request):
    return request.param


# Measures.


def test_the_profile_of_a_measure_says_something_of_every_statement(profile_of, space, naming):
    for name in catalogue():
        with naming(name):
            depth, grades = space
            found = profile_of(name, depth, grades)
            assert list(found.axioms) == list(AXIOMS)
            for verdict in found.axioms.values():
                assert verdict.checked
                assert verdict.how is not How.PROVED or verdict.argument
                if verdict.how is not How.FAILED:
                    assert verdict or (
                        isinstance(verdict.witness, Witness) and verdict.witness.why and verdict.witness.runs
                    )
            assert (found.depth, found.grades) == (found.image.depth, found.image.grades) == (depth, grades)
            assert found.image.total == grades**depth
            assert found.spacing.holds == found.image.equispaced
            assert found.balancing_index == md.balancing_index(found.measure, depth, qmax=grades - 1)
            assert found.facts == found.measure.facts(found.label)
            assert found.definition.endswith(".")


def test_a_pair_that_breaks_an_axiom_is_a_real_one(profile_of, space, naming):
    for name in catalogue():
        with naming(name):
            found = profile_of(name, *space)
            counts = found.space.pool.grade_counts
            for axiom in ("replacement", "swap"):
                if not found.axioms[axiom]:
                    worse, better = found.axioms[axiom].witness
                    assert compare(worse, better) == "less"
                    values = [found.measure.of(run, grade_counts=counts) for run in (worse, better)]
                    assert list(found.axioms[axiom].witness.values) == values
                    assert values[0] < values[1] if found.measure.lower_is_better else values[0] > values[1]


def test_an_axiom_that_holds_is_broken_by_no_pair(profile_of, space, naming):
    for name in catalogue():
        with naming(name):
            depth, grades = space
            found = profile_of(name, depth, grades)
            places = -found.image.places if found.measure.lower_is_better else found.image.places
            place = dict(zip(map(tuple, found.image.runs.tolist()), places.tolist(), strict=True))
            pairs = {"replacement": [], "swap": [], "priority": []}
            for run in place:
                for i in range(depth):
                    if run[i] + 1 < grades:
                        pairs["replacement"].append((run, (*run[:i], run[i] + 1, *run[i + 1 :])))
                    for j in range(i + 1, depth):
                        if run[i] < run[j]:
                            exchanged = list(run)
                            exchanged[i], exchanged[j] = run[j], run[i]
                            pairs["swap"].append((run, tuple(exchanged)))
                            if j == i + 1:
                                pairs["priority"].append((run, tuple(exchanged)))
            for axiom, strictly in (("replacement", False), ("swap", False), ("priority", True)):
                kept = all(place[worse] < place[better] + (not strictly) for worse, better in pairs[axiom])
                assert bool(found.axioms[axiom]) == kept, axiom
            assert bool(found.axioms["is_measurement"].order) == bool(
                found.axioms["replacement"] and found.axioms["swap"]
            )


def test_a_profile_takes_a_spelling_a_measure_and_a_function():
    by_spelling, by_measure = profile("RR", depth=4), profile(md.parse("RR"), depth=4)
    assert by_spelling.measure == by_measure.measure
    by_function = profile(lambda run: next((Fraction(1, i) for i, g in enumerate(run, 1) if g), 0), depth=4)
    assert list(by_function.image) == list(by_spelling.image)
    verdicts = [{name: bool(v) for name, v in found.axioms.items()} for found in (by_spelling, by_function)]
    assert verdicts[0] == verdicts[1]
    assert by_function.balance.points == by_spelling.balance.points


def test_names_of_trec_eval_are_understood():
    assert repr(profile("recip_rank", depth=3).measure) == "RR"


@pytest.mark.parametrize(
    "function",
    [sum, max, len, np.mean, partial(sum, start=0), type("Callable", (), {"__call__": lambda self, run: sum(run)})()],
    ids=["sum", "max", "len", "mean", "partial", "object"],
)
def test_anything_that_can_be_called_with_a_run_is_a_function(function):
    found = profile(function, depth=4)
    assert found.axioms["well_defined"]
    assert list(found.axioms) == list(AXIOMS)


def test_a_lambda_is_called_a_function():
    assert repr(profile(lambda run: 0, depth=2).measure) == "function"


def test_what_a_function_says_of_itself_is_its_definition():
    def mine(run):
        """Count what is relevant.

        In all ranks.
        """
        return sum(run)

    assert profile(mine, depth=2).definition == "Count what is relevant."


def test_the_depth_limits_what_is_looked_at_and_the_image_stays_small():
    found = profile("P", depth=30)
    assert (found.depth, found.image.depth) == (30, 12)
    assert found.balancing_index == 30
    assert "12 ranks" in found.spacing.checked


def test_a_depth_that_is_no_point_of_the_usual_curve_is_added():
    assert profile("AP", depth=7).balancing_index == md.balancing_index("AP", 7)


def test_the_recall_base_and_the_collection_reach_the_measure():
    found = profile("R", depth=3, recall_base=6)
    assert found.image.highest == Fraction(1, 2)
    assert repr(profile("OIE", depth=3, collection=10_000).measure) == "OIE(beta=1.2, collection=10000)"


def test_a_collection_without_a_recall_base_need_not_hold_a_hundred_relevant_documents():
    assert list(profile("AP", depth=4, collection=50).axioms) == list(AXIOMS)


def test_a_topic_with_relevant_documents_alone_has_a_profile():
    assert list(profile("AP", depth=3, recall_base=3, collection=3).axioms) == list(AXIOMS)


def test_a_topic_without_relevant_documents_is_refused():
    with pytest.raises(ParameterError, match="recall_base must be a whole number from 1 up"):
        profile("AP", depth=3, recall_base=0)


def test_runs_with_more_relevant_documents_than_there_are_play_no_part():
    found = profile("AP", depth=5, recall_base=2)
    assert found.image.total == 1 + 5 + 10
    assert found.image.highest == 1


def test_progress_is_told_statement_by_statement():
    told = []

    def progress(items, total, what):
        told.append((total, what))
        for item in items:
            told.append(item[0])
            yield item

    profile("P", depth=3, progress=progress)
    assert told == [(len(AXIOMS), "looking at P"), *AXIOMS]


# A function with a fault.


def third_rank_counts_double(run):
    return sum(grade * weight for grade, weight in zip(run, (1, 1, 2, *[1] * len(run)), strict=False))


@pytest.mark.parametrize("depth", [3, 5, 20])
def test_a_third_rank_that_counts_double_is_found_out_with_the_smallest_pair(depth):
    found = profile(third_rank_counts_double, depth=depth)
    verdict = found.axioms["swap"]
    rest = (0,) * (depth - 3)
    assert not verdict
    assert verdict.how is How.COUNTEREXAMPLE
    assert verdict.witness[0] == (0, 0, 1, *rest)
    assert verdict.witness[1] in [(0, 1, 0, *rest), (1, 0, 0, *rest)]
    assert verdict.witness.values == (2, 1)
    assert found.axioms["replacement"]
    assert found.axioms["is_measurement"].witness == verdict.witness


def test_the_smallest_pair_has_the_lowest_grades():
    found = profile(third_rank_counts_double, depth=4, grades=3)
    worse, better = found.axioms["swap"].witness
    assert (worse, sum(better)) == ((0, 0, 1, 0), 1)


def test_a_document_that_hurts_is_found_out():
    found = profile(lambda run: -sum(run), depth=4)
    worse, better = found.axioms["replacement"].witness
    assert (sum(worse), sum(better)) == (0, 1)
    assert not found.axioms["is_measurement"]
    assert found.axioms["swap"]


# Functions that are no measures.


def fails(run):
    raise RuntimeError("out of\norder")


def fails_late(run):
    if sum(run) > 2:
        raise KeyError("many")
    return sum(run)


def never_ends(run):
    return never_ends(run)


def rewrites(run):
    run[0] = 1
    return 1


def wants_three(run, one, other):
    return 0


answers = count()

NO_MEASURES = {
    "raises": (fails, r"fails failed with RuntimeError\('out of\\norder'\) on \(0, 0, 0, 0\)"),
    "raises on some runs": (fails_late, r"failed with KeyError\('many'\) on \(0, 1, 1, 1\)"),
    "never ends": (never_ends, "failed with RecursionError"),
    "rewrites its input": (rewrites, "failed with TypeError"),
    "takes nothing": (lambda: 3, "failed with TypeError"),
    "takes too much": (wants_three, "failed with TypeError"),
    "divides by nothing": (lambda run: 1 / sum(run), r"failed with ZeroDivisionError\(.*\) on \(0, 0, 0, 0\)"),
    "nan": (lambda run: math.nan, r"answered nan on \(0, 0, 0, 0\), which is no finite number"),
    "nan of numpy": (lambda run: np.float64("nan"), "which is no finite number"),
    "nan on one run": (lambda run: math.nan if sum(run) == 4 else 1.0, r"answered nan on \(1, 1, 1, 1\)"),
    "infinity": (lambda run: math.inf, "answered inf on .*, which is no finite number"),
    "minus infinity": (lambda run: -math.inf, "answered -inf on .*, which is no finite number"),
    "overflow": (lambda run: 1e308 * 10 * sum(run), "which is no finite number"),
    "nothing": (lambda run: None, "answered None on .*, which is no finite number"),
    "text": (lambda run: "high", "answered 'high' on .*, which is no finite number"),
    "a list": (lambda run: [1], r"answered \[1\] on .*, which is no finite number"),
    "an array": (lambda run: np.array(run), "which is no finite number"),
    "a complex number": (lambda run: 1j, "answered 1j on .*, which is no finite number"),
    "random": (lambda run: random.random(), "answered .* and then .* on .*, so it does not depend on the run alone"),
    "counting": (lambda run: next(answers), "answered .* and then .* on .*, so it does not depend on the run alone"),
}


@pytest.mark.parametrize(("function", "complaint"), NO_MEASURES.values(), ids=NO_MEASURES)
def test_a_function_that_is_no_measure_is_told_as_such(function, complaint):
    found = profile(function, depth=4)
    assert list(found.axioms) == ["well_defined"]
    verdict = found.axioms["well_defined"]
    assert not verdict
    assert verdict.how is How.FAILED
    assert re.search(complaint, verdict.witness.why)
    (run,) = verdict.witness.runs
    assert run in set(product((0, 1), repeat=4))
    assert (found.image, found.spacing, found.balance, found.balancing_index) == (None, None, None, None)


def test_a_function_may_ask_for_the_recall_base():
    def share(run, recall_base):
        return Fraction(sum(run), recall_base)

    found = profile(share, depth=4)
    assert found.measure.uses_recall_base
    assert list(found.image) == [Fraction(k, 4) for k in range(5)]
    assert list(profile(share, depth=4, recall_base=8).image) == [Fraction(k, 8) for k in range(5)]
    assert found.balancing_index == 4


def test_a_parameter_with_a_default_is_left_alone():
    def weighted(run, p=0.5, *, q=2):
        return p * q * sum(run)

    assert not profile(weighted, depth=3).measure.uses_recall_base


WEIGHTS = (5, 4, 3, 2, 1)


def five_ranks(run):
    return sum(WEIGHTS[rank] * grade for rank, grade in enumerate(run))


def exactly_five_ranks(run):
    if len(run) != 5:
        raise IndexError("not five")
    return five_ranks(run)


def test_a_function_that_fails_on_longer_runs_keeps_what_was_found_on_its_own():
    found = profile(five_ranks, depth=5)
    assert list(found.axioms) == list(AXIOMS)
    assert found.axioms["well_defined"]
    assert found.axioms["is_measurement"]
    assert found.image.highest == 15
    assert [n for n, _ in found.balance.points] == [1, 2, 3, 4, 5]
    for name in ("deepness_threshold", "closeness_threshold"):
        assert not found.axioms[name]
        assert found.axioms[name].how is How.FAILED
        assert "failed with IndexError" in found.axioms[name].witness.why


def test_a_function_for_one_length_alone_keeps_what_was_found_there():
    found = profile(exactly_five_ranks, depth=5)
    assert [name for name in AXIOMS if found.axioms[name]] == [
        "well_defined",
        "replacement",
        "swap",
        "is_measurement",
        "priority",
    ]
    assert "failed with IndexError" in found.axioms["confidence"].witness.why
    assert found.balance.points == ((5, found.balancing_index),)
    assert found.balancing_index == 3


def exactly_twenty_ranks(run):
    return run[19] + sum(run[:20])


def test_a_function_for_one_length_beyond_those_that_are_enumerated_has_no_image():
    found = profile(exactly_twenty_ranks, depth=20)
    assert list(found.axioms) == list(AXIOMS)
    assert found.axioms["well_defined"]
    assert not found.axioms["swap"]
    assert found.image is None


def test_a_function_that_breaks_down_after_a_while_is_told_as_such():
    asked = count()

    def tires(run):
        if next(asked) > 100:
            raise RuntimeError("tired")
        return sum(run)

    found = profile(tires, depth=4)
    assert any("tired" in verdict.witness.why for verdict in found.axioms.values() if verdict.how is How.FAILED)


def test_a_function_that_was_declared_keeps_its_name_and_facts():
    made = define(sum, name="Gain", graded=True, scale=md.Scale.INTERVAL)
    found = profile(made, depth=3, grades=3)
    assert (repr(found.measure), found.facts["scale"]) == ("Gain", "ordinal, for these gains")
    assert found.spacing


# What is refused.


@pytest.mark.parametrize("what", [None, 3, 0.5, "", "nope", "nDGC@10", "P@0", "AP(", ["AP"], b"AP", {"AP": 1}])
def test_what_is_neither_measure_nor_function_is_refused(what):
    with pytest.raises(ParameterError):
        profile(what)


@pytest.mark.parametrize(
    "options",
    [
        {"depth": 0},
        {"depth": -3},
        {"depth": 2.5},
        {"depth": "4"},
        {"depth": True},
        {"depth": None},
        {"grades": 1},
        {"grades": 2.0},
        {"grades": 200},
        {"recall_base": -1},
        {"recall_base": 1.5},
        {"collection": 0},
        {"collection": 5, "recall_base": 6},
    ],
    ids=str,
)
def test_a_space_that_makes_no_sense_is_refused(options):
    with pytest.raises(ParameterError):
        profile("AP", **{"depth": 3, **options})


def test_a_measure_for_fewer_grades_is_refused():
    with pytest.raises(ParameterError, match="gmax=1"):
        profile("ERR(gmax=1)", depth=3, grades=3)


def test_the_thresholds_are_looked_at_on_the_collection_that_was_said():
    found = profile("AP", depth=4, collection=50)
    assert "50 documents, 25 relevant" in found.axioms["deepness_threshold"].checked
    own = profile("OIE(beta=1.2, collection=1000)", depth=4)
    assert "1,000 documents, 100 relevant" in own.axioms["deepness_threshold"].checked


def test_two_collections_are_one_too_many():
    with pytest.raises(ParameterError, match="a collection of its own"):
        profile("OIE(beta=1.2, collection=1000)", depth=4, collection=5000)


def test_the_balance_has_a_topic_with_as_many_relevant_documents_as_ranks():
    assert profile("Rprec", depth=4, recall_base=2).balance == profile("Rprec", depth=4).balance


@pytest.mark.parametrize(
    ("measure", "grades", "orders"),
    [
        ("gP", 3, ["replacement", "set-replacement"]),
        ("RBP(p=1/2)", 2, ["projection"]),
        ("LatticeRank@4", 3, ["swap"]),
        ("AP", 2, ["set-replacement", "set-projection"]),
    ],
)
def test_a_profile_tells_of_which_orders_a_measure_is_an_interval_scale(measure, grades, orders):
    found = profile(measure, depth=4, grades=grades)
    assert [order for order, verdict in found.steps.items() if verdict] == orders
    told = found.to_dict()["interval_scale_of"]
    assert [order for order, verdict in told.items() if verdict["holds"]] == orders
    assert all(verdict["witness"]["runs"] for verdict in told.values() if not verdict["holds"])
