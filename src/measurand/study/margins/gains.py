"""The margin of gains: how differently the steps between grades would have to be worth for a conclusion to fall."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise, product
from math import inf, isinf
from typing import Any, cast

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.exact import decimal
from measurand.judged import JudgedRuns, Relevance
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.browsing import BrowsingGains
from measurand.measures.cascade import Cascade
from measurand.measures.defined import Defined
from measurand.measures.expected_reciprocal_rank import ExpectedReciprocalRank, NormalisedExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.inst import Inst
from measurand.measures.parameters import Gain, check_gain, gain_of, read_gain
from measurand.measures.q_measure import QMeasure
from measurand.measures.rank_biased_precision import GradedRankBiasedPrecision, RankBiasedPrecision
from measurand.study.margins.margin import UNTRUE, How, Margin, Number
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.scale import times
from measurand.study.margins.steps import (
    ENUMERATED,
    Stretch,
    first_that_overturns,
    order_ratio,
    smallest_stretch,
    stretch_by_trial,
)
from measurand.study.margins.student import critical_sum
from measurand.study.margins.weights import LIKE_T

MOST_CUTS = 16
"""Of many grades, those below so many different ones are stretched together."""

MOST_SHOWN = 12
"""The gains of more grades than this are not listed in a sentence."""

ALL_CHOICES = 5
"""With so many steps or fewer, a search stretches all choices of them."""


@frozen(eq=False)
class OtherGains:
    """Other gains of the grades, under which a conclusion falls.

    Parameters
    ----------
    gains : tuple of Fraction
        What each grade is worth, from grade 0 on. The highest grade is worth what it was.
    before : tuple of Fraction
        What each was worth.
    """

    gains: tuple[Fraction, ...]
    before: tuple[Fraction, ...]

    @property
    def ratio(self) -> Fraction:
        """The largest factor by which a step between two grades is stretched over the smallest.

        Examples
        --------
        >>> OtherGains((Fraction(0), Fraction(1, 2), Fraction(2)), (Fraction(0), Fraction(1), Fraction(2))).ratio
        Fraction(3, 1)
        """
        steps = zip(pairwise(self.gains), pairwise(self.before), strict=True)
        factors = [(high - low) / (top - bottom) for (low, high), (bottom, top) in steps if top > bottom]
        return max(factors) / min(factors)

    def apply(self, pair: ComparedPair) -> FloatArray:
        """Return the goodness of two systems with these gains: 2 × topics, higher is better.

        Parameters
        ----------
        pair
            The systems.
        """
        return _valued(pair, self.gains)[0]

    def overturns(self, pair: ComparedPair) -> bool:
        """Return whether a claim is untrue with these gains, decided exactly where values are exact.

        Parameters
        ----------
        pair
            The systems, and what is claimed of them.
        """
        goodness, exact = _valued(pair, self.gains)
        return pair.overturned(goodness) if exact is None else pair.overturned_exactly(*exact)


@frozen(kw_only=True, eq=False, repr=False)
class GainsMargin(Margin):
    """How many times as much some steps between grades must be worth as others for a conclusion to fall.

    Parameters
    ----------
    value, how, sentence, certificate, at_least
        As every margin has them; the certificate is `OtherGains`.
    before : tuple of Fraction
        The gain of each grade, from 0 on; empty where the margin does not apply.
    """

    before: tuple[Fraction, ...] = ()

    @property
    def gains(self) -> tuple[Fraction, ...] | None:
        """Gains of the grades under which the conclusion falls; None where none are known."""
        return None if self.certificate is None else cast(OtherGains, self.certificate).gains

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON."""
        gains = None if self.gains is None else [float(gain) for gain in self.gains]
        return {**Margin.to_dict(self), "gains": gains, "before": [float(gain) for gain in self.before]}


@frozen(kw_only=True, repr=False)
class StoppingByGain(ExpectedReciprocalRank):
    """Expected reciprocal rank with a probability of stopping for each grade.

    Parameters
    ----------
    gain
        A mapping from grades to probabilities.
    """

    gain: Gain = field(default="linear", converter=read_gain, validator=check_gain)

    def stop(self, grade: int, top: int) -> Fraction:  # noqa: ARG002 - the family's signature
        """Return the probability of stopping at a document of a grade."""
        return gain_of(self.gain, grade)


@frozen(kw_only=True, repr=False)
class NormalisedStoppingByGain(NormalisedExpectedReciprocalRank):
    """The same as a share of the ideal ranking.

    Parameters
    ----------
    gain
        A mapping from grades to probabilities.
    """

    gain: Gain = field(default="linear", converter=read_gain, validator=check_gain)

    def stop(self, grade: int, top: int) -> Fraction:  # noqa: ARG002 - the family's signature
        """Return the probability of stopping at a document of a grade."""
        return gain_of(self.gain, grade)


