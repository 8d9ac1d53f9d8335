"""The section "Systems and measures": means with their intervals, and what the interval scale changes.

A slope chart shows how systems move from their place under a measure to their place on the interval scale; a
`SummaryInterval` shows how far a number may lie from that of all topics that could be asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart
from measurand.display.wording import counted, percent
from measurand.report.page.places import Moves, moves, places_of, scale_words
from measurand.report.page.section import Section
from measurand.scores import Scores, Summary
from measurand.scores.summary import written
from measurand.study.measure_result import MeasureResult
from measurand.study.places_chart import MANY
from measurand.study.scale_paragraphs import ordered_by
from measurand.study.study import Study
from measurand.study.summary_interval import SummaryInterval, summary_interval

BEST = 5
"""How many of the best systems have their names written."""

MOVERS = 6
"""How many of those that move most."""

EVERYBODY = 40
"""Up to how many systems all have their names written."""

LETTER = 13
"""How far apart names must stand, in pixels."""


def height_of(systems: int) -> int:
    """Return how high the figure is, in pixels.

    Examples
    --------
    >>> height_of(2), height_of(20), height_of(129)
    (160, 400, 900)
    """
    return int(min(900, max(160, 20 * systems)))


def rows_of(moves: Moves, systems: Sequence[str]) -> list[list[Any]]:
    """Return for every system that has a place: name, both places, and what is written on the left and the right.

    Examples
    --------
    >>> found = Moves(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    >>> rows_of(found, ("a", "b"))
    [['a', 1, 1, 'a  1', '1  a, ▲1 b'], ['b', 2, 1, 'b  2', '']]
    """
    up = moves.up
    placed = [place for place in range(len(systems)) if not np.isnan(moves.raw[place] + moves.ranked[place])]
    by_place = sorted(placed, key=lambda place: (moves.raw[place], moves.ranked[place], systems[place]))
    movers = sorted((place for place in by_place if up[place]), key=lambda place: -abs(int(up[place])))
    wanted = by_place if len(systems) <= EVERYBODY else [*by_place[:BEST], *movers[:MOVERS]]
    moved = [f"▲{step} " if step > 0 else f"▼{-step} " if step else "" for step in up.tolist()]
    left = _written(moves.raw, wanted, systems)
    right = _written(moves.ranked, wanted, [move + name for name, move in zip(systems, moved, strict=True)])
    rows = []
    for place in by_place:
        ends = int(moves.raw[place]), int(moves.ranked[place])
        before = f"{left[place]}  {ends[0]}" if place in left else ""
        after = f"{ends[1]}  {right[place]}" if place in right else ""
        rows.append([systems[place], *ends, before, after])
    return rows


def _written(ends: FloatArray, wanted: Sequence[int], names: Sequence[str]) -> dict[int, str]:
    """Return what is written beside which system: those that share a place together, none too near to another."""
    step = height_of(len(names)) / max(1, len(names) - 1)
    sharing: dict[float, list[int]] = {}
    for place in wanted:
        sharing.setdefault(float(ends[place]), []).append(place)
    found: dict[int, str] = {}
    taken: list[float] = []
    for end, several in sharing.items():
        if all(abs(end - other) * step >= LETTER for other in taken):
            taken.append(end)
            found[several[0]] = ", ".join(names[place] for place in several)
    return found


def slope_description(measure: str, moves: Moves) -> str:
    """Return what the figure shows, in words.

    Examples
    --------
    >>> slope_description("RR", Moves(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    'Places of 2 systems under RR (left) and on its interval scale (right), by mean: none changes its place.'
    """
    n = int((~np.isnan(moves.raw + moves.ranked)).sum())
    moved = "none changes its place"
    if moves.moving:
        moved = f"{moves.moving} of {n} change their place, by {counted(moves.largest, 'place')} at most"
    where = f"under {measure} (left) and on its interval scale (right)"
    return f"Places of {counted(n, 'system')} {where}, by {moves.by}: {moved}."


def slope_chart(description: str, rows: Sequence[Sequence[Any]], systems: int) -> Chart:
    """Return the figure of some rows; the page's script puts those of other measures in their place."""
    keys = ("system", "raw", "interval", "left", "right")
    direction = "datum.raw > datum.interval ? 'up' : datum.raw < datum.interval ? 'down' : 'stays'"
    return {
        "description": description,
        "width": "container",
        "height": height_of(systems),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [dict(zip(keys, row, strict=True)) for row in rows]},
        "transform": [
            {"calculate": "0", "as": "start"},
            {"calculate": "1", "as": "end"},
            {"calculate": direction, "as": "move"},
            {"calculate": "abs(datum.raw - datum.interval)", "as": "places"},
        ],
        "encoding": _axes(),
        "layer": [
            {"mark": {"type": "rule"}, "encoding": _lines()},
            *_names("start", "raw", "left", "right", -8),
            *_names("end", "interval", "right", "left", 8),
        ],
    }


def _axes() -> Chart:
    axis = {
        "values": [0, 1],
        "labelExpr": "datum.value ? 'interval scale' : 'as it is'",
        "title": None,
        "grid": False,
        "ticks": False,
        "domain": False,
        "orient": "top",
    }
    return {
        "x": {"field": "start", "type": "quantitative", "scale": {"domain": [-0.75, 1.75]}, "axis": axis},
        "x2": {"field": "end"},
        "y": {
            "type": "quantitative",
            "scale": {"reverse": True, "zero": False, "nice": False, "padding": 14},
            "axis": None,
        },
        "tooltip": [
            {"field": "system", "type": "nominal"},
            {"field": "raw", "type": "quantitative", "title": "place as it is"},
            {"field": "interval", "type": "quantitative", "title": "place on the interval scale"},
        ],
    }


def _lines() -> Chart:
    return {
        "y": {"field": "raw"},
        "y2": {"field": "interval"},
        "color": {
            "field": "move",
            "type": "nominal",
            "scale": {"domain": ["up", "down", "stays"], "range": [ACCENT, MARK, GREY]},
            "legend": {"title": None, "orient": "top"},
        },
        # the further, the wider
        "strokeWidth": {
            "field": "places",
            "type": "quantitative",
            "scale": {"zero": True, "range": [0.7, 3]},
            "legend": None,
        },
    }


def _names(x: str, y: str, text: str, align: str, dx: int) -> list[Chart]:
    place = {"x": {"field": x}, "y": {"field": y}, "x2": None}
    limit = {"expr": "width * 0.29"}
    mark = {"type": "text", "align": align, "dx": dx, "limit": limit, "color": INK, "fontSize": 11}
    return [
        {"mark": {"type": "point", "filled": True, "size": 12, "color": INK}, "encoding": place},
        {"mark": mark, "encoding": {**place, "text": {"field": text, "type": "nominal"}}},
    ]


def interval_words(found: SummaryInterval) -> str:
    """Return what an interval is, in words.

    Parameters
    ----------
    found
        The interval.

    Examples
    --------
    >>> scores = Scores(measure="RR", values=[[0.0, 0.1, 0.2, 0.4, 0.5, 0.9]], systems="a", topics="123456")
    >>> interval_words(summary_interval(scores, "median"))[:58]
    'Brackets: interval of the median, from the k-th smallest t'
    """
    sure = percent(round(found.confidence, 3))
    if found.statistic == "median":
        if np.isnan(found.low).all():
            return f"There are too few topics for a {sure} interval of the median."
        return (
            "Brackets: interval of the median, from the k-th smallest to the k-th largest score; its confidence is"
            f" {sure} or more by the binomial distribution, whatever the distribution of scores; it takes the topics"
            " for a random sample."
        )
    if found.statistic == "mean rank":
        return (
            f"Brackets: {sure} t interval of the mean rank over topics, among these systems and no others; it takes"
            " the topics for a random sample."
        )
    cut = f" {CUT}" if found.cut else ""
    return (
        f"Brackets: {sure} t interval of the mean over topics; it takes the topics for a random sample and their mean"
        f" for normally distributed.{cut}"
    )


NAME = "systems"

HINTS = {
    False: "all systems under all measures: means, places, medians",
    True: "all systems under all measures: what each scale admits, places",
}
"""What is in the section, and in that of a strict study."""


def section(study: Study) -> Section:
    """Return the section."""
    details = [_detail(study, measure) for measure in study.measures] if study.scaled else []
    # two systems change places or do not: that is told in words
    drawn = study.measures if len(study.systems) > 2 else ()
    slopes = {measure: found for measure in drawn if (found := _slopes(study, measure))}
    first = next(iter(slopes.values()), None)
    charts = {}
    if first is not None:
        charts["slope"] = slope_chart(first["description"], first["rows"], len(study.systems))
    if 2 < len(study.systems) <= MANY and len(study.measures) > 1:
        charts["places"] = study.plot().chart
    views = list(_views(study))
    return Section(
        name=NAME,
        title="Who is better?",
        hint=HINTS[study.plan.strict],
        content={
            "views": views,
            "rows": [study.systems[place] for place in study.raw.primary.order],
            "columns": _columns(study),
            "described": _described(study),
            "first": next(iter(study.measures)),
            "details": details,
            "slopes": list(slopes),
            "means": first["caption"] if first else "",
            "topics": len(study.topics),
            "strict": study.plan.strict,
            "ordered_by": ordered_by(study.raw.results),
            "scaled": bool(study.scaled),
            "caution": f"{OVERLAP} {CUT}" if _cut(study) else OVERLAP,
        },
        charts=charts,
        data={"slopes": slopes, "views": {view["key"]: view["cells"] for view in views}},
    )


IN_ANSWER = "Judged@10"
"""What the leaderboard shows beside, there without topics that a system left out."""

OVERLAP = (
    "Each interval is that of one system. Whether two systems differ is not to be read from whether their intervals"
    " overlap: they met the same topics, and “How sure?” takes them topic by topic."
)


CUT = "What is beyond the values of the measure is cut off."


def _cut(study: Study) -> bool:
    """Return whether some interval reached beyond the values of its measure."""
    results = [study.result(measure) for measure in study.measures]
    return any(summary_interval(each.scores, each.summary.statistic).cut for each in results)


def _columns(study: Study) -> list[dict[str, Any]]:
    """Return the headings of the table of all measures."""
    results = [study.result(measure) for measure in study.measures]
    return [
        {
            "measure": result.scores.measure,
            "first": "ascending" if result.summary.lower_is_better else "descending",
            "lower": result.scores.lower_is_better,
            "statistic": result.summary.statistic if study.plan.strict else "",
        }
        for result in results
    ]


def _described(study: Study) -> list[dict[str, Any]]:
    """Return measures of how much was judged that the answer does not show, in the order of rows."""
    order = study.raw.primary.order
    return [
        {"measure": scores.measure, "cells": [percent(scores.mean()[place]) for place in order]}
        for scores in study.raw.described
        if scores.measure != IN_ANSWER
    ]


def _views(study: Study) -> Iterator[dict[str, Any]]:
    """Return what the table of all measures can show: a text for every row and measure."""
    results = [study.result(measure) for measure in study.measures]
    own = "what each scale admits, with its 95 % interval" if study.plan.strict else "mean, with its 95 % interval"
    yield _view(study, "mean", own, [_Numbers(each.scores, each.summary, intervals=True) for each in results])
    yield _view(study, "place", "place", [_Numbers(each.scores, each.summary, placed=True) for each in results])
    if not study.plan.strict:
        yield _view(study, "median", "median", [_Numbers(each.scores, each.scores.median()) for each in results])
        rank = "mean rank within topics (1 is the best)"
        yield _view(study, "rank", rank, [_Numbers(each.scores, each.scores.mean_rank()) for each in results])
    if study.scaled:
        ranked = [study.result_on_interval(measure) for measure in study.measures]
        numbers = [None if each is None else _Numbers(each.scores, each.summary, intervals=True) for each in ranked]
        yield _view(study, "interval", "mean on the interval scale, with its 95 % interval", numbers)


def _view(study: Study, key: str, label: str, columns: Sequence[_Numbers | None]) -> dict[str, Any]:
    """Return one choice of numbers for the table of all measures."""
    order = study.raw.primary.order
    cells = [[column.cell(place) if column else ("–", "", False) for column in columns] for place in order]
    return {"key": key, "label": label, "cells": cells}


class _Numbers:
    """The numbers of one measure: texts with intervals, and which is the best."""

    def __init__(self, scores: Scores, summary: Summary, *, intervals: bool = False, placed: bool = False) -> None:
        self.summary, self.placed = summary, placed
        self.places = places_of(summary)
        self.interval = summary_interval(scores, summary.statistic) if intervals else None

    def cell(self, place: int) -> tuple[str, str, bool]:
        """Return the number of a system, its interval, and whether it is the best."""
        best = bool(self.places[place] == 1)
        if self.placed:
            return _place(self.places, place), "", best
        if self.interval is None:
            return _words(self.summary, place), "", best
        ends = (written(float(end[place]), self.summary.statistic) for end in (self.interval.low, self.interval.high))
        low, high = ends
        return _words(self.summary, place), "" if low == "–" else f"{low} … {high}", best


def _words(summary: Summary, place: int) -> str:
    return written(summary[place], summary.statistic)


def _detail(study: Study, measure: str) -> dict[str, Any]:
    """Return the table of one measure: raw and interval-scaled numbers side by side, with their intervals."""
    raw, ranked = study.result(measure), study.result_on_interval(measure)
    parts = [_Part(raw, "as it is" if ranked else "")]
    parts += [_Part(ranked, "interval scale", like=parts[0])] if ranked else []
    change = moves(raw, ranked) if ranked else None
    found = [change] if change else []
    columns = [column for part in parts for column in part.columns]
    columns += [
        {"name": f"place by {each.by}", "scale": "as it is → interval scale", "sort": "descending"} for each in found
    ]
    return {
        "measure": measure,
        "scale": scale_words(raw.scores),
        "ranked": scale_words(ranked.scores) if ranked else "",
        "spelling": study.scaled.get(measure, ""),
        "columns": columns,
        "rows": [
            {
                "system": study.systems[place],
                "cells": [cell for part in parts for cell in part.cells(place)]
                + [_moved(each, place) for each in found],
            }
            for place in raw.order
        ],
        "notes": _notes(parts),
        "moving": _told(raw, ranked, change) if ranked else "",
    }


def _told(raw: MeasureResult, ranked: MeasureResult, change: Moves | None) -> str:
    """Return how systems move to the interval scale, or why that is not told."""
    if change is not None:
        return _moving(change, len(raw.order))
    return (
        f"Systems are ordered by the {raw.summary.statistic} as it is and by the {ranked.summary.statistic} on the"
        " interval scale: their places on the two are not compared."
    )


def _moving(found: Moves, systems: int) -> str:
    if not found.moving:
        return f"By the {found.by}, no system changes its place on the interval scale."
    of_all = f"{found.moving} of {counted(systems, 'system')}"
    change = "changes its place" if found.moving == 1 else "change their place"
    return f"By the {found.by}, {of_all} {change} on the interval scale, by {counted(found.largest, 'place')} at most."


def _moved(found: Moves, place: int) -> dict[str, Any]:
    """Return from which place to which a system moves; in words, with an arrow, so that no colour is needed."""
    raw, ranked, up = _place(found.raw, place), _place(found.ranked, place), int(found.up[place])
    if not up:
        return {"words": raw, "kind": "n quiet", "value": 0}
    return {
        "words": f"{raw} → {ranked} {'▲' if up > 0 else '▼'}{abs(up)}",
        "kind": "n up" if up > 0 else "n down",
        "value": abs(up),
    }


def _notes(parts: list[_Part]) -> list[str]:
    notes = list(dict.fromkeys(interval_words(part.interval) for part in parts))
    notes.append(OVERLAP)
    beside = [each.statistic for part in parts for each in part.several[1:]]
    if beside:
        notes.append(
            f"The {beside[0]} is there for comparison: no rescaling of the measure changes how"
            " systems are ordered by it. Systems are ordered by the mean."
        )
    return notes


class _Part:
    """The columns of one scale: the mean with its interval, and the median or the mean rank on ordinal scales.

    Ranks within topics are the same on both scales of a measure, and shown once. Where a strict study does not admit
    the mean, what systems are ordered by stands alone, with its interval.
    """

    def __init__(self, result: MeasureResult, scale: str, like: _Part | None = None) -> None:
        self.result, self.scale = result, scale
        self.interval: SummaryInterval = summary_interval(result.scores, result.summary.statistic)
        fitting = result.scores.admitted()
        shown = {result.summary.statistic, *(each.statistic for each in (like.several if like else ()))}
        self.several: list[Summary] = [result.summary]
        if result.by_means and fitting.statistic not in shown:
            self.several.append(fitting)
        self.best = [places_of(each) == 1 for each in self.several]

    @property
    def columns(self) -> list[dict[str, str]]:
        """The headings: what the number is, on which scale, and how it is sorted first."""
        return [
            {
                "name": each.statistic,
                "scale": self.scale,
                "sort": "ascending" if each.lower_is_better else "descending",
            }
            for each in self.several
        ]

    def cells(self, place: int) -> list[dict[str, Any]]:
        """The numbers of a system, the first with its interval."""
        statistic = self.result.summary.statistic
        low, high = (written(float(end[place]), statistic) for end in (self.interval.low, self.interval.high))
        found: list[dict[str, Any]] = [
            {"words": _words(each, place), "kind": "n best" if best[place] else "n"}
            for each, best in zip(self.several, self.best, strict=True)
        ]
        if low != "–":
            # sorted by the number, not by what stands beside it
            found[0] |= {"between": f"[{low}, {high}]", "value": found[0]["words"]}
        return found


def _place(places: FloatArray, place: int) -> str:
    return "–" if np.isnan(places[place]) else str(int(places[place]))


def _slopes(study: Study, measure: str) -> dict[str, Any] | None:
    """Return the rows of the slope chart under a measure."""
    raw, ranked = study.result(measure), study.result_on_interval(measure)
    if ranked is None or len(study.systems) < 2:
        return None
    change = moves(raw, ranked)
    if change is None:
        return None
    description = slope_description(measure, change)
    return {
        "description": description,
        "rows": rows_of(change, study.systems),
        "caption": f"{description} Left: {raw.summary.statistic} of {measure}; right: {ranked.summary.statistic} of"
        f" {study.scaled[measure]}.",
    }
