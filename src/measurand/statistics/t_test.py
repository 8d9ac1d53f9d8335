"""Student's test of paired differences."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.errors import Caveat, Doubt
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.needs import PairOutcome, declares
from measurand.statistics.paired import ROUNDING, Found, count, pairwise


@declares("paired t test", Scale.INTERVAL, "Student1908")
def paired_t(scores: Scores, *, strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether the mean of the differences on n topics is 0, for every two systems.

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}, \qquad p = P(|T_{n-1}| \ge |t|)

    Where every difference is the same and not 0, t is infinite and p is 0; where all are 0, t is 0 and p is 1.
    Differences that rounding alone can explain count as the same. scipy and Matlab agree on this test.

    Parameters
    ----------
    strict
        Whether to refuse scores on less than the test needs.

    Examples
    --------
    >>> values = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    >>> found = paired_t(Scores(measure="P", values=values, systems=("a", "b"), topics=tuple("123")))
    >>> round(found.statistic[0, 1], 6).item(), round(found.of("a", "b"), 6)
    (3.464102, 0.07418)

    References
    ----------
    [Student1908]_
    """
    outcome = pairwise(scores, _test)
    endless = int(np.isinf(outcome.statistic).sum())
    if not endless:
        return outcome
    text = f"{endless} of {len(outcome.topics)} pairs of systems differ by the same on all topics: t is infinite there"
    return evolve(outcome, caveats=(*outcome.caveats, Caveat(Doubt.DEGENERATE, text)))


def _test(x: FloatArray, y: FloatArray) -> Found:
    from scipy.special import stdtr

    there = ~np.isnan(x)
    n = np.maximum(count(x), 1)
    differences = np.where(there, x - y, 0.0)
    mean = differences.sum(axis=1) / n
    rest = np.where(there, differences - mean[:, None], 0.0)
    rounding = ROUNDING * np.max(np.where(there, np.maximum(np.abs(x), np.abs(y)), 0.0), axis=1, initial=0.0)
    widest = np.max(np.abs(rest), axis=1, initial=0.0)
    # in units of the widest, so that squares of tiny scores don't vanish
    parts = rest / np.where(widest > 0, widest, 1.0)[:, None]
    error = widest * np.sqrt((parts**2).sum(axis=1) / (np.maximum(n - 1, 1) * n))
    error[widest <= rounding] = 0.0
    mean[(error == 0) & (np.abs(mean) <= rounding)] = 0.0
    t = in_units_of(error, mean)
    return Found(2 * stdtr(np.maximum(n - 1, 1), -np.abs(t)), mean, t)


def in_units_of(error: FloatArray, differences: FloatArray) -> FloatArray:
    """Return differences in units of their standard error; infinite where there is no error, and 0 for no difference.

    Examples
    --------
    >>> in_units_of(np.array([2.0, 0.0, 0.0]), np.array([1.0, -1.0, 0.0])).tolist()
    [0.5, -inf, 0.0]
    """
    error = np.broadcast_to(error, differences.shape)
    units = np.where(differences == 0, 0.0, np.copysign(np.inf, differences))
    with np.errstate(over="ignore"):
        return np.divide(differences, error, out=units, where=error > 0)
