"""The drawing of who stands where: the place of every system under every measure."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from measurand.display.charts import ACCENT, GREY, INK, Chart, styled
from measurand.display.wording import counted, listed

SUBTITLE = "in colour: those that come first somewhere"

MANY = 40
"""With more systems the steps between places are narrow."""


def places_chart(places: Mapping[str, Mapping[str, int]], by: str = "the mean") -> Chart:
    """Return the drawing of who stands where, from the places of systems by measure; those that tie share one.

    Parameters
    ----------
    places
        The places of systems, by measure.
    by
        What systems are ordered by.

    Examples
    --------
    >>> chart = places_chart({"P@10": {"a": 1, "b": 2}, "RR@10": {"a": 1, "b": 1}})
    >>> chart["description"]
    'The places of 2 systems under 2 measures. First: a under P@10 and RR@10; b under RR@10.'
    """
    measures, leaders = list(places), _leaders(places)
    systems = list(dict.fromkeys(system for found in places.values() for system in found))
    # Vega cannot group by a name such as __proto__
    lines = {system: number for number, system in enumerate(systems)}
    rows = [
        {"measure": measure, "system": system, "place": place, "line": lines[system], "leads": system in leaders}
        for measure, found in places.items()
        for system, place in found.items()
    ]
    step = 22 if len(systems) <= MANY else 9
    x = {"field": "measure", "type": "nominal", "sort": measures, "title": None, "axis": {"labelAngle": -30}}
    y = {
        "field": "place",
        "type": "quantitative",
        "title": "place",
        "scale": {"domain": [0.5, len(systems) + 0.5], "reverse": True, "nice": False},
        "axis": {"values": _ticks(len(systems))},
    }
    leading = {"test": "datum.leads", "value": ACCENT}
    encoding = {"x": x, "y": y, "detail": {"field": "line"}, "color": {"condition": leading, "value": GREY}}
    tooltip = [{"field": name} for name in ("system", "measure", "place")]
    mark = {"type": "line", "point": {"size": 40}, "strokeWidth": 1.5}
    drawn = {"mark": mark, "encoding": {**encoding, "tooltip": tooltip}}
    names = {
        "data": {"values": _ends(measures[-1], places[measures[-1]], leaders)},
        "mark": {"type": "text", "align": "left", "dx": 8, "limit": 200},
        "encoding": {**encoding, "text": {"field": "names"}, "color": {"condition": leading, "value": INK}},
    }
    return styled(
        _described(counted(len(systems), "system"), len(measures), leaders),
        {
            "title": {"text": "Places of systems", "subtitle": f"by {by}; {SUBTITLE}"},
            "width": max(120, 80 * len(measures)),
            "height": max(80, step * len(systems)),
            "data": {"values": rows},
            "layer": [drawn, *([names] if len(systems) <= MANY else [])],
        },
    )


def _leaders(places: Mapping[str, Mapping[str, int]]) -> dict[str, list[str]]:
    """Return those that come first somewhere, with the measures under which they do."""
    found: dict[str, list[str]] = {}
    for measure, by_system in places.items():
        for system, place in by_system.items():
            if place == 1:
                found.setdefault(system, []).append(measure)
    return found


def _ends(measure: str, places: Mapping[str, int], leaders: Container[str]) -> list[Chart]:
    """Return the names at the ends of the lines: those that share a place stand on one line."""
    sharing: dict[int, list[str]] = {}
    for system, place in places.items():
        sharing.setdefault(place, []).append(system)
    return [
        {
            "measure": measure,
            "place": place,
            "names": ", ".join(systems),
            "leads": systems[0] in leaders,
        }
        for place, systems in sharing.items()
    ]


def _ticks(systems: int) -> list[int]:
    """Return the places that are written on the axis: the first, and others at even distances."""
    step = max(1, systems // 10)
    return [1, *range(1 + step, systems + 1, step)]


def _described(systems: str, measures: int, leaders: Mapping[str, Sequence[str]]) -> str:
    first = "; ".join(f"{system} under {listed(names)}" for system, names in leaders.items())
    said = f" First: {first}." if first else ""
    return f"The places of {systems} under {counted(measures, 'measure')}.{said}"
