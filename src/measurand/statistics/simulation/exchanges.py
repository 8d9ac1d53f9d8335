"""Exchanges: campaigns without an effect, and with a known one, made of the runs of a real campaign.

Two systems whose runs were exchanged at random, topic by topic, do not differ: whoever calls their difference
significant is wrong. An effect is planted by giving one of the two better runs. Exchanges are drawn once and say which
run goes where, so that every measure and every scale sees the same runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray


@frozen(eq=False)
class Exchanges:
    """Pairs of systems in each of some repetitions, and what happens to their runs on each topic.

    Every system but one, where their number is odd, is in one pair of each repetition.

    Parameters
    ----------
    first, second
        The systems of each pair, repetitions × pairs. An effect is planted in the second.
    swapped
        Whether the two exchange their runs, repetitions × pairs × topics.
    uniform
        Numbers from 0 to 1, of the same shape, that decide where an effect is planted.
    group
        Which group each repetition belongs to: those of a group share their improved runs.
    """

    first: IntArray
    second: IntArray
    swapped: BoolArray
    uniform: FloatArray
    group: IntArray

    @classmethod
    def drawn(cls, rng: np.random.Generator, group: IntArray, systems: int, topics: int) -> Exchanges:
        """Return exchanges drawn at random: pairs anew in each repetition, and a fair coin for each topic.

        Parameters
        ----------
        rng
            Where chance comes from.
        group
            The group of each repetition.
        systems, topics
            How many there are.

        Examples
        --------
        >>> found = Exchanges.drawn(np.random.default_rng(0), np.arange(2), 5, 3)
        >>> found.first.shape, found.swapped.shape
        ((2, 2), (2, 2, 3))
        """
        order = rng.permuted(np.tile(np.arange(systems), (len(group), 1)), axis=1)
        pairs = systems // 2
        shape = len(group), pairs, topics
        return cls(
            order[:, :pairs],
            order[:, pairs : 2 * pairs],
            rng.random(shape) < 0.5,
            rng.random(shape),
            group,
        )

    @classmethod
    def all_of(cls, topics: int) -> Exchanges:
        """Return every way to exchange the runs of two systems, each once.

        Parameters
        ----------
        topics
            How many topics there are.

        Examples
        --------
        >>> Exchanges.all_of(2).swapped[:, 0].tolist()
        [[False, False], [True, False], [False, True], [True, True]]
        """
        ways = np.arange(2**topics)
        swapped = (ways[:, None, None] >> np.arange(topics)) % 2 == 1
        first = np.zeros((len(ways), 1), dtype=np.int64)
        return cls(first, first + 1, swapped, np.ones(swapped.shape), ways)

    def sources(self, better: FloatArray | None, effect: float) -> tuple[IntArray, IntArray]:
        """Return whose runs the first and the second system of each pair get, repetitions × pairs × topics.

        Parameters
        ----------
        better
            Systems × topics, the higher the better: with the probability `effect` the second system gets the better
            of the two runs. None if effects are planted otherwise.
        effect
            A probability; 0 for none.
        """
        one, other = self.first[:, :, None], self.second[:, :, None]
        first, second = np.where(self.swapped, other, one), np.where(self.swapped, one, other)
        if better is None or not effect:
            return first, second
        topics = np.arange(better.shape[1])
        wrong = (self.uniform < effect) & (better[first, topics] > better[second, topics])
        return np.where(wrong, second, first), np.where(wrong, first, second)

    def improvements(self, effect: float) -> IntArray:
        """Return how many moves improve the second system's run: on average `effect`, and nowhere one more or less.

        Parameters
        ----------
        effect
            The mean number of moves a topic.
        """
        return np.asarray(floor(effect) + (self.uniform < effect - floor(effect)), dtype=np.int64)

    def some(self, rows: slice) -> Exchanges:
        """Return some of the repetitions.

        Parameters
        ----------
        rows
            Which of them.
        """
        first, second = self.first[rows], self.second[rows]
        return Exchanges(first, second, self.swapped[rows], self.uniform[rows], self.group[rows])

    def campaigns(self, values: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return whole campaigns, repetitions × systems × topics, in which the pairs have other scores.

        Parameters
        ----------
        values
            The scores of the campaign as it is, systems × topics.
        x, y
            Those of the first and the second system of each pair.
        """
        found = np.repeat(values[None], len(self.first), axis=0)
        rows = np.arange(len(found))[:, None]
        found[rows, self.first] = x
        found[rows, self.second] = y
        return found


@frozen(eq=False)
class Candidate:
    """The scores of a campaign on one scale, the higher the better, and what they become where runs are improved.

    Parameters
    ----------
    label
        What the scale is called.
    values
        Systems × topics.
    improved
        Numbers of moves × groups × systems × topics: the scores after so many moves, drawn anew for each group of
        repetitions. None where an effect is planted by giving a system the better of two runs.
    moves
        The numbers of moves, from 0 up.
    """

    label: str
    values: FloatArray
    improved: FloatArray | None = None
    moves: tuple[int, ...] = (0,)

    def pairs(
        self, drawn: Exchanges, sources: tuple[IntArray, IntArray], effect: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return the scores of the first and the second system of each pair, repetitions × pairs × topics.

        Parameters
        ----------
        drawn
            The exchanges.
        sources
            Whose runs they get.
        effect
            The effect that is planted.
        """
        first, second = sources
        topics = np.arange(self.values.shape[1])
        x = self.values[first, topics]
        if self.improved is None or not effect:
            return x, self.values[second, topics]
        place = np.searchsorted(self.moves, drawn.improvements(effect))
        return x, self.improved[place, drawn.group[:, None, None], second, topics]


def batches(repetitions: int, cells: int, most: int) -> Iterator[slice]:
    """Return which repetitions are made at a time, so that memory stays small.

    Parameters
    ----------
    repetitions
        How many repetitions there are.
    cells
        How many numbers one of them has.
    most
        How many numbers are held at a time.

    Examples
    --------
    >>> list(batches(10, 6, 24))
    [slice(0, 4, None), slice(4, 8, None), slice(8, 10, None)]
    """
    size = max(1, most // max(1, cells))
    for start in range(0, repetitions, size):
        yield slice(start, min(start + size, repetitions))
