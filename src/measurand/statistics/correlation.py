"""Rank correlation of two measures: Kendall's tau and the AP correlation of two rankings of the same systems.

Rankings are made of the means over all topics, or of every topic by itself (`rankings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.scale import Scale
from measurand.scores import MEAN, Aggregation, Need, Scores, Summary
from measurand.statistics.needs import admitted

KINDS = ("overall", "topic")

DECIMALS = 8
"""To how many decimals means are rounded before they are compared."""

ORDER = Need("rank correlation", Scale.ORDINAL, across=False)

Ranked = Scores | Summary | Sequence[float] | FloatArray
"""What can be ranked: scores, one number per system with their names, or plain numbers."""

CELLS = 2**22
"""How many comparisons are held at a time."""

SIMILAR: Final = 0.8

EQUIVALENT: Final = 0.9

TIES = ("a", "b")


def _frozen(values: FloatArray) -> FloatArray:
    values.setflags(write=False)
    return values


@frozen(eq=False)
class Rankings:
    """Two rankings of the same systems by numbers, the higher the better, once or topic by topic.

    Parameters
    ----------
    x, y
        Topics × systems; one row if all topics are taken together. NaN in both where a system has no number.
    caveats
        What limits the meaning of the numbers.
    """

    x: FloatArray = field(converter=_frozen)
    y: FloatArray = field(converter=_frozen)
    caveats: tuple[Caveat, ...] = ()

    @property
    def systems(self) -> int:
        """How many systems are ranked."""
        return int(self.x.shape[1])


class Correlation(float, Result):
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

    def __str__(self) -> str:
        return float.__repr__(self)

    def document(self) -> Document:
        """Return the correlation and what it was counted from.

        Examples
        --------
        >>> kendall([1, 1, 2, 3], [1, 2, 3, 4]).document().for_programs[0].data[0]["concordant"]
        5
        """
        names = ("method", "kind", "n", "concordant", "discordant", "ties_x", "ties_y", "ties_both")
        shown = [("correlation", float(self)), *((name, getattr(self, name)) for name in names)]
        return Document([facts(shown)], self.caveats)

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
    ranking alone. A pair that is tied in both counts neither way, so that a ranking with ties agrees
    with itself: its correlation is 1.

    Parameters
    ----------
    x, y : Scores, Summary or sequence of float
        Scores of the same systems on the same topics, one mean per system (`scores.mean()`), or plain numbers.
        Scores and their means know whether lower is better; of plain numbers, higher is.
    kind : {"overall", "topic"}
        "overall" correlates the means over topics; "topic" correlates on every topic and answers the mean of the
        topics where the correlation is defined.
    decimals : int or None, default 8
        Means are rounded to so many decimals, in units of the power of ten at or above the largest of them, so
        that rounding errors break no tie; None for no rounding.
    strict : bool, default False
        Whether to refuse means of scores that are not on an interval scale. The correlation itself needs order
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
    x : Scores, Summary or sequence of float
        The ranking that is judged, as for `kendall`.
    y : Scores, Summary or sequence of float
        The true ranking.
    kind, decimals, strict
        As for `kendall`.
    ties : {"a", "b"}
        "a" measures how accurate `y` is: the mean of the above over all ways to break ties. Without ties it is the
        classical coefficient. "b" measures how far two observers agree, neither of whom has the truth: it is symmetric
        in `x` and `y`, the mean of both directions, and takes ties for statements; without ties it is the
        symmetric classical coefficient.

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


def similarity(tau: float) -> str:
    """Return what a correlation of two rankings of systems is usually taken for.

    Above 0.9 the rankings are "equivalent", below 0.8 "different", and between "similar"; NaN is "undefined".

    Parameters
    ----------
    tau : float
        A rank correlation.

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


def power_of_ten(largest: FloatArray) -> FloatArray:
    """Return the power of ten at or above each number, 1 for 0: the unit in which decimals are counted.

    Examples
    --------
    >>> power_of_ten(np.array([0.0, 0.3, 1.0, 250.0])).tolist()
    [1.0, 1.0, 1.0, 1000.0]
    """
    # the smallest floats have no power of ten above them that could be divided by
    return np.asarray(10.0 ** np.maximum(np.ceil(np.log10(np.where(largest > 0, largest, 1.0))), -300))


