"""The search by moves: from a run upwards until it arrives at another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from itertools import accumulate
from operator import sub

from attrs import define, field

from measurand.orders.compared_by_moves import Grades


@define(eq=False)
class Climb:
    """A search from a run upwards, nearest runs first, until it arrives at another or has seen all.

    Parameters
    ----------
    start, goal
        The run that it starts from, and the one that it looks for.
    """

    start: Grades
    goal: Grades
    origin: dict[Grades, Grades] = field(init=False)
    queue: deque[Grades] = field(init=False)
    moves: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.origin = {self.start: self.start}
        self.queue = deque([self.start])

    @property
    def arrived(self) -> bool:
        """Whether moves lead to the goal."""
        return self.goal in self.origin

    def go_on(self, better: Callable[[Grades], Collection[Grades]]) -> None:
        """Visit what one more run leads to.

        Parameters
        ----------
        better
            The runs to which one move leads from a run.
        """
        if not self.queue:
            return
        run = self.queue.popleft()
        steps = better(run)
        self.moves += len(steps)
        for after in steps:
            if after not in self.origin:
                self.origin[after] = run
                self.queue.append(after)
        if self.arrived:
            self.queue.clear()


def distance_up(x: Grades, y: Grades) -> int:
    """Return how far the sums of grades down to every rank are apart in all.

    Examples
    --------
    >>> distance_up((0, 1, 0), (1, 0, 1))
    2
    """
    return sum(map(abs, map(sub, accumulate(x), accumulate(y))))
