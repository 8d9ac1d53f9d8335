"""Section 3: how much rankings and judgments tell of a document, and of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from measurand.exact import log, log_sum
from measurand.information import Signals, entropy, exact_entropy, outscorer_counts, outscorers, outscores, quantity
from measurand.papers.exhibit import Line, exhibit, line

R1 = {"d1": 3, "d2": 2, "d4": 1}
R2 = {"d3": 3, "d1": 2, "d2": 1}
RANKINGS = {"r1": R1, "r2": R2, "r3": R2}
TABLE_1 = {**RANKINGS, "g": {"d1": 1, "d4": 1}}
"""The paper's Table 1: three rankings, two of them the same, and judgments."""

NAMED = ("d1", "d2", "d3", "d4")
"""The documents that it names."""

SETS = 40
"""So many random sets of signals a property is tried on."""


def random_signals(seed: int) -> dict[str, dict[int, int]]:
    """Return three signals over five documents, with ties."""
    chance = Random(seed)
    return {name: {document: chance.randrange(4) for document in range(5)} for name in "abc"}


@exhibit("AGMS-T1", where="Table 1")
def table_of_signals() -> Iterator[Line]:
    """Three rankings of the same collection, and judgments."""
    table = Signals.of(TABLE_1, 10)
    for name, printed in {"r1": "d1 d2 d4", "r2": "d3 d1 d2", "r3": "d3 d1 d2"}.items():
        level = dict(zip(table.documents, table.only(name).levels[:, 0].tolist(), strict=True))
        order = sorted((document for document in level if level[document]), key=level.__getitem__, reverse=True)
        yield line(f"{name}, from the top", " ".join(order), printed=printed)
    missing = [f"{name} {document}" for name, one in RANKINGS.items() for document in NAMED if document not in one]
    yield line("of d1 to d4, 0 is given by", ", ".join(missing), printed="r2 d4, r3 d4", erratum="E-A-18")
    yield line("relevant by g", " ".join(name for name, grade in TABLE_1["g"].items() if grade), printed="d1 d4")
    yield line("documents of 10 that are at the minimum of all", table.rest)


@exhibit("AGMS-3.1-REQ", where="Section 3.1")
def requirements() -> Iterator[Line]:
    """What information should be like, tried on Table 1 in a collection of ten."""
    one, both, all_three = (quantity(signals, 10) for signals in ({"r1": R1}, {"r1": R1, "r2": R2}, RANKINGS))
    yield line("r1: a higher rank tells more", one["d1"] > one["d2"] > one["d4"] > 0, said=True)
    yield line("d1 above d2 in r1 and r2: it tells more", both["d1"] > both["d2"], said=True)
    yield line("d1 tells more than d2 and d4", all_three["d1"] > max(all_three["d2"], all_three["d4"]), said=True)
    yield line("d1 and d3 tell the same", all_three["d1"] == all_three["d3"])
    yield line("r3 repeats r2: it tells nothing more", all_three == both, said=True)


@exhibit("AGMS-D3.1", "AGMS-Eq1", where="Definition 3.1, Equation 1")
def outscoring() -> Iterator[Line]:
    """Which documents of Table 1 are at least as high as a document in every signal."""
    for document, printed in {"d1": "d1", "d2": "d1 d2", "d3": "d3", "d4": "d1 d4"}.items():
        above = " ".join(sorted(outscorers(TABLE_1, document, 10).named))
        yield line(f"at least as high as {document}", above, printed=printed)
    yield line("at least as high as d5, of 10", outscorers(TABLE_1, "d5", 10).count, derived=10)
    apart = not (outscores(TABLE_1, "d1", "d3") or outscores(TABLE_1, "d3", "d1"))
    yield line("d1 and d3 are not comparable", apart, said=True)
    twins = {"r": {"a": 1, "b": 1}}
    yield line("two documents alike outscore each other", outscores(twins, "a", "b") and outscores(twins, "b", "a"))


@exhibit("AGMS-D3.2", "AGMS-D3.3", where="Definitions 3.2 and 3.3")
def quantities_of_table_1() -> Iterator[Line]:
    """The information of the documents of Table 1, and the entropy of its signals."""
    counts, told = outscorer_counts(TABLE_1, 10), quantity(TABLE_1, 10)
    yield line(
        "d1, d2, d3, d4: n in I = -log(n/D)", tuple(counts[document] for document in NAMED), printed=(1, 2, 1, 2)
    )
    for document in NAMED:
        yield line(f"{document}: {counts[document]} of 10 as high, information", round(told[document], 6))
    yield line("d4 without the judgments: as high are", outscorer_counts(RANKINGS, 10)["d4"])
    yield line("in bits, d1 of 8 documents", quantity(TABLE_1, 8, base=2)["d1"])
    for size in (10, 100, 1_000_000):
        exact = exact_entropy(TABLE_1, size)
        closed = log_sum([(size, Fraction(4, size)), (2, Fraction(-2, size))])
        yield line(f"entropy, D = {size:,}", float(f"{float(exact):.6g}"))
        yield line(f"is (4 ln D - 2 ln 2) / D, D = {size:,}", exact == closed)


@exhibit("AGMS-3.2-CORR", where="Section 3.2")
def disagreement() -> Iterator[Line]:
    """Signals that disagree tell more than signals that agree."""
    ranking = {"a": 1, "b": 2, "c": 3}
    reverse = {document: -value for document, value in ranking.items()}
    alone = exact_entropy({"r": ranking}, 3)
    same, against = exact_entropy({"r": ranking, "s": ranking}, 3), exact_entropy({"r": ranking, "s": reverse}, 3)
    yield line("3 documents: the reverse adds more than a copy", against > same, said=True)
    yield line("a ranking of 3 and itself tell as much as it alone", same == alone)
    yield line("it and its reverse tell all there is, ln 3", against == log(3))
    yield line("the two entropies", (round(float(same), 4), round(float(against), 4)))


