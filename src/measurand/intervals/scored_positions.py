"""Judged runs placed on the ruler of a measure, with the caveats that their positions need.

`ScoredPositions` is what `interval(measure).scores` is made of. Runs that look the same to the measure are placed
once; a measure that orders runs alike on every topic has one ruler for all of them, any other one per topic. The
caveats state what a reader has to know before averaging the positions: that topics have scales of their own, that
grades were folded together, that unjudged documents count as nonrelevant, that positions are certified or estimated
rather than exact, that they assume Schanuel's conjecture, and that they are so uneven that a few runs make up the
mean. What the transform does to means is debated in [FerranteFerroFuhr2021]_ and [Moffat2022]_.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import floor, log10

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import Cells, FloatArray
from measurand.errors import Caveat, CaveatKind
from measurand.intervals.families import same_order_everywhere
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL, Certainty, Position
from measurand.intervals.universe import Universe
from measurand.judged import JudgedRuns, Pool, distinct_runs
from measurand.measures.additive import Additive
from measurand.measures.base import Measure

TOP = 0.05
"""The share of the runs above 0 that is looked at, from the best down: do they carry the mean alone?"""

FEW = 20
"""Of fewer runs that found anything no share is looked at."""

HEAVY = 0.4
"""If that share of the runs carries more than this share of the mean, the mean says little about the others …"""

LOW = -3
"""… and the same if half of the runs that found anything stand below this power of ten."""


@frozen(eq=False)
class ScoredPositions:
    """The positions of judged runs, system by system and topic by topic.

    Parameters
    ----------
    positions
        The position of each run.
    cells
        What stands at the ranks that the measure looks at, systems × topics × ranks.
    grades
        How many grades the ruler has.
    by_topic
        Whether every topic has a scale of its own recall base.
    """

    positions: list[Position]
    cells: Cells
    measure: Measure
    grades: int
    by_topic: bool = False

    @classmethod
    def of(
        cls,
        judged: JudgedRuns,
        universe: Universe,
        positions: Callable[[Cells, Pool], list[Position]],
        *,
        by_topic: bool = False,
    ) -> ScoredPositions:
        """Return the positions of judged runs, each different run once (on a topic, if that matters).

        Parameters
        ----------
        judged
            The judged runs.
        universe
            The measure and the runs whose values are ranked.
        positions
            The positions of some runs on a topic.
        by_topic
            Whether every topic has a scale of its own recall base.
        """
        list(map(universe.measure.top_grade, judged.pools))  # raises for judgments beyond it
        cells = universe.seen(judged)
        runs = universe.fold(cells)
        # measures that order runs alike on all topics place the runs of all topics together
        alike = (1, runs.shape[0] * runs.shape[1], runs.shape[2])
        together = same_order_everywhere(universe.measure) and not by_topic
        groups = runs.reshape(alike) if together else runs.transpose(1, 0, 2)
        rows: list[list[Position]] = [[] for _ in groups]
        # topics of one recall base come one after the other, so that their ruler is made once
        bases = [pool.recall_base(universe.measure.lowest) if by_topic else 0 for pool in judged.pools]
        for topic in sorted(range(len(groups)), key=lambda topic: bases[topic] if by_topic else topic):
            different, which = distinct_runs(groups[topic])
            found = positions(different, judged.pools[topic])
            rows[topic] = [found[place] for place in which.tolist()]
        in_order = rows[0] if len(groups) == 1 else [one for row in zip(*rows, strict=True) for one in row]
        return cls(in_order, cells, universe.measure, universe.grades, by_topic)

    @cached_property
    def values(self) -> FloatArray:
        """The positions as floats."""
        floats = {id(position): float(position) for position in self.positions}
        return np.array([floats[id(position)] for position in self.positions])

    @property
    def top_share(self) -> float:
        """How much of the sum of all positions the highest of those above 0 carry."""
        values = np.sort(self.values[self.values > 0])[::-1]
        return float(values[: max(1, round(TOP * len(values)))].sum() / values.sum()) if len(values) else 0.0

    @cached_property
    def _found(self) -> list[Position]:
        """The positions above 0, some of which may be too small for a float."""
        pairs = zip(self.positions, self.values, strict=True)
        return [position for position, value in pairs if value or position.high]

    @property
    def median_log10(self) -> float:
        """The decimal logarithm of the median position of the runs above 0; it may be too small for a float."""
        if not self._found:
            return 0.0
        middle = (len(self._found) - 1) // 2
        values = np.sort(self.values[self.values > 0])
        # those that are too small for a float come first
        hidden = len(self._found) - len(values)
        if middle >= hidden:
            return log10(values[middle - hidden])
        return sorted(position.log10 for position in self._found)[middle]

    def caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        """Return what a reader of the positions should know."""
        about_runs = (*self._topics(judged), *self._folded(judged.pools[0].top_grade), *self._gaps(judged))
        there = judged.counted.reshape(-1)
        looked_at = evolve(self, positions=[self.positions[place] for place in np.flatnonzero(there).tolist()])
        return (*about_runs, *looked_at._certainty(), *looked_at._degenerate())

    def _topics(self, judged: JudgedRuns) -> Iterator[Caveat]:
        why = self.measure.own_scales(judged)
        if why and not self.by_topic:
            text = f"{self.measure!r} has a scale of its own on every topic, because {why}"
            text = f"{text}; its ranks among all runs stand in for them"
            yield Caveat(CaveatKind.SCALE, text, self.measure.own_scales_by(judged))

    def _folded(self, judged_top: int) -> Iterator[Caveat]:
        highest, top = int(self.cells.max(initial=0)), self.grades - 1
        if self.measure.graded and highest > top:
            yield Caveat(
                CaveatKind.GRADES,
                f"grades above {top} count as {top} on this scale of {self.measure!r}; say grades={highest + 1} to"
                " keep them apart",
            )
        elif self.measure.parameters().get("gmax", 0) is None and judged_top != top and self._depends_on_top_grade:
            yield Caveat(
                CaveatKind.GRADES,
                f"this scale of {self.measure!r} takes {top} for the highest grade, and the judgments go to"
                f" {judged_top}; say grades={judged_top + 1}",
            )

    @property
    def _depends_on_top_grade(self) -> bool:
        """Whether the highest grade there is decides which runs the measure prefers; sums are only rescaled by it."""
        return self.measure.graded and same_order_everywhere(self.measure) and not isinstance(self.measure, Additive)

    def _gaps(self, judged: JudgedRuns) -> Iterator[Caveat]:
        """Yield a caveat if the measure takes unjudged or missing documents for something else than nonrelevant."""
        if self.measure.judged_only or not (self.cells < 0).any():
            return
        ranks = self.cells.shape[2]
        seen = evolve(judged, cells=self.cells, lengths=np.minimum(judged.lengths, ranks))
        filled = evolve(judged, cells=np.maximum(self.cells, 0), lengths=np.full_like(judged.lengths, ranks))
        differing = int((self.measure.fast(seen) != self.measure.fast(filled)).sum())
        if differing:
            yield Caveat(
                CaveatKind.GAPS,
                f"ranks without a judged document count as nonrelevant on this scale; {self.measure!r} itself takes"
                f" them otherwise in {differing:,} of {len(self.positions):,} runs",
            )

    def _certainty(self) -> Iterator[Caveat]:
        for how in (Certainty.CERTIFIED, Certainty.ESTIMATED):
            some = [position for position in self.positions if position.how is how]
            if some:
                words = "known within bounds" if how is Certainty.CERTIFIED else "estimated, with 95 % confidence,"
                width = max(float((position.high - position.low) / (position.high or 1)) for position in some)
                yield Caveat(
                    CaveatKind.BOUNDS,
                    f"{len(some):,} of {len(self.positions):,} positions of {self.measure!r} are {words} at most"
                    f" {width:.1g} of the position apart",
                )
        assumptions = sorted({position.assumption for position in self.positions} - {NONE, PROVED})
        # those that differ in a figure alone, from topic to topic, are said once
        for assumption in {text.partition(" (")[0]: text for text in assumptions}.values():
            independent = "inverse logarithms are independent (Schanuel's conjecture)"
            said = independent if assumption == SCHANUEL else assumption
            yield Caveat(CaveatKind.ASSUMPTION, f"the positions of {self.measure!r} assume that {said}")

    def _degenerate(self) -> Iterator[Caveat]:
        exponent = self.median_log10
        if len(self._found) < FEW or (self.top_share <= HEAVY and exponent >= LOW):
            return
        median = f"{10 ** (exponent - floor(exponent)):.1f}e{floor(exponent)}"
        yield Caveat(
            CaveatKind.DEGENERATE,
            f"half of the positions of {self.measure!r} that are not 0 are at or below {median}, and the highest"
            f" {TOP:.0%} of them carry {self.top_share:.0%} of the mean, which says little about the others; a scale of"
            " about 30 ranks, or of RBP, spreads runs better",
        )
