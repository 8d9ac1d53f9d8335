"""What families prove, against every run and every pair of runs by the definitions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from measurand.axioms import How, Space, confidence, deepness, is_measurement, priority, replacement, swap
from measurand.axioms.families import proofs
from measurand.errors import ParameterError
from measurand.measures import catalogue, define, parse
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade

AXIOMS = {
    "replacement": replacement,
    "swap": swap,
    "priority": priority,
    "deepness": deepness,
    "confidence": confidence,
}

VARIANTS = [
    "AP(rel=2)",
    "AP@3",
    "Bpref(rel=2)",
    "Bpref@3",
    "DCG(b=10)",
    "DCG(b=2)",
    "DCG(b=3)@4",
    "DCG(gain='1=3,2=1')",
    "DCG@4",
    "ERR(gmax=4)@2",
    "ERR@4",
    "F(beta=2)@3",
    "INST(T='1/2')",
    "INST(T='1/4')",
    "INST(T=2)@5",
    "IPrec(rel=2)@0.5",
    "IPrec@0.3",
    "Judged@3",
    "NumRelRet(rel=2)@2",
    "OIE(beta=0.5, collection=30)",
    "OIE(beta=1, collection=30)",
    "OIE(beta=1.2, collection=30)",
    "OIE(beta=1.2, collection=30)@4",
    "OIE(beta=1.2, rel=2, collection=30)",
    "OIE(alpha1=2, beta=1.2, collection=30)",
    "P@3",
    "Q(beta=2)",
    "Q(rel=2)@3",
    "R@2",
    "RBP(p='1/3', rel=2)",
    "RBP(p=0.5)@4",
    "RBP(p=0.99)",
    "RR(rel=2)",
    "RR@3",
    "Rprec(multiple=0.5)@2",
    "Rprec(multiple=1.4)",
    "SetF(beta=2)",
    "Success@2",
    "gP(gain={1: 3, 2: 3})",
    "gP@3",
    "gR(gain='exp2')",
    "gRBP(gain={1: 3, 2: 3})",
    "gRBP(p=0.5)@3",
    "gm(ERR)",
    "gm(RR@2)",
    "gm(nDCG@3)",
    "infAP@3",
    "nDCG(b=2)",
    "nDCG(gain='1=3,2=1')",
    "nDCG@3",
    "nERR(gmax=5)",
    "nERR@2",
]

SPACES = [
    Space(depth=5),
    Space(depth=4, recall_base=2),
    Space(depth=4, recall_base=7, collection=40),
    Space(depth=3, grades=3),
    Space(depth=4, grades=3, recall_base=2),
]


def exchanged(run, i: int, j: int) -> tuple[int, ...]:
    cells = list(run)
    cells[i], cells[j] = cells[j], cells[i]
    return tuple(cells)


def by_definition(measure, space: Space) -> dict[str, bool]:
    """Every property, told from the definition without any of the product's ways to decide it."""

    @cache
    def value(run):
        """Return the value, turned round where lower is better."""
        found = measure.exact(measure.view(run), space.pool)
        return -found if measure.lower_is_better else found

    most = space.depth if space.recall_base is None else space.recall_base

    def possible(run) -> bool:
        return sum(grade > 0 for grade in run) <= most

    ranks = range(space.depth)
    found = dict.fromkeys(AXIOMS, True)
    for run in filter(possible, product(range(space.grades), repeat=space.depth)):
        for i in ranks:
            replaced = [(*run[:i], grade, *run[i + 1 :]) for grade in range(run[i] + 1, space.grades)]
            found["replacement"] &= all(value(run) <= value(other) for other in filter(possible, replaced))
        for i, j in combinations(ranks, 2):
            if run[i] < run[j]:
                found["swap"] &= value(run) <= value(exchanged(run, i, j))
        near = [i for i in ranks[:-1] if run[i] < run[i + 1]]
        for i in near:
            found["priority"] &= value(run) < value(exchanged(run, i, i + 1))
        for i, j in combinations(near, 2):
            if (run[i], run[i + 1]) == (run[j], run[j + 1]):
                found["deepness"] &= value(exchanged(run, i, i + 1)) > value(exchanged(run, j, j + 1))
        if run[-1] == 0:
            found["confidence"] &= value(run) < value(run[:-1])
    return found


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_every_verdict_is_what_the_definitions_say(space, naming):
    for spelling in (*catalogue(), *VARIANTS):
        with naming(spelling):
            if parse(spelling).lowest >= space.grades:
                with pytest.raises(ParameterError, match="ask for 3 grades"):
                    replacement(spelling, space.depth, space.grades)
                continue
            measure = space.valuer(parse(spelling)).measure
            truth = by_definition(measure, space)
            for name, axiom in AXIOMS.items():
                verdict = axiom(
                    measure, space.depth, space.grades, recall_base=space.recall_base, collection=space.collection
                )
                assert verdict.holds is truth[name], name
                if name in proofs(measure, space):
                    assert verdict.how is How.PROVED
                    assert truth[name], (name, proofs(measure, space)[name])
                else:
                    assert verdict.how is (How.EXHAUSTIVE if truth[name] else How.COUNTEREXAMPLE)
            together = is_measurement(
                measure, space.depth, space.grades, recall_base=space.recall_base, collection=space.collection
            )
            assert together.order.holds is (truth["replacement"] and truth["swap"])
            assert together.holds is (together.order.holds and together.codomain.holds)


