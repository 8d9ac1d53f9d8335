"""What the recorded proofs cover."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.exact import inverse_log
from measurand.intervals.independence import (
    Reach,
    assumption_for,
    everyday_reaches,
    prove_independence,
    reaches_of,
    recorded,
)
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL


def dcg_weights(base, depth):
    return [Fraction(1) if rank <= base else inverse_log(rank, base) for rank in range(1, depth + 1)]


def trec_weights(depth):
    return [inverse_log(rank + 1, 2) for rank in range(1, depth + 1)]


def assumed(weights, gains) -> str:
    blocks = Blocks.of(weights, gains)
    assert blocks is not None
    return assumption_for(blocks)


@pytest.mark.parametrize("base", [2, 3, 4, 5, 8, 10, 27, 32, 100])
def test_a_hundred_ranks_are_covered_for_every_base(base):
    assert assumed(dcg_weights(base, 100), [0, 1]) in (PROVED, NONE)
    assert assumed(dcg_weights(base, 100), [0, 1, 3, 7, 15]) in (PROVED, NONE)


def test_everyday_measures_are_covered_and_deep_ones_are_not():
    assert assumed(dcg_weights(2, 200), [0, 1]) == PROVED
    assert assumed(trec_weights(100), [0, 1, 2, 3]) == PROVED
    assert assumed(trec_weights(200), [0, 1, 3, 7, 15]) == PROVED
    assert assumed(dcg_weights(2, 300), [0, 1]) == SCHANUEL
    assert assumed(trec_weights(201), [0, 1]) == SCHANUEL


def test_gains_that_are_too_large_are_not_covered():
    assert assumed(dcg_weights(2, 100), [0, 1, 10**6]) == SCHANUEL
    assert assumed(dcg_weights(2, 200), [0, 1, 16]) == PROVED or assumed(dcg_weights(2, 200), [0, 1, 100]) == SCHANUEL


def test_a_common_factor_of_the_gains_does_not_matter():
    assert assumed(dcg_weights(2, 100), [0, 10**6]) == PROVED
    assert assumed(dcg_weights(2, 100), [Fraction(0), Fraction(1, 7), Fraction(1)]) == PROVED


def test_rational_weights_rest_on_nothing():
    assert assumed([Fraction(1, rank) for rank in range(1, 9)], [0, 1]) == NONE
    assert assumed(dcg_weights(10, 10), [0, 1]) == NONE


@pytest.mark.parametrize("base", range(2, 31))
def test_the_reaches_of_a_proof_hold_those_of_every_base(base):
    known = everyday_reaches(31, 3)
    power = next(t for t in (4, 3, 2, 1) if round(base ** (1 / t)) ** t == base)
    for base_of_block, reach in reaches_of(Blocks.of(dcg_weights(base, 31), [0, 1, 3])).items():
        assert known[base_of_block].covers(Reach(reach.unit / power, reach.most))


def test_a_proof_says_what_it_was_about():
    for proof in recorded():
        assert proof.call == f"prove_independence(everyday_reaches({proof.through}, {proof.gain}))"
        assert f"dimension {len(proof.reaches)} " in proof.outcome


def test_the_record_can_be_repeated_in_the_small():
    pytest.importorskip("flint")
    assert prove_independence(everyday_reaches(31, 15))
