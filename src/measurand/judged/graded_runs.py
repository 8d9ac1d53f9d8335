"""Runs of any grades: read as exact numbers, and coded by the places of their grades in a set of grades.

Grades are whole numbers, other numbers, or labels of a `Relevance`. `codes` replaces each by its place in the set, from
0, and `decoded` puts the grades back, as people write them; what is computed between the two knows places alone.
`grade_levels` does the same with the set of those grades that occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.judged.grades import NOTHING, POOLED, UNJUDGED, RealGrade
from measurand.judged.relevance import Relevance
from measurand.judged.universes import Multiset

Grade = int | Fraction

Shown = int | Fraction | str
"""A grade as people see it: a whole number, a fraction, or a label."""

Run = Sequence[Any] | IntArray | Multiset

NamedRun = tuple[Any, ...]
"""A run as people see it: grades, first rank first, each of them `Shown`."""

AnyGrades = int | Relevance | Iterable[object]
"""What `Relevance.of` takes: how many grades there are (0, 1, 2, …), all of them, or a set."""


def exact_grades(run: Run, relevance: Relevance | None = None) -> tuple[Grade, ...]:
    """Return the grades of a run as exact numbers; what is unjudged or missing has grade 0.

    Parameters
    ----------
    run
        Grades, first rank first: numbers, spelled numbers, or the labels of `relevance`. A multiset is
        taken with its best grade first.
    relevance
        The grades there are; others are refused.

    Examples
    --------
    >>> exact_grades([2, -1, "1/3", 0.5])
    (2, 0, 1/3, 0.5)
    """
    cells = _cells(run)
    try:
        kinds = {(type(cell), cell) for cell in cells}
    except TypeError:
        raise ParameterError("a run is one sequence of grades, such as (1, 0, 2); this holds others inside") from None
    # by type as well: 0.1 is read as 1/10, but the fraction that equals the float 0.1 stays what it is
    table = {(kind, cell): exact_grade(cell, relevance) for kind, cell in kinds}
    grades = [table[type(cell), cell] for cell in cells]
    return tuple(sorted(grades, reverse=True) if isinstance(run, Multiset) else grades)


def _cells(run: Run) -> Sequence[Any]:
    if isinstance(run, Multiset):
        if inf in run.counts.values():
            raise ParameterError("a multiset that holds a grade without end has no length and cannot be compared")
        return [grade for grade, count in run.counts.items() for _ in range(int(count))]
    if isinstance(run, str | bytes | Mapping | Set) or not isinstance(run, Iterable):
        raise ParameterError(f"{run!r} is no run; write grades such as (1, 0, 2), or Multiset.of(…) for a set")
    if isinstance(run, np.ndarray):
        if run.ndim != 1:
            raise ParameterError(f"a run is one row of grades; this array has {run.ndim} dimensions")
        return run.tolist()  # type: ignore[no-any-return]
    return tuple(run)


def exact_grade(value: object, relevance: Relevance | None = None) -> Grade:
    """Return one grade as an exact number.

    Examples
    --------
    >>> exact_grade("hr", Relevance.labelled("nr", "pr", "hr"))
    2
    """
    if type(value) is int and value >= 0 and relevance is None:
        # nearly all grades are such
        return value
    if relevance is not None and relevance.labels and isinstance(value, str):
        return _plain(relevance.grade(value))
    number = _number(value)
    if number in (UNJUDGED, NOTHING, POOLED):
        return 0
    if number < 0:
        raise ParameterError(f"{value!r} is no grade: grades start at 0; -1 is unjudged, -2 no document")
    if relevance is not None and not relevance.contains(number):
        raise ParameterError(f"{value!r} is none of the grades of the relevance set, {named_grades(relevance)}")
    return _plain(number)


def _number(value: object) -> Fraction:
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    try:
        return rational(value)
    except ParameterError:
        raise ParameterError(
            f"{value!r} is no grade; write a number such as 2 or '1/3', or say relevance=Relevance.labelled(…)"
        ) from None


def _plain(number: Fraction) -> Grade:
    if number.denominator == 1:
        return number.numerator
    return number if isinstance(number, RealGrade) else RealGrade(number)


def named_grades(relevance: Relevance) -> str:
    """Return the grades of a set, for people.

    Parameters
    ----------
    relevance
        The set.

    Examples
    --------
    >>> named_grades(Relevance.graded(0, "0.3", 1)), named_grades(Relevance.real(1)), named_grades(Relevance.of(5))
    ('0, 0.3, 1', 'from 0 to 1', 'from 0 to 4')
    """
    if relevance.is_plain and len(relevance.grades) > 1:
        return f"from 0 to {len(relevance.grades) - 1}"
    if not relevance.grades:
        return f"from 0 to {relevance.upper}"
    return ", ".join(map(str, shown_grades(relevance)))


def shown_grades(relevance: Relevance) -> tuple[Shown, ...]:
    """Return the grades of a finite set as people see them, in ascending order.

    Parameters
    ----------
    relevance
        The set.

    Examples
    --------
    >>> shown_grades(Relevance.graded(0, "0.3", 1)), shown_grades(Relevance.labelled("nr", "hr"))
    ((0, 0.3, 1), ('nr', 'hr'))
    """
    return relevance.labels or tuple(map(_plain, relevance.grades))


def codes(run: Run, relevance: Relevance) -> tuple[int, ...]:
    """Return a run as the places of its grades in a finite set, from 0; what is unjudged or missing has the lowest.

    Parameters
    ----------
    run
        Grades, first rank first.
    relevance
        The set; other grades are refused.

    Examples
    --------
    >>> codes((0.3, 0, 1), Relevance.graded(0, "0.3", 1)), codes(("nr", "hr"), Relevance.labelled("nr", "pr", "hr"))
    ((1, 0, 2), (0, 2))
    """
    place = {grade: code for code, grade in enumerate(relevance.grades)}
    return tuple(place[grade] for grade in exact_grades(run, relevance))  # type: ignore[index] # ints equal fractions


def decoded(run: Sequence[int], relevance: Relevance) -> NamedRun:
    """Return the run whose grades have some places in a finite set: the reverse of `codes`.

    Parameters
    ----------
    run
        Places, from 0, first rank first.
    relevance
        The set.

    Examples
    --------
    >>> decoded((1, 0, 2), Relevance.graded(0, "0.3", 1)), decoded((0, 2), Relevance.labelled("nr", "pr", "hr"))
    ((0.3, 0, 1), ('nr', 'hr'))
    """
    grades = shown_grades(relevance)
    return tuple(grades[code] for code in run)


@frozen(eq=False)
class GradeLevels:
    """Two runs of one length, each grade replaced by its place among the grades that occur.

    Parameters
    ----------
    first, second
        The levels, first rank first.
    names
        The grade of every level, as people see it.
    """

    first: IntArray
    second: IntArray
    names: tuple[Shown, ...]

    @classmethod
    def of(cls, r: Run, s: Run, relevance: Relevance | None = None) -> GradeLevels:
        """Return the levels of two runs.

        Examples
        --------
        >>> levels = GradeLevels.of((0, 5), ("5/2", 0))
        >>> levels.first.tolist(), levels.second.tolist()
        ([0, 2], [1, 0])
        """
        (first, second), names = grade_levels([r, s], relevance)
        return cls(first, second, names)


def grade_levels(runs: Sequence[Run], relevance: Relevance | None = None) -> tuple[list[IntArray], tuple[Shown, ...]]:
    """Return runs of one length with each grade replaced by its place among those that occur, and these grades.

    Parameters
    ----------
    runs
        Grades, first rank first.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> rows, names = grade_levels([(0, 5), ("5/2", 0), (5, 5)])
    >>> [row.tolist() for row in rows], names
    ([[0, 2], [1, 0], [2, 2]], (0, 2.5, 5))
    """
    exact = [exact_grades(run, relevance) for run in runs]
    for other in exact[1:]:
        same_length(exact[0], other)
    grades = sorted({grade for run in exact for grade in run})
    place = {grade: level for level, grade in enumerate(grades)}
    rows = [np.fromiter((place[grade] for grade in run), np.int64, len(run)) for run in exact]
    return rows, tuple(_shown(grade, relevance) for grade in grades)


def _shown(grade: Grade, relevance: Relevance | None) -> Shown:
    if relevance is None or not relevance.labels:
        return grade
    return relevance.labels[relevance.grades.index(Fraction(grade))]


def same_length(r: Sequence[object], s: Sequence[object]) -> None:
    """Refuse runs of different lengths, between which no order is defined.

    Examples
    --------
    >>> same_length((1, 0), (0, 1))
    """
    if len(r) != len(s):
        raise ParameterError(
            f"runs of {len(r)} and {len(s)} documents cannot be compared: the orders are defined for runs of one"
            " length; cut the longer one, or fill the shorter one with -2 (no document)"
        )


def refuse_sets(*runs: object) -> None:
    """Refuse sets where ranks are needed.

    Examples
    --------
    >>> refuse_sets((1, 0), [0, 1])
    """
    if any(isinstance(run, Multiset | Set) for run in runs):
        raise ParameterError("a set has no ranks, so swaps and orders by rank do not apply; use a 'set-…' order")
