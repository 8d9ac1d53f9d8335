"""The figure of an interval scale: how values are spread over runs, and what the transformation makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf, isfinite, log10
from statistics import median

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import Cells, FloatArray
from measurand.display.charts import ACCENT, DASHED, INK, MARK, Chart, side_by_side
from measurand.errors import NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals.distributions import Distribution
from measurand.intervals.interval_scale import IntervalScaled
from measurand.intervals.reading import count
from measurand.intervals.ruler import Budget, Position
from measurand.intervals.sample_runs import SampleRuns
from measurand.judged import as_cells

NAMED = 12
"""Runs are marked with their grades if the relevant documents are not further down, and else with a number."""

LOW = -3
"""If half of the positions are below this power of ten, their axis is logarithmic."""

TOLD, LABELLED = 3, 24
"""So many runs with one value are named; and so many points."""

SOME = 60
"""So many runs are placed where that takes long."""

WIDTH, HEIGHT = 400, 320

PANEL = {"width": WIDTH, "height": HEIGHT}

FEW = 40
"""So many points are drawn large."""

FINE = 1 / 600
"""Points that are closer than this part of every axis are drawn once."""


@frozen(eq=False)
class _Curve:
    """Points of both panels by ascending value, and the runs that are marked; shares where they are known."""

    points: list[Chart]
    marks: list[Chart]
    complete: bool

    @property
    def shares(self) -> bool:
        return "share" in self.points[0]

    @property
    def logarithmic(self) -> bool:
        """Whether positions are so low that only their logarithms can be told apart."""
        known = [point["log10"] for point in self.marks or self.points if isfinite(point["log10"])]
        return bool(known and median(known) < LOW)


def interval_figure(scale: IntervalScaled, runs: Sequence[Sequence[int]] = (), progress: Progress = silent) -> Chart:
    """Return the figure of an interval scale: two panels, with some runs marked in both.

    On the left stands the share of all runs that have at most a value, on the right the position of the value on
    the interval scale. Where there are too many runs, the curves go through a few hundred, exactly placed; and
    where nobody can count them, the left panel is left out.

    Examples
    --------
    >>> from measurand.scales import interval
    >>> [panel["title"]["text"] for panel in interval_figure(interval("RR@4"), [(0, 1, 0, 0)])["hconcat"]]
    ['RR@4: how many runs have at most a value', 'RR@4: where values stand']
    """
    cells = [as_cells(run) for run in runs]
    scale = evolve(scale, depth=scale.universe.ranks(max(map(len, cells), default=None)))
    if scale.recall_base is not None:
        raise NotAvailable("the figure shows all runs; leave the recall base out to draw it")
    curve = _curve(scale, cells, progress)
    left = [_share_panel(scale, curve)] if curve.shares else []
    return side_by_side(f"Values, runs and positions of {scale!r}.", [*left, _position_panel(scale, curve)])


def _curve(scale: IntervalScaled, runs: list[tuple[int, ...]], progress: Progress) -> _Curve:
    chosen = SampleRuns(scale.universe)
    length = max([chosen.depth, *map(len, runs)]) if scale.depth == inf else chosen.depth
    mine = _stacked([scale.view(run) for run in runs], length)
    budget = Budget(float(scale.max_seconds), scale.max_memory)
    spread = _distribution(scale, mine, budget)
    rows = _stacked(_some(chosen.across()).tolist(), length) if spread is None else spread.runs
    values = _floats(scale, chosen, rows)
    shares = None if spread is None else np.array([float(share) for _, share in spread])
    kept = _thinned(values, shares)
    places = _places(scale, chosen, np.concatenate([rows[kept], mine]), budget, progress)
    own = _floats(scale, chosen, mine)
    points = _points(values[kept], places[: len(kept)], None if shares is None else shares[kept])
    nearest = [int(np.abs(values - value).argmin()) for value in own]
    marks = _points(own, places[len(kept) :], None if shares is None else shares[nearest])
    for number, (mark, run) in enumerate(zip(marks, runs, strict=True), 1):
        mark["run"] = _named(run, number)
    return _Curve(points, marks, spread is not None and spread.complete)


def _distribution(scale: IntervalScaled, runs: Cells, budget: Budget) -> Distribution | None:
    if scale.depth != inf:
        with suppress(NotAvailable):
            return Distribution.of(scale.universe, budget, runs=runs)
    return None


def _some(runs: Cells) -> Cells:
    """Return not too many of some runs: where they cannot be counted, it takes its time to place them."""
    return runs[np.unique(np.linspace(0, len(runs) - 1, SOME).astype(np.int64))]


def _stacked(runs: Sequence[Sequence[int]], length: int) -> Cells:
    """Return runs as rows of a length; what is not there is not relevant."""
    rows = np.zeros((len(runs), length), dtype=np.int8)
    for row, run in zip(rows, runs, strict=True):
        row[: len(run)] = np.maximum(run, 0)
    return rows


def _floats(scale: IntervalScaled, chosen: SampleRuns, runs: Cells) -> FloatArray:
    try:
        return np.array([float(chosen.valuer.value(tuple(run))) for run in runs.tolist()])
    except OverflowError:
        raise ParameterError(f"the values of {scale.measure!r} are too large to draw") from None


def _places(
    scale: IntervalScaled, chosen: SampleRuns, runs: Cells, budget: Budget, progress: Progress
) -> list[Position]:
    if scale.ties == "unq":
        ruler = scale.universe.ruler(chosen.depth, chosen.pool, budget)
        return ruler.positions(scale.universe.fold(runs), progress)
    return [scale.position(run, grade_counts=chosen.pool.grade_counts) for run in runs.tolist()]


def _thinned(values: FloatArray, shares: FloatArray | None) -> list[int]:
    """Return which points to draw, of very many."""
    across = [(values - values[0]) / ((values[-1] - values[0]) or 1), np.linspace(0, 1, len(values))]
    axes = np.stack([*across, *([] if shares is None else [shares])])
    kept = [0]
    for point in range(1, len(values)):
        if point == len(values) - 1 or np.abs(axes[:, point] - axes[:, kept[-1]]).max() > FINE:
            kept.append(point)
    return kept


def _points(values: FloatArray, places: list[Position], shares: FloatArray | None) -> list[Chart]:
    points: list[Chart] = [
        {"value": float(value), "position": float(place), "log10": place.log10}
        for value, place in zip(values, places, strict=True)
    ]
    if shares is not None:
        for point, share in zip(points, shares.tolist(), strict=True):
            point["share"] = share
    return points


def _named(run: tuple[int, ...], number: int) -> str:
    last = max((rank for rank, grade in enumerate(run, 1) if grade > 0), default=min(len(run), NAMED))
    if last > NAMED:
        return f"run {number}"
    shown = run if len(run) <= NAMED else run[:last]
    return ("" if max(run, default=0) < 10 else ",").join(str(max(grade, 0)) for grade in shown) + (
        "" if len(shown) == len(run) else "…"
    )


def _share_panel(scale: IntervalScaled, curve: _Curve) -> Chart:
    y = {"field": "share", "type": "quantitative", "title": "share of runs", "axis": {"format": "%"}}
    y |= {"scale": {"domain": [0, 1]}}
    total = count(scale.universe.total(int(scale.depth or 0)))
    extent = f"all {total} runs of {scale.depth} ranks and {len(scale.universe.levels)} grades"
    line = {"type": "line", "color": ACCENT, "interpolate": "step-after" if curve.complete else "linear"}
    return {
        "title": {
            "text": f"{scale.measure!r}: how many runs have at most a value",
            "subtitle": extent
            if curve.complete
            else f"{extent}, drawn through {len(curve.points)} exactly placed ones",
        },
        "description": f"The share of runs with at most a value of {scale.measure!r}.",
        **PANEL,
        "layer": [
            {"data": {"values": _rows(curve.points, "share")}, "mark": line, "encoding": {"x": _value(curve), "y": y}},
            *_marked(curve, _value(curve), y),
        ],
    }


def _position_panel(scale: IntervalScaled, curve: _Curve) -> Chart:
    if curve.logarithmic:
        y = {"field": "log10", "type": "quantitative", "title": "position", "scale": {"zero": False}}
        y |= {"axis": {"labelExpr": "datum.value == 0 ? '1' : '1e' + format(datum.value, 'd')", "tickMinStep": 1}}
    else:
        y = {"field": "position", "type": "quantitative", "title": "position", "scale": {"domain": [0, 1]}}
    points = _rows(curve.points, str(y["field"]))
    mark: Chart = {"type": "circle", "color": ACCENT, "size": 10 if len(points) > FEW else 40, "opacity": 1}
    if not curve.shares:
        mark = {"type": "line", "color": ACCENT, "point": {"color": ACCENT, "size": 10}}
    x = _value(curve)
    return {
        "title": {
            "text": f"{scale.measure!r}: where values stand",
            "subtitle": f"{_kind(scale)}{', logarithmic' if curve.logarithmic else ''}; dashed: equally spaced values",
        },
        "description": f"The position of values of {scale.measure!r} on their interval scale.",
        **PANEL,
        "layer": [
            {"data": {"values": _even(points, str(y["field"]))}, "mark": DASHED, "encoding": {"x": x, "y": y}},
            {"data": {"values": points}, "mark": mark, "encoding": {"x": x, "y": y}},
            *_marked(curve, x, y),
        ],
    }


def _kind(scale: IntervalScaled) -> str:
    return "position on the interval scale" if scale.ties == "unq" else f"position among all runs (ties={scale.ties})"


def _rows(points: list[Chart], field: str) -> list[Chart]:
    """Return what is drawn of points, which is not the logarithm of 0."""
    names = ("value", field, "run")
    return [{name: point[name] for name in names if name in point} for point in points if isfinite(point[field])]


def _value(curve: _Curve) -> Chart:
    ends = [curve.points[0]["value"], curve.points[-1]["value"]]
    return {"field": "value", "type": "quantitative", "title": "value", "scale": {"domain": ends, "nice": True}}


def _even(points: list[Chart], field: str) -> list[Chart]:
    """Return positions that are equally spaced, for the values at hand."""
    low, high = points[0]["value"], points[-1]["value"]
    shares = [(point["value"], (point["value"] - low) / ((high - low) or 1)) for point in points]
    if field == "log10":
        return [{"value": value, "log10": log10(share)} for value, share in shares if share]
    return [{"value": value, "position": share} for value, share in shares]


def _marked(curve: _Curve, x: Chart, y: Chart) -> list[Chart]:
    """Return the layers that show some runs with their names, beside the curve and beside each other."""
    field = y["field"]
    marks = _rows(curve.marks, field)
    if not marks:
        return []
    lowest = min(0, *(point[field] for point in _rows(curve.points, field)))
    highest = max(1 if field != "log10" else 0, lowest + 1)
    dot = {"type": "point", "color": MARK, "filled": True, "size": 60, "opacity": 1}
    layers: list[Chart] = [{"data": {"values": marks}, "mark": dot, "encoding": {"x": x, "y": y}}]
    taken: list[tuple[float, float]] = []
    for (value, height), names in _names(marks, field).items():
        right = _part(value, curve.points[0]["value"], curve.points[-1]["value"])
        up = _part(height, lowest, highest)
        text = " = ".join(names[:TOLD]) + ("" if len(names) <= TOLD else f" = … ({len(names)})")
        layers.append(_label({"value": value, field: height, "run": text}, x, y, _aside(right, up, taken)))
    return layers[: 1 + LABELLED]


def _names(marks: list[Chart], field: str) -> dict[tuple[float, float], list[str]]:
    """Return the names of the runs at each point, from the left."""
    names: dict[tuple[float, float], list[str]] = {}
    for mark in sorted(marks, key=lambda mark: float(mark["value"])):
        names.setdefault((mark["value"], mark[field]), []).append(mark["run"])
    return names


def _part(number: float, low: float, high: float) -> float:
    return (number - low) / ((high - low) or 1)


def _aside(right: float, up: float, taken: list[tuple[float, float]]) -> Chart:
    """Return where a name stands beside its point: below on the right, unless there is no room."""
    flip = right > 0.8
    start, base = WIDTH * right - (70 if flip else 0), HEIGHT * up - 10
    while base < 8 or any(abs(base - other) < 11 and abs(start - before) < 76 for before, other in taken):
        base += 12
    taken.append((start, base))
    return {"align": "right" if flip else "left", "dx": -9 if flip else 9, "dy": HEIGHT * up - base}


def _label(row: Chart, x: Chart, y: Chart, aside: Chart) -> Chart:
    mark = {"type": "text", "baseline": "middle", "fontSize": 10, "color": INK, **aside}
    return {"data": {"values": [row]}, "mark": mark, "encoding": {"x": x, "y": y, "text": {"field": "run"}}}
