"""The section "Measures": how alike they are, what each of them is and does, and how rarely they tie.

Heat maps show how alike measures rank the systems; a `ProfileView` shows what is known of each measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from measurand.axioms import AXIOMS
from measurand.display.charts import Chart
from measurand.display.wording import capitalised, percent
from measurand.errors import CaveatKind, ParameterError
from measurand.exact import with_fraction
from measurand.report.page.section import Section, pieces
from measurand.scales import Image
from measurand.scales.measure_effect import PairCorrelation
from measurand.study.profile import LATTICES, Profile
from measurand.study.scale_paragraphs import ordered_by
from measurand.study.study import Study
from measurand.verdict import How, Verdict, Witness

DEEPEST = 45
"""A cell has so many hundredths of the full colour at most, so that its number can be read."""

STRONG = 10.0
"""A change by so many percent has the deepest colour, unless another is larger."""


def signed(value: float | None, places: int) -> str:
    """Return a number with a true minus, or a dash for none.

    Examples
    --------
    >>> signed(-0.25, 2), signed(0.5, 2), signed(None, 2), signed(float("nan"), 2)
    ('−0.25', '0.50', '–', '–')
    """
    return "–" if value is None or value != value else f"{value:.{places}f}".replace("-", "−")


@frozen
class Heat:
    """A cell of a heat map: what is written in it, and how deep its colour is."""

    text: str
    kind: str = "none"
    share: int = 0

    @classmethod
    def of(cls, value: float | None, largest: float, places: int) -> Heat:
        """Return the cell of a number, its colour by its sign and its size."""
        if value is None or value != value:
            return cls("–")
        return cls(
            signed(value, places), "minus" if value < 0 else "plus", round(DEEPEST * min(1, abs(value) / largest))
        )


def heat_maps(study: Study) -> list[dict[str, Any]]:
    """Return tau of every two measures with their own scores, on interval scales, and its change in percent."""
    names, pairs = list(study.measures), study.agreement.pairs
    largest = max([STRONG, *(abs(pair.delta) for pair in pairs.values() if pair.delta is not None)])

    def heat_map(
        caption: str, top: float, places: int, value: Callable[[PairCorrelation], float | None]
    ) -> dict[str, Any]:
        rows = [
            [None if a == b else Heat.of(value(study.agreement.of(a, b)), top, places) for b in names] for a in names
        ]
        return {"caption": caption, "rows": list(zip(names, rows, strict=True))}

    as_they_are = ", scores as they are" if study.scaled else ""
    what = "orders" if study.plan.strict else "means"
    maps = [heat_map(f"Tau of {what}{as_they_are}", 1.0, 2, lambda pair: pair.raw)]
    if study.scaled:
        maps.append(heat_map(f"Tau of {what} on interval scales", 1.0, 2, lambda pair: pair.ranked))
    if study.scaled and (not study.plan.strict or any(pair.delta is not None for pair in pairs.values())):
        maps.append(heat_map("Δ %: how much the second is above the first", largest, 1, lambda pair: pair.delta))
    return maps


def correlation_sentences(study: Study) -> list[str]:
    """Return what stands out among the correlations, in sentences."""
    scales = {"With the scores as they are, ": "raw", "On interval scales, ": "ranked"} if study.scaled else {"": "raw"}
    taus = {
        said: {pair: value for pair, each in study.agreement.pairs.items() if (value := getattr(each, scale)) == value}
        for said, scale in scales.items()
    }
    sentences = [_extremes(said, found) for said, found in taus.items() if found]
    changes = {pair: each.delta for pair, each in study.agreement.pairs.items() if each.delta is not None}
    if any(abs(delta) >= 0.05 for delta in changes.values()):
        (a, b), delta = max(changes.items(), key=lambda item: abs(item[1]))
        sentences.append(f"The scale matters most to {a} and {b}: tau changes by {signed(delta, 1)} %.")
    return sentences


def _extremes(said: str, taus: Mapping[tuple[str, str], float]) -> str:
    (a, b), most = max(taus.items(), key=lambda item: item[1])
    if len(taus) == 1:
        return capitalised(f"{said}tau of {a} and {b} is {signed(most, 2)}.")
    (c, d), least = min(taus.items(), key=lambda item: item[1])
    if signed(least, 2) == signed(most, 2):
        return capitalised(f"{said}tau is {signed(most, 2)} for all pairs.")
    return capitalised(
        f"{said}the most alike are {a} and {b} (tau {signed(most, 2)}), the least alike {c} and {d}"
        f" ({signed(least, 2)})."
    )


def selves(study: Study) -> list[tuple[str, str, str]]:
    """Return for each measure tau between its own order and that on its interval scale, or why there is none."""
    return [_self(study, name) for name in study.measures]


def _self(study: Study, name: str) -> tuple[str, str, str]:
    tau = study.agreement.selves.get(name)
    if tau is None:
        return name, "–", next(iter(_reasons(study, name)), "no interval scale")
    if tau != tau:
        return name, "–", _undefined(study, name)
    return name, signed(tau, 2), "the same order of systems" if tau > 1 - 1e-12 else "another order, or other ties"


def _undefined(study: Study, name: str) -> str:
    """Return why there is no tau between the orders under a measure and on its interval scale."""
    own, scaled = study.result(name), study.result_on_interval(name)
    if scaled is None or scaled.summary.statistic == own.summary.statistic:
        return "undefined: all systems tie"
    return f"not compared: {own.summary.statistic} as it is, {scaled.summary.statistic} on the interval scale"


def _reasons(study: Study, name: str) -> Sequence[str]:
    start = f"{name} is not shown on an interval scale: "
    return [
        caveat.text.removeprefix(start)
        for caveat in study.caveats
        if caveat.kind is CaveatKind.BOUNDS and caveat.text.startswith(start)
    ]


def step(systems: int) -> float:
    """Return how far tau moves if two neighbours among so many systems change places.

    Examples
    --------
    >>> step(5)
    0.2
    """
    return 4 / (systems * (systems - 1))


DRAWN = 150
"""So many values of an image are drawn, about."""

ASIDE = ("reference",)
"""Facts that are told elsewhere."""

WIDE, HIGH = 270, 230
"""How large a figure is, in pixels."""

MARKS = {"holds": "✓", "unbroken": "(✓)", "broken": "✗", "open": "?"}
"""What stands for a verdict: that it holds, was not seen broken, is broken, or could not be decided."""

HEADS: Mapping[str, str] = {**{name: name.replace("_", " ") for name in AXIOMS}, "is_measurement": "is a measurement"}
"""What properties are called at the top of a column."""


def verdict_kind(name: str, verdict: Verdict) -> str:
    """Return which of `MARKS` a verdict has.

    Examples
    --------
    >>> verdict_kind("swap", Verdict(True, how=How.SAMPLED)), verdict_kind("swap", Verdict(False))
    ('unbroken', 'broken')
    """
    if verdict.how is How.FAILED and name != "well_defined":
        return "open"
    if verdict:
        return "holds" if verdict.certain else "unbroken"
    return "broken"


@frozen(eq=False)
class ProfileView:
    """A profile as the page shows it.

    Parameters
    ----------
    place
        Which of the measures it is, from 0; anchors are made of it.
    """

    place: int
    name: str
    profile: Profile

    @property
    def definition(self) -> str:
        """What the measure is, in a sentence."""
        return self.profile.definition.replace("`", "")

    @property
    def marks(self) -> list[dict[str, str] | None]:
        """What was found of each property and each order, None where nobody looked."""
        verdicts = {**self.profile.axioms, **_orders(self.profile.valuations)}
        return [self._mark(name, verdicts.get(name)) for name in (*AXIOMS, *_orders(dict.fromkeys(LATTICES)))]

    def _mark(self, name: str, verdict: Verdict | None) -> dict[str, str] | None:
        if verdict is None:
            return None
        kind = verdict_kind(name, verdict)
        return {"kind": kind, "mark": MARKS[kind], "anchor": self._anchor(name), "said": f"{name}: {kind}"}

    def _anchor(self, name: str) -> str:
        return f"profile-{self.place}-{name.replace('_', '-').replace(' ', '-')}"

    @property
    def properties(self) -> list[dict[str, Any]]:
        """Every property with its verdict, how it was decided, and the runs that show it."""
        return [self._told(name, HEADS[name], AXIOMS[name], each) for name, each in self.profile.axioms.items()]

    @property
    def valuations(self) -> list[dict[str, Any]]:
        """For every order whether the values on few runs fix all others."""
        return [
            self._told(key, order, self.profile.fixed(order), verdict)
            for (order, verdict), key in zip(
                self.profile.valuations.items(), _orders(self.profile.valuations), strict=True
            )
        ]

    def _told(self, name: str, head: str, statement: str, verdict: Verdict) -> dict[str, Any]:
        kind = verdict_kind(name, verdict)
        witness = verdict.witness if isinstance(verdict.witness, Witness) else None
        return {
            "anchor": self._anchor(name),
            "head": head,
            "statement": statement,
            "kind": kind,
            "mark": MARKS[kind],
            "decided": verdict.decided,
            "why": witness.why if witness else "",
            "runs": self._runs(witness) if witness else [],
        }

    def _runs(self, witness: Witness) -> list[dict[str, Any]]:
        values = [*map(with_fraction, witness.values), *[""] * len(witness.runs)]
        return [
            {"pieces": pieces(run, self.profile.grades - 1), "value": value}
            for run, value in zip(witness.runs, values, strict=False)
        ]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What is declared about the measure, and what is known of its scale."""
        declared = [(name, fact) for name, fact in self.profile.facts.items() if name not in ASIDE]
        return [*declared, *self.profile.scale_facts()]

    @property
    def balance(self) -> str:
        """What the balancing index is at the depth, in words."""
        index, depth = self.profile.balancing_index, self.profile.depth
        curve = self.profile.balance
        if curve is None or depth not in dict(curve.points):
            return ""
        if index is None:
            return f"none: not even {depth} ranks full of grade {curve.qmin} are worth one document on top"
        return f"{index} of {depth}"

    def figures(self) -> list[tuple[str, str, Chart]]:
        """Return the image and the balancing curve, each with its name and caption; nothing where there is none."""
        try:
            panels = self.profile.plot().to_dict()["hconcat"]
        except ParameterError:
            return []
        image = self.profile.image
        return [self._figure(panel, image if image is not None and panel is panels[0] else None) for panel in panels]

    def _figure(self, panel: Chart, image: Image | None) -> tuple[str, str, Chart]:
        title = panel.pop("title")
        caption = f"{title['text']}; {title['subtitle']}."
        name = f"{'balance' if image is None else 'image'}-{self.place}"
        panel |= {"width": WIDE, "height": HIGH}
        for layer in panel["layer"]:
            if "text" in layer["mark"] and "x" in layer["mark"]:
                # a note in the lower right corner
                layer["mark"] |= {"x": WIDE - 2, "y": HIGH - 16, "limit": WIDE}
        if image is not None:
            kept = thinned(image)
            rows = panel["data"]["values"]
            panel["data"] = {
                "values": [{**rows[place], "value": float(f"{rows[place]['value']:.6g}")} for place in kept]
            }
            if len(kept) < image.size:
                caption += f" {len(kept):,} of the {image.size:,} values are drawn, the largest gap among them."
        return name, caption, panel


