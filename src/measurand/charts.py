"""Charts: Vega-Lite specifications that are drawn without a browser or a network, all in one style."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from xml.sax.saxutils import escape

from measurand.errors import ParameterError

Chart = dict[str, Any]
"""A Vega-Lite specification."""

FIGURE_FORMATS = ("svg", "png", "html", "json")
"""What a figure can be written as; json is the Vega-Lite specification."""

HUGE = 5_000
"""A drawing that is so wide or high, in pixels, becomes a PNG of this size, not of twice the size."""

INK, ACCENT, MARK, GREY = "#1f2937", "#0f766e", "#b45309", "#9ca3af"


def styled(description: str, content: Chart) -> Chart:
    """Return a chart of some content, in the colours and letters of all figures.

    Examples
    --------
    >>> styled("Nothing.", {"hconcat": []})["background"]
    'white'
    """
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "description": description,
        **content,
        "background": "white",
        "padding": 16,
        "config": {
            "view": {"stroke": None},
            "axis": {"grid": False, "labelColor": INK, "titleColor": INK, "titleFontWeight": "normal"},
            "title": {"anchor": "start", "color": INK, "subtitleColor": INK},
        },
    }


def draw(chart: Chart, path: str) -> bytes:
    """Return a chart in the format that the ending of a path names."""
    ending = figure_format(path)
    if ending == "json":
        return (json.dumps(chart, indent=1, ensure_ascii=False) + "\n").encode()
    import vl_convert

    if ending == "svg":
        return _entitled(str(vl_convert.vegalite_to_svg(chart)), chart["description"]).encode()
    if ending == "png":
        return bytes(vl_convert.vegalite_to_png(chart, scale=1 if _is_huge(chart) else 2))
    return str(vl_convert.vegalite_to_html(chart, bundle=True)).encode()


def _entitled(svg: str, description: str) -> str:
    """Return an SVG that says what it shows to those who do not see it."""
    return svg.replace(">", f"><title>{escape(description)}</title>", 1)


def _is_huge(chart: Chart) -> bool:
    sides = chart.get("width"), chart.get("height")
    return any(isinstance(side, int | float) and side > HUGE for side in sides)


def figure_format(path: str, *others: str) -> str:
    """Return the format that the ending of a path names: one of `FIGURE_FORMATS` or of others that are allowed.

    Examples
    --------
    >>> figure_format("err.SVG"), figure_format("runs.dot", "dot")
    ('svg', 'dot')
    """
    ending = PurePath(path).suffix.lower().removeprefix(".")
    allowed = (*FIGURE_FORMATS, *others)
    if ending not in allowed:
        raise ParameterError(f"{path}: the name of a figure ends in .{', .'.join(allowed)}")
    return ending
