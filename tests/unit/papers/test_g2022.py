"""Giner (2022), reproduced: the names of its figures, and what its drawings mark."""

from __future__ import annotations

import pytest

from measurand.lattice import RunLattice
from measurand.papers import errata
from measurand.papers.exhibit import Mark, Provenance
from measurand.papers.g2022 import few_values, judged_runs
from measurand.papers.g2022.figures import all_rankings, lower_half, sets, upper_half
from measurand.papers.g2022.judged_runs import RANKINGS, SETS
from measurand.papers.reproduction import find_paper


def test_the_names_of_figure_3_are_those_of_all_sets_level_by_level():
    lattice = RunLattice("set-replacement", 5, 3)
    assert set(SETS) == set(lattice.poset())
    assert [sum(run) for run in SETS] == sorted(sum(run) for run in SETS)


def test_the_rankings_that_the_text_names_satisfy_its_equation():
    lattice = RunLattice("replacement", 3, 3)
    assert lattice.join(RANKINGS["r1"], RANKINGS["r2"]) == RANKINGS["r5"]
    assert [sum(run) for run in RANKINGS.values()] == sorted(sum(run) for run in RANKINGS.values())


def test_the_halves_of_the_rankings_mark_what_is_irreducible_in_the_whole():
    irreducible = {node.element for node in all_rankings().nodes if node.irreducible}
    halves = [node for half in (lower_half(), upper_half()) for node in half.nodes]
    assert {node.element for node in halves if node.irreducible} == irreducible
    assert {node.element for node in halves} == {node.element for node in all_rankings().nodes}


def test_a_set_is_drawn_with_its_name_and_its_grades():
    assert [node.label for node in sets().nodes if node.irreducible][:3] == ["r1 10000", "r3 20000", "r2 11000"]


def test_the_column_of_the_paper_has_nothing_that_is_counted_here():
    lines = {line.what: line for exhibit in find_paper("g2022").exhibits for line in exhibit.lines()}
    ours = [
        *("sets and edges", "together: runs and edges", "they are", "N5: nodes and edges", "sets: it keeps the order"),
        *("sets, c = 2, N = 5 (Figure 3)", "runs in a level, from below", "gR of 21000, recall base 3"),
    ]
    assert {lines[what].mark for what in ours} == {Mark.SILENT}
    printed = [line for line in lines.values() if line.provenance is Provenance.PRINTED]
    assert len(printed) == 8 + 13 + 6 + 2 + 1
    assert not any(isinstance(line.paper, bool) for line in printed)


@pytest.mark.parametrize(("depth", "figure"), [(5, 4), (3, 7)])
def test_precision_and_recall_are_said_to_be_the_same_of_the_examples_where_they_are(depth, figure):
    lines = {line.what: line for line in judged_runs.measures.lines()}
    said = lines[f"Figure {figure}, recall base {depth}: gP and gR are the same"]
    assert (said.provenance, said.mark) == (Provenance.SAID, Mark.AGREES)
    assert "E-G-13" not in {entry.id for entry in errata("g2022")}


def test_the_paper_names_no_base_of_dcg_so_one_below_2_is_not_compared_with_it():
    lines = {line.what: line for line in few_values.three_runs.lines()}
    assert lines["DCG is the same (no base is named), b = 2"].mark is Mark.AGREES
    below = lines["DCG is the same by its formula with b = 1.5"]
    assert (below.ours, below.mark) == (False, Mark.SILENT)


def test_every_figure_of_the_paper_is_drawn():
    numbers = {drawing.name.split("-")[1] for drawing in find_paper("g2022").drawings}
    assert numbers == set("1234567")
