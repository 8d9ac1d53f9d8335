"""Risk structures: preferences that carry over to sums of searches, which makes esl a ratio scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, permutations
from typing import Any

from attrs import evolve

from measurand.errors import ParameterError
from measurand.exact import rational, whole_number
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import Certificate, said
from measurand.search_length.preferences.order_axioms import weak_order
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.sample import as_lottery, lotteries_for, telling_lotteries
from measurand.verdict import How, Verdict, first_broken

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


def risk_structure(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether lotteries, their sums and a preference are a risk structure.

    .. math::

        &\text{(i)} \quad \succeq \text{ is complete and transitive} \\
        &\text{(ii)} \quad P \succeq Q \iff P * R \succeq Q * R \\
        &\text{(iii)} \quad P \succ Q \implies \forall R, R'\ \exists n:\ P^n * R \succeq Q^n * R'

    In (iii) `n` may depend on `R` and `R'`. Printed is that one `n` does for all, which even esl does not meet.

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
    [BollmannRaghavan1988]_, definition 4.1 and theorem 4.1
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
                    f"{preference.standing(one, other)}; but after adding {said(third)} to either,"
                    f" {preference.standing(*sums)}"
                )
                return Verdict(False, Certificate((one, other, third), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def archimedean(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether the better of two searches, repeated often enough, makes up for any head start of the other.

    .. math:: P \succ Q \implies \forall R, R'\ \exists n:\ P^n * R \succeq Q^n * R'

    Only finitely many `n` are tried, so that what is not found is no proof. Of preferences by the mean, those are
    left out that would need more repetitions than are tried.

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
    checked = f"pairs of {len(sample)} lotteries, {said(behind)} against {said(ahead)} added, n up to {MOST}"
    longest = 0
    for one, other in permutations(sample, 2):
        gap = other.mean - one.mean
        if not preference.prefers(one, other) or 0 < gap * MOST < behind.mean - ahead.mean:
            continue
        n = repetitions(preference, one, other, behind, ahead)
        if n is None:
            sentence = (
                f"{said(one)} is preferred to {said(other)}; but repeated up to {MOST} times with {said(behind)} "
                f"added, it is not at least as good as the other repeated as often with {said(ahead)} added"
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

    Examples
    --------
    >>> bool(additivity(lambda lottery: -lottery.mean)), bool(additivity(lambda lottery: 1 - lottery.mean))
    (True, False)

    References
    ----------
    [BollmannRaghavan1988]_, theorem 4.1
    """
    sample = telling_lotteries() if lotteries is None else tuple(as_lottery(one) for one in lotteries)
    checked = f"all pairs of {len(sample)} lotteries"
    values = {lottery: _value(function, lottery) for lottery in sample}
    for one, other in combinations(sample, 2):
        together = _value(function, one.convolve(other))
        if together != values[one] + values[other]:
            sentence = (
                f"the values of {said(one)} and of {said(other)} are {values[one]} and {values[other]}, "
                f"but the value of their sum is {together}"
            )
            return Verdict(False, Certificate((one, other), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def _value(function: Callable[[Lottery], Any], lottery: Lottery) -> Any:
    try:
        return rational(function(lottery))
    except ParameterError as error:
        raise ParameterError(f"the value of {said(lottery)} is no number: {error}") from None
    except Exception as error:
        raise ParameterError(f"the function failed on {said(lottery)} with {type(error).__name__}: {error}") from error
