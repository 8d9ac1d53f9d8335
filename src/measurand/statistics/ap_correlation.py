"""AP correlation: a rank correlation that minds the top of the ranking more."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.statistics.correlation import Correlation, correlation_of, pair_counts
from measurand.statistics.rankings import DECIMALS, Ranked, rankings

TIES = ("a", "b")


def tau_ap(
    x: Ranked,
    y: Ranked,
    kind: str = "overall",
    *,
    ties: str = "a",
    decimals: int | None = DECIMALS,
    strict: bool = False,
) -> Correlation:
    r"""Return the AP correlation of two rankings of the same systems; `x` is the truth, `y` what is to be judged.

    Walk down the ranking `y` of n systems. With :math:`C(i)` of the systems above the one at rank i rightly above
    it, as `x` has it,

    .. math:: \tau_{AP} = \frac{2}{n - 1} \sum_{i=2}^{n} \frac{C(i)}{i - 1} - 1

    It is 1 for the same ranking, -1 for the reverse one, and an error costs the more the higher it stands.

    Parameters
    ----------
    ties
        "a" asks how accurate `y` is: the mean of the above over all ways to break ties. Without ties it is the
        classical coefficient. "b" asks how far two observers agree, neither of whom has the truth: it is symmetric
        in `x` and `y`, the mean of both directions, and takes ties for statements; without ties it is the
        symmetric classical coefficient.
    kind, decimals, strict
        As for `kendall`.

    Returns
    -------
    Correlation
        NaN if all systems tie in `x`; with ties "b", in `x` or in `y`.

    Examples
    --------
    >>> round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 6), round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 6)
    (0.333333, 0.777778)
    >>> round(tau_ap([4, 3, 2, 1], [1, 2, 2, 3]), 6), round(tau_ap([4, 3, 2, 1], [1, 2, 2, 3], ties="b"), 6)
    (-0.833333, -1.0)

    Notes
    -----
    With ties "b" each direction leaves out the systems that share the first place, and compares every other
    with those strictly above it. A pair that is in order in the one ranking and tied in the other counts as wrong.

    References
    ----------
    [Yilmaz2008]_; [UrbanoMarrero2017]_
    """
    if ties not in TIES:
        raise ParameterError(f"there is no treatment {ties!r} of ties; there is {', '.join(TIES)}")
    both = rankings(x, y, kind, decimals=decimals, strict=strict)
    of_row = _accuracy if ties == "a" else _agreement
    taus = []
    for truth, judged in zip(both.x, both.y, strict=True):
        present = ~np.isnan(truth)
        taus.append(of_row(truth[present], judged[present]))
    return correlation_of(both, np.array(taus), pair_counts(both), f"tau-ap-{ties}", kind)


def _accuracy(x: FloatArray, y: FloatArray) -> float:
    """Return the mean of the coefficient over all ways to break ties."""
    n = len(x)
    if n < 2 or (x == x[0]).all():
        return float("nan")
    above = y[None, :] > y[:, None]
    # a tied pair is right in half of the ways, which is as much for as against
    right, wrong = above & (x[None, :] > x[:, None]), above & (x[None, :] < x[:, None])
    in_favour = right.sum(axis=1) - wrong.sum(axis=1)
    return float((in_favour * _mean_share(above.sum(axis=1), y)).sum() / (n - 1))


def _mean_share(above: FloatArray, y: FloatArray) -> FloatArray:
    """Return the mean of 1/(rank - 1) of each system over the ranks that its ties allow."""
    tied = (y[None, :] == y[:, None]).sum(axis=1)
    # no system stands above those that share the first place, so what they weigh does not matter
    shares = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, len(y) + 1))))
    first = np.maximum(1, above)
    return np.asarray((shares[first + tied - 1] - shares[first - 1]) / tied)


def _agreement(x: FloatArray, y: FloatArray) -> float:
    """Return the mean of both directions."""
    return (_one_direction(x, y) + _one_direction(y, x)) / 2


def _one_direction(x: FloatArray, y: FloatArray) -> float:
    above = y[None, :] > y[:, None]
    ranks = above.sum(axis=1)
    below_the_first = ranks > 0
    if not below_the_first.any():
        return float("nan")
    right = (above & (x[None, :] > x[:, None])).sum(axis=1)
    return float(2 * (right[below_the_first] / ranks[below_the_first]).mean() - 1)
