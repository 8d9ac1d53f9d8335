"""Profiles as the page shows them."""

from __future__ import annotations

import pytest

import measurand as md
from measurand.axioms import AXIOMS
from measurand.intervals import image
from measurand.report.page.measures import DRAWN, ProfileView, thinned
from measurand.study.profile import LATTICES


@pytest.fixture
def view(profile_of):
    return lambda name, depth=4: ProfileView(3, name, profile_of(name, depth))


def test_every_mark_leads_to_what_decides_it(view):
    seen = view("ERR")
    anchors = [each["anchor"] for each in (*seen.properties, *seen.valuations)]
    assert [mark["anchor"] for mark in seen.marks] == anchors
    assert len(set(anchors)) == len(AXIOMS) + len(LATTICES)


def test_marks_say_what_was_found(view):
    seen = view("RR")
    kinds = dict(zip(AXIOMS, (mark["kind"] for mark in seen.marks), strict=False))
    for name, verdict in seen.profile.axioms.items():
        assert (kinds[name] == "holds") == (bool(verdict) and verdict.certain)
        assert (kinds[name] == "broken") == (not verdict)


def test_a_broken_property_comes_with_the_runs_that_break_it(view):
    told = {each["head"]: each for each in view("RR").properties}
    runs = told["priority"]["runs"]
    assert told["priority"]["kind"] == "broken"
    assert len(runs) == 2
    grades = [[int(piece["text"]) for piece in run["pieces"]] for run in runs]
    assert sorted(grades[0]) == sorted(grades[1])
    for run, shown in zip(grades, runs, strict=True):
        exact = md.measures.RR.of(run)
        assert shown["value"].startswith(str(exact))


def test_a_property_that_was_only_tried_is_not_claimed_to_hold():
    seen = ProfileView(0, "Mine", md.profile(md.define(sum, name="Mine"), depth=20))
    kinds = dict(zip(AXIOMS, (mark["kind"] for mark in seen.marks), strict=False))
    assert seen.profile.axioms["replacement"].how == "sampled"
    assert kinds["replacement"] == "unbroken"


def test_a_function_that_is_no_measure_has_one_mark_and_no_figure():
    broken = md.define(lambda run: float("nan"), name="Bad")
    seen = ProfileView(0, "Bad", md.profile(broken, depth=3))
    assert [mark and mark["kind"] for mark in seen.marks] == ["broken"] + [None] * (len(AXIOMS) + len(LATTICES) - 1)
    assert (seen.figures(), seen.valuations, seen.balance) == ([], [], "")


def test_figures_fit_a_phone_and_say_what_they_show(view):
    for name in ("RR", "P", "ERR"):
        for _, caption, chart in view(name).figures():
            assert chart["width"] <= 300
            assert chart["description"]
            assert caption.endswith(".")
            assert "title" not in chart


def test_a_large_image_is_thinned_and_the_reader_is_told(view):
    [(name, caption, chart), _] = view("RBP(p=0.8)", 10).figures()
    drawn = chart["data"]["values"]
    assert name == "image-3"
    assert len(drawn) <= DRAWN + 2
    assert f"{len(drawn)} of the 1,024 values are drawn" in caption
    assert [drawn[0]["rank"], drawn[-1]["rank"]] == [1, 1024]


def test_a_small_image_is_drawn_whole(view):
    [(_, caption, chart), _] = view("RR").figures()
    assert len(chart["data"]["values"]) == 5
    assert "are drawn" not in caption


def test_the_largest_gap_is_among_what_is_drawn():
    whole = image("RBP(p=1/3)", depth=10)
    kept = thinned(whole)
    low, high = whole.around_largest_gap
    values = list(whole)
    assert {values.index(low), values.index(high)} <= set(kept)
    assert kept == sorted(set(kept))


def test_the_balancing_index_is_that_of_the_depth(view):
    assert view("P").balance == "4 of 4"
    assert view("RR").balance == f"{md.balancing_index(md.parse('RR'), 4)} of 4"
