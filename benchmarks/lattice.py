"""Measure what lattices of judged runs cost: `python benchmarks/lattice.py`.

Operations on single runs of 1000 ranks and 5 grades, where there are 5^1000 runs; a measure made from a table on a
whole campaign; and, where all runs can be listed, the Hasse diagram beside networkx, which is given the whole order.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from machine import describe, load, seconds
from measurand.errors import NoJoin, NoMeet
from measurand.judged import JudgedRuns
from measurand.lattice import RunLattice
from measurand.measures import DCG
from measurand.orders import ORDERS

DEPTH, GRADES, PAIRS = 1000, 5, 20
SYSTEMS, TOPICS = 129, 50
LISTABLE = 10_000_000
LISTED = (("swap", 6, 3), ("swap", 10, 2), ("replacement", 6, 3))


def bounded(work: Callable[[], Any]) -> Any:
    """Return what a join or a meet is, or that there is none."""
    try:
        return work()
    except (NoJoin, NoMeet) as none:
        return none


def random_runs(count: int, depth: int = DEPTH) -> list[tuple[int, ...]]:
    """Return random runs, with many relevant documents and with few."""
    rng = np.random.default_rng(7)
    shares = rng.random((count, 1))
    cells = rng.integers(1, GRADES, (count, depth)) * (rng.random((count, depth)) < shares)
    return [tuple(row) for row in cells.tolist()]


def operations(order: str) -> dict[str, float]:
    """Return the milliseconds of every operation, the slowest of some random runs."""
    lattice = RunLattice(order, DEPTH, GRADES)
    runs = random_runs(2 * PAIRS)
    pairs = list(zip(runs[::2], runs[1::2], strict=True))
    table = lattice.join_irreducibles()
    count = lattice.algebra.irreducible_count
    chosen = table[count // 2]
    # chains have too many join-irreducible runs for a list of values
    values: Any = [Fraction(place % 997, 1000) for place in range(count)] if count < LISTABLE else lambda _: 1
    ways: dict[str, Callable[[Any, Any], Any]] = {
        "compare": lattice.compare,
        "join": lambda x, y: bounded(lambda: lattice.join(x, y)),
        "meet": lambda x, y: bounded(lambda: lattice.meet(x, y)),
        "covers": lambda x, _: lattice.covers(x),
        "covered": lambda x, _: lattice.covered(x),
        "decompose": lambda x, _: lattice.decompose(x),
        "interval": lambda x, _: next(iter(lattice.interval(lattice.bottom, x))),
        "value": lambda x, _: lattice.value(x, values),
        "irreducible": lambda *_: table.index(chosen),
    }
    return {
        name: 1000 * max(seconds(lambda way=way, pair=pair: way(*pair), 3) for pair in pairs)  # type: ignore[misc]
        for name, way in ways.items()
    }


def campaign() -> JudgedRuns:
    """Return judged runs with four grades above 0."""
    rng = np.random.default_rng(5)
    hits = rng.random((SYSTEMS, TOPICS, DEPTH)) < 0.4 / (1 + np.arange(DEPTH) / 10)
    return JudgedRuns(
        systems=tuple(f"s{s}" for s in range(SYSTEMS)),
        topics=tuple(f"t{t}" for t in range(TOPICS)),
        cells=(hits * rng.integers(1, GRADES, hits.shape)).astype(np.int8),
        lengths=np.full((SYSTEMS, TOPICS), DEPTH),
        grade_counts=rng.integers(20, 200, (TOPICS, GRADES)),
    )


def diagram(order: str, depth: int, grades: int) -> tuple[int, float, float]:
    """Return how many runs there are, and the seconds for their diagram: measurand's and networkx's."""
    import networkx

    lattice = RunLattice(order, depth, grades)
    poset = lattice.poset()
    above = [(x, y) for x in poset for y in poset.upper_bounds([x]) if x != y]

    def reduced() -> Any:
        return networkx.transitive_reduction(networkx.DiGraph(above))

    return len(poset), seconds(lattice.hasse, 3), seconds(reduced, 1)


def main() -> None:
    """Measure and print."""
    print(describe(), f"\nload {load()}\n")
    print(f"milliseconds, {DEPTH} ranks, {GRADES} grades, the slowest of {PAIRS} random pairs")
    for order in ORDERS:
        print(f"  {order:16}", "  ".join(f"{name} {took:.2f}" for name, took in operations(order).items()))
    judged = campaign()
    ranks = RunLattice("replacement", DEPTH, GRADES)
    made = ranks.extend([Fraction(place, 1000) for place in range(len(ranks.join_irreducibles()))], name="Made")
    print(f"\n{SYSTEMS} systems × {TOPICS} topics × {DEPTH} documents")
    plain, tabled = seconds(lambda: DCG.scores(judged)), seconds(lambda: made.scores(judged))
    print(f"  DCG {1000 * plain:.0f} ms, a measure from a table of 4,000 values {1000 * tabled:.0f} ms")
    print("\nHasse diagrams, from the size of the order alone; networkx reduces the whole order, given")
    for order, depth, grades in LISTED:
        size, ours, theirs = diagram(order, depth, grades)
        slower = f"networkx {theirs:.2f} s ({theirs / ours:.0f} times)"
        print(f"  {order} {depth} ranks {grades} grades, {size:,} runs: {ours:.2f} s, {slower}")
    print(f"\nload {load()}")


if __name__ == "__main__":
    main()
