"""Section 4: how effective a ranking is, and five constraints on measures of effectiveness.

Section 4.1: effectiveness by what a ranking and the judgments tell apart and together. Section 4.2: the constraints,
and which of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import factorial, log
from typing import Any

from measurand.axioms import (
    confidence,
    contest,
    deepness,
    information_switch,
    priority,
)
from measurand.exact import log as exact_log
from measurand.exact import log_sum
from measurand.information import Signals, exact_entropy
from measurand.measures import parse
from measurand.orders import swap
from measurand.papers.agms2018.additivity import effectiveness
from measurand.papers.exhibit import Line, exhibit, line


def total(run: Sequence[int], beta: object, collection: int, recall_base: int) -> Any:
    """Return the effectiveness of a run times the size of the collection, exactly."""
    return collection * parse(f"OIE(beta={beta}, collection={collection})").of(run, recall_base=recall_base)


def gain_of_swap(measure: str, run: Sequence[int], rank: int, **pool: Any) -> Any:
    """Return what a measure gains if the documents at a rank and at the next one change places, exactly."""
    known, start = parse(measure), [int(grade) for grade in run]
    better: Any = known.of([int(grade) for grade in swap(start, rank, rank + 1)], **pool)
    return better - known.of(start, **pool)


def signals_of(run: Sequence[int], recall_base: int, collection: int) -> Signals:
    """Return a run and its judgments as signals over the whole collection."""
    ranking: dict[Any, int] = {rank: len(run) - rank for rank in range(len(run))}
    relevant = [rank for rank, grade in enumerate(run) if grade]
    missing = [f"missing {number}" for number in range(recall_base - len(relevant))]
    gold: dict[Any, int] = dict.fromkeys([*relevant, *missing], 1)
    return Signals.of({"r": ranking, "g": gold}, collection)


@exhibit("AGMS-D4.1", where="Definition 4.1")
def definition() -> Iterator[Line]:
    """Effectiveness times the size D of the collection; if nothing else is said D = 10, with R = 2 relevant ones."""
    yield line("11, β = 1", round(float(total((1, 1), 1, 10, 2)), 6))
    yield line("101, β = 1", round(float(total((1, 0, 1), 1, 10, 2)), 6))
    yield line("101, β = 1.2", round(float(total((1, 0, 1), "1.2", 10, 2)), 6))
    yield line("nothing retrieved, β = 1.2", round(float(total((), "1.2", 10, 2)), 6))
    by_entropies = 10 * effectiveness(signals_of((1, 0, 1), 2, 10), "g", measure="OIE(beta=1.2)")
    yield line("101: OIE is its definition by entropies", total((1, 0, 1), "1.2", 10, 2) == by_entropies)
    # relevant documents at ranks 1 and 3: precision 1 and 2/3 there, against 2 of 10 by chance
    gains = log_sum([(Fraction(1) / Fraction(2, 10), 1), (Fraction(2, 3) / Fraction(2, 10), 1)])
    yield line("101, β = 1: the sum of ln(P@i / (R/D)), i = 1, 3", total((1, 0, 1), 1, 10, 2) == gains)
    nothing = Fraction(-1, 5) * 10 * exact_entropy(signals_of((0, 0), 0, 10).only("r"))
    yield line("00, R = 0, β = 1.2: (1 - β) H(r)", total((0, 0), "1.2", 10, 0) == nothing)
    yield from _relevant_documents_that_cost()


@exhibit("AGMS-4.1-ICM", where="Section 4.1, the Information Contrast Model")
def contrast() -> Iterator[Line]:
    """With all weights 1, what the ranking and the judgments share."""
    signals = signals_of((1, 0, 1), 2, 10)
    alone, judged, both = exact_entropy(signals.only("r")), exact_entropy(signals.only("g")), exact_entropy(signals)
    shared = total((1, 0, 1), 1, 10, 2) / 10 == alone + judged - both
    yield line("101: OIE is H(r) + H(g) - H(r, g)", shared, derived=True)
    yield line("101: its value", round(float(alone + judged - both), 7))


@exhibit("AGMS-4.1-ALPHA", where="Section 4.1")
def weights_of_entropies() -> Iterator[Line]:
    """For one topic and runs of one length, the weights of the two entropies do not matter."""
    orders = set()
    for alpha1, alpha2 in ((1, 1), (3, "0.25"), ("0.01", 50)):
        measure = parse(f"OIE(alpha1={alpha1}, alpha2={alpha2}, beta=1.2, collection=20)")
        values: dict[tuple[int, ...], Any] = {run: measure.of(run, recall_base=4) for run in product((0, 1), repeat=4)}
        orders.add(tuple(sorted(values, key=values.__getitem__)))
    yield line("all runs of 4 ranks: one order for 3 pairs of weights", len(orders) == 1, said=True)


def _relevant_documents_that_cost() -> Iterator[Line]:
    """Return what the paper does not tell, E-A-16: a relevant document more may lower the score."""
    nothing, one = (float(total(run, "1.2", 100, 50)) for run in ((), (1,)))
    yield line("D = 100, R = 50, β = 1.2: nothing retrieved", round(nothing, 4))
    yield line("the same, one relevant document retrieved", round(one, 4))
    runs = [run for length in range(7) for run in product((0, 1), repeat=length)]
    others = [run for run in runs if run and sum(run) <= 4 and run.count(0) <= 2]
    best = all(total((), "1.9", 6, 4) > total(run, "1.9", 6, 4) for run in others)
    yield line("D = 6, R = 4, β = 1.9: the empty run is the best of all", best)
    ordered = log(factorial(50))
    bound = (50 * log(100) - ordered) / (50 * log(50) - ordered)
    yield line("D = 100, R = 50: the perfect run beats it for β below", round(bound, 4))
    perfect = [total([1] * 50, beta, 100, 50) > total((), beta, 100, 50) for beta in ("1.735", "1.736")]
    yield line("so it does for β = 1.735, for β = 1.736", tuple(perfect))


@exhibit("AGMS-PRI", where="Section 4.2, Priority")
def moving_up() -> Iterator[Line]:
    """A relevant document that changes places with its neighbour above must help."""
    for name in ("OIE(beta=1.2, collection=30)", "RBP(p=0.8)", "P@3"):
        yield line(f"{name} has it, runs of 6 ranks", bool(priority(name, depth=6)))
    swaps = [(run, i) for run in product((0, 1), repeat=5) for i in range(1, 5) if run[i - 1 : i + 1] == (0, 1)]
    gains = [30 * gain_of_swap("OIE(beta=1.2, collection=30)", run, i, recall_base=5) for run, i in swaps]
    formula = [Fraction(6, 5) * exact_log(Fraction(i + 1, i)) for _, i in swaps]
    yield line("OIE: moving up to rank i gains β ln((i+1)/i) / D", gains == formula, derived=True)


@exhibit("AGMS-DEEP", where="Section 4.2, Deepness")
def near_the_top() -> Iterator[Line]:
    """The same change must help more near the top."""
    gains = [gain_of_swap("OIE(beta=1.2, collection=30)", (*[0] * i, 1), i, recall_base=1) for i in range(1, 8)]
    falls = all(above > below for above, below in pairwise(gains))
    yield line("the gain of OIE at rank i, ln((i+1)/i), is monotonic", falls, said=True)
    yield line("it is", "decreasing" if falls else "not decreasing")
    for name in ("OIE(beta=1.2, collection=30)", "RBP(p=0.8)", "AP"):
        yield line(f"{name} has it, runs of 8 ranks", bool(deepness(name, depth=8)))
    pool = {"grade_counts": (17, 2, 1)}
    gains = [20 * gain_of_swap("OIE(beta=1, collection=20)", (0, 0, 0, 1, 1, 2), i, **pool) for i in (3, 5)]
    formula = [exact_log(Fraction(4, 3)), exact_log(Fraction(3, 2))]
    yield line("000112: swaps at 3, 5 add ln 4/3, ln 3/2 to D OIE", gains == formula)
    yield line("so 0 and 1 at 3 gain more than 1 and 2 at 5", gains[0] > gains[1])


@exhibit("AGMS-DEEPTH", "AGMS-CLOSETH", where="Section 4.2, Deepness and Closeness Threshold")
def one_against_many() -> Iterator[Line]:
    """One relevant document on top against n behind n others: it must lose for some n, and win for all large n."""
    for name in ("RBP(p=0.8)", "DCG", "AP", "ERR"):
        outcome = contest(name, collection=1_000_000, recall_base=100)
        yield line(f"{name}: the many win first for n", outcome.first(-1, "exists"))
        yield line(f"{name}: the one wins for all n from", outcome.first(1, "eventually"))
        verdicts = bool(outcome.deepness()), bool(outcome.closeness())
        yield line(f"{name}: Deepness Threshold, Closeness Threshold", verdicts)


@exhibit("AGMS-CONF", where="Section 4.2, Confidence")
def useless_documents() -> Iterator[Line]:
    """A document at the end that is not relevant must cost something."""
    for name in ("OIE(beta=1.2, collection=40)", "OIE(beta=1, collection=40)", "AP", "RBP(p=0.8)"):
        yield line(f"{name} has it, runs of 5 ranks", bool(confidence(name, depth=5, recall_base=6)))
    runs = [run for length in range(4) for run in product((0, 1), repeat=length)]
    changes = [total((*run, 0), "1.2", 40, 6) - total(run, "1.2", 40, 6) for run in runs]
    formula = [Fraction(-1, 5) * exact_log(Fraction(40, len(run) + 1)) for run in runs]
    yield line("OIE: behind n ranks it adds (α1 - β) ln(D/(n+1)) / D", changes == formula, derived=True)


@exhibit("AGMS-T4.2", where="Theorem 4.2")
def five_constraints() -> Iterator[Line]:
    """OIE and the five constraints: β = 1.2, a million documents, a thousand of them relevant."""
    measure = "OIE(beta=1.2, collection=1000000)"
    outcome = contest(measure, collection=1_000_000, recall_base=1_000)
    yield line("Priority", bool(priority(measure, recall_base=1_000)), said=True)
    yield line("Deepness", bool(deepness(measure, recall_base=1_000)), said=True)
    yield line("Deepness Threshold", bool(outcome.deepness()), said=True, erratum="E-A-1")
    yield line("Closeness Threshold", bool(outcome.closeness()), said=True)
    yield line("Confidence", bool(confidence(measure, recall_base=1_000)), said=True)
    yield line("n documents behind n others beat one on top from n =", outcome.first(-1, "eventually"))
    both = [base for base in range(2, 24, 3) if _both_thresholds("1.2", 24, base)]
    yield line("D = 24, R = 2, 5, …, 23: topics with both thresholds", len(both))
    narrow = contest("OIE(beta=1.003)", collection=1000, recall_base=250).signs.tolist()
    window = [n for n, sign in enumerate(narrow, 1) if sign < 0]
    yield line("β = 1.003, D = 1000, R = 250: the many win for n", f"{window[0]} to {window[-1]} of 250")
    for size in (384, 385, 400):
        outcome = contest("OIE(beta=1.2)", collection=size, recall_base=100, same_length=True)
        verdicts = bool(outcome.deepness()), bool(outcome.closeness())
        yield line(f"runs of 2n ranks, R = 100, D = {size}: DeepTh, CloseTh", verdicts)


def _both_thresholds(beta: str, collection: int, recall_base: int) -> bool:
    outcome = contest(f"OIE(beta={beta})", collection=collection, recall_base=recall_base)
    return bool(outcome.deepness()) and bool(outcome.closeness())


@exhibit("AGMS-TH-EXACT", where="Theorem 4.2, the bound on β")
def switch() -> Iterator[Line]:
    """Below which β the many win: (2n - 1)/n is printed, which no collection attains."""
    lead = total((1,), "1.2", 10, 2) - total((0, 0, 1, 1), "1.2", 10, 2)
    yield line("n = 2, β = 1.2, D = 10, R = 2: the many win", lead < 0, derived=True, erratum="E-A-2")
    yield line("the one is ahead by, times D", round(float(lead), 4))
    wins = [size for size in range(4, 60) if total((0, 0, 1, 1), "1.2", size, 2) > total((1,), "1.2", size, 2)]
    yield line("the first D where the many win", wins[0])
    for size, spelled in {50: "50", 100: "100", 10**4: "10⁴", 10**16: "10¹⁶"}.items():
        found = round(information_switch(2, size, 2), 4)
        yield line(f"n = 2, R = 2, D = {spelled}: bound on β", found, derived=Fraction(3, 2), erratum="E-A-2")
    for n in (2, 10, 100):
        found = round(information_switch(n, 25_000_000, 100), 3)
        limit = Fraction(2 * n - 1, n)
        yield line(f"n = {n}, R = 100, D = 25 million: bound on β", found, derived=limit, erratum="E-A-2")
    last = len(contest("OIE(beta=1.2)", collection=20, recall_base=10).signs)
    yield line("D = 20: how far n may grow", last, said="without bound", erratum="E-A-3")
    for base in (2, 100):
        grows = [round(float(total((1,), "1.2", size, base)), 2) for size in (10**3, 10**6, 10**12)]
        yield line(f"β = 1.2, R = {base}: D OIE of 1; D = 10³, 10⁶, 10¹²", tuple(grows))


@exhibit("AGMS-A-PROOFS", where="Appendix, Theorem 4.2")
def lead_of_the_one() -> Iterator[Line]:
    """The formulas of the proof are what the measure gives, exactly."""
    cases = list(product((1, 2, 5), ((40, 6), (1000, 250)), ("1.2", "1", "0.7")))
    ones = [total((1,), beta, size, base) == _one(size, base, Fraction(beta)) for _, (size, base), beta in cases]
    manies = [
        total((*[0] * n, *[1] * n), beta, size, base) == _many(n, size, base, Fraction(beta))
        for n, (size, base), beta in cases
    ]
    differences = [
        _one(size, base, Fraction(beta)) - _many(n, size, base, Fraction(beta)) == _lead(n, size, base, Fraction(beta))
        for n, (size, base), beta in cases
    ]
    yield line("OIE of one document on top, in logarithms", all(ones), said=True)
    yield line("OIE of n documents behind n others", all(manies), said=True)
    yield line("F(n), D times their difference", all(differences))
    yield line("F(n) is concave for β = 1.12, 1.13", (_is_concave("1.12"), _is_concave("1.13")))
    yield line("F(1) is above 0, so once below it stays below", _lead(1, 10**4, 40, Fraction(6, 5)) > 0)


def _one(size: int, base: int, beta: Fraction) -> Any:
    return log_sum([(size, 1 - beta), (Fraction(size, base), base - beta * (base - 1))])


def _many(n: int, size: int, base: int, beta: Fraction) -> Any:
    missing = Fraction(size, base), base - beta * (base - n)
    return log_sum([(size, 2 * n * (1 - beta)), (factorial(2 * n), -1), (factorial(n), 2 * beta), missing])


def _lead(n: int, size: int, base: int, beta: Fraction) -> Any:
    return log_sum(
        [(size, beta * n - 2 * n + 1), (factorial(2 * n), 1), (factorial(n), -2 * beta), (base, beta * (n - 1))]
    )


def _is_concave(beta: str) -> bool:
    """Return whether the lead bends down at each n; the size of the collection makes no difference to this."""
    leads = [_lead(n, 10**4, 40, Fraction(beta)) for n in range(1, 40)]
    return all(low + high < 2 * middle for low, middle, high in zip(leads, leads[1:], leads[2:], strict=False))


EXHIBITS = (
    definition,
    contrast,
    weights_of_entropies,
    moving_up,
    near_the_top,
    one_against_many,
    useless_documents,
    five_constraints,
    switch,
    lead_of_the_one,
)
