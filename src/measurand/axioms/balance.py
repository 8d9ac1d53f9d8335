"""Balance: how top-heavy a measure is, in one number for every run length.

The balancing index is the last rank from which a tail of poor documents outweighs one good document at rank 1. A
curve is the index at growing run lengths. `closed_forms` has formulas for some measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import singledispatch
from itertools import accumulate, repeat
from math import isinf
from operator import ge, le
from typing import Any

from attrs import frozen

from measurand.axioms import closed_forms
from measurand.axioms.closed_forms import length_and_grades
from measurand.calls import explains_calls
from measurand.deprecated import moved
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, valued
from measurand.errors import ParameterError
from measurand.exact import Exact, InverseLogs, whole_number
from measurand.execution import Progress, silent
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import Pool, Relevance
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean

__all__ = [
    "FIGURE_1A",
    "LENGTHS",
    "Curve",
    "balancing_curve",
    "balancing_index",
    "closed_forms",
    "extremes",
]

FIGURE_1A = (
    "AP",
    "nDCG(b=2)",
    "nDCG(b=10)",
    "ERR",
    "RBP(p=0.5)",
    "RBP(p=0.8)",
    "RBP(p=0.95)",
    "P",
    "RR",
)
"""The measures of the paper's Figure 1a, with the two that mark its ends."""

LENGTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
"""Run lengths that show where a curve goes."""

NEAR = Fraction(1, 4)
"""How close to 1 or to `n` an index is called near, as a share of the ranks."""


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
    qmin: int
    qmax: int
    recall_base: int

    @classmethod
    def of(cls, n: object, qmin: object = 1, qmax: object = 1, recall_base: object = None) -> Setting:
        """Return the setting for a run length, two grades and a recall base, which is `n` by default."""
        length, low, high = length_and_grades(n, qmin, qmax)
        return cls(length, low, high, length if recall_base is None else whole_number("recall_base", recall_base))

    @property
    def pool(self) -> Pool:
        """The topic: as many nonrelevant documents as there are ranks, and the recall base."""
        return Pool((self.n, *(0,) * (self.qmax - 1), self.recall_base))

    @property
    def head(self) -> tuple[int, ...]:
        """The run with one document of the highest grade, at rank 1."""
        return (self.qmax, *(0,) * (self.n - 1))

    def tail(self, b: int) -> tuple[int, ...]:
        """Return the run with documents of the smallest positive grade from rank `b` to the end."""
        return (0,) * (b - 1) + (self.qmin,) * (self.n - b + 1)


def extremes(relevance: Relevance) -> tuple[int, int]:
    """Return the smallest positive and the highest grade of a relevance set: `qmin` and `qmax`.

    Parameters
    ----------
    relevance
        A set of listed whole grades.

    Examples
    --------
    >>> extremes(Relevance.graded(0, 1, 2, 3)), extremes(Relevance.labelled("nr", "pr", "hr"))
    ((1, 3), (1, 2))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    positive = relevance.grades[1:]
    if not positive:
        lacks = ["no smallest positive grade"] + ["no highest grade"] * isinf(relevance.upper)
        raise ParameterError(
            f"this relevance set has {' and '.join(lacks)}, so nothing can be balanced on it; list the grades"
        )
    if any(grade.denominator > 1 for grade in positive):
        raise ParameterError("balance needs whole grades; number them 0, 1, 2, … in their order")
    return int(positive[0]), int(positive[-1])


Sides = tuple[Exact, Iterator[Exact]]


@explains_calls
def balancing_index(
    measure: Measure | str | Callable[..., Any], n: int, qmin: int = 1, qmax: int = 1, *, recall_base: int | None = None
) -> int | None:
    r"""Return the last rank from which a full tail is worth at least one document at rank 1.

    .. math:: B(n) = \max \{b : M(q_{\max}, 0, \dots, 0) \le M(0^{b-1}, q_{\min}^{n-b+1})\}

    Where lower is better, it is the other way round: :math:`M(q_{\max}, 0, \dots, 0) \ge \dots`. An index near `n`
    belongs to a measure that counts, an index near 1 to one that rewards the top.
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
    """Return the value of the head, and those of the tails from rank `n`, `n - 1`, … on, one after the other.

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
    """Return the number of ranks of a run that count."""
    return min(setting.n, measure.cutoff or setting.n)


@frozen(repr=False)
class Curve(Result):
    """The balancing index of a measure at some run lengths.

    Parameters
    ----------
    measure
        The spelling of the measure.
    points
        Pairs of a run length and the index there, None where no tail is enough.
    qmin, qmax
        The smallest positive and the highest grade.

    Examples
    --------
    >>> curve = balancing_curve("RBP(p=0.8)", [10, 1000])
    >>> curve.points, curve.share
    (((10, 6), (1000, 8)), (Fraction(3, 5), Fraction(1, 125)))
    >>> curve.reading
    'RBP(p=0.8) is top-heavy: at 1000 ranks its balancing index is 8, near 1.'

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """

    measure: str
    points: tuple[tuple[int, int | None], ...]
    qmin: int = 1
    qmax: int = 1

    def document(self) -> Document:
        """Return the index at every run length, and how to read it."""
        columns = [valued("ranks", 0), valued("balancing index", 1)]
        return Document([TableView(columns, self.points, title=self.measure), self.reading])

    def __repr__(self) -> str:
        return f"<Curve: {self.reading}>"

    @property
    def share(self) -> tuple[Fraction | None, ...]:
        """The index as a share of the run length, point by point."""
        return tuple(None if b is None else Fraction(b, n) for n, b in self.points)

    @property
    def reading(self) -> str:
        """Whether the measure is top-heavy at the longest run length, in one sentence."""
        n, b = max(self.points, key=lambda point: point[0])
        if b is None:
            return (
                f"{self.measure} is top-heavy: at {n} ranks not even a run full of grade {self.qmin} is worth"
                f" one document of grade {self.qmax} at rank 1."
            )
        if n == 1:
            return f"{self.measure}: a run of 1 rank has no tail; ask for longer runs."
        index = f"at {n} ranks its balancing index is {b}"
        if Fraction(b, n) >= 1 - NEAR:
            return f"{self.measure} is set-like, not top-heavy: {index}, near {n}."
        if Fraction(b, n) <= NEAR:
            return f"{self.measure} is top-heavy: {index}, near 1."
        return f"{self.measure} is between set-like and top-heavy: {index}."


def balancing_curve(
    measure: Measure | str,
    lengths: Iterable[int] = LENGTHS,
    qmin: int = 1,
    qmax: int = 1,
    progress: Progress = silent,
) -> Curve:
    """Return the balancing index of a measure at each of some run lengths.

    Parameters
    ----------
    measure
        A measure, or its spelling.
    lengths
        The run lengths.
    qmin, qmax
        The smallest positive and the highest grade.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> balancing_curve("AP", [5, 10, 20]).points
    ((5, 3), (10, 7), (20, 15))

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1a
    """
    measure = as_measure(measure)
    run_lengths = [whole_number("a run length", n) for n in lengths]
    if not run_lengths:
        raise ParameterError("a curve needs at least one run length")
    points = tuple(
        (n, balancing_index(measure, n, qmin, qmax)) for n in progress(run_lengths, len(run_lengths), repr(measure))
    )
    return Curve(repr(measure), points, qmin, qmax)


__getattr__ = moved(
    __name__,
    {
        name: f"measurand.papers.{name}"
        for name in ("Rejections", "expected_difference", "rejection_rate", "simulated_runs")
    },
)
