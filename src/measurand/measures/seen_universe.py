"""What a measure of ranks looks at: runs as the universe of its ruler has them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from measurand.arrays import Cells
from measurand.judged import HIGHEST_GRADE
from measurand.measures.base import Grades, Measure
from measurand.measures.geometric_mean import AroundMeasure
from measurand.measures.ties.sensitivity import equivalence_classes, gain_order
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

    def view(self, run: Grades) -> Grades:
        """Return what the measure inside looks at, as long as the ruler is deep."""
        # higher grades than there can be count as the highest, and are refused where grades are told apart
        seen = np.array([[min(cell, HIGHEST_GRADE) for cell in self.measure.view(run)]], dtype=np.int8)
        return tuple(self.universe.cut(seen)[0].tolist())

    def reach(self, depth: int) -> int:
        """Return down to which rank the scale looks, in runs of a depth."""
        return int(min(self.universe.ranks(depth), depth))


@gain_order.register
def _(measure: SeesUniverse, cell: int, top: int) -> Any:
    return gain_order(measure.measure, min(cell, measure.grades - 1) if measure.measure.graded else cell, top)


_of_any = equivalence_classes.dispatch(Measure)


@equivalence_classes.register
def _(measure: SeesUniverse, cells: Cells) -> Cells:
    seen = _of_any(measure, cells)
    highest = np.int8(measure.grades - 1)
    return equivalence_classes(measure.measure, np.minimum(seen, highest) if measure.measure.graded else seen)