def rankings(
    x: Ranked, y: Ranked, kind: str = "overall", *, decimals: int | None = DECIMALS, strict: bool = False
) -> Rankings:
    """Return two rankings of the same systems, brought into the same order.

    Scores and their averages rank by goodness, so that a measure where lower is better and one where higher is may
    agree. Plain numbers are taken as they are, the higher the better.

    Parameters
    ----------
    kind
        "overall" ranks by mean over topics, "topic" ranks on every topic.
    decimals
        Means are rounded to so many decimals, in units of the power of ten at or above the largest of them, so
        that rounding errors decide nothing; None compares them as they are. Scores on a topic and plain numbers
        are always compared as they are.
    strict
        Whether to refuse means of scores that are not on an interval scale.

    Examples
    --------
    >>> a = Scores(measure="P@5", values=[[0, 0, .6], [0, .2, .4]], systems=("s", "t"), topics=("1", "2", "3"))
    >>> rankings(a, a).x.tolist(), rankings(a, a, decimals=None).x.tolist()
    ([[0.2, 0.2]], [[0.19999999999999998, 0.20000000000000004]])

    References
    ----------
    [FerranteFerroFuhr2021]_, sections IV-C and VIII-A
    """
    if kind not in KINDS:
        raise ParameterError(f"there is no kind {kind!r} of correlation; there is {', '.join(KINDS)}")
    y = _aligned(x, y)
    if kind == "topic":
        rows = [_by_topic(one) for one in (x, y)]
        caveats = [admitted(ORDER, one, strict=strict) for one in (x, y) if isinstance(one, Scores)]
    else:
        caveats = [_of_means(one, strict) for one in (x, y)]
        rows = [_overall(one, decimals)[None, :] for one in (x, y)]
    if rows[0].shape != rows[1].shape:
        raise ParameterError(f"{rows[0].shape[-1]} numbers cannot be ranked against {rows[1].shape[-1]}")
    missing = np.isnan(rows[0]) | np.isnan(rows[1])
    first, second = (np.where(missing, np.nan, row) for row in rows)
    return Rankings(first, second, tuple(dict.fromkeys([*sum(caveats, ()), *_incomplete(missing, kind)])))


def _aligned(x: Ranked, y: Ranked) -> Ranked:
    """Return `y` with systems and topics in the order of `x`."""
    if not isinstance(x, Scores) or not isinstance(y, Scores):
        if isinstance(x, Scores | Summary) and isinstance(y, Scores | Summary):
            _same("systems", x.systems, y.systems, ordered=True)
        return y
    _same("systems", x.systems, y.systems)
    _same("topics", x.topics, y.topics)
    if (x.systems, x.topics) == (y.systems, y.topics):
        return y
    rows, columns = ([theirs.index(name) for name in ours] for ours, theirs in _names(x, y))
    return evolve(y, values=y.values[np.ix_(rows, columns)], systems=x.systems, topics=x.topics)


def _names(x: Scores, y: Scores) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(x.systems, y.systems), (x.topics, y.topics)]


def _same(what: str, ours: tuple[str, ...], theirs: tuple[str, ...], *, ordered: bool = False) -> None:
    if ours == theirs or (not ordered and sorted(ours) == sorted(theirs)):
        return
    alone = sorted(set(ours) ^ set(theirs))
    why = f"{', '.join(alone[:3])}{', …' if len(alone) > 3 else ''} in one alone" if alone else "in another order"
    raise ParameterError(f"both must have the same {what}, and there is {why}; judge the same runs for both")


def _by_topic(scores: Ranked) -> FloatArray:
    if not isinstance(scores, Scores):
        raise ParameterError("plain numbers have no topics; give scores, or take kind='overall'")
    return scores.goodness.T.copy()


def _overall(ranked: Ranked, decimals: int | None) -> FloatArray:
    """Return one number per system, the higher the better."""
    if isinstance(ranked, Scores) and ranked.aggregation is Aggregation.GEOMETRIC:
        return _rounded(ranked.mean().goodness.copy(), decimals)
    if isinstance(ranked, Scores):
        present = ~np.isnan(ranked.goodness)
        counts = present.sum(axis=1)
        sums = np.where(present, ranked.goodness, 0.0).sum(axis=1)
        return _rounded(np.where(counts > 0, sums / np.maximum(1, counts), np.nan), decimals)
    if isinstance(ranked, Summary):
        return _rounded(ranked.goodness.copy(), decimals)
    try:
        numbers = np.array(ranked, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("a correlation takes scores, means of scores, or numbers, one per system") from None
    if numbers.ndim != 1:
        raise ParameterError(f"plain numbers must be one per system, not an array of {numbers.ndim} dimensions")
    return numbers


def _rounded(means: FloatArray, decimals: int | None) -> FloatArray:
    if decimals is None:
        return means
    unit = power_of_ten(np.nanmax(np.abs(means), initial=0.0))
    return np.asarray(np.round(means / unit, decimals) * unit)


def _of_means(ranked: Ranked, strict: bool) -> tuple[Caveat, ...]:
    if isinstance(ranked, Scores) and ranked.aggregation is Aggregation.GEOMETRIC:
        return ranked.mean(strict=strict).caveats
    if isinstance(ranked, Scores):
        return admitted(MEAN, ranked, strict=strict)
    return ranked.caveats if isinstance(ranked, Summary) else ()


def _incomplete(missing: BoolArray, kind: str) -> list[Caveat]:
    left_out = int(missing.sum())
    if not left_out:
        return []
    what = "scores of systems on topics" if kind == "topic" else "systems"
    return [Caveat(CaveatKind.MISSING_TOPICS, f"{left_out} {what} have no number and are left out of the correlation")]


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
    return (Caveat(CaveatKind.DEGENERATE, text),)


def _again(value: float, given: dict[str, Any]) -> Correlation:
    return Correlation(value, **given)


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
