"""Numerals: numbers as they stand in sentences, with true minus signs and as few digits as tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import ceil, floor, isfinite, isnan, log10

PLACES = 3
"""So many decimals a score has in a sentence, fewer if it is large."""

MOST_PLACES = 8
"""Numbers that need more decimals than this are written as powers of ten."""

DIGITS = 4
"""Large scores have so many digits in all."""

SMALLEST_P = 0.0001
"""Smaller p-values are said to be below this."""

LARGEST_P = 0.995
"""Larger p-values are said to be 1."""

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def with_minus(text: str) -> str:
    """Return a number with a true minus sign.

    Parameters
    ----------
    text
        The number, as Python writes it.

    Examples
    --------
    >>> with_minus("-0.015"), with_minus("1e-05")
    ('−0.015', '1e−05')
    """
    return text.replace("-", "−")


def in_words(number: int) -> str:
    """Return a small number as a word, a large one in digits.

    Parameters
    ----------
    number
        How many there are.

    Examples
    --------
    >>> in_words(4), in_words(12), in_words(1300)
    ('four', 'twelve', '1,300')
    """
    return WORDS[number] if 0 <= number < len(WORDS) else f"{number:,}"


def places_of(values: Sequence[float], least: int = PLACES) -> int:
    """Return how many decimals numbers need, so that different ones look different and none looks like 0 unless it is.

    Parameters
    ----------
    values
        The numbers; those that are equal are given as equal.
    least
        How many decimals they have at least, if they are small.

    Examples
    --------
    >>> places_of([0.431, 0.424]), places_of([0.4312, 0.4308]), places_of([0.00002]), places_of([123.4])
    (3, 4, 5, 1)
    """
    known = [value for value in values if isfinite(value)]
    largest = max(map(abs, known), default=0.0)
    whole = floor(log10(largest)) + 1 if largest >= 1 else 0
    start = max(0, min(least, DIGITS - whole)) if whole > 1 else least
    different = len(set(known))
    for places in range(start, MOST_PLACES + 1):
        texts = [f"{value:.{places}f}" for value in known]
        visible = all(text.strip("-0.") for text, value in zip(texts, known, strict=True) if value)
        if visible and len(set(texts)) == different:
            return places
    return MOST_PLACES + 1


def places_that_subtract(
    first: float, second: float, difference: float, least: int = PLACES, *, fixed: bool = False
) -> int:
    """Return how many decimals two numbers and their difference need, so that whoever subtracts finds it.

    Parameters
    ----------
    first, second
        The numbers.
    difference
        The first minus the second.
    least
        How many decimals they have at least, if they are small.
    fixed
        Whether they have so many if they are large, too.

    Examples
    --------
    >>> places_that_subtract(0.7406, 0.7394, 0.0012), places_that_subtract(0.431, 0.424, 0.007)
    (4, 3)
    """
    start = places_of([first, second], least)
    start = max(start, least) if fixed else start
    for places in range(start, MOST_PLACES + 1):
        one, other, apart = (Decimal(f"{value:.{places}f}") for value in (first, second, difference))
        if one - other == apart:
            return places
    return start


def decimal(value: float, places: int = PLACES, *, signed: bool = False) -> str:
    """Return a number to so many decimals, more where it would look like 0 and is not.

    Parameters
    ----------
    value
        The number.
    places
        How many decimals.
    signed
        Whether a number above 0 has its sign as well.

    Examples
    --------
    >>> decimal(-0.0146), decimal(0.0904, signed=True), decimal(0.00003, signed=True), decimal(float("nan"))
    ('−0.015', '+0.090', '+0.00003', '–')
    """
    if isnan(value):
        return "–"
    sign = "+" if signed and value else ""
    for more in range(places, MOST_PLACES + 1):
        text = f"{value:{sign},.{more}f}"
        if not value or text.strip("+-0.,"):
            return with_minus(text.removeprefix("-") if not text.strip("-0.,") else text)
    return with_minus(f"{value:{sign}.1e}")


def told_apart(values: Sequence[float], least: int = PLACES) -> list[str]:
    """Return numbers with as many decimals as tell them apart, all with as many.

    Parameters
    ----------
    values
        The numbers; those that are equal are given as equal.
    least
        How many decimals they have at least, if they are small.

    Examples
    --------
    >>> told_apart([0.431, 0.424]), told_apart([0.43121, 0.43119]), told_apart([1e-14, 2e-14])
    (['0.431', '0.424'], ['0.43121', '0.43119'], ['1e−14', '2e−14'])
    """
    places = places_of(values, least)
    if places <= MOST_PLACES:
        return [decimal(value, places) for value in values]
    different = len(set(values))
    for digits in range(1, 17):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) == different:
            break
    return list(map(with_minus, texts))


def chance(p: float, alpha: float | None = None) -> str:
    """Return a p-value with its sign of equality, to two digits, or more where these hide on which side of alpha it is.

    Parameters
    ----------
    p
        The p-value.
    alpha
        The level of significance, if there is one.

    Examples
    --------
    >>> chance(0.153), chance(0.006), chance(0.699), chance(1e-9), chance(0.9987)
    ('= 0.15', '= 0.006', '= 0.70', '< 0.0001', '= 1')
    >>> chance(0.0498, 0.05), chance(0.0502, 0.05)
    ('= 0.0498', '= 0.0502')
    """
    if isnan(p):
        return "–"
    if p < SMALLEST_P and (alpha is None or alpha >= SMALLEST_P):
        return f"< {SMALLEST_P:f}".rstrip("0")
    if p > LARGEST_P and (alpha is None or alpha <= LARGEST_P):
        return "= 1"
    first = max(2, 1 - floor(log10(p))) if p > 0 else 2
    texts = (f"{p:.{places}f}" for places in range(first, 17))
    text = next((each for each in texts if alpha is None or _same_side(float(each), p, alpha)), f"{p:.{first}f}")
    short = text.rstrip("0").rstrip(".")
    return f"= {short if float(text) < 0.1 else short.ljust(4, '0')}"


def _same_side(rounded: float, p: float, alpha: float) -> bool:
    """Return whether a p-value that is rounded is below, at or above a level as the p-value itself is."""
    return (rounded < alpha, rounded > alpha) == (p < alpha, p > alpha)


def roughly(value: float) -> str:
    """Return a size to two digits, as it stands after "about".

    Parameters
    ----------
    value
        The size, above 0.

    Examples
    --------
    >>> roughly(0.0731), roughly(0.5), roughly(12.34), roughly(0.0042)
    ('0.073', '0.50', '12', '0.0042')
    """
    places = max(0, 1 - floor(log10(value)))
    return f"{value:,.{places}f}" if places <= MOST_PLACES else with_minus(f"{value:.1e}")


def roughly_counted(number: int) -> str:
    """Return a count to two digits, rounded up, as it stands after "about".

    Parameters
    ----------
    number
        How many there are.

    Examples
    --------
    >>> roughly_counted(73), roughly_counted(1527), roughly_counted(1_880_000), roughly_counted(10**7)
    ('73', '1,600', '1.9 million', 'ten million')
    """
    if number < 100:
        return f"{number}"
    unit = 10 ** (len(str(number)) - 2)
    rounded = ceil(number / unit) * unit
    if rounded >= 10**6:
        millions = in_words(rounded // 10**6) if rounded % 10**6 == 0 else f"{rounded / 10**6:g}"
        return f"{millions} million" if rounded < 10**9 else "a billion or more"
    return f"{rounded:,}"