def _orders(valuations: Mapping[str, Any]) -> dict[str, Any]:
    """Return the orders of valuations under names that are not those of properties."""
    return {f"valuation {order}": verdict for order, verdict in valuations.items()}


def thinned(image: Image) -> list[int]:
    """Return the places of the values to draw: all if they are few, else some evenly, and those round the largest gap.

    Examples
    --------
    >>> from measurand.scales import image
    >>> thinned(image("RR", depth=4)), len(thinned(image("RBP", depth=10)))
    ([0, 1, 2, 3, 4], 151)
    """
    if image.size <= DRAWN:
        return list(range(image.size))
    evenly = np.linspace(0, image.size - 1, DRAWN).round().astype(int).tolist()
    around = image.around_largest_gap
    values = list(image)
    ends = [] if around is None else [place for place, value in enumerate(values) if value in around]
    return sorted({*evenly, *ends})


def section(study: Study) -> Section:
    """Return the section."""
    views = [ProfileView(place, name, found) for place, (name, found) in enumerate(study.profiles.items())]
    figures = {view.name: view.figures() for view in views}
    content = {
        "measures": list(study.measures),
        "systems": len(study.systems),
        "correlations": _correlations(study),
        "heads": [HEADS[name] for name in AXIOMS],
        "statements": [(HEADS[name], said) for name, said in AXIOMS.items()],
        "lattices": LATTICES,
        "space": _space(study),
        "profiles": [(view, _scale(study, view.name), figures[view.name]) for view in views],
        "unanimity": _unanimity(study),
    }
    charts = {name: chart for several in figures.values() for name, _, chart in several}
    several = len(study.systems) > 2 and len(study.measures) > 1
    return Section(
        name="measures",
        title="Which measures say so?" if len(study.systems) > 1 else "What do the measures reward?",
        hint=f"{'how they agree, ' if several else ''}what each one rewards",
        content=content,
        charts=charts,
    )


