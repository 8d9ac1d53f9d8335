"""Sections 6.1 and 6.2: rankings, by projection and by replacement."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from measurand.exact import rational
from measurand.lattice import Poset, RunLattice, is_order
from measurand.measures import Measure, parse
from measurand.orders import Relation, compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.labels import RANKINGS, Run, word, words


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
    """Say whether no grade or more is more frequent in the first of two runs."""
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
    """Say whether any two runs are worth what their join and meet are worth, looking at all of them."""
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


EXHIBITS = (
    by_projection,
    by_replacement,
    parts_of_rankings,
    halves,
    figure_7,
    valuations,
    values_of_rankings,
)
