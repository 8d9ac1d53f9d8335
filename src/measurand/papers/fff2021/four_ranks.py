"""The sixteen binary runs of four ranks, on which the paper shows what measures do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, product
from types import MappingProxyType
from typing import cast

from measurand.intervals import image
from measurand.orders import Relation, compare
from measurand.scales import Image

Run = tuple[int, ...]

RANKS = 4

RUNS: tuple[Run, ...] = tuple(product((0, 1), repeat=RANKS))

PANELS = MappingProxyType(
    {
        "a": "P",
        "b": "AP",
        "c": "RR",
        "d": "RBP(p=0.3)",
        "e": "RBP(p=0.5)",
        "f": "RBP(p=0.8)",
        "g": "DCG(b=2)",
    }
)
"""The measures of Figure 3, panel by panel; every topic has as many relevant documents as there are ranks."""


def run_of(text: str) -> Run:
    """Return the run that a text spells.

    Parameters
    ----------
    text
        The grades of a run, such as 0110.

    Examples
    --------
    >>> run_of("0101")
    (0, 1, 0, 1)
    """
    return tuple(map(int, text))


def spelled(*runs: Iterable[int]) -> str:
    """Return runs as text.

    Parameters
    ----------
    runs
        Runs of any number.

    Examples
    --------
    >>> spelled((0, 1), (1, 0))
    '01, 10'
    """
    return ", ".join("".join(map(str, run)) for run in runs)


@cache
def values_of(measure: str, ranks: int = RANKS) -> Image:
    """Return all values of a measure on binary runs, which are few enough to be written out.

    Parameters
    ----------
    measure
        A measure or its spelling.
    ranks
        How many ranks runs have.

    Examples
    --------
    >>> [str(value) for value in values_of("RR")]
    ['0', '1/4', '1/3', '1/2', '1']
    """
    return cast(Image, image(measure, ranks))


def order_of_runs(measure: str) -> str:
    """Return the runs as a measure orders them, from its lowest value up, ties joined by a sign.

    Parameters
    ----------
    measure
        A measure or its spelling.

    Examples
    --------
    >>> order_of_runs("RR")[:31]
    '0000 0001 0010=0011 0100=0101=0'
    """
    found = values_of(measure)
    return " ".join(spelled(*found.runs_at(place)).replace(", ", "=") for place in range(found.size))


def pairs(*, comparable: bool) -> list[tuple[Run, Run]]:
    """Return the pairs of runs that replacement and swapping compare, or those that they do not.

    Parameters
    ----------
    comparable
        Whether the runs of a pair are comparable.

    Examples
    --------
    >>> len(pairs(comparable=True)), len(pairs(comparable=False))
    (110, 10)
    """
    return [pair for pair in combinations(RUNS, 2) if (compare(*pair) is not Relation.INCOMPARABLE) == comparable]
