"""Drawings: Table 2 beside ours, what Theorem 4.2 gets wrong, and Figures 1 to 3 on the built-in sample."""

from __future__ import annotations

from measurand.axioms import CONSTRAINTS, information_switch
from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, side_by_side, styled
from measurand.measures import parse
from measurand.papers.agms2018.fusion import figures
from measurand.papers.agms2018.unanimity import RELEVANT, matrix
from measurand.papers.exhibit import Drawing
from measurand.papers.printed.unanimity import printed_unanimity

LIGHT = "#e5e7eb"

SIZES = [round(10 ** (step / 8)) for step in range(18, 97)]
"""Sizes of collections, from some 200 documents to a million millions."""

LATE = {2: INK, 3: "#2563eb", 10: ACCENT, 100: "#7c3aed"}
"""Numbers of late documents, with the colours of their curves."""


def table_2() -> Figure:
    """Return which constraints the measures of Table 2 meet, as printed and as they do."""
    printed, found = printed_unanimity(), list(matrix())
    cells = []
    for row, ours in zip(printed, found, strict=True):
        for name, (head, said) in zip(CONSTRAINTS, row.met.items(), strict=True):
            cell: Chart = {"measure": row.label, "constraint": head, "erratum": ours.errata.get(name, "")}
            cells.append({**cell, "met": said, "of": "printed"})
            cells.append({**cell, "met": bool(ours.verdicts[name]), "of": "ours"})
    labels = [row.label for row in printed]
    panels = [
        _panel("as printed", [cell for cell in cells if cell["of"] == "printed"], labels, named=True),
        _panel("as computed", [cell for cell in cells if cell["of"] == "ours"], labels, named=False),
    ]
    about = "Table 2: constraints that measures meet, as printed and as computed"
    chart = side_by_side(f"{about}, for a million documents of which {RELEVANT} are relevant.", panels)
    told = [
        "green: met; framed: the printed mark is wrong",
        f"a million documents, {RELEVANT} of them relevant; RBP with p = 0.8",
    ]
    title = {"text": "Table 2: which measures meet which constraints", "subtitle": told, "offset": 14}
    return Figure(chart | {"spacing": 24, "title": title})


def _panel(title: str, cells: list[Chart], labels: list[str], *, named: bool) -> Chart:
    heads = list(dict.fromkeys(cell["constraint"] for cell in cells))
    x: Chart = {"field": "constraint", "type": "nominal", "sort": heads, "title": None}
    x = {**x, "axis": {"orient": "top", "labelAngle": 0, "ticks": False, "domain": False}}
    y: Chart = {"field": "measure", "type": "nominal", "sort": labels, "title": None}
    y = {**y, "axis": {"ticks": False, "domain": False, "labels": named}}
    colour = {"condition": {"test": "datum.met", "value": ACCENT}, "value": LIGHT}
    wrong = [cell for cell in cells if cell["erratum"]]
    places = {"x": x, "y": y}
    letters = {"condition": {"test": "datum.met", "value": "white"}, "value": INK}
    return {
        "title": {"text": title, "anchor": "middle", "fontWeight": "normal", "fontSize": 12},
        "width": 300,
        "height": {"step": 24},
        "layer": [
            {
                "data": {"values": cells},
                "mark": {"type": "rect", "stroke": "white", "strokeWidth": 2},
                "encoding": {**places, "color": colour},
            },
            {
                "data": {"values": wrong},
                "mark": {"type": "rect", "fillOpacity": 0, "stroke": MARK, "strokeWidth": 2.5},
                "encoding": places,
            },
            {
                "data": {"values": wrong},
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {**places, "text": {"field": "erratum"}, "color": letters},
            },
        ],
    }


