"""Runs and judgments from columns, as frames and parquet files have them, and from nested dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain, groupby, islice
from numbers import Number
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.columns import Column, Columns, read_parquet, values_of
from measurand.errors import InputError
from measurand.judged import as_grades, as_scores, bounds_of, flatten
from measurand.trec.column_names import (
    DOCUMENT,
    GRADE,
    NAME,
    RANK,
    RANKED,
    SCORE,
    SUBTOPIC,
    SUBTOPICS,
    TOPIC,
    is_ranking,
    place_of,
    plain,
)
from measurand.trec.files import Content
from measurand.trec.run import Qrels, Run, repeated


def run_from_mapping(nested: Mapping[Any, Mapping[Any, Any]]) -> Run:
    """Return a run without a name from `{topic: {document: score}}`."""
    topics, bounds, documents, values = _flat(nested)
    return Run(name="", topics=topics, bounds=bounds, documents=documents, scores=as_scores(values))


def qrels_from_mapping(nested: Mapping[Any, Mapping[Any, Any]]) -> Qrels:
    """Return judgments from `{topic: {document: grade}}`."""
    topics, bounds, documents, values = _flat(nested)
    return Qrels(topics=topics, bounds=bounds, documents=documents, grades=as_grades(values))


def _flat(nested: Mapping[Any, Mapping[Any, Any]]) -> tuple[tuple[str, ...], IntArray, list[str], list[Any]]:
    wanted = '{topic: {document: value}}, such as {"1": {"d1": 2}}'
    for topic, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise InputError(f"topic {topic!r} maps to {type(inner).__name__}; wanted is {wanted}")
    named = {str(topic): {str(document): value for document, value in inner.items()} for topic, inner in nested.items()}
    if len(named) < len(nested) or any(len(named[str(topic)]) < len(inner) for topic, inner in nested.items()):
        raise InputError("two keys of the dictionary are the same name, such as 1 and '1'; make them all strings")
    topics, bounds, documents = flatten(named)
    return topics, bounds, documents, [value for topic in topics for value in named[topic].values()]


def parquet(content: Content) -> Columns:
    """Return the columns of a parquet file."""
    try:
        return read_parquet(content.data)
    except InputError as error:
        raise content.fail(None, f"is no parquet file that can be read ({error})") from None


def runs_from_columns(columns: Columns, source: str = "") -> list[Run]:
    """Return the runs of a table with a topic, a document and a score in each row.

    Parameters
    ----------
    columns
        They go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names. A column called
        system, run, tag or name parts the rows into several runs; without one their run has no name. Where there are
        ranks and no scores, the score of a document is 1/rank.
    source
        The file that they came from.

    Examples
    --------
    >>> [run] = runs_from_columns({"qid": [1, 2, 1], "docno": ["a", "a", "b"], "rank": [1, 1, 2]})
    >>> run.to_dict()
    {'1': {'a': 1.0, 'b': 0.5}, '2': {'a': 1.0}}
    """
    rank = _called(columns, RANK)
    ranked = _called(columns, SCORE) is None and rank is not None and _is_numeric(columns[rank])
    rows = _Rows.of(columns, _columns(columns, "a run needs", TOPIC, DOCUMENT, RANK if ranked else SCORE))
    if ranked:
        rows = evolve(rows, values=_scores_of_ranks(rows.values))
    elif not isinstance(rows.values, np.ndarray) and any(isinstance(each, bool) for each in rows.values):
        raise InputError(f"column {_called(columns, SCORE)!r} holds true and false where scores are expected")
    tag = _called(columns, NAME)
    parts = {"": rows}
    if tag is not None:
        if _has_gaps(columns[tag]):
            raise InputError(f"column {tag!r} has missing values, and says which run a row belongs to")
        parts = {name: rows.at(places) for name, places in _places(list(map(str, values_of(columns[tag])))).items()}
    runs = []
    for name, part in parts.items():
        found, values, _ = part.by_topic(repeatable=False)
        runs.append(Run(name=name, source=source, scores=as_scores(values), **found))
    return runs


def _is_numeric(column: Column) -> bool:
    given = [each for each in values_of(column) if each is not None]
    return all(isinstance(each, Number) and not isinstance(each, bool) for each in given)


def _scores_of_ranks(column: Column) -> FloatArray:
    """Return scores that have the order of ranks, which count from 1, or from 0 where one is 0."""
    ranks = np.asarray(column, dtype=np.float64)
    if not (np.isfinite(ranks) & (ranks >= 0) & (ranks == np.floor(ranks))).all():
        raise InputError("column 'rank' has values that are no whole numbers from 1, and there is no column score")
    return 1 / (ranks + 1 if (ranks == 0).any() else ranks)


def qrels_from_columns(columns: Columns, called: str = "the frame") -> Qrels:
    """Return the judgments of a table with a topic, a document and a grade in each row.

    Parameters
    ----------
    columns
        They go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names.
    called
        What a caveat calls the table.

    Examples
    --------
    >>> qrels_from_columns({"qid": ["1", "1"], "docno": ["a", "b"], "label": [2, 0]}).to_dict()
    {'1': {'a': 2, 'b': 0}}
    """
    names = list(columns)
    subtopics = place_of(list(map(plain, names)), SUBTOPIC)
    if subtopics is not None:
        raise InputError(f"{SUBTOPICS} {names[subtopics]}")
    if is_ranking(list(map(plain, names))):
        raise InputError(f"{RANKED} {_called(columns, RANK)}")
    rows = _Rows.of(columns, _columns(columns, "judgments need", TOPIC, DOCUMENT, GRADE))
    found, values, repeats = rows.by_topic(repeatable=True)
    return Qrels(grades=as_grades(values), caveats=repeated(repeats, called), **found)


@frozen
class _Rows:
    """The rows of a table: topics, documents and values."""

    topics: list[str]
    documents: list[str]
    values: Column

    @classmethod
    def of(cls, columns: Columns, names: Sequence[str]) -> _Rows:
        """Return what three columns hold, or complain of what they lack."""
        topics, documents, values = (columns[name] for name in names)
        if not len(topics):
            raise InputError("the frame has no rows")
        for name in names:
            if _has_gaps(columns[name]):
                raise InputError(f"column {name!r} has missing values")
        return cls(_identifiers(names[0], topics), _identifiers(names[1], documents), values)

    def at(self, places: Sequence[int]) -> _Rows:
        """Return the rows at some places."""
        values = self.values[places] if isinstance(self.values, np.ndarray) else [self.values[each] for each in places]
        return _Rows([self.topics[each] for each in places], [self.documents[each] for each in places], values)

    def by_topic(self, *, repeatable: bool) -> tuple[dict[str, Any], Column, int]:
        """Return topics, bounds and documents, the values, and how many rows are repetitions.

        Parameters
        ----------
        repeatable
            Whether a row may stand there again, with the same value.
        """
        spans = [(topic, len(list(span))) for topic, span in groupby(self.topics)]
        if len(dict(spans)) < len(spans):
            return self.at([*chain(*_places(self.topics).values())]).by_topic(repeatable=repeatable)
        documents = iter(self.documents)
        if all(len(set(islice(documents, size))) == size for _, size in spans):
            found = {"bounds": bounds_of([size for _, size in spans]), "documents": self.documents}
            return {"topics": tuple(topic for topic, _ in spans), **found}, self.values, 0
        once = self._once(repeatable)
        found, values, _ = once.by_topic(repeatable=False)
        return found, values, len(self.topics) - len(once.topics)

    def _once(self, repeatable: bool) -> _Rows:
        """Return the rows without repetitions, or complain of a document with two values."""
        values = values_of(self.values)
        first: dict[tuple[str, str], int] = {}
        for place, pair in enumerate(zip(self.topics, self.documents, strict=True)):
            earlier = first.setdefault(pair, place)
            if earlier != place and not (repeatable and values[earlier] == values[place]):
                raise InputError(f"document {pair[1]} stands twice in topic {pair[0]}; remove one")
        return self.at([*first.values()])


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of each of some names, in the order of their first appearance."""
    places: dict[str, list[int]] = {name: [] for name in names}
    for place, name in enumerate(names):
        places[name].append(place)
    return places


