"""The Bejeweled player model: a reader stops with enough gain, or out of patience, whichever comes first."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import beside, rational
from measurand.judged import JudgedRuns
from measurand.measures.browsing import CHUNK, HORIZON, BrowsingGains
from measurand.measures.parameters import at_least, positive, within

EXACT = 2**53
"""Floats are exact whole numbers up to this one."""


@frozen(kw_only=True, repr=False, slots=False)
class Player(BrowsingGains):
    """Measures of a reader who surely goes on, or surely stops.

    A member writes `goes_on` in arithmetic that holds for exact numbers and for arrays of whole numbers alike.

    Parameters
    ----------
    T
        With how much gain the reader stops.
    """

    reference: ClassVar[str] = "Zhang2017"

    T: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    @abstractmethod
    def goes_on(self, rank: Any, gain: Any, seen: Any, parts: int) -> Any:
        """Return whether the reader goes on from a rank.

        Parameters
        ----------
        rank
            The rank, from 1; an array for many.
        gain, seen
            The gain at that rank and the sum of all down to it, in parts of 1.
        parts
            How many parts 1 has.
        """

    def going_on(self, rank: Any, gain: Any, seen: Any) -> Any:
        return self.goes_on(rank, gain, seen, 1) * 1

    def parts(self, gains: list[Fraction]) -> int:
        """Return into how many parts 1 is divided so that all that `goes_on` compares is whole.

        Parameters
        ----------
        gains
            The gains of the grades.
        """
        return lcm(self.T.denominator, *(gain.denominator for gain in gains))

    @property
    def largest(self) -> Fraction:
        """What no number that `goes_on` compares is above, for one rank and in units of gain."""
        return 1 + self.T

    def fast(self, judged: JudgedRuns) -> FloatArray:
        top, last = self.top_in(judged), self.last(judged.depth)
        gains = [self.gain_at(grade, top) for grade in range(top + 1)]
        parts, rows = self.parts(gains), judged.cells.reshape(-1, judged.depth)
        if parts * self.largest * last > EXACT:
            pools = list(judged.pools) * len(judged.systems)
            runs = [self.view(tuple(row)) for row in rows.tolist()]
            return np.array([float(self.exact(run, pool)) for run, pool in zip(runs, pools, strict=True)])
        looked_at = min(last, judged.depth) if self.forgets else last
        worth, ranks = np.array([float(gain * parts) for gain in gains]), np.arange(1, looked_at + 1)
        values = np.empty(len(rows))
        for start in range(0, len(rows), CHUNK):
            shown = rows[start : start + CHUNK, :looked_at]
            found = np.zeros((len(shown), looked_at))
            found[:, : shown.shape[1]] = worth[np.maximum(shown, 0)]
            seen = np.cumsum(found, axis=1)
            stops = ~self.goes_on(ranks, found, seen, parts)
            stopped = stops.any(axis=1)
            end = np.where(stopped, np.argmax(stops, axis=1), looked_at - 1)
            gained, read = seen[np.arange(len(shown)), end] / parts, np.where(stopped, end + 1, last)
            values[start : start + CHUNK] = gained / read
        return values


class BejeweledPlayer(Player):
    r"""Mean gain of the documents that are read until `T` units of gain are found, or patience ends.

    .. math:: \mathrm{BPM} = \frac{1}{n} \sum_{i \le n} g_i, \qquad
        n = \min \Big( k, \min \Big\{ i : \sum_{j \le i} g_j \ge T \Big\} \Big)

    The gain :math:`g_i` of a rank is a share of the highest gain; `k`, the patience of the reader, is the cutoff, or
    the depth of the judged runs. With two grades and `T=1` this is the reciprocal rank; with a `T` that is never
    reached, generalized precision. cwl_eval adds gains in floating point, and may go on where thirds add up to `T`.

    Parameters
    ----------
    T
        With how much gain the reader stops.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> (BPM(T=1, gmax=3) @ 5).of([1, 0, 3, 2, 3]), (BPM(T=2, gmax=3) @ 5).of([1, 0, 3, 2, 3])
    (Fraction(4, 9), Fraction(1, 2))

    See Also
    --------
    BPMD : what is found changes what the reader wants

    References
    ----------
    [Zhang2017]_
    """

    name: ClassVar[str] = "BPM"
    per_rank: ClassVar[bool] = True
    forgets: ClassVar[bool] = True

    def last(self, length: int) -> int:
        return self.cutoff or length

    def goes_on(self, rank: Any, gain: Any, seen: Any, parts: int) -> Any:
        return seen < beside(seen, self.T * parts)

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        return Fraction(count)


@frozen(kw_only=True, repr=False)
class DynamicBejeweledPlayer(Player):
    r"""BPM for a reader whose aim and patience grow with good documents and shrink with bad ones.

    .. math:: \mathrm{BPMD} = \frac{1}{n} \sum_{i \le n} g_i, \qquad
        n = \min \Big\{ i : \sum_{j \le i} g_j \ge T + h_b E_i \text{ or } i \ge K + h_c E_i \Big\}, \qquad
        E_i = \sum_{j < i} (g_j - g_{\mathrm{med}})

    The gain :math:`g_i` of a rank is a share of the highest gain. The reader never goes beyond rank 1000 (or the
    cutoff). In cwl_eval `hc` has no effect, because it changes the aim after that was looked at, and not the patience:
    its values are those of `hc=0`.

    Parameters
    ----------
    T
        With how much gain the reader stops, at first.
    K
        After how many documents the reader stops, at first.
    hb, hc
        By how much aim and patience change with a document that gains 1 more than `gain_med`.
    gain_med
        The gain, from 0 to 1, of a document that changes nothing.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    Two good documents lend the reader patience for a fourth:

    >>> BPMD(T=5, K=3).of([1, 1, 0, 1]), BPMD(T=5, K=3, hc=0).of([1, 1, 0, 1])
    (Fraction(3, 4), Fraction(2, 3))

    References
    ----------
    [Zhang2017]_
    """

    name: ClassVar[str] = "BPMD"

    K: Fraction = field(default=Fraction(10), converter=rational, validator=positive)
    hb: Fraction = field(default=Fraction(1), converter=rational, validator=at_least(0))
    hc: Fraction = field(default=Fraction(1), converter=rational, validator=at_least(0))
    gain_med: Fraction = field(default=Fraction(1, 2), converter=rational, validator=within(0, 1))

    def last(self, length: int) -> int:
        return min(self.cutoff or HORIZON, HORIZON)

    def parts(self, gains: list[Fraction]) -> int:
        whole = lcm(Player.parts(self, gains), self.K.denominator, self.gain_med.denominator)
        return whole * self.hb.denominator * self.hc.denominator

    @property
    def largest(self) -> Fraction:
        """What no number that `goes_on` compares is above, for one rank and in units of gain."""
        return 1 + self.T + self.K + self.hb.numerator + self.hc.numerator

    def goes_on(self, rank: Any, gain: Any, seen: Any, parts: int) -> Any:
        aim, patience, middle = (beside(seen, each * parts) for each in (self.T, self.K, self.gain_med))
        excess = seen - gain - (rank - 1) * middle
        aim, patience = aim + _times(excess, self.hb), patience + _times(excess, self.hc)
        return (seen < aim) & (rank * parts < patience)


def _times(number: Any, factor: Fraction) -> Any:
    # whole numbers that the denominator divides stay whole, in floats too
    return number * factor.numerator / factor.denominator


BPM = BejeweledPlayer()
BPMD = DynamicBejeweledPlayer()
