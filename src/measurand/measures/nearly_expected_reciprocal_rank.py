"""The measures that are nearly ERR: a reader stops at what is relevant, and is now and then tired of going on."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.exact import beside, rational
from measurand.measures.browsing import BrowsingGains, inverse_powers
from measurand.measures.parameters import inside, positive


class NearlyReciprocalRank(BrowsingGains):
    """Browsing measures in which the reader goes on less often, the more the document at hand gains.

    A member writes `patience`, the probability of going on from a document that gains nothing.
    """

    reference: ClassVar[str] = "Azzopardi2021"
    respects_swap: ClassVar[bool] = True
    forgets: ClassVar[bool] = True

    def going_on(self, rank: Any, gain: Any, seen: Any) -> Any:
        return self.patience(rank) * (1 - gain)

    @abstractmethod
    def patience(self, rank: Any) -> Any:
        """Return the probability of going on from a rank where nothing is gained.

        Parameters
        ----------
        rank
            The rank, from 1; an array for many.
        """


class NearlyReciprocalRank8(NearlyReciprocalRank):
    r"""Rate of gain of a reader who stops at a document with a probability that is its gain (equation 8, nearly ERR).

    .. math:: \mathrm{NERR8} = \frac{\sum_{i \le k} V_i\, g_i}{\sum_{i \le k} V_i}, \qquad
        V_i = \prod_{j < i} (1 - g_j)

    The gain :math:`g_i` of a rank is a share of the highest gain; `k` is the cutoff, or the depth of the judged runs.

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> (NERR8(gmax=3) @ 5).of([1, 0, 3, 2, 3])         # as cwl_eval 1.0.12
    Fraction(3, 7)

    References
    ----------
    [Azzopardi2021]_
    """

    name: ClassVar[str] = "NERR8"
    per_rank: ClassVar[bool] = True

    def patience(self, rank: Any) -> Any:
        return 1

    def last(self, length: int) -> int:
        return self.cutoff or length

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        return Fraction(count)


class NearlyReciprocalRank9(NearlyReciprocalRank):
    r"""NERR8 for a reader who also tires at once, and then less and less (equation 9).

    .. math:: \mathrm{NERR9} = \frac{\sum_{i \le k} V_i\, g_i}{\sum_{i \le k} V_i}, \qquad
        V_i = \frac{1}{i} \prod_{j < i} (1 - g_j)

    The gain :math:`g_i` of a rank is a share of the highest gain; `k` is the cutoff, or the depth of the judged runs.

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> (NERR9(gmax=3) @ 5).of([1, 0, 3, 2, 3])         # as cwl_eval 1.0.12
    Fraction(5, 14)

    References
    ----------
    [Azzopardi2021]_
    """

    name: ClassVar[str] = "NERR9"
    per_rank: ClassVar[bool] = True

    def patience(self, rank: Any) -> Any:
        return rank / (rank + 1)

    def last(self, length: int) -> int:
        return self.cutoff or length

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        start = Fraction(length + 1)
        return start * inverse_powers(start, count, 1)


@frozen(kw_only=True, repr=False)
class NearlyReciprocalRank10(NearlyReciprocalRank):
    r"""NERR8 for a reader who also goes on with probability `p` alone, as that of RBP (equation 10).

    .. math:: \mathrm{NERR10} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \qquad
        V_i = p^{i-1} \prod_{j < i} (1 - g_j)

    The gain :math:`g_i` of a rank is a share of the highest gain. The reader never goes beyond rank 1000 (or the
    cutoff).

    Parameters
    ----------
    p
        The persistence of the reader: the probability of going on where nothing is gained.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> NERR10(p=0.9, gmax=3).of([1, 0, 3, 2, 3])         # as cwl_eval 1.0.12
    Fraction(131, 321)

    References
    ----------
    [Azzopardi2021]_
    """

    name: ClassVar[str] = "NERR10"
    shown: ClassVar[tuple[str, ...]] = ("p",)

    p: Fraction = field(default=Fraction(9, 10), converter=rational, validator=inside(0, 1))

    def patience(self, rank: Any) -> Any:
        return beside(rank, self.p)

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        return (1 - self.p**count) / (1 - self.p)


@frozen(kw_only=True, repr=False)
class NearlyReciprocalRank11(NearlyReciprocalRank):
    r"""NERR8 for a reader who also expects `T` units of gain, as that of INSQ (equation 11).

    .. math:: \mathrm{NERR11} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \qquad
        V_i = \frac{1}{(i + 2T - 1)^2} \prod_{j < i} (1 - g_j)

    The gain :math:`g_i` of a rank is a share of the highest gain. The reader never goes beyond rank 1000 (or the
    cutoff).

    Parameters
    ----------
    T
        How much gain the reader expects.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> NERR11(T=1, gmax=3).of([1, 0, 3, 2, 3])         # as cwl_eval 1.0.12
    Fraction(27, 79)

    References
    ----------
    [Azzopardi2021]_
    """

    name: ClassVar[str] = "NERR11"

    T: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def patience(self, rank: Any) -> Any:
        reach = rank + beside(rank, 2 * self.T)
        return ((reach - 1) / reach) ** 2

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        start = length + 2 * self.T
        return start**2 * inverse_powers(start, count, 2)


NERR8 = NearlyReciprocalRank8()
NERR9 = NearlyReciprocalRank9()
NERR10 = NearlyReciprocalRank10()
NERR11 = NearlyReciprocalRank11()
