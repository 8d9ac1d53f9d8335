"""Types of scales: what the numbers on them may be used for."""

from __future__ import annotations

from enum import Enum
from functools import total_ordering

from measurand_next.errors import ParameterError, quoted


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

    @classmethod
    def _missing_(cls, value: object) -> Scale:
        raise ParameterError(f"scale is {quoted(value)}; it can be {', '.join(scale.value for scale in cls)}")

    def __lt__(self, other: Scale) -> bool:
        scales = list(Scale)
        return scales.index(self) < scales.index(other)

    def __str__(self) -> str:
        return self.value
