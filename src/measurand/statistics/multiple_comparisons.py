"""Multiple comparisons: levels of significance, p-values corrected for their number, and letters of groups."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from string import ascii_lowercase
from typing import Any

import numpy as np

from measurand.arrays import BoolArray, FloatArray
from measurand.calls import option
from measurand.display.wording import equals
from measurand.errors import ParameterError, quoted
from measurand.exact import LEAST_LEVEL

CORRECTIONS = ("none", "bonferroni", "holm", "bh")


def correction(method: str | None) -> str:
    """Return the name of a correction, in whatever case it is written; None is none.

    Parameters
    ----------
    method
        The name.

    Examples
    --------
    >>> correction("Holm"), correction(None)
    ('holm', 'none')
    >>> correction("hollm")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: adjust must be one of 'none', ... 'bh', not 'hollm'; did you mean 'holm'?
    """
    plain = method.lower().replace("-", "_") if isinstance(method, str) else "none"
    own = {"benjamini_hochberg": "bh", "fdr_bh": "bh", "fdr": "bh"}.get(plain, plain)
    return option("adjust", own if method is None or isinstance(method, str) else method, CORRECTIONS)


SHORT = {"bonferroni": "Bonferroni", "holm": "Holm", "bh": "BH"}
"""What corrections are called above a column of p-values."""

WHOSE = {"bonferroni": "Bonferroni's", "holm": "Holm's", "bh": "Benjamini and Hochberg's"}
"""Whose corrections they are."""

CORRECTED = {
    "none": "not corrected",
    **{name: f"corrected by {whose} method" for name, whose in WHOSE.items()},
    "tukey": "valid for all pairs at once",
}
"""What is said of p-values, by their correction."""


def after_correction(p: float, method: str) -> str:
    """Return what a p-value is after correction, as it stands behind the one before.

    Parameters
    ----------
    p
        The corrected p-value.
    method
        The name of the correction.

    Examples
    --------
    >>> f"p = 0.02{after_correction(0.06, 'holm')}"
    "p = 0.02; 0.060 after Holm's correction"
    """
    return f"; {equals(p).removeprefix('= ')} after {WHOSE[method]} correction"


ALPHA = 0.05
"""The default level of significance."""


def corrected(pvalues: FloatArray, method: str) -> FloatArray:
    """Return p-values corrected for their number.

    Parameters
    ----------
    pvalues : array of float
        The p-values of one family of comparisons.
    method : str
        "bonferroni" and "holm" bound the chance of any false claim, "bh" (Benjamini and Hochberg) the share of
        false claims; "none" leaves them.

    Examples
    --------
    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm").tolist()
    [0.03, 0.06, 0.06]

    References
    ----------
    [Holm1979]_; [BenjaminiHochberg1995]_
    """
    method = correction(method)
    n = len(pvalues)
    if method == "none" or not n:
        return pvalues.copy()
    if method == "bonferroni":
        return np.minimum(1.0, n * pvalues)
    order = np.argsort(pvalues, kind="stable")
    if method == "holm":
        inner = np.maximum.accumulate(pvalues[order] * np.arange(n, 0, -1))
    else:
        inner = np.minimum.accumulate((pvalues[order] * n / np.arange(1, n + 1))[::-1])[::-1]
    found = np.empty(n)
    found[order] = np.minimum(1.0, inner)
    return found


def deciding_levels(pvalues: FloatArray, method: str, alpha: float) -> FloatArray:
    """Return the level that each p-value before correction had to reach, or would have to, to be significant after it.

    Of m p-values r are significant. By Holm's method one of these has its own step, α/m, α/(m − 1), …, and each of the
    others would need α/(m − r); by Benjamini and Hochberg's they have αr/m, and the others α(r + 1)/m.

    Parameters
    ----------
    pvalues : array of float
        The p-values of one family of comparisons, before correction.
    method : str
        As for `corrected`.
    alpha : float
        The level of significance after correction.

    Examples
    --------
    >>> deciding_levels(np.array([0.01, 0.04, 0.03]), "holm", 0.05).round(4).tolist()
    [0.0167, 0.025, 0.025]
    """
    n, found = len(pvalues), corrected(pvalues, method) <= alpha
    method, rejected = correction(method), int(found.sum())
    if method == "none" or not n:
        return np.full(n, alpha)
    if method == "bonferroni":
        return np.full(n, alpha / n)
    if method == "bh":
        return np.where(found, alpha * rejected / n, alpha * min(n, rejected + 1) / n)
    steps = np.full(n, alpha / max(1, n - rejected))
    order = np.argsort(pvalues, kind="stable")[:rejected]
    steps[order] = alpha / (n - np.arange(rejected))
    return steps


def level(share: float, name: str = "alpha") -> float:
    """Return a level as it is, or complain that it is no number between 0 and 1.

    Parameters
    ----------
    share : float
        The level.
    name : str, default "alpha"
        What it is called.

    Examples
    --------
    >>> level(0.01)
    0.01
    >>> level("0.05")
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: alpha must lie between 0 and 1, not '0.05'; write alpha=0.05
    """
    given: Any = share
    real = isinstance(share, Real)
    if not real or not 0 < given < 1:
        usual = 0.95 if name == "confidence" else ALPHA
        raise ParameterError(f"{name} must lie between 0 and 1, not {quoted(share)}; write {name}={usual}")
    if not LEAST_LEVEL <= given <= 1 - LEAST_LEVEL:
        least = f"from {LEAST_LEVEL} to 1 - {LEAST_LEVEL}"
        raise ParameterError(f"{name} must lie {least}, not {given}: quantiles beyond are lost in rounding")
    return share


def letters(significant: BoolArray, order: Sequence[int]) -> tuple[str, ...]:
    """Return the letters of each system, so that two systems share one exactly when they do not differ.

    Parameters
    ----------
    significant : array of bool
        Systems × systems, symmetric: which differ.
    order : sequence of int
        The systems' rows, best first: letters are given out in this order, so the best system has "a".

    Returns
    -------
    tuple[str, ...]
        For each system in the order of the rows, its letters, such as "ab". Where 26 letters are not enough, they go
        on with aa, ab, …, and stand apart: "a z aa".

    Examples
    --------
    >>> differ = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> letters(differ, [0, 1, 2])
    ('a', 'ab', 'b')

    Notes
    -----
    A letter is a set of systems none of which differ, to which no other system can be added. Every pair that does
    not differ gets one, in turn, unless it has one; then letters that the others make superfluous are dropped. All
    such sets together can be too many to list.

    References
    ----------
    [Piepho2004]_; [Gramm2007]_
    """
    order = [int(row) for row in order]
    if significant.shape != (len(order), len(order)) or sorted(order) != list(range(len(order))):
        raise ParameterError("the order must name each system of the matrix once")
    alike = ~(significant | significant.T)[np.ix_(order, order)]
    np.fill_diagonal(alike, True)
    columns = _without_superfluous(_cover(alike))
    names = [_name(place) for place in range(len(columns))]
    between = " " if len(names) > len(ascii_lowercase) else ""
    found = [""] * len(order)
    for place, row in enumerate(order):
        found[row] = between.join(name for name, column in zip(names, columns, strict=True) if column[place])
    return tuple(found)


def _cover(alike: BoolArray) -> list[BoolArray]:
    """Return sets of systems that are all alike, which have every two alike systems together in one of them."""
    covered = np.zeros_like(alike)
    columns = []
    for first, second in zip(*np.nonzero(np.triu(alike)), strict=True):
        if covered[first, second]:
            continue
        column = np.zeros(len(alike), dtype=bool)
        column[[first, second]] = True
        candidates = alike[first] & alike[second] & ~column
        while candidates.any():
            # the next best that brings a new pair together, or else the next best
            fresh = candidates & (~covered[column]).any(axis=0)
            chosen = int(np.argmax(fresh if fresh.any() else candidates))
            column[chosen] = True
            candidates &= alike[chosen]
            candidates[chosen] = False
        covered |= np.logical_and.outer(column, column)
        columns.append(column)
    return columns


def _without_superfluous(columns: list[BoolArray]) -> list[BoolArray]:
    """Return the sets less those whose pairs all stand in others, ordered by their best systems."""
    together = np.zeros((len(columns[0]),) * 2 if columns else (0, 0), dtype=np.int64)
    for column in columns:
        together += np.logical_and.outer(column, column)
    kept = []
    for column in reversed(columns):
        pairs = np.ix_(column, column)
        if (together[pairs] > 1).all():
            together[pairs] -= 1
        else:
            kept.append(column)
    return sorted(kept, key=lambda column: np.flatnonzero(column).tolist())


def _name(place: int) -> str:
    """Return the name of a letter: a to z, aa, ab, and so on."""
    name = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, len(ascii_lowercase))
        name = ascii_lowercase[letter] + name
    return name
