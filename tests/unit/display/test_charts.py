"""Figures: they show themselves, are written whole or not at all, and run nothing that a name says."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from xml.etree import ElementTree

import pytest

from measurand.display import charts
from measurand.display.charts import Figure, side_by_side, styled
from measurand.errors import InputFileError, NotAvailable, ParameterError

EVIL = "</script><script>alert(1)</script>"


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def named(name: str) -> Figure:
    """Return a figure with a name in its description, its title, its data and its axis."""
    y = {"field": "name", "type": "nominal", "title": name, "sort": [name]}
    return Figure(
        styled(name, {"title": name, "data": {"values": [{"name": name}]}, "mark": "point", "encoding": {"y": y}})
    )


@pytest.fixture
def figure():
    return named("One & only")


def test_a_figure_shows_itself_as_svg_and_as_words(figure):
    shown = figure._repr_mimebundle_(include=None, exclude=None)
    assert set(shown) == {"image/svg+xml", "text/plain"}
    assert shown["text/plain"] == "Figure('One & only')"
    root = ElementTree.fromstring(shown["image/svg+xml"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.find("{http://www.w3.org/2000/svg}title").text == "One & only"


def test_the_specification_that_a_figure_gives_away_is_a_copy(figure):
    figure.to_dict()["data"]["values"].clear()
    assert figure.to_dict()["data"]["values"] == [{"name": "One & only"}]
    assert figure == named("One & only")


@pytest.mark.parametrize(
    ("ending", "opening"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!DOCTYPE html>"), ("json", b"{")]
)
def test_a_figure_is_written_as_its_name_ends(figure, tmp_path, ending, opening):
    path = tmp_path / f"a.{ending}"
    figure.save(path)
    assert path.read_bytes().lstrip().startswith(opening)
    assert names_in(tmp_path) == [path.name]


def test_what_is_written_can_be_read_by_others_as_far_as_the_mask_allows(figure, tmp_path):
    before = os.umask(0o022)
    try:
        figure.save(tmp_path / "a.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o644


def test_the_json_of_a_figure_is_its_specification(figure, tmp_path):
    figure.save(str(tmp_path / "a.json"))
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == figure.to_dict()


def test_an_unknown_ending_is_refused_before_anything_is_written(figure, tmp_path):
    with pytest.raises(ParameterError, match=r"\.svg, \.png, \.html, \.json"):
        figure.save(tmp_path / "a.gif")
    assert names_in(tmp_path) == []


def test_a_figure_that_cannot_be_put_in_its_place_leaves_nothing_behind(figure, tmp_path):
    (tmp_path / "a.svg").mkdir()
    (tmp_path / "a.svg" / "kept").write_text("kept")
    with pytest.raises(InputFileError, match=r"a\.svg: cannot be written"):
        figure.save(tmp_path / "a.svg")
    assert names_in(tmp_path) == ["a.svg"]
    assert names_in(tmp_path / "a.svg") == ["kept"]


def test_a_folder_that_is_not_there_is_named(figure, tmp_path):
    with pytest.raises(InputFileError, match=r"nowhere/a\.svg: cannot be written"):
        figure.save(tmp_path / "nowhere" / "a.svg")


def test_a_failure_while_drawing_leaves_the_old_file_as_it_was(tmp_path):
    (tmp_path / "a.svg").write_text("old")
    with pytest.raises(ValueError, match="Vega-Lite"):
        Figure({"description": "no chart", "mark": 17}).save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == "old"
    assert names_in(tmp_path) == ["a.svg"]


def test_a_name_cannot_end_the_script_of_a_page():
    page = charts.draw(named(EVIL).chart, "a.html").decode()
    plain = charts.draw(named("harmless").chart, "a.html").decode()
    assert page.count("<script") == plain.count("<script")
    assert page.count("</script") == plain.count("</script")
    assert page.count("alert(1)") == page.count(r"\u003c/script>\u003cscript>alert(1)\u003c/script>") > 0


def test_the_chart_in_a_page_is_the_chart():
    page = charts.draw(named(EVIL).chart, "a.html").decode()
    [inside] = re.findall(r"const spec = (\{.*\});\n", page)
    assert json.loads(inside) == named(EVIL).chart


def test_a_name_is_text_in_svg():
    root = ElementTree.fromstring(named(EVIL).to_svg())
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert EVIL in [element.text for element in root.iter() if element.tag.endswith("text")]


def test_panels_stand_side_by_side():
    assert side_by_side("Two.", [{"mark": "point"}] * 2)["hconcat"] == [{"mark": "point"}] * 2


def test_a_name_with_a_line_separator_is_drawn():
    import measurand as md

    scores = md.Scores(
        measure="AP", values=[[0.1, 0.2], [0.3, 0.4]], systems=["a\u2028b", "c"], topics=["1\u2029", "2"]
    )
    assert r"a\u2028b" in scores.plot().to_svg()


def test_where_addresses_are_limited_a_drawing_is_refused_in_words_and_does_not_end_the_process(monkeypatch):
    from measurand.execution import memory
    from measurand.report.page import packed_numbers

    chart = styled("Nothing.", {"hconcat": []})
    monkeypatch.setattr(memory, "_address_space", lambda: [8 << 30])
    for attempt in (lambda: charts.draw(chart, "a.svg"), packed_numbers._bundle):
        with pytest.raises(NotAvailable, match=r"ulimit -v allows 8\.59 GB; take ulimit -d"):
            attempt()
    assert json.loads(charts.draw(chart, "a.json")) == chart
