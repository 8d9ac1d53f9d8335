"""Statements: single preferences, as people state them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from measurand.errors import NotAvailable, ParameterError
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import plain, said
from measurand.search_length.preferences.sample import as_lottery


class Kind(StrEnum):
    """What a statement says of its first lottery against its second."""

    BETTER = ">"
    AS_GOOD = "~"
    AT_LEAST = ">="


LONGEST = 10**6
"""Statements are on lotteries of so many numbers at most."""

_SPELLINGS = {"≻": ">", "∼": "~", "=": "~", "==": "~", "≽": ">=", "≥": ">="}
_WORDS = {
    Kind.BETTER: "is preferred to",
    Kind.AS_GOOD: "is as good as",
    Kind.AT_LEAST: "is at least as good as",
}


def _kind(value: object) -> Kind:
    text = str(value).strip()
    try:
        return Kind(_SPELLINGS.get(text, text))
    except ValueError:
        raise ParameterError(f"a statement is written with '>', '~' or '>=', not {value!r}") from None


@frozen
class Statement:
    """One lottery is preferred to another, as good, or at least as good.

    Numbers stand for lotteries in which they come up for sure, dictionaries for lotteries.

    Examples
    --------
    >>> print(Statement(1, ">", {0: "1/2", 2: "1/2"}))
    1 for sure is preferred to 0 or 2 (1/2 each)
    """

    one: Lottery = field(converter=as_lottery)
    kind: Kind = field(converter=_kind)
    other: Lottery = field(converter=as_lottery)

    @classmethod
    def better(cls, one: Any, other: Any) -> Statement:
        """Return the statement that the first lottery is preferred to the second."""
        return cls(one, Kind.BETTER, other)

    @classmethod
    def as_good(cls, one: Any, other: Any) -> Statement:
        """Return the statement that two lotteries are equally good."""
        return cls(one, Kind.AS_GOOD, other)

    @classmethod
    def at_least(cls, one: Any, other: Any) -> Statement:
        """Return the statement that the first lottery is at least as good as the second."""
        return cls(one, Kind.AT_LEAST, other)

    def __str__(self) -> str:
        return f"{said(self.one)} {_WORDS[self.kind]} {said(self.other)}"

    def agrees_with(self, utility: Mapping[int, Fraction]) -> bool:
        """Say whether expected utility tells the two lotteries apart as the statement does.

        Examples
        --------
        >>> Statement(0, ">", 1).agrees_with({0: Fraction(0), 1: Fraction(-1)})
        True
        """
        return self._met_by(self.one.expectation(utility.__getitem__) - self.other.expectation(utility.__getitem__))

    def agrees_with_esl(self) -> bool:
        """Say whether the means tell the two lotteries apart as the statement does: the smaller is better.

        Examples
        --------
        >>> Statement(1, "~", {0: "1/2", 2: "1/2"}).agrees_with_esl()
        True
        """
        return self._met_by(self.other.mean - self.one.mean)

    def _met_by(self, gap: Fraction) -> bool:
        return {Kind.BETTER: gap > 0, Kind.AS_GOOD: gap == 0, Kind.AT_LEAST: gap >= 0}[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows.

        Examples
        --------
        >>> Statement(0, ">", 1).to_dict()
        {'one': {'0': '1'}, 'kind': '>', 'other': {'1': '1'}}
        """
        return {"one": plain(self.one), "kind": str(self.kind), "other": plain(self.other)}


def as_statement(value: Any) -> Statement:
    """Return a statement, or the one that a pair (the first is preferred) or a triple stands for.

    Examples
    --------
    >>> as_statement((0, 1)) == as_statement((0, ">", 1)) == Statement.better(0, 1)
    True
    """
    if isinstance(value, Statement):
        return value
    if isinstance(value, tuple | list) and len(value) == 2:
        return Statement(value[0], Kind.BETTER, value[1])
    if isinstance(value, tuple | list) and len(value) == 3:
        return Statement(value[0], value[1], value[2])
    raise ParameterError(
        f"{value!r} is not a statement; write (P, Q) for 'P is preferred to Q', or (P, '~', Q), or (P, '>=', Q)"
    )


def as_statements(values: Iterable[Any]) -> tuple[Statement, ...]:
    """Return statements, of which there must be at least one.

    Examples
    --------
    >>> len(as_statements([(0, 1), (1, 2)]))
    2
    """
    if isinstance(values, Mapping | str) or not isinstance(values, Iterable):
        raise ParameterError(f"statements are a list like [(P, Q), (Q, '~', R)], not {values!r}")
    statements = tuple(as_statement(value) for value in values)
    if not statements:
        raise ParameterError("there is no statement; state at least one preference, such as (0, 1)")
    longest = max(len(side) for statement in statements for side in (statement.one, statement.other))
    if longest > LONGEST:
        raise NotAvailable(
            f"a statement is on a lottery of {longest} numbers, and utilities are sought for {LONGEST} at most; "
            f"compare the means, or ask check(...) about a relation"
        )
    return statements
