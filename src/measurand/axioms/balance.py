"""Balance: how top-heavy a measure is, in one number for every run length.

The balancing index is the last rank from which a tail of poor documents outweighs one good document at rank 1. A
curve is the index at growing run lengths. `closed_forms` has formulas for some measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import isinf
from typing import Any

from attrs import frozen

from measurand.axioms import closed_forms
from measurand.axioms.closed_forms import Grade, positive_grade
from measurand.axioms.head_and_tails import Setting, by_places, last_rank, sides
from measurand.calls import explains_calls
from measurand.deprecated import moved
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, valued
from measurand.errors import ParameterError
from measurand.exact import RationalLike, shown, whole_number
from measurand.execution import Progress, silent
from measurand.judged import Relevance
from measurand.measures import Measure, as_measure
from measurand.measures.around import innermost
from measurand.measures.defined import Defined
from measurand.orders import OwnOrder, Relation

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

SHORT_LENGTHS = (2, 3, 4, 5, 6, 8)
"""Run lengths at which moves of one's own are searched for in no time."""

NEAR = Fraction(1, 4)
"""How close to 1 or to `n` an index is called near, as a share of the ranks."""


def extremes(relevance: Relevance) -> tuple[Grade, Grade]:
    """Return the smallest positive and the highest grade of a relevance set: `qmin` and `qmax`.

    Parameters
    ----------
    relevance
        A set of listed grades.

    Examples
    --------
    >>> extremes(Relevance.graded(0, 1, 2, 3)), extremes(Relevance.labelled("nr", "pr", "hr"))
    ((1, 3), (1, 2))
    >>> extremes(Relevance.graded(0, "0.3", 1))
    (Fraction(3, 10), 1)

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
    return positive_grade("qmin", positive[0]), positive_grade("qmax", positive[-1])


@explains_calls
def balancing_index(
    measure: Measure | str | Callable[..., Any] | OwnOrder,
    n: int,
    qmin: RationalLike = 1,
    qmax: RationalLike = 1,
    *,
    recall_base: int | None = None,
) -> int | None:
    r"""Return the last rank from which a full tail is worth at least one document at rank 1.

    .. math:: B(n) = \max \{b : M(q_{\max}, 0, \dots, 0) \le M(0^{b-1}, q_{\min}^{n-b+1})\}

    Where lower is better, it is the other way round: :math:`M(q_{\max}, 0, \dots, 0) \ge \dots`. An index near `n`
    belongs to a measure that counts, an index near 1 to one that rewards the top.
    The answer is None where no tail is enough, not even one that fills the run.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs; or an order of your own, from
        `measurand.orders.from_moves`.
    n
        The length of the runs.
    qmin, qmax
        The smallest positive and the highest grade. They may be any positive numbers, read as written: 0.7, "2/3".
    recall_base
        The number of relevant documents of the topic, `n` by default.

    Examples
    --------
    >>> balancing_index("AP", 20), balancing_index("RBP(p=0.8)", 20), balancing_index("P", 20)
    (15, 7, 20)
    >>> balancing_index("gRBP(p=0.95)", 5, qmax=3), balancing_index("ERR", 5, qmax=3)
    (2, None)

    Grades on a scale from 0 to 1, the smallest being 0.3:

    >>> balancing_index("nDCG", 20, qmin=0.3, qmax=1), balancing_index("gRBP(p=0.8)", 20, qmin=0.3, qmax=1)
    (8, 2)

    Notes
    -----
    Nothing is assumed of the measure: tails are tried from the shortest on, the first that is enough
    answers, and at most `n` are tried. Additive and cascade measures get each tail from the one before in
    one step; others are evaluated anew. All comparisons are exact, but those of powers of 2 of fractions.

    Of grades that are not whole, DCG, nDCG, gP, gR, RBP and gRBP take the grade as gain, Q and INST alike; ERR, nERR
    and gains "exp2" take powers of 2, to 256 binary digits; measures with two grades count a document from their `rel`
    up; a function is given the grades as fractions.

    The index of an order is the last rank from which the tail is at least as good as the head *by the moves*. Every
    measure that respects the moves has an index at least as large; what is beyond is left to the measure.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    setting = Setting.of(n, qmin, qmax, recall_base)
    if isinstance(measure, OwnOrder):
        return index_of_order(measure, setting)
    known = as_measure(measure)
    if not setting.whole:
        known, setting = by_places(known, setting)
    return last_rank(known, setting, sides(known, setting))


