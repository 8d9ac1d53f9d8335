"""Effect sizes: how far apart every two systems are, in several units, each with the scale that it needs.

Wins, ties and Cliff's delta need order alone; mean differences with their interval, Cohen's d and the rank-biserial
correlation are of paired differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.columns import values_of
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted
from measurand.errors import Caveat
from measurand.exact import decimals
from measurand.scale import Scale
from measurand.scores import Need, Scores, place_of
from measurand.scores.ranks import mid_ranks
from measurand.statistics.all_pairs import frozen_counts, frozen_numbers, read_only
from measurand.statistics.multiple_comparisons import level
from measurand.statistics.needs import admitted
from measurand.statistics.pairs import PairBlock, difference_sizes, few_topics, in_units_of, over_pairs, square

if TYPE_CHECKING:
    import polars as pl


CELLS = 2**22
"""How many counts are held at a time."""

NEEDS: Mapping[str, Need] = MappingProxyType(
    {
        "mean_difference": Need("mean difference", Scale.INTERVAL),
        "cohens_d": Need("effect size d", Scale.INTERVAL),
        "cohens_d_average": Need("effect size d", Scale.INTERVAL),
        "rank_biserial": Need("matched rank-biserial correlation", Scale.INTERVAL),
        "cliffs_delta": Need("effect size delta", Scale.ORDINAL),
        "wins": Need("number of wins", Scale.ORDINAL, across=False),
    }
)
"""What each effect needs; ties and losses need what wins need."""


@frozen(kw_only=True, repr=False)
class Effect(Result):
    """How far apart two systems are: positive where the first is ahead, whichever values are better.

    The mean difference and its interval alone are in the values as they are, first minus second: where lower is
    better, they are negative if the first is ahead.

    Parameters
    ----------
    a : str
        The name of the first system.
    b : str
        The name of the second system.
    topics : int
        How many topics both have.
    mean_difference, low, high : float
        The mean difference with its t interval.
    confidence : float
        How sure the interval from `low` to `high` is to hold the mean difference.
    cohens_d : float
        The mean difference in units of the spread of differences.
    cohens_d_average : float
        The same in units of the mean spread of both systems' scores.
    rank_biserial : float
        Signed ranks of differences for the first less those for the second, from -1 to 1.
    cliffs_delta : float
        How much more often a score of the first is better than one of the second than the reverse, from -1 to 1.
    wins, ties, losses : int
        Topics on which the first is ahead, level, behind.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> print(effects(scores).of("a", "b"))
    a - b: mean difference +0.2000 (95% interval -0.4572 to +0.8572), d +0.76, delta +0.67, 2 wins, 0 ties, 1 loss
    """

    a: str
    b: str
    topics: int
    mean_difference: float
    low: float
    high: float
    confidence: float
    cohens_d: float
    cohens_d_average: float
    rank_biserial: float
    cliffs_delta: float
    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        ends = f"{decimals(self.low, 4, '+')} to {decimals(self.high, 4, '+')}"
        # one topic, or differences that are all alike, have no spread
        interval = f"{100 * self.confidence:.3g}% interval {ends}" if isfinite(self.low) else "no interval"
        spread = f" d {self.cohens_d:+.2f}," if isfinite(self.cohens_d) else ""
        counts = ", ".join(
            f"{n} {one if n == 1 else many}"
            for n, one, many in (
                (self.wins, "win", "wins"),
                (self.ties, "tie", "ties"),
                (self.losses, "loss", "losses"),
            )
        )
        return (
            f"{self.a} - {self.b}: mean difference {decimals(self.mean_difference, 4, '+')} ({interval}),"
            f"{spread} delta {self.cliffs_delta:+.2f}, {counts}"
        )


@frozen(kw_only=True, eq=False, repr=False)
class Effects(Result):
    """How far apart every two systems are; arrays are systems × systems, positive where the row is ahead.

    The mean difference and its interval alone are in the values as they are, row minus column.

    The other fields are those of `Effect`.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    systems : tuple of str
        The names of the systems.
    confidence : float
        How sure the interval from `low` to `high` is to hold the mean difference.
    topics : array of int
        How many topics both have.
    mean_difference : array of float
        The mean difference of every two systems.
    low : array of float
        The lower end of its t interval.
    high : array of float
        The upper end of its t interval.
    cohens_d : array of float
        The mean difference in units of the spread of differences.
    cohens_d_average : array of float
        The same in units of the mean spread of both systems' scores.
    rank_biserial : array of float
        Signed ranks of differences for the row less those for the column, from -1 to 1.
    cliffs_delta : array of float
        How much more often a score of the row is better than one of the column than the reverse, from -1 to 1.
    wins : array of int
        Topics on which the row is ahead.
    ties : array of int
        Topics on which both are level.
    losses : array of int
        Topics on which the row is behind.
    caveats_by : mapping of str to tuple of Caveat
        What limits the meaning of each effect, by the names of `NEEDS`.
    """

    measure: str
    systems: tuple[str, ...]
    confidence: float
    topics: IntArray = field(converter=frozen_counts)
    mean_difference: FloatArray = field(converter=frozen_numbers)
    low: FloatArray = field(converter=frozen_numbers)
    high: FloatArray = field(converter=frozen_numbers)
    cohens_d: FloatArray = field(converter=frozen_numbers)
    cohens_d_average: FloatArray = field(converter=frozen_numbers)
    rank_biserial: FloatArray = field(converter=frozen_numbers)
    cliffs_delta: FloatArray = field(converter=frozen_numbers)
    wins: IntArray = field(converter=frozen_counts)
    ties: IntArray = field(converter=frozen_counts)
    losses: IntArray = field(converter=frozen_counts)
    caveats_by: Mapping[str, tuple[Caveat, ...]] = field(converter=read_only)

    def __repr__(self) -> str:
        return f"<Effects: {counted(len(self.systems), 'system')} under {self.measure}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(Effects, **asdict(self, recurse=False) | {"caveats_by": dict(self.caveats_by)}), ()

    @property
    def needs(self) -> Mapping[str, Need]:
        """What each effect needs, so that no permissible rescaling changes it."""
        return NEEDS

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What limits the meaning of any of the effects."""
        return tuple(dict.fromkeys(caveat for caveats in self.caveats_by.values() for caveat in caveats))

    def of(self, a: str, b: str) -> Effect:
        """Return the effects of one system against another.

        Parameters
        ----------
        a : str
            The name of one system.
        b : str
            The name of the other system.
        """
        row, column = (place_of(system, self.systems) for system in (a, b))
        numbers = {name: getattr(self, name)[row, column].item() for name in _NUMBERS}
        return Effect(a=a, b=b, confidence=self.confidence, **numbers)

    def table(self) -> pl.DataFrame:
        """Return a row for every pair: both systems and all effects."""
        return self.to_polars()

    def document(self) -> Document:
        """Return how far apart the pairs of systems are, who is ahead first and the largest effect first.

        Examples
        --------
        >>> scores = Scores(measure="P", values=[[.2, .3, .5], [.5, .7, .4]], systems="ab", topics="123")
        >>> print(effects(scores).document().tables[0].cells[0])
        ['b', 'a', '+0.2000', '[-0.4572, +0.8572]', '+0.76', '+0.67', '2–0–1']
        """
        found = list(combinations(range(len(self.systems)), 2))
        pairs = [(b, a) if self.cliffs_delta[a, b] < 0 else (a, b) for a, b in found]
        pairs.sort(key=lambda pair: -abs(float(np.nan_to_num(self.cohens_d[pair]))))
        columns = [
            Column("system", lambda pair: self.systems[pair[0]], left=True),
            Column("against", lambda pair: self.systems[pair[1]], left=True),
            Column("mean difference", lambda pair: _signed(self.mean_difference[pair], 4)),
            Column(f"{100 * self.confidence:.3g} % interval", self._interval),
            Column("d", lambda pair: _signed(self.cohens_d[pair], 2)),
            Column("delta", lambda pair: _signed(self.cliffs_delta[pair], 2)),
            Column("won–tied–lost", lambda pair: f"{self.wins[pair]}–{self.ties[pair]}–{self.losses[pair]}"),
        ]
        title = f"How far apart {counted(len(self.systems), 'system')} are under {self.measure}, topic by topic"
        legend = (
            "d: the mean difference over its spread; delta: how much more often the first scores higher than lower."
        )
        return Document([TableView(columns, pairs, title=title), legend], self.caveats)

    def _interval(self, pair: tuple[int, int]) -> str:
        low, high = self.low[pair], self.high[pair]
        return f"[{_signed(low, 4)}, {_signed(high, 4)}]" if isfinite(low) else "–"

    def columns(self) -> dict[str, Any]:
        """Return the columns of `table`, a list or an array each.

        Examples
        --------
        >>> scores = Scores(measure="P", values=[[.25, .5, .5], [.5, .75, .25]], systems="ab", topics="123")
        >>> columns = effects(scores).columns()
        >>> columns["a"], columns["wins"].tolist()
        (['a'], [1])
        """
        rows, columns = np.triu_indices(len(self.systems), 1)
        names = {
            name: [self.systems[place] for place in places.tolist()] for name, places in (("a", rows), ("b", columns))
        }
        return {**names, **{name: getattr(self, name)[rows, columns] for name in _NUMBERS}}

    def _main(self) -> TableView:
        columns = {name: values_of(column) for name, column in self.columns().items()}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return TableView([], rows, fields=EFFECTS)


