"""The different orders that ties leave open: counted, listed with their probabilities, or drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, perm, prod

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray
from measurand.execution import Rng, generator


@frozen(slots=False)
class OpenGroup:
    """A tie group whose order makes a difference.

    Parameters
    ----------
    start
        How many ranks are above it.
    shown
        How many of its places are looked at.
    cells
        Its documents, those that a measure cannot tell apart alike.

    Examples
    --------
    >>> group = OpenGroup(start=0, shown=2, cells=(1, 0, 0))
    >>> group.number(limit=10), group.all()[0].tolist(), group.all()[1]
    (3, [[0, 0], [1, 0], [0, 1]], [2, 2, 2])
    """

    start: int
    shown: int
    cells: tuple[int, ...]

    @cached_property
    def kinds(self) -> list[tuple[int, int]]:
        """The kinds of documents and how many there are of each, the most numerous last."""
        return sorted(Counter(self.cells).items(), key=lambda kind: (kind[1], kind[0]))

    def number(self, limit: int) -> int:
        """Return how many different orders of the documents shown there are, or some number above `limit`."""
        most = self.kinds[-1][1]
        rare = len(self.cells) - most
        few, many = max(0, self.shown - most), min(rare, self.shown)
        # the places of the rare documents alone are a choice; the middle of the range has the most of them
        middle = min(max(self.shown // 2, few), many)
        if comb(self.shown, middle) > limit:
            return limit + 1
        words = [1]
        for _, count in self.kinds[:-1]:
            longest = min(len(words) - 1 + count, self.shown)
            words = [
                sum(
                    comb(length, taken) * words[length - taken]
                    for taken in range(max(0, length - len(words) + 1), min(count, length) + 1)
                )
                for length in range(longest + 1)
            ]
        return sum(comb(self.shown, rare) * words[rare] for rare in range(few, many + 1))

    @property
    def ways(self) -> int:
        """How many orders there are if every document is told from every other."""
        return perm(len(self.cells), self.shown)

    def orders(self) -> Iterator[tuple[dict[int, int], int]]:
        """Return the different orders of the documents shown, and in how many ways each comes about.

        An order is given by the places, from 0, of all documents but the most numerous kind.
        """
        room = [count for _, count in self.kinds]

        def placed(nth: int, free: tuple[int, ...], ways: int) -> Iterator[tuple[dict[int, int], int]]:
            kind, count = self.kinds[nth]
            if nth == len(room) - 1:
                yield {}, ways * perm(count, len(free))
                return
            for taken in range(max(0, len(free) - sum(room[nth + 1 :])), min(count, len(free)) + 1):
                for places in combinations(free, taken):
                    others = tuple(place for place in free if place not in places) if taken else free
                    for order, number in placed(nth + 1, others, ways * perm(count, taken)):
                        yield {**order, **dict.fromkeys(places, kind)}, number

        return placed(0, tuple(range(self.shown)), 1)

    def all(self) -> tuple[Cells, list[int]]:
        """Return the different orders of the documents shown, one a row, and in how many ways each comes about."""
        orders, ways = zip(*self.orders(), strict=True)
        rows = np.full((len(orders), self.shown), self.kinds[-1][0], dtype=np.int8)
        for row, order in zip(rows, orders, strict=True):
            row[list(order)] = list(order.values())
        return rows, list(ways)

    def drawn(self, orders: int, rng: np.random.Generator) -> Cells:
        """Return random orders of the documents that are shown, one a row."""
        lots = rng.permuted(np.tile(np.array(self.cells, dtype=np.int8), (orders, 1)), axis=1)
        return lots[:, : self.shown]


@frozen(eq=False)
class Arrangements:
    """A run with the groups whose order makes a difference to a measure.

    Parameters
    ----------
    run
        The cells of the run to the depth, in any of the orders.
    groups
        Those whose order makes a difference.
    """

    run: Sequence[int]
    groups: tuple[OpenGroup, ...]

    def number(self, limit: int) -> int:
        """Return how many different orders there are, or some number above `limit` if there are more than that."""
        number = 1
        for group in self.groups:
            number *= group.number(limit)
            if number > limit:
                return limit + 1
        return number

    def all(self) -> tuple[Cells, list[int], int]:
        """Return the different arrangements, one a row, in how many ways each comes about, and the sum of these."""
        rows = np.array([self.run], dtype=np.int8)
        ways = [1]
        for group in self.groups:
            shown, counts = group.all()
            rows = np.repeat(rows, len(shown), axis=0)
            rows[:, group.start : group.start + group.shown] = np.tile(shown, (len(ways), 1))
            ways = [one * other for one in ways for other in counts]
        return rows, ways, prod(group.ways for group in self.groups)

    def probabilities(self) -> tuple[Cells, FloatArray]:
        """Return the different arrangements, one a row, and their probabilities as floats."""
        rows, ways, total = self.all()
        return rows, np.array([float(Fraction(one, total)) for one in ways])

    def drawn(self, orders: int, rng: Rng) -> Cells:
        """Return random arrangements, one a row."""
        source = generator(rng)
        rows = np.tile(np.array(self.run, dtype=np.int8), (orders, 1))
        for group in self.groups:
            rows[:, group.start : group.start + group.shown] = group.drawn(orders, source)
        return rows
