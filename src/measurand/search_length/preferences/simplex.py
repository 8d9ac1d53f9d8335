"""The simplex method in exact fractions: slow, but it always knows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from measurand.search_length.preferences.elimination import Row

ZERO, ONE = Fraction(0), Fraction(1)


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
