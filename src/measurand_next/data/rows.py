"""Values that cannot be changed, and rows that stand group after group, of which the ends are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import asdict, frozen

from measurand_next.errors import InputError, quoted
from measurand_next.exact import BoolArray, IntArray


@frozen(eq=False, repr=False)
class Value:
    """A base of attrs classes: their arrays cannot be changed, and they travel without what they have computed."""

    def __attrs_post_init__(self) -> None:
        for name, value in asdict(self, recurse=False).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                object.__setattr__(self, name, unwritable(value.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **asdict(self, recurse=False)), ()


def unwritable(array: Any) -> Any:
    """The same array, made unwritable: a value does not copy it then."""
    array.setflags(write=False)
    return array


def whole_numbers(values: Any) -> IntArray:
    """An array of one axis, which must hold whole numbers."""
    found = np.asarray(values)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise InputError(f"whole numbers are wanted, one after another, and not {quoted(values)}")
    return found


def check_names(kind: str, names: Sequence[str]) -> None:
    """Refuse a name that stands twice."""
    if len(set(names)) < len(names):
        [(twice, _)] = Counter(names).most_common(1)
        raise InputError(f"two {kind} are called {quoted(twice)}; rename one")


def starts_of(ends: IntArray) -> IntArray:
    """Where each group begins."""
    return np.concatenate(([0], ends[:-1])).astype(np.int64)[: len(ends)]


def spread(starts: IntArray, sizes: IntArray) -> IntArray:
    """The positions of all rows of some groups, one group after another."""
    positions: IntArray = np.arange(sizes.sum()) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return positions


def first_positions(starts: IntArray, sizes: IntArray, ranks: int, tied: BoolArray | None) -> tuple[IntArray, IntArray]:
    """The positions of the first rows of rankings, and how many of each; groups of equal scores stay whole."""
    cut = np.minimum(sizes, ranks)
    if tied is not None:
        longer = sizes > ranks
        # a ranking begins a group of equal scores, so that none goes on behind the end of a ranking
        group_starts = np.append(np.flatnonzero(~tied), len(tied))
        cut[longer] = group_starts[np.searchsorted(group_starts, (starts + ranks)[longer])] - starts[longer]
    return spread(starts, cut), cut
