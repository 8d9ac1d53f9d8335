"""The balancing index is its definition, whatever the measure, and the shortcuts of the families change nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import inf

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from measurand.axioms.balance import balancing_index, extremes
from measurand.axioms.head_and_tails import Setting, by_definition, sides
from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.measures import AP, ERR, RBP, catalogue, define, nDCG, parse
from measurand.measures.expected_reciprocal_rank import ExpectedReciprocalRank, NormalisedExpectedReciprocalRank
from measurand.measures.rank_biased_precision import RankBiasedPrecision

VARIANTS = [
    "DCG(b=10)@3",
    "DCG(b=2)",
    "DCG(gain='1=2,3=1')",
    "ERR(gmax=4)@2",
    "RBP(p='1/3', rel=2)",
    "RBP(p=0.5)@1",
    "gP(gain={1: 3, 2: 3, 3: 3})",
    "gR(gain='exp2')@4",
    "gRBP(gain={1: 0, 2: 1, 3: 1})",
    "gm(nDCG@3)",
    "nDCG(b=2)@3",
    "nDCG(gain={1: 0, 2: 0, 3: 0})",
    "nDCG(gain='1=2,3=0')",
    "nERR(gmax=5)@2",
]

SHORT_CUTS = {"DCG", "ERR", "RBP", "gP", "gR", "gRBP", "gm", "nDCG", "nERR"}


def definition(measure, n, qmin, qmax, recall_base=None):
    """Return the balancing index as it is written: the largest of the ranks that qualify."""
    counts = (n, *(0,) * (qmax - 1), n if recall_base is None else recall_base)

    def goodness(run):
        value = measure.of(run, grade_counts=counts)
        return -value if measure.lower_is_better else value

    head = goodness((qmax,) + (0,) * (n - 1))
    ranks = [b for b in range(1, n + 1) if head <= goodness((0,) * (b - 1) + (qmin,) * (n - b + 1))]
    return max(ranks, default=None)


def test_the_families_with_a_shortcut_are_these():
    short = {name for name, measure in catalogue().items() if sides.dispatch(type(measure)) is not by_definition}
    assert short >= SHORT_CUTS


@pytest.mark.parametrize(("qmin", "qmax"), [(1, 1), (1, 3), (2, 3)])
def test_a_shortcut_compares_every_tail_with_the_head_as_the_definition_does(qmin, qmax, naming):
    for spelling in (*sorted(SHORT_CUTS), *VARIANTS):
        with naming(spelling):
            measure = parse(spelling)
            for n in range(1, 7):
                for recall_base in (1, n, 9):
                    setting = Setting.of(n, qmin, qmax, recall_base)
                    head, tails = sides(measure, setting)
                    true_head, true_tails = by_definition(measure, setting)
                    expected = [(true_head < tail, true_head == tail) for tail in true_tails]
                    assert [(head < tail, head == tail) for tail in islice(tails, n + 1)] == expected


@pytest.mark.parametrize(("qmin", "qmax"), [(1, 1), (1, 3), (2, 3)])
def test_the_index_of_every_measure_is_the_largest_rank_that_qualifies(qmin, qmax, naming):
    for spelling in (*catalogue(), *VARIANTS):
        with naming(spelling):
            measure = parse(spelling)
            for n in (1, 4):
                assert balancing_index(measure, n, qmin, qmax) == definition(measure, n, qmin, qmax)
                assert balancing_index(measure, n, qmin, qmax, recall_base=2) == definition(measure, n, qmin, qmax, 2)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.integers(0, 5))
def test_no_order_of_the_tails_is_assumed(values, head):
    n = len(values)
    erratic = define(lambda run: head if run[0] == 2 else values[run.index(1)], name="Erratic", graded=True)
    qualified = [b for b in range(1, n + 1) if head <= values[b - 1]]
    assert balancing_index(erratic, n, qmin=1, qmax=2) == max(qualified, default=None)


@given(st.integers(1, 40), st.fractions("1/20", "19/20", max_denominator=20))
def test_a_longer_run_never_has_a_smaller_index(n, p):
    assert balancing_index(RBP(p=p), n) <= balancing_index(RBP(p=p), n + 1)


@frozen(kw_only=True, repr=False)
class Sceptical(RankBiasedPrecision):
    """Rank-biased precision for one who trusts nothing but the first rank."""

    name = "Sceptical"

    def exact(self, run, pool):
        return super().exact(run[:1], pool)


class Forgiving(ExpectedReciprocalRank):
    """A cascade whose end is worth something, whatever happened before."""

    name = "Forgiving"

    def total(self, run, top):
        return super().total(run, top) + run[-1]


class Squared(NormalisedExpectedReciprocalRank):
    """A normalised cascade of its own making."""

    name = "Squared"

    def exact(self, run, pool):
        return -(super().exact(run, pool) ** 2)


@pytest.mark.parametrize(("measure", "index"), [(Sceptical(), 1), (Forgiving(), 6), (Squared(), 6)], ids=repr)
def test_a_measure_that_changes_its_family_s_definition_is_taken_at_its_word(measure, index):
    assert balancing_index(measure, 6) == definition(measure, 6, 1, 1) == index


@pytest.mark.spec("FFM-6-cost")
@pytest.mark.parametrize(("spelling", "n"), [("RR", 30), ("AP", 30), ("P", 30), ("ERR", 5)])
def test_at_most_n_tails_are_evaluated_and_none_after_the_answer(spelling, n):
    measure, asked = parse(spelling), []
    qmax = 3 if spelling == "ERR" else 1

    def noted(run):
        asked.append(run)
        return measure.of(run, grade_counts=(n, *(0,) * (qmax - 1), n))

    index = balancing_index(define(noted, name="Noted", graded=True), n, qmax=qmax)
    assert index == balancing_index(measure, n, qmax=qmax)
    assert asked == [(qmax,) + (0,) * (n - 1)] + [Setting.of(n).tail(b) for b in range(n, (index or 1) - 1, -1)]
    assert len(asked) - 1 <= n


@pytest.mark.spec("FFM-6-cost")
def test_an_additive_measure_is_asked_for_each_weight_once():
    asked = []

    class Noting(RankBiasedPrecision):
        name = "Noting"

        def weight(self, rank):
            asked.append(rank)
            return super().weight(rank)

    assert balancing_index(Noting(p="1/2"), 200) == 1
    assert sorted(asked) == [1, *range(1, 201)]


@pytest.mark.spec("FFM-6-q")
@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"n": 2.5},
        {"n": True},
        {"qmin": 0},
        {"qmin": -1},
        {"qmin": "much"},
        {"qmin": 2, "qmax": 1},
        {"qmax": inf},
        {"qmax": 128},
        {"recall_base": 0},
    ],
    ids=str,
)
def test_what_cannot_be_balanced_is_refused(wrong):
    with pytest.raises(ParameterError, match=next(reversed(wrong))):
        balancing_index(AP, **{"n": 5, **wrong})


def test_numbers_of_numpy_are_understood():
    index = balancing_index("RBP(p=0.95)", np.int64(200), np.int8(1), np.int8(1))
    assert (index, type(index)) == (59, int)


def test_a_grade_above_the_scale_of_the_measure_is_refused():
    with pytest.raises(ParameterError, match="above gmax=2"):
        balancing_index(ERR(gmax=2), 5, qmax=3)


@pytest.mark.spec("FFM-6-q")
@pytest.mark.parametrize(
    ("relevance", "why"),
    [
        (Relevance.real(), "no smallest positive grade and no highest grade"),
        (Relevance.real(upper=1), "no smallest positive grade, so"),
        (Relevance.graded(0), "no smallest positive grade"),
    ],
)
def test_a_relevance_set_without_ends_is_refused(relevance, why):
    with pytest.raises(ParameterError, match=why):
        extremes(relevance)


def test_the_recall_base_that_only_rescales_changes_nothing():
    assert {balancing_index(nDCG(b=2), 12, recall_base=base) for base in (1, 5, 12, 40)} == {9}
    assert balancing_index("Rprec", 6, recall_base=2) == 2


def test_the_geometric_mean_of_a_measure_has_its_index():
    assert balancing_index("gm(AP)", 20) == balancing_index("AP", 20) == 15


def test_a_measure_that_sees_nothing_balances_everywhere():
    assert balancing_index(RBP(rel=2), 7) == 7
    assert sides(RBP(rel=2), Setting.of(1))[0] == Fraction(0)
