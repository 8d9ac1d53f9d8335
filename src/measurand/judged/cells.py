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

import numpy as np

from measurand.arrays import Cells, IntArray

UNJUDGED = -1
NOTHING = -2
POOLED = -3


def cells_of_grades(grades: IntArray) -> Cells:
    """Return the cells of documents with these grades in a judgment file.

    Examples
    --------
    >>> cells_of_grades(np.array([2, 0, -1, -2])).tolist()
    [2, 0, -3, 0]
    """
    return np.where(grades == -1, POOLED, np.maximum(grades, 0)).astype(np.int8)
