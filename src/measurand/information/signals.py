"""Signals: rankings, judgments or any scores of the documents of a collection.

A signal gives numbers to documents, of which only the order counts. Most documents of a collection are left
out by every signal: they share its minimum, so they are one class, and only its size is ever needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from numbers import Real
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.errors import InputError, ParameterError
from measurand.exact import LARGEST, whole_number
from measurand.judged import Judgments, Results

Values = Mapping[Any, float]
"""The values of a signal: a number for each document that it names."""

Signal = Values | Results | Judgments

Sources = Mapping[str, Signal] | Iterable[Results | Judgments]


def _levels(values: IntArray) -> IntArray:
    levels = np.array(values, dtype=np.int64)
    if (levels < 0).any() or (levels != values).any():
        raise ParameterError("levels are whole numbers from 0 up; Signals.of takes any numbers, and finds their levels")
    levels.setflags(write=False)
    return levels


def _size(value: int) -> int:
    return whole_number("collection_size, the number of documents there are,", value, high=LARGEST)


@frozen(eq=False, repr=False)
class Signals(Result):
    """Some signals over one collection, reduced to what counts: who is how high in which.

    Parameters
    ----------
    names
        The names of the signals.
    documents
        Those that some signal names. All others are at the minimum of every signal.
    levels
        Documents × signals: 0 at the minimum of a signal, and one more for each larger number that it gives.
    collection_size
        The number of documents of the collection.

    Examples
    --------
    >>> signals = Signals.of({"r1": {"d1": 3, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}, 10)
    >>> signals.documents, signals.levels.tolist(), signals.rest
    (('d1', 'd2', 'd4'), [[3, 1], [2, 0], [1, 1]], 7)
    """

    names: tuple[str, ...]
    documents: tuple[Any, ...]
    levels: IntArray = field(converter=_levels)
    collection_size: int = field(converter=_size)

    def __attrs_post_init__(self) -> None:
        known, size = len(self.documents), self.collection_size
        if len(set(self.names)) < len(self.names):
            raise ParameterError("two signals have one name; give them as {name: signal}")
        if len(self.place) < known:
            raise ParameterError("a document is named twice; name each once, with a level for each signal")
        if self.levels.shape != (known, len(self.names)):
            raise ParameterError(f"{known} documents and {len(self.names)} signals need a level for each pair of these")
        if size < known:
            raise ParameterError(
                f"a collection of {size} documents is too small for the {known} that the signals name;"
                " give the number of documents that could have been retrieved"
            )

    def __repr__(self) -> str:
        return f"<Signals {', '.join(self.names)}: {len(self.documents)} of {self.collection_size} documents>"

    def document(self) -> Document:
        """Return the level of every document that some signal names, in each signal."""
        levels = [valued(name, partial(self._level, place)) for place, name in enumerate(self.names)]
        columns = [Column("document", lambda row: str(self.documents[row]), left=True), *levels]
        title = f"Levels of {len(self.documents):,} of {self.collection_size:,} documents; all others are at 0"
        return Document([TableView(columns, range(len(self.documents)), title=title)])

    def _level(self, signal: int, document: int) -> int:
        return int(self.levels[document, signal])

    def __len__(self) -> int:
        return len(self.names)

    @property
    def rest(self) -> int:
        """How many documents no signal names."""
        return self.collection_size - len(self.documents)

    @cached_property
    def place(self) -> dict[Any, int]:
        """Where each document stands in `documents`."""
        return {document: place for place, document in enumerate(self.documents)}

    @classmethod
    def of(cls, signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None) -> Signals:
        """Return signals as they come: numbers by document, runs and judgments.

        Parameters
        ----------
        signals
            `{name: {document: number}}`, or runs and judgments, in a list or by name. A document that is left out has
            0, or stands below all if there are negative numbers. All documents that a run retrieves stand above those
            that it does not; documents that are not judged share grade 0.
        collection_size
            How many documents there are; by default those that are named and no other.
        topic
            The topic that runs and judgments speak of; only needed if they speak of several.

        Examples
        --------
        >>> Signals.of([Results.from_mapping("a", {"1": {"d1": -2.5, "d2": -3.0}})], 5).levels.tolist()
        [[2], [1]]
        """
        if isinstance(signals, Signals):
            if collection_size is None or collection_size == signals.collection_size:
                return signals
            return cls(signals.names, signals.documents, signals.levels, collection_size)
        named = _named(signals)
        wanted = _topic(named.values(), topic)
        parts = {name: _values(name, signal, wanted) for name, signal in named.items()}
        documents = tuple(dict.fromkeys(document for values, _ in parts.values() for document in values))
        place = {document: row for row, document in enumerate(documents)}
        levels = np.zeros((len(documents), len(parts)), dtype=np.int64)
        for column, (values, floor) in enumerate(parts.values()):
            levels[[place[document] for document in values], column] = _heights(values, floor)
        size = max(1, len(documents)) if collection_size is None else collection_size
        return cls(tuple(parts), documents, levels, size)

    def without(self, *names: str) -> Signals:
        """Return these signals without some, over the same documents.

        Parameters
        ----------
        names
            The names of the signals to leave out.
        """
        self._refuse_unknown(names)
        kept = [name for name in self.names if name not in names]
        if not kept:
            raise ParameterError("no signal is left; at least one is needed")
        return self.only(*kept)

    def only(self, *names: str) -> Signals:
        """Return some of these signals, over the same documents.

        Parameters
        ----------
        names
            The names of the signals to keep.

        Examples
        --------
        >>> Signals.of({"r": {"d1": 1}, "g": {"d2": 1}}, 10).only("g").levels.tolist()
        [[0], [1]]
        """
        if not names:
            raise ParameterError(f"no signal is named; there is {', '.join(self.names)}")
        self._refuse_unknown(names)
        places = [self.names.index(name) for name in names]
        return Signals(tuple(names), self.documents, self.levels[:, places], self.collection_size)

    def _refuse_unknown(self, names: Iterable[str]) -> None:
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise ParameterError(f"there is no signal {', '.join(unknown)}; there is {', '.join(self.names)}")


def _named(signals: Any) -> dict[str, Any]:
    """Return signals by name."""
    if isinstance(signals, Mapping):
        several = list(signals.values())
        named = {str(name): signal for name, signal in signals.items()}
    elif isinstance(signals, Results | Judgments):
        several, named = [signals], {_name(signals): signals}
    else:
        several = list(signals) if isinstance(signals, Iterable) and not isinstance(signals, str) else [signals]
        strange = [signal for signal in several if not isinstance(signal, Results | Judgments)]
        if strange:
            raise ParameterError(
                f"{type(strange[0]).__name__} is no signal; give {{name: {{document: number}}}}, or runs and judgments"
            )
        named = {_name(signal): signal for signal in several}
    if len(named) < len(several):
        raise ParameterError("two signals have one name; give them as {name: signal}")
    if not named:
        raise ParameterError("there is no signal; give at least one")
    return named


def _name(signal: Results | Judgments) -> str:
    return signal.name if isinstance(signal, Results) else "judgments"


def _topic(signals: Iterable[Any], topic: str | None) -> str | None:
    """Return the topic that runs and judgments are to be read for."""
    topics = dict.fromkeys(
        found for signal in signals if isinstance(signal, Results | Judgments) for found in signal.topics
    )
    if topic is not None:
        if topic not in topics:
            raise ParameterError(f"no signal speaks of topic {topic!r}")
        return topic
    if len(topics) > 1:
        some = ", ".join(list(topics)[:3])
        raise ParameterError(f"the signals speak of {len(topics)} topics ({some}, …); say topic=…")
    return next(iter(topics), None)


def _values(name: str, signal: Any, topic: str | None) -> tuple[dict[Any, Any], float]:
    """Return the numbers of a signal, and the one of all documents that it leaves out."""
    if isinstance(signal, Results):
        rows = signal.rows(str(topic))
        return dict(zip(signal.documents_of(str(topic)), signal.document_scores[rows].tolist(), strict=True)), -np.inf
    if isinstance(signal, Judgments):
        rows = signal.rows(str(topic))
        grades = np.maximum(0, signal.grades[rows]).tolist()
        return dict(zip(signal.documents_of(str(topic)), grades, strict=True)), 0.0
    if not isinstance(signal, Mapping):
        raise ParameterError(f"signal {name} is a {type(signal).__name__}; give {{document: number}}")
    values = {document: _number(name, document, value) for document, value in signal.items()}
    return values, -np.inf if min(values.values(), default=0) < 0 else 0.0


def _number(name: str, document: Any, value: Any) -> Any:
    if not isinstance(value, Real | np.bool_) or value != value or value == -np.inf:
        raise InputError(f"signal {name} gives document {document} {value!r}, which has no place in an order")
    return value


def _heights(values: dict[Any, Any], floor: float) -> list[int]:
    """Return the level of each document that a signal names."""
    # numbers are compared as they are: large whole numbers and fractions would lose their order as floats
    level = {number: place for place, number in enumerate(sorted({floor, *values.values()}))}
    return [level[number] for number in values.values()]