@exhibit("AGMS-P3.1", "AGMS-P3.3", where="Properties 3.1 and 3.3")
def monotony() -> Iterator[Line]:
    """A document as high as another everywhere tells no less, and a further signal takes nothing away."""
    kept = grown = True
    for signals in map(random_signals, range(SETS)):
        told, fewer = quantity(signals, 9), quantity({name: signals[name] for name in "ab"}, 9)
        pairs = product(range(5), repeat=2)
        kept &= all(told[one] >= told[other] for one, other in pairs if outscores(signals, one, other))
        grown &= all(told[document] >= fewer[document] for document in fewer)
    yield line(f"as high everywhere, tells no less: {SETS} random sets", kept, said=True)
    yield line(f"no less with one signal more: {SETS} random sets", grown, said=True)
    without, with_them = (exact_entropy(signals, 10) for signals in (RANKINGS, TABLE_1))
    yield line("Table 1: entropy grows with the judgments", with_them > without)
    counts = (outscorer_counts(RANKINGS, 10)["d4"], outscorer_counts(TABLE_1, 10)["d4"])
    yield line("Table 1, d4 tells ln(D/n): n without, with them", counts)


@exhibit("AGMS-C3.2", where="Corollary 3.2")
def one_signal() -> Iterator[Line]:
    """One signal orders documents as its information does."""
    told = quantity({"s": {"a": 1, "b": 2, "c": 4}}, 3)
    yield line("scores 1, 2, 4 tell", tuple(round(value, 4) for value in told.values()))
    yield line("in the order of the scores", told["a"] < told["b"] < told["c"], said=True)
    twice = told["c"] == 2 * told["b"]
    yield line("in proportion to them: 4 tells twice what 2 does", twice, derived=True, erratum="E-A-12")


@exhibit("AGMS-P3.4", where="Property 3.4")
def entropy_of_a_ranking() -> Iterator[Line]:
    """The entropy of a ranking without ties depends on its length n and the size D of the collection alone."""
    for length, size in ((3, 10), (5, 5), (4, 100)):
        ranking = {"r": {document: -document for document in range(length)}}
        formula = log_sum([(Fraction(rank, size), Fraction(-1, size)) for rank in range(1, length + 1)])
        known = exact_entropy(ranking, size)
        yield line(f"n = {length}, D = {size}: is -(ln 1/D + … + ln n/D) / D", known == formula, said=True)
        yield line(f"n = {length}, D = {size}: entropy", round(entropy(ranking, size), 6))


@exhibit("AGMS-P3.5", where="Property 3.5")
def redundancy() -> Iterator[Line]:
    """A signal that is an increasing function of another tells nothing more."""
    signal = {"a": 1, "b": 2, "c": 3}
    alone = exact_entropy({"s": signal}, 3)
    grown, turned = ({document: sign * value**3 for document, value in signal.items()} for sign in (1, -1))
    same = exact_entropy({"s": signal, "t": grown}, 3) == alone
    yield line("1, 2, 3 and their cubes tell as much as 1, 2, 3", same, said=True)
    same = exact_entropy({"s": signal, "t": turned}, 3) == alone
    yield line("1, 2, 3 and minus their cubes, monotonic too", same)
    both = round(entropy({"s": signal}, 3), 4), round(entropy({"s": signal, "t": turned}, 3), 4)
    yield line("entropy of 1, 2, 3 alone and with these", both)


@exhibit("AGMS-P3.6", where="Property 3.6")
def something_new() -> Iterator[Line]:
    """When a further signal tells more."""
    one, other = {"a": 1, "b": 3, "c": 2}, {"a": 2, "b": 1, "c": 3}
    again = exact_entropy({"s": one, "t": one}, 3) > exact_entropy({"s": one}, 3)
    yield line("with ≥ as printed, where d1 may be d2: a copy does", again, derived=True, erratum="E-A-11")
    both, total = {"s": one, "t": other}, {document: one[document] + other[document] for document in one}
    more = exact_entropy({**both, "sum": total}, 3) > exact_entropy(both, 3)
    yield line("every signal that repeats none does: their sum", more, said=True, erratum="E-A-11")
    yield line(
        "entropy of two signals, and with their sum",
        (round(entropy(both, 3), 6), round(entropy({**both, "sum": total}, 3), 6)),
    )
    exactly = all(_tells_more(signals) == _turns(signals) for signals in map(random_signals, range(SETS)))
    yield line(f"with > exactly these tell more: {SETS} random sets", exactly)


def _tells_more(signals: dict[str, dict[int, int]]) -> bool:
    """Return whether the last signal adds to the entropy of the others."""
    return exact_entropy(signals, 5) > exact_entropy({name: signals[name] for name in "ab"}, 5)


def _turns(signals: dict[str, dict[int, int]]) -> bool:
    """Return whether the last signal has a document above one that is as high in all others."""
    known, new = {name: signals[name] for name in "ab"}, signals["c"]
    return any(new[one] > new[other] and outscores(known, other, one) for one, other in product(range(5), repeat=2))


EXHIBITS = (
    table_of_signals,
    requirements,
    outscoring,
    quantities_of_table_1,
    disagreement,
    monotony,
    one_signal,
    entropy_of_a_ranking,
    redundancy,
    something_new,
)
