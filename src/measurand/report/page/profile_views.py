"""Profiles of measures as the page shows them: marks with what decides them, facts, and figures that are thinned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import frozen

from measurand.axioms import AXIOMS
from measurand.display.charts import Chart
from measurand.errors import ParameterError
from measurand.exact import with_fraction
from measurand.scales import Image
from measurand.study.profile import LATTICES, Profile
from measurand.verdict import How, Verdict, Witness, blocks

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
            {"pieces": [self._piece(*piece) for piece in blocks(run)], "value": value}
            for run, value in zip(witness.runs, values, strict=False)
        ]

    def _piece(self, text: str, grade: int) -> dict[str, Any]:
        top = self.profile.grades - 1
        kind = "zero" if grade <= 0 else "full" if grade >= top else "part"
        return {"text": text, "kind": kind, "share": 15 + round(40 * max(grade, 0) / top)}

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
