"""Representation of stated preferences: a utility whose expectation agrees with them, or why there is none.

A `Statement` is a single preference; `represent` finds the utility, or a `Contradiction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from measurand.display.result import Result
from measurand.errors import NotAvailable, ParameterError
from measurand.exact.linear_programming import Inequalities, Row, dot, settle
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.preference import as_lottery, as_text, in_words, listed_values, plain

LONGEST = 10**6
"""Statements are on lotteries of so many numbers at most."""

_SPELLINGS = {"≻": ">", "∼": "~", "=": "~", "==": "~", "≽": ">=", "≥": ">="}

ENTRIES = 500_000
"""With more probabilities than this in all, statements are not written down as inequalities."""


class Kind(StrEnum):
    """How the first lottery of a statement compares with its second."""

    BETTER = ">"
    AS_GOOD = "~"
    AT_LEAST = ">="


WORDS = {
    Kind.BETTER: "is preferred to",
    Kind.AS_GOOD: "is as good as",
    Kind.AT_LEAST: "is at least as good as",
}
"""Each kind in words, between the two sides of a statement."""


def as_kind(value: object) -> Kind:
    """Return the kind of a statement from its sign.

    Examples
    --------
    >>> as_kind("≥") is Kind.AT_LEAST
    True
    """
    text = str(value).strip()
    try:
        return Kind(_SPELLINGS.get(text, text))
    except ValueError:
        raise ParameterError(f"a statement is written with '>', '~' or '>=', not {value!r}") from None


@frozen(repr=False)
class Statement(Result):
    """One lottery is preferred to another, as good, or at least as good.

    Numbers stand for lotteries in which they come up for sure, dictionaries for lotteries.

    Parameters
    ----------
    one
        The first lottery.
    kind
        How it compares with the second.
    other
        The second lottery.

    Examples
    --------
    >>> print(Statement(1, ">", {0: "1/2", 2: "1/2"}))
    1 for sure is preferred to 0 or 2 (1/2 each)
    """

    one: Lottery = field(converter=as_lottery)
    kind: Kind = field(converter=as_kind)
    other: Lottery = field(converter=as_lottery)

    @classmethod
    def better(cls, one: Any, other: Any) -> Statement:
        """Return the statement that the first lottery is preferred to the second.

        Parameters
        ----------
        one, other
            Two lotteries, or what makes them: numbers, dictionaries.
        """
        return cls(one, Kind.BETTER, other)

    @classmethod
    def as_good(cls, one: Any, other: Any) -> Statement:
        """Return the statement that two lotteries are equally good.

        Parameters
        ----------
        one, other
            Two lotteries, or what makes them: numbers, dictionaries.
        """
        return cls(one, Kind.AS_GOOD, other)

    @classmethod
    def at_least(cls, one: Any, other: Any) -> Statement:
        """Return the statement that the first lottery is at least as good as the second.

        Parameters
        ----------
        one, other
            Two lotteries, or what makes them: numbers, dictionaries.
        """
        return cls(one, Kind.AT_LEAST, other)

    def __str__(self) -> str:
        return f"{in_words(self.one)} {WORDS[self.kind]} {in_words(self.other)}"

    def agrees_with(self, utility: Mapping[int, Fraction]) -> bool:
        """Return whether expected utility orders the two lotteries as the statement does.

        Parameters
        ----------
        utility
            The utility of each number of nonrelevant documents.

        Examples
        --------
        >>> Statement(0, ">", 1).agrees_with({0: Fraction(0), 1: Fraction(-1)})
        True
        """
        return self._met_by(self.one.expectation(utility.__getitem__) - self.other.expectation(utility.__getitem__))

    def agrees_with_esl(self) -> bool:
        """Return whether the means order the two lotteries as the statement does: the smaller is better.

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
    """Return a statement from a statement, a pair (the first is preferred) or a triple.

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


@frozen(repr=False)
class Contradiction(Result):
    r"""Statements that no expected utility can agree with, since both their sides mix to the same lottery.

    .. math:: \sum_j \lambda_j P_j = \sum_j \lambda_j Q_j, \qquad \lambda_j > 0

    although each :math:`P_j` is at least as good as its :math:`Q_j`, and one of them better.

    Parameters
    ----------
    statements
        The statements that are needed; those of equally good lotteries may be turned round.
    weights
        Their exact shares, which add up to 1.
    mixture
        What either side mixes to.
    """

    statements: tuple[Statement, ...]
    weights: tuple[Fraction, ...]
    mixture: Lottery

    @property
    def verified(self) -> bool:
        """Whether both sides mix to the same lottery, computed anew."""
        sides = (
            _mixed([s.one for s in self.statements], self.weights),
            _mixed([s.other for s in self.statements], self.weights),
        )
        strict = any(statement.kind is Kind.BETTER for statement in self.statements)
        return strict and min(self.weights) > 0 and sides[0] == sides[1] == dict(self.mixture)

    def __str__(self) -> str:
        shares = zip(map(as_text, self.weights), self.statements, strict=True)
        parts = "; ".join(f"{share} of '{one}'" for share, one in shares)
        if len(self.weights) == 1:
            return f"{self.statements[0]}, which is the same lottery"
        same = f"the preferred sides and the others are the same lottery ({in_words(self.mixture)})"
        return f"mixed in these shares, {same}: {parts}"

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows."""
        return {
            "sentence": str(self),
            "statements": [statement.to_dict() for statement in self.statements],
            "weights": [as_text(weight) for weight in self.weights],
            "mixture": plain(self.mixture),
        }


