"""Effect sizes: how far apart every two systems are, in several units, each with the scale it needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat
from measurand.exact import decimals
from measurand.scale import Scale
from measurand.scores import Need, Scores, place_of
from measurand.statistics.all_pairs import frozen_counts, frozen_numbers, read_only
from measurand.statistics.levels import level
from measurand.statistics.needs import admitted
from measurand.statistics.ordinal_effects import cliffs_delta, wins_and_ties
from measurand.statistics.paired_effects import cohens_d, cohens_d_average, mean_differences, rank_biserial
from measurand.statistics.pairs import few_topics

if TYPE_CHECKING:
    import polars as pl

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


@frozen(kw_only=True)
class Effect:
    """How far apart two systems are: positive where the first is ahead, whichever values are better.

    The mean difference and its interval alone are told in the values as they are, first minus second: where lower is
    better, they are negative if the first is ahead.

    Parameters
    ----------
    topics
        How many topics both have.
    mean_difference, low, high
        The mean difference with its t interval.
    cohens_d
        The mean difference in units of the spread of differences.
    cohens_d_average
        The same in units of the mean spread of both systems' scores.
    rank_biserial
        Signed ranks of differences for the first less those for the second, from -1 to 1.
    cliffs_delta
        How much more often a score of the first is better than one of the second than the reverse, from -1 to 1.
    wins, ties, losses
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
class Effects:
    """How far apart every two systems are; arrays are systems × systems, positive where the row is ahead.

    The mean difference and its interval alone are told in the values as they are, row minus column.

    Parameters
    ----------
    confidence
        How sure the interval from `low` to `high` is to hold the mean difference.
    caveats_by
        What limits the meaning of each effect, by the names of `NEEDS`.

    The other fields are those of `Effect`.
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
        return f"<effects of {self.measure}: {len(self.systems)} systems>"

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(Effects, **asdict(self, recurse=False) | {"caveats_by": dict(self.caveats_by)}), ()

    @property
    def needs(self) -> Mapping[str, Need]:
        """What each effect needs, so that no permissible rescaling changes what it says."""
        return NEEDS

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What limits the meaning of any of the effects."""
        return tuple(dict.fromkeys(caveat for caveats in self.caveats_by.values() for caveat in caveats))

    def of(self, a: str, b: str) -> Effect:
        """Return the effects of one system against another."""
        row, column = (place_of(system, self.systems) for system in (a, b))
        numbers = {name: getattr(self, name)[row, column].item() for name in _NUMBERS}
        return Effect(a=a, b=b, confidence=self.confidence, **numbers)

    def table(self) -> pl.DataFrame:
        """Return a row for every pair: both systems and all effects."""
        import polars as pl

        rows, columns = np.triu_indices(len(self.systems), 1)
        names = np.array(self.systems, dtype=object)
        numbers = {name: getattr(self, name)[rows, columns] for name in _NUMBERS}
        return pl.DataFrame({"a": list(names[rows]), "b": list(names[columns]), **numbers})


_NUMBERS = tuple(name for name in Effect.__annotations__ if name not in ("a", "b", "confidence"))


def effects(scores: Scores, confidence: float = 0.95, *, strict: bool = False) -> Effects:
    """Return how far apart every two systems are.

    Parameters
    ----------
    confidence
        How sure the interval of the mean difference is to hold it.
    strict
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
