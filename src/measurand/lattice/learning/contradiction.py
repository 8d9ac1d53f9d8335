"""Contradictions between statements about judged runs: which cannot hold together, and the sums that show it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, valued
from measurand.display.wording import counted
from measurand.exact.linear_optimum import LinearProgram, propose, whole
from measurand.exact.linear_programming import Inequalities, Settled, settle
from measurand.judged.graded_runs import NamedRun
from measurand.judged.grades import spelled
from measurand.lattice.learning.statements import RunStatement
from measurand.lattice.learning.unknowns import Unknowns
from measurand.orders import Relation, compare
from measurand.search_length.preferences.representation import Kind

USED = 1e-9
"""Statements with a smaller weight than this have no part in a contradiction that floats propose."""


@frozen(repr=False, eq=False, slots=False)
class RunContradiction(Result):
    r"""Statements that no measure of the kind that is sought can agree with, and why.

    Each statement says that one run is worth more than another. Taken with their weights, the runs that are preferred
    have together no more of anything than the others: no join-irreducible run is below more of them. So they cannot be
    worth more together.

    .. math:: \sum_i \lambda_i \left( [j \preceq x_i] - [j \preceq y_i] \right) \le 0 \quad\text{for all } j

    Parameters
    ----------
    statements
        The statements :math:`x_i \succ y_i`; those of equally good runs may be turned round.
    weights
        The weights :math:`\lambda_i`, as the smallest whole numbers.
    minimal
        Whether any of the statements could be left out and the others hold together: decided exactly.
    unknowns
        What is sought: a valuation, or a discount curve.
    """

    statements: tuple[RunStatement, ...]
    weights: tuple[int, ...]
    minimal: bool
    unknowns: Unknowns

    @property
    def verified(self) -> bool:
        """Whether the weighted sum is as it should be, computed anew.

        A sum of nothing but 0 or less contradicts a strict statement. Where none is strict, every entry is below 0,
        so that the best run would be no better than the worst.
        """
        sums = np.array(self.weights, dtype=object) @ self.unknowns.rows(self.statements).astype(object)
        return min(self.weights) > 0 and (max(sums) <= 0 if self.strict else max(sums) < 0)

    @property
    def alone(self) -> bool:
        """Whether it is a single statement."""
        return len(self.statements) == 1

    @property
    def against_order(self) -> bool:
        """Whether it is a single statement that contradicts the order itself."""
        return self.alone and contradicts_order(self.statements[0], self.unknowns.algebra.order)

    @property
    def strict(self) -> bool:
        """Whether one of the statements prefers a run to another."""
        return any(statement.kind is Kind.BETTER for statement in self.statements)

    @cached_property
    def circle(self) -> bool:
        """Whether the statements, with the order, lead in a circle.

        Then no measure agrees with them that keeps the order and tells the best run from the worst.
        """
        algebra = self.unknowns.algebra
        said = [statement.runs for statement in self.statements]
        worst, best = algebra.named(algebra.bottom), algebra.named(algebra.top)
        runs = list(dict.fromkeys([worst, best, *(run for both in said for run in both)]))
        above = (Relation.GREATER, Relation.EQUAL)
        reach = np.array([[compare(x, y, algebra.order) in above for y in runs] for x in runs])
        for statement in self.statements:
            one, other = map(runs.index, statement.runs)
            reach[one, other] = True
            if statement.kind is Kind.AS_GOOD:
                reach[other, one] = True
        for middle in range(len(runs)):
            reach |= reach[:, [middle]] & reach[[middle], :]
        strict = [statement.runs for statement in self.statements if statement.kind is Kind.BETTER]
        strict.append((best, worst))
        return any(reach[runs.index(other), runs.index(one)] for one, other in strict)

    def __str__(self) -> str:
        return f"{self.headline} {self.reason}"

    @property
    def headline(self) -> str:
        """What contradicts what."""
        said = "; ".join(map(str, self.statements))
        if self.against_order:
            return f"This statement contradicts the order {self.unknowns.algebra.order!r}: {said}."
        if self.alone and self.circle:
            return f"This statement leaves nothing to measure: {said}."
        if self.alone:
            return f"This statement cannot hold with these gains: {said}."
        return f"These {counted(len(self.statements), 'statement')} contradict each other: {said}."

    @property
    def reason(self) -> str:
        """Why that is so."""
        if self.against_order:
            return _against(self.statements[0])
        if self.strict and len({frozenset(statement.runs) for statement in self.statements}) == 1 and not self.alone:
            return "They say opposite things of the same two runs, so that no measure agrees with both."
        if self.circle and self.strict:
            return "With the order they lead in a circle, so that no measure that keeps it agrees with all of them."
        if self.circle:
            return "With the order the worst run is then as good as the best: every run would have the same value."
        return f"{self._more_gain if self.alone else self._adding_up} {self._unless}"

    @property
    def _more_gain(self) -> str:
        """Why no discount curve agrees with a single statement that does not contradict the order."""
        one, other = map(spelled, self.statements[0].runs)
        down = "Down to every rank" if self.unknowns.algebra.order == "swap" else "At every rank"
        more = "at least as much gain as" if self.strict else "more gain than"
        return (
            f"{down} {other} has {more} {one}{', though the order leaves open which is better' if self._open else ''}."
        )

    @property
    def _open(self) -> bool:
        """Whether the order says nothing of the two runs of some statement."""
        order = self.unknowns.algebra.order
        return any(compare(*each.runs, order) is Relation.INCOMPARABLE for each in self.statements)

    @property
    def _adding_up(self) -> str:
        taken = ", ".join(map(str, self.weights[:-1])) + f" and {self.weights[-1]}"
        start = "Take" if set(self.weights) == {1} else f"Take them {taken} times, and put"
        together = "the runs on the left of them together, and those on the right:"
        unknowns = self.unknowns
        if unknowns.additive:
            down = "down to every rank" if unknowns.algebra.order == "swap" else "at every rank"
            found = f"{down} the right has at least as much gain. A discount curve gives it at least as high a total"
        elif unknowns.algebra.order == "swap":
            graded = unknowns.algebra.grades > 2
            them = "documents of grade v or more" if graded else "relevant documents"
            found = (
                f"whatever rank k{', grade v' if graded else ''} and number m one takes, at least as many runs on the"
                f" right have m or more {them} down to rank k. A valuation gives them at least as high a total"
            )
        else:
            found = (
                "every join-irreducible run has at least as many runs on the right above it. A valuation gives them at"
                " least as high a total"
            )
        if self.strict:
            return f"{start} {together} {found}, the statements a lower one."
        return f"{start} {together} {found}, and the same one only if all runs are equally good."

    @property
    def _unless(self) -> str:
        it = "it" if self.alone else "them"
        if not self.unknowns.additive:
            return f"A measure that is no valuation may agree with {it}."
        if self.unknowns.algebra.grades == 2 or not self._open:
            return f"A measure that is no discount curve may agree with {it}: leave out additive."
        return f"A curve with other gains, or a measure that is no discount curve, may agree with {it}."

    def document(self) -> Document:
        """Return the statements with their weights, and why they cannot hold together."""
        parts: list[Part] = [self.headline, self.reason]
        return Document(parts if self.alone else [*parts, "", self.table()])

    def table(self) -> TableView:
        """Return the statements, how often each was made, and how often it counts in the sum where that differs."""
        rows = [
            {**each.to_dict(), "weight": weight} for each, weight in zip(self.statements, self.weights, strict=True)
        ]
        columns = [
            Column("one", "one", left=True),
            Column("is", "kind", left=True),
            Column("other", "other", left=True),
            Column("said", "count"),
            *([] if set(self.weights) == {1} else [valued("taken", "weight")]),
        ]
        fields = {"one": str, "kind": str, "other": str, "count": str, "weight": int}
        return TableView(columns, rows, title="The statements that contradict each other", fields=fields)

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows."""
        return {
            "sentence": str(self),
            "statements": [statement.to_dict() for statement in self.statements],
            "weights": list(self.weights),
            "minimal": self.minimal,
            "circle": self.circle,
        }


