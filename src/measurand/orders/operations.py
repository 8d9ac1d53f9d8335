"""What makes a run better: a better document at a rank, or a better document moved up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Multiset
from measurand.orders.compare import explain
from measurand.orders.levels import Grade, Run, exact_grade, exact_grades, refuse_sets
from measurand.orders.mass import check_rank
from measurand.orders.relation import Shown


def replace(run: Run, rank: int, grade: object) -> tuple[Grade, ...]:
    """Return the run with a document of a grade at least as high at a rank.

    A multiset is taken with its best grade first, and so is the result.

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


def replacements(run: Run, grades: int) -> Iterator[tuple[Grade, ...]]:
    """Return every run that is one grade better at one rank, where there are `grades` grades from 0.

    Of a multiset, these are the sets in which one document is one grade better, best grade first.

    Examples
    --------
    >>> list(replacements((0, 2, 1), grades=3))
    [(1, 2, 1), (0, 2, 2)]

    References
    ----------
    [Giner2022]_, section 2
    """
    grades = whole_number("grades", grades, 0)
    start = exact_grades(run)
    if not all(isinstance(grade, int) and grade < grades for grade in start):
        raise ParameterError(f"{start} has grades that are none of 0 to {grades - 1}; give as many grades as there are")
    # documents of one grade are alike in a set: the first of them stays in its place when it gets better
    alike = isinstance(run, Multiset)
    ranks = [i for i, grade in enumerate(start) if not (alike and i and start[i - 1] == grade)]
    return ((*start[:i], start[i] + 1, *start[i + 1 :]) for i in ranks if start[i] + 1 < grades)


def swaps(run: Run) -> Iterator[tuple[Grade, ...]]:
    """Return every run in which one better document has changed places with a worse one above it.

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


def difference(r: Run, s: Run) -> Shown | None:
    """Return where projection looks: the first rank where two runs differ, or nothing if they are equal.

    Of two multisets, it is the highest grade that they do not hold equally often.

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
