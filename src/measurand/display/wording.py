"""Wording: counts, lists, shares and p-values in plain words, the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from math import isnan, log10
from typing import Any


def counted(number: int, what: str, several: str = "") -> str:
    """Return how many there are of something, in words.

    Parameters
    ----------
    several
        What more than one are called, where that is more than a letter longer.

    Examples
    --------
    >>> counted(1, "topic"), counted(1500, "pair of systems"), counted(2, "other system")
    ('1 topic', '1,500 pairs of systems', '2 other systems')
    >>> counted(2, "system is", "systems are")
    '2 systems are'
    """
    thing, of, rest = what.partition(" of ")
    return f"{number:,} {what if number == 1 else several or f'{thing}s{of}{rest}'}"


def listed(names: Sequence[str], most: int = 6, others: str = "more") -> str:
    """Return names in a row, cut where there are many.

    Examples
    --------
    >>> listed(["AP"]), listed(["AP", "P", "R"]), listed(["AP", "P", "R"], 2)
    ('AP', 'AP, P and R', 'AP, P and 1 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} {others}"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def capitalised(text: str) -> str:
    """Return a text with a capital first, all else as it is.

    Examples
    --------
    >>> capitalised("the paired t test of AP"), capitalised("")
    ('The paired t test of AP', '')
    """
    return f"{text[:1].upper()}{text[1:]}"


def one_line(text: str, longest: int = 60) -> str:
    r"""Return a name, or any other text of a user, on one line without control characters, cut where it is long.

    Parameters
    ----------
    longest
        How many letters it may have.

    Examples
    --------
    >>> one_line("two\nlines\x1b[31m"), one_line("a" * 9, 4)
    ('two lines [31m', 'aaa…')
    """
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash for nothing.

    Examples
    --------
    >>> percent(0.125), percent(1.0), percent(None)
    ('12.5 %', '100 %', '–')
    """
    if share is None or isnan(share):
        return "–"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def pvalue(p: float) -> str:
    """Return a p-value as people read it.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(1e-9), pvalue(1.0)
    ('0.031', '<0.0001', '1')
    """
    if p < 0.0001:
        return "<0.0001"
    return "1" if p > 0.9995 else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


LARGE = 10**12
"""Whole numbers from here on are shown as powers of ten, and fractions with longer parts as decimals."""


def equals(p: float) -> str:
    """Return a p-value with its sign of equality.

    Parameters
    ----------
    p
        The p-value.

    Examples
    --------
    >>> equals(0.0312), equals(1e-9)
    ('= 0.031', '< 0.0001')
    """
    text = pvalue(p)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"


def number(value: Any, places: int = 4) -> str:
    """Return a number as people read it: whole ones whole, others to a few decimals; a dash for nothing.

    Parameters
    ----------
    value
        A number or a truth; anything else is written as it is.
    places
        How many decimals; where these are all 0 and the number is not, it has three digits.

    Examples
    --------
    >>> number(1500), number(10**30), number(0.25), number(1.5e-9), number(True), number(None)
    ('1,500', '≈ 1e+30', '0.2500', '1.5e-09', 'yes', '–')
    >>> number(Fraction(5, 12)), number(Fraction(10**20, 3**60))
    ('5/12', '≈ 2.359e-09')
    """
    if hasattr(value, "item"):
        # a number of numpy
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    if isinstance(value, int | Fraction) and not isinstance(value, Enum):
        return exact_text(value)
    if not isinstance(value, float):
        certified = hasattr(value, "__float__") and not isinstance(value, str | Enum)
        return f"≈ {float(value):.4g}" if certified else str(value)
    if isnan(value):
        return "–"
    fixed = f"{value:,.{places}f}"
    return fixed if abs(value) < LARGE and (not value or fixed.strip("-0.,")) else f"{value:.3g}"


def exact_text(value: int | Fraction) -> str:
    """Return an exact number in full where it is short, and else its first digits.

    Parameters
    ----------
    value
        A whole number or a fraction.

    Examples
    --------
    >>> exact_text(12), exact_text(Fraction(1, 3)), exact_text(10**400), exact_text(Fraction(1, 7**30))
    ('12', '1/3', '≈ 1e+400', '≈ 4.437e-26')
    """
    top, bottom = value.numerator, value.denominator
    if abs(top) < LARGE and bottom < LARGE:
        return f"{top:,}" if bottom == 1 else str(value)
    try:
        close = float(value)
    except OverflowError:
        close = 0.0
    if close:
        return f"≈ {close:.4g}"
    # too large or too small for a float
    power = int((log10(abs(top)) - log10(bottom)) // 1)
    return f"≈ {'-' if top < 0 else ''}{10 ** (log10(abs(top)) - log10(bottom) - power):.4g}e{power:+d}"
