"""Names of systems: where one stands among others, and what somebody may have meant who misspelt it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from measurand.errors import ParameterError

FEW = 12
"""So many systems are all named to someone who has misspelt one."""


def place_of(system: str, systems: Sequence[str]) -> int:
    """Return the place of a system among others, or complain and name those that it may have been.

    Examples
    --------
    >>> place_of("b", ("a", "b"))
    1
    """
    if system in systems:
        return systems.index(system)
    if len(systems) <= FEW:
        raise ParameterError(f"there is no system {system!r}; there is {', '.join(systems)}")
    close = get_close_matches(system, systems) or systems[:3]
    raise ParameterError(f"there is no system {system!r} among {len(systems)}; did you mean {', '.join(close)}?")
