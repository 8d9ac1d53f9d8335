"""Sizes of differences that are to be ranked, with the ties that they have in truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.arrays import BoolArray, FloatArray
from measurand.exact import Units
from measurand.statistics.pairs import PairBlock


def difference_sizes(pairs: PairBlock) -> tuple[FloatArray, FloatArray]:
    """Return the signs of differences, and the place of each size among those of its pair, from 1; ties share one.

    Where there is no difference, the sign is 0 and the place NaN. Exact values decide where the pairs have them.
    Otherwise a score stands for all numbers within its distance to the next float, as in Matlab's `signrank`: two
    scores x and y differ if they are more than eps(x) + eps(y) apart, and the sizes of two differences tie if they
    are no farther apart than these two sums together.

    Examples
    --------
    >>> signs, places = difference_sizes(PairBlock(np.array([[0.3, 0.5, 0.7, 0.5]]), np.array([[0.1, 0.3, 0.7, 0.9]])))
    >>> signs.tolist(), places.tolist()
    ([[1.0, 1.0, 0.0, -1.0]], [[1.0, 1.0, nan, 2.0]])
    """
    return _within_spacing(pairs.x, pairs.y) if pairs.exact is None else _exactly(pairs.shared, *pairs.exact)


def _within_spacing(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    differences = x - y
    sizes, slack = np.abs(differences), np.spacing(np.abs(x)) + np.spacing(np.abs(y))
    apart = sizes > slack
    order = np.argsort(np.where(apart, sizes, np.inf), axis=1, kind="stable")
    low, high = (np.take_along_axis(ends, order, axis=1) for ends in (sizes - slack, sizes + slack))
    return np.where(apart, np.sign(differences), 0.0), _places(order, low[:, 1:] > high[:, :-1], apart)


def _exactly(shared: BoolArray, first: Units, second: Units) -> tuple[FloatArray, FloatArray]:
    differences = first.sizes - second.sizes
    keys: Any = abs(first.keys - second.keys)
    apart = shared & (keys != 0).astype(bool)
    sizes: Any = np.where(apart, abs(differences), np.iinfo(np.int64).max)
    if sizes.dtype == object:
        sizes[~apart] = sizes.max(initial=0) + 1
    order = np.argsort(sizes, axis=1, kind="stable")
    keys = np.take_along_axis(keys, order, axis=1)
    signs = (differences > 0).astype(float) - (differences < 0).astype(float)
    return np.where(apart, signs, 0.0), _places(order, (keys[:, 1:] != keys[:, :-1]).astype(bool), apart)


def _places(order: Any, larger: BoolArray, apart: BoolArray) -> FloatArray:
    """Return places by the order of sizes, and whether each is larger than the one before it."""
    places = np.empty(order.shape)
    steps = np.hstack([np.ones((len(order), min(1, order.shape[1]))), larger])
    np.put_along_axis(places, order, np.cumsum(steps, axis=1), axis=1)
    return np.where(apart, places, np.nan)
