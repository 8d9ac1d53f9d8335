"""What measures declare for the sake of ties, checked on every small run, unjudged documents among others."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from measurand.judged import POOLED, UNJUDGED, JudgedRuns
from measurand.measures import catalogue, parse
from measurand.measures.precision import Precision
from measurand.measures.ties.sensitivity import equivalence_classes, gain_order

CELLS = (0, 1, 2, UNJUDGED, POOLED)
COUNTS = (6, 4, 3)
DEPTH = 5

VARIANTS = [
    "AP(judged_only=True)@3",
    "AP(rel=2)@4",
    "Bpref(judged_only=True)",
    "Bpref(rel=2)@4",
    "DCG(b=2)@3",
    "ERR(gmax=4)@2",
    "ESL(i=2)",
    "IPrec(rel=2)@0.5",
    "IPrec@0.3",
    "Q(beta=2, rel=2)@3",
    "RBP(p='1/3', rel=2)",
    "RR(judged_only=True)@2",
    "gP(gain={1: 3, 2: 3})@4",
    "gm(nDCG@3)",
    "interval(AP@4)",
    "interval(Bpref@4)",
    "interval(gP(gain={1: 3, 2: 3})@4, grades=3)",
    "nDCG(gain='1=3,2=1')@4",
    "nERR@3",
]

EVERY = [*catalogue(), *VARIANTS]
RUNS = np.array(list(product(CELLS, repeat=DEPTH)), dtype=np.int8)


@cache
def goodness(spelling):
    """Return how good every run is under a measure, by run."""
    scores = parse(spelling).scores(JudgedRuns.on_one_topic(RUNS, COUNTS)).goodness[:, 0]
    return dict(zip(map(tuple, RUNS.tolist()), scores.tolist(), strict=True))


def swaps(measure):
    """Return every run with a better document below a worse one, and the same run with the two exchanged."""
    worth = {cell: gain_order(measure, cell, 2) for cell in CELLS}
    for run in map(tuple, RUNS.tolist()):
        for high, low in combinations(range(DEPTH), 2):
            if worth[run[low]] > worth[run[high]]:
                swapped = list(run)
                swapped[high], swapped[low] = run[low], run[high]
                yield run, tuple(swapped)


@pytest.mark.parametrize("spelling", [name for name in EVERY if parse(name).respects_swap])
def test_a_better_document_moved_up_never_makes_it_worse(spelling):
    measure, good = parse(spelling), goodness(spelling)
    broken = [(run, better) for run, better in swaps(measure) if good[better] < good[run]]
    assert not broken, broken[0]


@pytest.mark.parametrize("spelling", ["infAP", "OIE", "NumNonrelRet@3", "Unjudged@3"])
def test_measures_that_do_not_promise_it_have_a_counterexample(spelling):
    measure, good = parse(spelling), goodness(spelling)
    assert not measure.respects_swap
    assert any(good[better] < good[run] for run, better in swaps(measure))


@pytest.mark.parametrize("spelling", [name for name in EVERY if not parse(name).removes_unjudged])
def test_a_measure_tells_unjudged_from_nonrelevant_documents_only_if_it_says_so(spelling):
    measure, good = parse(spelling), goodness(spelling)
    told = any(good[run] != good[tuple(max(0, cell) for cell in run)] for run in map(tuple, RUNS.tolist()))
    assert told == measure.tells_unjudged


@pytest.mark.parametrize("spelling", EVERY)
def test_runs_of_like_kinds_have_one_value(spelling):
    measure, good = parse(spelling), goodness(spelling)
    alike = {}
    for run, kinds in zip(
        map(tuple, RUNS.tolist()), map(tuple, equivalence_classes(measure, RUNS).tolist()), strict=True
    ):
        assert alike.setdefault(kinds, good[run]) == good[run], run


class Perverse(Precision):
    """A measure that promises to respect swap, and prefers relevant documents late."""

    name = "Perverse"
    respects_swap = True

    def ranks(self, length, recall_base):
        return length

    def exact(self, run, pool):
        return Precision.exact(self, run[1:], pool)

    def fast(self, judged):
        return np.array([(run[0, 1:] > 0).mean() for run in judged.cells])


def test_a_false_promise_is_found_out():
    liar = Perverse()
    scores = liar.scores(JudgedRuns.on_one_topic(RUNS, COUNTS)).goodness[:, 0]
    good = dict(zip(map(tuple, RUNS.tolist()), scores.tolist(), strict=True))
    assert any(good[better] < good[run] for run, better in swaps(liar))
