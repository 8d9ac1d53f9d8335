"""Grades that unjudged documents are assumed to have: all ways that matter, and what a measure makes of them."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations_with_replacement

import numpy as np

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.calls import option
from measurand.judged import NOTHING, JudgedRuns
from measurand.judged.grades import cell_type
from measurand.measures import Measure
from measurand.measures.around import innermost
from measurand.measures.defined import Defined
from measurand.measures.exact_ties import floats

AT_ONCE = 1 << 21
"""So many ranks are looked at at once."""


class Convention(StrEnum):
    """What the ideal ranking and the recall base hold while unjudged documents are assumed to have grades."""

    GROWN = "grown"
    """The judged documents, and the unjudged ones with the grades that they are assumed to have."""

    KNOWN = "known"
    """The judged documents alone, so that a run may hold more relevant documents than there are said to be."""

    @property
    def words(self) -> str:
        """The convention in a sentence."""
        if self is Convention.GROWN:
            return "the ideal ranking and the recall base grow by what is assumed to be relevant"
        return "the ideal ranking and the recall base hold judged documents alone, so that values may exceed 1"


def as_convention(value: str) -> Convention:
    """Return a convention from its name, or complain that there is none of that name.

    Parameters
    ----------
    value
        "grown" or "known".

    Examples
    --------
    >>> str(as_convention("known"))
    'known'
    """
    return Convention(option("convention", value, Convention))


def is_open(cells: Cells) -> BoolArray:
    """Return where a document stands that has no grade.

    Parameters
    ----------
    cells
        What stands at each rank.

    Examples
    --------
    >>> is_open(np.array([1, -1, -2, -3, 0])).tolist()
    [False, True, False, True, False]
    """
    return np.asarray((cells < 0) & (cells != NOTHING))


def grades_apart(measure: Measure, top: int) -> tuple[int, ...]:
    """Return the grades that make a difference to a measure, of those from 0 to the highest, one of each kind.

    Parameters
    ----------
    measure
        The measure.
    top
        The highest grade.

    Examples
    --------
    >>> from measurand.measures import AP, nDCG
    >>> grades_apart(nDCG, 3), grades_apart(AP, 3)
    ((0, 1, 2, 3), (0, 3))
    """
    inside = innermost(measure)
    # what is not relevant and what is; a function of a user may look at anything
    return tuple(range(top + 1)) if inside.graded or isinstance(inside, Defined) else (0, top)


def variants_of(measure: Measure, cells: Cells, counts: IntArray) -> FloatArray:
    """Return the values of runs each of which has a topic of its own.

    Parameters
    ----------
    measure
        The measure, with what the campaign shows of it.
    cells
        Runs × ranks.
    counts
        How many judged documents of each grade each topic has, runs × grades.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> cells, counts = np.array([[1, 0], [0, 1]], dtype=np.int8), np.array([[5, 1], [5, 2]])
    >>> variants_of(AP, cells, counts).tolist()
    [1.0, 0.25]
    """
    found = [np.empty(0)]
    step = max(1, AT_ONCE // max(1, cells.shape[1]))
    for start in range(0, len(cells), step):
        part = np.ascontiguousarray(cells[None, start : start + step])
        runs = JudgedRuns(
            systems=("variant",),
            topics=tuple(map(str, range(part.shape[1]))),
            cells=part,
            lengths=(part != NOTHING).sum(axis=2),
            grade_counts=np.array(counts[start : start + step]),
        )
        found.append(floats(measure, runs)[0])
    return np.concatenate(found)


def count_vectors(number: int, kinds: int) -> IntArray:
    """Return all ways for some documents to have grades, by counts: how many have at least each grade above 0.

    Parameters
    ----------
    number
        How many documents there are.
    kinds
        How many grades make a difference, 0 included.

    Examples
    --------
    >>> count_vectors(2, 3).tolist()
    [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]
    """
    falling = [vector[::-1] for vector in combinations_with_replacement(range(number + 1), kinds - 1)]
    return np.array(sorted(falling), dtype=np.int64).reshape(len(falling), kinds - 1)


def placed_first(vectors: IntArray, grades: tuple[int, ...], number: int) -> Cells:
    """Return the grades of documents for each vector of counts, the highest grades first.

    Parameters
    ----------
    vectors
        How many documents have at least each grade above 0, as `count_vectors` gives them.
    grades
        The grades, 0 first.
    number
        How many documents there are.

    Examples
    --------
    >>> placed_first(np.array([[2, 1]]), (0, 1, 2), 3).tolist()
    [[2, 1, 0]]
    """
    kinds = (vectors[:, None, :] > np.arange(number)[None, :, None]).sum(axis=2)
    return np.asarray(np.array(grades, dtype=cell_type(max(grades)))[kinds])


def grown_counts(counts: IntArray, assigned: Cells) -> IntArray:
    """Return how many documents have each grade of a topic once others have grades, too.

    Parameters
    ----------
    counts
        How many have each grade now.
    assigned
        The grades of the others, ways × documents.

    Examples
    --------
    >>> grown_counts(np.array([5, 1]), np.array([[0, 1], [1, 1]])).tolist()
    [[6, 2], [5, 3]]
    """
    more = [(assigned == grade).sum(axis=1) for grade in range(len(counts))]
    return np.asarray(counts[None, :] + np.stack(more, axis=1))


def with_all_grades(counts: IntArray) -> IntArray:
    """Return how many documents of each grade topics have, for two grades at least.

    Parameters
    ----------
    counts
        Topics × grades.

    Examples
    --------
    >>> with_all_grades(np.array([[3]])).tolist()
    [[3, 0]]
    """
    return np.pad(counts, ((0, 0), (0, max(0, 2 - counts.shape[1]))))
