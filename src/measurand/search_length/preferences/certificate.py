"""Certificates: the lotteries that break an axiom, with a sentence that anyone can check."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

from attrs import frozen

from measurand.exact import shown
from measurand.search_length.lottery import Lottery

SPELLED_OUT = 5
"""Lotteries of more outcomes than this are summed up in sentences."""
LISTED = 12
"""Of a utility of more numbers than this only the first ones are listed in sentences."""
LONG = 4000
"""Numbers of more digits than this are not written out; Python itself does not write much longer ones."""


@frozen
class Certificate:
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
    return f"{text[:1].upper()}{text[1:]}."


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


def said(item: Any) -> str:
    """Return a lottery in words.

    Examples
    --------
    >>> said(Lottery.sure(3)), said(Lottery.uniform(0, 2)), said(Lottery({0: "3/4", 4: "1/4"}))
    ('3 for sure', '0 or 2 (1/2 each)', '0 (3/4) or 4 (1/4)')
    >>> said(Lottery.uniform(*range(9)))
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
