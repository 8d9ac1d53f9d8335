"""Axioms of expected utility: weak order, independence and continuity (von Neumann and Morgenstern)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.exact import spell
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.preference import Certificate, Preference, in_words, lotteries_for, sample_for
from measurand.verdict import How, Verdict

BY_NUMBERS = "a preference by expected utility compares numbers, which stand in one line"

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


@frozen(eq=False)
class Answers:
    """What a preference answers on every pair of some lotteries."""

    items: tuple[Any, ...]
    strict: BoolArray
    weak: BoolArray
    finite: bool

    @classmethod
    def of(cls, preference: Preference, lotteries: Iterable[Any] | None = None) -> Answers:
        """Return all answers, each pair compared once."""
        items = sample_for(preference, lotteries)
        strict = np.array([[preference.prefers(one, other) for other in items] for one in items], dtype=bool)
        weak = np.array([[preference.at_least(one, other) for other in items] for one in items], dtype=bool)
        return cls(items, strict, weak, preference.domain is not None)

    def verdict(self, kind: str, broken: tuple[int, ...] | None, sentence: str) -> Verdict:
        """Return a verdict on all pairs or triples; `sentence` has a place for each item of the violation."""
        checked = f"all {kind} of {len(self.items)} {'items' if self.finite else 'lotteries'}"
        if broken is None:
            return Verdict(True, None, checked, How.EXHAUSTIVE if self.finite else How.SAMPLED)
        lotteries = tuple(self.items[place] for place in broken)
        witness = Certificate(lotteries, sentence.format(*map(in_words, lotteries)))
        return Verdict(False, witness, checked, How.COUNTEREXAMPLE)


def completeness(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether of any two lotteries one is at least as good as the other.

    .. math:: P \succeq Q \quad\text{or}\quad Q \succeq P

    Where ≻ is what is given this is no axiom: ≽ is derived so that it holds.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> in_both = Preference.weakly(lambda p, q: min(p) <= min(q) and max(p) <= max(q))
    >>> print(completeness(in_both, [1, {0: "1/2", 2: "1/2"}]).witness)
    neither is at least as good as the other: 1 for sure, and 0 or 2 (1/2 each)
    >>> print(completeness(Preference.esl()).how)
    proved

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, axiom (i)
    """
    if not preference.weak:
        argument = "where neither of two is better they count as equally good, so at least as good is complete"
        return Verdict(True, None, "all lotteries", How.PROVED, argument)
    answers = Answers.of(preference, lotteries)
    found = _first(~answers.weak & ~answers.weak.T)
    return answers.verdict("pairs", found, "neither is at least as good as the other: {}, and {}")


def transitivity(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether being at least as good carries over from pair to pair.

    .. math:: P \succeq Q \succeq R \implies P \succeq R

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> shorter = Preference.strictly(lambda p, q: sum(p[j] * q[k] for j in p for k in q if j < k) > 1 / 2)
    >>> transitivity(shorter).holds, transitivity(Preference.esl()).how.value
    (False, 'proved')

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, axiom (i)
    """
    if preference.utility is not None:
        return Verdict(True, None, "all lotteries", How.PROVED, BY_NUMBERS)
    answers = Answers.of(preference, lotteries)
    sentence = "{0} is at least as good as {1}, and {1} as {2}, but {0} is not at least as good as {2}"
    return answers.verdict("triples", _through(answers.weak, ~answers.weak), sentence)


def strict_weak_order(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether being better is asymmetric and negatively transitive.

    .. math:: P \succ Q \implies Q \not\succ P, \qquad P \not\succ Q \not\succ R \implies P \not\succ R

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> clearly = Preference.strictly(lambda p, q: p.mean < q.mean - 1)
    >>> print(strict_weak_order(clearly, [0, 1, 2]).witness)
    0 for sure is not preferred to 1 for sure, nor 1 for sure to 2 for sure, yet 0 for sure is preferred to 2 for sure

    References
    ----------
    [BollmannRaghavan1988]_, definition 3.3 and lemma 3.1
    """
    if preference.utility is not None:
        return Verdict(True, None, "all lotteries", How.PROVED, BY_NUMBERS)
    answers = Answers.of(preference, lotteries)
    both = _first(answers.strict & answers.strict.T)
    if both is not None:
        sentence = "{0} is preferred to itself" if both[0] == both[1] else "each is preferred to the other: {}, and {}"
        return answers.verdict("pairs and triples", both, sentence)
    found = _through(~answers.strict, answers.strict)
    sentence = "{0} is not preferred to {1}, nor {1} to {2}, yet {0} is preferred to {2}"
    return answers.verdict("pairs and triples", found, sentence)


def weak_order(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    """Return whether being at least as good is complete and transitive.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

    Examples
    --------
    >>> bool(weak_order(Preference.strictly(lambda p, q: max(p) < max(q))))
    True

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, axiom (i)
    """
    complete = completeness(preference, lotteries)
    return transitivity(preference, lotteries) if complete.holds else complete


def _first(pairs: BoolArray) -> tuple[int, ...] | None:
    found = np.argwhere(pairs)
    return tuple(map(int, found[0])) if len(found) else None


def _through(related: BoolArray, apart: BoolArray) -> tuple[int, ...] | None:
    """Return the first three of which the first two and the last two are related, and the outer two are apart."""
    ends = _first(related.astype(np.int64) @ related.astype(np.int64) * apart > 0)
    if ends is None:
        return None
    between = int(np.flatnonzero(related[ends[0]] & related[:, ends[1]])[0])
    return ends[0], between, ends[1]


def independence(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether mixing the same third lottery into two others leaves the preference as it was.

    .. math:: P \succ Q \implies \alpha P + (1 - \alpha) R \succ \alpha Q + (1 - \alpha) R, \qquad 0 < \alpha < 1

    The same must hold of ∼, where the axioms together demand it.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

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
    what it does not find is no proof, and the verdict is marked as sampled.

    Parameters
    ----------
    preference
        The preference between lotteries.
    lotteries
        The lotteries to compare; by default a sample that shows most of what can be wrong.

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
                f"{in_words(best)} is preferred to {in_words(middle)}, and that to {in_words(worst)}; but however "
                f"little of the last is mixed into the first (1/2, 1/4, …, 1/2^{SMALLEST}), the mixture is not "
                f"preferred to {in_words(middle)}"
            )
            return Verdict(False, Certificate((worst, middle, best), sentence), checked, How.SAMPLED)
        if saving_share(preference, worst, middle, best) is None:
            sentence = (
                f"{in_words(best)} is preferred to {in_words(middle)}, and that to {in_words(worst)}; but however "
                f"little of the first is mixed into the last (1/2, 1/4, …, 1/2^{SMALLEST}), {in_words(middle)} is not "
                "preferred to the mixture"
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
    mixed = f"{in_words(one.mix(third, share))} against {in_words(other.mix(third, share))}"
    if better:
        opening = f"{in_words(one)} is preferred to {in_words(other)}, but not when either is mixed"
    else:
        opening = f"{in_words(one)} and {in_words(other)} are equally good, but no longer when either is mixed"
    return f"{opening} {how} with {in_words(third)}: {mixed}"
