"""Consistency: how often signals and judgments agree about which of two documents is better.

The paper assumes that information from more signals is more consistent with the judgments. Consistency is a mean over
pairs of documents, as the paper's Figure 1 takes it. The proof of its Theorem 5.1 needs the assumption for each
document, which is another question (`papers.additivity_of_scores`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from measurand.arrays import IntArray
from measurand.errors import InputError, ParameterError
from measurand.information.counting import count_outscorers
from measurand.information.signals import Signals, Sources


def consistency(
    signals: Signals | Sources,
    gold: str = "judgments",
    *,
    collection_size: int | None = None,
    topic: str | None = None,
    documents: Iterable[Any] | None = None,
    self_pairs: bool = False,
) -> Fraction:
    r"""Return how often a document with as much information as another is judged as good, or better.

    .. math:: P\big(d \ge_g d' \mid I_\Gamma(d) \ge I_\Gamma(d')\big)

    Pairs are ordered, so documents with as much information as each other make two. One signal orders documents as
    its information does, so its consistency is that of its scores.

    Parameters
    ----------
    signals
        The judgments and all signals whose information counts together, as `Signals.of` takes them.
    gold
        The name of the signal that is taken for the truth.
    collection_size
        The number of documents of the collection; by default those that the signals name.
    topic
        The topic of the runs and judgments; needed only if they have several.
    documents
        Compare only these documents, such as the pool of some runs; by default the whole collection. Information is
        always that in the whole collection.
    self_pairs
        Whether a document is also compared with itself, where it is never wrong.

    Examples
    --------
    >>> first = {"d1": 3, "d2": 2, "d4": 1}
    >>> second, judged = {"d3": 3, "d1": 2, "d2": 1}, {"d1": 1, "d4": 1}
    >>> consistency({"first": first, "second": {"d3": 0}, "g": judged}, "g")
    Fraction(5, 6)
    >>> consistency({"first": first, "second": second, "g": judged}, "g")
    Fraction(4, 7)
    >>> consistency({"first": first, "second": second, "g": judged}, "g", collection_size=10)
    Fraction(58, 61)

    References
    ----------
    [Amigo2018]_, Assumption 1
    """
    material = Signals.of(signals, collection_size, topic=topic)
    if gold not in material.names:
        raise ParameterError(f"there is no signal {gold}; there is {', '.join(material.names)}")
    height = heights(material.without(gold))
    grade = material.only(gold).levels[:, 0]
    rest = material.rest
    if documents is not None:
        places = places_of(material, documents)
        height, grade, rest = height[places], grade[places], 0
    pairs, kept = _outscored(height[:, None], rest), _outscored(np.stack((height, grade), axis=1), rest)
    alone = 0 if self_pairs else len(height) + rest
    if pairs == alone:
        raise InputError("there is no pair of documents to look at; give more documents, or self_pairs=True")
    return Fraction(kept - alone, pairs - alone)


def heights(signals: Signals) -> IntArray:
    """Return whole numbers that order the documents as their information does, 0 for those that no signal names.

    Examples
    --------
    >>> heights(Signals.of({"a": {"d1": 3, "d2": 2, "d3": 1}, "b": {"d3": 2, "d1": 1}, "c": {"d4": 0}})).tolist()
    [3, 2, 3, 0]
    """
    named = signals.levels.any(axis=1)
    found = np.zeros(len(signals.documents), dtype=np.int64)
    # what nobody tells of is matched by all, and matches nothing else
    counts = count_outscorers(signals.levels[named])
    found[named] = len(counts) + 1 - counts
    return found


def places_of(signals: Signals, documents: Iterable[Any]) -> IntArray:
    """Return where some documents stand among those that the signals name, each once.

    Examples
    --------
    >>> places_of(Signals.of({"a": {"d1": 3, "d2": 2}}), ["d2", "d1", "d2"]).tolist()
    [1, 0]
    """
    chosen = list(dict.fromkeys(documents))
    unknown = [document for document in chosen if document not in signals.place]
    if unknown:
        raise ParameterError(f"no signal names document {unknown[0]!r}; leave it out, or look at the whole collection")
    return np.array([signals.place[document] for document in chosen], dtype=np.int64)


def _outscored(levels: IntArray, rest: int) -> int:
    """Return how many ordered pairs there are with the first as high in everything, documents with themselves too."""
    lowest = int((~levels.any(axis=1)).sum())
    return int(count_outscorers(levels).sum()) + rest * (lowest + len(levels) + rest)
