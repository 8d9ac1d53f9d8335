"""How a long job is carried out: one piece after another, or the next pieces ahead of time.

The caller decides how to wait (`silent`, or a progress bar as on the command line), and where random numbers come
from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

import numpy as np

from measurand.errors import CallError, ParameterError

if TYPE_CHECKING:
    from concurrent.futures import Future

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


def check_executor(executor: object) -> None:
    """Complain of what cannot carry out jobs, in one line with an example.

    Parameters
    ----------
    executor
        What stands where an executor, or None, is expected.

    Examples
    --------
    >>> check_executor(4)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: executor must be one of concurrent.futures, not 4; write executor=ThreadPool...
    """
    if executor is not None and not callable(getattr(executor, "map", None)):
        example = f"executor=ThreadPoolExecutor({executor if isinstance(executor, int) else ''})"
        raise CallError(f"executor must be one of concurrent.futures, not {executor!r}; write {example}")


def ahead(function: Callable[[Item], Outcome], items: Iterable[Item], lead: int = 2) -> Iterator[Outcome]:
    """Return `function` of each item, in order, with the next `lead` items under way in the background.

    At most `lead + 2` outcomes exist at a time, the one in use included. An error surfaces where its
    item's turn comes, and nothing new is started after it.

    Examples
    --------
    >>> list(ahead(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor

    workers = ThreadPoolExecutor(max_workers=lead)
    waiting: deque[Future[Outcome]] = deque()
    try:
        for item in items:
            waiting.append(workers.submit(function, item))
            if len(waiting) > lead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # without waiting: an abandoned generator ends wherever the collector runs, and joining there can deadlock
        workers.shutdown(wait=False, cancel_futures=True)


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
