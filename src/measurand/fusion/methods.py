"""The methods of fusion: how the rankings of several runs make one value for each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, Doubt, InputError, ParameterError
from measurand.execution import Progress
from measurand.fusion.majority import Ballots, copeland, stationary
from measurand.fusion.normalisation import AsTheyAre, MinMax, Ranks, ScoreTerms, Shares
from measurand.fusion.pool import Pool
from measurand.fusion.settling import settled
from measurand.fusion.standard_scores import StandardScores
from measurand.fusion.terms import Itself, Logarithm, OfRank, RankTerms, Reciprocal
from measurand.fusion.values import Middle, Middles, Number, Sums
from measurand.information.counting import count_outscorers

METHODS: Mapping[str, str] = {
    "information": "the information that the runs give together: few documents are as high in every run",
    "bordalog": "the mean logarithm of the ranks, the lower the better",
    "borda": "the mean rank, the lower the better",
    "rrf": "reciprocal rank fusion: the sum of 1 / (k + rank)",
    "isr": "the sum of 1 / rank squared, times the number of runs that retrieve the document",
    "logisr": "the sum of 1 / rank squared, times the logarithm of the number of runs that retrieve the document",
    "combsum": "the sum of the normalised scores",
    "combmnz": "the sum of the normalised scores, times the number of runs that retrieve the document",
    "combanz": "the mean normalised score over the runs that retrieve the document",
    "combmax": "the highest normalised score",
    "combmin": "the lowest normalised score over the runs that retrieve the document",
    "combmed": "the median normalised score over the runs that retrieve the document",
    "condorcet": "the number of documents that a majority of runs puts below (Copeland), ties counting half",
    "mc4": "how often a walk that follows majorities comes by (an estimate)",
}
"""What can be asked of `fuse`, each with what is taken of a document."""

REFERENCES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("information", "bordalog"), ("Amigo2018",)),
    "borda": ("AslamMontague2001", "Amigo2018"),
    "rrf": ("Cormack2009",),
    **dict.fromkeys(("isr", "logisr"), ("Mourao2015",)),
    **dict.fromkeys(("combsum", "combmnz", "combanz", "combmax", "combmin", "combmed"), ("FoxShaw1994",)),
    "condorcet": ("MontagueAslam2002", "Copeland1951"),
    "mc4": ("Dwork2001",),
}
"""The keys of what to cite for each method."""

SIZED = ("information", "bordalog", "borda")
"""The methods in which the size of the collection plays a part."""

HUGE = 1e280
"""Scores above this cannot be added."""


@frozen(eq=False)
class Setting:
    """What is fused, and how.

    Parameters
    ----------
    norm
        The normalisation of scores; None where only ranks count.
    weights
        By run, all above 0.
    shared
        Whether documents of equal score share a rank.
    """

    pool: Pool
    norm: str | None
    weights: tuple[Fraction, ...]
    k: Fraction
    shared: bool
    collection_size: int | None
    depth: int | None
    progress: Progress

    @property
    def ranks(self) -> IntArray:
        """The rank of each entry."""
        return self.pool.ranks(shared=self.shared)


Fused = tuple[FloatArray, tuple[Caveat, ...]]
"""A value for each document of a pool, and what to know about them."""


def _by_rank(function: Callable[[Setting], OfRank], number: Number = Number.NOTHING) -> Callable[[Setting], Fused]:
    """Return the method that adds a function of the rank over the runs that retrieve a document."""

    def fused(setting: Setting) -> Fused:
        terms = RankTerms(setting.pool, setting.ranks, setting.weights, function(setting))
        return settled(Sums(terms, number), setting.pool.topic, setting.depth), ()

    return fused


def _by_mean_rank(function: OfRank) -> Callable[[Setting], Fused]:
    """Return the method that takes minus the mean of a function of the rank over all runs."""

    def fused(setting: Setting) -> Fused:
        pool, total = setting.pool, sum(setting.weights)
        size = setting.collection_size
        last = pool.longest + 1 if size is None else np.full_like(pool.longest, size)
        shares = tuple(-weight / total for weight in setting.weights)
        terms = RankTerms(pool, setting.ranks, shares, function)
        return settled(Sums(terms, unretrieved=last), pool.topic, setting.depth), ()

    return fused


_TERMS: Mapping[str, type[ScoreTerms]] = {
    "min-max": MinMax,
    "z-score": StandardScores,
    "sum": Shares,
    "rank": Ranks,
    "none": AsTheyAre,
}


def _terms(setting: Setting, *, from_lowest: bool) -> tuple[ScoreTerms, tuple[Caveat, ...]]:
    """Return the normalised scores, and what to know about them."""
    pool, norm = setting.pool, str(setting.norm)
    if norm == "none" and np.abs(pool.score).max() > HUGE:
        raise InputError(f"scores as large as {np.abs(pool.score).max():g} cannot be added; take norm='min-max'")
    numbers = setting.ranks.astype(np.float64) if norm == "rank" else pool.score
    terms = _TERMS[norm](pool, numbers, setting.weights, from_lowest)
    below = int(terms.below_zero.sum()) if isinstance(terms, AsTheyAre) else 0
    if not below:
        return terms, ()
    text = (
        f"{below} of {len(pool.sizes)} rankings have scores below 0; each of them is counted from its lowest score,"
        " so that a document that a run leaves out gains nothing by it"
    )
    return terms, (Caveat(Doubt.ASSUMPTION, text),)


def _by_score(number: Number, *, from_lowest: bool) -> Callable[[Setting], Fused]:
    """Return the method that adds normalised scores."""

    def fused(setting: Setting) -> Fused:
        terms, caveats = _terms(setting, from_lowest=from_lowest)
        return settled(Sums(terms, number), setting.pool.topic, setting.depth), caveats

    return fused


def _by_middle(middle: Middle) -> Callable[[Setting], Fused]:
    """Return the method that takes one of the normalised scores."""

    def fused(setting: Setting) -> Fused:
        terms, caveats = _terms(setting, from_lowest=False)
        return settled(Middles.of(terms, middle), setting.pool.topic, setting.depth), caveats

    return fused


def _by_majority(score: Callable[[Ballots], FloatArray]) -> Callable[[Setting], Fused]:
    """Return the method that looks at which of two documents most runs put above the other."""

    def fused(setting: Setting) -> Fused:
        pool, ranks = setting.pool, setting.ranks
        found = np.empty(len(pool))
        for topic in setting.progress(range(len(pool.topics)), len(pool.topics), "topics"):
            found[pool.bounds[topic] : pool.bounds[topic + 1]] = score(Ballots.of(pool, topic, ranks, setting.weights))
        return found, ()

    return fused


def _by_information(setting: Setting) -> Fused:
    if len(set(setting.weights)) > 1:
        raise ParameterError("weights mean nothing to the method information: of each run only the order counts")
    pool, ranks = setting.pool, setting.ranks
    found, run, topic_of = np.empty(len(pool)), pool.run, pool.ranking_topic[pool.ranking]
    entries = np.argsort(topic_of, kind="stable")
    bounds = np.searchsorted(topic_of[entries], np.arange(len(pool.topics) + 1))
    for topic in setting.progress(range(len(pool.topics)), len(pool.topics), "topics"):
        start, stop = pool.bounds[topic : topic + 2].tolist()
        mine = entries[bounds[topic] : bounds[topic + 1]]
        levels = np.zeros((stop - start, len(pool.runs)), dtype=np.int64)
        levels[pool.document[mine] - start, run[mine]] = int(pool.longest[topic]) + 1 - ranks[mine]
        size = stop - start if setting.collection_size is None else setting.collection_size
        found[start:stop] = np.log(size / count_outscorers(levels))
    return found, ()


FUSED: Mapping[str, Callable[[Setting], Fused]] = {
    "information": _by_information,
    "bordalog": _by_mean_rank(Logarithm()),
    "borda": _by_mean_rank(Itself()),
    "rrf": _by_rank(lambda setting: Reciprocal(setting.k, 1)),
    "isr": _by_rank(lambda _: Reciprocal(Fraction(0), 2), Number.TIMES),
    "logisr": _by_rank(lambda _: Reciprocal(Fraction(0), 2), Number.LOG),
    "combsum": _by_score(Number.NOTHING, from_lowest=True),
    "combmnz": _by_score(Number.TIMES, from_lowest=True),
    "combanz": _by_score(Number.OVER, from_lowest=False),
    "combmax": _by_middle(Middle.HIGHEST),
    "combmin": _by_middle(Middle.LOWEST),
    "combmed": _by_middle(Middle.MEDIAN),
    "condorcet": _by_majority(copeland),
    "mc4": _by_majority(stationary),
}
"""How each of `METHODS` is computed."""
