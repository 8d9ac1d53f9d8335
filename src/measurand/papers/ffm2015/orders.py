"""Section 4: which of two judged sets, or of two judged rankings, is better, whatever the measure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb

from measurand.judged import Relevance
from measurand.orders import by_gain, compare, least_and_greatest, mass
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, at_most, comparable, every, is_refused, ordered_pairs, run, worth
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
    yield line("{0,1,1,2,2}, {0,1,1,1,3}: by counts they are", by_counts)
    yield line("sums of their grades", (int(relevance.total(one)), int(relevance.total(other))))
    yield line("so by summed grades they are", str(by_gain(one, other, relevance)))
    by_sums = all(str(by_gain(r, s, relevance)) != "incomparable" for r, s in combinations(all_sets(4, 3), 2))
    yield line("4 grades, 3 documents: summed grades compare all", by_sums, said=True)
    pairs = list(combinations(all_sets(4, 3), 2))
    partial = [str(compare(r, s, SETS, relevance)) for r, s in pairs]
    total = [str(by_gain(r, s, relevance)) for r, s in pairs]
    extends = all(counts in (gains, "incomparable") for counts, gains in zip(partial, total, strict=True))
    yield line("4 grades, 3 documents: sums never say the opposite", extends)


def as_printed(r: Run, s: Run) -> bool:
    """Return whether the formula as it is printed puts a run below another: it looks at rank k of the second alone.

    Examples
    --------
    >>> as_printed((1, 0), (1, 1)), as_printed((1, 0), (1, 0))
    (True, False)
    """
    places = product(range(1, len(r) + 1), range(1, max(*r, *s) + 1))
    return all(mass(r, grade, k) <= k * (s[k - 1] >= grade) for k, grade in places)


@exhibit("FFM-4.2-rank", "FFM-4.2-sort", where="Section 4.2, definition")
def the_definition() -> Iterator[Line]:
    """A ranking is no better if down to no rank it has more documents at or above any grade."""
    same = run("10")
    yield line("10 ⪯ 10, by the formula", at_most(same, same), derived=as_printed(same, same), erratum="E04")
    runs = every(3, 3)
    yield line("3 grades, 3 ranks: r ⪯ r for every run", all(at_most(each, each) for each in runs))
    kept = sum(as_printed(each, each) for each in runs)
    yield line("by the printed formula: r ⪯ r for", f"{kept} of {len(runs)}")

    def by_sorted_prefixes(r: Run, s: Run) -> bool:
        prefixes = ((sorted(r[:k]), sorted(s[:k])) for k in range(1, len(r) + 1))
        return all(ours <= theirs for one, other in prefixes for ours, theirs in zip(one, other, strict=True))

    for grades, length in ((2, 5), (3, 4)):
        pairs = product(every(grades, length), repeat=2)
        alike = {pair for pair in pairs if by_sorted_prefixes(*pair)} == ordered_pairs(grades, length)
        yield line(f"{grades} grades, {length} ranks: as by sorted prefixes", alike)


@exhibit("FFM-4.2-ex2", "FFM-4.2-ex3", "FFM-4.2-ex4", where="Section 4.2, examples")
def examples_of_rankings() -> Iterator[Line]:
    """Pairs of rankings that the order compares, or leaves apart."""
    lowest, ranked, mended = run("01122"), run("20121"), run("11022")
    yield line("01122 against 01123", str(compare(lowest, run("01123"))), said="less")
    yield line("01122 against 01113", str(compare(lowest, run("01113"))), said="incomparable")
    yield line("01122 against 20121", str(compare(lowest, ranked)), said="incomparable", erratum="E05")
    yield line("01122 against 20121, as sets", str(compare(lowest, ranked, "set-replacement")), said="equal")
    yield line("01122 is below all its rearrangements", all(at_most(lowest, other) for other in permutations(lowest)))
    yield line("meant instead: 11022 against 20121", str(compare(mended, ranked)))
    yield line("11022 against 20121, as sets", str(compare(mended, ranked, "set-replacement")))
    yield line("01010 against 10001", str(compare(run("01010"), run("10001"))), said="incomparable")


@exhibit("FFM-4.2-one", "FFM-4.2-eq1", where="Section 4.2, equation 1")
def least_and_greatest_rankings() -> Iterator[Line]:
    """With k relevant documents, none is worse than all of the lowest grade at the end, nor better than all on top."""
    low, high = least_and_greatest(5, 1, 4)
    alone = [each for each in every(4, 5) if sum(map(bool, each)) == 1]
    between = all(at_most(low, each) and at_most(each, high) for each in alone)
    yield line(f"00001 ⪯ r ⪯ 30000, the {len(alone)} runs with 1 relevant", between, said=True)
    for grades, length in ((2, 5), (3, 5), (4, 4)):
        pairs, between = ordered_pairs(grades, length), True
        for each in every(grades, length):
            low, high = least_and_greatest(length, sum(map(bool, each)), grades)
            between = between and {(low, each), (each, high)} <= pairs
        yield line(f"0…01ᵏ ⪯ r ⪯ {grades - 1}ᵏ0…0, {length} ranks, all k", between, said=True)


@exhibit("FFM-4.2-nototal", where="Section 4.2, partial order")
def how_much_is_comparable() -> Iterator[Line]:
    """The order of rankings is partial from three ranks on, with two grades already."""
    lengths = range(1, 8)
    # with all comparable, every two runs would make a pair r ⪯ s, and every run one with itself
    apart = [n for n in lengths if len(ordered_pairs(2, n)) < comb(2**n + 1, 2)]
    yield line("2 grades, up to 7 ranks: all are comparable", not apart, said=False)
    yield line("there are incomparable ones with n ranks, n =", tuple(apart))
    pairs = tuple(len(ordered_pairs(2, n)) for n in lengths)
    yield line("2 grades, 1 to 7 ranks: pairs r ⪯ s, with r ⪯ r", pairs)
    yield line("these are the binomials C(2n + 1, n)", pairs == tuple(comb(2 * n + 1, n) for n in lengths))
    for grades, length in ((2, 4), (2, 5), (3, 3), (3, 4), (4, 3)):
        yield line(f"{grades} grades, {length} ranks: comparable pairs", comparable(grades, length))


EXHIBITS = (
    one_more_document,
    examples_of_sets,
    what_the_order_of_sets_is_like,
    summed_grades,
    the_definition,
    examples_of_rankings,
    least_and_greatest_rankings,
    how_much_is_comparable,
)
