"""Fingerprints of exact numbers: equal numbers have equal ones, and whole arrays are taken at once.

A number is mapped into four fields of about 2**31 elements by a map that keeps sums and products. Numbers with
different fingerprints are compared exactly; different numbers with equal ones meet with a chance of about one in
2**120, as in `measurand.exact`.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256

import numpy as np

from measurand.arrays import FloatArray, IntArray, Keys
from measurand.exact.certified import factors

PRIMES = np.array([2147483647, 2147483629, 2147483587, 2147483579], dtype=np.int64)
"""The sizes of the fields: products of two elements fit into 64 bits."""

_MANTISSA = 53


def of_whole(numbers: IntArray) -> IntArray:
    """Return the fingerprints of whole numbers, one row a number.

    Examples
    --------
    >>> of_whole(np.array([2**31, -1])).tolist()
    [[1, 19, 61, 69], [2147483646, 2147483628, 2147483586, 2147483578]]
    """
    return np.asarray(numbers[:, None] % PRIMES)


def of_fraction(number: Fraction) -> IntArray:
    """Return the fingerprint of a fraction; a denominator that a field does not have counts as 0 there.

    Examples
    --------
    >>> (of_fraction(Fraction(1, 3)) * 3 % PRIMES).tolist()
    [1, 1, 1, 1]
    """
    parts = ((number.numerator % p, number.denominator % p, p) for p in PRIMES.tolist())
    return np.array([top * pow(bottom, -1, p) % p if bottom else 0 for top, bottom, p in parts], dtype=np.int64)


def of_fractions(numbers: tuple[Fraction, ...]) -> IntArray:
    """Return the fingerprints of some fractions, one row a number."""
    return np.array([of_fraction(number) for number in numbers], dtype=np.int64).reshape(-1, len(PRIMES))


def of_doubles(numbers: FloatArray) -> IntArray:
    """Return the fingerprints of doubles, each taken as the fraction that it is.

    Examples
    --------
    >>> (of_doubles(np.array([0.5])) * 2 % PRIMES).tolist()
    [[1, 1, 1, 1]]
    """
    mantissa, exponent = np.frexp(numbers)
    whole = np.ldexp(mantissa, _MANTISSA).astype(np.int64)
    powers, which = np.unique(exponent, return_inverse=True)
    table = [[pow(2, power - _MANTISSA, p) for p in PRIMES.tolist()] for power in powers.tolist()]
    return times(of_whole(whole), np.array(table, dtype=np.int64).reshape(-1, len(PRIMES))[which])


def of_logs(numbers: IntArray) -> IntArray:
    """Return the fingerprints of the natural logarithms of whole numbers: sums of those of their prime factors.

    Examples
    --------
    >>> two, three, six = of_logs(np.array([2, 3, 6]))
    >>> bool(((two + three) % PRIMES == six).all())
    True
    """
    distinct, which = np.unique(numbers, return_inverse=True)
    table = [_of_log(number) for number in distinct.tolist()]
    return np.array(table, dtype=np.int64).reshape(-1, len(PRIMES))[which]


def _of_log(number: int) -> list[int]:
    digests = [(sha256(str(prime).encode()).digest(), power) for prime, power in factors(number)]
    return [
        sum(int.from_bytes(digest[8 * i : 8 * i + 8], "big") * power for digest, power in digests) % p
        for i, p in enumerate(PRIMES.tolist())
    ]


def times(one: IntArray, other: IntArray) -> IntArray:
    """Return the fingerprints of products."""
    return np.asarray(one * other % PRIMES)


def inverse(prints: IntArray) -> IntArray:
    """Return the fingerprints of inverses, 0 where there is none.

    Examples
    --------
    >>> times(inverse(of_whole(np.array([7]))), of_whole(np.array([7]))).tolist()
    [[1, 1, 1, 1]]
    """
    # a number to the power of the size of the field less two is its inverse
    found, square, left = np.ones_like(prints), prints, PRIMES - 2
    while left.any():
        found = np.where(left & 1, times(found, square), found)
        square, left = times(square, square), left >> 1
    return np.where(prints == 0, 0, found)


def total(prints: IntArray, starts: IntArray) -> IntArray:
    """Return the fingerprints of sums of consecutive numbers, of which each sum begins at one of `starts`."""
    return np.asarray(np.add.reduceat(prints, starts, axis=0) % PRIMES)


def scattered(prints: IntArray) -> IntArray:
    """Return fingerprints with nothing in common but equality: for numbers whose sums are not to be foreseen."""
    first, second = _mixed(prints, 0x9E3779B97F4A7C15), _mixed(prints, 0xD1B54A32D192ED03)
    words = np.stack([first, first >> np.uint64(32), second, second >> np.uint64(32)], axis=1)
    return ((words & np.uint64(0xFFFFFFFF)).astype(np.int64)) % PRIMES


def _mixed(prints: IntArray, seed: int) -> Keys:
    """Return a 64-bit hash of each row."""
    state = np.full(len(prints), seed, dtype=np.uint64)
    for column in prints.T.astype(np.uint64):
        state = (state ^ column) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(29)
    return state
