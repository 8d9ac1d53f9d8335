"""A result as a set, of which nothing counts but how many documents it holds: precision, recall and F1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple


class SetResult(NamedTuple):
    """A result as a set: how many relevant documents it holds, how many documents, and how many relevant there are.

    Examples
    --------
    >>> result = SetResult(1, 2, 3)
    >>> result.precision, result.recall, result.f
    (Fraction(1, 2), Fraction(1, 3), Fraction(2, 5))
    """

    relevant: int
    retrieved: int
    recall_base: int

    def __str__(self) -> str:
        return f"({self.relevant}, {self.retrieved}, {self.recall_base})"

    @property
    def precision(self) -> Fraction:
        """Relevant documents by retrieved ones."""
        return Fraction(self.relevant, self.retrieved)

    @property
    def recall(self) -> Fraction:
        """Relevant documents found by relevant documents there are."""
        return Fraction(self.relevant, self.recall_base)

    @property
    def f(self) -> Fraction:
        """Twice the relevant documents by retrieved ones and relevant ones together; 0 if none is relevant.

        The harmonic mean of precision and recall is this wherever it exists; where both are 0 it does not.
        """
        return Fraction(2 * self.relevant, self.retrieved + self.recall_base)


SET_MEASURES: Mapping[str, Callable[[SetResult], Fraction]] = {
    "P": lambda result: result.precision,
    "R": lambda result: result.recall,
    "F": lambda result: result.f,
}
"""Precision, recall and F1 of a result as a set."""
