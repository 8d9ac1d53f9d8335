"""Figures 1 and 2, drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from measurand.axioms.balance import FIGURE_1A, balancing_index
from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, side_by_side, styled
from measurand.papers.exhibit import Drawing
from measurand.papers.ffm2015.balance import GENERATORS, MEASURE, RANKS, REPETITIONS, SEED, told_apart
from measurand.papers.ffm2015.simulation import simulated_runs

COLOURS = (INK, "#60a5fa", "#2563eb", ACCENT, "#7c3aed", "#db2777", MARK)
"""One for each curve of Figure 1a, the highest first."""

SHORT = tuple(range(1, 51))
LONG = tuple(sorted({*range(1, 13), *(round(10 ** (tenth / 10)) for tenth in range(31))}))
"""The run lengths at which the curves are drawn, in the two panels."""

DOTS = tuple(sorted({round(10 ** (step / 40)) for step in range(121)}))
"""The ranks at which Figure 2 has dots: all of the first, and ever fewer of the others."""

TICKS = (1, 3, 10, 30, 100, 300, 1000)


def quantitative(name: str, title: str | None, **more: Any) -> Chart:
    """Return an axis for numbers.

    Examples
    --------
    >>> quantitative("n", "ranks")["type"]
    'quantitative'
    """
    return {"field": name, "type": "quantitative", "title": title, **more}


def coloured(name: str, colours: dict[str, str], **legend: Any) -> Chart:
    """Return colours for names, with a legend in their order.

    Examples
    --------
    >>> coloured("system", {"early": "blue"})["scale"]
    {'domain': ['early'], 'range': ['blue']}
    """
    scale = {"domain": list(colours), "range": list(colours.values())}
    return {"field": name, "type": "nominal", "title": None, "scale": scale, "sort": None} | {
        "legend": {"symbolType": "stroke", "symbolStrokeWidth": 3, "symbolOpacity": 1, "labelLimit": 260, **legend}
    }


def balancing_curves(short: Sequence[int] = SHORT, long: Sequence[int] = LONG) -> Figure:
    """Return Figure 1a: the balancing index of nine measures against the length of the runs.

    Parameters
    ----------
    short, long
        The run lengths of the two panels. Measures with the same index at all of them share a curve.

    Examples
    --------
    >>> figure = balancing_curves(short=(1, 5, 20), long=(1, 50))
    >>> [row["measure"] for row in figure.to_dict()["hconcat"][1]["data"]["values"] if row["index"] == 8]
    ['RBP(p=0.8)']
    """
    lengths = sorted({*short, *long})
    alike: dict[tuple[int | None, ...], list[str]] = {}
    for measure in FIGURE_1A:
        alike.setdefault(tuple(balancing_index(measure, n) for n in lengths), []).append(measure)
    curves = {", ".join(names): dict(zip(lengths, curve, strict=True)) for curve, names in alike.items()}
    highest_first = sorted(curves, key=lambda name: -(curves[name][lengths[-1]] or 0))
    colour = coloured("measure", dict(zip(highest_first, COLOURS, strict=False)), orient="right")
    logarithmic = {"scale": {"type": "log", "nice": False}, "axis": {"values": list(TICKS), "labelOverlap": False}}
    plain = {"scale": {"domain": [0, 50]}, "axis": {"values": [1, *range(10, 51, 10)]}}
    panels = []
    for title, shown, axis in (("Short runs", short, plain), ("Long runs", long, logarithmic)):
        rows = [{"measure": name, "n": n, "index": curves[name][n]} for name in highest_first for n in shown]
        panels.append(
            {
                "title": {"text": title, "fontWeight": "normal"},
                "data": {"values": rows},
                "width": 320,
                "height": 320,
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {
                    "x": quantitative("n", "ranks of the run, n", **axis),
                    "y": quantitative("index", "balancing index, B(n)", **axis),
                    "color": colour,
                },
            }
        )
    return Figure(
        side_by_side("The balancing index of nine measures for runs of 1 to 1,000 ranks, two grades.", panels)
    )


def rejections(break_ranks: Sequence[int] = range(21)) -> Figure:
    """Return Figure 1b: how often a t test tells the simulated systems apart, by the rank down to which they are alike.

    Examples
    --------
    >>> rejections([0]).to_dict()["layer"][1]["data"]["values"][0]
    {'generator': 'shares by chance', 'rnk': 0, 'rate': 1.0}
    """
    rows = [
        {"generator": name, "rnk": rank, "rate": told_apart(generator, rank)}
        for generator, name in GENERATORS.items()
        for rank in break_ranks
    ]
    lines: Chart = {
        "data": {"values": rows},
        "mark": {"type": "line", "strokeWidth": 2, "point": {"size": 36, "filled": True}},
        "encoding": {
            "x": quantitative("rnk", "last rank at which the systems are alike, rnk", scale={"domain": [0, 20]})
            | {"axis": {"values": list(range(0, 21, 2))}},
            "y": quantitative("rate", "share of tests that reject", scale={"domain": [0, 1]}),
            "color": coloured(
                "generator", dict(zip(GENERATORS.values(), (MARK, ACCENT), strict=True)), orient="top-right"
            ),
        },
    }
    about = f"paired t test at 0.05 under {MEASURE}; {REPETITIONS} repetitions of 50 topics, {RANKS} ranks, fixed seeds"
    return Figure(
        styled(
            f"How often a test tells two simulated systems apart: {about}.",
            {
                "title": {"text": "How often a test tells the simulated systems apart", "subtitle": about},
                "width": 460,
                "height": 280,
                "layer": [_level_of_the_test(), lines],
            },
        )
    )


def _level_of_the_test() -> Chart:
    x, y = ({"field": name, "type": "quantitative"} for name in ("rnk", "rate"))
    rule = {"type": "rule", "color": GREY, "strokeDash": [4, 3]}
    text = {"type": "text", "align": "right", "baseline": "bottom", "dy": -14, "color": GREY}
    return {
        "data": {"values": [{"rate": 0.05, "rnk": 20, "text": "level of the test, 0.05"}]},
        "layer": [
            {"mark": rule, "encoding": {"y": y}},
            {"mark": text, "encoding": {"x": x, "y": y, "text": {"field": "text"}}},
        ],
    }


def simulated_systems() -> Figure:
    """Return Figure 2: how many documents are relevant at each rank of the two simulated systems.

    Examples
    --------
    >>> simulated_systems().to_dict()["title"]["subtitle"]
    'rnk = 10, 50 topics, fixed shares (lines) at random ranks (dots, some of them)'
    """
    judged = simulated_runs(10, topics=50, rng=SEED)
    dots, steps = [], []
    for system, cells in zip(judged.systems, judged.cells, strict=True):
        shares = cells.mean(axis=0)
        dots += [{"system": system, "rank": rank, "share": float(shares[rank - 1])} for rank in DOTS]
        for first, last in ((1, 10), (11, 20), (21, 1000)):
            share = float(shares[first - 1 : last].mean())
            steps.append({"system": system, "rank": first - 0.5, "to": last + 0.5, "share": share})
    colour = coloured("system", dict(zip(judged.systems, (ACCENT, MARK), strict=True)), orient="right")
    # the two lie on each other at the top
    dashes = {"field": "system", "scale": {"domain": list(judged.systems), "range": [[1, 0], [6, 6]]}, "legend": None}
    x = quantitative("rank", "rank", scale={"type": "log", "domain": [0.5, 1000], "nice": False})
    x["axis"] = {"values": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]}
    y = quantitative("share", "share of topics with a relevant document", scale={"domain": [0, 1]})
    return Figure(
        styled(
            "Relevant documents by rank of two simulated systems: alike to rank 10, then one is ahead to rank 20.",
            {
                "title": {
                    "text": "Two simulated systems",
                    "subtitle": "rnk = 10, 50 topics, fixed shares (lines) at random ranks (dots, some of them)",
                },
                "width": 460,
                "height": 280,
                "layer": [
                    {
                        "data": {"values": dots},
                        "mark": {"type": "circle", "size": 14, "opacity": 0.3},
                        "encoding": {"x": x, "y": y, "color": colour},
                    },
                    {
                        "data": {"values": steps},
                        "mark": {"type": "rule", "strokeWidth": 3},
                        "encoding": {"x": x, "x2": {"field": "to"}, "y": y, "color": colour, "strokeDash": dashes},
                    },
                ],
            },
        )
    )


DRAWINGS = (
    Drawing(
        name="figure-1a", title="Balancing indexes of nine measures by run length, two grades", draw=balancing_curves
    ),
    Drawing(
        name="figure-1b",
        title=f"How often a t test tells the simulated systems apart, by rnk ({REPETITIONS} repetitions, fixed seeds)",
        draw=rejections,
    ),
    Drawing(
        name="figure-2", title="The two simulated systems: shares of relevant documents by rank", draw=simulated_systems
    ),
)
