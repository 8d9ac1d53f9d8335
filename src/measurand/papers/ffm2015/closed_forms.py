"""Section 6: formulas for the balancing index of four measures, as they are printed and as they are right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor, log

from measurand.axioms import closed_forms
from measurand.axioms.balance import balancing_index
from measurand.exact import inverse_log
from measurand.measures import Measure, define
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run


def satisfied_by(x: Fraction) -> Measure:
    """Return expected reciprocal rank for readers whom a relevant document satisfies with some probability.

    Examples
    --------
    >>> satisfied_by(Fraction(1, 10)).of((0, 1, 1))
    Fraction(2, 25)
    """

    def value(judged: Run) -> Fraction:
        expected, going_on = Fraction(0), Fraction(1)
        for rank, grade in enumerate(judged, 1):
            if grade:
                expected, going_on = expected + going_on * x / rank, going_on * (1 - x)
        return expected

    return define(value, name="Satisfied")


def ap_as_printed(n: int) -> int:
    """Return the index by the printed formula for AP: the last b for which k/(k + b − 1), k = 1, …, n − b + 1, make 1.

    Examples
    --------
    >>> ap_as_printed(5), ap_as_printed(20)
    (3, 15)
    """
    tails = {b: sum(Fraction(k, k + b - 1) for k in range(1, n - b + 2)) for b in range(1, n + 1)}
    return max(b for b, tail in tails.items() if tail >= 1)


def err_as_printed(n: int, x: Fraction) -> int:
    """Return the index by the printed formula for ERR, in which the tail is met only by readers left from rank 1 on.

    Examples
    --------
    >>> err_as_printed(10, Fraction(1, 10))
    2
    """
    worth, index = Fraction(0), 0
    for b in range(n, 0, -1):
        worth += x * (1 - x) ** (b - 1) / b
        if worth >= x and not index:
            index = b
    return index


def ndcg_as_printed(n: int, base: int) -> int:
    """Return the index by the printed formula for nDCG, which takes every run for as long as the base at least.

    Examples
    --------
    >>> ndcg_as_printed(7, 10), ndcg_as_printed(15, 2)
    (10, 12)
    """
    late = sum((inverse_log(rank, base) for rank in range(base + 1, n + 1)), Fraction(0))
    early = [b for b in range(1, base + 1) if base - b + 1 + late >= 1]
    tails = {b: sum((inverse_log(j, base) for j in range(b, n + 1)), Fraction(0)) for b in range(base + 1, n + 1)}
    return max(early + [b for b, tail in tails.items() if tail >= 1])


@exhibit("FFM-6-AP", where="Section 6, average precision")
def average_precision() -> Iterator[Line]:
    """For two grades, the last b with 1/b + 2/(b + 1) + … ≥ 1."""
    printed = tuple(ap_as_printed(n) for n in range(1, 21))
    yield line("B(n), n = 1, …, 20", tuple(balancing_index("AP", n) for n in range(1, 21)), derived=printed)
    near = max(abs(closed_forms.average_precision(n) - n + (2 * n) ** 0.5) for n in range(1, 101))
    yield line("n − √(2n) is off by less than 2, n ≤ 100", near < 2)


@exhibit("FFM-6-RBP", "FFM-6-sat", where="Section 6, rank-biased precision")
def rank_biased_precision() -> Iterator[Line]:
    """For two grades, the last b with pᵇ⁻¹ ≥ 1 − p + pⁿ; it stops growing with n."""
    p, n = Fraction(4, 5), 5
    yield line("p = 0.8, n = 5: B(n), the largest b", balancing_index("RBP(p=0.8)", n), derived="∞", erratum="E11")
    allowed = [b for b in range(1, 101) if p ** (b - 1) <= 1 - p + p**n]
    yield line("b from 1 to 100 that the printed b ≥ … allows", f"{allowed[0]} to {allowed[-1]}")
    found = tuple(balancing_index("RBP(p=0.8)", n) for n in range(1, 22))
    yield line("p = 0.8: B(n), n = 1, …, 21", found)
    mended = tuple(closed_forms.rank_biased_precision(n, "0.8") for n in range(1, 22))
    yield line("the mended formula gives the same", mended == found)
    small = {balancing_index(f"RBP(p={p})", n) for p in ("0.3", "0.5") for n in range(1, 61)}
    yield line("p = 0.3, 0.5: B(n) = 1, n ≤ 60", small == {1})
    yield line("p = 0.5, n = 54: exactly, by float logarithms", _one_half(54))
    limits = tuple(closed_forms.rank_biased_precision_limit(p) for p in ("0.8", "0.9", "0.95"))
    yield line("p = 0.8, 0.9, 0.95: B(n) is never above", limits)
    beyond = {balancing_index("RBP(p=0.8)", n) for n in range(21, 101)}
    yield line("p = 0.8: B(n) for n from 21 to 100", tuple(beyond), printed=(8,))
    yield line("p = 0.95: which is almost 60 (58 or 59)", 58 <= limits[2] < 60, said=True)
    for p_, reached in (("0.8", 21), ("0.95", 134)):
        pair = tuple(closed_forms.rank_biased_precision(n, p_) for n in (reached - 1, reached))
        yield line(f"p = {p_}: B({reached - 1}), B({reached})", pair)


def _one_half(n: int) -> tuple[int, int]:
    return closed_forms.rank_biased_precision(n, "1/2"), floor(log(0.5 + 0.5**n) / log(0.5) + 1)


@exhibit("FFM-6-ERR", "FFM-6-ERRtop", where="Section 6, expected reciprocal rank, and Figure 1a, text")
def expected_reciprocal_rank() -> Iterator[Line]:
    """The last b whose tail is worth a document on top; readers lose patience from rank b on, not from rank 1."""
    tenth, lengths = Fraction(1, 10), (1, 2, 3, 5, 10, 20, 50, 100)
    measure = satisfied_by(tenth)
    found = tuple(balancing_index(measure, n) for n in lengths)
    printed = tuple(err_as_printed(n, tenth) for n in lengths)
    yield line(f"x = 1/10: B(n), n = {', '.join(map(str, lengths))}", found, derived=printed, erratum="E12")
    mended = tuple(closed_forms.expected_reciprocal_rank(n, tenth, tenth) for n in lengths)
    yield line("the mended formula gives the same", mended == found)
    halves = {balancing_index("ERR", n) for n in range(1, 61)}
    yield line("x = 1/2: B(n) = 1, n ≤ 60", halves == {1}, said=True)
    yield line("least x with B(n) = 1 for every n", f"{closed_forms.err_threshold():.10f}")
    yield line("grades 1, 2, 3 with x = 1/8, 3/8, 7/8: B(50)", balancing_index("ERR", 50, qmin=1, qmax=3))


@exhibit("FFM-6-nDCG", where="Section 6, normalised discounted cumulated gain")
def discounted_gain() -> Iterator[Line]:
    """Two cases: a tail that begins below the base of the logarithm, and one that begins above it."""
    for base, longest in ((2, 15), (10, 12)):
        for first, last in ((1, base - 1), (base, longest)):
            found = tuple(balancing_index(f"nDCG(b={base})", n) for n in range(first, last + 1))
            printed = tuple(ndcg_as_printed(n, base) for n in range(first, last + 1))
            lengths = f"{first}, …, {last}" if first < last else f"{first}"
            what = f"base {base}, n = {lengths}: B(n)"
            yield line(what, found, derived=printed, erratum="E14" if last < base else "")
        every_n = range(1, longest + 1)
        mended = [closed_forms.discounted_gain(n, base) for n in every_n]
        same = mended == [balancing_index(f"nDCG(b={base})", n) for n in every_n]
        yield line(f"base {base}: the mended formula gives the same", same)


EXHIBITS = (average_precision, rank_biased_precision, expected_reciprocal_rank, discounted_gain)