def _signed(value: Any, places: int) -> str:
    return decimals(float(value), places, "+") if isfinite(value) else "–"


_NUMBERS = tuple(name for name in Effect.__annotations__ if name not in ("a", "b", "confidence"))

EFFECTS: Mapping[str, type] = {
    **dict.fromkeys(("a", "b"), str),
    **{name: int if name in ("topics", "wins", "ties", "losses") else float for name in _NUMBERS},
}
"""The columns of all effects, and their types."""


def effects(scores: Scores, confidence: float = 0.95, *, strict: bool = False) -> Effects:
    """Return how far apart every two systems are.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    confidence : float, default 0.95
        How sure the interval of the mean difference is to hold it.
    strict : bool, default False
        Whether to refuse scores that are on less than some effect needs.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> found = effects(scores)
    >>> found.wins.tolist(), round(found.of("a", "b").cohens_d, 4)
    ([[0, 2], [1, 0]], 0.7559)

    References
    ----------
    [Cohen1988]_; [Cliff1993]_; [Kerby2014]_
    """
    level(confidence, "confidence")
    caveats = {name: admitted(need, scores, strict=strict) for name, need in NEEDS.items()}
    wins, ties = wins_and_ties(scores)
    topics = wins + wins.T + ties
    shared = topics[np.triu_indices(len(topics), 1)]
    caveats["mean_difference"] += few_topics(shared, 2, "the interval of their mean difference is unbounded")
    mean, low, high = mean_differences(scores, confidence)
    return Effects(
        measure=scores.measure,
        systems=scores.systems,
        confidence=confidence,
        topics=topics,
        mean_difference=mean,
        low=low,
        high=high,
        cohens_d=cohens_d(scores),
        cohens_d_average=cohens_d_average(scores),
        rank_biserial=rank_biserial(scores),
        cliffs_delta=cliffs_delta(scores),
        wins=wins,
        ties=ties,
        losses=wins.T,
        caveats_by=caveats,
    )


