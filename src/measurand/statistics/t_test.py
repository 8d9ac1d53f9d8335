"""Student's test of paired differences."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from measurand.errors import Caveat, CaveatKind
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.needs import declares
from measurand.statistics.pairs import Found, PairBlock, PairOutcome, in_units_of, pairwise

ENDLESS = "t is infinite there"
"""What is said where t has no spread to be compared with."""


@declares("paired t test", Scale.INTERVAL, "Student1908", of_means=True)
def paired_t(scores: Scores, *, strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether the mean of the differences on n topics is 0, for every two systems.

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}, \qquad p = P(|T_{n-1}| \ge |t|)

    Where every difference is the same and not 0, t is infinite and p is 0; where all are 0, t is 0 and p is 1.
    Differences that rounding alone can explain count as the same. scipy and Matlab agree on this test.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    strict : bool, default False
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
    outcome = pairwise(scores, t_of_pairs)
    endless = int(np.isinf(outcome.statistic).sum())
    if not endless:
        return outcome
    text = f"{endless} of {len(outcome.topics)} pairs of systems differ by the same on all topics: {ENDLESS}"
    return evolve(outcome, caveats=(*outcome.caveats, Caveat(CaveatKind.DEGENERATE, text)))


def t_of_pairs(pairs: PairBlock) -> Found:
    """Return what Student's test finds for some pairs of systems.

    Parameters
    ----------
    pairs
        The pairs.

    Examples
    --------
    >>> t_of_pairs(PairBlock(np.array([[1.0, 2.0, 3.0]]), np.zeros((1, 3)))).pvalues.round(5).tolist()
    [0.07418]
    """
    from scipy.special import stdtr

    n = np.maximum(1, pairs.topics)
    t = in_units_of(pairs.spreads / np.sqrt(n), pairs.means)
    return Found(2 * stdtr(np.maximum(1, n - 1), -np.abs(t)), pairs.means, t)
