"""All pairs in notebooks: who is ahead, and how small p is, without colour."""

from __future__ import annotations

import numpy as np
import pytest

import measurand as md
from measurand.statistics.plot import pairs_chart


def scores(values, **more):
    values = np.asarray(values, dtype=float)
    systems = [f"s{place}" for place in range(len(values))]
    return md.Scores(measure="X", values=values, systems=systems, topics=map(str, range(values.shape[1])), **more)


def test_every_cell_tells_the_class_of_p_and_who_is_ahead():
    values = np.array([[0.5] * 12, [0.6] * 12, [0.5] * 11 + [0.6]]) + np.linspace(0, 0.1, 12)
    pairs = md.statistics.sign(scores(values, scale="interval"))
    cells = {(cell["row"], cell["column"]): cell for cell in pairs.plot().to_dict()["data"]["values"]}
    assert len(cells) == 6
    for (row, column), cell in cells.items():
        assert cell["p"] == pairs.of(row, column)
        assert cell["class"] == ("p ≤ 0.001" if cell["p"] <= 0.001 else "p > 0.05")
    assert cells["s0", "s1"]["ahead"] == "column ahead"
    assert cells["s1", "s0"]["ahead"] == "row ahead"


def test_equal_systems_are_neither_ahead():
    cells = md.statistics.sign(scores([[0.5, 0.5], [0.5, 0.5]])).plot().to_dict()["data"]["values"]
    assert {cell["ahead"] for cell in cells} == {"neither"}


@pytest.mark.parametrize(("p", "named"), [(0.001, "≤ 0.001"), (0.0011, "≤ 0.01"), (0.05, "≤ 0.05"), (0.051, "> 0.05")])
def test_the_limits_of_the_classes_belong_to_the_smaller_one(p, named):
    square = np.array([[1, p], [p, 1]])
    cells = pairs_chart("", "", ("a", "b"), square, np.zeros((2, 2)))["data"]["values"]
    assert {cell["class"] for cell in cells} == {f"p {named}"}


def test_classes_differ_in_size_and_sides_in_form():
    encoding = md.statistics.sign(scores([[0.5], [0.6]])).plot().to_dict()["encoding"]
    areas = encoding["size"]["scale"]["range"]
    assert areas == sorted(set(areas), reverse=True)
    assert len(set(encoding["shape"]["scale"]["range"])) == 3


def test_a_table_of_pairs_starts_with_the_smallest_p_and_is_cut(text_of):
    rng = np.random.default_rng(0)
    pairs = md.statistics.paired_t(scores(rng.random((12, 10)), scale="interval"))
    page = text_of(pairs._repr_html_())
    assert "36 more rows are not shown" in page
    lowest = pairs.table().sort("p").row(0)
    assert page.index(lowest[0]) < page.index("more rows")


def test_129_systems_are_drawn():
    rng = np.random.default_rng(0)
    drawn = md.statistics.paired_t(scores(rng.random((129, 5)), scale="interval")).plot()
    assert len(drawn.to_dict()["data"]["values"]) == 129 * 128
    assert len(drawn.to_svg()) < 4_000_000
