"""The runs of an order that a measure is looked at on: all of them, or those that tell most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.execution import Rng
from measurand.judged import distinct_runs
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.membership import is_set
from measurand.measures.space import FITS, Space
from measurand.verdict import How

CELLS = 1_000_000
"""Where not all runs can be looked at, as many as hold so many cells …"""

SLOW_CELLS = 200_000
"""… or fewer, if a function is asked run by run."""


@frozen(eq=False)
class SeenRuns:
    """The runs of an order, on one topic.

    Parameters
    ----------
    space
        The runs of the same depth and grades, and the topic.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> seen = SeenRuns.of(algebra_of("set-replacement", 4, 3))
    >>> seen.checked
    'all 15 runs of 4 ranks and 3 grades, best grade first, in the order "set-replacement"'
    """

    algebra: Algebra
    space: Space

    @classmethod
    def of(cls, algebra: Algebra, recall_base: int | None = None, collection: int | None = None) -> SeenRuns:
        """Return the runs of an order on a topic."""
        space = Space(depth=algebra.depth, grades=algebra.grades, recall_base=recall_base, collection=collection)
        return cls(algebra, space)

    @property
    def sets(self) -> bool:
        """Whether runs are sets."""
        return is_set(self.algebra)

    @property
    def fits(self) -> bool:
        """Whether all runs can be looked at."""
        return self.algebra.size <= FITS

    @property
    def whole(self) -> bool:
        """Whether the topic has relevant documents for every run."""
        return self.space.recall_base is None or self.space.recall_base >= self.algebra.depth

    def possible(self, run: Run) -> bool:
        """Say whether the topic has relevant documents enough for a run."""
        return self.whole or sum(grade > 0 for grade in run) <= (self.space.recall_base or 0)

    def all(self) -> Cells:
        """Return every run, one a row, none before one that is worse."""
        runs = [run for run in self.algebra.runs() if self.possible(run)]
        return np.array(runs, dtype=np.int8).reshape(len(runs), self.algebra.depth)

    def some(self, rng: Rng = 0) -> Iterator[Cells]:
        """Return runs with nothing relevant below a short top, then others that tell much, then random ones."""
        telling = self.space.telling()
        deep = np.any(telling[:, self.space.reach :] > 0, axis=1)
        yield self._smallest_first(telling[~deep])
        if deep.any():
            yield self._smallest_first(telling[deep])
        yield self._smallest_first(self.space.drawn(rng))

    def _smallest_first(self, runs: Cells) -> Cells:
        """Return runs by what they hold in all; of those that hold as much, the ones that hold it early first."""
        if self.sets:
            runs = -np.sort(-runs, axis=1)
        different = distinct_runs(runs)[0][::-1]
        return np.asarray(different[np.argsort(different.sum(axis=1, dtype=np.int64), kind="stable")])

    @property
    def how(self) -> How:
        """How good a look at all the runs is."""
        return How.EXHAUSTIVE if self.fits else How.SAMPLED

    @property
    def checked(self) -> str:
        """What is looked at, in words."""
        if not self.fits:
            return f"some runs of {self}"
        count = f"{self.algebra.size:,} " if self.whole else ""
        return f"all {count}runs of {self}"

    def __str__(self) -> str:
        first = ", best grade first," if self.sets else ""
        return f'{self.space}{first} in the order "{self.algebra.order}"'
