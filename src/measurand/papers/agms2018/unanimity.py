"""Section 4.3: metric unanimity, and Table 2 with the constraints that measures meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, log
from operator import ge
from random import Random

from measurand.axioms import ConstraintMatrix, closeness_threshold, constraint_matrix, deepness
from measurand.information import unanimity
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.agms2018.effectiveness import gain_of_swap, total
from measurand.papers.exhibit import Line, Missing, exhibit, line
from measurand.papers.printed.unanimity import PrintedMeasure, printed_unanimity
from measurand.study.unanimity import unanimity as unanimity_on_campaign

SCORES = ((3, 1), (2, 1), (1, 0), (1, 2))
"""A row for each of four systems, a column for each of two measures."""

TABLES = 30
"""So many random tables of scores the identity of unanimity is tried on."""

RELEVANT, DEPTH = 110, 102
"""The topic of the constraint matrix: more relevant documents and more ranks than the largest cutoff, 100."""


@exhibit("AGMS-MU", "AGMS-FN6", where="Section 4.3, metric unanimity, and footnote 6")
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
    alone = all(mutual == 2 - ties for table in tables for mutual, ties in _by_definition(table))
    yield line(f"MU = log2(2 − t), ties count half in all shares: {TABLES} random tables", alone)
    alone = all(mutual == 2 * (1 - ties) for table in tables for mutual, ties in _by_definition(table, half=False))
    yield line(f"MU = 1 + log2(1 − t), ties count half in P(Δm) alone: {TABLES} random tables", alone)
    for place, row in enumerate(unanimity(SCORES, self_pairs=True), 1):
        yield line(f"MU of measure {place} over all of R², as printed", round(float(row.value or 0), 4))
    alone = all(mutual == 2 - ties for table in tables for mutual, ties in _by_definition(table, self_pairs=True))
    yield line("MU = log2(2 − t) over all of R²", alone)


def _by_definition(
    scores: Sequence[Sequence[int]], *, self_pairs: bool = False, half: bool = True
) -> Iterator[tuple[Fraction, Fraction]]:
    """Return 2 to the power of the unanimity of each measure, counted over all pairs, and how often it ties.

    Footnote 6 lets ties count half in the probability of an improvement; `half` says whether they do so in the
    probability of the improvements that are unanimous, too.
    """
    pairs = list(product(scores, repeat=2) if self_pairs else permutations(scores, 2))
    agreed = [pair for pair in pairs if all(map(ge, *pair))]
    for i in range(len(scores[0])) if agreed else ():
        wins = sum((a[i] > b[i]) + Fraction(a[i] == b[i], 2) for a, b in pairs)
        joint = sum((a[i] > b[i]) + Fraction(half and a[i] == b[i], 2) for a, b in agreed)
        ties = Fraction(sum(a[i] == b[i] for a, b in agreed), len(agreed))
        yield Fraction(joint, len(agreed)) / Fraction(wins, len(pairs)), ties


@exhibit("AGMS-T2-MU", where="Table 2, column MU")
def printed_values() -> Iterator[Line]:
    """Unanimities, and the tie rates that they mean: 2 − 2^MU or 1 − 2^(MU − 1), by the two readings of footnote 6."""
    unanimities = {row.label: row.mu for row in printed_unanimity(ranked=True)}
    for label, mu in unanimities.items():
        yield line(f"MU of {label}", Missing.RUNS, printed=mu)
    for label, mu in unanimities.items():
        if mu is not None:
            rates = 2 - 2 ** float(mu), 1 - 2 ** (float(mu) - 1)
            yield line(f"{label}: tie rate by one reading, by the other", tuple(round(rate, 4) for rate in rates))
    largest = max(float(mu) for mu in unanimities.values() if mu is not None)
    yield line("the largest MU is above ln 2, so the base is not e", largest > log(2))
    cutoffs = {parse(spelling).cutoff for row in printed_unanimity() for spelling in row.spellings}
    named = tuple(sorted(cutoff for cutoff in cutoffs if cutoff is not None))
    yield line("cutoffs: the text has, the table has", named, said=(20, 50, 100), erratum="E-A-19")
    yield from _longer_and_tied_more_often()


def _longer_and_tied_more_often() -> Iterator[Line]:
    """Return what is odd about the rows ERR and ERR@50, E-A-23: the longer of the two would tie more often."""
    runs = list(product((0, 1), repeat=10))
    short, whole = ([parse(name).of(run) for run in runs] for name in ("ERR(gmax=1)@5", "ERR(gmax=1)"))
    yield line("1024 runs of 10 ranks: pairs that ERR@5 ties", _tied(short))
    yield line("1024 runs of 10 ranks: pairs that ERR ties", _tied(whole))
    made_up = _tied(whole) - _tied(list(zip(short, whole, strict=True)))
    yield line("of these, ranks 6 to 10 make up for ranks 1 to 5 in", made_up)


def _tied(values: Sequence[object]) -> int:
    """Return how many pairs of runs have one value."""
    return sum(comb(times, 2) for times in Counter(values).values())


@cache
def matrix() -> ConstraintMatrix:
    """Return which measures of Table 2 meet which constraints, RBP standing for itself with p = 0.8."""
    measures = [row.spellings[0] for row in printed_unanimity()]
    return constraint_matrix(measures, recall_base=RELEVANT, depth=DEPTH)


def met(marks: str) -> str:
    """Return which constraints are met, by the names they have in the table.

    Parameters
    ----------
    marks
        1 or 0 for each of the five constraints.
    """
    heads = PrintedMeasure(label="", spellings=(), marks=marks).met
    return " ".join(head for head, holds in heads.items() if holds) or "none"


@exhibit("AGMS-T2-MATRIX", where="Table 2, constraints")
def constraints_of_measures() -> Iterator[Line]:
    """Which measures meet which constraints: a million documents, 110 of them relevant."""
    found = {row.label: ours for row, ours in zip(printed_unanimity(), matrix(), strict=True)}
    for row in printed_unanimity(ranked=True):
        ours = found[row.label]
        wrong = ", ".join(dict.fromkeys(ours.errata.values()))
        reader = ", p = 0.8" if len(row.spellings) > 1 else ""
        yield line(f"{row.label}{reader}", met(ours.marks), printed=met(row.marks), erratum=wrong)
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
    yield line("AP: a swap gains more near the top, runs of 8 ranks", deep, derived=True, erratum="E-A-5")


def _variants() -> Iterator[Line]:
    """Return the marks of variants, which the table does not have: of two that were cited or run, and of two more."""
    others = {
        "DCG(b=2)": "DCG with discount max(1, log2 i)",
        "OIE(beta=1.2, collection=1000000)@100": "OIE 1.2 down to rank 100, as it was run",
        "RBP(p=0.5)": "RBP, p = 0.5",
        "RR": "ERR of a reader who stops for sure, which is RR",
    }
    found = constraint_matrix(list(others), recall_base=RELEVANT, depth=DEPTH)
    for what, row in zip(others.values(), found, strict=True):
        yield line(what, met(row.marks))


@exhibit("AGMS-T2-RBP", where="Table 2, row RBP and what other rows leave open")
def persistence() -> Iterator[Line]:
    """The unanimity of RBP does not depend on its reader; marks depend on which variant of a measure is meant."""
    runs = [(1, 0, 0, 1), (1, 0, 0, 0), (0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 0, 1)]
    judged = JudgedRuns.on_one_topic(runs, (100, 4))
    names = ["RBP(p=0.8)", "RBP(p=0.9)", "RBP(p=0.99)", "P@2"]
    table = unanimity_on_campaign(judged, names, constraints=False)
    rates = [table[name].found.tie_rate for name in names]
    yield line("tie rates are the same for p = 0.8, 0.9, 0.99", len(set(rates[:3])) == 1, said=True)
    yield line("five runs: tie rates of RBP, of P@2", (rates[0], rates[3]))
    for p in ("0.754877", "0.754878"):
        yield line(f"RBP, p = {p}: Closeness Threshold", bool(closeness_threshold(f"RBP(p={p})")))
    # n = 2: 0011 is better than 1 where p² + p³ > 1
    yield line("p² + p³ is 1 between the two", _cubic("0.754877") < 1 < _cubic("0.754878"))
    yield from _variants()


def _cubic(p: str) -> Fraction:
    return Fraction(p) ** 2 + Fraction(p) ** 3


EXHIBITS = (ties_of_measures, printed_values, constraints_of_measures, persistence)
