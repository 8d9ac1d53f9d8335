"""Several judged runs beside each other: how every two compare, the ranks of all in the order, their join and meet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from attrs import frozen

from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, facts, valued
from measurand.display.wording import counted, number
from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.judged.graded_runs import Run, Shown, exact_grades
from measurand.judged.grades import spelled
from measurand.lattice.algebra import ALGEBRAS
from measurand.lattice.algebra.base import is_set, member
from measurand.lattice.runs import Closest, closest_bounds
from measurand.orders import Relation, compare
from measurand.orders.names import named_order

WORDS = {
    Relation.LESS: "worse",
    Relation.EQUAL: "equal",
    Relation.GREATER: "better",
    Relation.INCOMPARABLE: "neither",
}
"""How the run of a row stands to that of a column."""


@frozen
class Ranks:
    """The ranks of some runs in an order.

    Parameters
    ----------
    ranks
        How many steps lead from the worst run to each.
    highest
        How many lead to the best run.
    grades
        How many grades there are taken to be, 0 included.
    completed
        Whether the steps are those of the completion of the order: with swaps and three grades or more some of what
        lies between is no run, so that one swap can be several steps.

    Examples
    --------
    >>> ranks_of([(1, 0, 0, 1), (0, 1, 1, 0)])
    Ranks(ranks=(5, 5), highest=10, grades=2, completed=False)
    >>> ranks_of([(0, 2), (2, 0)]).completed
    True
    """

    ranks: tuple[int, ...]
    highest: int
    grades: int
    completed: bool = False


def ranks_of(runs: Sequence[Run], order: str = "swap", relevance: Relevance | None = None) -> Ranks | None:
    """Return the ranks of runs of one length in an order, or nothing where it is not known which grades there are.

    Parameters
    ----------
    runs
        Grades, first rank first.
    order
        One of `measurand.orders.ORDERS`.
    relevance
        The grades there are; without, those from 0 to the highest that occurs, or to 1, if all are whole numbers.

    Examples
    --------
    >>> ranks_of([(2, 0), (0, 1)], "projection").ranks, ranks_of([("1/2", 0)]) is None
    ((6, 1), True)
    >>> ranks_of([("1/2", 0)], relevance=Relevance.graded(0, "1/2", 1))
    Ranks(ranks=(2,), highest=6, grades=3, completed=True)
    """
    named_order(order)
    exact = [exact_grades(run, relevance) for run in runs]
    known = None if relevance is None or not relevance.grades else relevance
    occurring = {grade for run in exact for grade in run}
    if known is None:
        if any(not isinstance(grade, int) for grade in occurring):
            return None
        known = Relevance.of(int(max(1, *occurring)) + 1)
    algebra = ALGEBRAS[order](len(exact[0]), max(2, len(known.grades)), None if known.is_plain else known)
    ranks = tuple(algebra.rank(member(algebra, run)) for run in exact)
    completed = order == "swap" and algebra.grades > 2 and len(exact[0]) > 1
    return Ranks(ranks, algebra.rank(algebra.top), algebra.grades, completed)


@frozen(repr=False)
class SeveralRuns(Result):
    """How every two of some judged runs compare, and the join and the meet of all.

    Parameters
    ----------
    runs
        The runs; of a set, best grade first.
    order
        The order in which they are compared.
    relations
        For every run, how it compares with each of them.
    bounds
        Join and meet of all, or the closest bounds where there are several.
    ranks
        The ranks of the runs, where it is known which grades there are.

    Examples
    --------
    >>> found = compare_runs((1, 0, 0, 1), (0, 1, 1, 0), (0, 0, 1, 1))
    >>> found.relations[2][0], found.bounds.above, found.ranks.ranks
    (<Relation.LESS: 'less'>, ((1, 0, 1, 0),), (5, 5, 3))
    """

    runs: tuple[tuple[Shown, ...], ...]
    order: str
    relations: tuple[tuple[Relation, ...], ...]
    bounds: Closest
    ranks: Ranks | None = None

    def document(self) -> Document:
        """Return the runs with their ranks and relations, and the join and the meet of all."""
        columns = [
            Column("grades", lambda place: spelled(self.runs[place]), left=True),
            valued("run", lambda place: place + 1),
        ]
        title = f"Order {self.order!r}: how the run of a row stands to that of a column"
        if self.ranks is not None:
            ranks = self.ranks
            columns.append(valued("rank", lambda place: ranks.ranks[place], number))
            where = " in the completion of the order, where one swap can be several steps" if ranks.completed else ""
            title += f"; rank: steps up to it, of {number(ranks.highest)}{where}"
        columns += [Column(f"to {other + 1}", partial(self._word, other)) for other in range(len(self.runs))]
        view = TableView(columns, range(len(self.runs)), title=title, narrow="split")
        return Document([view, "", facts(self._bounds(), title="All together")])

    def _word(self, other: int, place: int) -> str:
        return "–" if place == other else WORDS[self.relations[place][other]]

    def _bounds(self) -> list[tuple[str, Any]]:
        several = "" if self.bounds.complete else " or more"
        rows: list[tuple[str, Any]] = []
        for name, runs, what in (
            ("join", self.bounds.above, "minimal run"),
            ("meet", self.bounds.below, "maximal run"),
        ):
            texts = [spelled(run) for run in runs]
            none = f"none, but {len(runs):,}{several} {what}s: {'; '.join(texts[:3])}{'; …' if len(runs) > 3 else ''}"
            if not runs:
                none = f"none: no run is {'at least' if name == 'join' else 'at most'} as good as all of them"
            rows.append((name, (texts[0] if len(runs) == 1 else none, [list(map(str, run)) for run in runs])))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the runs, their ranks and relations, and all closest bounds, ready for JSON."""
        bounds = ("minimal_upper_bounds", self.bounds.above), ("maximal_lower_bounds", self.bounds.below)
        return {
            "order": self.order,
            "runs": [list(map(str, run)) for run in self.runs],
            "ranks": None if self.ranks is None else list(self.ranks.ranks),
            "highest_rank": None if self.ranks is None else self.ranks.highest,
            "ranks_in_completion": None if self.ranks is None else self.ranks.completed,
            "relations": [list(map(str, row)) for row in self.relations],
            **{name: [list(map(str, run)) for run in runs] for name, runs in bounds},
            "all_bounds": self.bounds.complete,
        }

    def __repr__(self) -> str:
        return f"<SeveralRuns: {counted(len(self.runs), 'run')} in the order {self.order!r}>"


