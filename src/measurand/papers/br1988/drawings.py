"""Drawings of the examples: what comes up with which probability, and whom its mean stands for."""

from __future__ import annotations

from collections.abc import Callable

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, side_by_side
from measurand.papers.br1988.lotteries import RESULT
from measurand.papers.br1988.sums_of_searches import LEFT, RIGHT
from measurand.papers.exhibit import Drawing
from measurand.search_length import Lottery, WeakOrder
from measurand.search_length.preferences import Preference

HIGHEST = 0.55
"""How far the axis of probabilities goes."""
FULCRUM = -0.03
"""Where the mean is marked: below the bars, which balance there."""
LONGEST = 3
"""How far utilities are drawn."""


def searches_of_the_example() -> Figure:
    """Return the lotteries of examples 2.1 and 2.2, and of searches that go on.

    Examples
    --------
    >>> searches_of_the_example().description
    'What a search in +-|+--|++--- costs until 1, 2, 3 or 4 relevant documents are found: 1/2, 2, 4, 5 on average.'
    """
    order = WeakOrder.parse(RESULT)
    means = ", ".join(map(str, order.esls()))
    panels = [_lottery(f"until relevant document {i}", order.search_length(i), 6, first=i == 1) for i in range(1, 5)]
    said = f"What a search in {RESULT} costs until 1, 2, 3 or 4 relevant documents are found: {means} on average."
    return Figure(side_by_side(said, panels))


def sum_of_two_searches() -> Figure:
    """Return the lotteries of example 4.1.

    Examples
    --------
    >>> sum_of_two_searches().description
    'Two lotteries and their convolution; the means 3/4 and 1 add up to 7/4.'
    """
    both = LEFT.convolve(RIGHT)
    lotteries = {"P": LEFT, "Q": RIGHT, "P * Q": both}
    panels = [_lottery(name, P, 4, first=name == "P") for name, P in lotteries.items()]
    means = f"the means {LEFT.mean} and {RIGHT.mean} add up to {both.mean}"
    return Figure(side_by_side(f"Two lotteries and their convolution; {means}.", panels))


def half_and_half() -> Figure:
    """Return three utilities, and what each makes of one document for sure against none or two.

    Examples
    --------
    >>> [panel["title"]["subtitle"] for panel in half_and_half().to_dict()["hconcat"]]
    ['one for sure is as good as none or two', 'rather one for sure', 'rather none or two']
    """
    utilities: dict[str, Callable[[float], float]] = {
        "f(k) = -k": lambda k: -k,
        "f(k) = -k²": lambda k: -(k**2),
        "f(k) = -√k": lambda k: -(k**0.5),
    }
    panels = [_utility(name, utility) for name, utility in utilities.items()]
    said = "Three utilities of 0 to 3 nonrelevant documents: only on the straight line is half of 0 and 2 worth 1."
    return Figure(side_by_side(said, panels))


def _lottery(title: str, lottery: Lottery, most: int, *, first: bool) -> Chart:
    """Return the bars of a lottery, which balance on its mean."""
    bars = [{"k": k, "p": float(p), "none": 0, "text": str(p)} for k, p in lottery.items()]
    fulcrum = {"type": "point", "shape": "triangle-up", "filled": True, "color": MARK, "size": 90, "opacity": 1}
    level = {"x": None, "y": {"field": "none", "type": "quantitative"}}
    return {
        "title": {"text": title, "subtitle": f"mean {lottery.mean}", "subtitleColor": MARK},
        "width": 150,
        "height": 200,
        "encoding": _axes(most, first=first),
        "layer": [
            {
                "data": {"values": bars},
                "mark": {"type": "bar", "color": ACCENT, "size": 14},
                "encoding": {"y2": {"field": "none"}},
            },
            {
                "data": {"values": bars},
                "mark": {"type": "text", "dy": -7, "color": INK, "fontSize": 10},
                "encoding": {"text": {"field": "text"}},
            },
            {"data": {"values": [{"none": 0}]}, "mark": {"type": "rule", "color": GREY}, "encoding": level},
            {"data": {"values": [{"k": float(lottery.mean), "p": FULCRUM}]}, "mark": fulcrum},
        ],
    }


def _axes(most: int, *, first: bool) -> Chart:
    """Return the axes of a lottery; only the first of several names its probabilities."""
    x = {
        "field": "k",
        "type": "quantitative",
        "title": "nonrelevant documents",
        "scale": {"domain": [-0.6, most + 0.6], "nice": False},
        "axis": {"values": list(range(most + 1)), "format": "d"},
    }
    probabilities = {"values": [0, 0.1, 0.2, 0.3, 0.4, 0.5], "format": ".1f", "labels": first, "ticks": first}
    y = {
        "field": "p",
        "type": "quantitative",
        "title": "probability" if first else None,
        "scale": {"domain": [2 * FULCRUM, HIGHEST], "nice": False},
        "axis": {**probabilities, "domain": False},
    }
    return {"x": x, "y": y}


def _utility(title: str, utility: Callable[[float], float]) -> Chart:
    """Return a utility, its value at 1, and halfway between its values at 0 and 2."""
    preference = Preference.by_utility(utility)
    sure, gamble = Lottery.sure(1), Lottery.uniform(0, 2)
    rather = "rather one for sure" if preference.prefers(sure, gamble) else "rather none or two"
    if preference.indifferent(sure, gamble):
        rather = "one for sure is as good as none or two"
    unit = -utility(LONGEST)
    curve = [{"k": k / 50, "f": utility(k / 50) / unit} for k in range(50 * LONGEST + 1)]
    chord = [{"k": k, "f": utility(k) / unit} for k in (0, 2)]
    halfway = {"k": 1, "f": sum(end["f"] for end in chord) / 2}
    return {
        "title": {"text": title, "subtitle": rather, "subtitleColor": MARK},
        "width": 210,
        "height": 190,
        "encoding": {
            "x": {
                "field": "k",
                "type": "quantitative",
                "title": "nonrelevant documents",
                "axis": {"tickCount": LONGEST},
            },
            "y": {"field": "f", "type": "quantitative", "title": "utility", "axis": {"labels": False, "ticks": False}},
        },
        "layer": [
            {"data": {"values": curve}, "mark": {"type": "line", "color": ACCENT, "strokeWidth": 2}},
            {"data": {"values": chord}, "mark": {"type": "line", "color": MARK, "strokeDash": [4, 3]}},
            {
                "data": {"values": [{"k": k, "f": utility(k) / unit} for k in range(LONGEST + 1)]},
                "mark": {"type": "circle", "color": ACCENT, "size": 60, "opacity": 1},
            },
            {
                "data": {"values": [halfway]},
                "mark": {"type": "point", "color": MARK, "fill": "white", "size": 90, "opacity": 1, "strokeWidth": 2},
            },
        ],
    }


DRAWINGS = (
    Drawing(
        name="example-2-2",
        title="Examples 2.1 and 2.2: what a search costs until 1, 2, 3 or 4 relevant documents are found",
        draw=searches_of_the_example,
    ),
    Drawing(
        name="half-and-half",
        title="The condition of Section 3: none or two with equal chances (hollow) against one for sure",
        draw=half_and_half,
    ),
    Drawing(
        name="example-4-1",
        title="Example 4.1: two lotteries, and one search after the other",
        draw=sum_of_two_searches,
    ),
)
