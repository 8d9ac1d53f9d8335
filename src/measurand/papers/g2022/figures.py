"""The figures of the paper, drawn anew."""

from __future__ import annotations

from attrs import evolve

from measurand.lattice import M3, N5, Hasse, Node, RunLattice
from measurand.measures import Measure, parse
from measurand.papers.exhibit import Drawing
from measurand.papers.g2022.judged_runs import SETS, word
from measurand.papers.g2022.rankings import rankings

PRECISION: Measure = parse("gP(gmax=2)")
"""The measure of Figures 4 and 7."""


def pentagon() -> Hasse:
    """Return the diagram of N5.

    Examples
    --------
    >>> pentagon().level_sizes
    (1, 2, 1, 1)
    """
    return Hasse.of(N5, title="Pentagon N5")


def diamond() -> Hasse:
    """Return the diagram of M3.

    Examples
    --------
    >>> diamond().level_sizes
    (1, 3, 1)
    """
    return Hasse.of(M3, title="Diamond M3")


def pairs() -> Hasse:
    """Return the diagram of the sets of two documents with three grades.

    Examples
    --------
    >>> len(pairs().edges)
    6
    """
    return RunLattice("set-replacement", depth=2, grades=3).hasse()


def sets(measure: Measure | None = None) -> Hasse:
    """Return the diagram of the sets of five documents with three grades, named as in the paper.

    Examples
    --------
    >>> sets().nodes[1].label
    'r1 10000'
    """
    drawn = RunLattice("set-replacement", depth=5, grades=3).hasse(measure)
    names = (f"r{SETS.index(node.element)} {node.label}" for node in drawn.nodes)
    return evolve(drawn, nodes=tuple(map(_named, drawn.nodes, names)))


def lower_half() -> Hasse:
    """Return the diagram of the rankings whose last grade is 0 or 1.

    Examples
    --------
    >>> len(lower_half().nodes), len(lower_half().edges)
    (18, 33)
    """
    return _half((0, 1), "lower")


def upper_half() -> Hasse:
    """Return the diagram of the rankings whose last grade is 1 or 2.

    Examples
    --------
    >>> sum(node.irreducible for node in upper_half().nodes)
    2
    """
    return _half((1, 2), "upper")


def all_rankings() -> Hasse:
    """Return the diagram of the rankings of three documents with three grades, with generalized precision.

    Examples
    --------
    >>> all_rankings().level_sizes
    (1, 3, 6, 7, 6, 3, 1)
    """
    return rankings().hasse(PRECISION)


def _half(last: tuple[int, int], name: str) -> Hasse:
    """Return the diagram of the rankings with these grades at the last rank.

    Which rank the paper divides by is inferred from the runs that its text finds in Figure 5.
    """
    whole = rankings().poset()
    half = whole.induced(run for run in whole if run[-1] in last)
    title = f"replacement order, {name} half: last grade {last[0]} or {last[1]}"
    drawn = Hasse.of(half, label=word, relevant=lambda run: sum(grade > 0 for grade in run), title=title)
    # what is irreducible in the half alone need not be so in the whole
    irreducible = set(whole.join_irreducibles())
    return evolve(drawn, nodes=tuple(evolve(node, irreducible=node.element in irreducible) for node in drawn.nodes))


def _named(node: Node, name: str) -> Node:
    return evolve(node, label=name)


DRAWINGS = (
    Drawing(name="figure-1-n5", title="The pentagon, which does not distribute", draw=pentagon),
    Drawing(name="figure-1-m3", title="The diamond, which does not distribute", draw=diamond),
    Drawing(name="figure-2", title="Sets of two documents with three grades, by replacement", draw=pairs),
    Drawing(name="figure-3", title="Sets of five documents with three grades, and what they are made of", draw=sets),
    Drawing(name="figure-4", title="Generalized precision on the sets of Figure 3", draw=lambda: sets(PRECISION)),
    Drawing(name="figure-5", title="Rankings of three documents with three grades, lower half", draw=lower_half),
    Drawing(name="figure-6", title="Rankings of three documents with three grades, upper half", draw=upper_half),
    Drawing(name="figure-7", title="Generalized precision on the rankings of Figures 5 and 6", draw=all_rankings),
)
