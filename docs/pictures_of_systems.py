"""Pictures of the sample's systems: their rankings, and how they compare."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import measurand as md
from measurand import sample
from measurand.display.charts import ACCENT, GREY, MARK, Chart, styled
from measurand.judged import NOTHING

PAIR = ("lexical-3", "dense-3")
"""The two systems of the first tutorial."""

CLOSE = ("rerank-1", "dense-1")
"""Two systems with nearly the same mean RR@10."""

LEADER = "rerank-2"
"""The system with the best means."""


def judged_runs(depth: int = 30) -> md.JudgedRuns:
    """Return the sample, judged."""
    return md.judge(sample.runs(), sample.qrels(), depth=depth)


def quantitative(field: str, title: str | None, **more: Any) -> Chart:
    """Return how a number is shown on an axis."""
    return {"field": field, "type": "quantitative", "title": title, **more}


def nominal(field: str, title: str | None, **more: Any) -> Chart:
    """Return how a name is shown on an axis, names in the order in which they come."""
    return {"field": field, "type": "nominal", "title": title, "sort": None, **more}


def strips() -> Chart:
    """Return two systems' rankings of six topics as coloured strips."""
    judged = judged_runs(20)
    words = {-1: "unjudged", 0: "grade 0", 1: "grade 1", 2: "grade 2", 3: "grade 3"}
    rows = [
        {"topic": topic, "system": system, "rank": rank + 1, "grade": words[int(grade)]}
        for topic, system in product(judged.topics[:6], PAIR)
        for rank, grade in enumerate(judged.grades[judged.systems.index(system), judged.topics.index(topic)])
        if grade != NOTHING
    ]
    colours = {"domain": list(words.values()), "range": ["#ffffff", "#e5e7eb", "#99d5ce", "#2a9d8f", "#0b4f4a"]}
    content = {
        "data": {"values": rows},
        "mark": {"type": "rect", "stroke": GREY, "strokeWidth": 0.5},
        "encoding": {
            "row": {**nominal("topic", "topic"), "header": {"labelAngle": 0, "labelAlign": "left"}, "spacing": 8},
            "y": nominal("system", None),
            "x": {"field": "rank", "type": "ordinal", "title": "rank", "axis": {"labelAngle": 0}},
            "color": {**nominal("grade", None), "scale": colours},
        },
        "height": {"step": 16},
        "width": {"step": 18},
    }
    return styled(
        "The judged rankings of two systems for six topics: one square a document, darker for higher grades.", content
    )


def rescaling() -> Chart:
    """Return a rescaling that turns two means round."""
    scores = md.parse("RR@10").scores(judged_runs())
    claim = md.meaning.check("mean of {} exceeds mean of {}".format(*CLOSE), scores)
    shown = str(claim.transformation).removesuffix(", straight in between").split(", ")
    knots = [{"score": float(a), "after": float(b)} for a, b in (knot.split(" → ") for knot in shown)]
    pairs = (("as it is", claim.before), ("rescaled", claim.after))
    means = [
        {"scale": scale, "system": system, "mean": float(mean)}
        for scale, values in pairs
        for system, mean in zip(CLOSE, values, strict=True)
    ]
    line = {
        "title": "A map that an ordinal scale permits",
        "width": 260,
        "height": 240,
        "layer": [
            {
                "data": {"values": [{"score": 0, "after": 0}, {"score": 1, "after": 1}]},
                "mark": {"type": "line", "color": GREY, "strokeDash": [4, 3]},
                "encoding": {"x": quantitative("score", "RR@10"), "y": quantitative("after", "rescaled")},
            },
            {
                "data": {"values": knots},
                "mark": {"type": "line", "color": ACCENT, "point": {"color": ACCENT}},
                "encoding": {"x": quantitative("score", "RR@10"), "y": quantitative("after", "rescaled")},
            },
        ],
    }
    domain = {"scale": {"domain": [0.86, 0.89]}}
    slope = {
        "title": "Which mean is higher",
        "width": 240,
        "height": 240,
        "data": {"values": means},
        "encoding": {
            "x": nominal("scale", None, axis={"labelAngle": 0}),
            "y": quantitative("mean", "mean over 50 topics", **domain),
            "color": {**nominal("system", None), "scale": {"range": [MARK, ACCENT]}},
        },
        "layer": [{"mark": {"type": "line"}}, {"mark": {"type": "circle", "size": 60, "opacity": 1}}],
    }
    return styled(
        f"A rescaling of RR@10 under which {CLOSE[1]} overtakes {CLOSE[0]}.", {"hconcat": [line, slope], "spacing": 48}
    )


