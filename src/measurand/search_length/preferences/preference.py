"""Preferences between lotteries, the lotteries that they are asked about by default, and certificates.

A `Certificate` holds lotteries that violate an axiom, with a sentence that anyone can check.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from attrs import Factory, field, frozen

from measurand.display.result import Result
from measurand.display.wording import capitalised
from measurand.errors import MeasurandError, NotAvailable, ParameterError
from measurand.exact import rational, shown
from measurand.search_length.lottery import Lottery

SPELLED_OUT = 5
"""Lotteries of more outcomes than this are summed up in sentences."""

LISTED = 12
"""Of a utility of more numbers than this only the first ones are listed in sentences."""

LONG = 4000
"""Numbers of more digits than this are not written out; Python itself does not write much longer ones."""

SIMPLE = 10**4
"""A float is read as a fraction with a denominator up to this …"""

DIGITS = 12
"""… or else as a decimal number of so many digits …"""

ROUNDING = Fraction(1, 10**14)
"""… if that is this close to it, relative to its size, so that rounding may have set the two apart."""

LONGEST = 10_000
"""Lotteries that are to be mixed and summed have so many numbers at most."""


@frozen(repr=False)
class Certificate(Result):
    """What decides a verdict about preferences: lotteries, and what they show in one sentence.

    Parameters
    ----------
    lotteries
        The lotteries the sentence speaks of, in the order of the definition of the axiom.
    sentence
        What they show.
    share
        The share in which lotteries are mixed, where they are.
    n
        How often a search is repeated, where it is.

    Examples
    --------
    >>> print(Certificate((Lottery.sure(0),), "nothing is better than 0 for sure"))
    nothing is better than 0 for sure
    """

    lotteries: tuple[Any, ...]
    sentence: str
    share: Fraction | None = None
    n: int | None = None

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows; fractions are text.

        Examples
        --------
        >>> Certificate((Lottery.uniform(0, 1),), "an even chance").to_dict()
        {'sentence': 'an even chance', 'lotteries': [{'0': '1/2', '1': '1/2'}]}
        """
        written: dict[str, Any] = {"sentence": self.sentence, "lotteries": [plain(one) for one in self.lotteries]}
        if self.share is not None:
            written["share"] = str(self.share)
        return written if self.n is None else {**written, "n": self.n}


def plain(item: Any) -> Any:
    """Return a lottery or a utility as a dictionary of text, and anything else as text.

    Examples
    --------
    >>> plain(Lottery({0: "1/3", 4: "2/3"})), plain("a")
    ({'0': '1/3', '4': '2/3'}, 'a')
    """
    return {str(k): as_text(p) for k, p in item.items()} if isinstance(item, Mapping) else str(item)


def as_text(number: Fraction) -> str:
    """Return an exact number as text, or about what it is if it is thousands of digits long.

    Examples
    --------
    >>> as_text(Fraction(-1, 3)), as_text(Fraction(1, 3**10000))
    ('-1/3', '6.130e-4772')
    """
    long = max(abs(number.numerator), number.denominator) >= 10**LONG
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.3e}" if long else str(number)


def as_sentence(finding: object) -> str:
    """Return a finding as a sentence of its own.

    Examples
    --------
    >>> as_sentence("nothing is better")
    'Nothing is better.'
    """
    text = str(finding)
    return f"{capitalised(text)}."


def listed_values(utility: Mapping[int, Fraction]) -> str:
    """Return the values of a utility in words; of a long one, those of the first numbers.

    Examples
    --------
    >>> listed_values({0: Fraction(0), 1: Fraction(-3, 2)})
    'f(0) = 0, f(1) = -3/2'
    >>> listed_values({k: Fraction(-k) for k in range(100)})[-50:]
    'f(10) = -10, f(11) = -11, … (100 numbers up to 99)'
    """
    values = ", ".join(f"f({k}) = {as_text(utility[k])}" for k in islice(utility, LISTED))
    return values if len(utility) <= LISTED else f"{values}, … ({len(utility)} numbers up to {max(utility)})"


def in_words(item: Any) -> str:
    """Return a lottery in words.

    Examples
    --------
    >>> in_words(Lottery.sure(3)), in_words(Lottery.uniform(0, 2)), in_words(Lottery({0: "3/4", 4: "1/4"}))
    ('3 for sure', '0 or 2 (1/2 each)', '0 (3/4) or 4 (1/4)')
    >>> in_words(Lottery.uniform(*range(9)))
    'a lottery on 9 numbers from 0 to 8 with mean 4'
    """
    if not isinstance(item, Lottery):
        return str(item)
    if len(item) == 1:
        return f"{item.low} for sure"
    if len(item) > SPELLED_OUT:
        mean = item.mean
        about = str(mean) if mean.denominator < 1000 else f"about {shown(mean)}"
        return f"a lottery on {len(item)} numbers from {item.low} to {item.high} with mean {about}"
    if len(set(item.values())) == 1:
        return f"{_listed([str(k) for k in item])} ({as_text(item[item.low])} each)"
    return _listed([f"{k} ({as_text(p)})" for k, p in item.items()])


