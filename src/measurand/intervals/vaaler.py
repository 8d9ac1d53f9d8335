r"""Certified bounds of a tilted expectation from finitely many values of its characteristic function.

A distribution function can be recovered from the characteristic function, but only from all of it. Vaaler's
polynomials ([Vaaler1985]_, theorem 18) are the best trigonometric polynomials that approximate a jump from both sides:
with them, the values at :math:`n` frequencies give an upper and a lower bound that are about :math:`1/n` apart and
hold for certain, roundings included. The cost is frequencies times blocks; where the function is negligible, a stretch
of frequencies is skipped.

Wanted is :math:`G(m) = E\, g(m - S)` with :math:`g(y) = e^{-\lambda y} 1\{y \ge 0\}`, the expectation of
`measurand.intervals.tilting`.

*On a circle.* Let :math:`h` be :math:`g` on :math:`[0, L_+)` and 0 on :math:`[L_+, L)`, repeated with period
:math:`L`. Both lie between 0 and 1 and agree where :math:`L_+ - L \le y < L_+`; so :math:`|G(m) - E\, h(m - S)| \le
P(S \le m - L_+) + P(S > m + L - L_+)`, which Chernoff bounds.

*Vaaler's kernel.* With :math:`s(x) = x - \lfloor x \rfloor - 1/2` and periods of length 1, :math:`h(x) = \int h - \int
s(x - v)\, dh(v)` for every function of bounded variation that is continuous from the right (true for the indicator of
an arc, and hence for their mixtures). There is a trigonometric polynomial :math:`V` of degree :math:`n` with
coefficients :math:`\rho(k/(n+1))\, \hat s(k)`, :math:`\rho(u) = \pi u (1 - u) \cot \pi u + u`, and

.. math:: |s(x) - V(x)| \le \frac{1}{2 n + 2} \sum_{|k| \le n} \left(1 - \frac{|k|}{n + 1}\right) e^{2 \pi i k x}.

Putting :math:`V` in place of :math:`s` changes :math:`h` into the polynomial with coefficients :math:`\rho_k \hat
h(k)`, and :math:`E\, h(m - S)` by the total variation of :math:`h`, which is 2, times the right hand side's
expectation at most: by

.. math:: R = \frac{1}{n + 1} \left(1 + 2 \sum_{k=1}^{n} \left(1 - \frac{k}{n + 1}\right) |\varphi_k|\right),
   \qquad \varphi_k = E e^{2 \pi i k S / L}.

What is left is a finite sum. Its first terms are computed; the others are at most :math:`2 |\hat h(k)| |\varphi_k|`,
with :math:`|\hat h(k)| \le 2 / |\lambda L + 2 \pi i k|`.

*Sizes.* Only upper bounds of :math:`|\varphi_k|` are needed, at millions of frequencies (`Sizes`). For a block with
probabilities :math:`p_a`,

.. math:: |E e^{i \omega X}|^2 = 1 - \sum_{a < b} 4 p_a p_b \sin^2 \frac{\omega (b - a)}{2},

so leaving out pairs, or whole blocks, leaves an upper bound; and so does anything below the sine. With :math:`y = x (1
- x)`, :math:`\sin \pi x = \cos(\tfrac{\pi}{2} \sqrt{1 - 4 y})` is a power series in :math:`y` of which all
coefficients are positive (up to positive factors they are spherical Bessel functions at :math:`\pi/2`, before their
first zeros), so that its beginning :math:`\pi (y + y^2 + (2 - \pi^2/6) y^3)` is below it for :math:`0 \le x \le 1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import pi
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.intervals.tilting import Tilt
from measurand.native import accelerated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
    Complex = NDArray[np.complex128]

LANES = 128
"""Frequencies handled together, in C as well."""

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

TERMS = 4096
"""How many terms of the sum are computed at the most."""

_STRETCH = 1 << 18  # frequencies looked at in one go
_LARGE = 16  # numbers of a block that is worth thinning out
_PORTION = 1 << 20  # complex numbers held in one go


@accelerated
def _squared_sizes(
    squares: Singles,
    first: int,
    steps: FloatArray,
    ramps: Singles,
    shares: Singles,
    tops: Singles,
    starts: IntArray,
    enough: int,
) -> None:
    """Fill in bounds of the squared sizes from a frequency on.

    A stretch of frequencies is left as it is after each 16 blocks where all of its bounds are below the float whose
    bits are `enough`: floats above 0 are ordered as their bits are.
    """
    lanes = ramps.shape[1]
    begins = np.arange(0, len(squares), lanes)
    every = np.ones((len(begins), lanes), np.float32)
    going = np.arange(len(begins))
    for block, (begin, end) in enumerate(pairwise(starts.tolist())):
        squared = np.full((len(going), lanes), tops[block])
        for pair in range(begin, end):
            turns = (first + begins[going]) * steps[pair]
            squared -= _share((turns - np.floor(turns)).astype(np.float32)[:, None] + ramps[pair], shares[pair])
        # smaller floats soon become slow ones
        every[going] = np.maximum(every[going] * squared, np.float32(1e-30))
        if block % 16 == 15:
            going = going[every[going].view(np.int32).max(axis=1) >= enough]
    squares[:] = every.reshape(-1)[: len(squares)]


def _share(x: Singles, share: np.float32) -> Singles:
    """Return a share of the squared sine's lower bound at so many half turns, from 0 to 2."""
    one = np.float32(1.0)
    x -= x >= one
    y = x * (one - x)
    sine = np.float32(3.1415925) * y * (one + y * (one + np.float32(0.35506) * y))
    return np.asarray(share * sine * sine)


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
        _squared_sizes(squares, first, self.steps, self.ramps, self.shares, self.tops, self.starts, enough)
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