def gains_of(measure: Measure, judged: JudgedRuns) -> tuple[Fraction, ...] | None:
    """Return what a measure takes each grade of judged runs to be worth, from grade 0 on; None where it has no gains.

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs.

    Examples
    --------
    >>> from measurand.measures import DCG, ERR, AP
    >>> judged = JudgedRuns.on_one_topic([(2, 0)], (5, 2, 1))
    >>> [None if gains is None else [float(gain) for gain in gains] for gains in
    ...  (gains_of(measure, judged) for measure in (DCG(gain="exp2"), ERR, AP))]
    [[0.0, 1.0, 3.0], [0.0, 0.25, 0.75], None]
    """
    if isinstance(measure, GeometricMean):
        return gains_of(measure.measure, judged)
    if not measure.weighs_grades or not judged.pools:
        return None
    top = max(map(measure.top_grade, judged.pools))
    if isinstance(measure, Additive):
        return tuple(measure.gain_at(grade, top) for grade in range(top + 1))
    if isinstance(measure, Cascade):
        return tuple(measure.stop(grade, top) for grade in range(top + 1))
    if isinstance(measure, BrowsingGains):
        return tuple(measure.gain_at(grade, top) for grade in range(top + 1))
    return tuple(map(Fraction, measure.worths(top))) if isinstance(measure, QMeasure | Inst) else None


def regained(measure: Measure, judged: JudgedRuns, gains: Sequence[Fraction]) -> tuple[Measure, JudgedRuns] | None:
    """Return a measure that takes grades to be worth other gains, and the judged runs to use it on; None if none does.

    Measures that take grades for gains (Q, INST) are used on runs whose grades are the gains.

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs.
    gains
        What each grade is worth, from grade 0 on.

    Examples
    --------
    >>> from measurand.measures import RBP
    >>> judged = JudgedRuns.on_one_topic([(2, 0)], (5, 2, 1))
    >>> regained(RBP, judged, [Fraction(0), Fraction(1, 4), Fraction(1)])[0]
    gRBP(p=0.8, gain={1: 0.25, 2: 1})
    """
    if isinstance(measure, GeometricMean):
        inner = regained(measure.measure, judged, gains)
        return None if inner is None else (measure(inner[0]), inner[1])
    if type(measure) in (QMeasure, Inst):
        return _with_grades(measure, judged, gains)
    # gains by the numbers that stand in the runs, whatever these are the codes of
    plain, given = evolve(judged, relevance=None), measure.parameters()
    if given.get("gmax") is not None:
        given["gmax"] = measure.highest_grade
    given["gain"] = {grade: gain for grade, gain in enumerate(gains) if grade}
    if "gain" in measure.parameters():
        return measure.on_grades(None)(**given), plain
    if type(measure) is RankBiasedPrecision and measure.rel is None:
        given.pop("rel")
        return GradedRankBiasedPrecision(**given), plain
    if type(measure) is ExpectedReciprocalRank:
        return StoppingByGain(**given), plain
    if type(measure) is NormalisedExpectedReciprocalRank:
        return NormalisedStoppingByGain(**given), plain
    return None


def _with_grades(measure: Measure, judged: JudgedRuns, gains: Sequence[Fraction]) -> tuple[Measure, JudgedRuns]:
    """Return a measure that takes grades for gains, and judged runs with other grades in the place of theirs."""
    other, changes = Relevance.of_values(gains), {"gmax": gains[-1]}
    if "rel" in measure.parameters():
        # the same documents stay relevant; beyond the highest grade there are none
        changes["rel"] = gains[measure.lowest] if measure.lowest < len(gains) else gains[-1] + 1
    return measure.on_grades(None)(**changes).on_grades(other), evolve(judged, relevance=other)


Exactly = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def _valued(pair: ComparedPair, gains: Sequence[Fraction]) -> tuple[FloatArray, Exactly | None]:
    """Return the goodness of two systems with other gains, as floats and where they are rational exactly."""
    measure, judged = cast("tuple[Measure, JudgedRuns]", regained(pair.measure, pair.judged, gains))
    other = evolve(pair, measure=measure, judged=judged, scores=measure.scores(judged))
    return other.goodness, other.exact


