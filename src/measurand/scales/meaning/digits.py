"""Numbers as text, with as many digits as it takes to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence


def told_apart(numbers: Sequence[float], least: int = 4, form: str = "g", most: int = 16) -> list[str]:
    """Return numbers as text: different ones look different, unless they are the same up to rounding.

    Parameters
    ----------
    least, most
        How many digits at least and at most.
    form
        "g" counts all digits, "f" those after the point.

    Examples
    --------
    >>> told_apart([0.5, 0.25], form="f"), told_apart([0.12341, 0.12342])
    (['0.5000', '0.2500'], ['0.12341', '0.12342'])
    """
    different = len(set(numbers))
    for digits in range(least, most + 1):
        texts = [f"{number:.{digits}{form}}" for number in numbers]
        if len(set(texts)) == different:
            return texts
    return [f"{number:.{least}{form}}" for number in numbers]
