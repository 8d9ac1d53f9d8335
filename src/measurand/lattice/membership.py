"""Runs that belong to an order: as long as it is deep, with the grades that it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from measurand.errors import ParameterError, brief
from measurand.lattice.algebra.base import Algebra, Run


def member(algebra: Algebra, run: Sequence[Any]) -> Run:
    """Return a run as the order has it (a set best grade first), or say why it does not belong there.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> member(algebra_of("set-replacement", 3, 3), [0, 2, 1])
    (2, 1, 0)
    """
    whole = isinstance(run, Sequence | np.ndarray) and not isinstance(run, str | bytes)
    grades = tuple(run) if whole else ()
    if not whole or len(grades) != algebra.depth or not all(_is_grade(grade, algebra.grades) for grade in grades):
        ranks = "1 rank" if algebra.depth == 1 else f"{algebra.depth} ranks"
        shown = brief(grades) if whole else repr(run)
        raise ParameterError(f"{shown} is no run of {ranks} with grades from 0 to {algebra.grades - 1}")
    cells = tuple(int(grade) for grade in grades)
    return tuple(sorted(cells, reverse=True)) if is_set(algebra) else cells


def is_set(algebra: Algebra) -> bool:
    """Say whether the runs of an order are sets.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> is_set(algebra_of("set-projection", 3, 3)), is_set(algebra_of("projection", 3, 3))
    (True, False)
    """
    return algebra.order.startswith("set-")


def _is_grade(grade: object, grades: int) -> bool:
    return isinstance(grade, int | np.integer) and bool(0 <= grade < grades)
