"""What every measure tells about itself for the sake of ties, unless it knows better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from measurand.arrays import BoolArray, IntArray
from measurand.arrays import Cells as Runs
from measurand.judged import NOTHING, UNJUDGED, JudgedRuns, Pool
from measurand.measures.ties.spread import Spread

if TYPE_CHECKING:
    from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


class TieCare:
    """The part of a measure that knows about ties.

    A measure declares two facts, each with a test. `respects_swap`: a document of higher `worth` that is exchanged
    with one above it never makes the value worse. `tells_unjudged`: it tells documents without judgment from those that
    were judged not relevant. A closed form that has no use for groups without any document of grade 1 or more says
    so with `skips_barren`. Of documents that are worth nothing, those without judgment are rather seen if
    `prefers_unjudged`: they may be removed. A measure that is defined on weak orders, in which documents may tie, says
    so with `on_weak_orders`: it takes runs as such unless another rule is asked for.
    """

    __slots__ = ()

    respects_swap: ClassVar[bool] = False
    tells_unjudged: ClassVar[bool] = True
    prefers_unjudged: ClassVar[bool] = True
    skips_barren: ClassVar[bool] = False
    on_weak_orders: ClassVar[bool] = False

    cutoff: int | None
    judged_only: bool

    def as_taken(self, judged: JudgedRuns) -> JudgedRuns:
        """Return judged runs as the measure takes them: as weak orders if it is defined on these and ties were kept."""
        return judged.weak if self.on_weak_orders else judged

    @property
    def condenses(self) -> bool:
        """Whether documents without judgment are removed before anything else."""
        return self.judged_only

    def reach(self, depth: int) -> int:
        """Return down to which rank the measure looks at most, in runs of a depth."""
        return depth if self.cutoff is None else min(self.cutoff, depth)

    def minds(self, judged: JudgedRuns, topic: IntArray, start: IntArray, end: IntArray) -> BoolArray:
        """Say which tie groups may make a difference: those of a topic, from a rank to another, counted from 0."""
        return np.asarray(start < (judged.depth if self.condenses else self.reach(judged.depth)))

    def worth(self, cell: int, top: int) -> Any:
        """Return how good a document is, where `top` is the highest grade there is."""
        return max(0, cell)

    def kinds(self, cells: Runs) -> Runs:
        """Return cells with those alike that the measure cannot tell apart."""
        unjudged = (cells < 0) & (cells != NOTHING)
        if self.condenses:
            return np.where(unjudged, np.int8(UNJUDGED), cells)
        return cells if self.tells_unjudged else np.where(unjudged, np.int8(0), cells)

    def spread(self, runs: TiedRuns) -> Spread | None:
        """Return mean and extremes over all orders inside ties as floats, if there is a closed form."""
        return None

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        """Return mean and extremes over all orders inside ties of one run, exactly, if there is a closed form."""
        return None
