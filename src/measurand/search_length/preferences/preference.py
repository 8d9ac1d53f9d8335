"""Preferences: which of two lotteries somebody would rather have."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import Factory, field, frozen

from measurand.errors import MeasurandError, ParameterError
from measurand.exact import rational
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import said

SIMPLE = 10**4
"""A float is read as a fraction with a denominator up to this …"""
DIGITS = 12
"""… or else as a decimal number of so many digits …"""
ROUNDING = Fraction(1, 10**14)
"""… if that is this close to it, relative to its size, so that rounding may have set the two apart."""


@frozen(eq=False)
class Preference:
    r"""A relation between lotteries; whichever of ≻ and ≽ is given, the other and ∼ are derived from it.

    .. math::

        P \sim Q \iff P \not\succ Q \wedge Q \not\succ P, \qquad
        P \succeq Q \iff P \succ Q \vee P \sim Q

    If ≽ is what is given, :math:`P \sim Q` means :math:`P \succeq Q \wedge Q \succeq P`, and :math:`P \succ Q`
    means :math:`P \succeq Q \wedge Q \not\succeq P`. Answers are remembered.

    Examples
    --------
    >>> least_worst = Preference.strictly(lambda p, q: max(p) < max(q))
    >>> one, other = Lottery.uniform(0, 2), Lottery.sure(2)
    >>> least_worst.prefers(one, other), least_worst.indifferent(one, other), least_worst.at_least(other, one)
    (False, True, True)

    References
    ----------
    [BollmannRaghavan1988]_, section 3
    """

    name: str
    _asked: Callable[[Any, Any], object] = field(repr=False)
    weak: bool = False
    utility: Callable[[int], Fraction] | None = field(default=None, repr=False)
    domain: tuple[Any, ...] | None = None
    linear: bool = field(default=False, repr=False)
    _memory: dict[tuple[Any, Any], bool] = field(default=Factory(dict), repr=False)

    @classmethod
    def strictly(cls, function: Callable[[Any, Any], object], name: str = "") -> Preference:
        """Return the preference of a function that says whether its first lottery is better than its second."""
        return cls(_name(function, name), function)

    @classmethod
    def weakly(cls, function: Callable[[Any, Any], object], name: str = "") -> Preference:
        """Return the preference of a function that says whether its first lottery is at least as good."""
        return cls(_name(function, name), function, weak=True)

    @classmethod
    def by_utility(cls, function: Callable[[int], Any], name: str = "") -> Preference:
        """Return the preference for more utility on average; the function values a number of nonrelevant documents.

        Floats stand for the simple fractions that round to them, so that -k / 3 means what it says.

        Examples
        --------
        >>> cautious = Preference.by_utility(lambda k: -k * k)
        >>> cautious.prefers(Lottery.sure(1), Lottery.uniform(0, 2))
        True
        """
        called = _name(function, name)
        utility, expected = _remembering(_guarded(function, called))
        return cls(called, lambda p, q: expected(p) > expected(q), utility=utility)

    @classmethod
    def esl(cls) -> Preference:
        """Return the preference for a shorter expected search.

        Examples
        --------
        >>> Preference.esl().indifferent(Lottery.sure(1), Lottery.uniform(0, 2))
        True
        """
        return cls("esl", lambda p, q: bool(p.mean < q.mean), utility=lambda k: Fraction(-k), linear=True)

    @classmethod
    def of_pairs(
        cls, pairs: Iterable[tuple[Any, Any]], items: Iterable[Hashable] = (), *, weak: bool = False
    ) -> Preference:
        """Return the relation that holds between the pairs and no others, on those items and what the pairs name.

        Examples
        --------
        >>> Preference.of_pairs([("a", "b")], "abc").indifferent("b", "c")
        True
        """
        holding = frozenset((one, other) for one, other in pairs)
        named = tuple(dict.fromkeys([*items, *(item for pair in sorted(holding, key=str) for item in pair)]))
        return cls("the pairs", lambda one, other: (one, other) in holding, weak=weak, domain=named)

    def prefers(self, one: Any, other: Any) -> bool:
        """Say whether the first is better than the second."""
        return self._answer(one, other) and not (self.weak and self._answer(other, one))

    def indifferent(self, one: Any, other: Any) -> bool:
        """Say whether neither is better and (where ≽ is given) each is at least as good as the other."""
        return self._answer(one, other) is self.weak and self._answer(other, one) is self.weak

    def at_least(self, one: Any, other: Any) -> bool:
        """Say whether the first is better than the second, or as good."""
        return self._answer(one, other) or (not self.weak and not self._answer(other, one))

    def standing(self, one: Any, other: Any) -> str:
        """Return how two lotteries stand to each other, in a clause.

        Examples
        --------
        >>> Preference.esl().standing(Lottery.sure(0), Lottery.sure(1))
        '0 for sure is preferred to 1 for sure'
        """
        first, second = self.prefers(one, other), self.prefers(other, one)
        if first and second:
            return f"each is preferred to the other, {said(one)} and {said(other)}"
        if first or second:
            return f"{said(one if first else other)} is preferred to {said(other if first else one)}"
        how = "is as good as" if self.indifferent(one, other) else "cannot be compared with"
        return f"{said(one)} {how} {said(other)}"

    def confirm(self, most: int = 2000) -> None:
        """Ask again what was asked, the last first; complain of a function that does not always say the same.

        Examples
        --------
        >>> Preference.esl().confirm()
        """
        if self.utility is not None or self.domain is not None:
            return
        for (one, other), answer in list(reversed(self._memory.items()))[:most]:
            if self._ask(one, other) is not answer:
                raise ParameterError(
                    f"{self.name} does not always answer the same: whether {said(one)} is preferred to {said(other)} "
                    f"was first {answer} and then {not answer}; a preference must not depend on chance or on the past"
                )

    def _answer(self, one: Any, other: Any) -> bool:
        if (one, other) not in self._memory:
            self._memory[one, other] = self._ask(one, other)
        return self._memory[one, other]

    def _ask(self, one: Any, other: Any) -> bool:
        def question() -> str:
            return f"{self.name}, asked about {said(one)} against {said(other)},"

        answer = _called(self._asked, question, one, other)
        if not isinstance(answer, bool | np.bool_):
            raise ParameterError(f"{question()} answered {_short(answer)}; it must say True or False")
        return bool(answer)


def _name(function: Any, name: str) -> str:
    if not callable(function):
        raise ParameterError(f"a preference is made from a function, not from {_short(function)}")
    called = name or getattr(function, "__name__", "")
    return called if called.isidentifier() or name else "the function"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _called(function: Callable[..., object], what: Callable[[], str], *arguments: Any) -> object:
    try:
        return function(*arguments)
    except MeasurandError:
        raise
    except Exception as error:
        raise ParameterError(f"{what()} failed with {type(error).__name__}: {error}") from error


def _guarded(function: Callable[[int], Any], name: str) -> Callable[[int], Fraction]:
    def utility(k: int) -> Fraction:
        answer = _called(function, lambda: f"{name}, asked for the utility of {k} nonrelevant documents,", k)
        try:
            return _simplest(answer) if isinstance(answer, float | np.floating) else rational(answer)
        except ParameterError:
            raise ParameterError(
                f"{name} gives {k} nonrelevant documents the utility {_short(answer)}; it must be a finite number"
            ) from None

    return utility


def _simplest(value: float | np.floating[Any]) -> Fraction:
    spelled = rational(float(value))
    for simple in (spelled.limit_denominator(SIMPLE), Fraction(f"{float(value):.{DIGITS}g}")):
        if abs(simple - spelled) <= ROUNDING * abs(spelled):
            return simple
    return spelled


def _remembering(
    utility: Callable[[int], Fraction],
) -> tuple[Callable[[int], Fraction], Callable[[Lottery], Fraction]]:
    values: dict[int, Fraction] = {}
    means: dict[Lottery, Fraction] = {}

    def value(k: int) -> Fraction:
        if k not in values:
            values[k] = utility(k)
        return values[k]

    def mean(lottery: Lottery) -> Fraction:
        if lottery not in means:
            means[lottery] = lottery.expectation(value)
        return means[lottery]

    return value, mean
