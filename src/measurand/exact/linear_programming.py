"""Exact linear programming: linear equations and inequalities with fractions, solved or refuted.

Floats propose a solution or a refutation, which is then verified exactly; where that fails, the simplex method in
fractions decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

Row = tuple[Fraction, ...]

ZERO, ONE = Fraction(0), Fraction(1)

TIGHT = 1e-9
"""What comes closer than this to its bound counts as having reached it, until it is verified exactly."""

ELIMINATED = 150
"""With more unknowns than this, exact elimination would take too long."""

EXACT = 3000
"""With more entries than this, so would the exact simplex method, which is used only where floats fail."""


def reduced(rows: Sequence[Row], width: int) -> tuple[list[list[Fraction]], list[int]]:
    """Return the reduced form of some rows, looking for pivots in the first `width` columns, and the pivots' columns.

    Examples
    --------
    >>> rows, pivots = reduced([(Fraction(2), Fraction(4)), (Fraction(1), Fraction(2))], 2)
    >>> [[int(x) for x in row] for row in rows], pivots
    ([[1, 2], [0, 0]], [0])
    """
    table = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(width):
        place = next((i for i in range(len(pivots), len(table)) if table[i][column]), None)
        if place is None:
            continue
        top = len(pivots)
        table[top], table[place] = table[place], table[top]
        lead = table[top][column]
        table[top] = [x / lead if x else x for x in table[top]]
        for i, row in enumerate(table):
            if i != top and row[column]:
                factor = row[column]
                table[i] = [x - factor * y if y else x for x, y in zip(row, table[top], strict=True)]
        pivots.append(column)
    return table, pivots


def null_space(rows: Sequence[Row], width: int) -> Iterator[Row]:
    """Return a basis of the vectors that every row takes to 0, one vector after another.

    Examples
    --------
    >>> [[int(x) for x in vector] for vector in null_space([(Fraction(1), Fraction(-1), Fraction(0))], 3)]
    [[1, 1, 0], [0, 0, 1]]
    """
    table, pivots = reduced(rows, width)
    bound = set(pivots)
    for free in (column for column in range(width) if column not in bound):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for row, pivot in zip(table, pivots, strict=False):
            vector[pivot] = -row[free]
        yield tuple(vector)


def solved_near(rows: Sequence[Row], right: Sequence[Fraction], guess: Sequence[Fraction]) -> Row | None:
    """Return an exact solution of equations in which what they leave free is as guessed; None if there is none.

    Examples
    --------
    >>> solution = solved_near([(Fraction(1), Fraction(1))], [Fraction(1)], [Fraction(2, 5), Fraction(1, 3)])
    >>> [str(x) for x in solution]
    ['2/3', '1/3']
    """
    width = len(guess)
    table, pivots = reduced([(*row, value) for row, value in zip(rows, right, strict=True)], width)
    if any(row[width] for row in table[len(pivots) :]):
        return None
    solution = list(guess)
    for row, pivot in zip(table, pivots, strict=False):
        rest = (row[j] * guess[j] for j in range(pivot + 1, width) if row[j])
        solution[pivot] = row[width] - sum(rest, Fraction(0))
    return tuple(solution)


def combination_or_divider(columns: Sequence[Row], target: Row) -> tuple[Row | None, Row | None]:
    r"""Return weights of the columns that make up the target, or else a vector that divides it from them.

    Either there are :math:`\lambda \ge 0` with :math:`\sum_j \lambda_j a_j = b`, or there is a :math:`y` with
    :math:`y \cdot a_j \le 0` for all :math:`j` and :math:`y \cdot b > 0` (Farkas). The target must not have negative
    entries. Bland's rule keeps the method from going round in circles.

    Examples
    --------
    >>> combination_or_divider([(ONE, ZERO), (ONE, ONE)], (Fraction(3), ONE))[0]
    (Fraction(2, 1), Fraction(1, 1))
    >>> combination_or_divider([(ONE, ZERO)], (ZERO, ONE))[1]
    (Fraction(0, 1), Fraction(1, 1))
    """
    height, width = len(target), len(columns)
    table = [
        [*(column[i] for column in columns), *(ONE if i == j else ZERO for j in range(height)), target[i]]
        for i in range(height)
    ]
    # the last row: how much the sum of the artificial variables falls when a column comes in
    gain = [sum((row[j] for row in table), ZERO) for j in range(width)]
    gain += [ZERO] * height + [sum(target, ZERO)]
    basis = [width + i for i in range(height)]
    while (entering := next((j for j in range(width) if gain[j] > 0), None)) is not None:
        _, _, leaving = min((row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0)
        _pivot(table, gain, leaving, entering)
        basis[leaving] = entering
    if gain[-1] > 0:
        return None, tuple(ONE + x for x in gain[width : width + height])
    weights = [ZERO] * width
    for i, variable in enumerate(basis):
        if variable < width:
            weights[variable] = table[i][-1]
    return tuple(weights), None


def _pivot(table: list[list[Fraction]], gain: list[Fraction], leaving: int, entering: int) -> None:
    lead = table[leaving][entering]
    pivot = [x / lead if x else x for x in table[leaving]]
    table[leaving] = pivot
    used = [j for j, x in enumerate(pivot) if x]
    for row in (*(row for i, row in enumerate(table) if i != leaving), gain):
        factor = row[entering]
        if factor:
            for j in used:
                row[j] -= factor * pivot[j]


@frozen
class Inequalities:
    r"""Rows that a vector must make positive, those it must not make negative, and those it must make 0.

    Exactly one is true: there is an :math:`f` with :math:`a \cdot f > 0`, :math:`b \cdot f \ge 0`,
    :math:`c \cdot f = 0` for all rows :math:`a, b, c`; or there are weights, non-negative for the rows :math:`a` and
    :math:`b` and not all 0 for the rows :math:`a`, with which the rows add up to 0 (Motzkin).
    """

    width: int
    strict: tuple[Row, ...] = ()
    weak: tuple[Row, ...] = ()
    equal: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, the strict ones first, then the weak ones."""
        return (*self.strict, *self.weak, *self.equal)

    def scaled(self, sizes: Sequence[Fraction]) -> Inequalities:
        """Return what demands the same, with every row divided by its size.

        Examples
        --------
        >>> Inequalities(1, strict=((Fraction(3),),)).scaled([Fraction(3)]).strict
        ((Fraction(1, 1),),)
        """
        rows = [tuple(x / size for x in row) for row, size in zip(self.rows, sizes, strict=True)]
        strict, bounded = len(self.strict), len(self.strict) + len(self.weak)
        return Inequalities(self.width, tuple(rows[:strict]), tuple(rows[strict:bounded]), tuple(rows[bounded:]))

    def met_by(self, solution: Row) -> bool:
        """Return whether a vector meets them all.

        Examples
        --------
        >>> Inequalities(2, strict=((Fraction(1), Fraction(-1)),)).met_by((Fraction(2), Fraction(1)))
        True
        """
        return (
            all(dot(row, solution) > 0 for row in self.strict)
            and all(dot(row, solution) >= 0 for row in self.weak)
            and all(dot(row, solution) == 0 for row in self.equal)
        )

    def refuted_by(self, weights: Row) -> bool:
        """Return whether weights of the rows show that no vector meets them all.

        Examples
        --------
        >>> Inequalities(1, strict=((Fraction(1),), (Fraction(-1),))).refuted_by((Fraction(1), Fraction(1)))
        True
        """
        bounded = len(self.strict) + len(self.weak)
        proper = all(weight >= 0 for weight in weights[:bounded]) and sum(weights[: len(self.strict)], Fraction(0)) > 0
        return proper and not any(
            sum((weight * row[j] for weight, row in zip(weights, self.rows, strict=True)), Fraction(0))
            for j in range(self.width)
        )