def compare_runs(*runs: Run, order: str = "swap", relevance: Relevance | None = None) -> SeveralRuns:
    """Return how every two of some judged runs compare, their ranks in the order, and the join and meet of all.

    Parameters
    ----------
    *runs
        Two runs or more, of one length: grades, first rank first, as `measurand.orders.compare` takes them.
    order
        One of `measurand.orders.ORDERS`; those of sets put the best grade first.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> compare_runs((0, 2), (1, 0), (1, 1)).bounds.above
    ((1, 2),)

    References
    ----------
    [Giner2022]_
    """
    named_order(order)
    if len(runs) < 2:
        raise ParameterError(f"{counted(len(runs), 'run')} cannot be compared; name two or more")
    given: Sequence[Any] = runs
    if is_set(ALGEBRAS[order](1, 2)):
        # what stands for a set is its run with the best grade first
        given = [_best_first(run, relevance) for run in runs]
    relations = tuple(tuple(compare(x, y, order, relevance) for y in given) for x in given)
    bounds = closest_bounds(given[0], given[1], order, relevance, others=given[2:])
    return SeveralRuns(tuple(map(tuple, given)), order, relations, bounds, ranks_of(given, order, relevance))


def _best_first(run: Run, relevance: Relevance | None) -> tuple[Any, ...]:
    cells = list(run) if not hasattr(run, "counts") else list(exact_grades(run, relevance))
    grades = exact_grades(cells, relevance)
    return tuple(cell for _, cell in sorted(zip(grades, cells, strict=True), key=lambda pair: -pair[0]))
