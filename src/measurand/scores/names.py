"""Names of systems: where one stands among others, who was meant by one misspelt, and a name that nobody has yet."""

from __future__ import annotations

from collections.abc import Container, Sequence
from difflib import get_close_matches
from itertools import count

from measurand.errors import ParameterError

FEW = 12
"""So many systems are all named to someone who has misspelt one."""


def place_of(system: str, systems: Sequence[str]) -> int:
    """Return the place of a system among others; raise with similar names if there is none.

    Parameters
    ----------
    system
        The name of a system.
    systems
        The names of all systems.

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


def unlike(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the name itself, or with a number if it must be.

    Examples
    --------
    >>> unlike("borda", {"borda"}), unlike("borda", ())
    ('borda (2)', 'borda')
    """
    if name not in taken:
        return name
    return next(other for number in count(2) if (other := f"{name} ({number})") not in taken)
