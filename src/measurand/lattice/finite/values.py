"""Values on an order: whether higher elements have higher ones, and whether joins and meets keep their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact import Certified, rational
from measurand.lattice.finite.order import Order

Values = Mapping[Any, Any] | Callable[[Any], Any]


def read_values(elements: Sequence[Any], values: Values) -> list[Any]:
    """Return the exact value of every element, read as written.

    Examples
    --------
    >>> read_values("ab", {"a": 0.1, "b": "1/3"})
    [Fraction(1, 10), Fraction(1, 3)]
    """
    return [_exact(element, value_of(element, values)) for element in elements]


def value_of(element: Any, values: Values) -> Any:
    """Return what stands for an element in a mapping, or the value of a function.

    Examples
    --------
    >>> value_of("a", {"a": None}) is None, value_of("a", ord)
    (True, 97)
    """
    if not (callable(values) or hasattr(values, "__getitem__")) or isinstance(values, str):
        raise ParameterError(f"values are a mapping of elements to numbers or a function of an element, not {values!r}")
    try:
        return values(element) if callable(values) else values[element]
    except KeyError as error:
        if callable(values):
            raise ParameterError(f"the values failed on {element!r}: there is no {error}") from error
        raise ParameterError(f"{element!r} has no value; give one for every element") from None
    except (TypeError, ValueError, ArithmeticError, IndexError, AttributeError) as error:
        raise ParameterError(f"the values failed on {element!r}: {error}") from error


def _exact(element: Any, value: Any) -> Any:
    if isinstance(value, Certified):
        return value
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    try:
        return rational(value)
    except ParameterError:
        raise ParameterError(f"the value of {element!r} is {value!r}, which is no number") from None


@frozen
class Gap:
    """By how much a law about values is missed, and where.

    Parameters
    ----------
    places
        The two, and what the law makes of them.
    amount
        By how much.

    Examples
    --------
    >>> Gap((0, 1), Fraction(1, 2)).amount
    Fraction(1, 2)
    """

    places: tuple[int, ...]
    amount: Any


def worst_drop(order: Order, values: Sequence[Any]) -> Gap | None:
    """Return the two with nothing between whose values fall most from the lower to the higher, or nothing.

    Examples
    --------
    >>> worst_drop(Order(np.triu(np.ones((3, 3), dtype=bool))), [Fraction(0), Fraction(2), Fraction(1)])
    Gap(places=(1, 2), amount=Fraction(1, 1))
    """
    falling = [(x, y) for x, y in order.edges.tolist() if values[y] < values[x]]
    if not falling:
        return None
    x, y = max(falling, key=lambda pair: _drop(values[pair[0]], values[pair[1]]))
    return Gap((x, y), _drop(values[x], values[y]))


def worst_gap(order: Order, values: Sequence[Any]) -> Gap | None:
    """Return the two whose values sum least like those of their join and meet, with these, or nothing.

    Examples
    --------
    >>> square = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)
    >>> worst_gap(Order(square), [Fraction(n) for n in (0, 1, 1, 3)])
    Gap(places=(1, 2, 3, 0), amount=Fraction(-1, 1))
    """
    numbers, unit = _scaled(values)
    worst: tuple[Any, int, int] | None = None
    for x in range(order.size):
        others = x + 1 + np.flatnonzero(_both(order, x))
        gaps = numbers[others] + numbers[x] - numbers[order.joins[x, others]] - numbers[order.meets[x, others]]
        missed = np.flatnonzero(gaps != 0)
        if missed.size:
            sizes = np.abs(gaps) if unit else np.array([_size(gap) for gap in gaps])
            place = int(sizes.argmax())
            if worst is None or _size(gaps[place]) > _size(worst[0]):
                worst = (gaps[place], x, int(others[place]))
    if worst is None:
        return None
    amount, x, y = worst
    return Gap((x, y, int(order.joins[x, y]), int(order.meets[x, y])), _unscaled(amount, unit))


def _drop(high: Any, low: Any) -> Any:
    # quotients of sums of logarithms can be compared exactly, but their difference is only known roughly
    return high - low if isinstance(high, Fraction) and isinstance(low, Fraction) else float(high) - float(low)


def bounded_pairs(order: Order) -> int:
    """Return how many pairs are incomparable and have both a join and a meet.

    Examples
    --------
    >>> bounded_pairs(Order(np.eye(2, dtype=bool)))
    0
    """
    return sum(int(_both(order, x).sum()) for x in range(order.size))


def _both(order: Order, x: int) -> Any:
    rest = slice(x + 1, None)
    return (order.joins[x, rest] >= 0) & (order.meets[x, rest] >= 0) & ~order.leq[x, rest]


def _scaled(values: Sequence[Any]) -> tuple[Any, int]:
    """Return values as whole numbers of a unit where they are fractions, in machine words where these suffice."""
    if not all(isinstance(value, Fraction) for value in values):
        numbers = np.empty(len(values), dtype=object)
        numbers[:] = values
        return numbers, 0
    unit = lcm(*(value.denominator for value in values))
    whole = [value.numerator * (unit // value.denominator) for value in values]
    return np.array(whole, dtype=np.int64 if max(map(abs, whole)) < 2**60 else object), unit


def _unscaled(amount: Any, unit: int) -> Any:
    return Fraction(int(amount), unit) if unit else amount


def _size(amount: Any) -> Any:
    return abs(amount) if isinstance(amount, int | np.integer | Fraction) else abs(float(amount))
