"""Profiles: everything that is known about a measure, and what was found out by looking."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping

from attrs import Factory, frozen

from measurand.axioms import Space
from measurand.axioms.balance import Curve
from measurand.display.charts import Figure
from measurand.measures import Measure
from measurand.references import author_year, bibliography, citation
from measurand.scale import ScaleLabel
from measurand.scales import Image, KnownScale
from measurand.study.profile.figure import profile_chart
from measurand.study.profile.notebook import profile_html
from measurand.verdict import Verdict


@frozen(eq=False)
class Profile:
    """What a measure is and does.

    Parameters
    ----------
    space
        The runs and the topic that were looked at.
    label
        The scale that the measure is on, for ordinal grades.
    axioms
        The verdict on each property of `AXIOMS`; on the first alone, if the measure is not well defined.
    image
        Its values on all runs of a small depth.
    spacing
        Whether they are equally spaced, which is what an interval scale comes down to.
    known
        What the literature proves about its scale.
    balance
        Its balancing index for growing run lengths, None where it cannot be had.
    valuations
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