def _listed(parts: list[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]])


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
        """Return the preference of a function of two lotteries, which decides what is better.

        Parameters
        ----------
        function
            Returns whether its first lottery is better than its second.
        name
            The name of the preference; by default that of the function.
        """
        return cls(_name(function, name), function)

    @classmethod
    def weakly(cls, function: Callable[[Any, Any], object], name: str = "") -> Preference:
        """Return the preference of a function of two lotteries, which decides what is at least as good.

        Parameters
        ----------
        function
            Returns whether its first lottery is at least as good as its second.
        name
            The name of the preference; by default that of the function.
        """
        return cls(_name(function, name), function, weak=True)

    @classmethod
    def by_utility(cls, function: Callable[[int], Any], name: str = "") -> Preference:
        """Return the preference for a higher expected utility.

        Floats stand for the simple fractions that round to them, so that -k / 3 is exact.

        Parameters
        ----------
        function
            The utility of a number of nonrelevant documents.
        name
            The name of the preference; by default that of the function.

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

        Parameters
        ----------
        pairs
            Pairs of items, the better one first.
        items
            Further items.
        weak
            Whether a pair is at least as good, rather than better.

        Examples
        --------
        >>> Preference.of_pairs([("a", "b")], "abc").indifferent("b", "c")
        True
        """
        holding = frozenset((one, other) for one, other in pairs)
        named = tuple(dict.fromkeys([*items, *(item for pair in sorted(holding, key=str) for item in pair)]))
        return cls("the pairs", lambda one, other: (one, other) in holding, weak=weak, domain=named)

    def prefers(self, one: Any, other: Any) -> bool:
        """Return whether the first is better than the second.

        Parameters
        ----------
        one, other
            Two lotteries, or items.
        """
        return self._answer(one, other) and not (self.weak and self._answer(other, one))

    def indifferent(self, one: Any, other: Any) -> bool:
        """Return whether neither is better and (where ≽ is given) each is at least as good as the other.

        Parameters
        ----------
        one, other
            Two lotteries, or items.
        """
        return self._answer(one, other) is self.weak and self._answer(other, one) is self.weak

    def at_least(self, one: Any, other: Any) -> bool:
        """Return whether the first is better than the second, or as good.

        Parameters
        ----------
        one, other
            Two lotteries, or items.
        """
        return self._answer(one, other) or (not self.weak and not self._answer(other, one))

    def standing(self, one: Any, other: Any) -> str:
        """Return how two lotteries compare, in a clause.

        Parameters
        ----------
        one, other
            Two lotteries, or items.

        Examples
        --------
        >>> Preference.esl().standing(Lottery.sure(0), Lottery.sure(1))
        '0 for sure is preferred to 1 for sure'
        """
        first, second = self.prefers(one, other), self.prefers(other, one)
        if first and second:
            return f"each is preferred to the other, {in_words(one)} and {in_words(other)}"
        if first or second:
            return f"{in_words(one if first else other)} is preferred to {in_words(other if first else one)}"
        how = "is as good as" if self.indifferent(one, other) else "cannot be compared with"
        return f"{in_words(one)} {how} {in_words(other)}"

    def confirm(self, most: int = 2000) -> None:
        """Repeat the comparisons made so far, the last first; raise if a function does not always answer the same.

        Parameters
        ----------
        most
            The number of comparisons that are repeated.

        Examples
        --------
        >>> Preference.esl().confirm()
        """
        if self.utility is not None or self.domain is not None:
            return
        for (one, other), answer in list(reversed(self._memory.items()))[:most]:
            if self._ask(one, other) is not answer:
                raise ParameterError(
                    f"{self.name} does not always answer the same: whether {in_words(one)} is preferred to "
                    f"{in_words(other)} was first {answer} and then {not answer}; a preference "
                    f"must not depend on chance or on the past"
                )

    def _answer(self, one: Any, other: Any) -> bool:
        if (one, other) not in self._memory:
            self._memory[one, other] = self._ask(one, other)
        return self._memory[one, other]

    def _ask(self, one: Any, other: Any) -> bool:
        def question() -> str:
            return f"{self.name}, asked about {in_words(one)} against {in_words(other)},"

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


