"""Section 4: grades, gains, judged runs, and the measures that the paper looks at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.judged import Relevance
from measurand.lattice import RunLattice, antichain
from measurand.measures import parse
from measurand.orders import mass
from measurand.papers.exhibit import Line, exhibit, line


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


EXHIBITS = (grades_and_runs, cumulated_mass, measures, finite_orders)
