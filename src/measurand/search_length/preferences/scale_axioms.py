"""Axioms that make esl an interval or a ratio scale.

The half-half and the sign condition make utility linear in the number of nonrelevant documents: an interval scale. A
risk structure, in which preferences carry over to sums of searches, makes esl a ratio scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from attrs import evolve

from measurand.errors import ParameterError
from measurand.exact import rational, whole_number
from measurand.exact.linear_programming import null_space
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.preference import (
    Certificate,
    Preference,
    as_lottery,
    as_text,
    default_lotteries,
    in_words,
    lotteries_for,
)
from measurand.search_length.preferences.utility_axioms import weak_order
from measurand.verdict import How, Verdict, first_broken

LARGEST = 50
"""The half-half condition is checked up to this number by default …"""

LONGEST = 1000
"""… or up to the largest number that the lotteries hold, but not beyond this."""

HALF = Fraction(1, 2)

PAIRS = 16
"""So many lotteries make the pairs to which others are added."""

ADDED = 4
"""So many lotteries are added to each pair."""

REPEATED = 6
"""So many lotteries make the pairs of searches that are repeated."""

MOST = 64
"""So often a search is repeated at most."""

HEAD_STARTS = (0, 6)
"""The head starts that repeated searches must make up for."""


def half_half(preference: Preference, lotteries: Iterable[Any] | None = None, *, largest: int | None = None) -> Verdict:
    r"""Return whether one document fewer or more, each with chance 1/2, is as good as neither.

    .. math:: \tfrac12 P_{k-1} + \tfrac12 P_{k+1} \sim P_k, \qquad k = 1, 2, \dots

    Here :math:`P_k` is the lottery in which `k` nonrelevant documents come up for sure. Of utilities only
    :math:`\gamma k + \delta` pass; see `half_half_solutions`.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.
    largest
        The largest `k`; by default 50, or the largest number in the lotteries if that is more.

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

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

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

    This is what the axioms are there to ensure; it is checked directly here, on every pair of lotteries.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

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

    Parameters
    ----------
    largest
        The largest number `K` of nonrelevant documents.

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


