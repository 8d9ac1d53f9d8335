"""One good document on top against a tail of poor ones: the runs that a balancing index compares, and their values.

`Setting` has the runs, `sides` the values of a measure on them: by definition, and step by step for families in which
each tail follows from the one before. `by_places` makes both of grades that are no whole numbers, such as 0.3 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import singledispatch
from itertools import accumulate, repeat
from operator import ge, le
from typing import Any

from attrs import frozen

from measurand.axioms.closed_forms import Grade, length_and_grades
from measurand.errors import ParameterError
from measurand.exact import Exact, InverseLogs, decimal, whole_number
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import Pool, Relevance
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.around import AroundMeasure, innermost
from measurand.measures.cascade import Cascade
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean

Sides = tuple[Exact, Iterator[Exact]]


@frozen
class Setting:
    r"""The runs that a balancing index compares, all of length `n` and on one topic.

    The *head* is the run :math:`(q_{\max}, 0, \dots, 0)`; the *tail* from rank `b` is the run
    :math:`(0, \dots, 0, q_{\min}, \dots, q_{\min})` with `b - 1` zeros. All relevant documents of the
    topic have the grade `qmax`, which is therefore the highest grade for every measure.

    Examples
    --------
    >>> setting = Setting.of(5, qmax=3)
    >>> setting.head, setting.tail(4), setting.pool.grade_counts
    ((3, 0, 0, 0, 0), (0, 0, 0, 1, 1), (5, 0, 0, 5))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """

    n: int
    qmin: Grade
    qmax: Grade
    recall_base: int

    @classmethod
    def of(cls, n: object, qmin: object = 1, qmax: object = 1, recall_base: object = None) -> Setting:
        """Return the setting for a run length, two grades and a recall base, which is `n` by default."""
        length, low, high = length_and_grades(n, qmin, qmax)
        return cls(length, low, high, length if recall_base is None else whole_number("recall_base", recall_base))

    @property
    def whole(self) -> bool:
        """Whether both grades are whole numbers, as measures take them."""
        return isinstance(self.qmin, int) and isinstance(self.qmax, int)

    @property
    def whole_grades(self) -> tuple[int, int]:
        """Both grades, which are whole numbers."""
        return int(self.qmin), int(self.qmax)

    @property
    def pool(self) -> Pool:
        """The topic: as many nonrelevant documents as there are ranks, and the recall base."""
        top = self.qmax if isinstance(self.qmax, int) else 1
        return Pool((self.n, *(0,) * (top - 1), self.recall_base))

    @property
    def head(self) -> tuple[Grade, ...]:
        """The run with one document of the highest grade, at rank 1."""
        return (self.qmax, *(0,) * (self.n - 1))

    def tail(self, b: int) -> tuple[Grade, ...]:
        """Return the run with documents of the smallest positive grade from rank `b` to the end."""
        return (0,) * (b - 1) + (self.qmin,) * (self.n - b + 1)


def by_places(measure: Measure, setting: Setting) -> tuple[Measure, Setting]:
    """Return a measure and a setting with grades that are no whole numbers replaced by their places.

    A measure with two grades counts a document from its `rel` up, 1 unless another grade was given.

    Parameters
    ----------
    measure
        The measure.
    setting
        The setting, with any grades above 0.

    Examples
    --------
    >>> from measurand.measures import gP
    >>> measure, setting = by_places(gP, Setting.of(10, "0.3", 1))
    >>> setting.tail(8)[-1], measure.worth(1), last_rank(measure, setting, sides(measure, setting))
    (1, Fraction(3, 10), 7)
    """
    rel = innermost(measure).parameters().get("rel")
    if rel is not None and setting.qmax < rel:
        highest = f"the highest is qmax={decimal(setting.qmax)}"
        advice = "multiply both, or take a measure of gains"
        raise ParameterError(f"{measure!r} counts no grade below {decimal(rel)}, but {highest}; {advice}")
    relevance = Relevance.of_values((setting.qmin, setting.qmax))
    low, high = (relevance.grades.index(Fraction(grade)) for grade in (setting.qmin, setting.qmax))
    return _with_rel(measure).on_grades(relevance), Setting(setting.n, low, high, setting.recall_base)


def _with_rel(measure: Measure) -> Measure:
    """Return a measure with its threshold, or that of the measure inside, as one that was given."""
    if isinstance(measure, AroundMeasure):
        return measure.around(_with_rel(measure.measure))
    rel = measure.parameters().get("rel")
    return measure if rel is None else measure(rel=int(rel) if rel == 1 else rel)


@singledispatch
def sides(measure: Measure, setting: Setting) -> Sides:
    """Return the value of the head, and those of the tails from rank `n`, `n - 1`, … on, one after the other.

    All values may lack one positive factor, which no comparison between them notices.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> head, tails = sides(AP, Setting.of(3))
    >>> head, list(tails)
    (Fraction(1, 3), [Fraction(1, 9), Fraction(7, 18), Fraction(1, 1)])
    """

    def value(run: tuple[Any, ...]) -> Exact:
        return measure.exact(measure.view(run), setting.pool)

    return value(setting.head), (value(setting.tail(b)) for b in range(setting.n, 0, -1))


by_definition = sides.dispatch(Measure)


@sides.register(GeometricMean)
def _inner(measure: GeometricMean, setting: Setting) -> Sides:
    return sides(measure.measure, setting)


@sides.register(IntervalScaled)
def _scaled(measure: IntervalScaled, setting: Setting) -> Sides:
    return sides(measure.ordering, setting)


@sides.register(Additive)
def _additive(measure: Additive, setting: Setting) -> Sides:
    if not measure.is_defined_by(Additive):
        return by_definition(measure, setting)
    if measure.scaling(setting.pool, _seen(measure, setting)) == 0:
        return Fraction(0), repeat(Fraction(0), setting.n)
    top, (low, high) = measure.top_grade(setting.pool), setting.whole_grades
    return additive_sides(measure, setting, measure.gain_at(low, top), measure.gain_at(high, top))


def additive_sides(measure: Additive, setting: Setting, low: Fraction, high: Fraction) -> Sides:
    """Return the sides of an additive measure for which the two grades are worth so much.

    Examples
    --------
    >>> from measurand.measures import gP
    >>> head, tails = additive_sides(gP, Setting.of(2), Fraction(1, 2), Fraction(1))
    >>> head, list(tails)
    (Fraction(1, 1), [Fraction(1, 2), Fraction(1, 1)])
    """

    def weights() -> Iterator[Fraction | InverseLogs]:
        yield from repeat(Fraction(0), setting.n - _seen(measure, setting))
        yield from (measure.weight(rank) * low for rank in range(_seen(measure, setting), 0, -1))

    return measure.weight(1) * high, accumulate(weights())


@sides.register(Cascade)
def _cascade(measure: Cascade, setting: Setting) -> Sides:
    normalised = isinstance(measure, NormalisedExpectedReciprocalRank)
    if not measure.is_defined_by(NormalisedExpectedReciprocalRank if normalised else Cascade):
        return by_definition(measure, setting)
    # what normalises is a divisor that depends on the topic alone
    top, (low, high) = measure.top_grade(setting.pool), setting.whole_grades
    head, tails = cascade_sides(measure, setting, measure.stop(low, top), measure.stop(high, top))
    return measure.rounded(head), map(measure.rounded, tails)


def cascade_sides(
    measure: Cascade, setting: Setting, low: Fraction, high: Fraction
) -> tuple[Fraction, Iterator[Fraction]]:
    """Return the sides of a cascade measure whose reader stops at the two grades with these probabilities.

    Examples
    --------
    >>> from measurand.measures import ERR
    >>> head, tails = cascade_sides(ERR, Setting.of(2), Fraction(1, 2), Fraction(1, 2))
    >>> head, list(tails)
    (Fraction(1, 2), [Fraction(1, 4), Fraction(5, 8)])
    """

    def tails() -> Iterator[Fraction]:
        yield from repeat(Fraction(0), setting.n - _seen(measure, setting))
        value = Fraction(0)
        for rank in range(_seen(measure, setting), 0, -1):
            # who does not stop at this rank meets the tail that begins below it
            value = measure.utility(rank) * low + (1 - low) * value
            yield value

    return measure.utility(1) * high, tails()


def _seen(measure: Measure, setting: Setting) -> int:
    """Return the number of ranks of a run that count."""
    return min(setting.n, measure.cutoff or setting.n)


def last_rank(measure: Measure, setting: Setting, both: Sides) -> int | None:
    """Return the last rank from which the tail is worth at least the head, the shortest tails tried first.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> last_rank(AP, Setting.of(3), sides(AP, Setting.of(3)))
    2
    """
    head, tails = both
    no_better_than = ge if measure.lower_is_better else le
    ranks = zip(range(setting.n, 0, -1), tails, strict=True)
    return next((b for b, tail in ranks if no_better_than(head, tail)), None)
