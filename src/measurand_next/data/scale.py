"""Types of scales: what the numbers on them may be used for."""

from __future__ import annotations

from enum import Enum
from functools import total_ordering


@total_ordering
class Scale(Enum):
    """The type of a scale; a stronger one allows fewer rescalings and more statistics.

    Examples
    --------
    >>> Scale.ORDINAL < Scale.INTERVAL, Scale("ratio"), str(Scale.RATIO)
    (True, <Scale.RATIO: 'ratio'>, 'ratio')

    References
    ----------
    [Stevens1946]_
    """

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"

    def __lt__(self, other: Scale) -> bool:
        scales = list(Scale)
        return scales.index(self) < scales.index(other)

    def __str__(self) -> str:
        return self.value
