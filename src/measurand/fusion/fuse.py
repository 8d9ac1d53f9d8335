"""Fusion of several runs into one: parameters, methods by name, the fused run and its ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from attrs import evolve

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls, nearest
from measurand.errors import Caveat, CaveatKind, ParameterError, quoted
from measurand.exact import RationalLike, rational, whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.fusion.methods import FUSED, METHODS, SIZED, TOLERANCE, Fused, Setting, with_ties
from measurand.fusion.normalisation import NORMALISATIONS
from measurand.fusion.pool import Pool, by_content, lacking, runs_of, topics_of, weights_of
from measurand.judged import Results, bounds_of
from measurand.judged.content import documents_at
from measurand.judged.ranking import Precision, Ties, rank
from measurand.measures.parse import check_no_measure
from measurand.trec import Run, RunsLike
from measurand.trec.sources import check_runs

ALIASES: Mapping[str, str] = {"zmuv": "z-score", "reciprocalrankfusion": "rrf", "copeland": "condorcet"}
"""Other names that are understood."""

TIES: Mapping[str, str] = {
    "shared": "documents of equal score share a rank: the number of documents with at least that score",
    "trec": "documents of equal score have the ranks that trec_eval gives them: by identifier, last first",
}
"""What the rank of a document is in a run where others have its score."""

CONSTANT = Fraction(60)
"""The constant of reciprocal rank fusion in its paper."""

LARGEST = 10**15
"""No collection has more documents."""


@explains_calls
def fuse(
    runs: RunsLike,
    method: str = "rrf",
    *,
    norm: str | None = None,
    depth: int | None = 1000,
    weights: Mapping[str, RationalLike] | Sequence[RationalLike] | None = None,
    k: RationalLike = CONSTANT,
    ties: Literal["shared", "trec"] = "shared",
    collection_size: int | None = None,
    name: str | None = None,
    progress: Progress = silent,
) -> Run:
    r"""Return one run made of several.

    With ranks :math:`r_1, r_2, \ldots` of a document in the runs that retrieve it, `N` of them, normalised scores
    :math:`s_i` and weights :math:`w_i`, its fused score is for

    - rrf :math:`\sum_i w_i / (k + r_i)`, isr :math:`N \sum_i w_i / r_i^2`, logisr :math:`\ln N \sum_i w_i / r_i^2`;
    - borda :math:`-\sum_i w_i r_i / \sum_i w_i` and bordalog :math:`-\sum_i w_i \ln r_i / \sum_i w_i`, over all runs: a
      run that does not retrieve the document has it at rank `collection_size`, or just below the longest ranking
      of the topic;
    - combsum :math:`\sum_i w_i s_i`, combmnz `N` times and combanz one `N`-th of that, combmax, combmin and combmed the
      highest, lowest and median of :math:`w_i s_i`;
    - information :math:`\ln D - \ln \#\{d' : d' \text{ is at least as high as } d \text{ in every run}\}`, with `D` the
      `collection_size`, or else the number of documents that the runs retrieve for the topic;
    - condorcet the number of documents that a (weighted) majority of runs puts below it, ties counting half: the
      Condorcet order whenever there is one, and the same in whatever order the runs are given;
    - mc4 the share of time that a random walk spends at it, to about 10 digits: the walk draws a document and goes
      there if more than half (by weight) of the runs that retrieve both put it above, and starts anew anywhere once in
      20 steps. Runs that retrieve one of the two have no say; where no run retrieves both, the walk stays.

    Reciprocal rank fusion is the default because it needs neither scores on one scale nor anything to be chosen.

    Parameters
    ----------
    runs : path, frame, dict, Run, or a list or dict of these
        Paths, directories, patterns, frames, `{topic: {document: score}}`, runs; a list of these, or `{name: run}`.
    method : str, default "rrf"
        One of `METHODS`; case, "-" and "_" do not matter.
    norm : str, optional
        One of `NORMALISATIONS`, for the methods that combine scores; by default "min-max". In combsum and combmnz a
        ranking with numbers below 0 is counted from its lowest, so that being left out is never better than being last.
    depth : int or None, default 1000
        How many documents of each topic are kept; None for all.
    weights : sequence of numbers, or dict of numbers by name, optional
        One number a run, in their order, or by name (runs that are not named have 1), read as written. A run of
        weight 0 is left out.
    k : number, default 60
        The constant of rrf, from 0 up.
    ties : {"shared", "trec"}
        "shared": documents of equal score share a rank in a run, the number of documents with at least that score;
        "trec": they have the ranks that trec_eval gives them.
    collection_size : int, optional
        How many documents there are, for information, borda and bordalog.
    name : str, optional
        The name of the new run; by default the method.
    progress : callable, optional
        A function of an iterable, its length and a word for its items, which returns the iterable and may show how far
        it is; called with the topics by the methods that compare documents in pairs.

    Returns
    -------
    Run
        Topics in the order of their first appearance, best documents first. Fused scores that differ by at most a
        relative 1e-12 (where terms of both signs are added, relative to the largest term) are equal; such documents
        stand by identifier, last first, and a caveat counts them.

    Examples
    --------
    >>> fused = fuse([{"1": {"x": 9.0, "y": 8.0}}, {"1": {"y": 3.0, "z": 1.0}}], k=1)
    >>> fused.documents, fused.document_scores.tolist()
    (['y', 'x', 'z'], [0.8333333333333333, 0.5, 0.3333333333333333])

    References
    ----------
    [Cormack2009]_ (rrf), [FoxShaw1994]_ (comb…), [MontagueAslam2001]_ (normalisation), [AslamMontague2001]_ (borda),
    [Mourao2015]_ (isr), [MontagueAslam2002]_ and [Copeland1951]_ (condorcet), [Dwork2001]_ (mc4), [Amigo2018]_
    (information, bordalog)
    """
    check_progress(progress)
    called = method_of(method)
    norm = norm_of(called, norm)
    usage = 'call fuse(["bm25.run", "dense.run"], "rrf")'
    check_no_measure(runs, "runs", usage)
    check_runs(runs, usage)
    shared = _chosen("ties", ties, TIES) == "shared"
    depth = None if depth is None else whole_number("depth, the number of documents kept,", depth)
    constant = _constant(called, k)
    found = runs_of(runs)
    weighed = weights_of(weights, [run.name for run in found])
    kept = [(run, weight) for run, weight in zip(found, weighed, strict=True) if weight]
    used, shares = [run for run, _ in kept], [weight for _, weight in kept]
    topics = topics_of(used)
    order = by_content(used, shares)
    pool = Pool.of([used[i] for i in order], topics)
    size = _collection_size(called, collection_size, pool)
    setting = Setting(pool, norm, tuple(shares[i] for i in order), constant, shared, size, progress)
    caveats = (*_inherited(used), *_missing(used, topics))
    return fused_run(pool, FUSED[called](setting), depth, called if name is None else name, caveats)


def fused_run(pool: Pool, fused: Fused, depth: int | None, name: str, caveats: tuple[Caveat, ...] = ()) -> Run:
    """Return the run that fused values make: best first, cut, with what to know about ties.

    Parameters
    ----------
    pool
        The runs, by topic and document.
    fused
        A value for each document of the pool.
    depth
        How many documents of each topic are kept; None for all.
    name
        The name of the new run.
    caveats
        What a reader should know already.
    """
    results = _leading(pool, fused, depth, name)
    return _ranked(evolve(results, caveats=(*caveats, *fused.caveats)), depth)


def granularity(run: Results) -> dict[str, Fraction]:
    """Return by topic the number of different scores divided by the number of documents: 1 if no two documents tie.

    Parameters
    ----------
    run : Run
        A fused run, or any other.

    Returns
    -------
    dict of Fraction by topic

    Notes
    -----
    A fused run has all documents that were retrieved only if it was not cut: `fuse(…, depth=None)`.

    Examples
    --------
    >>> fused = fuse([{"1": {"x": 2.0, "y": 1.0}}, {"1": {"y": 2.0, "x": 1.0}}], "information", depth=None)
    >>> granularity(fused)
    {'1': Fraction(1, 2)}

    References
    ----------
    [Amigo2018]_, section 5.2
    """
    spans = zip(run.topics, pairwise(run.bounds.tolist()), strict=True)
    return {
        topic: Fraction(len(np.unique(run.document_scores[start:stop])), stop - start)
        for topic, (start, stop) in spans
        if stop > start
    }


def method_of(spelling: str) -> str:
    """Return the name of a method, however it is spelled.

    Parameters
    ----------
    spelling : str
        The name of a method in any case, with or without "-" and "_", or another name that is in use for it.

    Returns
    -------
    str
        A key of `METHODS`.

    Examples
    --------
    >>> method_of("CombMNZ"), method_of("log_isr")
    ('combmnz', 'logisr')
    """
    return _chosen("method", spelling, METHODS)


def _chosen(what: str, spelling: Any, known: Mapping[str, str]) -> str:
    """Return which of some names is meant."""
    word = spelling.lower() if isinstance(spelling, str) else ""
    plain = "".join(letter for letter in word if letter not in "-_ ")
    by_spelling = {name.replace("-", ""): name for name in known}
    by_spelling |= {alias: name for alias, name in ALIASES.items() if name in known}
    if not isinstance(spelling, str) or plain not in by_spelling:
        close = nearest(word, known)
        hint = f"; did you mean {close}?" if close else ""
        raise ParameterError(f"there is no {what} {quoted(spelling)}; there is {', '.join(known)}{hint}")
    return by_spelling[plain]


def norm_of(method: str, norm: str | None) -> str | None:
    """Return the normalisation of a method, "min-max" if none is named, and None where only ranks count.

    Parameters
    ----------
    method
        A key of `METHODS`.
    norm
        One of `NORMALISATIONS`, in any spelling, or None.

    Examples
    --------
    >>> norm_of("combsum", None), norm_of("combmnz", "ZMUV"), norm_of("rrf", None)
    ('min-max', 'z-score', None)
    """
    if not method.startswith("comb"):
        if norm is not None:
            raise ParameterError(f"{method} only looks at ranks, so there is nothing to normalise; leave norm out")
        return None
    return "min-max" if norm is None else _chosen("norm", norm, NORMALISATIONS)


def _constant(method: str, k: Any) -> Fraction:
    constant = rational(k)
    if constant != CONSTANT and method != "rrf":
        raise ParameterError(f"k is the constant of rrf and no part of {method}; leave it out")
    if not 0 <= constant <= 10**100:
        raise ParameterError(f"k must be a number from 0 to 1e100, not {quoted(k)}")
    return constant


def _collection_size(method: str, size: int | None, pool: Pool) -> int | None:
    if size is None:
        return None
    if method not in SIZED:
        raise ParameterError(f"collection_size plays a part in {', '.join(SIZED)} and none in {method}; leave it out")
    size, most = whole_number("collection_size", size, high=LARGEST), int(np.diff(pool.bounds).max())
    if size < most:
        raise ParameterError(f"the runs retrieve {most} documents for one topic, so {size} is too small a collection")
    return size


def _inherited(runs: list[Results]) -> tuple[Caveat, ...]:
    return tuple(dict.fromkeys(caveat for run in runs for caveat in run.caveats))


def _missing(runs: list[Results], topics: tuple[str, ...]) -> tuple[Caveat, ...]:
    names = lacking(runs, topics)
    if not names:
        return ()
    some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    text = f"{len(names)} of {len(runs)} runs lack some of the {len(topics)} topics ({some}); there the others decide"
    return (Caveat(CaveatKind.MISSING_TOPICS, text),)


def _leading(pool: Pool, fused: Fused, depth: int | None, name: str) -> Results:
    """Return the documents that may be among the first, and those that tie with the last of them."""
    bounds, documents, topic, values = pool.bounds, pool.documents, pool.topic, fused.values
    if depth is None or not (np.diff(bounds) > depth).any():
        values = with_ties(fused, topic)
        return Results(name=name, topics=pool.topics, bounds=bounds, documents=documents, scores=values)
    # ties go by the documents above alone, so most of those that are far below need not be looked at
    last = _last(values, bounds, depth)
    size = np.abs(last) if fused.sizes is None else fused.sizes
    floor = np.where(np.isinf(last), last, last - 4 * TOLERANCE * np.where(np.isinf(size), 0, size))
    rows = np.flatnonzero(values >= floor[topic])
    values = with_ties(evolve(fused, values=values[rows]), topic[rows])
    last = _last(values, bounds_of(np.bincount(topic[rows], minlength=len(pool.topics))), depth)
    kept = values >= last[topic[rows]]
    rows, values = rows[kept], values[kept]
    bounds = bounds_of(np.bincount(topic[rows], minlength=len(pool.topics)))
    return Results(name=name, topics=pool.topics, bounds=bounds, documents=documents_at(documents, rows), scores=values)


def _last(values: FloatArray, bounds: IntArray, depth: int) -> FloatArray:
    """Return by topic the value of the last document that is kept; minus infinity where all are."""
    spans = pairwise(bounds.tolist())
    found = [np.partition(values[i:j], j - i - depth)[j - i - depth] if j - i > depth else -np.inf for i, j in spans]
    return np.array(found)


def _ranked(results: Results, depth: int | None) -> Run:
    """Return results best first, cut at a depth, with what to know about ties."""
    rows = rank(results, np.arange(len(results.topics)), Ties.TREC, Precision.DOUBLE).rows
    sizes = np.diff(results.bounds)
    place = np.arange(len(rows)) - np.repeat(results.bounds[:-1], sizes)
    scores = results.document_scores[rows]
    # a document ties with the one before it unless it is the first of its topic
    tied = np.concatenate(([False], scores[1:] == scores[:-1])) & (place > 0)
    kept = place < (len(rows) if depth is None else depth)
    return Run(
        name=results.name,
        topics=results.topics,
        bounds=bounds_of(sizes if depth is None else np.minimum(sizes, min(depth, len(rows)))),
        documents=documents_at(results.documents, rows[kept]),
        scores=scores[kept],
        caveats=(*results.caveats, *_ties(tied, kept, place, depth)),
    )


def _ties(tied: BoolArray, kept: BoolArray, place: IntArray, depth: int | None) -> tuple[Caveat, ...]:
    either = (tied | np.append(tied[1:], False)) & kept
    if not either.any():
        return ()
    text = (
        f"{int(either.sum())} of {int(kept.sum())} documents share their fused score with another of their topic;"
        " they stand by identifier, last first"
    )
    first = int((tied & (place == 1)).sum())
    if first:
        text += f", on {_topics(first)} already the first"
    cut = 0 if depth is None else int((tied & (place == depth)).sum())
    if cut:
        text += f"; that also decides who is among the first {depth} on {_topics(cut)}"
    return (Caveat(CaveatKind.TIES, text),)


def _topics(number: int) -> str:
    return f"{number} topic{'s' if number > 1 else ''}"
