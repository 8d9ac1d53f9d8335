"""Ranks: documents that no score tells apart, and how they are written: `+-|+--|++---`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number

Counts = tuple[int, int]
"""How many relevant and how many nonrelevant documents."""

PRINTED = 60
"""Up to so many documents a weak order is printed sign by sign."""

LISTED = 8
"""Up to so many ranks it is printed as pairs of numbers."""


def _relevant(count: object) -> int:
    return whole_number("the number of relevant documents of a rank", count, 0)


def _nonrelevant(count: object) -> int:
    return whole_number("the number of nonrelevant documents of a rank", count, 0)


@frozen
class Rank:
    """Documents that share a rank: so many relevant and so many nonrelevant ones; unpacks into the two.

    Examples
    --------
    >>> rank = Rank(1, 2)
    >>> rank.documents, str(rank)
    (3, '+--')
    """

    relevant: int = field(converter=_relevant)
    nonrelevant: int = field(converter=_nonrelevant)

    @property
    def documents(self) -> int:
        """How many documents share the rank."""
        return self.relevant + self.nonrelevant

    def __iter__(self) -> Iterator[int]:
        return iter((self.relevant, self.nonrelevant))

    def __str__(self) -> str:
        return "+" * self.relevant + "-" * self.nonrelevant


def as_ranks(ranks: Iterable[Rank | tuple[int, int]]) -> tuple[Rank, ...]:
    """Return ranks that were given as such or as pairs, none of them empty.

    Examples
    --------
    >>> as_ranks([(1, 2)])
    (Rank(relevant=1, nonrelevant=2),)
    """
    try:
        numbered = enumerate(ranks, 1)
    except TypeError:
        raise ParameterError(f"a weak order is made from ranks like [(1, 1), (1, 2)], not {ranks!r}") from None
    read = []
    for place, rank in numbered:
        read.append(as_rank(rank, f"rank {place}"))
        if not read[-1].documents:
            raise ParameterError(f"rank {place} is empty; a rank holds one document or more")
    if not read:
        raise ParameterError("a weak order without documents has no ranks; it needs one at least")
    return tuple(read)


def as_rank(rank: Rank | tuple[int, int], name: str) -> Rank:
    """Return a rank that was given as such or as a pair.

    Examples
    --------
    >>> as_rank((1, 2), "the last rank")
    Rank(relevant=1, nonrelevant=2)
    """
    try:
        return rank if isinstance(rank, Rank) else Rank(*rank)
    except TypeError:
        raise ParameterError(
            f"{name} is {rank!r}; a rank is a pair like (1, 2): relevant and nonrelevant documents"
        ) from None


def parsed(text: str) -> list[Counts]:
    """Return the ranks that a text like `+-|+--` writes; spaces do not matter.

    Examples
    --------
    >>> parsed("+-| +--")
    [(1, 1), (1, 2)]
    """
    if not isinstance(text, str):
        raise ParameterError(f"a weak order is written like '+-|+--|++---', not {text!r}")
    for place, sign in enumerate(text, 1):
        if sign not in "+-|" and not sign.isspace():
            raise ParameterError(
                f"{sign!r} at place {place} of {_excerpt(text, place)} is none of + (relevant), - (nonrelevant) and | "
                f"(next rank)"
            )
    if not text.strip():
        raise ParameterError("the weak order is empty; write it like '+-|+--|++---'")
    ranks = []
    place = 1
    for number, rank in enumerate(text.split("|"), 1):
        if not rank.strip():
            raise ParameterError(
                f"rank {number} of the weak order is empty, at place {place} of {_excerpt(text, place)}; a rank holds "
                f"one document or more"
            )
        ranks.append((rank.count("+"), rank.count("-")))
        place += len(rank) + 1
    return ranks


def spelled(ranks: tuple[Counts, ...]) -> str:
    """Return what follows the name of the class in the spelling of a weak order.

    Examples
    --------
    >>> spelled(((1, 1), (0, 2)))
    ".parse('+-|--')"
    >>> spelled(((3, 10**6),))
    '([(3, 1000000)])'
    """
    relevant, nonrelevant = (sum(counts) for counts in zip(*ranks, strict=True))
    if relevant + nonrelevant <= PRINTED:
        return f".parse('{'|'.join('+' * plus + '-' * minus for plus, minus in ranks)}')"
    if len(ranks) <= LISTED:
        return f"({list(ranks)})"
    listed = ", ".join(map(str, ranks[:3]))
    return f"([{listed}, … {len(ranks)} ranks of {relevant} relevant and {nonrelevant} nonrelevant documents])"


def _excerpt(text: str, place: int) -> str:
    """Return the text, or what stands around a place of a long one."""
    return repr(text) if len(text) <= PRINTED else f"'…{text[max(0, place - 20) : place + 20]}…'"
