"""Compounds that are true or false by their form alone, such as "A exceeds 0.3 or A is at most 0.3".

Parts that compare the same two things are true or false together: whatever the scores are, the first lies below the
second, at it, or above it, and of a number between two others likewise. All ways in which that can turn out are tried.
What is said of different things is taken as independent, so a compound that is settled here is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

from attrs import evolve, frozen

from measurand.scales.questions import Question
from measurand.scales.statements import Averages, Number, Relation

MOST = 20_000
"""So many ways are tried at most; where there are more, the form decides nothing."""

Subject = tuple[Any, ...]
"""What a part is about: parts with one subject depend on one number."""

Truth = Callable[[Mapping[Subject, Fraction]], bool]
"""Whether something is true, given the numbers that it is about."""


@frozen
class Part:
    """One part of a compound, as a function of the number that it is about.

    Parameters
    ----------
    subject : tuple
        What it is about.
    marks : tuple of Fraction
        Where its truth changes.
    holds : callable
        Returns whether it is true, given the number.
    """

    subject: Subject
    marks: tuple[Fraction, ...]
    holds: Callable[[Fraction], bool]


def settled_by_form(whole: Any) -> bool | None:
    """Return the truth of a compound that is the same whatever the scores are; None if it is not, or not known.

    Parameters
    ----------
    whole : CompoundQuestion
        The compound.
    """
    parts: list[Part] = []
    truth = _collected(whole, "", parts)
    marks: dict[Subject, set[Fraction]] = {}
    for part in parts:
        marks.setdefault(part.subject, set()).update(part.marks)
    cells = {subject: list(_cells(sorted(found))) for subject, found in marks.items()}
    if prod(map(len, cells.values())) > MOST:
        return None
    first: bool | None = None
    for chosen in product(*cells.values()):
        now = truth(dict(zip(cells, chosen, strict=True)))
        if first is not None and now is not first:
            return None
        first = now
    return first


def _collected(question: Any, topic: str, parts: list[Part]) -> Truth:
    """Return the truth of a question as a function of what its parts are about, and collect these parts."""
    if hasattr(question, "inner"):
        return _collected(question.inner, question.statement.topic, parts)
    if hasattr(question, "parts"):
        several = [_collected(each, topic, parts) for each in question.parts]
        return lambda numbers: bool(question.joined([each(numbers) for each in several]))
    part = _part(question, topic)
    parts.append(part)
    return lambda numbers: part.holds(numbers[part.subject])


def _cells(marks: list[Fraction]) -> Iterator[Fraction]:
    """Return a number below all marks, each mark, one between every two, and one above.

    Examples
    --------
    >>> [str(each) for each in _cells([Fraction(0), Fraction(1)])]
    ['-1', '0', '1/2', '1', '2']
    """
    yield marks[0] - 1
    for low, high in pairwise(marks):
        yield from (low, (low + high) / 2)
    yield from (marks[-1], marks[-1] + 1)


def _part(question: Question, topic: str) -> Part:
    """Return what a part is about, and what it says of that."""
    said = question.statement
    relation, number = getattr(said, "relation", None), getattr(said, "number", None)
    where = type(said).__name__, question.measures, topic
    if not isinstance(relation, Relation) or not (number is None or isinstance(number, Number)):
        return Part((*where, str(said)), (Fraction(0),), lambda sign: sign > 0)
    if number is None:
        plain, way = _ordered(said)
        zero = Fraction(0)
        return Part((*where, plain), (zero,), lambda sign: relation.admits(way * ((sign > 0) - (sign < 0))))
    within, value = number.tolerance if relation is Relation.EQUAL else Fraction(0), number.value
    subject = (*where, evolve(said, relation=Relation.EQUAL, number=Number("0")))
    ends = (value - within, value + within) if within else (value,)
    if within:
        return Part(subject, ends, lambda found: abs(found - value) <= within)
    return Part(subject, ends, lambda found: relation.admits((found > value) - (found < value)))


def _ordered(said: Any) -> tuple[Any, int]:
    """Return a comparison with its sides in one order and no relation, and -1 if they were turned round."""
    plain = evolve(said, relation=Relation.EQUAL)
    if isinstance(said, Averages) and said.a > said.b:
        return evolve(plain, a=said.b, b=said.a, factor=1 / said.factor), -1
    return plain, 1
