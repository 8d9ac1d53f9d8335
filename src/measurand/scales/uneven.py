"""The certificate that values are not equally spaced."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from measurand.display.data import exact_number
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

    def to_dict(self) -> dict[str, Any]:
        """Return the steps, counted from 1, and how large they are, ready for JSON."""
        gaps = [exact_number(self.gap), exact_number(self.other_gap)]
        return {"steps": [self.first + 1, self.second + 1], "gaps": gaps, "why": str(self)}
