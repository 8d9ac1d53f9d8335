"""Elimination: linear equations solved exactly, with fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

Row = tuple[Fraction, ...]


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
