"""Section 5: measures that keep the order of runs, and the two properties that say so: replacement and swap.

Three parts: the definition and Theorem 5.2; its proof, with counts after a swap and a chain of steps from a run to a
better one; and Section 5.1, why expected reciprocal rank is a measurement.

ERR is linear in the stopping probability x of each rank. So a partial derivative is a difference of two values. A
formula that is linear in each x holds for all if it holds for two values of each, here 0 and 1/2: ERR with two grades.
The least and the greatest value lie where each x is 0 or 1: there ERR is reciprocal rank, of readers who stop for
certain at the first relevant document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from measurand.axioms import is_measurement, replacement
from measurand.axioms import swap as has_swap
from measurand.judged import Multiset
from measurand.measures import parse
from measurand.orders import backward_chain, chain, compare, explain, mass, replacements, swap, swaps
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, at_most, every, is_refused, ordered_pairs, refusal, run, worth
from measurand.papers.ffm2015.orders import SETS, all_sets


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
    """Return whether a measure puts no run above a better one, by looking at all pairs of runs of a length.

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
    yield line("sum of relevant ranks, 4 ranks: has swap", bool(has_swap(sum_of_ranks, 4)))
    yield line("0001 → 1000 takes it from, to", (sum_of_ranks(run("0001")), sum_of_ranks(run("1000"))))
    yield line("precision at last relevant, 4 ranks: has swap", bool(has_swap(precision_at_last, 4)))
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


def spelled(judged: Run) -> str:
    """Return a run as digits.

    Examples
    --------
    >>> spelled((0, 1, 2))
    '012'
    """
    return "".join(map(str, judged))


def walk(r: Run, s: Run) -> list[Run]:
    """Return the runs that the chain from the first rank to the last passes through.

    Examples
    --------
    >>> walk((0, 1, 0), (1, 0, 1))
    [(0, 1, 0), (1, 0, 0), (1, 0, 1)]
    """
    runs = [r]
    for step in chain(r, s):
        runs.append(step.apply(runs[-1]))
    return runs


def connects(r: Run, s: Run) -> bool:
    """Return whether the chain of the proof leads from a run to a better one.

    Examples
    --------
    >>> connects((0, 1, 1), (1, 1, 0)), connects((0, 1, 2), (0, 2, 1))
    (True, False)
    """
    return not is_refused(lambda: backward_chain(r, s))


@exhibit("FFM-5.2-A", "FFM-5.2-swapineq", where="Theorem 5.2, proof, first half")
def what_a_swap_changes() -> Iterator[Line]:
    """A swap of ranks i < j adds one document to some counts, and changes no other."""
    example = run("01122")
    yield line("A(01122, 4, 1), A(01122, 5, 2)", (mass(example, 1, 4), mass(example, 2, 5)))
    r, s = run("02"), swap(run("02"), 1, 2)
    yield line("A(20, 1, 1) − A(02, 1, 1)", mass(s, 1, 1) - mass(r, 1, 1), derived=0, erratum="E06")
    as_printed, as_mended = [], []
    for before, (i, j) in product(every(4, 3), combinations((1, 2, 3), 2)):
        low, high = before[i - 1], before[j - 1]
        if low < high:
            after = swap(before, i, j)
            for k, p in product((1, 2, 3), (1, 2, 3)):
                more = mass(after, p, k) - mass(before, p, k)
                as_printed.append(more == (i <= k < j and p >= high))
                as_mended.append(more == (i <= k < j and low < p <= high))
    what = "4 grades, 3 ranks: one more for i ≤ k < j, "
    yield line(f"{what}p ≥ r[j]", all(as_printed), said=True, erratum="E06")
    yield line("which is wrong for so many swaps, k and p", f"{as_printed.count(False):,} of {len(as_printed):,}")
    yield line(f"{what}r[i] < p ≤ r[j]", all(as_mended))


@exhibit("FFM-5.2-chain", where="Theorem 5.2, proof, second half")
def the_chain_of_the_proof() -> Iterator[Line]:
    """From the last rank to the first: swap a grade that is too high with the nearest lowest one above it."""
    r, s = run("101011"), run("110110")
    first, second = backward_chain(r, s)
    yield line("from 101011 to 110110: ranks of the first swap", (first.rank, first.other))
    between = first.apply(r)
    yield line("which gives", spelled(between), printed="101110")
    yield line("ranks of the second swap", (second.rank, second.other))
    yield line("which gives", spelled(second.apply(between)))
    reached = all(connects(r, s) for length in range(1, 6) for r, s in ordered_pairs(2, length))
    yield line("2 grades, up to 5 ranks: connects all r ⪯ s", reached, said=True)


