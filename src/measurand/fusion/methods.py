"""The methods of fusion: how the rankings of several runs make one value for each document.

`SAME_JUDGMENTS` is the caveat of fusions that are scored beside the systems that they are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, CaveatKind, InputError, ParameterError
from measurand.execution import Progress
from measurand.fusion.majority import Ballots, copeland, stationary
from measurand.fusion.normalisation import below_zero, normalised_ranks, normalised_scores
from measurand.fusion.pool import Pool
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
    "mc4": "how often a walk comes by that follows majorities of the runs that retrieve both documents (an estimate)",
}
"""The methods of `fuse`, each with the fused score of a document in words."""

REFERENCES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("information", "bordalog"), ("Amigo2018", "Amigo2017")),
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


SAME_JUDGMENTS = Caveat(
    CaveatKind.ASSUMPTION,
    "systems and fusions are scored on the same judgments, and every fusion draws on every system:"
    " what is best here may not be best on other topics",
)
"""What is to be known wherever fusions are scored beside the systems that they are made of."""

TOLERANCE = 1e-12
"""Fused scores that differ by at most this, relative to their size, are equal."""


@frozen(eq=False)
class Setting:
    """What is fused, and how.

    Parameters
    ----------
    pool : Pool
        The runs, by topic and document.
    norm : str or None
        The normalisation of scores; None where only ranks count.
    weights : tuple of Fraction
        By run, all above 0.
    k : Fraction
        The constant of rrf.
    shared : bool
        Whether documents of equal score share a rank.
    collection_size : int or None
        How many documents there are, if that is known.
    progress : Progress
        Shows progress.
    known_ranks : array of int, optional
        The rank of each entry, where it has been computed before.
    """

    pool: Pool
    norm: str | None
    weights: tuple[Fraction, ...]
    k: Fraction
    shared: bool
    collection_size: int | None
    progress: Progress
    known_ranks: IntArray | None = None

    @property
    def ranks(self) -> IntArray:
        """The rank of each entry."""
        return self.pool.ranks(shared=self.shared) if self.known_ranks is None else self.known_ranks

    def weighted(self, terms: FloatArray) -> FloatArray:
        """Return the terms of all entries, times the weights of their runs."""
        if set(self.weights) == {Fraction(1)}:
            return terms
        return np.asarray(terms * np.array(self.weights, dtype=np.float64)[self.pool.run])


@frozen(eq=False)
class Fused:
    """A value for each document of a pool.

    Parameters
    ----------
    values : array of float
        The values, the higher the better.
    sizes : array of float or None
        By topic the largest term, where terms of both signs may cancel; None if a value is as large as its terms.
    caveats : tuple of Caveat
        What to know about the values.
    """

    values: FloatArray
    sizes: FloatArray | None = None
    caveats: tuple[Caveat, ...] = ()


Method = Callable[[Setting], Fused]
"""A way to fuse."""

_OfNumber = Callable[[IntArray], Any]


def with_ties(fused: Fused, topic: IntArray) -> FloatArray:
    """Return fused values in which those of a topic that are too close to call are equal.

    Values tie with the highest of a group if they differ from it by at most `TOLERANCE` times its size (times the
    largest term of the topic, where terms may cancel); all get that highest value.

    Parameters
    ----------
    fused : Fused
        The values as computed.
    topic : array of int
        The topic of each value; topics are not compared with each other.

    Examples
    --------
    >>> with_ties(Fused(np.array([0.3, 0.1 + 0.2, 0.4, 0.3])), np.array([0, 0, 0, 1])).tolist()
    [0.30000000000000004, 0.30000000000000004, 0.4, 0.3]
    """
    order = np.lexsort((-fused.values, topic))
    values, owner = fused.values[order], topic[order]
    size = np.abs(values) if fused.sizes is None else fused.sizes[owner]
    slack = TOLERANCE * size
    fresh = np.concatenate(([True], (values[:-1] - values[1:] > slack[:-1]) | (owner[1:] != owner[:-1])))[: len(values)]
    while True:
        first = np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
        far = values[first] - values > slack[first]
        if not far.any():
            break
        # the highest of each group that is too far from its first begins a group of its own
        fresh |= far & ~np.concatenate(([False], far[:-1] & (first[1:] == first[:-1])))
    found = np.empty_like(values)
    found[order] = values[first]
    return found


def _by_rank(function: Callable[[Setting, IntArray], FloatArray], number: _OfNumber | None = None) -> Method:
    """Return the method that adds a function of the rank over the runs that retrieve a document."""

    def fused(setting: Setting) -> Fused:
        found = setting.pool.added(setting.weighted(_at_ranks(setting, function)))
        return Fused(found if number is None else found * number(setting.pool.number))

    return fused


def _by_mean_rank(function: Callable[[IntArray], FloatArray]) -> Method:
    """Return the method that takes minus the mean of a function of the rank over all runs."""

    def fused(setting: Setting) -> Fused:
        pool, size = setting.pool, setting.collection_size
        last = pool.longest + 1 if size is None else np.full_like(pool.longest, size)
        total = sum(setting.weights)
        shares = np.array([-weight / total for weight in setting.weights], dtype=np.float64)
        terms = _at_ranks(setting, lambda _, ranks: function(ranks)) * shares[pool.run]
        missing = shares.sum() - pool.added(shares[pool.run])
        return Fused(pool.added(terms) + missing * function(last)[pool.topic])

    return fused


def _at_ranks(setting: Setting, function: Callable[[Setting, IntArray], FloatArray]) -> FloatArray:
    """Return a function of the rank of each entry, computed once for every rank."""
    ranks = setting.ranks
    return function(setting, np.arange(1, int(ranks.max(initial=0)) + 1))[ranks - 1]


def _by_score(number: _OfNumber | None = None, *, from_lowest: bool) -> Method:
    """Return the method that adds normalised scores."""

    def fused(setting: Setting) -> Fused:
        pool, (terms, caveats) = setting.pool, _terms(setting, from_lowest=from_lowest)
        found = pool.added(terms)
        sizes = _sizes(pool, terms)
        return Fused(found if number is None else found * number(pool.number), sizes, caveats)

    return fused


def _by_middle(places: Callable[[IntArray], tuple[IntArray, IntArray]]) -> Method:
    """Return the method that takes one of the normalised scores, or the mean of two.

    Parameters
    ----------
    places
        Which two, of so many from the highest to the lowest.
    """

    def fused(setting: Setting) -> Fused:
        pool, (terms, caveats) = setting.pool, _terms(setting, from_lowest=False)
        ordered = terms[np.lexsort((-terms, pool.document))]
        one, other = (ordered[pool.starts[:-1] + place] for place in places(pool.number))
        return Fused(one / 2 + other / 2, _sizes(pool, terms), caveats)

    return fused


def _terms(setting: Setting, *, from_lowest: bool) -> tuple[FloatArray, tuple[Caveat, ...]]:
    """Return the normalised and weighted score of each entry, and what to know about them."""
    pool, norm = setting.pool, str(setting.norm)
    if norm == "rank":
        return setting.weighted(normalised_ranks(pool, setting.ranks)), ()
    if norm == "none" and np.abs(pool.score).max() > HUGE:
        raise InputError(f"scores as large as {np.abs(pool.score).max():g} cannot be added; take norm='min-max'")
    terms = setting.weighted(normalised_scores(pool, norm, from_lowest=from_lowest))
    below = int(below_zero(pool).sum()) if norm == "none" and from_lowest else 0
    if not below:
        return terms, ()
    text = (
        f"{below} of {len(pool.sizes)} rankings have scores below 0; each of them is counted from its lowest score,"
        " so that a document that a run leaves out gains nothing by it"
    )
    return terms, (Caveat(CaveatKind.ASSUMPTION, text),)


def _sizes(pool: Pool, terms: FloatArray) -> FloatArray | None:
    """Return the size of the largest term of each topic, or None if no term is negative."""
    if (terms >= 0).all():
        return None
    found = np.zeros(len(pool.topics))
    np.maximum.at(found, pool.ranking_topic, np.maximum.reduceat(np.abs(terms), pool.ranking_bounds[:-1]))
    return found


def _by_majority(score: Callable[[Ballots], FloatArray]) -> Method:
    """Return the method that compares every two documents by which of them most runs put above the other."""

    def fused(setting: Setting) -> Fused:
        pool, ranks = setting.pool, setting.ranks
        found = np.empty(len(pool))
        for topic in setting.progress(range(len(pool.topics)), len(pool.topics), "topics"):
            found[pool.bounds[topic] : pool.bounds[topic + 1]] = score(Ballots.of(pool, topic, ranks, setting.weights))
        return Fused(found)

    return fused


def _by_information(setting: Setting) -> Fused:
    if len(set(setting.weights)) > 1:
        raise ParameterError("weights mean nothing to the method information: of each run only the order counts")
    pool, found = setting.pool, np.empty(len(setting.pool))
    for topic, _, levels in levels_by_topic(pool, setting.ranks, setting.progress):
        size = len(levels) if setting.collection_size is None else setting.collection_size
        found[pool.bounds[topic] : pool.bounds[topic + 1]] = np.log(size / count_outscorers(levels))
    return Fused(found)


def levels_by_topic(pool: Pool, ranks: IntArray, progress: Progress) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Yield for each topic its place, its entries, and how high each of its documents is in each run.

    Parameters
    ----------
    pool
        The runs, by topic and document.
    ranks
        The rank of each entry.
    progress
        Shows how many topics are done.
    """
    run, topic_of = pool.run, pool.ranking_topic[pool.ranking]
    entries = np.argsort(topic_of, kind="stable")
    bounds = np.searchsorted(topic_of[entries], np.arange(len(pool.topics) + 1))
    for topic in progress(range(len(pool.topics)), len(pool.topics), "topics"):
        start, stop = pool.bounds[topic : topic + 2].tolist()
        mine = entries[bounds[topic] : bounds[topic + 1]]
        levels = np.zeros((stop - start, len(pool.runs)), dtype=np.int64)
        levels[pool.document[mine] - start, run[mine]] = int(pool.longest[topic]) + 1 - ranks[mine]
        yield topic, mine, levels


FUSED: Mapping[str, Method] = {
    "information": _by_information,
    "bordalog": _by_mean_rank(np.log),
    "borda": _by_mean_rank(lambda ranks: ranks.astype(np.float64)),
    "rrf": _by_rank(lambda setting, ranks: 1 / (ranks + float(setting.k))),
    "isr": _by_rank(lambda _, ranks: 1.0 / ranks**2, lambda number: number),
    "logisr": _by_rank(lambda _, ranks: 1.0 / ranks**2, np.log),
    "combsum": _by_score(from_lowest=True),
    "combmnz": _by_score(lambda number: number, from_lowest=True),
    "combanz": _by_score(lambda number: 1 / number, from_lowest=False),
    "combmax": _by_middle(lambda number: (0 * number, 0 * number)),
    "combmin": _by_middle(lambda number: (number - 1, number - 1)),
    "combmed": _by_middle(lambda number: (number // 2, (number - 1) // 2)),
    "condorcet": _by_majority(copeland),
    "mc4": _by_majority(stationary),
}
"""How each of `METHODS` is computed."""
