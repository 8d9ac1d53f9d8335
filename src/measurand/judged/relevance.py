"""Relevance: sets of grades, which may have names, or be all real numbers up to some end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf

from attrs import frozen

from measurand.errors import NotMeaningful, ParameterError
from measurand.exact import rational, whole_number
from measurand.scale import Scale


@frozen(kw_only=True, cache_hash=True)
class Relevance:
    """A totally ordered set of grades whose least element, 0, is "not relevant".

    Parameters
    ----------
    grades
        The grades in ascending order, or nothing if every real number from 0 to `upper` is one.
    upper
        The highest grade, which may be infinite; of measures with a higher `gmax` the highest of the judgments.
    labels
        What the grades are called, in the same order.
    scale
        The scale that the grades are on: ordinal, unless more is known.

    Examples
    --------
    >>> Relevance.graded(0, 1, 2, 3).contains(2), Relevance.real(upper=1).contains("1/3")
    (True, True)
    >>> Relevance.labelled("nr", "pr", "hr").grade("hr")
    Fraction(2, 1)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 3.1
    """

    grades: tuple[Fraction, ...] = ()
    upper: Fraction | float = inf
    labels: tuple[str, ...] = ()
    scale: Scale = Scale.ORDINAL

    @classmethod
    def binary(cls, scale: Scale = Scale.ORDINAL) -> Relevance:
        """Return the relevance set {0, 1}.

        Parameters
        ----------
        scale
            The scale that the grades are on.
        """
        return cls.graded(0, 1, scale=scale)

    @classmethod
    def graded(cls, *grades: object, scale: Scale = Scale.ORDINAL) -> Relevance:
        """Return a finite relevance set; its least grade must be 0.

        Parameters
        ----------
        *grades
            The grades in ascending order, from 0.
        scale
            The scale that the grades are on.
        """
        values = tuple(rational(grade) for grade in grades)
        if not values or values[0] != 0 or any(high <= low for low, high in pairwise(values)):
            raise ParameterError(f"{grades} is no relevance set: grades ascend from 0, which is 'not relevant'")
        return cls(grades=values, upper=values[-1], scale=scale)

    @classmethod
    def labelled(cls, *labels: str, scale: Scale = Scale.ORDINAL) -> Relevance:
        """Return a finite relevance set with names for its grades 0, 1, 2, …, worst first.

        Parameters
        ----------
        *labels
            Their names, worst first.
        scale
            The scale that the grades are on.
        """
        if len(set(labels)) < len(labels):
            raise ParameterError(f"{labels} name a grade twice")
        values = tuple(Fraction(grade) for grade in range(len(labels)))
        return cls(grades=values, upper=values[-1], labels=labels, scale=scale)

    @classmethod
    def real(cls, upper: object = None, scale: Scale = Scale.ORDINAL) -> Relevance:
        """Return the relevance set of all real numbers from 0 to `upper`, or without end.

        Parameters
        ----------
        upper
            The highest grade, if there is one.
        scale
            The scale that the grades are on.
        """
        return cls(upper=inf if upper is None else rational(upper), scale=scale)

    @classmethod
    def of_values(cls, values: Iterable[Fraction | int]) -> Relevance:
        """Return the relevance set of 0 and some other values, which are above 0.

        Parameters
        ----------
        values
            The values, in any order; 0 and repetitions do not matter.

        Examples
        --------
        >>> [str(grade) for grade in Relevance.of_values([Fraction(7, 10), 0, Fraction(3, 10)]).grades]
        ['0', '3/10', '7/10']
        """
        grades = tuple(sorted({Fraction(0), *map(Fraction, values)}))
        return cls(grades=grades, upper=grades[-1])

    @cached_property
    def is_whole(self) -> bool:
        """Whether every grade is a whole number.

        Examples
        --------
        >>> Relevance.graded(0, 1, 200).is_whole, Relevance.graded(0, "0.7").is_whole
        (True, False)
        """
        return bool(self.grades) and all(grade.denominator == 1 for grade in self.grades)

    def level_from(self, rel: Fraction | int | None = None) -> int:
        """Return the place of the lowest grade that counts as relevant, counted from 0.

        Parameters
        ----------
        rel
            The grade from which on documents count as relevant. By default 1 where all grades are whole numbers, and
            half of the highest grade where they are not.

        Examples
        --------
        >>> clicks = Relevance.graded(0, "0.2", "0.4", "0.7")
        >>> clicks.level_from(), clicks.level_from(Fraction(1, 5)), clicks.level_from(1)
        (2, 1, 4)
        """
        return self._usual_level if rel is None else max(1, bisect_left(self.grades, rel))

    @cached_property
    def _usual_level(self) -> int:
        """The place of the lowest grade that counts as relevant where nobody says which."""
        return max(1, bisect_left(self.grades, self.threshold))

    @cached_property
    def threshold(self) -> Fraction:
        """The grade from which on documents count as relevant: 1, or half of the highest if some are fractions.

        Examples
        --------
        >>> Relevance.graded(0, "0.2", "0.7").threshold, Relevance.graded(0, 1, 3).threshold
        (Fraction(7, 20), Fraction(1, 1))
        """
        return Fraction(1) if self.is_whole else Fraction(min(self.upper, self.grades[-1])) / 2

    def contains(self, grade: object) -> bool:
        """Return whether `grade` is one of the grades.

        Parameters
        ----------
        grade
            A number.
        """
        value = rational(grade)
        return value in self.grades if self.grades else 0 <= value <= self.upper

    def grade(self, label: str) -> Fraction:
        """Return the grade that a label stands for.

        Parameters
        ----------
        label
            One of the labels.
        """
        if label not in self.labels:
            raise ParameterError(f"{label!r} is none of the labels {', '.join(self.labels)}")
        return self.grades[self.labels.index(label)]

    @classmethod
    def of(cls, grades: object) -> Relevance:
        """Return the finite relevance set that a number of grades, the grades themselves, or a set stands for.

        Parameters
        ----------
        grades
            How many grades there are (0, 1, 2, …), all of them in ascending order, or a finite relevance set.

        Examples
        --------
        >>> Relevance.of(3) == Relevance.of((0, 1, 2)) == Relevance.graded(0, 1, 2)
        True
        """
        if isinstance(grades, Iterable) and not isinstance(grades, str | bytes | Mapping):
            grades = cls.graded(*grades)
        elif not isinstance(grades, Relevance):
            grades = cls.graded(*range(whole_number("grades", grades, 2)))
        if not grades.grades:
            raise ParameterError("all real numbers are too many grades here; name those there are: graded(0, 0.3, 1)")
        if len(grades.grades) < 2:
            raise ParameterError("one grade tells no runs apart; name two or more, such as graded(0, 1)")
        return grades

    @property
    def is_plain(self) -> bool:
        """Whether the grades are 0, 1, 2, … without labels, so that a grade is its own place in the set.

        Examples
        --------
        >>> Relevance.graded(0, 1, 2).is_plain, Relevance.graded(0, 1, 3).is_plain
        (True, False)
        """
        return bool(self.grades) and not self.labels and self.grades == tuple(range(len(self.grades)))

    def gains(self, *values: object) -> dict[int, Fraction]:
        """Return what each grade is worth, as measures take it: nothing for the lowest, more for every higher one.

        Parameters
        ----------
        *values
            The gains of the grades, in ascending order.

        Examples
        --------
        >>> from measurand.measures import gP
        >>> gP(gain=Relevance.graded(0, 1, 2).gains(0, 1, 3)).of((2, 0, 1))
        Fraction(4, 9)

        References
        ----------
        [Giner2022]_, section 4
        """
        if not self.grades or any(grade.denominator > 1 for grade in self.grades):
            raise ParameterError("gains belong to whole grades; name those there are, like graded(0, 1, 2)")
        read = tuple(rational(value) for value in values)
        if len(read) != len(self.grades):
            raise ParameterError(f"{len(self.grades)} grades need as many gains, not {len(read)}")
        if read[0] != 0 or any(high <= low for low, high in pairwise(read)):
            raise ParameterError(f"{values} are no gains: the lowest grade is worth 0, every higher one more")
        return {int(grade): gain for grade, gain in zip(self.grades, read, strict=True)}

    def total(self, grades: Iterable[object]) -> Fraction:
        """Return the sum of some grades, which means something on a ratio scale alone.

        Parameters
        ----------
        grades
            The grades.
        """
        if self.scale < Scale.RATIO:
            raise NotMeaningful(f"grades on an {self.scale} scale cannot be added; declare them to be on a ratio scale")
        return sum((rational(grade) for grade in grades), Fraction(0))