@frozen(repr=False)
class Representation(Result):
    """A utility for stated preferences, or a contradiction between them; neither if that could not be decided.

    Parameters
    ----------
    statements
        The stated preferences.
    utility
        The utility of each number that occurs, exact. It is 0 at 0 and -1 at 1 (in general: minus the number at the two
        smallest numbers that occur), if the statements allow that the smaller is better.
    contradiction
        Statements that exclude each other for whoever goes by expected utility.
    normalised
        Whether the utility has that form.
    """

    statements: tuple[Statement, ...]
    utility: Mapping[int, Fraction] | None = None
    contradiction: Contradiction | None = None
    normalised: bool = False

    @property
    def exists(self) -> bool | None:
        """Whether there is a utility; None if that could not be decided."""
        return None if self.utility is None and self.contradiction is None else self.utility is not None

    def __bool__(self) -> bool:
        return self.utility is not None

    def __str__(self) -> str:
        if self.contradiction is not None:
            return f"no utility agrees with the statements: {self.contradiction}"
        if self.utility is None:
            return "undecided: there are too many statements about too many numbers for an exact answer"
        remark = "" if self.normalised else "; none that agrees is larger at the smallest number than at the next"
        return f"the utility {listed_values(self.utility)} agrees with the statements{remark}"

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows; fractions are text."""
        return {
            "exists": self.exists,
            "utility": None if self.utility is None else plain(self.utility),
            "normalised": self.normalised,
            "contradiction": None if self.contradiction is None else self.contradiction.to_dict(),
        }


def represent(statements: Iterable[Any]) -> Representation:
    r"""Return a utility that agrees with stated preferences, or statements that exclude each other.

    .. math:: P \succ Q \iff E(f, P) > E(f, Q)

    A linear programme proposes; what is returned is verified exactly. If minus the number itself agrees it is
    what is returned.

    Parameters
    ----------
    statements
        Statements; `(P, Q)` says that P is preferred to Q, `(P, "~", Q)` that they are equally good,
        `(P, ">=", Q)` that P is at least as good. Numbers stand for lotteries in which they come up for sure.

    Examples
    --------
    >>> even = Lottery.uniform(0, 2)
    >>> print(represent([(1, even)]))
    the utility f(0) = 0, f(1) = -1, f(2) = -4 agrees with the statements
    >>> both = represent([(1, even), (even.mix(Lottery.sure(5), "1/2"), Lottery.uniform(1, 5))])
    >>> both.contradiction.weights, both.contradiction.verified
    ((Fraction(1, 3), Fraction(2, 3)), True)

    References
    ----------
    [BollmannRaghavan1988]_, theorem 3.1, which is that of [Fishburn1979]_
    """
    stated = as_statements(statements)
    if all(statement.agrees_with_esl() for statement in stated):
        return Representation(stated, {k: Fraction(-k) for k in numbers_of(stated)}, normalised=True)
    if not spelled_out(stated):
        return Representation(stated)
    numbers = numbers_of(stated)
    system = inequalities_of(stated, numbers)
    downhill = tuple(Fraction((j == 0) - (j == 1)) for j in range(len(numbers)))
    for strict in ((*system.strict, downhill), system.strict) if len(numbers) > 1 else (system.strict,):
        settled = settle(Inequalities(system.width, strict, system.weak, system.equal))
        if settled.solution is not None:
            normalised = dot(downhill, settled.solution) > 0
            return Representation(stated, normal_form(numbers, settled.solution), normalised=normalised)
        weights = _without(settled.weights, len(system.strict), len(strict))
        if weights is not None:
            return Representation(stated, contradiction=_contradiction(stated, weights))
    return Representation(stated)


def numbers_of(statements: Sequence[Statement], further: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the numbers that occur in statements, and further ones, in ascending order.

    Examples
    --------
    >>> numbers_of([Statement.better(3, {0: "1/2", 5: "1/2"})], [4])
    (0, 3, 4, 5)
    """
    stated = {k for statement in statements for side in (statement.one, statement.other) for k in side}
    return tuple(sorted(stated.union(further)))


