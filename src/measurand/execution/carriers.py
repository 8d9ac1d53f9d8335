"""Who carries out the pieces of a job: this thread alone, or an executor; and threads for what holds up no other."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, Protocol

from measurand.errors import NotAvailable, ParameterError
from measurand.execution.job_options import Item, Outcome
from measurand.execution.travelling import packed

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

AT_ONCE = 2
"""So many pieces are handed to an executor for each of its workers, so that none has to wait."""


class Carrier(Protocol):
    """Those who carry out the pieces of a job."""

    @property
    def alone(self) -> bool:
        """Whether that is this thread and nobody else."""

    @property
    def far_away(self) -> bool:
        """Whether pieces are sent over a network."""

    @property
    def number(self) -> int:
        """How many pieces they carry out at the same time."""

    @property
    def threads(self) -> int:
        """How many threads of this process may be taken for what is done here."""

    def mapped(
        self, function: Callable[[Item], Outcome], items: Iterable[Item], *, in_threads: bool, stays_here: bool
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order; threads of this process will do for some, and must for others."""


class Alone:
    """The thread at hand, which carries out one piece after another."""

    alone, far_away = True, False
    number = threads = 1

    def mapped(
        self,
        function: Callable[[Item], Outcome],
        items: Iterable[Item],
        *,
        in_threads: bool,  # noqa: ARG002 - there is one way
        stays_here: bool,  # noqa: ARG002
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order.

        Parameters
        ----------
        function, items
            Any function, and what it is called with.
        in_threads, stays_here
            They make no difference.
        """
        return map(function, items)


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
        hand = handing(self.executor, function)
        try:
            for item in items:
                waiting.append(hand(item))
                if len(waiting) > AT_ONCE * self.number:
                    yield outcome_of(waiting.popleft())
            while waiting:
                yield outcome_of(waiting.popleft())
        finally:
            for coming in waiting:
                coming.cancel()


def handing(executor: Executor, function: Callable[[Item], Outcome]) -> Callable[[Item], Future[Outcome]]:
    """Return what hands pieces of a job to an executor, and returns what will come of each.

    What may be sent to another process is pickled here and now: an executor does it later in a thread of its own, and
    meanwhile this one fills the caches of the same values. The function is pickled once for all pieces.

    Parameters
    ----------
    executor
        The executor.
    function
        What is called for every piece.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads:
    ...     hand = handing(threads, abs)
    ...     hand(-1).result(), hand(-2).result()
    (1, 2)
    """
    from concurrent.futures import ProcessPoolExecutor

    as_it_is: Callable[[Item], Future[Outcome]] = partial(_handed, executor, partial(alone, function))
    if _shares_memory(executor):
        return as_it_is
    to_processes = isinstance(executor, ProcessPoolExecutor)
    try:
        called = partial(alone_with, _travelling(function, to_processes))
    except Exception as error:  # noqa: BLE001 - whatever pickle cannot do; another executor may have other ways
        coming = failed(error)
        return (lambda _: coming) if to_processes else as_it_is

    def hand(item: Item) -> Future[Outcome]:
        try:
            sent = _travelling(item, to_processes)
        except Exception as error:  # noqa: BLE001
            return failed(error) if to_processes else as_it_is(item)
        return _handed(executor, called, sent)

    return hand


def _handed(executor: Executor, function: Callable[..., Outcome], item: object) -> Future[Outcome]:
    """Return what will come of a piece that is handed to an executor: an error where its workers have died."""
    try:
        return executor.submit(function, item)
    except Exception as error:
        if not _is_broken(error):
            raise
        return failed(error)


def _shares_memory(executor: Executor) -> bool:
    """Return whether the workers of an executor are threads of this process, to which nothing need be sent."""
    from concurrent import futures

    interpreters = getattr(futures, "InterpreterPoolExecutor", ())  # since Python 3.14
    return isinstance(executor, futures.ThreadPoolExecutor) and not isinstance(executor, interpreters)


def _travelling(thing: object, to_processes: bool) -> bytes:
    """Return something packed, unless it is of the program that was started, which is another one elsewhere."""
    found = packed(thing)
    if b"__main__" in found and not to_processes:
        raise ValueError("it is called otherwise elsewhere")
    return found


def failed(error: Exception) -> Future[Any]:
    """Return an error as what comes of a piece, so that it surfaces where its turn comes.

    Parameters
    ----------
    error
        The error.
    """
    from concurrent.futures import Future

    failed: Future[Any] = Future()
    failed.set_exception(error)
    return failed


def outcome_of(coming: Future[Outcome]) -> Outcome:
    """Return what comes of a piece, or complain in one line of workers that cannot do it.

    Parameters
    ----------
    coming
        What `handing` makes of it.
    """
    try:
        return coming.result()
    except Exception as error:
        if _is_broken(error):
            raise NotAvailable("a worker process ended before its work was done; take fewer workers") from None
        if cannot_travel(error):
            raise ParameterError("a measure of your own does not travel to another process; take threads") from None
        raise


def cannot_travel(error: BaseException | None) -> bool:
    """Return whether an error says that something cannot be sent to another process.

    Parameters
    ----------
    error
        The error that a piece ended with; None if it ended with none.

    Examples
    --------
    >>> cannot_travel(TypeError("cannot pickle '_thread.lock' object")), cannot_travel(None)
    (True, False)
    """
    from pickle import PicklingError

    return isinstance(error, AttributeError | TypeError | PicklingError) and "pickle" in str(error)


def _is_broken(error: Exception) -> bool:
    """Return whether an error says that a worker of an executor has died."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor)


IN_USE: ContextVar[Carrier | None] = ContextVar("executor", default=None)
"""Those who carry out the pieces of jobs, where some were chosen."""

THREADS = "measurand"
"""What threads of `ahead` are called."""


def cores() -> int:
    """Return how many cores this process may use: those of the machine that it is bound to, or a container's share.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    if hasattr(os, "process_cpu_count"):
        bound = os.process_cpu_count()  # since Python 3.13
    else:
        bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    share = _share_of_container()
    return max(1, bound or 1) if share is None else max(1, min(bound or 1, ceil(share)))


def _share_of_container(folder: str = "/sys/fs/cgroup") -> float | None:
    """Return how many cores' time a container grants its processes on Linux, if it is limited."""
    # cgroups of version 2 have both numbers in one file, those of version 1 in two
    for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        with suppress(OSError, ValueError):
            texts = []
            for name in names:
                with open(f"{folder}/{name}", encoding="ascii") as file:  # noqa: PTH123 - pathlib takes time to load
                    texts += file.read().split()
            quota, period = map(int, texts)  # "max" is no number, and no limit
            return quota / period if quota > 0 and period > 0 else None
    return None


def alone(function: Callable[[Item], Outcome], item: Item) -> Outcome:
    """Return `function` of an item, which has one worker for itself: this one.

    Parameters
    ----------
    function, item
        Any function, and what it is called with.

    Examples
    --------
    >>> alone(lambda item: (item, works_alone()), 2)
    (2, True)
    """
    before = IN_USE.set(Alone())
    try:
        return function(item)
    finally:
        IN_USE.reset(before)


def alone_with(function: bytes, item: bytes) -> Any:
    """Return a function of an item, both packed, which has one worker for itself.

    Parameters
    ----------
    function, item
        What is called, and with what.

    Examples
    --------
    >>> alone_with(packed(abs), packed(-2))
    2
    """
    from pickle import loads

    return alone(loads(function), loads(item))


def works_alone() -> bool:
    """Return whether the pieces of a long job are done here, one after another.

    Examples
    --------
    >>> works_alone()
    True
    """
    carrier = IN_USE.get()
    return carrier is None or carrier.alone


def workers_in_use() -> int:
    """Return how many workers the executor in use has; as many as there are cores where that is not known.

    Examples
    --------
    >>> workers_in_use() == cores()
    True
    """
    carrier = IN_USE.get()
    return cores() if carrier is None else carrier.number


def works_far_away() -> bool:
    """Return whether the pieces of a long job are sent over a network, so that large ones are better cut.

    Examples
    --------
    >>> works_far_away()
    False
    """
    carrier = IN_USE.get()
    return carrier is not None and carrier.far_away


def ahead(function: Callable[[Item], Outcome], items: Iterable[Item], workers: int | None = None) -> Iterator[Outcome]:
    """Return `function` of each item, in order, with the next items under way in threads.

    This is for work that holds up no other thread, whatever the executor in use: its number of workers is that of
    the threads, or that of the cores here where it is a cluster. At most two outcomes more than there are workers exist
    at a time, the one in use included. An error surfaces where its item's turn comes, and nothing new is started after
    it.

    Parameters
    ----------
    function
        Any function; it is not sent to another process.
    items
        What it is called with.
    workers
        How many threads; by default as many as the executor in use has workers here. With one there are no threads.

    Examples
    --------
    >>> list(ahead(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    carrier = IN_USE.get()
    number = workers or (cores() if carrier is None else carrier.threads)
    if number == 1:
        return map(function, items)
    return _in_threads(function, items, number)


def _in_threads(function: Callable[[Item], Outcome], items: Iterable[Item], number: int) -> Iterator[Outcome]:
    from concurrent.futures import ThreadPoolExecutor

    threads = ThreadPoolExecutor(max_workers=number, thread_name_prefix=THREADS)
    waiting: deque[Future[Outcome]] = deque()
    try:
        for item in items:
            waiting.append(threads.submit(alone, function, item))
            if len(waiting) > number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # without waiting: an abandoned generator ends wherever the collector runs, and joining there can deadlock
        threads.shutdown(wait=False, cancel_futures=True)


def threads_at_work() -> bool:
    """Return whether some thread of `ahead` is still at work, which Python would wait for before it ends.

    Examples
    --------
    >>> threads_at_work() in (True, False)
    True
    """
    from threading import enumerate as threads

    return any(thread.name.startswith(THREADS) for thread in threads())
