"""The profile of a measure: facts, properties with witnesses, scale, image, balance, valuations; and its drawing."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import Factory, asdict, frozen

from measurand.axioms import AXIOMS, Space, Topic, examine
from measurand.axioms.balance import Curve, balancing_index, counts_from
from measurand.axioms.closed_forms import positive_grade
from measurand.axioms.measurement import MeasurementVerdict
from measurand.calls import explains_calls
from measurand.display.charts import ACCENT, DASHED, INK, Chart, Figure, side_by_side
from measurand.display.data import as_float, exact_number
from measurand.display.result import Result
from measurand.display.tables import Content, Document, Paragraph, Part, TableView, Words, facts, listing
from measurand.display.wording import counted
from measurand.errors import FunctionFailed, ParameterError
from measurand.exact import RationalLike, with_fraction
from measurand.execution import Progress, silent
from measurand.intervals import image
from measurand.lattice import RunLattice
from measurand.measures import Measure, as_measure
from measurand.orders import ORDERS
from measurand.references import bibliography, citation
from measurand.scale import ScaleLabel, ScaleOf
from measurand.scales import Image, KnownScale, known_scale
from measurand.verdict import How, Verdict, Witness, strip

ASIDE = ("reference",)
"""Facts that are shown elsewhere."""

MANY = 4096
"""Of an image with more values only the summary goes into data."""

VALUATION = "its values on the join-irreducible runs fix all others"

ALIKE = "every step up in the order changes the value alike"

SPACED = "neighbouring values are equally far apart"

FEW = 40
"""An image with so many values at most names a run beside each."""

SMALL = 1 << 12
"""The image is computed for so many runs at most."""

LATTICES = ("swap", "replacement", "set-replacement")
"""The orders on which it is decided whether a measure is a valuation; on the total ones everything is."""

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 70, 100)
"""Run lengths of the balancing curve."""


@frozen(eq=False)
class Profile(Result):
    """What a measure is and does.

    Parameters
    ----------
    measure : Measure
        The measure.
    space : Space
        The runs and the topic that were used.
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
    steps : mapping of str to Verdict
        For each of the five orders whether every step up in it changes the value alike: whether the measure is an
        interval scale of the order.
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
    steps: Mapping[str, Verdict] = Factory(dict)

    @property
    def depth(self) -> int:
        """How many ranks the runs have that were used."""
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

    def scale_facts(self) -> Iterator[tuple[str, str]]:
        """Return what is known of the measure's scale and of its image, each with a name.

        Examples
        --------
        >>> from measurand.study.profile import profile
        >>> dict(profile("P", depth=4).scale_facts())["spacing"]
        'equal: on these runs the values are those of an interval scale'
        """
        if self.known is not None:
            yield "literature", f"{self.known.scale}: {self.known.condition} ({self.known.reference})"
        if self.measure.scale_for:
            yield "preferences", f"{self.measure.scale} for {self.measure.scale_for}"
        if self.image is not None and self.spacing is not None:
            yield from self._image_facts(self.image, self.spacing)

    def _image_facts(self, image: Image, spacing: Verdict) -> Iterator[tuple[str, str]]:
        runs = f"{image.total:,} runs of {image.depth} ranks and {image.grades} grades"
        if image.depth < self.depth:
            runs += f" (not {self.depth}, which are too many)"
        if image.size == 1:
            yield "image", f"one value, {with_fraction(image.lowest)}, on {runs}: it tells no two runs apart"
            return
        ends = f"from {with_fraction(image.lowest)} to {with_fraction(image.highest)}"
        yield "image", f"{image.size:,} values on {runs}, {ends}"
        if image.size == 2:
            yield "spacing", "two values have one gap: whether it is an interval scale cannot show"
        elif spacing:
            gains = " for these gains" if self.label.for_these_gains else ""
            ratio = ", if a grade 2 is worth twice a grade 1" if gains else ""
            yield "spacing", f"equal{gains}: on these runs the values are those of an interval scale{ratio}"
        else:
            others = " for all others" if self.measure.scale_for else ""
            yield "spacing", f"unequal, so ordinal at most{others}: {spacing.witness}"
        if image.around_largest_gap is not None:
            gap, low, high = map(with_fraction, (image.largest_gap, *image.around_largest_gap))
            yield "largest gap", f"{gap}, from {low} to {high}: {image.unused:.1%} of the range"
        yield "ties", _ties(image)

    def fixed(self, order: str) -> str:
        """Return what it would mean that the measure is a valuation of an order, in words.

        Parameters
        ----------
        order
            One of `LATTICES`.
        """
        few = len(RunLattice(order, self.depth, self.grades).join_irreducibles())
        runs = "sets, best grade first," if order.startswith("set-") else "runs"
        return f"its values on {few:,} join-irreducible {runs} fix all others"

    def document(self) -> Document:
        """Return what is known of the measure: facts, properties, scale, balance, valuations.

        Examples
        --------
        >>> from measurand.study.profile import profile
        >>> profile("RR", depth=3).document().parts[1]
        'One over the rank of the first relevant document, 0 if there is none.'
        """
        return Document(list(self._parts()))

    def __repr__(self) -> str:
        runs = f"runs of {counted(self.depth, 'rank')} and {self.grades} grades"
        return f"<Profile of {self.measure!r}: {self.label.scale} scale, {runs}>"

    def _main(self) -> TableView:
        told = {"measure": repr(self.measure), "depth": self.depth, "grades": self.grades}
        decided = {name: None if found.how is How.FAILED else bool(found) for name, found in self.axioms.items()}
        values = {"values": None if self.image is None else self.image.size, "balancing_index": self.balancing_index}
        orders = {f"valuation_{order}": bool(found) for order, found in self.valuations.items()}
        return facts({**told, "scale": str(self.label.scale), **decided, **values, **orders}.items())

    def _parts(self) -> Iterator[Part]:
        yield Words.of(repr(self.measure), "strong")
        yield from filter(None, [self.definition, self.citation])
        yield Paragraph(f"Looked at on runs of {self.space}.", "faint")
        facts = [(name, fact) for name, fact in self.facts.items() if name not in ASIDE]
        yield from _section("Facts", listing(facts, tones=["faint"]))
        yield from _section("Properties", listing(map(self._property, self.axioms), tones=["", "strong"], keep=2))
        if not self.axioms["well_defined"]:
            return
        if self.image is not None and self.spacing is not None:
            yield from _section("Scale", listing(self.scale_facts(), tones=["faint"]))
        if self.image is None or self.image.size > 1:
            yield from _section("Balance", *self._balance())
        if self.valuations:
            rows = [(_mark(o, found), o, _decided(self.fixed(o), found)) for o, found in self.valuations.items()]
            yield from _section("Valuation", listing(rows, tones=["", "strong"], keep=2))
        if self.steps:
            told = [(_mark(o, found), o, _steps(found)) for o, found in self.steps.items()]
            yield from _section("Interval scale of an order", listing(told, tones=["", "strong"], keep=2))

    def _property(self, name: str) -> tuple[Content, ...]:
        found = self.axioms[name]
        briefly = isinstance(found, MeasurementVerdict) and bool(found.codomain)
        return _mark(name, found), name.replace("_", " "), AXIOMS[name] if briefly else _decided(AXIOMS[name], found)

    def _balance(self) -> Iterator[Part]:
        if self.balance is None:
            why = "cannot be had: the function does not work on runs of other lengths"
            yield Paragraph(why, "faint", indent=1)
            return
        kept = self.axioms["replacement"] and self.axioms["swap"]
        other = "The order of runs is not kept, so the index says little about the top."
        yield Paragraph(self.balance.reading if kept else other, indent=1)
        points = [(str(n), "–" if index is None else str(index)) for n, index in self.balance.points]
        rows = [("ranks", *(n for n, _ in points)), ("index", *(index for _, index in points))]
        yield listing(rows, tones=["faint"], keep=len(rows[0]), narrow="split", words=1)

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as nested dictionaries and lists, exact numbers as text beside their floats.

        Examples
        --------
        >>> from measurand.study.profile import profile
        >>> data = profile("P", depth=3).to_dict()
        >>> data["axioms"]["swap"]["holds"], data["image"]["equispaced"], data["balance"]["points"][2]
        (True, True, [3, 3])
        """
        known, spacing = self.known, self.spacing
        return {
            "measure": repr(self.measure),
            "definition": self.definition,
            "formula": self.formula or None,
            "citation": self.citation or None,
            "facts": self.facts,
            "depth": self.depth,
            "grades": self.grades,
            "recall_base": self.space.pool.recall_base(),
            "collection": self.space.collection,
            "axioms": {name: verdict.to_dict(AXIOMS[name]) for name, verdict in self.axioms.items()},
            "scale": {
                "label": self.label.to_dict(),
                "literature": None if known is None else {**asdict(known), "scale": str(known.scale)},
                "spacing": None if spacing is None else spacing.to_dict(SPACED),
            },
            "image": None if self.image is None else _image_data(self.image),
            "balancing_index": self.balancing_index,
            "balance": None if self.balance is None else _curve(self.balance),
            "valuations": {order: verdict.to_dict(VALUATION) for order, verdict in self.valuations.items()},
            "interval_scale_of": {order: verdict.to_dict(ALIKE) for order, verdict in self.steps.items()},
        }


@explains_calls
def profile(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    qmin: RationalLike | None = None,
    qmax: RationalLike | None = None,
    progress: Progress = silent,
) -> Profile:
    """Return what a measure is and does: facts, properties with witnesses, scale, image, balance, valuations.

    Parameters
    ----------
    measure : Measure or str
        A measure, its spelling, or any function of a judged run.
    depth, grades : int, default 10 and 2
        The runs to use: all of them where they can be enumerated. A cutoff shows in longer runs alone.
    recall_base, collection : int, optional
        How many relevant documents the topic has (by default as many as ranks), and how many there are
        in all. For the two thresholds the defaults are 100 and 1,000,000.
    qmin, qmax : number or str, optional
        The smallest positive and the highest grade of the balance, which may be real numbers such as 0.3; by default
        the lowest grade that counts and the highest there is.
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
    known = space.with_size(known)
    topic = _topic(known, space)
    label = ScaleOf(known, space.depth, space.grades).label
    axioms: dict[str, Verdict] = {}
    for name, verdict in progress(examine(known, space, topic), len(AXIOMS), f"looking at {known!r}"):
        axioms[name] = verdict
        if name == "well_defined" and not verdict:
            return Profile(known, space, label, axioms)
    seen = _image(known, space)
    spacing = seen.spacing() if seen is not None else None
    balance, valuations = _balance(known, space, qmin, qmax), _valuations(known, space)
    steps = _order_scales(known, space)
    return Profile(known, space, label, axioms, seen, spacing, known_scale(known), balance, valuations, steps)


