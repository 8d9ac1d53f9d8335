"""Section 6: the balancing index, its example, and the algorithm that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from measurand.axioms.balance import balancing_index, extremes
from measurand.judged import Relevance
from measurand.measures import Measure, define, parse
from measurand.orders import compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, is_refused, run, worth

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


EXHIBITS = (the_definition, the_chain_of_the_example, the_example, the_algorithm)
