"""How two runs stand to each other, and the places that show it."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from attrs import frozen

Shown = int | Fraction | str
"""A grade as people see it: a whole number, a fraction, or a label."""


class Relation(StrEnum):
    """The answer to "how does the first run stand to the second?"."""

    LESS = "less"
    EQUAL = "equal"
    GREATER = "greater"
    INCOMPARABLE = "incomparable"


@frozen
class Count:
    """How many documents of at least a grade, down to a rank, each of two runs has.

    Parameters
    ----------
    grade
        The lowest grade that is counted.
    rank
        The last rank that is counted; nothing for sets, which have no ranks.
    ours, theirs
        How many the first run and the second run have.

    Examples
    --------
    >>> print(Count(grade=1, rank=3, ours=1, theirs=2))
    down to rank 3 the first has 1 document of grade 1 or more against 2
    """

    grade: Shown
    rank: int | None
    ours: int
    theirs: int

    def __str__(self) -> str:
        documents = "document" if self.ours == 1 else "documents"
        return f"{self._place}the first has {self.ours} {documents} of grade {self.grade} or more against {self.theirs}"

    def after(self, other: Count | AtRank) -> str:
        """Return the text that goes on from the text of another place."""
        if isinstance(other, Count) and other.grade == self.grade:
            return f"{self._place}it has {self.ours} against {self.theirs}"
        text = str(self).replace("the first", "it", 1)
        return f"but {text}" if self.rank is None else text

    @property
    def _place(self) -> str:
        return "" if self.rank is None else f"down to rank {self.rank} "


@frozen
class AtRank:
    """The grades that two runs have at one rank.

    Examples
    --------
    >>> print(AtRank(rank=2, ours=0, theirs=1))
    at rank 2 the first has grade 0 against 1
    """

    rank: int
    ours: Shown
    theirs: Shown

    def __str__(self) -> str:
        return f"at rank {self.rank} the first has grade {self.ours} against {self.theirs}"

    def after(self, other: Count | AtRank) -> str:  # noqa: ARG002
        """Return the text that goes on from the text of another place."""
        return f"at rank {self.rank} it has {self.ours} against {self.theirs}"


Place = Count | AtRank


@frozen
class Comparison:
    """How the first of two runs stands to the second, and where that shows.

    Parameters
    ----------
    ahead
        The first place where the first run has more, if it counts in the order.
    behind
        The first place where the first run has less, if it counts in the order.

    Examples
    --------
    >>> crossing = Comparison(Count(1, 1, 1, 0), Count(1, 3, 1, 2))
    >>> crossing.relation
    <Relation.INCOMPARABLE: 'incomparable'>
    >>> print(crossing.why)
    down to rank 1 the first has 1 document of grade 1 or more against 0, down to rank 3 it has 1 against 2
    """

    ahead: Place | None = None
    behind: Place | None = None

    @property
    def relation(self) -> Relation:
        """How the first run stands to the second."""
        if self.ahead is None:
            return Relation.EQUAL if self.behind is None else Relation.LESS
        return Relation.GREATER if self.behind is None else Relation.INCOMPARABLE

    @property
    def why(self) -> str:
        """What shows it, for people."""
        places = [place for place in (self.ahead, self.behind) if place is not None]
        places.sort(key=lambda place: place.rank or 0)
        if not places:
            return "the two have the same grades"
        return ", ".join([str(places[0]), *(place.after(places[0]) for place in places[1:])])
