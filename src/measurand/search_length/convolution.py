"""Convolution: how the sum of two independent whole numbers comes out, counted exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

FEW = 5000
"""Up to so many pairs are simply looked at, one by one."""


def convolution(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    r"""Return in how many ways each sum comes up, from the ways of each summand.

    .. math:: c_k = \sum_{i + j = k} a_i b_j

    Examples
    --------
    >>> convolution({0: 1, 5: 2}, {1: 3})
    {1: 3, 6: 6}
    """
    pairs = len(one) * len(other)
    places = max(one) - min(one) + max(other) - min(other) + 1
    if pairs > FEW and pairs > 10 * places:
        rows = [[ways.get(k, 0) for k in range(min(ways), max(ways) + 1)] for ways in (one, other)]
        return dict(enumerate(_of_rows(*rows), min(one) + min(other)))
    sums: defaultdict[int, int] = defaultdict(int)
    for i, a in one.items():
        for j, b in other.items():
            sums[i + j] += a * b
    return dict(sums)


def _of_rows(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the convolution of two rows of whole numbers from 0 up.

    The rows are written as the digits of two numbers, with room for every sum, and the numbers are multiplied
    (Kronecker's substitution). `decimal` multiplies by a number theoretic transform: 1000 × 1000 numbers of 600
    digits each take a fraction of a second.
    """
    width = len(_digits(max(one) * max(other) * min(len(one), len(other))))
    places = len(one) + len(other) - 1
    context = Context(prec=width * (places + 1), Emax=MAX_EMAX, Emin=MIN_EMIN)
    product = context.multiply(_number(one, width, context), _number(other, width, context))
    text = format(product, "f").zfill(width * places)
    return [int(Decimal(text[at : at + width])) for at in range(0, width * places, width)]


def _number(row: Sequence[int], width: int, context: Context) -> Decimal:
    """Return the number whose digits are those of the row, `width` digits to an entry."""
    return context.create_decimal("".join(_digits(entry).zfill(width) for entry in row))


def _digits(entry: int) -> str:
    # by way of Decimal, because Python refuses to spell whole numbers of more than 4300 digits
    return format(Decimal(entry), "f")
