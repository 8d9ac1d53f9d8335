"""Rescaling: whether a permissible transformation of a scale takes some values to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from measurand.errors import ParameterError
from measurand.exact import rational, shown
from measurand.scale import Scale, as_scale
from measurand.scales.types import SCALES
from measurand.verdict import How, Verdict


def permissible(scale: Scale | str, before: Sequence[Any], after: Sequence[Any]) -> Verdict:
    """Say whether a permissible transformation of a scale takes some values to others, place by place.

    Numbers are exact: a float stands for its decimal spelling.

    Examples
    --------
    >>> bool(permissible("interval", [10, 20, 30], [50, 68, 86]))
    True
    >>> print(permissible("ordinal", [1, 2, 3], [1, 1, 2]))
    does not hold (counterexample): 1 < 2, but 1 and 1 are the same

    References
    ----------
    [Stevens1946]_; [FerranteFerroFuhr2021]_, section III-B
    """
    if len(before) != len(after):
        raise ParameterError(f"{len(before)} values cannot become {len(after)} values place by place")
    pairs = sorted({(rational(x), rational(y)) for x, y in zip(before, after, strict=True)})
    kind = as_scale(scale)
    checked = f"{len(pairs)} values, {SCALES[kind].permissible}"
    broken = _BREAKS[kind](pairs)
    if broken is None:
        return Verdict(True, None, checked, How.EXHAUSTIVE)
    witness, why = broken
    return Verdict(False, witness, checked, How.COUNTEREXAMPLE, why)


Pair = tuple[Fraction, Fraction]
Broken = tuple[tuple[Pair, ...], str] | None


def _one_to_one(pairs: Sequence[Pair]) -> Broken:
    for place in (0, 1):
        for one, other in pairwise(sorted(pairs, key=lambda pair: (pair[place], pair))):
            if one[place] == other[place]:
                told = " and ".join(shown(pair[1 - place]) for pair in (one, other))
                return (one, other), (
                    f"{shown(one[0])} becomes both {told}" if place == 0 else f"{told} become the same"
                )
    return None


def _increasing(pairs: Sequence[Pair]) -> Broken:
    for one, other in pairwise(pairs):
        if one[0] == other[0]:
            return _one_to_one((one, other))
        if one[1] >= other[1]:
            relation = "are the same" if one[1] == other[1] else "are the other way round"
            return (one, other), (
                f"{shown(one[0])} < {shown(other[0])}, but {shown(one[1])} and {shown(other[1])} {relation}"
            )
    return None


def _affine(pairs: Sequence[Pair]) -> Broken:
    slopes = []
    if (broken := _increasing(pairs)) is not None:
        return broken
    for one, other in pairwise(pairs):
        slopes.append((other[1] - one[1]) / (other[0] - one[0]))
        if slopes[-1] != slopes[0]:
            return (*pairs[:2], one, other), (
                f"differences are stretched by {shown(slopes[0])} and by {shown(slopes[-1])}"
            )
    return None


def _multiple(pairs: Sequence[Pair]) -> Broken:
    if (broken := _affine(pairs)) is not None:
        return broken
    for x, y in pairs:
        if (x > 0) != (y > 0) or (x < 0) != (y < 0):
            return ((x, y),), f"{shown(x)} becomes {shown(y)}, and zero does not stay zero"
    if len(pairs) > 1 and pairs[0][0] * pairs[1][1] != pairs[1][0] * pairs[0][1]:
        return (pairs[0], pairs[1]), "zero does not stay zero"
    return None


_BREAKS: Mapping[Scale, Callable[[Sequence[Pair]], Broken]] = MappingProxyType(
    {Scale.NOMINAL: _one_to_one, Scale.ORDINAL: _increasing, Scale.INTERVAL: _affine, Scale.RATIO: _multiple}
)
