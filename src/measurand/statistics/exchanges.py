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
    chance
        Numbers from 0 to 1, of the same shape, that decide where an effect is planted.
    variant
        Which of several improved runs is taken there, of the same shape.
    """

    first: IntArray
    second: IntArray
    swapped: BoolArray
    chance: FloatArray
    variant: IntArray

    @classmethod
    def drawn(cls, rng: np.random.Generator, many: int, systems: int, topics: int, variants: int = 1) -> Exchanges:
        """Return exchanges drawn at random: pairs anew in each repetition, and a fair coin for each topic.

        Parameters
        ----------
        rng
            Where chance comes from.
        many
            How many repetitions.
        systems, topics
            How many there are.
        variants
            How many improved runs there are of each.

        Examples
        --------
        >>> found = Exchanges.drawn(np.random.default_rng(0), 2, 5, 3)
        >>> found.first.shape, found.swapped.shape
        ((2, 2), (2, 2, 3))
        """
        order = rng.permuted(np.tile(np.arange(systems), (many, 1)), axis=1)
        pairs = systems // 2
        shape = many, pairs, topics
        return cls(
            order[:, :pairs],
            order[:, pairs : 2 * pairs],
            rng.random(shape) < 0.5,
            rng.random(shape),
            rng.integers(variants, size=shape),
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
        many = 2**topics
        swapped = (np.arange(many)[:, None, None] >> np.arange(topics)) % 2 == 1
        first = np.zeros((many, 1), dtype=np.int64)
        return cls(first, first + 1, swapped, np.ones(swapped.shape), np.zeros(swapped.shape, dtype=np.int64))

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
        wrong = (self.chance < effect) & (better[first, topics] > better[second, topics])
        return np.where(wrong, second, first), np.where(wrong, first, second)

    def improvements(self, effect: float) -> IntArray:
        """Return how many moves improve the second system's run: on average `effect`, and nowhere one more or less.

        Parameters
        ----------
        effect
            The mean number of moves a topic.
        """
        return np.asarray(floor(effect) + (self.chance < effect - floor(effect)), dtype=np.int64)

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
        Moves × variants × systems × topics: the scores after 0, 1, … moves. None where an effect is planted by giving
        a system the better of two runs.
    """

    label: str
    values: FloatArray
    improved: FloatArray | None = None

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
        return x, self.improved[drawn.improvements(effect), drawn.variant, second, topics]


def batches(many: int, cells: int, most: int) -> Iterator[int]:
    """Return how many repetitions are made at a time, so that memory stays small.

    Parameters
    ----------
    many
        How many repetitions there are.
    cells
        How many numbers one of them has.
    most
        How many numbers are held at a time.

    Examples
    --------
    >>> list(batches(10, 6, 24))
    [4, 4, 2]
    """
    size = max(1, most // max(1, cells))
    while many > 0:
        yield min(size, many)
        many -= size
