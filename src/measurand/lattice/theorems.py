"""What is proved about the orders on judged runs, however many runs there are."""

from __future__ import annotations

from collections.abc import Mapping

from measurand.errors import brief
from measurand.lattice.algebra.base import Algebra
from measurand.verdict import How, Verdict, Witness

LATTICE: Mapping[str, str] = {
    "swap": "the larger and the smaller number of relevant documents down to every rank are those of runs again",
    "replacement": "the higher and the lower grade at every rank make the join and the meet",
    "set-replacement": "the higher and the lower grade, document by document from the best, make the join and the meet",
}
"""Why an order is a lattice, where it is one …"""

CHAIN = "of two runs the better one is the join and the worse one the meet"
"""… or a chain …"""

DISTRIBUTIVE = "; larger and smaller numbers distribute over each other"
"""… and why it is a distributive one: joins and meets are larger and smaller numbers."""


def is_lattice(algebra: Algebra) -> Verdict:
    """Return whether every two runs have a join and a meet; the witness is two runs without join, and their bounds.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_lattice(algebra_of("swap", 1000, 2))), is_lattice(algebra_of("swap", 3, 3)).witness.runs
    (True, ((0, 0, 2), (0, 1, 0), (0, 1, 2), (0, 2, 0)))
    """
    if not has_gaps(algebra):
        argument = CHAIN if is_chain(algebra) else LATTICE[algebra.order]
        return Verdict(True, None, _every_run(algebra), How.PROVED, argument)
    above = (0,) * (algebra.depth - 2)
    x, y = (*above, 0, 2), (*above, 1, 0)
    bounds = (*above, 1, 2), (*above, 2, 0)
    (one, other), (first, second) = map(brief, (x, y)), map(brief, bounds)
    why = f"{one} and {other} have two minimal upper bounds, {first} and {second}, and so no join"
    return Verdict(False, Witness((x, y, *bounds), (), why), _every_run(algebra), How.COUNTEREXAMPLE)


def is_distributive(algebra: Algebra) -> Verdict:
    """Return whether joins and meets distribute over each other; what is no lattice is not distributive.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_distributive(algebra_of("replacement", 100, 5)))
    True
    """
    lattice = is_lattice(algebra)
    if not lattice:
        return lattice
    argument = lattice.argument if is_chain(algebra) else lattice.argument + DISTRIBUTIVE
    return Verdict(True, None, lattice.checked, How.PROVED, argument)


def is_chain(algebra: Algebra) -> bool:
    """Say whether of any two runs one is better.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> is_chain(algebra_of("projection", 3, 3)), is_chain(algebra_of("swap", 3, 3)), is_chain(algebra_of("swap", 1, 3))
    (True, False, True)
    """
    two_sets = algebra.order == "set-replacement" and algebra.grades == 2
    return algebra.order in ("projection", "set-projection") or algebra.depth == 1 or two_sets


def has_gaps(algebra: Algebra) -> bool:
    """Say whether some runs have no join, so that the completion of the order holds more than runs.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> has_gaps(algebra_of("swap", 2, 3)), has_gaps(algebra_of("swap", 1, 3))
    (True, False)
    """
    return algebra.order == "swap" and algebra.grades > 2 and algebra.depth > 1


def _every_run(algebra: Algebra) -> str:
    return f"every run of {algebra.depth:,} {'rank' if algebra.depth == 1 else 'ranks'} and {algebra.grades} grades"
