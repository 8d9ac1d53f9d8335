"""Charts: Vega-Lite specifications that are drawn without a browser or a network, all in one style."""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

from attrs import frozen

from measurand.display.writing import check_path, write_whole
from measurand.errors import NotAvailable, ParameterError
from measurand.letters import json_escaped, shown

Chart = dict[str, Any]
"""A Vega-Lite specification."""

FIGURE_FORMATS = ("svg", "png", "html", "json")
"""What a figure can be written as; json is the Vega-Lite specification."""

HUGE = 5_000
"""A drawing that is so wide or high, in pixels, becomes a PNG of this size, not of twice the size."""

LESS = "\ue03c"
"""A letter that nobody uses, in place of "<" until a page is written."""

LONGEST = 900
"""Titles that are longer, in pixels, are cut."""

INK, ACCENT, MARK, GREY = "#1f2937", "#0f766e", "#b45309", "#9ca3af"

DASHED = {"type": "line", "color": GREY, "strokeDash": [4, 3]}
"""A line to compare with."""


@frozen(repr=False)
class Figure:
    """A drawing that shows itself in a notebook and can be written to a file, without a browser or a network.

    Examples
    --------
    >>> dot = styled("One dot.", {"data": {"values": [{"x": 1}]}, "mark": "point"})
    >>> Figure(dot)
    Figure('One dot.')
    >>> Figure(dot).to_svg()[:4]
    '<svg'
    """

    chart: Chart

    @property
    def description(self) -> str:
        """What the drawing shows, in words.

        Examples
        --------
        >>> Figure(styled("Nothing.", {"hconcat": []})).description
        'Nothing.'
        """
        return str(self.chart["description"])

    def to_dict(self) -> Chart:
        """Return the Vega-Lite specification, a copy that may be changed.

        Examples
        --------
        >>> Figure(styled("Nothing.", {"hconcat": []})).to_dict()["hconcat"]
        []
        """
        return deepcopy(self.chart)

    def to_svg(self) -> str:
        """Return the drawing as SVG.

        Examples
        --------
        >>> "<title>Nothing.</title>" in Figure(styled("Nothing.", {"hconcat": []})).to_svg()
        True
        """
        return draw(self.chart, "figure.svg").decode()

    def to_png(self) -> bytes:
        """Return the drawing as a picture, PNG.

        Examples
        --------
        >>> Figure(styled("Nothing.", {"hconcat": []})).to_png()[1:4]
        b'PNG'
        """
        return draw(self.chart, "figure.png")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file, whole or not at all: .svg, .png, .html or .json, as the name ends.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Figure(styled("Nothing.", {"hconcat": []})).save(f"{folder}/nothing.json")
        ...     os.listdir(folder)
        ['nothing.json']
        """
        check_path(path, "chart.svg")
        write_whole(path, draw(self.chart, os.fspath(path)))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"image/svg+xml": self.to_svg(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Figure({self.description!r})"


def styled(description: str, content: Chart) -> Chart:
    """Return a chart of some content, in the colours and letters of all figures.

    Examples
    --------
    >>> styled("Nothing.", {"hconcat": []})["background"]
    'white'
    """
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": description,
        **content,
        "background": "white",
        "padding": 16,
        "config": {
            "view": {"stroke": None},
            "axis": {"grid": False, "labelColor": INK, "titleColor": INK, "titleFontWeight": "normal"}
            | {"titleLimit": LONGEST},
            "title": {"anchor": "start", "color": INK, "subtitleColor": INK, "limit": LONGEST},
        },
    }


def side_by_side(description: str, panels: list[Chart]) -> Chart:
    """Return a chart of some panels.

    Examples
    --------
    >>> side_by_side("Nothing.", [])["hconcat"]
    []
    """
    return styled(description, {"hconcat": panels, "spacing": 48})


RESERVED = 96 << 30
"""So many bytes of addresses the library that draws charts reserves, most of which it never uses."""


def drawing_library() -> Any:
    """Return the library that draws charts; or complain where it would end the process, for want of addresses."""
    from measurand.execution.memory import address_space, in_bytes

    limit = address_space()
    if limit is not None and limit < RESERVED:
        raise NotAvailable(
            f"drawings and pages need {in_bytes(RESERVED)} of addresses, which vl-convert reserves, and ulimit -v"
            f" allows {in_bytes(limit)}; take ulimit -d in its place, or write .json"
        )
    import vl_convert

    return vl_convert


def draw(chart: Chart, path: str) -> bytes:
    """Return a chart in the format that the ending of a path names."""
    import json

    ending = figure_format(path)
    if ending == "json":
        return (json_escaped(json.dumps(chart, indent=1, ensure_ascii=False)) + "\n").encode()
    library = drawing_library()
    # XML and expressions of Vega, where names can come to stand, allow not every letter
    chart = _for_people(chart)
    spelled = json.dumps(chart, ensure_ascii=False)
    if ending == "svg":
        return _entitled(str(library.vegalite_to_svg(spelled)), chart["description"]).encode()
    if ending == "png":
        return bytes(library.vegalite_to_png(spelled, scale=1 if _is_huge(chart) else 2))
    # the page has the chart in a script, which a "</script>" in somebody's name would end
    harmless = spelled.replace("<", LESS)
    return str(library.vegalite_to_html(harmless, bundle=True)).replace(LESS, "\\u003c").encode()


def _for_people(content: Any) -> Any:
    """Return what stands in a chart with letters escaped that cannot be seen."""
    if isinstance(content, str):
        return shown(content, keep="\n")
    if isinstance(content, dict):
        return {_for_people(name): _for_people(each) for name, each in content.items()}
    return [_for_people(each) for each in content] if isinstance(content, list | tuple) else content


def _entitled(svg: str, description: str) -> str:
    """Return an SVG that says what it shows to those who do not see it."""
    from html import escape

    return svg.replace(">", f"><title>{escape(description, quote=False)}</title>", 1)


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
    ending = os.path.splitext(path)[1].lower().removeprefix(".")  # noqa: PTH122 - pathlib is slow to load
    allowed = (*FIGURE_FORMATS, *others)
    if ending not in allowed:
        raise ParameterError(f"{path}: the name of a figure ends in .{', .'.join(allowed)}")
    return ending
