"""The section on measures: what stands in it without any script."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from jinja2 import Environment, PackageLoader, StrictUndefined

import measurand as md
from measurand.report.page.measures import section
from measurand.report.page.section import FILTERS


class Anchors(HTMLParser):
    """The ids, the inner links and the tags of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids, self.links, self.tags, self.charts = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"][1:]] if found.get("href", "").startswith("#") else []
        self.charts += [found["data-chart"]] if "data-chart" in found else []


def small_study(measures, systems=3, **plan) -> md.Study:
    rankings = ["abcd", "bacd", "dcba"][:systems]
    runs = [
        md.read_run({"1": {d: -i for i, d in enumerate(text)}, "2": {"a": 1, "d": 0.5}}, name=text) for text in rankings
    ]
    return md.Study.from_files({"1": {"a": 1, "c": 1}, "2": {"d": 1}}, runs, measures, fuse=False, **plan)


def rendered(study: md.Study) -> str:
    options = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=PackageLoader("measurand.report.page"), **options)
    environment.filters.update(FILTERS)
    return environment.get_template("measures.html").render(section=section(study))


@pytest.fixture(scope="module")
def study() -> md.Study:
    return small_study(["P@3", "RR", "ESL"])


@pytest.fixture(scope="module")
def text(study) -> str:
    return rendered(study)


def test_every_link_leads_somewhere_and_every_figure_is_there(study, text):
    found = Anchors(text)
    assert found.links
    assert set(found.links) <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    assert found.charts == [f"measures-{name}" for name in section(study).charts]


def test_unanimity_stands_in_a_table_the_highest_first(study, text):
    table = text[text.index('id="measures-unanimity"') :]
    values = [float(value) for value in re.findall(r'<td class="n" data-value="([\d.]+)">\d\.\d{4}</td>', table)]
    assert values == sorted(values, reverse=True)
    assert len(values) == 3
    assert values == [row.found.value for row in study.unanimity]


def test_what_was_examined_is_said(text):
    assert "3 ranks and 2 grades" in text
    assert "10 ranks and 2 grades" in text


def test_what_a_function_of_ones_own_complains_of_is_escaped():
    def complaining(run):
        if len(run) > 4:
            raise ValueError("<script>alert(1)</script>")
        return sum(run)

    text = rendered(small_study([md.define(complaining, name="Mine"), "P@3"]))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "script" not in Anchors(text).tags


def test_one_system_has_no_order_to_agree_on():
    text = rendered(small_study(["P@3", "RR"], systems=1))
    assert 'class="heat"' not in text
    assert 'id="measures-unanimity"' not in text
    assert 'id="measures-matrix"' in text


def test_one_measure_is_compared_with_its_interval_scaled_self_alone():
    text = rendered(small_study(["AP@3"], interval=True))
    assert 'class="heat"' not in text
    assert 'id="measures-selves"' in text
    assert "AP@3 agrees with itself on" in text
    plain = rendered(small_study(["AP@3"]))
    assert 'class="heat"' not in plain
    assert 'id="measures-selves"' not in plain
    assert "tau" not in plain


def test_no_number_is_missing_where_all_systems_tie():
    run = {"1": {"a": 1.0}}
    runs = [md.read_run(run, name=name) for name in ("one", "other", "third")]
    study = md.Study.from_files({"1": {"a": 1}}, runs, ["P@1", "RR"], interval=True, fuse=False)
    text = rendered(study)
    assert "nan" not in text.lower().replace("unanim", "")
    assert "undefined: all systems tie" in text
