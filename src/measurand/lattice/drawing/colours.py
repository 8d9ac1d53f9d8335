"""The colours of the nodes of a diagram: the more relevant documents, the darker."""

from __future__ import annotations

PLAIN = "#ffffff"
"""A node that is no run."""

LIGHTEST, DARKEST = (240, 249, 246), (64, 170, 150)
"""From no relevant document to as many as there are ranks, so that dark letters stay readable."""


def shade(relevant: int, most: int) -> str:
    """Return the colour of a run with so many relevant documents of so many at most.

    Examples
    --------
    >>> shade(0, 4), shade(4, 4)
    ('#f0f9f6', '#40aa96')
    """
    share = relevant / most if most else 0
    mixed = (round(low + share * (high - low)) for low, high in zip(LIGHTEST, DARKEST, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