def _has_gaps(column: Column) -> bool:
    return not isinstance(column, np.ndarray) and None in column


def _identifiers(name: str, column: Column) -> list[str]:
    """Return a column of names as text, or complain of what is neither text nor numbers."""
    values = values_of(column)
    return values if set(map(type, values)) == {str} else [_identifier(name, value) for value in values]


def _identifier(column: str, value: Any) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            why = f"holds {value!r} where names are expected, which is not UTF-8"
            raise InputError(f"column {column!r} {why}") from None
    if not isinstance(value, str | Number | date):
        kind = type(value).__name__
        raise InputError(f"column {column!r} holds {kind} where names are expected, a text in each row")
    return str(value)


def _called(columns: Iterable[str], spellings: tuple[str, ...]) -> str | None:
    """Return the name of the column that goes by one of some spellings, what counts first first; None if none does."""
    names = list(columns)
    plainly = list(map(plain, names))
    place = place_of(plainly, spellings)
    if place is not None and plainly.count(plainly[place]) > 1:
        alike = [name for name, each in zip(names, plainly, strict=True) if each == plainly[place]]
        raise InputError(f"{len(alike)} columns are called {' and '.join(alike)}; remove one")
    return None if place is None else names[place]


def _columns(columns: Columns, what: str, *wanted: tuple[str, ...]) -> list[str]:
    """Return the names that some columns have in a table."""
    found = [_called(columns, spellings) for spellings in wanted]
    if None in found:
        missing = [spellings for spellings, name in zip(wanted, found, strict=True) if name is None]
        lacks = " nor ".join(" or ".join(spellings) for spellings in missing)
        spare = next((name for name in columns if name not in found), "qid")
        have = f"the frame has no column {lacks}; it has {', '.join(columns)}"
        example = f"frame.rename(columns={{{spare!r}: {missing[0][0]!r}}})"
        raise InputError(f"{have}; {what} {', '.join(each[0] for each in wanted)}: rename them, as in {example}")
    return [name for name in found if name is not None]
