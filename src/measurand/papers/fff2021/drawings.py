"""Figures: binary runs of four ranks and where measures put them (2, 3), and curves of values (6 to 8)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, styled
from measurand.intervals import distribution
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


DEPTHS = (5, 10, 20, 30)

SIDE = 270
"""Panels are so wide and high, in pixels."""

FINE = 1 / SIDE
"""Points that are closer than this part of both axes are drawn once."""


def curve(spelling: str, depth: int) -> Iterator[tuple[float, float]]:
    """Return the corners of a curve of steps: the share of runs in percent, and the value.

    Examples
    --------
    >>> list(curve("P", 1))
    [(0.0, 0.0), (50.0, 0.0), (50.0, 1.0), (100.0, 1.0)]
    """
    found = distribution(spelling, depth)
    highest = float(found.values[-1])
    last = (-1.0, -1.0)
    for place, value in enumerate(map(float, found.values)):
        for count in (found.below[place], found.at_most[place]):
            share = count / found.total
            far = abs(share - last[0]) > FINE or abs(value / highest - last[1]) > FINE
            if far or count == found.total:
                last = share, value / highest
                yield 100 * share, value


def panel(depth: int, measures: dict[str, str], limit: float | None, named: str) -> Chart:
    """Return the curves of some measures on all runs of a length."""
    rows = [
        {"share": share, "value": value, "measure": name, "order": order}
        for name, spelling in measures.items()
        for order, (share, value) in enumerate(curve(spelling, depth))
    ]
    top = {} if limit is None else {"scale": {"domain": [0, limit]}}
    colours = {"domain": list(measures), "range": [INK, ACCENT, MARK][: len(measures)]}
    return {
        "title": {"text": f"N = {depth}", "fontWeight": "normal", "frame": "group"},
        "width": SIDE,
        "height": SIDE,
        "data": {"values": rows},
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {
            "x": {"field": "share", "type": "quantitative", "title": "runs with at most the value, %"}
            | {"scale": {"domain": [0, 100]}},
            "y": {"field": "value", "type": "quantitative", "title": named, "axis": {"tickCount": 5}, **top},
            "order": {"field": "order", "type": "quantitative"},
            "color": {"field": "measure", "type": "nominal", "scale": colours, "legend": {"title": None}},
        },
    }


def figure(about: str, measures: dict[str, str], limit: float | None = 1.0, named: str = "value") -> Figure:
    """Return four panels, one for each length of runs."""
    first, second, third, fourth = (panel(depth, measures, limit, named) for depth in DEPTHS)
    rows = [{"hconcat": two, "spacing": 60, "bounds": "flush"} for two in ([first, second], [third, fourth])]
    return Figure(styled(about, {"vconcat": rows, "spacing": 24}))


DRAWINGS = (
    Drawing(name="figure-2", title="Hasse diagram of binary runs of four ranks", draw=diagram),
    Drawing(name="figure-3", title="Where the values of seven measures lie", draw=places_of_values),
    Drawing(
        name="figure-6",
        title="P and RBP with p = 1/2, whose values are equally spaced, and RR, for runs of 5, 10, 20 and 30 ranks",
        draw=partial(
            figure,
            "Values of P, RBP with p = 1/2 and RR against the share of all runs that have at most them.",
            {"P": "P", "RBP, p = 1/2": "RBP(p=0.5)", "RR": "RR"},
        ),
    ),
    Drawing(
        name="figure-7",
        title="RBP with p = 0.3, 1/2 and 0.8, for runs of 5, 10, 20 and 30 ranks",
        draw=partial(
            figure,
            "Values of RBP with p = 0.3, 1/2 and 0.8 against the share of all runs that have at most them.",
            {"p = 0.3": "RBP(p=0.3)", "p = 1/2": "RBP(p=0.5)", "p = 0.8": "RBP(p=0.8)"},
            named="RBP",
        ),
    ),
    Drawing(
        name="figure-8",
        title="DCG with base 2 and base 10, for runs of 5, 10, 20 and 30 ranks",
        draw=partial(
            figure,
            "Values of DCG with base 2 and base 10 against the share of all runs that have at most them.",
            {"base 2": "DCG(b=2)", "base 10": "DCG(b=10)"},
            None,
            "DCG",
        ),
    ),
)