def index_of_order(order: OwnOrder, setting: Setting) -> int | None:
    """Return the last rank from which the tail is at least as good as the head in an order of one's own.

    Examples
    --------
    >>> from measurand.orders import from_moves
    >>> def two_for_one(run):
    ...     ones = [place for place, grade in enumerate(run[:-2]) if grade and not any(run[place + 1 :])]
    ...     return [(*run[:place], 0, 1, 1, *run[place + 3 :]) for place in ones]
    >>> index_of_order(from_moves(two_for_one), Setting.of(3))
    2
    """
    head = order.on_whole_grades().run(setting.head)
    grades = order.number_of_grades(order.grades, head)
    reached = (Relation.LESS, Relation.EQUAL)
    tails = ((b, order.run(setting.tail(b))) for b in range(setting.n, 0, -1))
    return next((b for b, tail in tails if order.compared(head, tail, grades).relation in reached), None)


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
    counts_from
        The lowest grade that the measure counts as relevant, where it knows relevant documents and others.
    by_moves
        Whether it is the index of an order of one's own, which bounds that of the measures that respect it.

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
    qmin: Grade = 1
    qmax: Grade = 1
    counts_from: Grade | None = None
    by_moves: bool = False

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
        if self.by_moves:
            return self._bound(n, b)
        if b is None:
            low, high = f"grade {shown(self.qmin)}", f"grade {shown(self.qmax)}"
            if self.counts_from is not None and self.qmin < self.counts_from:
                counts = f"it counts grades from {shown(self.counts_from)} up, and not {low}"
                return f"{self.measure} has no balancing index: {counts}."
            why = f"a full run of {low} is worth less than one document of {high} at rank 1"
            return f"{self.measure} has no balancing index at {n} ranks: {why}."
        if n == 1:
            return f"{self.measure}: a run of 1 rank has no tail; ask for longer runs."
        index = f"at {n} ranks its balancing index is {b}"
        if Fraction(b, n) >= 1 - NEAR:
            return f"{self.measure} is set-like, not top-heavy: {index}, near {n}."
        if Fraction(b, n) <= NEAR:
            return f"{self.measure} is top-heavy: {index}, near 1."
        return f"{self.measure} is between set-like and top-heavy: {index}."

    def _bound(self, n: int, b: int | None) -> str:
        """Return what the moves of an order alone say of a tail."""
        one = f"one document of grade {shown(self.qmax)} on top"
        if b is None:
            tail = f"documents of grade {shown(self.qmin)} from some rank down to rank {n}"
            return f"{self.measure}: no moves lead from {one} of {n} ranks to {tail}, so they set no balancing index."
        tail = f"a tail of grade {shown(self.qmin)} from rank {b} on is at least as good as {one}"
        bound = f"every measure that respects the moves has a balancing index of {b} or more"
        return f"{self.measure}: at {n} ranks {tail}, so {bound}."


def balancing_curve(
    measure: Measure | str | Callable[..., Any] | OwnOrder,
    lengths: Iterable[int] | None = None,
    qmin: RationalLike = 1,
    qmax: RationalLike = 1,
    progress: Progress = silent,
) -> Curve:
    """Return the balancing index of a measure at each of some run lengths.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs; or an order of your own, from
        `measurand.orders.from_moves`.
    lengths
        The run lengths; by default from 5 to 1000, and of an order, where moves are searched for, from 2 to 8.
    qmin, qmax
        The smallest positive and the highest grade.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> balancing_curve("AP", [5, 10, 20]).points
    ((5, 3), (10, 7), (20, 15))
    >>> from measurand.orders import from_moves, replacements, swaps
    >>> both = balancing_curve(from_moves(swaps, replacements, name="both"), [4])
    >>> print(both.reading)  # doctest: +NORMALIZE_WHITESPACE
    both: at 4 ranks a tail of grade 1 from rank 1 on is at least as good as one document of grade 1 on top, so every
    measure that respects the moves has a balancing index of 1 or more.

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1a
    """
    own = isinstance(measure, OwnOrder)
    known = measure if isinstance(measure, OwnOrder) else as_measure(measure)
    name = known.name if isinstance(known, OwnOrder) else repr(known)
    if lengths is None:
        lengths = SHORT_LENGTHS if own else LENGTHS
    run_lengths = [whole_number("a run length", n) for n in lengths]
    if not run_lengths:
        raise ParameterError("a curve needs at least one run length")
    points = tuple((n, balancing_index(known, n, qmin, qmax)) for n in progress(run_lengths, len(run_lengths), name))
    return Curve(name, points, positive_grade("qmin", qmin), positive_grade("qmax", qmax), counts_from(known), own)


def counts_from(measure: Measure | OwnOrder) -> Grade | None:
    """Return the lowest grade that a measure counts as relevant, where it knows relevant documents and others.

    Examples
    --------
    >>> counts_from(as_measure("P(rel=2)")), counts_from(as_measure("gm(AP(rel=0.5))")), counts_from(as_measure("gP"))
    (2, Fraction(1, 2), None)
    """
    if isinstance(measure, OwnOrder) or isinstance(innermost(measure), Defined):
        return None
    return None if measure.graded else innermost(measure).parameters().get("rel", measure.lowest)


__getattr__ = moved(
    __name__,
    {
        name: f"measurand.papers.{name}"
        for name in ("Rejections", "expected_difference", "rejection_rate", "simulated_runs")
    },
)
