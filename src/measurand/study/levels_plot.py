"""The drawing of the additive level: how many documents more one system has than another, down to every rank."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from measurand.display.charts import DASHED, INK, MARK, Chart, styled
from measurand.display.wording import counted

if TYPE_CHECKING:
    from measurand.study.levels import Levels

WIDTH, HEIGHT = 620, 280
"""The size of the drawing, in pixels."""

LINE = 100
"""A title is broken after so many letters."""

SHADES = ("#0f766e", "#2563eb", "#7c3aed", "#be185d", "#4d7c0f", "#0e7490")
"""The colours of grades, the lowest first; they come again where there are more."""


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
    names = [f"grade {grade} or more" for grade in range(1, len(means) + 1)]
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
