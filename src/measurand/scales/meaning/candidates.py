"""Rescalings to try: telling ones, and random ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measurand.arrays import FloatArray
from measurand.execution import Rng, generator
from measurand.scale import Scale
from measurand.scales.meaning.stretching import through
from measurand.scales.meaning.transformations import (
    Affine,
    Increasing,
    PerTopic,
    Plain,
    Power,
    Relabelling,
    Transformation,
    keeps_order,
)

POWERS = (2, 0.5, 3, 1 / 3, 5, 0.2, 10, 0.1)
FACTORS = (1.5, 2.0, 4.0, 10.0, 100.0)
GAPS = 24


def telling(
    values: FloatArray, topics: tuple[str, ...], scale: Scale, pair: FloatArray, *, one_scale: bool
) -> Iterator[Transformation]:
    """Yield permissible rescalings that are likely to change a statement about two systems, the plain ones first.

    Parameters
    ----------
    values
        All scores, systems × topics.
    pair
        The scores of the two systems.
    """
    if scale is Scale.NOMINAL:
        return
    if one_scale:
        if scale is Scale.ORDINAL:
            yield from _kept(_common(values, pair), values, one_scale=True)
        return
    yield from _kept(_own(values, topics, scale, pair), values, one_scale=False)
    if scale is Scale.ORDINAL:
        yield from _kept(_common(values, pair), values, one_scale=True)


def random_rescalings(
    values: FloatArray, topics: tuple[str, ...], scale: Scale, *, one_scale: bool, many: int, rng: Rng
) -> Iterator[Transformation]:
    """Yield random permissible rescalings of scores.

    Examples
    --------
    >>> scores = np.array([[1.0, 2.0]])
    >>> rescalings = list(random_rescalings(scores, ("1", "2"), Scale.RATIO, one_scale=True, many=3, rng=0))
    >>> [bool(2 * np.isclose(*f(scores)[0][::-1] / [2, 1])) for f in rescalings]
    [True, True, True]
    """
    chance = generator(rng)
    there = ~np.isnan(values)
    for _ in range(many):
        if one_scale:
            yield random_rescaling(values[there], scale, chance)
        else:
            yield PerTopic(
                topics,
                {
                    topic: random_rescaling(values[there[:, t], t], scale, chance)
                    for t, topic in enumerate(topics)
                    if there[:, t].any()
                },
            )


def random_rescaling(values: FloatArray, scale: Scale, chance: np.random.Generator) -> Plain:
    """Return a random permissible rescaling of some scores.

    Examples
    --------
    >>> random_rescaling(np.array([1.0, 2.0]), Scale.INTERVAL, generator(0)).slope > 0
    True
    """
    distinct = np.unique(values)
    size = float(np.ptp(distinct)) or 1.0
    if scale is Scale.RATIO:
        return Affine(10 ** chance.uniform(-2, 2))
    if scale is Scale.INTERVAL:
        return Affine(10 ** chance.uniform(-2, 2), chance.normal(0, 10 * size))
    if scale is Scale.NOMINAL:
        if chance.random() < 0.5:
            return Relabelling(distinct, chance.permutation(distinct))
        return Relabelling(distinct, chance.normal(0, 10 * size, len(distinct)))
    steps = np.maximum(chance.gamma(10 ** chance.uniform(-1.5, 1), size=len(distinct) - 1), 1e-6)
    length = 10 ** chance.uniform(-1, 1) / max(float(steps.sum()), 1e-6)
    after = np.concatenate([[0.0], steps.cumsum()]) * length + chance.normal()
    return Increasing(distinct, size * after)


def _kept(maps: Iterator[Transformation], values: FloatArray, *, one_scale: bool) -> Iterator[Transformation]:
    return (map_ for map_ in maps if keeps_order(map_, values, one_scale=one_scale))


def _common(values: FloatArray, pair: FloatArray) -> Iterator[Transformation]:
    """Yield increasing maps: powers, equal steps, logarithms of sorts, one gap stretched."""
    distinct = np.unique(values[~np.isnan(values)])
    low, high = float(distinct[0]), float(distinct[-1])
    if low == high:
        return
    low, high = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)
    yield from (Power(exponent, low, high) for exponent in POWERS)
    yield from through(distinct, np.linspace(low, high, len(distinct)), short=False)
    share = (distinct - low) / (high - low)
    for offset in (0.1, 0.01):
        yield from through(distinct, low - 1 / (share + offset), short=False)
    both = np.unique(pair[~np.isnan(pair)])
    ends = np.unique(np.linspace(0, len(both) - 1, min(len(both), GAPS)).astype(np.int64))
    for factor in (3.0, 30.0, 1000.0):
        for start, end in zip(both[ends[:-1]], both[ends[1:]], strict=True):
            stretched = distinct + (factor - 1) * (np.clip(distinct, start, end) - start)
            yield from through(distinct, stretched, short=False)


def _own(values: FloatArray, topics: tuple[str, ...], scale: Scale, pair: FloatArray) -> Iterator[Transformation]:
    """Yield rescalings of single topics: those of one system's wins stretched, topics pulled apart, made alike."""
    ahead = np.nan_to_num(np.sign(pair[0] - pair[1]))
    for factor in FACTORS:
        for sign in (1, -1):
            chosen = [topics[t] for t in np.flatnonzero(ahead == sign)]
            yield PerTopic(topics, dict.fromkeys(chosen, Affine(factor)))
    empty = np.isnan(values).all(axis=0)
    low = np.nanmin(np.where(empty, 0.0, values), axis=0)
    spans = np.nanmax(np.where(empty, 0.0, values), axis=0) - low
    size = float(spans.max()) or 1.0
    if scale < Scale.RATIO:
        slopes = np.divide(1.0, spans, out=np.ones_like(spans), where=spans > 0)
        yield PerTopic(topics, {topic: Affine.near(s, -s * b) for topic, s, b in zip(topics, slopes, low, strict=True)})
        for step in (0.1, 1.0, 3.0):
            apart = [Affine(1, step * size * t) for t in range(len(topics))]
            yield PerTopic(topics, dict(zip(topics, apart, strict=True)))
    pairs = np.abs(pair[0] - pair[1])
    for sign in (1, -1, 0):
        # every difference made alike, except that those of the other sign nearly vanish
        wanted = np.where((ahead == sign) | (sign == 0), 1.0, 1e-3)
        yield PerTopic(topics, {topics[t]: Affine.near(wanted[t] * size / pairs[t]) for t in np.flatnonzero(pairs > 0)})
