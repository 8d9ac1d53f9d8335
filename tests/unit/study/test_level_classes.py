"""Levels: which measures are decided by each, against campaigns in which the level holds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.judged import judge
from measurand.measures import catalogue, define, parse
from measurand.measures.additive import Additive
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.counting import Counting
from measurand.measures.discounted_gain import DiscountedCumulatedGain
from measurand.scores import Aggregation
from measurand.study.level_classes import (
    Level,
    covered_in_words,
    differs_by_recall_base_alone,
    is_covered,
    level_of,
)
from measurand.trec import read_qrels, read_run

TOPICS, EVERY, ADDITIVE, THIS = Level

NOTHING, UNJUDGED = -2, -1

EXPECTED = {
    ADDITIVE: "DCG DiscountCurve gP gRBP INSQ LatticeRank NumQ NumRelRet P RBP RBTO SBTO SDCG",
    EVERY: "ERR INST interval IPrec NERR10 NERR11 NERR8 NERR9 RR Success TBG",
    TOPICS: "AP Compat F gm gR nDCG nERR NumRel Q R RelativeP Rprec",
    THIS: "Accuracy binG BPM BPMD Bpref ESL ESLR G IAP infAP Judged nDCGRel NumNonrelRet NumRet OIE RBPResidual RnDCG"
    " SetAP SetF SetP Unjudged Utility",
}

OF_PARAMETERS = {
    "AP(judged_only=True)@5": THIS,
    "AP(rel=3)@5": TOPICS,
    "DCG(b=2)@5": ADDITIVE,
    "DCG(gain='1=3,2=1')@5": THIS,
    "DCG(gain='1=3,2=3')@5": ADDITIVE,
    "DiscountCurve(by_rank='3,2,1', label='Mine')": ADDITIVE,
    "DiscountCurve(by_rank='1,2')": THIS,
    "ERR(gmax=4)@5": EVERY,
    "ERR@1": ADDITIVE,
    "ESL(collection=99)@5": THIS,
    "F(beta=2)@5": TOPICS,
    "INST(T=0.25)@5": THIS,
    "INST(T=0.5)@5": EVERY,
    "INST(T=0.5)@1": ADDITIVE,
    "IPrec(cutoff=5)@0.1": TOPICS,
    "IPrec(cutoff=1)@0": ADDITIVE,
    "NumRet(rel=1)@5": ADDITIVE,
    "P": THIS,
    "P(judged_only=True)@5": THIS,
    "P(rel=2)@5": ADDITIVE,
    "P(rel=9)@5": ADDITIVE,
    "P@6": THIS,
    "Q(rel=2)@5": TOPICS,
    "Q@5": THIS,
    "RBP": THIS,
    "RBP(p=0.5, rel=2)@5": ADDITIVE,
    "RBTO@5": ADDITIVE,
    "RR(rel=2)@5": EVERY,
    "RR@1": ADDITIVE,
    "Rprec(multiple=2)@5": TOPICS,
    "SBTO(rel=2)@5": ADDITIVE,
    "SBTO@5": EVERY,
    "Success@1": ADDITIVE,
    "gP(gmax=1)@5": THIS,
    "gP(gmax=9)@5": ADDITIVE,
    "gRBP(gain={1: 3, 2: 3})@5": ADDITIVE,
    "gm(Bpref@5)": THIS,
    "gm(P@5)": TOPICS,
    "interval(Bpref@5)": THIS,
    "interval(DCG@5)": THIS,
    "interval(DCG@5, grades=3)": EVERY,
    "interval(F@5)": ADDITIVE,
    "interval(P@5)": ADDITIVE,
    "interval(P@5, ties='mid')": EVERY,
    "interval(RBP(p=0.5), depth='inf')": THIS,
    "interval(Rprec@5)": TOPICS,
    "interval(SetP@5)": THIS,
    "interval(nDCG@5, grades=3)": EVERY,
    "nDCG(gain='1=3,2=1')@5": THIS,
}


def cut(measure, rank):
    return measure @ rank if measure.at == "cutoff" else measure(cutoff=rank)


# Where the measures stand.


def test_every_measure_of_the_catalogue_has_its_level():
    found = {name: level_of(cut(measure, 30), depth=30, grades=2) for name, measure in catalogue().items()}
    assert found == {name: level for level, names in EXPECTED.items() for name in names.split()}


def test_levels_hold_for_deep_runs_and_many_grades_but_not_for_graded_q_and_sbto():
    shallow, deep = (
        {name: level_of(cut(measure, depth), depth=depth, grades=grades) for name, measure in catalogue().items()}
        for depth, grades in ((30, 2), (1000, 5))
    )
    # sets of many grades are no sums of gains
    assert deep == shallow | {"Q": THIS, "SBTO": EVERY}
    assert level_of(parse("Q@1000"), depth=1000, grades=2) is TOPICS


@pytest.mark.parametrize(("spelling", "level"), OF_PARAMETERS.items())
def test_parameters_decide_the_level(spelling, level):
    assert level_of(parse(spelling), depth=5, grades=3) is level


def test_a_measure_without_cutoff_is_decided_where_no_run_is_deeper_than_the_level():
    assert level_of(parse("RBP"), depth=5, grades=2, deepest=5) is ADDITIVE
    assert level_of(parse("RBP"), depth=5, grades=2, deepest=6) is THIS
    assert level_of(parse("AP@5"), depth=5, grades=2, deepest=6) is TOPICS


def test_a_function_is_decided_by_itself():
    assert level_of(define(sum, name="Sum") @ 3, depth=3, grades=2) is THIS


class Weighted(Additive):
    """Somebody else's sum."""

    name = "Weighted"
    reference = ""

    def weight(self, rank):
        return Fraction(1, rank)

    def gain_at(self, grade, top):
        return Fraction(grade)


