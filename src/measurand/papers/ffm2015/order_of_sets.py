"""Section 4.1: which of two judged sets is better, whatever the measure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from measurand.judged import Relevance
from measurand.orders import by_gain, compare, least_and_greatest
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, at_most, comparable, is_refused, run, worth
from measurand.scores import Scale

SETS = "set-replacement"


def all_sets(grades: int, length: int) -> list[Run]:
    """Return all multisets of grades of a size, the lowest grade first.

    Examples
    --------
    >>> all_sets(2, 2)
    [(0, 0), (0, 1), (1, 1)]
    """
    return list(combinations_with_replacement(range(grades), length))


@exhibit("FFM-4-len", "FFM-4-app", where="Section 4, opening")
def one_more_document() -> Iterator[Line]:
    """Runs of different lengths are not ordered: measures do not agree on what one more document does."""
    before, after = (1, 0), (1, 0, 0)
    yield line("10 and 100 are compared", not is_refused(lambda: compare(before, after)), said=False)
    for measure in ("P", "RBP(p=0.8)", "AP"):
        values = tuple(worth(measure, each, recall_base=3) for each in (before, after))
        more = ", recall base 3" if measure == "AP" else ""
        yield line(f"{measure} of 10, of 100{more}", values)


@exhibit("FFM-4.1-set", "FFM-4.1-inc", where="Section 4.1, examples")
def examples_of_sets() -> Iterator[Line]:
    """Pairs of sets that the order of counts compares, or leaves apart."""
    low, high, other = run("01122"), run("01123"), run("01113")
    yield line("{0,1,1,2,2} against {0,1,1,2,3}", str(compare(low, high, SETS)), said="less")
    yield line("{0,1,1,2,2} against {0,1,1,1,3}", str(compare(low, other, SETS)), said="incomparable")


@exhibit("FFM-4.1-sort", "FFM-4.1-minmax", "FFM-4.1-bin", "FFM-4.1-count", where="Section 4.1")
def what_the_order_of_sets_is_like() -> Iterator[Line]:
    """Sets are ordered as their sorted grades; the order is total for two grades and partial for more."""
    pairs = list(product(all_sets(4, 3), repeat=2))
    # both runs have their grades in the same direction
    by_sorting = [all(ours <= theirs for ours, theirs in zip(r, s, strict=True)) for r, s in pairs]
    yield line("4 grades, 3 documents: as by sorted grades", by_sorting == [at_most(r, s, SETS) for r, s in pairs])
    between = True
    for each in all_sets(4, 5):
        low, high = least_and_greatest(5, sum(map(bool, each)), 4, SETS)
        between = between and at_most(low, each, SETS) and at_most(each, high, SETS)
    yield line("k relevant of 5: {1ᵏ, 0…} ⪯ r ⪯ {3ᵏ, 0…}, all k", between, said=True)
    binary = product(all_sets(2, 5), repeat=2)
    by_counting = all(at_most(r, s, SETS) == (sum(r) <= sum(s)) for r, s in binary)
    yield line("2 grades, 5 documents: as by relevant documents", by_counting, said=True)
    for grades, length in ((2, 4), (3, 3), (3, 4), (4, 3)):
        yield line(f"{grades} grades, {length} documents: comparable pairs", comparable(grades, length, SETS))


@exhibit("FFM-4.1-ratio", where="Section 4.1, grades on a ratio scale")
def summed_grades() -> Iterator[Line]:
    """That grades can be added makes another order, which is total; the order of counts stays what it is."""
    relevance = Relevance.graded(0, 1, 2, 3, scale=Scale.RATIO)
    one, other = run("01122"), run("01113")
    by_counts = str(compare(one, other, SETS, relevance))
    yield line("{0,1,1,2,2}, {0,1,1,1,3}: comparable", by_counts != "incomparable", said=True, erratum="E03")
    yield line("sums of their grades", (int(relevance.total(one)), int(relevance.total(other))))
    yield line("so by summed grades they are", str(by_gain(one, other, relevance)))
    pairs = list(combinations(all_sets(4, 3), 2))
    partial = [str(compare(r, s, SETS, relevance)) for r, s in pairs]
    total = [str(by_gain(r, s, relevance)) for r, s in pairs]
    extends = all(counts in (gains, "incomparable") for counts, gains in zip(partial, total, strict=True))
    yield line("4 grades, 3 documents: sums never say the opposite", extends)


EXHIBITS = (one_more_document, examples_of_sets, what_the_order_of_sets_is_like, summed_grades)
