"""Pieces of jobs by any executor of `concurrent.futures`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from measurand.errors import NotAvailable, ParameterError
from measurand.execution.in_use import alone, cores
from measurand.execution.progress import Item, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


AT_ONCE = 2
"""So many pieces are handed to an executor for each of its workers, so that none has to wait."""


class AnyExecutor:
    """The workers of an executor.

    Parameters
    ----------
    executor
        One of `concurrent.futures`, or whatever else has a method `submit` or `map`.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads:
    ...     list(AnyExecutor(threads).mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    alone, far_away = False, False

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    @property
    def number(self) -> int:
        """How many workers there are; as many as there are cores where that is not known."""
        number = getattr(self.executor, "_max_workers", None)
        return number if isinstance(number, int) else cores()

    @property
    def threads(self) -> int:
        """How many threads of this process may be taken for what is done here."""
        return self.number

    def mapped(
        self,
        function: Callable[[Item], Outcome],
        items: Iterable[Item],
        *,
        in_threads: bool = False,  # noqa: ARG002 - who works is the executor's business
        stays_here: bool = False,  # noqa: ARG002
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order.

        Parameters
        ----------
        function, items
            A function that can be sent to the workers, and what it is called with.
        in_threads, stays_here
            They make no difference.
        """
        if not hasattr(self.executor, "submit"):
            return iter(self.executor.map(partial(alone, function), items))
        return self._submitted(function, items)

    def _submitted(self, function: Callable[[Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
        waiting: deque[Future[Outcome]] = deque()
        try:
            for item in items:
                waiting.append(handed(self.executor, function, item))
                if len(waiting) > AT_ONCE * self.number:
                    yield outcome_of(waiting.popleft())
            while waiting:
                yield outcome_of(waiting.popleft())
        finally:
            for coming in waiting:
                coming.cancel()


def handed(executor: Executor, function: Callable[[Item], Outcome], item: Item) -> Future[Outcome]:
    """Return what will come of a piece that is handed to an executor: an error where its workers have died."""
    try:
        return executor.submit(partial(alone, function), item)
    except Exception as error:
        if not _is_broken(error):
            raise
        return failed(error)


def failed(error: Exception) -> Future[Any]:
    """Return an error as what comes of a piece, so that it surfaces where its turn comes."""
    from concurrent.futures import Future

    failed: Future[Any] = Future()
    failed.set_exception(error)
    return failed


def outcome_of(coming: Future[Outcome]) -> Outcome:
    """Return what comes of a piece, or complain in one line of workers that cannot do it."""
    try:
        return coming.result()
    except Exception as error:
        if _is_broken(error):
            raise NotAvailable("a worker process ended before its work was done; take fewer workers") from None
        if cannot_travel(error):
            raise ParameterError("a measure of your own does not travel to another process; take threads") from None
        raise


def cannot_travel(error: BaseException | None) -> bool:
    """Return whether an error says that something cannot be sent to another process."""
    from pickle import PicklingError

    return isinstance(error, AttributeError | TypeError | PicklingError) and "pickle" in str(error)


def _is_broken(error: Exception) -> bool:
    """Return whether an error says that a worker of an executor has died."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor)