class Rising(Weighted):
    def weight(self, rank):
        return Fraction(rank)


class OfTopic(Weighted):
    def scaling(self, pool, length):
        return Fraction(7 - pool.recall_base())


class Squared(Counting):
    """Somebody else's count, which does not say that it looks at the recall base if that is asked for."""

    name = "Squared"
    reference = ""

    def count(self, counts):
        return counts.relevant * counts.relevant


class SquaredShare(Squared):
    def count(self, counts):
        return counts.relevant * counts.relevant / (counts.recall_base or 1)


class OfRetrieved(Squared):
    def count(self, counts):
        return counts.relevant - counts.retrieved


class Upside(AveragePrecision):
    def exact(self, run, pool):
        return 1 - AveragePrecision.exact(self, run, pool)


class Steep(DiscountedCumulatedGain):
    def weight(self, rank):
        return Fraction(1, rank * rank)


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        (Weighted, ADDITIVE),
        (Rising, THIS),
        (OfTopic, THIS),
        (Squared, EVERY),
        (SquaredShare, THIS),
        (OfRetrieved, THIS),
        (Upside, THIS),
        (Steep, ADDITIVE),
    ],
)
def test_measures_of_others_have_the_level_that_their_definition_shows(kind, level):
    assert level_of(kind(cutoff=4), depth=4, grades=3) is level


def test_levels_are_ordered_and_a_stronger_one_implies_the_weaker_ones():
    assert sorted(Level) == [THIS, ADDITIVE, EVERY, TOPICS]
    assert max(ADDITIVE, EVERY) is EVERY
    assert TOPICS >= TOPICS
    assert not ADDITIVE >= EVERY
    assert [level >= EVERY for level in Level] == [True, True, False, False]


def test_the_measures_of_a_level_are_listed_the_best_known_first_and_no_size_is():
    names = covered_in_words(EVERY, depth=7, grades=3)
    first = "P, RR, RBP, DCG, ERR, Success, DiscountCurve, gP, gRBP, INSQ, INST, interval(AP), IPrec@0, LatticeRank"
    others = "NERR10, NERR11, NERR8, NERR9, NumRelRet, RBTO, SBTO, SDCG, TBG"
    assert names == f"{first}, {others} (cut at 7 or less)"
    assert covered_in_words(THIS, depth=7, grades=3) == ""
    assert not {"NumQ", "NumRel"} & set(covered_in_words(TOPICS, depth=7, grades=3).split(", "))


def test_ap_and_recall_alone_are_those_of_a_binary_run_over_the_recall_base(naming):
    variants = ("AP(rel=2)@5", "R@1", "RelativeP@1000", "RelativeP@1", "gR(gmax=1)", "AP(judged_only=True)", "P(rel=2)")
    found = {text for text in (*catalogue(), *variants) if differs_by_recall_base_alone(parse(text))}
    assert found == {"AP", "R", "AP(rel=2)@5", "R@1"}


# The law: a level decides the measures that it covers. Levels are computed here from their definition.


def count(run, k, grade):
    return sum(cell >= grade for cell in run[:k])


def at_least(one, other, depth, grades):
    """Return whether the first of two runs is at least as good as the second."""
    return all(count(one, k, g) >= count(other, k, g) for k in range(1, depth + 1) for g in range(1, grades))


