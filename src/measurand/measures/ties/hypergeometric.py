"""The hypergeometric distribution: how many documents of a kind are among some that are drawn at random."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray


@frozen
class Hypergeometric:
    """The distribution of the number of marked documents among those drawn.

    Parameters
    ----------
    documents, marked
        How many documents there are, and how many of them are marked.
    drawn
        How many are drawn at random, without putting them back.

    Examples
    --------
    >>> Hypergeometric(documents=4, marked=2, drawn=2).probabilities()
    [Fraction(1, 6), Fraction(2, 3), Fraction(1, 6)]
    >>> Hypergeometric(documents=4, marked=3, drawn=2).least
    1
    """

    documents: int
    marked: int
    drawn: int

    @property
    def least(self) -> int:
        """How many marked documents are drawn at least."""
        return max(0, self.drawn - (self.documents - self.marked))

    @property
    def most(self) -> int:
        """How many marked documents are drawn at most."""
        return min(self.marked, self.drawn)

    def probabilities(self) -> list[Fraction]:
        """Return the probabilities of drawing the least number of marked documents, one more, … and the most."""
        ways = comb(self.documents, self.drawn)
        others = self.documents - self.marked
        return [
            Fraction(comb(self.marked, k) * comb(others, self.drawn - k), ways)
            for k in range(self.least, self.most + 1)
        ]

    def floats(self) -> FloatArray:
        """Return the same probabilities as floats, in time proportional to their number."""
        return _floats(self)

    def chances(self, *, exactly: bool) -> list[Fraction] | FloatArray:
        """Return the same probabilities, as fractions or as floats."""
        return self.probabilities() if exactly else self.floats()

    def tail_probabilities(self, places: int) -> tuple[Fraction, ...]:
        """Return the probabilities of drawing 1, 2, … `places` marked documents or more."""
        chances = self.probabilities()
        return tuple(sum(chances[max(0, place - self.least) :], Fraction(0)) for place in range(1, places + 1))

    def float_tails(self, places: int) -> FloatArray:
        """Return the same probabilities as floats."""
        # those of the least number and fewer are 1, not nearly 1
        tails = np.zeros(max(places, self.most) + 1)
        tails[self.least : self.most + 1] = np.cumsum(self.floats()[::-1])[::-1]
        tails[: self.least + 1] = 1
        return tails[1 : places + 1]


@lru_cache(maxsize=1 << 12)
def _floats(draw: Hypergeometric) -> FloatArray:
    k = np.arange(draw.least, draw.most, dtype=np.float64)
    others = draw.documents - draw.marked
    growth = (draw.marked - k) * (draw.drawn - k) / ((k + 1) * (others - draw.drawn + k + 1))
    # from the most likely number outwards nothing overflows, and what underflows does not count
    middle = int((growth >= 1).sum())
    above = np.cumprod(growth[middle:])
    below = np.cumprod(1 / growth[:middle][::-1])[::-1]
    weights = np.concatenate((below, [1.0], above))
    chances = np.asarray(weights / weights.sum())
    chances.setflags(write=False)
    return chances