def _against(statement: RunStatement) -> str:
    one, other = map(spelled, statement.runs)
    if one == other:
        return "It names the same run twice."
    return f"The order puts {other} above {one}, and no measure that keeps it gives {one} the higher value."


def contradiction(unknowns: Unknowns, statements: Sequence[RunStatement]) -> RunContradiction | None:
    """Return statements that cannot hold together, as few as possible; None if none were found.

    Floats propose statements; those that are not needed are left out one by one, decided exactly.

    Parameters
    ----------
    unknowns
        What is sought.
    statements
        The statements, no two alike.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> unknowns = Unknowns.of(algebra_of("swap", 2, 2))
    >>> found = contradiction(unknowns, [RunStatement((1, 1), ">", (1, 0)), RunStatement((0, 1), ">", (1, 0))])
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    This statement contradicts the order 'swap': 0,1 is preferred to 1,0. The order puts 1,0 above 0,1, and no measure
    that keeps it gives 0,1 the higher value.
    """
    rows = unknowns.rows(statements)
    order = unknowns.algebra.order
    alone = _alone(rows, statements)
    if alone:
        wrong = next((place for place in alone if contradicts_order(statements[place], order)), alone[0])
        return RunContradiction((statements[wrong],), (1,), True, unknowns)
    chosen = _opposed(statements) or _proposed(unknowns, rows, statements)
    if not chosen:
        return None
    settled = _settled(rows, statements, chosen)
    if settled.weights is None:
        return None
    minimal = True
    for place in list(chosen):
        rest = [each for each in chosen if each != place]
        without = _settled(rows, statements, rest) if rest else Settled(solution=())
        if without.weights is not None:
            chosen, settled = rest, without
        minimal = minimal and (without.weights is not None or without.solution is not None)
    return _of(unknowns, [statements[place] for place in chosen], settled, minimal=minimal)


