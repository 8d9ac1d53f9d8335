"""Judged runs of one depth in one of the five orders: meets, joins, covers, intervals, join-irreducible runs.

`Runs` is all of them without a list; `closest_bounds` returns the join and the meet of runs with any grades, or the
minimal upper and maximal lower bounds where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from sys import maxsize
from typing import Any, overload

from attrs import field, frozen

from measurand.display.result import Result, briefly
from measurand.display.tables import Document, TableView, facts, valued
from measurand.errors import NoBound, NotAvailable, ParameterError, brief
from measurand.exact import shown
from measurand.judged import Relevance
from measurand.judged.graded_runs import (
    AnyGrades,
    NamedRun,
    Shown,
    exact_grades,
    grade_levels,
    named_grades,
    refuse_sets,
    shown_grades,
)
from measurand.judged.graded_runs import Run as AnyRun
from measurand.lattice.algebra import ALGEBRAS, algebra_of
from measurand.lattice.algebra.base import Algebra, Run, is_set, member
from measurand.lattice.completion import CompletionElement
from measurand.orders import Relation, compare
from measurand.orders.names import named_order

MOST = 10_000
"""Of more runs the first are listed."""


def runs_document(title: str, runs: Iterable[NamedRun]) -> Document:
    """Return a table of the first of some runs.

    Parameters
    ----------
    title
        What they are.
    runs
        The runs.

    Examples
    --------
    >>> runs_document("Runs", [(0, 1), (1, 0)]).tables[0].cells
    [['(0, 1)'], ['(1, 0)']]
    """
    first = list(islice(runs, MOST + 1))
    some = f"{title}; the first {MOST:,} of them" if len(first) > MOST else title
    return Document([TableView([valued("run", lambda run: run, briefly, left=True)], first[:MOST], title=some)])


def run_label(run: Sequence[Shown], *, apart: bool = False) -> str:
    """Return a run as its grades, with commas where some have two letters or more, or where they are to be apart.

    Examples
    --------
    >>> run_label((1, 0, 2)), run_label((10, 0)), run_label(("nr", "hr"))
    ('102', '10,0', 'nr,hr')
    """
    grades = [str(grade) for grade in run]
    return ("," if apart or max(map(len, grades)) > 1 else "").join(grades)


@frozen(repr=False)
class Irreducibles(Result, Sequence[NamedRun]):
    """The join-irreducible runs, none before one that is worse.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> blocks = Irreducibles(algebra_of("swap", 1000, 5))
    >>> len(blocks), blocks[0][-3:], (1, *[0] * 999) in blocks
    (2002000, (0, 0, 1), True)
    """

    algebra: Algebra

    def document(self) -> Document:
        """Return how many there are, and the first of them."""
        return runs_document(f"{self._number} join-irreducible runs, none before one that is worse", self)

    def __repr__(self) -> str:
        return f"<Irreducibles: {self._number} join-irreducible runs>"

    def __len__(self) -> int:
        if self.algebra.irreducible_count > maxsize:
            raise NotAvailable(f"{self._number} join-irreducible runs are too many to count off; ask for single ones")
        return self.algebra.irreducible_count

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, place: int) -> NamedRun: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[NamedRun]: ...
    def __getitem__(self, place: int | slice) -> NamedRun | Sequence[NamedRun]:
        places = range(self.algebra.irreducible_count)
        if isinstance(place, slice):
            return [self._at(one) for one in places[place]]
        try:
            return self._at(places[place])
        except IndexError:
            raise IndexError(f"there are {self._number} join-irreducible runs, and none at that place") from None

    def __iter__(self) -> Iterator[NamedRun]:
        return map(self.algebra.named, self.algebra.join_irreducibles())

    def __reversed__(self) -> Iterator[NamedRun]:
        return map(self._at, reversed(range(self.algebra.irreducible_count)))

    def _at(self, place: int) -> NamedRun:
        return self.algebra.named(self.algebra.irreducible(place))

    def __contains__(self, run: object) -> bool:
        return self._place(run) is not None

    def index(self, run: object, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a join-irreducible run.

        Parameters
        ----------
        run
            The run.
        start, stop
            Between which places to look.
        """
        place = self._place(run)
        if place is None or place not in range(self.algebra.irreducible_count)[start:stop]:
            raise ValueError(f"{brief(run)} is not among the join-irreducible runs")
        return place

    def count(self, run: object) -> int:
        """Return how often a run is among them: once or not at all.

        Parameters
        ----------
        run
            A judged run.
        """
        return int(run in self)

    def _place(self, run: object) -> int | None:
        try:
            return self.algebra.place(member(self.algebra, run))  # type: ignore[arg-type]
        except ParameterError:
            return None

    @property
    def _number(self) -> str:
        """How many there are, for people."""
        number = self.algebra.irreducible_count
        return f"{number:,}" if number <= maxsize else shown(number)


