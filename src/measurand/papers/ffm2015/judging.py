"""Section 3: relevance, and how many sets and rankings of documents there are to be judged."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

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
from measurand.orders import compare_by
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import is_refused
from measurand.scores import Scale

TRUTH = (("d1", 0), ("d2", 1), ("d3", 2), ("d4", 1))
"""The grades of four documents."""


def is_relevance(*grades: int) -> bool:
    """Say whether some grades make a relevance set.

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


EXHIBITS = (sets_of_grades, ground_truths, sets_of_documents, rankings_of_documents)
