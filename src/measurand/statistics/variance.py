"""Analysis of variance of systems alone, and of systems and topics; then Tukey's test of all pairs.

Tukey's honest significant difference needs the distribution of the studentised range: how far apart the extremes of
some equal groups are, in standard errors. scipy has it, but takes many seconds for the pairs of a hundred systems. Here
the tail of the range of normal variables is tabulated once for a number of groups; the rest is a sum of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.needs import declares
from measurand.statistics.pairs import ROUNDING, Complete, PairOutcome, complete, in_units_of

FARTHEST = 50.0
"""Beyond this range the tail of normal variables is smaller than any probability of interest (1e-270)."""

NEGLIGIBLE = 40.0
"""The natural logarithm of what an integral may leave out: e to the minus 40, relative to its peak."""

SMALLEST = 700.0
"""Minus the natural logarithm of the smallest probability that a float can tell from 0."""

DENSITY = 64
"""So many entries a table has for a range of 1."""

TABULATED = 40.0
"""Ranges up to this are looked up in a table of the tail if there are many of them."""


@declares("one-way analysis of variance", Scale.INTERVAL, "Fisher1925", "Tukey1949", simultaneous=True, of_means=True)
def one_way_anova(
    scores: Scores,
    *,
    dunn_sidak_cap: bool = False,
    infinite_df: bool = False,
    strict: bool = False,  # noqa: ARG001
) -> PairOutcome:
    r"""Test whether the means of all systems are equal, topics taken as repetitions; then every two by Tukey's test.

    .. math:: y_{ij} = \mu + \alpha_j + \varepsilon_{ij}

    for topic i of T and system j of S, with S(T − 1) degrees of freedom. That topics differ counts as error here,
    so `two_way_anova` usually finds more. The difference is that of the means; the statistic is Tukey's q.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    dunn_sidak_cap : bool, default False
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    infinite_df : bool, default False
        Whether Tukey's range has infinite degrees of freedom, as algorithm AS 190 takes more than 120 of them.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

    Returns
    -------
    AllPairs
        With `details`: f, p, df_systems, df (of the error), mse (its mean square).
        Where nothing can be tested, p = 1 alone.

    Examples
    --------
    >>> values = [[5.5, 5.5, 6, 6.5, 7, 7], [4.5, 4.5, 4, 5, 5.5, 5], [3.5, 4, 3, 4, 5, 4.5]]
    >>> scores = Scores(measure="P", values=values, systems=tuple("abc"), topics=tuple("123456"))
    >>> round(one_way_anova(scores).of("a", "b"), 6)
    0.002974

    References
    ----------
    [Fisher1925]_; [Tukey1949]_
    """
    left = complete(scores)
    if not left.testable:
        return left.untested(left.values)
    parts = _Parts.of(left)
    systems, topics = left.values.shape
    error = parts.mean_square(parts.residuals, systems * (topics - 1))
    details = {**_ratio("", parts.effect, error), "df_systems": parts.effect.df}
    return parts.compared(left, error, details, dunn_sidak_cap, infinite_df)


@declares("two-way analysis of variance", Scale.INTERVAL, "Fisher1925", "Tukey1949", simultaneous=True, of_means=True)
def two_way_anova(
    scores: Scores,
    *,
    dunn_sidak_cap: bool = False,
    infinite_df: bool = False,
    strict: bool = False,  # noqa: ARG001
) -> PairOutcome:
    r"""Test whether the means of all systems are equal, allowing for easy and hard topics; then every two by Tukey's.

    .. math:: y_{ij} = \mu + \tau_i + \alpha_j + \varepsilon_{ij}

    for topic i of T and system j of S, without interaction, with (T − 1)(S − 1) degrees of freedom. The difference
    is that of the means; the statistic is Tukey's q.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    dunn_sidak_cap : bool, default False
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    infinite_df : bool, default False
        Whether Tukey's range has infinite degrees of freedom, as algorithm AS 190 takes more than 120 of them.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

    Returns
    -------
    AllPairs
        With `details`: f, p, df_systems, f_topics, p_topics, df_topics, df (of the error), mse (its mean square).
        Where nothing can be tested, p = 1 alone.

    Examples
    --------
    >>> values = [[5.5, 5.5, 6, 6.5, 7, 7], [4.5, 4.5, 4, 5, 5.5, 5], [3.5, 4, 3, 4, 5, 4.5]]
    >>> scores = Scores(measure="P", values=values, systems=tuple("abc"), topics=tuple("123456"))
    >>> round(two_way_anova(scores).of("b", "c"), 6)
    0.004104

    References
    ----------
    [Fisher1925]_; [Tukey1949]_
    """
    left = complete(scores)
    if not left.testable:
        return left.untested(left.values)
    parts = _Parts.of(left)
    systems, topics = left.values.shape
    of_topics = parts.residuals.mean(axis=0)
    error = parts.mean_square(parts.residuals - of_topics, (systems - 1) * (topics - 1))
    hardness = parts.mean_square(np.sqrt(systems) * of_topics, topics - 1)
    details = {**_ratio("", parts.effect, error), "df_systems": parts.effect.df}
    details |= {**_ratio("_topics", hardness, error), "df_topics": hardness.df}
    return parts.compared(left, error, details, dunn_sidak_cap, infinite_df)


@frozen
class _MeanSquare:
    value: float
    df: float


@frozen(eq=False)
class _Parts:
    """Means of systems and what they leave of the scores, in a unit in which all scores lie between -1 and 1.

    The unit is a power of 2, so nothing is rounded; squares of tiny or huge scores stay numbers. Scores are taken
    from one of them on, since sums of large numbers that differ little lose digits.
    """

    unit: float
    means: FloatArray
    residuals: FloatArray

    @classmethod
    def of(cls, left: Complete) -> _Parts:
        unit = float(np.ldexp(1.0, np.frexp(np.max(np.abs(left.values)))[1]))
        values = (left.values - left.values[0, 0]) / unit
        means = values.mean(axis=1)
        return cls(unit, means, values - means[:, None])

    @property
    def effect(self) -> _MeanSquare:
        topics = self.residuals.shape[1]
        return self.mean_square(np.sqrt(topics) * (self.means - self.means.mean()), len(self.means) - 1)

    def mean_square(self, parts: FloatArray, df: int) -> _MeanSquare:
        """Return the sum of squares over its degrees of freedom; 0 if rounding alone can explain it."""
        nothing = float(np.max(np.abs(parts))) <= ROUNDING
        return _MeanSquare(0.0 if nothing else float((parts**2).sum()) / df, float(df))

    def compared(
        self, left: Complete, error: _MeanSquare, details: dict[str, float], dunn_sidak_cap: bool, infinite_df: bool
    ) -> PairOutcome:
        """Return Tukey's test of the means, with the error."""
        topics = self.residuals.shape[1]
        return tukey(
            self.means * self.unit,
            float(np.sqrt(error.value / topics)) * self.unit,
            np.inf if infinite_df else error.df,
            topics,
            rounding=ROUNDING * self.unit,
            dunn_sidak_cap=dunn_sidak_cap,
            details={**details, "df": error.df, "mse": error.value * self.unit * self.unit},
            caveats=left.caveats,
        )