def strongest(a, b, depth, grades):
    """Return the strongest level at which A is at least as good as B, from the grades of their runs."""

    def matched(order):
        return all(at_least(a[t], run, depth, grades) for t, run in zip(order, b, strict=True))

    if matched(range(len(a))):
        return TOPICS
    if any(map(matched, permutations(range(len(a))))):
        return EVERY
    ranks_and_grades = [(k, g) for k in range(1, depth + 1) for g in range(1, grades)]
    sums = [[sum(count(run, k, g) for run in runs) for k, g in ranks_and_grades] for runs in (a, b)]
    return ADDITIVE if all(one >= other for one, other in zip(*sums, strict=True)) else THIS


def judged_campaign(a, b, others):
    """Return the judged runs of two systems, given by their cells, with judged documents that neither returned."""
    runs, qrels = {"A": {}, "B": {}}, {}
    for topic, (of_a, of_b, more) in enumerate(zip(a, b, others, strict=True)):
        name = str(topic)
        qrels[name] = {"other": 0} | {f"other{place}": grade for place, grade in enumerate(more)}
        for system, cells in (("A", of_a), ("B", of_b)):
            kept = {f"{system}{rank}": cell for rank, cell in enumerate(cells) if cell != NOTHING}
            runs[system][name] = {document: float(-rank) for rank, document in enumerate(kept)}
            qrels[name] |= {document: cell for document, cell in kept.items() if cell != UNJUDGED}
    return judge([read_run(run, name=system) for system, run in runs.items()], read_qrels(qrels))


def some_runs(rng, topics, depth, grades):
    """Return the cells of a system, which returns something for the first topic."""
    lengths = [rng.choice([depth, depth, rng.randint(topic == 0, depth)]) for topic in range(topics)]
    cells = [*range(grades), 0, UNJUDGED]
    return [[rng.choice(cells) for _ in range(length)] + [NOTHING] * (depth - length) for length in lengths]


def mixed(rng, runs):
    """Return runs that have at every rank what others have there, so that mean counts stay."""
    columns = [rng.sample(column, len(column)) for column in zip(*runs, strict=True)]
    mixed = [list(run) for run in zip(*columns, strict=True)]
    for run in mixed:
        length = max((rank for rank, cell in enumerate(run, 1) if cell != NOTHING), default=0)
        run[:length] = [UNJUDGED if cell == NOTHING else cell for cell in run[:length]]
    return mixed


def worsened(rng, run):
    """Return a run with a grade lowered, or moved down: where nothing stands, nothing is put."""
    run = list(run)
    places = [rank for rank, cell in enumerate(run) if cell != NOTHING]
    for _ in range(rng.choice([0, 0, 1, 2])):
        if not places:
            break
        rank, lower = sorted(rng.choices(places, k=2))
        if max(0, run[rank]) > max(0, run[lower]):
            run[rank], run[lower] = run[lower], run[rank]
        elif run[rank] > 0:
            run[rank] = rng.choice([UNJUDGED, *range(run[rank])])
    return run


def drawn(rng):
    """Return depth, grades and a campaign: B has the runs of A, mixed and worsened in one of several ways."""
    topics, depth, grades = rng.randint(1, 5), rng.randint(1, 5), rng.randint(2, 4)
    a = some_runs(rng, topics, depth, grades)
    way = rng.choice(["topics", "every", "every", "additive", "additive", "any"])
    b = some_runs(rng, topics, depth, grades) if way == "any" else mixed(rng, a) if way == "additive" else list(a)
    if way in ("every", "additive"):
        rng.shuffle(b)
    b = [worsened(rng, run) for run in b]
    others = [[rng.randint(0, grades - 1) for _ in range(rng.choice([0, 1, 4]))] for _ in range(topics)]
    return depth, grades, (a, b, others)


LAWFUL = (*catalogue(), *OF_PARAMETERS, "IPrec@0.5", "INST(T=3)", "AP(rel=2)", "gP(gain='exp2')", "nERR(gmax=5)")


@cache
def lawful(level, depth, grades, deepest):
    """Return measures that a level covers, as they are, cut at its depth, or at the first rank."""
    own = [measure for measure in catalogue().values() if measure.cutoff is None]
    measures = [*map(parse, LAWFUL), *(cut(measure, rank) for measure in own for rank in (depth, 1))]
    return [each for each in measures if is_covered(each, level, depth=depth, grades=grades, deepest=deepest)]


@cache
def value(measure, run, pool):
    return measure.exact(measure.view(run), pool)


def no_lower(measure, judged):
    """Return whether the mean of A is at least that of B: exactly, or by more than rounding where logarithms are."""
    sums = []
    for cells in judged.cells.tolist():
        values = [value(measure, tuple(run), pool) for run, pool in zip(cells, judged.pools, strict=True)]
        if measure.aggregation is Aggregation.GEOMETRIC:
            values = [log(max(float(value), 0.00001)) for value in values]
        exact = all(isinstance(value, Fraction) for value in values)
        sums.append(sum(values) if exact else sum(map(float, values)))
    return sums[0] >= sums[1] if isinstance(sums[0], Fraction) else sums[0] >= sums[1] - 1e-9


