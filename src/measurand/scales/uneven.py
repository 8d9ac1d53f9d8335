"""The certificate that values are not equally spaced."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from measurand.exact import shown


@frozen
class Uneven:
    """Two steps between neighbouring values that differ: the certificate that an image is not equally spaced.

    Parameters
    ----------
    first, second
        Which steps, counted from the lowest value, from 0.
    gap, other_gap
        How large they are.
    """

    first: int
    second: int
    gap: Any
    other_gap: Any

    def __str__(self) -> str:
        return f"step {self.first + 1} is {shown(self.gap)}, step {self.second + 1} is {shown(self.other_gap)}"
