"""Analysis of variance: of systems alone, and of systems and topics; then Tukey's test of all pairs."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.complete import Complete, complete
from measurand.statistics.needs import PairOutcome, declares
from measurand.statistics.pairs import ROUNDING
from measurand.statistics.tukey import tukey


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
    dunn_sidak_cap
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    infinite_df
        Whether Tukey's range has infinite degrees of freedom, as algorithm AS 190 takes more than 120 of them.
    strict
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
    dunn_sidak_cap
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    infinite_df
        Whether Tukey's range has infinite degrees of freedom, as algorithm AS 190 takes more than 120 of them.
    strict
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
