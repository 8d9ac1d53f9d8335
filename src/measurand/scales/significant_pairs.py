"""Numbers of significant pairs: whether "1,923 pairs differ significantly by t" survives every rescaling.

A count survives where each of its parts does. Where the scale does not suffice for the test, few pairs are decided one
by one; of many, rescalings are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.questions import AS_THEY_ARE, Maps, Measured, Question, Readings, on_topics, rescalings, searched
from measurand.scales.robustness import Answer, Decision, robust
from measurand.scales.significance import (
    SLOW,
    TOGETHER,
    PairTest,
    decide_significance,
    invariance,
    likely_changes,
    options_of,
)
from measurand.scales.statements import Relation, Significant, by_test
from measurand.statistics.multiple_comparisons import level
from measurand.statistics.needs import need_of
from measurand.statistics.registry import find_test

ONE_BY_ONE = 66
"""So many pairs are decided one by one: those of twelve systems."""

MOST, MOST_OF_SLOW = 120, 8
"""So many rescalings are tried, and of tests that draw their p-values."""

LEAST, LOOKS = 20, 200_000
"""At least so many rescalings are tried, and in all at so many pairs is looked."""

CLOSEST = 6
"""From so many pairs whose p-value is closest to alpha rescalings are taken."""


@frozen
class SignificantPairs:
    """How many pairs of systems differ significantly by a test.

    Parameters
    ----------
    relation : Relation
        How the number of pairs stands to the number that is said.
    number : int
        The number that is said.
    test : str
        The test, by any of its names. p-values are those of the test, not corrected beyond that.
    alpha : float, optional
        The level of significance; by default that of `check`.

    Examples
    --------
    >>> str(SignificantPairs("equals", 1923, "one-way ANOVA", 0.05))
    '1923 pairs differ significantly by one-way ANOVA at 0.05'
    >>> str(SignificantPairs("is at least", 10, "sign"))
    'at least 10 pairs differ significantly by sign'
    """

    relation: Relation = field(converter=Relation)
    number: int
    test: str
    alpha: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.alpha is not None:
            level(self.alpha)
        if self.number < 0:
            raise ParameterError(f"there is no number of pairs below 0, such as {self.number}")

    def __str__(self) -> str:
        bound = BOUNDS[self.relation]
        return f"{bound}{self.number} pairs differ significantly {by_test(self.test, self.alpha)}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it names: none."""
        return ()


BOUNDS = {
    Relation.EQUAL: "",
    Relation.AT_LEAST: "at least ",
    Relation.AT_MOST: "at most ",
    Relation.ABOVE: "more than ",
    Relation.BELOW: "fewer than ",
}


@frozen(eq=False)
class CountQuestion(Question):
    """A statement about a number of pairs, put to the scores of a measure."""

    statement: SignificantPairs
    measured: Measured
    measure: str

    @property
    def measures(self) -> tuple[str, ...]:
        """The measure."""
        return (self.measure,)

    @property
    def remark(self) -> str:
        """How pairs are counted."""
        return "Pairs are counted by the p-values of the test itself; compare also corrects these for being many."

    @property
    def _alpha(self) -> float:
        return self.statement.alpha or self.measured.alpha

    @property
    def _options(self) -> dict[str, Any]:
        return options_of(self.statement.test, dict(self.measured.options), self.measured.rng)

    def _count(self, maps: Maps = AS_THEY_ARE) -> int:
        scores = self.measured.scores(self.measure)
        map_ = on_topics(maps, scores.topics).get(self.measure)
        if map_ is not None:
            scores = evolve(scores, values=map_(scores.values), exact=None)
        found = find_test(self.statement.test)(scores, **self._options)
        return int(np.triu(found.significant(self._alpha), 1).sum())

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the number of pairs, and the one that is said."""
        return float(self._count(maps)), float(self.statement.number)

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled."""
        count, said = self._count(maps), self.statement.number
        return self.statement.relation.admits((count > said) - (count < said))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling."""
        test, scale = find_test(self.statement.test), self.measured.scale_of(self.measure)
        need, one_scale = need_of(test), readings[self.measure]
        true = bool(self.holds())
        systems = self.measured.scores(self.measure).systems
        pairs = len(systems) * (len(systems) - 1) // 2
        possible = {self.statement.relation.admits(_sign(count, self.statement.number)) for count in range(pairs + 1)}
        if len(possible) == 1:
            return robust(true, f"{pairs} pairs are all that there are")
        if scale is not Scale.NOMINAL and scale >= need.scale and (one_scale or not need.across):
            return robust(true, f"{invariance(need)}, for every pair")
        if scale is not Scale.NOMINAL and pairs <= ONE_BY_ONE and test.__name__ not in (*TOGETHER, *SLOW):
            found = self._one_by_one(scale, one_scale=one_scale)
            low, high = sum(each is True for each in found), sum(each is not False for each in found)
            counts = range(low, high + 1)
            if len({self.statement.relation.admits(_sign(count, self.statement.number)) for count in counts}) == 1:
                return robust(true, f"on every scale {_between(low, high)} of {pairs} pairs differ")
        # so many pairs are looked at in all, whatever the number of systems
        most = MOST_OF_SLOW if test.__name__ in SLOW else max(LEAST, min(MOST, LOOKS // max(1, pairs)))
        return searched(self, self.measured, readings, most=most)

    def _test(self, a: str, b: str) -> PairTest:
        claim = Significant(a, b, self.statement.test, self._alpha)
        return PairTest.of(claim, self.measured.scores(self.measure), self._alpha, self._options)

    def _one_by_one(self, scale: Scale, *, one_scale: bool) -> list[bool | None]:
        """Return of every pair whether it differs on every scale (True), on none (False), or neither."""
        found: list[bool | None] = []
        for a, b in combinations(self.measured.scores(self.measure).systems, 2):
            decision = decide_significance(self._test(a, b), scale, one_scale=one_scale)
            found.append(decision.true if decision.answer is Answer.ROBUST else None)
        return found

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that change single pairs, those closest to alpha first, and others."""
        scores, scale = self.measured.scores(self.measure), self.measured.scale_of(self.measure)
        one_scale = readings[self.measure]
        if scale is not Scale.NOMINAL:
            yield from self._close_to_alpha(scale, one_scale=one_scale)
        for map_ in rescalings(scores, scale, scores.values[:2], one_scale=one_scale):
            yield {self.measure: map_}

    def _close_to_alpha(self, scale: Scale, *, one_scale: bool) -> Iterator[Maps]:
        """Yield rescalings that change the pairs whose p-values are closest to alpha."""
        test, scores = find_test(self.statement.test), self.measured.scores(self.measure)
        pvalues = test(scores, **self._options).pvalues
        pairs = sorted(combinations(range(len(scores.systems)), 2), key=lambda pair: abs(pvalues[pair] - self._alpha))
        # of tests that look at all systems every try takes long
        closest = [self._test(*(scores.systems[place] for place in pair)) for pair in pairs[:CLOSEST]]
        for one in closest if test.__name__ not in (*TOGETHER, *SLOW) else ():
            decision = decide_significance(one, scale, one_scale=one_scale)
            if decision.transformation is not None:
                yield {self.measure: decision.transformation}
        for one in closest[:2]:
            yield from ({self.measure: map_} for map_ in likely_changes(one, scale, one_scale=one_scale))


def _sign(count: int, number: int) -> int:
    return (count > number) - (count < number)


def _between(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
