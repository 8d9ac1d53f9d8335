"""What moves show: one move of an order of one's own, and how two runs compare by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from measurand.display.data import plain
from measurand.display.tables import Document, cells_view, facts
from measurand.display.wording import counted
from measurand.errors import ParameterError, brief
from measurand.judged.graded_runs import NamedRun
from measurand.orders.compare import Comparison, Relation

Grades = tuple[int, ...]
"""A judged run as the places of its grades, first rank first; whole grades are their own places."""

SHOWN = 6
"""So many runs of a longer chain are written into a sentence."""


@frozen
class Move:
    """One move of an order of one's own.

    Parameters
    ----------
    by
        The name of the function that it comes from.
    before, after
        The run that it starts from, and the better one.

    Examples
    --------
    >>> print(Move("promote", (0, 1), (1, 0)))
    promote: (0, 1) → (1, 0)
    """

    by: str
    before: NamedRun
    after: NamedRun

    def apply(self, run: Sequence[Any]) -> NamedRun:
        """Return the run after the move, which applies to the run that it starts from alone.

        Parameters
        ----------
        run
            The run before.
        """
        if tuple(run) != self.before:
            raise ParameterError(f"{self} is no move of {brief(tuple(run))}")
        return self.after

    def __str__(self) -> str:
        return f"{self.by}: {brief(self.before)} → {brief(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the move ready for JSON."""
        return {"by": self.by, "before": plain(self.before), "after": plain(self.after), "text": str(self)}


@frozen(kw_only=True, repr=False)
class ComparisonByMoves(Comparison):
    """How two runs compare in an order of one's own, and the moves that show it.

    Parameters
    ----------
    ahead, behind
        Nothing: it is moves that decide, not places.
    found
        How the first run compares with the second.
    moves
        Moves from the worse to the better run, the fewest unless the order lies within another; none where the runs
        are equal or incomparable.
    above
        How many runs moves lead to from the first run and from the second, where they were all visited.
    apart
        Why no moves lead from one to the other, where that is known otherwise.

    Examples
    --------
    >>> from measurand.orders import adjacent_swaps, from_moves
    >>> found = from_moves(adjacent_swaps, name="ladder").explain((0, 1, 0), (0, 0, 1))
    >>> print(found)
    greater: 1 move leads from the second to the first: (0, 0, 1) → (0, 1, 0)
    """

    found: Relation
    moves: tuple[Move, ...] = ()
    above: tuple[int, int] = (0, 0)
    apart: str = ""

    @property
    def relation(self) -> Relation:
        """How the first run compares with the second."""
        return self.found

    @property
    def why(self) -> str:
        """What shows it, for people."""
        if self.found is Relation.EQUAL:
            return "the two have the same grades"
        if self.found is Relation.INCOMPARABLE:
            first, second = (counted(number, "run") for number in self.above)
            seen = f"they lead to {first} above the first and {second} above the second"
            return f"no moves lead from one to the other: {self.apart or seen}"
        ways = "from the first to the second" if self.found is Relation.LESS else "from the second to the first"
        number = len(self.moves)
        return f"{counted(number, 'move')} {'leads' if number == 1 else 'lead'} {ways}: {arrows(self.path)}"

    @property
    def path(self) -> tuple[NamedRun, ...]:
        """The runs from the worse to the better one, both included."""
        return (self.moves[0].before, *(move.after for move in self.moves)) if self.moves else ()

    def document(self) -> Document:
        """Return how the runs compare, and the moves from the worse to the better one."""
        told = facts([("relation", str(self.relation)), ("why", self.why)])
        rows = [(move.by, brief(move.before), brief(move.after)) for move in self.moves]
        view = cells_view(("move", "from", "to"), rows, left=3, title="Moves from the worse run to the better one")
        return Document([told, view] if rows else [told])


def arrows(path: Sequence[NamedRun]) -> str:
    """Return runs with arrows between, those in the middle of a long path left out.

    Examples
    --------
    >>> arrows([(0, 1), (1, 0)])
    '(0, 1) → (1, 0)'
    """
    shown = [brief(run) for run in path]
    return " → ".join(shown if len(shown) <= SHOWN else [*shown[: SHOWN - 2], "…", shown[-1]])
