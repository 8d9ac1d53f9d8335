"""Judgments: which grade the assessors gave to which document of a topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand_next import native
from measurand_next.data.by_topic import ByTopic, flat
from measurand_next.data.names import Names
from measurand_next.data.rows import unwritable, whole_numbers
from measurand_next.errors import InputError, NotAvailable, ParameterError, quoted
from measurand_next.exact import IntArray, fraction
from measurand_next.show.blocks import counted

POOLED = -3
"""The code of a document that was chosen to be judged and was not: grade -1 of a file of judgments."""

HIGHEST_CODE = 127
"""Whole grades up to this one are their own codes."""

LARGEST, SMALLEST = 10**12, -127
"""Grades stay between these; fractions of more than 36 decimals are refused."""

GRADE_LIMIT = 10_000
"""So many different grades there may be."""

CELLS = 1 << 26
"""So many pairs of a topic and a grade there may be."""

SPARSE, TOPICS = 3, 10
"""Judgments are sparse if so many topics have on average so few of them, and all of these are relevant."""


@frozen(kw_only=True, eq=False, repr=False)
class Qrels(ByTopic):
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
        For each of them the number of its grade among the values.
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
    (<Qrels: 1 topic, 2 judgments>, [2, 0])
    """

    codes: IntArray = field(converter=whole_numbers)
    values: tuple[Fraction, ...]

    def __attrs_post_init__(self) -> None:
        codes, values = self.codes, self.values
        if codes.shape != (len(self.documents),):
            raise InputError(f"there are {codes.size:,} codes for {len(self.documents):,} documents")
        if list(map(exact_grade, values)) != sorted(set(values)) or codes.min() < 0 or codes.max() >= len(values):
            raise InputError(f"codes must be numbers of {len(values)} grades, which ascend")
        super().__attrs_post_init__()

    @classmethod
    def of(cls, grades: Mapping[str, Mapping[str, Any]]) -> Qrels:
        """Judgments from the grade of each document, by topic; a grade is a number, or text that spells one."""
        rows, given = flat(grades)
        codes, values = coded(given)
        return cls(**rows, codes=codes, values=values)

    def __repr__(self) -> str:
        return f"<Qrels: {counted(len(self.topics), 'topic')}, {counted(len(self), 'judgment')}>"

    @cached_property
    def grades(self) -> np.ndarray[Any, Any]:
        """The grade of each document: whole numbers, or floats where some are fractions."""
        whole = all(value.denominator == 1 for value in self.values)
        return np.array([int(value) if whole else float(value) for value in self.values])[self.codes]

    def to_dict(self) -> dict[str, dict[str, int | float]]:
        """The same as nested dictionaries: topic, document, grade."""
        return self.nested(self.grades)

    @cached_property
    def grade_values(self) -> tuple[Fraction, ...]:
        """What codes of judged runs stand for: all whole grades up to the highest, or else just those that occur."""
        positive = [value for value in self.values if value > 0]
        if not positive or (positive[-1] <= HIGHEST_CODE and all(value.denominator == 1 for value in positive)):
            return tuple(map(Fraction, range((int(positive[-1]) if positive else 1) + 1)))
        return (Fraction(0), *positive)

    @cached_property
    def judged_codes(self) -> IntArray:
        """The code of each document's grade in `grade_values`, or `POOLED`; grades below -1 are like 0."""
        codes = {value: code for code, value in enumerate(self.grade_values)}
        return np.array([POOLED if value == -1 else codes.get(value, 0) for value in self.values])[self.codes]

    @cached_property
    def grade_counts(self) -> IntArray:
        """How many judged documents of each grade there are, topics × grades."""
        width = len(self.grade_values)
        if width * len(self.topics) > CELLS:
            why = f"{width:,} grades on {len(self.topics):,} topics take too much memory"
            raise NotAvailable(f"{why}; round the grades, or take fewer topics")
        known = self.judged_codes != POOLED
        cells = np.repeat(np.arange(len(self.topics)), np.diff(self.ends, prepend=0)) * width + self.judged_codes
        counts: IntArray = np.bincount(cells[known], minlength=width * len(self.topics))
        table: IntArray = unwritable(counts).reshape(-1, width)
        return table

    @cached_property
    def is_sparse(self) -> bool:
        """Whether a few relevant documents of each topic are judged and nothing else, as in MS MARCO."""
        only_relevant = all(value > 0 for value in self.values)
        return only_relevant and len(self.topics) >= TOPICS and len(self) <= SPARSE * len(self.topics)

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


def coded(grades: Iterable[Any]) -> tuple[IntArray, tuple[Fraction, ...]]:
    """Each grade as a code, which is its number among the grades that occur, and these, ascending."""
    several = list(grades)
    try:
        different = set(several)
    except TypeError as error:  # some grade is a list, or the like
        raise InputError(f"a grade is not a number ({error}); map the labels to 0, 1, 2, …") from None
    check_grades(different)
    exact = {grade: exact_grade(grade) for grade in different}
    values = tuple(sorted(set(exact.values())))
    codes = {value: code for code, value in enumerate(values)}
    return np.array([codes[exact[grade]] for grade in several], dtype=np.int64), values


def check_grades(different: Collection[Any]) -> None:
    """Refuse more different grades than anybody gives."""
    if len(different) > GRADE_LIMIT:
        why = f"there are more than {GRADE_LIMIT:,} different grades"
        raise InputError(f"{why}; is this a run, in the place of judgments?")


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
