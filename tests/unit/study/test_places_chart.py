"""The drawing of a study has a dot for every system under every measure."""

from __future__ import annotations

import json

from measurand.charts import ACCENT
from measurand.study.places_chart import MANY, places_chart

ORDERS = {"P@10": ["a", "b", "c"], "RR@10": ["c", "a", "b"]}


def test_every_system_has_its_place_under_every_measure():
    rows = places_chart(ORDERS)["data"]["values"]
    assert {(row["measure"], row["system"]): row["place"] for row in rows} == {
        ("P@10", "a"): 1,
        ("P@10", "b"): 2,
        ("P@10", "c"): 3,
        ("RR@10", "c"): 1,
        ("RR@10", "a"): 2,
        ("RR@10", "b"): 3,
    }


def test_those_that_come_first_somewhere_are_in_colour():
    condition = places_chart(ORDERS)["layer"][0]["encoding"]["color"]["condition"]
    assert (condition["test"]["oneOf"], condition["value"]) == (["a", "c"], ACCENT)


def test_with_many_systems_names_are_left_out():
    many = [f"s{number}" for number in range(MANY + 1)]
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
