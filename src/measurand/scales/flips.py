"""Flips: pairs of systems that a test tells apart before a change of scale but not after it, or the reverse."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray


@frozen
class Flips:
    r"""What becomes of the significant pairs of a test when scores are replaced by interval-scaled ones.

    .. math:: \Delta\% = 100 \, \frac{\mathrm{S2NS} + \mathrm{NS2S}}{\mathrm{Sig}}

    Parameters
    ----------
    sig
        How many pairs are significant with the raw scores.
    s2ns
        How many of these no longer are with the interval-scaled scores. Trusting the latter, the raw scores tended
        to false positives there (type I errors).
    ns2s
        How many pairs are significant with the interval-scaled scores alone. Trusting these, the raw scores tended
        to false negatives there (type II errors); the paper once says false positives by mistake.

    Examples
    --------
    >>> flips = Flips(7, 2, 1)
    >>> flips.ranked, round(flips.delta, 2)
    (6, 42.86)
    >>> Flips(0, 0, 3).delta is None
    True

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 5 and 6
    """

    sig: int
    s2ns: int
    ns2s: int

    @classmethod
    def between(cls, raw: BoolArray, ranked: BoolArray) -> Flips:
        """Return the flips from one square of significant pairs to another, each pair counted once.

        Examples
        --------
        >>> before = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool)
        >>> after = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
        >>> Flips.between(before, after)
        Flips(sig=2, s2ns=1, ns2s=1)
        """
        upper = np.triu_indices(len(raw), 1)
        before, after = raw[upper], ranked[upper]
        return cls(int(before.sum()), int((before & ~after).sum()), int((after & ~before).sum()))

    @property
    def ranked(self) -> int:
        """How many pairs are significant with the interval-scaled scores."""
        return self.sig - self.s2ns + self.ns2s

    @property
    def s2ns_percent(self) -> float | None:
        """The pairs that are lost, in percent of those significant with raw scores; None if there are none of these."""
        return self._percent(self.s2ns)

    @property
    def ns2s_percent(self) -> float | None:
        """The pairs that are won, in percent of those significant with raw scores; it can exceed 100."""
        return self._percent(self.ns2s)

    @property
    def delta(self) -> float | None:
        """The pairs that change, in percent of those significant with raw scores; None if there are none of these."""
        return self._percent(self.s2ns + self.ns2s)

    def _percent(self, pairs: int) -> float | None:
        return 100 * pairs / self.sig if self.sig else None
