"""Corrections of p-values for being many."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError

CORRECTIONS = ("none", "bonferroni", "holm", "bh")

CORRECTED = {
    "none": "not corrected",
    "bonferroni": "corrected by Bonferroni's method",
    "holm": "corrected by Holm's method",
    "bh": "corrected by Benjamini and Hochberg's method",
    "tukey": "valid for all pairs at once",
}
"""What is said of p-values, by their correction."""


def corrected(pvalues: FloatArray, method: str) -> FloatArray:
    """Return p-values corrected for their number.

    Parameters
    ----------
    method
        "bonferroni" and "holm" bound the chance of any false claim, "bh" (Benjamini and Hochberg) the share of
        false claims; "none" leaves them.

    Examples
    --------
    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm").tolist()
    [0.03, 0.06, 0.06]

    References
    ----------
    [Holm1979]_; [BenjaminiHochberg1995]_
    """
    if method not in CORRECTIONS:
        raise ParameterError(f"there is no correction {method!r}; there is {', '.join(CORRECTIONS)}")
    n = len(pvalues)
    if method == "none" or not n:
        return pvalues.copy()
    if method == "bonferroni":
        return np.minimum(1.0, n * pvalues)
    order = np.argsort(pvalues, kind="stable")
    if method == "holm":
        inner = np.maximum.accumulate(pvalues[order] * np.arange(n, 0, -1))
    else:
        inner = np.minimum.accumulate((pvalues[order] * n / np.arange(1, n + 1))[::-1])[::-1]
    found = np.empty(n)
    found[order] = np.minimum(1.0, inner)
    return found
