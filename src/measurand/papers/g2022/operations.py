"""Sections 2, 5 and 6: replacement, projection and swapping, alone and together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import comb

from measurand.lattice import Poset, RunLattice, combinations, detours, generated, is_order
from measurand.orders import ORDERS, difference, replacements, swaps
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.labels import words

PRINTED: Mapping[tuple[str, ...], str] = {
    ("sets", "replacement"): "set-replacement",
    ("sets", "projection"): "set-projection",
    ("ranks", "replacement"): "replacement",
    ("ranks", "projection"): "projection",
    ("ranks", "swapping"): "rejected",
    ("ranks", "replacement", "swapping"): "rejected",
    ("ranks", "replacement", "swapping", "projection"): "rejected",
}
"""What the paper makes of operations, where we know it."""


@exhibit("G-2-OPS", where="Section 2")
def three_operations() -> Iterator[Line]:
    """The three operations on the run 021."""
    yield line("021: after a replacement", words(replacements((0, 2, 1), grades=3)))
    yield line("021: after a swap", words(swaps((0, 2, 1))))
    yield line("102 and 110: the first rank that differs", difference((1, 0, 2), (1, 1, 0)))


@exhibit("G-5-COMB", where="Sections 5 and 6, choice of operations")
def orders_of_operations() -> Iterator[Line]:
    """Which order follows from the steps of some operations (c = 2, N = 2)."""
    for each in combinations():
        found = _name(generated(each.operations, depth=2, grades=3, universe=each.universe), each.universe)
        printed = PRINTED.get((each.universe, *each.operations))
        wrong = printed is not None and printed != found
        what = f"{', '.join(each.operations)} on {each.universe}"
        yield line(what, found, paper=printed, erratum="E-G-8" if wrong else "")


def _name(poset: Poset, universe: str) -> str:
    """Return which of the five orders this is."""
    for order in ORDERS:
        if order.startswith("set-") == (universe == "sets"):
            runs = RunLattice(order, depth=2, grades=3)
            if all(poset.below(r, s) == runs.below(r, s) for r, s in product(poset, repeat=2)):
                return order
    return "rejected"


@exhibit("G-6-SWAPALONE", where="Section 6, swapping alone")
def swapping_alone() -> Iterator[Line]:
    """By swapping alone runs with different documents are never compared."""
    components = generated(["swapping"], depth=3, grades=3).components()
    yield line("c = 2, N = 3: the diagram falls apart", len(components) > 1, paper=True)
    yield line("c = 2, N = 3: into so many pieces", len(components))
    yield line("as many as there are sets", len(components) == comb(3 + 2, 2))
    yield line("pieces of one run", sum(len(piece) == 1 for piece in components))


@exhibit("G-6-TRANSRED", "G-6-THREE", where="Section 6, rejected combinations")
def rejected() -> Iterator[Line]:
    """A step that can also be made in two is no cover; the paper rejects the operations for it."""
    two, three = ["replacement", "swapping"], ["replacement", "swapping", "projection"]
    yield line(
        "two operations: 000 → 010 → 100 beside 000 → 100", _beside(two, (0, 0, 0), (0, 1, 0), (1, 0, 0)), paper=True
    )
    by_two = generated(two, depth=3, grades=2)
    order = is_order(by_two, by_two.below).holds
    yield line("so the two make no order, N = 3", not order, paper=True, erratum="E-G-8")
    yield line(
        "three operations: 010 → 011 → 100 beside 010 → 100",
        _beside(three, (0, 1, 0), (0, 1, 1), (1, 0, 0)),
        paper=True,
    )
    by_three = generated(three, depth=3, grades=2)
    order = is_order(by_three, by_three.below).holds
    yield line("so the three make no order, N = 3", not order, paper=True, erratum="E-G-8")
    yield line("they make the chain", words(by_three) if by_three.is_chain() else "none")


def _beside(names: list[str], *steps: tuple[int, ...]) -> bool:
    return steps in detours(names, depth=3, grades=2)


EXHIBITS = (three_operations, orders_of_operations, swapping_alone, rejected)
