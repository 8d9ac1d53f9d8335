r"""Upper bounds of the sizes of a characteristic function at a million frequencies.

For a block with probabilities :math:`p_a`,

.. math:: |E e^{i \omega X}|^2 = 1 - \sum_{a < b} 4 p_a p_b \sin^2 \frac{\omega (b - a)}{2},

so leaving out pairs, or whole blocks, leaves an upper bound; and so does anything below the sine:
:math:`\sin \pi x \ge \pi y (1 + y)` with :math:`y = x (1 - x)`, for :math:`0 \le x \le 1`. (At both ends and to
second order there they agree; the difference is symmetric about one half and positive there.) A stretch of
frequencies is left alone as soon as all its bounds are negligible, which is soon where many numbers are likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.execution import compiled
from measurand.rulers.tilting import Tilt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
else:
    Singles = Any

LANES = 256
"""Frequencies handled together."""

NEGLIGIBLE = 1e-9
"""A size from which on a stretch of frequencies is left alone."""

RATE = 1.5e9
"""Pairs and frequencies a second on one core, on the slow side."""

_SLACK = 4e-6
"""What is added to each squared size, for its sum of shares and once more for itself.

Phases are off by 4 roundings of single floats (2**-24 each) and the rounding of the frequency (below 1e-8), in all by
2.5e-7; the squared sine then by pi times that. The sine's bound is 5 roundings, its square 10 and 1 more.
"""

_GROWTH = 1.001
"""Room for the rounding of the product: one rounding a block of 2**-24, for a thousand blocks 6e-5 of the square."""

_ATOMS = 12  # likely numbers of a block whose pairs are looked at
_PAIRS = 4  # pairs of a block that are used


@compiled
def _bounds(
    bounds: Singles, first: int, steps: FloatArray, ramps: Singles, shares: Singles, tops: Singles, starts: IntArray
) -> int:
    """Fill in upper bounds of the squared sizes from a frequency on; return how many pairs were looked at."""
    lanes = ramps.shape[1]
    product = np.empty(lanes, np.float32)
    ordered = product.view(np.int32)  # floats above 0 are ordered as their bits are, and whole numbers compare fast
    squared = np.empty(lanes, np.float32)
    one = np.float32(1.0)
    pi = np.float32(3.1415925)
    looked = 0
    for begin in range(0, len(bounds), lanes):
        product[:] = one
        for block in range(len(starts) - 1):
            squared[:] = tops[block]
            for pair in range(starts[block], starts[block + 1]):
                turns = (first + begin) * steps[pair]
                turn = np.float32(turns - np.floor(turns))
                share = shares[pair]
                ramp = ramps[pair]
                for lane in range(lanes):
                    x = turn + ramp[lane]
                    x -= np.floor(x)
                    y = x * (one - x)
                    sine = pi * y * (one + y)
                    squared[lane] -= share * sine * sine
            looked += starts[block + 1] - starts[block]
            for lane in range(lanes):
                product[lane] *= squared[lane]
            if block % 16 == 15:
                worst = np.int32(0)
                for lane in range(lanes):
                    worst = max(worst, ordered[lane])
                if worst < 562949953:  # the bits of 1e-38 or so; replaced below
                    break
        for lane in range(min(lanes, len(bounds) - begin)):
            bounds[begin + lane] = product[lane]
    return looked


@frozen(eq=False)
class Sizes:
    """Upper bounds of the sizes of a tilted sum's characteristic function at multiples of a frequency.

    Parameters
    ----------
    steps
        How many turns each pair of numbers makes from one frequency to the next.
    shares
        The weight of each pair.
    starts
        Where the pairs of each block begin, and where the last ones end.
    """

    steps: FloatArray
    shares: FloatArray
    starts: IntArray
