"""Section 7 and the appendix: how few values tell all others, and what can be made of that."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import log
from operator import add

from measurand.exact import rational
from measurand.lattice import RunLattice
from measurand.measures import parse
from measurand.orders import ORDERS, compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.judged_runs import RANKINGS, Run, word


@exhibit("G-7-COUNT", "G-7-300", where="Section 7, number of values")
def counts() -> Iterator[Line]:
    """How many judged runs there are, and how many values fix a valuation on them."""
    for grades, depth in ((2, 4), (3, 3)):
        runs, case = RunLattice("replacement", depth, grades), f"c = {grades} grades, N = {depth}"
        yield line(f"{case}: rankings, c^N", len(runs.poset()), derived=grades**depth)
        irreducible = len(runs.poset().join_irreducibles())
        yield line(f"{case}: irreducible, c·N", irreducible, derived=grades * depth, erratum="E-G-9")
    large = RunLattice("replacement", 100, 3)
    yield line("3 grades, N = 100: there are 3^100 rankings", large.size == 3**100, said=True)
    yield line("3 grades, N = 100: irreducible rankings", len(large.join_irreducibles()), printed=300, erratum="E-G-9")


@exhibit("G-7-DEFINE", where="Section 7, measures from values")
def measures_from_values() -> Iterator[Line]:
    """Any values on the join-irreducible runs make a measure, though not always one that keeps the order."""
    sets = RunLattice("set-replacement", 2, 3)
    odd = sets.extend({(1, 0): "0.5", (1, 1): "0.5", (2, 0): "0.5", (2, 2): "0.4"})
    yield line("sets, table 10, 11, 20: 0.5, 22: 0.4: a valuation", sets.is_valuation(odd).holds, said=True)
    yield line("sets: values of 21 and 22", tuple(rational(odd.of(run)) for run in ((2, 1), (2, 2))))
    yield line("sets: it keeps the order", odd.isotone.holds)
    ranks = RunLattice("replacement", 2, 3)
    good = ranks.extend({(1, 0): "0.4", (2, 0): "0.7", (0, 1): "0.1", (0, 2): "0.3"})
    values = tuple(rational(good.of(run)) for run in ((2, 1), (1, 2), (2, 2)))
    yield line("rankings, a table that rises: values of 21, 12, 22", values)
    yield line("rankings: it keeps the order", good.isotone.holds)


@exhibit("G-7-R468", where="Section 7, example of r4, r6, r8")
def three_runs() -> Iterator[Line]:
    """Three rankings that precision and discounted gain do not tell apart."""
    runs = [RANKINGS[name] for name in ("r4", "r6", "r8")]
    yield line("the runs", tuple(map(word, runs)))
    precision, gain, biased = parse("gP(gmax=2)"), parse("DCG(b=2)"), parse("gRBP(p=0.8, gmax=2)")
    yield line("gP is the same", len({precision.of(run) for run in runs}) == 1, said=True)
    yield line("gP", tuple(rational(precision.of(run)) for run in runs))
    yield line("DCG is the same (no base is named), b = 2", len({gain.of(run) for run in runs}) == 1, said=True)
    yield line("DCG, b = 2", tuple(gain.value(run) for run in runs))
    steep = tuple(_discounted(run, 1.5) for run in runs)
    yield line("DCG is the same by its formula with b = 1.5", len(set(steep)) == 1)
    yield line("DCG by its formula, b = 1.5", steep)
    values = tuple(rational(biased.of(run)) for run in runs)
    yield line("gRBP, p = 0.8: r6 is between r8 and r4", values[0] > values[1] > values[2], said=True)
    yield line("gRBP, p = 0.8", values)
    between = all(compare(one, other, "replacement") == "greater" for one, other in pairwise(runs))
    yield line("r6 is between r8 and r4 in Figure 5", between, said=True, erratum="E-G-14")
    for order in ("replacement", "projection"):
        relations = tuple(str(compare(one, other, order)) for one, other in combinations(runs, 2))
        yield line(f"r4 to r6, r4 to r8, r6 to r8, by {order}", relations)


def _discounted(run: Run, base: float) -> float:
    """Return discounted cumulated gain by the paper's formula, also for bases below 2, which measurand refuses."""
    return sum(grade / max(1.0, log(rank, base)) for rank, grade in enumerate(run, start=1))


