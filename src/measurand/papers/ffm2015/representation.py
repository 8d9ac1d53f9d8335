"""Sections 2 and 3: measuring as a map to numbers that keeps relations, and what there is to be judged.

Section 2: things are mapped to numbers so that relations between things become relations of numbers. Section 3:
relevance, and how many sets and rankings of documents there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import inf
from operator import le

from measurand.judged import (
    JudgedRun,
    Multiset,
    Pool,
    Relevance,
    count_ranked_runs,
    count_set_runs,
    judged_rankings,
    ranked_runs,
    set_runs,
)
from measurand.measures import parse
from measurand.orders import Measurement, Structure, compare_by, homomorphism, image_loss
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.classical import is_additive, is_monotone
from measurand.papers.ffm2015.examples import every, is_refused, ordered_pairs, worth
from measurand.scores import Scale

THINGS = (1, 2, 3)


def adds_up(x: int, y: int, z: int) -> bool:
    """Return whether two numbers make a third.

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


TRUTH = (("d1", 0), ("d2", 1), ("d3", 2), ("d4", 1))
"""The grades of four documents."""


def is_relevance(*grades: int) -> bool:
    """Return whether some grades make a relevance set.

    Examples
    --------
    >>> is_relevance(0, 1), is_relevance(1, 2)
    (True, False)
    """
    return not is_refused(lambda: Relevance.graded(*grades))


@exhibit("FFM-3.1-REL", "FFM-3.1-label", "FFM-3.1-scale", where="Section 3.1, relevance")
def sets_of_grades() -> Iterator[Line]:
    """Grades are numbers from 0 up; they can always be compared, and added only on a ratio scale."""
    for grades, said in (((0, 1), True), ((0, 1, 2, 3), True), ((1, 2), False), ((-1, 0, 1), False)):
        yield line(f"{{{', '.join(map(str, grades))}}} is a relevance set", is_relevance(*grades), said=said)
    real, endless = Relevance.real(upper=1), Relevance.real()
    yield line("[0, 1] has 1/3, [0, ∞) has 10⁹", (real.contains("1/3"), endless.contains(10**9)), said=(True, True))
    labels = Relevance.labelled("nr", "pr", "hr")
    yield line("nr, pr, hr as numbers", tuple(int(labels.grade(label)) for label in ("nr", "pr", "hr")))
    added = not is_refused(lambda: labels.total([1, 2, 2]))
    yield line("grades 1, 2, 2 may be added: ordinal", added, said=False)
    yield line("grades 1, 2, 2 added: ratio", Relevance.graded(0, 1, 2, scale=Scale.RATIO).total([1, 2, 2]))


@exhibit("FFM-3.1-GT", "FFM-3.1-RB", where="Section 3.1, ground truth")
def ground_truths() -> Iterator[Line]:
    """One topic has as many ground truths as assessors, and each has its recall base."""
    yield line("grades 0, 1, 2, 1: recall base", Pool.of(dict(TRUTH).values()).recall_base())
    judged = compare_by(["d1", "d2"], ["d2", "d1"], {"Ann": {"d1": 1}, "Bob": {"d1": 1, "d2": 2}})
    for assessor, grades in (("Ann", "1 and 0"), ("Bob", "1 and 2")):
        yield line(f"d1 d2 against d2 d1: {assessor} gives {grades}", str(judged[assessor].relation))


@exhibit("FFM-3.2-univ", "FFM-3.2-multi", "FFM-3.2-judged", where="Section 3.2, set-based retrieval")
def sets_of_documents() -> Iterator[Line]:
    """Sets of documents, and the multisets of grades that judging makes of them."""
    sizes = tuple(len(list(set_runs("abc", n))) for n in (1, 2, 3))
    yield line("three documents: sets of 1, of 2, of 3", sizes)
    yield line("all together, by the paper all subsets, 2³", count_set_runs(3), derived=8, erratum="E02")
    several = Multiset.of([1, 2, 1, 2, 2, 4])
    yield line("{1,2,1,2,2,4}: how often 1, 2, 3, 4", tuple(int(several.multiplicity(g)) for g in (1, 2, 3, 4)))
    yield line("a grade may occur without end", Multiset({0: inf}).multiplicity(0) == inf, said=True)
    judged = Multiset.judged({"d1", "d3", "d4"}, dict(TRUTH))
    yield line("the set d1, d3, d4, judged, is {0,1,2}", judged == Multiset.of([0, 1, 2]))


@exhibit("FFM-3.3-univ", "FFM-3.3-judged", "FFM-3.3-R", where="Section 3.3, rank-based retrieval")
def rankings_of_documents() -> Iterator[Line]:
    """Rankings of different documents, and the vectors of grades that judging makes of them."""
    sizes = tuple(len(list(ranked_runs("abc", n))) for n in (1, 2, 3))
    yield line("three documents: rankings of 1, of 2, of 3", sizes)
    yield line("all together", count_ranked_runs(3))
    twice = is_refused(lambda: JudgedRun.of(("d1", "d1"), dict(TRUTH)))
    yield line("a ranking may hold d1 twice", not twice, said=False)
    judged = JudgedRun.of(("d3", "d1", "d4"), dict(TRUTH))
    yield line("the ranking d3, d1, d4, judged", tuple(judged))
    yield line("its grade at rank 1", judged.at(1))
    yield line("judged rankings of 1 to 3 ranks, 2 grades", sum(1 for _ in judged_rankings(Relevance.binary(), 3)))


EXHIBITS = (
    rods,
    runs_and_numbers,
    measures_of_sets,
    the_map_and_its_values,
    sets_of_grades,
    ground_truths,
    sets_of_documents,
    rankings_of_documents,
)
