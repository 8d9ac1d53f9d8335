"""Linearity: what makes the utility of a search minus the number of nonrelevant documents in it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

from measurand.exact import whole_number
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import Certificate, as_text
from measurand.search_length.preferences.elimination import null_space
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.sample import lotteries_for
from measurand.verdict import How, Verdict

LARGEST = 50
"""The half-half condition is asked up to this number if nothing is said …"""
LONGEST = 1000
"""… or up to the largest number that the lotteries hold, but not beyond this."""
HALF = Fraction(1, 2)


def half_half(preference: Preference, lotteries: Iterable[Any] | None = None, *, largest: int | None = None) -> Verdict:
    r"""Return whether one document fewer or more, each with chance 1/2, is as good as neither.

    .. math:: \tfrac12 P_{k-1} + \tfrac12 P_{k+1} \sim P_k, \qquad k = 1, 2, \dots

    Here :math:`P_k` is the lottery in which `k` nonrelevant documents come up for sure. Of utilities only
    :math:`\gamma k + \delta` pass; see `half_half_solutions`.

    Parameters
    ----------
    largest
        The largest `k`; if not given 50, or the largest number in the lotteries if that is more.

    Examples
    --------
    >>> print(half_half(Preference.by_utility(lambda k: -k * k)).witness)
    1 for sure is preferred to 0 or 2 (1/2 each), whose mean is the same
    >>> bool(half_half(Preference.by_utility(lambda k: +k)))
    True

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    sample = lotteries_for(preference, lotteries)
    if preference.linear:
        return Verdict(True, None, "every k", How.PROVED, "(k - 1)/2 + (k + 1)/2 = k")
    most = _largest(sample) if largest is None else whole_number("largest", largest)
    checked = f"every k from 1 to {most}"
    for k in range(1, most + 1):
        sure, chance = Lottery.sure(k), Lottery.uniform(k - 1, k + 1)
        if not preference.indifferent(chance, sure):
            witness = Certificate((chance, sure), _risk(preference, chance, sure), HALF)
            return Verdict(False, witness, checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.EXHAUSTIVE)


def sign(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether no nonrelevant document is better than one.

    .. math:: P_0 \succ P_1

    Without it the other conditions say as little about a utility of :math:`+k`, or of 0.

    Examples
    --------
    >>> [bool(sign(Preference.by_utility(f))) for f in (lambda k: -k, lambda k: +k, lambda k: 0)]
    [True, False, False]

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    lotteries_for(preference, lotteries)
    none, one = Lottery.sure(0), Lottery.sure(1)
    if preference.prefers(none, one):
        how = How.PROVED if preference.linear else How.EXHAUSTIVE
        return Verdict(True, None, "0 against 1 nonrelevant document", how, "0 is preferred to 1 nonrelevant document")
    other = "1 for sure is preferred to it" if preference.prefers(one, none) else "the two are not told apart"
    sentence = f"0 for sure is not preferred to 1 for sure: {other}"
    return Verdict(False, Certificate((none, one), sentence), "0 against 1 nonrelevant document", How.COUNTEREXAMPLE)


def by_the_mean(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether the lottery with the smaller mean is the better one, and equal means are equally good.

    .. math:: P \succ Q \iff \mathrm{esl}(P) < \mathrm{esl}(Q)

    This is what the axioms are there to ensure; it is asked directly here, of every pair of lotteries.

    Examples
    --------
    >>> print(by_the_mean(Preference.strictly(lambda p, q: max(p) < max(q)), [1, {0: "1/2", 2: "1/2"}]).witness)
    1 for sure is preferred to 0 or 2 (1/2 each), but their means are 1 and 1

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    sample = lotteries_for(preference, lotteries)
    if preference.linear:
        return Verdict(True, None, "all lotteries", How.PROVED, "it is the preference for a smaller mean")
    checked = f"all pairs of {len(sample)} lotteries"
    for pair in combinations(sample, 2):
        one, other = sorted(pair, key=lambda lottery: lottery.mean)
        equal = one.mean == other.mean
        right = preference.indifferent(one, other) if equal else preference.prefers(one, other)
        if right and not preference.prefers(other, one):
            continue
        named = (other, one) if preference.prefers(other, one) and not right else (one, other)
        means = " and ".join(as_text(lottery.mean) for lottery in named)
        sentence = f"{preference.standing(*named)}, but their means are {means}"
        return Verdict(False, Certificate((one, other), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def half_half_solutions(largest: int) -> tuple[tuple[Fraction, ...], ...]:
    r"""Return a basis of the utilities on 0, …, `largest` that meet the half-half condition, by elimination.

    .. math:: \tfrac12 f(k-1) + \tfrac12 f(k+1) = f(k), \qquad k = 1, \dots, K - 1

    There are two however large :math:`K` is, a constant and `k` itself: so every solution is
    :math:`\gamma k + \delta`.

    Examples
    --------
    >>> [[int(value) for value in solution] for solution in half_half_solutions(4)]
    [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]]

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """
    width = whole_number("largest", largest) + 1
    rows = [
        tuple(HALF if j in (k - 1, k + 1) else Fraction(-(j == k)) for j in range(width)) for k in range(1, width - 1)
    ]
    return tuple(_at_the_start(*null_space(rows, width)))


def _at_the_start(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    """Return the constant and the line among the combinations of two solutions, each fixed by its values at 0 and 1."""
    determinant = first[0] * second[1] - first[1] * second[0]
    wanted = ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(1)))
    shares = [
        ((a * second[1] - b * second[0]) / determinant, (b * first[0] - a * first[1]) / determinant) for a, b in wanted
    ]
    return [tuple(s * x + t * y for x, y in zip(first, second, strict=True)) for s, t in shares]


def _largest(sample: tuple[Lottery, ...]) -> int:
    return max(LARGEST, min(LONGEST, max(max(lottery) for lottery in sample)))


def _risk(preference: Preference, chance: Lottery, sure: Lottery) -> str:
    return f"{preference.standing(chance, sure)}, whose mean is the same"
