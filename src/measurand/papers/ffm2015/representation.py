"""Section 2: to measure is to map things to numbers so that relations between things become relations of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import inf
from operator import le

from measurand.measures import parse
from measurand.orders import Measurement, Structure, homomorphism, image_loss
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.classical import is_additive, is_monotone
from measurand.papers.ffm2015.examples import every, is_refused, ordered_pairs, worth

THINGS = (1, 2, 3)


def adds_up(x: int, y: int, z: int) -> bool:
    """Say whether two numbers make a third.

    Examples
    --------
    >>> adds_up(1, 2, 3)
    True
    """
    return x + y == z


@exhibit("FFM-2.1-struct", "FFM-2.1-homo", where="Section 2.1, the rods")
def rods() -> Iterator[Line]:
    """The length of a rod keeps two relations: one rod is no longer than another, two make a third."""
    no_longer = {("a", "a"), ("a", "b"), ("a", "c"), ("b", "b"), ("b", "c"), ("c", "c")}
    structure = Structure("abc", {"no longer": no_longer, "end to end": {("a", "b", "c")}})
    counterparts: dict[str, Callable[..., bool]] = {"no longer": le, "end to end": adds_up}
    yield line(
        "arities of the two relations", (structure.arity("no longer"), structure.arity("end to end")), said=(2, 3)
    )
    kept = homomorphism(structure, {"a": 1, "b": 2, "c": 3}, counterparts)
    yield line("lengths, such as 1, 2, 3, keep both", bool(kept), said=True)
    order = Structure("abc", {"no longer": no_longer})
    both_ways = homomorphism(order, {"a": 1, "b": 2, "c": 3}, {"no longer": le}, both_ways=True)
    yield line("and the first both ways: a ⪯ b ⇔ 1 ≤ 2, …", bool(both_ways), said=True)
    odd = {"a": 1, "b": 2, "c": 4}
    yield line("lengths 1, 2, 4 keep the first", bool(homomorphism(structure, odd, {"no longer": le})))
    broken, rods = homomorphism(structure, odd, counterparts).witness
    yield line("lengths 1, 2, 4 break", f"{broken}: {', '.join(rods)}")


@exhibit("FFM-2.1-iff", "FFM-2.1-noniso", where="Section 2.1, homomorphism")
def runs_and_numbers() -> Iterator[Line]:
    """Better runs get higher numbers, but from the numbers nobody can tell the runs."""
    precision = parse("P")
    runs = Structure(every(2, 2), {"no better": set(ordered_pairs(2, 2))})
    yield line(
        "P keeps the order of runs, 2 grades, 2 ranks", bool(homomorphism(runs, precision.of, {"no better": le}))
    )
    both = homomorphism(runs, precision.of, {"no better": le}, both_ways=True)
    yield line("both ways, as lengths of rods do (⇔)", bool(both))
    yield line("because 10 and 01 have one value", tuple(worth("P", run) for run in both.witness[1]))
    apart = ((1, 0, 0), (0, 1, 1))
    pair = Structure(apart, {"no better": {(run, run) for run in apart}})
    # two numbers are below, equal or above each other, so these three stand for all
    kept = [
        homomorphism(pair, dict(zip(apart, numbers, strict=True)), {"no better": le}, both_ways=True)
        for numbers in ((0, 1), (0, 0), (1, 0))
    ]
    yield line("100, 011: some numbers keep ⪯ both ways", any(kept), said=True, erratum="E45")
    for spelling in ("P", "DCG(b=2)"):
        domain = every(2, 4)
        values = len(domain) - image_loss(domain, parse(spelling).of)
        yield line(f"2 grades, 4 ranks: runs, values of {spelling}", (len(domain), values))


@exhibit("FFM-2.1-classic", where="Sections 2.1 and 4, measures of sets")
def measures_of_sets() -> Iterator[Line]:
    """The classical measure is a homomorphism from sets, with inclusion and disjoint union."""
    sets = [frozenset(chosen) for size in range(4) for chosen in combinations(THINGS, size)]
    pairs = list(product(sets, repeat=2))
    laws = Structure(
        sets,
        {
            "any union": {(a, b, a | b) for a, b in pairs},
            "printed parts": {(a, a | (b - a), b) for a, b in pairs if a <= b},
            "true parts": {(a, b - a, b) for a, b in pairs if a <= b},
        },
    )
    holds = {name: bool(homomorphism(laws, len, {name: adds_up})) for name in laws.relations}
    yield line("counting: A in B ⇒ M(A) ≤ M(B)", bool(is_monotone(len, THINGS)), said=True)
    yield line("counting: M(A ∪ B) = M(A) + M(B), A and B disjoint", bool(is_additive(len, THINGS)), said=True)
    yield line("counting: the same, any A, B", holds["any union"])
    yield line("counting, A in B: M(B) = M(A) + M(A ∪ (B − A))", holds["printed parts"], said=True, erratum="E01")
    yield line("counting, A in B: M(B) = M(A) + M(B − A)", holds["true parts"])
    greatest = {chosen: max(chosen, default=0) for chosen in sets}
    both = (bool(is_monotone(greatest, THINGS)), bool(is_additive(greatest, THINGS)))
    yield line("the largest element: monotone, additive", both)


@exhibit("FFM-2.1-measure", "FFM-2.2-ES", "FFM-5-mu", where="Sections 2.2 and 5")
def the_map_and_its_values() -> Iterator[Line]:
    """A measurement judges what was retrieved and gives it a number from 0 to infinity, a measure."""
    truth = {"t": {"d1": 1, "d2": 0, "d3": 0, "d4": 1}}
    precision = Measurement(parse("P").of, truth)
    yield line("P of the ranking d1, d2, d3, d4, judged 1001", precision.measure("t", ["d1", "d2", "d3", "d4"]))
    endless = Measurement(lambda _: inf, truth)
    yield line("a measure may be infinite", endless.measure("t", ["d1"]) == inf, said=True)
    negative = Measurement(lambda _: -1, truth)
    yield line("a measure may be negative", not is_refused(lambda: negative.measure("t", ["d1"])), said=False)


EXHIBITS = (rods, runs_and_numbers, measures_of_sets, the_map_and_its_values)
