"""Section 6.3: rankings by replacement and swapping, the order in which most of the paper's trouble lies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb

from measurand.exact import Exact
from measurand.lattice import Poset, RunLattice, closest_bounds, generated
from measurand.measures import Measure, parse
from measurand.orders import compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.labels import Run, word, words


@exhibit("G-6.3-ORD", where="Section 6.3, definition")
def by_swapping() -> Iterator[Line]:
    """One run is below another if it has no greater cumulated mass at any rank and grade."""
    yield line("02 against 12", compare((0, 2), (1, 2)))
    yield line("200 against 110", compare((2, 0, 0), (1, 1, 0)))
    poset = RunLattice("swap", 3, 3).poset()
    yield line("c = 2, N = 3: ordered pairs", int(poset.leq.sum()))
    apart = sum(compare(r, s) == "incomparable" for r, s in combinations(poset, 2))
    yield line("c = 2, N = 3: pairs that are incomparable", apart)
    steps = ["replacement", "swapping"]
    for depth in (2, 3):
        boxed = RunLattice("swap", depth, 3).poset()
        last = generated(steps, depth, grades=3, replace="last")
        case = f"c = 2, N = {depth}"
        yield line(f"{case}: last rank replaced, swaps: the box", _alike(last, boxed), said=True, erratum="E-G-7")
        yield line(f"{case}: ordered pairs then, and in the box", (int(last.leq.sum()), int(boxed.leq.sum())))
        yield line(f"{case}: any rank replaced, swaps: the box", _alike(generated(steps, depth, grades=3), boxed))
    smaller = generated(steps, 2, grades=3, replace="last")
    yield line("02 against 12, by last rank replaced and swaps", smaller.compare((0, 2), (1, 2)))


def _alike(one: Poset, other: Poset) -> bool:
    return all(one.below(r, s) == other.below(r, s) for r, s in product(one, repeat=2))


@exhibit("G-6.3-EX", where="Section 6.3, incomparable runs")
def incomparable_runs() -> Iterator[Line]:
    """Two runs that are said to be incomparable."""
    yield line("221 against 220", compare((2, 2, 1), (2, 2, 0)), said="incomparable", erratum="E-G-5")
    yield line("211 against 220, probably meant", compare((2, 1, 1), (2, 2, 0)))


@exhibit("G-6.3-N5", where="Section 6.3, interval of R(3)")
def pentagon() -> Iterator[Line]:
    """An interval is said to be the pentagon, so that the order does not distribute."""
    poset = RunLattice("swap", 3, 3).poset()
    interval = poset.interval((2, 1, 1), (2, 2, 1))
    five = poset.induced(interval).find("N5")
    yield line("from 211 to 221: the pentagon N5", five is not None, said=True, erratum="E-G-4")
    yield line("from 211 to 221: the runs", words(interval))
    yield line("from 211 to 221: a chain", poset.induced(interval).is_chain().holds)
    yield line(
        "from 210 to 221: looks like N5", poset.induced(poset.interval((2, 1, 0), (2, 2, 1))).find("N5") is not None
    )
    lower = poset.maximal_lower_bounds([(2, 1, 2), (2, 2, 0)])
    yield line("but 212 and 220 have no meet: closest bounds", words(lower))
    intervals = [part for part in (poset.interval(x, y) for x, y in product(poset, repeat=2)) if len(part) == 5]
    alike = sum(poset.induced(part).find("N5") is not None for part in intervals)
    yield line("c = 2, N = 3: intervals that look like N5", alike)
    found = poset.find("N5") or poset.find("M3")
    yield line("c = 2, N = 3: N5 or M3 is a sublattice", found is not None, said=True, erratum="E-G-4")


@exhibit("G-6.3-LAT", where="Section 6.3, lattice")
def lattice_or_not() -> Iterator[Line]:
    """With three grades or more some runs have no join; with two the order is a distributive lattice."""
    for c, depth in ((2, 2), (2, 3), (3, 2)):
        runs = RunLattice("swap", depth, c + 1)
        holds = runs.poset().is_lattice().holds
        yield line(f"c = {c}, N = {depth}: a lattice", holds, said=True, erratum="E-G-2")
        pairs = list(combinations(runs.poset(), 2))
        without = sum(len(closest_bounds(r, s).above) > 1 for r, s in pairs)
        yield line(f"c = {c}, N = {depth}: pairs without a join", without)
    yield line("02 and 10: minimal upper bounds", words(closest_bounds((0, 2), (1, 0)).above))
    yield line("c = 1, N = 6: a lattice", RunLattice("swap", 6, 2).poset().is_lattice().holds, said=True)
    distributive = RunLattice("swap", 6, 2).poset().is_distributive().holds
    yield line("c = 1, N = 6: distributive", distributive)


@exhibit("G-6.3-BIN", where="Section 6.3, with two grades (our addition)")
def binary_runs() -> Iterator[Line]:
    """With two grades joins and meets are the greater and smaller numbers of relevant documents down to each rank."""
    runs = RunLattice("swap", 4, 2)
    yield line("join of 1001 and 0110", word(runs.join((1, 0, 0, 1), (0, 1, 1, 0))))
    yield line("meet of 1001 and 0110", word(runs.meet((1, 0, 0, 1), (0, 1, 1, 0))))
    yield line("10110 is the join of", words(RunLattice("swap", 5, 2).decompose((1, 0, 1, 1, 0))))
    yield line("N = 5: join-irreducible runs, N(N + 1)/2", len(RunLattice("swap", 5, 2).join_irreducibles()))
    pairs = int(RunLattice("swap", 5, 2).poset().leq.sum())
    yield line("N = 5: ordered pairs, and C(2N + 1, N)", (pairs, comb(11, 5)))


@exhibit("G-6.3-MARKOV", where="Abstract, Sections 6.3 and 7")
def determination() -> Iterator[Line]:
    """Swapping is said to end the rule of the join-irreducible runs; with two grades it does not."""
    runs, longer = RunLattice("swap", 6, 2), RunLattice("swap", 10, 2)
    yield line("c = 1, N = 6: runs, and join-irreducible ones", (runs.size, len(runs.join_irreducibles())))
    for spelling in ("P", "R", "RBP", "DCG"):
        told = _fixed(runs, parse(spelling))
        yield line(f"c = 1, N = 6: {spelling} is fixed by them", told, said=False, erratum="E-G-3")
    for spelling in ("AP", "RR", "ERR", "OIE"):
        yield line(f"c = 1, N = 6: {spelling} is fixed by them", _fixed(runs, parse(spelling)))
    yield line("c = 1, N = 10: runs, and join-irreducible ones", (longer.size, len(longer.join_irreducibles())))
    yield line("c = 1, N = 10: AP is fixed by them", _fixed(longer, parse("AP")))


def _fixed(runs: RunLattice, measure: Measure) -> bool:
    """Say whether a valuation with the same values on the join-irreducible runs and the bottom is the same."""

    def value(run: Run) -> Exact:
        return measure.of(run, recall_base=runs.depth)

    made = runs.extend({run: value(run) for run in runs.join_irreducibles()}, bottom=value(runs.bottom))
    return all(made.of(run) == value(run) for run in product(range(runs.grades), repeat=runs.depth))


@exhibit("G-6.3-DM", where="Section 6.3, with more grades (our addition)")
def completion() -> Iterator[Line]:
    """With more grades the order has a smallest lattice around it, which distributes."""
    for c, depth in ((2, 2), (2, 3), (3, 2)):
        runs = RunLattice("swap", depth, c + 1)
        whole, case = runs.poset().completion(), f"c = {c}, N = {depth}"
        yield line(f"{case}: runs, and elements of the completion", (runs.size, len(whole)))
        yield line(f"{case}: the completion is distributive", whole.is_distributive().holds)
        yield line(f"{case}: join-irreducible, c·N(N + 1)/2", len(runs.join_irreducibles()))
    yield line(
        "02 ∨ 10 in the completion lies", str(RunLattice("swap", 2, 3).poset().completion().join((0, 2), (1, 0)))
    )
    graded = RunLattice("swap", 3, 3)
    yield line(
        "c = 2, N = 3: irreducible runs are blocks of one grade", all(map(_is_block, graded.join_irreducibles()))
    )
    for spelling in ("gP(gmax=2)", "gRBP(p=0.8, gmax=2)", "DCG(b=2)"):
        measure = parse(spelling)
        yield line(
            f"c = 2, N = 3: {measure.name} is fixed by them", _fixed(graded, measure), said=False, erratum="E-G-3"
        )
    yield line("c = 2, N = 3: ERR is fixed by them", _fixed(graded, parse("ERR(gmax=2)")))


def _is_block(run: Run) -> bool:
    """Say whether the documents of a run that are relevant have one grade and stand together."""
    found = [rank for rank, grade in enumerate(run) if grade]
    return len({run[rank] for rank in found}) == 1 and found == list(range(found[0], found[-1] + 1))


EXHIBITS = (
    by_swapping,
    incomparable_runs,
    pentagon,
    lattice_or_not,
    binary_runs,
    determination,
    completion,
)