@exhibit("FFM-5.2-chain-g", where="Theorem 5.2, proof, second half, more grades")
def chains_of_graded_runs() -> Iterator[Line]:
    """With three grades the chain of the proof gets stuck; one from the first rank to the last does not."""
    low, high = run("012"), run("021")
    yield line("the chain of the proof connects 012 and 021", connects(low, high), said=True, erratum="E07")
    yield line("it ends", refusal(lambda: backward_chain(low, high)).partition(":")[0])
    yield line("from the first rank to the last", "; ".join(str(step) for step in chain(low, high)))
    for grades, length in ((3, 3), (3, 4), (4, 3)):
        pairs = ordered_pairs(grades, length)
        led = sum(connects(r, s) for r, s in pairs)
        yield line(f"{grades} grades, {length} ranks: pairs that the proof connects", f"{led:,} of {len(pairs):,}")
    pairs = ordered_pairs(3, 3)
    walks = [(walk(r, s), s) for r, s in pairs]
    yield line("3 grades, 3 ranks: front to back connects all", all(runs[-1] == s for runs, s in walks))
    upwards = all({(one, other), (other, s)} <= pairs for runs, s in walks for one, other in pairwise(runs))
    yield line("each step goes up, and none beyond the goal", upwards)
    steps = max(len(chain(r, s)) for r, s in ordered_pairs(2, 5))
    yield line("2 grades, 5 ranks: most steps, front to back", steps)


@exhibit("FFM-5.2-set", where="Theorem 5.2, sets")
def chains_of_sets() -> Iterator[Line]:
    """For sets, best grade first, replacements alone lead to every better one."""
    (step,) = chain(run("01122"), run("01123"), SETS)
    yield line("{0,1,1,2,2} → {0,1,1,2,3}: grade before, after", (int(step.old), int(step.new)))
    pairs = [(r, s) for r, s in product(all_sets(4, 3), repeat=2) if at_most(r, s, SETS)]
    yield line("4 grades, 3 documents: most steps", max(len(chain(r, s, SETS)) for r, s in pairs))


HALF = Fraction(1, 2)


def err(judged: Sequence[Any]) -> Fraction:
    """Return expected reciprocal rank, where a relevant document stops half of the readers.

    Examples
    --------
    >>> err((0, 1))
    Fraction(1, 4)
    """
    return worth("ERR", judged)


def sure(judged: Run) -> Fraction:
    """Return expected reciprocal rank, where a relevant document stops every reader.

    Examples
    --------
    >>> sure((0, 1, 1))
    Fraction(1, 2)
    """
    return worth("RR", judged)


def going_on(judged: Run) -> Fraction:
    """Return the probability of coming past some documents of which each stops half of the readers, if relevant.

    Examples
    --------
    >>> going_on((1, 0, 1))
    Fraction(1, 4)
    """
    return prod((1 - HALF * grade for grade in judged), start=Fraction(1))


def slope(judged: Run, rank: int) -> Fraction:
    """Return the partial derivative of expected reciprocal rank in the stopping probability at a rank.

    Examples
    --------
    >>> slope((1, 0), rank=2)
    Fraction(1, 4)
    """
    with_it, without = ((*judged[: rank - 1], grade, *judged[rank:]) for grade in (1, 0))
    return (err(with_it) - err(without)) / HALF


def factor(rank: int, between: Run) -> Fraction:
    """Return D, what a swap across some documents gains, for each unit by which the two probabilities differ.

    Examples
    --------
    >>> factor(1, ()), factor(1, (1,))
    (Fraction(1, 2), Fraction(7, 12))
    """
    above = (0,) * (rank - 1)
    return (err((*above, 1, *between, 0)) - err((*above, 0, *between, 1))) / HALF


@exhibit("FFM-ERR-def", where="Section 5.1, definition")
def the_definition() -> Iterator[Line]:
    """Expected reciprocal rank from the probabilities of stopping."""
    yield line("ERR of x = 1/2, 0, 1/2", err(run("101")))
    by_hand = {
        judged: sum((HALF * grade * going_on(judged[:i]) / (i + 1) for i, grade in enumerate(judged)), Fraction(0))
        for judged in every(2, 5)
    }
    same = all(err(judged) == value for judged, value in by_hand.items())
    yield line("the printed sum is ERR, n = 5, x = 0 or 1/2", same, said=True)


@exhibit("FFM-ERR-dn", "FFM-ERR-dn1", "FFM-ERR-dk", where="Section 5.1, partial derivatives")
def derivatives() -> Iterator[Line]:
    """A more satisfying document does not hurt: no partial derivative is negative."""
    runs = every(2, 5)
    last = all(slope(x, 5) == going_on(x[:4]) / 5 for x in runs)
    yield line("by xₙ, n = 5: ∏(1 − x)/n", last, said=True)
    yield line("by x₂, n = 2, x₁ = 1/2", slope(run("10"), 2))
    before = all(slope(x, 4) == going_on(x[:3]) * (Fraction(1, 4) - HALF * x[4] / 5) for x in runs)
    yield line("by xₙ₋₁, n = 5: ∏(1 − x)(1/(n − 1) − xₙ/n)", before, said=True)

    def tail(x: Run, k: int) -> Fraction:
        later = (HALF * x[m - 1] * going_on(x[k : m - 1]) / m for m in range(k + 1, 6))
        return Fraction(1, k) - sum(later, Fraction(0))

    general = all(slope(x, k) == going_on(x[: k - 1]) * tail(x, k) for x, k in product(runs, range(1, 6)))
    yield line("by xₖ, n = 5: ∏(1 − x) Sₖ", general, said=True)
    positive = all(slope(x, k) > 0 for x, k in product(runs, range(1, 6)))
    yield line("all positive, n = 5, x = 0 or 1/2", positive, said=True)
    stopped = sure(run("11")) - sure(run("10"))
    yield line("by x₂, n = 2, x₁ = 1", stopped)
    yield line("which is positive", stopped > 0, said=True, erratum="E09")


