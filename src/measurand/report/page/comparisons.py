"""The section "Comparisons": which systems differ, by which test, on which scale, and under every measure.

Beside the matrix of pairs stands the dominance graph: who is at least as good on every topic under every measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.display.charts import ACCENT, GREY, INK, Chart
from measurand.display.wording import counted
from measurand.lattice.layout import lay_out
from measurand.report.page.packed_numbers import ONE, STEP, kinds_of, pair_arrays
from measurand.report.page.section import Section
from measurand.report.page.summing_up import that_both_have
from measurand.statistics import find_test, need_of
from measurand.statistics.multiple_comparisons import SHORT as CORRECTION_NAMES
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.study.both_scales import RANKED, RAW, TESTS
from measurand.study.comparison_view import CORRECTED, SHORT
from measurand.study.dominance import COUNTS_ALONE
from measurand.study.measure_result import fitting_test
from measurand.study.study import Study

DRAWN = 40
"""How many systems are drawn at most."""

WIDE, NARROW, HIGH = 104, 56, 76
"""How far apart systems (few, many) and levels are drawn, in pixels."""

FEW = 7
"""Up to how many systems stand side by side with room for their names."""

Edge = tuple[int, int]


@frozen(eq=False)
class DominanceGraph:
    """Which systems are drawn on which level, and which of their arrows.

    Parameters
    ----------
    levels
        The systems of each level, from above; an arrow leads from a higher level to a lower one.
    arrows
        From the system that is ahead to the one that is behind.
    alone
        Systems without any arrow to or from one that is drawn, which are not drawn.
    left_out
        How many systems are not drawn because there are too many.
    circular
        How many systems are ahead of each other in a circle, so that no arrow among them can lead downwards.
    """

    levels: tuple[tuple[int, ...], ...]
    arrows: tuple[Edge, ...]
    alone: tuple[int, ...]
    left_out: int
    circular: int

    @property
    def drawn(self) -> tuple[int, ...]:
        """The systems that are drawn, level by level."""
        return tuple(place for level in self.levels for place in level)


def dominance_graph(beats: BoolArray, order: Sequence[int], most: int = DRAWN) -> DominanceGraph:
    """Return what is drawn of which system beats which.

    Of more than `most` systems, those are drawn that beat most others and are beaten least, ties in the given order.
    An arrow is left out where others lead the same way.

    Examples
    --------
    >>> import numpy as np
    >>> beats = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=bool)
    >>> found = dominance_graph(beats, range(4))
    >>> found.levels, found.arrows, found.alone
    (((0,), (1,), (2,)), ((0, 1), (1, 2)), (3,))
    """
    net = beats.sum(axis=1) - beats.sum(axis=0)
    touched = (beats | beats.T).sum(axis=1) > 0
    ranked = sorted((place for place in order if touched[place]), key=lambda place: -int(net[place]))
    best, beyond = ranked[:most], set(ranked[most:])
    chosen = [a for a in best if any(beats[a, b] or beats[b, a] for b in best)]
    ahead = beats[np.ix_(chosen, chosen)]
    reach = _reachable(ahead)
    circles = reach & reach.T
    above = reach & ~circles
    depths = _depths(above)
    levels = [
        tuple(place for place, depth in zip(chosen, depths, strict=True) if depth == level)
        for level in range(max(depths, default=-1) + 1)
    ]
    arrows = above & ahead
    if not circles.any():
        # where a third system stands between two, their arrow says nothing new
        arrows &= ~(above[:, :, None] & above[None]).any(axis=1)
    drawn = tuple((chosen[a], chosen[b]) for a, b in np.argwhere(arrows).tolist())
    alone = tuple(place for place in order if place not in chosen and place not in beyond)
    return DominanceGraph(tuple(levels), drawn, alone, len(beyond), int(circles.any(axis=1).sum()))


def _reachable(ahead: BoolArray) -> BoolArray:
    """Return which systems arrows lead to, over others or not."""
    reach = ahead.copy()
    for place in range(len(reach)):
        reach |= reach[:, [place]] & reach[[place]]
    return reach


def _depths(above: BoolArray) -> list[int]:
    """Return on which level each system is: below all that are above it, and no lower than that."""
    depths = [0] * len(above)
    # whoever is below a system has more above it
    for place in np.argsort(above.sum(axis=0), kind="stable").tolist():
        depths[place] = max((depths[other] + 1 for other in np.flatnonzero(above[:, place]).tolist()), default=0)
    return depths


def dominance_description(graph: DominanceGraph, systems: Sequence[str]) -> str:
    """Return what the drawing shows, in words."""
    top = [systems[place] for place in graph.levels[0]]
    named = ", ".join(top[:6]) + (", …" if len(top) > 6 else "")
    drawn = f"{counted(len(graph.drawn), 'system')} on {counted(len(graph.levels), 'level')}"
    arrows = counted(len(graph.arrows), "arrow")
    return (
        f"Who is at least as good on every topic under every measure: {drawn}, best on top, {arrows}. On top: {named}."
    )


def dominance_chart(graph: DominanceGraph, systems: Sequence[str], beats: BoolArray) -> Chart:
    """Return the drawing."""
    number = {place: node for node, place in enumerate(reversed(graph.drawn))}
    from_below = [[number[place] for place in level] for level in reversed(graph.levels)]
    edges = [(number[b], number[a]) for a, b in graph.arrows]
    layout = lay_out(from_below, edges)
    height = {node: float(level) for level, nodes in enumerate(from_below) for node in nodes}
    width = float(max(layout.x, default=0.0))
    wide = WIDE if width < FEW else NARROW
    nodes = [
        _node(systems, beats, place, float(layout.x[number[place]]), height[number[place]]) for place in graph.drawn
    ]
    if wide == NARROW:
        _lowered(nodes)
    lines = _lines(graph, systems, edges, layout.bends, layout.x.tolist(), height)
    axes = {
        "x": {
            "field": "x",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [-0.5, width + 0.5], "nice": False},
        },
        "y": {
            "field": "y",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [-0.4, len(graph.levels) - 0.6], "nice": False},
        },
    }
    return {
        "description": dominance_description(graph, systems),
        "width": int(wide * (width + 1)) + WIDE - wide,
        "height": HIGH * len(graph.levels),
        "layer": [*_arrows(lines, axes), *_names(nodes, axes)],
    }


def _node(systems: Sequence[str], beats: BoolArray, place: int, x: float, y: float) -> dict[str, Any]:
    ahead, behind = int(beats[place].sum()), int(beats[:, place].sum())
    return {"system": systems[place], "x": round(x, 4), "y": y, "ahead": ahead, "behind": behind, "below": False}


def _lowered(nodes: list[dict[str, Any]]) -> None:
    """Put every second name of a level below its dot, so that names have room."""
    for y in {node["y"] for node in nodes}:
        for node in sorted((node for node in nodes if node["y"] == y), key=lambda node: float(node["x"]))[1::2]:
            node["below"] = True


def _lines(
    graph: DominanceGraph,
    systems: Sequence[str],
    edges: Sequence[Edge],
    bends: Sequence[Sequence[tuple[float, float]]],
    x: Sequence[float],
    height: dict[int, float],
) -> list[dict[str, Any]]:
    """Return the points of all lines, from below; they leave room for the names at both ends."""
    found = []
    for place, ((low, high), between, (a, b)) in enumerate(zip(edges, bends, graph.arrows, strict=True)):
        points = [(x[low], height[low] + 0.28), *between, (x[high], height[high] - 0.08)]
        for step, (across, up) in enumerate(points):
            point = {"line": place, "step": step, "x": round(across, 4), "y": round(up, 4)}
            found.append(point | {"ahead": systems[a], "behind": systems[b]})
    return found


def _arrows(lines: list[dict[str, Any]], axes: Chart) -> list[Chart]:
    pair = [{"field": "ahead", "type": "nominal"}, {"field": "behind", "type": "nominal"}]
    along = {"detail": {"field": "line", "type": "nominal"}, "order": {"field": "step", "type": "quantitative"}}
    heads = {"type": "point", "shape": "triangle-down", "filled": True, "color": GREY, "opacity": 1, "size": 36}
    return [
        {
            "data": {"values": lines},
            "mark": {"type": "line", "color": GREY, "strokeWidth": 1.2, "opacity": 0.8},
            "encoding": axes | along | {"tooltip": pair},
        },
        {
            "data": {"values": [point for point in lines if point["step"] == 0]},
            "mark": heads,
            "encoding": axes | {"tooltip": pair},
        },
    ]


def _names(nodes: list[dict[str, Any]], axes: Chart) -> list[Chart]:
    told = [
        {"field": "system", "type": "nominal"},
        {"field": "ahead", "type": "quantitative", "title": "at least as good everywhere as"},
        {"field": "behind", "type": "quantitative", "title": "nowhere better than"},
    ]
    dot = {"type": "point", "filled": True, "opacity": 1, "size": 30, "color": ACCENT}
    text = {"type": "text", "limit": WIDE - 8, "color": INK, "fontSize": 11}
    named = axes | {"text": {"field": "system", "type": "nominal"}, "tooltip": told}
    return [
        {"data": {"values": nodes}, "mark": dot, "encoding": axes | {"tooltip": told}},
        *(
            {
                "data": {"values": [node for node in nodes if node["below"] is below]},
                "mark": text | {"dy": 12 if below else -10},
                "encoding": named,
            }
            for below in (False, True)
        ),
    ]


NAME = "comparisons"

SCALES = {RAW: "as it is", RANKED: "interval scale"}

METHODS = {"none": "none", **{name: whose.removesuffix("'s") for name, whose in WHOSE.items()}}

NAMED = 20
"""How many systems are named that are not drawn."""

LISTED = 500
"""How many pairs are listed that stand so on every topic."""


def section(study: Study) -> Section:
    """Return the section."""
    if len(study.systems) < 2:
        return Section(name=NAME, title="Comparisons", content={"pairs": 0})
    arrays, numbers = pair_arrays(study)
    beats = study.raw.dominance.better_everywhere
    graph = dominance_graph(beats, study.raw.results[0].order)
    return Section(
        name=NAME,
        title="Comparisons",
        content=_choices(study)
        | {
            "counts": _counts(study),
            "flips": _flips(study),
            "graph": _graph_words(study, graph),
            "beating": int(beats.sum()),
            "everywhere": _everywhere(study),
            "listed": LISTED,
            "depth": study.raw.dominance.depth,
            "both": that_both_have(study),
            "counts_alone": COUNTS_ALONE,
            "settled": study.raw.dominance.settled,
        },
        charts={"dominance": dominance_chart(graph, study.systems, beats)} if graph.levels else {},
        data=numbers | _told(study),
        arrays=arrays,
    )


def _choices(study: Study) -> dict[str, Any]:
    """Return what the reader can choose, and what is chosen first."""
    plan = study.plan
    return {
        "pairs": _pairs(study),
        "interval": plan.interval,
        "scaled": bool(study.scaled),
        "measures": list(study.measures),
        "scales": SCALES,
        "tests": {test: _test_words(test) for test in _offered(study)},
        "means": [result.scores.measure for result in study.raw.results if result.by_means],
        "strict": plan.strict,
        "corrections": METHODS,
        "chosen": _chosen(study),
        "baseline": plan.baseline,
        "alpha": plan.alpha,
        "corrected": CORRECTED[plan.adjust],
        "systems": study.systems,
    }


def _told(study: Study) -> dict[str, Any]:
    """Return what the script has to know besides numbers of pairs."""
    baseline = study.plan.baseline
    return {
        "systems": list(study.systems),
        "topics": len(study.topics),
        "alpha": study.plan.alpha,
        "baseline": None if baseline is None else study.systems.index(baseline),
        "tests": {test: _told_of(test) for test in TESTS},
        "methods": CORRECTION_NAMES,
        "names": list(TESTS),
        "scales": SCALES,
        "tukey": [test for test in TESTS if _tukey(study, test)],
        "strict": study.plan.strict,
        "corrected": CORRECTED,
        "one": ONE,
        "step": STEP,
    }


def _offered(study: Study) -> list[str]:
    """Return the tests that were made under some measure: all, or those that a strict study admits."""
    return [test for test in TESTS if any(test == made for _, _, made in study.tests)]


def _pairs(study: Study) -> int:
    n = len(study.systems)
    return n * (n - 1) // 2 if study.plan.baseline is None else n - 1


def _told_of(test: str) -> dict[str, str]:
    short = SHORT.get(test, test.replace("_", " "))
    return {"words": _test_words(test), "short": short, "need": str(need_of(find_test(test)))}


def _test_words(test: str) -> str:
    return need_of(find_test(test)).statistic + (" (Tukey)" if test == "two_way_anova" else "")


def _tukey(study: Study, test: str) -> bool:
    return any(study.tests.of(*kind).adjusted == "tukey" for kind in study.tests if kind[-1] == test)


def _chosen(study: Study) -> dict[str, str]:
    """Return what the page shows first: the test that the plan asks for, if it is among those of a study."""
    asked = study.raw.results[0].pairs.test
    test = asked if asked in _offered(study) else fitting_test(study.raw.results[0].scores)
    return {"test": test, "adjust": study.plan.adjust}


def _counts(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs differ significantly, by measure and scale, under each test."""
    plan = study.plan
    rows = []
    for measure, scale in kinds_of(study):
        made = study.tests.made(measure, scale)
        tests = {
            test: study.tests.of(measure, scale, test).adjust(plan.adjust, baseline=plan.baseline) for test in made
        }
        found = {test: int(np.triu(each.significant(plan.alpha), 1).sum()) for test, each in tests.items()}
        cells = [found.get(test, "–") for test in _offered(study)]
        rows.append({"measure": measure, "scale": SCALES[scale], "cells": cells})
    return rows


