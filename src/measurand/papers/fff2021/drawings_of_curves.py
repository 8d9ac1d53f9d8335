"""Figures 6 to 8: all values of a measure against the share of runs that have at most them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from measurand.display.charts import ACCENT, INK, MARK, Chart, Figure, styled
from measurand.intervals import distribution
from measurand.papers.paper import Drawing

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
