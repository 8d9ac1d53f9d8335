"""The drawing of a profile: its image beside an equally spaced scale, and its balancing curve."""

from __future__ import annotations

from measurand.axioms.balance import Curve
from measurand.display.charts import ACCENT, DASHED, INK, Chart, side_by_side
from measurand.errors import ParameterError
from measurand.measures import Measure
from measurand.scales import Image

FEW = 40
"""An image with so many values at most names a run beside each."""


def profile_chart(measure: Measure, image: Image | None, balance: Curve | None) -> Chart:
    """Return the drawing of a profile: the image beside an equally spaced scale, and the balancing curve.

    Examples
    --------
    >>> from measurand.study.profile import profile
    >>> found = profile("RR", depth=4)
    >>> chart = profile_chart(found.measure, found.image, found.balance)
    >>> [panel["title"]["text"] for panel in chart["hconcat"]]
    ['RR: 5 values on 16 runs', 'Balancing index']
    """
    panels = []
    if image is not None:
        panels.append(_image_panel(image))
    if balance is not None:
        panels.append(_balance_panel(balance))
    if not panels:
        raise ParameterError(f"{measure!r} has no image and no balancing curve to draw")
    return side_by_side(f"What {measure!r} does.", panels)


def _title(text: str, subtitle: str) -> dict[str, str]:
    return {"text": text, "subtitle": subtitle}


def _image_panel(image: Image) -> Chart:
    few = image.size <= FEW
    try:
        float(image.highest), float(image.lowest)
    except OverflowError:
        raise ParameterError(f"the values of {image.measure} are too large to draw") from None
    rows = [
        {"value": float(value), "rank": rank + 1, "runs": n, "named": _named(image, rank) if few else ""}
        for rank, (value, n) in enumerate(zip(image, image.sizes.tolist(), strict=True))
    ]
    ends = [rows[0], rows[-1]]
    x = {"field": "value", "type": "quantitative", "title": "value"}
    y: Chart = {"field": "rank", "type": "quantitative", "title": "rank among the values"}
    y |= {"scale": {"domain": [1, max(2, image.size)], "nice": False}, "axis": {"tickMinStep": 1}}
    dots: Chart = {"mark": {"type": "circle", "color": ACCENT, "opacity": 0.8}, "encoding": {"x": x, "y": y}}
    dots["encoding"]["size"] = _sizes(image) if few else {"value": 8}
    layers = [{"data": {"values": ends}, "mark": DASHED, "encoding": {"x": x, "y": y}}, dots]
    if few:
        name = {"type": "text", "align": "left", "dx": 10, "dy": -5, "fontSize": 9, "color": INK}
        layers.append({"mark": name, "encoding": {"x": x, "y": y, "text": {"field": "named"}}})
    return {
        "title": _title(
            f"{image.measure}: {image.size:,} {'value' if image.size == 1 else 'values'} on {image.total:,} runs",
            f"{image.depth} ranks, {image.grades} grades; dashed: an equally spaced scale",
        ),
        "description": f"The {image.size} values of {image.measure} by rank, against an equally spaced scale.",
        "width": 420,
        "height": 320,
        "data": {"values": rows},
        "layer": layers,
    }


def _named(image: Image, place: int) -> str:
    """Return the runs that have a value, cut where there are many."""
    runs = ["".join(map(str, run)) for run in image.runs_at(place)]
    return " = ".join(runs[:3]) + (f" = … ({len(runs)})" if len(runs) > 3 else "")


def _sizes(image: Image) -> Chart:
    """Return how large a dot is for the number of runs that share a value."""
    shown = sorted(image.ties)
    some = {"orient": "bottom", "format": ",d", "values": shown[:: max(1, len(shown) // 4)]}
    legend = some if len(shown) > 1 else None
    scale = {"domain": [1, max(shown)], "range": [60, 260]} if len(shown) > 1 else {"range": [60, 60]}
    return {"field": "runs", "type": "quantitative", "title": "runs with the value", "scale": scale, "legend": legend}


def _balance_panel(curve: Curve) -> Chart:
    def axis(field: str, title: str) -> Chart:
        return {"field": field, "type": "quantitative", "title": title, "scale": {"type": "log"}}

    points = [{"n": n, "index": b} for n, b in curve.points if b is not None]
    line = {"type": "line", "color": ACCENT, "point": {"color": ACCENT}}
    x = axis("n", "ranks")
    return {
        "title": _title("Balancing index", "near the dashed line: counts documents; near 1: looks at the top"),
        "description": curve.reading,
        "width": 320,
        "height": 320,
        "layer": [
            {
                "data": {"values": [{"n": n} for n, _ in curve.points]},
                "mark": DASHED,
                "encoding": {"x": x, "y": axis("n", "balancing index")},
            },
            {"data": {"values": points}, "mark": line, "encoding": {"x": x, "y": axis("index", "balancing index")}},
            *(
                []
                if points
                else [_note(f"none: a run full of grade {curve.qmin} is worth less than one {curve.qmax} on top")]
            ),
        ],
    }


def _note(text: str) -> Chart:
    mark = {"type": "text", "text": text, "x": 318, "y": 304, "align": "right", "color": INK}
    return {"data": {"values": [{}]}, "mark": mark}
