r"""Upper bounds of the sizes of a characteristic function at millions of frequencies.

For a block with probabilities :math:`p_a`,

.. math:: |E e^{i \omega X}|^2 = 1 - \sum_{a < b} 4 p_a p_b \sin^2 \frac{\omega (b - a)}{2},

so leaving out pairs, or whole blocks, leaves an upper bound; and so does anything below the sine. With
:math:`y = x (1 - x)`, :math:`\sin \pi x = \cos(\tfrac{\pi}{2} \sqrt{1 - 4 y})` is a power series in :math:`y` of which
all coefficients are positive (up to positive factors they are spherical Bessel functions at :math:`\pi/2`, before
their first zeros), so that its beginning :math:`\pi (y + y^2 + (2 - \pi^2/6) y^3)` is below it for
:math:`0 \le x \le 1`.

A stretch of frequencies is left alone as soon as all its bounds are negligible, which is soon where many numbers are
likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.execution import compiled
from measurand.rulers.bounds.tilting import Tilt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
else:
    Singles = Any

LANES = 128
"""Frequencies handled together."""

NEGLIGIBLE = 1e-8
"""A size from which on a stretch of frequencies is left alone."""

RATE = 1.2e9
"""Pairs and frequencies a second on one core, on the slow side."""

_SLACK = 4e-6
"""What is added to each squared size, once and once more for each pair's share.

A phase is off by 4 roundings of single floats (2**-25 each) and that of its frequency (below 1e-7), in all by 2.5e-7;
the squared sine by pi times that, and by 15 roundings of its own.
"""

_GROWTH = 1.001
"""Room for the rounding of the product: 2**-24 a block, so that of thousands of blocks its root is off by 1e-3."""

_LIKELY = 12  # numbers of a block whose pairs are looked at
_PAIRS = 4  # pairs of a block that are used
_LAPS = 32  # a gap of more circles than this would blur the phase
_MANY = 1000  # nearly all frequencies are larger multiples than this
_STILL = 1e-3  # turns at the largest frequency that do not matter
_WORTH = 0.15  # a pair with less than this part of the best pair's share does not pay


@compiled
def _squares(
    squares: Singles,
    first: int,
    steps: FloatArray,
    ramps: Singles,
    shares: Singles,
    tops: Singles,
    starts: IntArray,
    enough: int,
) -> None:
    """Fill in bounds of the squared sizes from a frequency on."""
    lanes = ramps.shape[1]
    product = np.empty(lanes, np.float32)
    ordered = product.view(np.int32)  # floats above 0 are ordered as their bits are, and whole numbers compare fast
    squared = np.empty(lanes, np.float32)
    one = np.float32(1.0)
    pi = np.float32(3.1415925)
    third = np.float32(0.35506)
    least = np.float32(1e-30)  # smaller floats soon become slow ones
    for begin in range(0, len(squares), lanes):
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
                    sine = pi * y * (one + y * (one + third * y))
                    squared[lane] -= share * sine * sine
            for lane in range(lanes):
                product[lane] = max(product[lane] * squared[lane], least)
            if block % 16 == 15:
                worst = np.int32(0)
                for lane in range(lanes):
                    worst = max(worst, ordered[lane])
                if worst < enough:
                    break
        for lane in range(min(lanes, len(squares) - begin)):
            squares[begin + lane] = product[lane]


@frozen(eq=False)
class Sizes:
    """Upper bounds of the sizes of a tilted sum's characteristic function at multiples of a frequency.

    Parameters
    ----------
    steps
        How many turns each pair of numbers makes from one frequency to the next.
    ramps
        The turns within a stretch of frequencies, less whole ones.
    shares
        The weight of each pair.
    tops
        What the weighted sines are taken from, for each block: 1, and the room for rounding.
    starts
        Where the pairs of each block begin, and where the last ones end.
    """

    steps: FloatArray
    ramps: Singles
    shares: Singles
    tops: Singles
    starts: IntArray

    @classmethod
    def of(cls, tilt: Tilt, circle: float, degree: int) -> Sizes:
        """Return the bounds for a tilted sum on a circle of some length, up to a multiple of the frequency."""
        gaps, shares = _pairs(tilt)
        # what does not turn at the frequencies that are many comes last, or not at all
        turning = np.minimum(gaps / circle * _MANY, 1.0) ** 2
        order = np.argsort(-(shares * turning).sum(axis=1))
        gaps, shares = gaps[order], shares[order]
        used = (shares > 0) & (gaps < _LAPS * circle) & (gaps > _STILL * circle / degree)
        some = used.any(axis=1)
        gaps, shares, used = gaps[some], shares[some], used[some]
        steps = np.modf(gaps[used] / circle)[0]
        ramps = np.modf(steps[:, None] * np.arange(LANES))[0].astype(np.float32)
        tops = (1 + _SLACK * (1 + shares.sum(axis=1))).astype(np.float32)
        starts = np.cumsum([0, *used.sum(axis=1)])
        return cls(steps, ramps, shares[used].astype(np.float32), tops, starts)

    def upper(self, first: int, count: int) -> Singles:
        """Return bounds for so many frequencies, from one on."""
        squares = np.empty(count, dtype=np.float32)
        enough = int(np.float32(NEGLIGIBLE**2).view(np.int32))
        _squares(squares, first, self.steps, self.ramps, self.shares, self.tops, self.starts, enough)
        return np.sqrt(squares) * np.float32(_GROWTH)


def _pairs(tilt: Tilt) -> tuple[FloatArray, FloatArray]:
    """Return the gaps and shares of the best pairs of every block, one a row; a share of 0 says there is none."""
    starts = tilt.choices.starts
    lengths = np.diff(starts)
    gaps, shares = np.zeros((len(lengths), _PAIRS)), np.zeros((len(lengths), _PAIRS))
    for length in np.unique(lengths[lengths > 1]):
        blocks = np.flatnonzero(lengths == length)
        cells = starts[blocks][:, None] + np.arange(length)
        chances = tilt.shares[cells]
        if length > _LIKELY:
            likely = np.argpartition(-chances, _LIKELY, axis=1)[:, :_LIKELY]
            cells, chances = np.take_along_axis(cells, likely, 1), np.take_along_axis(chances, likely, 1)
        one, other = np.triu_indices(cells.shape[1], 1)
        worth = 4 * chances[:, one] * chances[:, other]
        best = np.argsort(-worth, axis=1)[:, :_PAIRS]
        worth = np.take_along_axis(worth, best, 1)
        numbers = tilt.choices.numbers[cells]
        apart = np.abs(np.take_along_axis(numbers[:, other] - numbers[:, one], best, 1))
        worth[worth < _WORTH * worth[:, :1]] = 0
        gaps[blocks, : best.shape[1]], shares[blocks, : best.shape[1]] = apart, worth
    return gaps, shares