def _quickly(pair: ComparedPair, gains: Sequence[Fraction]) -> FloatArray:
    """Return the goodness of two systems with other gains up to rounding."""
    measure, judged = cast("tuple[Measure, JudgedRuns]", regained(pair.measure, pair.judged, gains))
    if judged.groups is not None:
        return measure.scores(judged).goodness
    values = measure.fast(judged.condensed if measure.judged_only else judged).reshape(2, -1)
    return 0.0 - values if measure.lower_is_better else values


@frozen(eq=False)
class _Steps:
    """The steps between grades that occur, as a measure values them.

    Parameters
    ----------
    gains
        The gain of each grade.
    step_of
        For each grade but 0 which step it belongs to: those of grades that do not occur go with the next that does.
    number
        How many steps are worth something.
    """

    gains: tuple[Fraction, ...]
    step_of: tuple[int, ...]
    number: int

    def stretched(self, chosen: Sequence[bool], ratio: Number) -> OtherGains:
        """Return the gains where some steps are worth so many times as much."""
        factors = [Fraction(ratio) if chosen[step] else Fraction(1) for step in self.step_of]
        rises = [(high - low) * factor for (low, high), factor in zip(pairwise(self.gains), factors, strict=True)]
        raised = list(accumulate(rises, initial=Fraction(0)))
        whole = self.gains[-1] / raised[-1]
        return OtherGains(tuple(gain * whole for gain in raised), self.gains)


def _steps(pair: ComparedPair) -> _Steps | str:
    """Return the steps between the gains of grades, or why there are none that could be worth more or less."""
    name = repr(pair.measure)
    gains = gains_of(pair.measure, pair.judged)
    if not pair.measure.weighs_grades and not isinstance(pair.measure, Defined):
        order = f"{name} depends on the order of grades alone"
        return order if pair.measure.graded else f"{name} has a single step: relevant or not"
    if gains is not None and any(high < low for low, high in pairwise(gains)):
        return f"the gains of {name} fall with the grade"
    if gains is None or regained(pair.measure, pair.judged, gains) is None:
        return f"{name} has no gains that can be changed"
    occurring = [grade for grade in range(1, len(gains)) if (pair.judged.grade_counts[:, grade : grade + 1] > 0).any()]
    kept: list[int] = []
    for grade in occurring:
        # a step that is worth nothing stays so
        if gains[grade] > gains[kept[-1] if kept else 0]:
            kept.append(grade)
    if len(kept) < 2:
        return f"there is a single step between the gains of {name} here"
    step_of = tuple(min(sum(last < grade for last in kept), len(kept) - 1) for grade in range(1, len(gains)))
    return _Steps(gains, step_of, len(kept))


def gains_margin(pair: ComparedPair) -> GainsMargin:
    r"""Return how many times as much some steps between grades must be worth as others for a conclusion to fall.

    With gains :math:`g_1 \le g_2 \le \dots` of the grades, an additive measure is a sum over the steps
    :math:`g_k - g_{k-1}` of their size times the discounted documents of grade k and above. So the margin of the order
    is a closed form, and that of Student's t test is found by trying all choices of steps. For other measures that
    weigh grades (nDCG, ERR, Q, INST) it is searched.

    Parameters
    ----------
    pair
        Two systems, and what is claimed of them.

    Examples
    --------
    a has a document of grade 2 at rank 1, b two of grade 1 at ranks 1 and 2, to the same depth:

    >>> from measurand.study.margins.pair import compared_pair
    >>> judged = JudgedRuns.on_one_topic([(2, 0), (1, 1)], (5, 2, 1))
    >>> found = gains_margin(compared_pair(judged, "RBP(p=0.5)", "s0", "s1"))
    >>> found.value, found.gains, found.before
    (Fraction(2, 1), (Fraction(0, 1), Fraction(2, 3), Fraction(1, 1)), (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1)))
    >>> print(found)
    holds unless some steps between grades are worth 2.0 times as much as others (gains 0.67, 1 for grades 1, 2)
    """
    steps = _steps(pair)
    if isinstance(steps, str):
        return GainsMargin(value=None, how=How.NONE, sentence=f"does not apply: {steps}")
    if not pair.holds:
        return GainsMargin(value=1, how=How.EXACT, sentence=UNTRUE, at_least=1)
    masses = _masses(pair, steps)
    if masses is not None and pair.claim is Claimed.ORDER:
        totals = [sum(line) for line in masses]
        return _margin(pair, steps, order_ratio(totals), [total < 0 for total in totals], exact=True)
    if masses is not None and pair.test in LIKE_T:
        parts = np.array([[float(each) for each in line] for line in masses]).T
        found = smallest_stretch(parts, critical_sum(len(pair.topics), pair.alpha))
        return _margin(pair, steps, found.ratio, found.stretched.tolist(), exact=found.complete)
    found = _searched(pair, steps, exactly=False)
    margin = _margin(pair, steps, found.ratio, found.stretched.tolist(), exact=False)
    if margin.certificate is not None or isinf(found.ratio):
        return margin
    # rounding decided a tie
    found = _searched(pair, steps, exactly=True)
    return _margin(pair, steps, found.ratio, found.stretched.tolist(), exact=False)