def bound_on_beta() -> Figure:
    """Return below which β late documents win, for collections of every size, beside the bound that is printed."""
    rows = [
        {"n": f"n = {n}", "D": size, "bound": information_switch(n, size, 100)}
        for n in LATE
        for size in SIZES
        if size - 100 >= n
    ]
    limits = [{"n": f"n = {n}", "bound": (2 * n - 1) / n} for n in LATE]
    scale = {"domain": [f"n = {n}" for n in LATE], "range": list(LATE.values())}
    colour = {"field": "n", "type": "nominal", "title": None, "scale": scale}
    x: Chart = {"field": "D", "type": "quantitative", "title": "documents in the collection, 100 of them relevant"}
    x |= {"scale": {"type": "log", "domain": [SIZES[0], SIZES[-1]]}, "axis": {"format": "~e", "tickCount": 6}}
    y: Chart = {"field": "bound", "type": "quantitative", "title": "β below which n late documents beat one on top"}
    y |= {"scale": {"domain": [0.95, 2.05], "zero": False, "nice": False}}
    dotted = {"type": "rule", "color": MARK, "strokeDash": [1, 3], "strokeWidth": 2}
    layers = [
        (limits, {"type": "rule", "strokeDash": [4, 3]}, {"y": y, "color": colour}),
        ([{"bound": 1.2}], dotted, {"y": y}),
        (rows, {"type": "line", "strokeWidth": 2, "clip": True}, {"x": x, "y": y, "color": colour}),
    ]
    content = {
        "title": {"text": "Theorem 4.2: the bound on β", "subtitle": "dashed: (2n - 1)/n, as printed; dotted: β = 1.2"},
        "width": 460,
        "height": 320,
        "layer": [{"data": {"values": data}, "mark": mark, "encoding": encoding} for data, mark, encoding in layers],
    }
    said = "The bound on β of Theorem 4.2 grows with the collection towards the printed one, and never attains it."
    return Figure(styled(said, content))


def lead_of_one() -> Figure:
    """Return by how much one document on top is ahead of n late ones, for every n, on two topics."""
    panels = [
        _leads("β = 1.2, D = 1,000,000, R = 1,000", "1.2", 1_000_000, 1_000, range(1, 13), "n (it goes on to 1,000)"),
        _leads("β = 1.003, D = 1,000, R = 250", "1.003", 1_000, 250, range(1, 251), "n"),
    ]
    said = "Once n late documents beat one on top they go on doing so for β = 1.2; for β = 1.003 there is a window."
    title = {"text": "Theorem 4.2: one document on top against n behind n others", "offset": 16}
    return Figure(side_by_side(said, panels) | {"title": title, "bounds": "flush", "spacing": 90})


def _leads(title: str, beta: str, size: int, relevant: int, numbers: range, axis: str) -> Chart:
    measure = parse(f"OIE(beta={beta}, collection={size})")
    one = measure.value([1], recall_base=relevant)
    leads = {n: size * (one - measure.value([0] * n + [1] * n, recall_base=relevant)) for n in numbers}
    words = ["one on top", "n late ones"]
    rows = [{"n": n, "lead": lead, "better": words[lead < 0]} for n, lead in leads.items()]
    few = len(rows) < 20
    x: Chart = {"field": "n", "type": "ordinal" if few else "quantitative", "title": axis}
    x |= {"axis": {"labelAngle": 0}} if few else {"scale": {"domain": [0, len(rows)], "nice": False}}
    colour = {"field": "better", "type": "nominal", "title": "better", "legend": {"titleFontWeight": "normal"}}
    colour |= {"scale": {"domain": words, "range": [ACCENT, MARK]}}
    y: Chart = {"field": "lead", "type": "quantitative", "title": "lead of the one on top, times D"}
    # both axes end in a number, so that the titles above them are level
    y |= {"scale": {"domain": [-25, 5] if few else [-0.4, 0.8], "nice": False}}
    bars = {"mark": {"type": "bar", **({} if few else {"width": 1.4})}, "encoding": {"x": x, "y": y, "color": colour}}
    zero = {"mark": {"type": "rule", "color": GREY}, "encoding": {"y": {"datum": 0}}}
    head = {"text": title, "fontWeight": "normal", "fontSize": 12}
    return {"title": head, "width": 300, "height": 240, "data": {"values": rows}, "layer": [bars, zero]}


def figure_1() -> Figure:
    """Return Figure 1 on the sample."""
    return Figure(figures()[0].chart())


def figure_2() -> Figure:
    """Return Figure 2 on the sample."""
    return Figure(figures()[1].chart())


def figure_3() -> Figure:
    """Return Figure 3 on the sample."""
    return Figure(figures()[2].chart())


DRAWINGS = (
    Drawing(name="table-2", title="Table 2: which constraints measures meet, as printed and as computed", draw=table_2),
    Drawing(name="theorem-4-2-bound", title="Theorem 4.2: the bound on β, and the printed one", draw=bound_on_beta),
    Drawing(name="theorem-4-2-thresholds", title="Theorem 4.2: one document on top against many", draw=lead_of_one),
    Drawing(name="figure-1-sample", title="Figure 1 on the built-in sample: consistency", draw=figure_1),
    Drawing(name="figure-2-sample", title="Figure 2 on the built-in sample: mergeability", draw=figure_2),
    Drawing(name="figure-3-sample", title="Figure 3 on the built-in sample: fusions and systems", draw=figure_3),
)
