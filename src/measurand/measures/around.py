"""Measures made of another measure: what `gm(…)` and `interval(…)` take over from the one inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from measurand.errors import Caveat, CaveatKind
from measurand.judged import JudgedRuns
from measurand.measures.base import Measure
from measurand.measures.campaigns import in_collection, on_judged, with_campaign

if TYPE_CHECKING:
    from measurand.judged import Relevance

INHERITED = (CaveatKind.COLLECTION, CaveatKind.ORDER, CaveatKind.NO_RELEVANT)
"""What is doubtful around a measure if it is inside: its numbers and their order, not what they mean."""


class AroundMeasure(Measure):
    """A measure of one topic that has another one inside."""

    measure: Measure

    @property
    def lowest(self) -> int:
        """That of the measure inside."""
        return self.measure.lowest

    def on_grades(self, relevance: Relevance | None) -> Self:
        """Return the same around the measure inside for runs whose numbers are places in a set of grades.

        Parameters
        ----------
        relevance
            The grades; None for numbers that are grades themselves.
        """
        return self.around(self.measure.on_grades(relevance))

    def lowest_name(self, judged: JudgedRuns) -> str:
        """Return that of the measure inside."""
        return self.measure.lowest_name(judged)

    @property
    def lower_is_better(self) -> bool:
        """That of the measure inside."""
        return self.measure.lower_is_better

    @property
    def respects_swap(self) -> bool:
        """That of the measure inside."""
        return self.measure.respects_swap

    @property
    def on_weak_orders(self) -> bool:
        """That of the measure inside."""
        return self.measure.on_weak_orders

    @property
    def removes_unjudged(self) -> bool:
        """That of the measure inside."""
        return self.measure.removes_unjudged

    def reach(self, depth: int) -> int:
        """Return that of the measure inside."""
        return self.measure.reach(depth)

    def around(self, inside: Measure) -> Self:
        """Return the same around another measure.

        Parameters
        ----------
        inside
            The measure inside.
        """
        return self if inside is self.measure else self.__call__(measure=inside)

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        own = Measure._caveats(self, judged)
        inside = (caveat for caveat in self.measure._caveats(judged) if caveat.kind in INHERITED)
        return tuple(dict.fromkeys((*own, *inside)))


@with_campaign.register
def _(measure: AroundMeasure, judged: JudgedRuns) -> Measure:
    return measure.around(with_campaign(measure.measure, judged))


@on_judged.register
def _(measure: AroundMeasure, judged: JudgedRuns) -> Measure:
    return measure.around(on_judged(measure.measure, judged))


@in_collection.register
def _(measure: AroundMeasure, size: int) -> Measure:
    return measure.around(in_collection(measure.measure, size))


def innermost(measure: Measure) -> Measure:
    """Return the measure that others may be around of, however many; itself if it has none inside.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> innermost(parse("gm(interval(AP@5))")), innermost(parse("RR"))
    (AP@5, RR)
    """
    while isinstance(measure, AroundMeasure):
        measure = measure.measure
    return measure
