"""Topics under one measure: how hard each is, how far systems lie apart there, and whether it keeps their order."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from measurand.arrays import FloatArray, IntArray
from measurand.scores import Scores
from measurand.statistics import kendall

SAME = 12
"""Mean ranks that agree in so many decimals are one."""


@frozen(kw_only=True, eq=False, repr=False)
class TopicFacts:
    """What the scores of all systems say of each topic; NaN where no system has a score.

    Parameters
    ----------
    median, low, high
        The median, the least and the greatest score over the systems.
    spread
        The distance between the quartiles of the scores: half of the systems lie within it.
    tau
        Kendall's tau-b between the scores on the topic and the mean ranks over all topics; NaN where all tie.
    best
        The places of the systems with the best score.
    overall
        The place of each system by mean rank within topics, 1 the best; those that tie share a place, and 0 is none.
    """

    scores: Scores
    median: FloatArray
    low: FloatArray
    high: FloatArray
    spread: FloatArray
    tau: FloatArray
    best: tuple[tuple[int, ...], ...]
    overall: IntArray

    def __repr__(self) -> str:
        return f"<TopicFacts of {len(self.median)} topics under {self.scores.measure}>"

    @property
    def ease(self) -> FloatArray:
        """The median, turned round where lower is better: the lower, the harder the topic."""
        return -self.median if self.scores.lower_is_better else self.median

    def first(self, keys: FloatArray, count: int, among: NDArray[np.bool_] | None = None) -> list[int]:
        """Return the topics with the lowest keys, in the order of the topics where these are equal.

        Parameters
        ----------
        among
            The topics to look at; all that have a key if nothing is said.
        """
        # numbers that differ in the last bits alone are equal
        there = ~np.isnan(keys) if among is None else ~np.isnan(keys) & among
        found = [place for place in np.argsort(np.round(keys, SAME), kind="stable").tolist() if there[place]]
        return found[:count]


def topic_facts(scores: Scores) -> TopicFacts:
    """Return what the scores of all systems say of each topic.

    Examples
    --------
    >>> values = [[0.9, 0.1, 0.5], [0.5, 0.3, 0.25], [0.1, 0.2, 0.0]]
    >>> found = topic_facts(Scores(measure="AP", values=values, systems="abc", topics="123"))
    >>> found.median.tolist(), found.best, found.overall.tolist()
    ([0.5, 0.2, 0.25], ((0,), (1,), (0,)), [1, 1, 3])
    >>> found.first(found.ease, 1), found.first(found.tau, 1)
    ([1], [1])
    """
    values = scores.values
    there = ~np.isnan(values).all(axis=0)
    numbers = np.full((5, values.shape[1]), np.nan)
    # numpy complains of averages of nothing
    numbers[:, there] = np.nanquantile(values[:, there], [0, 0.25, 0.5, 0.75, 1], axis=0)
    low, first, median, third, high = numbers
    best = np.where(there, high if not scores.lower_is_better else low, np.inf)
    ranks = np.round(scores.mean_rank().values, SAME)
    return TopicFacts(
        scores=scores,
        median=median,
        low=low,
        high=high,
        spread=third - first,
        tau=_taus(scores, ranks),
        best=tuple(tuple(np.flatnonzero(column == top).tolist()) for column, top in zip(values.T, best, strict=True)),
        overall=np.array([0 if rank != rank else 1 + int((ranks < rank).sum()) for rank in ranks], dtype=np.int64),
    )


def _taus(scores: Scores, ranks: FloatArray) -> FloatArray:
    """Return how alike each topic and all topics together rank the systems."""
    if len(scores.systems) < 2:
        return np.full(len(scores.topics), np.nan)
    everywhere = np.repeat(ranks[:, None], len(scores.topics), axis=1)
    overall = evolve(scores, measure="mean rank", values=everywhere, lower_is_better=True)
    return np.array(kendall(scores, overall, kind="topic").by_topic)
