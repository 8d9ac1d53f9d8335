"""Kendall's correlation of two rankings of systems, with its ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, Doubt
from measurand.statistics.rankings import DECIMALS, Ranked, Rankings, rankings

CELLS = 2**22
"""How many comparisons are held at a time."""

SIMILAR: Final = 0.8
EQUIVALENT: Final = 0.9


class Correlation(float):
    """A correlation: a number that knows what it was counted from.

    It is NaN where one of the rankings has all systems at the same place.

    Parameters
    ----------
    method
        What it is: "tau-b", "tau-ap-a" or "tau-ap-b".
    kind
        "overall", or "topic" for the mean over topics.
    by_topic
        The correlation on every topic, NaN where undefined; nothing if `kind` is overall.
    n
        How many systems are ranked.
    counts
        How many pairs of systems are concordant, discordant, tied in the first ranking alone, tied in the second
        alone, and tied in both; over all topics if `kind` is topic.
    caveats
        What limits its meaning.

    Examples
    --------
    >>> tau = kendall([1, 1, 2, 3], [1, 2, 3, 4])
    >>> tau.concordant, tau.discordant, tau.ties_x, tau.ties_y, tau.ties_both
    (5, 0, 1, 0, 0)
    >>> round(tau, 4), tau > 0.9
    (0.9129, True)
    """

    __slots__ = ("by_topic", "caveats", "counts", "kind", "method", "n")

    method: str
    kind: str
    by_topic: tuple[float, ...]
    n: int
    counts: tuple[int, ...]
    caveats: tuple[Caveat, ...]

    def __new__(
        cls,
        value: float,
        *,
        method: str,
        kind: str,
        n: int,
        counts: tuple[int, ...],
        by_topic: tuple[float, ...] = (),
        caveats: tuple[Caveat, ...] = (),
    ) -> Correlation:
        """Return the number with what it was counted from."""
        correlation = super().__new__(cls, value)
        given = {"method": method, "kind": kind, "by_topic": by_topic, "n": n, "counts": counts, "caveats": caveats}
        for name, content in given.items():
            super().__setattr__(correlation, name, content)
        return correlation

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a correlation cannot be changed, so {name!r} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        # so that it travels between processes whole
        return _again, (float(self), {name: getattr(self, name) for name in self.__slots__})

    @property
    def concordant(self) -> int:
        """How many pairs both rankings put in the same order."""
        return self.counts[0]

    @property
    def discordant(self) -> int:
        """How many pairs the rankings put in opposite orders."""
        return self.counts[1]

    @property
    def ties_x(self) -> int:
        """How many pairs are tied in the first ranking alone."""
        return self.counts[2]

    @property
    def ties_y(self) -> int:
        """How many pairs are tied in the second ranking alone."""
        return self.counts[3]

    @property
    def ties_both(self) -> int:
        """How many pairs are tied in both rankings."""
        return self.counts[4]

    @property
    def undefined(self) -> int:
        """How many rankings have no correlation since one of them puts all systems at the same place."""
        return sum(np.isnan(tau) for tau in self.by_topic or (float(self),))


def kendall(
    x: Ranked, y: Ranked, kind: str = "overall", *, decimals: int | None = DECIMALS, strict: bool = False
) -> Correlation:
    r"""Return Kendall's tau-b, the correlation of two rankings of the same systems.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(C + D + T_x)(C + D + T_y)}}

    with the numbers of concordant and discordant pairs of systems, and of those tied in the first or the second
    ranking alone. A pair that is tied in both speaks neither for nor against, so that a ranking with ties agrees
    with itself: its correlation is 1.

    Parameters
    ----------
    x, y
        Scores of the same systems on the same topics, one mean per system (`scores.mean()`), or plain numbers.
        Scores and their means know whether lower is better; of plain numbers, higher is.
    kind
        "overall" correlates the means over topics; "topic" correlates on every topic and answers the mean of the
        topics where the correlation is defined.
    decimals
        Means are rounded to so many decimals, in units of the power of ten at or above the largest of them, so
        that rounding errors break no tie; None for no rounding.
    strict
        Whether to refuse means of scores that are not on an interval scale. The correlation itself asks for order
        alone.

    Returns
    -------
    Correlation
        A number from -1 to 1 with the counts it comes from; NaN if all systems tie in one ranking.

    Examples
    --------
    >>> kendall([1, 1, 2, 3], [1, 1, 2, 3])
    1.0
    >>> from measurand.scores import Scores
    >>> a = {"systems": ("s", "t"), "topics": ("1", "2")}
    >>> p = Scores(measure="P", values=[[0.4, 0.2], [0.2, 0.6]], **a)
    >>> r = Scores(measure="R", values=[[1.0, 0.1], [0.5, 0.3]], **a)
    >>> kendall(p, r), kendall(p, r, kind="topic"), kendall(p, r, kind="topic").by_topic
    (-1.0, 1.0, (1.0, 1.0))

    References
    ----------
    [Kendall1945]_; [FerranteFerroFuhr2021]_, section IV-C
    """
    both = rankings(x, y, kind, decimals=decimals, strict=strict)
    counts = pair_counts(both)
    return correlation_of(both, _tau_b(counts), counts, "tau-b", kind)


def similarity(tau: float) -> str:
    """Return what a correlation of two rankings of systems is usually taken for.

    Above 0.9 the rankings are "equivalent", below 0.8 "different", and between "similar"; NaN is "undefined".

    Examples
    --------
    >>> similarity(0.8588), similarity(0.95), similarity(0.2)
    ('similar', 'equivalent', 'different')

    References
    ----------
    [Voorhees2001]_; [FerranteFerroFuhr2021]_, section IV-C
    """
    if np.isnan(tau):
        return "undefined"
    if tau > EQUIVALENT:
        return "equivalent"
    return "similar" if tau >= SIMILAR else "different"


def pair_counts(both: Rankings) -> IntArray:
    """Return, for every row, the pairs that are concordant, discordant, tied in x alone, in y alone, in both.

    Examples
    --------
    >>> pair_counts(rankings([1, 2, 2], [2, 1, 1])).tolist()
    [[0, 2, 0, 0, 1]]
    """
    # scipy.stats.kendalltau takes the vectors one by one, which is too slow for every topic of every two measures
    agree, oppose, x_apart, y_apart = np.zeros((4, len(both.x)), dtype=np.int64)
    for rows, systems in _parts(*both.x.shape):
        x, y = both.x[rows], both.y[rows]
        # a pair counts where its first system is ahead in x; comparisons with NaN are false
        x_ahead, y_ahead = (values[:, systems, None] > values[:, None, :] for values in (x, y))
        y_behind = y[:, systems, None] < y[:, None, :]
        agree[rows] += np.count_nonzero(x_ahead & y_ahead, axis=(1, 2))
        oppose[rows] += np.count_nonzero(x_ahead & y_behind, axis=(1, 2))
        x_apart[rows] += np.count_nonzero(x_ahead, axis=(1, 2))
        y_apart[rows] += np.count_nonzero(y_ahead, axis=(1, 2))
    present = np.count_nonzero(~np.isnan(both.x), axis=1)
    strict = agree + oppose
    ties_x, ties_y = y_apart - strict, x_apart - strict
    return np.stack([agree, oppose, ties_x, ties_y, present * (present - 1) // 2 - strict - ties_x - ties_y], axis=1)


def correlation_of(both: Rankings, taus: FloatArray, counts: IntArray, method: str, kind: str) -> Correlation:
    """Return the correlation of two rankings from what was found for every row of them.

    Examples
    --------
    >>> both = rankings([1, 2], [1, 2])
    >>> correlation_of(both, np.array([1.0]), pair_counts(both), "tau-b", "overall").concordant
    1
    """
    defined = taus[~np.isnan(taus)]
    return Correlation(
        defined.mean() if len(defined) else np.nan,
        method=method,
        kind=kind,
        n=both.systems,
        counts=tuple(counts.sum(axis=0).tolist()),
        by_topic=tuple(taus.tolist()) if kind == "topic" else (),
        caveats=(*both.caveats, *_undefined(len(taus) - len(defined), len(taus), kind)),
    )


def _tau_b(counts: IntArray) -> FloatArray:
    agree, oppose, ties_x, ties_y, _ = counts.T.astype(np.float64)
    below = np.sqrt((agree + oppose + ties_x) * (agree + oppose + ties_y))
    return np.asarray(np.divide(agree - oppose, below, out=np.full(len(below), np.nan), where=below > 0))


def _parts(rows: int, systems: int) -> Iterator[tuple[slice, slice]]:
    """Return parts of topics and systems whose comparisons with all systems can be held at once."""
    step = max(1, CELLS // max(1, systems * systems))
    wide = max(1, CELLS // max(1, systems))
    for row in range(0, rows, step):
        for system in range(0, systems, wide):
            yield slice(row, row + step), slice(system, system + wide)


def _undefined(undefined: int, rows: int, kind: str) -> tuple[Caveat, ...]:
    if not undefined:
        return ()
    what = f"{undefined} of {rows} topics have" if kind == "topic" else "there is"
    text = f"{what} no correlation, since all systems have the same number in one of the rankings"
    return (Caveat(Doubt.DEGENERATE, text),)


def _again(value: float, given: dict[str, Any]) -> Correlation:
    return Correlation(value, **given)
