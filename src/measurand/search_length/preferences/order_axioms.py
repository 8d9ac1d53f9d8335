"""Axioms of order: preferences that can be put in one line, ties allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.search_length.preferences.certificate import Certificate, said
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.sample import sample_for
from measurand.verdict import How, Verdict

BY_NUMBERS = "a preference by expected utility compares numbers, which stand in one line"


@frozen(eq=False)
class Answers:
    """What a preference answers on every pair of some lotteries."""

    items: tuple[Any, ...]
    strict: BoolArray
    weak: BoolArray
    finite: bool

    @classmethod
    def of(cls, preference: Preference, lotteries: Iterable[Any] | None = None) -> Answers:
        """Return all answers, each question asked once."""
        items = sample_for(preference, lotteries)
        strict = np.array([[preference.prefers(one, other) for other in items] for one in items], dtype=bool)
        weak = np.array([[preference.at_least(one, other) for other in items] for one in items], dtype=bool)
        return cls(items, strict, weak, preference.domain is not None)

    def verdict(self, kind: str, broken: tuple[int, ...] | None, sentence: str) -> Verdict:
        """Return a verdict on all pairs or triples; `sentence` has a place for each item of the breach."""
        checked = f"all {kind} of {len(self.items)} {'items' if self.finite else 'lotteries'}"
        if broken is None:
            return Verdict(True, None, checked, How.EXHAUSTIVE if self.finite else How.SAMPLED)
        lotteries = tuple(self.items[place] for place in broken)
        witness = Certificate(lotteries, sentence.format(*map(said, lotteries)))
        return Verdict(False, witness, checked, How.COUNTEREXAMPLE)


def completeness(preference: Preference, lotteries: Iterable[Any] | None = None) -> Verdict:
    r"""Return whether of any two lotteries one is at least as good as the other.

    .. math:: P \succeq Q \quad\text{or}\quad Q \succeq P

    Where ≻ is what is given this is no axiom: ≽ is derived so that it holds.

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
