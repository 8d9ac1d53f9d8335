"""Exact linear optimisation: the largest value of a linear function under whole-number constraints, with its proof.

Floats propose which constraints are tight; the corner where they meet is then computed in fractions, and the prices of
the constraints prove that nothing is larger (duality). `whole_solution` solves large whole-number equations exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray, ObjectArray
from measurand.errors import ParameterError

TOLERANCES = (1e-9, 1e-7, 1e-11)
"""What comes closer than this to its bound counts as having reached it, until it is verified exactly."""

LARGEST = 1 << 62
"""Sums below this fit into machine words."""

DIGITS = 20
"""So many binary digits are gained by each step of refinement."""

STEPS = 400
"""After so many steps equations are given up."""


@frozen(eq=False)
class LinearProgram:
    r"""A linear function to be made large under linear constraints, all in whole numbers.

    .. math:: \max c \cdot x \quad\text{where}\quad A x \le b, \quad E x = d, \quad 0 \le x \le u

    Parameters
    ----------
    gains
        The numbers c, one for each unknown.
    rows, right
        The rows of A and then of E, with their right sides b and d.
    equations
        How many of the last rows are equations.
    most
        The upper bounds u of the unknowns; where one is negative, and by default, there is none.
    """

    gains: IntArray
    rows: IntArray
    right: IntArray
    equations: int = 0
    most: IntArray | None = None

    @property
    def bounded(self) -> BoolArray:
        """Which unknowns have an upper bound."""
        return np.zeros(len(self.gains), dtype=bool) if self.most is None else self.most >= 0

    def meets(self, solution: Sequence[Fraction]) -> bool:
        """Return whether a vector is within all bounds, exactly.

        Parameters
        ----------
        solution
            A number for each unknown.

        Examples
        --------
        >>> program = LinearProgram(np.array([1]), np.array([[2]]), np.array([1]))
        >>> program.meets([Fraction(1, 2)]), program.meets([Fraction(2, 3)])
        (True, False)
        """
        numerators, below = whole(solution)
        room = below * self.right.astype(object) - products(self.rows, numerators)
        inequalities = len(self.right) - self.equations
        within = all(x >= 0 for x in numerators) and all(gap >= 0 for gap in room[:inequalities])
        capped = self.bounded
        fits = self.most is None or not any(
            x > below * most
            for x, most, is_capped in zip(numerators, self.most.tolist(), capped, strict=True)
            if is_capped
        )
        return bool(within and fits and not any(room[inequalities:]))

    def bound(self, prices: Sequence[Fraction]) -> Fraction | None:
        r"""Return what no admissible vector exceeds, given a price for each row; None if the prices prove nothing.

        .. math:: c \cdot x \le b \cdot y + \sum_j u_j \max(0, c_j - y \cdot A_j), \qquad y_i \ge 0 \text{ where } \le

        Parameters
        ----------
        prices
            A number for each row.

        Examples
        --------
        >>> LinearProgram(np.array([1]), np.array([[2]]), np.array([1])).bound([Fraction(1, 2)])
        Fraction(1, 2)
        """
        numerators, below = whole(prices)
        inequalities = len(self.right) - self.equations
        if any(price < 0 for price in numerators[:inequalities]):
            return None
        excess = below * self.gains.astype(object) - products(self.rows.T, numerators)
        capped = self.bounded
        if any(over > 0 for over, is_capped in zip(excess, capped, strict=True) if not is_capped):
            return None
        total = sum(int(right) * price for right, price in zip(self.right, numerators, strict=True))
        if self.most is not None:
            total += sum(int(m) * over for m, over in zip(self.most, excess, strict=True) if m > 0 and over > 0)
        return Fraction(total, below)

    def best_only(self, prices: Sequence[Fraction]) -> LinearProgram:
        """Return the constraints of the best vectors alone, given prices that prove what is best.

        Rows with a price are tight, and an unknown whose column the prices make costly is 0 (complementary slackness).

        Parameters
        ----------
        prices
            A number for each row.

        Examples
        --------
        >>> program = LinearProgram(np.array([1, 1]), np.array([[1, 1]]), np.array([1]))
        >>> program.best_only([Fraction(1)]).equations
        1
        """
        numerators, below = whole(prices)
        excess = below * self.gains.astype(object) - products(self.rows.T, numerators)
        if any(over > 0 for over in excess):
            raise ParameterError("unknowns that are best at their upper bounds are not covered")
        cut = len(self.right) - self.equations
        paid = np.array([bool(price) for price in numerators[:cut]] + [True] * self.equations, dtype=bool)
        order = np.argsort(paid, kind="stable")
        idle = (excess < 0).astype(bool)
        most = np.where(idle, 0, -1 if self.most is None else self.most)
        return LinearProgram(self.gains, self.rows[order], self.right[order], int(paid.sum()), most)


@frozen
class Optimum:
    """An admissible vector, and how good it is.

    Parameters
    ----------
    solution
        The vector, exact.
    value
        What the linear function is there.
    prices
        A price for each row, with which `LinearProgram.bound` is the value: the proof that nothing is larger. None if
        it was not found.
    """

    solution: tuple[Fraction, ...]
    value: Fraction
    prices: tuple[Fraction, ...] | None = None

    @property
    def proved(self) -> bool:
        """Whether no admissible vector has a larger value."""
        return self.prices is not None


def optimum(program: LinearProgram) -> Optimum | None:
    """Return the best admissible vector, with proof where that succeeds; None if floats find none.

    Parameters
    ----------
    program
        What to make large, and under which constraints.

    Examples
    --------
    >>> program = LinearProgram(np.array([1, 1]), np.array([[3, 1], [1, 3]]), np.array([1, 1]))
    >>> best = optimum(program)
    >>> best.solution, best.value, best.proved
    ((Fraction(1, 4), Fraction(1, 4)), Fraction(1, 2), True)
    """
    found = propose(program)
    if found is None:
        return None
    best: Optimum | None = None
    for tolerance in TOLERANCES:
        solution = _corner(program, found[0], tolerance)
        if solution is None or not program.meets(solution):
            continue
        value = sum((int(c) * x for c, x in zip(program.gains, solution, strict=True) if c and x), Fraction(0))
        prices = _prices(program, found[1], tolerance)
        if prices is not None and program.bound(prices) == value:
            return Optimum(solution, value, prices)
        best = best or Optimum(solution, value)
    return best


def propose(program: LinearProgram) -> tuple[FloatArray, FloatArray] | None:
    """Return what HiGHS finds: a vector and the prices of the rows, in floats; None if it finds nothing.

    Parameters
    ----------
    program
        What to make large, and under which constraints.

    Examples
    --------
    >>> x, y = propose(LinearProgram(np.array([1]), np.array([[2]]), np.array([1])))
    >>> x.tolist(), y.tolist()
    ([0.5], [0.5])
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    cut = len(program.right) - program.equations
    rows = csr_array(program.rows.astype(float))
    tops = [None if m < 0 else m for m in program.most.tolist()] if program.most is not None else [None] * rows.shape[1]
    found = linprog(
        -program.gains.astype(float),
        A_ub=rows[:cut] if cut else None,
        b_ub=program.right[:cut].astype(float) if cut else None,
        A_eq=rows[cut:] if program.equations else None,
        b_eq=program.right[cut:].astype(float) if program.equations else None,
        bounds=[(0, top) for top in tops],
        method="highs-ds",
    )
    if found.status != 0 or found.x is None or not np.isfinite(found.x).all():
        return None
    return found.x, -np.concatenate([np.asarray(found.ineqlin.marginals), np.asarray(found.eqlin.marginals)])