def _flips(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs change between significant and not, by measure and test."""
    plan = study.plan
    rows = []
    for measure in study.measures:
        for test in TESTS:
            found = study.tests.flips(measure, test, adjust=plan.adjust, alpha=plan.alpha, baseline=plan.baseline)
            if found is not None:
                share = "–" if found.delta is None else f"{found.delta:.1f} %"
                cells = [found.sig, found.s2ns, found.ns2s, found.ranked, share]
                rows.append({"measure": measure, "test": test, "words": _test_words(test), "cells": cells})
    return rows


def _graph_words(study: Study, graph: DominanceGraph) -> list[str]:
    """Return what is and what is not in the drawing."""
    found = []
    if graph.left_out:
        found.append(
            f"Looked at are the {counted(len(study.systems) - graph.left_out, 'system')} with the most others"
            " behind them on every topic and the fewest ahead, and those that are told apart from none;"
            f" {graph.left_out} are left out of the drawing, not of the tables."
        )
    if graph.alone:
        names = ", ".join(study.systems[place] for place in graph.alone[:NAMED])
        more = f" and {len(graph.alone) - NAMED} more" if len(graph.alone) > NAMED else ""
        among = " among these" if graph.left_out else ""
        found.append(f"Without any arrow{among}, and not drawn: {names}{more}.")
    if graph.circular:
        found.append(
            f"{graph.circular} of the systems drawn are ahead of each other in a circle, which can be where pairs"
            " share different topics; arrows among systems of one level are not drawn, and none is left out."
        )
    return found


def _everywhere(study: Study) -> list[dict[str, Any]]:
    """Return the pairs of which one system is at least as good on every topic under every measure."""
    matrix = study.raw.dominance
    wins, ties = matrix.wins, matrix.ties
    return [
        {
            "ahead": study.systems[a],
            "behind": study.systems[b],
            "wins": int(wins[a, b]),
            "ties": int(ties[a, b]),
        }
        for a, b in np.argwhere(matrix.at_least_as_good)
        # two systems with the same grades everywhere are told once
        if a != b and (wins[a, b] or a < b)
    ]
