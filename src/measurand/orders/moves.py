"""Orders from one's own moves: a function from a judged run to better ones, and all that its moves reach.

`from_moves` makes an order of such functions: a run is at least as good as another if moves lead to it from there.
`TAKE_OWN` in `names` lists what takes an `OwnOrder`. Which moves lead from one run to another is searched for; no list
of all runs is made, and a search that would take too long is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from attrs import evolve, field, frozen

from measurand.calls import option
from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.display.wording import counted
from measurand.errors import CallError, InputError, NotAvailable, ParameterError, brief
from measurand.exact import whole_number
from measurand.judged import Relevance
from measurand.judged.graded_runs import (
    AnyGrades,
    NamedRun,
    Run,
    codes,
    decoded,
    exact_grades,
    named_grades,
    refuse_sets,
    same_length,
)
from measurand.judged.universes import every_run
from measurand.orders.climb import Climb, distance_up
from measurand.orders.compare import Relation
from measurand.orders.compared_by_moves import ComparisonByMoves, Grades, Move, arrows
from measurand.orders.many_runs import BELOW
from measurand.orders.move_functions import Moves, function_name, remembered, wants_grades
from measurand.orders.names import OrderOfRuns

MOST = 250_000
"""So many runs are visited at most to compare two."""

MOVES_A_RUN = 12
"""On average so many moves a run are looked at: what has more of them takes longer, and is refused after fewer runs."""

CIRCLE = 10_000
"""Where moves lead from one run to another, so many runs are visited to see that none lead back."""

REMEMBERED = 500_000
"""So many moves are remembered."""

READ = 100_000
"""So many runs that functions named are remembered as checked."""

ASKED_TWICE = 64
"""Of so many runs a function is asked twice, to see that it says the same."""

ANSWERS = 100_000
"""So many better runs of one run are taken at most."""


@frozen(eq=False, repr=False)
class OwnOrder(OrderOfRuns, Result):
    """The order of judged runs that moves make: a run is at least as good as all from which moves lead to it.

    Build one with `from_moves`.

    Parameters
    ----------
    moves
        Functions from a run to better runs.
    name
        How the order is called.
    grades
        How many grades there are, 0 included, where that was said.
    relevance
        The grades, where they are not 0, 1, 2, …; within, runs are the places of their grades.
    most
        How many runs are visited at most to compare two.
    within
        One of the orders with a name, in which every move leads upwards too, where that was said.
    """

    moves: tuple[Moves, ...]
    name: str
    grades: int | None = None
    most: int = MOST
    within: str | None = None
    relevance: Relevance | None = None
    _names: tuple[str, ...] = field(init=False)
    _wanting: tuple[bool, ...] = field(init=False)
    _known: dict[tuple[int, Grades], dict[Grades, int]] = field(init=False, factory=dict)
    _read: dict[Any, Grades] = field(init=False, factory=dict)
    _room: list[int] = field(init=False, factory=lambda: [REMEMBERED])

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_names", tuple(map(function_name, self.moves)))
        object.__setattr__(self, "_wanting", tuple(map(wants_grades, self.moves)))

    def __repr__(self) -> str:
        return f"<OwnOrder {self.name!r}: {counted(len(self.moves), 'function')} from a run to better ones>"

    def document(self) -> Document:
        """Return the name, the functions and the grades of the order."""
        grades = "as many as the runs need" if self.grades is None else str(self.grades)
        grades = grades if self.relevance is None else named_grades(self.relevance)
        told = [("order", self.name), ("moves", ", ".join(self._names)), ("grades", grades)]
        return Document([facts(told, title="An order of judged runs from moves")])

    def better(self, run: Run, grades: int | None = None) -> tuple[NamedRun, ...]:
        """Return the runs to which one move leads.

        Parameters
        ----------
        run
            Grades, first rank first; what is unjudged or missing has grade 0.
        grades
            How many grades there are; by default those of the order, or as many as the run needs.

        Examples
        --------
        >>> from measurand.orders import replacements, swaps
        >>> from_moves(swaps, replacements).better((0, 1), grades=2)
        ((1, 0), (1, 1))
        """
        read = self.run(run)
        return tuple(map(self.named, self.steps(read, self.number_of_grades(grades, read))))

    def run(self, run: Run, relevance: Relevance | None = None) -> Grades:
        """Return a run as the places of its grades among all, which whole grades are themselves, or refuse it.

        Parameters
        ----------
        run
            Grades, first rank first.
        relevance
            The grades there are, where they have labels.
        """
        refuse_sets(run)
        if self.relevance is not None:
            return codes(run, self.relevance)
        read = exact_grades(run, relevance)
        whole = tuple(grade for grade in read if isinstance(grade, int))
        if len(whole) < len(read):
            odd = next(grade for grade in read if not isinstance(grade, int))
            raise ParameterError(f"grade {odd} is not whole; name all grades there are: grades=Relevance.graded(0, …)")
        return whole

    def named(self, run: Grades) -> NamedRun:
        """Return a run with its grades, as people see it.

        Parameters
        ----------
        run
            The places of its grades.
        """
        return run if self.relevance is None else decoded(run, self.relevance)

    def _brief(self, run: Grades) -> str:
        return brief(self.named(run))

    def among(self, *runs: Run, relevance: Relevance | None = None) -> OwnOrder:
        """Return the order over the grades there are: those said or, where runs hold fractions, theirs and 0.

        Parameters
        ----------
        *runs
            Judged runs.
        relevance
            The grades there are, where that is said.

        Examples
        --------
        >>> from measurand.orders import replacements
        >>> from_moves(replacements).among((0.7, 0), (0.3, 0.3)).better((0.3, 0))
        ((0.7, 0), (0.3, 0.3))
        """
        if relevance is not None and relevance.grades:
            return self.with_grades(relevance)
        refuse_sets(*runs)
        if self.grades is not None:
            return self
        found = {grade for run in runs for grade in exact_grades(run, relevance)}
        if all(isinstance(grade, int) for grade in found):
            return self
        return self.with_grades(sorted(found | {0}))

    def on_whole_grades(self) -> OwnOrder:
        """Return the order, or refuse it where its grades are not 0, 1, 2, …, which measures and judged runs have."""
        if self.relevance is not None and not self.relevance.labels:
            raise ParameterError(
                f"the order {self.name!r} has the grades {named_grades(self.relevance)}, and this takes 0, 1, 2, …;"
                " make it without grades="
            )
        return self

    def number_of_grades(self, grades: int | None = None, *runs: Grades) -> int:
        """Return how many grades there are: those of the order, as many as are wanted, or as the runs need.

        Parameters
        ----------
        grades
            How many are wanted, if that is known.
        *runs
            Judged runs; one with a grade that there is not is refused.
        """
        wanted = None if grades is None else whole_number("grades", grades, 2)
        if None not in (self.grades, wanted) and self.grades != wanted:
            raise ParameterError(f"the order {self.name!r} was made for grades={self.grades}, not for grades={wanted}")
        highest = max((max(run, default=0) for run in runs), default=1)
        known = wanted or self.grades or max(2, highest + 1)
        if highest >= known:
            raise ParameterError(
                f"a run has grade {highest}, but the order {self.name!r} has the grades 0 to {known - 1};"
                f" make it with grades={highest + 1}"
            )
        return known

    def with_grades(self, grades: AnyGrades) -> OwnOrder:
        """Return the order for so many grades, where it was not said how many there are.

        Parameters
        ----------
        grades
            How many grades there are, 0 included; or the grades themselves.

        Examples
        --------
        >>> from measurand.orders import adjacent_swaps
        >>> from_moves(adjacent_swaps).with_grades(3).grades, from_moves(adjacent_swaps, grades=2).with_grades(3).grades
        (3, 2)
        """
        if self.grades is not None and not isinstance(grades, Relevance):
            return self
        known = Relevance.of(grades)
        said = self.relevance or (None if self.grades is None else Relevance.of(self.grades))
        if said is not None and said.grades != known.grades:
            raise ParameterError(
                f"the order {self.name!r} has the grades {named_grades(said)}, not {named_grades(known)}"
            )
        return evolve(self, grades=len(known.grades), relevance=None if known.is_plain else known)

    def explain(self, r: Run, s: Run, relevance: Relevance | None = None) -> ComparisonByMoves:
        """Return how `r` compares with `s`, with moves that lead from the worse to the better.

        They are the fewest, unless the order was said to lie within another.

        Parameters
        ----------
        r, s
            Runs of one length, grades, first rank first.
        relevance
            The grades there are, where they have labels.

        Examples
        --------
        >>> from measurand.orders import swaps
        >>> print(from_moves(swaps, name="swaps").explain((1, 0, 0), (0, 1, 1)).why)
        no moves lead from one to the other: they lead to 0 runs above the first and 2 runs above the second
        """
        order = self.among(r, s, relevance=relevance)
        first, second = order.run(r), order.run(s)
        same_length(first, second)
        return order.compared(first, second, order.number_of_grades(order.grades, first, second))

    def compared(self, first: Grades, second: Grades, grades: int) -> ComparisonByMoves:
        """Return how two runs compare that have been read.

        Parameters
        ----------
        first, second
            Two runs of one length.
        grades
            How many grades there are, 0 included.
        """
        if first == second:
            return ComparisonByMoves(found=Relation.EQUAL)
        if self.within is not None:
            return self._compared_within(self.within, first, second, grades)
        climbs = Climb(first, second), Climb(second, first)
        while climbs[0].queue or climbs[1].queue:
            for climb in climbs:
                climb.go_on(lambda run: self.steps(run, grades))
            visited = sum(len(climb.origin) for climb in climbs)
            if visited > min(self.most, CIRCLE) and any(climb.arrived for climb in climbs):
                break
            self._refuse_many(visited, sum(climb.moves for climb in climbs), first, second)
        there, back = (self._path(climb, grades) for climb in climbs)
        if there and back:
            self._refuse_circle([self.named(first), *(move.after for move in (*there, *back))])
        if not there and not back:
            above = len(climbs[0].origin) - 1, len(climbs[1].origin) - 1
            return ComparisonByMoves(found=Relation.INCOMPARABLE, above=above)
        return ComparisonByMoves(found=Relation.LESS if there else Relation.GREATER, moves=tuple(there or back))

    def _compared_within(self, within: str, first: Grades, second: Grades, grades: int) -> ComparisonByMoves:
        """Return how two runs compare, where every move leads upwards in another order too."""
        below = BELOW[within]
        if not (below(first, second) or below(second, first)):
            apart = f"all moves lead upwards in the order {within!r}, in which neither is better"
            return ComparisonByMoves(found=Relation.INCOMPARABLE, apart=apart)
        low, high = (first, second) if below(first, second) else (second, first)
        climb = Climb(low, high)
        # those nearest to the goal first, so that a way is found before all that lies between has been seen
        nearest, moves = [(0, low)], 0
        while nearest and not climb.arrived:
            run = heappop(nearest)[1]
            steps = self.steps(run, grades)
            moves += len(steps)
            for after in steps:
                if after not in climb.origin and below(after, high):
                    climb.origin[after] = run
                    heappush(nearest, (distance_up(after, high), after))
            self._refuse_many(len(climb.origin), moves, first, second)
        path = tuple(self._path(climb, grades))
        if not path:
            apart = f"they lead to {counted(len(climb.origin) - 1, 'run')} between the two, and no further"
            return ComparisonByMoves(found=Relation.INCOMPARABLE, apart=apart)
        return ComparisonByMoves(found=Relation.LESS if low == first else Relation.GREATER, moves=path)

    def _refuse_many(self, visited: int, moves: int, first: Grades, second: Grades) -> None:
        if visited > self.most or moves > MOVES_A_RUN * self.most:
            both = f"{self._brief(first)} and {self._brief(second)}"
            looked = f"{visited:,} runs and {moves:,} moves from {both} have been looked at"
            raise self.too_many(f"{looked}, and there are more")

    def too_many(self, why: str) -> NotAvailable:
        """Return the refusal of a search that takes too long.

        Parameters
        ----------
        why
            What was looked at.
        """
        advice = "" if self.within else ", say within='swap' if all moves lead upwards in that order"
        more = f"from_moves(…, most={4 * self.most})"
        return NotAvailable(f"{self.name!r}: {why}; compare shorter runs{advice}, or allow more: {more}")

    def chain(self, r: Run, s: Run, relevance: Relevance | None = None) -> list[Move]:
        """Return moves that lead from `r` to `s`, or refuse where none do.

        They are the fewest, unless the order was said to lie within another.

        Parameters
        ----------
        r, s
            Runs of one length, `r` no better than `s`.
        relevance
            The grades there are, where they have labels.

        Examples
        --------
        >>> from measurand.orders import adjacent_swaps
        >>> [str(move) for move in from_moves(adjacent_swaps, name="ladder").chain((0, 0, 1), (1, 0, 0))]
        ['adjacent_swaps: (0, 0, 1) → (0, 1, 0)', 'adjacent_swaps: (0, 1, 0) → (1, 0, 0)']
        """
        found = self.explain(r, s, relevance)
        if found.relation in (Relation.GREATER, Relation.INCOMPARABLE):
            raise ParameterError(f"no chain leads from the first run to the second: {found.why}")
        return list(found.moves)

    def graph(self, depth: int, grades: int) -> dict[Grades, tuple[Grades, ...]]:
        """Return every run with those to which one move leads, or refuse moves that go round in a circle.

        Parameters
        ----------
        depth
            How many ranks runs have.
        grades
            How many grades there are, 0 included.

        Examples
        --------
        >>> from measurand.orders import adjacent_swaps
        >>> from_moves(adjacent_swaps, name="ladder").graph(2, 2)
        {(0, 0): (), (0, 1): ((1, 0),), (1, 0): (), (1, 1): ()}
        """
        known = self.number_of_grades(grades)
        runs = map(tuple, every_run(whole_number("depth", depth), known).tolist())
        higher = {run: tuple(self.steps(run, known)) for run in runs}
        try:
            TopologicalSorter(higher).prepare()
        except CycleError as error:
            # the sorter goes from an element to one that it is above
            self._refuse_circle(list(map(self.named, error.args[1][::-1])))
        return higher

    def _refuse_circle(self, around: Sequence[NamedRun]) -> None:
        shown = arrows(around)
        raise InputError(
            f"the moves of {self.name!r} go round in a circle, so they make no order: {shown}; leave one of them out"
        )

    def _path(self, climb: Climb, grades: int) -> list[Move]:
        """Return the moves of a climb that has arrived, each asked for again, or nothing."""
        path: list[Move] = []
        run = climb.goal
        while climb.arrived and run != climb.start:
            before = climb.origin[run]
            by = self.steps(before, grades)[run]
            self._refuse_change(before, {run: by}, dict.fromkeys(self._asked(by, before, grades), by))
            path.append(Move(self._names[by], self.named(before), self.named(run)))
            run = before
        return path[::-1]

    def steps(self, run: Grades, grades: int) -> dict[Grades, int]:
        """Return the better runs of a run that has been read, each with the place of its function; remembered.

        Parameters
        ----------
        run
            A run.
        grades
            How many grades there are, 0 included.
        """
        found = self._known.get((grades, run))
        if found is not None:
            return found
        found = self._answers(run, grades)
        if len(self._known) < ASKED_TWICE:
            again = self._answers(run, grades)
            self._refuse_change(run, found, again)
            self._refuse_change(run, again, found)
        self._refuse_outside(run, found)
        if len(found) < self._room[0]:
            self._known[grades, run] = found
            self._room[0] -= len(found) + 1
        return found

    def _refuse_outside(self, run: Grades, found: dict[Grades, int]) -> None:
        """Refuse a move that does not lead upwards in the order in which all are said to."""
        for after, place in found.items() if self.within is not None else ():
            if not BELOW[self.within or ""](run, after):
                raise ParameterError(
                    f"{self._names[place]} leads from {self._brief(run)} to {self._brief(after)}, which is no better in"
                    f" the order {self.within!r}; leave out within="
                )

    def _answers(self, run: Grades, grades: int) -> dict[Grades, int]:
        """Return the better runs of a run, each with the place of the first function that names it."""
        found: dict[Grades, int] = {}
        for place in range(len(self.moves)):
            for after in self._asked(place, run, grades):
                found.setdefault(after, place)
        return found

    def _refuse_change(self, run: Grades, some: dict[Grades, int], others: dict[Grades, int]) -> None:
        """Refuse a move that a function named one time and not another."""
        lost = next((after for after in some if after not in others), None)
        if lost is not None:
            raise ParameterError(
                f"{self._names[some[lost]]} leads from {self._brief(run)} to {self._brief(lost)} one time and not"
                " another; moves must always be the same"
            )

    def _asked(self, place: int, run: Grades, grades: int) -> Iterator[Grades]:
        """Return the runs that a function answers for a run, read and checked."""
        name, function = self._names[place], self.moves[place]
        given, number = self._handed(run, grades)
        try:
            answer: Any = function(given, number) if self._wanting[place] else function(given)
            found = list(islice(answer, ANSWERS + 1)) if isinstance(answer, Iterable) else None
        except (Exception, SystemExit) as error:
            raise ParameterError(f"{name} failed with {error!r} on {brief(given)}") from error
        if found is None or isinstance(answer, str):
            raise ParameterError(f"{name} answered {answer!r} on {brief(given)}; return a list of better runs, or []")
        if len(found) > ANSWERS:
            raise ParameterError(f"{name} names more than {ANSWERS:,} runs better than {brief(given)}; name fewer")
        if len(self._read) > READ:
            self._read.clear()
        if given is not run:
            found = [self._taken_back(name, given, after) for after in found]
        return (remembered(self._read, name, run, after, grades) for after in found)

    def _handed(self, run: Grades, grades: int) -> tuple[tuple[Any, ...], AnyGrades]:
        """Return a run and the grades as functions get them: a run of numbers, and how many grades, or the set."""
        if self.relevance is None or self.relevance.labels:
            return run, grades
        return decoded(run, self.relevance), self.relevance

    def _taken_back(self, name: str, run: Sequence[Any], after: Any) -> Grades:
        """Return a run that a function named as the places of its grades."""
        try:
            return codes(after, self.relevance or Relevance.of(2))
        except ParameterError as error:
            raise ParameterError(f"{name} leads from {brief(tuple(run))} to {after!r}: {error}") from None


def from_moves(
    *moves: Moves, name: str = "", grades: AnyGrades | None = None, most: int = MOST, within: str | None = None
) -> OwnOrder:
    r"""Return the order of judged runs that your own moves make.

    A move is a step from a run to a better one. Functions say which moves there are; the order is all that follows:

    .. math:: r \preceq s \iff r = s \text{ or moves } r \to \dots \to s \text{ lead from } r \text{ to } s

    Parameters
    ----------
    *moves
        Functions that take a run, a tuple of grades, first rank first, and return better runs of the same length. One
        with two parameters, or with a second one that is called `grades`, is given the number of grades as its
        second, as `replacements` is. `swaps`, `adjacent_swaps` and `replacements` are such functions.
    name
        How the order is to be called; by default by the names of the functions.
    grades
        How many grades there are, 0 included; by default as many as wherever the order is used. Or the grades
        themselves, where they are not 0, 1, 2, …: a `measurand.judged.Relevance`, or all of them in ascending order.
        Then functions are given runs of these numbers (labels stand for 0, 1, 2, …), and this set in the place of the
        number of grades.
    most
        How many runs are visited at most to compare two, and 12 times as many moves; where more would be, the
        comparison is refused.
    within
        Say "swap", "replacement" or "projection" if every move also makes a run better in that order: then runs that
        cannot lie on the way are left out, and longer runs can be compared. A chain is then some chain, not always
        the shortest. A move that does not make a run better there is refused.

    Returns
    -------
    OwnOrder
        It goes to `compare`, `explain`, `chain`, `compare_by`, `measurand.axioms.is_measurement`,
        `measurand.dominance`, `measurand.balancing_index`, `measurand.axioms.balance.balancing_curve` and
        `measurand.lattice.OwnLattice`. What else has a parameter `order=` takes the names alone.

    Examples
    --------
    Only the first two ranks count, and there only which document is on top:

    >>> def top_two(run):
    ...     if run[0] < run[1]:
    ...         yield (run[1], run[0], *run[2:])
    >>> order = from_moves(top_two)
    >>> from measurand.orders import compare
    >>> str(compare((0, 1, 1), (1, 0, 1), order)), str(compare((0, 0, 1), (0, 1, 0), order))
    ('less', 'incomparable')

    Swaps and replacements make the order "swap":

    >>> from measurand.orders import replacements, swaps
    >>> [str(move) for move in from_moves(swaps, replacements).chain((0, 0, 1), (1, 0, 1))]
    ['replacements: (0, 0, 1) → (1, 0, 1)']

    Notes
    -----
    Moves may not lead round in a circle: then two runs would each be better than the other. A comparison finds circles
    that hold both runs, if they show within 10,000 runs; `graph`, `OwnLattice`, and `is_measurement` where it looks at
    all runs, find every circle.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 7; [Giner2022]_, section 7
    """
    if not moves:
        raise CallError("there are no moves; give a function from a run to better runs, such as from_moves(better)")
    for function in moves:
        if not callable(function):
            raise CallError(f"{function!r} is no function from a run to better runs, as in from_moves(better)")
    if within is not None:
        option("within", within, BELOW)
    called = str(name) or " + ".join(map(function_name, moves))
    made = OwnOrder(tuple(moves), called, None, whole_number("most", most), within)
    return made if grades is None else made.with_grades(grades)
