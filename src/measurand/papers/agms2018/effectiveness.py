"""Section 4.1: how effective a ranking is, by what it and the judgments tell apart and together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, log
from typing import Any

from measurand.exact import log_sum
from measurand.information import Signals, exact_entropy
from measurand.measures import parse
from measurand.orders import swap
from measurand.papers import effectiveness
from measurand.papers.exhibit import Line, exhibit, line


def total(run: Sequence[int], beta: object, collection: int, recall_base: int) -> Any:
    """Return the effectiveness of a run times the size of the collection, exactly."""
    return collection * parse(f"OIE(beta={beta}, collection={collection})").of(run, recall_base=recall_base)


def gain_of_swap(measure: str, run: Sequence[int], rank: int, **pool: Any) -> Any:
    """Return what a measure gains if the documents at a rank and at the next one change places, exactly."""
    known, start = parse(measure), [int(grade) for grade in run]
    better: Any = known.of([int(grade) for grade in swap(start, rank, rank + 1)], **pool)
    return better - known.of(start, **pool)


def signals_of(run: Sequence[int], recall_base: int, collection: int) -> Signals:
    """Return a run and its judgments as signals over the whole collection."""
    ranking: dict[Any, int] = {rank: len(run) - rank for rank in range(len(run))}
    relevant = [rank for rank, grade in enumerate(run) if grade]
    missing = [f"missing {number}" for number in range(recall_base - len(relevant))]
    gold: dict[Any, int] = dict.fromkeys([*relevant, *missing], 1)
    return Signals.of({"r": ranking, "g": gold}, collection)


@exhibit("AGMS-D4.1", where="Definition 4.1")
def definition() -> Iterator[Line]:
    """Effectiveness times the size D of the collection; if nothing else is said D = 10, with R = 2 relevant ones."""
    yield line("11, β = 1", round(float(total((1, 1), 1, 10, 2)), 6))
    yield line("101, β = 1", round(float(total((1, 0, 1), 1, 10, 2)), 6))
    yield line("101, β = 1.2", round(float(total((1, 0, 1), "1.2", 10, 2)), 6))
    yield line("nothing retrieved, β = 1.2", round(float(total((), "1.2", 10, 2)), 6))
    by_entropies = 10 * effectiveness(signals_of((1, 0, 1), 2, 10), "g", measure="OIE(beta=1.2)")
    yield line("101: OIE is its definition by entropies", total((1, 0, 1), "1.2", 10, 2) == by_entropies)
    # relevant documents at ranks 1 and 3: precision 1 and 2/3 there, against 2 of 10 by chance
    gains = log_sum([(Fraction(1) / Fraction(2, 10), 1), (Fraction(2, 3) / Fraction(2, 10), 1)])
    yield line("101, β = 1: the sum of ln(P@i / (R/D)), i = 1, 3", total((1, 0, 1), 1, 10, 2) == gains)
    nothing = Fraction(-1, 5) * 10 * exact_entropy(signals_of((0, 0), 0, 10).only("r"))
    yield line("00, R = 0, β = 1.2: (1 - β) H(r)", total((0, 0), "1.2", 10, 0) == nothing)
    yield from _relevant_documents_that_cost()


@exhibit("AGMS-4.1-ICM", where="Section 4.1, the Information Contrast Model")
def contrast() -> Iterator[Line]:
    """With all weights 1, what the ranking and the judgments share."""
    signals = signals_of((1, 0, 1), 2, 10)
    alone, judged, both = exact_entropy(signals.only("r")), exact_entropy(signals.only("g")), exact_entropy(signals)
    shared = total((1, 0, 1), 1, 10, 2) / 10 == alone + judged - both
    yield line("101: OIE is H(r) + H(g) - H(r, g)", shared, derived=True)
    yield line("101: its value", round(float(alone + judged - both), 7))


@exhibit("AGMS-4.1-ALPHA", where="Section 4.1")
def weights_of_entropies() -> Iterator[Line]:
    """For one topic and runs of one length, the weights of the two entropies do not matter."""
    orders = set()
    for alpha1, alpha2 in ((1, 1), (3, "0.25"), ("0.01", 50)):
        measure = parse(f"OIE(alpha1={alpha1}, alpha2={alpha2}, beta=1.2, collection=20)")
        values: dict[tuple[int, ...], Any] = {run: measure.of(run, recall_base=4) for run in product((0, 1), repeat=4)}
        orders.add(tuple(sorted(values, key=values.__getitem__)))
    yield line("all runs of 4 ranks: one order for 3 pairs of weights", len(orders) == 1, said=True)


def _relevant_documents_that_cost() -> Iterator[Line]:
    """Return what the paper does not tell, E-A-16: a relevant document more may lower the score."""
    nothing, one = (float(total(run, "1.2", 100, 50)) for run in ((), (1,)))
    yield line("D = 100, R = 50, β = 1.2: nothing retrieved", round(nothing, 4))
    yield line("the same, one relevant document retrieved", round(one, 4))
    runs = [run for length in range(7) for run in product((0, 1), repeat=length)]
    others = [run for run in runs if run and sum(run) <= 4 and run.count(0) <= 2]
    best = all(total((), "1.9", 6, 4) > total(run, "1.9", 6, 4) for run in others)
    yield line("D = 6, R = 4, β = 1.9: the empty run is the best of all", best)
    ordered = log(factorial(50))
    bound = (50 * log(100) - ordered) / (50 * log(50) - ordered)
    yield line("D = 100, R = 50: the perfect run beats it for β below", round(bound, 4))
    perfect = [total([1] * 50, beta, 100, 50) > total((), beta, 100, 50) for beta in ("1.735", "1.736")]
    yield line("so it does for β = 1.735, for β = 1.736", tuple(perfect))


EXHIBITS = (definition, contrast, weights_of_entropies)