def _corner(program: LinearProgram, x: FloatArray, tolerance: float) -> tuple[Fraction, ...] | None:
    """Return the corner next to a vector: unknowns at their bounds stay there, tight rows give the others."""
    top = np.zeros(len(x), dtype=bool)
    if program.most is not None:
        top = program.bounded & (program.most - x < tolerance)
    inner = (x > tolerance) & ~top
    tight = np.abs(program.rows @ x - program.right) < tolerance * (1 + np.abs(program.right))
    fixed = np.where(top, program.most, 0) if program.most is not None else np.zeros(len(x), dtype=np.int64)
    right = program.right[tight] - program.rows[tight] @ fixed
    solved = whole_solution(program.rows[np.ix_(tight, inner)], right)
    if solved is None:
        return None
    solution = [Fraction(int(value)) for value in fixed]
    for place, value in zip(np.flatnonzero(inner).tolist(), solved, strict=True):
        solution[place] = value
    return tuple(solution)


def _prices(program: LinearProgram, y: FloatArray, tolerance: float) -> tuple[Fraction, ...] | None:
    """Return the prices next to some floats: rows without a price stay so, columns without a loss give the others."""
    paid = np.abs(y) > tolerance
    even = np.abs(program.gains - program.rows.T @ y) < tolerance * (1 + np.abs(program.gains))
    solved = whole_solution(program.rows[np.ix_(paid, even)].T, program.gains[even])
    if solved is None:
        return None
    prices = [Fraction(0)] * len(y)
    for place, value in zip(np.flatnonzero(paid).tolist(), solved, strict=True):
        prices[place] = value
    return tuple(prices)


