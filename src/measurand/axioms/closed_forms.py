"""Closed forms of the balancing index, for the measures that have one; exact, without float logarithms.

The formulas are those of the paper with its errata corrected, and tested against the definition, `balancing_index`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log

from measurand.errors import ParameterError, quoted
from measurand.exact import InverseLogs, RationalLike, inverse_log, rational, weighted_sum, whole_number
from measurand.judged import HIGHEST_GRADE

__all__ = [
    "average_precision",
    "discounted_gain",
    "err_threshold",
    "expected_reciprocal_rank",
    "rank_biased_precision",
    "rank_biased_precision_limit",
]


def persistence(value: object) -> Fraction:
    """Return the persistence `p` of rank-biased precision as an exact number between 0 and 1.

    Parameters
    ----------
    value
        The number, or its spelling.

    Examples
    --------
    >>> persistence(0.8)
    Fraction(4, 5)
    """
    p = rational(value)
    if not 0 < p < 1:
        raise ParameterError(f"p must lie between 0 and 1, both excluded, not {value!r}")
    return p


Grade = int | Fraction
"""A grade: a whole number, or a fraction that is none."""


def positive_grade(name: str, value: object) -> Grade:
    """Return a positive grade as an exact number, read as written.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        The number, or its spelling.

    Examples
    --------
    >>> positive_grade("qmin", "0.7"), positive_grade("qmax", 3.0)
    (Fraction(7, 10), 3)
    """
    try:
        number = rational(value)
    except ParameterError:
        number = Fraction(0)
    if isinstance(value, bool) or number <= 0:
        raise ParameterError(f"{name} must be a positive number, such as 1, 0.7 or '2/3', not {quoted(value)}")
    return int(number) if number.denominator == 1 else number


def length_and_grades(n: object, qmin: object, qmax: object) -> tuple[int, Grade, Grade]:
    """Return a run length, and the smallest positive and the highest grade as exact numbers.

    Parameters
    ----------
    n
        The length of the runs.
    qmin, qmax
        The smallest positive and the highest grade.

    Examples
    --------
    >>> length_and_grades(5, 1, 3), length_and_grades(5, 0.3, 1)
    ((5, 1, 3), (5, Fraction(3, 10), 1))
    """
    length, low, high = whole_number("n", n), positive_grade("qmin", qmin), positive_grade("qmax", qmax)
    if not low <= high <= HIGHEST_GRADE:
        raise ParameterError(
            f"qmin={quoted(low)}, qmax={quoted(high)}: the smallest positive grade cannot be above the highest,"
            f" and no grade is above {HIGHEST_GRADE}"
        )
    return length, low, high


def average_precision(n: int) -> int:
    r"""Return the balancing index of average precision with two grades.

    .. math:: B(n) = \max \Bigl\{b : \sum_{k=1}^{n-b+1} \frac{k}{k + b - 1} \ge 1\Bigr\}

    It is about :math:`n - \sqrt{2n}`.

    Parameters
    ----------
    n
        The length of the runs.

    Examples
    --------
    >>> [average_precision(n) for n in (5, 10, 100)]
    [3, 7, 87]

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    n = whole_number("n", n)

    def enough(b: int) -> bool:
        return sum((Fraction(k, k + b - 1) for k in range(1, n - b + 2)), Fraction(0)) >= 1

    return next(b for b in range(n, 0, -1) if enough(b))


def rank_biased_precision(n: int, p: object) -> int:
    r"""Return the balancing index of rank-biased precision with two grades.

    .. math:: B(n) = \max \{b : p^{b-1} \ge 1 - p + p^n\} = \lfloor \log_p (1 - p + p^n) + 1 \rfloor

    Parameters
    ----------
    n
        The length of the runs.
    p
        The persistence, a number or its spelling.

    Examples
    --------
    >>> rank_biased_precision(1000, "0.95"), rank_biased_precision(1000, "1/2")
    (59, 1)

    Notes
    -----
    In floating point the logarithm answers 2 for p = 1/2 from 54 ranks on.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    n, p = whole_number("n", n), persistence(p)
    threshold = 1 - p + p**n
    return _last(lambda b: p ** (b - 1) >= threshold, n)


def rank_biased_precision_limit(p: object) -> int:
    r"""Return the balancing index that rank-biased precision reaches and never leaves as runs get longer.

    .. math:: \max \{b : p^{b-1} > 1 - p\}

    Parameters
    ----------
    p
        The persistence, a number or its spelling.

    Examples
    --------
    >>> [rank_biased_precision_limit(p) for p in (0.5, 0.8, 0.9, 0.95)]
    [1, 8, 22, 59]

    Notes
    -----
    This is :math:`\lfloor \log_p (1 - p) + 1 \rfloor` but for p = 1/2, where that is 2: the comparison
    must be strict, because no finite run makes up for the missing :math:`p^n`.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    p = persistence(p)
    bound = 1
    while p**bound > 1 - p:
        bound *= 2
    return _last(lambda b: p ** (b - 1) > 1 - p, bound)


