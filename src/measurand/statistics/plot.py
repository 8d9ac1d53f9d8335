"""The drawing of what a test says of all pairs: a square for every two systems, the larger the smaller p is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, GREY, MARK, Chart, styled
from measurand.display.wording import counted
from measurand.statistics.multiple_comparisons import ALPHA

CLASSES = ((0.001, "p ≤ 0.001"), (0.01, "p ≤ 0.01"), (0.05, "p ≤ 0.05"), (np.inf, "p > 0.05"))
"""What p-values are drawn as, the smallest first."""

SIDES = 0.92, 0.66, 0.44, 0.16
"""What share of a cell is filled, by class."""

AHEAD, BEHIND, NEITHER = "row ahead", "column ahead", "neither"

CELLS = 22, 14, 9
"""How wide a cell is, in pixels: with few systems, some, and many."""

SOME, MANY = 20, 50


def pairs_chart(title: str, subtitle: str, systems: Sequence[str], pvalues: FloatArray, statistic: FloatArray) -> Chart:
    """Return the drawing of the p-values of all pairs, systems in the order in which they are given.

    Who is ahead shows in the form and the colour of a cell, the class of p in its size.

    Parameters
    ----------
    statistic
        Systems × systems: above 0 where the row is ahead.

    Examples
    --------
    >>> chart = pairs_chart("sign", "", ("a", "b"), np.array([[1, 0.02], [0.02, 1]]), np.array([[0, -3], [3, 0]]))
    >>> [(cell["row"], cell["class"], cell["ahead"]) for cell in chart["data"]["values"]]
    [('a', 'p ≤ 0.05', 'column ahead'), ('b', 'p ≤ 0.05', 'row ahead')]
    """
    width = CELLS[(len(systems) > SOME) + (len(systems) > MANY)]
    cells = [
        _cell(systems, row, column, float(pvalues[row, column]), float(statistic[row, column]))
        for row in range(len(systems))
        for column in range(len(systems))
        if row != column
    ]
    tooltip = [{"field": name} for name in ("row", "column", "ahead")] + [{"field": "p", "format": ".4g"}]
    content = {
        "title": {"text": title, "subtitle": subtitle},
        "width": {"step": width},
        "height": {"step": width},
        "data": {"values": cells},
        "mark": {"type": "point", "filled": True, "opacity": 1, "aria": False},
        "encoding": {
            "x": _systems("column", systems, {"orient": "top", "labelAngle": -90}),
            "y": _systems("row", systems, {}),
            "size": _sizes(width),
            "shape": _legend("ahead", "who is ahead", (AHEAD, BEHIND, NEITHER), ("square", "circle", "cross")),
            "color": _legend("ahead", "who is ahead", (AHEAD, BEHIND, NEITHER), (ACCENT, MARK, GREY)),
            "tooltip": tooltip,
        },
    }
    return styled(_described(title, cells), content)


def _cell(systems: Sequence[str], row: int, column: int, p: float, statistic: float) -> Chart:
    ahead = AHEAD if statistic > 0 else BEHIND if statistic < 0 else NEITHER
    named = next(name for most, name in CLASSES if p <= most)
    return {"row": systems[row], "column": systems[column], "p": p, "class": named, "ahead": ahead}


def _described(title: str, cells: Sequence[Chart]) -> str:
    # every pair has two cells
    differing = sum(cell["p"] <= ALPHA for cell in cells) // 2
    return f"{title}: {differing:,} of {counted(len(cells) // 2, 'pair of systems')} with p ≤ {ALPHA}."


def _systems(field: str, systems: Sequence[str], look: Chart) -> Chart:
    crowded = {"labelFontSize": 8} if len(systems) > MANY else {}
    axis = {"title": None, "labelLimit": 180, "ticks": False, "domain": False, "labelPadding": 6, **crowded, **look}
    return {
        "field": field,
        "type": "nominal",
        "sort": list(systems),
        "axis": axis,
        "scale": {"type": "point", "padding": 0.5},
    }


def _sizes(width: int) -> Chart:
    names = [name for _, name in CLASSES]
    areas = [round((side * width) ** 2, 1) for side in SIDES]
    return {
        "field": "class",
        "type": "ordinal",
        "title": "p-value",
        "sort": names,
        "scale": {"type": "ordinal", "domain": names, "range": areas},
        "legend": {"symbolType": "square", "symbolFillColor": GREY, "symbolStrokeWidth": 0},
    }


def _legend(field: str, title: str, domain: Sequence[str], looks: Sequence[str]) -> Chart:
    scale = {"domain": list(domain), "range": list(looks)}
    return {"field": field, "type": "nominal", "title": title, "scale": scale, "legend": {"symbolSize": 120}}
