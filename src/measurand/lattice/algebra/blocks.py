"""Block runs: some documents of one grade in a row and nothing else, numbered."""

from __future__ import annotations

from itertools import groupby
from math import isqrt
from typing import overload

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.lattice.algebra.base import Run


@frozen
class Block:
    r"""So many documents of a grade that end at a rank.

    Among blocks, :math:`(v, k, m) \preceq (v', k', m')` in the order "swap" exactly if
    :math:`v \le v'`, :math:`m \le m'` and :math:`k - m \ge k' - m'`; and a block is at most a run that has at
    least m documents of grade v or more down to rank k.

    Parameters
    ----------
    grade
        The grade, from 1.
    end
        The rank of the last document, from 1.
    number
        How many documents, from 1 to `end`.

    Examples
    --------
    >>> Block(2, 3, 2).run(5)
    (0, 2, 2, 0, 0)
    """

    grade: int
    end: int
    number: int

    @classmethod
    def of(cls, run: Run) -> Block | None:
        """Return the block that a run is, or None.

        Examples
        --------
        >>> Block.of((0, 2, 2, 0, 0))
        Block(grade=2, end=3, number=2)
        """
        parts = [(grade, len(list(part))) for grade, part in groupby(run)]
        filled = [place for place, (grade, _) in enumerate(parts) if grade]
        if len(filled) != 1:
            return None
        grade, number = parts[filled[0]]
        return cls(grade, sum(length for _, length in parts[: filled[0] + 1]), number)

    @classmethod
    def at(cls, place: int, depth: int) -> Block:
        """Return the block at a place among those of a depth.

        Examples
        --------
        >>> [Block.at(place, 2).run(2) for place in range(3)]
        [(0, 1), (1, 0), (1, 1)]
        """
        grade, rest = divmod(place, _number_of_blocks(depth))
        room = (isqrt(8 * rest + 1) + 1) // 2
        number = rest - _number_of_blocks(room - 1) + 1
        return cls(grade + 1, depth - room + number, number)

    def run(self, depth: int) -> Run:
        """Return the run of a depth with this block and nothing else."""
        return (0,) * (self.end - self.number) + (self.grade,) * self.number + (0,) * (depth - self.end)

    def place(self, depth: int) -> int:
        """Return where the block stands among those of a depth."""
        return place_of(self.grade, self.end, self.number, depth)


@overload
def place_of(grade: int, end: int, number: int, depth: int) -> int: ...
@overload
def place_of(grade: int | IntArray, end: IntArray, number: IntArray, depth: int) -> IntArray: ...
def place_of(grade: int | IntArray, end: int | IntArray, number: int | IntArray, depth: int) -> int | IntArray:
    """Return where a block stands among those of a depth, or where many do.

    They stand grade by grade, within a grade those that begin last first, and then by number: so that none
    is before a worse one.

    Examples
    --------
    >>> place_of(1, 1, 1, depth=2)
    1
    """
    # how many documents could follow the first, itself included
    room = depth - end + number
    before: int | IntArray = room * (room - 1) // 2
    return (grade - 1) * _number_of_blocks(depth) + before + number - 1


def blocks_at(places: IntArray, depth: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the grades of the blocks at some places, how many ranks stand before each, and how many documents it has.

    Examples
    --------
    >>> [part.tolist() for part in blocks_at(np.array([0, 1, 2, 3]), depth=2)]
    [[1, 1, 1, 2], [1, 0, 0, 1], [1, 1, 2, 1]]
    """
    grade, rest = np.divmod(places, _number_of_blocks(depth))
    # how many documents could follow the first, itself included: the places of one room come after those of less
    rooms = np.arange(depth + 1)
    room = np.searchsorted(rooms * (rooms + 1) // 2, rest, side="right")
    return grade + 1, depth - room, rest - room * (room - 1) // 2 + 1


def _number_of_blocks(depth: int) -> int:
    """Return how many blocks of one grade there are."""
    return depth * (depth + 1) // 2
