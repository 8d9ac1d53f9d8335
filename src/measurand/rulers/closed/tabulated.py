"""Measures whose values depend on a small whole number: all of them in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.rulers.closed.whole_sums import WholeSums
from measurand.rulers.position import Position
from measurand.rulers.ruler import Ruler

MANY = 1 << 22
"""No table is longer than this."""


@define(eq=False)
class Tabulated(Ruler):
    """A measure whose value grows with a whole number, its key, of which all that occur are listed.

    Parameters
    ----------
    keys
        The keys that occur, in ascending order.
    key_of
        The keys of some runs, one a row.
    count
        How many runs have each key, where that can be counted; called when it is first asked for.
    linear
        Whether the value is a linear function of the key.

    Examples
    --------
    >>> ruler = Tabulated.of_sums(WholeSums((1,) * 1000, (0, 1, 3, 7)))
    >>> ruler.size, ruler.positions(np.zeros((1, 1000), dtype=np.int8))[0].rank
    (6996, 1)
    """

    depth: int
    grades: int
    keys: IntArray
    key_of: Callable[[Cells], IntArray]
    count: Callable[[], Mapping[int, int]] | None = None
    linear: bool = False
    _lower: dict[int, tuple[int, int]] | None = field(default=None, init=False)

    @classmethod
    def of_sums(cls, sums: WholeSums, most: int = MANY) -> Tabulated | None:
        """Return the ruler of sums of whole weights times gains, or None if more than `most` sums occur."""
        keys = sums.attained(most)
        if keys is None:
            return None
        return cls(len(sums.weights), len(sums.gains), keys, sums.keys, sums.runs_by_key, linear=True)

    @classmethod
    def of_first(cls, depth: int, grades: int = 2, relevant: int = 1) -> Tabulated:
        r"""Return the ruler of a measure that falls with the rank of the first relevant document.

        With the first relevant document at rank :math:`i` of :math:`N`, :math:`\varphi = N + 2 - i`; without any, 1.

        Parameters
        ----------
        relevant
            The lowest grade that counts as relevant.

        Examples
        --------
        >>> ruler = Tabulated.of_first(4)
        >>> [position.rank for position in ruler.positions(np.array([[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]))]
        [5, 2, 1]
        """

        def key_of(runs: Cells) -> IntArray:
            hits = np.asarray(runs) >= relevant
            return np.where(hits.any(axis=1), depth - np.argmax(hits, axis=1), 0)

        def count() -> dict[int, int]:
            found = {depth - zeros: relevant**zeros * (grades - relevant) * grades ** (depth - zeros - 1)
                     for zeros in range(depth)}  # fmt: skip
            return {0: relevant**depth, **found}

        return cls(depth, grades, np.arange(depth + 1), key_of, count)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return len(self.keys)

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return self.linear and len(set(np.diff(self.keys).tolist())) <= 1

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:  # noqa: ARG002 - quick
        """Return where each of some runs, one a row, stands."""
        places = np.searchsorted(self.keys, self.key_of(runs))
        size = self.size
        return [Position.at(place + 1, size, self.assumption) for place in places.tolist()]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        lower = self._lower or self._counted()
        return [lower[key] for key in self.key_of(runs).tolist()]

    def _counted(self) -> dict[int, tuple[int, int]]:
        if self.count is None:
            raise NotAvailable("how many runs share a value is not known for this measure; use ties='unq'")
        total, lower = 0, {}
        for key, runs in sorted(self.count().items()):
            lower[key] = total, runs
            total += runs
        self._lower = lower
        return lower
