"""Measures made of another measure: what they take over from the one inside."""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve

from measurand.errors import Caveat, Doubt
from measurand.judged import JudgedRuns
from measurand.measures.base import Measure

INHERITED = (Doubt.COLLECTION, Doubt.ORDER, Doubt.NO_RELEVANT)
"""What is doubtful around a measure if it is inside: its numbers and their order, not what they mean."""


class AroundMeasure(Measure):
    """A measure of one topic that has another one inside."""

    measure: Measure

    @property
    def lowest(self) -> int:
        """That of the measure inside."""
        return self.measure.lowest

    @property
    def lower_is_better(self) -> bool:  # type: ignore[override]
        """That of the measure inside."""
        return self.measure.lower_is_better

    @property
    def respects_swap(self) -> bool:  # type: ignore[override]
        """That of the measure inside."""
        return self.measure.respects_swap

    @property
    def on_weak_orders(self) -> bool:  # type: ignore[override]
        """That of the measure inside."""
        return self.measure.on_weak_orders

    @property
    def prefers_unjudged(self) -> bool:  # type: ignore[override]
        """That of the measure inside."""
        return self.measure.prefers_unjudged

    @property
    def condenses(self) -> bool:
        """That of the measure inside."""
        return self.measure.condenses

    def reach(self, depth: int) -> int:
        """Return that of the measure inside."""
        return self.measure.reach(depth)

    def informed(self, judged: JudgedRuns) -> Self:
        """Return the measure with the one inside informed."""
        return self._around(self.measure.informed(judged))

    def in_collection(self, size: int) -> Self:
        """Return the measure with the one inside told how many documents there are, if it wants to know."""
        return self._around(self.measure.in_collection(size))

    def _around(self, inside: Measure) -> Self:
        # those that are around a measure have it for a parameter
        return self if inside is self.measure else evolve(self, measure=inside)  # type: ignore[call-arg]

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        own = Measure._caveats(self, judged)
        inside = (caveat for caveat in self.measure._caveats(judged) if caveat.doubt in INHERITED)
        return tuple(dict.fromkeys((*own, *inside)))

    def worth(self, cell: int, top: int) -> Any:
        """Return that of the measure inside."""
        return self.measure.worth(cell, top)


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
