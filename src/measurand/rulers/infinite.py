r"""Positions on rank-biased measures without a last rank.

Let every rank get one of :math:`c` different gains, all equally likely, and weigh rank :math:`i` by
:math:`p^{i-1}`. Where no two runs tie, the position of a value :math:`m` among those of all runs of depth :math:`n`
tends to :math:`F(m) = P(S \le m)` with :math:`S = \sum_i p^{i-1} G_i`, as the depth grows.

*Truncation.* Leaving out what comes after some rank makes the sum smaller, by :math:`\tau` at the most; so
:math:`F(m)` lies between the truncated sum's distribution at :math:`m - \tau` and at :math:`m`.

*Scaling.* With gains from 0 on, of which :math:`g` is the smallest above 0, a value below :math:`g p^{j-1}` leaves
only the gain 0 for the first :math:`j` ranks: :math:`F(m) = c^{-j} F(m / p^j)`. So nothing is ever far out.

*Mirroring.* Above the mean the same is done with the gains counted down from the largest: :math:`F` has no jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log, log1p

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.rulers.blocks import whole_gains
from measurand.rulers.handover import tilts
from measurand.rulers.position import Certainty, Position
from measurand.rulers.ruler import Budget
from measurand.rulers.sides import smoothed
from measurand.rulers.tilting import ROOM, Choices, fixed_choices

_TAIL = 2.0**-58
"""What is cut off, relative to the largest sum: as little as the fixed point's own rounding."""

_NEAR = 1e-9
"""How far a scaled value stays from where scaling ends, so that rounding cannot take it across."""


@frozen(eq=False)
class Endless:
    """Sums of gains, each equally likely at every rank, with weights that fall geometrically for ever.

    Parameters
    ----------
    p
        What each weight is of the one before.
    gains
        The different gains, ascending from 0.
    """

    p: float
    gains: tuple[int, ...]

    @property
    def mirrored(self) -> Endless:
        """The same with gains counted down from the largest."""
        return Endless(self.p, tuple(self.gains[-1] - gain for gain in reversed(self.gains)))

    def choices(self, depth: int) -> Choices:
        """Return the choices of all ranks that matter, for values from runs of some depth."""
        reach = self.gains[-1] / (1 - self.p)
        ranks = ceil(log(_TAIL) / log(self.p))
        scale = 1 << max(ROOM - ceil(reach).bit_length(), 0)
        # a sum of positive terms is off by one rounding a term, and each power by its rank times that
        extra = reach * (_TAIL * 2 + (2 * depth + 16) * 2.0**-52)
        parts = [[round(gain * weight * scale) for gain in self.gains] for weight in self._powers(ranks).tolist()]
        chosen = fixed_choices([part for part in parts if part[-1]], scale)
        return Choices(chosen.fixed, scale, extra + len(parts) * reach * 2.0**-52)

    def _powers(self, ranks: int) -> FloatArray:
        return np.asarray(self.p ** np.arange(ranks))

    def lowest(self, values: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return values scaled up until they are not below the smallest gain, and by how many ranks each."""
        smallest = self.gains[1] * (1 - _NEAR)
        shifts = np.ceil(np.log(values / smallest) / log(self.p)) - 1
        shifts = np.maximum(shifts, 0).astype(np.int64)
        scaled = values / self.p**shifts
        # one more or less where the logarithm was rounded
        shifts += scaled * self.p >= smallest
        return values, shifts
