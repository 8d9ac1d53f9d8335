"""Judgments: which grade the assessors gave to which document of a topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from attrs import frozen

from measurand_next import native
from measurand_next.data.names import Names
from measurand_next.data.value import Value
from measurand_next.errors import Caveat, InputError, ParameterError, quoted
from measurand_next.exact import IntArray, fraction

POOLED = -3
"""The code of a document that was chosen to be judged and was not: grade -1 of a file of judgments."""

HIGHEST_CODE = 127
"""Whole grades up to this one are their own codes."""

LARGEST, SMALLEST = 10**12, -127
"""Grades stay between these; fractions of more than 36 decimals are refused."""

MOST = 10_000
"""So many different grades there may be."""

FEW, SEVERAL = 3, 10
"""Judgments are sparse if several topics have few of them, and nothing that is not relevant is among these."""


@frozen(kw_only=True, eq=False, repr=False)
class Qrels(Value):
    """Relevance judgments.

    Attributes
    ----------
    topics
        Their names, in the order of the source.
    ends
        Where the rows of each topic end.
    documents
        The judged documents, topic by topic.
    codes
        For each of them the place of its grade among the values.
    values
        The grades that occur, exactly, ascending.
    caveats
        What a reader of numbers from these judgments should know.
    source, comments
        The file that they came from, and the comments at its head.

    Examples
    --------
    >>> qrels = Qrels.of({"1": {"d1": 2, "d2": 0}})
    >>> qrels, qrels.grades.tolist()
    (<Qrels: 1 topics, 2 judgments>, [2, 0])
    """

    topics: tuple[str, ...]
    ends: IntArray
    documents: Names
    codes: IntArray
    values: tuple[Fraction, ...]
    caveats: tuple[Caveat, ...] = ()
    source: str = ""
    comments: str = ""

    @classmethod
    def of(cls, grades: Mapping[str, Mapping[str, Any]]) -> Qrels:
        """Judgments from the grade of each document, by topic; a grade is a number, or text that spells one."""
        topics, ends, documents, given = flat(grades)
        codes, values = coded(given)
        return cls(topics=topics, ends=ends, documents=documents, codes=codes, values=values)

    def __repr__(self) -> str:
        return f"<Qrels: {len(self.topics):,} topics, {len(self):,} judgments>"

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def grades(self) -> np.ndarray[Any, Any]:
        """The grade of each document: whole numbers, or floats where some are fractions."""
        whole = all(value.denominator == 1 for value in self.values)
        return np.array([int(value) if whole else float(value) for value in self.values])[self.codes]

    def to_dict(self) -> dict[str, dict[str, int | float]]:
        """The same as nested dictionaries: topic, document, grade."""
        return nested(self.topics, self.ends, self.documents, self.grades)

    @cached_property
    def grade_values(self) -> tuple[Fraction, ...]:
        """What codes of judged runs stand for: all whole grades up to the highest, or else just those that occur."""
        positive = [value for value in self.values if value > 0]
        if not positive or (positive[-1] <= HIGHEST_CODE and all(value.denominator == 1 for value in positive)):
            return tuple(map(Fraction, range((int(positive[-1]) if positive else 1) + 1)))
        return (Fraction(0), *positive)

    @cached_property
    def judged_codes(self) -> IntArray:
        """For each document its place in `grade_values`, or `POOLED`; grades below -1 are like 0."""
        place = {value: code for code, value in enumerate(self.grade_values)}
        return np.array([POOLED if value == -1 else place.get(value, 0) for value in self.values])[self.codes]

    @cached_property
    def grade_counts(self) -> IntArray:
        """How many judged documents of each grade there are, topics × grades."""
        width = len(self.grade_values)
        known = self.judged_codes != POOLED
        cells = np.repeat(np.arange(len(self.topics)), np.diff(self.ends, prepend=0)) * width + self.judged_codes
        return np.bincount(cells[known], minlength=width * len(self.topics)).reshape(-1, width)

    @cached_property
    def is_sparse(self) -> bool:
        """Whether a few relevant documents of each topic are judged and nothing else, as in MS MARCO."""
        only_relevant = all(value > 0 for value in self.values)
        return only_relevant and len(self.topics) >= SEVERAL and len(self) <= FEW * len(self.topics)

    @cached_property
    def index(self) -> native.Index:
        """The judgments arranged for the loops in C, which must be there."""
        topics, documents = Names.of(self.topics), self.documents
        size = int(documents.ends[-1])
        return native.Index.of(
            text=np.concatenate((documents.text[:size], topics.text)),
            ends=np.concatenate((documents.ends, size + topics.ends)),
            bounds=np.concatenate(([0], self.ends, [len(self) + len(self.topics)])),
            codes=np.concatenate((self.judged_codes, np.arange(len(self.topics)))),
        )


def flat(table: Mapping[str, Mapping[str, Any]]) -> tuple[tuple[str, ...], IntArray, Names, list[Any]]:
    """Topics that have a document, where the rows of each end, all documents, and the value of each."""
    filled = {topic: documents for topic, documents in table.items() if documents}
    if not filled:
        raise InputError("nothing there: no topic has a document")
    ends = np.cumsum([len(documents) for documents in filled.values()], dtype=np.int64)
    documents = Names.of(name for several in filled.values() for name in _as_names("document", several))
    values = [value for several in filled.values() for value in several.values()]
    return tuple(_as_names("topic", filled)), ends, documents, values


def _as_names(what: str, names: Collection[Any]) -> Collection[str]:
    """Names as text; some are whole numbers."""
    if all(type(name) is str for name in names):
        return names
    for name in names:
        if isinstance(name, bool) or not isinstance(name, str | int | np.integer):
            raise InputError(f"{what} {quoted(name)} is no name, which is text or a whole number")
    spelled = [str(name) for name in names]
    if len(set(spelled)) < len(spelled):
        raise InputError(f"a {what} is named by a number and by the same number as text; name it once")
    return spelled


def nested(
    topics: Sequence[str], ends: IntArray, documents: Names, values: np.ndarray[Any, Any]
) -> dict[str, dict[str, Any]]:
    """The opposite of flat."""
    rows = [slice(start, end) for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]
    return {
        topic: dict(zip(documents[part], values[part].tolist(), strict=True))
        for topic, part in zip(topics, rows, strict=True)
    }


def coded(grades: Iterable[Any]) -> tuple[IntArray, tuple[Fraction, ...]]:
    """Each grade as its place among the grades that occur, and these, ascending."""
    several = list(grades)
    try:
        check_grades(set(several))
        exact = {grade: exact_grade(grade) for grade in set(several)}
    except TypeError:  # some grade is a list, or the like
        exact = {grade: exact_grade(grade) for grade in several}
    values = tuple(sorted(set(exact.values())))
    place = {value: code for code, value in enumerate(values)}
    code_of = {grade: place[value] for grade, value in exact.items()}
    return np.array([code_of[grade] for grade in several], dtype=np.int64), values


def check_grades(different: Collection[Any]) -> None:
    """Refuse more different grades than anybody gives."""
    if len(different) > MOST:
        raise InputError(f"there are more than {MOST:,} different grades; is this a run, in the place of judgments?")


def exact_grade(grade: Any) -> Fraction:
    """A grade exactly as it is written: 0.7 is 7/10."""
    shown = quoted(grade)
    if isinstance(grade, float | np.floating) and not isfinite(grade):
        raise InputError(f"grade {shown} is not finite; leave the judgment out, or repair it")
    try:
        value = fraction(int(grade) if isinstance(grade, bool | np.bool_) else grade)
    except ParameterError:
        raise InputError(f"grade {shown} is not a number; map the labels to 0, 1, 2, …") from None
    if value > LARGEST or value.denominator > LARGEST**3:
        why = "above 10^12" if value > LARGEST else "a number of more than 36 decimals"
        raise InputError(f"grade {shown} is {why}; scale or round the grades")
    if value < 0 and value.denominator > 1:
        raise InputError(f"grade {shown} is a fraction below 0; is this a run, in the place of judgments?")
    if value < SMALLEST:
        raise InputError(f"grade {shown} is below {SMALLEST}; grades start at 0, which is not relevant")
    return value
