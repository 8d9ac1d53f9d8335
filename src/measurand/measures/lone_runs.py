"""One judged run, given as grades: what is known of its topic, and what has to be assumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from attrs import field, frozen

from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import RationalLike, decimal, whole_number
from measurand.judged import as_cells
from measurand.judged.content import exact_grade
from measurand.judged.grades import CodedGrades

if TYPE_CHECKING:
    from measurand.measures.base import Measure

Kind = TypeVar("Kind", bound="Measure")


@frozen(eq=False, repr=False)
class RunOnTopic:
    """One judged run with what is known of its topic.

    Parameters
    ----------
    run
        The grades, first rank first.
    recall_base
        The number of relevant documents of the topic, if it is known.
    grade_counts
        The number of judged documents of each grade, if it is known.
    grades
        How many grades there are, 0 included, if it is known.
    """

    run: tuple[int, ...] = field(converter=as_cells)
    recall_base: int | None
    grade_counts: Sequence[int] | None
    grades: int | None


def on_topic(
    measure: Kind,
    run: Sequence[RationalLike],
    recall_base: int | None,
    grade_counts: Sequence[int] | Mapping[Any, int] | None,
    grades: int | None,
) -> tuple[Kind, RunOnTopic]:
    """Return the measure for the grades of a run, and the run, as codes if some grade is no whole number."""
    lone = not isinstance(run, Iterable) or isinstance(run, str) or not getattr(run, "ndim", 1)
    plain = lone or not any(map(_is_written, run))
    if plain and not isinstance(grade_counts, Mapping):
        return measure, RunOnTopic(cast(Sequence[int], run), recall_base, grade_counts, grades)
    if measure.relevance is not None:
        raise ParameterError(f"{measure!r} is for codes of grades; write codes, or take the measure as it is parsed")
    if grades is not None or not (grade_counts is None or isinstance(grade_counts, Mapping)):
        raise ParameterError("with such grades, say how many documents have each: grade_counts={0.7: 2, …}")
    cells = [exact_grade(cell) for cell in run]
    counts = None if grade_counts is None else {exact_grade(grade): n for grade, n in grade_counts.items()}
    coded = CodedGrades.of([*cells, *(counts or ())])
    codes, place = coded.codes.tolist(), dict(zip([*cells, *(counts or ())], coded.codes.tolist(), strict=True))
    told = measure.on_grades(coded.relevance)
    if counts is not None:
        _check_counted(max(cells, default=0), counts)
        numbers = {place[grade]: n for grade, n in counts.items()}
        counted = [numbers.get(code, 0) for code in range(max(numbers, default=0) + 1)]
    return told, RunOnTopic(codes[: len(cells)], recall_base, None if counts is None else counted, None)


def _check_counted(highest: Fraction | int, counts: Mapping[Fraction | int, int]) -> None:
    """Complain of a run with a higher grade than any that some document was counted for."""
    if highest > max((grade for grade, n in counts.items() if n), default=0):
        named = decimal(highest)
        raise ParameterError(f"the run holds a document of grade {named}, and grade_counts name none of it")


def known_grades(measure: Measure, cells: Sequence[int], grades: int | None) -> int | None:
    """Return how many grades there are, or complain that gmax or the run say otherwise."""
    if grades is None:
        return None
    highest, found = whole_number("grades", grades, 2) - 1, max(cells, default=0)
    if measure.highest_grade not in (None, highest):
        gmax = measure.highest_grade
        raise ParameterError(f"{measure!r}: grades={grades} contradicts gmax={gmax}; the highest grade is gmax")
    if found > highest:
        raise ParameterError(f"the run holds grade {found}, and {grades} grades are 0 to {highest}")
    return grades


def assumed(measure: Measure, run: RunOnTopic) -> tuple[Caveat, ...]:
    """Return what had to be assumed of the grades that there are."""
    if not measure.graded or run.grade_counts is not None:
        return ()
    found, given = max(run.run, default=0), "gmax" not in measure.parameters() or measure.highest_grade or run.grades
    highest = max(found, measure.highest_grade or 1, (run.grades or 2) - 1)
    least = 1 if measure.relevance is None else 0
    if measure.needs_grade_counts and highest > least:
        taken = f"{measure!r} takes all relevant documents to have grade {decimal(measure.worth(highest))}"
        text = f"{taken}; grade_counts= says how many have each"
    elif not (measure.needs_grade_counts or given) and found > least:
        named = decimal(measure.worth(found))
        taken = f"{measure!r} takes {named}, the highest grade of the run, for the highest there is"
        text = f"{taken}; {'grades= says how many there are' if least else 'gmax= says which that is'}"
    else:
        return ()
    return (Caveat(CaveatKind.GRADES, text),)


def _is_written(cell: object) -> bool:
    """Return whether a grade may be a fraction."""
    return isinstance(cell, float | np.floating | str | Fraction)
