"""A measure has the ruler of its family, unless it changes the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from attrs import frozen

from measurand.intervals import Budget, family_ruler, interval
from measurand.intervals.families import endless_ruler, same_order_everywhere
from measurand.intervals.universe import Universe
from measurand.judged import JudgedRuns, Pool
from measurand.measures import AP, DCG, ERR, RBP, RR, Bpref, P, Q, Rprec, define, nDCG, nERR
from measurand.measures.additive import Additive, gains_of_grades
from measurand.measures.base import Graded
from measurand.measures.reciprocal_rank import ReciprocalRank


@frozen(kw_only=True, repr=False)
class HarmonicGain(Additive, Graded):
    """A measure that nobody has registered."""

    name: ClassVar[str] = "HarmonicGain"
    reference: ClassVar[str] = "JarvelinKekalainen2002"

    def weight(self, rank: int) -> Fraction:
        return Fraction(1, rank)

    def gain_at(self, grade: int, top: int) -> Fraction:
        return Fraction(grade)


class Doubled(ReciprocalRank):
    """A measure that has another definition than its family."""

    name: ClassVar[str] = "Doubled"

    def exact(self, run, pool):
        return 2 * ReciprocalRank.exact(self, run, pool)


def ruler_of(measure, depth=4, grades=2):
    return family_ruler(measure, depth, grades, Pool.plain(depth, depth, grades - 1), Budget())


@pytest.mark.parametrize("measure", [AP, DCG, ERR, RBP, RR, P, Rprec, nDCG, nERR], ids=repr)
def test_every_family_has_a_ruler_with_the_values_of_all_runs(measure):
    values = {measure.of(run, recall_base=4) for run in product((0, 1), repeat=4)}
    assert ruler_of(measure).size == len(values)


@pytest.mark.parametrize("measure", [Q, Bpref, Doubled(), define(sum, name="total")], ids=repr)
def test_a_measure_of_its_own_has_none(measure):
    assert ruler_of(measure) is None


def test_a_new_measure_has_the_ruler_of_its_family():
    values = {Fraction(a) + Fraction(b, 2) + Fraction(c, 3) for a in range(3) for b in range(3) for c in range(3)}
    assert ruler_of(HarmonicGain(), 3, 3).size == len(values)


def test_gains_are_those_of_the_grades_that_a_measure_distinguishes():
    assert gains_of_grades(DCG, 4, Pool.plain(3, 3, 3)) == [0, 1, 2, 3]
    assert gains_of_grades(RBP(rel=2), 4, Pool.plain(3, 3, 3)) == [0, 1]


def test_the_order_of_runs_may_depend_on_the_topic():
    assert [same_order_everywhere(measure) for measure in (AP, nDCG, RR, Rprec, Q)] == [True, True, True, False, False]


def test_runs_without_end_have_values_up_to_1():
    (position,) = endless_ruler(RBP(p="1/2"), 2, Budget()).positions(np.array([[1, 0, 1]]))
    assert position.low == position.high == Fraction(5, 8)


def test_positions_of_the_same_runs_are_computed_once(monkeypatch):
    judged = JudgedRuns.on_one_topic([(1, 0, 1, 1, 0), (0, 1, 1, 0, 1)], (9, 5))
    built, ruler = [], Universe.ruler

    def counted(self, length, pool, budget):
        built.append(self)
        return ruler(self, length, pool, budget)

    monkeypatch.setattr(Universe, "ruler", counted)
    scale = interval(HarmonicGain() @ 5)
    first, again = scale.scores(judged), interval(HarmonicGain() @ 5).scores(judged)
    assert len(built) == 1
    assert np.array_equal(first.values, again.values)
    with pytest.warns(DeprecationWarning, match="scored_positions"):
        assert np.array_equal(scale.placed(judged).values, first.values.reshape(-1))
