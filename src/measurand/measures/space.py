"""The runs and the topic that a measure is looked at on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells
from measurand.errors import ParameterError
from measurand.execution import Rng, generator
from measurand.judged import HIGHEST_GRADE, Pool, distinct_runs, every_run
from measurand.judged.universes import PossibleRuns
from measurand.measures.base import Measure
from measurand.measures.campaigns import in_collection
from measurand.measures.parameters import whole
from measurand.measures.valued import Valuer
from measurand.verdict import How

FITS = 1 << 14
"""So many runs are enumerated; where there are more, some are drawn."""

DEEPEST = 5_000
"""Longer runs are not looked at."""

TELLING = 1 << 27
"""So many cells may runs have that hold one relevant document, of every grade at every rank."""

MOST_RELEVANT = 1_000_000
"""No topic that is looked at has more relevant documents: the best run there can be is written out."""

DRAWN = 2_000
"""How many runs are drawn at random."""


@frozen(kw_only=True)
class Space:
    """All judged runs of a depth over so many grades, on one topic.

    Parameters
    ----------
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    recall_base
        How many relevant documents the topic has, all of the highest grade; as many as there are ranks if
        nothing is given. Runs that hold more are left out.
    collection
        How many documents there are in all; by default as many nonrelevant ones as there are ranks.

    Examples
    --------
    >>> space = Space(depth=4, grades=3)
    >>> space.size, space.pool.grade_counts
    (81, (4, 0, 4))
    """

    name: ClassVar[str] = "runs to look at"

    depth: int = field(validator=whole(1))
    grades: int = field(default=2, validator=whole(2))
    recall_base: int | None = field(default=None, validator=whole(1, optional=True, high=MOST_RELEVANT))
    collection: int | None = field(default=None, validator=whole(1, optional=True))

    def __attrs_post_init__(self) -> None:
        if self.depth > DEEPEST:
            raise ParameterError(f"runs of {self.depth:,} ranks are too long to look at; ask for {DEEPEST:,} at most")
        if self.grades > HIGHEST_GRADE + 1:
            raise ParameterError(f"{self.grades} grades are too many; no grade is above {HIGHEST_GRADE}")
        if self.depth**2 * self.grades > TELLING:
            raise ParameterError(
                f"runs of {self.depth:,} ranks over {self.grades} grades are too many to look at; ask for fewer ranks"
                " or grades"
            )
        needed = max(self.depth, self.recall_base or 0)
        if self.collection is not None and self.collection < needed:
            what = "ranks" if needed == self.depth else "relevant documents"
            raise ParameterError(f"a collection of {self.collection:,} documents is too small for {needed:,} {what}")

    @property
    def pool(self) -> Pool:
        """What the judgments say of the topic."""
        relevant = self.depth if self.recall_base is None else self.recall_base
        others = self.depth if self.collection is None else self.collection - relevant
        return Pool.plain(relevant, others, top=self.grades - 1)

    def with_size(self, measure: Measure) -> Measure:
        """Return a measure with the size of the collection, if that is a parameter and was not given.

        Parameters
        ----------
        measure
            The measure.
        """
        return measure if self.collection is None else in_collection(measure, self.collection)

    def valuer(self, measure: Measure) -> Valuer:
        """Return a measure on the topic, if there are grades enough for it.

        Parameters
        ----------
        measure
            The measure.
        """
        if measure.lowest >= self.grades:
            advice = f"ask for {measure.lowest + 1} grades"
            raise ParameterError(f"{measure!r} counts no grade below {measure.lowest}; {advice}")
        gmax = measure.highest_grade if "gmax" in measure.parameters() else None
        if gmax is not None and gmax < self.grades - 1:
            raise ParameterError(f"{measure!r} has no grade above {gmax}; ask for {gmax + 1} grades")
        return Valuer.of(self.with_size(measure), self.pool)

    @property
    def size(self) -> int:
        """How many runs there are."""
        return self.runs.total

    @property
    def runs(self) -> PossibleRuns:
        """The runs, whatever a measure makes of their grades: every grade above 0 is relevant."""
        return PossibleRuns(self.depth, self.grades, self.recall_base)

    @property
    def fits(self) -> bool:
        """Whether they can all be looked at."""
        return bool(self.grades**self.depth <= FITS)

    @property
    def reach(self) -> int:
        """Down to which rank every run can be looked at, with nothing relevant below."""
        reach = 1
        while reach < self.depth and self.grades ** (reach + 1) <= FITS // 8:
            reach += 1
        return reach

    def all(self) -> Cells:
        """Return every run, one a row."""
        return self.possible(every_run(self.depth, self.grades))

    def possible(self, runs: Cells) -> Cells:
        """Return the runs that hold no more relevant documents than there are.

        Parameters
        ----------
        runs
            Judged runs.
        """
        if self.recall_base is None or self.recall_base >= self.depth:
            return runs
        return np.asarray(runs[self.runs.include(runs)])

    def telling(self) -> Cells:
        """Return runs that show most of what can be wrong: all with short tops, one or two relevant documents."""
        short = np.pad(every_run(self.reach, self.grades), ((0, 0), (0, self.depth - self.reach)))
        ones = np.eye(self.depth, dtype=np.int8)
        pairs = np.minimum(ones + np.roll(ones, 2, axis=1), 1)
        lone = [(ones * grade).astype(np.int8) for grade in range(1, self.grades)]
        return self.possible(distinct_runs(np.concatenate([short, *lone, pairs]))[0])

    def drawn(self, rng: Rng = 0) -> Cells:
        """Return random runs, with many relevant documents and with few.

        Parameters
        ----------
        rng
            A seed, or a generator of random numbers.
        """
        rng = generator(rng)
        most = min(self.depth, self.recall_base or self.depth)
        numbers = np.ceil(rng.random((DRAWN, 1)) ** 2 * most)
        places = rng.random((DRAWN, self.depth)).argsort(axis=1).argsort(axis=1)
        return np.asarray(rng.integers(1, self.grades, (DRAWN, self.depth)) * (places < numbers), dtype=np.int8)

    def parts(self, rng: Rng = 0) -> Iterator[Cells]:
        """Return the runs to look at: all at once where they fit, else the telling ones, then random ones.

        Parameters
        ----------
        rng
            A seed, or a generator of random numbers.
        """
        if self.fits:
            yield self.all()
        else:
            yield self.telling()
            yield self.drawn(rng)

    @property
    def how(self) -> How:
        """How good a look at all the parts is."""
        return How.EXHAUSTIVE if self.fits else How.SAMPLED

    @property
    def checked(self) -> str:
        """What is looked at, in words."""
        if self.fits:
            return f"all {self.size:,} runs of {self}"
        short = f"runs with nothing relevant below rank {self.reach}, runs with one relevant document or two"
        return f"{short} and {DRAWN:,} random ones, of {self}"

    def __str__(self) -> str:
        base = "" if self.recall_base is None else f", recall base {self.recall_base}"
        size = "" if self.collection is None else f", {self.collection:,} documents"
        ranks = "1 rank" if self.depth == 1 else f"{self.depth:,} ranks"
        return f"{ranks} and {self.grades} grades{base}{size}"
