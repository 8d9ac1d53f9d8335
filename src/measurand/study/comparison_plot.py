"""The drawing of a comparison: on how many topics each system is ahead of the best, or of the baseline, or behind it.

Counts of topics need no more than an order on every topic, so that all measures admit them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from measurand.display.charts import ACCENT, INK, MARK, Chart, styled
from measurand.display.wording import counted, pvalue
from measurand.statistics.multiple_comparisons import CORRECTED
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.measure_result import MeasureResult

KINDS = ("ahead", "level", "measures disagree", "behind")
"""What a system can be on a topic, as it stands in a row."""

FILLS = (ACCENT, "#d1d5db", "#fde68a", MARK)
LETTERS = ("white", INK, INK, "white")

WIDTH = 260
"""How wide the topics are drawn, in pixels."""

STEPS = 20, 12
"""How high a row is, in pixels …"""

MANY = 40
"""… and with more systems than this, when numbers are left out."""

FEW = 5
"""Up to so many topics each has its number on the axis; left alone, Vega would write some of them twice."""

BESIDE = 2
"""So many panels stand beside each other."""

ROOM = 0.07
"""A number is written where it has this share of the width."""


@frozen(eq=False)
class _Panel:
    """One panel: how the systems stand to one of them, in numbers of topics of every kind."""

    title: str
    against: str
    test: str
    rows: Sequence[tuple[str, tuple[int, ...], float | None]]


def comparison_chart(standings: Sequence[MeasureResult], dominance: DominanceMatrix, baseline: str | None) -> Chart:
    """Return the drawing of a comparison: a panel for every measure, and one for all of them.

    Examples
    --------
    >>> import measurand as md
    >>> comparison = md.compare(md.sample.qrels(), md.sample.runs(), "P@10")
    >>> chart = comparison_chart(comparison.results, comparison.dominance, None)
    >>> [panel["title"]["text"] for panel in chart["concat"]]
    ['P@10', 'Every measure that respects replacement and swap']
    """
    panels = [_under(standing, baseline or standing.systems[0]) for standing in standings]
    if standings:
        panels.append(_under_all(standings[0].systems, dominance, baseline or standings[0].systems[0]))
    names = ", ".join(standing.scores.measure for standing in standings)
    said = f"On how many topics {counted(len(dominance.systems), 'system')} are ahead or behind, under {names}."
    content = {"concat": [_drawn(panel) for panel in panels], "columns": BESIDE, "spacing": {"column": 100, "row": 36}}
    return styled(said, content)


def _under(standing: MeasureResult, against: str) -> _Panel:
    effects, pairs = standing.effects, standing.pairs
    reference = pairs.place(against)
    rows = [
        (
            standing.scores.systems[place],
            (
                int(effects.wins[place, reference]),
                int(effects.ties[place, reference]),
                0,
                int(effects.losses[place, reference]),
            ),
            float(pairs.pvalues[place, reference]),
        )
        for place in standing.order
        if place != reference
    ]
    test = f"{pairs.needs.statistic}, p-values {CORRECTED[pairs.adjusted]}"
    return _Panel(standing.scores.measure, against, test, rows)


def _under_all(systems: Iterable[str], dominance: DominanceMatrix, against: str) -> _Panel:
    reference = dominance.systems.index(against)
    rows = []
    for system in systems:
        at = dominance.systems.index(system), reference
        found = (dominance.wins, dominance.ties, dominance.incomparable, dominance.losses)
        if system != against:
            rows.append((system, tuple(int(counts[at]) for counts in found), None))
    return _Panel(
        "Every measure that respects replacement and swap",
        against,
        "counts of topics, not a test",
        rows,
    )


def _pieces(panel: _Panel) -> list[Chart]:
    """Return the parts of all rows with their places, but for those that are empty."""
    most = max((sum(counts) for _, counts, _ in panel.rows), default=0)
    found = []
    for system, counts, _ in panel.rows:
        start = 0
        for kind, letters, count in zip(KINDS, LETTERS, counts, strict=True):
            if count:
                text = str(count) if count >= ROOM * most else ""
                piece = {"system": system, "kind": kind, "topics": count, "start": start, "end": start + count}
                found.append({**piece, "middle": start + count / 2, "text": text, "letters": letters})
            start += count
    return found


def _drawn(panel: _Panel) -> Chart:
    many = len(panel.rows) > MANY
    y = _systems([system for system, _, _ in panel.rows])
    said = [{"system": system, "p": f"p {_compared(p)}"} for system, _, p in panel.rows if p is not None]
    pieces = _pieces(panel)
    layers = [_bars(pieces, y), *([] if many else [_numbers(pieces, y)]), *([_pvalues(said, y)] if said else [])]
    return {
        "title": {"text": panel.title, "subtitle": [f"against {panel.against}", panel.test]},
        "width": WIDTH,
        "height": {"step": STEPS[many]},
        "layer": layers,
    }


def _compared(p: float) -> str:
    spelling = pvalue(p)
    return spelling if spelling.startswith("<") else f"= {spelling}"


def _systems(systems: Sequence[str]) -> Chart:
    axis = {"title": None, "labelLimit": 200, "labelPadding": 6, "ticks": False, "domain": False}
    return {"field": "system", "type": "nominal", "sort": list(systems), "axis": axis}


def _bars(pieces: list[Chart], y: Chart) -> Chart:
    scale = {"domain": list(KINDS), "range": list(FILLS)}
    tooltip = [{"field": name} for name in ("system", "kind", "topics")]
    most = max((piece["end"] for piece in pieces), default=0)
    axis = {"values": list(range(most + 1))} if most < FEW else {"tickMinStep": 1, "format": "d"}
    x = {"field": "start", "type": "quantitative", "title": "topics", "axis": axis}
    return {
        "data": {"values": pieces},
        "mark": {"type": "bar", "stroke": "white", "aria": False},
        "encoding": {
            "x": x,
            "x2": {"field": "end"},
            "y": y,
            "color": {"field": "kind", "type": "nominal", "title": "on topics", "scale": scale},
            "tooltip": tooltip,
        },
    }


def _numbers(pieces: list[Chart], y: Chart) -> Chart:
    mark = {"type": "text", "baseline": "middle", "fontSize": 10}
    colour = {"field": "letters", "type": "nominal", "scale": None}
    x = {"field": "middle", "type": "quantitative"}
    encoding = {"x": x, "y": y, "text": {"field": "text"}, "color": colour, "description": {"field": "kind"}}
    return {"data": {"values": pieces}, "mark": mark, "encoding": encoding}


def _pvalues(said: list[Chart], y: Chart) -> Chart:
    mark = {"type": "text", "align": "left", "baseline": "middle", "fontSize": 10, "color": INK}
    encoding = {"x": {"value": WIDTH + 8}, "y": y, "text": {"field": "p"}, "description": {"field": "system"}}
    return {"data": {"values": said}, "mark": mark, "encoding": encoding}
