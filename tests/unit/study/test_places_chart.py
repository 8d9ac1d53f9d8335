"""The drawing of a study has a dot for every system under every measure."""

from __future__ import annotations

import json

from measurand.display.charts import ACCENT
from measurand.study.places_chart import MANY, places_chart

PLACES = {"P@10": {"a": 1, "b": 2, "c": 3}, "RR@10": {"c": 1, "a": 2, "b": 2}}


def test_every_system_has_its_place_under_every_measure():
    rows = places_chart(PLACES)["data"]["values"]
    assert {(row["measure"], row["system"]): row["place"] for row in rows} == {
        ("P@10", "a"): 1,
        ("P@10", "b"): 2,
        ("P@10", "c"): 3,
        ("RR@10", "c"): 1,
        ("RR@10", "a"): 2,
        ("RR@10", "b"): 2,
    }


def test_those_that_come_first_somewhere_are_in_colour():
    chart = places_chart(PLACES)
    condition = chart["layer"][0]["encoding"]["color"]["condition"]
    assert condition == {"test": "datum.leads", "value": ACCENT}
    assert {row["system"] for row in chart["data"]["values"] if row["leads"]} == {"a", "c"}


def test_those_that_share_a_place_share_a_line_of_text():
    ends = places_chart(PLACES)["layer"][1]["data"]["values"]
    assert [(end["place"], end["names"]) for end in ends] == [(1, "c"), (2, "a, b")]


def test_systems_that_tie_share_a_place():
    import measurand as md

    qrels = {"1": {"x": 1}, "2": {"x": 1}}
    same = {"1": {"x": 1.0}, "2": {"y": 1.0}}
    runs = {"a": same, "b": same, "c": {"1": {"y": 1.0}}}
    read = [md.read_run(content, name=name) for name, content in runs.items()]
    standing = md.compare(qrels, read, "P@1", missing_topics="skip").of("P@1")
    assert standing.places == {"a": 1, "b": 1, "c": 3}


def test_with_many_systems_names_are_left_out():
    many = {f"s{number}": number + 1 for number in range(MANY + 1)}
    assert len(places_chart({"P@10": many})["layer"]) == 1
    assert json.dumps(places_chart({"P@10": many}))


def test_a_study_shows_itself(tmp_path):
    import measurand as md

    name = "<script>alert(1)</script>"
    runs = [md.read_run({"1": {"x": 2.0, "y": 1.0}}, name=name), md.read_run({"1": {"y": 2.0}}, name="b")]
    study = md.Study.from_files({"1": {"x": 1}}, runs, ["P@1", "RR"])
    html = study._repr_html_()
    assert name not in html
    assert "&lt;script&gt;" in html
    study.plot().save(tmp_path / "places.svg")
    assert "<script" not in (tmp_path / "places.svg").read_text(encoding="utf-8")
