"""Judged runs as small pictures for a terminal, and exact numbers as people read them."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import Any

from rich.text import Text

from measurand.exact import shown

LONG = 24
"""Runs that are longer are shown as blocks of equal grades."""

LARGE = 10**12
"""Whole numbers from here on are shown as powers of ten."""

SHADES = ("dim", "black on green3", "black on spring_green2", "black on green_yellow", "black on yellow1")
"""How the grades 0, 1, 2, … are shown; higher ones like the last."""


def ranking(run: tuple[int, ...]) -> Text:
    """Return a judged run as a strip of grades, first rank first.

    Examples
    --------
    >>> ranking((1, 0, 2)).plain, ranking((0,) * 30 + (1,)).plain
    (' 1  0  2 ', ' 30×0  1 ')
    """
    if not run:
        return Text("nothing", style="dim")
    blocks = [(grade, sum(1 for _ in same)) for grade, same in groupby(run)]
    if len(run) <= LONG:
        blocks = [(grade, 1) for grade in run]
    strip = Text()
    for grade, count in blocks:
        label = str(grade) if count == 1 else f"{count}×{grade}"
        strip.append(f" {label} ", style=SHADES[min(max(grade, 0), len(SHADES) - 1)])
    return strip


def number(value: Any) -> str:
    """Return an exact number to four digits, with its fraction where that is short.

    Examples
    --------
    >>> number(Fraction(5, 12)), number(Fraction(2)), number(Fraction(1, 123457))
    ('5/12 = 0.4167', '2', '8.1e-06')
    """
    if isinstance(value, Fraction) and value.denominator == 1 and abs(value) < LARGE:
        return str(value)
    rounded = shown(value)
    short = isinstance(value, Fraction) and value.denominator < 1000
    return f"{value} = {rounded}" if short else rounded
