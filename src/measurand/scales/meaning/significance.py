"""Significance: whether a test would decide otherwise after a permissible rescaling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.meaning.candidates import random_rescalings, telling
from measurand.scales.meaning.cone import Cone, t_pvalue
from measurand.scales.meaning.meaning import Decision, fragile, robust, undecided
from measurand.scales.meaning.signed_ranks import arrangements, never_changes
from measurand.scales.meaning.statements import Significant
from measurand.scales.meaning.transformations import PerTopic, Transformation, keeps_order
from measurand.scores import Need, Scores

TOGETHER = frozenset(("one_way_anova", "two_way_anova", "kruskal_wallis", "friedman", "randomised_tukey"))
"""Tests to which every system matters, not only the two that are compared."""

RELABELLINGS = 50
TRIED = (400, 20, 300_000)
"""How many rescalings are tried at most and at least, and at how many pairs of systems a test may look in between."""
SLOW: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {"randomised_tukey": (8, 2, 16_000), "randomisation": (120, 20, 300_000), "bootstrap": (120, 20, 300_000)}
)
"""The same for tests that draw their p-values."""
BORDER = 1e-9
"""p-values closer to alpha than this are left undecided: rounding could have put them there."""


@frozen(eq=False)
class Asked:
    """A statement about significance, and the scores that it is about.

    Parameters
    ----------
    scores
        The systems that matter to the test.
    test, options
        The test itself, and what it takes beside the scores.
    """

    statement: Significant
    scores: Scores
    alpha: float
    test: Callable[..., Any]
    options: dict[str, Any]

    @classmethod
    def of(cls, statement: Significant, scores: Scores, alpha: float, options: dict[str, Any]) -> Asked:
        """Return the question with the scores that matter to it."""
        from measurand.statistics.registry import find_test

        test = find_test(statement.test)
        if statement.a == statement.b:
            raise ParameterError(f"a test needs two systems, not {statement.a!r} twice")
        if test.__name__ not in TOGETHER:
            rows = [scores.systems.index(name) for name in statement.systems]
            scores = evolve(scores, values=scores.values[rows], systems=statement.systems)
        return cls(statement, scores, statement.alpha or alpha, test, options)

    @property
    def need(self) -> Need:
        """What the test declares that it needs."""
        from measurand.statistics.needs import need_of

        return need_of(self.test)

    @property
    def pair(self) -> FloatArray:
        """The scores of the two systems."""
        return np.asarray(self.scores.values[self._rows])

    @property
    def goodness(self) -> FloatArray:
        """The scores of the two systems, the higher the better."""
        return np.asarray(self.scores.goodness[self._rows])

    @property
    def _rows(self) -> list[int]:
        return [self.scores.systems.index(name) for name in self.statement.systems]

    @cached_property
    def before(self) -> float:
        """The p-value of the two systems, of the scores as they are."""
        return self._pvalue(self.scores)

    def pvalue(self, transformation: Transformation) -> float:
        """Return the p-value of the two systems, of the scores rescaled."""
        return self._pvalue(evolve(self.scores, values=transformation(self.scores.values)))

    def _pvalue(self, scores: Scores) -> float:
        return float(self.test(scores, **self.options).of(*self.statement.systems))

    @property
    def _tries(self) -> int:
        """How many rescalings are tried."""
        pairs = len(self.scores.systems) * (len(self.scores.systems) - 1) // 2
        most, least, looks = SLOW.get(self.test.__name__, TRIED)
        return min(most, max(looks // pairs, least))

    def changed(self, maps: Iterable[Transformation], *, one_scale: bool, order: bool = True) -> Transformation | None:
        """Return the first rescaling after which the test decides otherwise."""
        true = self.before <= self.alpha
        for map_ in islice(maps, self._tries):
            allowed = not order or keeps_order(map_, self.scores.values, one_scale=one_scale)
            if allowed and (self.pvalue(map_) <= self.alpha) != true:
                return map_
        return None


def decide_significance(asked: Asked, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether the decision of a test survives every permissible rescaling."""
    name, need = asked.test.__name__, asked.need
    true = asked.before <= asked.alpha
    if scale is Scale.NOMINAL:
        return _of_labels(asked, true, one_scale=one_scale)
    if scale >= need.scale and (one_scale or not need.across):
        return robust(true, _invariance(need))
    if name == "paired_t":
        return _decide_t(asked, true, scale, one_scale=one_scale)
    if name == "signed_rank" and (reason := never_changes(asked.goodness, asked.alpha, significant=true)):
        return robust(true, reason)
    maps = _candidates(asked, scale, one_scale=one_scale)
    found = asked.changed(maps, one_scale=one_scale)
    if found is not None:
        return fragile(true, found)
    return undecided(true, f"none of the rescalings that were tried changes what the {need.statistic} decides")


