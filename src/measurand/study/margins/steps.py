"""Differences that are sums over steps which may count more or less: how unevenly before a conclusion falls.

The difference of two systems on a topic is a sum over steps: of the values of the measure, of the gains of grades, or
of topics, each of which is a step of its own. If every step is stretched by a factor from 1 to κ, for which κ can the
mean difference be level, or Student's t too small?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf, isinf, lcm, sqrt
from typing import TypeVar

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.study.margins.margin import Number
from measurand.study.margins.student import first_ratios

Change = TypeVar("Change")

AT_ONCE = 2**24
"""So many sums of steps are held at a time."""

ENUMERATED = 13
"""With so many steps or fewer, every choice of steps to stretch is tried."""

CUTS = 40
"""Neighbouring steps are stretched together between so many cuts …"""

BEAM = 48
"""… of the choices so many are improved together …"""

FLIPPED = 6
"""… and of these so many step by step …"""

ROUNDS = 40
"""… in so many rounds at most."""

GRID = 10
"""A search by p-values tries so many sizes of the distortion first …"""

HALVINGS = 14
"""… and halves what is between two of them so often."""

LARGEST_TRIED = 1e4
"""The largest distortion that a search by p-values tries where there is no bound."""

NUDGES = (0.0, 1e-12, 1e-9, 1e-6)
"""A distortion is made larger by so much, relatively, where rounding keeps it from overturning a conclusion."""

LONGEST = 20_000
"""Exact fractions are added up where their common denominator has no more bits than this."""


@frozen(eq=False)
class Stretch:
    """Which steps are stretched, and by how much, so that a conclusion falls.

    Parameters
    ----------
    ratio : float
        How many times as much the stretched steps count as the others; infinite where no choice was found.
    stretched : array of bool
        Which steps are stretched.
    complete : bool
        Whether all choices were tried, so that no smaller ratio does it.
    """

    ratio: float
    stretched: BoolArray
    complete: bool


def short_enough(values: Iterable[Fraction]) -> bool:
    """Return whether exact fractions have a common denominator with which to compute in reasonable time.

    Parameters
    ----------
    values
        The fractions.

    Examples
    --------
    >>> short_enough([Fraction(1, 3), Fraction(1, 7)]), short_enough([Fraction(1, 2**30_000)])
    (True, False)
    """
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        if common.bit_length() > LONGEST:
            return False
    return True


def order_ratio(totals: Sequence[Number]) -> Number:
    """Return how many times as much some steps must count as others for a positive sum of steps to be level.

    Parameters
    ----------
    totals
        What each step adds to the sum, positive or negative.

    Examples
    --------
    >>> order_ratio([Fraction(3, 4), Fraction(-1, 4)]), order_ratio([1, 2])
    (Fraction(3, 1), inf)
    """
    up = sum(total for total in totals if total > 0)
    down = -sum(total for total in totals if total < 0)
    return up / down if down else inf


def smallest_stretch(parts: FloatArray, c: float) -> Stretch:
    """Return the smallest stretch of some steps that makes Student's t of the sums of steps insignificant.

    The sum minus c times the root of the squares is concave in the factors of the steps, so that for factors from 1
    to κ it is least where every factor is 1 or κ. All these choices are tried where steps are few; otherwise
    neighbouring steps are stretched together first, and choices are improved until they do not change.

    Parameters
    ----------
    parts
        Topics × steps: what each step adds to the difference of each topic.
    c
        As `critical_sum` returns it.
    """
    steps = parts.shape[1]
    if steps < 2:
        return Stretch(inf, np.zeros(steps, dtype=bool), complete=True)
    if steps <= ENUMERATED:
        choices = (np.arange(1, 2**steps - 1)[:, None] >> np.arange(steps)[None, :] & 1).astype(bool)
        ratios = _ratios(parts, choices, c)
        best = int(ratios.argmin())
        return Stretch(float(ratios[best]), choices[best], complete=True)
    return _searched(parts, c)


def _ratios(parts: FloatArray, choices: BoolArray, c: float) -> FloatArray:
    whole, rows = parts.sum(axis=1)[None, :], max(1, AT_ONCE // max(1, len(parts)))
    several = (choices[start : start + rows] @ parts.T for start in range(0, len(choices), rows))
    return np.concatenate([first_ratios(whole - stretched, stretched, c) for stretched in several])


def _first_choices(parts: FloatArray) -> BoolArray:
    """Return choices to begin with: steps next to each other, all but these, single ones, those that speak against."""
    steps = parts.shape[1]
    cuts = np.unique(np.linspace(0, steps, min(steps, CUTS) + 1).astype(int))
    low, high = (cuts[place] for place in np.triu_indices(len(cuts), 1))
    places = np.arange(steps)
    windows = (places >= low[:, None]) & (places < high[:, None])
    against = parts.sum(axis=0) < 0
    some = np.random.default_rng(0).random((BEAM, steps)) < 0.5
    return np.concatenate([windows, ~windows, np.eye(steps, dtype=bool), windows | against, against[None, :], some])


def _searched(parts: FloatArray, c: float) -> Stretch:
    choices = _first_choices(parts)
    ratios = _ratios(parts, choices, c)
    best = inf
    for _ in range(ROUNDS):
        choices, places = np.unique(choices, axis=0, return_index=True)
        ratios = ratios[places]
        kept = np.argsort(ratios, kind="stable")[:BEAM]
        choices, ratios = choices[kept], ratios[kept]
        if isinf(ratios[0]) or not ratios[0] < best * (1 - 1e-12):
            break
        best = float(ratios[0])
        tried = np.concatenate([_downhill(parts, choices, best, c), _flipped(choices[:FLIPPED])])
        choices = np.concatenate([choices, tried])
        ratios = np.concatenate([ratios, _ratios(parts, tried, c)])
    return Stretch(float(ratios[0]), choices[0], complete=False)


def _downhill(parts: FloatArray, choices: BoolArray, ratio: float, c: float) -> BoolArray:
    """Return better choices for a ratio: at each, the steps whose stretching makes the concave function smaller."""
    differences = parts.sum(axis=1)[None, :] + (ratio - 1) * (choices @ parts.T)
    lengths = np.sqrt((differences**2).sum(axis=1, keepdims=True))
    return np.asarray((1 - c * differences / np.where(lengths > 0, lengths, 1)) @ parts < 0)


def _flipped(choices: BoolArray) -> BoolArray:
    """Return all choices that differ from some in a single step."""
    return np.asarray((choices[:, None, :] ^ np.eye(choices.shape[1], dtype=bool)).reshape(-1, choices.shape[1]))


def stretch_by_trial(
    choices: Sequence[BoolArray], overturned: Callable[[BoolArray, float], bool], largest: float
) -> Stretch:
    """Return the smallest stretch that a search finds for which a conclusion falls, whatever decides that.

    Parameters
    ----------
    choices
        Which steps may be stretched together.
    overturned
        Returns whether the conclusion falls where some steps are stretched by a factor.
    largest
        The largest factor to try; infinite for `LARGEST_TRIED`.
    """
    nothing = Stretch(inf, np.zeros_like(choices[0]) if choices else np.zeros(0, dtype=bool), complete=False)
    grid = np.geomspace(1, min(largest, LARGEST_TRIED), GRID + 1)
    for low, high in zip(grid[:-1].tolist(), grid[1:].tolist(), strict=True):
        falling = [choice for choice in choices if overturned(choice, high)]
        if falling:
            found = [Stretch(_halved(choice, overturned, low, high), choice, complete=False) for choice in falling]
            return min(found, key=lambda stretch: stretch.ratio)
    return nothing


def first_that_overturns(
    change: Callable[[Number], Change], ratio: Number, overturns: Callable[[Change], bool]
) -> Change | None:
    """Return the change of a size that overturns a claim, a little larger where rounding keeps it from doing so.

    Parameters
    ----------
    change
        Returns the change of a size.
    ratio
        The size.
    overturns
        Returns whether a claim is untrue after a change.
    """
    for nudge in NUDGES:
        changed = change(ratio * (1 + nudge) if nudge else ratio)
        if overturns(changed):
            return changed
    return None


def _halved(choice: BoolArray, overturned: Callable[[BoolArray, float], bool], low: float, high: float) -> float:
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        low, high = (low, middle) if overturned(choice, middle) else (middle, high)
    return high
