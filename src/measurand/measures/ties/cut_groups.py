"""Groups that a measure sees in part: how many judged and how many relevant documents are among those it sees."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.measures.ties.hypergeometric import Hypergeometric
from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


@frozen
class CutGroup:
    """The group of a run that stands across the last rank a measure looks at.

    Parameters
    ----------
    documents, judged, relevant
        How many there are in the group.
    shown
        How many of its places are looked at.
    cut
        If only documents with judgments take places: how many documents the group had before the others were
        removed, and how many of all these the depth of the judged runs leaves.
    """

    documents: int
    judged: int
    relevant: int
    shown: int
    cut: tuple[int, int] | None = None

    def draws(self) -> Iterator[tuple[int, int, Fraction]]:
        """Return how many judged and how many relevant documents can be seen, each pair with its probability.

        Examples
        --------
        >>> list(CutGroup(documents=3, judged=2, relevant=1, shown=1).draws())
        [(0, 0, Fraction(1, 3)), (1, 0, Fraction(1, 3)), (1, 1, Fraction(1, 3))]
        """
        for judged, likely in self._judged(exactly=True):
            draw = Hypergeometric(self.judged, self.relevant, judged)
            for relevant, chance in enumerate(draw.probabilities(), draw.least):
                yield judged, relevant, likely * chance

    def _judged(self, *, exactly: bool) -> Iterator[tuple[int, Any]]:
        if self.cut is None:
            draw = Hypergeometric(self.documents, self.judged, self.shown)
            yield from enumerate(draw.chances(exactly=exactly), draw.least)
            return
        draw = Hypergeometric(self.cut[0], self.judged, self.cut[1])
        for judged, chance in enumerate(draw.chances(exactly=exactly), draw.least):
            yield min(judged, self.shown), chance

    def float_draws(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the same as arrays, the probabilities as floats."""
        return _float_draws(self)


@lru_cache(maxsize=1 << 10)
def _float_draws(group: CutGroup) -> tuple[IntArray, IntArray, FloatArray]:
    judged, relevant, chances = [], [], []
    for number, likely in group._judged(exactly=False):
        draw = Hypergeometric(group.judged, group.relevant, number)
        chances.append(draw.floats() * likely)
        relevant.append(np.arange(draw.least, draw.most + 1))
        judged.append(np.full(len(chances[-1]), number))
    return np.concatenate(judged), np.concatenate(relevant), np.concatenate(chances)


@frozen(eq=False)
class CutGroups:
    """The runs in which a group stands across the last rank looked at, and what is above that group.

    Parameters
    ----------
    run
        Which runs.
    above, judged, relevant
        How many documents are above the group, how many of them are judged and how many relevant.
    groups
        The groups.
    """

    run: IntArray
    above: IntArray
    judged: IntArray
    relevant: IntArray
    groups: list[CutGroup]

    @classmethod
    def of(cls, runs: TiedRuns, ranks: IntArray, rel: int, *, tells_unjudged: bool, condensed: bool) -> CutGroups:
        """Return those of some runs.

        Parameters
        ----------
        ranks
            How many ranks of each run are looked at.
        tells_unjudged
            Whether documents without judgment are distinguished from nonrelevant ones; otherwise they count as judged.
        """
        limit = np.minimum(ranks, runs.judged.depth)[runs.group_run]
        is_cut = np.zeros(len(runs.size), dtype=bool)
        is_cut[list(runs.cut)] = True
        across = np.flatnonzero((runs.start < limit) & ((runs.start + runs.size > limit) | is_cut))
        known = runs.per_group(runs.cell >= 0) if tells_unjudged or condensed else runs.size.astype(np.float64)
        found = runs.per_group(runs.cell >= rel)
        shown = np.minimum(runs.size, limit - runs.start)
        groups = [
            CutGroup(int(runs.size[g]), int(known[g]), int(found[g]), int(shown[g]), runs.cut.get(g))
            for g in across.tolist()
        ]
        return cls(
            run=runs.group_run[across],
            above=runs.start[across],
            judged=(runs.judged_above if tells_unjudged or condensed else runs.start)[across],
            relevant=runs.before(found)[across].astype(np.int64),
            groups=groups,
        )

    def draws(self, *, condensed: bool) -> Draws:
        """Return what can be seen of each of these runs, and how likely that is."""
        judged, relevant, chances = zip(*(group.float_draws() for group in self.groups), strict=True)
        sizes = np.array([len(part) for part in chances])
        known = np.concatenate(judged)
        # only documents with judgments take places once the others are removed
        shown = known if condensed else np.repeat([group.shown for group in self.groups], sizes)
        return Draws(
            run=np.repeat(self.run, sizes),
            retrieved=(np.repeat(self.above, sizes) + shown).astype(np.float64),
            judged=(np.repeat(self.judged, sizes) + known).astype(np.float64),
            relevant=(np.repeat(self.relevant, sizes) + np.concatenate(relevant)).astype(np.float64),
            chances=np.concatenate(chances),
            first=np.cumsum(sizes) - sizes,
        )


@frozen(eq=False)
class Draws:
    """All the numbers of documents that can be seen of some runs, run after run.

    Parameters
    ----------
    run
        Of which run.
    retrieved, judged, relevant
        How many documents are seen.
    chances
        How likely that is.
    first
        Where each run begins.
    """

    run: IntArray
    retrieved: FloatArray
    judged: FloatArray
    relevant: FloatArray
    chances: FloatArray
    first: IntArray

    def spread(self, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the mean, the least and the greatest of each run's values, one for each lot."""
        values = np.broadcast_to(values, self.run.shape)
        return (
            np.add.reduceat(values * self.chances, self.first),
            np.minimum.reduceat(values, self.first),
            np.maximum.reduceat(values, self.first),
        )


def cut_group_of(
    run: TiedRun, ranks: int, rel: int, *, tells_unjudged: bool, condensed: bool
) -> tuple[CutGroup, int, int, int] | None:
    """Return the group across the last rank looked at, and how many documents, judged and relevant ones are above."""
    above = judged = relevant = 0
    for group in run.groups:
        known = sum(cell >= 0 for cell in group.cells) if tells_unjudged or condensed else len(group.cells)
        found = sum(cell >= rel for cell in group.cells)
        if group.start < ranks and (group.start + len(group.cells) > ranks or group.cut):
            shown = min(len(group.cells), ranks - group.start)
            return CutGroup(len(group.cells), known, found, shown, group.cut), above, judged, relevant
        above, judged, relevant = above + len(group.cells), judged + known, relevant + found
    return None
