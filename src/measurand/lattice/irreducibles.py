"""The join-irreducible runs of an order as a sequence that is never written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import maxsize
from typing import overload

from attrs import frozen

from measurand.errors import NotAvailable, ParameterError, brief
from measurand.exact import shown
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.membership import member


@frozen
class Irreducibles(Sequence[Run]):
    """The join-irreducible runs, none before one that is worse.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> blocks = Irreducibles(algebra_of("swap", 1000, 5))
    >>> len(blocks), blocks[0][-3:], (1, *[0] * 999) in blocks
    (2002000, (0, 0, 1), True)
    """

    algebra: Algebra

    def __len__(self) -> int:
        if self.algebra.irreducible_count > maxsize:
            raise NotAvailable(f"{self._number} join-irreducible runs are too many to count off; ask for single ones")
        return self.algebra.irreducible_count

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | Sequence[Run]:
        places = range(self.algebra.irreducible_count)
        if isinstance(place, slice):
            return [self.algebra.irreducible(one) for one in places[place]]
        try:
            return self.algebra.irreducible(places[place])
        except IndexError:
            raise IndexError(f"there are {self._number} join-irreducible runs, and none at that place") from None

    def __iter__(self) -> Iterator[Run]:
        return self.algebra.join_irreducibles()

    def __reversed__(self) -> Iterator[Run]:
        return map(self.algebra.irreducible, reversed(range(self.algebra.irreducible_count)))

    def __contains__(self, run: object) -> bool:
        return self._place(run) is not None

    def index(self, run: object, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a join-irreducible run."""
        place = self._place(run)
        if place is None or place not in range(self.algebra.irreducible_count)[start:stop]:
            raise ValueError(f"{brief(run)} is not among the join-irreducible runs")
        return place

    def count(self, run: object) -> int:
        """Return how often a run is among them: once or not at all."""
        return int(run in self)

    def _place(self, run: object) -> int | None:
        try:
            return self.algebra.place(member(self.algebra, run))  # type: ignore[arg-type]
        except ParameterError:
            return None

    @property
    def _number(self) -> str:
        """How many there are, for people."""
        number = self.algebra.irreducible_count
        return f"{number:,}" if number <= maxsize else shown(number)
