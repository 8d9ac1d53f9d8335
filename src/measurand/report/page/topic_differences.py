"""Differences topic by topic: the figure in which two systems are compared, a bar for every topic."""

from __future__ import annotations

from typing import Any

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart
from measurand.study.study import Study

SIDES = {"first": ACCENT, "second": MARK, "level": GREY}
"""Who is ahead on a topic, and the colour of its bar."""


def differences_chart() -> Chart:
    """Return the figure without its bars, which the page's script fills in: topic, difference, who is ahead."""
    axis = {"labels": False, "ticks": False, "domain": False}
    x = {"field": "topic", "type": "nominal", "sort": None, "title": "topics, by difference", "axis": axis}
    y: dict[str, Any] = {"field": "difference", "type": "quantitative", "title": "difference", "stack": None}
    said = [{"field": name, "type": "nominal"} for name in ("topic", "one", "other", "difference")]
    scale = {"domain": list(SIDES), "range": list(SIDES.values())}
    colour = {"field": "ahead", "type": "nominal", "scale": scale, "legend": None}
    zero = {"mark": {"type": "rule", "color": INK, "strokeWidth": 0.7}, "encoding": {"y": {"datum": 0}}}
    bars = {"mark": {"type": "bar", "minBandSize": 2}, "encoding": {"x": x, "y": y, "color": colour, "tooltip": said}}
    return {
        "description": "",
        "width": "container",
        "height": 220,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": []},
        "layer": [bars, zero],
    }


def compared_at_first(study: Study) -> tuple[int, int]:
    """Return the places of the two systems that are compared at first: the best and the next one, or the baseline."""
    order = study.result(next(iter(study.measures))).order
    if study.plan.baseline is None:
        return order[0], order[1]
    base = study.systems.index(study.plan.baseline)
    return next(place for place in order if place != base), base
