"""Section 4: judged runs, their names in the figures, and the three operations on them.

Grades, gains, judged runs and measures; the names that the paper's figures give to judged runs, where the equations of
its text leave no other choice; and Sections 2, 5 and 6: replacement, projection and swapping, alone and together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import comb
from types import MappingProxyType

from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.judged import Relevance
from measurand.lattice import Poset, RunLattice, antichain, combinations, detours, generated, is_order
from measurand.measures import parse
from measurand.orders import ORDERS, difference, mass, replacements, swaps
from measurand.papers.exhibit import Line, exhibit, line

Run = tuple[int, ...]

SETS: tuple[Run, ...] = tuple(
    tuple(map(int, grades.ljust(5, "0")))
    for grades in (
        *("", "1", "11", "2", "111", "21", "1111", "22", "211", "11111", "221", "2111", "222", "2211", "21111"),
        *("2221", "22111", "2222", "22211", "22221", "22222"),
    )
)
"""The sets of Figure 3, five documents with three grades: r0, r1, …, r20."""

RANKINGS: Mapping[str, Run] = MappingProxyType(
    {
        "r1": (1, 0, 0),
        "r2": (0, 0, 1),
        "r3": (0, 1, 0),
        "r4": (2, 0, 0),
        "r5": (1, 0, 1),
        "r6": (1, 1, 0),
        "r8": (0, 2, 0),
        "r17": (2, 1, 1),
    }
)
"""Those rankings of Figures 5 and 6 that the text names."""


def word(run: Iterable[object]) -> str:
    """Return a run as its grades.

    Examples
    --------
    >>> word((2, 1, 0))
    '210'
    """
    return "".join(map(str, run))


def words(runs: Iterable[Iterable[object]]) -> str:
    """Return some runs as text.

    Examples
    --------
    >>> words([(2, 1), (2, 2)])
    '21 22'
    """
    return " ".join(map(word, runs))


def set_name(run: Run) -> str:
    """Return what Figure 3 calls a set.

    Examples
    --------
    >>> set_name((2, 1, 0, 0, 0))
    'r5'
    """
    return f"r{SETS.index(run)}"


@exhibit("G-4-REL", "G-4-GAIN", "G-4-RUNS", where="Section 4, setting")
def grades_and_runs() -> Iterator[Line]:
    """Grades from a0 to ac, gains that rise with them, and how many judged runs there are."""
    relevance = Relevance.labelled("not relevant", "partly", "highly")
    yield line("grades for c = 2", len(relevance.grades))
    yield line("sets, c = 2, N = 5 (Figure 3)", RunLattice("set-replacement", 5, 3).size)
    yield line("rankings, c = 2, N = 3 (Figures 5 and 6)", RunLattice("replacement", 3, 3).size)
    for gains in ((0, 1, 2), (0, 1, 3), (0, 2, 1), (1, 2, 3)):
        yield line(f"gains {', '.join(map(str, gains))}: allowed", _allowed(relevance, gains))


def _allowed(relevance: Relevance, gains: tuple[int, ...]) -> bool:
    try:
        relevance.gains(*gains)
    except ParameterError:
        return False
    return True


@exhibit("G-D1", "G-R1", where="Definition 1 and Remark 1")
def cumulated_mass() -> Iterator[Line]:
    """Cumulated mass: how many documents have a grade or more, in all and down to a rank."""
    run = (1, 0, 2, 1)
    yield line("1021: documents of a1 or more, of a2 or more", (mass(run, 1), mass(run, 2)))
    yield line("1021: the same down to rank 2", (mass(run, 1, rank=2), mass(run, 2, rank=2)))


@exhibit("G-4-gP", "G-4-gR", "G-4-gRBP", "G-4-DCG", where="Section 4, measures")
def measures() -> Iterator[Line]:
    """Generalized precision and recall, graded rank-biased precision, discounted cumulated gain."""
    precision, recall, ranking = parse("gP(gmax=2)"), parse("gR(gmax=2)"), (2, 0, 1)
    yield line("gP of 201", rational(precision.of(ranking)))
    yield line("gRBP of 201, p = 0.8", rational(parse("gRBP(p=0.8, gmax=2)").of(ranking)))
    yield line("DCG of 201, b = 2", parse("DCG(b=2)").value(ranking))
    few = (2, 1, 0, 0, 0)
    yield line("gP of 21000", rational(precision.of(few)))
    yield line("gR of 21000, recall base 5", rational(recall.of(few, recall_base=5)))
    yield line("gR of 21000, recall base 3", rational(recall.of(few, recall_base=3)))
    for depth, figure in ((5, 4), (3, 7)):
        runs = list(product(range(3), repeat=depth))
        same = all(recall.of(run, recall_base=depth) == precision.of(run) for run in runs)
        yield line(f"Figure {figure}, recall base {depth}: gP and gR are the same", same, said=True)


@exhibit("G-4-LATCLAIM", where="Sections 4, 5.2 and 6.2")
def finite_orders() -> Iterator[Line]:
    """A finite order is said to be a lattice without more ado; four of the five are one."""
    yield line(
        "two elements, neither above the other: a lattice",
        antichain(2).is_lattice().holds,
        derived=True,
        erratum="E-G-1",
    )
    for order in ("set-projection", "set-replacement", "projection", "replacement"):
        yield line(f"{order}, c = 2, N = 3: a lattice", RunLattice(order, 3, 3).poset().is_lattice().holds, said=True)


MADE: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("sets", "replacement"): "set-replacement",
        ("sets", "replacement", "projection"): "set-projection",
        ("ranks", "replacement"): "replacement",
        ("ranks", "replacement", "projection"): "projection",
    }
)
"""The orders that the paper makes of operations; it does not take projection without replacement."""

REJECTED = (("swapping",), ("replacement", "swapping"), ("replacement", "swapping", "projection"))
"""The operations on rankings that the paper rejects, replacement being meant at any rank."""


@exhibit("G-2-OPS", where="Section 2")
def three_operations() -> Iterator[Line]:
    """The three operations on the run 021."""
    yield line("021: after a replacement", words(replacements((0, 2, 1), grades=3)))
    yield line("021: after a swap", words(swaps((0, 2, 1))))
    yield line("102 and 110: the first rank that differs", difference((1, 0, 2), (1, 1, 0)))


@exhibit("G-5-COMB", where="Sections 5 and 6, choice of operations")
def orders_of_operations() -> Iterator[Line]:
    """Which of the five orders the steps of some operations make; they are of use if they make one (c = 2, N = 2)."""
    found = {
        (each.universe, *each.operations): _name(
            generated(each.operations, depth=2, grades=3, universe=each.universe), each.universe
        )
        for each in combinations()
    }
    for steps, said in MADE.items():
        yield line(_on(*steps), found[steps], said=said)
    for steps, order in found.items():
        if steps not in MADE:
            yield line(_on(*steps), order)
    for operations in REJECTED:
        made = found["ranks", *operations] is not None
        yield line(f"{_on('ranks', *operations)}: of use", made, said=False, erratum="E-G-8" if made else "")


def _on(universe: str, *operations: str) -> str:
    return f"{', '.join(operations)} on {universe}"


def _name(poset: Poset, universe: str) -> str | None:
    """Return which of the five orders this is, if it is one of them."""
    for order in ORDERS:
        if order.startswith("set-") == (universe == "sets"):
            runs = RunLattice(order, depth=2, grades=3)
            if all(poset.below(r, s) == runs.below(r, s) for r, s in product(poset, repeat=2)):
                return order
    return None


@exhibit("G-6-SWAPALONE", where="Section 6, swapping alone")
def swapping_alone() -> Iterator[Line]:
    """By swapping alone runs with different documents are never compared."""
    components = generated(["swapping"], depth=3, grades=3).components()
    yield line("c = 2, N = 3: the diagram falls apart", len(components) > 1, said=True)
    yield line("c = 2, N = 3: into so many pieces", len(components))
    yield line("c = 2, N = 3: as many as there are sets", len(components) == comb(3 + 2, 2))
    yield line("c = 2, N = 3: pieces of one run", sum(len(piece) == 1 for piece in components))


@exhibit("G-6-TRANSRED", "G-6-THREE", where="Section 6, rejected combinations")
def rejected() -> Iterator[Line]:
    """A step that can also be made in two is no cover; the paper rejects the operations for it."""
    two, three = ["replacement", "swapping"], ["replacement", "swapping", "projection"]
    yield line(
        "two operations: 000 → 010 → 100 beside 000 → 100", _beside(two, (0, 0, 0), (0, 1, 0), (1, 0, 0)), said=True
    )
    by_two = generated(two, depth=3, grades=2)
    yield line("the two make an order all the same, c = 1, N = 3", is_order(by_two, by_two.below).holds)
    yield line(
        "three operations: 010 → 011 → 100 beside 010 → 100",
        _beside(three, (0, 1, 0), (0, 1, 1), (1, 0, 0)),
        said=True,
    )
    by_three = generated(three, depth=3, grades=2)
    yield line("the three make a chain, c = 1, N = 3", by_three.is_chain().holds)
    yield line("from below", words(by_three))


def _beside(names: list[str], *steps: tuple[int, ...]) -> bool:
    return steps in detours(names, depth=3, grades=2)


EXHIBITS = (grades_and_runs, cumulated_mass, measures, finite_orders)
"""Section 4; the exhibits about operations stand in three places of the paper."""
