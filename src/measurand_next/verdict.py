"""The one type of answer to a question that can be settled in more than one way."""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeVar

from attrs import frozen

Value = TypeVar("Value")


class How(StrEnum):
    """How an answer is known, the strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    AT_MOST = "at most"
    FOUND = "found"
    NONE_FOUND = "none found"
    UNDECIDED = "undecided"


@frozen
class Verdict(Generic[Value]):
    """An answer, how it is known, and what shows it.

    Attributes
    ----------
    value
        The answer itself: True or False, a number, a measure; None where it is undecided.
    how
        ``exact``: computed or decided; ``certified``: the witness proves it; ``at most``: a bound from above;
        ``found``: by search, and the witness shows it; ``none found``: a search ended without; ``undecided``: nothing
        that was tried settles it.
    witness
        What shows it: two rankings, documents to judge again, a rescaling. It can be applied and checked.
    sentence
        The answer in words.

    Examples
    --------
    >>> print(Verdict(False, How.FOUND, witness=((0, 1), (1, 0)), sentence="The swap loses 1/2."))
    The swap loses 1/2.
    """

    value: Value
    how: How = How.EXACT
    witness: object = None
    sentence: str = ""

    def __bool__(self) -> bool:
        return bool(self.value)

    def __str__(self) -> str:
        return self.sentence or f"{self.value} ({self.how})"
