"""Figures 2 and 3: binary runs of four ranks in their order, and where measures put them."""

from __future__ import annotations

from itertools import pairwise

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, styled
from measurand.lattice import Hasse, RunLattice
from measurand.papers.exhibit import Drawing
from measurand.papers.fff2021.four_ranks import PANELS, RANKS, spelled, values_of
from measurand.scales import Image

HEIGHT, WIDTH = 640, 118
"""Of a panel, in pixels."""

ABREAST = 3
"""So many runs with one value stand side by side, the others below them."""

HUES = ("#6b7280", "#0369a1", ACCENT, MARK, "#9f1239")
"""The letters of runs with 0 to 4 relevant documents."""


def diagram() -> Hasse:
    """Return the Hasse diagram of binary runs of four ranks by replacement and swapping."""
    return RunLattice("swap", RANKS, 2).hasse()


def places_of_values() -> Figure:
    """Return where the values of seven measures lie, with the runs that have each."""
    panels = [_panel(letter, measure) for letter, measure in PANELS.items()]
    description = "The values of seven measures on all binary runs of four ranks, from the lowest up."
    title = {
        "text": "Where seven measures put the sixteen binary runs of four ranks",
        "subtitle": [
            "A line for every value, with the runs that have it; the band is the largest gap, if gaps differ.",
            "Letters are grey, blue, green, amber and red for 0, 1, 2, 3 and 4 relevant documents.",
        ],
        "subtitlePadding": 4,
        "offset": 16,
    }
    return Figure(styled(description, {"title": title, "hconcat": panels, "spacing": 26}))


def _panel(letter: str, measure: str) -> Chart:
    found = values_of(measure)
    top = max(1.0, float(found.highest))
    values = [float(value) for value in found]
    labels = [label for place, value in enumerate(values) for label in _labels(found.runs_at(place), value, top)]
    y: Chart = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    axis = {"title": None, "tickCount": 5, "domainColor": GREY, "tickColor": GREY, "offset": 6}
    x: Chart = {"type": "quantitative", "axis": None, "scale": {"domain": [0, WIDTH], "nice": False}}
    lines: Chart = {
        "data": {"values": [{"value": value, "from": 0, "to": 12} for value in values]},
        "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5},
        "encoding": {"y": {"field": "value", **y, "axis": axis}, "x": {"field": "from", **x}, "x2": {"field": "to"}},
    }
    letters: Chart = {
        "data": {"values": labels},
        "mark": {"type": "text", "align": "left", "baseline": "middle", "font": "monospace", "fontSize": 10},
        "encoding": {
            "y": {"field": "at", **y},
            "x": {"field": "x", **x},
            "text": {"field": "run", "type": "nominal"},
            "color": {"field": "hue", "type": "nominal", "scale": None},
        },
    }
    heading = {"text": f"({letter}) {measure}", "fontSize": 12, "offset": 12}
    gaps = [] if found.equispaced else [_gaps(found, x, y)]
    return {"title": heading, "width": WIDTH, "height": HEIGHT, "layer": [*gaps, lines, letters]}


def _gaps(found: Image, x: Chart, y: Chart) -> Chart:
    """Return the largest gap as a band along the axis, or several where they are equally large."""
    largest = found.largest_gap
    steps = zip(pairwise(found), found.gaps(), strict=True)
    ends = [(float(low), float(high)) for (low, high), gap in steps if gap == largest]
    return {
        "data": {"values": [{"low": low, "high": high, "from": 0, "to": 12} for low, high in ends]},
        "mark": {"type": "rect", "color": MARK, "opacity": 0.25},
        "encoding": {
            "y": {"field": "low", **y},
            "y2": {"field": "high"},
            "x": {"field": "from", **x},
            "x2": {"field": "to"},
        },
    }


def _labels(runs: list[tuple[int, ...]], value: float, top: float) -> list[Chart]:
    """Return the runs that have a value, with where they are written: rows of a few, around the value."""
    line = 12 * top / HEIGHT
    first = min(value + line * ((len(runs) - 1) // ABREAST) / 2, top)
    places = [divmod(place, ABREAST) for place, _ in enumerate(runs)]
    return [
        {"run": spelled(run), "at": first - line * row, "x": 17 + 34 * column, "hue": HUES[sum(run)]}
        for run, (row, column) in zip(runs, places, strict=True)
    ]


DRAWINGS = (
    Drawing(name="figure-2", title="Hasse diagram of binary runs of four ranks", draw=diagram),
    Drawing(name="figure-3", title="Where the values of seven measures lie", draw=places_of_values),
)
