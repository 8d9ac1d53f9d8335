"""The drawing of scores: a row of dots for every system, best first, with the number that the scale admits."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, INK, MARK, Chart, styled
from measurand.display.wording import counted
from measurand.scores.summary import Summary, written

ON_THE_AXIS = ("mean", "median", "geometric mean")
"""Numbers per system that are scores themselves, and so have a place among them."""

MANY = 40
"""With more systems the rows are narrow."""

WIDTH = 460
"""How wide the dots may lie, in pixels."""

STEPS = 22, 13
"""How high a row is, in pixels: wide or narrow."""


def scores_chart(
    measure: str, topics: Sequence[str], values: FloatArray, summary: Summary, *, lower_is_better: bool = False
) -> Chart:
    """Return the drawing of scores, systems × topics, with a number per system.

    Examples
    --------
    >>> import numpy as np
    >>> summary = Summary(("a", "b"), [0.25, 0.5], "median", ())
    >>> chart = scores_chart("RR", ("1",), np.array([[0.25], [0.5]]), summary)
    >>> chart["title"]["text"], [row["system"] for row in chart["data"]["values"]]
    ('RR by system', ['b', 'a'])
    """
    order = summary.best_first
    y = _rows([summary.systems[place] for place in order])
    rows = [_row(summary, place) for place in order]
    dots = [
        {"system": summary.systems[place], "score": float(score), "topic": topic}
        for place in order
        for topic, score in zip(topics, values[place], strict=True)
        if isfinite(score)
    ]
    step = STEPS[len(order) > MANY]
    x = _score(measure, values[np.isfinite(values)])
    layers = [_dots(dots, x, y), *_marked(summary, x, y), _said(y)]
    lower = "lower is better; " if lower_is_better else ""
    line = "line and number" if summary.statistic in ON_THE_AXIS else "number"
    number = f"{summary.statistic}{' within topics' if summary.statistic == 'mean rank' else ''}"
    said = f"{lower}a dot for every topic; {line}: {number}, best first"
    title = {"text": f"{measure} by system", "subtitle": said}
    content = {"title": title, "width": WIDTH, "height": {"step": step}, "data": {"values": rows}, "layer": layers}
    return styled(_described(measure, len(topics), rows, summary), content)


def _row(summary: Summary, place: int) -> Chart:
    value = summary[place]
    return {
        "system": summary.systems[place],
        "value": value if isfinite(value) else None,
        "said": written(value, summary.statistic),
    }


def _described(measure: str, topics: int, rows: Sequence[Chart], summary: Summary) -> str:
    first = f" First is {rows[0]['system']} with {rows[0]['said']}." if rows and rows[0]["value"] is not None else ""
    many = f"{counted(len(rows), 'system')} on {counted(topics, 'topic')}"
    return f"Scores of {many} under {measure}, best {summary.statistic} first.{first}"


def _rows(systems: Sequence[str]) -> Chart:
    axis = {
        "title": None,
        "labelLimit": 260,
        "labelPadding": 10,
        "ticks": False,
        "domain": False,
        "grid": True,
        "gridOpacity": 0.35,
    }
    return {"field": "system", "type": "nominal", "sort": systems, "axis": axis}


def _score(title: str, scores: FloatArray) -> Chart:
    # an axis of one score alone would round it to a whole number
    alike = {"domain": [float(scores[0]) - 1, float(scores[0]) + 1]} if scores.size and not np.ptp(scores) else {}
    return {"type": "quantitative", "title": title, "scale": {"zero": False, **alike}}


def _dots(dots: list[Chart], x: Chart, y: Chart) -> Chart:
    tooltip = [{"field": "system"}, {"field": "topic"}, {"field": "score", "format": ".4f"}]
    return {
        "data": {"values": dots},
        "mark": {"type": "circle", "color": ACCENT, "opacity": 0.45, "size": 34, "aria": False},
        "encoding": {"x": {"field": "score", **x}, "y": y, "tooltip": tooltip},
    }


def _marked(summary: Summary, x: Chart, y: Chart) -> list[Chart]:
    if summary.statistic not in ON_THE_AXIS:
        return []
    mark = {"type": "tick", "color": MARK, "thickness": 3, "opacity": 1, "aria": False}
    return [{"mark": mark, "encoding": {"x": {"field": "value", **x}, "y": y}}]


def _said(y: Chart) -> Chart:
    """Return the numbers per system, in a column of their own on the right."""
    mark = {"type": "text", "align": "left", "color": INK, "fontSize": 11, "baseline": "middle"}
    text, told = {"field": "said"}, {"field": "system"}
    return {"mark": mark, "encoding": {"x": {"value": WIDTH + 14}, "y": y, "text": text, "description": told}}
