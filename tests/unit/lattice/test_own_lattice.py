"""The runs of an order of one's own, written out: the closure of its moves, drawn without what follows from others."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from measurand.errors import InputError, NoJoin, NotAvailable, ParameterError
from measurand.lattice import OwnLattice, RunLattice
from measurand.orders import adjacent_swaps, from_moves, replacements, swaps


def skipping(run, grades):
    """A document gets better by one grade or two, or moves up by one rank or two."""
    for i, grade in enumerate(run):
        yield from ((*run[:i], more, *run[i + 1 :]) for more in range(grade + 1, min(grade + 3, grades)))
        for j in range(max(0, i - 2), i):
            if run[j] < grade:
                after = list(run)
                after[j], after[i] = grade, run[j]
                yield after


@pytest.mark.parametrize("functions", [(skipping,), (swaps,), (swaps, replacements)], ids=["skipping", "swaps", "both"])
def test_the_diagram_is_the_transitive_reduction_of_the_moves(functions):
    order = from_moves(*functions, grades=3)
    graph = nx.DiGraph((run, after) for run, several in order.graph(3, 3).items() for after in several)
    expected = set(nx.transitive_reduction(graph).edges)
    lattice = OwnLattice(order, 3)
    assert set(lattice.poset().edges()) == expected
    diagram = lattice.hasse()
    assert {(diagram.nodes[x].element, diagram.nodes[y].element) for x, y in diagram.edges} == expected
    assert len(diagram.nodes) == 27


@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (3, 3)])
def test_swaps_and_replacements_give_the_lattice_of_the_house(depth, grades):
    ours = OwnLattice(from_moves(swaps, replacements), depth, grades)
    theirs = RunLattice("swap", depth, grades)
    assert (ours.size, ours.bottom, ours.top) == (theirs.size, theirs.bottom, theirs.top)
    assert bool(ours.is_lattice()) == bool(theirs.is_lattice())
    assert bool(ours.is_distributive()) == bool(theirs.is_distributive())
    assert set(ours.join_irreducibles()) == set(theirs.join_irreducibles())
    assert bool(ours.is_valuation("AP" if grades == 2 else "DCG")) == bool(
        theirs.is_valuation("AP" if grades == 2 else "DCG")
    )
    for run in product(range(grades), repeat=depth):
        assert set(ours.covers(run)) == set(theirs.covers(run))
        assert set(ours.covered(run)) == set(theirs.covered(run))
        assert set(ours.decompose(run)) == set(theirs.decompose(run))


def test_joins_meets_and_intervals_are_those_of_the_order():
    ours = OwnLattice(from_moves(swaps, replacements), 4)
    assert ours.join((1, 0, 0, 1), (0, 1, 1, 0)) == (1, 0, 1, 0)
    assert ours.meet((1, 0, 0, 1), (0, 1, 1, 0)) == (0, 1, 0, 1)
    assert ours.below((0, 1, 0, 1), (1, 0, 1, 0))
    assert str(ours.compare((1, 0, 0, 1), (0, 1, 1, 0))) == "incomparable"
    assert set(ours.interval((0, 1, 0, 1), (1, 0, 1, 0))) == set(
        RunLattice("swap", 4, 2).interval((0, 1, 0, 1), (1, 0, 1, 0))
    )


def test_moves_that_leave_the_runs_in_pieces_make_no_lattice():
    pieces = OwnLattice(from_moves(adjacent_swaps), 3)
    assert (pieces.bottom, pieces.top) == (None, None)
    assert not pieces.is_lattice()
    assert pieces.document().for_programs[0].data[0]["pieces"] == 4
    with pytest.raises(NoJoin):
        pieces.join((0, 0, 0), (1, 1, 1))


def test_the_values_of_a_measure_stand_under_the_runs_that_a_topic_can_have():
    diagram = OwnLattice(from_moves(swaps), 3).hasse("AP", marked=[(1, 0, 0)], recall_base=2)
    values = {node.element: node.value for node in diagram.nodes}
    assert (values[1, 0, 0], values[1, 1, 1]) == (0.5, None)
    assert [node.element for node in diagram.nodes if node.marked] == [(1, 0, 0)]
    assert diagram.topic == "recall base 2"


def test_what_cannot_be_written_out_is_refused():
    with pytest.raises(NotAvailable, match="1,048,576 runs are more"):
        OwnLattice(from_moves(swaps), 10, 4)
    with pytest.raises(InputError, match="go round in a circle"):
        OwnLattice(from_moves(lambda run: [run[::-1]] if run != run[::-1] else []), 2)
    with pytest.raises(ParameterError, match="go to RunLattice"):
        OwnLattice("swap", 3)
    with pytest.raises(ParameterError, match=r"for your own, take measurand\.lattice\.OwnLattice"):
        RunLattice(from_moves(swaps), 3)
    with pytest.raises(ParameterError, match=r"\(1, 0\) is no run of 3 ranks with grades from 0 to 1"):
        OwnLattice(from_moves(swaps), 3).covers((1, 0))
