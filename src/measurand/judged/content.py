"""What a run and a judgment file hold, whatever file, frame or dictionary it came from.

Rows stand topic by topic, each topic's in the order in which the source had them. The documents are a list of strings,
or `Names` if loops in C read them: both are sequences, and `measurand.judged.judge` knows how to look each of them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.columns import PlainTable
from measurand.deprecated import deprecate
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, InputError, ParameterError, quoted
from measurand.exact import decimal, rational
from measurand.judged.grades import HIGHEST_GRADE, CodedGrades, coded_grades
from measurand.loading import needed
from measurand.scale import Scale, as_grade_scale

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from measurand.judged.names import Names
    from measurand.judged.relevance import Relevance

    Documents: TypeAlias = list[str] | Names

LARGEST_GRADE = 10**12
"""No grade is larger, and none has more decimals than its digits."""


@frozen(kw_only=True, eq=False, repr=False)
class _ByTopic(Result):
    """Rows grouped by topic: topic `i` owns the rows from `bounds[i]` to `bounds[i + 1]`.

    `source` is the file they came from, `comments` are the lines at its head.
    """

    topics: tuple[str, ...]
    bounds: IntArray
    documents: Documents
    caveats: tuple[Caveat, ...] = ()
    source: str = ""
    comments: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        for array in (self.bounds, self._valued()[1]):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def _size(self) -> str:
        return counted(len(self.topics), "topic")

    def _valued(self) -> tuple[str, FloatArray | IntArray]:
        """Return what every document has, and its name."""
        raise NotImplementedError

    def document(self) -> Document:
        """Return what there is: its size, and the first rows of topics, documents and values."""
        name, values = self._valued()
        columns = [
            Column("topic", lambda row: self.topics[int(self.bounds.searchsorted(row, "right")) - 1], left=True),
            Column("document", lambda row: self.documents[row], left=True),
            valued(name, lambda row: values[row].item(), str),
        ]
        return Document([TableView(columns, range(len(self)), title=repr(self)[1:-1])], self.caveats)

    def _columns(self) -> dict[str, Any]:
        name, values = self._valued()
        topics = np.repeat(np.array(self.topics, dtype=object), np.diff(self.bounds))
        return {"topic": topics.tolist(), "document": list(self.documents), name: values}

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for every document: topic, document, and its score or grade (needs polars)."""
        return PlainTable(self._columns()).to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for every document: topic, document, and its score or grade (needs pandas)."""
        return needed("pandas", "frames", "to_pandas").DataFrame(self._columns())

    def to_dict(self) -> dict[str, Any]:
        """Return scores or grades by document, by topic, as `read_run` and `read_qrels` take them."""
        _, values = self._valued()
        rows = {topic: self.rows(topic) for topic in self.topics}
        return {
            topic: dict(zip(self.documents[part], values[part].tolist(), strict=True)) for topic, part in rows.items()
        }

    def _pairs(self, position: int) -> list[tuple[str, Any]]:
        """Return the documents of a topic with their values, in the order of the source."""
        part = slice(int(self.bounds[position]), int(self.bounds[position + 1]))
        return list(zip(self.documents[part], self._valued()[1][part].tolist(), strict=True))

    def _json(self) -> Iterator[bytes]:
        """Return `{topic: {document: value}}` as JSON, a line for each topic."""
        import json

        for position, topic in enumerate(self.topics):
            name, values = (json.dumps(each, ensure_ascii=False) for each in (topic, dict(self._pairs(position))))
            try:
                yield f"{'{' if position == 0 else ','}\n{name}: {values}".encode()
            except UnicodeEncodeError:
                raise InputError(f"topic {topic!r}: a name in it cannot be written as UTF-8") from None
        yield b"\n}\n"

    def rows(self, topic: str) -> slice:
        """Return the rows of `topic` (none if the topic does not occur).

        Parameters
        ----------
        topic
            The name of a topic.
        """
        if topic not in self.topics:
            return slice(0, 0)
        position = self.topics.index(topic)
        return slice(int(self.bounds[position]), int(self.bounds[position + 1]))

    def documents_of(self, topic: str) -> list[str]:
        """Return the documents of `topic`, in the order of the source.

        Parameters
        ----------
        topic
            The name of a topic.
        """
        return list(self.documents[self.rows(topic)])


@frozen(kw_only=True, eq=False, repr=False)
class Results(_ByTopic):
    """What one system returned: for each topic, documents with scores.

    Parameters
    ----------
    topics
        The topics, in the order of the source.
    bounds
        Where the rows of each topic begin; topic `i` owns those from `bounds[i]` to `bounds[i + 1]`.
    documents
        The documents, topic by topic.
    caveats
        What a reader should know about the source.
    source
        The file that they came from.
    comments
        The comments at the head of that file, each with its `#`.
    name
        The name of the system.
    scores
        The score of each document; as an attribute, `document_scores`.

    Examples
    --------
    >>> results = Results.from_mapping("a", {"1": {"d1": 2.0, "d2": 1.5}})
    >>> results.name, results.topics, results.documents_of("1")
    ('a', ('1',), ['d1', 'd2'])
    """

    name: str
    document_scores: FloatArray = field(alias="scores")

    @classmethod
    def from_mapping(cls, name: str, scores: dict[str, dict[str, float]]) -> Results:
        """Return results from `{topic: {document: score}}`.

        Parameters
        ----------
        name
            The name of the system.
        scores
            Scores by document, by topic.
        """
        topics, bounds, documents = flatten(scores)
        values = [score for topic in topics for score in scores[topic].values()]
        return cls(name=name, topics=topics, bounds=bounds, documents=documents, scores=as_scores(values))

    @property
    def scores(self) -> FloatArray:
        """The scores of documents, by their former name, which in other tools is that of the scores of topics."""
        from measurand.calls import PER_TOPIC

        instead = f"document_scores for the scores of documents, {PER_TOPIC} for those of topics"
        deprecate(f"{type(self).__name__}.scores", instead)
        return self.document_scores

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {self._size}, {counted(len(self), 'document')}>"

    def _valued(self) -> tuple[str, FloatArray]:
        return "score", self.document_scores


@frozen(kw_only=True, eq=False, repr=False)
class Judgments(_ByTopic):
    """Which documents are how relevant: for each topic, documents with grades.

    Parameters
    ----------
    topics
        The topics, in the order of the source.
    bounds
        Where the rows of each topic begin; topic `i` owns those from `bounds[i]` to `bounds[i + 1]`.
    documents
        The documents, topic by topic.
    grades
        The grade of each.
    caveats
        What a reader should know about the source.
    source
        The file that they came from.
    comments
        The comments at the head of that file, each with its `#`.
    grade_scale
        The scale that the grades are on: `"ordinal"`, or `"ratio"` if a grade 2 is worth twice a grade 1.

    Examples
    --------
    >>> judgments = Judgments.from_mapping({"1": {"d1": 2, "d2": 0}})
    >>> judgments.topics, judgments.grades.tolist()
    (('1',), [2, 0])
    """

    coded: CodedGrades = field(alias="grades", converter=coded_grades)
    grade_scale: Scale = field(default=Scale.ORDINAL, converter=as_grade_scale)

    @property
    def grades(self) -> IntArray | FloatArray:
        """The grade of each document: whole numbers, or floats if some grades are fractions.

        Examples
        --------
        >>> Judgments.from_mapping({"1": {"d1": 0.7, "d2": 0}}).grades.tolist()
        [0.7, 0.0]
        """
        return self.coded.values

    @property
    def relevance(self) -> Relevance | None:
        """The grades that there are, if not all are whole numbers up to 127; then `codes` are their places."""
        return self.coded.relevance

    @property
    def codes(self) -> IntArray:
        """The grade of each document as a whole number: itself, or its place in `relevance`."""
        return self.coded.codes

    @classmethod
    def from_mapping(cls, grades: Mapping[str, Mapping[str, Any]]) -> Judgments:
        """Return judgments from `{topic: {document: grade}}`.

        Parameters
        ----------
        grades
            Grades by document, by topic.
        """
        topics, bounds, documents = flatten(grades)
        values = [grade for topic in topics for grade in grades[topic].values()]
        return cls(topics=topics, bounds=bounds, documents=documents, grades=as_grades(values))

    def on_topics(self, topics: Sequence[str]) -> Self:
        """Return the judgments of some topics, in the order given.

        Parameters
        ----------
        topics
            Their names.

        Examples
        --------
        >>> judgments = Judgments.from_mapping({"1": {"d1": 2, "d2": 0}, "2": {"d1": 1}})
        >>> judgments.on_topics(["2"]).topics, judgments.on_topics(["2"]).grades.tolist()
        (('2',), [1])
        """
        unknown = [topic for topic in topics if topic not in self.topics]
        if unknown or not topics:
            some = f"topic {', '.join(unknown)} has no judgments" if unknown else "no topic is named"
            raise ParameterError(f"{some}; there are judgments for {_some(self.topics)}")
        parts = [np.arange(rows.start, rows.stop) for rows in map(self.rows, topics)]
        rows = np.concatenate(parts)
        return evolve(
            self,
            topics=tuple(topics),
            bounds=bounds_of([len(part) for part in parts]),
            documents=documents_at(self.documents, rows),
            grades=self.coded.at(rows),
        )

    def binarised(self, rel: int) -> Self:
        """Return the same judgments with grade 1 where a document has grade `rel` or more, and 0 for other grades.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant, or its code.

        Examples
        --------
        >>> Judgments.from_mapping({"1": {"d1": 2, "d2": 1, "d3": -1}}).binarised(2).grades.tolist()
        [1, 0, -1]
        """
        return evolve(self, grades=np.where(self.codes >= 0, self.codes >= rel, self.codes).astype(np.int64))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._size}, {counted(len(self), 'judgment')}>"

    def _valued(self) -> tuple[str, IntArray | FloatArray]:
        return "grade", self.grades


def flatten(nested: Mapping[str, Mapping[str, Any]]) -> tuple[tuple[str, ...], IntArray, list[str]]:
    """Return topics, bounds and documents of `{topic: {document: value}}`, leaving out empty topics.

    Parameters
    ----------
    nested
        Values by document, by topic.
    """
    topics = tuple(topic for topic in nested if nested[topic])
    if not topics:
        raise InputError("nothing there: no topic has a document")
    bounds = bounds_of([len(nested[topic]) for topic in topics])
    return topics, bounds, [document for topic in topics for document in nested[topic]]


def bounds_of(sizes: Sequence[int] | IntArray) -> IntArray:
    """Return where each topic's rows start, and where the last one's end.

    Parameters
    ----------
    sizes
        How many rows each topic has.

    Examples
    --------
    >>> bounds_of([2, 3]).tolist()
    [0, 2, 5]
    """
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)


def as_scores(values: Sequence[float] | FloatArray) -> FloatArray:
    """Return finite double precision scores, or complain of a value that is none.

    Parameters
    ----------
    values
        The values.
    """
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a score is not a number: {error}") from None
    if scores.ndim != 1:
        raise InputError(f"a score is not a number: {quoted(values[0])} is several")
    if not np.isfinite(scores).all():
        bad = scores[~np.isfinite(scores)][0]
        raise InputError(f"score {bad} is not finite; a ranking needs comparable scores")
    return scores


def as_grades(values: Sequence[Any] | IntArray) -> CodedGrades:
    """Return grades, which are numbers, exactly: a float stands for its shortest decimal spelling.

    Parameters
    ----------
    values
        Whole numbers, floats or fractions.

    Examples
    --------
    >>> as_grades([0.7, 0, 1.0]).values.tolist(), as_grades([2.0, 0]).values.tolist()
    ([0.7, 0.0, 1.0], [2, 0])
    """
    try:
        grades = np.asarray(values)
        several_each = grades.ndim != 1
    except ValueError:
        several_each = True
    if several_each:
        nested = next(value for value in values if np.ndim(value) or isinstance(value, list))
        raise InputError(f"grade {quoted(nested)} is not a number; map the labels to 0, 1, 2, …")
    if grades.dtype.kind in "iub" and not (np.abs(grades.astype(np.float64)) > HIGHEST_GRADE).any():
        return CodedGrades(grades.astype(np.int64))
    several = values.tolist() if isinstance(values, np.ndarray) and values.dtype != np.float32 else list(values)
    try:
        known = {value: exact_grade(value) for value in set(several)}
    except TypeError:
        known = {}
        for value in several:
            exact_grade(value)
    return CodedGrades.of([known[value] for value in several])


def exact_grade(value: Any) -> Fraction | int:
    """Return a grade as an exact number, or complain of what can be none.

    Parameters
    ----------
    value
        A number, or its spelling.

    Examples
    --------
    >>> exact_grade(0.7), exact_grade("2"), exact_grade(np.float32(0.1))
    (Fraction(7, 10), 2, Fraction(1, 10))
    """
    if isinstance(value, float | np.floating) and not isfinite(value):
        raise InputError(f"grade {quoted(value)} is not finite; leave the judgment out, or repair it")
    if isinstance(value, bool | np.bool_):
        return int(value)
    try:
        return checked_grade(rational(str(value) if isinstance(value, np.floating) else value))
    except ParameterError:
        raise InputError(f"grade {quoted(value)} is not a number; map the labels to 0, 1, 2, …") from None


def checked_grade(grade: Fraction) -> Fraction | int:
    """Return a grade, a whole number as such, or complain that it is too large, too fine or below 0.

    Examples
    --------
    >>> checked_grade(Fraction(2)), checked_grade(Fraction(7, 10))
    (2, Fraction(7, 10))
    """
    if grade > LARGEST_GRADE or grade.denominator > LARGEST_GRADE**3:
        size = "above 10^12" if grade > LARGEST_GRADE else "a number of more than 36 decimals"
        raise InputError(f"grade {_short(grade)} is {size}; scale or round the grades")
    if grade < 0 and (grade.denominator > 1 or grade < -HIGHEST_GRADE):
        below = f"below -{HIGHEST_GRADE}" if grade.denominator == 1 else "a fraction below 0"
        run = "" if grade.denominator == 1 else "; is this a run, in the place of judgments?"
        raise InputError(f"grade {_short(grade)} is {below}; grades start at 0, which is not relevant{run}")
    return grade.numerator if grade.denominator == 1 else grade


def _short(grade: Fraction) -> str:
    text = decimal(grade)
    return text if len(text) <= 40 else f"{text[:20]}…"


def documents_at(documents: Documents, rows: IntArray) -> Documents:
    """Return the documents of some rows, as a list from a list and as names from names.

    Examples
    --------
    >>> documents_at(["d1", "d2", "d3"], np.array([2, 0]))
    ['d3', 'd1']
    """
    return [documents[row] for row in rows.tolist()] if isinstance(documents, list) else documents.take(rows)


def compact(documents: Documents) -> Documents:
    """Return documents that do not keep others in memory.

    Parameters
    ----------
    documents
        The names of documents.

    Examples
    --------
    >>> compact(["d1"])
    ['d1']
    """
    return documents if isinstance(documents, list) else documents.compact()


def _some(topics: Sequence[str], most: int = 8) -> str:
    more = f", … ({len(topics)} in all)" if len(topics) > most else ""
    return ", ".join(topics[:most]) + more
