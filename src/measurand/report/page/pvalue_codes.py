"""Codes of p-values: small whole numbers, which a page can hold by the hundred thousand, and which decide exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from measurand.arrays import BoolArray, FloatArray
from measurand.statistics import CORRECTIONS, AllPairs

STEP = 0.0018
"""What neighbouring codes differ by, as a share of the p-value."""

ONE = 12_800
"""The code of p = 1. That of 1e-10 is near 0, and so are all below, which the page does not tell apart."""

UNTESTED = 65_535
"""The code of a pair that was not tested, because it is without the baseline."""

NONE = -1
"""The cutoff where no pair is significant."""


@frozen(eq=False)
class PvalueCodes:
    """The p-values of all pairs before correction, as codes, and up to which code a pair is significant.

    Parameters
    ----------
    codes
        A number for every pair, in the order of `numpy.triu_indices(n, 1)`; the smaller, the smaller p.
    cutoffs
        By correction: the largest code that is significant after it, -1 if none is.
    """

    codes: NDArray[np.uint16]
    cutoffs: Mapping[str, int]


def coded(pvalues: FloatArray) -> NDArray[np.int64]:
    """Return the codes of p-values, each within 0.1 % of its p-value unless that is below 1e-10.

    Examples
    --------
    >>> codes = coded(np.array([1.0, 0.05, 0.0]))
    >>> codes.tolist(), decoded(codes).round(4).tolist()
    ([12800, 11136, 0], [1.0, 0.05, 0.0])
    """
    with np.errstate(divide="ignore"):
        steps = np.log(pvalues) / STEP
    return np.asarray(np.rint(np.maximum(steps, -ONE))).astype(np.int64) + ONE


def decoded(codes: NDArray[np.integer[Any]]) -> FloatArray:
    """Return the p-values of codes, as the page's script does."""
    return np.asarray(np.minimum(1.0, np.exp((codes.astype(np.int64) - ONE) * STEP)))


def pvalue_codes(pairs: AllPairs, alpha: float, baseline: str | None = None) -> PvalueCodes:
    """Return the codes of what a test says before correction, such that they decide as the p-values do.

    Every correction calls exactly those pairs significant whose p-value before it is not above some cutoff. Where the
    last p-value below a cutoff and the first above it would share a code, all from the latter on move up by one.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> from measurand.statistics import sign
    >>> scores = Scores(measure="RR", values=[[1.0] * 6, [0.5] * 6, [0.25] * 5 + [1]], systems="abc", topics="123456")
    >>> found = pvalue_codes(sign(scores), 0.05)
    >>> decoded(found.codes).round(2).tolist(), found.codes.tolist()[0] == found.cutoffs["none"], found.cutoffs["holm"]
    ([0.03, 0.06, 0.22], True, -1)
    """
    upper = np.triu_indices(len(pairs.systems), 1)
    tested = _tested(pairs, baseline)[upper]
    codes = np.full(len(tested), UNTESTED, dtype=np.int64)
    decisions = {name: pairs.adjust(name, baseline=baseline).significant(alpha)[upper][tested] for name in CORRECTIONS}
    codes[tested] = _separated(pairs.pvalues[upper][tested], list(decisions.values()))
    cutoffs = {name: int(codes[tested][found].max(initial=NONE)) for name, found in decisions.items()}
    return PvalueCodes(codes.astype(np.uint16), cutoffs)


def _tested(pairs: AllPairs, baseline: str | None) -> BoolArray:
    n = len(pairs.systems)
    if baseline is None:
        return np.ones((n, n), dtype=bool)
    among = np.arange(n) == pairs.place(baseline)
    return np.asarray(among[:, None] | among)


def _separated(pvalues: FloatArray, decisions: list[BoolArray]) -> NDArray[np.int64]:
    """Return codes of which none is shared by p-values that some decision tells apart."""
    codes = coded(pvalues)
    for found in sorted(decisions, key=lambda found: int(found.sum())):
        last, first = codes[found].max(initial=NONE), codes[~found].min(initial=UNTESTED)
        if first <= last:
            codes = np.where(found, codes, np.maximum(codes, last + 1))
    return codes