def as_lottery(value: Any) -> Lottery:
    """Return a lottery from a lottery, a number or a dictionary.

    Examples
    --------
    >>> as_lottery(2), as_lottery({0: "1/2", 1: "1/2"})
    (Lottery({2: 1}), Lottery({0: 0.5, 1: 0.5}))
    """
    if isinstance(value, Lottery):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return Lottery.sure(int(value))
    if isinstance(value, Mapping):
        return Lottery(value)
    raise ParameterError(f"{value!r} is not a lottery; write Lottery({{0: '1/2', 2: '1/2'}}), or 3 for 3 for sure")


@lru_cache(maxsize=1)
def default_lotteries() -> tuple[Lottery, ...]:
    """Return lotteries on which people who do not go by the mean give themselves away.

    Among them are pairs of one mean and different spread, rare long searches, and three that beat each other in a
    circle when the one is preferred that is more often shorter.

    Examples
    --------
    >>> len(default_lotteries()), default_lotteries()[3]
    (24, Lottery({0: 0.5, 2: 0.5}))
    """
    small = [0, 1, 2, {0: "1/2", 2: "1/2"}, 10, {0: "3/4", 4: "1/4"}, {0: "9/10", 10: "1/10"}, 3]
    middling = [{1: "1/2", 3: "1/2"}, 5, {0: "1/3", 1: "1/3", 2: "1/3"}, {0: "1/2", 10: "1/2"}, 4, 20]
    cyclic = [dict.fromkeys(numbers, "1/3") for numbers in ((2, 4, 9), (1, 6, 8), (3, 5, 7))]
    skewed = [{2: "99/100", 100: "1/100"}, {0: "2/3", 1: "1/3"}, {1: "4/5", 6: "1/5"}, {0: "1/5", 5: "4/5"}]
    wide = [dict.fromkeys(range(10), "1/10"), {0: "1/16", 1: "1/4", 2: "3/8", 3: "1/4", 4: "1/16"}, 100]
    return tuple(as_lottery(one) for one in (*small, *middling, *cyclic, *skewed, *wide))


@lru_cache(maxsize=1)
def lotteries_of_results() -> tuple[Lottery, ...]:
    """Return lotteries that results with and without ties have, and no other mixtures.

    Examples
    --------
    >>> lotteries_of_results()[-1]
    Lottery({3: '1/6', 4: '1/3', 5: 0.5})
    """
    tied = [{0: "1/2", 1: "1/2"}, {0: "1/3", 1: "1/3", 2: "1/3"}, {0: "2/3", 1: "1/3"}, {0: "1/3", 1: "2/3"}]
    tied += [dict.fromkeys(range(5), "1/5"), {0: "1/2", 1: "1/3", 2: "1/6"}, {0: "1/6", 1: "1/3", 2: "1/2"}]
    shifted = [Lottery(one).convolve(Lottery.sure(b)) for b in (0, 1, 3) for one in tied]
    return (*(Lottery.sure(k) for k in (*range(7), 10, 20)), *shifted)


def sample_for(preference: Preference, lotteries: Iterable[Any] | None = None) -> tuple[Any, ...]:
    """Return the lotteries that were given, or the items of a finite preference, or else the telling ones.

    Examples
    --------
    >>> sample_for(Preference.esl(), [0, 1])
    (Lottery({0: 1}), Lottery({1: 1}))
    """
    if lotteries is None:
        return default_lotteries() if preference.domain is None else preference.domain
    if isinstance(lotteries, Mapping | str) or not isinstance(lotteries, Iterable):
        raise ParameterError(f"lotteries must be a list of lotteries, not {lotteries!r}")
    known = preference.domain or ()
    items = tuple(dict.fromkeys(one if one in known else as_lottery(one) for one in lotteries))
    if not items:
        raise ParameterError("there is no lottery to ask about; give some, or leave lotteries out")
    return items


def lotteries_for(preference: Preference, lotteries: Iterable[Any] | None = None) -> tuple[Lottery, ...]:
    """Return the lotteries to ask about where they are to be mixed or summed.

    Examples
    --------
    >>> lotteries_for(Preference.esl()) == default_lotteries()
    True
    """
    if preference.domain is not None:
        raise ParameterError(
            "a preference that is given as pairs says nothing about mixtures and sums of lotteries; "
            "state the pairs to represent(...) or check(...) instead"
        )
    sample = sample_for(preference, lotteries)
    longest = max(map(len, sample))
    if longest > LONGEST and not preference.linear:
        raise NotAvailable(
            f"mixtures and sums of a lottery of {longest} numbers take too long; ask about lotteries of {LONGEST} "
            "numbers at most"
        )
    return sample
