"""What a measure says of all the orders inside ties at once, and what it must tell for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.arrays import Cells as Runs
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool

if TYPE_CHECKING:
    from measurand.measures.ties.tied_runs import TiedRun, TiedRuns

Cells = tuple[int, ...]


@frozen(eq=False)
class Spread:
    """The mean of a measure over all orders inside ties, its least and its greatest value.

    Numbers for one run; arrays for many, with NaN where order makes no difference. The extremes are None where they
    are better found by putting the best documents first, or the worst.
    """

    expected: Any
    low: Any = None
    high: Any = None


class Tieable(Protocol):
    """What a measure tells about itself, so that its values over all orders inside ties can be found."""

    @property
    def respects_swap(self) -> bool:
        """Whether a better document moved up never makes the value worse."""

    @property
    def lower_is_better(self) -> bool:
        """Whether worse values are higher."""

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a scale of its own, or nothing if all topics share one."""

    @property
    def prefers_unjudged(self) -> bool:
        """Whether documents without judgment are rather seen than others that are worth nothing."""

    @property
    def condenses(self) -> bool:
        """Whether documents without judgment are removed."""

    def reach(self, depth: int) -> int:
        """Return down to which rank the measure looks at most."""

    @property
    def skips_barren(self) -> bool:
        """Whether a closed form has no use for groups without any document of grade 1 or more."""

    def minds(self, judged: JudgedRuns, topic: IntArray, start: IntArray, end: IntArray) -> BoolArray:
        """Say which tie groups may make a difference."""

    def kinds(self, cells: Runs) -> Runs:
        """Return cells with those alike that the measure cannot tell apart."""

    def worth(self, cell: int, top: int) -> Any:
        """Return how good a document is."""

    def top_grade(self, pool: Pool) -> int:
        """Return the highest grade there is."""

    def spread(self, runs: TiedRuns) -> Spread | None:
        """Return mean and extremes over all orders, if there is a closed form."""

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        """Return the same for one run, exactly."""

    def floats(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs as they stand, systems × topics, not settled."""

    def plain_values(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs as they stand, systems × topics, equal where the exact ones are."""

    def exact(self, run: Cells, pool: Pool) -> Exact:
        """Return the exact value of a run that is already condensed and cut."""

    def level(self, run: Cells, pool: Pool) -> Exact:
        """Return the value of a run in units of `unit`."""

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return what a level is divided by to give a value."""

    def view(self, run: Cells) -> Cells:
        """Return the part of a run that the measure looks at."""
