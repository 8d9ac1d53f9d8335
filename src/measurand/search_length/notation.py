"""The notation of weak orders: `+-|+--|++---`."""

from __future__ import annotations

from measurand.errors import ParameterError

Counts = tuple[int, int]
"""How many relevant and how many nonrelevant documents."""

PRINTED = 60
"""Up to so many documents a weak order is printed sign by sign."""

LISTED = 8
"""Up to so many ranks it is printed as pairs of numbers."""


def parsed(text: str) -> list[Counts]:
    """Return the ranks that a text like `+-|+--` writes; spaces do not matter.

    Examples
    --------
    >>> parsed("+-| +--")
    [(1, 1), (1, 2)]
    """
    if not isinstance(text, str):
        raise ParameterError(f"a weak order is written like '+-|+--|++---', not {text!r}")
    for place, sign in enumerate(text, 1):
        if sign not in "+-|" and not sign.isspace():
            raise ParameterError(
                f"{_excerpt(text, place)} at place {place} of a weak order is none of + (relevant), - (nonrelevant) "
                f"and | (next rank)"
            )
    if not text.strip():
        raise ParameterError("the weak order is empty; write it like '+-|+--|++---'")
    ranks = []
    place = 1
    for number, rank in enumerate(text.split("|"), 1):
        if not rank.strip():
            raise ParameterError(
                f"rank {number} of the weak order is empty, at place {place} of {_excerpt(text, place)}; a rank holds "
                f"one document or more"
            )
        ranks.append((rank.count("+"), rank.count("-")))
        place += len(rank) + 1
    return ranks


def spelled(ranks: tuple[Counts, ...]) -> str:
    """Return what follows the name of the class in the spelling of a weak order.

    Examples
    --------
    >>> spelled(((1, 1), (0, 2)))
    ".parse('+-|--')"
    >>> spelled(((3, 10**6),))
    '([(3, 1000000)])'
    """
    relevant, nonrelevant = (sum(counts) for counts in zip(*ranks, strict=True))
    if relevant + nonrelevant <= PRINTED:
        return f".parse('{'|'.join('+' * plus + '-' * minus for plus, minus in ranks)}')"
    if len(ranks) <= LISTED:
        return f"({list(ranks)})"
    listed = ", ".join(map(str, ranks[:3]))
    return f"([{listed}, … {len(ranks)} ranks of {relevant} relevant and {nonrelevant} nonrelevant documents])"


def _excerpt(text: str, place: int) -> str:
    """Return the text, or what stands around a place of a long one."""
    return repr(text) if len(text) <= PRINTED else f"'…{text[max(0, place - 20) : place + 20]}…'"
