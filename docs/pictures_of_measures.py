"""Pictures of measures: their values, weights, constraints and balance."""

from __future__ import annotations

from itertools import product

import numpy as np
from pictures_of_systems import nominal, quantitative

import measurand as md
from measurand.display.charts import ACCENT, INK, MARK, Chart, styled
from measurand.measures import AP
from measurand.search_length import WeakOrder


def spacing() -> Chart:
    """Return the values that some measures take on all runs of four ranks."""
    rows = [
        {"measure": measure, "value": float(value)}
        for measure in ("P@4", "RR@4", "AP@4", "RBP(p=0.5)@4", "RBP(p=0.8)@4", "interval(AP@4)")
        for value in md.scales.image(measure, 4, 2)
    ]
    content = {
        "data": {"values": rows},
        "mark": {"type": "tick", "thickness": 2, "color": ACCENT, "size": 22},
        "encoding": {"x": quantitative("value", "value"), "y": nominal("measure", None)},
        "width": 460,
        "height": {"step": 36},
    }
    return styled(
        "All values of six measures on the 16 rankings of four documents: P and the interval scale are equally spaced.",
        content,
    )


def weights() -> Chart:
    """Return what a relevant document at each rank adds, where there is no other."""
    depth = 20
    measures = ("P@20", "DCG", "RBP(p=0.8)", "RBP(p=0.5)", "RR")
    rows = []
    for measure in map(md.parse, measures):
        alone = [measure.value([0] * rank + [1] + [0] * (depth - 1 - rank)) for rank in range(depth)]
        rows += [{"measure": repr(measure), "rank": i, "share": x / alone[0]} for i, x in enumerate(alone, 1)]
    content = {
        "data": {"values": rows},
        "mark": {"type": "line", "point": {"size": 20}},
        "encoding": {
            "x": quantitative("rank", "rank of the only relevant document", scale={"domain": [1, depth]}),
            "y": quantitative("share", "value, compared with rank 1"),
            "color": {**nominal("measure", None), "scale": {"range": [INK, ACCENT, MARK, "#7c3aed", "#2563eb"]}},
        },
        "width": 460,
        "height": 260,
    }
    return styled("What one relevant document is worth at ranks 1 to 20 under five measures.", content)


def constraints() -> Chart:
    """Return which measures meet which constraints."""
    measures = ["P@10", "RR@10", "AP", "DCG", "nDCG@10", "RBP(p=0.8)", "ERR@20", "OIE(beta=1.2)"]
    matrix = md.axioms.constraint_matrix(measures, collection=10_000, recall_base=20, depth=30)
    names = [name.replace("_", " ") for name in md.axioms.CONSTRAINTS]
    rows = [
        {"measure": row.measure, "constraint": name, "holds": "holds" if mark == "1" else "fails"}
        for row in matrix
        for name, mark in zip(names, row.marks, strict=True)
    ]
    content = {
        "data": {"values": rows},
        "mark": {"type": "rect", "stroke": "white", "strokeWidth": 2},
        "encoding": {
            "x": nominal("constraint", None, axis={"labelAngle": 0, "orient": "top", "ticks": False}),
            "y": nominal("measure", None, axis={"ticks": False}),
            "color": {**nominal("holds", None), "scale": {"domain": ["holds", "fails"], "range": [ACCENT, "#e5e7eb"]}},
        },
        "width": 560,
        "height": {"step": 26},
    }
    return styled(
        "Which of five constraints eight measures meet, for 10,000 documents of which 20 are relevant.", content
    )


def balancing() -> Chart:
    """Return the balancing index of some measures at growing lengths."""
    measures = ("P", "nDCG(b=2)", "AP", "RBP(p=0.95)", "RBP(p=0.8)", "RR")
    rows = [
        {"measure": measure, "n": n, "index": md.balancing_index(measure, n)}
        for measure in measures
        for n in (1, 2, 5, 10, 20, 50, 100, 200)
    ]
    colours = [INK, "#2563eb", ACCENT, "#7c3aed", "#db2777", MARK]
    content = {
        "data": {"values": rows},
        "mark": {"type": "line", "point": {"size": 24}},
        "encoding": {
            "x": quantitative("n", "ranks of the run", scale={"type": "log"}),
            "y": quantitative("index", "balancing index", scale={"type": "log"}),
            "color": {**nominal("measure", None), "scale": {"range": colours}},
        },
        "width": 420,
        "height": 300,
    }
    return styled(
        "The balancing index of six measures for runs of 1 to 200 ranks: near the diagonal they count documents.",
        content,
    )


def lottery() -> Chart:
    """Return how many nonrelevant documents come before the second and before the third relevant one."""
    order = WeakOrder.parse("+-|+--|++---")
    rows = [
        {"wanted": f"until relevant document {i}", "nonrelevant": k, "probability": float(p)}
        for i in (2, 3)
        for k, p in order.search_length(i).items()
    ]
    content = {
        "data": {"values": rows},
        "mark": {"type": "bar", "color": ACCENT},
        "encoding": {
            "column": nominal("wanted", None),
            "x": {
                "field": "nonrelevant",
                "type": "ordinal",
                "title": "nonrelevant documents",
                "axis": {"labelAngle": 0},
            },
            "y": quantitative("probability", "probability"),
        },
        "width": 200,
        "height": 180,
    }
    return styled("The lotteries of the result +-|+--|++--- until the second and the third relevant document.", content)


def counted_values() -> Chart:
    """Return how many values AP seems to have when it is summed in floats, and how many it has."""
    rows = []
    for depth in range(4, 13):
        runs = np.array(list(product((0, 1), repeat=depth)))
        precisions = runs.cumsum(axis=1) / np.arange(1, depth + 1)
        floats = set(((precisions * runs).sum(axis=1) / depth).tolist())
        exact = {AP.of(run, recall_base=depth) for run in runs.tolist()}
        rows.append({"depth": depth, "more": len(floats) - len(exact)})
    content = {
        "data": {"values": rows},
        "mark": {"type": "bar", "color": MARK},
        "encoding": {
            "x": {"field": "depth", "type": "ordinal", "title": "ranks", "axis": {"labelAngle": 0}},
            "y": quantitative("more", "values too many"),
        },
        "width": 360,
        "height": 200,
    }
    return styled(
        "By how many values AP seems to have more than it has, summed in floating point over all binary rankings.",
        content,
    )


def first_page() -> Chart:
    """Return the profile of the measure that the tutorial designs."""

    def first_page(run: tuple[int, ...]) -> int:
        return sum(2 if rank <= 3 else 1 for rank, grade in enumerate(run, 1) if grade > 0)

    return md.profile(first_page, depth=10).plot().to_dict()
