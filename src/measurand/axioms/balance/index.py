"""The balancing index: from which rank on a tail of poor documents outweighs one good document on top."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import singledispatch
from itertools import accumulate, repeat
from operator import ge, le
from typing import Any

from measurand.axioms.balance.setting import Setting
from measurand.exact import Exact, InverseLogs
from measurand.intervals.interval_scale import IntervalScaled
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean

Sides = tuple[Exact, Iterator[Exact]]


def balancing_index(
    measure: Measure | str | Callable[..., Any], n: int, qmin: int = 1, qmax: int = 1, *, recall_base: int | None = None
) -> int | None:
    r"""Return the last rank from which a full tail is worth at least one document at rank 1.

    .. math:: B(n) = \max \{b : M(q_{\max}, 0, \dots, 0) \le M(0^{b-1}, q_{\min}^{n-b+1})\}

    Where lower is better, it is the other way round: :math:`M(q_{\max}, 0, \dots, 0) \ge \dots`. An index near `n`
    belongs to a measure that counts, an index near 1 to one that looks at the top.
    The answer is None where no tail is enough, not even one that fills the run.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    n
        The length of the runs.
    qmin, qmax
        The smallest positive and the highest grade.
    recall_base
        The number of relevant documents of the topic, `n` by default.

    Examples
    --------
    >>> balancing_index("AP", 20), balancing_index("RBP(p=0.8)", 20), balancing_index("P", 20)
    (15, 7, 20)
    >>> balancing_index("gRBP(p=0.95)", 5, qmax=3), balancing_index("ERR", 5, qmax=3)
    (2, None)

    Notes
    -----
    Nothing is assumed of the measure: tails are tried from the shortest on, the first that is enough
    answers, and at most `n` are tried. Additive and cascade measures get each tail from the one before in
    one step; others are evaluated anew. All comparisons are exact.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    known = as_measure(measure)
    head, tails = sides(known, Setting.of(n, qmin, qmax, recall_base))
    no_better_than = ge if known.lower_is_better else le
    return next((b for b, tail in zip(range(n, 0, -1), tails, strict=True) if no_better_than(head, tail)), None)


@singledispatch
def sides(measure: Measure, setting: Setting) -> Sides:
    """Return the value of the head, and those of the tails from rank `n`, `n - 1`, … on, as they are asked for.

    All values may lack one positive factor, which no comparison between them notices.

    Examples
    --------
    >>> head, tails = sides(as_measure("AP"), Setting.of(3))
    >>> head, list(tails)
    (Fraction(1, 3), [Fraction(1, 9), Fraction(7, 18), Fraction(1, 1)])
    """

    def value(run: tuple[int, ...]) -> Exact:
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
    top = measure.top_grade(setting.pool)
    low, high = measure.gain_at(setting.qmin, top), measure.gain_at(setting.qmax, top)

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
    top = measure.top_grade(setting.pool)
    low, high = measure.stop(setting.qmin, top), measure.stop(setting.qmax, top)

    def tails() -> Iterator[Fraction]:
        yield from repeat(Fraction(0), setting.n - _seen(measure, setting))
        value = Fraction(0)
        for rank in range(_seen(measure, setting), 0, -1):
            # who does not stop at this rank meets the tail that begins below it
            value = measure.utility(rank) * low + (1 - low) * value
            yield value

    return measure.utility(1) * high, tails()


def _seen(measure: Measure, setting: Setting) -> int:
    """Return how many ranks of a run the measure looks at."""
    return min(setting.n, measure.cutoff or setting.n)
