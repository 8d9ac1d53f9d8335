"""Proofs of independence: small ones carried out, false ones not, and the record.

What the recorded proofs cover.
"""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from measurand.errors import MeasurandError
from measurand.exact import inverse_log
from measurand.intervals import independence
from measurand.intervals.independence import (
    Reach,
    assumption_for,
    everyday_reaches,
    prove,
    prove_independence,
    reaches_of,
    recorded,
)
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL
from measurand.verdict import How


def dcg_weights(base, depth):
    return [Fraction(1) if rank <= base else inverse_log(rank, base) for rank in range(1, depth + 1)]


def test_no_two_choices_of_sums_tie_at_thirty_ranks():
    pytest.importorskip("flint")
    verdict = prove(Blocks.of(dcg_weights(2, 30), [0, 1]))
    assert verdict.holds
    assert verdict.how is How.PROVED
    assert "dimension 23" in verdict.argument


def test_a_relation_that_exists_is_not_disproved(monkeypatch):
    pytest.importorskip("flint")
    # 1/ln 4 is half of 1/ln 2, which blocks never say: 1 and -2 make up for each other
    reaches = {2: Reach(Fraction(1), 3), 4: Reach(Fraction(1), 3), 3: Reach(Fraction(1), 3)}
    verdict = prove_independence(reaches)
    assert not verdict.holds
    assert verdict.how is How.FAILED
    assert not verdict.certain


def test_a_relation_out_of_reach_does_not_matter():
    pytest.importorskip("flint")
    assert prove_independence({2: Reach(Fraction(1), 1), 4: Reach(Fraction(1), 1)})
    assert not prove_independence({2: Reach(Fraction(1), 1), 4: Reach(Fraction(1), 2)})


def test_an_outcome_of_the_reduction_that_spans_less_is_not_believed():
    pytest.importorskip("flint")
    lattice = independence._Lattice.of({2: Reach(Fraction(1), 5), 3: Reach(Fraction(1), 5)}, 6.0)
    one, other = ([lattice.scales[0], 0, lattice.column[0]], [0, lattice.scales[1], lattice.column[1]])
    assert lattice._spanned_by([one, other])
    assert lattice._spanned_by([one, [a - 3 * b for a, b in zip(other, one, strict=True)]])
    assert not lattice._spanned_by([[2 * entry for entry in one], other])
    assert not lattice._spanned_by([[*one[:2], one[2] + 1], other])


def test_lengths_of_orthogonalised_rows_are_bounded_from_below():
    flint = pytest.importorskip("flint")
    # (3, 4) has length 5; what of (5, 5) is orthogonal to it has the square 50 - 35**2 / 25 = 1
    assert independence._least_square(flint.fmpz_mat([[3, 4], [5, 5]]), 64) in (0, 1)
    assert independence._least_square(flint.fmpz_mat([[30, 40], [50, 50]]), 64) in (99, 100)
    assert independence._least_square(flint.fmpz_mat([[1, 1], [2, 2]]), 64) is None


def test_blocks_reach_as_far_as_their_sums():
    reaches = reaches_of(Blocks.of(dcg_weights(10, 16), [0, 1, 3]))
    # ranks 1 to 10 count 1 each and go with base 10; rank 16 is the fourth power of 2
    assert reaches[10] == Reach(Fraction(1), 30)
    assert reaches[2] == Reach(Fraction(1, 4), 3)
    assert sorted(reaches) == [2, 10, 11, 12, 13, 14, 15]


def test_without_flint_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    with pytest.raises(MeasurandError, match=r"measurand\[proofs\]"):
        prove_independence({2: Reach(Fraction(1), 1), 3: Reach(Fraction(1), 1)})


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