@frozen
class Settled:
    """A vector that meets inequalities, or weights that refute them; neither if that could not be decided."""

    solution: Row | None = None
    weights: Row | None = None


def settle(inequalities: Inequalities) -> Settled:
    """Return a vector that meets all inequalities, or weights that show there is none; either is verified exactly.

    Examples
    --------
    >>> up, down = (Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1))
    >>> settle(Inequalities(2, strict=(up,), weak=(down,))).weights
    (Fraction(1, 1), Fraction(1, 1))
    >>> settle(Inequalities(2, strict=(up,))).solution
    (Fraction(1, 1), Fraction(-1, 1))
    """
    if not inequalities.strict:
        return Settled(solution=(Fraction(0),) * inequalities.width)
    sizes = [max(map(abs, row)) or Fraction(1) for row in inequalities.rows]
    settled = _settled(inequalities.scaled(sizes))
    if settled.weights is None:
        return settled
    return Settled(weights=tuple(weight / size for weight, size in zip(settled.weights, sizes, strict=True)))


def _settled(inequalities: Inequalities) -> Settled:
    """Return the same of rows of one size, which floats can tell apart however small the differences stated are."""
    for solution in _solutions(inequalities):
        if inequalities.met_by(solution):
            return Settled(solution=solution)
    for weights in _refutations(inequalities):
        if inequalities.refuted_by(weights):
            return Settled(weights=weights)
    return settle_exactly(inequalities)