def expected_reciprocal_rank(n: int, x_min: object, x_max: object) -> int | None:
    r"""Return the balancing index of expected reciprocal rank, or None if no tail is enough.

    .. math:: B(n) = \max \Bigl\{b : x_{\min} \sum_{k=b}^{n} \frac{(1 - x_{\min})^{k-b}}{k} \ge x_{\max}\Bigr\}

    Parameters
    ----------
    n
        The length of the runs.
    x_min, x_max
        The probabilities of stopping at a document of the smallest positive and of the highest grade.

    Examples
    --------
    >>> expected_reciprocal_rank(100, "1/10", "1/10"), expected_reciprocal_rank(5, "1/8", "7/8")
    (5, None)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    n, low, high = whole_number("n", n), rational(x_min), rational(x_max)
    if not 0 < low <= high <= 1:
        raise ParameterError(f"stopping probabilities lie above 0 and up to 1, x_min first, not {x_min!r}, {x_max!r}")
    tail = Fraction(0)
    for b in range(n, 0, -1):
        tail = Fraction(1, b) + (1 - low) * tail
        if low * tail >= high:
            return b
    return None


def discounted_gain(n: int, base: int, qmin: RationalLike = 1, qmax: RationalLike = 1) -> int | None:
    r"""Return the balancing index of (n)DCG with base `a` and the grade as gain, or None if no tail is enough.

    .. math::
        b > a: \sum_{j=b}^{n} \frac{q_{\min}}{\log_a j} \ge q_{\max}, \qquad
        b \le m: (m - b + 1)\, q_{\min} + \sum_{j=a+1}^{n} \frac{q_{\min}}{\log_a j} \ge q_{\max},
        \qquad m = \min(a, n)

    `B` is the largest `b` that one of the two allows.

    Parameters
    ----------
    n
        The length of the runs.
    base
        The base `a` of the logarithm, from 2 up.
    qmin, qmax
        The smallest positive and the highest grade, any positive numbers.

    Examples
    --------
    >>> discounted_gain(1000, 2), discounted_gain(7, 10), discounted_gain(3, 2, qmin=1, qmax=3)
    (991, 7, None)
    >>> discounted_gain(20, 2, qmin="0.3", qmax=1)
    8

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    (n, low, high), base = length_and_grades(n, qmin, qmax), whole_number("base", base, 2)
    undiscounted = min(base, n)
    tail: Fraction | InverseLogs = Fraction(0)
    for b in range(n, base, -1):
        tail = weighted_sum([(tail, 1), (inverse_log(b, base), low)])
        if tail >= high:
            return b
    ranks = range(undiscounted, 0, -1)
    return next((b for b in ranks if tail + (undiscounted - b + 1) * low >= high), None)


def err_threshold() -> float:
    r"""Return the stopping probability from which ERR with two grades has the index 1 at any length.

    .. math:: \frac{-\ln x - (1 - x)}{(1 - x)^2} = 1

    The left side is the worth of an endless tail from rank 2 on, as a share of a document at rank 1.

    Examples
    --------
    >>> f"{err_threshold():.10f}"
    '0.3161973762'

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    from scipy.optimize import brentq

    return float(brentq(lambda x: -log(x) - (1 - x) - (1 - x) ** 2, 0.1, 0.5, xtol=1e-15))


def _last(holds: Callable[[int], bool], n: int) -> int:
    """Return the largest number from 1 to `n` for which something holds that holds for 1 and, once lost, is lost."""
    low, high = 1, n
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
