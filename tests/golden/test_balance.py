"""Balance with the paper's numbers, as the checklist has them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor, log

import pytest

from measurand.axioms.balance import FIGURE_1A, balancing_curve, balancing_index
from measurand.axioms.closed_forms import (
    average_precision,
    discounted_gain,
    err_threshold,
    expected_reciprocal_rank,
    rank_biased_precision,
    rank_biased_precision_limit,
)
from measurand.measures import AP, ERR, RBP, RR, P, define, gRBP, nDCG
from measurand.measures.cascade import Cascade
from measurand.orders import compare
from measurand.papers import expected_difference, rejection_rate, simulated_runs

AP_INDEXES = [1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15]
RBP_INDEXES = [1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8]
NDCG_2_INDEXES = [1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12]
NDCG_10_INDEXES = [*range(1, 11), 10, 11]


@pytest.mark.spec("FFM-6-B")
def test_precision_reciprocal_rank_and_cumulated_gain():
    assert [balancing_index(P, n) for n in (1, 2, 7, 40)] == [1, 2, 7, 40]
    assert [balancing_index(RR, n) for n in (1, 2, 7, 40)] == [1, 1, 1, 1]
    assert balancing_index(define(sum, name="CG", graded=True), 5, qmin=1, qmax=3) == 3


TAILS = [(0, 0, 0, 0, 1), (0, 0, 0, 1, 1), (0, 0, 1, 1, 1), (0, 1, 1, 1, 1), (1, 1, 1, 1, 1)]


@pytest.mark.spec("FFM-6-ex", "E13")
@pytest.mark.parametrize(
    ("measure", "head", "tails", "index"),
    [
        (ERR(gmax=3), 0.875, [0.0250, 0.0531, 0.0882, 0.1396, 0.2472], None),
        (gRBP(p="0.8", gmax=3), 0.2, [0.0273, 0.0614, 0.1041, 0.1574, 0.2241], 1),
    ],
    ids=repr,
)
def test_the_example_of_five_ranks_and_four_grades(measure, head, tails, index):
    assert measure.value((3, 0, 0, 0, 0)) == head
    assert [measure.value(run) for run in TAILS] == pytest.approx(tails, abs=5e-5)
    assert balancing_index(measure, 5, qmin=1, qmax=3) == index


@pytest.mark.spec("FFM-6-ex", "E13")
def test_a_patient_reader_balances_the_example_at_rank_2():
    assert balancing_index("gRBP(p=0.95)", 5, qmin=1, qmax=3) == 2


@pytest.mark.spec("FFM-6-chain")
def test_the_example_s_runs_form_a_chain_whose_ends_are_not_comparable():
    head, late = (3, 0, 0, 0, 0), (0, 0, 0, 0, 3)
    assert [compare(head, late), compare(late, TAILS[0]), compare(head, TAILS[0])] == ["greater"] * 3
    assert [compare(worse, better) for worse, better in pairwise(TAILS)] == ["less"] * 4
    assert [compare(head, tail) for tail in TAILS[1:]] == ["incomparable"] * 4


@pytest.mark.spec("FFM-6-AP")
def test_average_precision_to_twenty_ranks():
    assert [balancing_index(AP, n) for n in range(1, 21)] == AP_INDEXES
    assert [average_precision(n) for n in range(1, 21)] == AP_INDEXES
    assert all(abs(average_precision(n) - (n - (2 * n) ** 0.5)) < 2 for n in range(1, 300))


@pytest.mark.spec("FFM-6-RBP", "E11")
def test_rank_biased_precision_to_twenty_one_ranks():
    assert [balancing_index(RBP(p="0.8"), n) for n in range(1, 22)] == RBP_INDEXES
    assert [rank_biased_precision(n, "0.8") for n in range(1, 22)] == RBP_INDEXES


@pytest.mark.spec("FFM-6-RBP", "E11")
@pytest.mark.parametrize("p", ["1/2", "0.4", "1/100"])
def test_an_impatient_reader_always_balances_at_the_top(p):
    assert {balancing_index(RBP(p=p), n) for n in range(1, 61)} == {1}
    assert {rank_biased_precision(n, p) for n in range(1, 61)} == {1}


@pytest.mark.spec("F8", "E11")
@pytest.mark.parametrize("n", [54, 55, 100, 1000])
def test_one_half_is_exact_where_floats_fail(n):
    assert floor(log(0.5 + 0.5**n) / log(0.5) + 1) == 2
    assert balancing_index("RBP(p=0.5)", n) == rank_biased_precision(n, "1/2") == 1


class Tenth(Cascade):
    """Expected reciprocal rank for a reader who is satisfied one time in ten."""

    name = "Tenth"

    def stop(self, grade, top):
        return Fraction(grade, 10)

    def utility(self, rank):
        return Fraction(1, rank)


@pytest.mark.spec("FFM-6-ERR", "E12")
def test_expected_reciprocal_rank_with_a_stopping_probability_of_one_tenth():
    lengths, indexes = (1, 2, 3, 5, 10, 20, 50, 100), [1, 1, 1, 2, 3, 4, 4, 5]
    assert [balancing_index(Tenth(), n) for n in lengths] == indexes
    assert [expected_reciprocal_rank(n, "1/10", "1/10") for n in lengths] == indexes


@pytest.mark.spec("FFM-6-ERR", "E12", "E13")
def test_expected_reciprocal_rank_with_two_grades_and_with_more():
    assert {balancing_index(ERR, n) for n in range(1, 60)} == {1}
    assert {expected_reciprocal_rank(n, "1/2", "1/2") for n in range(1, 60)} == {1}
    for qmax in (2, 3, 4):
        assert {balancing_index(ERR, n, 1, qmax) for n in range(1, 60)} == {None}
        assert {expected_reciprocal_rank(n, Fraction(1, 2**qmax), 1 - Fraction(1, 2**qmax)) for n in (1, 60)} == {None}


@pytest.mark.spec("FFM-6-nDCG", "E14")
@pytest.mark.parametrize(("base", "indexes"), [(2, NDCG_2_INDEXES), (10, NDCG_10_INDEXES)])
def test_normalised_discounted_gain_at_small_lengths(base, indexes):
    lengths = range(1, len(indexes) + 1)
    assert [balancing_index(nDCG(b=base), n) for n in lengths] == indexes
    assert [discounted_gain(n, base) for n in lengths] == indexes


MEASURES = [AP, RBP(p="0.5"), RBP(p="0.8"), RBP(p="0.95"), nDCG(b=2), nDCG(b=10), ERR]


@pytest.mark.spec("FFM-6-alg1", "E13")
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_scan_from_below_and_a_binary_search_find_the_definition(measure):
    for n in range(1, 61 if measure == AP else 41):
        runs = [(0,) * (b - 1) + (1,) * (n - b + 1) for b in range(1, n + 1)]
        head = measure.key((1,) + (0,) * (n - 1))
        enough = [head <= measure.key(run) for run in runs]
        low, high = 0, n
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if enough[middle - 1] else (low, middle - 1)
        assert balancing_index(measure, n) == max(b for b in range(1, n + 1) if enough[b - 1]) == low


FIGURE = {
    "AP": [3, 7, 15, 41, 87, 181, 470, 957],
    "nDCG(b=2)": [3, 7, 16, 45, 94, 193, 492, 991],
    "nDCG(b=10)": [5, 10, 19, 49, 99, 198, 498, 998],
    "ERR": [1] * 8,
    "RBP(p=0.5)": [1] * 8,
    "RBP(p=0.8)": [3, 6, 7, 8, 8, 8, 8, 8],
    "RBP(p=0.95)": [4, 9, 18, 41, 57, 59, 59, 59],
    "P": [5, 10, 20, 50, 100, 200, 500, 1000],
    "RR": [1] * 8,
}

curve_of = cache(balancing_curve)


@pytest.mark.spec("FFM-6-Fig1a")
@pytest.mark.parametrize("spelling", FIGURE_1A)
def test_the_curves_of_figure_1a(spelling):
    assert [b for _, b in curve_of(spelling).points] == FIGURE[spelling]


@pytest.mark.spec("FFM-6-Fig1a")
def test_the_closed_forms_draw_the_same_curves():
    lengths = (5, 10, 20, 50, 100, 200, 500, 1000)
    assert [average_precision(n) for n in lengths] == FIGURE["AP"]
    assert [discounted_gain(n, 2) for n in lengths] == FIGURE["nDCG(b=2)"]
    assert [discounted_gain(n, 10) for n in lengths] == FIGURE["nDCG(b=10)"]
    assert [expected_reciprocal_rank(n, "1/2", "1/2") for n in lengths] == FIGURE["ERR"]
    for p in ("0.5", "0.8", "0.95"):
        assert [rank_biased_precision(n, p) for n in lengths] == FIGURE[f"RBP(p={p})"]


@pytest.mark.spec("FFM-6-sat")
@pytest.mark.parametrize(("p", "limit", "reached"), [("0.8", 8, 21), ("0.95", 59, 134)])
def test_rank_biased_precision_saturates(p, limit, reached):
    assert rank_biased_precision_limit(p) == limit
    assert [rank_biased_precision(n, p) for n in (reached - 1, reached, 5000)] == [limit - 1, limit, limit]
    assert [balancing_index(RBP(p=p), n) for n in (reached - 1, reached)] == [limit - 1, limit]


@pytest.mark.spec("FFM-6-sat")
def test_the_limit_at_nine_tenths():
    assert rank_biased_precision_limit("0.9") == 22


@pytest.mark.spec("FFM-6-ERRtop", "E12")
def test_expected_reciprocal_rank_is_top_heavy_from_a_threshold_on():
    assert err_threshold() == pytest.approx(0.3161973762, abs=5e-11)
    assert {expected_reciprocal_rank(n, "0.317", "0.317") for n in range(1, 200)} == {1}
    assert expected_reciprocal_rank(200, "0.315", "0.315") == 2
    assert ERR.stop(1, 1) > Fraction(err_threshold())


@pytest.mark.spec("FFM-6-interp")
@pytest.mark.parametrize(
    ("spelling", "share", "reading"),
    [
        ("nDCG(b=2)", "0.991", "set-like, not top-heavy"),
        ("AP", "0.957", "set-like, not top-heavy"),
        ("RBP(p=0.95)", "0.059", "is top-heavy"),
        ("RBP(p=0.8)", "0.008", "is top-heavy"),
        ("ERR", "0.001", "is top-heavy"),
    ],
)
def test_the_reading_at_a_thousand_ranks(spelling, share, reading):
    assert curve_of(spelling).share[-1] == Fraction(share)
    assert reading in curve_of(spelling).reading


@pytest.mark.spec("FFM-6-Fig2")
def test_fixed_shares_with_a_break_at_rank_8():
    cells = simulated_runs(8, topics=50, rng=1).cells
    assert cells.shape == (2, 50, 1000)
    for ranks, early, late in ((slice(0, 8), 2, 2), (slice(8, 20), 8, 4), (slice(20, 1000), 98, 686)):
        assert (cells[0, :, ranks].sum(axis=1) == early).all()
        assert (cells[1, :, ranks].sum(axis=1) == late).all()


@pytest.mark.spec("FFM-6-Fig1b", "E17")
def test_the_expected_difference_of_rank_biased_precision_changes_its_sign_at_rank_16():
    expected = {0: ".3885", 5: ".1195", 8: ".0556", 10: ".0314", 15: ".0025", 16: "-.0003", 20: "-.0069"}
    found = {break_rank: f"{float(expected_difference('0.8', break_rank)):.4f}" for break_rank in expected}
    assert {break_rank: text.replace("0.", ".", 1) for break_rank, text in found.items()} == expected
    assert [r for r in range(21) if expected_difference("0.8", r) < 0] == [16, 17, 18, 19, 20]


@pytest.mark.spec("FFM-6-Fig1b", "E17")
@pytest.mark.parametrize(
    ("generator", "break_rank", "paired", "rate"),
    [
        ("bernoulli", 4, True, 1.00),
        ("bernoulli", 6, True, 0.92),
        ("bernoulli", 8, True, 0.53),
        ("bernoulli", 8, False, 0.53),
        ("bernoulli", 14, True, 0.05),
        ("fixed", 7, True, 1.00),
        ("fixed", 8, True, 0.885),
        ("fixed", 8, False, 0.885),
        ("fixed", 11, True, 0.25),
    ],
)
def test_how_often_a_t_test_tells_the_simulated_systems_apart(generator, break_rank, paired, rate):
    # documents beyond rank 100 weigh less than a billionth
    repetitions, length = 200, 100
    found = rejection_rate(
        "RBP(p=0.8)",
        break_rank,
        repetitions=repetitions,
        length=length,
        paired=paired,
        generator=generator,
        rng=20,
    )
    # the checklist's own error, and three standard errors of ours
    assert abs(found.rate - rate) < 0.03 + 3 * (rate * (1 - rate) / repetitions) ** 0.5
    exact = float(expected_difference("0.8", break_rank, length=length, generator=generator))
    assert abs(found.mean_difference - exact) < 4 * found.difference_error
