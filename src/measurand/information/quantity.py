"""The information that signals give about a document, and about a document on average: entropy.

A document has much information if few documents are at least as high as it in every signal. Documents that are at
the minimum of every signal are outscored by all, and have none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from measurand.display.result import Result
from measurand.errors import ParameterError
from measurand.exact import Logs, log_sum, ratio, rational
from measurand.information.counting import count_outscorers
from measurand.information.signals import Signals, Sources

_LEAST_LOG = 1e-300


@frozen(repr=False)
class Outscorers(Result):
    """The documents that are at least as high as a document in every signal, itself included.

    Parameters
    ----------
    named
        Those that some signal names.
    unnamed
        How many others there are: all of them, or none.

    Examples
    --------
    >>> below = outscorers({"r": {"d1": 2, "d2": 1}}, "d9", 10)
    >>> sorted(below.named), below.unnamed, below.count, "d7" in below
    (['d1', 'd2'], 8, 10, True)
    """

    named: frozenset[Any]
    unnamed: int = 0

    @property
    def count(self) -> int:
        """How many documents they are."""
        return len(self.named) + self.unnamed

    def __contains__(self, document: Hashable) -> bool:
        # only a document at the minimum of every signal has outscorers without a name: the whole collection
        return self.unnamed > 0 or document in self.named


def sized(signals: Signals | Sources, collection_size: int | None, topic: str | None = None) -> Signals:
    """Return signals over a collection of known size.

    Examples
    --------
    >>> sized({"r": {"d1": 2, "d2": 1}}, 10)
    <Signals r: 2 of 10 documents>
    """
    if collection_size is None and not isinstance(signals, Signals):
        raise ParameterError(
            "information depends on how many documents could have been retrieved; say collection_size=…"
        )
    return Signals.of(signals, collection_size, topic=topic)


def outscores(signals: Signals | Sources, one: Hashable, other: Hashable, *, topic: str | None = None) -> bool:
    r"""Return whether the document `one` is at least as high as the document `other` in every signal.

    .. math:: d' \ge_\Gamma d \iff \gamma(d') \ge \gamma(d)\ \text{for all}\ \gamma \in \Gamma

    Documents that no signal names are at the minimum of each. Two documents may outscore each other.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    one, other
        Two documents.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> both = {"r": {"d1": 3, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}
    >>> outscores(both, "d1", "d4"), outscores(both, "d2", "d4"), outscores(both, "d4", "d2")
    (True, False, False)

    References
    ----------
    [Amigo2018]_, definition 3.1
    """
    known = Signals.of(signals, topic=topic)
    low = known.place.get(other)
    if low is None or not known.levels[low].any():
        return True
    high = known.place.get(one)
    return high is not None and bool((known.levels[high] >= known.levels[low]).all())


def outscorers(
    signals: Signals | Sources, document: Hashable, collection_size: int | None = None, *, topic: str | None = None
) -> Outscorers:
    r"""Return the documents that are at least as high as a document in every signal, itself included.

    .. math:: \{d' : \gamma(d') \ge \gamma(d)\ \text{for all}\ \gamma \in \Gamma\}

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    document
        A document, named by a signal or not.
    collection_size
        The number of documents of the collection; by default those that the signals name.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> both = {"r": {"d1": 3, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}
    >>> sorted(outscorers(both, "d4", 10).named), outscorers(both, "d5", 10).count
    (['d1', 'd4'], 10)

    References
    ----------
    [Amigo2018]_, equation 1
    """
    known = Signals.of(signals, collection_size, topic=topic)
    place = known.place.get(document)
    if place is None and not known.rest:
        raise ParameterError(
            f"no signal names document {document}, and a collection of {known.collection_size} has no other documents;"
            " say collection_size=…"
        )
    if place is None or not known.levels[place].any():
        return Outscorers(frozenset(known.documents), known.rest)
    above = np.flatnonzero((known.levels >= known.levels[place]).all(axis=1))
    return Outscorers(frozenset(known.documents[row] for row in above.tolist()))


def outscorer_counts(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None
) -> dict[Any, int]:
    """Return for each document that a signal names how many documents are at least as high in every signal.

    A document that no signal names has the whole collection as its outscorers.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection. It may be left out if `signals` is a `Signals`.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> outscorer_counts({"r": {"d1": 3, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}, 10)
    {'d1': 1, 'd2': 2, 'd4': 2}

    References
    ----------
    [Amigo2018]_, equation 1
    """
    known = sized(signals, collection_size, topic)
    found = dict(zip(known.documents, count_outscorers(known.levels).tolist(), strict=True))
    for place in np.flatnonzero(~known.levels.any(axis=1)).tolist():
        found[known.documents[place]] = known.collection_size
    return found


def quantity(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None, base: Any = None
) -> dict[Any, float]:
    r"""Return the information of the signals about each document that one of them names; about others it is 0.

    .. math:: I_\Gamma(d) = \ln |D| - \ln \#\{d' : d' \ge_\Gamma d\}

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection. It may be left out if `signals` is a `Signals`.
    topic
        The topic of the runs and judgments; needed only if they have several.
    base
        The base of the logarithm; natural logarithms by default.

    Examples
    --------
    >>> told = quantity({"r": {"d1": 3, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}, 10)
    >>> {document: round(value, 6) for document, value in told.items()}
    {'d1': 2.302585, 'd2': 1.609438, 'd4': 1.609438}
    >>> quantity({"r": {"d1": 1}}, 8, base=2)
    {'d1': 3.0}

    References
    ----------
    [Amigo2018]_, definition 3.2
    """
    known = sized(signals, collection_size, topic)
    unit = _unit(base)
    numbers = outscorer_counts(known)
    value = {number: _information(known.collection_size, number, unit) for number in set(numbers.values())}
    return {document: value[number] for document, number in numbers.items()}


def entropy(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None, base: Any = None
) -> float:
    r"""Return the average information of the signals about a document of the collection.

    .. math:: H(\Gamma) = \frac{1}{|D|} \sum_{d \in D} I_\Gamma(d)

    Signals that disagree have more information than signals that agree: a copy
    of a signal adds nothing.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection. It may be left out if `signals` is a `Signals`.
    topic
        The topic of the runs and judgments; needed only if they have several.
    base
        The base of the logarithm; natural logarithms by default.

    Examples
    --------
    >>> round(entropy({"r": {"d1": 3, "d2": 2, "d4": 1}}, 10), 6)
    0.5116

    References
    ----------
    [Amigo2018]_, definition 3.3
    """
    known = sized(signals, collection_size, topic)
    unit = _unit(base)
    size = known.collection_size
    classes = Counter(outscorer_counts(known).values())
    total = math.fsum(times * _information(size, number, unit) for number, times in classes.items())
    # through a fraction, because there may be more documents than floats go up to
    return float(Fraction(total) / size) + 0.0


def exact_entropy(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None
) -> Logs | Fraction:
    """Return the entropy in natural logarithms as an exact number, to be compared with others.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection. It may be left out if `signals` is a `Signals`.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> exact_entropy({"r": {"d1": 2, "d2": 1}}, 4)
    Logs(3/4 ln 2)

    References
    ----------
    [Amigo2018]_, definition 3.3
    """
    known = sized(signals, collection_size, topic)
    size = known.collection_size
    classes = Counter(number for number in outscorer_counts(known).values() if number < size)
    told = Fraction(sum(classes.values()), size)
    return log_sum([(size, told), *((number, Fraction(-times, size)) for number, times in classes.items())])


def granularity(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None
) -> Fraction:
    """Return the number of different quantities of information by the number of documents that a signal names.

    It is 1 where all of these differ, and 0 where no document is named. It does not depend on the size of the
    collection. The first documents of signals that disagree share the largest quantity, the logarithm of the size.
    Of a run that is fused already, `fusion.granularity` counts the different scores.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection; without effect on the result.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> granularity({"r1": {"d1": 2, "d2": 1}, "r2": {"d3": 2, "d1": 1}})
    Fraction(2, 3)

    References
    ----------
    [Amigo2018]_, section 5.2
    """
    found = outscorer_counts(Signals.of(signals, collection_size, topic=topic))
    return ratio(len(set(found.values())), len(found))


def _information(size: int, count: int, unit: float) -> float:
    # no negative zero, whatever the base
    return _log(Fraction(size, count)) / unit + 0.0


def _unit(base: Any) -> float:
    """Return the natural logarithm of the base."""
    if base is None:
        return 1.0
    number = rational(base)
    unit = _log(number) if number > 0 else 0.0
    if abs(unit) < _LEAST_LOG:
        raise ParameterError(f"{base!r} is no base of a logarithm; give a number above 0 other than 1")
    return unit


def _log(number: Fraction) -> float:
    """Return a natural logarithm that is precise for numbers near 1 and does not overflow."""
    if number < 1:
        return -_log(1 / number)
    try:
        return math.log1p(float(number - 1))
    except OverflowError:
        return math.log(number.numerator) - math.log(number.denominator)
