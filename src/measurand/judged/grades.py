"""Grades: what can stand at a rank, and how many documents of each grade a topic has.

A cell is a whole number: a grade from 0 up, or

`UNJUDGED`
    a document that the judgments do not mention;
`NOTHING`
    no document: the run ends before this rank;
`POOLED`
    a document that was put before the assessors but not assessed. Judgment files write it as grade
    -1; only estimators such as infAP distinguish it from `UNJUDGED`.

Grades of -2 and below are judgments (spam, junk) and count as grade 0.

Grades that are no whole numbers, or above `HIGHEST_GRADE`, are kept as codes: a document has the place of its grade
among all grades of the collection (0 for grade 0, 1 for the lowest above it, …), and a `Relevance` has the grades.

`Pool` is what the judgments of one topic hold, apart from any ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.deprecated import deprecate, moved
from measurand.errors import ParameterError, quoted
from measurand.exact import decimal, whole_number

if TYPE_CHECKING:
    from measurand.judged.relevance import Relevance

UNJUDGED = -1
NOTHING = -2
POOLED = -3

NO_CELL = -99

NUMBERS = (int, float, Fraction, np.number, np.bool_)
"""What grades of lone runs may be."""

HIGHEST_CELL = 1_000_000
"""The highest grade of a lone run: documents are counted by grade, up to it."""

HIGHEST_GRADE = 127
"""The highest grade that is its own code."""

MOST_LEVELS = 2**31 - 1
"""The highest code: as many different grades above 0 can be told apart."""


@frozen(eq=False, repr=False)
class CodedGrades:
    """The grades of some documents: whole numbers as they are, all others as places in a set of grades.

    Parameters
    ----------
    codes
        A whole number for each document. From 0 on it is the grade itself, or its place in `relevance`; negative
        numbers are those of judgment files.
    relevance
        The grades that the codes stand for; None if they stand for themselves.

    Examples
    --------
    >>> coded = CodedGrades.of([Fraction(7, 10), 0, -1, Fraction(3, 10)])
    >>> coded.codes.tolist(), [str(grade) for grade in coded.relevance.grades]
    ([2, 0, -1, 1], ['0', '3/10', '7/10'])
    """

    codes: IntArray
    relevance: Relevance | None = None

    @classmethod
    def of(cls, grades: Sequence[Fraction | int]) -> CodedGrades:
        """Return exact grades as codes.

        Parameters
        ----------
        grades
            Whole numbers and fractions; fractions are not below 0.
        """
        different = set(grades)
        if all(grade.denominator == 1 and -HIGHEST_GRADE <= grade <= HIGHEST_GRADE for grade in different):
            return cls(np.array(grades, dtype=np.int64))
        from measurand.judged.relevance import Relevance  # whole grades do without

        relevance = Relevance.of_values(grade for grade in different if grade > 0)
        place: dict[Fraction | int, int] = {grade: level for level, grade in enumerate(relevance.grades)}
        return cls(np.array([place[grade] if grade > 0 else int(grade) for grade in grades], dtype=np.int64), relevance)

    def at(self, rows: IntArray) -> CodedGrades:
        """Return the grades of some of the documents.

        Parameters
        ----------
        rows
            Their places.
        """
        return CodedGrades(self.codes[rows], self.relevance)

    @property
    def values(self) -> IntArray | FloatArray:
        """The grades: whole numbers, or floats if some are fractions.

        Examples
        --------
        >>> CodedGrades.of([Fraction(7, 10), 0, -1]).values.tolist(), CodedGrades.of([2, 0]).values.tolist()
        ([0.7, 0.0, -1.0], [2, 0])
        """
        if self.relevance is None:
            return self.codes
        kind = np.int64 if self.relevance.is_whole else np.float64
        grades = np.array([kind(grade) for grade in self.relevance.grades], dtype=kind)
        return np.asarray(np.where(self.codes < 0, self.codes.astype(kind), grades[np.maximum(self.codes, 0)]))

    def spelled(self, rows: slice) -> list[str]:
        """Return the grades of some documents as text that is read back as the same numbers.

        Parameters
        ----------
        rows
            Their places.

        Examples
        --------
        >>> CodedGrades.of([Fraction(7, 10), 0, -1]).spelled(slice(0, 3))
        ['0.7', '0', '-1']
        """
        codes = self.codes[rows].tolist()
        if self.relevance is None:
            return list(map(str, codes))
        grades = self.relevance.grades
        table = {code: decimal(grades[code]) if code > 0 else str(code) for code in set(codes)}
        return [table[code] for code in codes]


class RealGrade(Fraction):
    """An exact grade that shows itself as people write it: 0.3 rather than 3/10 or Fraction(3, 10).

    Examples
    --------
    >>> (RealGrade("0.3"), RealGrade(1, 3), 0), RealGrade("0.3") == Fraction(3, 10)
    ((0.3, 1/3, 0), True)
    """

    __slots__ = ()

    def __str__(self) -> str:
        return decimal(self)

    def __repr__(self) -> str:
        return decimal(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.numerator, self.denominator)


def grade_of(code: int, relevance: Relevance | None) -> int | Fraction:
    """Return the grade that a code stands for: itself, or the exact value at this place in a set of grades.

    Parameters
    ----------
    code
        A whole number from 0 on.
    relevance
        The set of grades; None if codes are grades.

    Examples
    --------
    >>> from measurand.judged import Relevance
    >>> grade_of(2, None), grade_of(2, Relevance.graded(0, "0.3", "0.7")), grade_of(1, Relevance.graded(0, 500))
    (2, 0.7, 500)
    """
    if relevance is None:
        return code
    value = relevance.grades[code]
    return value.numerator if relevance.is_whole else RealGrade(value)


def coded_grades(grades: IntArray | CodedGrades) -> CodedGrades:
    """Return grades as codes; whole numbers are taken as they are."""
    return grades if isinstance(grades, CodedGrades) else CodedGrades(np.asarray(grades))


def cell_type(highest: int) -> type[np.signedinteger[Any]]:
    """Return the smallest type of integers that holds codes up to the highest.

    Examples
    --------
    >>> cell_type(3).__name__, cell_type(128).__name__, cell_type(40_000).__name__
    ('int8', 'int16', 'int32')
    """
    return np.int8 if highest <= 127 else np.int16 if highest <= 32_767 else np.int32


def cells_of_grades(codes: IntArray) -> Cells:
    """Return the cells of documents with these codes of grades in a judgment file.

    Examples
    --------
    >>> cells_of_grades(np.array([2, 0, -1, -2])).tolist()
    [2, 0, -3, 0]
    """
    kind = cell_type(int(codes.max(initial=0)))
    return np.where(codes == -1, POOLED, np.maximum(codes, 0)).astype(kind)


def as_cells(run: Sequence[int]) -> tuple[int, ...]:
    """Return a judged run as a tuple of cells, or complain that it is none.

    Parameters
    ----------
    run
        Grades, first rank first; negative codes as in `measurand.judged.grades`.

    Examples
    --------
    >>> as_cells([1, 0, True])
    (1, 0, 1)
    """
    try:
        given = tuple(run)
        plain = all(type(cell) is int for cell in given)
        cells = given if plain else tuple(int(cell) if isinstance(cell, NUMBERS) else NO_CELL for cell in given)
        right = all(cell == one and cell >= POOLED for cell, one in zip(cells, given, strict=True))
    except Exception:  # noqa: BLE001 - whatever a stranger's numbers raise
        cells, right = (), False
    if not right:
        raise ParameterError(
            f"{quoted(run)} is no judged run; write grades such as (1, 0, 2), -1 for unjudged, -2 for no document"
        )
    return cells


def written_grades(text: str) -> tuple[str, ...]:
    """Return the grades in a text, as they are written: with commas or spaces between, or single characters.

    Examples
    --------
    >>> written_grades("1,0,2"), written_grades("1 0"), written_grades("1001")
    (('1', '0', '2'), ('1', '0'), ('1', '0', '0', '1'))
    """
    parts = text.split(",") if "," in text else text.split() if " " in text.strip() else list(text)
    grades = tuple(part.strip() for part in parts)
    if not grades or "" in grades:
        raise ParameterError(f"{text!r} is no judged run; write grades with commas between, like 1,0,0,1")
    return grades


def read_cells(text: str) -> tuple[int, ...]:
    """Return the judged run in a text: whole numbers, -1 for an unjudged document, -2 for none.

    Examples
    --------
    >>> read_cells("2,0,-1"), read_cells("110")
    ((2, 0, -1), (1, 1, 0))
    """
    grades = written_grades(text.strip())
    try:
        cells = as_cells([int(grade) for grade in grades])
    except ValueError:
        raise ParameterError(f"{text!r} is no judged run; write whole grades with commas between, like 1,0,2") from None
    if max(cells) > HIGHEST_GRADE:
        raise ParameterError(f"{text!r} is no judged run: no grade is above {HIGHEST_GRADE}")
    return cells


def spelled(run: Sequence[Any]) -> str:
    """Return a judged run as it is written on the command line.

    Parameters
    ----------
    run
        Grades, first rank first.

    Examples
    --------
    >>> spelled((1, 0, 2)), spelled(())
    ('1,0,2', '()')
    """
    return ",".join(map(str, run)) or "()"


def relevance_string(run: Sequence[int], ranks: int = 10) -> str:
    """Return the grades of the first ranks of a judged run, a character each, as trec_eval's `relstring` shows them.

    Parameters
    ----------
    run
        Cells, first rank first.
    ranks
        How many ranks to show; fewer where the run ends.

    Returns
    -------
    str
        A digit for grades to 9, `>` for higher ones, `-` for a document that the judgments do not mention, `.` for one
        that was pooled but not judged (grade -1 in judgment files).

    Examples
    --------
    >>> relevance_string([2, 0, -1, 12, -3, 1, -2, -2]), relevance_string([2, 0, 1], ranks=2)
    ('20->.1', '20')
    """
    signs = {UNJUDGED: "-", POOLED: "."}
    shown = [cell for cell in run[:ranks] if cell != NOTHING]
    return "".join(signs.get(cell) or (str(cell) if cell <= 9 else ">") for cell in shown)


@frozen
class Pool:
    """The number of judged documents of each grade of a topic.

    Parameters
    ----------
    grade_counts
        How many documents have grade 0, 1, 2, … It reaches to the highest grade of the *collection*,
        so that the top grade is one for all topics.

    Examples
    --------
    >>> pool = Pool((10, 2, 1))
    >>> pool.recall_base(), pool.recall_base(rel=2), pool.top_grade
    (3, 1, 2)
    >>> list(pool.ideal(4))
    [2, 1, 1]
    """

    grade_counts: tuple[int, ...]

    @classmethod
    def of(cls, grades: Iterable[int]) -> Pool:
        """Return the pool of a topic whose judged documents have these grades.

        Parameters
        ----------
        grades
            The grades as judgment files have them.

        Examples
        --------
        >>> Pool.of({"d1": 0, "d2": 1, "d3": 2, "d4": 1}.values()).recall_base()
        3
        """
        known = [cell for cell in cells_of_grades(np.array(list(grades))).tolist() if cell != POOLED]
        return cls(tuple(known.count(grade) for grade in range(max([1, *known]) + 1)))

    @classmethod
    def assumed(cls, run: Sequence[int], recall_base: int | None = None, rel: int = 1, top: int | None = None) -> Pool:
        """Return the pool to measure a lone judged run against.

        The relevant documents, from grade `rel` on, all have the highest grade: `top`, or the highest of
        the run. Without a recall base every rank of the run might hold a relevant document, so the recall
        base is the run's length: the convention of the papers. Nonrelevant documents are those of the run.

        Parameters
        ----------
        run
            Cells, first rank first.
        recall_base
            The number of relevant documents, if it is known.
        rel
            The lowest grade that counts as relevant.
        top
            The highest grade, if it is known.

        Examples
        --------
        >>> Pool.assumed((1, 0, 1, 0)).grade_counts, Pool.assumed((2, 0, 1), recall_base=5).grade_counts
        ((2, 4), (1, 0, 5))
        """
        highest = max([rel, top or 0, *run])
        if highest > HIGHEST_CELL:
            raise ParameterError(
                f"grade {quoted(highest)} is too high for a lone run, whose grades go to {HIGHEST_CELL:,}"
            )
        counts = [0] * (highest + 1)
        for cell in run:
            if 0 <= cell < rel:
                counts[cell] += 1
        counts[highest] = len(run) if recall_base is None else int(recall_base)
        return cls(tuple(counts))

    @classmethod
    def described(
        cls,
        run: Sequence[int],
        recall_base: int | None,
        grade_counts: Sequence[int] | None,
        rel: int = 1,
        top: int | None = None,
        grades: int | None = None,
    ) -> Pool:
        """Return the pool that is described by a recall base or by the number of documents of each grade.

        Parameters
        ----------
        run
            Cells, first rank first; where nobody counts documents by grade, it stands in for what is not given.
        recall_base
            The number of relevant documents; it must agree with `grade_counts` where both are given.
        grade_counts
            The number of judged documents of grade 0, 1, 2, …
        rel
            The lowest grade that counts as relevant.
        top
            The highest grade, where nobody counts documents by grade.
        grades
            How many grades there are, 0 included.

        Examples
        --------
        >>> Pool.described((1, 0), None, [5, 3]).recall_base()
        3
        >>> Pool.described((1, 0), None, [5, 3], grades=3).grade_counts
        (5, 3, 0)
        >>> Pool.described((1, 0), 4, None, grades=3).grade_counts
        (1, 0, 4)
        """
        if recall_base is not None:
            recall_base = whole_number("recall_base", recall_base, 0)
        if grade_counts is None:
            return cls.assumed(run, recall_base, rel, top if grades is None else grades - 1)
        pool = cls(_filled(_counts(grade_counts), grades))
        highest = max((cell for cell in run), default=0)
        if highest > 0 and not any(pool.grade_counts[highest:]):
            raise ParameterError(f"the run holds a document of grade {highest}, and grade_counts name none of it")
        if recall_base not in (None, pool.recall_base(rel)):
            counted = pool.recall_base(rel)
            raise ParameterError(f"recall_base={recall_base} contradicts grade_counts, which make it {counted}")
        return pool

    @classmethod
    def told(cls, *described: Any, **options: Any) -> Pool:
        """Return `described` of the same, which is its present name.

        Parameters
        ----------
        *described, **options
            As `described` takes them.
        """
        deprecate("Pool.told", "Pool.described")
        return cls.described(*described, **options)

    @classmethod
    def plain(cls, relevant: int, nonrelevant: int, top: int = 1) -> Pool:
        """Return the pool of a topic whose relevant documents all have the highest grade.

        Parameters
        ----------
        relevant, nonrelevant
            How many documents there are.
        top
            The highest grade.

        Examples
        --------
        >>> Pool.plain(5, 100, top=3).grade_counts
        (100, 0, 0, 5)
        """
        return cls((nonrelevant, *[0] * (top - 1), relevant))

    @property
    def top_grade(self) -> int:
        """The highest grade there is, at least 1."""
        return max(1, len(self.grade_counts) - 1)

    def recall_base(self, rel: int = 1) -> int:
        """Return how many documents are relevant: those of grade `rel` and above.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return sum(self.grade_counts[rel:])

    def nonrelevant(self, rel: int = 1) -> int:
        """Return how many documents were judged and found not relevant.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return sum(self.grade_counts[:rel])

    def ideal(self, depth: int | None = None) -> tuple[int, ...]:
        """Return the best judged run there can be: all relevant documents, best first.

        Parameters
        ----------
        depth
            How many ranks it has at most.
        """
        run: list[int] = []
        for grade, count in self._from_the_top:
            run.extend([grade] * count)
            if depth is not None and len(run) >= depth:
                return tuple(run[:depth])
        return tuple(run)

    @cached_property
    def _from_the_top(self) -> tuple[tuple[int, int], ...]:
        """The grades above 0 that some document has, the highest first, and how many have each."""
        counts = self.grade_counts
        return tuple((grade, counts[grade]) for grade in range(len(counts) - 1, 0, -1) if counts[grade])


def _counts(given: object) -> list[int]:
    """Return how many documents have each grade, or complain of what says nothing of the kind."""
    try:
        several: list[object] = [] if isinstance(given, str | bytes) else list(given)  # type: ignore[call-overload]
    except Exception:  # noqa: BLE001 - whatever a stranger's object raises
        several = []
    if not several:
        raise ParameterError(
            f"grade_counts must be numbers of documents of grade 0, 1, 2, …, such as [5, 3], not {quoted(given)}"
        )
    return [whole_number("a number of documents in grade_counts", count, 0) for count in several]


def _filled(counts: list[int], grades: int | None) -> tuple[int, ...]:
    """Return how many documents there are of each grade, for so many grades."""
    if grades is None:
        return tuple(counts)
    if any(counts[grades:]):
        highest = max(grade for grade, count in enumerate(counts) if count)
        raise ParameterError(f"grade_counts reaches to grade {highest}, and {grades} grades are 0 to {grades - 1}")
    return tuple(counts[:grades] + [0] * (grades - len(counts)))


__getattr__ = moved(__name__, {"Relevance": "measurand.judged.relevance.Relevance"})
