"""Certificates: the lotteries that break an axiom, with a sentence that anyone can check."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import frozen

from measurand.exact import shown
from measurand.search_length.lottery import Lottery

SPELLED_OUT = 5
"""Lotteries of more outcomes than this are summed up in sentences."""


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
    """Return a lottery as a dictionary of text, and anything else as text.

    Examples
    --------
    >>> plain(Lottery({0: "1/3", 4: "2/3"})), plain("a")
    ({'0': '1/3', '4': '2/3'}, 'a')
    """
    return {str(k): str(p) for k, p in item.items()} if isinstance(item, Lottery) else str(item)


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
        return f"{item.support[0]} for sure"
    if len(item) > SPELLED_OUT:
        mean = item.mean
        about = str(mean) if mean.denominator < 1000 else f"about {shown(mean)}"
        return f"a lottery on {len(item)} numbers from {item.support[0]} to {item.support[-1]} with mean {about}"
    if len(set(item.values())) == 1:
        return f"{_listed([str(k) for k in item])} ({item[item.support[0]]} each)"
    return _listed([f"{k} ({p})" for k, p in item.items()])


def _listed(parts: list[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]])
