"""Joins and meets of judged runs, topic by topic: the least run at least as good as all, the best at most as good.

Several runs stand for one topic: those of several systems, or that of one system as several assessors judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.axioms.families import proofs
from measurand.display.result import Result, briefly
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.judged import NOTHING, JudgedRuns, Relevance
from measurand.judged.grades import cell_type, grade_of
from measurand.lattice import CompletionElement, RunLattice
from measurand.lattice.algebra import Algebra
from measurand.lattice.algebra.base import Run, is_set
from measurand.lattice.valuation.deciding import argument
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.defined import Defined
from measurand.measures.space import Space
from measurand.orders.many_runs import counts_down_to
from measurand.scale import Scale

LOOKED_AT = 1 << 14
"""Whether a measure keeps an order is looked up on so many runs at most …"""

DEPTH = 10
"""… of so many ranks."""

ROUNDING = 1e-9
"""Values that differ by less, relative to them, may be equal."""


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class BoundRuns(Result):
    """The joins, or the meets, of several judged runs on each topic.

    Parameters
    ----------
    name : str
        "join" or "meet".
    algebra : Algebra
        The order, the depth and the grades.
    systems, topics : tuple of str
        What they are joins of, and on which topics.
    counts : array of int
        Systems × topics × grades from 1 × ranks: how many documents of the grade or more there are down to the rank.
    is_run : array of bool
        Systems × topics: whether a run has these counts.
    cells : array of int
        Systems × topics × ranks: the grades of the run; of no meaning where there is none.
    grade_counts : array of int
        How many judged documents of each grade each topic has.
    grade_scale : Scale
        The scale that the grades are on.
    relevance : Relevance, optional
        The grades that the numbers of the runs stand for, where these are no whole numbers.

    Examples
    --------
    >>> cells = np.array([[[[0, 2]]], [[[1, 0]]]], dtype=np.int8)
    >>> from measurand.lattice.algebra import algebra_of
    >>> join, meet = join_and_meet(cells, algebra_of("swap", 2, 3), ("all",), ("t",), np.array([[5, 2, 1]]))
    >>> join.element("t").above, meet.run("t")
    (((1, 2), (2, 0)), (0, 1))
    """

    name: str
    algebra: Algebra
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    counts: IntArray
    is_run: BoolArray
    cells: Cells
    grade_counts: IntArray
    grade_scale: Scale = Scale.ORDINAL
    relevance: Relevance | None = None

    def __repr__(self) -> str:
        runs = f"{int(self.is_run.sum())} of {self.is_run.size} are runs"
        return f"<BoundRuns: {self.name}s in the order {self.algebra.order!r}; {runs}>"

    def _place(self, topic: str, system: str | None) -> tuple[int, int]:
        if topic not in self.topics:
            raise ParameterError(f"there is no topic {topic!r}; there is {', '.join(self.topics[:8])}")
        if system is None and len(self.systems) > 1:
            raise ParameterError(f"say of which system: {', '.join(self.systems[:8])}")
        if system is not None and system not in self.systems:
            raise ParameterError(f"there is no system {system!r}; there is {', '.join(self.systems[:8])}")
        return 0 if system is None else self.systems.index(system), self.topics.index(topic)

    def run(self, topic: str, system: str | None = None) -> tuple[int | Fraction, ...] | None:
        """Return the run on a topic; None where no run is the join or the meet.

        Parameters
        ----------
        topic : str
            The name of a topic.
        system : str, optional
            The name of a system, where there are several.
        """
        place = self._place(topic, system)
        if not self.is_run[place]:
            return None
        return tuple(grade_of(cell, self.relevance) for cell in self.cells[place].tolist())

    def element(self, topic: str, system: str | None = None) -> CompletionElement:
        """Return the join or the meet on a topic as an element of the completion of the order.

        Parameters
        ----------
        topic : str
            The name of a topic.
        system : str, optional
            The name of a system, where there are several.
        """
        place = self._place(topic, system)
        counts = tuple(map(tuple, self.counts[place].tolist()))
        run = tuple(self.cells[place].tolist()) if self.is_run[place] else None
        return CompletionElement(self.algebra, counts, run)

    @cached_property
    def judged(self) -> JudgedRuns:
        """The runs as judged runs, if every topic has one; else `NotAvailable` is raised."""
        if not self.is_run.all():
            missing = int((~self.is_run).sum())
            raise NotAvailable(
                f"{missing} of {self.is_run.size} {self.name}s are no runs, but stand between runs of the order"
                f" {self.algebra.order!r}; ask for .element(topic), or for values under a measure"
            )
        return self._as_judged(self.cells)

    def _as_judged(self, cells: Cells) -> JudgedRuns:
        return JudgedRuns(
            systems=self.systems,
            topics=self.topics,
            cells=np.array(cells, dtype=cell_type(self.algebra.grades - 1)),
            lengths=np.full(cells.shape[:2], cells.shape[2], dtype=np.int64),
            grade_counts=self.grade_counts,
            grade_scale=self.grade_scale,
            relevance=self.relevance,
        )

    def values(self, measure: Measure) -> FloatArray:
        r"""Return the values under a measure, systems × topics; not a number where there is no run and no value.

        Where there is no run, a valuation has a value: :math:`v(S^1) + \sum_{g > 1} [v(g S^g) - v((g - 1) S^g)]`,
        with :math:`S^g` the ranks where the number of documents of grade g or more rises.

        Parameters
        ----------
        measure : Measure
            The measure.
        """
        values = np.array(measure.scores(self._as_judged(self.cells)).values)
        values[self.beyond_topic(measure)] = np.nan
        if self.is_run.all():
            return values
        space = Space(depth=self.algebra.depth, grades=self.algebra.grades)
        between = np.full_like(values, np.nan)
        if argument(measure, self.algebra, space) is not None:
            rises = np.diff(self.counts, axis=-1, prepend=0)
            layers = [(1, 1, rises[:, :, 0])]
            for grade in range(2, self.algebra.grades):
                layers += [(1, grade, rises[:, :, grade - 1]), (-1, grade - 1, rises[:, :, grade - 1])]
            between = sum(
                (sign * measure.scores(self._as_judged(grade * rise)).values for sign, grade, rise in layers),
                np.zeros_like(values),
            )
        return np.where(self.is_run | self.beyond_topic(measure), values, between)

    def beyond_topic(self, measure: Measure) -> BoolArray:
        """Return where a measure that depends on what there is to be found would see more of it than there is.

        A join in the order "replacement" may hold the relevant documents of several systems at once, each at its rank.

        Parameters
        ----------
        measure : Measure
            The measure.

        Examples
        --------
        >>> from measurand.lattice.algebra import algebra_of
        >>> from measurand.measures import AP, P
        >>> cells = np.array([[[[1, 0]]], [[[0, 1]]]], dtype=np.int8)
        >>> join, _ = join_and_meet(cells, algebra_of("replacement", 2, 2), ("all",), ("t",), np.array([[1, 1]]))
        >>> join.beyond_topic(AP).tolist(), join.beyond_topic(P @ 2).tolist()
        ([[True]], [[False]])
        """
        if not (measure.uses_recall_base or measure.needs_grade_counts):
            return np.zeros(self.is_run.shape, dtype=bool)
        found = self.counts[:, :, :, measure.reach(self.algebra.depth) - 1]
        there = np.cumsum(self.grade_counts[:, :0:-1], axis=1)[:, ::-1]
        lowest = 0 if measure.graded else measure.lowest - 1
        grades = slice(lowest, None if measure.graded else lowest + 1)
        return np.asarray((found[:, :, grades] > there[None, :, grades]).any(axis=2))

    def document(self) -> Document:
        """Return the joins or the meets, one a row."""
        rows = [(s, t) for s in range(len(self.systems)) for t in range(len(self.topics))]
        named = [Column("system", lambda row: self.systems[row[0]], left=True)] if len(self.systems) > 1 else []
        columns = [
            *named,
            Column("topic", lambda row: self.topics[row[1]], left=True),
            valued("run", self._run_of, lambda run: "no run" if run is None else briefly(run), left=True),
        ]
        return Document([TableView(columns, rows, title=f"{self.name}s in the order {self.algebra.order!r}")])

    def _run_of(self, row: tuple[int, int]) -> tuple[int | Fraction, ...] | None:
        return self.run(self.topics[row[1]], self.systems[row[0]])


def join_and_meet(
    cells: Cells,
    algebra: Algebra,
    systems: tuple[str, ...],
    topics: tuple[str, ...],
    grade_counts: IntArray,
    kept: BoolArray | None = None,
    grade_scale: Scale = Scale.ORDINAL,
    relevance: Relevance | None = None,
) -> tuple[BoundRuns, BoundRuns]:
    """Return the joins and the meets of several judged runs on each topic.

    Parameters
    ----------
    cells
        Several × systems × topics × ranks: the grades of the runs, from 0.
    algebra
        The order, the depth and the grades.
    systems, topics
        Their names.
    grade_counts
        How many judged documents of each grade each topic has.
    kept
        Several × systems × topics: which runs count; by default all. One counts at least.
    grade_scale
        The scale that the grades are on.
    relevance
        The grades that the numbers of the runs stand for, where these are no whole numbers.
    """
    kept = np.ones(cells.shape[:3], dtype=bool) if kept is None else kept
    cells = in_order(cells, algebra)
    if algebra.order == "swap":
        both = _of_counts(cells, algebra, kept)
    elif algebra.order.endswith("replacement"):
        both = _of_runs(_highest(cells, kept), algebra), _of_runs(_lowest(cells, kept, algebra), algebra)
    else:
        both = (
            _of_runs(_in_chain(cells, kept, algebra.join), algebra),
            _of_runs(_in_chain(cells, kept, algebra.meet), algebra),
        )
    shared = {"algebra": algebra, "systems": systems, "topics": topics, "grade_counts": grade_counts}
    join, meet = (
        BoundRuns(
            name=name,
            counts=counts,
            is_run=is_run,
            cells=found,
            grade_scale=grade_scale,
            relevance=relevance,
            **shared,  # type: ignore[arg-type]
        )
        for name, (counts, is_run, found) in zip(("join", "meet"), both, strict=True)
    )
    return join, meet


def in_order(cells: Cells, algebra: Algebra) -> Cells:
    """Return runs as an order has them: nothing below grade 0, and of sets the best grade first.

    Parameters
    ----------
    cells
        Judged runs along the last axis.
    algebra
        The order.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> in_order(np.array([[-1, 0, 2]], dtype=np.int8), algebra_of("set-replacement", 3, 3)).tolist()
    [[2, 0, 0]]
    """
    grades = np.maximum(cells, 0)
    return -np.sort(-grades, axis=-1) if is_set(algebra) else grades


Found = tuple[IntArray, BoolArray, Cells]
"""Counts, whether these are those of runs, and the runs."""


def _of_counts(cells: Cells, algebra: Algebra, kept: BoolArray) -> tuple[Found, Found]:
    """Return the upper and the lower counts of runs, one set of runs after the other."""
    upper = lower = None
    for some, keep in zip(cells, kept, strict=True):
        counts = counts_down_to(some, algebra.grades)
        high = np.where(keep[..., None, None], counts, 0)
        low = np.where(keep[..., None, None], counts, algebra.depth + 1)
        upper = high if upper is None else np.maximum(upper, high)
        lower = low if lower is None else np.minimum(lower, low)
    return _from_counts(upper), _from_counts(lower)


def _from_counts(counts: IntArray | None) -> Found:
    found = np.asarray(counts, dtype=np.int64)
    rises = np.diff(found, axis=-1, prepend=0)
    # wherever the number of a grade rises, so does that of the grade below
    is_run = np.all(rises[..., 1:, :] <= rises[..., :-1, :], axis=(-2, -1))
    return found, np.asarray(is_run), rises.sum(axis=-2).astype(cell_type(rises.shape[-2]))


def _of_runs(cells: Cells, algebra: Algebra) -> Found:
    counts = counts_down_to(cells, algebra.grades).astype(np.int64)
    return counts, np.ones(cells.shape[:2], dtype=bool), cells


def _highest(cells: Cells, kept: BoolArray) -> Cells:
    return np.asarray(np.where(kept[..., None], cells, 0).max(axis=0))


def _lowest(cells: Cells, kept: BoolArray, algebra: Algebra) -> Cells:
    return np.asarray(np.where(kept[..., None], cells, algebra.grades - 1).min(axis=0))


def _in_chain(cells: Cells, kept: BoolArray, bound: Callable[..., Run]) -> Cells:
    """Return the best or the worst of several runs in a total order, for every topic."""
    found = np.zeros(cells.shape[1:], dtype=cells.dtype)
    for place in np.ndindex(cells.shape[1:3]):
        several = cells[(kept[(slice(None), *place)], *place)]
        found[place] = bound(*map(tuple, several.tolist()))
    return found


def check_grades_alone(measure: Measure) -> None:
    """Refuse measures that look at more than grades by rank, which is all that a join has.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import Bpref, nDCG
    >>> check_grades_alone(nDCG)
    >>> check_grades_alone(Bpref)
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: Bpref looks at more than grades by rank, and a join has nothing else; try nDCG@10
    """
    if isinstance(measure, Defined):
        return
    full, ending = (measure.lowest, 0, 0, 0), (measure.lowest, 0, NOTHING, NOTHING)
    counts = (len(full), *(1 for _ in range(max(measure.lowest, measure.highest_grade or 1))))
    if measure.tells_unjudged or measure.of(full, grade_counts=counts) != measure.of(ending, grade_counts=counts):
        raise ParameterError(f"{measure!r} looks at more than grades by rank, and a join has nothing else; try nDCG@10")


def keeps_order(measure: Measure, algebra: Algebra) -> bool:
    """Return whether better runs never have worse values under a measure.

    By proof for families of measures; else as far as all runs show it, or those of the first ranks if there are many.

    Parameters
    ----------
    measure
        The measure.
    algebra
        The order and the grades.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> from measurand.measures import AP, DiscountCurve
    >>> keeps_order(AP, algebra_of("swap", 10, 2)), keeps_order(AP, algebra_of("projection", 10, 2))
    (True, False)
    >>> keeps_order(DiscountCurve(by_rank=[1, 1, 1, 1, 1, 9]), algebra_of("swap", 6, 4))
    False
    """
    needed = {"swap": {"replacement", "swap"}, "replacement": {"replacement"}}.get(algebra.order)
    if needed is not None and needed <= _proved(measure, algebra):
        return True
    if algebra.order == "swap" and isinstance(measure, Additive) and not measure.respects_swap:
        return False
    depth = min(algebra.depth, DEPTH)
    while depth > 1 and algebra.grades**depth > LOOKED_AT:
        depth -= 1
    return bool(RunLattice(algebra.order, depth, algebra.grades).is_isotone(measure))


def _proved(measure: Measure, algebra: Algebra) -> set[str]:
    """Return the properties that the family of a measure proves on runs of the depth and the grades of an order."""
    try:
        return set(proofs(measure, Space(depth=algebra.depth, grades=algebra.grades)))
    except ParameterError:  # gains that do not fit so many grades, runs too long for proofs
        return set()


def caveats_of_bounds(
    measure: Measure, named: str, join: BoundRuns, meet: BoundRuns, scored: Sequence[FloatArray]
) -> list[Caveat]:
    """Return why values of joins and meets may be no bounds under a measure, or no values of runs.

    Parameters
    ----------
    measure
        The measure.
    named
        How it was spelled.
    join, meet
        The joins and meets.
    scored
        The values of what they are joins and meets of, each of the shape that theirs have.
    """
    order = join.algebra.order
    values = join.values(measure), meet.values(measure)
    found = []
    if not keeps_order(measure, join.algebra) or _contradicted(scored, *values, lower=measure.lower_is_better):
        text = f"{named} does not keep the order {order!r}, so that values of joins and meets are no bounds under it"
        found.append(Caveat(CaveatKind.ORDER, text))
    if is_set(join.algebra) and _looks_at_ranks(measure, join.algebra.depth):
        text = f"{named} looks at ranks, and the order {order!r} compares sets: all values are of the best grade first"
        found.append(Caveat(CaveatKind.ORDER, text))
    for side, present in zip((join, meet), values, strict=True):
        beyond, missing = side.beyond_topic(measure), np.isnan(present)
        for where, why in (
            (missing & beyond, "it holds more relevant documents than the topic has"),
            (missing & ~beyond, "it is no ranking there"),
        ):
            if where.any():
                many = counted(int(where.any(axis=0).sum()), "topic")
                text = f"{named} has no value for the {side.name} on {many}, and no mean with it: {why}"
                found.append(Caveat(CaveatKind.BOUNDS, text))
    return found


def _contradicted(scored: Sequence[FloatArray], high: FloatArray, low: FloatArray, *, lower: bool) -> bool:
    """Return whether some value is above that of the join or below that of the meet."""
    sign = -1.0 if lower else 1.0
    return any(
        bool(np.any(sign * (each - high) > ROUNDING * (1 + np.abs(high))))
        or bool(np.any(sign * (low - each) > ROUNDING * (1 + np.abs(low))))
        for each in scored
    )


def _looks_at_ranks(measure: Measure, depth: int) -> bool:
    """Return whether a measure distinguishes a relevant document at the first rank from one at the last."""
    first, last = (measure.lowest, *[0] * (depth - 1)), (*[0] * (depth - 1), measure.lowest)
    counts = (depth, *(1 for _ in range(max(measure.lowest, measure.highest_grade or 1))))
    return bool(measure.of(first, grade_counts=counts) != measure.of(last, grade_counts=counts))
