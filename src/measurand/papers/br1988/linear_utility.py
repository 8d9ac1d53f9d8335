"""Section 3, end: what makes utility minus the number of nonrelevant documents, and what scale that is."""

from __future__ import annotations

from collections.abc import Iterator

from measurand.papers.exhibit import Line, exhibit, line
from measurand.search_length import Lottery
from measurand.search_length.preferences import (
    Preference,
    by_the_mean,
    check,
    continuity,
    half_half,
    half_half_solutions,
    independence,
    sign,
    weak_order,
)

AXIOMS = (weak_order, independence, continuity, half_half)
"""Theorem 3.1 (i) to (iii), and the half-half condition."""


def minus_square(k: int) -> int:
    """Return the utility of so many nonrelevant documents to whom long searches hurt more and more.

    Examples
    --------
    >>> minus_square(3)
    -9
    """
    return -(k**2)


@exhibit("BR-3-PK", "BR-3-HALF", where="Section 3, one fewer or one more")
def one_fewer_or_one_more() -> Iterator[Line]:
    """For esl, one document fewer or one more with equal chances is as good as neither; not for the cautious."""
    sure = [Lottery.sure(k) for k in range(9)]
    values = all(P.expectation(lambda x: x**2) == k**2 for k, P in enumerate(sure))
    yield line("k for sure: E(f, P_k) is f(k), for f = k²", values, said=True)
    yield line("f = -k: half k-1, half k+1 is as good as k", bool(half_half(Preference.esl())), said=True)
    yield line("f = -k²: the same", bool(half_half(Preference.by_utility(minus_square))))
    gamble = Lottery.uniform(0, 2)
    yield line(
        "f = -k²: expectations of 0 or 2, and of 1", tuple(P.expectation(minus_square) for P in (gamble, sure[1]))
    )


@exhibit("BR-3-SOL", where="Section 3, the difference equation")
def solutions_of_the_difference_equation() -> Iterator[Line]:
    """The utilities that meet the condition are the straight lines."""
    solutions = half_half_solutions(8)
    yield line("utilities on 0 … 8 that it leaves: a basis of", len(solutions))
    lines = [list(solution) for solution in solutions] == [[1] * 9, list(range(9))]
    yield line("they are a constant and k: all are γk + δ", lines, said=True)
    constant = all(len(set(solution)) == 1 for solution in solutions)
    yield line("γ + δ, as the text before has it: all are constants", constant, derived=True, erratum="E-BR-10")


@exhibit("BR-3-SIGN", "BR-3-IFF", where="Section 3, end, and Section 5")
def necessary_and_sufficient() -> Iterator[Line]:
    """The conditions that Section 5 sums up are necessary; to suffice they need γ < 0, which Section 3 has."""
    yield line("esl meets all conditions", all(axiom(Preference.esl()) for axiom in AXIOMS), said=True)
    for f, slope in (("+k", 1), ("0", 0)):
        preference = Preference.by_utility(slope.__mul__)
        yield line(f"f = {f} meets all conditions", all(axiom(preference) for axiom in AXIOMS))
        yield line(
            f"so, by Section 5, esl stands for f = {f}", bool(by_the_mean(preference)), derived=True, erratum="E-BR-2"
        )
        yield line(f"0 is better than 1 for f = {f}", bool(sign(preference)))
    downhill = Preference.by_utility(lambda k: 7 - 3 * k)
    yield line("f = 7 - 3k meets all, and 0 is better than 1", all(axiom(downhill) for axiom in (*AXIOMS, sign)))
    yield line("so esl stands for f = 7 - 3k", bool(by_the_mean(downhill)), said=True)


@exhibit("BR-3-SCALE", where="Section 3, end")
def which_scale() -> Iterator[Line]:
    """An interval scale among expectations of a utility, an ordinal one among numbers that merely order."""
    expectations = check(Preference.esl(), sums=False)
    yield line("scale of esl among expectations", str(expectations.scale), said="interval")
    yield line("scale of esl if nothing but the order counts", str(check(Preference.esl(), mixtures=False).scale))
    yield line(
        "among expectations its mean means something (Section 5: no)",
        "mean" in expectations.statistics,
        said=False,
        erratum="E-BR-11",
    )


EXHIBITS = (one_fewer_or_one_more, solutions_of_the_difference_equation, necessary_and_sufficient, which_scale)