def settle_exactly(inequalities: Inequalities) -> Settled:
    """Return the same with fractions all the way; neither answer if the problem is too large for that.

    Examples
    --------
    >>> settle_exactly(Inequalities(1, strict=((Fraction(1, 10**30),),))).solution
    (Fraction(1000000000000000000000000000000, 1),)
    """
    bounded = len(inequalities.strict) + len(inequalities.weak)
    rows = (*inequalities.rows, *(tuple(-x for x in row) for row in inequalities.equal))
    if (inequalities.width + 1) * len(rows) > EXACT:
        return Settled()
    counted = [(*row, Fraction(place < len(inequalities.strict))) for place, row in enumerate(rows)]
    target = (*(Fraction(0),) * inequalities.width, Fraction(1))
    weights, divider = combination_or_divider(counted, target)
    if divider is not None:
        least = min((-dot(row, divider[:-1]) for row in inequalities.strict), default=Fraction(1))
        return Settled(solution=tuple(-x / least for x in divider[:-1]))
    assert weights is not None  # one of the two always exists
    free = len(inequalities.equal)
    merged = [weights[bounded + i] - weights[bounded + free + i] for i in range(free)]
    return Settled(weights=(*weights[:bounded], *merged))


def dot(row: Row, vector: Sequence[Fraction]) -> Fraction:
    """Return the sum of products.

    Examples
    --------
    >>> dot((Fraction(1), Fraction(2)), (Fraction(3), Fraction(4)))
    Fraction(11, 1)
    """
    return sum((x * y for x, y in zip(row, vector, strict=True) if x and y), Fraction(0))


def _solutions(inequalities: Inequalities) -> Iterator[Row]:
    """Yield candidates: the point of the unit box that keeps furthest from the strict bounds, rounded or recovered."""
    width, strict = inequalities.width, len(inequalities.strict)
    above = np.array(
        [[*row, Fraction(-1 if i < strict else 0)] for i, row in enumerate(inequalities.rows)], dtype=float
    )
    bounded = strict + len(inequalities.weak)
    found = proposal(
        c=[0.0] * width + [-1.0],
        A_ub=-above[:bounded],
        b_ub=np.zeros(bounded),
        A_eq=above[bounded:] if inequalities.equal else None,
        b_eq=np.zeros(len(inequalities.equal)) if inequalities.equal else None,
        bounds=[(-1, 1)] * width + [(0, 1)],
    )
    if found is None or found[-1] <= TIGHT:
        return
    yield from (_rounded(found[:-1], digits) for digits in (10**2, 10**4, 10**8))
    if width > ELIMINATED:
        return
    tight = [place for place, gap in enumerate(above @ found) if abs(gap) < TIGHT]
    rows = [(*inequalities.rows[place], Fraction(-1 if place < strict else 0)) for place in tight]
    edges = [(j, x) for j, x in enumerate(found[:-1]) if abs(abs(x) - 1) < TIGHT]
    rows += [tuple(Fraction(i == j) for i in range(width + 1)) for j, _ in edges]
    right = [Fraction(0)] * len(tight) + [Fraction(round(x)) for _, x in edges]
    solution = solved_near(rows, right, _rounded(found, 10**8))
    if solution is not None:
        yield solution[:-1]


def _refutations(inequalities: Inequalities) -> Iterator[Row]:
    """Yield candidates for weights that add the rows up to 0, rounded or recovered from those that are not 0."""
    strict, free = len(inequalities.strict), len(inequalities.equal)
    rows = inequalities.rows
    across = np.array(rows, dtype=float).T
    counts = np.array([[1.0 if i < strict else 0.0 for i in range(len(rows))]])
    found = proposal(
        c=[1.0] * (len(rows) - free) + [0.0] * free,
        A_eq=np.vstack([across, counts]),
        b_eq=np.concatenate([np.zeros(inequalities.width), [1.0]]),
        bounds=[(0, None)] * (len(rows) - free) + [(None, None)] * free,
    )
    if found is None:
        return
    yield from (_rounded(found, digits) for digits in (10**2, 10**4, 10**8))
    used = [place for place, weight in enumerate(found) if abs(weight) > TIGHT]
    if max(len(used), inequalities.width) > ELIMINATED:
        return
    sums = [tuple(rows[place][j] for place in used) for j in range(inequalities.width)]
    sums.append(tuple(Fraction(place < strict) for place in used))
    right = [*(Fraction(0),) * inequalities.width, Fraction(1)]
    solution = solved_near(sums, right, _rounded(found[used], 10**8))
    if solution is not None:
        weights = dict(zip(used, solution, strict=True))
        yield tuple(weights.get(place, Fraction(0)) for place in range(len(rows)))


def proposal(**problem: Any) -> Any:
    """Return the solution that HiGHS finds, or None; it only proposes, so that its troubles do no harm."""
    from scipy.optimize import linprog

    try:
        result = linprog(method="highs", **problem)
    except (ValueError, OverflowError):
        return None
    return result.x if result.status == 0 and result.x is not None and np.isfinite(result.x).all() else None


def _rounded(values: Any, most: int) -> Row:
    return tuple(Fraction(float(value)).limit_denominator(most) for value in values)
