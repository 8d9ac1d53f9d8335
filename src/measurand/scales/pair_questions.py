"""Statements about two systems under one measure as questions: averages, differences, spreads, significance.

`averages`, `spreads` and `significance` decide them; here they meet scores, and rescalings that others propose.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.averages import Claimed, decide_average
from measurand.scales.geometric_means import decide_geometric
from measurand.scales.questions import AS_THEY_ARE, Maps, Measured, Question, Readings, on_topics, rescalings
from measurand.scales.robustness import Decision
from measurand.scales.significance import PairTest, decide_significance, likely_changes, options_of
from measurand.scales.spreads import Spreading, Spreads, decide_spread
from measurand.scales.statements import Average, Averages, Differences, Significant
from measurand.scales.transformations import Transformation
from measurand.scales.weighted_sums import Form
from measurand.scores import place_of

MOST = 60
"""So many rescalings that turn a comparison of averages round are proposed."""


@frozen(eq=False)
class _OfOneMeasure(Question):
    """A statement about systems under one measure."""

    statement: Any
    measured: Measured
    measure: str

    @property
    def measures(self) -> tuple[str, ...]:
        """The measure."""
        return (self.measure,)

    @property
    def _scale(self) -> Scale:
        return self.measured.scale_of(self.measure)

    @property
    def _topics(self) -> tuple[str, ...]:
        return self.measured.scores(self.measure).topics

    @property
    def _rows(self) -> FloatArray:
        return self.measured.rows(self.measure, self.statement.systems)

    @property
    def times(self) -> Fraction:
        """By what the second side is multiplied."""
        return getattr(self.statement, "factor", Fraction(1))

    def _map(self, maps: Maps) -> Transformation | None:
        return on_topics(maps, self._topics).get(self.measure)

    def _others(self, readings: Readings) -> Iterator[Maps]:
        scores, rows = self.measured.scores(self.measure), self._rows
        for map_ in rescalings(scores, self._scale, rows[:2], one_scale=readings[self.measure]):
            yield {self.measure: map_}


@frozen(eq=False)
class AverageQuestion(_OfOneMeasure):
    """A comparison of averages, or of differences of means, put to scores."""

    claimed: Claimed = field(init=False)

    def __attrs_post_init__(self) -> None:
        rows, average = self._rows, self.statement.average
        if np.isnan(rows).all(axis=1).any():
            raise ParameterError("a system without a score on any topic has no average")
        if average is Average.GEOMETRIC and (rows < 0).any():
            raise ParameterError(
                f"scores below 0, such as {np.nanmin(rows):g}, have no geometric mean; compare medians"
            )
        if average is Average.HARMONIC and (rows <= 0).any():
            raise ParameterError(
                f"scores of 0 or less, such as {np.nanmin(rows):g}, have no harmonic mean; compare medians"
            )
        object.__setattr__(self, "claimed", Claimed(self.statement, rows, self._topics))

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return both sides."""
        return self.claimed.sides(self._map(maps))

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true; None where an average is not defined."""
        map_ = self._map(maps)
        if map_ is not None and not self.claimed.defined(map_):
            return None
        return bool(self.statement.relation.admits(self.claimed.sign(map_)))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling."""
        decide = decide_geometric if self.statement.average is Average.GEOMETRIC else decide_average
        return decide(self.claimed, self._scale, one_scale=readings[self.measure])

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that turn it round, and others."""
        one_scale = readings[self.measure]
        if self._scale > Scale.NOMINAL and self.statement.average is Average.MEAN:
            rows = self.claimed.rows
            form = Form(rows, self.statement.weights(rows), self._topics, self._scale, one_scale)
            present = self.claimed.sign()
            for target in sorted(form.signs() - {present}, key=abs, reverse=True):
                for map_ in islice(form.rescalings(target, present or -target), MOST):
                    yield {self.measure: map_}
        yield from self._others(readings)


@frozen(eq=False)
class SpreadQuestion(_OfOneMeasure):
    """A comparison of spreads, put to scores."""

    spreading: Spreading = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "spreading", Spreading(self.statement, self._rows, self._topics))

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return both sides."""
        return self.spreading.sides(self._map(maps))

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true; None where a spread is not defined."""
        return self.spreading.holds(self._map(maps))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling."""
        return decide_spread(self.spreading, self._scale, one_scale=readings[self.measure])

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that may change it."""
        return self._others(readings)


@frozen(eq=False)
class SignificanceQuestion(_OfOneMeasure):
    """A statement about significance, put to scores."""

    test: PairTest = field(init=False)

    def __attrs_post_init__(self) -> None:
        scores = self.measured.scores(self.measure)
        for system in self.statement.systems:
            place_of(system, scores.systems)
        options = options_of(self.statement.test, dict(self.measured.options), self.measured.rng)
        object.__setattr__(self, "test", PairTest.of(self.statement, scores, self.measured.alpha, options))

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the p-value."""
        map_ = self._map(maps)
        return (self.test.before if map_ is None else self.test.pvalue(map_),)

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled."""
        return self.test.holds(self._map(maps))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling."""
        return decide_significance(self.test, self._scale, one_scale=readings[self.measure])

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that may change what the test decides."""
        if self._scale > Scale.NOMINAL:
            for map_ in likely_changes(self.test, self._scale, one_scale=readings[self.measure]):
                yield {self.measure: map_}
        yield from self._others(readings)


def pair_question(
    statement: Averages | Differences | Spreads | Significant, measured: Measured, measure: str
) -> Question:
    """Return a statement about two systems as a question."""
    if isinstance(statement, Significant):
        return SignificanceQuestion(statement, measured, measure)
    if isinstance(statement, Spreads):
        return SpreadQuestion(statement, measured, measure)
    return AverageQuestion(statement, measured, measure)
