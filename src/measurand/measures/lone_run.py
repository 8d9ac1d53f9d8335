"""What every measure says of one judged run, and what it had to assume to say it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import Exact, caveats_of, noted, whole_number
from measurand.judged import Pool, as_cells

Cells = tuple[int, ...]


@frozen
class ToldRun:
    """One judged run, with what was told of its topic.

    Parameters
    ----------
    run
        The grades, first rank first.
    recall_base
        The number of relevant documents of the topic, if it was told.
    grade_counts
        The number of judged documents of each grade, if it was told.
    grades
        How many grades there are, 0 included, if it was told.
    """

    run: Cells = field(converter=as_cells)
    recall_base: int | None
    grade_counts: Sequence[int] | None
    grades: int | None


class LoneRun:
    """The part of a measure that values one judged run.

    A measure whose value depends on how many documents of each grade there are says so with `needs_grade_counts`.
    """

    __slots__ = ()

    graded: ClassVar[bool]
    needs_grade_counts: ClassVar[bool] = False

    @abstractmethod
    def exact(self, run: Cells, pool: Pool) -> Exact:
        """Return the exact value of a run that is already condensed and cut."""

    @abstractmethod
    def view(self, run: Cells) -> Cells:
        """Return the part of a run that the measure looks at."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return the parameters and their values."""

    @property
    @abstractmethod
    def lowest(self) -> int:
        """The lowest grade that counts as relevant."""

    @property
    def _gmax(self) -> int | None:
        gmax: int | None = self.parameters().get("gmax")
        return gmax

    def of(
        self,
        run: Sequence[int],
        recall_base: int | None = None,
        grade_counts: Sequence[int] | None = None,
        *,
        grades: int | None = None,
    ) -> Exact:
        """Return the exact value of one judged run.

        Where the value depends on what there is to be found and nobody said it, it carries a caveat, as `caveats`.
        Runs of grades 0 and 1 are binary if nothing else is said.

        Parameters
        ----------
        run
            Grades, first rank first; -1 is an unjudged document, -2 no document, -3 a document that was
            pooled but not judged.
        recall_base
            The number of relevant documents of the topic; the run's length if nothing is said.
        grade_counts
            The number of judged documents of grade 0, 1, 2, … of the topic. nDCG, nERR, Q and OIE, which compare
            with the best ranking there can be, need it where there are grades above 1.
        grades
            How many grades there are, 0 included: the highest is one less.

        Examples
        --------
        >>> from measurand.measures import gP
        >>> gP.of((1, 0, 0), grades=3), gP.of((2, 0, 0), grades=3)
        (Fraction(1, 6), Fraction(1, 3))
        >>> print(gP.of((2, 0, 0)).caveats[0])
        gP takes 2, the highest grade of the run, for the highest there is; grades= says how many there are
        """
        return self._of(ToldRun(run, recall_base, grade_counts, grades))

    def _of(self, told: ToldRun) -> Exact:
        """Return the exact value of one judged run."""
        grades = self._told_grades(told.run, told.grades)
        pool = Pool.told(told.run, told.recall_base, told.grade_counts, self.lowest, self._gmax, grades)
        return noted(self.exact(self.view(told.run), pool), self._assumed(told))

    def value(
        self,
        run: Sequence[int],
        recall_base: int | None = None,
        grade_counts: Sequence[int] | None = None,
        *,
        grades: int | None = None,
    ) -> float:
        """Return the value of one judged run as the nearest float.

        Parameters
        ----------
        run, recall_base, grade_counts, grades
            As in `of`.
        """
        return self._value(ToldRun(run, recall_base, grade_counts, grades))

    def _value(self, told: ToldRun) -> float:
        """Return the value of one judged run as the nearest float."""
        value = self._of(told)
        return noted(float(value), caveats_of(value))

    def _told_grades(self, cells: Cells, grades: int | None) -> int | None:
        """Return how many grades there are, or complain that gmax or the run say otherwise."""
        if grades is None:
            return None
        highest, found = whole_number("grades", grades, 2) - 1, max(cells, default=0)
        if self._gmax not in (None, highest):
            raise ParameterError(f"{self!r}: grades={grades} contradicts gmax={self._gmax}; the highest grade is gmax")
        if found > highest:
            raise ParameterError(f"the run holds grade {found}, and {grades} grades are 0 to {highest}")
        return grades

    def _assumed(self, told: ToldRun) -> tuple[Caveat, ...]:
        """Return what had to be assumed of the grades that there are."""
        if not self.graded or told.grade_counts is not None:
            return ()
        found, said = max(told.run, default=0), "gmax" not in self.parameters() or self._gmax or told.grades
        highest = max(found, self._gmax or 1, (told.grades or 2) - 1)
        if self.needs_grade_counts and highest > 1:
            taken = f"{self!r} takes all relevant documents to have grade {highest}"
            text = f"{taken}; grade_counts= says how many have each"
        elif not (self.needs_grade_counts or said) and found > 1:
            taken = f"{self!r} takes {found}, the highest grade of the run, for the highest there is"
            text = f"{taken}; grades= says how many there are"
        else:
            return ()
        return (Caveat(Doubt.GRADES, text),)