def _ratio(suffix: str, effect: _MeanSquare, error: _MeanSquare) -> dict[str, float]:
    """Return F and its p-value: infinite and 0 for an effect without error, 0 and 1 where there is no effect."""
    from scipy.special import fdtrc

    if effect.value == 0:
        return {f"f{suffix}": 0.0, f"p{suffix}": 1.0}
    if error.value == 0:
        return {f"f{suffix}": np.inf, f"p{suffix}": 0.0}
    f = effect.value / error.value
    return {f"f{suffix}": f, f"p{suffix}": float(fdtrc(effect.df, error.df, f))}


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
    r"""Return Tukey's test of every two systems, by the distribution of the widest of so many random differences.

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
        caveats = (*caveats, Caveat(CaveatKind.DEGENERATE, text))
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


def studentized_range_tail(q: FloatArray, groups: int, df: float) -> FloatArray:
    r"""Return the probability that a studentised range exceeds each `q`: the p-values of Tukey's test.

    .. math::
        P(Q > q) = \int_0^\infty f_\nu(s)\, \Bigl(1 - k \int_{-\infty}^{\infty} \varphi(z)
        \bigl(\Phi(z) - \Phi(z - q s)\bigr)^{k-1} dz\Bigr) ds

    with k groups, and :math:`f_\nu` the density of an estimated standard deviation with ν degrees of freedom.

    Parameters
    ----------
    groups
        How many groups there are, at least 2.
    df
        Degrees of freedom of the standard error; may be infinite.

    Examples
    --------
    >>> studentized_range_tail(np.array([0.0, 3.31449, np.inf]), 3, np.inf).round(6).tolist()
    [1.0, 0.05, 0.0]

    References
    ----------
    [Tukey1949]_
    """
    _check(groups, df)
    q = np.abs(np.asarray(q, dtype=np.float64))
    farthest = float(np.max(q[np.isfinite(q)], initial=0.0))
    tail = _tail(groups, df, farthest)
    ranges = np.linspace(0.0, farthest, 8 + int(DENSITY * min(farthest, TABULATED)))
    if not 0 < farthest <= TABULATED or q.size < 2 * len(ranges):
        return tail(q)
    return np.where(np.isinf(q), 0.0, _table(ranges, tail(ranges))(np.minimum(q, farthest)))


def studentized_range_quantile(probability: float, groups: int, df: float) -> float:
    """Return the value that a studentised range does not exceed with a given probability.

    Parameters
    ----------
    probability : float
        The probability of a range of at most the quantile.
    groups : int
        How many groups there are.
    df : float
        The degrees of freedom of the error; may be infinite.

    Examples
    --------
    >>> round(studentized_range_quantile(0.95, 3, 15), 5)
    3.67338

    References
    ----------
    [Tukey1949]_
    """
    from scipy.optimize import brentq

    _check(groups, df)
    if not 0 <= probability < 1:
        raise ParameterError(f"a probability from 0 up to below 1 has a quantile, not {probability}")
    if probability == 0:
        return 0.0
    high = 4.0
    while (tail := _tail(groups, df, high))(np.array([high])).item() > 1 - probability:
        high *= 4
    return float(brentq(lambda q: tail(np.array([q])).item() - (1 - probability), 0.0, high, xtol=1e-12, rtol=1e-14))


def _check(groups: int, df: float) -> None:
    if groups < 2:
        raise ParameterError(f"a range needs at least 2 groups, not {groups}")
    if not df >= 1:
        raise ParameterError(f"a standard error needs at least 1 degree of freedom, not {df}")


def _tail(groups: int, df: float, farthest: float) -> Callable[[FloatArray], FloatArray]:
    """Return the tail up to the farthest range as a function: that of normal variables, averaged over deviations."""
    deviations, weights = _deviations(df, farthest)
    # to the next power of two, so that one table serves many tests of a campaign
    reach = 2.0 ** np.ceil(np.log2(max(farthest * float(deviations[-1]), 1.0)))
    normal = _normal_tail(groups, min(float(reach), FARTHEST))

    def tail(q: FloatArray) -> FloatArray:
        found = np.where(q == 0, 1.0, 0.0)
        inside = np.flatnonzero((q > 0) & (q <= farthest))
        for block in np.array_split(inside, 1 + len(inside) * len(weights) // 2_000_000):
            found.flat[block] = np.minimum(1.0, normal(np.multiply.outer(q.flat[block], deviations)) @ weights)
        return found

    return tail


@lru_cache(maxsize=16)
def _normal_tail(groups: int, end: float) -> Callable[[FloatArray], FloatArray]:
    """Return the tail of the range of normal variables as a function, through a table of its logarithm."""
    from scipy.special import log_ndtr

    ranges = np.linspace(0.0, end, 8 + int(DENSITY * end))
    # the trapezoidal rule on the whole line is exact to rounding for functions this smooth
    step = 0.125
    z = np.arange(-9.0, end / 2 + 12.0, step)[:, None]
    below = log_ndtr(z)
    with np.errstate(divide="ignore"):
        # a difference of two powers, written so that it keeps its digits where it is small
        missed = -np.expm1((groups - 1) * np.log1p(-np.minimum(1.0, np.exp(log_ndtr(z - ranges) - below))))
    density = np.exp(-(z**2) / 2 + (groups - 1) * below)
    tail = density.T[0] @ missed * (groups * step / np.sqrt(2 * np.pi))
    table = _table(ranges, tail)

    def normal(q: FloatArray) -> FloatArray:
        return np.where(q <= FARTHEST, table(np.minimum(q, end)), 0.0)

    return normal


def _table(ranges: FloatArray, tail: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return a tail as a function from its values at some ranges, by way of its logarithm, which is smooth."""
    from scipy.interpolate import make_interp_spline

    logarithm = make_interp_spline(ranges, np.log(np.minimum(tail, 1.0)), k=5)
    return lambda q: np.asarray(np.exp(np.minimum(logarithm(q), 0.0)))


def _deviations(df: float, farthest: float) -> tuple[FloatArray, FloatArray]:
    """Return estimated standard deviations and their probabilities, on a grid of equal ratios.

    The grid reaches down to the small deviations that decide how often the farthest range occurs.
    """
    if np.isinf(df):
        return np.ones(1), np.ones(1)
    spread = 1 / np.sqrt(2 * df)
    room = 2 * NEGLIGIBLE / df
    high = 0.5 * np.log1p(2 * room + 2 * np.sqrt(room))
    reach = min(np.log1p(min(farthest, 1e100) ** 2 / (2 * df)), 2 * SMALLEST / df)
    low = -reach / 2 - 9 * spread - NEGLIGIBLE / df
    step = min(0.02, 0.3 * spread)
    logs = np.arange(low, high + step, step)
    weights = np.exp(df * (logs - np.expm1(2 * logs) / 2))
    return np.exp(logs), weights / weights.sum()
