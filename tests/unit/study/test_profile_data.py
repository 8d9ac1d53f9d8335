"""Profiles as data: what JSON can hold, with nothing lost."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from measurand.axioms import AXIOMS
from measurand.display.data import exact_number
from measurand.measures import catalogue
from measurand.study.profile import profile

SPACES = [(5, 2), (4, 3)]


@pytest.fixture
def through_json(profile_of):
    """Return a way to ask for the profile of a measure together with what becomes of it in JSON."""

    def told(name, depth=4, grades=2):
        found = profile_of(name, depth, grades)
        return found, json.loads(json.dumps(found.to_dict(), allow_nan=False))

    return told


@pytest.mark.parametrize(("depth", "grades"), SPACES)
def test_the_profile_of_every_measure_is_json(through_json, depth, grades, naming):
    for name in catalogue():
        with naming(name):
            found, data = through_json(name, depth, grades)
            assert (data["measure"], data["depth"], data["grades"]) == (repr(found.measure), depth, grades)
            assert (data["definition"], data["facts"]) == (found.definition, found.facts)
            assert list(data["axioms"]) == list(AXIOMS)
            for statement, verdict in found.axioms.items():
                told = data["axioms"][statement]
                assert (told["holds"], told["statement"]) == (verdict.holds, AXIOMS[statement])
                assert (told["how"], told["checked"]) == (str(verdict.how), verdict.checked)
                if verdict.witness is not None:
                    assert told["witness"]["runs"] == [list(run) for run in verdict.witness.runs]
                    assert [value["value"] for value in told["witness"]["values"]] == [
                        float(v) for v in verdict.witness.values
                    ]


@pytest.mark.parametrize(("depth", "grades"), SPACES)
def test_the_scale_of_every_measure_is_told(through_json, depth, grades, naming):
    for name in catalogue():
        with naming(name):
            found, data = through_json(name, depth, grades)
            scale = data["scale"]
            assert scale["label"] == found.label.to_dict()
            assert (scale["literature"] is None) == (found.known is None)
            assert scale["spacing"]["holds"] == data["image"]["equispaced"] == found.image.equispaced
            shown = scale["spacing"]["witness"]
            if found.image.equispaced:
                assert shown is None
            else:
                gaps = found.image.gaps()
                assert [gap["value"] for gap in shown["gaps"]] == [float(gaps[step - 1]) for step in shown["steps"]]
                assert shown["gaps"][0]["exact"] != shown["gaps"][1]["exact"]


@pytest.mark.parametrize(("depth", "grades"), SPACES)
def test_the_image_and_the_balance_of_every_measure_are_told(through_json, depth, grades, naming):
    for name in catalogue():
        with naming(name):
            found, data = through_json(name, depth, grades)
            told = data["image"]
            assert (told["size"], told["runs"]) == (found.image.size, grades**depth)
            assert told["values"] == [
                {"value": float(value), "runs": n}
                for value, n in zip(found.image, found.image.sizes.tolist(), strict=True)
            ]
            assert sum(int(size) * groups for size, groups in told["tie_groups"].items()) == grades**depth
            assert data["balance"]["points"] == [list(point) for point in found.balance.points]
            assert data["balancing_index"] == found.balancing_index


def test_exact_numbers_stand_as_text_beside_their_floats(through_json):
    _, data = through_json("RR")
    assert data["image"]["largest_gap"] == {"exact": "1/2", "value": 0.5}
    assert data["image"]["around_largest_gap"] == [{"exact": "1/2", "value": 0.5}, {"exact": "1", "value": 1.0}]
    assert data["scale"]["spacing"]["witness"]["gaps"] == [exact_number(Fraction(1, 4)), exact_number(Fraction(1, 12))]
    assert data["scale"]["spacing"]["witness"]["steps"] == [1, 2]


def test_logarithms_are_spelled_out(through_json):
    _, data = through_json("DCG")
    assert "log_2(5)" in data["scale"]["spacing"]["witness"]["gaps"][0]["exact"]


def test_a_measure_with_one_value_has_nothing_around_a_gap(through_json):
    _, data = through_json("NumQ")
    assert data["image"]["around_largest_gap"] is None
    assert data["image"]["largest_gap"]["value"] == data["image"]["unused_share"] == 0


def test_numbers_with_thousands_of_digits_are_told():
    data = profile("INST(T='1/7')", 3).to_dict()
    assert 0 < data["image"]["largest_gap"]["value"] < 1
    json.dumps(exact_number(Fraction(1, 3**20_000) + 1))


def test_a_function_that_is_no_measure_is_json_too():
    data = json.loads(json.dumps(profile(lambda run: float("nan"), 3).to_dict(), allow_nan=False))
    assert list(data["axioms"]) == ["well_defined"]
    assert not data["axioms"]["well_defined"]["holds"]
    assert "answered nan" in data["axioms"]["well_defined"]["witness"]["why"]
    assert (data["image"], data["balance"], data["balancing_index"], data["scale"]["spacing"]) == (None,) * 4


def test_answers_beyond_the_floats_are_json_too():
    found = profile(lambda run: 10**400 * sum(run), 3)
    json.dumps(found.to_dict(), allow_nan=False)
