"""Slopes: a line for every system, from its place under a measure to its place on the interval scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart
from measurand.display.wording import counted
from measurand.report.page.places import Moves

BEST = 5
"""How many of the best systems have their names written."""

MOVERS = 6
"""How many of those that move most."""

EVERYBODY = 40
"""Up to how many systems all have their names written."""

LETTER = 13
"""How far apart names must stand, in pixels."""


def height_of(systems: int) -> int:
    """Return how high the figure is, in pixels.

    Examples
    --------
    >>> height_of(2), height_of(20), height_of(129)
    (160, 400, 900)
    """
    return int(min(900, max(160, 20 * systems)))


def rows_of(moves: Moves, systems: Sequence[str]) -> list[list[Any]]:
    """Return for every system that has a place: name, both places, and what is written on the left and the right.

    Examples
    --------
    >>> found = Moves("mean", ("mean*", "mean"), np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    >>> rows_of(found, ("a", "b"))
    [['a', 1, 1, 'a  1', '1  a, ▲1 b'], ['b', 2, 1, 'b  2', '']]
    """
    up = moves.up
    placed = [place for place in range(len(systems)) if not np.isnan(moves.raw[place] + moves.ranked[place])]
    by_place = sorted(placed, key=lambda place: (moves.raw[place], moves.ranked[place], systems[place]))
    movers = sorted((place for place in by_place if up[place]), key=lambda place: -abs(up[place]))
    wanted = by_place if len(systems) <= EVERYBODY else [*by_place[:BEST], *movers[:MOVERS]]
    moved = [f"▲{step} " if step > 0 else f"▼{-step} " if step else "" for step in up.tolist()]
    left = _written(moves.raw, wanted, systems)
    right = _written(moves.ranked, wanted, [move + name for name, move in zip(systems, moved, strict=True)])
    rows = []
    for place in by_place:
        ends = int(moves.raw[place]), int(moves.ranked[place])
        before = f"{left[place]}  {ends[0]}" if place in left else ""
        after = f"{ends[1]}  {right[place]}" if place in right else ""
        rows.append([systems[place], *ends, before, after])
    return rows


def _written(ends: FloatArray, wanted: Sequence[int], names: Sequence[str]) -> dict[int, str]:
    """Return what is written beside which system: those that share a place together, none too near to another."""
    step = height_of(len(names)) / max(1, len(names) - 1)
    sharing: dict[float, list[int]] = {}
    for place in wanted:
        sharing.setdefault(float(ends[place]), []).append(place)
    found: dict[int, str] = {}
    taken: list[float] = []
    for end, several in sharing.items():
        if all(abs(end - other) * step >= LETTER for other in taken):
            taken.append(end)
            found[several[0]] = ", ".join(names[place] for place in several)
    return found


def slope_description(measure: str, moves: Moves) -> str:
    """Return what the figure shows, in words.

    Examples
    --------
    >>> slope_description("RR", Moves("mean", ("mean*", "mean"), np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    'Places of 2 systems under RR (left) and on its interval scale (right), by mean* and mean: none changes its place.'
    """
    n = int((~np.isnan(moves.raw + moves.ranked)).sum())
    names = moves.names[0] if moves.names[0] == moves.names[1] else " and ".join(moves.names)
    moved = "none changes its place"
    if moves.moving:
        moved = f"{moves.moving} of {n} change their place, by {counted(moves.largest, 'place')} at most"
    where = f"under {measure} (left) and on its interval scale (right)"
    return f"Places of {counted(n, 'system')} {where}, by {names}: {moved}."


def slope_chart(description: str, rows: Sequence[Sequence[Any]], systems: int) -> Chart:
    """Return the figure of some rows; the page's script puts those of other measures in their place."""
    keys = ("system", "raw", "interval", "left", "right")
    direction = "datum.raw > datum.interval ? 'up' : datum.raw < datum.interval ? 'down' : 'stays'"
    return {
        "description": description,
        "width": "container",
        "height": height_of(systems),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [dict(zip(keys, row, strict=True)) for row in rows]},
        "transform": [
            {"calculate": "0", "as": "start"},
            {"calculate": "1", "as": "end"},
            {"calculate": direction, "as": "move"},
            {"calculate": "abs(datum.raw - datum.interval)", "as": "places"},
        ],
        "encoding": _axes(),
        "layer": [
            {"mark": {"type": "rule"}, "encoding": _lines()},
            *_names("start", "raw", "left", "right", -8),
            *_names("end", "interval", "right", "left", 8),
        ],
    }


def _axes() -> Chart:
    axis = {
        "values": [0, 1],
        "labelExpr": "datum.value ? 'interval scale' : 'as it is'",
        "title": None,
        "grid": False,
        "ticks": False,
        "domain": False,
        "orient": "top",
    }
    return {
        "x": {"field": "start", "type": "quantitative", "scale": {"domain": [-0.75, 1.75]}, "axis": axis},
        "x2": {"field": "end"},
        "y": {
            "type": "quantitative",
            "scale": {"reverse": True, "zero": False, "nice": False, "padding": 14},
            "axis": None,
        },
        "tooltip": [
            {"field": "system", "type": "nominal"},
            {"field": "raw", "type": "quantitative", "title": "place as it is"},
            {"field": "interval", "type": "quantitative", "title": "place on the interval scale"},
        ],
    }


def _lines() -> Chart:
    return {
        "y": {"field": "raw"},
        "y2": {"field": "interval"},
        "color": {
            "field": "move",
            "type": "nominal",
            "scale": {"domain": ["up", "down", "stays"], "range": [ACCENT, MARK, GREY]},
            "legend": {"title": None, "orient": "top"},
        },
        # the further, the wider
        "strokeWidth": {
            "field": "places",
            "type": "quantitative",
            "scale": {"zero": True, "range": [0.7, 3]},
            "legend": None,
        },
    }


def _names(x: str, y: str, text: str, align: str, dx: int) -> list[Chart]:
    place = {"x": {"field": x}, "y": {"field": y}, "x2": None}
    limit = {"expr": "width * 0.29"}
    mark = {"type": "text", "align": align, "dx": dx, "limit": limit, "color": INK, "fontSize": 11}
    return [
        {"mark": {"type": "point", "filled": True, "size": 12, "color": INK}, "encoding": place},
        {"mark": mark, "encoding": {**place, "text": {"field": text, "type": "nominal"}}},
    ]
