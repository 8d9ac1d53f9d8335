"""The join-irreducible runs of an order as a sequence that is never written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from attrs import frozen

from measurand.lattice.algebra.base import Algebra, Run


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
        return self.algebra.irreducible_count

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | Sequence[Run]:
        if isinstance(place, slice):
            return [self.algebra.irreducible(one) for one in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {len(self)} join-irreducible runs, and none at {place}")
        return self.algebra.irreducible(place % len(self))

    def __iter__(self) -> Iterator[Run]:
        return self.algebra.join_irreducibles()

    def __contains__(self, run: object) -> bool:
        if not isinstance(run, tuple) or len(run) != self.algebra.depth:
            return False
        known = all(isinstance(grade, int) and 0 <= grade < self.algebra.grades for grade in run)
        return known and self.algebra.place(run) is not None

    def index(self, run: object, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a join-irreducible run."""
        place = self.algebra.place(run) if run in self else None  # type: ignore[arg-type]
        if place is None or not start <= place < (len(self) if stop is None else stop):
            raise ValueError(f"{run} is not among the join-irreducible runs")
        return place

    def count(self, run: object) -> int:
        """Return how often a run is among them: once or not at all."""
        return int(run in self)
