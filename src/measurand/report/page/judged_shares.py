"""How much of what systems returned was judged, and what they left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, MARK, Chart
from measurand.display.wording import counted, percent
from measurand.study.coverage import Coverage
from measurand.study.study import Study

LOW = 0.5
"""A system of whose first documents a smaller share was judged is spoken of."""

NAMED = 5
"""So many systems are named in a sentence."""


def shown_ranks(study: Study) -> tuple[int, ...]:
    """Return down to which ranks shares are told: not further than rankings go."""
    ranks = tuple(study.coverage.shares)
    return tuple(rank for rank in ranks if rank <= study.judged.depth) or ranks[:1]


def mean_shares(coverage: Coverage, rank: int) -> FloatArray:
    """Return the mean share of judged documents of each system, over the topics for which it returned any.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.coverage import coverage
    >>> mean_shares(coverage(JudgedRuns.on_one_topic([(1, -1), (-2, -2)], (5, 3))), 10).tolist()
    [0.5, nan]
    """
    shares = np.where(coverage.missing, np.nan, coverage.shares[rank])
    there = ~np.isnan(shares).all(axis=1)
    means = np.full(len(shares), np.nan)
    means[there] = np.nanmean(shares[there], axis=1)
    return means


def share_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every system: its mean shares, how much it returned, and which topics it left out."""
    coverage, ranks = study.coverage, shown_ranks(study)
    shares = {rank: mean_shares(coverage, rank) for rank in ranks}
    lengths = np.median(study.judged.lengths, axis=1)
    return [
        {
            "system": system,
            "shares": [_told(shares[rank][place]) for rank in ranks],
            "returned": float(lengths[place]),
            "missing": [topic for topic, out in zip(study.topics, coverage.missing[place], strict=True) if out],
        }
        for place, system in enumerate(study.systems)
    ]


def share_words(study: Study) -> list[str]:
    """Return what the shares mean for comparisons, in sentences with this study's numbers."""
    rank = shown_ranks(study)[0]
    shares = mean_shares(study.coverage, rank)
    known = np.flatnonzero(~np.isnan(shares))
    if not len(known):
        return ["No system returned anything."]
    lowest, highest = known[shares[known].argmin()], known[shares[known].argmax()]
    told = [
        f"Down to rank {rank}, {percent(float(shares[lowest]))} of the documents of {study.systems[lowest]} were judged"
        f" and {percent(float(shares[highest]))} of those of {study.systems[highest]}: the least and the most."
        if len(known) > 1
        else f"Down to rank {rank}, {percent(float(shares[lowest]))} of the documents of the system were judged."
    ]
    low = [study.systems[place] for place in known if shares[place] < LOW]
    if low:
        names = ", ".join(low[:NAMED]) + (", …" if len(low) > NAMED else "")
        less = f"less than half of the first {rank} documents were judged"
        told.append(f"Of {counted(len(low), 'system')} ({names}) {less}: their scores may be far too low.")
    return told


def share_chart(study: Study) -> Chart:
    """Return a drawing: a tick for every system at its mean share, down to each rank."""
    rows = [
        {"rank": f"first {rank}", "system": system, "share": round(float(share), 4)}
        for rank in shown_ranks(study)
        for system, share in zip(study.systems, mean_shares(study.coverage, rank), strict=True)
        if not np.isnan(share)
    ]
    order = [f"first {rank}" for rank in shown_ranks(study)]
    x: Chart = {
        "field": "share",
        "type": "quantitative",
        "title": "share of documents that were judged, mean over topics",
    }
    x |= {"axis": {"format": ".0%", "grid": True}, "scale": {"domain": [0, 1]}}
    y = {"field": "rank", "type": "nominal", "title": None, "sort": order}
    tooltip = [{"field": "system"}, {"field": "share", "type": "quantitative", "format": ".1%"}]
    tick = {"type": "tick", "color": ACCENT, "thickness": 2, "height": 22, "opacity": 0.7}
    middle = {"mark": {"type": "point", "color": MARK, "filled": True, "size": 70, "shape": "diamond"}}
    return {
        "description": "The share of judged documents down to each rank: a tick for every system, a diamond for the"
        " median system.",
        "width": "container",
        "height": 38 * len(order),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": rows},
        "layer": [
            {"mark": tick, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
            {**middle, "encoding": {"x": {**x, "aggregate": "median"}, "y": y}},
        ],
    }


def _told(share: float) -> float | None:
    return None if np.isnan(share) else float(share)
