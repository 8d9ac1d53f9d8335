"""Judged runs, as they are written on the command line."""

from __future__ import annotations

from measurand.errors import ParameterError
from measurand.judged import as_cells
from measurand.judged.grades import HIGHEST_GRADE


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
