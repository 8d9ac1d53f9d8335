"""What is proved of families agrees with what is seen on every run."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.additivity import Additivity, CheckedRuns
from measurand.lattice.valuation.deciding import argument, is_valuation
from measurand.lattice.valuation.extension import extend
from measurand.measures import AP, DCG, ERR, RR, P, catalogue, parse
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.expected_search_length import ExpectedSearchLength
from measurand.measures.precision import Precision
from measurand.orders import ORDERS
from measurand.verdict import How

SHAPES = [(4, 2), (3, 3), (2, 4)]
"""Depths and grades where all runs are looked at."""

VARIANTS = [
    *catalogue(),
    *("AP@1", "AP@2", "RR@2", "ERR@2", "nERR@1", "P@2", "P@1", "Success@1", "Success@2", "R@3", "F(beta=2)@2"),
    *("ESL(i=2)", "ESL(i=3)", "ESLR(i=2)", "OIE(rel=1)", "OIE(beta=3, collection=50)", "DCG(b=3)@2", "nDCG@2"),
    *("RBP(p=0.5)", "gRBP(gain='exp2')", "Q(beta=2)", "IPrec(recall=0.5)", "SetF(beta=2)", "gm(RR)", "INST@1"),
]

GRADED = [
    "AP(rel=2)",
    "RR(rel=2)",
    "P(rel=2)@2",
    "RBP(rel=2)",
    "OIE(rel=2)",
    "ESL(i=1, rel=2)",
    "Bpref(rel=2)",
    "Q(rel=2)",
]


@cache
def looked(order, depth, grades, spelling, recall_base):
    """What is proved of a measure and what is seen of it."""
    seen = CheckedRuns.of(algebra_of(order, depth, grades), recall_base)
    asked = Additivity(seen, seen.space.valuer(parse(spelling)))
    proved = argument(asked.valuer.measure, seen.algebra, seen.space)
    return proved, next(asked.failing(seen.all()), None)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("recall_base", [None, 2])
@pytest.mark.parametrize(("depth", "grades"), SHAPES)
def test_what_is_proved_is_seen_on_every_run(order, depth, grades, recall_base):
    found = {}
    for spelling in VARIANTS + (GRADED if grades > 2 else []):
        proved, failing = looked(order, depth, grades, spelling, recall_base)
        assert proved is None or failing is None, (spelling, proved, failing)
        found[spelling] = proved
    assert any(found.values())


@pytest.mark.parametrize(
    ("order", "grades", "expected"),
    [
        ("swap", 2, "AP RR ERR nERR OIE P R RBP gRBP DCG nDCG Q Bpref Rprec Success ESL ESLR infAP F gP gR SetAP"),
        ("swap", 4, "AP RR P R RBP gRBP DCG nDCG Bpref Rprec Success ESL ESLR gP gR"),
        ("replacement", 2, "P R RBP DCG nDCG gP gR RelativeP Rprec SetP"),
        ("replacement", 4, "P R RBP gRBP DCG nDCG gP gR RelativeP Rprec SetP"),
        ("set-replacement", 4, "P R RBP gRBP DCG nDCG gP gR AP RR IPrec F Success ESL OIE"),
    ],
)
def test_these_are_valuations_by_proof_at_any_depth(order, grades, expected):
    for spelling in expected.split():
        verdict = is_valuation(algebra_of(order, 200, grades), spelling)
        assert verdict.how is How.PROVED, spelling
        assert verdict.argument


@pytest.mark.parametrize(
    ("order", "grades", "expected"),
    [
        ("swap", 2, "INST IPrec"),
        ("swap", 4, "ERR Q INST"),
        ("replacement", 2, "AP RR ERR OIE Bpref Success ESL Q"),
        ("set-replacement", 4, "ERR Q INST"),
    ],
)
def test_these_are_no_valuations_at_any_depth(order, grades, expected):
    for spelling in expected.split():
        verdict = is_valuation(algebra_of(order, 60, grades), spelling)
        assert not verdict.holds, spelling
        first, second, join, meet = verdict.witness.runs
        algebra = algebra_of(order, 60, grades)
        assert (algebra.join(first, second), algebra.meet(first, second)) == (join, meet)


@pytest.mark.parametrize("order", ["projection", "set-projection"])
def test_in_a_chain_everything_is_a_valuation(order):
    assert is_valuation(algebra_of(order, 50, 3), lambda run: hash(run) % 7).how is How.PROVED


def test_what_has_changed_its_definition_is_not_proved_by_its_family():
    class Odd(Precision):
        name = "Odd"

        def exact(self, run, pool):
            return Fraction(sum(run) ** 2 * run[0])

    class Backwards(AveragePrecision):
        name = "Backwards"

        def total(self, run, pool):
            return Fraction(run[0] * run[-1])

    class Impatient(ExpectedSearchLength):
        name = "Impatient"

        def inspected(self, run, pool):
            return Fraction(run[0] * run[-1])

    class Whole(Precision):
        name = "Whole"

        def view(self, run):
            return run

        def exact(self, run, pool):
            return Fraction(run[0] * run[-1])

    algebra = algebra_of("swap", 3, 2)
    for odd in (Odd(), Backwards(), Impatient(), Whole(cutoff=1)):
        assert not is_valuation(algebra, odd).holds


def test_what_is_made_of_a_table_is_a_valuation_on_its_own_order_by_construction():
    algebra = algebra_of("replacement", 3, 2)
    made = extend(algebra, {(1, 0, 0): 3, (0, 1, 0): 1, (0, 0, 1): 2})
    assert is_valuation(algebra, made).how is How.PROVED
    # cut off, it is looked at
    assert is_valuation(algebra, made @ 2).how is How.EXHAUSTIVE
    assert is_valuation(algebra_of("replacement", 4, 2), made).how is How.EXHAUSTIVE


def test_the_argument_of_one_grade_speaks_for_measures_that_know_one():
    algebra = algebra_of("swap", 5, 3)
    space = CheckedRuns.of(algebra).space
    assert argument(AP(rel=2), algebra, space)
    assert argument(RR, algebra, space)
    assert argument(ERR, algebra, space) is None
    assert argument(DCG, algebra, space)
    assert argument(P @ 3, algebra_of("replacement", 5, 3), space)
