"""Scale types: what the numbers of a measure may be used for."""

from __future__ import annotations

from enum import IntEnum

from measurand.errors import ParameterError


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


def as_scale(scale: Scale | str) -> Scale:
    """Return a scale, or the one of that name.

    Examples
    --------
    >>> as_scale("Interval")
    <Scale.INTERVAL: 3>
    """
    if isinstance(scale, Scale):
        return scale
    name = scale.strip().upper().removesuffix(" SCALE") if isinstance(scale, str) else ""
    if name not in Scale.__members__:
        raise ParameterError(f"there is no scale {scale!r}; there is {', '.join(map(str, Scale))}")
    return Scale[name]
