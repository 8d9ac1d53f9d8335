"""The interface of an order on the judged runs of one depth, and what is proved about all five.

An `Algebra` computes joins, meets, covers and join-irreducible runs without a list of the runs. `is_lattice`,
`is_distributive`, `is_chain` and `has_gaps` are theorems; `member` checks that a run belongs to an order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import ParameterError, brief
from measurand.judged import Relevance
from measurand.judged.graded_runs import NamedRun, codes, decoded, named_grades
from measurand.verdict import How, Verdict, Witness

Run = tuple[int, ...]
"""The places of the grades of a run among all, first rank first; of a set, best grade first."""

LATTICE: Mapping[str, str] = {
    "swap": "the larger and the smaller number of relevant documents down to every rank are those of runs again",
    "replacement": "the higher and the lower grade at every rank make the join and the meet",
    "set-replacement": "the higher and the lower grade, document by document from the best, make the join and the meet",
}
"""Why an order is a lattice, where it is one …"""

CHAIN = "of two runs the better one is the join and the worse one the meet"
"""… or a chain …"""

DISTRIBUTIVE = "; larger and smaller numbers distribute over each other"
"""… and why it is a distributive one: joins and meets are larger and smaller numbers."""


@frozen(eq=False)
class Terms:
    """Terms of the inclusion-exclusion sums that give the values of some runs from those of join-irreducible runs.

    Row by row, a valuation `v` is `v(bottom)` plus the sum of `sign * (v(join-irreducible) - v(bottom))`.

    Parameters
    ----------
    row
        Which of the runs a term belongs to, ascending.
    place
        Which join-irreducible run it is, in the order of `Algebra.join_irreducibles`, from 0.
    sign
        How often it counts: 1 or -1.
    """

    row: IntArray
    place: IntArray
    sign: IntArray


@frozen
class Algebra(ABC):
    """The judged runs of a depth over so many grades in one of the five orders.

    Runs are tuples of places of grades, 0 to `grades` - 1, that belong to the universe: callers have checked them.
    Nothing here lists all runs unless it is asked to.

    Parameters
    ----------
    depth
        How many ranks runs have.
    grades
        How many grades there are.
    relevance
        The grades, where they are not 0, 1, 2, …: `member` reads runs of them, `named` gives them back.
    """

    order: ClassVar[str]

    depth: int
    grades: int
    relevance: Relevance | None = field(default=None, repr=False)

    def named(self, run: Run) -> NamedRun:
        """Return a run with its grades, as people see it."""
        return run if self.relevance is None else decoded(run, self.relevance)

    def brief(self, run: Run) -> str:
        """Return a run as text, cut where it is long."""
        return brief(self.named(run))

    def witness(self, runs: Sequence[Run], values: Sequence[Any], why: str) -> Witness:
        """Return what some runs show, with their grades as people see them."""
        return Witness(tuple(map(self.named, runs)), tuple(values), why)

    @property
    @abstractmethod
    def size(self) -> int:
        """How many runs there are."""

    @property
    def bottom(self) -> Run:
        """The worst run."""
        return (0,) * self.depth

    @property
    def top(self) -> Run:
        """The best run."""
        return (self.grades - 1,) * self.depth

    @abstractmethod
    def runs(self) -> Iterator[Run]:
        """Return every run, none before one that is worse."""

    @abstractmethod
    def join(self, *runs: Run) -> Run:
        """Return the least run that is at least as good as all of some, or raise `NoJoin` with the minimal ones."""

    @abstractmethod
    def meet(self, *runs: Run) -> Run:
        """Return the greatest run that is at most as good as all of some, or raise `NoMeet` with the maximal ones."""

    @abstractmethod
    def rank(self, x: Run) -> int:
        """Return how many steps lead from the worst run to a run, in the lattice or in its completion."""

    @abstractmethod
    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that are better than a run with nothing between."""

    @abstractmethod
    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that are worse than a run with nothing between."""

    @abstractmethod
    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, none before one that is worse; nothing if x is not below y."""

    @property
    @abstractmethod
    def irreducible_count(self) -> int:
        """How many join-irreducible runs there are."""

    @abstractmethod
    def irreducible(self, place: int) -> Run:
        """Return the join-irreducible run at a place, from 0, none before one that is worse."""

    @abstractmethod
    def place(self, run: Run) -> int | None:
        """Return the place of a join-irreducible run, None for any other run."""

    def join_irreducibles(self) -> Iterator[Run]:
        """Return the join-irreducible runs, none before one that is worse."""
        return (self.irreducible(place) for place in range(self.irreducible_count))

    @abstractmethod
    def step(self, place: int) -> tuple[Run, Run]:
        """Return two runs between which nothing but the join-irreducible run at a place makes the difference.

        Where the run has one lower cover, these are that cover and the run. A valuation is isotone exactly
        when it is at least as high on the second as on the first, for every place.
        """

    def step_terms(self, places: Sequence[int]) -> Terms:
        """Return the terms that make up how high the steps at some places are, one a row, under any valuation.

        The value of the worst run cancels: a step is as high as the sum of `sign * (v(join-irreducible) - v(bottom))`.
        """
        steps = map(self.step, places)
        low, high = (self.terms(np.array(runs, dtype=np.int8)) for runs in zip(*steps, strict=True))
        row, place = np.concatenate([high.row, low.row]), np.concatenate([high.place, low.place])
        sign = np.concatenate([high.sign, -low.sign])
        order = np.argsort(row, kind="stable")
        return Terms(row[order], place[order], sign[order])

    @abstractmethod
    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return the fewest join-irreducible runs whose least upper bound is a run; none for the bottom."""

    @abstractmethod
    def terms(self, runs: Cells) -> Terms:
        """Return the terms that make up the values of runs, one a row, under any valuation."""

    def expansion(self, x: Run) -> Mapping[Run, int]:
        """Return how often each join-irreducible run counts in the value of a run, those that cancel left out."""
        terms = self.terms(np.array([x], dtype=np.int8))
        counted: Counter[int] = Counter()
        for place, sign in zip(terms.place.tolist(), terms.sign.tolist(), strict=True):
            counted[place] += sign
        return {self.irreducible(place): count for place, count in sorted(counted.items()) if count}


def member(algebra: Algebra, run: Sequence[Any]) -> Run:
    """Return a run as the order has it (a set best grade first), and raise if it does not belong there.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> member(algebra_of("set-replacement", 3, 3), [0, 2, 1])
    (2, 1, 0)
    """
    whole = isinstance(run, Sequence | np.ndarray) and not isinstance(run, str | bytes)
    if algebra.relevance is not None:
        cells = codes(run, algebra.relevance)
        known, shown = True, brief(tuple(run) if whole else cells)
    else:
        grades = tuple(run) if whole else ()
        # long runs have many cells, of few kinds
        kinds = set(map(type, grades))
        known = all(issubclass(kind, int | np.integer) for kind in kinds) and set(grades) <= set(range(algebra.grades))
        shown = brief(grades) if whole else repr(run)
        cells = grades if kinds == {int} or not known else tuple(map(int, grades))
        known = known and whole
    if len(cells) != algebra.depth or not known:
        ranks = "1 rank" if algebra.depth == 1 else f"{algebra.depth} ranks"
        there = f"from 0 to {algebra.grades - 1}" if algebra.relevance is None else named_grades(algebra.relevance)
        raise ParameterError(f"{shown} is no run of {ranks} with grades {there}")
    return tuple(sorted(cells, reverse=True)) if is_set(algebra) else cells


def is_set(algebra: Algebra) -> bool:
    """Return whether the runs of an order are sets.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> is_set(algebra_of("set-projection", 3, 3)), is_set(algebra_of("projection", 3, 3))
    (True, False)
    """
    return algebra.order.startswith("set-")


def is_lattice(algebra: Algebra) -> Verdict:
    """Return whether every two runs have a join and a meet; the witness is two runs without join, and their bounds.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_lattice(algebra_of("swap", 1000, 2))), is_lattice(algebra_of("swap", 3, 3)).witness.runs
    (True, ((0, 0, 2), (0, 1, 0), (0, 1, 2), (0, 2, 0)))
    """
    if not has_gaps(algebra):
        argument = CHAIN if is_chain(algebra) else LATTICE[algebra.order]
        return Verdict(True, None, _every_run(algebra), How.PROVED, argument)
    above = (0,) * (algebra.depth - 2)
    x, y = (*above, 0, 2), (*above, 1, 0)
    runs = tuple(map(algebra.named, (x, y, (*above, 1, 2), (*above, 2, 0))))
    one, other, first, second = map(brief, runs)
    why = f"{one} and {other} have two minimal upper bounds, {first} and {second}, and so no join"
    return Verdict(False, Witness(runs, (), why), _every_run(algebra), How.COUNTEREXAMPLE)


def is_distributive(algebra: Algebra) -> Verdict:
    """Return whether joins and meets distribute over each other; what is no lattice is not distributive.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_distributive(algebra_of("replacement", 100, 5)))
    True
    """
    lattice = is_lattice(algebra)
    if not lattice:
        return lattice
    argument = lattice.argument if is_chain(algebra) else lattice.argument + DISTRIBUTIVE
    return Verdict(True, None, lattice.checked, How.PROVED, argument)


def is_chain(algebra: Algebra) -> bool:
    """Return whether of any two runs one is better.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> is_chain(algebra_of("projection", 3, 3)), is_chain(algebra_of("swap", 3, 3)), is_chain(algebra_of("swap", 1, 3))
    (True, False, True)
    """
    two_sets = algebra.order == "set-replacement" and algebra.grades == 2
    return algebra.order in ("projection", "set-projection") or algebra.depth == 1 or two_sets


def has_gaps(algebra: Algebra) -> bool:
    """Return whether some runs have no join, so that the completion of the order holds more than runs.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> has_gaps(algebra_of("swap", 2, 3)), has_gaps(algebra_of("swap", 1, 3))
    (True, False)
    """
    return algebra.order == "swap" and algebra.grades > 2 and algebra.depth > 1


def _every_run(algebra: Algebra) -> str:
    return f"every run of {algebra.depth:,} {'rank' if algebra.depth == 1 else 'ranks'} and {algebra.grades} grades"
