"""The drawing of a study: the place of every system under every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from measurand.charts import ACCENT, GREY, INK, Chart, styled
from measurand.wording import counted

SUBTITLE = "by the average that each scale admits; in colour: those that come first somewhere"

MANY = 40
"""With more systems the steps between places are narrow."""


def places_chart(orders: Mapping[str, Sequence[str]]) -> Chart:
    """Return the drawing of who stands where, from the systems by measure, best first.

    Examples
    --------
    >>> chart = places_chart({"P@10": ["a", "b"], "RR@10": ["b", "a"]})
    >>> chart["description"]
    'The places of 2 systems under 2 measures. First: a under P@10; b under RR@10.'
    """
    measures = list(orders)
    systems = list(orders[measures[0]])
    rows = [
        {"measure": measure, "system": system, "place": place}
        for measure, order in orders.items()
        for place, system in enumerate(order, 1)
    ]
    step = 22 if len(systems) <= MANY else 9
    x = {"field": "measure", "type": "nominal", "sort": measures, "title": None, "axis": {"labelAngle": -30}}
    y = {
        "field": "place",
        "type": "quantitative",
        "title": "place",
        "scale": {"domain": [0.5, len(systems) + 0.5], "reverse": True, "nice": False},
        "axis": {"tickMinStep": 1},
    }
    leading = {"test": {"field": "system", "oneOf": _leading(orders)}, "value": ACCENT}
    encoding = {"x": x, "y": y, "detail": {"field": "system"}, "color": {"condition": leading, "value": GREY}}
    tooltip = [{"field": name} for name in ("system", "measure", "place")]
    mark = {"type": "line", "point": {"size": 40}, "strokeWidth": 1.5}
    lines = {"mark": mark, "encoding": {**encoding, "tooltip": tooltip}}
    names = {
        "transform": [{"filter": {"field": "measure", "equal": measures[-1]}}],
        "mark": {"type": "text", "align": "left", "dx": 8, "limit": 200},
        "encoding": {**encoding, "text": {"field": "system"}, "color": {"condition": leading, "value": INK}},
    }
    return styled(
        _described(orders),
        {
            "title": {"text": "Places of systems", "subtitle": SUBTITLE},
            "width": max(120, 80 * len(measures)),
            "height": max(80, step * len(systems)),
            "data": {"values": rows},
            "layer": [lines, *([names] if len(systems) <= MANY else [])],
        },
    )


def _leading(orders: Mapping[str, Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(order[0] for order in orders.values()))


def _described(orders: Mapping[str, Sequence[str]]) -> str:
    first: dict[str, list[str]] = {}
    for measure, order in orders.items():
        first.setdefault(order[0], []).append(measure)
    leaders = "; ".join(f"{system} under {', '.join(names)}" for system, names in first.items())
    systems = counted(len(next(iter(orders.values()))), "system")
    return f"The places of {systems} under {counted(len(orders), 'measure')}. First: {leaders}."