@exhibit("FFM-ERR-two", "FFM-ERR-S", where="Section 5.1, bounds")
def bounds() -> Iterator[Line]:
    """What lies below a rank is worth at most a sure stop at the next one."""
    worth = max(sure((0, 0, *two)) for two in every(2, 2))
    yield line("n = 4: the last two terms are at most 1/(n − 1)", worth <= Fraction(1, 3), said=True)
    least = min(sure((0, 1, x)) - sure((0, 0, x)) for x in (0, 1))
    yield line("n = 3: least 1/(n − 1) − xₙ/n, at xₙ = 1", least)
    yield line("which is more than 1/(n(n − 1))", least > Fraction(1, 3 * 2), said=True, erratum="E09")
    for k in (1, 2, 3):
        above = (0,) * (k - 1)
        least = min(sure((*above, 1, *rest)) - sure((*above, 0, *rest)) for rest in every(2, 3))
        bound = Fraction(1, k) - Fraction(1, k + 1)
        yield line(f"n = {k + 3}: least S{'₁₂₃'[k - 1]}", least)
        yield line(f"which is more than 1/{k} − 1/{k + 1}", least > bound, said=True, erratum="E09")


@exhibit("FFM-ERR-sw1", "FFM-ERR-swD", "FFM-ERR-D1", where="Section 5.1, swap")
def what_a_swap_gains() -> Iterator[Line]:
    """A swap gains the chance to come there, times the difference of the probabilities, times a number D above 0."""
    yield line("ERR of 10 − ERR of 01", err(run("10")) - err(run("01")))
    swapped = [
        (x, swap(x, i, j), i, j) for x in every(2, 5) for i, j in combinations(range(1, 6), 2) if x[i - 1] < x[j - 1]
    ]
    close = [err(s) - err(r) == going_on(r[: i - 1]) * HALF / (i * (i + 1)) for r, s, i, j in swapped if j == i + 1]
    yield line("n = 5, neighbours: ∏(1 − x)(xᵢ₊₁ − xᵢ)/(i(i + 1))", all(close), said=True)
    wide = [err(s) - err(r) == going_on(r[: i - 1]) * HALF * factor(i, r[i : j - 1]) for r, s, i, j in swapped]
    yield line("n = 5, any two: ∏(1 − x)(xⱼ − xᵢ) D", all(wide), said=True)
    for i in (1, 2, 5):
        above = (0,) * (i - 1)
        least = min(sure((*above, 1, x, 0)) - sure((*above, 0, x, 1)) for x in (0, 1))
        yield line(f"i = {i}, j = {i + 2}: least D", least)
        yield line(f"which is 1/({i} · {i + 1}) or more", least >= Fraction(1, i * (i + 1)), said=True)


@exhibit("FFM-ERR-ind", where="Section 5.1, induction")
def one_more_between() -> Iterator[Line]:
    """With every further document between the two, D never falls; its step is not the printed one."""
    step = factor(1, (1, 1)) - factor(1, (1,))
    yield line("i = 1, x₁ = x₂ = 1/2: D₂ − D₁", step, derived=Fraction(1, 12), erratum="E10")
    steps = [
        factor(i, between) - factor(i, between[:-1]) == going_on(between) / ((i + k) * (i + k + 1))
        for i, k in product((1, 2, 3), (1, 2, 3))
        for between in every(2, k)
    ]
    yield line("Dₖ − Dₖ₋₁ = ∏ₘ≤ₖ(1 − xₘ)/((i+k)(i+k+1)), i, k ≤ 3", all(steps))
    least = []
    for i in (1, 2, 3):
        above = (0,) * (i - 1)
        least.append(min(sure((*above, 1, *mid, 0)) - sure((*above, 0, *mid, 1)) for mid in every(2, 3)))
    yield line("i = 1, 2, 3, three between: least D", tuple(least))
    yield line("so D > 0", min(least) > 0, said=True)


EXHIBITS = (
    known_measurements,
    replacement_and_swap,
    the_equivalence,
    agreement_and_disagreement,
    precision_against_average_precision,
    what_a_swap_changes,
    the_chain_of_the_proof,
    chains_of_graded_runs,
    chains_of_sets,
    the_definition,
    derivatives,
    bounds,
    what_a_swap_gains,
    one_more_between,
)
