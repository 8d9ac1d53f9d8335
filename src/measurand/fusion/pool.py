"""The pool: the runs that are fused with their weights, and what they retrieve for each topic, document by document.

Every document that a run retrieves is an *entry*. Entries stand run by run and topic by topic, so that a ranking (one
run on one topic) is a slice of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

import measurand.native as native
from measurand.arrays import BoolArray, FloatArray, IntArray, Keys
from measurand.errors import InputError, ParameterError, quoted
from measurand.exact import rational
from measurand.judged import Results, bounds_of
from measurand.judged.content import documents_at
from measurand.judged.names import Names
from measurand.judged.ranking import Precision, Ties, rank
from measurand.scores.summary import unlike
from measurand.trec import read_run, read_runs
from measurand.trec.files import is_file
from measurand.trec.read import is_one
from measurand.trec.sources import is_by_name, looked_at, settled

if TYPE_CHECKING:
    from measurand.judged.content import Documents

LARGE = 300_000
"""From so many entries on, comparing hashes costs less than looking names up one by one."""


@frozen(eq=False, repr=False)
class Pool:
    """The documents that some runs retrieve, topic by topic, and where each run has them.

    Parameters
    ----------
    topics, bounds, documents
        The documents of each topic, every document once, as in `Results`.
    document
        For each entry the place of its document in `documents`.
    score
        For each entry its score.
    ranking_bounds, ranking_run, ranking_topic
        For each ranking where its entries start (and where the last one's end), whose it is, and on which topic.
    """

    runs: tuple[Results, ...]
    topics: tuple[str, ...]
    bounds: IntArray
    documents: Documents
    document: IntArray
    score: FloatArray
    ranking_bounds: IntArray
    ranking_run: IntArray
    ranking_topic: IntArray

    @classmethod
    def of(cls, runs: Sequence[Results], topics: tuple[str, ...]) -> Pool:
        """Return what some runs retrieve for some topics, which are all for which they retrieve something.

        Examples
        --------
        >>> scores = {"a": {"x": 2.0, "y": 1.0}, "b": {"y": 3.0}}
        >>> pool = Pool.of([Results.from_mapping(name, {"1": scores[name]}) for name in scores], ("1",))
        >>> pool.documents, pool.document.tolist(), pool.number.tolist()
        (['x', 'y'], [0, 1, 1], [1, 2])
        """
        place = {topic: i for i, topic in enumerate(topics)}
        sizes = np.concatenate([np.diff(run.bounds) for run in runs])
        there = sizes > 0
        ranking_run = np.repeat(np.arange(len(runs)), [len(run.topics) for run in runs])[there]
        ranking_topic = np.array([place.get(topic, -1) for run in runs for topic in run.topics], dtype=np.int64)[there]
        ranking_bounds = bounds_of(sizes[there])
        coded = _by_hash if _is_large(runs) else _by_dictionary
        bounds, documents, document = coded(runs, len(topics), ranking_bounds, ranking_topic)
        score = np.concatenate([run.document_scores for run in runs])
        return cls(tuple(runs), topics, bounds, documents, document, score, ranking_bounds, ranking_run, ranking_topic)

    def __len__(self) -> int:
        return len(self.documents)

    def span(self, run: int) -> slice:
        """Return where the entries of a run stand.

        Parameters
        ----------
        run
            The place of the run.
        """
        first, last = np.searchsorted(self.ranking_run, [run, run + 1])
        return slice(int(self.ranking_bounds[first]), int(self.ranking_bounds[last]))

    def without(self, run: int) -> Pool:
        """Return what all runs but one retrieve; topics of that run alone are gone.

        Parameters
        ----------
        run
            The place of the run that is left out.

        Examples
        --------
        >>> scores = {"a": {"x": 2.0, "y": 1.0}, "b": {"y": 3.0}, "c": {"z": 1.0}}
        >>> pool = Pool.of([Results.from_mapping(name, {"1": scores[name]}) for name in scores], ("1",))
        >>> pool.without(0).documents, pool.without(0).document.tolist()
        (['y', 'z'], [0, 1])
        """
        span, rankings = self.span(run), self.ranking_run != run
        kept = self.number > np.bincount(self.document[span], minlength=len(self))
        code = np.cumsum(kept) - 1
        sizes = np.bincount(self.topic[kept], minlength=len(self.topics))
        there = sizes > 0
        return Pool(
            (*self.runs[:run], *self.runs[run + 1 :]),
            tuple(compress(self.topics, there.tolist())),
            bounds_of(sizes[there]),
            documents_at(self.documents, np.flatnonzero(kept)),
            code[np.delete(self.document, span)],
            np.delete(self.score, span),
            bounds_of(self.sizes[rankings]),
            self.ranking_run[rankings] - (self.ranking_run[rankings] > run),
            (np.cumsum(there) - 1)[self.ranking_topic[rankings]],
        )

    @cached_property
    def sizes(self) -> IntArray:
        """How many documents each ranking has."""
        return np.diff(self.ranking_bounds)

    @cached_property
    def ranking(self) -> IntArray:
        """Which ranking each entry stands in."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def run(self) -> IntArray:
        """Which run each entry is of."""
        return np.repeat(self.ranking_run, self.sizes)

    @cached_property
    def topic(self) -> IntArray:
        """Which topic each document of the pool is of."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.bounds))

    @cached_property
    def number(self) -> IntArray:
        """How many runs retrieve each document of the pool."""
        return np.bincount(self.document, minlength=len(self))

    @cached_property
    def starts(self) -> IntArray:
        """Where the entries of each document start, document by document."""
        return bounds_of(self.number)

    @cached_property
    def longest(self) -> IntArray:
        """The length of the longest ranking of each topic."""
        found = np.zeros(len(self.topics), dtype=np.int64)
        np.maximum.at(found, self.ranking_topic, self.sizes)
        return found

    def added(self, numbers: FloatArray) -> FloatArray:
        """Return the sum over the entries of each document."""
        return np.asarray(np.bincount(self.document, numbers, minlength=len(self)), dtype=np.float64)

    def ranks(self, *, shared: bool) -> IntArray:
        """Return the rank of every entry in its ranking.

        Parameters
        ----------
        shared
            Whether documents of equal score share a rank, the number of documents with at least that score; otherwise
            they stand by identifier, last first.
        """
        found, offset = np.empty(len(self.score), dtype=np.int64), 0
        for run in self.runs:
            found[offset : offset + len(run)] = _shared_ranks(run) if shared else _ranks(run)
            offset += len(run)
        return found


def _ranks(run: Results) -> IntArray:
    """Return the ranks of the rows of a run, documents of equal score by identifier, last first."""
    found = np.empty(len(run), dtype=np.int64)
    rows = rank(run, np.arange(len(run.topics)), Ties.TREC, Precision.DOUBLE).rows
    found[rows] = np.arange(1, len(run) + 1) - np.repeat(run.bounds[:-1], np.diff(run.bounds))
    return found


def _shared_ranks(run: Results) -> IntArray:
    """Return for each row of a run how many of its topic have at least its score."""
    sizes = np.diff(run.bounds)
    starts, scores, order = np.repeat(run.bounds[:-1], sizes), run.document_scores, None
    same = starts[1:] == starts[:-1]
    if (same & (scores[1:] > scores[:-1])).any():
        order = np.lexsort((-scores, starts))
        scores = scores[order]
    places = np.arange(1, len(run) + 1) - starts
    last = np.append(~(same & (scores[1:] == scores[:-1])), True)
    if not last.all():
        ends = np.flatnonzero(last)
        places = places[np.repeat(ends, np.diff(ends, prepend=-1))]
    if order is None:
        return places
    found = np.empty_like(places)
    found[order] = places
    return found


def _is_large(runs: Sequence[Results]) -> bool:
    return native.is_there() and sum(map(len, runs)) >= LARGE


def _by_dictionary(
    runs: Sequence[Results], topics: int, ranking_bounds: IntArray, ranking_topic: IntArray
) -> tuple[IntArray, list[str], IntArray]:
    """Return the bounds of the topics, their documents, and the document of each entry."""
    names = [name for run in runs for name in run.documents]
    seen: list[dict[str, int]] = [{} for _ in range(topics)]
    codes: list[int] = []
    for topic, (start, stop) in zip(ranking_topic.tolist(), pairwise(ranking_bounds.tolist()), strict=True):
        table = seen[topic]
        codes += [table.setdefault(name, len(table)) for name in names[start:stop]]
    bounds = bounds_of([len(table) for table in seen])
    document = np.array(codes, dtype=np.int64) + np.repeat(bounds[:-1][ranking_topic], np.diff(ranking_bounds))
    return bounds, [name for table in seen for name in table], document


def _by_hash(
    runs: Sequence[Results], topics: int, ranking_bounds: IntArray, ranking_topic: IntArray
) -> tuple[IntArray, Documents, IntArray]:
    """Return the same, from the hashes of the names: they propose, and equality of the names decides."""
    names = Names.joined([Names.of(run.documents) for run in runs])
    hashes = names.hashes
    document, first = np.empty(len(hashes), dtype=np.int64), []
    sizes, found = [], 0
    for entries in _entries_by_topic(topics, ranking_bounds, ranking_topic):
        order = entries[np.argsort(hashes[entries], kind="stable")]
        fresh = _changes(hashes[order])
        appearances = order[fresh]
        # numbered as they appear
        number = np.empty(len(appearances), dtype=np.int64)
        number[np.argsort(appearances)] = np.arange(found, found + len(appearances))
        document[order] = number[np.cumsum(fresh) - 1]
        first.append(np.sort(appearances))
        sizes.append(len(first[-1]))
        found += sizes[-1]
    documents = names.take(np.concatenate(first))
    are_same = native.function("are_same")
    if are_same is None or not are_same(*documents.take(document).arrays, *names.arrays):
        return _by_dictionary(runs, topics, ranking_bounds, ranking_topic)
    return bounds_of(sizes), documents, document


def _entries_by_topic(topics: int, ranking_bounds: IntArray, ranking_topic: IntArray) -> list[IntArray]:
    """Return the entries of each topic."""
    rankings: list[list[IntArray]] = [[] for _ in range(topics)]
    for topic, (start, stop) in zip(ranking_topic.tolist(), pairwise(ranking_bounds.tolist()), strict=True):
        rankings[topic].append(np.arange(start, stop))
    return [np.concatenate(several) for several in rankings]


def _changes(hashes: Keys) -> BoolArray:
    """Return where a hash differs from the one before."""
    return np.asarray(np.concatenate(([True], hashes[1:] != hashes[:-1])))


LIGHTEST, HEAVIEST = Fraction(1, 10**20), Fraction(10**20)
"""Weights other than 0 lie between these."""


def runs_of(sources: Any) -> list[Results]:
    """Return runs from files, directories, patterns, frames, dictionaries and runs, in their order.

    Names matter for weights alone, so files are called by their names, not by run tags that may be alike; runs in
    memory that have no name are called by their place, and a second one of a name gets a number.

    Examples
    --------
    >>> [run.name for run in runs_of([{"1": {"x": 2.0}}, {"1": {"y": 1.0}}])]
    ['run 1', 'run 2']
    >>> [run.name for run in runs_of({"bm25": {"1": {"x": 2.0}}, "dense": {"1": {"y": 1.0}}})]
    ['bm25', 'dense']
    """
    sources = settled(sources)
    if is_by_name(sources):
        return [read_run(source, name=str(name)) for name, source in sources.items()]
    several = [sources] if is_one(sources) else list(sources)
    prepared = [part for place, source in enumerate(several, 1) for part in _in_memory(source, place)]
    if not prepared:
        raise InputError("there is no run to fuse; give at least one")
    if not any(isinstance(part, Results) for part in prepared):
        return list(read_runs(prepared, names="file"))
    runs: dict[str, Results] = {}
    for part in prepared:
        for run in [part] if isinstance(part, Results) else read_runs(part, names="file"):
            name = unlike(run.name, runs)
            runs[name] = run if name == run.name else evolve(run, name=name)
    return list(runs.values())


def _in_memory(source: Any, place: int) -> Sequence[Any]:
    """Return a source that is in memory as runs with names, and any other as it is."""
    if is_file(source) or isinstance(source, Results):
        return [source]
    if isinstance(source, Mapping):
        return [read_run(source, name=f"run {place}")]
    found = read_runs([source])
    # a frame without a column of names
    return [evolve(found[0], name=f"run {place}")] if len(found) == 1 and found[0].name == "run" else found


def weights_of(weights: Any, names: Sequence[str]) -> tuple[Fraction, ...]:
    """Return the weight of each run, by its name or by its place; 1 where none is given.

    Examples
    --------
    >>> weights_of({"b": 0.5}, ["a", "b"]), weights_of([2, "1/3"], ["a", "b"])
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(2, 1), Fraction(1, 3)))
    """
    if weights is None:
        return (Fraction(1),) * len(names)
    if isinstance(weights, Mapping):
        strange = [name for name in weights if name not in names]
        if strange:
            raise ParameterError(f"weights: there is no run {quoted(strange[0])}; there is {', '.join(names)}")
        weights = [weights.get(name, 1) for name in names]
    elif (
        isinstance(weights, str | bytes | Set) or not isinstance(weights, Iterable) or getattr(weights, "ndim", 1) != 1
    ):
        raise ParameterError(f"weights must be one number a run, or {{name: number}}, not {quoted(weights)}")
    found = tuple(rational(weight) for weight in looked_at(list)(weights))
    if len(found) != len(names):
        raise ParameterError(f"there are {len(names)} runs and {len(found)} weights; give one weight a run")
    for weight in found:
        if weight and not LIGHTEST <= weight <= HEAVIEST:
            raise ParameterError(f"weight {quoted(weight)} must be 0, or from 1e-20 to 1e20")
    if not any(found):
        raise ParameterError("all weights are 0; give at least one run a weight above it")
    return found


def by_content(runs: Sequence[Results], weights: Sequence[Fraction]) -> list[int]:
    """Return an order of runs that only depends on what they hold and weigh, so that sums round the same way."""
    keys = [
        (weight, run.topics, run.bounds.tobytes(), run.document_scores.tobytes())
        for run, weight in zip(runs, weights, strict=True)
    ]
    order = sorted(range(len(runs)), key=lambda i: keys[i])
    doubtful = {keys[i] for i, j in pairwise(order) if keys[i] == keys[j]}
    if not doubtful:
        return order
    names = [list(run.documents) if key in doubtful else [] for run, key in zip(runs, keys, strict=True)]
    return sorted(order, key=lambda i: (keys[i], names[i]))


def topics_of(runs: Sequence[Results]) -> tuple[str, ...]:
    """Return the topics for which some run retrieves something, in the order of their first appearance."""
    several = (np.asarray(run.topics, dtype=object)[_retrieved(run)] for run in runs)
    found = tuple(dict.fromkeys(topic for topics in several for topic in topics))
    if not found:
        raise InputError("the runs retrieve nothing for any topic, so there is nothing to fuse")
    return found


def lacking(runs: Sequence[Results], topics: tuple[str, ...]) -> list[str]:
    """Return the names of the runs that retrieve nothing for some topic."""
    return [run.name for run in runs if int(_retrieved(run).sum()) < len(topics)]


def _retrieved(run: Results) -> Any:
    sizes: IntArray = np.diff(run.bounds)
    return sizes > 0