def _topic(measure: Measure, space: Space) -> Topic:
    """Return the topic for the thresholds: as given, or else the usual one, as far as there is room."""
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


def _order_scales(measure: Measure, space: Space) -> dict[str, Verdict]:
    lattices = {order: RunLattice(order, space.depth, space.grades) for order in ORDERS}
    return {
        order: lattice.is_interval(measure, recall_base=space.recall_base, collection=space.collection)
        for order, lattice in lattices.items()
    }


def _steps(verdict: Verdict) -> list[Content]:
    """Return whether all steps of an order are alike, and why, or two intervals that are not."""
    if verdict:
        return [ALIKE, Words.of(verdict.decided, "faint")]
    return [Words.of(verdict.witness, "bad")]


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


def _balance(
    measure: Measure, space: Space, qmin: RationalLike | None = None, qmax: RationalLike | None = None
) -> Curve | None:
    """Return the balancing curve, at those of the lengths that the measure and its collection allow.

    Every length has a topic with as many relevant documents as ranks.
    """
    lengths = sorted({*LENGTHS, *([space.depth] if space.depth <= LENGTHS[-1] else [])})
    high = space.grades - 1 if qmax is None else qmax
    low = measure.lowest if qmin is None else qmin
    if (qmin, qmax) != (None, None):
        # refuses grades that the measure cannot take
        balancing_index(measure, space.depth, low, high)
    points = []
    for n in lengths:
        try:
            points.append((n, balancing_index(measure, n, low, high)))
        except (FunctionFailed, ParameterError):
            continue
    ends = positive_grade("qmin", low), positive_grade("qmax", high)
    return Curve(repr(measure), tuple(points), *ends, counts_from(measure)) if points else None


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


