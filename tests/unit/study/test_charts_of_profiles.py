"""Figures: drawn without a browser or a network, in every format."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
import vl_convert

from measurand.display.charts import FIGURE_FORMATS, draw, figure_format
from measurand.errors import ParameterError
from measurand.measures import catalogue
from measurand.study.profile import profile


@pytest.fixture
def figure_of(profile_of):
    """Return a way to ask for the figure of a measure."""
    return lambda *asked: profile_of(*asked).plot().to_dict()


def units(chart):
    """Return every single view of a chart with the data it draws."""

    def walk(view, data):
        data = view.get("data", data)
        for part in view.get("hconcat", []) + view.get("layer", []):
            yield from walk(part, data)
        if "mark" in view:
            yield view, data

    return list(walk(chart, None))


CHANNELS = {"x", "y", "size", "text", "tooltip"}
MARKS = {"circle", "line", "text", "point", "rule"}


@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (4, 3)])
def test_the_figure_of_every_measure_is_a_vega_lite_chart_with_its_data_inside(figure_of, depth, grades, naming):
    for name in catalogue():
        with naming(name):
            chart = figure_of(name, depth, grades)
            json.dumps(chart, allow_nan=False)
            assert chart["$schema"].startswith("https://vega.github.io/schema/vega-lite/v")
            assert len(chart["hconcat"]) == 2
            assert len(units(chart)) >= 4
            for view, data in units(chart):
                rows = data["values"]
                assert set(data) == {"values"}
                mark = view["mark"]
                assert (mark if isinstance(mark, str) else mark["type"]) in MARKS
                for channel, encoding in view.get("encoding", {}).items():
                    assert channel in CHANNELS
                    if "field" in encoding:
                        assert all(encoding["field"] in row for row in rows)


def test_the_figure_of_every_measure_compiles(figure_of, naming):
    for name in catalogue():
        with naming(name):
            compiled = vl_convert.vegalite_to_vega(figure_of(name, 4, 2))
            assert compiled["marks"]


@pytest.mark.parametrize("name", ["AP", "P", "RR"])
def test_the_dots_are_the_image(profile_of, name):
    found = profile_of(name)
    rows = found.plot().to_dict()["hconcat"][0]["data"]["values"]
    assert [row["value"] for row in rows] == [float(value) for value in found.image]
    assert [row["rank"] for row in rows] == list(range(1, found.image.size + 1))
    assert [row["runs"] for row in rows] == found.image.sizes.tolist()


def test_a_small_image_names_its_runs(figure_of):
    rows = figure_of("AP")["hconcat"][0]["data"]["values"]
    assert rows[5]["named"] == "0101 = 1000"
    rows = figure_of("RR")["hconcat"][0]["data"]["values"]
    assert rows[-1]["named"] == "1000 = 1001 = 1010 = … (8)"


def test_the_balancing_curve_is_drawn(profile_of):
    found = profile_of("AP")
    (points,) = [data["values"] for _, data in units(found.plot().to_dict()) if "index" in (data["values"] or [{}])[0]]
    assert [(point["n"], point["index"]) for point in points] == list(found.balance.points)


# Every format.

TITLES = ["ERR: 24 values on 27 runs", "Balancing index"]


def texts_in(svg: bytes) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def test_svg_is_xml_with_the_titles(figure_of):
    drawn = draw(figure_of("ERR", 3, 3), "a.svg")
    root = ElementTree.fromstring(drawn)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert set(TITLES) <= set(texts_in(drawn))
    assert not [e for e in root.iter() if e.tag.endswith(("image", "script"))]


def test_a_name_that_needs_escaping_is_still_xml():
    found = profile("gP(gain={1: 1, 2: 3})", 3, 3)
    drawn = draw(found.plot().to_dict(), "a.svg")
    assert any(text.startswith(repr(found.measure)) for text in texts_in(drawn))


def test_png_is_a_picture(figure_of):
    drawn = draw(figure_of("ERR", 3, 3), "a.png")
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    assert drawn.endswith(b"IEND\xaeB`\x82")
    assert len(drawn) > 10_000


def test_json_is_the_chart(figure_of):
    drawn = draw(figure_of("ERR", 3, 3), "a.json")
    assert json.loads(drawn) == figure_of("ERR", 3, 3)
    assert drawn.endswith(b"}\n")


class Page(HTMLParser):
    """What a page would load from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.elsewhere: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.elsewhere += [(tag, value) for name, value in attrs if name in ("src", "href", "srcset", "data")]


def test_html_is_one_page_that_loads_nothing(figure_of):
    drawn = draw(figure_of("ERR", 3, 3), "a.html").decode()
    page = Page(drawn)
    assert "script" in page.elements
    assert page.elsewhere == []
    for loading in ('import"http', "import 'http", 'from"http', "from 'http", 'from "http', "@import", "url(http"):
        assert loading not in drawn
    assert "cdn." not in drawn
    assert TITLES[0] in drawn


@pytest.mark.parametrize("path", ["a", "a.pdf", "a.svg.txt", ".svg", "a.", "", "svg", "a.svg/b"])
def test_an_unknown_ending_is_refused_with_those_there_are(path):
    with pytest.raises(ParameterError, match=r"\.svg, \.png, \.html, \.json"):
        figure_format(path)
    with pytest.raises(ParameterError):
        draw({}, path)


def test_endings_may_be_written_large():
    assert [figure_format(f"folder.d/a.{ending.upper()}") for ending in FIGURE_FORMATS] == list(FIGURE_FORMATS)


# Measures that leave little to draw.


def test_a_measure_without_any_balancing_index_is_drawn_with_a_note():
    found = profile("ERR", 3, 4)
    assert {index for _, index in found.balance.points} == {None}
    drawn = draw(found.plot().to_dict(), "a.svg")
    assert any(text.startswith("none: a run full of grade 1 is worth less") for text in texts_in(drawn))


def test_a_measure_with_one_value_is_drawn(figure_of):
    drawn = draw(figure_of("NumQ"), "a.svg")
    assert "NumQ: 1 values on 16 runs" in texts_in(drawn) or "NumQ: 1 value on 16 runs" in texts_in(drawn)
    assert "NaN" not in drawn.decode()


def test_a_measure_with_negative_values_is_drawn():
    found = profile(lambda run: -sum(run), 4)
    assert b"NaN" not in draw(found.plot().to_dict(), "a.svg")


def test_runs_of_one_rank_are_drawn(figure_of):
    assert b"NaN" not in draw(figure_of("P", 1), "a.svg")


def test_a_function_for_one_length_alone_is_drawn():
    found = profile(lambda run: {4: sum(run)}[len(run)], 4)
    assert [n for n, _ in found.balance.points] == [4]
    assert b"NaN" not in draw(found.plot().to_dict(), "a.svg")


def test_a_function_that_is_no_measure_has_no_figure():
    with pytest.raises(ParameterError, match="no image and no balancing curve to draw"):
        profile(lambda run: None, 3).plot()