def risk_structure(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether lotteries, their sums and a preference are a risk structure.

    .. math::

        &\text{(i)} \quad \succeq \text{ is complete and transitive} \\
        &\text{(ii)} \quad P \succeq Q \iff P * R \succeq Q * R \\
        &\text{(iii)} \quad P \succ Q \implies \forall R, R'\ \exists n:\ P^n * R \succeq Q^n * R'

    In (iii) `n` may depend on `R` and `R'`. Printed is that one `n` does for all, which even esl does not meet.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> risk_structure(Preference.esl()).how.value
    'proved'
    >>> cautious = Preference.by_utility(lambda k: -k * k)
    >>> print(risk_structure(cautious, [1, 2, {0: "3/4", 4: "1/4"}]).witness)  # doctest: +NORMALIZE_WHITESPACE
    2 for sure is as good as 0 (3/4) or 4 (1/4); but after adding 1 for sure to either,
    1 (3/4) or 5 (1/4) is preferred to 3 for sure

    References
    ----------
    [BollmannRaghavan1988]_, definition 4.1 and theorem 4.1, after [Krantz1971]_
    """
    sample = lotteries_for(preference, lotteries)
    if preference.linear:
        argument = "means add up: the mean of a sum of searches is the sum of their means"
        return Verdict(True, None, "all lotteries", How.PROVED, argument)
    order = weak_order(preference, lotteries)
    if not order.holds:
        return order
    parts = [order, monotone_in_sums(preference, sample), archimedean(preference, sample)]
    worst = first_broken(parts)
    return evolve(worst, checked="; ".join(part.checked for part in parts)) if worst.holds else worst


def monotone_in_sums(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether adding the same search to two others leaves the preference as it was, and nothing else does.

    .. math:: P \succeq Q \iff P * R \succeq Q * R

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> bool(monotone_in_sums(Preference.strictly(lambda p, q: max(p) < max(q))))
    True

    References
    ----------
    [BollmannRaghavan1988]_, definition 4.1 (ii)
    """
    sample = lotteries_for(preference, lotteries)
    first, added = sample[:PAIRS], sample[:ADDED]
    checked = f"all pairs of {len(first)} lotteries with {len(added)} added to either"
    for one, other in combinations(first, 2):
        before = preference.at_least(one, other), preference.at_least(other, one)
        for third in added:
            sums = one.convolve(third), other.convolve(third)
            after = preference.at_least(*sums), preference.at_least(*reversed(sums))
            if before != after:
                sentence = (
                    f"{preference.standing(one, other)}; but after adding {in_words(third)} to either,"
                    f" {preference.standing(*sums)}"
                )
                return Verdict(False, Certificate((one, other, third), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def archimedean(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether the better of two searches, repeated often enough, makes up for any head start of the other.

    .. math:: P \succ Q \implies \forall R, R'\ \exists n:\ P^n * R \succeq Q^n * R'

    Only finitely many `n` are tried, so that what is not found is no proof. Of preferences by the mean, those are
    left out that would need more repetitions than are tried.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> verdict = archimedean(Preference.strictly(lambda p, q: p.mean < q.mean))
    >>> verdict.holds, verdict.argument
    (True, 'at most n = 6 was needed')

    References
    ----------
    [BollmannRaghavan1988]_, definition 4.1 (iii)
    """
    sample = lotteries_for(preference, lotteries)[:REPEATED]
    ahead, behind = (Lottery.sure(k) for k in HEAD_STARTS)
    checked = f"pairs of {len(sample)} lotteries, {in_words(behind)} against {in_words(ahead)} added, n up to {MOST}"
    longest = 0
    for one, other in permutations(sample, 2):
        gap = other.mean - one.mean
        if not preference.prefers(one, other) or 0 < gap * MOST < behind.mean - ahead.mean:
            continue
        n = repetitions(preference, one, other, behind, ahead)
        if n is None:
            sentence = (
                f"{in_words(one)} is preferred to {in_words(other)}; but repeated up to {MOST} times with "
                f"{in_words(behind)} added, it is not at least as good as the other repeated as often with "
                f"{in_words(ahead)} added"
            )
            return Verdict(False, Certificate((one, other, behind, ahead), sentence, n=MOST), checked, How.SAMPLED)
        longest = max(longest, n)
    return Verdict(True, None, checked, How.SAMPLED, f"at most n = {longest} was needed")


def repetitions(
    preference: Preference, better: Any, worse: Any, behind: Any, ahead: Any, *, most: int = MOST
) -> int | None:
    r"""Return how often a better search is repeated until it makes up for a head start; None if that is too often.

    .. math:: n:\ P^n * R \succeq Q^n * R'

    It is the least such `n` if repeating never turns the preference back.

    Parameters
    ----------
    preference
        The preference between lotteries.
    better, worse
        The searches :math:`P` and :math:`Q` that are repeated.
    behind, ahead
        The searches :math:`R` and :math:`R'` that are added once.
    most
        The largest `n` that is tried.

    Examples
    --------
    >>> repetitions(Preference.esl(), 0, 1, 50, 0)
    50

    References
    ----------
    [BollmannRaghavan1988]_, definition 4.1 (iii)
    """
    one, other, late, early = (as_lottery(lottery) for lottery in (better, worse, behind, ahead))
    limit = whole_number("most", most)

    def enough(n: int) -> bool:
        return preference.at_least((one**n).convolve(late), (other**n).convolve(early))

    n = 1
    while not enough(n):
        if n == limit:
            return None
        n = min(2 * n, limit)
    low = n // 2
    while n - low > 1:
        middle = (low + n) // 2
        low, n = (low, middle) if enough(middle) else (middle, n)
    return n


def additivity(function: Callable[[Lottery], Any], lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether the values of lotteries add up when searches do.

    .. math:: \mu(P * Q) = \mu(P) + \mu(Q)

    Of :math:`\mu = -\mathrm{esl}` this is true, and of its positive multiples; a shift breaks it. So a risk structure
    leaves only the unit of esl free.

    Parameters
    ----------
    function
        The value of a lottery.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> bool(additivity(lambda lottery: -lottery.mean)), bool(additivity(lambda lottery: 1 - lottery.mean))
    (True, False)

    References
    ----------
    [BollmannRaghavan1988]_, theorem 4.1, which is that of [Krantz1971]_
    """
    sample = default_lotteries() if lotteries is None else tuple(as_lottery(one) for one in lotteries)
    checked = f"all pairs of {len(sample)} lotteries"
    values = {lottery: _value(function, lottery) for lottery in sample}
    for one, other in combinations(sample, 2):
        together = _value(function, one.convolve(other))
        if together != values[one] + values[other]:
            sentence = (
                f"the values of {in_words(one)} and of {in_words(other)} are {values[one]} and {values[other]}, "
                f"but the value of their sum is {together}"
            )
            return Verdict(False, Certificate((one, other), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def _value(function: Callable[[Lottery], Any], lottery: Lottery) -> Any:
    try:
        return rational(function(lottery))
    except ParameterError as error:
        raise ParameterError(f"the value of {in_words(lottery)} is no number: {error}") from None
    except Exception as error:
        raise ParameterError(
            f"the function failed on {in_words(lottery)} with {type(error).__name__}: {error}"
        ) from error