def _masses(pair: ComparedPair, steps: _Steps) -> list[list[Any]] | None:
    """Return what each step adds to the difference of each topic under an additive measure; None for other measures.

    A measure whose divisor depends on the gains, as that of nDCG does, is no such measure; neither is the extreme over
    the orders of ties.
    """
    if not isinstance(pair.measure, Additive) or pair.measure.needs_grade_counts:
        return None
    highest, found = steps.gains[-1], []
    for step in range(steps.number):
        own = [high - low if steps.step_of[place] == step else Fraction(0) for place, (low, high) in _places(steps)]
        size = sum(own)
        reached = tuple(gain / size * highest for gain in accumulate(own, initial=Fraction(0)))
        goodness, exact = _valued(pair, reached)
        first, second = (goodness[0].tolist(), goodness[1].tolist()) if exact is None else exact
        share = size / highest if exact is not None else float(size / highest)
        found.append([share * (one - other) for one, other in zip(first, second, strict=True)])
    together = np.array([sum(map(float, each)) for each in zip(*found, strict=True)])
    return found if np.abs(together - pair.differences).max() <= 1e-9 * (1 + np.abs(pair.differences).max()) else None


def _places(steps: _Steps) -> list[tuple[int, tuple[Fraction, Fraction]]]:
    return list(enumerate(pairwise(steps.gains)))


def _searched(pair: ComparedPair, steps: _Steps, *, exactly: bool) -> Stretch:
    """Return the smallest stretch of steps that a search finds; with `exactly`, equal values are equal floats."""
    number = steps.number
    if number <= ALL_CHOICES:
        choices = [np.array(each) for each in product([False, True], repeat=number) if 0 < sum(each) < number]
    else:
        cuts = np.unique(np.linspace(1, number - 1, min(number - 1, MOST_CUTS)).astype(int))
        below = np.tri(number, k=-1, dtype=bool)[cuts]
        choices = [*below, *~below, *np.eye(min(number, ENUMERATED), number, dtype=bool)]

    def overturned(chosen: BoolArray, ratio: float) -> bool:
        gains = steps.stretched(chosen.tolist(), ratio)
        return pair.overturned(gains.apply(pair) if exactly else _quickly(pair, gains.gains))

    return stretch_by_trial(choices, overturned, inf)


def _margin(pair: ComparedPair, steps: _Steps, ratio: Number, chosen: Sequence[bool], *, exact: bool) -> GainsMargin:
    """Return the margin with gains that were applied; what cannot be confirmed is not called exact."""
    how, gains = How.EXACT if exact else How.FOUND, None
    if not isinf(ratio):
        gains = _confirmed(pair, steps, ratio, chosen)
        how = how if gains is not None else How.FOUND
    verb = "holds" if pair.claim is Claimed.ORDER else "stays significant"
    if isinf(ratio):
        sentence = f"{verb} whatever the gains of the grades" if exact else "no gains were found that overturn it"
    else:
        worth = f"some steps between grades are worth {times(ratio)} times as much as others"
        sentence = f"{verb} unless {worth}" if how is How.EXACT else f"is overturned if {worth}"
        sentence += _shown(gains, pair)
    at_least = ratio if how is How.EXACT else 1
    return GainsMargin(
        value=ratio, how=how, sentence=sentence, certificate=gains, at_least=at_least, before=steps.gains
    )


def _confirmed(pair: ComparedPair, steps: _Steps, ratio: Number, chosen: Sequence[bool]) -> OtherGains | None:
    """Return gains that overturn a claim, if some do."""
    return first_that_overturns(partial(steps.stretched, chosen), ratio, lambda gains: gains.overturns(pair))


def _shown(gains: OtherGains | None, pair: ComparedPair) -> str:
    if gains is None or len(gains.gains) > MOST_SHOWN:
        return ""
    worth = ", ".join(f"{float(gain):.2g}" for gain in gains.gains[1:])
    declared = pair.measure.relevance or pair.judged.relevance
    named = range(len(gains.gains)) if declared is None else map(decimal, declared.grades)
    return f" (gains {worth} for grades {', '.join(map(str, list(named)[1 : len(gains.gains)]))})"