@pytest.mark.parametrize("spelling", ["AP", "RBP(p=0.8)", "DCG", "nDCG", "ERR", "RR", "P", "R", "Bpref"])
def test_the_usual_measures_are_proved_to_be_measurements(spelling):
    for depth in (6, 100):
        assert is_measurement(spelling, depth).how is How.PROVED


def test_a_proof_says_its_argument():
    verdict = deepness("DCG", 100)
    assert verdict.argument == "the weights fall with the rank, and fall less and less"
    assert verdict.witness is None
    assert "100 ranks" in verdict.checked


# Measures that others might plug in


class Weighted(Additive):
    name = "Weighted"
    reference = ""
    bounds = (None, None)
    weights_by_rank: tuple = (1,)
    gains_by_grade: tuple = (0, 1, 2)

    def weight(self, rank):
        return Fraction(self.weights_by_rank[rank - 1])

    def gain_at(self, grade, top):
        return Fraction(self.gains_by_grade[grade])


def weighted(weights, gains=(0, 1, 2)) -> Additive:
    made = type("Weighted", (Weighted,), {"weights_by_rank": tuple(weights), "gains_by_grade": tuple(gains)})
    return made()


class Stopping(Cascade):
    name = "Stopping"
    reference = ""
    bounds = (None, None)
    stops_by_grade: tuple = (0, 1, 2)
    worths: tuple = (1,)

    def stop(self, grade, top):
        return Fraction(self.stops_by_grade[grade])

    def utility(self, rank):
        return Fraction(self.worths[rank - 1])


def stopping(stops, worths) -> Cascade:
    return type("Stopping", (Stopping,), {"stops_by_grade": tuple(stops), "worths": tuple(worths)})()


HALF = Fraction(1, 2)

PLUGGED = [
    weighted([4, 3, 2, 1]),
    weighted([8, 4, 2, 1]),
    weighted([1, 2, 3, 4]),
    weighted([4, 3, 2, -1]),
    weighted([2, 1, 3, 0]),
    weighted([0, 0, 0, 0]),
    weighted([3, 3, 1, 1]),
    weighted([8, 4, 2, 1], gains=(0, 1, 1)),
    weighted([8, 4, 2, 1], gains=(0, 2, 1)),
    weighted([8, 4, 2, 1], gains=(0, 0, 1)),
    weighted([8, 4, 2, 1], gains=(0, -1, -2)),
    weighted([8, 4, 2, 1], gains=(-3, -2, -1)),
    weighted([8, 4, 2, 1], gains=(1, 2, 3)),
    stopping((0, HALF, Fraction(3, 4)), (8, 4, 2, 1)),
    stopping((0, HALF, 1), (8, 4, 2, 1)),
    stopping((0, HALF, HALF), (8, 4, 2, 1)),
    stopping((0, HALF, Fraction(1, 4)), (8, 4, 2, 1)),
    stopping((0, HALF, Fraction(3, 4)), (4, 3, 2, 1)),
    stopping((0, HALF, Fraction(3, 4)), (1, 1, 2, 0)),
    stopping((0, 0, HALF), (8, 4, 2, 1)),
    stopping((0, HALF, Fraction(3, 4)), (-1, -2, -3, -4)),
    stopping((0, HALF, Fraction(3, 4)), (2, 1, 0, -1)),
]


@pytest.mark.parametrize("grades", [2, 3])
@pytest.mark.parametrize("measure", PLUGGED, ids=lambda measure: type(measure).__name__)
def test_a_measure_plugged_into_a_family_is_judged_by_what_it_does(measure, grades):
    space = Space(depth=4, grades=grades)
    truth = by_definition(measure, space)
    assert not {name for name in proofs(measure, space) if not truth[name]}
    assert {name: axiom(measure, 4, grades).holds for name, axiom in AXIOMS.items()} == truth


def test_nothing_is_proved_of_a_function():
    assert not proofs(define(sum, name="Sum"), Space(depth=4))
