"""What a margin is: a number, how it is known, and a change that overturns the conclusion and can be applied."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import isinf
from typing import Any, TypeAlias

from attrs import frozen

from measurand.display.data import plain
from measurand.display.result import Result, shortened
from measurand.display.tables import Document

Number: TypeAlias = Fraction | int | float

UNTRUE = "it does not hold as it is"
"""What every margin says of a conclusion that is not true of the data."""


class How(StrEnum):
    """How a margin is known."""

    EXACT = "exact"
    """No smaller change overturns the conclusion."""

    AT_MOST = "at most"
    """The change that is shown overturns it; a smaller one may, too. `at_least` is a bound from below."""

    FOUND = "found"
    """A search found the change that is shown; nothing is known of smaller ones but `at_least`."""

    NONE = "does not apply"
    """The conclusion does not rest on the assumption, or nothing is known of it."""


@frozen(kw_only=True, eq=False, repr=False)
class Margin(Result):
    """The smallest change of one assumption that overturns a conclusion.

    Parameters
    ----------
    value : Fraction, int, float or None
        The size of the change: infinite where no change overturns the conclusion, None where the assumption plays no
        part.
    how : How
        Whether the number is exact, an upper bound, or what a search found.
    sentence : str
        What it says, in a sentence.
    certificate : object
        A change of this size that overturns the conclusion, which was applied and checked; None where none does.
    at_least : Fraction, int, float or None
        No change below this overturns the conclusion; the value itself where it is exact.
    """

    value: Number | None
    how: How
    sentence: str
    certificate: Any = None
    at_least: Number | None = None

    @property
    def proof(self) -> bool:
        """Whether it is certain that no change of this assumption overturns the conclusion."""
        return self.value is not None and self.how is How.EXACT and isinf(self.value)

    @property
    def applies(self) -> bool:
        """Whether the conclusion rests on the assumption at all, as far as that is known."""
        return self.how is not How.NONE

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(self.sentence)}>"

    def document(self) -> Document:
        """Return what the margin says."""
        return Document([self.sentence])

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON; an infinite number is None, and `proof` is true then."""
        known = {"value": self.value, "at_least": self.at_least}
        return {
            **{name: None if each is None or isinf(each) else plain(each) for name, each in known.items()},
            "how": str(self.how),
            "proof": self.proof,
            "sentence": self.sentence,
        }
