"""The judged runs of the paper's examples: how they are written, listed, valued and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

from measurand.errors import MeasurandError, ParameterError
from measurand.lattice import RunLattice
from measurand.measures import parse
from measurand.orders import compare

Run = tuple[int, ...]


def run(text: str) -> Run:
    """Return a judged run that is written as digits, first rank first.

    Examples
    --------
    >>> run("0112")
    (0, 1, 1, 2)
    """
    return tuple(map(int, text))


def every(grades: int, length: int) -> list[Run]:
    """Return all judged runs of a length.

    Examples
    --------
    >>> every(2, 2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(product(range(grades), repeat=length))


def worth(measure: str, judged: Sequence[Any], recall_base: int | None = None) -> Fraction:
    """Return the value of a run under a measure whose values are fractions.

    Examples
    --------
    >>> worth("AP", (1, 0, 0, 1, 0), recall_base=1)
    Fraction(3, 2)
    """
    value = parse(measure).of(judged, recall_base=recall_base)
    if not isinstance(value, Fraction):
        raise ParameterError(f"{measure} of {judged} is no fraction")
    return value


def at_most(r: Run, s: Run, order: str = "swap") -> bool:
    """Return whether a run is no better than another.

    Examples
    --------
    >>> at_most((0, 1), (1, 0)), at_most((1, 0), (0, 1))
    (True, False)
    """
    return str(compare(r, s, order)) in ("less", "equal")


@cache
def ordered_pairs(grades: int, length: int) -> frozenset[tuple[Run, Run]]:
    """Return all pairs of rankings of which the first is no better than the second.

    Examples
    --------
    >>> len(ordered_pairs(2, 3))
    35
    """
    order = RunLattice("swap", length, grades).poset()
    places = zip(*order.leq.nonzero(), strict=True)
    return frozenset((order.elements[low], order.elements[high]) for low, high in places)


def comparable(grades: int, length: int, order: str = "swap") -> str:
    """Return how many pairs of different runs can be compared, of how many.

    Examples
    --------
    >>> comparable(2, 4), comparable(2, 4, "set-replacement")
    ('110 of 120', '10 of 10')
    """
    runs = RunLattice(order, length, grades).poset()
    return f"{int(runs.leq.sum()) - len(runs):,} of {comb(len(runs), 2):,}"


def refusal(question: Callable[[], object]) -> str:
    """Return why a question has no answer; nothing, where it has one.

    Examples
    --------
    >>> refusal(lambda: compare((1, 0), (1, 0, 0))).partition(":")[0], refusal(lambda: compare((1, 0), (0, 1)))
    ('runs of 2 and 3 documents cannot be compared', '')
    """
    try:
        question()
    except MeasurandError as error:
        return str(error)
    return ""


def is_refused(question: Callable[[], object]) -> bool:
    """Return whether a question has no answer.

    Examples
    --------
    >>> is_refused(lambda: compare((1, 0), (1, 0, 0))), is_refused(lambda: compare((1, 0), (0, 1)))
    (True, False)
    """
    return bool(refusal(question))
