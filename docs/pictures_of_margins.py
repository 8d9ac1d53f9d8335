"""Pictures of margins: the topics, judgments, grades and spacing that overturn a conclusion."""

from __future__ import annotations

from itertools import product

from pictures_of_systems import nominal, quantitative

import measurand as md
from measurand import sample
from measurand.display.charts import ACCENT, DASHED, GREY, INK, MARK, Chart, styled

PAIR, MEASURE = ("dense-1", "dense-3"), "nDCG@10"
"""Two systems of the sample whose order could fall in many ways."""

SHADES = ("#ffffff", "#e5e7eb", "#99d5ce", "#2a9d8f", "#0b4f4a")
"""An unjudged document, and documents of grades 0 to 3."""

RANKS = 10
"""So many ranks are shown."""


def _judged() -> md.JudgedRuns:
    """Return the sample, judged, with all its ranks."""
    return md.judge(sample.runs(), sample.qrels())


def dropped_topics() -> Chart:
    """Return the differences of two systems by topic, and those that must go until the others are level."""
    found = md.margins(_judged(), MEASURE, *PAIR)
    gone = set(found.topics.certificate)
    number = len(gone)
    rows = sorted(zip(found.pair.differences.tolist(), found.pair.topics, strict=True), reverse=True)
    kept = f"the other {len(rows) - number}: on these alone {found.behind} is ahead"
    words = (f"the {number} to drop", kept)
    values = [
        {"place": place, "difference": difference, "what": words[topic not in gone]}
        for place, (difference, topic) in enumerate(rows, 1)
    ]
    content = {
        "data": {"values": values},
        "mark": "bar",
        "encoding": {
            "x": {
                "field": "place",
                "type": "ordinal",
                "title": f"{len(rows)} topics, sorted",
                "axis": {"labels": False, "ticks": False},
            },
            "y": quantitative("difference", f"{MEASURE} of {found.ahead} − {found.behind}"),
            "color": {
                **nominal("what", None, legend={"orient": "top", "labelLimit": 500, "columnPadding": 24}),
                "scale": {"domain": list(words), "range": [MARK, GREY]},
            },
        },
        "width": 460,
        "height": 200,
    }
    return styled(
        f"The difference between {found.ahead} and {found.behind} in {MEASURE} on every topic. Without the {number}"
        f" topics on the left, {found.behind} is ahead.",
        content,
    )


def stretched_steps() -> Chart:
    """Return the least uneven rescaling that makes two means level."""
    found = md.margins(_judged(), MEASURE, *PAIR).scale
    knots = zip(found.certificate.knots, found.certificate.values, strict=True)
    line = [{"x": float(x), "y": float(y)} for x, y in knots]
    axes = {"x": quantitative("x", MEASURE), "y": quantitative("y", "rescaled")}
    content = {
        "width": 300,
        "height": 260,
        "layer": [
            {"data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}, "mark": DASHED, "encoding": axes},
            {"data": {"values": line}, "mark": {"type": "line", "color": ACCENT}, "encoding": axes},
        ],
    }
    return styled(
        f"A rescaling of {MEASURE} after which {PAIR[0]} and {PAIR[1]} are level: where it is steep, a step counts"
        f" {float(found.value):.1f} times as much as where it is flat.",
        content,
    )


def wrong_judgments() -> Chart:
    """Return the first ranks of two systems on the topics of some judgments that overturn their order."""
    judged = _judged()
    changes = {change.topic: change for change in md.margins(judged, MEASURE, *PAIR).judgments.certificate.changes}
    words = ("unjudged", "grade 0", "grade 1", "grade 2", "grade 3")
    rows = []
    for topic, system in product(changes, PAIR):
        change = changes[topic]
        marked = change.rank_ahead if system == PAIR[0] else change.rank_behind
        cells = judged.grades[judged.systems.index(system), judged.topics.index(topic)][:RANKS]
        rows += [
            {
                "topic": topic,
                "system": system,
                "rank": rank,
                "grade": words[max(-1, int(cell)) + 1],
                "change": f"{change.grade}→{change.other_grade}" if rank == marked else "",
            }
            for rank, cell in enumerate(cells, 1)
        ]
    shown = {
        "y": nominal("system", None),
        "x": {"field": "rank", "type": "ordinal", "title": "rank", "axis": {"labelAngle": 0}},
    }
    colour = {**nominal("grade", None), "scale": {"domain": list(words), "range": list(SHADES)}}
    marked_rows = [{"filter": "datum.change != ''"}]
    content = {
        "data": {"values": rows},
        "facet": {
            "row": {**nominal("topic", "topic"), "header": {"labelAngle": 0, "labelAlign": "left", "labelColor": INK}}
        },
        "spacing": 8,
        "spec": {
            "height": {"step": 20},
            "width": {"step": 34},
            "layer": [
                {
                    "mark": {"type": "rect", "stroke": GREY, "strokeWidth": 0.5},
                    "encoding": {**shown, "color": colour},
                },
                {
                    "transform": marked_rows,
                    "mark": {"type": "rect", "filled": False, "stroke": MARK, "strokeWidth": 2.5},
                    "encoding": shown,
                },
                {
                    "transform": marked_rows,
                    "mark": {"type": "text", "fontSize": 11, "fontWeight": "bold"},
                    "encoding": {
                        **shown,
                        "text": {"field": "change"},
                        "color": {"condition": {"test": "datum.grade == 'grade 3'", "value": "white"}, "value": INK},
                    },
                },
            ],
        },
    }
    return styled(
        f"{len(changes)} judgments whose change puts {PAIR[1]} ahead of {PAIR[0]} on {MEASURE}: the document, where it"
        f" stands in the first {RANKS} ranks, and its old and new grade.",
        content,
    )


def possible_differences() -> Chart:
    """Return between what the differences to one system lie, whatever the grades of unjudged documents."""
    judged, one = _judged(), PAIR[1]
    rows = []
    for other in judged.systems:
        if other != one:
            found = md.margins(judged, MEASURE, other, one)
            sign = 1 if found.ahead == other else -1
            low, high = sorted((sign * found.unjudged.low, sign * found.unjudged.high))
            now = sign * float(found.pair.differences.mean())
            held = "no grades change who is ahead" if found.unjudged.proof else "some grades do"
            rows.append({"system": other, "low": low, "high": high, "now": now, "held": held})
    rows.sort(key=lambda row: -row["now"])
    y = nominal("system", None)
    colour = {
        **nominal("held", None, legend={"orient": "top", "labelLimit": 400, "columnPadding": 24}),
        "scale": {"domain": ["no grades change who is ahead", "some grades do"], "range": [ACCENT, MARK]},
    }
    title = f"{MEASURE} of the system − that of {one}"
    x = quantitative("low", title)
    content = {
        "data": {"values": rows},
        "width": 420,
        "height": {"step": 20},
        "layer": [
            {
                "data": {"values": [{"low": 0}]},
                "mark": {"type": "rule", "color": GREY, "strokeDash": [4, 3]},
                "encoding": {"x": x},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 5, "opacity": 0.55},
                "encoding": {"y": y, "x": x, "x2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "circle", "size": 60, "opacity": 1},
                "encoding": {"y": y, "x": quantitative("now", title), "color": colour},
            },
        ],
    }
    return styled(
        f"The mean difference in {MEASURE} of every system and {one}: with unjudged documents as not relevant (dot),"
        " and whatever their grades (bar).",
        content,
    )
