"""What a ruler is: all the values of a measure in order, without their being written down."""

from __future__ import annotations

from abc import ABC, abstractmethod

from attrs import field, frozen

from measurand.arrays import Cells
from measurand.errors import NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.rulers.position import NONE, Position


def _positive(budget: Budget, attribute: object, value: float) -> None:  # noqa: ARG001 - attrs' signature
    if not value > 0:
        raise ParameterError(f"what may be spent must be above 0, not {value!r}")


@frozen
class Budget:
    """What a ruler may cost.

    Parameters
    ----------
    seconds
        How long building it, or placing some runs, may take.
    memory
        How many bytes its tables may take.
    """

    seconds: float = field(default=120.0, validator=_positive)
    memory: int = field(default=2 << 30, validator=_positive)


class Ruler(ABC):
    """All the values that a measure takes on the runs of a depth, in ascending order.

    A run is a row of grades, as long as the ruler is deep; grades below 0 and above the highest do not occur.
    """

    depth: int
    grades: int
    assumption: str = NONE

    @property
    @abstractmethod
    def size(self) -> int:
        """How many different values there are."""

    @abstractmethod
    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return False

    def shares(self, runs: Cells) -> list[tuple[int, int]]:  # noqa: ARG002 - for those that can
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        raise NotAvailable(
            "how many runs share a value is not known for this measure at this depth; use ties='unq', or fewer ranks"
        )
