"""The profile of a measure: facts, properties with witnesses, scale, image, balance, valuations; and its drawing."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, frozen

from measurand.axioms import AXIOMS, Space, Topic, examine
from measurand.axioms.balance import Curve, balancing_index
from measurand.display.charts import ACCENT, DASHED, INK, Chart, Figure, side_by_side
from measurand.errors import FunctionFailed, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals import image
from measurand.lattice import RunLattice
from measurand.measures import Measure, as_measure
from measurand.references import author_year, bibliography, citation
from measurand.scale import ScaleLabel, ScaleOf
from measurand.scales import Image, KnownScale, known_scale
from measurand.study.profile_notebook import profile_html
from measurand.verdict import Verdict

FEW = 40
"""An image with so many values at most names a run beside each."""

SMALL = 1 << 12
"""The image is looked at for so many runs at most."""

LATTICES = ("swap", "replacement", "set-replacement")
"""The orders on which it is looked at whether a measure is a valuation; on the total ones everything is."""

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 70, 100)
"""Run lengths of the balancing curve."""


@frozen(eq=False)
class Profile:
    """What a measure is and does.

    Parameters
    ----------
    measure : Measure
        The measure.
    space : Space
        The runs and the topic that were looked at.
    label : ScaleLabel
        The scale that the measure is on, for ordinal grades.
    axioms : mapping of str to Verdict
        The verdict on each property of `AXIOMS`; on the first alone, if the measure is not well defined.
    image : Image, optional
        Its values on all runs of a small depth.
    spacing : Verdict, optional
        Whether they are equally spaced, which is what an interval scale comes down to.
    known : KnownScale, optional
        What the literature proves about its scale.
    balance : Curve, optional
        Its balancing index for growing run lengths, None where it cannot be had.
    valuations : mapping of str to Verdict
        For each of `LATTICES` whether its values on the join-irreducible runs fix all others.
    """

    measure: Measure
    space: Space
    label: ScaleLabel
    axioms: Mapping[str, Verdict]
    image: Image | None = None
    spacing: Verdict | None = None
    known: KnownScale | None = None
    balance: Curve | None = None
    valuations: Mapping[str, Verdict] = Factory(dict)

    @property
    def depth(self) -> int:
        """How many ranks the runs have that were looked at."""
        return self.space.depth

    @property
    def grades(self) -> int:
        """How many grades there are."""
        return self.space.grades

    @property
    def definition(self) -> str:
        """What the measure is, in a sentence."""
        return (inspect.getdoc(type(self.measure)) or "").partition("\n")[0]

    @property
    def formula(self) -> str:
        """The definition as TeX, if the measure documents one."""
        found = re.search(r"\.\. math:: (.*?)\n\n", inspect.getdoc(type(self.measure)) or "", re.DOTALL)
        return " ".join(found.group(1).split()) if found else ""

    @property
    def citation(self) -> str:
        """Who defined the measure, when and where, if it is known."""
        return citation(self.measure.reference) if self.measure.reference in bibliography() else ""

    @property
    def facts(self) -> dict[str, str]:
        """What is declared about the measure, and the scale that it is on."""
        return self.measure.facts(self.label)

    @property
    def balancing_index(self) -> int | None:
        """The balancing index at the depth, if the curve has it."""
        return dict(self.balance.points).get(self.depth) if self.balance else None

    def plot(self) -> Figure:
        """Return a drawing: the image beside an equally spaced scale, and the balancing curve.

        Examples
        --------
        >>> from measurand.study.profile import profile
        >>> profile("RR", depth=4).plot()
        Figure('What RR does.')
        """
        return Figure(profile_chart(self.measure, self.image, self.balance))

    def _repr_html_(self) -> str:
        heading = f"{self.definition} {self.citation}".strip()
        about = f"Looked at on runs of {self.space}."
        kinds = {"Properties": self.axioms, "Whether it is a valuation, by order": self.valuations}
        return profile_html(repr(self.measure), [heading, about], self.facts, kinds, self._scale())

    def _scale(self) -> str:
        """Return what is known of the scale, in a sentence or two."""
        found = []
        if self.known is not None:
            found.append(f"Scale: {self.known.scale} ({self.known.condition}; {author_year(self.known.reference)}).")
        if self.image is not None and self.spacing is not None and self.image.size > 2:
            runs = f"{self.image.size:,} values on {self.image.total:,} runs of {self.image.depth} ranks"
            found.append(f"Image: {runs}, {'equally' if self.spacing else 'not equally'} spaced.")
        return " ".join(found)


def profile(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    progress: Progress = silent,
) -> Profile:
    """Return what a measure is and does: facts, properties with witnesses, scale, image, balance, valuations.

    Parameters
    ----------
    measure : Measure or str
        A measure, its spelling, or any function of a judged run.
    depth, grades : int, default 10 and 2
        The runs to look at: all of them where they can be enumerated. A cutoff shows in longer runs alone.
    recall_base, collection : int, optional
        How many relevant documents the topic has (as many as ranks if nothing is said), and how many there are
        in all. For the two thresholds they are 100 and 1,000,000 if nothing is said.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> err = profile("ERR", depth=6)
    >>> [name for name, verdict in err.axioms.items() if not verdict]
    ['closeness_threshold', 'confidence']
    >>> err.image.size, bool(err.spacing), err.balancing_index
    (58, False, 1)
    >>> [order for order, verdict in err.valuations.items() if verdict]
    ['swap', 'set-replacement']

    References
    ----------
    [FerranteFerroMaistro2015]_, [FerranteFerroFuhr2021]_, [Amigo2018]_
    """
    known = as_measure(measure)
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    known = space.told(known)
    topic = _topic(known, space)
    label = ScaleOf(known, space.depth, space.grades).label
    axioms: dict[str, Verdict] = {}
    for name, verdict in progress(examine(known, space, topic), len(AXIOMS), f"looking at {known!r}"):
        axioms[name] = verdict
        if name == "well_defined" and not verdict:
            return Profile(known, space, label, axioms)
    seen = _image(known, space)
    spacing = seen.spacing() if seen is not None else None
    balance, valuations = _balance(known, space), _valuations(known, space)
    return Profile(known, space, label, axioms, seen, spacing, known_scale(known), balance, valuations)


def _topic(measure: Measure, space: Space) -> Topic:
    """Return what the thresholds are looked at on: what is said, and else the usual, as far as there is room."""
    usual, own = Topic(), measure.parameters().get("collection")
    if own and space.collection and own != space.collection:
        raise ParameterError(f"{measure!r} has a collection of its own; leave out collection={space.collection}")
    documents = own or space.collection or usual.collection
    relevant = min(usual.recall_base, documents // 2) if space.recall_base is None else space.recall_base
    return Topic(collection=max(documents, relevant), recall_base=relevant)


def _valuations(measure: Measure, space: Space) -> dict[str, Verdict]:
    lattices = {order: RunLattice(order, space.depth, space.grades) for order in LATTICES}
    return {
        order: lattice.is_valuation(measure, recall_base=space.recall_base, collection=space.collection)
        for order, lattice in lattices.items()
    }


def _image(measure: Measure, space: Space) -> Image | None:
    depth = space.depth
    while depth > 1 and space.grades**depth > SMALL:
        depth -= 1
    try:
        found = image(measure, depth, space.grades, recall_base=space.recall_base)
    except FunctionFailed:
        # a function may know runs of one length alone
        return None
    return found if isinstance(found, Image) else None


def _balance(measure: Measure, space: Space) -> Curve | None:
    """Return the balancing curve, at those of the lengths that the measure and its collection allow.

    Every length has a topic with as many relevant documents as ranks.
    """
    lengths = sorted({*LENGTHS, *([space.depth] if space.depth <= LENGTHS[-1] else [])})
    points = []
    for n in lengths:
        try:
            points.append((n, balancing_index(measure, n, measure.lowest, space.grades - 1)))
        except (FunctionFailed, ParameterError):
            continue
    return Curve(repr(measure), tuple(points), measure.lowest, space.grades - 1) if points else None


def profile_chart(measure: Measure, image: Image | None, balance: Curve | None) -> Chart:
    """Return the drawing of a profile: the image beside an equally spaced scale, and the balancing curve.

    Examples
    --------
    >>> from measurand.study.profile import profile
    >>> found = profile("RR", depth=4)
    >>> chart = profile_chart(found.measure, found.image, found.balance)
    >>> [panel["title"]["text"] for panel in chart["hconcat"]]
    ['RR: 5 values on 16 runs', 'Balancing index']
    """
    panels = []
    if image is not None:
        panels.append(_image_panel(image))
    if balance is not None:
        panels.append(_balance_panel(balance))
    if not panels:
        raise ParameterError(f"{measure!r} has no image and no balancing curve to draw")
    return side_by_side(f"What {measure!r} does.", panels)


def _title(text: str, subtitle: str) -> dict[str, str]:
    return {"text": text, "subtitle": subtitle}


def _image_panel(image: Image) -> Chart:
    few = image.size <= FEW
    try:
        float(image.highest), float(image.lowest)
    except OverflowError:
        raise ParameterError(f"the values of {image.measure} are too large to draw") from None
    rows = [
        {"value": float(value), "rank": rank + 1, "runs": n, "named": _named(image, rank) if few else ""}
        for rank, (value, n) in enumerate(zip(image, image.sizes.tolist(), strict=True))
    ]
    ends = [rows[0], rows[-1]]
    x = {"field": "value", "type": "quantitative", "title": "value"}
    y: Chart = {"field": "rank", "type": "quantitative", "title": "rank among the values"}
    y |= {"scale": {"domain": [1, max(2, image.size)], "nice": False}, "axis": {"tickMinStep": 1}}
    dots: Chart = {"mark": {"type": "circle", "color": ACCENT, "opacity": 0.8}, "encoding": {"x": x, "y": y}}
    dots["encoding"]["size"] = _sizes(image) if few else {"value": 8}
    layers = [{"data": {"values": ends}, "mark": DASHED, "encoding": {"x": x, "y": y}}, dots]
    if few:
        name = {"type": "text", "align": "left", "dx": 10, "dy": -5, "fontSize": 9, "color": INK}
        layers.append({"mark": name, "encoding": {"x": x, "y": y, "text": {"field": "named"}}})
    return {
        "title": _title(
            f"{image.measure}: {image.size:,} {'value' if image.size == 1 else 'values'} on {image.total:,} runs",
            f"{image.depth} ranks, {image.grades} grades; dashed: an equally spaced scale",
        ),
        "description": f"The {image.size} values of {image.measure} by rank, against an equally spaced scale.",
        "width": 420,
        "height": 320,
        "data": {"values": rows},
        "layer": layers,
    }


def _named(image: Image, place: int) -> str:
    """Return the runs that have a value, cut where there are many."""
    runs = ["".join(map(str, run)) for run in image.runs_at(place)]
    return " = ".join(runs[:3]) + (f" = … ({len(runs)})" if len(runs) > 3 else "")


def _sizes(image: Image) -> Chart:
    """Return how large a dot is for the number of runs that share a value."""
    shown = sorted(image.ties)
    some = {"orient": "bottom", "format": ",d", "values": shown[:: max(1, len(shown) // 4)]}
    legend = some if len(shown) > 1 else None
    scale = {"domain": [1, max(shown)], "range": [60, 260]} if len(shown) > 1 else {"range": [60, 60]}
    return {"field": "runs", "type": "quantitative", "title": "runs with the value", "scale": scale, "legend": legend}


def _balance_panel(curve: Curve) -> Chart:
    def axis(field: str, title: str) -> Chart:
        return {"field": field, "type": "quantitative", "title": title, "scale": {"type": "log"}}

    points = [{"n": n, "index": b} for n, b in curve.points if b is not None]
    line = {"type": "line", "color": ACCENT, "point": {"color": ACCENT}}
    x = axis("n", "ranks")
    return {
        "title": _title("Balancing index", "near the dashed line: counts documents; near 1: looks at the top"),
        "description": curve.reading,
        "width": 320,
        "height": 320,
        "layer": [
            {
                "data": {"values": [{"n": n} for n, _ in curve.points]},
                "mark": DASHED,
                "encoding": {"x": x, "y": axis("n", "balancing index")},
            },
            {"data": {"values": points}, "mark": line, "encoding": {"x": x, "y": axis("index", "balancing index")}},
            *(
                []
                if points
                else [_note(f"none: a run full of grade {curve.qmin} is worth less than one {curve.qmax} on top")]
            ),
        ],
    }


def _note(text: str) -> Chart:
    mark = {"type": "text", "text": text, "x": 318, "y": 304, "align": "right", "color": INK}
    return {"data": {"values": [{}]}, "mark": mark}