def _section(title: str, *parts: Part) -> Iterator[Part]:
    yield ""
    yield Words.of(title, "strong accent")
    yield from parts


def _mark(name: str, verdict: Verdict) -> Words:
    if verdict.how is How.FAILED and name != "well_defined":
        return Words.of("?", "strong unsure")
    return Words.of("✓", "strong good") if verdict else Words.of("✗", "strong bad")


def _decided(statement: str, verdict: Verdict) -> list[Content]:
    """Return what a property is, how it was decided, and the runs that show it."""
    lines: list[Content] = [statement, Words.of(verdict.decided, "faint")]
    witness = verdict.witness
    if isinstance(witness, Witness):
        lines.append(Words.of(witness.why, "" if verdict else "bad"))
        if verdict.how is not How.FAILED and witness.runs:
            runs = zip(witness.runs, witness.values, strict=True)
            lines.append(listing(((strip(run), with_fraction(value)) for run, value in runs), keep=0))
    return lines


def _ties(image: Image) -> str:
    alone = image.ties.get(1, 0)
    if alone == image.size:
        return "none: every run has a value of its own"
    shared, largest = image.size - alone, max(image.ties)
    of = "1 value belongs" if shared == 1 else f"{shared:,} values belong"
    return f"{of} to several runs, to {largest:,} at most; {alone:,} to one run alone"


def _image_data(image: Image) -> dict[str, Any]:
    around = image.around_largest_gap
    data = {
        "depth": image.depth,
        "grades": image.grades,
        "runs": image.total,
        "size": image.size,
        "equispaced": image.equispaced,
        "lowest": exact_number(image.lowest),
        "highest": exact_number(image.highest),
        "largest_gap": exact_number(image.largest_gap),
        "around_largest_gap": None if around is None else [exact_number(value) for value in around],
        "unused_share": image.unused,
        "tie_groups": {str(size): count for size, count in image.ties.items()},
    }
    if image.size <= MANY:
        values = zip(image, image.sizes.tolist(), strict=True)
        data["values"] = [{"value": as_float(value), "runs": n} for value, n in values]
    return data


def _curve(curve: Curve) -> dict[str, Any]:
    points = [list(point) for point in curve.points]
    low, high = (grade if isinstance(grade, int) else str(grade) for grade in (curve.qmin, curve.qmax))
    return {"qmin": low, "qmax": high, "points": points, "reading": curve.reading}
