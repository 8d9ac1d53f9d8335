"""The gate under one measure: how far the candidate fell, what follows for others, which topics broke, what decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import Any, cast

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.display.data import plain
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.errors import ParameterError
from measurand.exact import Exact
from measurand.statistics import corrected, minimum_detectable_difference, topics_needed
from measurand.statistics.pairs import PairBlock
from measurand.statistics.power import POWER
from measurand.study.gate_inference import (
    bound_p,
    carriers,
    carriers_needed,
    could_change,
    inferred,
    unchanged_needed,
)
from measurand.study.gate_view import measure_sentence, measures_table

ROUNDING = 1e-12
"""Numbers closer than this, in units of the largest score or of 1, may be the same number."""

EDGE = 1e-9
"""Drops closer than this to the limit are compared in exact numbers, where the measure has them."""

Exactly = Callable[[], Sequence[tuple[Exact, Exact]]]
"""Returns the exact values of baseline and candidate, topic by topic."""


class Method(StrEnum):
    """How it is found out what changes over topics like these."""

    IDENTITY = "identity"
    """Not at all: nothing changed, and the gate passes by that."""

    T = "paired t"
    """By the interval of the paired t test."""

    BOUND = "bound"
    """By a bound that holds if no topic changes by more than is said."""

    NONE = "none"
    """Not at all: the most that a topic can change is not known."""


class Outcome(StrEnum):
    """What a gate says."""

    PASS = "pass"
    """The candidate has not fallen by more than is allowed."""

    FAIL = "fail"
    """It has."""

    UNDECIDED = "undecided"
    """The topics are too few to tell."""


@frozen
class TopicChange:
    """A topic, and what baseline and candidate score on it.

    Parameters
    ----------
    topic : str
        The topic.
    baseline, candidate : float
        The scores.
    change : float
        By how much the candidate is better; negative where it is worse, whichever values are better.

    Examples
    --------
    >>> TopicChange("301", 0.75, 0.5, -0.25).drop
    0.25
    """

    topic: str
    baseline: float
    candidate: float
    change: float

    @property
    def drop(self) -> float:
        """By how much the candidate is worse."""
        return 0.0 - self.change


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class MeasureGate(Result):
    r"""What the gate finds under one measure.

    Differences are candidate − baseline, turned round where lower is better, so that a negative one is a drop. What
    their mean d is on these topics is known exactly. What the mean would be over topics like these, of which these are
    a sample, is an inference. With the standard deviation s and n topics, the interval of the paired t test is

    .. math:: d \pm t_{n-1,\,1-\alpha}\, s / \sqrt n

    It is believed where many topics make the difference: where :math:`(\sum |d_i - m|)^2 / \sum (d_i - m)^2`, with m
    the median, is at least 50, or a third of n, and never below 8; and where one topic more could not outweigh
    them: where twice :math:`s / \sqrt n` is no less than M / n, with M = `largest_change`. Elsewhere the interval is
    a bound that only takes it that no topic changes by more than M: :math:`α^{1/n} G - M`, G the geometric mean of
    :math:`M + d_i`, and the same turned round. Where M is not known there is none. So each end is wrong with
    probability α, the bound's at most, the t interval's about.

    The measure passes if the lower end is at least −`max_drop`, and fails if the upper end is below it: if the
    one-sided p-value of "the mean change over topics like these is −`max_drop` or more" is below α after Holm's
    correction over the measures. Scores that are the same on all topics pass, because nothing changed. With
    `on_these_topics` the mean of these topics decides, and nothing is inferred.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    topics : tuple of str
        The topics that both have a score on.
    baseline, candidate : array of float
        The scores, by topic.
    lower_is_better : bool
        Whether lower scores are better.
    max_drop : Fraction
        How far the mean may fall.
    broken_drop : Fraction
        A topic that drops by more is broken.
    alpha : float
        The level of significance, one-sided.
    fail_on_drop : bool
        Whether a drop fails, too, that is significant against 0.
    largest_change : float or None
        The most that one topic can change, up or down; None if that is not known.
    on_these_topics : bool
        Whether the mean of these topics decides, and nothing is said of others.
    exactly : callable or None
        What computes the exact values, where the measure has them.
    p_corrected, p_drop_corrected : float or None
        The p-values `p` and `p_drop` after Holm's correction over all measures; None for a measure alone.

    Examples
    --------
    >>> import measurand as md
    >>> result = md.gate({"1": {"d": 1}}, {"1": {"d": 1.0}}, {"1": {"d": 1.0}}, "RR").of("RR")
    >>> str(result.outcome), str(result.method), result.difference
    ('pass', 'identity', 0.0)

    References
    ----------
    [Student1908]_; [Holm1979]_
    """

    measure: str
    topics: tuple[str, ...]
    baseline: FloatArray
    candidate: FloatArray
    lower_is_better: bool = False
    max_drop: Fraction
    broken_drop: Fraction
    alpha: float
    fail_on_drop: bool = False
    largest_change: float | None = None
    on_these_topics: bool = False
    exactly: Exactly | None = None
    p_corrected: float | None = None
    p_drop_corrected: float | None = None

    def __repr__(self) -> str:
        return f"<MeasureGate {self.measure}: {self.outcome}>"

    @cached_property
    def _pair(self) -> PairBlock:
        """Candidate and baseline, turned round where lower is better."""
        sign = -1.0 if self.lower_is_better else 1.0
        return PairBlock(sign * self.candidate[None, :], sign * self.baseline[None, :])

    @cached_property
    def changes(self) -> FloatArray:
        """By how much the candidate is better, by topic; 0 where exact values, if there are any, are the same."""
        changes = np.array(self._pair.differences[0])
        unsure = np.flatnonzero((changes != 0) & (np.abs(changes) <= EDGE))
        if self.exactly is not None and len(unsure):
            known = self.exactly()
            changes[[place for place in unsure.tolist() if known[place][0] == known[place][1]]] = 0.0
        return changes

    @property
    def means(self) -> tuple[float, float]:
        """The mean scores of baseline and candidate, as they are."""
        return float(self.baseline.mean()), float(self.candidate.mean())

    @property
    def difference(self) -> float:
        """By how much the candidate is better in the mean; negative where it is worse."""
        return float(self._pair.means[0])

    @property
    def spread(self) -> float:
        """The standard deviation of the differences over topics."""
        return float(self._pair.spreads[0])

    @property
    def same(self) -> bool:
        """Whether both have the same scores on all topics."""
        return not self.changes.any()

    @property
    def changed(self) -> int:
        """On how many topics the scores differ."""
        return int(np.count_nonzero(self.changes))

    @property
    def carriers(self) -> float:
        """How many topics make the difference, if all of these differed from the others by as much."""
        return float(carriers(self.changes))

    @property
    def carriers_needed(self) -> float:
        """How many must make it before the t interval is believed."""
        return carriers_needed(len(self.topics))

    @property
    def method(self) -> Method:
        """How it is found out what changes over topics like these."""
        if self.same:
            return Method.IDENTITY
        if self.largest_change is None:
            return Method.NONE
        return Method.T if self._inferred[0] else Method.BOUND

    @cached_property
    def _inferred(self) -> tuple[bool, float, float]:
        """Whether the t interval is believed, and the interval of the mean change over topics like these."""
        most, pair = cast(float, self.largest_change), self._pair
        by_t, low, high = inferred(self.changes, pair.means[0], pair.spreads[0], most, self.alpha)
        return bool(by_t), float(low), float(high)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the mean change over topics like these lies, each end wrong with probability alpha; perhaps nowhere."""
        return (-inf, inf) if self.largest_change is None else self._inferred[1:]

    @property
    def could_change(self) -> float:
        """How large a share of topics like these could change, with probability alpha, if none of these did."""
        return could_change(len(self.topics), self.alpha)

    @property
    def unchanged_needed(self) -> int | None:
        """On how many topics nothing must change before the bound excludes a larger drop than is allowed."""
        if self.largest_change is None:
            return None
        return unchanged_needed(float(self.max_drop), self.largest_change, self.alpha)

    @cached_property
    def _rounding(self) -> float:
        """What rounding may do to a mean or to a difference."""
        scores = np.concatenate([self.baseline, self.candidate])
        return ROUNDING * max(1.0, float(np.abs(scores).max(initial=0.0)))

    def _below(self, limit: float) -> float:
        """Return the one-sided p-value of "the mean change over topics like these is at least `limit`"."""
        from scipy.special import stdtr

        if self.method in (Method.IDENTITY, Method.NONE):
            return 1.0
        if self.method is Method.BOUND:
            return float(bound_p(self.changes, cast(float, self.largest_change), limit))
        gap, number = self.difference - limit, len(self.topics)
        gap = 0.0 if abs(gap) <= self._rounding else gap
        # no stronger than a flip of all signs could be
        return max(0.5**number, float(stdtr(number - 1, gap / (self.spread / sqrt(number)))))

    @cached_property
    def p(self) -> float:
        """The p-value of "the mean change over topics like these is −`max_drop` or more", before any correction."""
        return self._below(-float(self.max_drop))

    @cached_property
    def p_drop(self) -> float:
        """The p-value of "the mean change over topics like these is 0 or more", before any correction."""
        return self._below(0.0)

    @property
    def within_here(self) -> bool:
        """Whether the mean of these topics fell by no more than is allowed."""
        return self.difference + float(self.max_drop) >= -self._rounding

    @property
    def fell_too_far(self) -> bool:
        """Whether topics like these drop by more than is allowed, at the level alpha after Holm's correction."""
        return (self.p if self.p_corrected is None else self.p_corrected) < self.alpha

    @property
    def fell(self) -> bool:
        """Whether topics like these drop at all, at the level alpha after Holm's correction."""
        return (self.p_drop if self.p_drop_corrected is None else self.p_drop_corrected) < self.alpha

    @property
    def within(self) -> bool:
        """Whether topics like these drop by no more than is allowed: the lower end is at least −`max_drop`."""
        return self.interval[0] + float(self.max_drop) >= -self._rounding

    @property
    def outcome(self) -> Outcome:
        """What the mean says: pass, fail or undecided."""
        if self.on_these_topics:
            fell = not self.within_here or (self.fail_on_drop and self.difference < 0)
            return Outcome.FAIL if fell else Outcome.PASS
        if self.same:
            return Outcome.PASS
        if self.fell_too_far or (self.fail_on_drop and self.fell):
            return Outcome.FAIL
        return Outcome.PASS if self.within else Outcome.UNDECIDED

    @property
    def passed(self) -> bool:
        """Whether the measure passes."""
        return self.outcome is Outcome.PASS

    @property
    def failed(self) -> bool:
        """Whether it fails."""
        return self.outcome is Outcome.FAIL

    @property
    def undecided(self) -> bool:
        """Whether the topics are too few to tell."""
        return self.outcome is Outcome.UNDECIDED

    @property
    def won_tied_lost(self) -> tuple[int, int, int]:
        """On how many topics the candidate is better, level, and worse."""
        signs = np.sign(self.changes)
        return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())

    @cached_property
    def broken(self) -> tuple[TopicChange, ...]:
        """The topics that drop by more than `broken_drop`, the worst first."""
        return tuple(self._listed(self._beyond(turned=True)))

    @cached_property
    def improved(self) -> tuple[TopicChange, ...]:
        """The topics that gain by more than `broken_drop`, the best first."""
        return tuple(self._listed(self._beyond(turned=False)))[::-1]

    def dropped(self) -> tuple[TopicChange, ...]:
        """Return the topics that are worse than before, the worst first."""
        return tuple(self._listed(self.changes < 0))

    def every_topic(self) -> tuple[TopicChange, ...]:
        """Return all topics, the worst first."""
        return tuple(self._listed(np.ones(len(self.topics), dtype=bool)))

    def _listed(self, some: BoolArray) -> Iterator[TopicChange]:
        for place in np.argsort(self.changes, kind="stable").tolist():
            if some[place]:
                scores = float(self.baseline[place]), float(self.candidate[place])
                yield TopicChange(self.topics[place], *scores, float(self.changes[place]))

    def _beyond(self, *, turned: bool) -> BoolArray:
        """Return which topics gain, or drop if turned, by more than the limit; at the edge exact values decide."""
        gap = (-self.changes if turned else self.changes) - float(self.broken_drop)
        beyond = np.asarray(gap > self._rounding)
        unsure = np.flatnonzero(np.abs(gap) <= EDGE)
        if self.exactly is None or not len(unsure):
            return beyond
        known = self.exactly()
        for place in unsure.tolist():
            old, new = known[place]
            higher, lower = cast(Any, (old, new) if turned != self.lower_is_better else (new, old))
            beyond[place] = higher > lower + self.broken_drop
        return beyond

    @cached_property
    def topics_if_unchanged(self) -> int | None:
        """How many topics would let a change pass that changes nothing in truth, four times of five.

        With differences that spread as these do. None where no number would, because no drop is allowed, or where the
        t interval is not believed.
        """
        return self._needed(float(self.max_drop))

    @cached_property
    def topics_if_as_observed(self) -> int | None:
        """How many topics would decide, four times of five, if the true difference is the one that was seen.

        None where no number would, because the difference that was seen is the largest drop allowed, or where the t
        interval is not believed.
        """
        return self._needed(self.difference + float(self.max_drop))

    @cached_property
    def decidable_drop(self) -> float | None:
        """The smallest `max_drop` at which so many topics would let a harmless change pass, four times of five."""
        if self.method is not Method.T:
            return None
        try:
            return minimum_detectable_difference(self.spread, len(self.topics), 2 * self.alpha, POWER)
        except ParameterError:  # alpha is larger than anybody wants
            return None

    def _needed(self, difference: float) -> int | None:
        if self.method is not Method.T or abs(difference) <= self._rounding:
            return None
        try:
            # one-sided at alpha is two-sided at twice alpha
            return topics_needed(difference, self.spread, 2 * self.alpha, POWER)
        except ParameterError:  # more than anybody could count
            return None

    def document(self) -> Document:
        """Return what the gate shows of this measure: a sentence, and its row of the table."""
        return Document([measure_sentence(self), measures_table([self])])

    def _main(self) -> TableView:
        return self.document().tables[0]

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON.

        Examples
        --------
        >>> import measurand as md
        >>> result = md.gate({"1": {"d": 1}}, {"1": {"d": 1.0}}, {"1": {"e": 1.0}}, "RR").of("RR").to_dict()
        >>> low, high = result["interval"]
        >>> result["outcome"], result["difference"], [low, round(high, 2)], result["broken"][0]["topic"]
        ('undecided', -1.0, [-1.0, 0.95], '1')
        """
        won, tied, lost = self.won_tied_lost
        found: dict[str, Any] = plain(
            {
                "measure": self.measure,
                "outcome": str(self.outcome),
                "sentence": str(measure_sentence(self)),
                "lower_is_better": self.lower_is_better,
                "topics": len(self.topics),
                "changed": self.changed,
                "baseline": self.means[0],
                "candidate": self.means[1],
                "difference": self.difference,
                "within_on_these_topics": self.within_here,
                "on_these_topics": self.on_these_topics,
                "method": str(self.method),
                "largest_change": self.largest_change,
                "interval": list(self.interval),
                "confidence": 1 - 2 * self.alpha,
                "max_drop": float(self.max_drop),
                "p": self.p,
                "p_corrected": self.p if self.p_corrected is None else self.p_corrected,
                "p_drop": self.p_drop,
                "p_drop_corrected": self.p_drop if self.p_drop_corrected is None else self.p_drop_corrected,
                "fell": self.fell,
                "won": won,
                "tied": tied,
                "lost": lost,
                "broken_drop": float(self.broken_drop),
                "broken": [_record(each) for each in self.broken],
                "improved": len(self.improved),
                "topics_needed": {
                    "if_unchanged": self.topics_if_unchanged,
                    "if_as_observed": self.topics_if_as_observed,
                },
                "decidable_drop": self.decidable_drop,
                "others_could_change": self.could_change if self.same else None,
            }
        )
        return found


def _record(change: TopicChange) -> dict[str, Any]:
    return {
        "topic": change.topic,
        "baseline": change.baseline,
        "candidate": change.candidate,
        "drop": change.drop,
    }


def with_holm(found: Iterable[MeasureGate]) -> tuple[MeasureGate, ...]:
    """Return what was found under each measure with p-values corrected for their number by Holm's method.

    Parameters
    ----------
    found : iterable of MeasureGate
        The measures.
    """
    several = tuple(found)
    both = [corrected(np.array([getattr(each, name) for each in several]), "holm") for name in ("p", "p_drop")]
    return tuple(
        evolve(each, p_corrected=float(too_far), p_drop_corrected=float(at_all))
        for each, too_far, at_all in zip(several, *both, strict=True)
    )