@frozen(eq=False)
class Window:
    """A tilted sum on a circle on which nearly all of it is met once.

    Parameters
    ----------
    circle
        The length of the circle.
    ahead
        How much of it the falling exponential covers.
    missed
        A bound of the chance to be met in the wrong place.
    """

    tilt: Tilt
    circle: float
    ahead: float
    missed: float

    @classmethod
    def of(cls, tilt: Tilt, least: float, most: float, unlikely: float) -> Window:
        """Return a window for the values between two bounds."""
        low, high = tilt.between(unlikely)
        room = 4 * tilt.choices.error
        ahead, behind = most - min(low, least) + room, max(high, most) - least + room
        return cls(tilt, ahead + behind, ahead, 2 * unlikely)

    def rounding(self, terms: int) -> float:
        """Return a bound of what rounding does to a sum of so many terms.

        A phase is a product of numbers up to the reach: off by 2**-51 of itself, and with coefficients of at most
        1/k each term by the reach over the circle, times that. A characteristic function is a product of one factor
        a block, each off by a few roundings; an exponential weight is off by the rounding of its exponent, on average
        the rate times the mean in all. The coefficients' sum is below 16. Taken together, with room to spare:
        """
        tilt = self.tilt
        turning = terms * tilt.choices.reach / self.circle
        return 2.0**-46 * (turning + len(tilt.choices.fixed) + tilt.rate * tilt.mean)

    def coefficients(self, k: IntArray) -> Complex:
        """Return Fourier coefficients of the falling exponential."""
        slope = self.tilt.rate * self.circle + 2j * pi * k
        fall = 1 - np.exp(-slope * (self.ahead / self.circle))
        whole = np.divide(fall, slope, where=slope != 0, out=np.full(len(k), self.ahead / self.circle, dtype=complex))
        return np.asarray(whole)

    def characteristic(self, k: IntArray) -> Complex:
        """Return the characteristic function of the sum at some frequencies."""
        found = np.ones(len(k), dtype=complex)
        for numbers, shares in _groups(self.tilt):
            together = max(1, _PORTION // (numbers.shape[1] * max(len(k), 1)))
            for first in range(0, len(numbers), together):
                some = slice(first, first + together)
                turns = np.exp((2j * pi / self.circle) * numbers[some, :, None] * k)
                found *= np.prod(np.sum(shares[some, :, None] * turns, axis=1), axis=0)
        return found


@frozen(eq=False)
class Smoothed:
    """Bounds of how many choices have a small sum, for values near the mean of a tilt.

    Parameters
    ----------
    terms
        The frequencies whose terms are computed.
    polynomial
        Their coefficients, but for the value's phase.
    error
        How far the sum of these terms may be from the expectation.
    """

    window: Window
    terms: IntArray
    polynomial: Complex
    error: float

    @classmethod
    def of(cls, window: Window, degree: int) -> Smoothed:
        """Return the bounds of a window from a polynomial of some degree: this is what takes time."""
        sizes = Sizes.of(window.tilt, window.circle, degree)
        mass, tail = 0.0, 0.0
        bounds, weights = np.empty(0), np.empty(0)
        for first in range(1, degree + 1, _STRETCH):
            k = np.arange(first, min(first + _STRETCH, degree + 1))
            size = sizes.upper(first, len(k)).astype(np.float64)
            weight = 4 * size / np.hypot(window.tilt.rate * window.circle, 2 * pi * k)
            mass += float(size @ (1 - k / (degree + 1)))
            tail += float(weight.sum())
            if first == 1:
                bounds, weights = size[:TERMS], weight[:TERMS]
        terms = _chosen(bounds, weights, tail, (1 + 2 * mass) / (degree + 1))
        found = window.characteristic(terms)
        u = terms / (degree + 1)
        mass -= float((bounds[terms - 1] - np.minimum(np.abs(found), bounds[terms - 1])) @ (1 - u))
        rest = max(tail - float(weights[terms - 1].sum()), 0.0) + 1e-12 * tail
        error = ((1 + 2 * mass) / (degree + 1) + rest + window.missed) * (1 + 1e-9) + window.rounding(len(terms))
        damping = pi * u * (1 - u) / np.tan(pi * u) + u
        return cls(window, terms, 2 * damping * window.coefficients(terms) * found.conj(), error)

    def counted(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the logarithms of how many choices have a sum of at most each value."""
        window, tilt = self.window, self.window.tilt
        middle = np.full(len(values), window.coefficients(np.zeros(1, dtype=np.int64))[0].real)
        portion = max(1, _PORTION // max(len(self.terms), 1))
        for first in range(0, len(values), portion):
            phases = np.exp((2j * pi / window.circle) * np.outer(values[first : first + portion], self.terms))
            middle[first : first + portion] += (phases @ self.polynomial).real
        # a value may be off by the error: a term then by its frequency times that, and 2 |h(k)| k <= 2 / pi
        blur = 4 * tilt.choices.error / window.circle * max(len(self.terms), 1)
        with np.errstate(divide="ignore"):
            low = np.log(np.maximum(middle - self.error - blur, 0.0))
            high = np.log(np.minimum(middle + self.error + blur, 1.0))
        scale = tilt.logs + tilt.rate * values
        room = tilt.rate * tilt.choices.error + 2.0**-30  # the logarithms, and their sum
        return low + scale - room, high + scale + room


def _groups(tilt: Tilt) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Return the numbers and shares of blocks of equal length, one a row; large blocks without what is unlikely."""
    starts = tilt.choices.starts
    lengths = np.diff(starts)
    for length in np.unique(lengths):
        begins = starts[:-1][lengths == length]
        if length <= _LARGE:
            cells = begins[:, None] + np.arange(length)
            yield tilt.choices.numbers[cells], tilt.shares[cells]
            continue
        for begin in begins:
            # what is left out is below 2**-54 in all, far below the room for rounding
            cells = begin + np.flatnonzero(tilt.shares[begin : begin + length] > 2.0**-54 / length)
            yield tilt.choices.numbers[None, cells], tilt.shares[None, cells]


def _chosen(bounds: FloatArray, weights: FloatArray, tail: float, smoothing: float) -> IntArray:
    """Return the frequencies whose terms are worth computing: those of all the others do not matter."""
    enough = np.flatnonzero(tail - np.cumsum(weights) <= 0.03 * smoothing)
    last = int(enough[0]) + 1 if len(enough) else len(bounds)
    return np.flatnonzero(bounds[:last] > NEGLIGIBLE**2) + 1
