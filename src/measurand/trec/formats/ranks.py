"""Runs whose files have ranks where others have scores."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind, InputError
from measurand.trec.files import Content
from measurand.trec.lines import Format
from measurand.trec.run import Run


def read_rank(text: bytes) -> float:
    """Return a rank, which must be a whole number, 0 or more.

    Examples
    --------
    >>> read_rank(b"3")
    3.0
    """
    rank = float("nan") if b"_" in text else float(text)
    if not (rank >= 0 and rank.is_integer()):
        raise ValueError(text)
    return rank


RANKS = Format(
    "run", ("topic", "document", "rank"), 2, read_rank, wanted="whole number from 1, as a rank is; repair the line"
)
"""A topic, a document and a rank."""


def is_ranks(values: FloatArray) -> bool:
    """Return whether all values are whole numbers, 0 or more."""
    return bool((values >= 0).all() and (values == np.floor(values)).all())


def by_rank(run: Run) -> Run:
    """Return a run whose values are ranks with scores that have the same order: 1/rank.

    Parameters
    ----------
    run
        The run; where some rank is 0, ranks count from 0.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> by_rank(read_run({"1": {"d1": 1, "d2": 2, "d3": 4}})).document_scores.tolist()
    [1.0, 0.5, 0.25]
    """
    ranks = run.document_scores
    if not is_ranks(ranks):
        raise InputError("a rank is no whole number from 1")
    return evolve(run, scores=1 / (ranks + 1 if (ranks == 0).any() else ranks))


def ranks_or_scores(content: Content, run: Run, insist: str) -> Run:
    """Return a run whose third column may be ranks or scores, with scores.

    Whole numbers that begin at 1 in every topic and grow from line to line are ranks, as MS MARCO's runs have them.
    Numbers that are not whole, that never grow from line to line or that mostly tie are scores. What is left could be
    either: ranks out of order, or with one of them twice.

    Parameters
    ----------
    content
        The file, for complaints.
    run
        The run with what stands in the column, line by line.
    insist
        How to say which it is.
    """
    values, bounds = run.document_scores, run.bounds
    inside = np.ones(len(values) - 1, dtype=bool)
    inside[bounds[1:-1] - 1] = False  # a step to the next topic is none
    steps = np.diff(values)[inside]
    if not is_ranks(values) or not len(steps) or not (steps > 0).any():
        return run
    lowest = np.minimum.reduceat(values, bounds[:-1])
    if (steps > 0).all() and (lowest == 1).all():
        text = f"{content.name}: the third column has whole numbers from 1 in every topic, which are taken for ranks"
        return evolve(by_rank(run), caveats=(*run.caveats, Caveat(CaveatKind.FORMAT, text)))
    if (steps > 0).all() or ((lowest <= 1).all() and _mostly_distinct(values, bounds)):
        why = "the third column has whole numbers that could be ranks or scores; say which"
        raise content.fail(None, f"{why}: {insist}")
    return run


def _mostly_distinct(values: FloatArray, bounds: np.ndarray) -> bool:
    """Return whether at least half of the values stand once in their topic, or are the first of those that tie."""
    topics = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    order = np.lexsort((values, topics))
    again = (np.diff(values[order]) == 0) & (np.diff(topics[order]) == 0)
    return 2 * int(again.sum()) <= len(values)
