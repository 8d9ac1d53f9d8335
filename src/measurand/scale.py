"""Scale types: what the numbers of a measure may be used for."""

from __future__ import annotations

from enum import IntEnum


class Scale(IntEnum):
    """The type of a scale; a stronger scale permits fewer rescalings and more statistics.

    Examples
    --------
    >>> Scale.ORDINAL < Scale.INTERVAL, str(Scale.RATIO)
    (True, 'ratio')
    """

    NOMINAL = 1
    ORDINAL = 2
    INTERVAL = 3
    RATIO = 4

    def __str__(self) -> str:
        return self.name.lower()
