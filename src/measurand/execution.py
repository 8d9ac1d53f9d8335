"""How a long job is carried out: by one worker or by several, with a progress bar or without.

A long job is cut into pieces that depend on nothing but the job, never on who does them, so that its result is the same
for any number of workers. `mapped` has the pieces done by the executor in use, which `carried_out_by` sets: that of a
function's `executor=`, or the `Workers` of the command line. `ahead` has pieces done in threads, for work that holds up
no other thread (reading files, loops in C). Both return what comes of the pieces in order.

Random numbers are drawn by `generator` in the order of the pieces, before these are handed out.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial, wraps
from itertools import chain, islice
from math import ceil
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar

import numpy as np

from measurand.errors import CallError, NotAvailable, ParameterError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Given = ParamSpec("Given")


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
    known = executor is None or isinstance(executor, Workers)
    if not known and not callable(getattr(executor, "map", None)):
        example = f"executor=ThreadPoolExecutor({executor if isinstance(executor, int) else ''})"
        raise CallError(f"executor must be one of concurrent.futures, not {executor!r}; write {example}")


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


class Workers:
    """So many workers on this machine: threads for what holds up no other thread, processes for everything else.

    No process is started before as much work has been done here as starting them takes, so that small jobs are not
    slowed down. Processes are started anew (`spawn`), never forked: a fork copies locks that threads of the parent
    hold. They end when `close` is called, whatever they are doing, or when this process ends in any way.

    Parameters
    ----------
    number : int, optional
        How many; by default as many as there are cores to be used.

    Examples
    --------
    >>> with Workers(2) as workers, carried_out_by(workers):
    ...     list(mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = cores() if number is None else number
        self._processes: ProcessPoolExecutor | None = None
        self._answered = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def mapped(
        self, function: Callable[[Item], Outcome], items: Iterable[Item], *, in_threads: bool
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order, from threads or processes where there is enough to do for them.

        Parameters
        ----------
        function
            A function of a module, or a `functools.partial` of one. If it cannot be sent to a process, all is done
            here.
        items
            What it is called with.
        in_threads
            Whether threads are taken, not processes.
        """
        rest, spent = iter(items), 0.0
        patience = STARTING_THREADS if in_threads else STARTING if self._processes is None else 0.0
        while self.number == 1 or spent < patience:
            began = perf_counter()
            some = list(islice(rest, 1))
            if not some:
                return
            outcome = function(some[0])
            spent += perf_counter() - began
            yield outcome
        few = list(islice(rest, 2))
        if len(few) < 2 and (in_threads or self._processes is None):
            yield from map(function, few)
        elif in_threads:
            yield from ahead(function, chain(few, rest), self.number)
        else:
            yield from self._by_processes(function, chain(few, rest))

    def _by_processes(self, function: Callable[[Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
        """Return `function` of each item, in order, from processes; until one of these answers, some are done here."""
        pool = self._started()
        waiting: deque[tuple[Item, Future[Outcome]]] = deque()

        def first() -> Outcome:
            item, coming = waiting.popleft()
            # what cannot be sent is done here
            return function(item) if _cannot_travel(coming.exception()) else _outcome(coming)

        try:
            for item in items:
                here = not self._answered and len(waiting) >= self.number
                waiting.append((item, _done(function, item) if here else self._sent(pool, function, item)))
                if len(waiting) > (AT_ONCE * self.number if self._answered else MEANWHILE):
                    yield first()
            while waiting:
                yield first()
        finally:
            for _, coming in waiting:
                coming.cancel()

    def _sent(self, pool: Executor, function: Callable[[Item], Outcome], item: Item) -> Future[Outcome]:
        """Return what will come of a piece that is sent to a process."""
        with _interrupts_held():
            coming = _handed(pool, function, item)
        if not self._answered:
            coming.add_done_callback(self._note_answer)
        return coming

    def _note_answer(self, _: object) -> None:
        self._answered = True

    def _started(self) -> Executor:
        """Return the processes, which are started when there is something for them to do."""
        if self._processes is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # a worker has one core, and libraries of linear algebra would each take all
            for library in ("OPENBLAS", "MKL", "OMP"):
                os.environ.setdefault(f"{library}_NUM_THREADS", "1")
            number = min(self.number, 61) if os.name == "nt" else self.number  # Windows waits for no more
            self._processes = ProcessPoolExecutor(number, get_context("spawn"), initializer=_begin_worker)
        return self._processes

    def close(self) -> None:
        """End the processes at once: what was wanted of them has come back."""
        pool, self._processes, self._answered = self._processes, None, False
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(cancel_futures=True)


STARTING, STARTING_THREADS = 3.0, 0.02
"""So many seconds are worked here before processes, or threads, are started: most jobs that have not ended by then take
longer than to start them, which is one to two seconds for processes."""

AT_ONCE = 2
"""So many pieces are handed to an executor for each of its workers, so that none has to wait."""

MEANWHILE = 64
"""So many pieces are held at most while processes start."""

THREADS = "measurand"
"""What threads of `ahead` are called."""

_in_use: ContextVar[Executor | Workers | None] = ContextVar("executor", default=None)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back within a `with` block, so that processes that are started there never see it."""
    from signal import SIG_BLOCK, SIG_SETMASK, SIGINT

    try:
        from signal import pthread_sigmask
    except ImportError:  # on Windows
        yield
        return
    before = pthread_sigmask(SIG_BLOCK, [SIGINT])
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _begin_worker() -> None:
    """Prepare a process to work: it leaves Ctrl-C to its parent, and ends when that has ended."""
    from multiprocessing import parent_process
    from signal import SIG_IGN, SIGINT, signal
    from threading import Thread

    signal(SIGINT, SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """Wait until another process has ended, and end this one."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


@contextmanager
def carried_out_by(executor: Executor | Workers | None) -> Iterator[None]:
    """Have the pieces of long jobs done by an executor, within a `with` block.

    Parameters
    ----------
    executor
        Any executor of `concurrent.futures`, or `Workers`; None leaves it at the one in use.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads, carried_out_by(threads):
    ...     list(mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    check_executor(executor)
    before = _in_use.set(_in_use.get() if executor is None else executor)
    try:
        yield
    finally:
        _in_use.reset(before)


def takes_executor(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Return a function whose parameter `executor` carries out what it computes.

    Parameters
    ----------
    function
        The function; it need not look at the parameter.

    Examples
    --------
    >>> @takes_executor
    ... def sizes(numbers, *, executor=None):
    ...     return list(mapped(abs, numbers))
    >>> sizes([-1, 2], executor=Workers(2))
    [1, 2]
    """

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
        executor: Any = kwargs.get("executor")
        with carried_out_by(executor):
            return function(*args, **kwargs)

    return call


def mapped(
    function: Callable[[Item], Outcome], items: Iterable[Item], *, in_threads: bool = False
) -> Iterator[Outcome]:
    """Return `function` of each item, in order, by the executor in use; one after another where there is none.

    An error surfaces where its item's turn comes, and nothing new is started after it. A few items for each worker are
    taken ahead of time, no more.

    Parameters
    ----------
    function
        A function of a module, or a `functools.partial` of one with small arguments, for it may be sent to another
        process with each item.
    items
        What it is called with.
    in_threads
        Whether `Workers` take threads, because the work is done outside Python's lock for the most part, as numpy's on
        large arrays.

    Examples
    --------
    >>> list(mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    executor = _in_use.get()
    if executor is None:
        return map(function, items)
    if isinstance(executor, Workers):
        return executor.mapped(function, items, in_threads=in_threads)
    if not hasattr(executor, "submit"):
        return iter(executor.map(partial(_alone, function), items))
    return _submitted(executor, function, items, workers_in_use())


def _submitted(
    executor: Executor, function: Callable[[Item], Outcome], items: Iterable[Item], workers: int
) -> Iterator[Outcome]:
    """Return `function` of each item, in order, by an executor."""
    waiting: deque[Future[Outcome]] = deque()
    try:
        for item in items:
            waiting.append(_handed(executor, function, item))
            if len(waiting) > AT_ONCE * workers:
                yield _outcome(waiting.popleft())
        while waiting:
            yield _outcome(waiting.popleft())
    finally:
        for coming in waiting:
            coming.cancel()


def _handed(executor: Executor, function: Callable[[Item], Outcome], item: Item) -> Future[Outcome]:
    """Return what will come of a piece that is handed to an executor: an error where its workers have died."""
    try:
        return executor.submit(partial(_alone, function), item)
    except Exception as error:
        if not _is_broken(error):
            raise
        return _failed(error)


def _failed(error: Exception) -> Future[Any]:
    """Return an error as what comes of a piece, so that it surfaces where its turn comes."""
    from concurrent.futures import Future

    failed: Future[Any] = Future()
    failed.set_exception(error)
    return failed


def _outcome(coming: Future[Outcome]) -> Outcome:
    """Return what comes of a piece, or complain in one line of workers that cannot do it."""
    try:
        return coming.result()
    except Exception as error:
        if _is_broken(error):
            raise NotAvailable("a worker process ended before its work was done; take fewer workers") from None
        if _cannot_travel(error):
            raise ParameterError("a measure of your own does not travel to another process; take threads") from None
        raise


def _done(function: Callable[[Item], Outcome], item: Item) -> Future[Outcome]:
    """Return what comes of a piece that is done here, an error too, as if it came from elsewhere."""
    from concurrent.futures import Future

    done: Future[Outcome] = Future()
    try:
        done.set_result(function(item))
    except Exception as error:  # noqa: BLE001 - it surfaces where its turn comes
        return _failed(error)
    return done


def _cannot_travel(error: BaseException | None) -> bool:
    """Return whether an error says that something cannot be sent to another process."""
    from pickle import PicklingError

    return isinstance(error, AttributeError | TypeError | PicklingError) and "pickle" in str(error)


def _is_broken(error: Exception) -> bool:
    """Return whether an error says that a worker of an executor has died."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor)


def _alone(function: Callable[[Item], Outcome], item: Item) -> Outcome:
    """Return `function` of an item, which has one worker for itself: this one."""
    before = _in_use.set(Workers(1))
    try:
        return function(item)
    finally:
        _in_use.reset(before)


def works_alone() -> bool:
    """Return whether the pieces of a long job are done here, one after another.

    Examples
    --------
    >>> works_alone()
    True
    >>> with carried_out_by(Workers(3)):
    ...     works_alone()
    False
    """
    executor = _in_use.get()
    return executor is None or (isinstance(executor, Workers) and executor.number == 1)


def workers_in_use() -> int:
    """Return how many workers the executor in use has; as many as there are cores where that is not known.

    Examples
    --------
    >>> with carried_out_by(Workers(3)):
    ...     workers_in_use()
    3
    """
    executor = _in_use.get()
    number = executor.number if isinstance(executor, Workers) else getattr(executor, "_max_workers", None)
    return number if isinstance(number, int) else cores()


def ahead(function: Callable[[Item], Outcome], items: Iterable[Item], workers: int | None = None) -> Iterator[Outcome]:
    """Return `function` of each item, in order, with the next items under way in threads.

    This is for work that holds up no other thread, whatever the executor in use: its number of workers is that of
    the threads. At most two outcomes more than there are workers exist at a time, the one in use included. An error
    surfaces where its item's turn comes, and nothing new is started after it.

    Parameters
    ----------
    function
        Any function; it is not sent to another process.
    items
        What it is called with.
    workers
        How many threads; by default as many as the executor in use has workers. With one there are no threads.

    Examples
    --------
    >>> list(ahead(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    number = workers_in_use() if workers is None else workers
    if number == 1:
        return map(function, items)
    return _in_threads(function, items, number)


def _in_threads(function: Callable[[Item], Outcome], items: Iterable[Item], number: int) -> Iterator[Outcome]:
    from concurrent.futures import ThreadPoolExecutor

    threads = ThreadPoolExecutor(max_workers=number, thread_name_prefix=THREADS)
    waiting: deque[Future[Outcome]] = deque()
    try:
        for item in items:
            waiting.append(threads.submit(_alone, function, item))
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
