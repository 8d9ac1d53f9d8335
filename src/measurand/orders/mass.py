"""Cumulated mass: how many documents of at least a grade a run has, down to a rank."""

from __future__ import annotations

import numpy as np

from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.orders.levels import Run, exact_grade, exact_grades, refuse_sets


def mass(run: Run, grade: object, rank: int | None = None, relevance: Relevance | None = None) -> int:
    r"""Return how many documents of at least `grade` a run has, down to `rank`.

    .. math:: A(r, k, g) = \#\{i \le k : r_i \ge g\}

    Parameters
    ----------
    run
        Grades, first rank first, or a multiset.
    grade
        The lowest grade that is counted.
    rank
        The last rank that is counted; all ranks if nothing is said.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> mass((0, 1, 1, 2, 2), grade=1, rank=4), mass((1, 0, 2, 1), grade=2)
    (3, 1)

    References
    ----------
    [FerranteFerroMaistro2015]_, theorem 5.2; [Giner2022]_, definition 1 and remark 1
    """
    if rank is not None:
        refuse_sets(run)
    grades, least = exact_grades(run, relevance), exact_grade(grade, relevance)
    if rank is not None:
        check_rank(rank, len(grades))
    return sum(1 for value in grades[:rank] if value >= least)


def check_rank(rank: int, length: int) -> None:
    """Refuse what is no rank of a run of a length.

    Examples
    --------
    >>> check_rank(3, length=3)
    """
    if not isinstance(rank, int | np.integer) or isinstance(rank, bool) or not 1 <= rank <= length:
        raise ParameterError(f"there is no rank {rank!r} in a run of {length}; ranks are whole numbers from 1")
