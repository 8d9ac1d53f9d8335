"""What can stand at a rank of a judged run: a grade, or one of three kinds of nothing known.

A cell is a whole number: a grade from 0 up, or

`UNJUDGED`
    a document that the judgments do not mention;
`NOTHING`
    no document: the run ends before this rank;
`POOLED`
    a document that was put before the assessors but not assessed. Judgment files write it as grade
    -1; only estimators such as infAP tell it from `UNJUDGED`.

Grades of -2 and below are judgments (spam, junk) and count as grade 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measurand.arrays import Cells, IntArray
from measurand.errors import ParameterError

UNJUDGED = -1
NOTHING = -2
POOLED = -3

HIGHEST_GRADE = 127
"""The highest grade that a cell can hold."""


def cells_of_grades(grades: IntArray) -> Cells:
    """Return the cells of documents with these grades in a judgment file.

    Examples
    --------
    >>> cells_of_grades(np.array([2, 0, -1, -2])).tolist()
    [2, 0, -3, 0]
    """
    return np.where(grades == -1, POOLED, np.maximum(grades, 0)).astype(np.int8)


def as_cells(run: Sequence[int]) -> tuple[int, ...]:
    """Return a judged run as a tuple of whole numbers; raise `ParameterError` if it is none.

    Parameters
    ----------
    run
        Grades, first rank first; -1 is unjudged, -2 no document.

    Examples
    --------
    >>> as_cells([1, 0, True])
    (1, 0, 1)
    """
    cells = tuple(int(cell) for cell in run)
    if any(cell != given for cell, given in zip(cells, run, strict=True)) or any(cell < POOLED for cell in cells):
        raise ParameterError(
            f"{run!r} is no judged run; write grades such as (1, 0, 2), -1 for unjudged, -2 for no document"
        )
    return cells
