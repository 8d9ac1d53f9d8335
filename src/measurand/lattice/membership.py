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
    # long runs have many cells, of few kinds
    kinds = set(map(type, grades))
    known = all(issubclass(kind, int | np.integer) for kind in kinds) and set(grades) <= set(range(algebra.grades))
    if not whole or len(grades) != algebra.depth or not known:
        ranks = "1 rank" if algebra.depth == 1 else f"{algebra.depth} ranks"
        shown = brief(grades) if whole else repr(run)
        raise ParameterError(f"{shown} is no run of {ranks} with grades from 0 to {algebra.grades - 1}")
    cells = grades if kinds == {int} else tuple(map(int, grades))
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