def wins_and_ties(scores: Scores) -> tuple[IntArray, IntArray]:
    """Return on how many topics the row's system is ahead of the column's, and on how many both are level.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .7, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> wins, ties = wins_and_ties(scores)
    >>> wins.tolist(), ties.tolist()
    ([[0, 1], [1, 0]], [[3, 1], [1, 3]])
    """
    n = len(scores.systems)
    wins, ties = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    for topic in scores.goodness.T:
        # comparisons with NaN are false, so that a topic which one of the two left out counts for nobody
        wins += topic[:, None] > topic[None, :]
        ties += topic[:, None] == topic[None, :]
    return wins, ties


def cliffs_delta(scores: Scores) -> FloatArray:
    r"""Return Cliff's delta of every two systems: how much more often a score of the one is better than the other's.

    .. math:: \delta = P(X > Y) - P(X < Y)

    for a score X of the row's system and a score Y of the column's, each on any of its topics, turned round where
    lower is better. It is 0 where a system has no scores.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7], [.2, .6]], systems=("a", "b"), topics=("1", "2"))
    >>> cliffs_delta(scores).tolist()
    [[0.0, 0.5], [-0.5, 0.0]]

    References
    ----------
    [Cliff1993]_
    """
    present = ~np.isnan(scores.values)
    sizes = present.sum(axis=1)
    levels, places = np.unique(scores.goodness[present], return_inverse=True)
    systems, ahead = np.nonzero(present)[0], np.zeros((len(sizes), len(sizes)))
    below, step = np.zeros(len(sizes)), max(1, CELLS // max(1, len(sizes)))
    for start in range(0, len(levels), step):
        width = min(step, len(levels) - start)
        chosen = (places >= start) & (places < start + width)
        flat = systems[chosen] * width + places[chosen] - start
        counts = np.bincount(flat, minlength=len(sizes) * width).reshape(len(sizes), width).astype(np.float64)
        upto = below[:, None] + np.cumsum(counts, axis=1)
        # how many of a system's scores are below each level, less how many are above
        ahead += counts @ (2 * upto - counts - sizes[:, None]).T
        below = upto[:, -1]
    return np.asarray(ahead / np.maximum(1, np.outer(sizes, sizes)))


def mean_differences(scores: Scores, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    r"""Return the mean difference of every two systems with the ends of its t interval.

    .. math:: \bar d \pm t_{n-1} s / \sqrt{n}

    On one topic the interval is unbounded. The differences are those of the values as they are: where lower is
    better, a negative one is in favour of the row.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> mean, low, high = mean_differences(scores, 0.95)
    >>> mean.round(4)[0].tolist(), low.round(4)[0].tolist(), high.round(4)[0].tolist()
    ([0.0, 0.2], [0.0, -0.4572], [0.0, 0.8572])
    """
    n = len(scores.systems)
    mean = square(over_pairs(scores, lambda pairs: pairs.means), n, turned=True)
    half = square(over_pairs(scores, lambda pairs: _half_width(pairs, confidence)), n)
    return mean, mean - half, mean + half


def cohens_d(scores: Scores) -> FloatArray:
    r"""Return Cohen's d of paired differences, :math:`d_z = \bar d / s`.

    Without spread it is 0 if the systems are alike, and else infinite. It is positive where the row is ahead.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d(scores).round(4).tolist()
    [[0.0, 0.7559], [-0.7559, 0.0]]

    References
    ----------
    [Cohen1988]_
    """
    found = over_pairs(scores.by_goodness(), lambda pairs: in_units_of(pairs.spreads, pairs.means))
    return np.asarray(square(found, len(scores.systems), turned=True))


def cohens_d_average(scores: Scores) -> FloatArray:
    r"""Return Cohen's d in units of the scores themselves, :math:`\bar d / \tfrac12 (s_a + s_b)`.

    It is positive where the row is ahead.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d_average(scores).round(4).tolist()
    [[0.0, 1.3093], [-1.3093, 0.0]]

    References
    ----------
    [Cohen1988]_
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        ours, theirs = pairs.own_spreads
        return in_units_of((ours + theirs) / 2, pairs.means)

    return np.asarray(square(over_pairs(scores.by_goodness(), of_block), len(scores.systems), turned=True))


def rank_biserial(scores: Scores) -> FloatArray:
    r"""Return the matched-pairs rank-biserial correlation: signed ranks for the one system less those for the other.

    .. math:: r = (R_+ - R_-) / (R_+ + R_-)

    where the sizes of the differences are ranked, equal sizes sharing a rank, and zeros are left out, as for the
    signed rank test. It is positive where the row is ahead, and 0 if no topic differs.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> rank_biserial(scores).round(4).tolist()
    [[0.0, 0.6667], [-0.6667, 0.0]]

    References
    ----------
    [Kerby2014]_
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        signs, sizes = difference_sizes(pairs)
        ranks = mid_ranks(sizes).ranks
        return np.asarray((signs * ranks).sum(axis=1) / np.maximum(1.0, ranks.sum(axis=1)))

    return np.asarray(
        square(over_pairs(scores.by_goodness(), of_block, exactly=True), len(scores.systems), turned=True)
    )


def _half_width(pairs: PairBlock, confidence: float) -> FloatArray:
    from scipy.special import stdtrit

    n = np.maximum(1, pairs.topics)
    beyond = stdtrit(np.maximum(1, n - 1), (1 + confidence) / 2)
    return np.where(n > 1, beyond * pairs.spreads / np.sqrt(n), np.inf)