def spelled_out(statements: Sequence[Statement]) -> bool:
    """Return whether statements are on few enough numbers to be written down one by one.

    Examples
    --------
    >>> spelled_out([Statement.better(0, 1)])
    True
    """
    longest = max(len(side) for statement in statements for side in (statement.one, statement.other))
    return longest * len(statements) <= ENTRIES and len(numbers_of(statements)) * len(statements) <= ENTRIES


def inequalities_of(statements: Sequence[Statement], numbers: Sequence[int]) -> Inequalities:
    """Return what statements demand of a utility of the numbers.

    Examples
    --------
    >>> [[int(x) for x in row] for row in inequalities_of([Statement.better(0, 1)], (0, 1)).strict]
    [[1, -1]]
    """
    rows = {kind: tuple(_row(one, numbers) for one in statements if one.kind is kind) for kind in Kind}
    return Inequalities(len(numbers), rows[Kind.BETTER], rows[Kind.AT_LEAST], rows[Kind.AS_GOOD])


def _row(statement: Statement, numbers: Sequence[int]) -> Row:
    zero = Fraction(0)
    return tuple(statement.one.get(k, zero) - statement.other.get(k, zero) for k in numbers)


def normal_form(numbers: Sequence[int], solution: Row) -> dict[int, Fraction]:
    """Return a utility rescaled to minus the number at the two smallest numbers, or as close to that as its sign is.

    Examples
    --------
    >>> {k: str(value) for k, value in normal_form((0, 1, 3), (Fraction(7), Fraction(5), Fraction(0))).items()}
    {0: '0', 1: '-1', 3: '-7/2'}
    """
    if len(numbers) < 2 or solution[0] == solution[1]:
        return {k: value - solution[0] for k, value in zip(numbers, solution, strict=True)}
    unit = abs(solution[0] - solution[1]) / (numbers[1] - numbers[0])
    return {k: (value - solution[0]) / unit - numbers[0] for k, value in zip(numbers, solution, strict=True)}


def _without(weights: Row | None, stated: int, strict: int) -> Row | None:
    """Return the weights of what was stated if the others, which stand behind the stated strict ones, are 0."""
    if weights is None or any(weights[stated:strict]):
        return None
    return (*weights[:stated], *weights[strict:])


def _contradiction(statements: Sequence[Statement], weights: Row) -> Contradiction:
    # the weights come by kind, as the inequalities are listed
    sorted_ones = [one for kind in (Kind.BETTER, Kind.AT_LEAST, Kind.AS_GOOD) for one in statements if one.kind is kind]
    used = [(one, weight) for one, weight in zip(sorted_ones, weights, strict=True) if weight]
    turned = [(one if weight > 0 else Statement.as_good(one.other, one.one), abs(weight)) for one, weight in used]
    total = sum(weight for _, weight in turned)
    needed, shares = tuple(one for one, _ in turned), tuple(weight / total for _, weight in turned)
    return Contradiction(needed, shares, Lottery(_mixed([one.one for one in needed], shares)))


def _mixed(lotteries: Sequence[Lottery], weights: Sequence[Fraction]) -> dict[int, Fraction]:
    mixed: dict[int, Fraction] = {}
    for lottery, weight in zip(lotteries, weights, strict=True):
        for k, p in lottery.items():
            mixed[k] = mixed.get(k, Fraction(0)) + weight * p
    return mixed
