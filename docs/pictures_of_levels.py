"""Pictures of levels: counts of documents by rank, who is ahead of whom, and a map of a parameter."""

from __future__ import annotations

from pictures_of_systems import PAIR, judged_runs, quantitative

import measurand as md
from measurand.display.charts import GREY, INK, Chart, styled
from measurand.study.level_classes import Level

DECIDED, OPEN = PAIR[::-1], ("hybrid-2", "hybrid-1")
"""A pair that is decided under every additive measure, and one that is not."""


def counts_by_rank() -> Chart:
    """Return the differences of mean counts of two pairs of systems, as `Levels.plot` draws them, side by side."""
    judged = judged_runs()
    panels = []
    for (a, b), what in ((DECIDED, "decided"), (OPEN, "it depends on the measure")):
        drawn = md.levels(judged, a, b).plot().to_dict()
        title = {**drawn["title"], "text": f"{a} − {b}: {what}", "subtitle": ""}
        panels.append({"title": title, "width": 310, "height": 240, "layer": drawn["layer"]})
    text = "How many documents of a grade or more one system has more than another in the first ranks, of two pairs."
    return styled(text, {"hconcat": panels, "spacing": 30})


def who_is_ahead() -> Chart:
    """Return who is ahead of whom under every additive measure, without what follows from other arrows."""
    found = md.levels_matrix(judged_runs())
    ahead, arrows = found.ahead(Level.ADDITIVE), found.arrows(Level.ADDITIVE)
    storey = dict.fromkeys(found.systems, 0)
    for _ in found.systems:
        for a, b in arrows:
            storey[b] = max(storey[b], storey[a] + 1)
    places = {}
    for level in sorted(set(storey.values())):
        # those who are ahead of more stand further left
        row = sorted((s for s in storey if storey[s] == level), key=lambda s: -ahead[found.systems.index(s)].sum())
        places |= {s: ((i + 0.5) / len(row), -level) for i, s in enumerate(row)}
    lines = [
        {"x": places[a][0], "y": places[a][1] - 0.12, "x2": places[b][0], "y2": places[b][1] + 0.12} for a, b in arrows
    ]
    nodes = [{"system": s, "x": x, "y": y} for s, (x, y) in places.items()]
    x = quantitative("x", None, axis=None, scale={"domain": [0, 1]})
    y = quantitative("y", None, axis=None, scale={"domain": [-max(storey.values()) - 0.3, 0.3]})
    content = {
        "width": 620,
        "height": 260,
        "layer": [
            {
                "data": {"values": lines},
                "mark": {"type": "rule", "color": GREY, "strokeWidth": 1},
                "encoding": {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "y2"}},
            },
            {
                "data": {"values": nodes},
                "mark": {"type": "text", "color": INK, "fontSize": 13},
                "encoding": {"x": x, "y": y, "text": {"field": "system"}},
            },
        ],
    }
    return styled("Who is ahead of whom under every additive measure, to depth 30: lines lead down.", content)


def rbp_map() -> Chart:
    """Return for which p of RBP which of two systems is ahead."""
    return md.levels(judged_runs(), *OPEN).map("RBP").plot().to_dict()
