"""What a ruler is, what it may cost, and what it returns: the positions of runs.

A ruler stands for all values of a measure on the runs of a depth, in ascending order, without writing them down. It
returns the number of values and, for a run, its `Position`: the rank of its value among all values
([FerranteFerroFuhr2021]_, equation 2), brought to [0, 1]. A position says how it was obtained: *exact*, *certified*
(bounds that are proved to hold) or *estimated* (a confidence interval), and what has to be assumed, if anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from fractions import Fraction
from math import inf, log10

from attrs import define, field, frozen, setters

from measurand.arrays import Cells
from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import with_fraction
from measurand.execution import Progress, silent

NONE = "none"
"""The position rests on no assumption."""

PROVED = "proved for this depth"
"""The position rests on the independence of inverse logarithms, which was proved as far as it is needed."""

SCHANUEL = "Schanuel"
"""The position rests on the independence of inverse logarithms, which follows from Schanuel's conjecture."""

AMONG_RUNS = "position among runs is to be had at any depth (md.scales.position_among_runs, interval --among-runs)"
"""What a refusal points to, since it works for every measure."""


class Certainty(StrEnum):
    """How a position was obtained, the strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    ESTIMATED = "estimated"


# as frozen as the others, and made in half the time: campaigns have thousands
@define(kw_only=True, unsafe_hash=True, repr=False, on_setattr=setters.frozen)
class Position(Result):
    r"""The place of a value among all the values of a measure: :math:`(\varphi - 1)/(n - 1)`, from 0 to 1.

    Parameters
    ----------
    low, high
        Bounds of the position, equal where it is exact.
    how
        Whether the position is exact, certain to lie between the bounds, or (with 95 % confidence) estimated to.
    rank
        The rank :math:`\varphi`, from 1, where it is exact.
    size
        How many different values :math:`n` there are, where that is known and finite.
    assumption
        What has to be true: "none", "proved for this depth", "Schanuel", or a sentence.

    Examples
    --------
    >>> position = Position.at(rank=6, size=12)
    >>> position
    <Position 0.454545, rank 6 of 12, exact>
    >>> position.low, float(position), str(position.how)
    (Fraction(5, 11), 0.45454545454545453, 'exact')
    >>> Position.between(2, 4, size=11).high
    Fraction(3, 10)
    """

    _low: Fraction | None = field(default=None, alias="low")
    _high: Fraction | None = field(default=None, alias="high")
    how: Certainty
    rank: int | None = None
    size: int | None = None
    assumption: str = NONE

    @classmethod
    def at(cls, rank: int, size: int, assumption: str = NONE) -> Position:
        """Return the position of the value that has an exact rank.

        Parameters
        ----------
        rank
            The rank, from 1.
        size
            How many values there are.
        assumption
            What has to be true.
        """
        return cls(how=Certainty.EXACT, rank=rank, size=size, assumption=assumption)

    @property
    def low(self) -> Fraction:
        """The lower bound of the position."""
        return self._of_rank if self._low is None else self._low

    @property
    def high(self) -> Fraction:
        """The upper bound of the position."""
        return self._of_rank if self._high is None else self._high

    @property
    def _of_rank(self) -> Fraction:
        # computed when needed: campaigns have thousands of positions, and most are only averaged
        return Fraction((self.rank or 1) - 1, max((self.size or 1) - 1, 1))

    @classmethod
    def between(cls, low: int, high: int, size: int, assumption: str = NONE) -> Position:
        """Return the position of a value whose rank lies between two bounds.

        Parameters
        ----------
        low, high
            The bounds, both included.
        size
            How many values there are.
        assumption
            What has to be true.
        """
        low, high = max(low, 1), min(high, size)
        if low == high:
            return cls.at(low, size, assumption)
        below, above = (Fraction(rank - 1, size - 1) for rank in (low, high))
        return cls(low=below, high=above, how=Certainty.CERTIFIED, size=size, assumption=assumption)

    @classmethod
    def among_runs(cls, ties: str, below: int, tied: int, total: int, assumption: str = NONE) -> Position:
        """Return the position of a run among all runs, some of which are below it and some tie with it.

        Parameters
        ----------
        ties
            "min", "mid" or "max": the lowest, mean or highest place of tied runs.
        below, tied, total
            How many runs are below, how many tie (the run itself included), and how many there are.
        assumption
            What has to be true.

        Examples
        --------
        >>> [Position.among_runs(ties, 2, 2, 5).low * 4 + 1 for ties in ("min", "mid", "max")]
        [Fraction(3, 1), Fraction(7, 2), Fraction(4, 1)]
        """
        twice = {"min": 2 * below, "max": 2 * (below + tied - 1), "mid": 2 * below + tied - 1}[ties]
        place = Fraction(twice, 2 * max(total - 1, 1))
        return cls(low=place, high=place, how=Certainty.EXACT, assumption=assumption)

    def document(self) -> Document:
        """Return the position, its bounds where it is not exact, and what is known of the rank."""
        ends = [("low", self.low), ("high", self.high)] if self.low != self.high else [("position", self.low)]
        told = [(name, (with_fraction(place), float(place))) for name, place in ends]
        known = [("rank", self.rank), ("size", self.size), ("how", str(self.how)), ("assumption", self.assumption)]
        return Document([facts([*told, *known])])

    def __repr__(self) -> str:
        where = f"{float(self):.6g}" if self.low == self.high else f"{float(self.low):.6g} to {float(self.high):.6g}"
        place = "" if self.rank is None else f", rank {self.rank}" + ("" if self.size is None else f" of {self.size}")
        return f"<Position {where}{place}, {self.how}>"

    def __float__(self) -> float:
        if self._low is None:
            return ((self.rank or 1) - 1) / max((self.size or 1) - 1, 1)
        return float((self.low + self.high) / 2)

    @property
    def width(self) -> float:
        """How far apart the bounds are."""
        return float(self.high - self.low)

    @property
    def log10(self) -> float:
        """The decimal logarithm of the position, which may be too small for a float; minus infinity for 0."""
        middle = (self.low + self.high) / 2
        return log10(middle.numerator) - log10(middle.denominator) if middle else -inf


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
        """Return where each of some runs stands.

        Parameters
        ----------
        runs
            The runs, one a row.
        progress
            Shows how far a long computation is.
        """

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return False

    def shares(self, runs: Cells) -> list[tuple[int, int]]:  # noqa: ARG002 - for those that can
        """Return, for each of some runs, how many runs have a lower value, and how many have its value.

        Parameters
        ----------
        runs
            The runs, one a row.
        """
        raise NotAvailable(
            "how many runs share a value is not known for this measure at this depth; use ties='unq', or fewer ranks"
        )
