"""The section "Systems and measures": the number that each scale admits, and what the interval scale changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.wording import counted
from measurand.report.page.places import ADMITTED, MEANS, Moves, moves, places_of, scale_words, starred
from measurand.report.page.section import Section
from measurand.report.page.slopes import rows_of, slope_chart, slope_description
from measurand.report.page.summary_intervals import SummaryInterval, summary_interval
from measurand.scores import Summary
from measurand.scores.summary import written
from measurand.study.measure_result import Standing
from measurand.study.study import Study

NAME = "systems"


def section(study: Study) -> Section:
    """Return the section."""
    details = [_detail(study, measure) for measure in study.measures]
    # two systems change places or do not: that is told in words
    drawn = study.measures if len(study.systems) > 2 else ()
    slopes = {measure: found for measure in drawn if (found := _slopes(study, measure))}
    first = next(iter(slopes.values()), None)
    charts = {}
    if first is not None:
        charts["slope"] = slope_chart(first[MEANS]["description"], first[MEANS]["rows"], len(study.systems))
    return Section(
        name=NAME,
        title="Systems and measures",
        content={
            "overview": _overview(study),
            "details": details,
            "slopes": list(slopes),
            "first": next(iter(slopes), ""),
            "means": first[MEANS]["caption"] if first else "",
            "topics": len(study.topics),
        },
        charts=charts,
        data={"slopes": slopes},
    )


def _overview(study: Study) -> dict[str, Any]:
    """Return a table of all systems and measures: the number that each scale admits."""
    standings = [study.result(measure) for measure in study.measures]
    best = [places_of(standing.summary) == 1 for standing in standings]
    order = standings[0].order
    rows = [
        {
            "system": study.systems[place],
            "cells": [
                {"words": _words(standing.summary, place), "best": bool(first[place])}
                for standing, first in zip(standings, best, strict=True)
            ],
        }
        for place in order
    ]
    columns = [
        {
            "measure": measure,
            "statistic": starred(standing.summary),
            "first": "ascending" if standing.summary.lower_is_better else "descending",
            "lower": standing.scores.lower_is_better,
        }
        for measure, standing in zip(study.measures, standings, strict=True)
    ]
    starry = any(not standing.summary.admitted for standing in standings)
    return {"columns": columns, "rows": rows, "first": next(iter(study.measures)), "starred": starry}


def _words(summary: Summary, place: int) -> str:
    return written(summary[place], summary.statistic)


def _detail(study: Study, measure: str) -> dict[str, Any]:
    """Return the table of one measure: raw and interval-scaled numbers side by side, with their intervals."""
    raw, ranked = study.result(measure), study.result_on_interval(measure)
    parts = [_Part(standing, scale) for standing, scale in _scales(raw, ranked)]
    found = [] if ranked is None else [moves(raw, ranked, by) for by in _orders(raw, ranked)]
    columns = [column for part in parts for column in part.columns]
    columns += [
        {"name": f"place by {_both(each)}", "scale": "as it is → interval scale", "sort": "descending"}
        for each in found
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
        "moving": [_moving(each, len(study.systems)) for each in found],
    }


def _scales(raw: Standing, ranked: Standing | None) -> list[tuple[Standing, str]]:
    if ranked is None:
        return [(raw, "as it is")]
    return [(raw, "as it is"), (ranked, "interval scale")]


def _orders(raw: Standing, ranked: Standing) -> list[str]:
    """Return by what numbers places are told: what the scales admit, and means where these are something else."""
    same = {raw.summary.statistic, ranked.summary.statistic} == {"mean"}
    return [MEANS] if same else [ADMITTED, MEANS]


def _both(found: Moves) -> str:
    return found.names[0] if found.names[0] == found.names[1] else " and ".join(found.names)


def _moving(found: Moves, systems: int) -> str:
    if not found.moving:
        return f"By {_both(found)}, no system changes its place on the interval scale."
    of_all = f"{found.moving} of {counted(systems, 'system')}"
    change = "changes its place" if found.moving == 1 else "change their place"
    return f"By {_both(found)}, {of_all} {change} on the interval scale, by {counted(found.largest, 'place')} at most."


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
    notes = list(dict.fromkeys(part.interval.words for part in parts))
    notes.append(
        "Each interval is that of one system. Whether two systems differ is not to be read from whether their intervals"
        " overlap: they met the same topics, and Comparisons takes them topic by topic."
    )
    if any(not part.standing.means.admitted for part in parts):
        notes.append(
            "* The scale does not admit means over topics: a rescaling that it permits can turn comparisons of such"
            " means round. They are shown because they are what most papers report."
        )
    return notes


class _Part:
    """The columns of one scale: the number that it admits with its interval, and the mean if that is another."""

    def __init__(self, standing: Standing, scale: str) -> None:
        self.standing, self.scale = standing, scale
        self.interval: SummaryInterval = summary_interval(standing.scores, standing.summary.statistic)
        self.several = (
            [standing.summary] if standing.summary.statistic == "mean" else [standing.summary, standing.means]
        )
        self.best = [places_of(each) == 1 for each in self.several]

    @property
    def columns(self) -> list[dict[str, str]]:
        """The headings: what the number is, on which scale, and how it is sorted first."""
        return [
            {
                "name": starred(each),
                "scale": self.scale,
                "sort": "ascending" if each.lower_is_better else "descending",
            }
            for each in self.several
        ]

    def cells(self, place: int) -> list[dict[str, Any]]:
        """The numbers of a system, the first with its interval."""
        summary = self.standing.summary
        low, high = (written(float(end[place]), summary.statistic) for end in (self.interval.low, self.interval.high))
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
    """Return the rows of the slope chart under a measure, by what systems are ordered by."""
    raw, ranked = study.result(measure), study.result_on_interval(measure)
    if ranked is None or len(study.systems) < 2:
        return None
    found = {}
    for by in (MEANS, ADMITTED):
        change = moves(raw, ranked, by)
        description = slope_description(measure, change)
        names = change.names
        found[by] = {
            "description": description,
            "rows": rows_of(change, study.systems),
            "caption": f"{description} Left: {names[0]} of {measure}; right: {names[1]} of {study.scaled[measure]}.",
        }
    return found
