"""Hasse diagrams: what they hold, and every form they are written in."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from xml.etree import ElementTree

import networkx as nx
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.judged.universes import every_run
from measurand.lattice import M3, N5, Hasse, Poset, RunLattice, antichain, chain
from measurand.lattice.hasse import READABLE, shade
from measurand.measures import AP
from measurand.orders import ORDERS, Relation, compare


def texts(svg: str) -> list[str]:
    every = ElementTree.fromstring(svg).iter()
    return [element.text or "" for element in every if element.tag.endswith(("text", "tspan"))]


def edges_of(diagram: Hasse) -> set:
    return {(diagram.nodes[low].element, diagram.nodes[high].element) for low, high in diagram.edges}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(4, 2), (3, 3), (2, 4)])
def test_the_lines_are_the_transitive_reduction_of_the_order(order, depth, grades):
    runs = {tuple(run) for run in every_run(depth, grades).tolist()}
    if order.startswith("set-"):
        runs = {tuple(sorted(run, reverse=True)) for run in runs}
    whole = nx.DiGraph()
    whole.add_nodes_from(runs)
    whole.add_edges_from((x, y) for x, y in product(runs, repeat=2) if compare(x, y, order) is Relation.LESS)
    assert edges_of(RunLattice(order, depth, grades).hasse()) == set(nx.transitive_reduction(whole).edges)


def test_every_line_goes_up_and_every_level_is_used():
    diagram = RunLattice("swap", 3, 4).hasse()
    assert all(diagram.nodes[low].level < diagram.nodes[high].level for low, high in diagram.edges)
    assert all(diagram.level_sizes)
    assert sum(diagram.level_sizes) == 64


@pytest.mark.spec("FFF-Fig2", "G-3-HASSE")
@pytest.mark.parametrize(
    ("depth", "edges", "sizes"),
    [(3, 8, (1, 1, 1, 2, 1, 1, 1)), (4, 20, (1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1)), (5, 48, None), (6, 112, None)],
)
def test_the_order_of_binary_runs_has_the_lines_and_levels_of_the_paper(depth, edges, sizes):
    diagram = RunLattice("swap", depth, 2).hasse()
    assert (len(diagram.nodes), len(diagram.edges)) == (2**depth, edges)
    assert edges == (depth + 1) * 2 ** (depth - 2)
    assert sizes in (None, diagram.level_sizes)
    for node in diagram.nodes:
        assert node.level == sum(depth - place for place, grade in enumerate(node.element) if grade)
        assert node.relevant == sum(node.element)


@pytest.mark.spec("FFF-Fig2-edges")
def test_the_lines_of_four_ranks_are_those_listed():
    listed = """0000-0001,0001-0010,0010-0011,0010-0100,0011-0101,0100-0101,0100-1000,0101-0110,0101-1001,0110-0111,
        0110-1010,0111-1011,1000-1001,1001-1010,1010-1011,1010-1100,1011-1101,1100-1101,1101-1110,1110-1111"""
    pairs = {tuple(pair.strip().split("-")) for pair in listed.split(",")}
    diagram = RunLattice("swap", 4, 2).hasse()
    drawn = {(diagram.nodes[low].label, diagram.nodes[high].label) for low, high in diagram.edges}
    assert drawn == pairs


def test_figure_2_has_six_sets_and_six_lines():
    diagram = RunLattice("set-replacement", 2, 3).hasse()
    drawn = {(diagram.nodes[low].label, diagram.nodes[high].label) for low, high in diagram.edges}
    expected = {("00", "10"), ("10", "11"), ("10", "20"), ("11", "21"), ("20", "21"), ("21", "22")}
    assert drawn == expected


@pytest.mark.spec("G-3-HASSE")
def test_figures_3_and_4_are_drawn_with_their_levels_and_values():
    diagram = RunLattice("set-replacement", 5, 3).hasse("gP")
    assert (len(diagram.nodes), len(diagram.edges)) == (21, 30)
    assert diagram.level_sizes == (1, 1, 2, 2, 3, 3, 3, 2, 2, 1, 1)
    assert sum(node.irreducible for node in diagram.nodes) == 10
    assert all(node.value == Fraction(node.level, 10) for node in diagram.nodes)
    assert diagram.layout.crossings == 0


@pytest.mark.spec("G-3-HASSE")
def test_figures_5_to_7_are_drawn_with_their_levels_and_values():
    diagram = RunLattice("replacement", 3, 3).hasse("gP")
    assert (len(diagram.nodes), len(diagram.edges)) == (27, 54)
    assert diagram.level_sizes == (1, 3, 6, 7, 6, 3, 1)
    assert {node.element for node in diagram.nodes if node.irreducible} == {
        (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0), (0, 0, 1), (0, 0, 2)
    }  # fmt: skip
    assert all(node.value == Fraction(node.level, 6) for node in diagram.nodes)


@pytest.mark.spec("G-3-HASSE")
def test_the_forbidden_lattices_are_drawn():
    assert (len(N5), len(Hasse.of(N5).edges), Hasse.of(N5).layout.crossings) == (5, 5, 0)
    assert (len(M3), len(Hasse.of(M3).edges), Hasse.of(M3).layout.crossings) == (5, 6, 0)


def test_values_are_those_of_the_measure_on_a_topic():
    diagram = RunLattice("swap", 4, 2).hasse("AP", recall_base=5)
    assert all(node.value == AP.of(node.element, recall_base=5) for node in diagram.nodes)
    assert (diagram.measure, diagram.topic) == ("AP", "recall base 5")


def test_runs_with_more_relevant_documents_than_there_are_have_no_value():
    diagram = RunLattice("swap", 3, 2).hasse("AP", recall_base=2)
    assert [node.label for node in diagram.nodes if node.value is None] == ["111"]
    assert "below every run: its AP, recall base 2" in texts(diagram.to_svg())


def test_values_of_ones_own_may_be_a_mapping_or_a_function():
    kite = nx.DiGraph([("low", "a"), ("low", "b"), ("a", "high"), ("b", "high")])
    assert [node.value for node in Hasse.of(kite, {"low": 0, "a": "1/3", "b": 0.5, "high": 1}).nodes][1] == Fraction(
        1, 3
    )
    assert [node.value for node in Hasse.of(kite, len).nodes] == [3, 1, 1, 4]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"values": {"low": 1}}, "'high' has no value"),
        ({"values": {"low": 1, "high": "x"}}, "which is no number"),
        ({"marked": ["middle"]}, "'middle' is none of the"),
    ],
)
def test_what_is_said_of_elements_that_are_not_there_is_refused(more, message):
    with pytest.raises(ParameterError, match=message):
        Hasse.of(chain_of_two(), **more)


def chain_of_two():
    return Poset.from_pairs([("low", "high")])


def test_a_diagram_is_told_in_a_line():
    told = repr(RunLattice("swap", 4, 2).hasse("AP"))
    assert told == "<Hasse: 16 runs, 20 lines, 11 levels>"


def test_where_joins_are_lacking_the_border_speaks_of_the_completion():
    assert "thick border: join-irreducible in the completion" in texts(RunLattice("swap", 2, 3).hasse().to_svg())


def test_a_drawing_names_every_run_and_its_value():
    drawn = texts(RunLattice("swap", 3, 2).hasse("RR").to_svg())
    assert {"000", "001", "010", "011", "100", "101", "110", "111"} <= set(drawn)
    assert {"0", "0.333", "0.5", "1"} <= set(drawn)
    assert "swap order, 3 ranks, 2 grades: 8 runs" in drawn
    assert "thick border: join-irreducible" in drawn


def test_join_irreducible_runs_have_a_thicker_border():
    boxes = RunLattice("swap", 3, 2).hasse().to_chart()["layer"][1]["data"]["values"]
    thick = {box["label"] for box in boxes if box["irreducible"]}
    assert thick == {"001", "010", "100", "011", "110", "111"}


def test_runs_are_the_darker_the_more_relevant_documents_they_hold():
    boxes = RunLattice("swap", 3, 3).hasse().to_chart()["layer"][1]["data"]["values"]
    for box in boxes:
        assert box["fill"] == shade(sum(letter != "0" for letter in box["label"]), 3)
    assert len({shade(count, 8) for count in range(9)}) == 9


def test_boxes_of_a_drawing_do_not_overlap():
    boxes = RunLattice("swap", 4, 3).hasse("gP").to_chart()["layer"][1]["data"]["values"]
    for one in boxes:
        for other in boxes:
            if one is not other and one["y"] == other["y"]:
                assert one["right"] <= other["left"] or other["right"] <= one["left"]
    assert min(box["left"] for box in boxes) >= 0


def test_a_line_does_not_cut_the_box_beside_the_one_it_comes_from():
    lines, boxes = (
        layer["data"]["values"] for layer in RunLattice("replacement", 7, 2).hasse().to_chart()["layer"][:2]
    )
    assert len(lines) == 2 * 7 * 2**6
    for start, end in zip(lines[::2], lines[1::2], strict=True):
        for box in (box for box in boxes if box["y"] == start["y"] and box["x"] != start["x"]):
            # where the line is above the box
            x = start["x"] + (end["x"] - start["x"]) * (box["above"] - start["y"]) / (end["y"] - start["y"])
            near, far = sorted((start["x"], x))
            assert far <= box["left"] + 1 or near >= box["right"] - 1


def test_named_runs_are_marked():
    diagram = RunLattice("swap", 4, 2).hasse(marked=[(1, 0, 0, 1)])
    assert [node.label for node in diagram.nodes if node.marked] == ["1001"]
    assert "color" in diagram.to_dot()
    assert "brown border: the runs that were named" in texts(diagram.to_svg())


def test_an_order_that_is_none_of_runs_does_not_speak_of_runs():
    diagram = Hasse.of(N5, {element: place for place, element in enumerate(N5)}, marked=["a"])
    svg = diagram.to_svg()
    drawn = texts(svg)
    assert "5 elements" in drawn
    assert {"thick border: join-irreducible", "brown border: the elements that were named"} <= set(drawn)
    assert "below every element: its value" in drawn
    assert "run" not in svg
    assert diagram.to_chart()["layer"][1]["encoding"]["tooltip"][0] == {"field": "label", "title": "element"}


def test_who_cannot_see_a_drawing_is_told_what_it_shows():
    svg = RunLattice("swap", 2, 2).hasse("RR").to_svg()
    told = [
        element.attrib["aria-label"] for element in ElementTree.fromstring(svg).iter() if "aria-label" in element.attrib
    ]
    assert "<title>Hasse diagram: swap order, 2 ranks, 2 grades: 4 runs</title>" in svg
    assert "run 01, RR 0.5, join-irreducible" in told
    assert not any(label.startswith("x:") for label in told)


def test_a_large_diagram_is_drawn_without_names():
    diagram = RunLattice("swap", 9, 2).hasse("P")
    assert len(diagram.nodes) > READABLE
    drawn = texts(diagram.to_svg())
    assert "000000000" not in drawn
    assert not any(text.startswith("below every run") for text in drawn)


@pytest.mark.parametrize(
    ("order", "depth", "grades", "number"), [("swap", 13, 2, "8,192"), ("replacement", 100, 3, "3^100")]
)
def test_more_runs_than_can_be_listed_are_refused_with_their_number(order, depth, grades, number):
    with pytest.raises(NotAvailable) as refused:
        RunLattice(order, depth, grades).hasse()
    assert number in str(refused.value)
    assert "5,000" in str(refused.value)


def test_grades_of_two_digits_are_set_apart():
    labels = {node.label for node in RunLattice("replacement", 2, 12).hasse().nodes}
    assert "11,3" in labels
    assert len(labels) == 144


def test_graphviz_understands_what_is_written_for_it():
    dot = RunLattice("swap", 2, 2).hasse("RR").to_dot()
    lines = dot.splitlines()
    assert lines[0] == "digraph hasse {"
    assert lines[-1] == "}"
    assert '  n3 [label="11\\n1", fillcolor="#40aa96", penwidth=2]' in lines
    assert [line for line in lines if "->" in line] == ["  n0 -> n1", "  n1 -> n2", "  n2 -> n3"]


def test_names_of_strangers_are_quoted():
    odd = Poset.from_pairs([('a"b', "c\\d\n")])
    dot = Hasse.of(odd).to_dot()
    assert 'label="a\\"b"' in dot
    assert 'label="c\\\\d\\n"' in dot
    assert 'a"b' in texts(Hasse.of(odd).to_svg())
    assert "<script>" not in Hasse.of(Poset.from_pairs([("<script>", "x")])).to_svg()


@pytest.mark.parametrize("poset", [chain(1), antichain(3), Poset.from_pairs([("a", "b"), ("c", "d")])])
def test_orders_that_are_no_lattice_are_drawn_as_well(poset):
    diagram = Hasse.of(poset)
    assert len(diagram.nodes) == len(poset)
    assert diagram.to_svg().startswith("<svg")


def test_a_graph_comes_back_as_it_went_out():
    graph = RunLattice("swap", 4, 2).hasse("AP").to_networkx()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (16, 20)
    assert graph.nodes[1, 0, 0, 1] == {
        "label": "1001", "level": 5, "irreducible": False, "value": Fraction(3, 8), "relevant": 2, "marked": False
    }  # fmt: skip
    again = Hasse.of(Poset.from_networkx(graph))
    assert edges_of(again) == set(graph.edges)


@pytest.mark.parametrize("values", ["AP", [1, 2], 5, lambda run: 1 / 0, {}])
def test_values_that_are_none_are_refused_in_words(values):
    with pytest.raises(ParameterError, match=r"values are a mapping|values failed on|has no value"):
        Hasse.of(RunLattice("swap", 2, 2).poset(), values)


def test_what_networkx_cannot_hold_is_refused_in_words():
    with pytest.raises(ParameterError, match="None is an element"):
        Hasse.of(Poset.from_pairs([(None, "a")])).to_networkx()


def test_runs_to_be_marked_may_come_as_lists_and_labels_as_numbers():
    diagram = Hasse.of(RunLattice("swap", 2, 2).poset(), label=sum, marked=[[1, 0]])
    assert [(node.label, node.marked) for node in diagram.nodes] == [
        ("0", False), ("1", False), ("1", True), ("2", False)
    ]  # fmt: skip


def test_levels_of_products_are_counted_as_they_should():
    sizes = RunLattice("replacement", 6, 2).hasse().level_sizes
    assert sizes == tuple(comb(6, k) for k in range(7))


def test_a_measure_without_grades_enough_is_refused():
    with pytest.raises(ParameterError, match="ask for 3 grades"):
        RunLattice("swap", 3, 2).hasse("AP(rel=2)")