def contradicts_order(statement: RunStatement, order: str) -> bool:
    """Return whether a statement prefers a run to one that is at least as good in an order.

    Parameters
    ----------
    statement
        The statement.
    order
        One of `measurand.orders.ORDERS`.

    Examples
    --------
    >>> contradicts_order(RunStatement((0, 1), ">", (1, 0)), "swap")
    True
    >>> contradicts_order(RunStatement((1, 1), ">", (2, 0)), "swap")
    False
    """
    below = (Relation.LESS, Relation.EQUAL)
    return statement.kind is Kind.BETTER and compare(*statement.runs, order) in below


def _alone(rows: IntArray, statements: Sequence[RunStatement]) -> list[int]:
    """Return the places of the preferences that no steps agree with, each alone."""
    strict = np.array([statement.kind is Kind.BETTER for statement in statements], dtype=bool)
    return np.flatnonzero(strict & (rows <= 0).all(axis=1)).tolist()


def _opposed(statements: Sequence[RunStatement]) -> list[int]:
    """Return the places of two statements that say the opposite of the same two runs, if there are any."""
    places: dict[tuple[NamedRun, NamedRun], int] = {}
    for place, statement in enumerate(statements):
        one, other = statement.runs
        ways = [(one, other), (other, one)] if statement.kind is Kind.AS_GOOD else [(one, other)]
        for way in ways:
            back = places.get((way[1], way[0]))
            if back is not None and back != place and Kind.BETTER in (statement.kind, statements[back].kind):
                return sorted([back, place])
        for way in ways:
            # of two on the same runs the strict one says more
            if way not in places or statement.kind is Kind.BETTER:
                places[way] = place
    return []


def _proposed(unknowns: Unknowns, rows: IntArray, statements: Sequence[RunStatement]) -> list[int]:
    """Return the places of statements of which floats say that they cannot hold together."""
    equal = [place for place, statement in enumerate(statements) if statement.kind is Kind.AS_GOOD]
    columns = np.concatenate([rows, -rows[equal], unknowns.top[None]]).T
    strict = [statement.kind is Kind.BETTER for statement in statements] + [False] * len(equal) + [True]
    demanded = np.concatenate([columns, np.array([strict], dtype=np.int64)])
    right = np.zeros(len(demanded), dtype=np.int64)
    right[-1] = 1
    # as few as possible: what is not strict costs as well
    costs = np.full(demanded.shape[1], -1, dtype=np.int64)
    found = propose(LinearProgram(costs, demanded, right, equations=1))
    if found is None:
        return []
    used = np.flatnonzero(found[0] > USED).tolist()
    several = [*range(len(statements)), *equal]
    return sorted({several[place] for place in used if place < len(several)})


def _settled(rows: IntArray, statements: Sequence[RunStatement], chosen: Sequence[int]) -> Settled:
    """Return whether some statements can hold together, exactly: steps that do the same to all of them are one."""
    distinct = np.unique(rows[list(chosen)], axis=1).tolist()
    width = len(distinct[0])
    by_kind: dict[Kind, list[tuple[Fraction, ...]]] = {kind: [] for kind in Kind}
    for place, row in zip(chosen, distinct, strict=True):
        by_kind[statements[place].kind].append(tuple(map(Fraction, row)))
    rising = [tuple(Fraction(i == j) for i in range(width)) for j in range(width)]
    strict = (*by_kind[Kind.BETTER], (Fraction(1),) * width)
    return settle(Inequalities(width, strict, (*by_kind[Kind.AT_LEAST], *rising), tuple(by_kind[Kind.AS_GOOD])))


def _of(unknowns: Unknowns, chosen: Sequence[RunStatement], settled: Settled, *, minimal: bool) -> RunContradiction:
    """Return the contradiction from the weights of inequalities, which come by kind."""
    assert settled.weights is not None  # the caller has looked
    by_kind = {kind: [each for each in chosen if each.kind is kind] for kind in Kind}
    strict, weak, equal = (by_kind[kind] for kind in (Kind.BETTER, Kind.AT_LEAST, Kind.AS_GOOD))
    weights = settled.weights
    ahead = len(strict) + 1
    of_equal = weights[len(weights) - len(equal) :]
    taken = [*weights[: len(strict)], *weights[ahead : ahead + len(weak)], *of_equal]
    turned = [
        each if weight >= 0 else RunStatement(each.other, each.kind, each.one, each.count)
        for each, weight in zip([*strict, *weak, *equal], taken, strict=True)
    ]
    used = [(each, abs(weight)) for each, weight in zip(turned, taken, strict=True) if weight]
    needed = tuple(each for each, _ in used)
    plain = RunContradiction(needed, (1,) * len(used), minimal, unknowns)
    if plain.verified:
        return plain
    numerators, _ = whole([weight for _, weight in used])
    common = gcd(*numerators)
    return RunContradiction(needed, tuple(weight // common for weight in numerators), minimal, unknowns)
