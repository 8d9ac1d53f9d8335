"""Every fact that a measure declares, checked on every small run; and that a false one does not pass."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import evolve

from measurand.measures import catalogue, define, parse
from measurand.measures.catalogue import offered as offered_elsewhere
from measurand.measures.expected_reciprocal_rank import ExpectedReciprocalRank
from measurand.measures.precision import Precision
from measurand.measures.recall import Recall
from measurand.scores import Scale
from measurand.testing import all_runs, check_measure

VARIANTS = [
    "AP(judged_only=True)@4",
    "AP(rel=2)",
    "Accuracy(rel=2)@3",
    "BPM(T=2)@3",
    "BPMD(K=3, T='3/2', hb='1/3', hc=2)",
    "Bpref(rel=2)",
    "Bpref@3",
    "Compat(p=0.5, normalize=False)@3",
    "DCG(b=10)",
    "DCG(b=2)",
    "ERR(gmax=4)@2",
    "G(gain={1: 0.5, 2: 2.5, 3: 4})",
    "G@2",
    "IAP(recalls='0')",
    "IAP(recalls='0.25,0.5', rel=2)@3",
    "F(beta=2)@3",
    "INST(T='1/2')",
    "INST(T=2)@5",
    "IPrec(rel=2)@0.5",
    "IPrec@0.3",
    "Judged@3",
    "NERR10(gain='exp2', p=0.5)@3",
    "NumRelRet(rel=2)@2",
    "NumRet@2",
    "P@3",
    "Q(beta=2)",
    "Q(rel=2)@3",
    "R@2",
    "RBP(p='1/3', rel=2)",
    "RBP(p=0.5)",
    "RBP(p=0.5, rel=1)",
    "RBPResidual(p='1/3')@2",
    "RBTO(rel=2)@3",
    "RR(judged_only=True)@2",
    "RelativeP@2",
    "Rprec(multiple=0.5)@2",
    "Rprec(multiple=1.4)",
    "SBTO(rel=2)@3",
    "SDCG(b=2, gain='exp2')@3",
    "SetF(beta=2)",
    "RnDCG(gain='exp2')@2",
    "SetP(judged_only=True)",
    "SetP(relative=True)",
    "Success@2",
    "TBG(halflife=50, rel=2, words=300)@4",
    "Unjudged@2",
    "Utility(found=0, wrong=1, missed=2)",
    "Utility(avoided=0.01, collection=100)@3",
    "binG(rel=2)@3",
    "gP(gain={1: 1, 2: 4, 3: 4})",
    "gP@3",
    "gR(gain='exp2')",
    "gRBP(gain='exp2')",
    "gRBP(gain={1: 1, 2: 4, 3: 4})",
    "gRBP(p=0.5)@3",
    "gm(AP(judged_only=True))",
    "gm(RR)",
    "gm(nDCG@3)",
    "infAP@3",
    "nDCG(b=2)",
    "nDCG(b=3)@4",
    "nDCG(gain='1=3,2=1')",
    "nDCG(gain='exp2')@3",
    "nDCG(judged_only=True)@3",
    "nDCGRel(gain='1=3,2=1')@3",
    "nERR(gmax=5)",
    "nERR@2",
]


@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (3, 3), (2, 4)])
def test_a_measure_is_what_it_declares(depth, grades, naming):
    for spelling in (*catalogue(), *VARIANTS):
        with naming(spelling):
            check_measure(parse(spelling), depth=depth, grades=grades)


# A measure says which values are better, and nothing that makes a run better may belie it.

SIZES = ("NumNonrelRet",)
"""Counts that tell a size, and not what is better."""

SORTING = ("Accuracy",)
"""What tells how well a ranking is sorted: one more relevant document at its end lowers that."""


@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (3, 3)])
def test_a_relevant_document_in_place_of_another_never_makes_a_measure_worse(depth, grades, naming):
    for spelling in [spelling for spelling in catalogue() if spelling not in (*SIZES, *SORTING)]:
        with naming(spelling):
            measure, counts = parse(spelling), (100, *[depth] * (grades - 1))
            if measure.parameters().get("collection", 0) is None:
                measure = measure(collection=sum(counts))
            for run in all_runs(depth, grades):
                for rank in (rank for rank, grade in enumerate(run) if grade == 0):
                    better = (*run[:rank], grades - 1, *run[rank + 1 :])
                    before, after = (measure.of(each, grade_counts=counts) for each in (run, better))
                    assert after <= before if measure.lower_is_better else after >= before, (run, better)


def test_the_direction_is_said_among_the_facts():
    assert {parse(spelling).facts()["better"] for spelling in ("AP", "interval(AP)@3", "gm(P)")} == {"higher values"}
    assert define(wasted, name="Wasted", lower_is_better=True).facts()["better"] == "lower values"
    assert parse("NumNonrelRet").facts()["better"] == "neither, it tells a size"


# Equal spacing is what an interval scale comes down to: declared where it holds, denied where it does not.


@pytest.mark.parametrize("spelling", ["P", "RBP(p=0.5)"])
def test_a_measure_on_an_interval_scale_has_equally_spaced_values(spelling):
    measure = parse(spelling)
    image = sorted({measure.of(run) for run in all_runs(4, 2)})
    assert len({high - low for low, high in pairwise(image)}) == 1
    assert measure.scale >= Scale.INTERVAL


@pytest.mark.parametrize("spelling", ["AP", "DCG(b=2)", "ERR", "RBP(p=0.3)", "RBP(p=0.8)", "RR", "nDCG"])
def test_a_measure_on_an_ordinal_scale_has_unequal_gaps_between_its_values(spelling):
    measure = parse(spelling)
    image = sorted({measure.of(run) for run in all_runs(4, 2)})
    gaps = np.diff([float(value) for value in image])
    assert gaps.max() - gaps.min() > 1e-6
    assert measure.scale == Scale.ORDINAL


# Measures that lie, offered in the way that other packages offer theirs.


class Boasting(Precision):
    name = "Boasting"
    graded = True


class Forgetful(Recall):
    name = "Forgetful"
    uses_recall_base = False


class Rounded(Precision):
    name = "Rounded"

    def fast(self, judged):
        return np.round(super().fast(judged), 1)


class Unsettled(Precision):
    name = "Unsettled"

    def scores(self, judged):
        scores = super().scores(judged)
        return evolve(scores, values=scores.values + 1e-15 * np.arange(len(judged.systems))[:, None])


class Overlooking(ExpectedReciprocalRank):
    name = "Overlooking"

    def key(self, run):
        return Fraction(sum(run))


class Backwards(Precision):
    name = "Backwards"
    lower_is_better = True


def first_half(run):
    return Fraction(sum(grade > 0 for grade in run[: len(run) // 2]), len(run))


def reciprocal(run):
    return next((Fraction(1, rank) for rank, grade in enumerate(run, 1) if grade), Fraction(0))


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


made = partial(define, reference="MoffatZobel2008")

LIES = [
    (Boasting(), "Boasting declares that it tells grades apart"),
    (made(sum, name="Modest"), "Modest declares that it does not tell grades apart"),
    (Forgetful(), "Forgetful declares that it does not depend on the recall base"),
    (made(lambda run, _: first_half(run), name="Busy", uses_recall_base=True), "Busy declares that it depends"),
    (made(sum, name="Small", graded=True, bounds=(0, 1)), "Small of .* outside its bounds"),
    (made(reciprocal, name="Even", scale=Scale.INTERVAL), "Even is said to be on an interval scale"),
    (define(first_half, name="Unheard", reference="Nobody1900"), "Unheard cites 'Nobody1900'"),
    (Rounded(), "Rounded of .* vectorised"),
    (Unsettled(), "Unsettled: runs of value .* get different floats"),
    (Overlooking(), "Overlooking.*: key and value disagree"),
    (Backwards(), "Backwards declares that lower values are better; better documents help 0 times"),
    (made(wasted, name="Proud", bounds=(0, None)), "Proud declares that higher values are better; .* help 0 times"),
]

HONEST = [
    made(first_half, name="Half", bounds=(0, 1)),
    made(reciprocal, name="First", bounds=(0, 1)),
    made(wasted, name="Wasted", lower_is_better=True),
    made(sum, name="Total", graded=True, scale=Scale.INTERVAL),
    made(lambda run, base: first_half(run) / base, name="Share", uses_recall_base=True),
]


@pytest.fixture
def offered(monkeypatch):
    """Return a function that makes a measure known, as if an installed package offered it."""

    def offer(measure):
        entry = SimpleNamespace(value="a package", load=lambda: measure)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [entry])
        offered_elsewhere.cache_clear()
        return measure

    yield offer
    offered_elsewhere.cache_clear()


@pytest.mark.parametrize(("liar", "complaint"), LIES, ids=lambda value: getattr(value, "name", ""))
def test_a_false_declaration_is_told_by_name(liar, complaint, offered):
    with pytest.raises(AssertionError, match=complaint):
        check_measure(offered(liar), depth=4, grades=3)


@pytest.mark.parametrize("measure", HONEST, ids=repr)
def test_a_measure_from_elsewhere_passes_when_it_tells_the_truth(measure, offered):
    check_measure(offered(measure), depth=4, grades=3)
    check_measure(measure @ 3, depth=4, grades=3)