def whole_solution(matrix: IntArray, right: IntArray) -> tuple[Fraction, ...] | None:
    """Return the only solution of whole-number equations, exactly; None if there is none, or more than one.

    Parameters
    ----------
    matrix
        The equations, a row each; there may be more than are needed.
    right
        Their right sides.

    Examples
    --------
    >>> whole_solution(np.array([[2, 1], [1, 3], [3, 4]]), np.array([1, 1, 2]))
    (Fraction(2, 5), Fraction(1, 5))
    """
    from scipy.linalg import lu_factor, qr

    height, width = matrix.shape
    if width > height:
        return None
    if not width:
        return () if not right.any() else None
    triangle, chosen = qr(matrix.T.astype(float), mode="r", pivoting=True)
    if abs(triangle[width - 1, width - 1]) < 1e-9 * abs(triangle[0, 0]):
        return None
    rows = np.sort(chosen[:width])
    found = _refined(matrix[rows], right[rows], lu_factor(matrix[rows].astype(float)))
    if found is None:
        return None
    numerators, below = found
    met = products(matrix, numerators) == below * right.astype(object)
    return tuple(Fraction(x, below) for x in numerators) if bool(met.all()) else None


def _refined(matrix: IntArray, right: IntArray, factors: Any) -> tuple[list[int], int] | None:
    """Return the solution of square equations over one denominator, from binary digits that a float solver yields.

    Each step solves for what the digits so far leave over, in floats, and computes exactly what is then left.
    """
    from scipy.linalg import lu_solve

    digits: ObjectArray = np.zeros(len(right), dtype=object)
    left: IntArray = right.astype(np.int64)
    reach = int(np.abs(matrix).sum(axis=1).max())
    next_try = 2
    for step in range(1, STEPS + 1):
        more = np.rint(lu_solve(factors, left.astype(float)) * (1 << DIGITS))
        if (
            not np.isfinite(more).all()
            or np.abs(more).max() * reach > LARGEST / 4
            or np.abs(left).max() >= LARGEST >> 22
        ):
            return None
        whole_digits = more.astype(np.int64)
        left = (left << DIGITS) - matrix @ whole_digits
        digits = (digits << DIGITS) + whole_digits.astype(object)
        if step >= next_try or not left.any():
            next_try = step + max(1, step // 2)
            found = _fractions(digits.tolist(), DIGITS * step)
            if found is not None and bool((products(matrix, found[0]) == found[1] * right.astype(object)).all()):
                return found
    return None


def _fractions(digits: Sequence[int], length: int) -> tuple[list[int], int] | None:
    """Return the simplest fractions with so many binary digits, over one denominator; None if they are not simple."""
    below, most = 1, 1 << (length // 2)
    for number in digits:
        part = Fraction(number * below, 1 << length).limit_denominator(max(1, most // below))
        below *= part.denominator
        if below > most:
            return None
    return [round(Fraction(number * below, 1 << length)) for number in digits], below


def whole(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the numerators of fractions over their common denominator, and that denominator.

    Parameters
    ----------
    numbers
        The fractions.

    Examples
    --------
    >>> whole([Fraction(1, 2), Fraction(2, 3)])
    ([3, 4], 6)
    """
    below = lcm(*(number.denominator for number in numbers))
    return [number.numerator * (below // number.denominator) for number in numbers], below


def products(matrix: IntArray, vector: Sequence[int]) -> ObjectArray:
    """Return a matrix times a vector of whole numbers of any length, exactly.

    Parameters
    ----------
    matrix
        The matrix.
    vector
        The vector.

    Examples
    --------
    >>> products(np.array([[1, -1], [2, 0]]), [10**30, 1]).tolist()
    [999999999999999999999999999999, 2000000000000000000000000000000]
    """
    largest = max(map(abs, vector), default=0)
    reach = int(np.abs(matrix).sum(axis=1).max(initial=0))
    if largest * reach < LARGEST:
        return np.asarray((matrix @ np.array(vector, dtype=np.int64).reshape(-1)).astype(object))
    used = np.array([place for place, x in enumerate(vector) if x], dtype=np.int64)
    long = np.array([vector[place] for place in used], dtype=object)
    return np.asarray(matrix[:, used].astype(object) @ long)
