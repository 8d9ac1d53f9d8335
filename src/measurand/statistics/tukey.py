"""Tukey's honest significant difference: all pairs of systems at once, from one common error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import Caveat, Doubt
from measurand.statistics.needs import PairOutcome
from measurand.statistics.pairs import in_units_of
from measurand.statistics.studentized_range import studentized_range_tail


def tukey(
    centres: FloatArray,
    error: float,
    df: float,
    topics: int,
    *,
    rounding: float = 0.0,
    dunn_sidak_cap: bool = False,
    details: Mapping[str, float],
    caveats: tuple[Caveat, ...] = (),
) -> PairOutcome:
    r"""Return what Tukey's test says of every two systems, by how wide the widest of so many chance differences is.

    .. math:: q = \frac{c_a - c_b}{\sigma}, \qquad p = P(Q_{k, \nu} \ge |q|)

    Parameters
    ----------
    centres
        What is compared: a mean or mean rank for each of the k systems.
    error
        The standard error σ of one of them.
    df
        Its degrees of freedom ν; may be infinite.
    rounding
        How far apart centres may be that differ by rounding alone.
    dunn_sidak_cap
        Whether p is at most Dunn and Šidák's :math:`1 - (1 - p_1)^{k(k-1)/2}`, with :math:`p_1` that of one pair
        alone, as Matlab caps the critical value.

    Examples
    --------
    >>> found = tukey(np.array([3.0, 2.0, 1.0]), 6**-0.5, np.inf, 6, details={})
    >>> found.pvalues.round(6).tolist(), found.differences.tolist()
    ([0.193225, 0.001543, 0.193225], [1.0, 2.0, 1.0])

    References
    ----------
    [Tukey1949]_; [Sidak1967]_
    """
    first, second = np.triu_indices(len(centres), 1)
    differences = centres[first] - centres[second]
    differences[np.abs(differences) <= rounding] = 0.0
    q = in_units_of(np.array(error), differences)
    pvalues = studentized_range_tail(q, len(centres), df)
    if not error:
        text = "the scores leave no error to compare differences with: p-values are 1 without a difference, else 0"
        caveats = (*caveats, Caveat(Doubt.DEGENERATE, text))
    if dunn_sidak_cap:
        pvalues = np.minimum(pvalues, dunn_sidak(np.abs(q) / np.sqrt(2), len(q), df))
    return PairOutcome(
        pvalues=pvalues,
        differences=differences,
        statistic=q,
        topics=np.full(len(q), topics),
        details=details,
        caveats=caveats,
    )


def dunn_sidak(t: FloatArray, comparisons: int, df: float) -> FloatArray:
    """Return the chance that one of some independent comparisons comes out as far as `t` standard errors.

    Examples
    --------
    >>> dunn_sidak(np.array([0.0, 1.959964]), 1, np.inf).round(6).tolist()
    [1.0, 0.05]

    References
    ----------
    [Sidak1967]_
    """
    from scipy.special import ndtr, stdtr

    single = 2 * (ndtr(-t) if np.isinf(df) else stdtr(df, -t))
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(comparisons * np.log1p(-np.minimum(single, 1.0))))
