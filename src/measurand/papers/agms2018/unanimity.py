"""Section 4: metric unanimity, and Table 2 with the constraints that measures meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import log, log2
from operator import ge
from random import Random

from measurand.axioms import ConstraintMatrix, closeness_threshold, constraint_matrix, deepness
from measurand.information import unanimity
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers import PrintedMeasure, printed_unanimity
from measurand.papers.agms2018.effectiveness import gain_of_swap, total
from measurand.papers.exhibit import Line, exhibit, line
from measurand.study.unanimity import unanimity as unanimity_on_campaign

SCORES = ((3, 1), (2, 1), (1, 0), (1, 2))
"""A row for each of four systems, a column for each of two measures."""

TABLES = 30
"""So many random tables of scores the identity of unanimity is tried on."""

RELEVANT, DEPTH = 110, 102
"""The topic of the constraint matrix: more relevant documents and more ranks than the largest cutoff, 100."""


@exhibit("AGMS-MU", "AGMS-FN6", where="Metric unanimity, footnote 6")
def ties_of_measures() -> Iterator[Line]:
    """How much the preferences of a measure tell of those that all measures share."""
    found = unanimity(SCORES)
    pairs = list(permutations(SCORES, 2))
    prefers = [sum((one[i] > other[i]) + Fraction(one[i] == other[i], 2) for one, other in pairs) for i in (0, 1)]
    yield line(
        "two measures, four systems: P(Δm) of the first", Fraction(prefers[0], len(pairs)), printed=Fraction(1, 2)
    )
    yield line("of the second; ties count half", Fraction(prefers[1], len(pairs)), printed=Fraction(1, 2))
    for place, row in enumerate(found, 1):
        yield line(f"MU of measure {place}, and how often it ties", (round(float(row.value or 0), 4), row.tie_rate))
    chance = Random(0)
    tables = [[[chance.randrange(4) for _ in range(3)] for _ in range(5)] for _ in range(TABLES)]
    beyond = any(mutual != 2 - ties for table in tables for mutual, ties in _by_definition(table))
    yield line(f"MU tells more than ties: {TABLES} random tables", beyond, printed=True, erratum="E-A-14")
    own = [Fraction(row.tied + len(SCORES), row.unanimous + len(SCORES)) for row in found]
    yield line("MU if systems were also compared with themselves", round(log2(2 - own[0]), 4))


def _by_definition(scores: Sequence[Sequence[int]]) -> Iterator[tuple[Fraction, Fraction]]:
    """Return 2 to the power of the unanimity of each measure, counted over all pairs, and how often it ties."""
    pairs = list(permutations(scores, 2))
    agreed = [pair for pair in pairs if all(map(ge, *pair))]
    for i in range(len(scores[0])) if agreed else ():
        wins, joint = (sum((a[i] > b[i]) + Fraction(a[i] == b[i], 2) for a, b in some) for some in (pairs, agreed))
        ties = Fraction(sum(a[i] == b[i] for a, b in agreed), len(agreed))
        yield Fraction(joint, len(agreed)) / Fraction(wins, len(pairs)), ties


@exhibit("AGMS-T2-MU", where="Table 2, column MU")
def printed_values() -> Iterator[Line]:
    """What the printed unanimities say, without the runs: how often a measure ties where nobody disagrees."""
    for row in printed_unanimity():
        if row.mu is not None:
            yield line(f"{row.label}: MU {row.mu} is this tie rate", round(2 - 2 ** float(row.mu), 4))
    sources = [row.mu_source for row in printed_unanimity()]
    known = tuple(sources.count(source) for source in ("quoted", "implied", None))
    yield line("values quoted, implied by a tie rate, unknown here", known)
    largest = max(float(row.mu) for row in printed_unanimity() if row.mu is not None)
    yield line("the largest is above ln 2, so the base is not e", largest > log(2))
    cutoffs = {parse(spelling).cutoff for row in printed_unanimity() for spelling in row.spellings}
    named = tuple(sorted(cutoff for cutoff in cutoffs if cutoff is not None))
    yield line("cutoffs: the text has, the table has", named, printed=(20, 50, 100), erratum="E-A-19")


@cache
def matrix() -> ConstraintMatrix:
    """Return which measures of Table 2 meet which constraints, RBP standing for itself with p = 0.8."""
    measures = [row.spellings[0] for row in printed_unanimity()]
    return constraint_matrix(measures, recall_base=RELEVANT, depth=DEPTH)


def met(marks: str) -> str:
    """Return which constraints are met, by the names they have in the table."""
    heads = PrintedMeasure(label="", spellings=(), marks=marks).met
    return " ".join(head for head, holds in heads.items() if holds) or "none"


@exhibit("AGMS-T2-MATRIX", where="Table 2, constraints")
def constraints_of_measures() -> Iterator[Line]:
    """Which measures meet which constraints: a million documents, 110 of them relevant."""
    for printed, ours in zip(printed_unanimity(), matrix(), strict=True):
        wrong = ", ".join(dict.fromkeys(ours.errata.values()))
        reader = ", p = 0.8" if len(printed.spellings) > 1 else ""
        yield line(f"{printed.label}{reader}", met(ours.marks), printed=met(printed.marks), erratum=wrong)
    yield from wrong_marks()


def wrong_marks() -> Iterator[Line]:
    """Return the runs that show which marks of the rows OIE 1 and AP are wrong."""
    for size in (59, 60, 61):
        one, two = (total(run, 1, size, 10) for run in ((1,), (0, 0, 1, 1)))
        better = "1" if one > two else "0011" if one < two else "neither"
        yield line(f"OIE 1, D = {size}, R = 10: better of 1 and 0011", better)
    gains = tuple(2 * gain_of_swap("AP", (0, 0, 0, 0, 0, 1, 0, 1), rank, recall_base=2) for rank in (5, 7))
    yield line("AP of 00000101: R times the gain of swaps at 5, at 7", gains)
    yield line("AP: a swap gains more near the top, runs of 7 ranks", bool(deepness("AP", depth=7)))
    deep = bool(deepness("AP", depth=8))
    yield line("AP: a swap gains more near the top, runs of 8 ranks", deep, printed=True, erratum="E-A-5")


def _variants() -> Iterator[Line]:
    """Return the marks of variants that the names of the table leave open."""
    others = {
        "DCG": ("DCG(b=2)", "DCG with discount max(1, log2 i)"),
        "RBP": ("RBP(p=0.5)", "RBP, p = 0.5"),
        "OIE 1.2": ("OIE(beta=1.2, collection=1000000)@100", "OIE 1.2 down to rank 100, as it was run"),
        "ERR": ("RR", "ERR of a reader who stops for sure, which is RR"),
    }
    found = constraint_matrix([spelling for spelling, _ in others.values()], recall_base=RELEVANT, depth=DEPTH)
    printed = {row.label: row.marks for row in printed_unanimity()}
    for (label, (_, what)), row in zip(others.items(), found, strict=True):
        yield line(what, met(row.marks), printed=met(printed[label]), erratum="E-A-6")


@exhibit("AGMS-T2-RBP", where="Table 2, row RBP and what other rows leave open")
def persistence() -> Iterator[Line]:
    """The unanimity of RBP does not depend on its reader; marks depend on which variant of a measure is meant."""
    runs = [(1, 0, 0, 1), (1, 0, 0, 0), (0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 0, 1)]
    judged = JudgedRuns.on_one_topic(runs, (100, 4))
    names = ["RBP(p=0.8)", "RBP(p=0.9)", "RBP(p=0.99)", "P@2"]
    table = unanimity_on_campaign(judged, names, constraints=False)
    rates = [table[name].found.tie_rate for name in names]
    yield line("tie rates are the same for p = 0.8, 0.9, 0.99", len(set(rates[:3])) == 1, printed=True)
    yield line("five runs: tie rates of RBP, of P@2", (rates[0], rates[3]))
    for p in ("0.754877", "0.754878"):
        yield line(f"RBP, p = {p}: Closeness Threshold", bool(closeness_threshold(f"RBP(p={p})")))
    # n = 2: 0011 is better than 1 where p² + p³ > 1
    yield line("p² + p³ is 1 between the two", _cubic("0.754877") < 1 < _cubic("0.754878"))
    yield from _variants()


def _cubic(p: str) -> Fraction:
    return Fraction(p) ** 2 + Fraction(p) ** 3


EXHIBITS = (ties_of_measures, printed_values, constraints_of_measures, persistence)
