"""Measures that change a definition: what the family proves and computes fast is not trusted blindly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.axioms import confidence, deepness, is_measurement, priority, replacement, swap, well_defined
from measurand.axioms.families import proofs
from measurand.errors import ParameterError
from measurand.intervals import image
from measurand.measures import AP, OIE, define, gm, nDCG
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.discounted_gain import DiscountedCumulatedGain
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.space import Space
from measurand.verdict import How


class Upside(AveragePrecision):
    def exact(self, run, pool):
        return 1 - AveragePrecision.exact(self, run, pool)


class Late(ReciprocalRank):
    def exact(self, run, pool):
        return 1 - ReciprocalRank.exact(self, run, pool)


class Deep(DiscountedCumulatedGain):
    def weight(self, rank):
        return Fraction(rank)


class Owed(DiscountedCumulatedGain):
    def scaling(self, pool, length):
        return Fraction(-1)


class Blind(ObservationalEffectiveness):
    def _kind(self, cell):
        return 0


@pytest.mark.parametrize("measure", [Upside(), Late(), Deep(), Owed()], ids=lambda measure: type(measure).__name__)
def test_a_changed_definition_is_judged_by_itself(measure):
    assert not is_measurement(measure, 5)
    assert not is_measurement(measure, 50)


@pytest.mark.parametrize("measure", [Upside(), Late(), Owed(), Blind()], ids=lambda measure: type(measure).__name__)
def test_nothing_is_proved_of_a_changed_definition(measure):
    assert dict(proofs(measure, Space(depth=5))) == {}


def test_the_fast_path_is_trusted_only_where_it_agrees_with_the_definition():
    space = Space(depth=6)
    assert space.valuer(AP).roughly(space.all()) is not None
    assert space.valuer(Upside()).roughly(space.all()) is None


def test_a_geometric_mean_has_the_properties_of_the_measure_inside():
    noisy = define(lambda run: sum(g * (1 / 3 + i * 7.1) - g * i * 7.1 for i, g in enumerate(run)), name="noisy")
    assert swap(noisy, 8)
    assert swap(gm(noisy), 8)
    assert image(gm(noisy), 8).size == image(noisy, 8).size
    assert deepness(gm(AP), 8).witness.runs == deepness(AP, 8).witness.runs
    asked = []
    assert not well_defined(gm(define(lambda run: asked.append(1) or len(asked), name="wavering")), 3)


def test_a_geometric_mean_is_told_the_size_of_the_collection():
    assert confidence(gm(OIE), 6, collection=1000).how is confidence(OIE, 6, collection=1000).how is How.PROVED


def test_measures_with_a_lowest_grade_inside_a_geometric_mean_keep_it():
    assert list(image("gm(AP(rel=2))", 3, 3)) == list(image("AP(rel=2)", 3, 3))


def test_small_steps_do_not_add_up_to_one_value():
    def falling(run):
        return 1e9 - sum(g * 0.1 * 2.0**-i for i, g in enumerate(run))

    assert not replacement(falling, 3)
    assert not replacement(falling, 10)
    assert image(lambda run: 2e9 - falling(run), 10).size > 1


def test_a_function_may_answer_with_any_exact_number_of_ours():
    assert is_measurement(lambda run: nDCG.of(run, recall_base=5), 5)
    assert image(lambda run: nDCG.of(run, recall_base=4), 4).size == image("nDCG", 4).size


def test_random_runs_hold_no_more_relevant_documents_than_there_are_and_are_all_there():
    runs = Space(depth=200, recall_base=3).drawn(0)
    assert len(runs) == 2000
    assert set((runs > 0).sum(axis=1).tolist()) == {1, 2, 3}


def test_a_breach_among_short_tops_of_a_long_run_is_found():
    def broken(run):
        return sum(g / i for i, g in enumerate(run, 1)) - (5 if run[:2] == (1, 1) and sum(run) == 2 else 0)

    assert not replacement(broken, 100)
    assert not swap(broken, 100)


def test_a_sampled_verdict_says_how_many_pairs_were_looked_at():
    verdict = swap("INST(T=0.4)", 30)
    assert verdict.how is How.SAMPLED
    assert int(verdict.checked.split()[0].replace(",", "")) > 10_000


@pytest.mark.parametrize("rng", [-1, "x", 1.5, True])
def test_chance_comes_from_a_seed_or_a_generator(rng):
    with pytest.raises(ParameterError, match="rng must be"):
        priority("INST", 30, rng=rng)
