"""Drawings of two systems: how many documents more one has down to every rank, and who is ahead by a parameter."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, DASHED, GREY, INK, MARK, Chart, styled
from measurand.display.wording import counted
from measurand.study.parameter_words import value_texts

if TYPE_CHECKING:
    from measurand.study.levels import Levels
    from measurand.study.parameter_map import ParameterMap

WIDTH, HEIGHT = 620, 280
"""The size of the drawing, in pixels."""

POINTS, LEAST = 401, 41
"""At so many values of the parameter the difference is drawn, and at so many at least between two changes."""

LINE = 100
"""A title is broken after so many letters."""

LETTER = 7
"""How much room a letter of a label takes, in pixels."""

MARKED = 12
"""With more changes than this they are not marked; the colours show them."""

FEW = 10
"""Up to so many whole numbers are all named on the axis."""

SHADES = ("#0f766e", "#2563eb", "#7c3aed", "#be185d", "#4d7c0f", "#0e7490")
"""The colours of grades, the lowest first; they come again where there are more."""

LEVEL = "level"


def levels_chart(found: Levels) -> Chart:
    """Return the drawing of mean differences of counts: a line for every grade, and where one is below 0.

    Parameters
    ----------
    found
        The levels of two systems.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.levels import levels
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> chart = levels_chart(levels(judged, "s0", "s1"))
    >>> [row["more"] for row in chart["layer"][1]["data"]["values"]]
    [1.0, 0.0, -1.0]
    """
    means = found.mean_differences
    names = [f"grade {found.judged.grade_name(grade)} or more" for grade in range(1, len(means) + 1)]
    rows = [
        {"rank": rank, "more": more, "grade": name}
        for name, line in zip(names, means.tolist(), strict=True)
        for rank, more in enumerate(line, 1)
    ]
    behind = [row for row in rows if row["more"] < 0]
    x = {"field": "rank", "type": "quantitative", "title": "down to rank", "axis": {"tickMinStep": 1, "format": "d"}}
    x["scale"] = {"domain": [1, max(2, found.depth)], "nice": False, "zero": False}
    y = {"field": "more", "type": "quantitative", "title": f"documents more for {found.a}, mean over topics"}
    colours = [SHADES[place % len(SHADES)] for place in range(len(names))]
    legend = {"orient": "bottom", "symbolType": "stroke", "symbolStrokeWidth": 3, "columns": 4}
    scale = {"domain": names, "range": colours}
    colour = {"field": "grade", "type": "nominal", "title": None, "scale": scale, "legend": legend}
    dots = {"type": "point", "filled": True, "size": 22, "opacity": 1, "color": MARK}
    line = {"type": "line", "strokeWidth": 2, "interpolate": "linear", "point": found.depth < 2}
    layers = [
        {"data": {"values": [{}]}, "mark": {**DASHED, "type": "rule"}, "encoding": {"y": {"datum": 0}}},
        {"data": {"values": rows}, "mark": line, "encoding": {"x": x, "y": y, "color": colour}},
        *([{"data": {"values": behind}, "mark": dots, "encoding": {"x": x, "y": y}}] if behind else []),
    ]
    below = f"; dots: {found.b} has more" if behind else ""
    title = {
        "text": wrap(found.sentence, LINE),
        "subtitle": f"{found.a} against {found.b}, {counted(len(found.shared_topics), 'topic')}{below}",
        "subtitleColor": INK,
        "offset": 14,
    }
    return styled(found.sentence, {"title": title, "width": WIDTH, "height": HEIGHT, "layer": layers})


def parameter_chart(found: ParameterMap) -> Chart:
    """Return the drawing of a parameter map.

    Parameters
    ----------
    found
        The map.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.parameter_map import parameter_map
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> parameter_chart(parameter_map(judged, "s0", "s1", "RBP"))["title"]["text"]
    ['s0 is ahead for p < 0.618, s1 above']
    """
    low, high = _shown(found)
    rows = _stems(found) if found.steps else _line(found, low, high)
    x = {"type": "quantitative", "title": _axis(found), "scale": {"domain": [low, high], "nice": False, "zero": False}}
    x["axis"] = _ticks(found) if found.steps else {"tickCount": 10}
    marks = _marks(found, low, high)
    difference = f"mean difference, {found.a} − {found.b}"
    title = {
        "text": wrap(found.sentence, LINE),
        "subtitle": f"{found.spelled}, {difference}, over {counted(found.topics, 'topic')}",
        "offset": 14,
    }
    layers = [
        {"data": {"values": [{}]}, "mark": {**DASHED, "type": "rule"}, "encoding": {"y": {"datum": 0}}},
        *(_stem_layers(rows, x, found) if found.steps else _line_layers(rows, x, found)),
        *_mark_layers(marks, x),
    ]
    return styled(found.sentence, {"title": title, "width": WIDTH, "height": HEIGHT, "layer": layers})


def _ticks(found: ParameterMap) -> Chart:
    """Return the ticks of whole numbers; few of them are all named, which Vega would else do twice."""
    first, last = (int(float(end)) for end in found.ends if end is not None)
    return {"values": list(range(first, last + 1))} if last - first < FEW else {"tickMinStep": 1, "format": "d"}


def _axis(found: ParameterMap) -> str:
    """Return what stands below the drawing."""
    named = {"p": "persistence p", "cutoff": "cutoff", "b": "base b of the logarithm"}
    return named.get(found.over, found.parameter)


def _shown(found: ParameterMap) -> tuple[float, float]:
    """Return from where to where the parameter is drawn."""
    first, last = found.ends
    low, high = float(first), None if last is None else float(last)
    if found.steps:
        return low - 0.6, float(high or low) + 0.6
    if high is None:
        # as far beyond the last change as that is from the start, and a step at least
        changes = [float(value) for value in (*found.changes, *found.touches)]
        high = max([low + 2, *(2 * value - low for value in changes)])
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _leader(leader: str | None) -> str:
    return LEVEL if leader is None else f"{leader} is ahead"


def _line(found: ParameterMap, low: float, high: float) -> list[Chart]:
    """Return the points of the line, piece by piece; neighbouring pieces share their end, which is at 0."""
    rows = []
    for piece, segment in enumerate(found.segments):
        start, stop = float(segment.low), high if segment.high is None else float(segment.high)
        # a short piece has its bends, too
        share = (stop - start) / (high - low)
        values = np.linspace(start, stop, max(LEAST, round(POINTS * share)))
        rows += [
            {"x": x, "difference": y, "who": _leader(segment.leader), "piece": piece}
            for x, y in zip(values.tolist(), found.differences(values).tolist(), strict=True)
        ]
    return rows


def _stems(found: ParameterMap) -> list[Chart]:
    rows = []
    for segment in found.segments:
        values: FloatArray = np.arange(float(segment.low), float(segment.high or segment.low) + 0.5)
        who, level = _leader(segment.leader), segment.leader is None
        differences = np.zeros_like(values) if level else found.differences(values)
        rows += [
            {"x": x, "difference": y, "who": who} for x, y in zip(values.tolist(), differences.tolist(), strict=True)
        ]
    return rows


def _colours(found: ParameterMap) -> Chart:
    """Return the colours of those who lead somewhere."""
    every = {found.a: ACCENT, found.b: MARK, None: GREY}
    there = [leader for leader in every if any(each.leader == leader for each in found.segments)]
    names, colours = [_leader(leader) for leader in there], [every[leader] for leader in there]
    legend = {"orient": "bottom", "labelLimit": WIDTH // 2, "symbolType": "circle", "symbolOpacity": 1}
    scale = {"domain": names, "range": colours}
    return {"field": "who", "type": "nominal", "title": None, "scale": scale, "legend": legend}


def _y() -> Chart:
    axis = {"titlePadding": 10, "tickCount": 6}
    return {"field": "difference", "type": "quantitative", "title": "mean difference", "axis": axis}


def _line_layers(rows: list[Chart], x: Chart, found: ParameterMap) -> list[Chart]:
    places = {"x": {"field": "x", **x}, "y": _y(), "color": _colours(found), "detail": {"field": "piece"}}
    return [
        {"data": {"values": rows}, "mark": {"type": "area", "opacity": 0.14, "aria": False}, "encoding": places},
        {"data": {"values": rows}, "mark": {"type": "line", "strokeWidth": 2.5}, "encoding": places},
    ]


def _stem_layers(rows: list[Chart], x: Chart, found: ParameterMap) -> list[Chart]:
    thick = max(1.0, min(16.0, 0.6 * WIDTH / len(rows)))
    places = {"x": {"field": "x", **x}, "color": _colours(found)}
    level = [row for row in rows if row["who"] == LEVEL]
    dots = {"type": "point", "filled": True, "size": 30, "opacity": 1}
    bars = {"type": "bar", "width": thick, "orient": "vertical"}
    return [
        {"data": {"values": rows}, "mark": bars, "encoding": {**places, "y": {**_y(), "stack": None}}},
        *([{"data": {"values": level}, "mark": dots, "encoding": {**places, "y": _y()}}] if level else []),
    ]


def _marks(found: ParameterMap, low: float, high: float) -> list[Chart]:
    """Return where the lead changes or the systems are level, each with its value; nothing where that is often."""
    values, written = [*found.changes, *found.touches], value_texts(found)
    if len(values) > MARKED:
        return []
    # a whole number is marked where its bar begins
    marked = sorted((float(value) - 0.5 * found.steps, written(value)) for value in values)
    marks, taken = [], [-np.inf, -np.inf]
    for value, text in marked:
        place, room = (value - low) / (high - low) * WIDTH, LETTER * len(text)
        # labels that would run into each other stand on two lines; where these are full, there is none
        line = next((line for line, end in enumerate(taken) if place - room / 2 > end), None)
        if line is not None:
            taken[line] = place + room / 2
        marks.append({"x": value, "text": "" if line is None else text, "above": -8 - 13 * (line or 0)})
    return marks


def _mark_layers(marks: list[Chart], x: Chart) -> list[Chart]:
    if not marks:
        return []
    places = {"x": {"field": "x", **x}}
    rule = {"type": "rule", "color": INK, "strokeDash": [2, 3], "strokeWidth": 1, "opacity": 0.7}
    layers: list[Chart] = [{"data": {"values": marks}, "mark": rule, "encoding": places}]
    for above in sorted({mark["above"] for mark in marks}):
        letters = {"type": "text", "baseline": "bottom", "color": INK, "fontSize": 11, "y": above + 6}
        values = [mark for mark in marks if mark["above"] == above]
        encoding = {**places, "text": {"field": "text"}}
        layers.append({"data": {"values": values}, "mark": letters, "encoding": encoding})
    return layers