def as_given(grades: AnyGrades | None) -> Any:
    """Return grades as they are given; what they are is seen when the order is known as well.

    Examples
    --------
    >>> as_given(3)
    3
    """
    return grades


@frozen(repr=False)
class Runs(Result):
    """All judged runs of so many ranks over some grades, in one of the five orders; none of them is written down.

    Parameters
    ----------
    order
        One of `measurand.orders.ORDERS`.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included; or the grades themselves, where they are not 0, 1, 2, …: a `Relevance`,
        or all of them in ascending order. Runs are then given in these grades, and come back in them.

    Attributes
    ----------
    relevance
        The grades; `grades` is their number.

    Examples
    --------
    >>> runs = Runs("swap", 1000, 5)
    >>> runs.size == 5**1000, str(runs.compare(runs.bottom, runs.top))
    (True, 'less')
    >>> Runs("swap", 2, (0, "0.3", 1)).covers((0.3, 0))
    ((0.3, 0.3), (1, 0))
    """

    order: str = "swap"
    depth: int = 4
    grades: int = field(default=2, converter=as_given)

    relevance: Relevance = field(init=False, repr=False)
    algebra: Algebra = field(init=False, repr=False, eq=False)

    def __repr__(self) -> str:
        grades = self.grades if self.relevance.is_plain else shown_grades(self.relevance)
        return f"{type(self).__name__}(order={self.order!r}, depth={self.depth}, grades={grades})"

    def _facts(self) -> list[tuple[str, Any]]:
        grades = self.grades if self.relevance.is_plain else named_grades(self.relevance)
        named = [("order", self.order), ("depth", self.depth), ("grades", grades), ("runs", self.size)]
        ends = [(name, (briefly(run), run)) for name, run in (("worst_run", self.bottom), ("best_run", self.top))]
        return [*named, *ends, ("join_irreducible_runs", self.algebra.irreducible_count)]

    def document(self) -> Document:
        """Return what there is: the order, how many runs, and how many of them are join-irreducible."""
        return Document([facts(self._facts(), title=f"Judged runs in the order {self.order!r}")])

    def __attrs_post_init__(self) -> None:
        # refuses what cannot be
        algebra = algebra_of(self.order, self.depth, self.grades)
        relevance = algebra.relevance or Relevance.of(algebra.grades)
        known = {"algebra": algebra, "relevance": relevance, "depth": algebra.depth, "grades": algebra.grades}
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """How many runs there are."""
        return self.algebra.size

    @property
    def bottom(self) -> NamedRun:
        """The worst run."""
        return self.algebra.named(self.algebra.bottom)

    @property
    def top(self) -> NamedRun:
        """The best run."""
        return self.algebra.named(self.algebra.top)

    def run(self, run: AnyRun) -> NamedRun:
        """Return a run as a tuple of grades of this order; what is unjudged or missing has grade 0.

        Parameters
        ----------
        run
            Grades, first rank first; for an order of sets also a multiset.

        Examples
        --------
        >>> Runs("swap", 3, 3).run((2, -1, -2))
        (2, 0, 0)
        >>> Runs("set-replacement", 3, 3).run([0, 2, 1])
        (2, 1, 0)
        >>> Runs("swap", 2, Relevance.graded(0, "0.3", 1)).run(["0.30", -1])
        (0.3, 0)
        """
        return self.algebra.named(self._places(run))

    def _places(self, run: AnyRun) -> Run:
        """Return a run as the places of its grades."""
        if not is_set(self.algebra):
            refuse_sets(run)
        return member(self.algebra, run if self.algebra.relevance else exact_grades(run))  # type: ignore[arg-type]

    def compare(self, x: AnyRun, y: AnyRun) -> Relation:
        """Return how one run compares with another.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return compare(self._places(x), self._places(y), self.order)

    def below(self, x: AnyRun, y: AnyRun) -> bool:
        """Return whether one run is at most as good as another.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return self.compare(x, y) in (Relation.LESS, Relation.EQUAL)

    def join(self, *runs: AnyRun) -> NamedRun:
        """Return the least run that is at least as good as all of some; where there is none, raise `NoJoin`.

        Three runs may have a join where two of them have none: upper bounds of all decide.

        Parameters
        ----------
        *runs
            One run or more.

        Examples
        --------
        >>> Runs("set-replacement", 3, 3).join((2, 0, 0), (1, 1, 1))
        (2, 1, 1)
        >>> Runs("swap", 2, 3).join((0, 2), (1, 0), (1, 1))
        (1, 2)
        """
        return self._bound(self.algebra.join, runs)

    def meet(self, *runs: AnyRun) -> NamedRun:
        """Return the greatest run that is at most as good as all of some; where there is none, raise `NoMeet`.

        Parameters
        ----------
        *runs
            One run or more.

        Examples
        --------
        >>> Runs("replacement", 3, 3).meet((2, 0, 1), (1, 1, 0))
        (1, 0, 0)
        """
        return self._bound(self.algebra.meet, runs)

    def completed_join(self, *runs: AnyRun) -> CompletionElement:
        """Return the least element at least as good as all of some runs, in the completion of the order.

        Where the runs have a join, it is that run.

        Parameters
        ----------
        *runs
            One run or more.

        Examples
        --------
        >>> Runs("swap", 2, 3).completed_join((0, 2), (1, 0)).above
        ((1, 2), (2, 0))
        """
        return CompletionElement.join(self.algebra, self._some(runs))

    def completed_meet(self, *runs: AnyRun) -> CompletionElement:
        """Return the greatest element at most as good as all of some runs, in the completion of the order.

        Where the runs have a meet, it is that run.

        Parameters
        ----------
        *runs
            One run or more.

        Examples
        --------
        >>> Runs("swap", 2, 3).completed_meet((1, 2), (2, 0)).below
        ((0, 2), (1, 0))
        """
        return CompletionElement.meet(self.algebra, self._some(runs))

    def _bound(self, bound: Callable[..., Run], runs: Sequence[AnyRun]) -> NamedRun:
        """Return the join or the meet of some runs; where there is none, the error names runs as people see them."""
        named = self.algebra.named
        try:
            return named(bound(*self._some(runs)))
        except NoBound as none:
            first, second, *others = map(named, (none.x, none.y, *none.others))
            found = tuple(map(named, none.candidates))
            raise type(none)(first, second, found, complete=none.complete, others=others) from None

    def _some(self, runs: Sequence[AnyRun]) -> list[Run]:
        """Return runs as places of grades, and complain if there are none."""
        if not runs:
            raise ParameterError("there is no run; name one or more, such as join((1, 0), (0, 1))")
        return [self._places(run) for run in runs]

    def rank(self, x: AnyRun) -> int:
        r"""Return the rank of a run in the order: how many steps of one lead to it from the worst run.

        All ways up to a run have as many steps, because the order is a distributive lattice, or completed to one:

        .. math:: \text{swap: } \sum_k (N + 1 - k)\, r_k \qquad \text{replacement, sets by replacement: } \sum_k r_k

        In a total order it is the number of worse runs. With swap and three or more grades the steps are those of
        the completion; two runs with no run between may be several of them apart.

        Parameters
        ----------
        x
            A run.

        Examples
        --------
        >>> runs = Runs("swap", 4, 2)
        >>> runs.rank((1, 0, 0, 1)), runs.rank((0, 1, 1, 0)), runs.rank(runs.top)
        (5, 5, 10)
        >>> graded = Runs("swap", 2, 3)
        >>> graded.rank((0, 2)), graded.rank((2, 0)), graded.covers((0, 2))
        (2, 4, ((2, 0), (1, 2)))

        References
        ----------
        [Giner2022]_, section 7; the rank of M(n) in [Stanley1980]_
        """
        return self.algebra.rank(self._places(x))

    def covers(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return the runs that cover a run: those that are better with nothing between.

        Parameters
        ----------
        x
            A run.

        Examples
        --------
        >>> Runs("swap", 4, 2).covers((0, 1, 0, 1))
        ((0, 1, 1, 0), (1, 0, 0, 1))
        """
        return tuple(map(self.algebra.named, self.algebra.upper_covers(self._places(x))))

    def covered(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return the runs that a run covers: those that are worse with nothing between.

        Parameters
        ----------
        x
            A run.

        Examples
        --------
        >>> Runs("swap", 4, 2).covered((0, 1, 0, 1))
        ((0, 1, 0, 0), (0, 0, 1, 1))
        """
        return tuple(map(self.algebra.named, self.algebra.lower_covers(self._places(x))))

    def interval(self, x: AnyRun, y: AnyRun) -> RunInterval:
        """Return the runs that are at least as good as one and at most as good as another.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return RunInterval(self, self.run(x), self.run(y))

    def join_irreducibles(self) -> Irreducibles:
        """Return the runs that are no join of others, as a sequence; the bottom is none of them.

        Examples
        --------
        >>> list(Runs("replacement", 2, 3).join_irreducibles())
        [(1, 0), (2, 0), (0, 1), (0, 2)]
        """
        return Irreducibles(self.algebra)

    def decompose(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return the join-irreducible runs that a run is the join of, none of them superfluous.

        Parameters
        ----------
        x
            A run.

        Examples
        --------
        >>> Runs("swap", 5, 2).decompose((1, 0, 1, 1, 0))
        ((1, 0, 0, 0, 0), (0, 1, 1, 1, 0))
        """
        return tuple(map(self.algebra.named, self.algebra.decompose(self._places(x))))


@frozen(repr=False)
class RunInterval(Result):
    """The runs from one up to another: iterable (none before one that is worse), never written out.

    Parameters
    ----------
    runs
        The runs and their order.
    low, high
        The worst and the best run of the interval.

    Examples
    --------
    >>> list(Runs("swap", 3, 3).interval((2, 1, 1), (2, 2, 1)))
    [(2, 1, 1), (2, 1, 2), (2, 2, 1)]
    """

    runs: Runs
    low: NamedRun
    high: NamedRun

    def document(self) -> Document:
        """Return the first runs of the interval."""
        return runs_document(f"Runs from {briefly(self.low)} to {briefly(self.high)}", self)

    def __repr__(self) -> str:
        return f"<RunInterval: from {briefly(self.low)} to {briefly(self.high)}>"

    def __iter__(self) -> Iterator[NamedRun]:
        algebra = self.runs.algebra
        low, high = member(algebra, self.low), member(algebra, self.high)
        return map(algebra.named, algebra.between(low, high))

    def __contains__(self, run: object) -> bool:
        try:
            found = self.runs.run(run)  # type: ignore[arg-type]
        except ParameterError:
            return False
        return self.runs.below(self.low, found) and self.runs.below(found, self.high)


@frozen(repr=False)
class Closest(Result):
    """The closest bounds of some runs.

    Parameters
    ----------
    above, below
        The minimal runs that are at least as good as all, and the maximal ones that are at most as good. One alone
        is the join, or the meet.
    complete
        Whether these are all there are; between long runs there may be too many to list.
    """

    above: tuple[tuple[Shown, ...], ...]
    below: tuple[tuple[Shown, ...], ...]
    complete: bool = True


def closest_bounds(
    r: AnyRun, s: AnyRun, order: str = "swap", relevance: Relevance | None = None, *, others: Sequence[AnyRun] = ()
) -> Closest:
    """Return the join and the meet of runs of one length, or their closest bounds where there are several.

    Parameters
    ----------
    r, s
        Grades, first rank first, as `measurand.orders.compare` takes them.
    order
        One of `measurand.orders.ORDERS`; those of sets put the best grade first.
    relevance
        The grades there are, where they have labels.
    others
        More runs, where there are more than two.

    Examples
    --------
    >>> closest_bounds((1, 0, 0, 1), (0, 1, 1, 0))
    <Closest: above (1, 0, 1, 0), below (0, 1, 0, 1), complete yes>
    >>> closest_bounds((0, 5), ("1/2", 0)).above
    ((0.5, 5), (5, 0))

    References
    ----------
    [Giner2022]_
    """
    named_order(order, "for your own, take measurand.lattice.OwnLattice(order, depth, grades)")
    # only the grades that occur matter: at others the counts are those of their neighbours
    rows, names = grade_levels([r, s, *others], relevance)
    algebra = ALGEBRAS[order](len(rows[0]), max(2, len(names)))
    if not is_set(algebra):
        refuse_sets(r, s, *others)
    levels = [member(algebra, row.tolist()) for row in rows]
    above, all_above = _found(algebra.join, levels)
    below, all_below = _found(algebra.meet, levels)
    named = [tuple(tuple(names[level] for level in run) for run in runs) for runs in (above, below)]
    return Closest(named[0], named[1], all_above and all_below)


def _found(bound: Callable[..., Run], runs: Sequence[Run]) -> tuple[tuple[Run, ...], bool]:
    try:
        return (bound(*runs),), True
    except NoBound as several:
        return several.candidates, several.complete
