"""Section 6: the balancing index.

Its definition, example and algorithm; its formulas for four measures, as printed and as they are right; and Figures 1
and 2, how top-heavy measures are and how often a test tells two simulated systems apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor, log
from types import MappingProxyType
from typing import Literal

from measurand.axioms.balance import FIGURE_1A, LENGTHS, Curve, balancing_curve, balancing_index, closed_forms, extremes
from measurand.exact import inverse_log
from measurand.judged import Relevance
from measurand.measures import Measure, define, parse
from measurand.orders import compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, is_refused, run, worth
from measurand.papers.ffm2015.simulation import expected_difference, rejection_rate, simulated_runs

HEAD = run("30000")
TAILS = tuple(map(run, ("00001", "00011", "00111", "01111", "11111")))


def watched(measure: Measure, seen: list[Run]) -> Callable[[Run], object]:
    """Return a measure as a function that writes down every run that it is asked for.

    Examples
    --------
    >>> seen: list[Run] = []
    >>> watched(parse("P"), seen)((1, 0)), seen
    (Fraction(1, 2), [(1, 0)])
    """

    def value(judged: Run) -> object:
        seen.append(judged)
        return measure.of(judged)

    return value


def by_definition(measure: Measure, n: int) -> int:
    """Return the balancing index with two grades as it is defined, by trying every tail.

    Examples
    --------
    >>> by_definition(parse("AP"), 5)
    3
    """
    head = measure.of((1, *(0,) * (n - 1)), recall_base=n)
    tails = {b: measure.of((0,) * (b - 1) + (1,) * (n - b + 1), recall_base=n) for b in range(1, n + 1)}
    return max(b for b, value in tails.items() if head <= value)


@exhibit("FFM-6-B", "FFM-6-q", where="Section 6, definition of the balancing index")
def the_definition() -> Iterator[Line]:
    """The last rank from which a full tail of the lowest grade makes up for one document of the highest on top."""
    for spelling in ("P", "RR"):
        yield line(f"{spelling}, n = 7, 40", tuple(balancing_index(spelling, n) for n in (7, 40)))
    gain = define(sum, name="CG", graded=True)
    yield line("cumulated gain, grades 0 to 3, n = 5", balancing_index(gain, 5, qmin=1, qmax=3))
    yield line("grades 0 to 3: smallest positive, highest", extremes(Relevance.graded(0, 1, 2, 3)), printed=(1, 3))
    endless = not is_refused(lambda: extremes(Relevance.real()))
    yield line("grades in [0, ∞): there are such two", endless)


@exhibit("FFM-6-chain", where="Section 6, example, chain")
def the_chain_of_the_example() -> Iterator[Line]:
    """Why 30000 and the tails have to be weighed: each step is comparable, the ends are not."""
    late = run("00003")
    yield line("30000 against 00003", str(compare(HEAD, late)), said="greater")
    yield line("00003 against 00001", str(compare(late, TAILS[0])), said="greater")
    for worse, better in pairwise(TAILS[:4]):
        texts = ("".join(map(str, each)) for each in (worse, better))
        yield line(" against ".join(texts), str(compare(worse, better)), said="less")
    yield line("30000 against 00001", str(compare(HEAD, TAILS[0])))
    yield line("30000 against 00011", str(compare(HEAD, TAILS[1])), said="incomparable")
    apart = {str(compare(HEAD, tail)) for tail in TAILS[2:]}
    yield line("30000 against 00111, 01111, 11111: each", ", ".join(sorted(apart)))


@exhibit("FFM-6-ex", where="Section 6, example with n = 5 and grades 0 to 3")
def the_example() -> Iterator[Line]:
    """Five tails against one document: the tail that fills the run is one of them."""
    for spelling in ("ERR(gmax=3)", "gRBP(p=0.8, gmax=3)"):
        yield line(f"{spelling} of 30000", worth(spelling, HEAD))
        values = tuple(round(float(worth(spelling, tail)), 4) for tail in TAILS)
        yield line(f"{spelling} of 00001, …, 11111", values)
    for spelling in ("ERR", "gRBP(p=0.8)", "gRBP(p=0.95)"):
        yield line(f"{spelling}: B(5)", balancing_index(spelling, 5, qmin=1, qmax=3))
    seen: list[Run] = []
    balancing_index(watched(parse("gRBP(p=0.8, gmax=3)"), seen), 5, qmin=1, qmax=3)
    tried = tuple(tail.index(1) + 1 for tail in seen if tail != HEAD)
    yield line("gRBP(p=0.8): where the tails begin that are tried", tried, said=(5, 4, 3, 2), erratum="E13")


@exhibit("FFM-6-alg1", "FFM-6-cost", where="Section 6, Algorithm 1")
def the_algorithm() -> Iterator[Line]:
    """Tails are tried from the shortest on, until one is enough or there is none."""
    for spelling in ("AP", "RBP(p=0.8)", "nDCG(b=2)", "ERR"):
        measure = parse(spelling)
        same = all(balancing_index(measure, n) == by_definition(measure, n) for n in range(1, 16))
        yield line(f"{spelling}: finds what is defined, n ≤ 15", same, said=True)
    for spelling, qmax, erratum in (("RR", 1, ""), ("ERR(gmax=3)", 3, "E13")):
        seen: list[Run] = []
        index = balancing_index(watched(parse(spelling), seen), 5, qmin=1, qmax=qmax)
        # the head is looked at as well, and a tail that is enough ends the loop
        steps = len(seen) - 1 - (index is not None)
        yield line(f"{spelling}, grades up to {qmax}: B(5), steps of the loop", (index, steps))
        yield line("which is at most n − 1 steps", steps <= 5 - 1, said=True, erratum=erratum)
    values = {}
    for n in (50, 100):
        seen = []
        balancing_index(watched(parse("RR"), seen), n)
        values[n] = len(seen)
        yield line(f"RR, n = {n}: values that are asked for, ranks read", (values[n], sum(map(len, seen))))
    yield line("O(n), if a value takes constant time", values[100] < 2 * values[50], said=True)


def satisfied_by(x: Fraction) -> Measure:
    """Return expected reciprocal rank for readers whom a relevant document satisfies with some probability.

    Examples
    --------
    >>> satisfied_by(Fraction(1, 10)).of((0, 1, 1))
    Fraction(2, 25)
    """

    def value(judged: Run) -> Fraction:
        expected, going_on = Fraction(0), Fraction(1)
        for rank, grade in enumerate(judged, 1):
            if grade:
                expected, going_on = expected + going_on * x / rank, going_on * (1 - x)
        return expected

    return define(value, name="Satisfied")


def ap_as_printed(n: int) -> int:
    """Return the index by the printed formula for AP: the last b for which k/(k + b − 1), k = 1, …, n − b + 1, make 1.

    Examples
    --------
    >>> ap_as_printed(5), ap_as_printed(20)
    (3, 15)
    """
    tails = {b: sum(Fraction(k, k + b - 1) for k in range(1, n - b + 2)) for b in range(1, n + 1)}
    return max(b for b, tail in tails.items() if tail >= 1)


def err_as_printed(n: int, x: Fraction) -> int:
    """Return the index by the printed formula for ERR, in which the tail is met only by readers left from rank 1 on.

    Examples
    --------
    >>> err_as_printed(10, Fraction(1, 10))
    2
    """
    worth, index = Fraction(0), 0
    for b in range(n, 0, -1):
        worth += x * (1 - x) ** (b - 1) / b
        if worth >= x and not index:
            index = b
    return index


def ndcg_as_printed(n: int, base: int) -> int:
    """Return the index by the printed formula for nDCG, which takes every run for as long as the base at least.

    Examples
    --------
    >>> ndcg_as_printed(7, 10), ndcg_as_printed(15, 2)
    (10, 12)
    """
    late = sum((inverse_log(rank, base) for rank in range(base + 1, n + 1)), Fraction(0))
    early = [b for b in range(1, base + 1) if base - b + 1 + late >= 1]
    tails = {b: sum((inverse_log(j, base) for j in range(b, n + 1)), Fraction(0)) for b in range(base + 1, n + 1)}
    return max(early + [b for b, tail in tails.items() if tail >= 1])


@exhibit("FFM-6-AP", where="Section 6, average precision")
def average_precision() -> Iterator[Line]:
    """For two grades, the last b with 1/b + 2/(b + 1) + … ≥ 1."""
    printed = tuple(ap_as_printed(n) for n in range(1, 21))
    yield line("B(n), n = 1, …, 20", tuple(balancing_index("AP", n) for n in range(1, 21)), derived=printed)
    near = max(abs(closed_forms.average_precision(n) - n + (2 * n) ** 0.5) for n in range(1, 101))
    yield line("n − √(2n) is off by less than 2, n ≤ 100", near < 2)


@exhibit("FFM-6-RBP", "FFM-6-sat", where="Section 6, rank-biased precision")
def rank_biased_precision() -> Iterator[Line]:
    """For two grades, the last b with pᵇ⁻¹ ≥ 1 − p + pⁿ; it stops growing with n."""
    p, n = Fraction(4, 5), 5
    yield line("p = 0.8, n = 5: B(n), the largest b", balancing_index("RBP(p=0.8)", n), derived="∞", erratum="E11")
    allowed = [b for b in range(1, 101) if p ** (b - 1) <= 1 - p + p**n]
    yield line("b from 1 to 100 that the printed b ≥ … allows", f"{allowed[0]} to {allowed[-1]}")
    found = tuple(balancing_index("RBP(p=0.8)", n) for n in range(1, 22))
    yield line("p = 0.8: B(n), n = 1, …, 21", found)
    mended = tuple(closed_forms.rank_biased_precision(n, "0.8") for n in range(1, 22))
    yield line("the mended formula gives the same", mended == found)
    small = {balancing_index(f"RBP(p={p})", n) for p in ("0.3", "0.5") for n in range(1, 61)}
    yield line("p = 0.3, 0.5: B(n) = 1, n ≤ 60", small == {1})
    yield line("p = 0.5, n = 54: exactly, by float logarithms", _one_half(54))
    limits = tuple(closed_forms.rank_biased_precision_limit(p) for p in ("0.8", "0.9", "0.95"))
    yield line("p = 0.8, 0.9, 0.95: B(n) is never above", limits)
    beyond = {balancing_index("RBP(p=0.8)", n) for n in range(21, 101)}
    yield line("p = 0.8: B(n) for n from 21 to 100", tuple(beyond), printed=(8,))
    yield line("p = 0.95: which is almost 60 (58 or 59)", 58 <= limits[2] < 60, said=True)
    for p_, reached in (("0.8", 21), ("0.95", 134)):
        pair = tuple(closed_forms.rank_biased_precision(n, p_) for n in (reached - 1, reached))
        yield line(f"p = {p_}: B({reached - 1}), B({reached})", pair)


def _one_half(n: int) -> tuple[int, int]:
    return closed_forms.rank_biased_precision(n, "1/2"), floor(log(0.5 + 0.5**n) / log(0.5) + 1)


@exhibit("FFM-6-ERR", "FFM-6-ERRtop", where="Section 6, expected reciprocal rank, and Figure 1a, text")
def expected_reciprocal_rank() -> Iterator[Line]:
    """The last b whose tail is worth a document on top; readers lose patience from rank b on, not from rank 1."""
    tenth, lengths = Fraction(1, 10), (1, 2, 3, 5, 10, 20, 50, 100)
    measure = satisfied_by(tenth)
    found = tuple(balancing_index(measure, n) for n in lengths)
    printed = tuple(err_as_printed(n, tenth) for n in lengths)
    yield line(f"x = 1/10: B(n), n = {', '.join(map(str, lengths))}", found, derived=printed, erratum="E12")
    mended = tuple(closed_forms.expected_reciprocal_rank(n, tenth, tenth) for n in lengths)
    yield line("the mended formula gives the same", mended == found)
    halves = {balancing_index("ERR", n) for n in range(1, 61)}
    yield line("x = 1/2: B(n) = 1, n ≤ 60", halves == {1}, said=True)
    yield line("least x with B(n) = 1 for every n", f"{closed_forms.err_threshold():.10f}")
    yield line("grades 1, 2, 3 with x = 1/8, 3/8, 7/8: B(50)", balancing_index("ERR", 50, qmin=1, qmax=3))


@exhibit("FFM-6-nDCG", where="Section 6, normalised discounted cumulated gain")
def discounted_gain() -> Iterator[Line]:
    """Two cases: a tail that begins below the base of the logarithm, and one that begins above it."""
    for base, longest in ((2, 15), (10, 12)):
        for first, last in ((1, base - 1), (base, longest)):
            found = tuple(balancing_index(f"nDCG(b={base})", n) for n in range(first, last + 1))
            printed = tuple(ndcg_as_printed(n, base) for n in range(first, last + 1))
            lengths = f"{first}, …, {last}" if first < last else f"{first}"
            what = f"base {base}, n = {lengths}: B(n)"
            yield line(what, found, derived=printed, erratum="E14" if last < base else "")
        every_n = range(1, longest + 1)
        mended = [closed_forms.discounted_gain(n, base) for n in every_n]
        same = mended == [balancing_index(f"nDCG(b={base})", n) for n in every_n]
        yield line(f"base {base}: the mended formula gives the same", same)


MEASURE = "RBP(p=0.8)"
"""The measure of Figure 1b."""

RANKS = 60
"""How many ranks are simulated for Figure 1b; what lies below has about a millionth of the weight."""

REPETITIONS = 200

SEED = 2015

GENERATORS: Mapping[Literal["fixed", "bernoulli"], str] = MappingProxyType(
    {"bernoulli": "shares by chance", "fixed": "fixed shares"}
)
"""The two ways to place relevant documents, in words."""

BREAKS = (6, 7, 8, 10)
"""Where rates are given: about here they fall."""


@cache
def curve(measure: str) -> Curve:
    """Return a curve of Figure 1a.

    Examples
    --------
    >>> curve("RBP(p=0.8)").points[-1]
    (1000, 8)
    """
    return balancing_curve(measure)


@cache
def told_apart(generator: Literal["fixed", "bernoulli"], break_rank: int) -> float:
    """Return how often a paired t test tells the simulated systems apart, for a point of Figure 1b.

    Examples
    --------
    >>> told_apart("fixed", 0)
    1.0
    """
    # a seed for each point, so that chance does not push all of them to one side
    found = rejection_rate(
        MEASURE, break_rank, repetitions=REPETITIONS, length=RANKS, generator=generator, rng=SEED + break_rank
    )
    return found.rate


@exhibit("FFM-6-Fig1a", where="Figure 1a")
def balancing_curves() -> Iterator[Line]:
    """The balancing index for two grades at 5, 10, 20, 50, 100, 200, 500 and 1,000 ranks."""
    for measure in FIGURE_1A:
        yield line(measure, tuple(index for _, index in curve(measure).points))


@exhibit("FFM-6-interp", where="Section 6, reading of Figure 1a")
def reading_the_curves() -> Iterator[Line]:
    """Near the length of the run the measure counts documents; near 1 it looks at the top."""
    said = {"nDCG(b=2)": False, "AP": False, "RBP(p=0.95)": True, "RBP(p=0.8)": True, "ERR": True}
    for measure, heavy in said.items():
        known = curve(measure)
        yield line(f"{measure}: B(n)/n at n = {LENGTHS[-1]:,}", float(known.share[-1] or 0))
        yield line(f"{measure} is top-heavy", "is top-heavy" in known.reading, said=heavy)


@exhibit("FFM-6-Fig2", where="Figure 2")
def simulated_systems() -> Iterator[Line]:
    """Two systems of 1,000 ranks: alike down to rank rnk, then the first is better to rank 20, the second below."""
    cells = simulated_runs(10, topics=50, rng=SEED).cells
    for ranks, printed in (((1, 10), ("0.2", "0.2")), ((11, 20), ("0.7", "0.3")), ((21, 1000), ("0.1", "0.7"))):
        held = cells[:, :, ranks[0] - 1 : ranks[1]]
        shares = tuple(Fraction(int(each.sum()), each.size) for each in held)
        yield line(f"rnk = 10, ranks {ranks[0]} to {ranks[1]}: shares", shares, printed=printed)
    cells = simulated_runs(8, topics=50, rng=SEED).cells
    for first, last in ((1, 8), (9, 20), (21, 1000)):
        counts = tuple(int(each[0].sum()) for each in cells[:, :, first - 1 : last])
        yield line(f"rnk = 8, ranks {first} to {last}: relevant", counts)


@exhibit("FFM-6-Fig1b", where="Figure 1b")
def how_often_a_test_tells_them_apart() -> Iterator[Line]:
    """A paired t test at 0.05 on 50 topics under RBP(p=0.8): how often it rejects, of 200 pairs of 60 ranks."""
    for break_rank in (0, 5, 8, 10, 15, 16, 20):
        exact = float(expected_difference("0.8", break_rank))
        yield line(f"rnk = {break_rank}: expected difference, 1,000 ranks", round(exact, 4))
    first = next(rank for rank in range(21) if expected_difference("0.8", rank) < 0)
    yield line("the second system is better on average from rnk", first)
    for generator, name in GENERATORS.items():
        rates = tuple(told_apart(generator, break_rank) for break_rank in BREAKS)
        yield line(f"{name}, rnk = {', '.join(map(str, BREAKS))}: rate", rates)


EXHIBITS = (
    the_definition,
    the_chain_of_the_example,
    the_example,
    the_algorithm,
    average_precision,
    rank_biased_precision,
    expected_reciprocal_rank,
    discounted_gain,
    balancing_curves,
    reading_the_curves,
    simulated_systems,
    how_often_a_test_tells_them_apart,
)
