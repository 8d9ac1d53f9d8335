"""Whole numbers taken apart: prime factors, and roots."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65536)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a whole number from 1 up, each with its power.

    Examples
    --------
    >>> factors(12), factors(1)
    (((2, 2), (3, 1)), ())
    """
    found: list[tuple[int, int]] = []
    divisor = 2
    while number > 1:
        if divisor * divisor > number:
            divisor = number
        power = 0
        while number % divisor == 0:
            number //= divisor
            power += 1
        if power:
            found.append((divisor, power))
        divisor += 1 if divisor == 2 else 2
    return tuple(found)


@lru_cache(maxsize=4096)
def primitive_root(number: int) -> tuple[int, int]:
    """Return `(k, j)` with `number == k**j`, `j` as large as possible.

    Examples
    --------
    >>> primitive_root(64), primitive_root(12)
    ((2, 6), (12, 1))
    """
    for power in range(number.bit_length(), 1, -1):
        root = round(number ** (1 / power))
        for candidate in (root - 1, root, root + 1):
            if candidate > 1 and candidate**power == number:
                return candidate, power
    return number, 1
