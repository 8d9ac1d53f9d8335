"""Sections 2, 5 and 6: replacement, projection and swapping, alone and together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import comb
from types import MappingProxyType

from measurand.lattice import Poset, RunLattice, combinations, detours, generated, is_order
from measurand.orders import ORDERS, difference, replacements, swaps
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.labels import words

MADE: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("sets", "replacement"): "set-replacement",
        ("sets", "replacement", "projection"): "set-projection",
        ("ranks", "replacement"): "replacement",
        ("ranks", "replacement", "projection"): "projection",
    }
)
"""The orders that the paper makes of operations; it does not take projection without replacement."""

REJECTED = (("swapping",), ("replacement", "swapping"), ("replacement", "swapping", "projection"))
"""The operations on rankings that the paper rejects, replacement being meant at any rank."""


@exhibit("G-2-OPS", where="Section 2")
def three_operations() -> Iterator[Line]:
    """The three operations on the run 021."""
    yield line("021: after a replacement", words(replacements((0, 2, 1), grades=3)))
    yield line("021: after a swap", words(swaps((0, 2, 1))))
    yield line("102 and 110: the first rank that differs", difference((1, 0, 2), (1, 1, 0)))


@exhibit("G-5-COMB", where="Sections 5 and 6, choice of operations")
def orders_of_operations() -> Iterator[Line]:
    """Which of the five orders the steps of some operations make; they are of use if they make one (c = 2, N = 2)."""
    found = {
        (each.universe, *each.operations): _name(
            generated(each.operations, depth=2, grades=3, universe=each.universe), each.universe
        )
        for each in combinations()
    }
    for steps, said in MADE.items():
        yield line(_on(*steps), found[steps], said=said)
    for steps, order in found.items():
        if steps not in MADE:
            yield line(_on(*steps), order)
    for operations in REJECTED:
        made = found["ranks", *operations] is not None
        yield line(f"{_on('ranks', *operations)}: of use", made, said=False, erratum="E-G-8" if made else "")


def _on(universe: str, *operations: str) -> str:
    return f"{', '.join(operations)} on {universe}"


def _name(poset: Poset, universe: str) -> str | None:
    """Return which of the five orders this is, if it is one of them."""
    for order in ORDERS:
        if order.startswith("set-") == (universe == "sets"):
            runs = RunLattice(order, depth=2, grades=3)
            if all(poset.below(r, s) == runs.below(r, s) for r, s in product(poset, repeat=2)):
                return order
    return None


@exhibit("G-6-SWAPALONE", where="Section 6, swapping alone")
def swapping_alone() -> Iterator[Line]:
    """By swapping alone runs with different documents are never compared."""
    components = generated(["swapping"], depth=3, grades=3).components()
    yield line("c = 2, N = 3: the diagram falls apart", len(components) > 1, said=True)
    yield line("c = 2, N = 3: into so many pieces", len(components))
    yield line("c = 2, N = 3: as many as there are sets", len(components) == comb(3 + 2, 2))
    yield line("c = 2, N = 3: pieces of one run", sum(len(piece) == 1 for piece in components))


@exhibit("G-6-TRANSRED", "G-6-THREE", where="Section 6, rejected combinations")
def rejected() -> Iterator[Line]:
    """A step that can also be made in two is no cover; the paper rejects the operations for it."""
    two, three = ["replacement", "swapping"], ["replacement", "swapping", "projection"]
    yield line(
        "two operations: 000 → 010 → 100 beside 000 → 100", _beside(two, (0, 0, 0), (0, 1, 0), (1, 0, 0)), said=True
    )
    by_two = generated(two, depth=3, grades=2)
    yield line("the two make an order all the same, c = 1, N = 3", is_order(by_two, by_two.below).holds)
    yield line(
        "three operations: 010 → 011 → 100 beside 010 → 100",
        _beside(three, (0, 1, 0), (0, 1, 1), (1, 0, 0)),
        said=True,
    )
    by_three = generated(three, depth=3, grades=2)
    yield line("the three make a chain, c = 1, N = 3", by_three.is_chain().holds)
    yield line("from below", words(by_three))


def _beside(names: list[str], *steps: tuple[int, ...]) -> bool:
    return steps in detours(names, depth=3, grades=2)


EXHIBITS = (three_operations, orders_of_operations, swapping_alone, rejected)
