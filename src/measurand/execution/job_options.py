"""What a long job is told besides who carries it out: how to show its progress, and where its chance comes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias, TypeVar

import numpy as np

from measurand.errors import CallError, ParameterError, quoted

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class Progress(Protocol):
    """Something that hands items through and may show how far it is."""

    def __call__(self, items: Iterable[Item], total: int | None, what: str) -> Iterable[Item]:
        """Return `items`, one by one; `total` is their number where it is known."""


def silent(items: Iterable[Item], total: int | None = None, what: str = "") -> Iterable[Item]:  # noqa: ARG001
    """Return the items without showing anything.

    Examples
    --------
    >>> list(silent([1, 2], 2, "runs"))
    [1, 2]
    """
    return items


def check_progress(progress: object) -> None:
    """Complain of what cannot show progress, in one line with an example.

    Parameters
    ----------
    progress
        What stands where a function is expected that shows progress.

    Examples
    --------
    >>> check_progress(True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: progress must be a function of items, their number and a word, not True; write ...
    """
    if not callable(progress):
        example = "progress=lambda items, total, what: tqdm(items, what, total)"
        raise CallError(
            f"progress must be a function of items, their number and a word, not {progress!r}; write {example}"
        )


HIGHEST_SEED = 2**128 - 1
"""The highest seed: numpy's own have so many bits."""

MOST_WORKERS = 1024
"""So many workers share a job on one machine at most."""

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
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool | np.timedelta64) and 0 <= rng <= HIGHEST_SEED:
        return np.random.default_rng(int(rng))
    wanted = "a whole number from 0 to 2^128-1" if isinstance(rng, int) and rng > 0 else "a whole number from 0 up"
    raise ParameterError(f"rng must be a numpy.random.Generator, or {wanted} as seed, not {quoted(rng)}")