def _correlations(study: Study) -> Mapping[str, Any] | None:
    """Return how alike the measures rank the systems, if there are enough of them: tau of two is 1 or -1."""
    several = len(study.measures) > 1
    on_interval = study.ranked.results if study.ranked else ()
    if len(study.systems) < 3 or not (several or study.plan.interval):
        return None
    maps = heat_maps(study) if several else []
    return {
        "maps": maps,
        "told": correlation_sentences(study) if several else [],
        "selves": selves(study) if study.plan.interval else [],
        "scaled": bool(study.scaled),
        "changes": len(maps) > 2,
        "strict": study.plan.strict,
        "by": ordered_by([*study.raw.results, *on_interval]) if study.plan.strict else "their means",
        "dashes": any(cell and cell.text == "–" for each in maps for _, cells in each["rows"] for cell in cells),
        "step": step(len(study.systems)),
    }


def _space(study: Study) -> str:
    """Return what runs measures were examined on, if these are the same for all."""
    spaces = {str(profile.space) for profile in study.profiles.values()}
    return spaces.pop() if len(spaces) == 1 else ""


def _scale(study: Study, name: str) -> str:
    """Return the scale that the scores are on, as far as is shown."""
    scores = study.scores(name)
    return f"{scores.scale_label}" + ("" if scores.one_scale else ", another on each topic")


def _unanimity(study: Study) -> Mapping[str, Any] | None:
    """Return how often measures tie where all agree, if there is anything to agree on."""
    table = study.unanimity
    if table is None:
        return None
    found = table.unanimity
    return {
        "rows": [
            (
                row.measure,
                row.found.value,
                None if row.found.tie_rate is None else float(row.found.tie_rate),
                row.found.tied,
            )
            for row in table
        ],
        "pairs": found.pairs,
        "unanimous": found.unanimous,
        "share": percent(found.unanimous / found.pairs) if found.pairs else "–",
        "decided_on": table.decided_on,
        "told_apart": table.told_apart,
        "caveats": [caveat for caveat in table.caveats if caveat not in study.caveats],
    }
