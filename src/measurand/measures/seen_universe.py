"""What a measure of ranks looks at: runs as the universe of its ruler has them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from measurand.arrays import Cells as Runs
from measurand.judged import HIGHEST_GRADE
from measurand.measures.around import AroundMeasure
from measurand.measures.base import Cells, Measure
from measurand.measures.universe import Universe


class SeesUniverse(AroundMeasure):
    """A measure that sees of a run what the measure inside sees, cut or filled up to the depth of a universe."""

    tells_unjudged: ClassVar[bool] = False

    depth: int | float | None
    grades: int

    @property
    def universe(self) -> Universe:
        """The runs whose values are ranked."""
        return Universe(self.measure, self.depth, self.grades)

    def view(self, run: Cells) -> Cells:
        """Return what the measure inside looks at, as long as the ruler is deep."""
        # higher grades than there can be count as the highest, and are refused where grades are told apart
        seen = np.array([[min(cell, HIGHEST_GRADE) for cell in self.measure.view(run)]], dtype=np.int8)
        return tuple(self.universe.cut(seen)[0].tolist())

    def reach(self, depth: int) -> int:
        """Return down to which rank the scale looks, in runs of a depth."""
        return int(min(self.universe.ranks(depth), depth))

    def worth(self, cell: int, top: int) -> Any:
        """Return how good a document is to the measure inside."""
        return self.measure.worth(min(cell, self.grades - 1) if self.measure.graded else cell, top)

    def kinds(self, cells: Runs) -> Runs:
        """Return cells with those alike that the scale cannot tell apart."""
        seen = Measure.kinds(self, cells)
        return self.measure.kinds(np.minimum(seen, np.int8(self.grades - 1)) if self.measure.graded else seen)
