"""Axioms of expected utility: what preferences make of mixtures of lotteries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from measurand.exact import spell
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import Certificate, said
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.sample import lotteries_for
from measurand.verdict import How, Verdict

SHARES = (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10))
"""The shares in which independence mixes lotteries."""
THIRDS = 5
"""So many lotteries are mixed into every pair."""
PAIRS = 16
"""So many of the lotteries make pairs for independence."""
CHAINS = 11
"""So many of the lotteries make chains for continuity."""
SMALLEST = 40
"""The smallest share that continuity tries is 1/2 to this power."""


def independence(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether mixing the same third lottery into two others leaves the preference as it was.

    .. math:: P \succ Q \implies \alpha P + (1 - \alpha) R \succ \alpha Q + (1 - \alpha) R, \qquad 0 < \alpha < 1

    The same is asked of ∼, where the axioms together demand it.

    Examples
    --------
    >>> worst = Preference.strictly(lambda p, q: max(p) < max(q))
    >>> print(independence(worst, [0, 1, 2]).witness)  # doctest: +NORMALIZE_WHITESPACE
    0 for sure is preferred to 1 for sure, but not when either is mixed half and half with 2 for sure:
    0 or 2 (1/2 each) against 1 or 2 (1/2 each)

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, axiom (ii)
    """
    sample = lotteries_for(preference, lotteries)
    if preference.utility is not None:
        argument = "expectation is linear: mixing takes the same share of the difference of two expected utilities"
        return Verdict(True, None, "all lotteries", How.PROVED, argument)
    thirds = sample[:THIRDS]
    shares = ", ".join(map(str, SHARES))
    checked = f"pairs of {min(len(sample), PAIRS)} lotteries mixed with {len(thirds)} others in shares of {shares}"
    for one, other in permutations(sample[:PAIRS], 2):
        before = preference.prefers(one, other), preference.indifferent(one, other)
        for third, share in _mixtures(sorted(thirds, key=lambda third: third in (one, other))):
            mixed = one.mix(third, share), other.mix(third, share)
            if (before[0] and not preference.prefers(*mixed)) or (before[1] and not preference.indifferent(*mixed)):
                sentence = _dependent(one, other, third, share, better=before[0])
                return Verdict(False, Certificate((one, other, third), sentence, share), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.SAMPLED)


def continuity(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether a little of the worst does not spoil everything, nor a little of the best save it.

    .. math:: R \succ Q \succ P \implies \exists\, \alpha, \beta \in (0, 1):\
        \beta P + (1 - \beta) R \succ Q \succ \alpha P + (1 - \alpha) R

    Shares of 1/2, 1/4, 1/8 and so on are tried. A finite search cannot exclude that a smaller share would do; so
    what it does not find is no proof, and the verdict says that it was sampled.

    Examples
    --------
    >>> worst = Preference.strictly(lambda p, q: max(p) < max(q))
    >>> verdict = continuity(worst, [0, 1, 2])
    >>> verdict.holds, verdict.witness.lotteries
    (False, (Lottery({2: 1}), Lottery({1: 1}), Lottery({0: 1})))

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, axiom (iii)
    """
    sample = lotteries_for(preference, lotteries)
    if preference.utility is not None:
        argument = (
            "expected utility moves continuously with the share: a small enough share moves it as little as one likes"
        )
        return Verdict(True, None, "all lotteries", How.PROVED, argument)
    chosen = sample[:CHAINS]
    checked = f"chains of {len(chosen)} lotteries, with shares of 1/2, 1/4, …, 1/2^{SMALLEST}"
    for worst, middle, best in _chains(preference, chosen):
        if tolerable_share(preference, worst, middle, best) is None:
            sentence = (
                f"{said(best)} is preferred to {said(middle)}, and that to {said(worst)}; but however little of the "
                f"last is mixed into the first (1/2, 1/4, …, 1/2^{SMALLEST}), the mixture is not preferred to "
                f"{said(middle)}"
            )
            return Verdict(False, Certificate((worst, middle, best), sentence), checked, How.SAMPLED)
        if saving_share(preference, worst, middle, best) is None:
            sentence = (
                f"{said(best)} is preferred to {said(middle)}, and that to {said(worst)}; but however little of the "
                f"first is mixed into the last (1/2, 1/4, …, 1/2^{SMALLEST}), {said(middle)} is not preferred to the "
                "mixture"
            )
            return Verdict(False, Certificate((worst, middle, best), sentence), checked, How.SAMPLED)
    return Verdict(True, None, checked, How.SAMPLED)


def tolerable_share(preference: Preference, worst: Lottery, middle: Lottery, best: Lottery) -> Fraction | None:
    r"""Return a share of the worst in the best that is still preferred to the middle: β of the axiom.

    Examples
    --------
    >>> hundred, three, two = Lottery.sure(100), Lottery.sure(3), Lottery.sure(2)
    >>> tolerable_share(Preference.esl(), hundred, three, two)
    Fraction(1, 128)
    """
    return next((share for share in _small() if preference.prefers(worst.mix(best, share), middle)), None)


def saving_share(preference: Preference, worst: Lottery, middle: Lottery, best: Lottery) -> Fraction | None:
    r"""Return a share of the best in the worst to which the middle is still preferred: 1 - α of the axiom.

    Examples
    --------
    >>> saving_share(Preference.esl(), Lottery.sure(4), Lottery.sure(1), Lottery.sure(0))
    Fraction(1, 2)
    """
    return next((share for share in _small() if preference.prefers(middle, best.mix(worst, share))), None)


def _small() -> Iterator[Fraction]:
    return (Fraction(1, 2**power) for power in range(1, SMALLEST + 1))


def _mixtures(thirds: Sequence[Lottery]) -> Iterator[tuple[Lottery, Fraction]]:
    return ((third, share) for share in SHARES for third in thirds)


def _chains(preference: Preference, chosen: Sequence[Lottery]) -> Iterator[tuple[Lottery, Lottery, Lottery]]:
    for best, middle, worst in permutations(chosen, 3):
        if preference.prefers(best, middle) and preference.prefers(middle, worst):
            yield worst, middle, best


def _dependent(one: Lottery, other: Lottery, third: Lottery, share: Fraction, *, better: bool) -> str:
    how = "half and half" if share == Fraction(1, 2) else f"({spell(share)} to {spell(1 - share)})"
    mixed = f"{said(one.mix(third, share))} against {said(other.mix(third, share))}"
    if better:
        opening = f"{said(one)} is preferred to {said(other)}, but not when either is mixed"
    else:
        opening = f"{said(one)} and {said(other)} are equally good, but no longer when either is mixed"
    return f"{opening} {how} with {said(third)}: {mixed}"
