"""How to cut blocks into tops and tails: the cheapest way that the memory allows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from attrs import field, frozen

from measurand.rulers.sums.meeting import seconds_to_meet

BUILDING = 30e-9
"""Seconds that one number of a table takes to make."""

PASS = 0.001
"""Seconds that a pass over the tables takes besides."""

LARGEST = 1 << 60
"""With more values than this a window would hold too many."""

_BYTES = 14
_BYTES_COUNTED = 48


@frozen
class Split:
    """Which blocks are gone through one by one, which make the tops, and which the tails.

    Parameters
    ----------
    outer, inner
        The blocks at which the tops and the tails begin, from 0.
    counted
        Whether sums count as often as there are runs that make them.
    seconds, memory
        What it costs: time with the making of tables, and bytes.
    """

    outer: int
    inner: int
    counted: bool
    seconds: float = field(eq=False)
    memory: int = field(eq=False)


def split_of(
    sizes: Sequence[int], outer: int, inner: int, windows: int, *, counted: bool, built: bool = False
) -> Split:
    """Return a way to cut blocks of some sizes, with what it costs for so many windows.

    Examples
    --------
    >>> split_of([2] * 30, 0, 8, 1, counted=False).memory == 14 * (2**8 + 2**22)
    True
    """
    tops, tails = prod(sizes[outer:inner]), prod(sizes[inner:])
    each = _BYTES_COUNTED if counted else _BYTES
    building = 0.0 if built else BUILDING * (tops + tails) * each / _BYTES
    counting = prod(sizes[:outer]) * (seconds_to_meet(tops, tails, windows) + PASS)
    return Split(outer, inner, counted, building + counting, each * (tops + tails))


def cheapest(
    sizes: Sequence[int], windows: int, memory: int, *, counted: bool = False, held: Split | None = None
) -> Split | None:
    """Return the cheapest way to cut blocks of some sizes, or None where there is none.

    Parameters
    ----------
    held
        A way for which the tables are already there.

    Examples
    --------
    >>> few, many = (cheapest([2] * 40, windows, 1 << 30) for windows in (1, 10_000))
    >>> few.inner > many.inner, cheapest([2] * 70, 1, 1 << 30)
    (True, None)
    """
    if prod(sizes) > LARGEST:
        return None
    cuts = range(len(sizes) + 1)
    ways = [split_of(sizes, 0, inner, windows, counted=counted) for inner in cuts]
    if all(way.memory > memory for way in ways):
        ways = [split_of(sizes, outer, inner, windows, counted=counted) for inner in cuts for outer in range(1, inner)]
    if held and held.counted == counted:
        ways.append(split_of(sizes, held.outer, held.inner, windows, counted=counted, built=True))
    return min((way for way in ways if way.memory <= memory), key=lambda way: way.seconds, default=None)
