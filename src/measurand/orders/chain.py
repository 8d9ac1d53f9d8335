"""Swaps and replacements: the two operations that make a run better, and chains of them from a run to a better one.

`replace` and `swap` apply one operation, `replacements`, `swaps` and `adjacent_swaps` list all that apply. `chain`
returns the operations that lead from a run to a better one, which exist exactly when the order "swap" says that it is
better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal, overload

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Multiset, Relevance
from measurand.judged.graded_runs import (
    AnyGrades,
    Grade,
    GradeLevels,
    Run,
    Shown,
    exact_grade,
    exact_grades,
    refuse_sets,
)
from measurand.orders.compare import Relation, check_rank, explain
from measurand.orders.names import OrderOfRuns, check_order

if TYPE_CHECKING:
    from measurand.orders.compared_by_moves import Move


def replace(run: Run, rank: int, grade: object) -> tuple[Grade, ...]:
    """Return the run with a document of a grade at least as high at a rank.

    A multiset is taken with its best grade first, and so is the result.

    Parameters
    ----------
    run
        Grades, first rank first, or a multiset.
    rank
        The rank of the document that is replaced, from 1.
    grade
        The grade of the new document, no lower than that of the old.

    Examples
    --------
    >>> replace((1, 0, 0), rank=3, grade=2)
    (1, 0, 2)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 5; [Giner2022]_, section 2
    """
    grades, new = exact_grades(run), exact_grade(grade)
    check_rank(rank, len(grades))
    if new < grades[rank - 1]:
        raise ParameterError(
            f"grade {new} at rank {rank} in place of grade {grades[rank - 1]} is no replacement: it makes the run worse"
        )
    changed = (*grades[: rank - 1], new, *grades[rank:])
    return tuple(sorted(changed, reverse=True)) if isinstance(run, Multiset) else changed


def swap(run: Run, i: int, j: int) -> tuple[Grade, ...]:
    """Return the run with the documents at ranks `i` < `j` exchanged, the one at `i` being the worse.

    Parameters
    ----------
    run
        Grades, first rank first.
    i, j
        The ranks of the two documents, `i` above `j`.

    Examples
    --------
    >>> swap((0, 1, 2), 2, 3)
    (0, 2, 1)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 5; [Giner2022]_, section 2
    """
    refuse_sets(run)
    grades = list(exact_grades(run))
    check_rank(i, len(grades))
    check_rank(j, len(grades))
    if not (i < j and grades[i - 1] < grades[j - 1]):
        raise ParameterError(
            f"ranks {i} and {j} of {tuple(grades)} cannot be swapped: a swap moves a better document above a worse one"
        )
    grades[i - 1], grades[j - 1] = grades[j - 1], grades[i - 1]
    return tuple(grades)


def replacements(run: Run, grades: AnyGrades) -> Iterator[tuple[Grade, ...]]:
    """Return every run that is one grade better at one rank.

    Of a multiset, these are the sets in which one document is one grade better, best grade first.

    Parameters
    ----------
    run
        Grades, first rank first, or a multiset.
    grades
        The number of grades, grade 0 included, or the grades themselves.

    Examples
    --------
    >>> list(replacements((0, 2, 1), grades=3))
    [(1, 2, 1), (0, 2, 2)]
    >>> list(replacements((0, 1), grades=Relevance.graded(0, "0.3", 1)))
    [(0.3, 1)]

    References
    ----------
    [Giner2022]_, section 2
    """
    start = exact_grades(run)
    following = _following(start, grades)
    # documents of one grade are alike in a set: the first of them stays in its place when it gets better
    alike = isinstance(run, Multiset)
    ranks = [i for i, grade in enumerate(start) if not (alike and i and start[i - 1] == grade)]
    higher = ((i, following.get(start[i])) for i in ranks)
    return ((*start[:i], grade, *start[i + 1 :]) for i, grade in higher if grade is not None)


def _following(run: Sequence[Grade], grades: AnyGrades) -> Mapping[Grade, Grade]:
    """Return the next higher grade of each grade of a run that has one, or refuse grades that there are not."""
    if isinstance(grades, Relevance | Iterable):
        known = Relevance.of(grades)
        exact_grades(run, known)
        return dict(pairwise(exact_grades(known.grades)))
    number = whole_number("grades", grades, 0)
    if not all(isinstance(grade, int) and grade < number for grade in run):
        raise ParameterError(f"{run} has grades that are none of 0 to {number - 1}; give as many grades as there are")
    return {grade: grade + 1 for grade in run if grade + 1 < number}


def swaps(run: Run) -> Iterator[tuple[Grade, ...]]:
    """Return every run in which one better document has changed places with a worse one above it.

    Parameters
    ----------
    run
        Grades, first rank first.

    Examples
    --------
    >>> list(swaps((0, 2, 1)))
    [(2, 0, 1), (1, 2, 0)]

    References
    ----------
    [Giner2022]_, section 2
    """
    refuse_sets(run)
    start = exact_grades(run)
    pairs = ((i, j) for i, j in combinations(range(len(start)), 2) if start[i] < start[j])
    return ((*start[:i], start[j], *start[i + 1 : j], start[i], *start[j + 1 :]) for i, j in pairs)


def adjacent_swaps(run: Run) -> Iterator[tuple[Grade, ...]]:
    """Return every run in which a document has changed places with a worse one right above it.

    Parameters
    ----------
    run
        Grades, first rank first.

    Examples
    --------
    >>> list(adjacent_swaps((0, 2, 1, 2)))
    [(2, 0, 1, 2), (0, 2, 2, 1)]

    References
    ----------
    [Giner2022]_, section 2
    """
    refuse_sets(run)
    start = exact_grades(run)
    rises = (i for i in range(len(start) - 1) if start[i] < start[i + 1])
    return ((*start[:i], start[i + 1], start[i], *start[i + 2 :]) for i in rises)


def difference(r: Run, s: Run) -> Shown | None:
    """Return the first rank where two runs differ, where projection decides; None if they are equal.

    Of two multisets, it is the highest grade that they do not hold equally often.

    Parameters
    ----------
    r, s
        Judged runs of one length, or two multisets.

    Examples
    --------
    >>> difference((1, 0, 2), (1, 1, 0))
    2
    >>> difference(Multiset.of([2, 1, 1]), Multiset.of([2, 1, 0]))
    1

    References
    ----------
    [Giner2022]_, section 2
    """
    sets = isinstance(r, Multiset) and isinstance(s, Multiset)
    comparison = explain(r, s, "set-projection" if sets else "projection")
    place = comparison.ahead or comparison.behind
    if place is None:
        return None
    return place.rank if place.rank is not None else place.grade


@frozen
class Step:
    """One swap or one replacement.

    Parameters
    ----------
    kind
        "swap" or "replacement".
    rank
        The rank whose grade rises; in a set, the place counted from the best grade.
    other
        The rank below that it is swapped with.
    old, new
        The grade at `rank` before and after.

    Examples
    --------
    >>> step = Step("swap", 2, 3, old=1, new=2)
    >>> print(step)
    swap ranks 2 and 3, grades 1 and 2
    >>> step.apply((0, 1, 2))
    (0, 2, 1)
    """

    kind: Literal["swap", "replacement"]
    rank: int
    other: int | None
    old: Shown
    new: Shown

    def apply(self, run: Sequence[Any]) -> tuple[Any, ...]:
        """Return the run after the step.

        Parameters
        ----------
        run
            Grades, first rank first, or whatever represents them.
        """
        if max(self.rank, self.other or 0) > len(run):
            raise ParameterError(f"{self} is no step in a run of {len(run)} ranks")
        after = list(run)
        if self.other is None:
            after[self.rank - 1] = self.new
        else:
            after[self.rank - 1], after[self.other - 1] = after[self.other - 1], after[self.rank - 1]
        return tuple(after)

    def __str__(self) -> str:
        if self.other is None:
            return f"replace grade {self.old} at rank {self.rank} by grade {self.new}"
        return f"swap ranks {self.rank} and {self.other}, grades {self.old} and {self.new}"


@overload
def chain(r: Run, s: Run, order: str = "swap", relevance: Relevance | None = None) -> list[Step]: ...
@overload
def chain(r: Run, s: Run, order: OrderOfRuns, relevance: Relevance | None = None) -> list[Move]: ...
def chain(
    r: Run, s: Run, order: str | OrderOfRuns = "swap", relevance: Relevance | None = None
) -> list[Step] | list[Move]:
    """Return swaps and replacements that lead from `r` to `s`, each to a run that is no better than `s`.

    From the first rank to the last, as long as the grade there is too low: swap with the nearest better
    document below that is not too good; if there is none, replace.

    Parameters
    ----------
    r, s
        Judged runs of one length, `r` no better than `s`.
    order
        "swap"; "replacement", where nothing is swapped; "set-replacement", where both runs are taken with their best
        grade first, and so are the runs in between; or an order of your own (`from_moves`), which gives its
        moves.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> for step in chain((0, 1, 0), (2, 0, 1)):
    ...     print(step)
    swap ranks 1 and 2, grades 0 and 1
    replace grade 1 at rank 1 by grade 2
    replace grade 0 at rank 3 by grade 1

    Notes
    -----
    The construction in the paper's proof goes from the last rank to the first; see `backward_chain`.

    References
    ----------
    [FerranteFerroMaistro2015]_, theorem 5.2
    """
    check_order(order)
    if isinstance(order, OrderOfRuns):
        return order.chain(r, s, relevance)
    if order not in _LEAD:
        raise ParameterError(f"the order {order!r} is not made of steps; there are chains in {', '.join(_LEAD)}")
    _refuse_unless_below(r, s, order, relevance)
    return _LEAD[order](GradeLevels.of(r, s, relevance))


def backward_chain(r: Run, s: Run) -> list[Step]:
    """Return the chain that the proof in the paper constructs, or refuse where the construction is stuck.

    From the last rank to the first: a grade that is too high is swapped with the nearest document above
    of the lowest grade there; a grade that is too low is replaced. With two grades this leads from every
    run to every better one. With three it need not, although there is a chain (see `chain`).

    Parameters
    ----------
    r, s
        Judged runs of one length, `r` no better than `s`.

    Examples
    --------
    >>> [str(step) for step in backward_chain((1, 0, 1, 0, 1, 1), (1, 1, 0, 1, 1, 0))]
    ['swap ranks 4 and 6, grades 0 and 1', 'swap ranks 2 and 3, grades 0 and 1']
    >>> backward_chain((0, 1, 2), (0, 2, 1))
    Traceback (most recent call last):
    measurand.errors.ParameterError: stuck at (2, 2, 1): rank 1 has a grade above 0 and nothing to swap with

    References
    ----------
    [FerranteFerroMaistro2015]_, proof of theorem 5.2
    """
    _refuse_unless_below(r, s, "swap")
    levels = GradeLevels.of(r, s)
    run, goal, names = levels.first.tolist(), levels.second.tolist(), levels.names
    steps = []
    for i in reversed(range(len(run))):
        if run[i] > goal[i]:
            j = _nearest_of_lowest(run, i)
            if j is not None and run[j] < run[i]:
                steps.append(Step("swap", j + 1, i + 1, names[run[j]], names[run[i]]))
                run[i], run[j] = run[j], run[i]
        if run[i] > goal[i]:
            now = f"({', '.join(str(names[level]) for level in run)})"
            why = f"rank {i + 1} has a grade above {names[goal[i]]} and nothing to swap with"
            raise ParameterError(f"stuck at {now}: {why}")
        if run[i] < goal[i]:
            steps.append(Step("replacement", i + 1, None, names[run[i]], names[goal[i]]))
            run[i] = goal[i]
    return steps


def _nearest_of_lowest(run: list[int], i: int) -> int | None:
    """Return the last place before `i` that has the lowest level there."""
    return min(range(i), key=lambda j: (run[j], -j), default=None)


def _refuse_unless_below(r: Run, s: Run, order: str, relevance: Relevance | None = None) -> None:
    comparison = explain(r, s, order, relevance)
    if comparison.relation in (Relation.GREATER, Relation.INCOMPARABLE):
        raise ParameterError(f"no chain leads from the first run to the second: {comparison.why}")


def _front_to_back(levels: GradeLevels) -> list[Step]:
    run, goal, names = levels.first.tolist(), levels.second.tolist(), levels.names
    # an ascending list is a heap
    places: list[list[int]] = [[] for _ in names]
    for i, level in enumerate(run):
        places[level].append(i)
    steps = []
    for i, wanted in enumerate(goal):
        for level in _rungs(places, i, range(run[i] + 1, wanted + 1)):
            old, j = run[i], heappop(places[level])
            heappush(places[old], j)
            steps.append(Step("swap", i + 1, j + 1, names[old], names[level]))
            run[i], run[j] = level, old
        if run[i] < wanted:
            steps.append(Step("replacement", i + 1, None, names[run[i]], names[wanted]))
            run[i] = wanted
    return steps


def _rungs(places: list[list[int]], i: int, levels: range) -> list[int]:
    """Return the levels that swaps with the nearest place after `i` climb through, lowest first.

    The nearest place of a level is climbed to if no higher level has a nearer one. Places that were
    passed are dropped on the way.
    """
    rungs: list[int] = []
    for level in reversed(levels):
        heap = places[level]
        while heap and heap[0] <= i:
            heappop(heap)
        if heap and (not rungs or heap[0] < places[rungs[-1]][0]):
            rungs.append(level)
    return rungs[::-1]


def _rank_by_rank(levels: GradeLevels) -> list[Step]:
    return _rises(levels.first.tolist(), levels.second.tolist(), levels.names)


def _best_first(levels: GradeLevels) -> list[Step]:
    run, goal = (sorted(row.tolist(), reverse=True) for row in (levels.first, levels.second))
    return _rises(run, goal, levels.names)


def _rises(run: Sequence[int], goal: Sequence[int], names: Sequence[Shown]) -> list[Step]:
    pairs = enumerate(zip(run, goal, strict=True), 1)
    return [Step("replacement", rank, None, names[old], names[new]) for rank, (old, new) in pairs if old < new]


_LEAD: Mapping[str, Callable[[GradeLevels], list[Step]]] = {
    "swap": _front_to_back,
    "replacement": _rank_by_rank,
    "set-replacement": _best_first,
}

CHAINED = tuple(_LEAD)
"""The orders that are made of steps."""
