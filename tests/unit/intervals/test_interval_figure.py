"""The figure of an interval scale: exact points, marked runs, axes that can be read."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, product

import pytest
import vl_convert

from measurand.display.charts import draw
from measurand.errors import NotAvailable, ParameterError
from measurand.intervals.interval_figure import interval_figure
from measurand.intervals.ruler import Ruler
from measurand.measures import parse
from measurand.scales import interval


def layers(panel, mark):
    """Return the layers of a panel that are drawn with a mark."""
    return [layer for layer in panel["layer"] if layer["mark"]["type"] == mark]


def rows(panel, mark="line"):
    """Return the points of a curve."""
    found = [layer for layer in layers(panel, mark) if "strokeDash" not in layer["mark"]]
    return found[0]["data"]["values"]


def panels(*asked, **options):
    return interval_figure(interval(*asked, **options), [])["hconcat"]


@pytest.mark.parametrize("spelling", ["P@5", "RR@5", "Q@5", "DCG(b=2)@5", "RBP(p=0.8)@5", "nDCG(b=2)@5"])
def test_small_scales_show_all_their_values(spelling):
    measure = parse(spelling)
    values = [float(measure.of(run)) for run in product((0, 1), repeat=5)]
    left, right = panels(spelling)
    for row in rows(left):
        assert row["share"] == pytest.approx(sum(value <= row["value"] + 1e-9 for value in values) / 32)
    different = sorted({round(value, 9) for value in values})
    points = rows(right, "circle")
    assert [point["value"] for point in points] == pytest.approx(different)
    assert [point["position"] for point in points] == pytest.approx(
        [place / (len(different) - 1) for place in range(len(different))]
    )
    assert layers(left, "line")[0]["mark"]["interpolate"] == "step-after"


def test_large_scales_show_some_values_exactly_placed():
    left, right = panels("DCG(b=2)@30")
    curve, points = rows(left), rows(right, "circle")
    assert len(curve) == len(points) > 200
    assert (curve[0]["value"], curve[0]["share"], curve[-1]["share"]) == (0, 2.0**-30, 1)
    assert all(one["value"] < other["value"] and one["share"] <= other["share"] for one, other in pairwise(curve))
    assert all(one["position"] < other["position"] for one, other in pairwise(points))
    assert "exactly placed" in left["title"]["subtitle"]


def test_very_many_points_are_thinned_out():
    left, _ = panels("RBP(p=0.8)@12")
    assert 300 < len(rows(left)) < 2000


RUNS = [(0, 0, 1, 0), (1,), (1, 0, 0, 1)]


def marked(panel):
    return {layer["data"]["values"][0]["run"]: layer for layer in layers(panel, "text")}


def test_runs_are_marked_on_both_curves():
    left, right = interval_figure(interval("RR@4"), RUNS)["hconcat"]
    for panel, field, heights in ((left, "share", {4 / 16, 1}), (right, "position", {0.5, 1})):
        (dots,) = layers(panel, "point")
        assert {row["value"] for row in dots["data"]["values"]} == {1 / 3, 1}
        assert {row[field] for row in dots["data"]["values"]} == heights
        assert set(marked(panel)) == {"0010", "1 = 1001"}


def test_the_marks_of_a_large_scale_are_exact():
    scale = interval("DCG(b=2)@30")
    left, right = interval_figure(scale, [(1, 0, 1)])["hconcat"]
    (row,) = layers(right, "point")[0]["data"]["values"]
    assert row["log10"] == pytest.approx(scale.position((1, 0, 1)).log10)
    below = interval("DCG(b=2)@30", ties="max").position((1, 0, 1)).low
    share = layers(left, "point")[0]["data"]["values"][0]["share"]
    assert share == pytest.approx(float(below + Fraction(1, 2**30)), rel=1e-6)


def test_long_runs_are_marked_by_number_and_filled_ones_by_their_top():
    right = interval_figure(interval("P@30"), [(0,) * 20 + (1,), (1,) + (0,) * 29, (0,) * 30])["hconcat"][-1]
    assert set(marked(right)) == {"run 1 = 1…", "000000000000…"}


def test_names_of_neighbours_do_not_overlap():
    runs = [tuple(int(k == rank) for k in range(8)) for rank in range(8)]
    left = interval_figure(interval("RBP(p=0.9)@30"), runs)["hconcat"][0]
    heights = [layer["mark"]["dy"] for layer in layers(left, "text")]
    assert len(set(heights)) > 1


def test_low_positions_get_a_logarithmic_axis():
    high, low = (interval_figure(interval("DCG(b=2)@30"), [run])["hconcat"][1] for run in ((1,) * 20, (0, 0, 1)))
    fields = [rows_of["encoding"]["y"]["field"] for panel in (high, low) for rows_of in panel["layer"]]
    assert fields[:4] == ["position"] * 4
    assert fields[4:] == ["log10"] * 4
    assert all(row["log10"] > -10 for row in rows(low, "circle"))
    json.dumps(low, allow_nan=False)


def test_where_runs_cannot_be_counted_positions_are_drawn_alone(monkeypatch):
    (only,) = panels("RBP(p=0.8)", depth="inf")
    assert only["title"]["text"] == "RBP(p=0.8): where values stand"
    assert len(rows(only)) > 40
    ruler = type(interval("DCG(b=2)@20").universe.ruler(None, None, interval.budget))
    monkeypatch.setattr(ruler, "shares", Ruler.shares)
    assert len(panels("DCG(b=2)@20")) == 1


def test_runs_without_end_may_be_long():
    (only,) = interval_figure(interval("RBP(p=0.5)", depth="inf"), [(0, 1) * 30, (1,)])["hconcat"]
    assert [round(row["position"], 4) for row in layers(only, "point")[0]["data"]["values"]] == [0.3333, 0.5]


@pytest.mark.parametrize("ties", ["mid", "min", "max"])
def test_other_ties_are_drawn_as_they_are(ties):
    scale = interval("P@4", ties=ties)
    points = rows(panels("P@4", ties=ties)[1], "circle")
    runs = [(1,) * n + (0,) * (4 - n) for n in range(5)]
    assert [point["position"] for point in points] == [float(scale.position(run).low) for run in runs]


@pytest.mark.parametrize(
    ("spelling", "options"),
    [("P@1", {}), ("NumQ@3", {}), ("gP@3", {"grades": 3}), ("Q@3", {"grades": 4}), ("P(rel=2)@4", {"grades": 3})],
)
def test_scales_of_every_kind_are_drawn(spelling, options):
    chart = interval_figure(interval(spelling, **options), [(1, 0, 0)])
    json.dumps(chart, allow_nan=False)
    assert vl_convert.vegalite_to_vega(chart)["marks"]
    assert b"NaN" not in draw(chart, "a.svg")


def test_a_function_is_drawn():
    chart = interval_figure(interval(lambda run: -sum(run), depth=4), [(1, 1, 0, 0)])
    assert b"NaN" not in draw(chart, "a.svg")


def test_values_beyond_the_floats_are_refused():
    with pytest.raises(ParameterError, match="too large to draw"):
        interval_figure(interval(lambda run: 10**400 * sum(run), depth=2))


def test_a_scale_that_nobody_knows_is_refused():
    with pytest.raises(NotAvailable):
        interval_figure(interval("Q@30"))
