"""Section 6: lattices of rankings.

Sections 6.1 and 6.2: by projection and by replacement. Section 6.3: by replacement and swapping, the order in which
most of the paper's trouble lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from measurand.exact import Exact, rational
from measurand.lattice import Poset, RunLattice, closest_bounds, generated, is_order
from measurand.measures import Measure, parse
from measurand.orders import Relation, compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.judged_runs import RANKINGS, Run, word, words


def rankings() -> RunLattice:
    """Return the rankings of Figures 5 to 7, three grades at three ranks.

    Examples
    --------
    >>> rankings().size
    27
    """
    return RunLattice("replacement", depth=3, grades=3)


@exhibit("G-6.1-ORD", where="Section 6.1")
def by_projection() -> Iterator[Line]:
    """Rankings by projection: the first rank that differs decides, as in a dictionary."""
    chain = RunLattice("projection", 3, 2)
    yield line("c = 1, N = 3, from below", words(chain.poset()))
    yield line("c = 1, N = 3: a chain", chain.poset().is_chain().holds, said=True)
    irreducible = tuple(chain.poset().join_irreducibles())
    alone = irreducible == chain.poset().elements[1:]
    yield line("c = 1, N = 3: all but the bottom are irreducible", alone, said=True)
    yield line("c = 1, N = 3: so many, (c + 1)^N − 1", len(irreducible))


@exhibit("G-6.2-ORD", "G-R2", "G-6.2-POSET", where="Section 6.2, definition and Remark 2")
def by_replacement() -> Iterator[Line]:
    """Rankings by replacement: the box counts whole runs, Remark 2 compares them rank by rank."""
    runs = RunLattice("replacement", 2, 2).poset()
    boxed = is_order(runs, _boxed)
    yield line("the box makes an order (but 01 ≤ 10 ≤ 01)", boxed.holds, said=True, erratum="E-G-6")
    yield line("100 against 010, rank by rank", compare((1, 0, 0), (0, 1, 0), "replacement"), said="incomparable")
    for c, depth in ((1, 5), (2, 3), (3, 3)):
        ranks = list(product(range(c + 1), repeat=depth))
        order = is_order(ranks, lambda r, s: all(map(int.__le__, r, s)))
        yield line(f"rank by rank, c = {c}, N = {depth}: an order", order.holds, said=True)


def _boxed(r: Run, s: Run) -> bool:
    """Return whether no grade or more is more frequent in the first of two runs."""
    return compare(r, s, "set-replacement") in (Relation.LESS, Relation.EQUAL)


@exhibit("G-P5", "G-P6", "G-P7", "G-6.2-MEETJI", where="Section 6.2, Propositions 5 to 7")
def parts_of_rankings() -> Iterator[Line]:
    """Joins and meets rank by rank; the lattice distributes; irreducible is one document alone (c = 2, N = 3)."""
    runs, poset = rankings(), rankings().poset()
    yield line("join of 201 and 110", word(runs.join((2, 0, 1), (1, 1, 0))))
    yield line("meet of 201 and 110", word(runs.meet((2, 0, 1), (1, 1, 0))))
    pairs = list(product(poset, repeat=2))
    joins = all(poset.join(r, s) == tuple(map(max, r, s)) for r, s in pairs)
    meets = all(poset.meet(r, s) == tuple(map(min, r, s)) for r, s in pairs)
    yield line("highest and lowest grade at every rank, all pairs", joins and meets, said=True)
    yield line("distributive", poset.is_distributive().holds, said=True)
    alone = {run for run in poset if sum(grade > 0 for grade in run) == 1}
    yield line("irreducible = one relevant document", set(poset.join_irreducibles()) == alone, said=True)
    yield line("so many, c·N", len(runs.join_irreducibles()), derived=6)
    irreducible = runs.join_irreducibles()
    again = all(runs.meet(x, y) in irreducible for x, y in combinations(irreducible, 2))
    yield line("meets of irreducible runs are so too (100 and 010)", again, said=True, erratum="E-G-11")
    yield line("meet of 100 and 010", word(runs.meet((1, 0, 0), (0, 1, 0))))


@exhibit("G-F5", "G-F6", where="Figures 5 and 6")
def halves() -> Iterator[Line]:
    """Rankings of three documents with three grades, drawn in two halves."""
    poset = rankings().poset()
    for name, grades in (("lower", (0, 1)), ("upper", (1, 2))):
        half = poset.induced(run for run in poset if run[-1] in grades)
        yield line(f"{name} half: runs and edges", (len(half), len(half.edges())))
        yield line(f"{name} half: cubes", _cubes(half), said=4)
    shared = poset.induced(run for run in poset if run[-1] == 1)
    yield line("in both halves: runs and edges", (len(shared), len(shared.edges())))
    yield line("together: runs and edges", (len(poset), len(poset.edges())))
    yield line("together: join-irreducible runs", len(poset.join_irreducibles()), derived=6)
    yield line("runs in a level, from below", tuple(map(len, poset.levels())))


def _cubes(poset: Poset) -> int:
    """Return how many intervals are cubes."""
    intervals = (poset.interval(x, y) for x, y in product(poset, repeat=2))
    shapes = (poset.induced(part) for part in intervals if len(part) == 8)
    return sum(tuple(map(len, shape.levels())) == (1, 3, 3, 1) for shape in shapes)


@exhibit("G-F7", where="Figure 7")
def figure_7() -> Iterator[Line]:
    """Generalized precision of the rankings of Figures 5 and 6, level by level, by the formula of Section 4."""
    precision, levels = parse("gP(gmax=2)"), rankings().poset().levels()
    for level in levels:
        alike = {rational(precision.of(run)) for run in level}
        formula = Fraction(1, 3) * Fraction(sum(level[0]), 2)
        yield line(f"gP of {words(level)}", alike.pop() if len(alike) == 1 else None, derived=formula)


@exhibit("G-P8", where="Section 6.2, Proposition 8")
def valuations() -> Iterator[Line]:
    """Sums over ranks are valuations on rankings by replacement; AP, RR and ERR are not."""
    runs = rankings()
    for spelling in ("gP(gmax=2)", "gR(gmax=2)", "gRBP(p=0.8, gmax=2)", "DCG(b=2)"):
        measure = parse(spelling)
        yield line(f"c = 2, N = 3: {measure.name} is a valuation", _adds_up(runs, measure), said=True)
    binary = RunLattice("replacement", 3, 2)
    cases = (("AP", (1, 0, 0), (0, 1, 1)), ("RR", (1, 0, 0), (0, 1, 0)), ("ERR", (1, 0, 0), (0, 1, 1)))
    for name, x, y in cases:
        measure = parse(name)
        yield line(f"c = 1, N = 3: {name} is a valuation", _adds_up(binary, measure))
        four = (x, y, binary.join(x, y), binary.meet(x, y))
        first, second, join, meet = (rational(measure.of(run, recall_base=3)) for run in four)
        excess = first + second - join - meet
        yield line(f"{name}: {word(x)} and {word(y)} exceed join and meet by", excess)


def _adds_up(runs: RunLattice, measure: Measure) -> bool:
    """Return whether any two runs are worth what their join and meet are worth, looking at all of them."""
    return runs.poset().is_valuation(lambda run: measure.of(run, recall_base=runs.depth)).holds


@exhibit("G-6.2-REC", where="Section 6.2, values from join-irreducible runs")
def values_of_rankings() -> Iterator[Line]:
    """The value of a ranking adds up over its relevant documents."""
    runs, precision = rankings(), parse("gP(gmax=2)")
    for name, printed in (("r5", ("0.166", "0.166", "0.333")), ("r17", ("0.333", "0.166", "0.166", "0.666"))):
        parts = [rational(precision.of(part)) for part in runs.decompose(RANKINGS[name])]
        yield line(
            f"gP of {name} = {word(RANKINGS[name])}: parts, sum; digits cut",
            tuple(map(_cut, [*parts, sum(parts, Fraction(0))])),
            printed=printed,
        )
    biased = parse("gRBP(p=0.8, gmax=2)")
    parts = [rational(biased.of(part)) for part in runs.decompose((2, 0, 1))]
    yield line("gRBP of 201, p = 0.8: parts and sum", (*parts, sum(parts, Fraction(0))))
    again = all(runs.value(run, biased) == biased.of(run) for run in runs.poset())
    yield line("gRBP of all 27 runs, from six values", again, said=True)


def _cut(value: Fraction) -> str:
    """Return the first three decimals; the paper does not round here."""
    return f"0.{int(value * 1000):03d}"


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
    """Where swapping counts, measures need not be fixed by the join-irreducible runs; with two grades many are."""
    runs, longer = RunLattice("swap", 6, 2), RunLattice("swap", 10, 2)
    yield line("c = 1, N = 6: runs, and join-irreducible ones", (runs.size, len(runs.join_irreducibles())))
    for spelling in ("P", "R", "RBP", "DCG", "AP", "RR", "ERR", "OIE"):
        yield line(f"c = 1, N = 6: {spelling} is fixed by them", _fixed(runs, parse(spelling)))
    yield line("c = 1, N = 10: runs, and join-irreducible ones", (longer.size, len(longer.join_irreducibles())))
    yield line("c = 1, N = 10: AP is fixed by them", _fixed(longer, parse("AP")))


def _fixed(runs: RunLattice, measure: Measure) -> bool:
    """Return whether a valuation with the same values on the join-irreducible runs and the bottom is the same."""

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
        yield line(f"c = 2, N = 3: {measure.name} is fixed by them", _fixed(graded, measure))
    fixed = _fixed(graded, parse("ERR(gmax=2)"))
    yield line("c = 2, N = 3: ERR is fixed by them", fixed)
    yield line("so every measure is, necessarily", fixed, said=False)


def _is_block(run: Run) -> bool:
    """Return whether the documents of a run that are relevant have one grade and stand together."""
    found = [rank for rank, grade in enumerate(run) if grade]
    return len({run[rank] for rank in found}) == 1 and found == list(range(found[0], found[-1] + 1))


EXHIBITS = (
    by_projection,
    by_replacement,
    parts_of_rankings,
    halves,
    figure_7,
    valuations,
    values_of_rankings,
    by_swapping,
    incomparable_runs,
    pentagon,
    lattice_or_not,
    binary_runs,
    determination,
    completion,
)
