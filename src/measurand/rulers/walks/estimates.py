r"""Estimated positions, where the values are too many to be counted.

A run drawn at random has a value :math:`V` that :math:`\mu(V)` runs share, so that every value is met with weight
one on average: the share of values up to :math:`m` is :math:`E[1\{V \le m\}/\mu(V)] / E[1/\mu(V)]`. Without the
weights one would estimate the share of runs, which is another thing and differs more and more as runs get longer.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, Rng, generator, silent
from measurand.rulers.position import Certainty, Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.walks.fibres import Fibres

QUANTILE = 1.96
"""Of the normal distribution, for 95 % confidence."""

SHARE = 6
"""Drawing runs may take one part in so many of the time that may be spent."""

FEWEST, MOST = 100, 20_000
"""Fewer runs say too little; more of them gain too little."""


@frozen(eq=False)
class Drawn:
    """Runs drawn at random: their keys in ascending order, and the weights of these added up from the left.

    Parameters
    ----------
    weights, squares
        What the weights and their squares add up to before each key, and in the end.
    """

    keys: IntArray
    weights: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, keys: IntArray, crowds: IntArray) -> Drawn:
        """Return drawn runs by their keys and how many runs share each."""
        order = np.argsort(keys, kind="stable")
        weights = 1 / crowds[order]
        upto, squares = (np.concatenate([[0.0], np.cumsum(numbers)]) for numbers in (weights, weights**2))
        return cls(keys[order], upto, squares)

    def share_up_to(self, key: int) -> tuple[float, float]:
        """Return between which bounds the share of values up to a key lies, with 95 % confidence.

        Examples
        --------
        >>> drawn = Drawn.of(np.arange(1, 101), np.ones(100))
        >>> [round(bound, 3) for bound in drawn.share_up_to(50)], drawn.share_up_to(0)[0]
        ([0.402, 0.598], 0.0)
        """
        place = int(np.searchsorted(self.keys, key, side="right"))
        total, squares, count = self.weights[-1], self.squares[-1], len(self.keys)
        share = self.weights[place] / total
        spread = (1 - share) ** 2 * self.squares[place] + share**2 * (squares - self.squares[place])
        around = QUANTILE * sqrt(spread * count / (count - 1)) / total
        # near 0 and 1 a sample looks surer than it is: there Wilson's interval is wider
        worth = total**2 / squares
        shrink = 1 + QUANTILE**2 / worth
        middle = (share + QUANTILE**2 / (2 * worth)) / shrink
        beside = QUANTILE / shrink * sqrt(share * (1 - share) / worth + (QUANTILE / (2 * worth)) ** 2)
        low, high = min(share - around, middle - beside), max(share + around, middle + beside)
        return max(float(low), 0.0), min(float(high), 1.0)


@define(eq=False)
class EstimatedRuler(Ruler):
    """Average precision at depths where its values cannot be counted: positions are estimated from random runs.

    The same seed and budget give the same positions, whatever the machine.

    Examples
    --------
    >>> ruler = EstimatedRuler.of(12, samples=200)
    >>> position, = ruler.positions(np.array([[1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1]], dtype=np.int8))
    >>> str(position.how), position.rank, position.size, position.low < Fraction(757, 3046) < position.high
    ('estimated', None, None, True)
    """

    fibres: Fibres
    samples: int
    rng: Rng
    _drawn: Drawn | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = self.fibres.walk.depth, 2

    @classmethod
    def of(cls, depth: int, budget: Budget | None = None, rng: Rng = 0, samples: int | None = None) -> EstimatedRuler:
        """Return the ruler for a depth, from as many random runs as the budget allows, or from so many."""
        seconds = (budget or Budget()).seconds
        if samples is None:
            samples = min(MOST, int(2 * seconds / SHARE / _seconds_a_fibre(depth)))
        if samples < FEWEST:
            needed = FEWEST * SHARE * _seconds_a_fibre(depth) / 2
            raise NotAvailable(
                f"estimating positions at depth {depth} needs about {needed:.0f} s, "
                f"more than the {seconds:.0f} s that may be spent; allow more, or look at fewer ranks"
            )
        return cls(Fibres.of(depth), samples, rng)

    @property
    def size(self) -> int:
        """How many different values there are, which is not known."""
        raise NotAvailable(f"how many values average precision has at depth {self.depth} is not known, only estimated")

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, is estimated to stand; the ends are known."""
        keys = [int(key) for key in self.fibres.walk.keys_of(runs)]
        drawn = self._draw(progress)
        return [self._position(key, drawn) for key in keys]

    def _position(self, key: int, drawn: Drawn) -> Position:
        if key == 0:
            return Position(low=Fraction(0), high=Fraction(0), how=Certainty.EXACT, rank=1)
        if key == self.fibres.walk.highest:
            return Position(low=Fraction(1), high=Fraction(1), how=Certainty.EXACT)
        low, high = drawn.share_up_to(key)
        return Position(low=Fraction(low), high=Fraction(high), how=Certainty.ESTIMATED)

    def _draw(self, progress: Progress) -> Drawn:
        if self._drawn is None:
            runs = generator(self.rng).integers(0, 2, (self.samples, self.depth), dtype=np.int8)
            self._drawn = Drawn.of(self.fibres.walk.keys_of(runs), self.fibres.counts(runs, progress))
        return self._drawn


def _seconds_a_fibre(depth: int) -> float:
    """Return about how long counting one fibre takes."""
    return float(max(1e-3, 6e-2 * 2 ** ((depth - 57) / 2.2)))
