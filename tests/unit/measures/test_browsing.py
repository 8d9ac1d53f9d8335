"""Readers who go on with a probability, those who run out of time, and overlaps with ideal rankings."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import parse
from measurand.judged import JudgedRuns, Pool
from measurand.measures.browsing import Browsing

GRADED = st.lists(st.integers(0, 3), min_size=1, max_size=8).map(tuple)


@settings(max_examples=40, deadline=None)
@given(run=GRADED)
def test_short_cuts_of_browsing_measures_are_their_definition(run):
    for spelling in (
        "INST@9",
        "INST(T=1/3)@20",
        "NERR8@12",
        "NERR9@12",
        "NERR10@12",
        "NERR11(T=2.5)@12",
        "BPM(T=2)@12",
    ):
        measure, pool = parse(spelling), Pool((9, 9, 9, 9))
        long = (*run, *(0,) * (measure.cutoff - len(run)))
        assert measure.exact(run, pool) == Browsing.exact(measure, long, pool), spelling


@given(run=GRADED)
def test_insq_is_the_rate_of_gain_of_a_reader_who_does_not_notice(run):
    views, gained, looked = Fraction(1), Fraction(0), Fraction(0)
    for rank, grade in enumerate(run, 1):
        gained, looked = gained + views * Fraction(grade, 3), looked + views
        views *= Fraction(rank + 4, rank + 5) ** 2
    assert parse(f"INSQ(T=2.5, gmax=3)@{len(run)}").of(run) == gained / looked


@given(run=GRADED)
def test_a_player_is_patient_only_or_wants_one_document_only(run):
    seen = tuple(min(1, grade) for grade in run)
    assert parse("BPM@5").of(seen, grades=2) == parse("RR@5").of(seen)
    assert parse("BPM(T=99)@5").of(run, grades=4) == parse("gP@5").of(run, grades=4)
    assert parse("BPMD(T=99, K=5, hb=0, hc=0)").of(run, grades=4) == parse("gP@5").of(run, grades=4)


@pytest.mark.parametrize("gain", [{1: "0.3", 2: "0.7", 3: 1}, {1: "0.333333333333333333333", 2: "1e-9", 3: 1}])
def test_floats_do_not_decide_when_a_player_stops(gain):
    gain = dict(zip(gain, sorted(map(Fraction, gain.values())), strict=True))
    runs = list(product(range(4), repeat=4))
    for spelling in ("BPM(T=1)@4", "BPMD(T=1, K=3, hb=0.1, hc=0.7, gain_med=0.3)"):
        measure = parse(spelling)(gain=gain)
        judged = JudgedRuns.on_one_topic(runs, (9, 9, 9, 9))
        exact = [float(measure.exact(run, Pool((9, 9, 9, 9)))) for run in runs]
        assert measure.scores(judged).values[:, 0].tolist() == pytest.approx(exact, abs=1e-13)


def test_compatibility_is_the_overlap_with_the_most_similar_of_all_ideal_rankings():
    grades = {"a": 2, "b": 2, "c": 1, "d": 1, "e": 0}
    for ranking in permutations("abcdex", 4):
        run = [grades.get(document, -1) for document in ranking]
        ideals = [order for order in permutations("abcd") if [grades[d] for d in order] == [2, 2, 1, 1]]
        best = max(overlap(ranking, ideal) / overlap(ideal, ideal) for ideal in ideals)
        assert (parse("Compat(p=3/4)@6")).of(run, grade_counts=(1, 2, 2)) == best


def overlap(ranking, ideal):
    """Return the rank-biased overlap of two rankings down to rank 6, but for a constant."""
    common = (len(set(ranking[:i]) & set(ideal[:i])) for i in range(1, 7))
    return sum(Fraction(3, 4) ** (i - 1) * Fraction(number, i) for i, number in enumerate(common, 1))


@given(run=GRADED)
def test_accuracy_is_the_share_of_pairs_in_order(run):
    pairs = [high > low for rank, high in enumerate(run) for low in run[rank + 1 :] if (high > 0) != (low > 0)]
    wanted = Fraction(sum(pairs), len(pairs)) if pairs else Fraction(int(run[0] > 0))
    assert parse("Accuracy").of(run) == wanted


@given(run=GRADED)
def test_time_passes_with_every_summary_and_every_document_that_is_opened(run):
    time, found = 0.0, 0.0
    for grade in run:
        found += 0.64 * 0.77 * 2 ** (-time / 100) * (grade >= 2)
        time += 4.4 + (0.64 if grade >= 2 else 0.39) * (7.8 + 0.018 * 300)
    assert parse("TBG(rel=2, halflife=100, words=300)").value(run) == pytest.approx(found, abs=1e-14)