@exhibit("G-7-BOUND", "G-7-METRIC", where="Section 7, bounds and distances")
def between_runs() -> Iterator[Line]:
    """The join of two runs bounds what either is worth; join and meet tell how far they are apart."""
    runs, r4, r6 = RunLattice("replacement", 3, 3), RANKINGS["r4"], RANKINGS["r6"]
    yield line("r4 ∨ r6", word(runs.join(r4, r6)))
    for spelling in ("gP", "gRBP(p=0.8)", "DCG(b=2)"):
        yield line(f"{spelling} of r4 ∨ r6, a bound", rational(runs.bounds(spelling, r4, r6).high))
    yield line("distance of r4 and r6, by gP", rational(runs.distance("gP", r4, r6)))
    for order, depth in (("replacement", 3), ("set-replacement", 4)):
        distance = RunLattice(order, depth, 3).is_distance("gP")
        yield line(f"{order}, c = 2, N = {depth}: gP makes a distance", distance.holds)
    yield line("swap, c = 1, N = 4: AP makes a distance", RunLattice("swap", 4, 2).is_distance("AP").holds)
    yield line(
        "replacement, c = 1, N = 3: AP makes a distance", RunLattice("replacement", 3, 2).is_distance("AP").holds
    )


@exhibit("G-7-STATIC", "G-7-ISO", where="Section 7, user models")
def user_models() -> Iterator[Line]:
    """A reader whose going on depends on the rank alone makes a valuation; and which measures keep which order."""
    valuation = RunLattice("replacement", 3, 3).poset().is_valuation(_static)
    yield line("1, 2/3, 1/2 reach ranks 1, 2, 3: a valuation, c = 2", valuation.holds, said=True)
    for order in ORDERS:
        runs = RunLattice(order, 4, 2)
        kept = [spelling for spelling in ("P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "RR") if runs.is_isotone(spelling)]
        yield line(f"{order}, c = 1, N = 4: order kept by", ", ".join(kept))


def _static(run: Run) -> Fraction:
    """Return what a reader gains who goes on with a probability that depends on the rank."""
    reached = (Fraction(1), Fraction(2, 3), Fraction(1, 2))
    return sum((chance * Fraction(grade, 2) for chance, grade in zip(reached, run, strict=True)), Fraction(0))


@exhibit("G-A", "G-5.2-COVER", "G-6.2-COVER", where="Appendix")
def appendix() -> Iterator[Line]:
    """What the proofs use: covers are one grade higher at one place, and join and meet add up to the two runs."""
    for order in ("set-replacement", "replacement"):
        runs = RunLattice(order, 3, 3)
        poset = runs.poset()
        covers = all(set(poset.covers(run)) == {high for high in _raised(run) if high in poset} for run in poset)
        yield line(f"{order}, c = 2, N = 3: covers are +1 once", covers, said=True)
        kept = all(_added(poset.join(x, y), poset.meet(x, y)) == _added(x, y) for x, y in combinations(poset, 2))
        yield line(f"{order}, c = 2, N = 3: x∨y + x∧y = x + y", kept, said=True)


def _raised(run: Run) -> list[Run]:
    """Return a run with one grade higher by one, for every place."""
    return [(*run[:place], grade + 1, *run[place + 1 :]) for place, grade in enumerate(run)]


def _added(x: Run, y: Run) -> Run:
    return tuple(map(add, x, y))


EXHIBITS = (counts, measures_from_values, three_runs, between_runs, user_models, appendix)
