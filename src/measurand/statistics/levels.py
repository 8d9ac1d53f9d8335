"""Levels of significance and confidence: shares strictly between nothing and everything."""

from __future__ import annotations

from measurand.errors import ParameterError

ALPHA = 0.05
"""The level of significance if nothing is said."""


def level(share: float, name: str = "alpha") -> float:
    """Return a level as it is, or complain that it does not lie between 0 and 1.

    Examples
    --------
    >>> level(0.01)
    0.01
    """
    if not 0 < share < 1:
        raise ParameterError(f"{name} must lie between 0 and 1, not {share}")
    return share