def _invariance(need: Need) -> str:
    if need.scale is Scale.ORDINAL:
        where = "over all topics" if need.across else "within topics"
        return f"the {need.statistic} looks at the order of scores {where} and at nothing else"
    return f"the {need.statistic} gives the same p-value after any positive affine map"


def _of_labels(asked: Asked, true: bool, *, one_scale: bool) -> Decision:
    scores = asked.scores
    maps = random_rescalings(scores.values, scores.topics, Scale.NOMINAL, one_scale=one_scale, many=RELABELLINGS, rng=0)
    found = asked.changed(maps, one_scale=one_scale, order=False)
    if found is not None:
        return fragile(true, found, "labels have no order and no distances", kind=True)
    return undecided(true, f"none of {RELABELLINGS} relabellings changes what the {asked.need.statistic} decides")


def _decide_t(asked: Asked, true: bool, scale: Scale, *, one_scale: bool) -> Decision:
    cone = _cone(asked, one_scale=one_scale)
    topics = cone.topics
    if len(topics) < 2 or not cone.edges.any():
        why = "no topic tells the two systems apart" if len(topics) > 1 else "a single topic decides nothing"
        return robust(true, why)
    reached, maps = (_towards_nothing if true else _towards_something)(cone, asked.alpha)
    if maps is None:
        side = "stays below" if true else "never gets below"
        return robust(true, f"p {side} {asked.alpha:g} whatever the rescaling: at its extreme it is {reached:.3g}")
    wide = map(partial(_widened, topics=asked.scores.topics), maps)
    found = asked.changed(chain(wide, _candidates(asked, scale, one_scale=one_scale)), one_scale=one_scale)
    if found is not None:
        return fragile(true, found)
    return undecided(true, f"p gets to {reached:.9g} at its extreme, which no rescaling that was tried shows")


def _cone(asked: Asked, *, one_scale: bool) -> Cone:
    """Return the cone of the two systems' differences, on the topics that both have."""
    pair = asked.pair
    both = np.flatnonzero(~np.isnan(pair[0] + pair[1]))
    return Cone.of(pair[:, both], tuple(asked.scores.topics[t] for t in both), one_scale=one_scale)


def _widened(map_: Transformation, topics: tuple[str, ...]) -> Transformation:
    """Return a rescaling of some topics as one of all topics, of which the others stay as they are."""
    return evolve(map_, topics=topics) if isinstance(map_, PerTopic) else map_


def _towards_nothing(cone: Cone, alpha: float) -> tuple[float, Iterator[Transformation] | None]:
    """Return the largest p-value that rescalings lead to, and rescalings that lead there, if it is above alpha."""
    pulls = cone.pulls
    if (pulls > 0).any() and (pulls < 0).any() and pulls @ cone.lengths != 0:
        lengths, crossing = cone.turning()
        return 1.0, cone.towards(lengths, tuple(share * crossing for share in (0.3, 0.5, 0.7, 0.85, 0.95, 1.0)))
    lengths, cosine = cone.nearest()
    reached = t_pvalue(cosine, len(cone.topics))
    return reached, (cone.towards(lengths) if reached > alpha - BORDER else None)


def _towards_something(cone: Cone, alpha: float) -> tuple[float, Iterator[Transformation] | None]:
    """Return the smallest p-value that rescalings lead to, and rescalings that lead there, if it is not above alpha."""
    found = []
    for sign in (1, -1):
        lengths, cosine = cone.furthest(sign)
        if cosine * sign > 0:
            found.append((t_pvalue(cosine, len(cone.topics)), sign, lengths))
    if not found:
        return 1.0, None
    found.sort(key=lambda each: each[0])
    reached = found[0][0]
    if reached > alpha + BORDER:
        return reached, None
    return reached, chain.from_iterable(cone.towards(lengths) for p, _, lengths in found if p <= alpha + BORDER)


def _candidates(asked: Asked, scale: Scale, *, one_scale: bool) -> Iterator[Transformation]:
    """Yield rescalings that may change a decision: plain ones, extremes of t, extremes of signed ranks."""
    scores, pair = asked.scores, asked.pair
    yield from telling(scores.values, scores.topics, scale, pair, one_scale=one_scale)
    cone = _cone(asked, one_scale=one_scale)
    if not one_scale:
        yield from (_widened(map_, scores.topics) for map_ in arrangements(cone.rows, cone.topics))
    if scale is Scale.ORDINAL or not one_scale:
        for sign in (1, -1):
            lengths, cosine = cone.furthest(sign) if cone.edges.any() else (cone.lengths, 0.0)
            if cosine:
                yield from (_widened(map_, scores.topics) for map_ in cone.towards(lengths))
        if (cone.pulls > 0).any() and (cone.pulls < 0).any() and cone.pulls @ cone.lengths != 0:
            lengths, crossing = cone.turning()
            shares = tuple(share * crossing for share in (0.5, 0.8, 1.0))
            yield from (_widened(map_, scores.topics) for map_ in cone.towards(lengths, shares))