@given(rng=st.randoms(use_true_random=False), first=st.integers(1, 5))
@settings(max_examples=30)
def test_a_level_decides_every_measure_that_it_covers(rng, first):
    depth, _, (a, b, others) = drawn(rng)
    judged = judged_campaign(a, b, others)
    grades = judged.grade_counts.shape[1]
    for ranks in {depth, min(first, depth)}:
        level = strongest(a, b, ranks, grades)
        for measure in lawful(level, ranks, grades, judged.depth):
            assert no_lower(measure, judged), (measure, level, ranks)


def test_the_law_is_tried_where_levels_hold():
    campaigns = [drawn(Random(seed)) for seed in range(300)]
    found = [strongest(a, b, depth, grades) for depth, grades, (a, b, _) in campaigns]
    assert min(found.count(level) for level in Level) >= 15


# What a level does not cover it does not decide.

GATHERED = ([[0, 0], [1, 1]], [[0, 1], [1, 0]], [[], []])
SPREAD = ([[0, 1], [1, 0]], [[0, 0], [1, 1]], [[], []])
EXCHANGED = ([[0], [1]], [[1], [0]], [[], [1]])
LONGER = ([[1, UNJUDGED]], [[1, NOTHING]], [[]])
JUDGED_ABOVE = ([[0, 1]], [[UNJUDGED, 1]], [[]])
UNJUDGED_INSTEAD = ([[UNJUDGED]], [[0]], [[1]])

REVERSED = [
    (ADDITIVE, "AP IPrec RR ERR NERR8 NERR9 NERR10 NERR11 TBG", GATHERED),
    (ADDITIVE, "INST interval(AP@3)", SPREAD),
    (ADDITIVE, "Success", ([[0, 0], [1, 1]], [[0, 1], [0, 1]], [[], []])),
    (EVERY, "AP binG Compat F G gm(AP) gR IAP IPrec@1 nDCG nDCGRel nERR Q R RnDCG Rprec", EXCHANGED),
    (EVERY, "RelativeP", ([[0, 0], [0, 1]], [[0, 1], [0, 0]], [[], [1]])),
    (TOPICS, "Bpref AP(judged_only=True)", JUDGED_ABOVE),
    (TOPICS, "infAP", ([[UNJUDGED, 1]], [[0, 1]], [[]])),
    (TOPICS, "SetAP SetF SetP Utility", LONGER),
    (TOPICS, "ESL ESLR Judged NumNonrelRet", UNJUDGED_INSTEAD),
    (TOPICS, "NumRet", ([[1, NOTHING]], [[1, UNJUDGED]], [[]])),
    (TOPICS, "OIE", ([[UNJUDGED, UNJUDGED]], [[UNJUDGED, NOTHING]], [[]])),
    (TOPICS, "Unjudged RBPResidual", ([[0]], [[UNJUDGED]], [[]])),
    (TOPICS, "Q", ([[0, 0, 1, 2, 0]], [[0, 0, 0, 2, 1]], [[]])),
    (TOPICS, "INST(T=0.25)", ([[2, 0]], [[1, 0]], [[]])),
    (TOPICS, "Accuracy", ([[1, 0, 1]], [[1, 0, 0]], [[]])),
    (TOPICS, "BPM", ([[1, 0, 1, 2]], [[0, 0, 1, 2]], [[]])),
    (TOPICS, "BPMD", ([[1, 0]], [[0, 1]], [[2]])),
]


@pytest.mark.parametrize(
    ("level", "spelling", "campaign"),
    [(level, spelling, campaign) for level, spellings, campaign in REVERSED for spelling in spellings.split()],
    ids=str,
)
def test_a_measure_that_is_not_covered_may_be_the_other_way_round(level, spelling, campaign):
    judged, measure = judged_campaign(*campaign), parse(spelling)
    grades = judged.grade_counts.shape[1]
    assert strongest(*campaign[:2], judged.depth, grades) is level
    assert not is_covered(measure, level, depth=judged.depth, grades=grades, deepest=judged.depth)
    a, b = measure.scores(judged).mean()
    assert a > b if measure.lower_is_better else a < b


def test_every_measure_that_some_level_leaves_undecided_has_an_example():
    shown = {parse(spelling).name for _, spellings, _ in REVERSED for spelling in spellings.split()}
    assert shown == set(catalogue()) - set(EXPECTED[ADDITIVE].split()) - {"NumRel"}
