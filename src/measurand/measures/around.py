"""Measures made of another measure: what they take over from the one inside."""

from __future__ import annotations

from typing import Any

from measurand.measures.base import Measure


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

    def worth(self, cell: int, top: int) -> Any:
        """Return that of the measure inside."""
        return self.measure.worth(cell, top)
