"""Ranks: documents that no score tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number


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
    read = []
    for place, rank in enumerate(ranks, 1):
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