def dominances() -> Chart:
    """Return on how many topics the leader is ahead of, or behind, every other system under every measure."""
    judged = judged_runs()
    words = ("ahead", "equal", "measures disagree", "behind")
    rows = []
    for other in judged.systems:
        if other != LEADER:
            found = md.dominance(judged, LEADER, other)
            counts = (found.wins, found.ties, found.incomparable, found.losses)
            rows += [
                {"system": other, "who": w, "topics": n, "place": i}
                for i, (w, n) in enumerate(zip(words, counts, strict=True))
            ]
    content = {
        "data": {"values": rows},
        "mark": "bar",
        "encoding": {
            "y": nominal("system", f"{LEADER} against"),
            "x": quantitative("topics", "topics"),
            "order": {"field": "place"},
            "color": {
                **nominal("who", None),
                "scale": {"domain": list(words), "range": [ACCENT, GREY, "#e5e7eb", MARK]},
            },
        },
        "width": 440,
        "height": {"step": 22},
    }
    return styled(f"Topics on which {LEADER} is ahead of each other system under every measure, to depth 30.", content)


def pvalues() -> Chart:
    """Return the p-values of all pairs of systems."""
    scores = md.parse("P@10").scores(judged_runs())
    best = sorted(scores.systems, key=lambda system: -scores.mean()[system])
    test = md.statistics.paired_t(scores).adjust("holm")
    rows = [{"a": a, "b": b, "p": test.of(a, b)} for a, b in product(best, best) if best.index(a) < best.index(b)]
    colour = {"type": "threshold", "domain": [0.001, 0.01, 0.05], "range": ["#0b4f4a", "#2a9d8f", "#99d5ce", "#e5e7eb"]}
    content = {
        "data": {"values": rows},
        "mark": {"type": "rect", "stroke": "white"},
        "encoding": {
            "x": {**nominal("b", None), "sort": best},
            "y": {**nominal("a", None), "sort": best},
            "color": quantitative("p", "p (Holm)", scale=colour),
        },
        "width": {"step": 28},
        "height": {"step": 24},
    }
    return styled(
        "p-values of paired t tests of P@10 between all pairs of the sample's systems, best first, by Holm's method.",
        content,
    )


def fusion_bars() -> Chart:
    """Return mean P@10 of the systems and of fusions of them."""
    runs = md.read_runs(sample.runs())
    fused = [md.fuse(runs, method) for method in ("rrf", "combsum", "combmnz", "bordalog", "condorcet", "information")]
    means = md.evaluate(sample.qrels(), [*runs, *fused], "P@10").scores("P@10").mean()
    fusions = {run.name for run in fused}
    rows = [
        {"system": s, "mean": means[s], "kind": "fusion" if s in fusions else "single system"} for s in means.to_dict()
    ]
    rows.sort(key=lambda row: -row["mean"])
    content = {
        "data": {"values": rows},
        "mark": "bar",
        "encoding": {
            "y": nominal("system", None),
            "x": quantitative("mean", "mean P@10, on the same judgments for all"),
            "color": {
                **nominal("kind", None),
                "scale": {"domain": ["fusion", "single system"], "range": [ACCENT, GREY]},
            },
        },
        "width": 420,
        "height": {"step": 18},
    }
    return styled("Mean P@10 of the sample's twelve systems and of six fusions of them.", content)


def topic_differences() -> Chart:
    """Return by how much dense-3 is ahead of lexical-3 on each topic."""
    scores = md.parse("P@10").scores(judged_runs())
    first, second = (scores.values[scores.systems.index(system)] for system in PAIR)
    gaps = np.sort(second - first)[::-1]
    won, lost = int((gaps > 0).sum()), int((gaps < 0).sum())
    counts = f"{won} won, {len(gaps) - won - lost} tied, {lost} lost"
    rows = [{"place": i, "difference": float(gap)} for i, gap in enumerate(gaps, 1)]
    content = {
        "data": {"values": rows},
        "mark": "bar",
        "encoding": {
            "x": {
                "field": "place",
                "type": "ordinal",
                "title": "50 topics, sorted",
                "axis": {"labels": False, "ticks": False},
            },
            "y": quantitative("difference", f"P@10 of {PAIR[1]} − {PAIR[0]}"),
            "color": {"condition": {"test": "datum.difference > 0", "value": ACCENT}, "value": MARK},
        },
        "width": 460,
        "height": 200,
    }
    return styled(f"The difference between {PAIR[1]} and {PAIR[0]} in P@10 on every topic: {counts}.", content)
