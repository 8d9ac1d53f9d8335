"""Section 5: measures that keep the order, and the two properties that say so: replacement and swap."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from measurand.axioms import is_measurement, replacement, swap
from measurand.judged import Multiset
from measurand.measures import parse
from measurand.orders import compare, explain, mass, replacements, swaps
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, every, is_refused, ordered_pairs, run, worth


def sum_of_ranks(judged: Run) -> int:
    """Return the sum of the ranks of the relevant documents, which grows when documents move down.

    Examples
    --------
    >>> sum_of_ranks((0, 1, 1))
    5
    """
    return sum(rank for rank, grade in enumerate(judged, 1) if grade)


def precision_at_last(judged: Run) -> Fraction:
    """Return precision down to the last relevant document, which falls when one is found late.

    Examples
    --------
    >>> precision_at_last((1, 0, 0)), precision_at_last((1, 0, 1))
    (Fraction(1, 1), Fraction(2, 3))
    """
    last = max((rank for rank, grade in enumerate(judged, 1) if grade), default=1)
    return Fraction(sum(map(bool, judged)), last)


def keeps_the_order(measure: str, grades: int, length: int) -> bool:
    """Say whether a measure puts no run above a better one, by looking at all pairs of runs of a length.

    Examples
    --------
    >>> keeps_the_order("P", 2, 3), keeps_the_order("RR", 2, 3)
    (True, True)
    """
    value = {judged: parse(measure).of(judged, recall_base=length) for judged in every(grades, length)}
    return all(value[r] <= value[s] for r, s in ordered_pairs(grades, length))


@exhibit("FFM-5.1", "FFM-ERR-triv", where="Definition 5.1 and Section 5.1")
def known_measurements() -> Iterator[Line]:
    """A measurement never gives the better of two comparable runs a lower value."""
    for spelling in ("AP", "RBP(p=0.3)", "RBP(p=0.8)", "nDCG(b=2)", "ERR"):
        yield line(f"{spelling} is one: 2 grades, 5 ranks", keeps_the_order(spelling, 2, 5), said=True)
    for grades, length in ((3, 4), (4, 3)):
        kept = keeps_the_order(f"ERR(gmax={grades - 1})", grades, length)
        yield line(f"ERR is one: {grades} grades, {length} ranks", kept, said=True)
    for spelling in ("P", "RR"):
        yield line(f"{spelling} is one: 2 grades, 5 ranks", keeps_the_order(spelling, 2, 5))
    yield line("gRBP(p=0.8) is one: 4 grades, 3 ranks", keeps_the_order("gRBP(p=0.8, gmax=3)", 4, 3))
    for spelling in ("AP", "RBP(p=0.8)", "nDCG(b=2)", "ERR"):
        yield line(f"{spelling} is one: 2 grades, 30 ranks", str(is_measurement(spelling, 30).how))


@exhibit("FFM-5-repl", "FFM-5-swap", "FFM-5-setswap", where="Section 5, replacement and swap")
def replacement_and_swap() -> Iterator[Line]:
    """Neither property follows from the other."""
    yield line("sum of relevant ranks, 4 ranks: has replacement", bool(replacement(sum_of_ranks, 4)))
    yield line("sum of relevant ranks, 4 ranks: has swap", bool(swap(sum_of_ranks, 4)))
    yield line("0001 → 1000 takes it from, to", (sum_of_ranks(run("0001")), sum_of_ranks(run("1000"))))
    yield line("precision at last relevant, 4 ranks: has swap", bool(swap(precision_at_last, 4)))
    yield line("precision at last relevant, 4 ranks: replacement", bool(replacement(precision_at_last, 4)))
    yield line("1000 → 1001 takes it from, to", (precision_at_last(run("1000")), precision_at_last(run("1001"))))
    neither = not (is_measurement(sum_of_ranks, 4) or is_measurement(precision_at_last, 4))
    yield line("neither is a measurement", neither)
    in_a_set = not is_refused(lambda: swaps(Multiset.of([0, 1])))
    yield line("in a set something can be swapped", in_a_set, said=False)


@exhibit("FFM-5.2-thm", where="Theorem 5.2")
def the_equivalence() -> Iterator[Line]:
    """A measure keeps the order exactly when it has replacement and swap."""
    runs = every(2, 3)
    steps = [(r, s) for r in runs for s in (*replacements(r, grades=2), *swaps(r))]
    outcomes = []
    # a function keeps an order if all sets "value at least t" do, so these 256 decide for all functions
    for values in product((0, 1), repeat=len(runs)):
        value: dict[tuple[Any, ...], int] = dict(zip(runs, values, strict=True))
        keeps, has_both = (all(value[r] <= value[s] for r, s in pairs) for pairs in (ordered_pairs(2, 3), steps))
        outcomes.append((keeps, has_both))
    yield line("5.1 ⇔ replacement and swap: 2 grades, 3 ranks", all(a == b for a, b in outcomes), said=True)
    yield line("functions to 0 and 1 that keep the order", f"{outcomes.count((True, True))} of {len(outcomes)}")
    yield line("functions for which one side alone holds", sum(a != b for a, b in outcomes))


@exhibit("FFM-5-agree", "FFM-5-sep", where="Section 5, after the theorem")
def agreement_and_disagreement() -> Iterator[Line]:
    """All measurements agree on comparable runs; on incomparable ones two counts of documents disagree."""
    agree = all(keeps_the_order(measure, 2, 4) for measure in ("P", "AP", "RR", "RBP(p=0.8)", "ERR", "DCG"))
    yield line("4 ranks, r ⪯ s: P, AP, RR, RBP, ERR, DCG agree", agree, said=True)
    yield line("but for ties: P of 01 and 10", tuple(worth("P", run(text)) for text in ("01", "10")))
    r, s = run("10010"), run("01101")
    yield line("10010 against 01101", str(compare(r, s)), said="incomparable")
    for rank in (1, 3):
        yield line(f"their relevant documents down to rank {rank}", (mass(r, 1, rank), mass(s, 1, rank)))
    for grades, length in ((2, 5), (3, 4)):
        below, pairs = ordered_pairs(grades, length), combinations(every(grades, length), 2)
        apart = [explain(r, s) for r, s in pairs if not {(r, s), (s, r)} & below]
        yield line(f"{grades} grades, {length} ranks: incomparable pairs", len(apart))
        found = sum(each.ahead is not None and each.behind is not None for each in apart)
        yield line("on each of them two counts disagree", found == len(apart), said=True)


@exhibit("FFM-5-PAP", where="Section 5, last example")
def precision_against_average_precision() -> Iterator[Line]:
    """Precision and average precision may disagree on incomparable runs, though not on the printed pair."""
    r, printed, mended = run("10010"), run("01101"), run("00111")
    yield line("P of 10010, of 01101", (worth("P", r), worth("P", printed)), printed=(Fraction(2, 5), Fraction(3, 5)))
    # multiplied by the recall base, as the paper does
    summed = {each: worth("AP", each, recall_base=1) for each in (r, printed, mended)}
    yield line("AP of 10010, times the recall base", summed[r], printed=Fraction(3, 2))
    yield line("AP of 01101, times the recall base", summed[printed], printed=Fraction(53, 30))
    yield line("AP prefers 10010 to 01101", summed[r] > summed[printed], said=True, erratum="E08")
    yield line("meant instead, 00111: P, and AP times recall base", (worth("P", mended), summed[mended]))
    yield line("AP prefers 10010 to 00111, P does not", summed[r] > summed[mended])
    apart = []
    for length in range(1, 6):
        values = [(worth("P", each), worth("AP", each, recall_base=1)) for each in every(2, length)]
        apart.append(sum((p - q) * (ap - aq) < 0 for (p, ap), (q, aq) in combinations(values, 2)))
    yield line("pairs of 1, …, 5 ranks on which they disagree", tuple(apart))


EXHIBITS = (
    known_measurements,
    replacement_and_swap,
    the_equivalence,
    agreement_and_disagreement,
    precision_against_average_precision,
)
