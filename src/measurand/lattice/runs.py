"""The judged runs of one depth in one of the five orders: how they stand to each other, and what lies between."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.lattice.algebra import Algebra, Run, algebra_of
from measurand.lattice.irreducibles import Irreducibles
from measurand.lattice.membership import is_set, member
from measurand.orders import Relation, compare
from measurand.orders.levels import Run as AnyRun
from measurand.orders.levels import exact_grades, refuse_sets


@frozen
class Runs:
    """All judged runs of so many ranks over so many grades, in one of the five orders; none of them is written down.

    Parameters
    ----------
    order
        One of `measurand.orders.ORDERS`.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> runs = Runs("swap", 1000, 5)
    >>> runs.size == 5**1000, str(runs.compare(runs.bottom, runs.top))
    (True, 'less')
    """

    order: str = "swap"
    depth: int = 4
    grades: int = 2

    algebra: Algebra = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        # refuses what cannot be
        algebra = algebra_of(self.order, self.depth, self.grades)
        for name, value in (("algebra", algebra), ("depth", algebra.depth), ("grades", algebra.grades)):
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """How many runs there are."""
        return self.algebra.size

    @property
    def bottom(self) -> Run:
        """The worst run."""
        return self.algebra.bottom

    @property
    def top(self) -> Run:
        """The best run."""
        return self.algebra.top

    def run(self, run: AnyRun) -> Run:
        """Return a run as it stands here, or say why it does not; what is unjudged or missing has grade 0.

        Examples
        --------
        >>> Runs("swap", 3, 3).run((2, -1, -2))
        (2, 0, 0)
        >>> Runs("set-replacement", 3, 3).run([0, 2, 1])
        (2, 1, 0)
        """
        if not is_set(self.algebra):
            refuse_sets(run)
        return member(self.algebra, exact_grades(run))

    def compare(self, x: AnyRun, y: AnyRun) -> Relation:
        """Return how one run stands to another."""
        return compare(self.run(x), self.run(y), self.order)

    def below(self, x: AnyRun, y: AnyRun) -> bool:
        """Say whether one run is at most as good as another."""
        return self.compare(x, y) in (Relation.LESS, Relation.EQUAL)

    def join(self, x: AnyRun, y: AnyRun) -> Run:
        """Return the least run that is at least as good as both; where there is none, raise `NoJoin`.

        Examples
        --------
        >>> Runs("set-replacement", 3, 3).join((2, 0, 0), (1, 1, 1))
        (2, 1, 1)
        """
        return self.algebra.join(self.run(x), self.run(y))

    def meet(self, x: AnyRun, y: AnyRun) -> Run:
        """Return the greatest run that is at most as good as both; where there is none, raise `NoMeet`.

        Examples
        --------
        >>> Runs("replacement", 3, 3).meet((2, 0, 1), (1, 1, 0))
        (1, 0, 0)
        """
        return self.algebra.meet(self.run(x), self.run(y))

    def covers(self, x: AnyRun) -> tuple[Run, ...]:
        """Return the runs that cover a run: those that are better with nothing between.

        Examples
        --------
        >>> Runs("swap", 4, 2).covers((0, 1, 0, 1))
        ((0, 1, 1, 0), (1, 0, 0, 1))
        """
        return tuple(self.algebra.upper_covers(self.run(x)))

    def covered(self, x: AnyRun) -> tuple[Run, ...]:
        """Return the runs that a run covers: those that are worse with nothing between.

        Examples
        --------
        >>> Runs("swap", 4, 2).covered((0, 1, 0, 1))
        ((0, 1, 0, 0), (0, 0, 1, 1))
        """
        return tuple(self.algebra.lower_covers(self.run(x)))

    def interval(self, x: AnyRun, y: AnyRun) -> RunInterval:
        """Return the runs that are at least as good as one and at most as good as another."""
        return RunInterval(self, self.run(x), self.run(y))

    def join_irreducibles(self) -> Irreducibles:
        """Return the runs that are no join of others, as a sequence; the bottom is none of them.

        Examples
        --------
        >>> list(Runs("replacement", 2, 3).join_irreducibles())
        [(1, 0), (2, 0), (0, 1), (0, 2)]
        """
        return Irreducibles(self.algebra)

    def decompose(self, x: AnyRun) -> tuple[Run, ...]:
        """Return the join-irreducible runs that a run is the join of, none of them superfluous.

        Examples
        --------
        >>> Runs("swap", 5, 2).decompose((1, 0, 1, 1, 0))
        ((1, 0, 0, 0, 0), (0, 1, 1, 1, 0))
        """
        return self.algebra.decompose(self.run(x))


@frozen
class RunInterval:
    """The runs from one up to another: iterable (none before one that is worse), never written out.

    Examples
    --------
    >>> list(Runs("swap", 3, 3).interval((2, 1, 1), (2, 2, 1)))
    [(2, 1, 1), (2, 1, 2), (2, 2, 1)]
    """

    runs: Runs
    low: Run
    high: Run

    def __iter__(self) -> Iterator[Run]:
        return self.runs.algebra.between(self.low, self.high)

    def __contains__(self, run: object) -> bool:
        try:
            found = self.runs.run(run)  # type: ignore[arg-type]
        except ParameterError:
            return False
        return self.runs.below(self.low, found) and self.runs.below(found, self.high)
