"""Drawing lots: how many documents of a kind are among some that are drawn without looking."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray


@frozen
class Urn:
    """So many documents, of which some are marked, and some are drawn at random.

    Examples
    --------
    >>> Urn(documents=4, marked=2, drawn=2).exactly()
    [Fraction(1, 6), Fraction(2, 3), Fraction(1, 6)]
    >>> Urn(documents=4, marked=3, drawn=2).least
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

    def exactly(self) -> list[Fraction]:
        """Return the probabilities of drawing the least number of marked documents, one more, … and the most."""
        ways = comb(self.documents, self.drawn)
        others = self.documents - self.marked
        return [
            Fraction(comb(self.marked, k) * comb(others, self.drawn - k), ways)
            for k in range(self.least, self.most + 1)
        ]

    def roughly(self) -> FloatArray:
        """Return the same probabilities as floats, in time proportional to their number."""
        return _roughly(self)

    def chances(self, *, exactly: bool) -> list[Fraction] | FloatArray:
        """Return the same probabilities, as fractions or as floats."""
        return self.exactly() if exactly else self.roughly()

    def at_least_exactly(self, places: int) -> tuple[Fraction, ...]:
        """Return the probabilities of drawing 1, 2, … `places` marked documents or more."""
        chances = self.exactly()
        return tuple(sum(chances[max(0, place - self.least) :], Fraction(0)) for place in range(1, places + 1))

    def at_least(self, places: int) -> FloatArray:
        """Return the same probabilities as floats."""
        # those of the least number and fewer are 1, not nearly 1
        tails = np.zeros(max(places, self.most) + 1)
        tails[self.least : self.most + 1] = np.cumsum(self.roughly()[::-1])[::-1]
        tails[: self.least + 1] = 1
        return tails[1 : places + 1]


@lru_cache(maxsize=1 << 12)
def _roughly(urn: Urn) -> FloatArray:
    k = np.arange(urn.least, urn.most, dtype=np.float64)
    others = urn.documents - urn.marked
    growth = (urn.marked - k) * (urn.drawn - k) / ((k + 1) * (others - urn.drawn + k + 1))
    # from the most likely number outwards nothing overflows, and what underflows does not count
    middle = int((growth >= 1).sum())
    above = np.cumprod(growth[middle:])
    below = np.cumprod(1 / growth[:middle][::-1])[::-1]
    weights = np.concatenate((below, [1.0], above))
    chances = np.asarray(weights / weights.sum())
    chances.setflags(write=False)
    return chances
