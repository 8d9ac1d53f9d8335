"""Section 5: sets of documents, by projection and by replacement."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from measurand.exact import rational
from measurand.lattice import Poset, RunLattice
from measurand.measures import parse
from measurand.orders import compare, mass
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.judged_runs import SETS, Run, set_name, word, words

JOINS = ((5, 2, 3), (8, 3, 4), (10, 4, 7), (11, 3, 6), (14, 3, 9), (15, 6, 12), (16, 7, 9), (18, 9, 12))
"""The joins that the paper prints: r5 is that of r2 and r3, and so on."""

VALUES = (
    (5, 2, 3, ("0.2", "0.2", "0.1", "0.3")),
    (8, 3, 4, ("0.2", "0.3", "0.1", "0.4")),
    (10, 4, 7, ("0.3", "0.4", "0.2", "0.5")),
    (11, 3, 6, ("0.2", "0.4", "0.1", "0.5")),
    (13, 6, 7, ("0.4", "0.4", "0.2", "0.6")),
    (14, 3, 9, ("0.2", "0.5", "0.1", "0.6")),
)
"""Values of gP that the paper works out: of two sets, of their meet, and of their join, which is named first.

The paper does not name the two sets for r13; it is the join of no other two join-irreducible sets.
"""


@exhibit("G-5.1-ORD", "G-5.1-CHAIN", "G-5.1-JI", where="Section 5.1")
def by_projection() -> Iterator[Line]:
    """Sets by projection: the highest grade that differs in number decides."""
    yield line("c = 2, N = 2, from below", words(RunLattice("set-projection", 2, 3).poset()))
    runs = RunLattice("set-projection", 3, 3)
    chain = runs.poset()
    yield line("c = 2, N = 3: a chain", chain.is_chain().holds, said=True)
    yield line("c = 2, N = 3: distributive", chain.is_distributive().holds, said=True)
    yield line("c = 2, N = 3: sets and edges", (len(chain), len(chain.edges())))
    valuation = chain.is_valuation(lambda run: (5 * run[0] - 7 * run[1]) ** 2)
    yield line("any function is a valuation, such as (5x − 7y)²", valuation.holds)
    large = RunLattice("set-projection", 5, 3)
    below = large.poset().elements[1:]
    irreducible = large.poset().join_irreducibles()
    yield line("c = 2, N = 5: all but the bottom are irreducible", tuple(irreducible) == below, said=True)
    yield line("c = 2, N = 5: so many, C(N + c, c) − 1", len(irreducible))


@exhibit("G-5.2-ORD", "G-P1", where="Section 5.2, Proposition 1")
def by_replacement() -> Iterator[Line]:
    """Sets by replacement: join and meet take the higher and the lower grade, document by document."""
    yield line("220 against 300", compare((2, 2, 0), (3, 0, 0), "set-replacement"), said="incomparable")
    runs = RunLattice("set-replacement", 3, 3)
    pairs = list(product(runs.poset(), repeat=2))
    counted = all(runs.below(r, s) == all(mass(r, a) <= mass(s, a) for a in (1, 2)) for r, s in pairs)
    yield line("c = 2, N = 3: below = no greater mass at any grade", counted, said=True)
    yield line("join of 200 and 111", word(runs.join((2, 0, 0), (1, 1, 1))))
    yield line("meet of 200 and 111", word(runs.meet((2, 0, 0), (1, 1, 1))))
    poset = runs.poset()
    joins = all(poset.join(r, s) == tuple(map(max, r, s)) for r, s in pairs)
    meets = all(poset.meet(r, s) == tuple(map(min, r, s)) for r, s in pairs)
    yield line("highest and lowest grades, all pairs, c = 2, N = 3", joins and meets, said=True)


@exhibit("G-F2", where="Figure 2")
def figure_2() -> Iterator[Line]:
    """Sets of two documents with three grades."""
    poset = RunLattice("set-replacement", 2, 3).poset()
    yield line("sets and edges", (len(poset), len(poset.edges())))
    edges = " ".join(sorted(f"{word(low)}-{word(high)}" for low, high in poset.edges()))
    yield line("edges", edges)


@exhibit("G-P2", "G-P3", where="Section 5.2, Propositions 2 and 3")
def parts_of_sets() -> Iterator[Line]:
    """The lattice of sets distributes; join-irreducible are the sets of one grade."""
    for c, depth in ((1, 5), (2, 5), (3, 4)):
        runs = RunLattice("set-replacement", depth, c + 1)
        alike = {(v,) * m + (0,) * (depth - m) for v in range(1, c + 1) for m in range(1, depth + 1)}
        case = f"c = {c}, N = {depth}"
        yield line(f"{case}: distributive", runs.poset().is_distributive().holds, said=True)
        same = set(runs.poset().join_irreducibles()) == alike
        yield line(f"{case}: irreducible = of one grade, and zeros", same, said=True)
        yield line(f"{case}: so many, c·N", len(runs.join_irreducibles()), derived=c * depth)
    runs = RunLattice("set-replacement", 3, 3)
    descendants = runs.covered((1, 1, 0))
    yield line("110, two documents above a0: two descendants", len(descendants) == 2, said=True, erratum="E-G-12")
    yield line("descendants of 110", words(descendants))


@exhibit("G-F3", "G-3-HASSE", where="Figure 3")
def figure_3() -> Iterator[Line]:
    """Sets of five documents with three grades, and which of them are join-irreducible."""
    diagram = RunLattice("set-replacement", 5, 3).hasse()
    yield line("sets and edges", (len(diagram.nodes), len(diagram.edges)))
    irreducible = [node.element for node in diagram.nodes if node.irreducible]
    yield line("join-irreducible sets", len(irreducible), derived=10)
    names = " ".join(f"r{number}" for number in sorted(map(SETS.index, irreducible)))
    yield line("they are", names)
    yield line("sets in a level, from below", diagram.level_sizes)


@exhibit("G-5.2-JOINS", "G-5.2-GRAPH", "G-5.2-MEETJI", where="Section 5.2, equations after Figure 3")
def printed_joins() -> Iterator[Line]:
    """Sets as joins of join-irreducible sets, read off the diagram."""
    runs = RunLattice("set-replacement", 5, 3)
    for number, one, other in JOINS:
        yield line(f"r{one} ∨ r{other}", set_name(runs.join(SETS[one], SETS[other])), printed=f"r{number}")
    for one, other in ((6, 7), (9, 17)):
        yield line(f"r{one} ∨ r{other}", set_name(runs.join(SETS[one], SETS[other])))
    poset = runs.poset()
    first = {(x, y): _meeting(poset, x, y) for x, y in combinations(SETS, 2)}
    yield line("paths upwards from r2 and r3 meet first in", set_name(first[SETS[2], SETS[3]]))
    joins = all(run == runs.join(x, y) for (x, y), run in first.items())
    yield line("joins are where paths meet first, all pairs", joins, said=True)
    irreducible = runs.join_irreducibles()
    meets = all(runs.meet(x, y) in irreducible for x, y in combinations(irreducible, 2))
    yield line("meets of irreducible sets are so too, all pairs", meets, said=True)


def _meeting(poset: Poset, x: Run, y: Run) -> Run:
    """Return the least of all sets above both."""
    common: tuple[Run, ...] = poset.upper_bounds([x, y])
    return next(run for run in common if all(poset.below(run, other) for other in common))


@exhibit("G-F4", where="Figure 4")
def figure_4() -> Iterator[Line]:
    """Generalized precision of the sets of Figure 3: in the equations of the text, or by the formula of Section 4."""
    printed = {1: "0.1"}  # the text names it as the meet of r2 and r3
    for number, one, other, (first, second, _, total) in VALUES:
        printed |= {one: first, other: second, number: total}
    precision = parse("gP(gmax=2)")
    for number, run in enumerate(SETS):
        what, ours = f"gP of r{number} = {word(run)}", rational(precision.of(run))
        if number in printed:
            yield line(what, ours, printed=printed[number])
        else:
            yield line(what, ours, derived=Fraction(1, 5) * Fraction(sum(run), 2))


@exhibit("G-P4", "G-5.2-REC", "G-5.2-VALS", where="Section 5.2, Proposition 4")
def values_of_sets() -> Iterator[Line]:
    """Generalized precision and recall are valuations on the sets of Figure 3, so that ten values tell the others."""
    runs, precision = RunLattice("set-replacement", 5, 3), parse("gP(gmax=2)")
    poset, recall = runs.poset(), parse("gR(gmax=2)")
    yield line("gP is a valuation", poset.is_valuation(precision.of).holds, said=True)
    graded = poset.is_valuation(lambda run: recall.of(run, recall_base=7))
    yield line("gR is a valuation (recall base 7)", graded.holds, said=True)
    squares = precision(gain={1: 1, 2: 4})
    yield line("gP with squares as gains is a valuation", poset.is_valuation(squares.of).holds, derived=True)
    for number, one, other, printed in VALUES:
        meet = runs.meet(SETS[one], SETS[other])
        first, second, shared = (rational(precision.of(run)) for run in (SETS[one], SETS[other], meet))
        terms = first, second, shared, first + second - shared
        yield line(f"gP of r{number}: r{one}, r{other}, less {set_name(meet)}, makes", terms, printed=printed)
    table = {run: precision.of(run) for run in runs.join_irreducibles()}
    again = all(runs.value(run, table) == precision.of(run) for run in SETS)
    yield line("gP of all 21 sets, from the ten irreducible ones", again, said=True)


EXHIBITS = (
    by_projection,
    by_replacement,
    figure_2,
    parts_of_sets,
    figure_3,
    printed_joins,
    figure_4,
    values_of_sets,
)
