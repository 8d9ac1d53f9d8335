"""The names that the paper's figures give to judged runs; the equations of its text leave no other choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

Run = tuple[int, ...]

SETS: tuple[Run, ...] = tuple(
    tuple(map(int, grades.ljust(5, "0")))
    for grades in (
        *("", "1", "11", "2", "111", "21", "1111", "22", "211", "11111", "221", "2111", "222", "2211", "21111"),
        *("2221", "22111", "2222", "22211", "22221", "22222"),
    )
)
"""The sets of Figure 3, five documents with three grades: r0, r1, …, r20."""

RANKINGS: Mapping[str, Run] = MappingProxyType(
    {
        "r1": (1, 0, 0),
        "r2": (0, 0, 1),
        "r3": (0, 1, 0),
        "r4": (2, 0, 0),
        "r5": (1, 0, 1),
        "r6": (1, 1, 0),
        "r8": (0, 2, 0),
        "r17": (2, 1, 1),
    }
)
"""Those rankings of Figures 5 and 6 that the text names."""


def word(run: Iterable[object]) -> str:
    """Return a run as its grades.

    Examples
    --------
    >>> word((2, 1, 0))
    '210'
    """
    return "".join(map(str, run))


def words(runs: Iterable[Iterable[object]]) -> str:
    """Return some runs as text.

    Examples
    --------
    >>> words([(2, 1), (2, 2)])
    '21 22'
    """
    return " ".join(map(word, runs))


def set_name(run: Run) -> str:
    """Return what Figure 3 calls a set.

    Examples
    --------
    >>> set_name((2, 1, 0, 0, 0))
    'r5'
    """
    return f"r{SETS.index(run)}"
