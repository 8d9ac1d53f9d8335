"""Where chance comes from: a seed, or a generator of random numbers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from measurand.errors import ParameterError

Rng: TypeAlias = "int | np.random.Generator"
"""Where chance comes from: a seed or a generator."""


def generator(rng: Rng) -> np.random.Generator:
    """Return a generator of random numbers from a seed, or as it is.

    Examples
    --------
    >>> generator(0).integers(10).item()
    8
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(rng)
    raise ParameterError(f"rng must be a numpy.random.Generator, or a whole number from 0 up as seed, not {rng!r}")
